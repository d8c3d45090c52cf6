"""The places of anchors: a file, best on another volume, a printed line, a second PostgreSQL, and a webhook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from msgspec import DecodeError, ValidationError, json
from msgspec.structs import astuple

from passline.extras import extra_for
from passline.store.address import DATABASE_URL, printed_address
from passline.store.anchors.marks import Mark, mark_from_line, newest_mark
from passline.store.keys import sync_folder, write_durably
from passline.store.log import LogError

try:
    import fcntl
except ImportError:  # Windows, where one server uses a log
    fcntl = None  # type: ignore[assignment]

_SIZE_MAX = 512 * 1024  # of the file: beyond it, only the newest head of each log and restorations are kept


class FileAnchor:
    """Heads as lines of JSON at the end of a file; several processes may share it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     anchor = FileAnchor(Path(folder) / "heads")
    ...     for sequence in (7, 9, 8):
    ...         anchor.keep(Mark("a-log", sequence, "00", "", "2026-11-15"))
    ...     anchor.newest("a-log").sequence, anchor.newest("another")
    (9, None)
    """

    is_readable = True
    pace = 1.0

    def __init__(self, path: Path, *, size_max: int = _SIZE_MAX) -> None:
        self.path, self.name, self._size_max = path, str(path), size_max
        self._file = -1
        self._was_there = path.exists()

    def keep(self, mark: Mark) -> None:
        """Append a line and sync it."""
        with self._errors(), self._open_locked() as size:
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                whole = os.pread(self._file, size, 0).rfind(b"\n") + 1
                os.ftruncate(self._file, whole)  # a line that was cut short, so nobody was told that it is kept
            line = json.encode(mark) + b"\n"
            if os.write(self._file, line) != len(line):
                raise LogError(f"anchor {self.name}: the disk is full: free some space")
            os.fsync(self._file)
            if size + len(line) > self._size_max:
                self._compact()

    def newest(self, log_id: str) -> Mark | None:
        """Return the newest head of a log."""
        with self._errors():
            return newest_mark(self._marks(), log_id)

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the marks of restorations of a log."""
        with self._errors():
            return [mark for mark in self._marks() if mark.log_id == log_id and mark.lost]

    def log_ids(self) -> set[str]:
        """Return the ids of all logs that it holds heads of."""
        with self._errors():
            return {mark.log_id for mark in self._marks()}

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _marks(self) -> Iterator[Mark]:
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            if self._was_there or not self.path.parent.is_dir():
                raise
            return
        *lines, _unfinished = text.split(b"\n")
        for number, line in enumerate(lines, start=1):
            mark = mark_from_line(line)
            if mark is None:
                raise LogError(
                    f"anchor {self.name}: line {number} is not a head: the file was changed or damaged; find out by "
                    "whom, then restore it, or move it aside and verify the log against another head"
                )
            yield mark

    @contextmanager
    def _open_locked(self) -> Iterator[int]:
        """Open and lock the file that is at the path now; yield its size."""
        while True:
            if self._file < 0:
                flags = os.O_RDWR | os.O_APPEND | (0 if self._was_there else os.O_CREAT)
                self._file = os.open(self.path, flags, 0o600)
                if not self._was_there:
                    sync_folder(self.path.parent)
                self._was_there = True
            _lock(self._file, is_held=True)
            opened = os.fstat(self._file)
            try:
                is_same = os.path.samestat(opened, self.path.stat())
            except OSError:
                self.close()
                raise
            if is_same:
                break
            self.close()  # another process has compacted it
        try:
            yield opened.st_size
        finally:
            if self._file >= 0:
                _lock(self._file, is_held=False)

    def _compact(self) -> None:
        """Replace the file by what counts of it: the newest head of each log, and every restoration."""
        marks = list(self._marks())
        newest = {log_id: newest_mark(marks, log_id) for log_id in {mark.log_id for mark in marks}}
        left = [mark for mark in marks if mark.lost or mark is newest[mark.log_id]]
        write_durably(self.path, b"".join(json.encode(mark) + b"\n" for mark in left), replaces=True)
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            remedy = "mount its volume, and make the file writable for this user"
            raise LogError(f"anchor {self.name}: {error.strerror or error}: {remedy}") from error


class PrintedAnchor:
    """Heads as printed lines, on standard output or a device such as a line printer; nobody can read them back here.

    A line can be given to `passline verify --head`.
    """

    is_readable = False
    pace = 60.0  # paper is not endless

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.name = path, f"print:{path or ''}"

    def keep(self, mark: Mark) -> None:
        """Print a line."""
        lost = f" restored, giving up {mark.lost}" if mark.lost else ""
        text = f"passline head {mark.name}:{mark.seal} of log {mark.log_id} at {mark.at}{lost}\n"
        try:
            if self.path is None:
                sys.stdout.write(text)
                sys.stdout.flush()
                return
            with self.path.open("a", encoding="ascii") as device:
                device.write(text)
                device.flush()
                with suppress(OSError):  # a device that cannot be synced
                    os.fsync(device.fileno())
        except (OSError, ValueError) as error:
            raise LogError(f"anchor {self.name}: {error}: see to the printer") from error

    def newest(self, log_id: str) -> Mark | None:
        """Raise: paper cannot be read back."""
        raise LogError(f"anchor {self.name}: a printed head of log {log_id} cannot be read back: give it with --head")

    def restoration_marks(self, log_id: str) -> list[Mark]:  # noqa: ARG002 - as every anchor
        """Return nothing: paper cannot be read back."""
        return []

    def close(self) -> None:
        """Do nothing: nothing stays open."""


def _lock(file: int, *, is_held: bool) -> None:
    """Lock a file for this process alone, or release it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if is_held else fcntl.LOCK_UN)


_SECONDS = 5  # for each attempt
_MISSING = 404
_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS passline_anchor;
CREATE TABLE IF NOT EXISTS passline_anchor.heads (
    number BIGSERIAL PRIMARY KEY, log_id TEXT NOT NULL, sequence BIGINT NOT NULL, hash TEXT NOT NULL,
    seal TEXT NOT NULL, at TEXT NOT NULL, lost TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS heads_by_log ON passline_anchor.heads (log_id, sequence);
CREATE INDEX IF NOT EXISTS heads_after_restorations ON passline_anchor.heads (log_id, number) WHERE lost <> '';
CREATE OR REPLACE FUNCTION passline_anchor.only_grows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'an anchor only grows'; END $$;
CREATE OR REPLACE TRIGGER heads_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON passline_anchor.heads
    FOR EACH STATEMENT EXECUTE FUNCTION passline_anchor.only_grows();
"""
_SCHEMA_LOCK = 0x7061_7373_616E_6368  # "passanch": two processes that create the table at once take turns
_NEWEST = """SELECT log_id, sequence, hash, seal, at, lost FROM passline_anchor.heads
    WHERE log_id = %(log)s AND number >= COALESCE(
        (SELECT MAX(first) FROM (SELECT MIN(number) AS first FROM passline_anchor.heads
            WHERE log_id = %(log)s AND lost <> '' GROUP BY sequence, hash) AS restorations), 0)
    ORDER BY sequence DESC, number LIMIT 1"""

_DECLARED = """SELECT log_id, sequence, hash, seal, at, lost FROM passline_anchor.heads
    WHERE log_id = %(log)s AND lost <> '' ORDER BY number"""


class PostgresAnchor:
    """Heads in a small table of their own in another database; its rows are only ever inserted."""

    is_readable = True
    pace = 1.0

    def __init__(self, url: str) -> None:
        with extra_for("--anchor: PostgreSQL"):
            import psycopg  # noqa: PLC0415 - an extra
        try:
            self.name = printed_address(url)
        except psycopg.Error as error:
            raise LogError(f"--anchor: must be {DATABASE_URL}") from error
        self._url = url
        self._connections: dict[str, Any] = {}  # one to write and one to read, so that neither waits for the other
        self._locks = {"write": RLock(), "read": RLock()}

    def keep(self, mark: Mark) -> None:
        """Insert a row."""
        sql = (
            "INSERT INTO passline_anchor.heads (log_id, sequence, hash, seal, at, lost) VALUES (%s, %s, %s, %s, %s, %s)"
        )
        self._execute("write", sql, astuple(mark))

    def newest(self, log_id: str) -> Mark | None:
        """Return the newest head of a log."""
        rows = self._execute("read", _NEWEST, {"log": log_id})
        return Mark(*rows[0]) if rows else None

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the marks of restorations of a log."""
        return [Mark(*row) for row in self._execute("read", _DECLARED, {"log": log_id})]

    def close(self) -> None:
        """Close the connections."""
        for use, lock in self._locks.items():
            with lock:
                self._drop(use)

    def _drop(self, use: str) -> None:
        if (connection := self._connections.pop(use, None)) is not None:
            connection.close()

    def _execute(self, use: str, sql: str, values: Any) -> list[Any]:  # noqa: ANN401 - as psycopg takes them
        """Run a statement; on a connection that broke since, once more on a new one: a head twice does no harm."""
        import psycopg  # noqa: PLC0415

        with self._locks[use]:
            is_old = use in self._connections
            try:
                cursor = self._connect(use).execute(sql, values)
                return list(cursor.fetchall()) if cursor.description else []
            except psycopg.Error as error:
                self._drop(use)
                if is_old and isinstance(error, psycopg.OperationalError):
                    return self._execute(use, sql, values)
                why = " ".join(str(error).split()) or type(error).__name__
                raise LogError(f"anchor {self.name}: {why}: see to the anchor's database") from error

    def _connect(self, use: str) -> Any:  # noqa: ANN401 - psycopg's connection, imported late
        import psycopg  # noqa: PLC0415

        if use not in self._connections:
            connection = psycopg.connect(
                self._url, autocommit=True, connect_timeout=_SECONDS, application_name="passline anchor"
            )
            try:
                connection.execute(f"SET synchronous_commit = on; SET statement_timeout = '{_SECONDS}s'".encode())
                there = connection.execute("SELECT to_regclass('passline_anchor.heads') IS NOT NULL").fetchone()
                if there != (True,):
                    with connection.transaction():
                        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                        connection.execute(_SCHEMA.encode())
            except BaseException:
                connection.close()
                raise
            self._connections[use] = connection
        return self._connections[use]


class WebhookAnchor:
    """Heads posted to a server of somebody else's as JSON; a GET there returns the newest one of a log.

    POST of {"log_id", "sequence", "hash", "seal", "at"} must be answered 2xx once it is durable; a field "lost" means
    that the log was restored from a backup, and that this head counts although it is not the longest; told again, it
    changes nothing. GET with the query log_id returns the newest head as the same JSON, or 404.
    """

    is_readable = True
    pace = 1.0

    def __init__(self, url: str) -> None:
        with extra_for("--anchor: a webhook"):
            import httpx  # noqa: PLC0415 - an extra
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise LogError(f"--anchor: {error}: give a webhook as https://HOST/PATH") from error
        self.name = str(self._url.copy_with(username=None, password=None, query=None))
        self._errors = (httpx.HTTPError, httpx.InvalidURL)
        self._client = httpx.Client(timeout=_SECONDS)

    def keep(self, mark: Mark) -> None:
        """Post a head."""
        try:
            answer = self._client.post(
                self._url, content=json.encode(mark), headers={"Content-Type": "application/json"}
            )
        except self._errors as error:
            raise LogError(f"anchor {self.name}: {error}: is its server running?") from error
        if not answer.is_success:
            raise LogError(f"anchor {self.name}: answered {answer.status_code} to a head: it must answer 2xx")

    def newest(self, log_id: str) -> Mark | None:
        """Ask for the newest head of a log."""
        try:
            answer = self._client.get(self._url.copy_merge_params({"log_id": log_id}))
        except self._errors as error:
            raise LogError(f"anchor {self.name}: {error}: is its server running?") from error
        if answer.status_code == _MISSING:
            return None
        if not answer.is_success:
            raise LogError(f"anchor {self.name}: answered {answer.status_code} when asked for the newest head")
        try:
            mark = json.decode(answer.content, type=Mark)
        except (DecodeError, ValidationError, UnicodeDecodeError) as error:
            raise LogError(f"anchor {self.name}: its answer is not a head: {error}") from error
        if mark.log_id != log_id:
            raise LogError(f"anchor {self.name}: it answered with a head of log {mark.log_id}, not of {log_id}")
        return mark

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the newest mark if it is of a restoration: nothing else can be asked for."""
        mark = self.newest(log_id)
        return [mark] if mark is not None and mark.lost else []

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

"""Reads a log for verification or export from a file, a folder, a database or a server. Writes nothing."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from passline.extras import extra_for
from passline.store.address import ANY_DATABASE, is_database, is_server
from passline.store.archived.files import ARCHIVE_FOLDER, FolderFiles
from passline.store.archived.index import Archive
from passline.store.data_folder import DATABASE_FILE, KEY_FILE
from passline.store.database import STREAM_VERSIONS, log_row
from passline.store.entry import Entry, LogRow
from passline.store.export import LINE_BEGINS, row_from_json, rows_in
from passline.store.log import LogError, Secret
from passline.store.log_place import LogPlace, OpenPlace
from passline.store.named_segments import Segment
from passline.store.sealed import stored_of
from passline.store.sqlite import SELECT_SECRETS, file_errors
from passline.store.sqlite_transaction import SELECT_ROWS

_SQLITE = b"SQLite format 3\0"
_EXPORT = "/api/log/export"
_DAMAGES_MAX = 20


class LogSource(Struct, frozen=True):
    """A log that can be read repeatedly."""

    rows: Callable[[], Iterator[LogRow]]
    damages: Callable[[], list[str]]  # faults of the database file itself
    secrets: Callable[[], Iterator[Secret]] | None = None  # the rows of its vault; None: an export has none
    key_file: Path | None = None  # where the log's key would be
    segments: Callable[[], list[Segment]] = list  # that the database reads from its archive
    place: LogPlace | None = None  # of a log in a database, with its archive
    rows_of: Callable[..., Iterator[LogRow]] | None = None  # of some kinds of streams; None: only all rows can be read


def _source_at(place: LogPlace, key_file: Path | None = None) -> LogSource:
    return LogSource(place.rows, place.damages, place.secrets, key_file, place.segments, place, place.rows_of)


def log_place(data: Path, database: str = "") -> LogPlace:
    """Return where the log of a data folder is: in its file, or in a PostgreSQL database."""
    if not database:
        return SqlitePlace(data / DATABASE_FILE)
    with extra_for("a log in PostgreSQL"):
        from passline.store.postgres_place import PostgresPlace  # noqa: PLC0415 - only for PostgreSQL
    return PostgresPlace(database)


def entries_of_streams(source: LogSource, *kinds: str) -> Iterator[Entry]:
    """Yield the entries of some kinds of streams, such as people and office, of a log that is trusted to be intact.

    Those of a stream are in order; a database is asked for them alone. Raise LogError where one is missing or damaged.
    """
    versions: dict[str, int] = {}
    for row in source.rows_of(*kinds) if source.rows_of else source.rows():
        entry = _sound_entry(row)
        if entry.stream.partition("/")[0] not in kinds:
            continue
        following = versions.get(entry.stream, 0) + 1
        if entry.version != following:
            raise LogError(f"{entry.stream}: version {following} is missing: run passline verify on this log")
        versions[entry.stream] = following
        yield entry


def sound_entries(source: LogSource) -> Iterator[Entry]:
    """Yield the entries of a log that is trusted to be intact; raise LogError at the first that is not."""
    yield from map(_sound_entry, source.rows())


def _sound_entry(row: LogRow) -> Entry:
    if row.fault:
        raise LogError(f"{row.fault}: run passline verify on this log")
    return stored_of(row).entry


@contextmanager
def open_source(name: str) -> Iterator[LogSource]:
    """Open a log by name: a SQLite file, the folder it is in, JSON lines, a database or a server.

    >>> with open_source("nowhere.sqlite"):
    ...     pass
    Traceback (most recent call last):
    passline.store.log.LogError: nowhere.sqlite: no such file; give a log file, its folder, or a URL
    """
    if is_database(name):
        yield _source_at(log_place(Path(), name))
    elif is_server(name):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            _download(name, path)
            _must_be_a_log(path, name)
            yield LogSource(partial(rows_in, path), list)
    else:
        path = Path(name)
        path = path / DATABASE_FILE if path.is_dir() else path
        if not path.is_file():
            raise LogError(f"{path}: no such file; give a log file, its folder, or a URL")
        try:
            with path.open("rb") as file:
                is_sqlite = file.read(len(_SQLITE)) == _SQLITE
        except OSError as error:
            raise LogError(f"{path}: {error.strerror or error}") from error
        if is_sqlite:
            yield _source_at(SqlitePlace(path), path.with_name(KEY_FILE))
        else:
            _must_be_a_log(path, str(path))
            yield LogSource(partial(rows_in, path), list)


def _must_be_a_log(path: Path, name: str) -> None:
    """Raise LogError if no line of a file is, or could have been, one of an export. A damaged log is still a log."""
    with path.open("rb") as file:
        if not any(line.startswith(LINE_BEGINS) or not row_from_json(line).fault for line in file):
            raise LogError(
                f"{name}: is not a log: give a data folder, its SQLite file, JSON lines of passline export, "
                f"{ANY_DATABASE} or a server's http(s)://..."
            )


def _sqlite(path: Path) -> sqlite3.Connection:
    """Open a file read-only; as immutable if it has no write-ahead log, so that SQLite creates no files beside it."""
    mode = "ro" if path.with_name(path.name + "-wal").exists() else "ro&immutable=1"
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode={mode}", uri=True)


class SqlitePlace(LogPlace):
    """A log in a SQLite file, with its archive in a folder beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def open(self) -> Iterator[OpenPlace]:
        """Begin to read the log."""
        with file_errors(self._path), closing(_sqlite(self._path)) as connection:
            yield OpenPlace(_SqliteRows(connection), sqlite_archive(connection, self._path))

    @contextmanager
    def open_files(self) -> Iterator[FolderFiles]:
        """Begin to read the files of its archive."""
        yield FolderFiles(self._path.parent / ARCHIVE_FOLDER)

    def damages(self, after: int = 0) -> list[str]:
        """Return what SQLite finds wrong with its file, such as an index that would let an id act twice.

        And what is wrong with archived segments; with `after` only with those of higher numbers.
        """
        try:
            with closing(_sqlite(self._path)) as connection:
                found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_DAMAGES_MAX})")]
                archive = sqlite_archive(connection, self._path)
                found += archive.faults(after) if archive else ()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            return [str(error)]
        return [text for text in found if text != "ok"]

    def secrets(self) -> Iterator[Secret]:
        """Yield the rows of the vault."""
        with file_errors(self._path), closing(_sqlite(self._path)) as connection:
            is_there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'secrets'").fetchone()
            yield from (Secret(*row) for row in (connection.execute(SELECT_SECRETS) if is_there else ()))


class _SqliteRows:
    """Reads rows of a SQLite file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def after(self, sequence: int) -> Iterator[LogRow]:
        """Yield the rows after an entry."""
        return _database_rows(self._connection, sequence)

    def at(self, sequence: int) -> LogRow | None:
        """Return the row of an entry."""
        row = self._connection.execute(SELECT_ROWS + "WHERE sequence = ?", (sequence,)).fetchone()
        return log_row(row) if row else None

    def streams(self) -> list[str]:
        """Return the names of streams, and begin a snapshot, as somebody may archive meanwhile."""
        self._connection.execute("BEGIN")
        return [name for name, _ in self._connection.execute(STREAM_VERSIONS.format(""))]

    def of_stream(self, stream: str, after: int) -> Iterator[LogRow]:
        """Yield the rows of a stream after a version."""
        sql = SELECT_ROWS + "WHERE stream = ? AND version > ? ORDER BY version"
        return map(log_row, self._connection.execute(sql, (stream, after)))


def sqlite_archive(connection: sqlite3.Connection, path: Path) -> Archive | None:
    """Return the archived part of a log whose file is open to be read; None where a log has no such tables."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'archives'").fetchone():
        return None
    files = FolderFiles(path.parent / ARCHIVE_FOLDER)
    return Archive(lambda sql, values: connection.execute(sql, values).fetchall(), files)


def _database_rows(connection: sqlite3.Connection, after: int = 0) -> Iterator[LogRow]:
    count = 0
    cursor = connection.execute(SELECT_ROWS + "WHERE sequence > ? ORDER BY sequence", (after,))
    while True:
        try:
            row = cursor.fetchone()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not count:
                raise
            yield LogRow(b"", b"", b"", fault=f"the file cannot be read beyond this point: {error}")
            return
        if row is None:
            return
        count += 1
        yield log_row(row)


def _download(url: str, path: Path) -> None:
    """Download a server's export with the token in PASSLINE_TOKEN."""
    with extra_for("a log on a server"):
        import httpx  # noqa: PLC0415 - only for servers
    url = url if url.endswith(_EXPORT) else url.rstrip("/") + _EXPORT
    token = os.environ.get("PASSLINE_TOKEN", "")
    if not (token.isascii() and token.isprintable()):
        raise LogError("PASSLINE_TOKEN: is not the token of a session, which is printable ASCII")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with httpx.stream("GET", url, headers=headers, timeout=60) as answer, path.open("wb") as file:
            if not answer.is_success:
                raise LogError(
                    f"{url}: answered {answer.status_code}; set PASSLINE_TOKEN to a token that may read the log"
                )
            for chunk in answer.iter_bytes():
                file.write(chunk)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise LogError(f"{url}: {error}: is the server running?") from error

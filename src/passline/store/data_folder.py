"""The data folder of a house: its log, the key that seals it, and the name of the log that belongs here."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from time import monotonic, time_ns

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from passline.extras import extra_for
from passline.store.address import DATABASE_URL, is_database
from passline.store.keys import load_key, load_secret, write_durably
from passline.store.log import LogError
from passline.store.sealed import Log

DATABASE_FILE = "log.sqlite"
"""The log in a data folder, unless it is in PostgreSQL."""
KEY_FILE = "log.key"
"""The key that seals the log. Back it up, but never in the same place as the log."""
MARK_FILE = "house.json"
"""Which log belongs to this folder: without it, an empty database would become a new house unnoticed."""
_KNOWN_SECONDS = 1.0  # for which a look at the folder stands for one at each of its files
_LATELY_NS = 100_000_000  # a folder that changed later than this may change again without another time: clocks tick
_GONE = "the log's own files are gone or were replaced; nothing is acknowledged until they are back"


class FileWatch:
    """The files of an open log, which must stay where they are. Checking takes microseconds, so every commit does.

    An open file can be deleted or replaced on most systems, and writing to it still succeeds; but what is written is in
    no folder any more, and is lost when the program ends. Files in `needed` must exist, but may be replaced.

    Whatever is deleted or put into a folder changes the folder's time: while that and the folder are the same, so are
    its files. All of them are looked at once a second even so, and always where one look at the folder may not tell.
    """

    def __init__(self, files: Iterable[Path] = (), *, needed: Iterable[Path] = ()) -> None:
        self._files = {str(path): self._identity(str(path)) for path in files if path.exists()}
        self._needed = tuple(map(str, needed))
        paths = [*map(Path, (*self._files, *self._needed))]
        is_one_folder = len({path.parent for path in paths}) == 1 and not any(path.is_symlink() for path in paths)
        self._folder = str(paths[0].parent) if is_one_folder and os.name == "posix" else ""
        self._known: tuple[int, int, int] | None = None  # the folder when its files were looked at
        self._known_until = 0.0

    def check(self) -> None:
        """Raise LogError if a file is gone or is another one."""
        folder = self._folder_now()
        if folder is None or folder != self._known or monotonic() > self._known_until:
            self._known = None
            self._check_files()
            if folder is not None and folder[-1] < time_ns() - _LATELY_NS:
                self._known, self._known_until = folder, monotonic() + _KNOWN_SECONDS

    def _folder_now(self) -> tuple[int, int, int] | None:
        """Return which folder is there, and when something in it was last deleted, made or renamed."""
        try:
            found = os.stat(self._folder) if self._folder else None  # noqa: PTH116 - as below
        except OSError:
            return None
        return (found.st_dev, found.st_ino, found.st_ctime_ns) if found else None

    def _check_files(self) -> None:
        for path, identity in self._files.items():
            if self._identity(path) != identity:
                raise _gone_error(path)
        for path in self._needed:
            self._identity(path)

    @staticmethod
    def _identity(path: str) -> tuple[int, int]:
        try:
            found = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, once per commit
        except OSError as error:
            raise _gone_error(path) from error
        return found.st_dev, found.st_ino


def _gone_error(path: str) -> LogError:
    return LogError(
        f"{path}: is gone or was replaced while it was in use: nothing is acknowledged until it is back; stop the "
        "server, keep what is left of its folder, and continue from a backup",
        public=_GONE,
    )


class _Mark(Struct, frozen=True, omit_defaults=True):
    """Which log belongs to a folder; without a name, its first start has not ended: nothing was ever acknowledged."""

    log_id: str = ""
    anchors: tuple[str, ...] = ()  # the names of those that have held a head of it


DOCUMENTS_FOLDER = "documents"
"""Where the documents lie that acts of the office name by their digest."""
DICE_KEY_FILE = "dice.key"
"""The master secret of electronic dice. Whoever reads it could foresee rolls that have no nonce of the shooter's."""


def dice_secret(data: Path) -> bytes:
    """Return the master secret of a data folder; make one if there is none."""
    return load_secret(
        data / DICE_KEY_FILE, "the secret of the dice", "without it no electronic dice are thrown", make=True
    )


def open_log(data: Path, database: str = "", *, is_demo: bool | None = None, expected: str = "", at: str = "") -> Log:
    """Open the log in a data folder or a PostgreSQL database; create it if it is new.

    With `is_demo`, refuse a log of the other kind: guests and play money never get into a house's log. A folder that
    has had a log, by its mark or its key, gets no second one: a log that is missing was lost. With `expected`, the
    name of a log, open that one only and create nothing. A new log begins now, or `at` another moment.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = open_log(Path(folder) / "house")
    ...     sorted(log.streams().items()), log.head().sequence
    ...     log.close()
    ([('house', 1)], 1)
    """
    if database:
        must_be_database(database)
    if expected and ((known := _read_mark(data)) is None or known.log_id != expected):
        raise LogError(f"{data}: log {expected} is not here any more: {_GONE}", public=_GONE)
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LogError(f"{data}: {error.strerror}: choose a folder that this user can write to") from error
    key_path, path = data / KEY_FILE, data / DATABASE_FILE
    # In this order, because another process may be making its first start here: mark, key, log, mark again.
    has_key = key_path.exists()
    mark = _read_mark(data)
    has_log = database_has_log(database) if database else _file_has_log(path)
    if not has_log:
        _check_new(data, database, mark, has_key=has_key)
        _write_mark(data, _Mark(), is_first=True)
    key = load_key(key_path, make=not has_log)
    log: Log
    if database:
        from passline.store.postgres import PostgresLog  # noqa: PLC0415 - SQLite needs no driver

        log = PostgresLog(database, key, at=at, is_demo=is_demo, may_begin=not has_log)
        log.guard = FileWatch(needed=(key_path,)).check
    else:
        from passline.store.sqlite import SqliteLog  # noqa: PLC0415

        log = SqliteLog(path, key, at=at, is_demo=is_demo, may_begin=not has_log)
        files = (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm")))
        log.guard = FileWatch(files, needed=(key_path,)).check
    try:
        _mark_as(data, log.log_id)
    except BaseException:
        log.close()
        raise
    return log


def must_be_database(database: str) -> None:
    """Raise LogError unless `--database` names a PostgreSQL database.

    >>> must_be_database("postgresql://craps@db/house")
    """
    if not is_database(database):
        raise LogError(f"--database {database}: must be {DATABASE_URL}; without it the log is in --data")


def database_has_log(database: str) -> bool:
    """Return whether a PostgreSQL database has a log."""
    with extra_for("--database: PostgreSQL"):
        from passline.store.postgres import has_log  # noqa: PLC0415 - SQLite needs no driver
    return has_log(database)


def _file_has_log(path: Path) -> bool:
    """Return whether a file has entries. One that cannot be read counts as a log: opening it says what is wrong."""
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=10)) as file:
            has_table = file.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone() is not None
            return has_table and file.execute("SELECT 1 FROM entries LIMIT 1").fetchone() is not None
    except sqlite3.Error:
        return True


def _check_new(data: Path, database: str, mark: _Mark | None, *, has_key: bool) -> None:
    """Refuse to begin a log in a folder that has had one."""
    where = "the database" if database else str(data / DATABASE_FILE)
    if mark is not None and mark.log_id:
        raise LogError(
            f"{data / MARK_FILE}: log {mark.log_id} belongs to this folder, but {where} has no log: it was lost or is "
            "elsewhere. Restore it from its backup, or name its database; for a new house choose an empty folder"
        )
    if mark is None and has_key:
        raise LogError(
            f"{data / KEY_FILE}: is the key of a log, but {where} has no log: it was lost or is elsewhere. Restore it "
            "from its backup, or name its database; for a new house choose an empty folder"
        )


def _read_mark(data: Path) -> _Mark | None:
    path = data / MARK_FILE
    try:
        return json.decode(path.read_bytes(), type=_Mark)
    except FileNotFoundError:
        return None
    except (OSError, MsgspecError) as error:
        raise LogError(f"{path}: {error}: restore it from its backup; it names the log of this folder") from error


def anchors_of(data: Path) -> frozenset[str]:
    """Return the names of the anchors that have held a head of the log in a data folder."""
    mark = _read_mark(data)
    return frozenset(mark.anchors) if mark else frozenset()


def note_anchor(data: Path, name: str) -> None:
    """Record that an anchor holds a head of the log in a data folder: from then on it must never be empty."""
    mark = _read_mark(data)
    if mark is not None and name not in mark.anchors:
        _write_mark(data, replace(mark, anchors=(*mark.anchors, name)), is_first=False)


def _mark_as(data: Path, log_id: str) -> None:
    """Record which log belongs to a folder, once its first entry is durable; refuse another one."""
    mark = _read_mark(data)
    if mark is None or not mark.log_id:
        _write_mark(data, replace(mark or _Mark(), log_id=log_id), is_first=False)
    elif mark.log_id != log_id:
        raise LogError(
            f"{data / MARK_FILE}: log {mark.log_id} belongs to this folder, but the log here is {log_id}: put the "
            "right one in its place, or choose the folder of this one"
        )


def _write_mark(data: Path, mark: _Mark, *, is_first: bool) -> None:
    """Write the mark durably; the first one only if there is none yet: another process may be further."""
    path = data / MARK_FILE
    try:
        write_durably(path, json.encode(mark) + b"\n", replaces=not is_first)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}: make the folder writable for this user") from error

"""The log in one SQLite file: WAL, synchronous FULL, so an entry is acknowledged after its fsync."""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Condition, Lock
from time import monotonic, sleep
from typing import Any

from msgspec import json
from msgspec.structs import astuple

from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.files import ARCHIVE_FOLDER, FolderFiles
from passline.store.archived.index import ARCHIVE_TABLES, Archive
from passline.store.checkpoints import Checkpoints
from passline.store.commit import Commit
from passline.store.database import Query
from passline.store.entry import Draft
from passline.store.keys import SigningKey
from passline.store.log import AppendResult, BegunAppend, CommitInDoubt, LogError, Secret, SignedSnapshot, Vault
from passline.store.sqlite_transaction import (
    ROWS_MAX,
    SELECT_ROWS,
    Connection,
    Recalled,
    SqliteTransaction,
)

_BUSY_SECONDS = 10.0  # how long a writer waits for one in another process
_WAL_PAGES = 20_000  # of the write-ahead log, after which a commit itself copies them: see `Checkpoints`
_TURN_SECONDS = 0.0002  # between two tries to become the writer
_ROOM_MIN = 8 << 20  # bytes free on the disk, below which the house stops before a commit fails half-way
_ROOM_SECONDS = 0.1  # for which it stays known that there is as much
_LOOK_SECONDS = 0.05  # how often `wait_for` looks for what other processes wrote
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS entries (
        sequence INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL, actor TEXT NOT NULL,
        id TEXT NOT NULL, hand INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL, seal BLOB NOT NULL)""",
    "CREATE UNIQUE INDEX IF NOT EXISTS entries_by_version ON entries (stream, version)",
    "CREATE UNIQUE INDEX IF NOT EXISTS entries_by_id ON entries (stream, actor, id)",
    "CREATE INDEX IF NOT EXISTS entries_by_hand ON entries (stream, hand)",
    """CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'the log only grows'); END""",
    """CREATE TRIGGER IF NOT EXISTS entries_stay_as_they_are BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'the log only grows'); END""",
    """CREATE TABLE IF NOT EXISTS secrets (
        kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (kind, key))""",
    """CREATE TABLE IF NOT EXISTS counters (kind TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL,
        expires TEXT NOT NULL, PRIMARY KEY (kind, key))""",
    """CREATE TABLE IF NOT EXISTS given_up (stream TEXT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL,
        at INTEGER NOT NULL, PRIMARY KEY (stream, actor, id))""",
    "CREATE INDEX IF NOT EXISTS given_up_by_time ON given_up (at)",
    "CREATE INDEX IF NOT EXISTS secrets_by_expiry ON secrets (expires)",
    "CREATE INDEX IF NOT EXISTS counters_by_expiry ON counters (expires)",
    """CREATE TABLE IF NOT EXISTS snapshots (
        stream TEXT PRIMARY KEY, version INTEGER NOT NULL, sequence INTEGER NOT NULL, hash BLOB NOT NULL,
        state BLOB NOT NULL, signature BLOB NOT NULL)""",
    *ARCHIVE_TABLES,
)
SELECT_SECRETS = """SELECT CAST(kind AS TEXT), CAST(key AS TEXT), IFNULL(CAST(value AS BLOB), x''),
    CAST(expires AS TEXT) FROM secrets ORDER BY kind, key"""
"""Selects the rows of the vault."""
_IS_FRESH = "(expires = '' OR expires > ?)"
_SECRETS = f"""SELECT json_group_array(json_array(key, hex(value), expires)) FROM secrets
    WHERE kind = ? AND key IN (SELECT value FROM json_each(?)) AND {_IS_FRESH}"""  # noqa: S608


def connect_sqlite(path: Path) -> Connection:
    """Open a database with the standard library. It never creates one: a file that is gone must not come back empty."""
    name = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(name, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _room(path: Path) -> int:
    """Return how many bytes this user can still write to the disk of a file."""
    try:
        found = os.statvfs(path)
    except (AttributeError, OSError):  # Windows, or a file that is gone, which the guard reports
        return _ROOM_MIN
    return found.f_bavail * found.f_frsize


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turn errors of the database file into a LogError that says what to do."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # UnicodeDecodeError: a message that quotes damaged text
        raise LogError(f"{path}: {error}: {_remedy(str(error))}") from error


def _remedy(text: str) -> str:
    return next((remedy for cause, remedy in _REMEDIES.items() if cause in text), "check the disk, then retry")


_REMEDIES = {
    "full": "free some space, then retry",
    "locked": f"another process has been writing for {_BUSY_SECONDS:.0f} seconds; stop it, then retry",
    "readonly": "make the file and its folder writable for this user",
    "unable to open": "create the folder and make it writable for this user",
    "malformed": "the file is damaged: keep it, run passline verify on it, and continue from a backup",
    "not a database": "the file is damaged or not a log: keep it, and continue from a backup",
}


class SqliteLog(DatabaseLog):
    """A log in a file, usable by several threads and processes at once."""

    select_rows, scan = SELECT_ROWS, "NOT INDEXED"

    def __init__(
        self,
        path: Path,
        key: SigningKey,
        *,
        connect: Callable[[Path], Connection] = connect_sqlite,
        log_id: str = "",
        at: str = "",
        is_demo: bool | None = None,
        may_begin: bool = True,
    ) -> None:
        super().__init__(key)
        self._path, self._connect = path, connect
        if connect is connect_sqlite and may_begin:
            with suppress(OSError):  # which opening it reports
                path.touch(mode=0o600)  # it holds the vault, so only this user may read it
        self._lock = Lock()  # held during a transaction of the one writing connection, by whichever threads it runs in
        self._recalled: Recalled | None = None  # what a commit need not read
        self._grown = Condition()
        self._room_known_until = 0.0
        self._idle: deque[Connection] = deque()
        self._is_closed = False
        self._checkpoints = Checkpoints(lambda: self.query("PRAGMA wal_checkpoint(PASSIVE)"))
        with file_errors(path):
            self._writer = connect(path)
        self.vault = SqliteVault(self)
        self._archive_files = FolderFiles(path.parent / ARCHIVE_FOLDER)
        self.archive = self.archived = Archive(self.query, self._archive_files)
        try:
            with file_errors(path):
                self._prepare()
            self.begin(log_id=log_id, at=at, is_demo=is_demo, may_begin=may_begin)
        except BaseException:
            self.close()
            raise

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log has an entry after a sequence number."""
        end = monotonic() + timeout
        while not self._is_closed:
            if self._tip().sequence > after:
                return True
            if (left := end - monotonic()) <= 0:
                break
            with self._grown:
                self._grown.wait(min(left, _LOOK_SECONDS))
        return False

    def close(self) -> None:
        """Close all connections to the file."""
        self._checkpoints.close()
        with self._lock, file_errors(self._path):
            if self._is_closed:
                return
            self._is_closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    def check(self) -> None:
        """Raise LogChanged if the log was changed by others, and LogError if its file is gone or its disk is full."""
        self.guard()
        self._check_room()
        super().check()

    def _check_room(self) -> None:
        """Raise LogError before the disk is full: a commit that fails half-way is in doubt, this one is not."""
        self._room_known_until = 0.0
        if (room := _room(self._path)) < _ROOM_MIN:
            raise LogError(
                f"{self._path}: only {room:,} bytes are free on its disk: {_REMEDIES['full']}",
                public="the disk of the log is full",
            )
        self._room_known_until = monotonic() + _ROOM_SECONDS

    def _check_place(self) -> None:
        """Check before a commit that the disk has room, as it had a moment ago, and that the log's files are there."""
        if monotonic() > self._room_known_until:
            self._check_room()
        self.guard()

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run a query on a connection of its own, not blocked by writers, and return its rows."""
        with file_errors(self._path):
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._connect(self._path)
            try:
                return connection.execute(sql, parameters).fetchall()
            finally:
                if self._is_closed:
                    connection.close()
                else:
                    self._idle.append(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Lock the writing connection; commit durably on leaving the block, or roll back on an error.

        An error before the commit is a LogError: nothing was written. One of the commit itself is a CommitInDoubt:
        what it wrote may still be found there after a crash, until the next commit has overwritten it.
        """
        with self._lock, self._transaction() as connection:
            yield connection

    def archive_alone(self) -> AbstractContextManager[None]:
        """Keep every other process from archiving until the block ends."""
        return self._archive_files.lock()

    @contextmanager
    def begin_archiving(self) -> Iterator[Query]:
        """Begin a transaction after which entries are archived, or rows of archived ones deleted."""
        with self.transaction() as connection:
            self._recalled = None
            yield lambda sql, parameters: connection.execute(sql, parameters).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Run a transaction of whoever holds the lock."""
        with file_errors(self._path):
            self._check_open()
            self._begin_writing()
            try:
                yield self._writer
                self._check_place()
            except BaseException:
                self._roll_back()
                raise
            self._commit()
            self._check_committed()

    def _check_open(self) -> None:
        if self._is_closed:
            raise LogError(f"{self._path}: this log is closed")

    def _begin_writing(self) -> None:
        """Begin a transaction that writes. SQLite itself would wait 1 ms, then 2, 5 and more for another process."""
        end = 0.0
        while True:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if "within a transaction" in str(error):
                    self._writer.execute("ROLLBACK")  # that of an earlier error failed too
                    continue
                end = end or monotonic() + _BUSY_SECONDS
                if "locked" not in str(error) or monotonic() > end:
                    raise
                sleep(_TURN_SECONDS)
            else:
                return

    def _commit(self) -> None:
        """Commit durably."""
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            if "locked" in str(error):
                raise  # the transaction was still open, so that it is undone for certain
            raise self._in_doubt(error) from error

    def _check_committed(self) -> None:
        """Check that what was committed is in the file that the log's path leads to."""
        try:
            self.guard()
        except LogError as error:
            raise self._in_doubt(error) from error

    def _in_doubt(self, error: Exception) -> CommitInDoubt:
        return CommitInDoubt(f"{self._path}: {error}: it is not known whether it was written; {_remedy(str(error))}")

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # when the disk is full, SQLite has already rolled back
            self._writer.execute("ROLLBACK")

    def _prepare(self) -> None:
        """Switch to WAL, retrying while other processes do the same, and create the tables."""
        for is_last in (*(False,) * 100, True):
            try:
                if self._writer.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                    self._writer.execute("PRAGMA journal_mode = WAL").fetchall()
                break
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or is_last:
                    raise
                sleep(_LOOK_SECONDS)
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("PRAGMA busy_timeout = 0").fetchall()  # `_begin_writing` waits
        self._writer.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}").fetchall()
        with self.transaction() as connection:
            for statement in _SCHEMA:
                connection.execute(statement)
            # A process that was killed may have written a commit that never reached the disk: it does with this one,
            # which writes no row, before anybody reads it here.
            connection.execute("PRAGMA user_version = 0")

    @contextmanager
    def _commit_writer(self) -> Iterator[SqliteTransaction]:
        with self._lock:
            with self._transaction() as connection:
                recalled, self._recalled = self._recalled, None  # until it is known what becomes of this transaction
                transaction = SqliteTransaction(connection, recalled, self.archived)
                yield transaction
            self._recalled = transaction.recalled
        self._note_growth()

    def _note_growth(self) -> None:
        self._checkpoints.note()
        with self._grown:
            self._grown.notify_all()

    def begin_append(self, drafts: Sequence[Draft]) -> BegunAppend | None:
        """Insert drafts by what is known of the log without reading it, unless another thread or process writes."""
        if len(drafts) > ROWS_MAX or not self._lock.acquire(blocking=False):
            return None
        begun = None
        try:
            with file_errors(self._path):
                begun = self._begin_append(drafts)
        finally:
            if begun is None:
                self._lock.release()
        return begun

    def _begin_append(self, drafts: Sequence[Draft]) -> BegunAppend | None:
        self._check_open()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:  # another process writes; `append` waits for it, or says what is wrong
            return None
        recalled, self._recalled = self._recalled, None
        transaction = SqliteTransaction(self._writer, recalled, self.archived)
        try:
            if (written := self._insert_as_recalled(transaction, drafts)) is not None:
                self._check_place()
        except BaseException:
            self._roll_back()
            raise
        if written is None:
            self._roll_back()
            self._recalled = transaction.recalled
            return None
        return _BegunSqlite(self, transaction, written[1])

    def end_commit(self, transaction: SqliteTransaction) -> None:
        """Commit what was begun durably, in whichever thread, and let others write."""
        try:
            with file_errors(self._path):
                self._commit()
            self._recalled = transaction.recalled
        finally:
            self._lock.release()

    def results_of(self, commit: Commit) -> list[AppendResult]:
        """Return the results of what was begun and committed, once it is sure that it is in the log."""
        try:
            self._check_committed()
        except LogError:
            self._recalled = None
            raise
        self._note_growth()
        return self._note_written(commit)

    def _write_snapshot(self, kept: SignedSnapshot) -> None:
        values = (*astuple(kept.snapshot), kept.signature)
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", values)


class _BegunSqlite(BegunAppend):
    """Entries that are inserted and not committed yet."""

    def __init__(self, log: SqliteLog, transaction: SqliteTransaction, commit: Commit) -> None:
        self._log, self._transaction, self._commit = log, transaction, commit

    def commit(self) -> None:
        self._log.end_commit(self._transaction)

    def results(self) -> list[AppendResult]:
        return self._log.results_of(self._commit)


class SqliteVault(Vault):
    """Secrets in the log's file."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log

    def put(self, secret: Secret) -> None:
        """Store a secret."""
        with self._log.transaction() as connection:
            sql = "INSERT OR REPLACE INTO secrets (kind, key, value, expires) VALUES (?, ?, ?, ?)"
            connection.execute(sql, astuple(secret))

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that have not expired, from one row: see `_SECRETS`."""
        [[found]] = self._log.query(_SECRETS, (kind, json.encode(list(keys)).decode(), now))
        return {key: Secret(kind, key, bytes.fromhex(value), expires) for key, value, expires in json.decode(found)}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired, and delete it."""
        with self._log.transaction() as connection:
            sql = f"SELECT kind, key, value, expires FROM secrets WHERE kind = ? AND key = ? AND {_IS_FRESH}"  # noqa: S608 - constants only
            row = connection.execute(sql, (kind, key, now)).fetchone()
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))
        return Secret(*row) if row else None

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it; also delete all expired counters and secrets."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM counters WHERE expires <= ?", (now,))
            connection.execute("DELETE FROM secrets WHERE expires <> '' AND expires <= ?", (now,))
            connection.execute(
                "INSERT INTO counters VALUES (?, ?, 1, ?) ON CONFLICT (kind, key) DO UPDATE SET number = number + 1",
                (kind, key, expires),
            )
            sql = "SELECT number FROM counters WHERE kind = ? AND key = ?"
            number: int = connection.execute(sql, (kind, key)).fetchone()[0]
        return number

    def all(self) -> Iterator[Secret]:
        """Yield every secret."""
        return (Secret(*row) for row in self._log.query(SELECT_SECRETS))

"""The log in one SQLite file: WAL, synchronous FULL, an entry is acknowledged after its fsync."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Condition, RLock
from time import monotonic, sleep
from typing import Any, Protocol

from msgspec import json

from passline.store.commit import EMPTY, Standing, Tip
from passline.store.entry import Draft, Line, Stored
from passline.store.keys import SigningKey
from passline.store.log import LogError, Secret, Snapshot
from passline.store.sealed import PAGE, Kept, SealedLog, paged, stored_of

__all__ = ["LINES", "Connection", "SqliteLog", "SqliteVault", "connected", "line_of", "readable"]

_BUSY_SECONDS = 10.0  # how long a writer waits for one in another process
_LOOK_SECONDS = 0.05  # how often a follower looks for what other processes wrote
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
    """CREATE TABLE IF NOT EXISTS counters (
        kind TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, expires TEXT NOT NULL,
        PRIMARY KEY (kind, key))""",
    "CREATE INDEX IF NOT EXISTS secrets_by_expiry ON secrets (expires)",
    "CREATE INDEX IF NOT EXISTS counters_by_expiry ON counters (expires)",
    """CREATE TABLE IF NOT EXISTS snapshots (
        stream TEXT PRIMARY KEY, version INTEGER NOT NULL, sequence INTEGER NOT NULL, hash BLOB NOT NULL,
        state BLOB NOT NULL, signature BLOB NOT NULL)""",
)
LINES = """SELECT sequence, CAST(stream AS BLOB), version, CAST(actor AS BLOB), CAST(id AS BLOB), hand,
    IFNULL(CAST(body AS BLOB), x''), IFNULL(CAST(hash AS BLOB), x''), IFNULL(CAST(seal AS BLOB), x'')
    FROM entries """
"""Gives lines, their text as bytes, whatever somebody may have written into them."""


class Rows(Protocol):
    """What a query found."""

    def fetchone(self) -> Any:  # noqa: ANN401 - SQLite's values
        """Give a row, or nothing."""

    def fetchall(self) -> list[Any]:
        """Give all rows."""


class Connection(Protocol):
    """What is used of sqlite3, so that a test can put another file layer below (APSW's)."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Run one statement."""

    def close(self) -> None:
        """Let go of the file."""


def connected(path: Path) -> Connection:
    """Open a database by the standard library."""
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def line_of(row: Sequence[Any]) -> Line:
    """Give the line of a row of `LINES`."""
    return Line(row[6], row[7], row[8], tuple(row[:6]))


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Say what is wrong with the file in words that say what to do."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of a message that quotes damaged text
        text = str(error)
        todo = next((todo for cause, todo in _TODO.items() if cause in text), "look at the disk; then try again")
        raise LogError(f"{path}: {text}: {todo}") from error


_TODO = {
    "full": "free some space; nothing was acknowledged, and asking again does no harm",
    "locked": f"another process has been writing for {_BUSY_SECONDS:.0f} seconds; end it, then ask again",
    "readonly": "make the file and its folder writable for this user",
    "unable to open": "make the folder, and let this user write into it",
    "malformed": "the file is damaged: keep it, run passline verify on it, and go on from a backup",
    "not a database": "the file is damaged or something else: keep it, and go on from a backup",
}


class SqliteLog(SealedLog):
    """A log in a file. Several threads and processes may use it at once."""

    def __init__(
        self,
        path: Path,
        key: SigningKey,
        *,
        connect: Callable[[Path], Connection] = connected,
        log_id: str = "",
        at: str = "",
        is_demo: bool | None = None,
    ) -> None:
        super().__init__(key)
        self._path, self._connect = path, connect
        self._lock = RLock()  # held around a transaction of the one connection that writes
        self._grown = Condition()
        self._idle: deque[Connection] = deque()
        self._is_closed = False
        with readable(path):
            self._writer = connect(path)
        self.vault = SqliteVault(self)
        try:
            with readable(path):
                self._prepare()
            self.begin(log_id=log_id, at=at, is_demo=is_demo)
        except BaseException:
            self.close()
            raise

    def lines(self, *, after: int = 0, until: int = 0) -> Iterator[Line]:
        """Give what lies in the log."""
        last = until or 2**63 - 1
        sql = LINES + "WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"
        return paged(lambda after: [*map(line_of, self.query(sql, (after, last, PAGE)))], after, column=0)

    def streams(self) -> dict[str, int]:
        """Give every stream and its version."""
        return dict(self.query(_STREAMS))

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log is longer than a sequence."""
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
        """Let go of the file."""
        with self._lock, readable(self._path):
            if self._is_closed:
                return
            self._is_closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Read on a connection that nobody else uses meanwhile; writers do not hold it up."""
        with readable(self._path):
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
        """Write on the one connection that writes, durably when it is left; by an error, not at all."""
        with self._lock, readable(self._path):
            if self._is_closed:
                raise LogError(f"{self._path}: this log is closed")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite rolled back by itself, as it does when the disk is full
                    self._writer.execute("ROLLBACK")
                raise

    def _prepare(self) -> None:
        """Make the tables, and set WAL, which several processes that begin at once may have to try again."""
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
        with self.transaction() as connection:
            for statement in _SCHEMA:
                connection.execute(statement)

    @contextmanager
    def _writing(self) -> Iterator[_Writing]:
        with self.transaction() as connection:
            yield _Writing(connection)
        with self._grown:
            self._grown.notify_all()

    def _tip(self) -> Tip:
        return _tip_of(self.query(_LAST))

    def _stream_lines(self, stream: str, after: int, hand: int | None) -> Iterator[Line]:
        of_hand = "" if hand is None else "AND hand = ? "
        sql = LINES + "WHERE stream = ? AND version > ? " + of_hand + "ORDER BY version LIMIT ?"
        hands = () if hand is None else (hand,)
        return paged(lambda after: [*map(line_of, self.query(sql, (stream, after, *hands, PAGE)))], after, column=2)

    def _line_of(self, stream: str, actor: str, id_: str) -> Line | None:
        return next(map(line_of, self.query(_BY_ID, (stream, actor, id_))), None)

    def _keep(self, kept: Kept) -> None:
        one = kept.snapshot
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)",
                (one.stream, one.version, one.sequence, one.hash, one.state, kept.signature),
            )

    def _kept(self, stream: str) -> Kept | None:
        sql = "SELECT stream, version, sequence, hash, state, signature FROM snapshots WHERE stream = ?"
        rows = self.query(sql, (stream,))
        return Kept(Snapshot(*rows[0][:5]), rows[0][5]) if rows else None


_LAST = "SELECT sequence, hash, seal FROM entries ORDER BY sequence DESC LIMIT 1"
_BY_ID = LINES + "WHERE stream = ? AND actor = ? AND id = ?"
_STREAMS = """WITH RECURSIVE one (stream) AS (SELECT MIN(stream) FROM entries UNION ALL
        SELECT (SELECT MIN(stream) FROM entries WHERE stream > one.stream) FROM one WHERE one.stream IS NOT NULL)
    SELECT stream, (SELECT MAX(version) FROM entries WHERE entries.stream = one.stream)
    FROM one WHERE stream IS NOT NULL"""  # from one stream to the next by the index: GROUP BY would read every entry

# A commit asks few and large questions: each row that SQLite steps to lets go of the interpreter, and a busy event loop
# gives it back late.
_KNOWN = f"""{LINES} JOIN
    (SELECT json_extract(value, '$[0]') AS s, json_extract(value, '$[1]') AS a, json_extract(value, '$[2]') AS i
    FROM json_each(?)) ON stream = s AND actor = a AND entries.id = i"""  # noqa: S608 - no part of it comes from outside
_LENGTHS = "json_group_object(value, (SELECT IFNULL(MAX(version), 0) FROM entries WHERE stream = value))"
_STANDING = f"SELECT last.*, (SELECT {_LENGTHS} FROM json_each(?)) FROM (SELECT 1) LEFT JOIN ({_LAST}) AS last"  # noqa: S608
_INSERT = "INSERT INTO entries (sequence, stream, version, actor, id, hand, body, hash, seal) VALUES "
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ROWS_MAX = 64  # in one statement; SQLite's own limit is over 3,000


def _tip_of(rows: list[Any]) -> Tip:
    return Tip(*rows[0]) if rows else EMPTY


class _Writing:
    """A transaction that appends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def standing(self, drafts: Sequence[Draft]) -> Standing:
        execute = self._connection.execute
        names = json.encode([(draft.stream, draft.actor, draft.id) for draft in drafts]).decode()
        streams = json.encode(list({draft.stream for draft in drafts})).decode()
        sequence, hash_, seal, lengths = execute(_STANDING, (streams,)).fetchone()
        known = map(stored_of, map(line_of, execute(_KNOWN, (names,)).fetchall()))
        return Standing(
            EMPTY if sequence is None else Tip(sequence, hash_, seal),
            {(one.entry.stream, one.entry.actor, one.entry.id): one for one in known},
            json.decode(lengths),
        )

    def insert(self, entries: Sequence[Stored]) -> None:
        for first in range(0, len(entries), _ROWS_MAX):
            some = entries[first : first + _ROWS_MAX]
            self._connection.execute(
                _INSERT + ", ".join([_ROW] * len(some)),
                [
                    value
                    for stored in some
                    for e in (stored.entry,)
                    for value in (
                        *(e.sequence, e.stream, e.version, e.actor, e.id, e.hand),
                        *(stored.body, stored.hash, stored.seal),
                    )
                ],
            )


class SqliteVault:
    """Secrets in the same file."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log

    def put(self, secret: Secret) -> None:
        """Keep a secret."""
        with self._log.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO secrets (kind, key, value, expires) VALUES (?, ?, ?, ?)",
                (secret.kind, secret.key, secret.value, secret.expires),
            )

    def get(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret that has not expired."""
        return self.get_all(kind, (key,), now=now).get(key)

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Give those of many that have not expired, in one row: see `_KNOWN`."""
        [[found]] = self._log.query(_SECRETS, (kind, json.encode(list(keys)).decode(), now))
        return {key: Secret(kind, key, bytes.fromhex(value), expires) for key, value, expires in json.decode(found)}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret and forget it."""
        with self._log.transaction() as connection:
            sql = f"SELECT kind, key, value, expires FROM secrets WHERE kind = ? AND key = ? AND {_IS_FRESH}"  # noqa: S608 - ours
            row = connection.execute(sql, (kind, key, now)).fetchone()
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))
        return Secret(*row) if row else None

    def forget(self, kind: str, key: str) -> None:
        """Forget a secret."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and give it; what has expired, here or among the secrets, is swept out with it."""
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


_IS_FRESH = "(expires = '' OR expires > ?)"
_SECRETS = f"""SELECT json_group_array(json_array(key, hex(value), expires)) FROM secrets
    WHERE kind = ? AND key IN (SELECT value FROM json_each(?)) AND {_IS_FRESH}"""  # noqa: S608

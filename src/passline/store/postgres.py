"""The log in PostgreSQL, for several server processes: a lock on one row serializes their commits."""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import RLock
from time import monotonic
from typing import Any, LiteralString
from weakref import WeakSet

import psycopg
from msgspec.structs import astuple
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGresult

from passline.store.commit import EMPTY, LogState, Tip
from passline.store.database import PAGE, DatabaseReader, log_row, server_name
from passline.store.entry import Draft, LogRow, Stored
from passline.store.keys import SigningKey
from passline.store.log import CommitInDoubt, LogError, Secret, SignedSnapshot
from passline.store.postgres_statements import (
    LAST,
    LOCK_WRITER,
    PREPARE_APPEND,
    PREPARE_LOCK,
    PREPARE_STATE,
    Connection,
    Literals,
    bytes_of_hex_text,
    run_at_once,
)
from passline.store.postgres_vault import SELECT_SECRETS, PostgresVault
from passline.store.sealed import GIVEN_UP_SECONDS, IdTaken, Log, stored_of

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)  # which Windows does not have
_CONNECT_SECONDS = 10
_LOCK = "10s"  # how long a writer waits for one in another process
_BY_INDEX = (
    "plan_cache_mode = force_generic_plan",
    "jit = off",  # which would compile what costs a fraction of that
    *(f"enable_{way} = off" for way in ("seqscan", "hashjoin", "mergejoin")),
)
"""Every statement finds its rows by an index, and is planned once: a plan made while the log was short lasts."""
_SLICE_SECONDS = 1.0  # how often `wait_for` checks whether the log was closed
_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS passline;
CREATE TABLE IF NOT EXISTS passline.entries (
    sequence BIGINT PRIMARY KEY, stream TEXT NOT NULL, version BIGINT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL,
    hand BIGINT NOT NULL, body BYTEA NOT NULL, hash BYTEA NOT NULL, seal BYTEA NOT NULL,
    UNIQUE (stream, version), UNIQUE (stream, actor, id));
CREATE INDEX IF NOT EXISTS entries_by_hand ON passline.entries (stream, hand);
CREATE TABLE IF NOT EXISTS passline.writer (is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only));
INSERT INTO passline.writer VALUES (TRUE) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS passline.secrets (
    kind TEXT NOT NULL, key TEXT NOT NULL, value BYTEA NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (kind, key));
CREATE TABLE IF NOT EXISTS passline.counters (
    kind TEXT NOT NULL, key TEXT NOT NULL, number BIGINT NOT NULL, expires TEXT NOT NULL, PRIMARY KEY (kind, key));
CREATE TABLE IF NOT EXISTS passline.given_up (
    stream TEXT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL, at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (stream, actor, id));
CREATE INDEX IF NOT EXISTS given_up_by_time ON passline.given_up (at);
CREATE INDEX IF NOT EXISTS secrets_by_expiry ON passline.secrets (expires);
CREATE INDEX IF NOT EXISTS counters_by_expiry ON passline.counters (expires);
CREATE TABLE IF NOT EXISTS passline.snapshots (
    stream TEXT PRIMARY KEY, version BIGINT NOT NULL, sequence BIGINT NOT NULL, hash BYTEA NOT NULL,
    state BYTEA NOT NULL, signature BYTEA NOT NULL);
CREATE OR REPLACE FUNCTION passline.only_grows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the log only grows'; END $$;
CREATE OR REPLACE TRIGGER entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON passline.entries
    FOR EACH STATEMENT EXECUTE FUNCTION passline.only_grows();
"""
_SCHEMA_LOCK = 0x7061_7373_6C69_6E65  # "passline": two processes that create the tables at once take turns
_SELECT_ROWS: LiteralString = """SELECT sequence, convert_to(stream, 'UTF8'), version, convert_to(actor, 'UTF8'),
    convert_to(id, 'UTF8'), hand, body, hash, seal FROM passline.entries """
"""Selects rows for `log_row`, with text as bytes."""
_BEGIN: LiteralString = "BEGIN ISOLATION LEVEL READ COMMITTED"  # a statement after a lock sees what it waited for
_THESE: LiteralString = """JOIN unnest(%s::text[], %s::text[], %s::text[]) AS draft (stream, actor, id)
    USING (stream, actor, id)"""
_KNOWN: LiteralString = f"{_SELECT_ROWS} {_THESE}"
_GIVEN_UP: LiteralString = f"SELECT stream, actor, id FROM passline.given_up {_THESE}"  # noqa: S608
_INSERT = b"INSERT INTO passline.entries (sequence, stream, version, actor, id, hand, body, hash, seal) VALUES "
_ROWS_MAX = 500  # in one statement
_Last = Callable[[Connection], list[bytes]]  # returns the statements that are run last
_First = Callable[[Connection], object]  # what is run first on a connection, and again on a new one if that was lost


def _begin(connection: Connection) -> None:
    connection.execute(_BEGIN)


def _look(connection: Connection) -> None:
    """Raise OperationalError if the server has closed a connection; unless it said something, nothing is sent to it."""
    with _Selector() as selector:
        selector.register(connection.pgconn.socket, selectors.EVENT_READ)
        if selector.select(0):
            connection.execute("SELECT 1")


def has_log(url: str) -> bool:
    """Return whether a database has a log. Creates nothing."""
    with database_errors(url), _connect(url) as connection:
        row = connection.execute("SELECT to_regclass('passline.entries') IS NOT NULL").fetchone()
        return row == (True,) and connection.execute(LAST).fetchone() is not None


def read_rows(url: str, *kinds: str) -> Iterator[LogRow]:
    """Yield the rows of a database's log, or of some kinds of streams, from one snapshot. Creates nothing."""
    where: LiteralString = "WHERE split_part(stream, '/', 1) = ANY(%s) " if kinds else ""
    with database_errors(url), _connect(url) as connection:
        connection.read_only = True
        with connection.transaction(), connection.cursor("rows", binary=True) as cursor:
            cursor.itersize = PAGE
            yield from map(
                log_row, cursor.execute(f"{_SELECT_ROWS}{where}ORDER BY sequence", ([*kinds],) * bool(kinds))
            )


def read_secrets(url: str) -> Iterator[Secret]:
    """Yield the rows of a database's vault. Creates nothing."""
    with database_errors(url), _connect(url) as connection:
        connection.read_only = True
        yield from (Secret(*row) for row in connection.execute(SELECT_SECRETS).fetchall())


@contextmanager
def database_errors(url: str) -> Iterator[None]:
    """Turn errors of the database into a LogError that says what to do and does not show the password."""
    try:
        yield
    except psycopg.Error as error:
        raise LogError(
            f"{_printable_url(url)}: {_why(error)}: nothing was written; fix the database, then retry with the same id"
        ) from error


def _why(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _printable_url(url: str) -> str:
    try:
        return f"postgresql://{server_name(url)}"
    except psycopg.Error:
        return "the database's URL"


def _connect(url: str) -> Connection:
    connection = psycopg.connect(
        url, autocommit=True, connect_timeout=_CONNECT_SECONDS, client_encoding="utf8", application_name="passline"
    )
    try:
        isolation = "default_transaction_isolation = 'read committed'"  # as in _BEGIN
        wanted = ("synchronous_commit = on", f"lock_timeout = '{_LOCK}'", isolation, *_BY_INDEX)
        connection.execute("; ".join(f"SET {setting}" for setting in wanted).encode())
    except BaseException:
        connection.close()
        raise
    return connection


class PostgresLog(DatabaseReader, Log):
    """A log in a PostgreSQL database, usable by several threads, processes and machines at once."""

    select_rows, schema = _SELECT_ROWS, "passline."

    def __init__(
        self,
        url: str,
        key: SigningKey,
        *,
        log_id: str = "",
        at: str = "",
        is_demo: bool | None = None,
        may_begin: bool = True,
    ) -> None:
        super().__init__(key)
        self._url = url
        self._lock = RLock()  # serializes this process's writers, so that they need one connection
        self._idle: deque[Connection] = deque()
        self._listeners: deque[Connection] = deque()
        self._prepared: WeakSet[Connection] = WeakSet()
        self._is_closed = False
        self._is_alone = False  # nobody else has written since this process last did
        self.vault = PostgresVault(self)
        try:
            with self.transaction() as connection:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if connection.execute("SELECT to_regclass('passline.given_up') IS NULL").fetchone() == (True,):
                    connection.execute(_SCHEMA)
            self.begin(log_id=log_id, at=at, is_demo=is_demo, may_begin=may_begin)
        except BaseException:
            self.close()
            raise

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log has an entry after a sequence number."""
        end = monotonic() + timeout
        with self._borrow(self._listeners, lambda connection: connection.execute("LISTEN passline")) as connection:
            while not self._is_closed:
                row = connection.execute(LAST).fetchone()
                if row and row[0] > after:
                    return True
                if (left := end - monotonic()) <= 0:
                    return False
                for _ in connection.notifies(timeout=min(left, _SLICE_SECONDS), stop_after=1):
                    pass
        return False

    def close(self) -> None:
        """Close the connections; one in use is closed after its use."""
        self._is_closed = True
        for idle in (self._idle, self._listeners):
            while idle:
                idle.pop().close()

    def query(self, sql: LiteralString, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query on a connection of its own and return its rows."""
        found: list[tuple[Any, ...]] = []

        def ask(connection: Connection) -> None:
            found[:] = connection.execute(sql.replace("?", "%s"), parameters, binary=True).fetchall()

        with self._borrow(self._idle, ask):
            return found

    @contextmanager
    def transaction(self, begin: _First = _begin, last: _Last | None = None) -> Iterator[Connection]:
        """Commit durably on leaving the block, or roll back on an error.

        An error before the commit is a LogError: nothing was written. One of the commit itself is a CommitInDoubt,
        unless the database says that it rolled back. What `last` returns is sent together with the commit.
        """
        with self._borrow(self._idle, begin) as connection:
            try:
                yield connection
                self.guard()
            except BaseException:
                self._roll_back(connection)
                raise
            self._commit(connection, last)

    def _commit(self, connection: Connection, last: _Last | None) -> None:
        if self._finish(connection, lambda: [*(last(connection) if last else ()), b"COMMIT"]) != b"COMMIT":
            raise LogError(f"{_printable_url(self._url)}: the database rolled the commit back: nothing was written")

    def _finish(self, connection: Connection, last: Callable[[], list[bytes]]) -> bytes | None:
        """Run the last statements of a transaction, which commit it; return how the very last one ended."""
        is_sent = False
        try:
            statements = last()
            is_sent = True
            ended = run_at_once(connection, *statements).command_status
            self.guard()
        except (psycopg.Error, LogError) as error:
            self._roll_back(connection)
            is_refused = isinstance(error, psycopg.Error) and error.diag.severity_nonlocalized == "ERROR"
            if is_refused or not is_sent:
                raise  # the database refused it, which rolls it back; FATAL and a lost connection say nothing
            raise CommitInDoubt(
                f"{_printable_url(self._url)}: {_why(error)}: it is not known whether it was written; "
                "fix the database, then retry with the same id"
            ) from error
        return ended

    @staticmethod
    def _roll_back(connection: Connection) -> None:
        if not connection.broken and connection.info.transaction_status != TransactionStatus.IDLE:
            with suppress(psycopg.Error):  # it breaks now: the database rolls back what was not committed
                connection.execute("ROLLBACK")

    def check(self) -> None:
        """Raise LogChanged if the log was changed by others, and LogError if its key is gone."""
        self.guard()
        super().check()

    def append_at_once(self, entries: Sequence[Stored], tip: Tip, lengths: Mapping[str, int]) -> bool:
        """Append entries in one round trip, if the log ends with a tip and streams have these lengths.

        Return whether it did; otherwise nothing was written. Raise as `transaction` does. Without BEGIN the statements
        are one transaction that ends with the last of them, whose result is the one that is returned.
        """
        with self._borrow(self._idle, _look) as connection:
            self.prepare(connection)
            self.guard()
            first = b"EXECUTE passline_lock", b"NOTIFY passline"
            ended = self._finish(connection, lambda: [*first, Literals(connection).append(entries, tip, lengths)])
        return ended == b"INSERT 0 %d" % len(entries)

    def recalled_tip(self) -> Tip | None:
        """Return the last entry as this process knows it; None if somebody else has written lately."""
        return self._trusted if self._is_alone else None

    def note_alone(self, *, is_alone: bool) -> None:
        """Note whether the log's last entry was found to be the one that this process knows."""
        self._is_alone = is_alone

    def prepare(self, connection: Connection) -> None:
        """Have a connection know the statements of what a commit is judged by."""
        if connection not in self._prepared:
            run_at_once(connection, *(text.encode() for text in (PREPARE_STATE, PREPARE_APPEND, PREPARE_LOCK)))
            self._prepared.add(connection)

    @contextmanager
    def _borrow(self, idle: deque[Connection], first: _First) -> Iterator[Connection]:
        """Borrow an idle connection that still answers, or a new one, on which `first` was run."""
        with database_errors(self._url):
            if self._is_closed:
                raise LogError(f"{_printable_url(self._url)}: this log is closed")
            connection = self._take(idle, first)
            try:
                yield connection
            finally:
                if self._is_closed or connection.info.transaction_status != TransactionStatus.IDLE:  # or broken
                    connection.close()
                else:
                    idle.append(connection)

    def _take(self, idle: deque[Connection], first: _First) -> Connection:
        """Return a connection on which `first` was run; where that fails as the server was restarted, a new one."""
        while True:
            is_new = not idle
            try:
                connection = _connect(self._url) if is_new else idle.pop()
            except IndexError:  # another thread took it
                continue
            try:
                first(connection)
            except BaseException as error:
                is_lost = isinstance(error, psycopg.OperationalError) and connection.broken
                connection.close()
                if is_new or not is_lost:
                    raise
            else:
                return connection

    @contextmanager
    def _commit_writer(self) -> Iterator[_Transaction]:
        with self._lock, ExitStack() as ending:
            yield _Transaction(self, ending)

    def _write_snapshot(self, kept: SignedSnapshot) -> None:
        sql: LiteralString = "INSERT INTO passline.snapshots VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
        with self.transaction() as connection:
            connection.execute("DELETE FROM passline.snapshots WHERE stream = %s", (kept.snapshot.stream,))
            connection.execute(sql, (*astuple(kept.snapshot), kept.signature))


class _Transaction:
    """A transaction that appends to the log, in one round trip or two.

    Of two, the first one begins it, waits for the lock on the writer's row, and reads what the drafts are judged by;
    the second one writes entries, tells whoever listens, and commits. So a commit whose answer is lost had the lock:
    whoever gets it next sees how that commit ended.

    As long as nobody else writes, one does all of it: the drafts are judged by what this process knows, and after the
    lock the database compares that with the log. Where the log is not so, it writes nothing, and two do it.
    """

    def __init__(self, log: PostgresLog, ending: ExitStack) -> None:
        self._log, self._ending = log, ending
        self._connection: Connection | None = None
        self._entries: Sequence[Stored] = ()
        self._recalled: LogState | None = None  # what entries are judged by without reading the log

    def _begin(self) -> Connection:
        """Begin and get the lock, if that was not done."""
        if self._connection is None:
            self._enter(lambda connection: run_at_once(connection, _BEGIN.encode(), LOCK_WRITER.encode()))
        assert self._connection is not None
        return self._connection

    def _enter(self, first: _First) -> None:
        self._connection = self._ending.enter_context(self._log.transaction(first, self._write))

    def state_for(self, drafts: Sequence[Draft]) -> LogState:
        self._recalled = None
        names = list({(draft.stream, draft.actor, draft.id) for draft in drafts})
        streams = list({draft.stream for draft in drafts})
        columns = [*map(list, zip(*names, strict=True))] or [[], [], []]
        results = list[PGresult]()

        def read(connection: Connection, *before: bytes) -> None:
            literals = Literals(connection)
            given = b", ".join(map(literals.texts, [streams, *columns]))
            self._log.prepare(connection)
            results.append(run_at_once(connection, *before, b"EXECUTE passline_state(%b)" % given))

        if self._connection is None:
            self._enter(lambda connection: read(connection, _BEGIN.encode(), LOCK_WRITER.encode()))
        else:
            read(self._connection)
        connection = self._begin()
        sequence, hash_, seal, first, lengths, known, given_up = (results[-1].get_value(0, at) for at in range(7))
        rows = connection.execute(_KNOWN, columns, binary=True).fetchall() if known == b"1" else []
        stored = [stored_of(log_row(row)) for row in rows]
        tip = Tip(int(sequence), bytes_of_hex_text(hash_), bytes_of_hex_text(seal)) if sequence else EMPTY
        self._log.note_alone(is_alone=tip.sequence == self._log.sequence)
        return LogState(
            tip,
            {(found.entry.stream, found.entry.actor, found.entry.id): found for found in stored},
            dict(zip(streams, map(int, lengths.split(b",") if lengths else ()), strict=True)),
            int(first or 1),
            set(connection.execute(_GIVEN_UP, columns).fetchall()) if given_up == b"1" else set(),
        )

    def recalled_state(self, drafts: Sequence[Draft]) -> LogState | None:
        """Return the state that the drafts expect, unless somebody else has written lately; `insert` compares it."""
        tip = self._log.recalled_tip()
        if tip is None or len(drafts) > _ROWS_MAX:
            return None
        expected = {draft.stream: draft.expected for draft in reversed(drafts)}
        self._recalled = LogState(tip, {}, expected)
        return self._recalled

    def settle(self) -> None:
        """Get the lock on the writer's row: whoever has it sees how every commit before it has ended."""
        self._begin()

    def give_up(self, stream: str, actor: str, id_: str) -> None:
        expired: LiteralString = "DELETE FROM passline.given_up WHERE at < now() - make_interval(secs => %s)"
        connection = self._begin()
        connection.execute(expired, (GIVEN_UP_SECONDS,))
        connection.execute(
            """INSERT INTO passline.given_up VALUES (%s, %s, %s, now())
                ON CONFLICT (stream, actor, id) DO UPDATE SET at = excluded.at""",
            (stream, actor, id_),
        )

    def insert(self, entries: Sequence[Stored]) -> None:
        """Have entries written with the commit; of very many, the first ones already now."""
        if (recalled := self._recalled) is not None:
            self._recalled = None
            if not self._log.append_at_once(entries, recalled.tip, recalled.versions):
                self._log.note_alone(is_alone=False)
                raise IdTaken  # or something else of the log is not as it is recalled
            return
        while len(entries) > _ROWS_MAX:
            run_at_once(self._begin(), *self._insertion(self._begin(), entries[:_ROWS_MAX]))
            entries = entries[_ROWS_MAX:]
        self._entries = entries

    def _write(self, connection: Connection) -> list[bytes]:
        return self._insertion(connection, self._entries) if self._entries else []

    @staticmethod
    def _insertion(connection: Connection, entries: Sequence[Stored]) -> list[bytes]:
        return [_INSERT + b", ".join(map(Literals(connection).row, entries)), b"NOTIFY passline"]

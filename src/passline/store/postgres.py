"""The log in PostgreSQL, for several server processes: a lock on one row serializes their commits."""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from threading import RLock
from time import monotonic
from typing import Any, LiteralString
from weakref import WeakSet

import psycopg
from msgspec.structs import astuple
from psycopg.pq import TransactionStatus

from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.files import ANOTHER_ARCHIVES
from passline.store.archived.index import Archive
from passline.store.archived.postgres_files import POSTGRES, PostgresFiles, query_of
from passline.store.commit import Tip
from passline.store.database import Query
from passline.store.entry import Stored
from passline.store.keys import SigningKey
from passline.store.log import CommitInDoubt, LogError, SignedSnapshot
from passline.store.postgres_connection import connect, database_errors, printable_url, reason_of
from passline.store.postgres_schema import IS_MADE, SCHEMA
from passline.store.postgres_statements import (
    LAST,
    LOCK_WRITER,
    PREPARE_APPEND,
    PREPARE_LOCK,
    PREPARE_STATE,
    SELECT_ROWS,
    Connection,
    Literals,
    run_at_once,
)
from passline.store.postgres_transaction import BEGIN, First, Last, PostgresTransaction
from passline.store.postgres_vault import PostgresVault

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)  # which Windows does not have
_SLICE_SECONDS = 1.0  # how often `wait_for` checks whether the log was closed
_SCHEMA_LOCK = 0x7061_7373_6C69_6E65  # "passline": two processes that create the tables at once take turns
_ARCHIVE_LOCK = _SCHEMA_LOCK + 1  # of whoever archives


def _begin(connection: Connection) -> None:
    connection.execute(BEGIN)


def _begin_writing(connection: Connection) -> None:
    """Begin a transaction during which nobody else writes to the log."""
    run_at_once(connection, BEGIN.encode(), LOCK_WRITER.encode())


def _look(connection: Connection) -> None:
    """Raise OperationalError if the server has closed a connection; unless it said something, nothing is sent to it."""
    with _Selector() as selector:
        selector.register(connection.pgconn.socket, selectors.EVENT_READ)
        if selector.select(0):
            connection.execute("SELECT 1")


def has_log(url: str) -> bool:
    """Return whether a database has a log. Creates nothing."""
    with database_errors(url), connect(url) as connection:
        row = connection.execute("SELECT to_regclass('passline.entries') IS NOT NULL").fetchone()
        return row == (True,) and connection.execute(LAST).fetchone() is not None


class PostgresLog(DatabaseLog):
    """A log in a PostgreSQL database, usable by several threads, processes and machines at once."""

    select_rows, schema = SELECT_ROWS, "passline."

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
        self._archiver: Connection | None = None  # which keeps others from archiving
        self._is_closed = False
        self._is_alone = False  # nobody else has written since this process last did
        self.vault = PostgresVault(self)
        files = PostgresFiles(self.query, printable_url(url), self.transaction)
        self.archive = self.archived = Archive(self.query, files, POSTGRES)
        try:
            with self.transaction() as connection:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                if connection.execute(IS_MADE).fetchone() != (True,):
                    connection.execute(SCHEMA)
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
    def archive_alone(self) -> Iterator[None]:
        """Keep every other process, on whichever machine, from archiving until the block ends."""
        with database_errors(self._url), closing(connect(self._url)) as connection:
            if connection.execute("SELECT pg_try_advisory_lock(%s)", (_ARCHIVE_LOCK,)).fetchone() != (True,):
                raise LogError(ANOTHER_ARCHIVES)
            self._archiver = connection
            try:
                yield
            finally:
                with suppress(psycopg.Error):  # if it was lost, the database has done so
                    connection.execute("SELECT pg_advisory_unlock(%s)", (_ARCHIVE_LOCK,))

    @contextmanager
    def begin_archiving(self) -> Iterator[Query]:
        """Begin a transaction after which entries are archived, or rows of archived ones deleted. Nobody else writes.

        It is refused if the connection that keeps others from archiving was lost.
        """
        with self.transaction(_begin_writing) as connection:
            assert self._archiver is not None, "archive_alone comes first"
            self._archiver.execute("SELECT 1")
            yield query_of(connection)

    @contextmanager
    def transaction(self, begin: First = _begin, last: Last | None = None) -> Iterator[Connection]:
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

    def _commit(self, connection: Connection, last: Last | None) -> None:
        if self._finish(connection, lambda: [*(last(connection) if last else ()), b"COMMIT"]) != b"COMMIT":
            raise LogError(f"{printable_url(self._url)}: the database rolled the commit back: nothing was written")

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
                f"{printable_url(self._url)}: {reason_of(error)}: it is not known whether it was written; "
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
    def _borrow(self, idle: deque[Connection], first: First) -> Iterator[Connection]:
        """Borrow an idle connection that still answers, or a new one, on which `first` was run."""
        with database_errors(self._url):
            if self._is_closed:
                raise LogError(f"{printable_url(self._url)}: this log is closed")
            connection = self._take(idle, first)
            try:
                yield connection
            finally:
                if self._is_closed or connection.info.transaction_status != TransactionStatus.IDLE:  # or broken
                    connection.close()
                else:
                    idle.append(connection)

    def _take(self, idle: deque[Connection], first: First) -> Connection:
        """Return a connection on which `first` was run; where that fails as the server was restarted, a new one."""
        while True:
            is_new = not idle
            try:
                connection = connect(self._url) if is_new else idle.pop()
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
    def _commit_writer(self) -> Iterator[PostgresTransaction]:
        with self._lock, ExitStack() as ending:
            yield PostgresTransaction(self, ending, self.archived)

    def _write_snapshot(self, kept: SignedSnapshot) -> None:
        sql: LiteralString = "INSERT INTO passline.snapshots VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
        with self.transaction() as connection:
            connection.execute("DELETE FROM passline.snapshots WHERE stream = %s", (kept.snapshot.stream,))
            connection.execute(sql, (*astuple(kept.snapshot), kept.signature))

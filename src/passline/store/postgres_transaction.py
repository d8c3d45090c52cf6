"""A transaction that appends to the log in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import chain
from typing import LiteralString, Protocol

from psycopg.pq.abc import PGresult

from passline.store.commit import EMPTY, LogState, Tip
from passline.store.database import ArchivedRows, id_key, log_row
from passline.store.entry import Draft, Stored
from passline.store.postgres_statements import (
    LOCK_WRITER,
    SELECT_ROWS,
    Connection,
    Literals,
    bytes_of_hex_text,
    numbers_literal,
    run_at_once,
)
from passline.store.sealed import GIVEN_UP_SECONDS, IdTaken, stored_of

BEGIN: LiteralString = "BEGIN ISOLATION LEVEL READ COMMITTED"  # a statement after a lock sees what it waited for
_THESE: LiteralString = """JOIN unnest(%s::text[], %s::text[], %s::text[]) AS draft (stream, actor, id)
    USING (stream, actor, id)"""
_KNOWN: LiteralString = f"{SELECT_ROWS} {_THESE}"
_GIVEN_UP: LiteralString = f"SELECT stream, actor, id FROM passline.given_up {_THESE}"  # noqa: S608
_INSERT = b"INSERT INTO passline.entries (sequence, stream, version, actor, id, hand, body, hash, seal) VALUES "
_ROWS_MAX = 500  # in one statement
Last = Callable[[Connection], list[bytes]]
"""Returns the statements that are run last."""
First = Callable[[Connection], object]
"""What is run first on a connection, and again on a new one if that was lost."""


class _Log(Protocol):
    """The part of a log in PostgreSQL that a commit uses."""

    @property
    def sequence(self) -> int:
        """The newest entry that this process knows."""

    def transaction(self, begin: First, last: Last) -> AbstractContextManager[Connection]:
        """Commit durably on leaving the block, or roll back on an error."""

    def append_at_once(self, entries: Sequence[Stored], tip: Tip, lengths: Mapping[str, int]) -> bool:
        """Append entries in one round trip, if the log ends with a tip and streams have these lengths."""

    def recalled_tip(self) -> Tip | None:
        """Return the last entry as this process knows it."""

    def note_alone(self, *, is_alone: bool) -> None:
        """Note whether the log's last entry was found to be the one that this process knows."""

    def prepare(self, connection: Connection) -> None:
        """Have a connection know the statements of what a commit is judged by."""


class PostgresTransaction:
    """A transaction that appends to the log, in one round trip or two.

    Of two, the first one begins it, waits for the lock on the writer's row, and reads what the drafts are judged by;
    the second one writes entries, tells whoever listens, and commits. So a commit whose answer is lost had the lock:
    whoever gets it next sees how that commit ended.

    As long as nobody else writes, one does all of it: the drafts are judged by what this process knows, and after the
    lock the database compares that with the log. Where the log is not so, it writes nothing, and two do it.
    """

    def __init__(self, log: _Log, ending: ExitStack, archive: ArchivedRows) -> None:
        self._log, self._ending, self._archive = log, ending, archive
        self._connection: Connection | None = None
        self._entries: Sequence[Stored] = ()
        self._recalled: LogState | None = None  # what entries are judged by without reading the log

    def _begin(self) -> Connection:
        """Begin and get the lock, if that was not done."""
        if self._connection is None:
            self._enter(lambda connection: run_at_once(connection, BEGIN.encode(), LOCK_WRITER.encode()))
        assert self._connection is not None
        return self._connection

    def _enter(self, first: First) -> None:
        self._connection = self._ending.enter_context(self._log.transaction(first, self._write))

    def state_for(self, drafts: Sequence[Draft]) -> LogState:
        """Read the state of the log that these drafts are judged by."""
        self._recalled = None
        names = list({(draft.stream, draft.actor, draft.id) for draft in drafts})
        streams = list({draft.stream for draft in drafts})
        columns = [*map(list, zip(*names, strict=True))] or [[], [], []]
        results = list[PGresult]()

        def read(connection: Connection, *before: bytes) -> None:
            literals = Literals(connection)
            keys = numbers_literal(id_key(*name) for name in names)
            given = b", ".join([*map(literals.texts, [streams, *columns]), keys])
            self._log.prepare(connection)
            results.append(run_at_once(connection, *before, b"EXECUTE passline_state(%b)" % given))

        if self._connection is None:
            self._enter(lambda connection: read(connection, BEGIN.encode(), LOCK_WRITER.encode()))
        else:
            read(self._connection)
        connection = self._begin()
        sequence, hash_, seal, first, lengths, *found = (results[-1].get_value(0, at) for at in range(8))
        has_known, has_given_up, may_be_archived = (answer == b"1" for answer in found)
        rows = connection.execute(_KNOWN, columns, binary=True).fetchall() if has_known else []
        archived = self._archive.rows_by_id(names) if may_be_archived else ()
        stored = [*map(stored_of, chain(map(log_row, rows), archived))]
        tip = Tip(int(sequence), bytes_of_hex_text(hash_), bytes_of_hex_text(seal)) if sequence else EMPTY
        self._log.note_alone(is_alone=tip.sequence == self._log.sequence)
        return LogState(
            tip,
            {(known.entry.stream, known.entry.actor, known.entry.id): known for known in stored},
            dict(zip(streams, map(int, lengths.split(b",") if lengths else ()), strict=True)),
            int(first or 1),
            set(connection.execute(_GIVEN_UP, columns).fetchall()) if has_given_up else set(),
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
        """Write that a draft with this id is not to be written any more."""
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

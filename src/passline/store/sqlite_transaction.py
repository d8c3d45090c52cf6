"""A transaction that appends to the log in a SQLite file, and what is known of that log without reading it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any, Protocol

from msgspec import Struct, json

from passline.store.commit import EMPTY, LogState, Tip
from passline.store.database import LAST_ENTRY, ArchivedRows, Name, columns_to_write, log_row
from passline.store.entry import Draft, Stored
from passline.store.sealed import GIVEN_UP_SECONDS, IdTaken, stored_of

SELECT_ROWS = """SELECT sequence, CAST(stream AS BLOB), version, CAST(actor AS BLOB), CAST(id AS BLOB), hand,
    IFNULL(CAST(body AS BLOB), x''), IFNULL(CAST(hash AS BLOB), x''), IFNULL(CAST(seal AS BLOB), x'')
    FROM entries """
"""The columns of rows, with text as bytes, whatever was written into the columns."""


class Cursor(Protocol):
    """The result of a query."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a row of SQLite values
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all rows."""


class Connection(Protocol):
    """The part of sqlite3's connection that is used, so that a test can substitute another file layer (APSW's)."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Cursor:
        """Run one statement."""

    def close(self) -> None:
        """Close the connection."""


# A commit runs few queries with few rows: SQLite releases the GIL at each row, and a busy event loop returns it late.
_NAMES = """(SELECT json_extract(value, '$[0]') AS s, json_extract(value, '$[1]') AS a, json_extract(value, '$[2]') AS i
    FROM json_each(?)) ON stream = s AND actor = a AND id = i"""
_KNOWN = f"{SELECT_ROWS} JOIN {_NAMES}"
_LENGTHS = "json_group_object(value, (SELECT IFNULL(MAX(version), 0) FROM entries WHERE stream = value))"
_FIRST = "(SELECT MIN(sequence) FROM entries)"
_GIVEN_UP = f"""CASE WHEN EXISTS (SELECT 1 FROM given_up)
    THEN (SELECT json_group_array(json_array(stream, actor, id)) FROM given_up JOIN {_NAMES}) ELSE '[]' END"""  # noqa: S608 - constants only
_STATE = f"""SELECT last.*, (SELECT {_LENGTHS} FROM json_each(?)), IFNULL({_FIRST}, 1), {_GIVEN_UP}
    FROM (SELECT 1) LEFT JOIN ({LAST_ENTRY.format("")}) AS last"""  # noqa: S608 - constants only
_INSERT = "INSERT INTO entries (sequence, stream, version, actor, id, hand, body, hash, seal) VALUES "
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NOW = "CAST(strftime('%s', 'now') AS INTEGER)"
ROWS_MAX = 64
"""Entries in one statement; SQLite's own limit is over 3,000."""
_DATA_VERSION = "PRAGMA data_version"  # it changes when another connection has written, of whichever process
_ANY_ARCHIVED = "SELECT EXISTS (SELECT 1 FROM archives)"
_RECALLED_MAX = 1_000  # ids that were given up in the last day; with more of them they are read for each commit


class Recalled(Struct):
    """What a connection knows of the log since it last read or wrote it, as long as no other connection writes."""

    data_version: int
    tip: Tip
    first: int
    versions: dict[str, int]  # of the streams that it wrote to
    given_up: frozenset[Name]
    has_archive: bool  # ids of entries that have no row any more are asked for before each commit


class SqliteTransaction:
    """A transaction that appends to the log; `recalled` is for the next one, if this one is committed."""

    def __init__(self, connection: Connection, recalled: Recalled | None, archive: ArchivedRows) -> None:
        self._connection, self._archive = connection, archive
        self.recalled = recalled
        self._is_recalled = False  # entries are judged by what is recalled

    def recalled_state(self, drafts: Sequence[Draft]) -> LogState | None:
        """Return the state from memory if nobody else has written since; only ids that are taken are not known."""
        known = self.recalled
        if known is None or len(drafts) > ROWS_MAX or not all(draft.stream in known.versions for draft in drafts):
            return None
        if self._connection.execute(_DATA_VERSION).fetchone()[0] != known.data_version:
            self.recalled = None
            return None
        if known.has_archive and self._archive.may_have(map(_name_of, drafts), self._query):
            return None
        self._is_recalled = True
        return LogState(known.tip, {}, known.versions, known.first, known.given_up)

    def state_for(self, drafts: Sequence[Draft]) -> LogState:
        """Read the state of the log that these drafts are judged by."""
        execute = self._connection.execute
        named = [*map(_name_of, drafts)]
        names = json.encode(named).decode()
        streams = json.encode(list({draft.stream for draft in drafts})).decode()
        sequence, hash_, seal, lengths, first, given_up = execute(_STATE, (streams, names)).fetchone()
        rows = [*map(log_row, execute(_KNOWN, (names,)).fetchall())]
        if self._archive.may_have(named, self._query):
            rows += self._archive.rows_by_id(named)
        known = map(stored_of, rows)
        state = LogState(
            EMPTY if sequence is None else Tip(sequence, hash_, seal),
            {(stored.entry.stream, stored.entry.actor, stored.entry.id): stored for stored in known},
            json.decode(lengths),
            first,
            json.decode(given_up, type=set[tuple[str, str, str]]),
        )
        self._recall(state)
        self._is_recalled = False
        return state

    def _recall(self, state: LogState) -> None:
        """Note what was read of the log."""
        [[data_version]] = self._connection.execute(_DATA_VERSION).fetchall()
        if (known := self.recalled) is not None and known.data_version == data_version:
            known.versions |= state.versions
            return
        given_up = self._connection.execute("SELECT stream, actor, id FROM given_up LIMIT ?", (_RECALLED_MAX,))
        names = frozenset(map(tuple, given_up.fetchall()))
        if len(names) < _RECALLED_MAX:
            [[has_archive]] = self._connection.execute(_ANY_ARCHIVED).fetchall()
            self.recalled = Recalled(
                data_version, state.tip, state.first, dict(state.versions), names, has_archive=bool(has_archive)
            )

    def _query(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        return self._connection.execute(sql, parameters).fetchall()

    def settle(self) -> None:
        """Overwrite what a failed commit of any process may have left behind, which would come back after a crash."""
        self._connection.execute("INSERT OR REPLACE INTO secrets VALUES ('probe', 'settled', x'', '')")

    def give_up(self, stream: str, actor: str, id_: str) -> None:
        """Write that a draft with this id is not to be written any more."""
        self.recalled = None
        self._connection.execute(f"DELETE FROM given_up WHERE at < {_NOW} - ?", (GIVEN_UP_SECONDS,))  # noqa: S608 - constants only
        self._connection.execute(f"INSERT OR REPLACE INTO given_up VALUES (?, ?, ?, {_NOW})", (stream, actor, id_))  # noqa: S608

    def insert(self, entries: Sequence[Stored]) -> None:
        """Append entries; raise IdTaken, with nothing written, if the log has an id of theirs already."""
        for first in range(0, len(entries), ROWS_MAX):
            some = entries[first : first + ROWS_MAX]
            values, rows = [*chain.from_iterable(map(columns_to_write, some))], ", ".join([_ROW] * len(some))
            try:
                self._connection.execute(_INSERT + rows, values)
            except sqlite3.IntegrityError as error:
                if self._is_recalled:
                    raise IdTaken from error
                raise  # it was read that they are not there
        if self.recalled is not None and entries:
            last = entries[-1]
            self.recalled.tip = Tip(last.entry.sequence, last.hash, last.seal)
            self.recalled.versions |= {stored.entry.stream: stored.entry.version for stored in entries}


def _name_of(draft: Draft) -> Name:
    return draft.stream, draft.actor, draft.id

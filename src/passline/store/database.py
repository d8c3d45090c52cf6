"""What the logs in SQLite and PostgreSQL share: the statements that read entries and snapshots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Protocol

from passline.store.commit import EMPTY, Tip
from passline.store.entry import LogRow, Stored
from passline.store.log import SignedSnapshot, Snapshot

PAGE = 1000
"""How many entries are read at once, so that no reader blocks the database for long."""
LAST_ENTRY = "SELECT sequence, hash, seal FROM {}entries ORDER BY sequence DESC LIMIT 1"
"""Selects the tip; the schema goes into the braces."""
STREAM_VERSIONS = """WITH RECURSIVE name (stream) AS (SELECT MIN(stream) FROM {0}entries UNION ALL
    SELECT (SELECT MIN(stream) FROM {0}entries WHERE stream > name.stream) FROM name WHERE name.stream IS NOT NULL)
    SELECT stream, (SELECT MAX(version) FROM {0}entries AS entry WHERE entry.stream = name.stream)
    FROM name WHERE stream IS NOT NULL"""
"""Selects every stream with its version by the index, where GROUP BY would read all entries. It takes the schema."""
_SEQUENCE_MAX = 2**63 - 1  # of a database's integers


def log_row(row: Sequence[Any]) -> LogRow:
    """Return a row that a log's `select_rows` selected."""
    return LogRow(row[6], row[7], row[8], tuple(row[:6]))


def columns_to_write(stored: Stored) -> tuple[Any, ...]:
    """Return the columns of an entry, in the order of the table."""
    e = stored.entry
    return e.sequence, e.stream, e.version, e.actor, e.id, e.hand, stored.body, stored.hash, stored.seal


def tip_of(rows: list[Any]) -> Tip:
    """Return the tip among the rows of `LAST_ENTRY`."""
    return Tip(*rows[0]) if rows else EMPTY


Name = tuple[str, str, str]
"""What a command is known by: its stream, its actor, its id."""
_KEY_BYTES = 8
Query = Callable[[str, Sequence[Any]], list[Any]]
"""Runs a query and returns its rows."""


def id_key(stream: str, actor: str, id_: str) -> int:
    """Return the number by which an archived id is looked for.

    >>> id_key("table/one", "Ann", "1")
    2433324634648682237
    """
    digest = sha256(f"{stream}\0{actor}\0{id_}".encode()).digest()
    return int.from_bytes(digest[:_KEY_BYTES], signed=True)


class ArchivedRows(Protocol):
    """The entries whose rows were deleted, as the files beside the database have them."""

    def part_after(self, after: int, last: int) -> tuple[int, Iterator[LogRow]] | None:
        """Return the rows after an entry in the file that has the next one, up to `last`, and the last of them."""

    def stream_rows(self, stream: str, after: int, hand: int | None) -> Iterator[LogRow]:
        """Yield the rows of a stream after a version, or only those of one hand."""

    def last_version(self, stream: str) -> int:
        """Return the newest archived version of a stream, or 0."""

    def rows_by_id(self, names: Iterable[Name]) -> Iterator[LogRow]:
        """Yield the rows with the streams, actors and ids of commands."""

    def may_have(self, names: Iterable[Name], query: Query) -> bool:
        """Return whether any of these ids may be an archived one, by one query and without reading a file."""


class DatabaseReader(ABC):
    """The part of a log in a SQL database that reads. Parameters of its statements are written as question marks."""

    select_rows = ""
    """Selects all columns of entries, those of text as bytes."""
    schema = ""
    """Stands before the name of each table."""
    scan = ""
    """Makes a statement read entries in their order, not by an index of streams."""
    archive: ArchivedRows | None = None
    """Has the entries whose rows were deleted."""

    @abstractmethod
    def query(self, sql: Any, parameters: Sequence[Any] = ()) -> list[Any]:  # noqa: ANN401 - as the driver takes it
        """Run a query on a connection of its own, not blocked by writers, and return its rows."""

    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows of the log."""
        last = until or _SEQUENCE_MAX
        page: list[Any]
        while (page := self._page("sequence > ? AND sequence <= ? ORDER BY sequence", (after, last))) or after < until:
            if page and page[-1][0] == after + len(page):  # without a gap
                yield from map(log_row, page)
                after = page[-1][0]
                continue
            if (archived := self.archive.part_after(after, last) if self.archive else None) is not None:
                after, rows = archived
                yield from rows
            elif page:  # up to the gap: an entry is archived after its row was read, or the log was changed
                together = next((at for at, row in enumerate(page) if row[0] != after + at + 1), 0) or len(page)
                yield from map(log_row, page[:together])
                after = page[together - 1][0]
            else:
                return

    def streams(self) -> dict[str, int]:
        """Return the version of every stream."""
        return dict(self.query(STREAM_VERSIONS.format(self.schema)))

    def changes_after(self, after: int) -> tuple[int, dict[str, int]]:
        """Return the newest sequence number, and the streams with an entry after another."""
        sql = "SELECT stream, MAX(version), MAX(sequence) FROM {}entries {} WHERE sequence > ? GROUP BY stream"
        rows = self.query(sql.format(self.schema, self.scan), (after,))
        return max((row[2] for row in rows), default=after), {row[0]: row[1] for row in rows}

    def _tip(self) -> Tip:
        return tip_of(self.query(LAST_ENTRY.format(self.schema)))

    def _stream_rows(self, stream: str, after: int, hand: int | None) -> Iterator[LogRow]:
        where, hands = ("", ()) if hand is None else ("AND hand = ? ", (hand,))
        where = f"stream = ? AND version > ? {where}ORDER BY version"
        while True:
            page = self._page(where, (stream, after, *hands))
            if hand is not None or (page and page[-1][2] != after + len(page)):  # some may be archived
                archived = self.archive.last_version(stream) if self.archive else 0
                if self.archive and archived > after:
                    for row in self.archive.stream_rows(stream, after, hand):
                        yield row
                        if row.columns is not None:  # of a segment that was archived meanwhile
                            archived = max(archived, row.columns[2])
                    after = archived
                    continue
            if not page:
                return
            yield from map(log_row, page)
            after = page[-1][2]

    def _page(self, where: str, parameters: Sequence[Any]) -> list[Any]:
        return self.query(f"{self.select_rows}WHERE {where} LIMIT ?", (*parameters, PAGE))

    def _row_by_id(self, stream: str, actor: str, id_: str) -> LogRow | None:
        rows = self.query(f"{self.select_rows}WHERE stream = ? AND actor = ? AND id = ?", (stream, actor, id_))
        if not rows and self.archive is not None:
            return next(self.archive.rows_by_id([(stream, actor, id_)]), None)
        return next(map(log_row, rows), None)

    def _read_snapshot(self, stream: str) -> SignedSnapshot | None:
        sql = "SELECT stream, version, sequence, hash, state, signature FROM {}snapshots WHERE stream = ?"
        rows = self.query(sql.format(self.schema), (stream,))
        return SignedSnapshot(Snapshot(*rows[0][:5]), rows[0][5]) if rows else None

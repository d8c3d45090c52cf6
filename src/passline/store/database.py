"""What the logs in SQLite and PostgreSQL share: the statements that read entries and snapshots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from passline.store.commit import EMPTY, Tip
from passline.store.entry import LogRow, Stored
from passline.store.log import SignedSnapshot, Snapshot

PAGE = 1000
"""How many entries are read at once, so that no reader blocks the database for long."""
LAST_ENTRY = "SELECT sequence, hash, seal FROM {}entries ORDER BY sequence DESC LIMIT 1"
"""Selects the tip; the schema goes into the braces."""
_SEQUENCE_MAX = 2**63 - 1  # of a database's integers


def log_row(row: Sequence[Any]) -> LogRow:
    """Return a row that a log's `select_rows` selected."""
    return LogRow(row[6], row[7], row[8], tuple(row[:6]))


def columns_to_write(stored: Stored) -> tuple[Any, ...]:
    """Return the columns of an entry, in the order of the table."""
    e = stored.entry
    return e.sequence, e.stream, e.version, e.actor, e.id, e.hand, stored.body, stored.hash, stored.seal


def server_name(url: str) -> str:
    """Return host, port and name of a PostgreSQL database, for people and comparisons: without user and password."""
    if not url:
        return ""
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - an extra

    parts = conninfo_to_dict(url)
    return f"{parts.get('host') or ''}:{parts.get('port') or 5432}/{parts.get('dbname') or ''}"


def tip_of(rows: list[Any]) -> Tip:
    """Return the tip among the rows of `LAST_ENTRY`."""
    return Tip(*rows[0]) if rows else EMPTY


class DatabaseReader(ABC):
    """The part of a log in a SQL database that reads. Parameters of its statements are written as question marks."""

    select_rows = ""
    """Selects all columns of entries, those of text as bytes."""
    schema = ""
    """Stands before the name of each table."""
    scan = ""
    """Makes a statement read entries in their order, not by an index of streams."""

    @abstractmethod
    def query(self, sql: Any, parameters: Sequence[Any] = ()) -> list[Any]:  # noqa: ANN401 - as the driver takes it
        """Run a query on a connection of its own, not blocked by writers, and return its rows."""

    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows of the log."""
        where = "sequence > ? AND sequence <= ? ORDER BY sequence"
        return self._pages(where, lambda after: (after, until or _SEQUENCE_MAX), after, column=0)

    def streams(self) -> dict[str, int]:
        """Return the version of every stream."""
        entries = f"{self.schema}entries"
        return dict(  # a skip scan by the index: GROUP BY would read every entry
            self.query(f"""WITH RECURSIVE name (stream) AS (SELECT MIN(stream) FROM {entries} UNION ALL
                SELECT (SELECT MIN(stream) FROM {entries} WHERE stream > name.stream) FROM name
                WHERE name.stream IS NOT NULL)
                SELECT stream, (SELECT MAX(version) FROM {entries} AS entry WHERE entry.stream = name.stream)
                FROM name WHERE stream IS NOT NULL""")  # noqa: S608 - constants only
        )

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
        return self._pages(where, lambda after: (stream, after, *hands), after, column=2)

    def _pages(
        self, where: str, parameters: Callable[[int], tuple[Any, ...]], after: int, *, column: int
    ) -> Iterator[LogRow]:
        """Yield rows page by page; each page begins after the number that the last row has in this column."""
        while rows := self.query(f"{self.select_rows}WHERE {where} LIMIT ?", (*parameters(after), PAGE)):
            yield from map(log_row, rows)
            after = rows[-1][column]

    def _row_by_id(self, stream: str, actor: str, id_: str) -> LogRow | None:
        rows = self.query(f"{self.select_rows}WHERE stream = ? AND actor = ? AND id = ?", (stream, actor, id_))
        return next(map(log_row, rows), None)

    def _read_snapshot(self, stream: str) -> SignedSnapshot | None:
        sql = "SELECT stream, version, sequence, hash, state, signature FROM {}snapshots WHERE stream = ?"
        rows = self.query(sql.format(self.schema), (stream,))
        return SignedSnapshot(Snapshot(*rows[0][:5]), rows[0][5]) if rows else None

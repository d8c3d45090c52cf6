"""Estimates of somebody's play, given by the crew at tables where no wagers are keyed in."""

from __future__ import annotations

from msgspec import Struct, json

from passline.bookkeeping.account import Span
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.events import PlayerRated

__all__ = ["ESTIMATES_INDEXES", "ESTIMATES_TABLES", "Estimate", "find_estimates", "keep_estimates"]

ESTIMATES_TABLES = {
    "estimates": """CREATE TABLE estimates (rules TEXT NOT NULL, day TEXT NOT NULL, sequence INTEGER NOT NULL,
        place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID""",
}
"""How the table of estimates is created."""
ESTIMATES_INDEXES = ("CREATE INDEX estimates_by_day ON estimates (rules, day)",)
"""The index by which they are found."""


class Estimate(Struct, frozen=True, kw_only=True):
    """What one of the crew thought of somebody's play."""

    rules: str
    day: str
    shift: str
    table: str
    player: str  # account/ID, or name/NAME of somebody without an account
    name: str
    average_cents: int
    minutes: int
    sequence: int
    by: str


_decoder = json.Decoder(Estimate)


def keep_estimates(writer: ViewWriter, decision: TableEntry, rules: str, span: Span) -> None:
    """Keep the estimates of an entry."""
    entry = decision.entry
    found = [
        Estimate(
            rules=rules,
            day=span.day,
            shift=span.shift,
            table=decision.after.id,
            player=f"account/{event.account}" if event.account else f"name/{event.name}",
            name=event.name,
            average_cents=event.average_cents,
            minutes=event.minutes,
            sequence=entry.sequence,
            by=entry.actor,
        )
        for event in decision.events
        if isinstance(event, PlayerRated)
    ]
    if found:
        rows = [
            (rules, span.day, entry.sequence, place, writer.seal("estimate", json.encode(estimate)))
            for place, estimate in enumerate(found)
        ]
        writer.write("INSERT INTO estimates VALUES (?, ?, ?, ?, ?)", rows)


def find_estimates(reader: ViewReader, rules: str, span: str) -> list[Estimate]:
    """Return the estimates of a gaming day, month or year, as 2026-11-15, 2026-11 or 2026, oldest first."""
    sql = "SELECT body FROM estimates WHERE rules = ? AND day >= ? AND day < ? ORDER BY sequence, place"
    rows = reader.query(sql, (rules, span, f"{span}~"))
    return [_decoder.decode(reader.unseal("estimate", body)) for [body] in rows]

"""Cash that players bring to live tables: each buy-in with the account that made it, found by time.

Practice tables and those of tournaments take no money. Leaving a seat pays no cash: chips go along, to be redeemed in
the cage.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, json

from passline.game.events import BuyInMade
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry

BUY_INS_TABLES = {
    "buy_ins": """CREATE TABLE buy_ins (rules TEXT NOT NULL, at TEXT NOT NULL, sequence INTEGER NOT NULL,
        place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID""",
}
"""How the table of buy-ins is created."""
BUY_INS_INDEXES = ("CREATE INDEX buy_ins_by_time ON buy_ins (rules, at)",)
"""How its indexes are created."""


class TableBuyIn(Struct, frozen=True, kw_only=True):
    """A buy-in at a table for money."""

    sequence: int
    at: str
    rules: str  # the regulation
    table: str
    account: str
    name: str
    cents: int


_decoder = json.Decoder(TableBuyIn)


def buy_ins_of(decision: TableEntry) -> Iterator[TableBuyIn]:
    """Yield the buy-ins of a decision."""
    live = decision.after
    if live.is_demo or live.practice_cents_max or live.points is not None:
        return
    for event in decision.events:
        if isinstance(event, BuyInMade) and event.cents:
            player = live.players[event.seat]
            yield TableBuyIn(
                sequence=decision.entry.sequence,
                at=decision.entry.at,
                rules=str(live.house["rules"]),
                table=live.id,
                account=player.account,
                name=player.name,
                cents=event.cents,
            )


def keep_buy_ins(writer: ViewWriter, decision: TableEntry) -> None:
    """Keep the buy-ins of a decision."""
    rows = [
        (buy_in.rules, buy_in.at, buy_in.sequence, place, writer.seal("buy_ins", json.encode(buy_in)))
        for place, buy_in in enumerate(buy_ins_of(decision))
    ]
    if rows:
        writer.write("INSERT INTO buy_ins VALUES (?, ?, ?, ?, ?)", rows)


def find_buy_ins(reader: ViewReader, rules: str, since: str, until: str) -> list[TableBuyIn]:
    """Return the buy-ins at the tables of a regulation from a moment on and before another, oldest first."""
    sql = "SELECT body FROM buy_ins WHERE rules = ? AND at >= ? AND at < ? ORDER BY at, sequence, place"
    return [_decoder.decode(reader.unseal("buy_ins", body)) for [body] in reader.query(sql, (rules, since, until))]

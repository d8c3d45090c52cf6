"""How many buy-ins were recorded at each table in each shift, and their cash, to compare with the table's box.

At a table whose wagers are keyed in these are its players' buy-ins; elsewhere what the crew has logged in the office.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, ClassVar

from msgspec import Struct, json

from passline.acts.calendar.facility import Facility
from passline.acts.tills import ShiftKey
from passline.bookkeeping.account import Span
from passline.bookkeeping.offices_around import OfficesAround
from passline.store.entry import Stored
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.views.buy_ins import buy_ins_of
from passline.tables.views.projected import TableFollower

LOGGED_BUY_IN = "log_buy_in"
"""The act that records a buy-in where no wagers are keyed in."""
KEYED_BUY_INS, LOGGED_BUY_INS = "shift_buy_ins", "office_buy_ins"
"""The tables of the two kinds of buy-ins."""


class ShiftBuyIns(Struct, frozen=True):
    """The buy-ins of a table in a shift.

    >>> ShiftBuyIns(2, 300_00) + ShiftBuyIns(-1, -100_00)
    ShiftBuyIns(records=1, cents=20000)
    """

    records: int = 0
    cents: int = 0

    def __add__(self, other: ShiftBuyIns) -> ShiftBuyIns:
        return ShiftBuyIns(self.records + other.records, self.cents + other.cents)


_decoder = json.Decoder(ShiftBuyIns)


def buy_ins_table(name: str) -> dict[str, str]:
    """Return the SQL that creates a table of buy-ins by shift."""
    columns = "rules TEXT NOT NULL, day TEXT NOT NULL, shift TEXT NOT NULL, tbl TEXT NOT NULL, body BLOB NOT NULL"
    return {name: f"CREATE TABLE {name} ({columns}, PRIMARY KEY (rules, day, shift, tbl)) WITHOUT ROWID"}


def add_buy_ins(writer: ViewWriter, name: str, rules: str, brought: Mapping[ShiftKey, ShiftBuyIns]) -> None:
    """Add buy-ins to those stored for their shifts."""
    sql = f"SELECT body FROM {name} WHERE rules = ? AND day = ? AND shift = ? AND tbl = ?"  # noqa: S608 - a constant
    kept = []
    for (table, day, shift), more in brought.items():
        key = (rules, day.isoformat(), shift, table)
        rows = writer.query(sql, key)
        known = _decoder.decode(writer.unseal(name, rows[0][0])) if rows else ShiftBuyIns()
        kept.append((*key, writer.seal(name, json.encode(known + more))))
    writer.write(f"INSERT OR REPLACE INTO {name} VALUES (?, ?, ?, ?, ?)", kept)  # noqa: S608 - a constant


def find_shift_buy_ins(reader: ViewReader, rules: str, first: date, last: date) -> dict[ShiftKey, ShiftBuyIns]:
    """Return the buy-ins of tables in the shifts of some gaming days."""
    found: dict[ShiftKey, ShiftBuyIns] = {}
    for name in (KEYED_BUY_INS, LOGGED_BUY_INS):
        sql = f"SELECT day, shift, tbl, body FROM {name} WHERE rules = ? AND day BETWEEN ? AND ?"  # noqa: S608
        rows = reader.query(sql, (rules, first.isoformat(), last.isoformat()))
        for day, shift, table, body in rows:
            key = (table, date.fromisoformat(day), shift)
            found[key] = found.get(key, ShiftBuyIns()) + _decoder.decode(reader.unseal(name, body))
    return found


def logged_buy_ins(
    facility: Facility, occurred: str, signed_fields: Iterable[tuple[int, Mapping[str, Any]]]
) -> dict[ShiftKey, ShiftBuyIns]:
    """Return what a logged buy-in adds to the shift in which it happened, or takes back with a sign of -1."""
    day, shift = facility.gaming_day(occurred), facility.shift_of(occurred).name
    found: dict[ShiftKey, ShiftBuyIns] = {}
    for sign, fields in signed_fields:
        key = (str(fields["table"]), day, shift)
        found[key] = found.get(key, ShiftBuyIns()) + ShiftBuyIns(sign, sign * int(fields["amount"]))
    return found


class BuyInsFollower(TableFollower):
    """The buy-ins at tables for money by shift, as the log grows."""

    tables: ClassVar[dict[str, str]] = buy_ins_table(KEYED_BUY_INS)

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all that is in memory."""
        self._around = OfficesAround()  # another follower keeps it
        self._brought: dict[str, dict[ShiftKey, ShiftBuyIns]] = {}

    def note(self, writer: ViewWriter, stored: Stored, decision: TableEntry | None) -> None:
        """Take the next entry of the log."""
        if decision is None:
            self._around.take(writer, stored.entry)
            return
        for buy_in in buy_ins_of(decision):
            span: Span = self._around.span(writer, buy_in.rules, buy_in.at)
            key = (buy_in.table, date.fromisoformat(span.day), span.shift)
            own = self._brought.setdefault(buy_in.rules, {})
            own[key] = own.get(key, ShiftBuyIns()) + ShiftBuyIns(1, buy_in.cents)

    def store(self, writer: ViewWriter) -> None:
        """Add what the batch brought."""
        for rules, brought in self._brought.items():
            add_buy_ins(writer, KEYED_BUY_INS, rules, brought)
        self._brought.clear()

"""Months of a house whose wagers are keyed in, as its office records them: honest, or with notes taken on the way.

Each shift of a table is entered into the office's books act by act. Honest people key one record in 50 wrongly, by
100.00 at once, up as often as down: the widest errors that the house has elected.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from msgspec import Struct

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.tills import ShiftKey
from passline.bookkeeping.results import results_in_order
from passline.bookkeeping.shift_buy_ins import ShiftBuyIns
from passline.bookkeeping.theft import ShiftLook, shift_looks
from passline.bookkeeping.win import OfficeBooks
from passline.exact.skim_evidence import HonestKeying

KEYING = HonestKeying(one_in=50, cents=100_00)
TABLES, CREWS = ("T1", "T2", "T3"), ("ann", "bea", "cid", "dot", "eli")
HARBOUR = Facility(name="Harbour", zone="UTC", subdivision="MD")
_FIRST = date(2026, 10, 1)
_TRAY, _WAGERS = 5_000_00, 300


class Theft(Struct, frozen=True):
    """A share of the notes of a table's boxes, taken from a shift on."""

    table: str
    percent: int
    after: int = 0  # shifts


class _Ledger:
    """An office's books, and what the tables' ledgers had."""

    def __init__(self) -> None:
        self.books = OfficeBooks(HARBOUR)
        self.acts = 0

    def do(self, act: str, kind: str, thing: str, **fields: object) -> int:
        """Enter an act that takes effect at once."""
        self.acts += 1
        at = "2026-10-01T12:00:00.000000Z"
        self.books.take(
            e.ActDone(self.acts, act, kind, (thing,), fields, at, "ann", "Ann", "boxperson", (), "practice")
        )
        self.books.take(e.ActCompleted(self.acts))
        return self.acts

    def tell(self, act: int, table: str, paper: str, counted: int, ledger: int) -> None:
        """Tell what a ledger had at a count."""
        self.books.take(e.LedgerTold(act, table, paper, counted, ledger))


def month_of_looks(seed: int, *, days: int = 30, theft: Theft | None = None) -> list[ShiftLook]:
    """Return what each shift of a month says, through the books of the office."""
    chance, house = Random(seed), _Ledger()
    buy_ins: dict[ShiftKey, ShiftBuyIns] = {}
    for number, (day, shift) in enumerate(_shifts(days)):
        crews = chance.sample(CREWS, len(TABLES))
        for table, crew in zip(TABLES, crews, strict=True):
            brought = [chance.choice((20_00, 40_00, 100_00, 200_00, 500_00)) for _ in range(chance.randint(25, 55))]
            recorded = sum(brought) + _errors(chance, len(brought))
            taken = 0
            if theft and theft.table == table and number >= theft.after:
                taken = sum(brought) * theft.percent // 100 // 100 * 100
            where = {"shift": shift, "gaming_day": day.isoformat()}
            house.do("set_crew", "table", table, boxperson=crew)
            house.do("count_opener", "table", table, chips={"100": _TRAY // 100}, **where)
            box = f"{table}-{day}-{shift}"
            house.do("drop_table", "table", table, dropped=box, **where)
            tray = _TRAY + 100 * chance.randint(-2000, 2000)
            closer = house.do("count_closer", "table", table, chips={"100": tray // 100}, **where)
            house.tell(closer, table, "closer", tray, tray + _errors(chance, _WAGERS))
            notes = sum(brought) - taken
            counted = house.do("count_box", "drop_box", box, cash={"100": notes // 100})
            house.tell(counted, table, "soft_count", notes, recorded)
            buy_ins[table, day, shift] = ShiftBuyIns(len(brought), recorded)
    results = results_in_order((house.books.result_of(key) for key in house.books.shifts), HARBOUR)
    shifts = ((house.books.shifts[result.table, result.day or _FIRST, result.shift], result) for result in results)
    decided = {(table, day): 3 * _WAGERS for table in TABLES for day, _ in _shifts(days)}
    return list(shift_looks(shifts, buy_ins, decided))


def _shifts(days: int) -> Iterator[tuple[date, str]]:
    for number in range(days):
        yield from ((_FIRST + timedelta(days=number), shift.name) for shift in HARBOUR.shifts)


def _errors(chance: Random, records: int) -> int:
    """Return by how much all records of a shift are wrong together."""
    wrong = sum(chance.random() < 1 / KEYING.one_in for _ in range(records))
    return sum(chance.choice((-KEYING.cents, KEYING.cents)) for _ in range(wrong))

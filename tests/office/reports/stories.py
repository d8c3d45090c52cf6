"""What the reports are of: two evenings of a table whose wagers are keyed in, in two months, with all its papers."""

from __future__ import annotations

from typing import Any

from passline.game.commands import BuyIn
from passline.store.keys import SigningKey
from tests.office.accounts.watched import WatchedTable
from tests.tables.sitting import ANN, CREW

ROLLS = ((3, 4), (2, 1), (6, 5), (5, 5), (6, 4), (1, 1), (4, 4), (6, 2))  # comes out empty: every point is made
TABLE, MONTHS = "craps-1", ("2026-11", "2026-12")
DAYS = ("2026-11-14", "2026-12-16")
_MINUTES_BETWEEN = 32 * 24 * 60


class Evenings(WatchedTable):
    """Two evenings, a month apart: opened, filled, credited, played, counted, dropped, counted again and closed."""

    def __init__(self) -> None:
        super().__init__("section2", key=SigningKey(bytes(32)))
        does = self.office.does
        does("compliance", "specify_chip", "500", colour="red")
        with_another: dict[str, Any] = {"signs": ("accountant", "witness")}
        does("cashier", "receive_chips", units={"500": 4000}, delivery="note 1", **with_another)
        does("cashier", "issue_chips", units={"500": 3000}, **with_another)
        does("olga", "register_table", TABLE, area="pit-1")
        does("compliance", "enter_patron", "P1", name="Ann", identification="passport 7")
        does("compliance", "link_patron", "P1", accounts=[ANN.account])
        for box in ("A", "B", "C"):
            does("olga", "enter_drop_box", box)
        does("flo", "attach_drop_box", TABLE, drop_box="A")
        does("flo", "request_fill", table=TABLE, units={"500": 400})
        self._carry("fill", "F-000001")
        self.sitting.sit(ANN, 1)
        self.sitting.shoot(ANN)
        self._evening("bea", "A", "B", fill=60, credit=25, chips=330, notes=7)
        self.sitting.wait(_MINUTES_BETWEEN)
        self._buy_in(250_00)
        self._buy_in(50_00)
        self._evening("another-boxperson", "B", "C", fill=15, credit=40, chips=290, notes=3)
        self.sitting.wait(24 * 60)
        self.office.at = self.sitting.at
        for incident in ("I-1", "I-2"):  # nobody has put slips into boxes
            does("compliance", "investigate_incident", incident, finding="the slips lay in the pit")
        for day in DAYS:
            does("accountant", "close_gaming_day", day, signs=("compliance", "second"))
        self.write()

    def _buy_in(self, cents: int) -> None:
        self.sitting.do(BuyIn(seat=1, cents=cents), CREW["dealer"])

    def _evening(self, crew: str, box: str, following: str, *, fill: int, credit: int, chips: int, notes: int) -> None:
        office, sitting = self.office, self.sitting
        office.at = sitting.at
        shift = office.facility.shift_of(office.at).name
        office.does("flo", "set_crew", TABLE, other_crew=False, boxperson=crew, stickperson="stan", dealers=["dee"])
        self._count("count_opener", shift, 400 if box == "A" else 330)
        self._move("request_fill", "fill", f"F-{2 if box == 'A' else 3:06}", fill)
        self.write()
        for first, second in ROLLS:
            if not sitting.table.game.position.puck:
                sitting.wager(ANN, "pass", 10_00)
            sitting.wager(ANN, "any_seven", 5_00)
            sitting.wait(1)
            sitting.roll(first, second)
        self.write()
        office.at = sitting.at
        self._move("request_credit", "credit", f"C-{1 if box == 'A' else 2:06}", credit)
        self._count("count_closer", shift, chips)
        office.does("flo", "drop_table", TABLE, shift=shift, dropped=box, drop_box=following)
        office.signs("another-floorperson", "viewer")
        cash = {"10000": notes}
        office.does("counter", "count_box", box, cash=cash, team=["counter", "another-counter"])
        office.signs("another-counter", "second", cash=cash)
        office.signs("cashier", "cage", cash=cash)
        self.write()

    def _count(self, act: str, shift: str, chips: int) -> None:
        self.office.does("flo", act, TABLE, chips={"500": chips}, shift=shift)
        self.office.signs("bea", "second", chips={"500": chips})

    def _move(self, act: str, kind: str, slip: str, chips: int) -> None:
        self.office.does("flo", act, table=TABLE, units={"500": chips})
        self._carry(kind, slip)

    def _carry(self, kind: str, slip: str) -> None:
        hands = {"fill": ("cashier", "security", "dee"), "credit": ("dee", "security", "cashier")}[kind]
        for by, act in zip(hands, ("prepare", "carry", "accept"), strict=True):
            self.office.does(by, f"{act}_{kind}", slip)

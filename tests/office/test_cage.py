"""The money of the cage: drawers in somebody's hands, counts, transfers, and the sheet of the day added up again."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pytest

from passline.acts import events as e
from passline.acts.views.blind import state_seen_by
from passline.office.trial import TrialOffice
from passline.office.views.cage import tables_of_day
from passline.office.views.day_report import OfficeDay, office_day
from tests.office.cage_story import count, house_with, opened_cage

_DAY = date(2026, 3, 2)
_SECOND: dict[str, Any] = {"signs": "second", "signed_by": "cal"}


def _money(office: TrialOffice, stock: str, place: str) -> int:
    return office.state.stocks.get(stock, {}).get(place, {}).get("1", 0)


def _sheet(office: TrialOffice) -> OfficeDay:
    return office_day(office.rules, office.state, _DAY, office.events)


def _table(office: TrialOffice, title: str) -> list[tuple[Any, ...]]:
    (table,) = (table for table in tables_of_day(_sheet(office)) if table.title.startswith(title))
    return [*table.rows]


def test_a_house_that_does_not_elect_it_keeps_no_drawer_and_asks_for_none() -> None:
    office = house_with()
    assert "drawer" not in office.rules.pages.things
    assert "recorded" in office.do("cy", "sell_chips", units={"2500": 4})
    assert not any("cage" in table.title.lower() for table in tables_of_day(_sheet(office)))


def test_a_sale_goes_into_the_drawer_of_whoever_sells_and_nobody_sells_without_one() -> None:
    office = opened_cage()
    office.do("cy", "sell_chips", units={"2500": 40})
    assert _money(office, "cash", "drawer/D1") == 11_000_00
    refused = office.do("cal", "sell_chips", units={"2500": 40})
    assert refused.startswith("refused: drawer: is missing"), refused
    short = office.do("cy", "redeem_chips", units={"2500": 1000})
    assert short == "refused: drawer D1 has 11000.00 of cash on record, not 25000.00 [practice]"
    office.do("cy", "sell_chips", units={"2500": 20}, not_cash=True, form="cheque", **_SECOND)
    assert (_money(office, "cheque", "drawer/D1"), _money(office, "cash", "drawer/D1")) == (500_00, 11_000_00)


def test_a_drawer_is_handed_over_by_whoever_has_it_and_what_is_short_is_looked_into() -> None:
    office = opened_cage()
    found: dict[str, Any] = {"notes": {"10000": 99}, "coin": {"25": 4}}
    assert "somebody else's hands" in office.do("cal", "close_drawer", "D1", **found)
    office.do("cal", "hand_over_drawer", "D1", **found)
    assert office.sign("cam", "second", **found).startswith("refused")  # the drawer is not in Cam's hands
    told = office.sign("cy", "second", **found)
    assert "cash: 99.00 short; counted 9901.00, record 10000.00" in told, told
    assert (_money(office, "cash", "drawer/D1"), _money(office, "cash", "over_short")) == (9_901_00, 99_00)
    office.do("cal", "sell_chips", units={"2500": 4})
    assert _money(office, "cash", "drawer/D1") == 10_001_00
    told = count(office, "close_drawer", "cal", "cy", "D1", notes={"10000": 100}, coin={"25": 4})
    assert "Incident" not in told, told
    assert office.do("cal", "sell_chips", units={"2500": 4}).startswith("refused: drawer: is missing")


def test_two_who_count_a_drawer_differently_count_again_and_nothing_moves() -> None:
    office = opened_cage()
    office.do("cal", "hand_over_drawer", "D1", notes={"10000": 100})
    told = office.sign("cy", "second", notes={"10000": 99})
    assert "two people counted the drawer differently" in told, told
    assert _money(office, "cash", "drawer/D1") == 10_000_00
    assert office.state.things["drawer/D1"].facts["cashiers"] == ["cy"]


def test_a_difference_below_what_the_house_looks_into_is_kept_and_opens_nothing() -> None:
    office = opened_cage()
    office.set_value("olga", "cage_variance", 5_00)
    told = count(office, "close_drawer", "cy", "cal", "D1", notes={"10000": 99}, coin={"100": 95})
    assert "Incident" not in told, told
    assert _money(office, "cash", "over_short") == 5_00


def test_a_correction_moves_what_the_drawer_has_and_after_its_count_what_was_unexplained() -> None:
    office = opened_cage()
    sale = office.state.acts + 1
    office.do("cy", "sell_chips", units={"2500": 40})
    office.do("cy", "correct_sell_chips", corrects=sale, reason="a stack more", units={"2500": 44}, **_SECOND)
    assert _money(office, "cash", "drawer/D1") == 11_100_00
    office.go_to("2026-03-02", "13:00")
    count(office, "close_drawer", "cy", "cal", "D1", notes={"10000": 110})
    office.do("cy", "correct_sell_chips", corrects=sale + 1, reason="not so", units={"2500": 40}, **_SECOND)
    assert _money(office, "cash", "drawer/D1") == 11_000_00  # as it was counted
    assert _money(office, "cash", "over_short") == 0  # what was short is explained


def test_a_drawer_with_money_in_it_is_not_taken_out_of_use() -> None:
    office = opened_cage()
    count(office, "close_drawer", "cy", "cal", "D1", notes={"10000": 100})
    assert office.do("acc", "retire_drawer", "D1").startswith("refused: drawer D1: there is money in it")
    office.do("cy", "return_money", "D1", notes={"10000": 100}, signs="holder", signed_by="cal")
    assert "is retired" in office.do("acc", "retire_drawer", "D1")


def test_what_the_count_room_found_goes_into_the_vault() -> None:
    office = opened_cage()
    for box in ("B1", "B2"):
        office.do("olga", "enter_drop_box", box)
    office.do("flo", "attach_drop_box", "craps-1", drop_box="B1")
    office.do("ned", "drop_table", "craps-1", shift="day", dropped="B1", drop_box="B2", signs="viewer", signed_by="flo")
    office.do("ned", "count_box", "B1", cash={"2000": 30}, team=["ned", "nia"])
    for who, part in (("nia", "second"), ("cal", "cage")):
        office.sign(who, part, cash={"2000": 30})
    assert _money(office, "cash", "vault") == 40_600_00
    assert _money(office, "cash", "tables") == -600_00


@pytest.fixture(scope="module")
def worked_day() -> TrialOffice:
    """A day with everything in it that a window does."""
    office = opened_cage()
    office.do("cora", "enter_patron", "P1", name="Ann")
    office.do("cy", "sell_chips", units={"2500": 40})
    office.do("cy", "sell_chips", units={"2500": 20}, not_cash=True, form="cheque", **_SECOND)
    office.do("cy", "redeem_chips", units={"2500": 12})
    office.do("cy", "redeem_chips", units={"2500": 8}, not_cash=True, form="wire", **_SECOND)
    office.do("cy", "cash_instrument", signed=True, amount=150_00, form="card", reference="V-7", patron="P1", **_SECOND)
    office.do("cy", "take_tournament_money", amount=75_00, form="cash", tournament="spring cup", entrant="Ann")
    paid: dict[str, Any] = {"tournament": "spring cup", "entrant": "Ann", "signs": "second", "signed_by": "sam"}
    office.do("cy", "pay_tournament_money", amount=200_00, **paid)
    office.do("cy", "take_in", amount=30_00, form="cash", reason="a lost card", signs="second", signed_by="sam")
    office.do("cy", "pay_out", amount=45_00, signed=True, reason="a taxi", signs="second", signed_by="sam")
    office.go_to("2026-03-02", "14:30")  # of the swing shift
    office.do("cy", "return_money", "D1", notes={"10000": 3}, cheques=500_00, signs="holder", signed_by="cal")
    count(office, "close_drawer", "cy", "cal", "D1", notes={"10000": 100}, coin={"25": 40}, cards=150_00)
    count(office, "count_vault", "cal", "acc", notes={"10000": 403}, cheques=500_00)
    return office


def test_the_sheet_of_the_day_is_what_the_raw_log_adds_up_to(worked_day: TrialOffice) -> None:
    """Eleven figures, each added up again from the acts as they were recorded, without the stocks of the program."""
    done = [event for _, event in worked_day.events if isinstance(event, e.ActDone)]

    def of(act: str) -> list[dict[str, Any]]:
        return [event.fields for event in done if event.act == act]

    def worth(units: dict[str, int] | None) -> int:
        return sum(int(unit) * number for unit, number in (units or {}).items())

    sold = sum(worth(said["units"]) for said in of("sell_chips") if not said.get("not_cash"))
    redeemed = sum(worth(said["units"]) for said in of("redeem_chips") if not said.get("not_cash"))
    came = sold + sum(said["amount"] for said in of("take_tournament_money") + of("take_in"))
    came += sum(worth(said["notes"]) for said in of("issue_money"))
    went = redeemed + sum(said["amount"] for said in of("cash_instrument") + of("pay_tournament_money") + of("pay_out"))
    went += sum(worth(said["notes"]) for said in of("return_money"))
    (closed,) = of("close_drawer")
    counted = worth(closed["notes"]) + worth(closed["coin"])
    brought = worth(of("bring_from_bank")[0]["notes"])
    issued, returned = (worth(of(act)[0]["notes"]) for act in ("issue_money", "return_money"))
    rows = {(row[0], row[1]): row[2:] for row in _table(worked_day, "Accountability of the cage, by place")}
    assert rows["drawer D1", "cash"] == (0, came, went, counted - came + went, counted)
    assert rows["vault", "cash"] == (0, brought + returned, issued, 0, brought - issued + returned)
    assert rows["drawer D1", "card vouchers"] == (0, 150_00, 0, 0, closed["cards"])
    assert rows["vault", "cheques"] == (0, 500_00, 0, 0, 500_00)
    chips = dict(_table(worked_day, "Chip float"))
    out = sum(worth(said["units"]) for said in of("sell_chips"))
    back = sum(worth(said["units"]) for said in of("redeem_chips"))
    assert chips["out with players when it ended"] == out - back
    assert chips["all places together, which is nothing"] == 0
    counts = {row[1]: row for row in _table(worked_day, "Counts of the cage's money")}
    assert counts["Close a drawer"][7] == counted - came + went


def test_the_shifts_follow_each_other_and_add_up_to_the_day(worked_day: TrialOffice) -> None:
    rows = [row for row in _table(worked_day, "Accountability of the cage, by shift") if row[1] == "drawer D1"]
    cash = [row for row in rows if row[2] == "cash"]
    ends = {row[0]: row[6] for row in cash if row[3] in {"closing", "nothing came or went"}}
    begins = {row[0]: row[6] for row in cash if row[3] in {"opening", "nothing came or went"}}
    assert (begins["swing"], begins["grave"]) == (ends["day"], ends["swing"])
    assert [row[0] for row in cash if row[3] == "Close a drawer"] == []  # a count is no movement
    by_act = Counter[str]()
    for row in cash:
        by_act[row[3]] += (row[4] or 0) - (row[5] or 0)
    assert sum(by_act[name] for name in by_act if name not in {"opening", "closing"}) == ends["grave"]
    assert [row[0] for row in cash if row[3] == "Give money from a drawer back to the vault"] == ["swing"]


def test_whoever_counts_a_drawer_is_not_shown_what_is_on_record_there() -> None:
    office = opened_cage()
    shown = state_seen_by(office.scene, office.people["cal"])
    assert "vault" not in shown.stocks["cash"]
    assert "drawer/D1" not in shown.stocks["cash"]
    assert "notes" not in shown.things["drawer/D1"].facts
    assert state_seen_by(office.scene, office.people["cora"]).stocks["cash"]["vault"] == {"1": 40_000_00}

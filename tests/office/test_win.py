"""What tables have won, from the office's own counts, to the cent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest

from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.acts.state import ActState, KnownThing
from passline.bookkeeping.period_sums import PeriodSum
from passline.bookkeeping.results import TableResult, total_result
from passline.bookkeeping.win import table_results
from passline.office.views.day_report import day_tables, office_day
from passline.office.views.results import sums_by_game
from tests.office.bookkeeping import KeptOffice

_PEOPLE = {
    "olga": "owner", "cy": "cashier", "acc": "accountant", "dan": "dealer", "bob": "boxperson", "flo": "floorperson",
    "fay": "floorperson", "ned": "counter", "nia": "counter",
}  # fmt: skip


@pytest.fixture
def office() -> KeptOffice:
    kept = KeptOffice(office_of("practice"), Facility(name="Harbour", zone="America/Denver"), _PEOPLE)
    kept.go_to("2026-03-07", "05:00")
    kept.does("olga", "register_table", "T1", area="main floor")
    for box in ("D1", "D2", "D3", "D4"):
        kept.does("olga", "enter_drop_box", box)
    kept.does("flo", "attach_drop_box", "T1", drop_box="D1")
    kept.does("cy", "receive_chips", units={"500": 4000}, delivery="note", signs=("acc", "witness"))
    kept.does("cy", "issue_chips", units={"500": 3000}, signs=("acc", "witness"))
    _fill(kept, 1000)  # a closed table: it is in the opener
    return kept


def _fill(kept: KeptOffice, count: int) -> None:
    kept.does("flo", "request_fill", table="T1", units={"500": count})
    slip = f"F-{kept.state.numbers['F']:06}"
    kept.does("cy", "prepare_fill", slip)
    kept.does("fay", "carry_fill", slip)
    kept.does("dan", "accept_fill", slip)


def _credit(kept: KeptOffice, count: int) -> None:
    kept.does("flo", "request_credit", table="T1", units={"500": count})
    slip = f"C-{kept.state.numbers['C']:06}"
    kept.does("dan", "prepare_credit", slip)
    kept.does("fay", "carry_credit", slip)
    kept.does("cy", "accept_credit", slip)


def _count(kept: KeptOffice, which: str, shift: str, count: int) -> None:
    kept.does("flo", f"count_{which}", "T1", chips={"500": count}, shift=shift)
    kept.signs("bob", "second", chips={"500": count})


def _drop(kept: KeptOffice, shift: str, box: str, following: str) -> None:
    kept.does("ned", "drop_table", "T1", shift=shift, dropped=box, drop_box=following, signs=("flo", "viewer"))


def _count_box(kept: KeptOffice, box: str, notes: int, others: Mapping[str, Any] = MappingProxyType({})) -> None:
    kept.does("ned", "count_box", box, cash={"10000": notes}, team=["ned", "nia"], **others)
    for who, part in (("nia", "second"), ("cy", "cage")):
        kept.signs(who, part, cash={"10000": notes}, **others)


def _check_acts(result: TableResult) -> None:
    """Check that the acts behind a result add up to its figures."""
    for column in ("opener", "closer", "fills", "credits", "drop"):
        assert sum(one.cents for one in result.acts if one.column == column) == getattr(result, column), column


def test_a_shift_wins_closer_credits_and_drop_less_opener_and_fills(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "05:50")  # before the shift begins, and for it
    _count(office, "opener", "day", 1000)
    office.go_to("2026-03-07", "10:00")
    _fill(office, 200)
    _credit(office, 50)
    office.go_to("2026-03-07", "14:05")  # after the shift has ended, and of it
    _count(office, "shift", "day", 1100)
    _drop(office, "day", "D1", "D2")
    day, swing = table_results(office.events, office.facility)
    assert (day.day, day.shift, swing.shift) == (date(2026, 3, 7), "day", "swing")
    assert day.win is None
    assert day.missing == ("the count of box D1",)
    assert (swing.opener, swing.missing) == (5500_00, ("the closer", "the drop"))

    office.go_to("2026-03-08", "07:00")
    _count_box(office, "D1", 7, {"tickets": 50_05, "chips": {"500": 1}, "coupons": 99_99})
    day, _ = table_results(office.events, office.facility)
    assert (day.opener, day.closer) == (5000_00, 5500_00)
    assert (day.fills, day.credits, day.drop) == (1000_00, 250_00, 700_00 + 50_05 + 5_00)
    assert day.win == 5500_00 + 250_00 + 755_05 - 5000_00 - 1000_00 == 505_05
    _check_acts(day)
    assert [(one.column, one.about) for one in day.acts] == [
        ("opener", "table/T1"),
        ("fills", "fill_slip/F-000002"),
        ("credits", "credit_slip/C-000001"),
        ("closer", "table/T1"),
        ("drop", "drop_box/D1"),
    ]
    shift_count = day.acts[3].act
    assert [(one.column, one.act) for one in swing.acts] == [("opener", shift_count)]  # one count ends and begins
    assert day.hold == Fraction(505_05, 755_05)


def test_a_day_is_the_sum_of_its_shifts_over_a_daylight_saving_change(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "06:00")
    _count(office, "opener", "day", 1000)
    office.go_to("2026-03-07", "14:00")
    _count(office, "shift", "day", 990)
    _drop(office, "day", "D1", "D2")
    office.go_to("2026-03-07", "22:00")
    _count(office, "shift", "swing", 1010)
    _drop(office, "swing", "D2", "D3")
    office.go_to("2026-03-08", "06:10")  # the clocks went forward at night; it is still the gaming day before
    _drop(office, "grave", "D3", "D4")
    _count(office, "closer", "grave", 1011)
    office.go_to("2026-03-08", "08:00")
    for box, notes in (("D1", 1), ("D2", 2), ("D3", 3)):
        _count_box(office, box, notes)
    results = table_results(office.events, office.facility)
    assert [(one.day, one.shift, one.win) for one in results] == [
        (date(2026, 3, 7), "day", 100_00 - 50_00),
        (date(2026, 3, 7), "swing", 200_00 + 100_00),
        (date(2026, 3, 7), "grave", 300_00 + 5_00),
    ]
    total = total_result(results, table="T1", day=date(2026, 3, 7))
    assert total.win == 655_00 == sum(one.win or 0 for one in results)
    assert total.hold == Fraction(655, 600)


def test_a_count_over_two_shifts_says_so_and_the_day_is_known_all_the_same(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "06:00")
    _count(office, "opener", "day", 1000)
    office.go_to("2026-03-07", "14:00")
    _drop(office, "day", "D1", "D2")
    office.go_to("2026-03-07", "22:00")
    _drop(office, "swing", "D2", "D3")
    _count(office, "closer", "swing", 980)
    _count_box(office, "D1", 1)
    _count_box(office, "D2", 2)
    results = table_results(office.events, office.facility)
    reason = "counted only for 2026-03-07 day and 2026-03-07 swing"
    assert [one.missing for one in results] == [(reason,), (reason,)]
    assert [one.win for one in results] == [None, None]
    assert total_result(results).win == 300_00 - 100_00
    assert total_result(results[:1]).win is None


def test_a_count_that_was_taken_back_counts_for_nothing(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "06:00")
    office.does("flo", "count_opener", "T1", chips={"500": 1000}, shift="day")
    office.signs("bob", "second", chips={"500": 999})  # they differ
    assert table_results(office.events, office.facility) == []


def test_nothing_dropped_has_no_hold() -> None:
    assert TableResult().hold is None
    assert total_result([]).win == 0


def test_a_gaming_day_that_is_said_goes_before_the_nearest_one(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "09:00")
    office.does("flo", "count_opener", "T1", chips={"500": 1000}, shift="day", gaming_day="2026-03-06")
    office.signs("bob", "second", chips={"500": 1000})
    assert [one.day for one in table_results(office.events, office.facility)] == [date(2026, 3, 6)]


def test_a_correction_changes_the_shift_that_was_counted_and_is_seen_as_one(office: KeptOffice) -> None:
    office.go_to("2026-03-07", "06:00")
    _count(office, "opener", "day", 1000)
    office.go_to("2026-03-07", "14:00")
    _drop(office, "day", "D1", "D2")
    _count(office, "closer", "day", 1000)
    _count_box(office, "D1", 7)
    first = office.state.acts
    office.go_to("2026-03-09", "10:00")  # days later: it belongs to the shift whose drop it was
    for notes, corrected in ((9, first), (8, first + 1)):
        office.does("ned", "correct_count", "D1", corrects=corrected, reason="stuck together", cash={"10000": notes})
        office.signs("nia", "second", cash={"10000": notes})
        (waiting,) = table_results(office.events, office.facility)
        assert waiting.drop == (700_00 if corrected == first else 900_00), "not before everybody has signed"
        office.signs("cy", "cage", cash={"10000": notes})
    (day,) = table_results(office.events, office.facility)
    assert (day.day, day.drop, day.win) == (date(2026, 3, 7), 800_00, 800_00)
    assert day.corrections == (
        f"act {first + 1} corrects act {first}: $700.00 to $900.00",
        f"act {first + 2} corrects act {first + 1}: $900.00 to $800.00",
    )
    assert total_result([day]).corrections == day.corrections
    _check_acts(day)
    assert [(one.act, one.cents) for one in day.acts if one.is_correction] == [
        (first + 1, 200_00),
        (first + 2, -100_00),
    ]
    one = office_day(office.rules, office.state, date(2026, 3, 9), office.events)
    (boxes,) = [table for table in day_tables(one) if table.title == "Soft counts"]
    assert [row[-1] for row in boxes.rows] == [
        f"done, act {first + 1}, corrects act {first}: stuck together",
        f"done, act {first + 2}, corrects act {first + 1}: stuck together",
    ]
    earlier = office_day(office.rules, office.state, date(2026, 3, 7), office.events)
    (results,) = [table for table in day_tables(earlier) if table.title == "Win by table and shift"]
    assert "corrects act" in str(results.rows[0][-1])


def test_tables_are_added_up_by_the_game_that_their_house_deals() -> None:
    files = {"large": {"game": "craps"}, "small": {"game": "mini_craps"}}
    houses = {
        f"house/{name}": KnownThing("house", name, "in_force", {"file": file}, "") for name, file in files.items()
    }
    dealt = {"T1": "large", "T2": "small", "T3": "small"}
    tables = {f"table/{name}": KnownThing("table", name, "open", {"house": house}, "") for name, house in dealt.items()}
    sums = {name: PeriodSum(win=win, days=1) for name, win in (("T1", 1), ("T2", 2), ("T3", 4), ("T9", 8))}
    found = sums_by_game(ActState(things={**houses, **tables}), sums)
    assert {game: (one.win, one.days) for game, one in found.items()} == {
        "craps": (1, 1),
        "mini_craps": (6, 2),
        "no game on record": (8, 1),
    }

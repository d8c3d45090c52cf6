"""Pits as a dimension of what tables win: a table counts where it stood, also after it was moved."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.bookkeeping.period_sums import PeriodSum, sum_of, sums_by_pit, sums_of_table_day
from passline.bookkeeping.results import ADDENDUM, TableResult
from passline.bookkeeping.win import table_results
from passline.money import Cents
from passline.office.views.kept_results import find_results, find_to_date
from passline.office.views.projections import projections_of
from passline.store.memory import MemoryLog
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from tests.office.bookkeeping import KeptOffice

_PEOPLE = {"olga": "owner", "cy": "cashier", "acc": "accountant", "flo": "floorperson", "bob": "boxperson"}
_PITS = ("pit-1", "pit-2")


def _office() -> KeptOffice:
    kept = KeptOffice(office_of("practice"), Facility(name="Harbour", zone="America/Denver", areas=_PITS), _PEOPLE)
    kept.go_to("2026-03-07", "05:00")
    for table, pit in (("T1", "pit-1"), ("T2", "pit-2")):
        kept.does("olga", "register_table", table, area=pit)
    return kept


def _count(kept: KeptOffice, table: str, which: str, shift: str) -> None:
    kept.does("flo", f"count_{which}", table, chips={"500": 0}, shift=shift)
    kept.signs("bob", "second", chips={"500": 0})


def _two_days() -> KeptOffice:
    kept = _office()
    for day in ("2026-03-07", "2026-03-08"):
        kept.go_to(day, "06:30")
        for table in ("T1", "T2"):
            _count(kept, table, "opener", "day")
        kept.go_to(day, "14:05")
        for table in ("T1", "T2"):
            _count(kept, table, "shift", "day")
            _count(kept, table, "closer", "swing")
        kept.does("flo", "move_table", "T1", area="pit-2")
    return kept


def _correct_area(kept: KeptOffice) -> None:
    """Say that T1 was entered in the wrong area."""
    done = (event for _, event in kept.events if isinstance(event, e.ActDone))
    number = next(act.number for act in done if act.act == "register_table")
    kept.does("olga", "correct_register_table", "T1", corrects=number, reason="misread", area="pit-2")


def test_a_shift_counts_in_the_pit_where_its_table_stood() -> None:
    kept = _two_days()
    results = table_results(kept.events, kept.facility)
    pits = {(str(result.day)[8:], result.table, result.shift): result.pit for result in results}
    assert {key: pit for key, pit in pits.items() if pit == "pit-1"} == {
        ("07", "T1", "day"): "pit-1",
        ("07", "T1", "swing"): "pit-1",
    }


def test_an_area_that_was_entered_wrongly_is_put_right_in_shifts_that_have_been_told(tmp_path: Path) -> None:
    """In those before the table was moved, in results and in kept sums; whoever reads them sees that it was."""
    kept = _two_days()
    _correct_area(kept)
    results, log = table_results(kept.events, kept.facility), MemoryLog()
    assert {result.pit for result in results} == {"pit-2"}
    marked = [(str(result.day)[8:], result.shift) for result in results if result.corrections]
    assert marked == [("07", "day"), ("07", "swing")]
    kept.write(log)
    views = ViewStore(tmp_path / "views", log.derive("views"))
    projector = Projector(log, views, projections_of(log))
    while projector.advance(3):
        pass
    assert find_results(views, "practice", kept.facility, date(2026, 3, 7), date(2026, 3, 8)) == results
    sums = sums_by_pit(results)
    assert find_to_date(views, "practice", date(2026, 3, 8), "pit").month["pit-2"] == sums["pit-2"]
    views.close()


def test_the_books_of_a_closed_day_keep_the_pit_that_they_were_closed_with() -> None:
    kept = _two_days()
    kept.does("acc", "close_gaming_day", "2026-03-07")
    kept.signs("olga", "second")
    _correct_area(kept)
    results = [result for result in table_results(kept.events, kept.facility) if result.table == "T1"]
    assert {result.pit for result in results if result.day == date(2026, 3, 7)} == {"pit-1"}
    assert {result.pit for result in results if result.day == date(2026, 3, 8)} == {"pit-2"}


def test_sums_of_pits_and_shifts_are_kept_as_they_would_be_added_up(tmp_path: Path) -> None:
    kept, log = _two_days(), MemoryLog()
    kept.write(log)
    views = ViewStore(tmp_path / "views", log.derive("views"))
    projector = Projector(log, views, projections_of(log))
    while projector.advance(7):
        pass
    day = date(2026, 3, 8)
    results = find_results(views, "practice", kept.facility, date(2026, 3, 7), day)
    assert [(result.table, result.pit) for result in results] == [
        (result.table, result.pit) for result in table_results(kept.events, kept.facility)
    ]
    assert find_to_date(views, "practice", day, "pit").month == sums_by_pit(results)
    by_shift = find_to_date(views, "practice", day, "shift").year
    assert {name: total.unknown for name, total in by_shift.items()} == {"day": 4, "swing": 4}
    views.close()


def test_a_table_moved_within_a_day_counts_in_both_pits_and_once_in_all() -> None:
    day = date(2026, 3, 7)
    shifts = [
        TableResult(table="T1", day=day, shift="day", pit="pit-1", drop=Cents(50_00), closer=Cents(10_00)),
        TableResult(table="T1", day=day, shift="swing", pit="pit-2", drop=Cents(70_00), opener=Cents(10_00)),
        TableResult(table="T1", day=day, shift=ADDENDUM, pit="pit-2", drop=Cents(5_00)),
    ]
    sums = sums_of_table_day("T1", shifts)
    assert (sums["table", "T1"].win, sums["pit", "pit-1"].win, sums["pit", "pit-2"].win) == (125_00, 65_00, 60_00)
    assert sum_of(sums_by_pit(shifts).values()) == sums["table", "T1"].plus(PeriodSum(days=1))

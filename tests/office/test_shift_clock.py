"""The clock of every shift: due with the approved time at its end, to the second, over every odd night of the year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from passline.acts.calendar.deadlines import Length, deadline
from passline.acts.calendar.facility import Facility, Shift
from passline.acts.calendar.shifts import day_of_shift, is_scheduled, scheduled_end, shift_served
from passline.acts.clocks import running_clock
from passline.acts.rules import office_of
from passline.acts.state import ActState
from tests.office.bookkeeping import KeptOffice

_DENVER = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
_TIMES = ["05:45-06:15", "13:45-14:15", "21:45-22:15"]
_SECOND = timedelta(seconds=1)


def _moment(text: str, facility: Facility = _DENVER) -> str:
    day, time = text.split()
    return facility.moment(datetime.fromisoformat(day).date(), time)


def _later(at: str, by: timedelta) -> str:
    return f"{(datetime.fromisoformat(at) + by).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


@pytest.mark.parametrize(
    ("begun", "due"),
    [
        ("2026-03-02 09:00", "2026-03-02 14:15"),
        ("2026-03-02 13:50", "2026-03-02 14:15"),
        ("2026-03-02 14:00", "2026-03-02 22:15"),
        ("2026-03-07 23:00", "2026-03-08 06:15"),  # the clocks go forward
        ("2026-10-31 23:00", "2026-11-01 06:15"),  # they go back
        ("2028-02-28 23:00", "2028-02-29 06:15"),
        ("2028-02-29 22:30", "2028-03-01 06:15"),
        ("2026-12-31 22:00", "2027-01-01 06:15"),
        ("2026-11-25 15:00", "2026-11-25 22:15"),  # no holiday puts a drop off
        ("2026-11-26 15:00", "2026-11-26 22:15"),
    ],
)
def test_a_shift_is_due_with_the_scheduled_time_at_its_end(begun: str, due: str) -> None:
    shift_end = deadline(_moment(begun), Length(1, "shifts"), _DENVER)
    assert scheduled_end(shift_end, _TIMES, _DENVER) == _moment(due)


@pytest.mark.parametrize(
    ("done", "due"),
    [
        ("2026-03-02 13:45", "2026-03-02 22:15"),  # early, and for the shift that ends at 14:00
        ("2026-03-02 14:14", "2026-03-02 22:15"),
        ("2026-03-02 13:44", "2026-03-02 14:15"),  # off schedule: the shift is still to be dropped
        ("2026-03-02 14:15", "2026-03-02 22:15"),  # late
        ("2026-03-08 05:50", "2026-03-08 14:15"),
    ],
)
def test_what_is_done_in_a_period_is_done_for_the_shift_it_ends(done: str, due: str) -> None:
    counted = shift_served(_moment(done), _TIMES, _DENVER)
    assert scheduled_end(deadline(counted, Length(1, "shifts"), _DENVER), _TIMES, _DENVER) == _moment(due)


@pytest.mark.parametrize("day", ["2026-03-02", "2026-03-08", "2026-11-01", "2028-02-29", "2026-12-31"])
def test_a_period_holds_from_its_first_second_to_before_its_last(day: str) -> None:
    first, last = _moment(f"{day} 13:45"), _moment(f"{day} 14:15")
    assert not is_scheduled(_later(first, -_SECOND), _TIMES, _DENVER)
    assert is_scheduled(first, _TIMES, _DENVER)
    assert is_scheduled(_later(last, -_SECOND), _TIMES, _DENVER)
    assert not is_scheduled(last, _TIMES, _DENVER)


def test_a_period_may_run_over_midnight() -> None:
    times = ["23:30-00:30"]
    assert is_scheduled(_moment("2026-03-02 23:45"), times, _DENVER)
    assert is_scheduled(_moment("2026-03-02 00:15"), times, _DENVER)
    assert not is_scheduled(_moment("2026-03-02 12:00"), times, _DENVER)


def test_a_facility_with_one_shift_drops_once_a_gaming_day() -> None:
    facility = Facility(name="Mill", zone="America/Denver", shifts=(Shift("all day", "06:00"),))
    ends = deadline(_moment("2026-03-07 07:00"), Length(1, "shifts"), facility)
    assert ends == _moment("2026-03-08 06:00")
    assert day_of_shift(_moment("2026-03-08 06:10"), "all day", facility).isoformat() == "2026-03-08"


def _opened(kept: KeptOffice) -> None:
    kept.does("olga", "register_table", "T1", area="main floor")
    kept.does("olga", "enter_drop_box", "D1")
    kept.does("flo", "attach_drop_box", "T1", drop_box="D1")
    kept.does("bob", "count_opener", "T1", chips={"500": 0}, shift="day")
    kept.signs("flo", "second", chips={"500": 0})


@pytest.mark.parametrize("day", ["2026-03-02", "2026-03-08", "2026-11-01", "2028-02-29", "2026-12-31"])
def test_the_clock_is_overdue_from_its_end_on_and_ends_with_the_last_drop(day: str) -> None:
    rules = office_of("practice")
    clock = office_of("arizona").pages.clocks["drop"]
    kept = KeptOffice(rules, _DENVER, {"olga": "owner", "bob": "boxperson", "flo": "floorperson", "ned": "counter"})
    rules = replace(rules, pages=replace(rules.pages, clocks={"drop": clock}))
    kept.go_to(day, "09:00")
    _opened(kept)
    before = kept.state

    def status(state: ActState, at: str) -> str:
        running = running_clock(rules, state, "drop", "table/T1", at)
        return f"{running.status} {running.due}" if running else "none"

    assert status(before, kept.at) == "due "  # nobody has said when
    state = replace(before, values={"drop_times": _TIMES})
    due = _moment(f"{day} 14:15")
    assert status(state, _later(due, -_SECOND)) == f"due {due}"
    assert status(state, due) == f"overdue {due}"
    assert status(state, _later(due, _SECOND)) == f"overdue {due}"
    kept.does("bob", "count_closer", "T1", chips={"500": 0}, shift="day")
    kept.signs("flo", "second", chips={"500": 0})
    closed = replace(kept.state, values={"drop_times": _TIMES})
    assert status(closed, due) == f"overdue {due}", "its box is on it until it is dropped"
    kept.does("ned", "drop_table", "T1", shift="day", dropped="D1", no_box=True, signs=("flo", "viewer"))
    assert status(replace(kept.state, values={"drop_times": _TIMES}), due) == "none"
    kept.go_to(day, "23:00")
    kept.does("bob", "count_opener", "T1", chips={"500": 0}, shift="grave")
    kept.signs("flo", "second", chips={"500": 0})
    following = (datetime.fromisoformat(day) + timedelta(days=1)).date()
    again = _DENVER.moment(following, "06:15")
    assert status(replace(kept.state, values={"drop_times": _TIMES}), kept.at) == f"due {again}"

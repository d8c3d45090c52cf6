"""The time of a facility: its dates, gaming days, shifts and business days, and figures that cannot be right."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from passline.acts.calendar.facility import Facility, Shift, facility_faults

_DENVER = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
_PHOENIX = Facility(name="Desert", zone="America/Phoenix", subdivision="AZ")
_LATE = Facility(
    name="Night",
    zone="America/Denver",
    day_begins="04:00",
    shifts=(Shift("day", "04:00"), Shift("evening", "18:00"), Shift("night", "01:00")),
)


def _moment(local: str) -> str:
    return f"{datetime.fromisoformat(local).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


@pytest.mark.parametrize(
    ("facility", "day", "time", "local"),
    [
        (_DENVER, "2026-03-07", "24:00", "2026-03-08T00:00:00-07:00"),
        (_DENVER, "2026-03-08", "24:00", "2026-03-09T00:00:00-06:00"),
        (_DENVER, "2026-11-01", "00:00", "2026-11-01T00:00:00-06:00"),
        (_DENVER, "2026-11-01", "24:00", "2026-11-02T00:00:00-07:00"),
        (_DENVER, "2028-02-29", "24:00", "2028-03-01T00:00:00-07:00"),
        (_DENVER, "2026-12-31", "24:00", "2027-01-01T00:00:00-07:00"),
        (_PHOENIX, "2026-07-01", "12:00", "2026-07-01T12:00:00-07:00"),
    ],
)
def test_a_local_time_is_a_moment(facility: Facility, day: str, time: str, local: str) -> None:
    moment = facility.moment(date.fromisoformat(day), time)
    assert moment == _moment(local)
    assert facility.local(moment) == datetime.fromisoformat(local)


@pytest.mark.parametrize(
    ("facility", "local", "today", "gaming_day", "shift", "ends"),
    [
        (_DENVER, "2026-05-01T05:59:59-06:00", "2026-05-01", "2026-04-30", "grave", "2026-05-01T06:00:00-06:00"),
        (_DENVER, "2026-05-01T06:00:00-06:00", "2026-05-01", "2026-05-01", "day", "2026-05-01T14:00:00-06:00"),
        (_DENVER, "2026-05-01T13:59:59-06:00", "2026-05-01", "2026-05-01", "day", "2026-05-01T14:00:00-06:00"),
        (_DENVER, "2026-05-01T14:00:00-06:00", "2026-05-01", "2026-05-01", "swing", "2026-05-01T22:00:00-06:00"),
        (_DENVER, "2026-05-01T23:59:59-06:00", "2026-05-01", "2026-05-01", "grave", "2026-05-02T06:00:00-06:00"),
        (_DENVER, "2026-05-02T00:00:00-06:00", "2026-05-02", "2026-05-01", "grave", "2026-05-02T06:00:00-06:00"),
        # The night in which the clocks go forward, and the one in which they go back.
        (_DENVER, "2026-03-08T01:59:59-07:00", "2026-03-08", "2026-03-07", "grave", "2026-03-08T06:00:00-06:00"),
        (_DENVER, "2026-03-08T03:00:00-06:00", "2026-03-08", "2026-03-07", "grave", "2026-03-08T06:00:00-06:00"),
        (_DENVER, "2026-11-01T01:30:00-06:00", "2026-11-01", "2026-10-31", "grave", "2026-11-01T06:00:00-07:00"),
        (_DENVER, "2026-11-01T01:30:00-07:00", "2026-11-01", "2026-10-31", "grave", "2026-11-01T06:00:00-07:00"),
        (_PHOENIX, "2026-03-08T05:59:59-07:00", "2026-03-08", "2026-03-07", "grave", "2026-03-08T06:00:00-07:00"),
        (_PHOENIX, "2028-02-29T23:00:00-07:00", "2028-02-29", "2028-02-29", "grave", "2028-03-01T06:00:00-07:00"),
        # A shift that begins after midnight belongs to the gaming day before.
        (_LATE, "2026-05-02T00:59:59-06:00", "2026-05-02", "2026-05-01", "evening", "2026-05-02T01:00:00-06:00"),
        (_LATE, "2026-05-02T01:00:00-06:00", "2026-05-02", "2026-05-01", "night", "2026-05-02T04:00:00-06:00"),
        (_LATE, "2026-05-02T04:00:00-06:00", "2026-05-02", "2026-05-02", "day", "2026-05-02T18:00:00-06:00"),
    ],
)
def test_a_moment_lies_in_a_gaming_day_and_a_shift(
    *, facility: Facility, local: str, today: str, gaming_day: str, shift: str, ends: str
) -> None:
    at = _moment(local)
    assert str(facility.today(at)) == today
    assert str(facility.gaming_day(at)) == gaming_day
    assert facility.shift_of(at).name == shift
    assert facility.shift_end(at) == _moment(ends)


@pytest.mark.parametrize(
    ("day", "is_one"),
    [
        ("2026-11-25", True),
        ("2026-11-26", False),  # Thanksgiving
        ("2026-11-27", True),
        ("2026-11-28", False),  # Saturday
        ("2026-11-29", False),
        ("2026-11-30", True),
        ("2026-12-25", False),
        ("2026-07-03", False),  # the fourth of July is a Saturday
        ("2028-02-29", True),
    ],
)
def test_business_is_done_on_weekdays_that_are_no_holidays(day: str, is_one: bool) -> None:  # noqa: FBT001
    assert _DENVER.is_business_day(date.fromisoformat(day)) is is_one
    assert _PHOENIX.is_business_day(date.fromisoformat(day)) is is_one


def test_a_facility_has_days_of_its_own_and_closing_wins() -> None:
    own = Facility(
        name="Harbour",
        zone="America/Denver",
        closed_days=("2026-11-25", "2026-11-29"),
        business_days=("2026-11-26", "2026-11-28", "2026-11-29"),
    )
    days = [date(2026, 11, day) for day in range(25, 31)]
    assert [own.is_business_day(day) for day in days] == [False, True, True, True, False, True]


def test_public_holidays_are_those_of_the_subdivision() -> None:
    patriots = date(2026, 4, 20)
    assert _DENVER.is_business_day(patriots)
    assert not Facility(name="Bay", zone="America/New_York", subdivision="MA").is_business_day(patriots)


@pytest.mark.parametrize(
    ("facility", "fault"),
    [
        (Facility(name=" ", zone="America/Denver"), "name: is empty"),
        (Facility(name="A", zone="Denver"), "zone: 'Denver' is not a time zone"),
        (Facility(name="A", zone="America/Denver", day_begins="25:00"), "day_begins: '25:00' is not a time"),
        (Facility(name="A", zone="America/Denver", shifts=(Shift("day", "6:00"),)), "shifts.day: '6:00' is not a time"),
        (Facility(name="A", zone="America/Denver", shifts=()), "shifts: a gaming day has at least one"),
        (
            Facility(name="A", zone="America/Denver", shifts=(Shift("a", "06:00"), Shift("a", "14:00"))),
            "shifts: two have the same name",
        ),
        (
            Facility(name="A", zone="America/Denver", shifts=(Shift("a", "07:00"),)),
            "shifts: the first begins with the gaming day, at 06:00",
        ),
        (
            Facility(
                name="A", zone="America/Denver", shifts=(Shift("a", "06:00"), Shift("b", "22:00"), Shift("c", "14:00"))
            ),
            "shifts: the first begins with the gaming day",
        ),
        (Facility(name="A", zone="America/Denver", country="XX"), "country: no calendar is known of 'XX'"),
        (Facility(name="A", zone="America/Denver", subdivision="ZZ"), "country: no calendar is known of 'US' 'ZZ'"),
        (Facility(name="A", zone="America/Denver", areas=()), "areas: name at least one"),
        (Facility(name="A", zone="America/Denver", areas=("pit", " ")), "areas: name at least one"),
        (Facility(name="A", zone="America/Denver", closed_days=("2026-02-29",)), "closed_days: '2026-02-29' is not"),
        (Facility(name="A", zone="America/Denver", business_days=("soon",)), "business_days: 'soon' is not a day"),
    ],
)
def test_figures_that_cannot_be_right_are_named(facility: Facility, fault: str) -> None:
    assert [one for one in facility_faults(facility) if one.startswith(fault)]


def test_a_facility_as_it_should_be_has_no_fault() -> None:
    assert not facility_faults(_DENVER)
    assert not facility_faults(_LATE)

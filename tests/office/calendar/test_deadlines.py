"""Deadlines of every unit: over both changes of the clocks, the ends of months, leap days and weeks with holidays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from passline.acts.calendar.deadlines import Length, Unit, deadline, latest_notice
from passline.acts.calendar.facility import Facility

_FACILITIES = {
    "Denver": Facility(name="Harbour", zone="America/Denver", subdivision="CO"),
    "Phoenix": Facility(name="Desert", zone="America/Phoenix", subdivision="AZ"),
    "closed": Facility(name="Harbour", zone="America/Denver", subdivision="CO", closed_days=("2026-11-25",)),
    "open": Facility(name="Harbour", zone="America/Denver", subdivision="CO", business_days=("2026-11-26",)),
    "both": Facility(
        name="Harbour",
        zone="America/Denver",
        subdivision="CO",
        closed_days=("2026-11-26",),
        business_days=("2026-11-26", "2026-11-28"),
    ),
}

# Local times with their offsets, so that nothing here depends on how the package finds them.
_AFTER = [
    # Hours and minutes elapse, whatever the clocks on the wall do.
    ("Denver", "2026-03-07T18:00:00-07:00", 24, "hours", "2026-03-08T19:00:00-06:00"),
    ("Denver", "2026-10-31T18:00:00-06:00", 24, "hours", "2026-11-01T17:00:00-07:00"),
    ("Phoenix", "2026-03-07T18:00:00-07:00", 24, "hours", "2026-03-08T18:00:00-07:00"),
    ("Phoenix", "2026-10-31T18:00:00-07:00", 24, "hours", "2026-11-01T18:00:00-07:00"),
    ("Denver", "2026-03-08T01:45:00-07:00", 30, "minutes", "2026-03-08T03:15:00-06:00"),
    ("Denver", "2026-11-01T01:45:00-06:00", 30, "minutes", "2026-11-01T01:15:00-07:00"),
    ("Denver", "2026-12-31T23:59:59-07:00", 48, "hours", "2027-01-02T23:59:59-07:00"),
    ("Denver", "2028-02-28T12:00:00-07:00", 24, "hours", "2028-02-29T12:00:00-07:00"),
    ("Denver", "2026-05-01T12:00:00-06:00", 0, "hours", "2026-05-01T12:00:00-06:00"),
    # The day of the beginning does not count, be it its first or its last second.
    ("Denver", "2026-03-07T00:00:00-07:00", 1, "days", "2026-03-09T00:00:00-06:00"),
    ("Denver", "2026-03-07T23:59:59-07:00", 1, "days", "2026-03-09T00:00:00-06:00"),
    ("Denver", "2026-03-07T12:00:00-07:00", 0, "days", "2026-03-08T00:00:00-07:00"),
    ("Denver", "2026-10-31T12:00:00-06:00", 1, "days", "2026-11-02T00:00:00-07:00"),
    ("Denver", "2026-10-31T12:00:00-06:00", 7, "days", "2026-11-08T00:00:00-07:00"),
    ("Phoenix", "2026-03-07T12:00:00-07:00", 1, "days", "2026-03-09T00:00:00-07:00"),
    ("Phoenix", "2026-10-31T23:30:00-07:00", 14, "days", "2026-11-15T00:00:00-07:00"),
    ("Denver", "2028-02-27T12:00:00-07:00", 2, "days", "2028-03-01T00:00:00-07:00"),
    ("Denver", "2026-02-27T12:00:00-07:00", 2, "days", "2026-03-02T00:00:00-07:00"),
    # Thanksgiving is Thursday the 26th of November 2026; Christmas and New Year's Day are Fridays.
    ("Denver", "2026-11-24T12:00:00-07:00", 1, "business_days", "2026-11-26T00:00:00-07:00"),
    ("Denver", "2026-11-24T12:00:00-07:00", 2, "business_days", "2026-11-28T00:00:00-07:00"),
    ("Denver", "2026-11-26T12:00:00-07:00", 1, "business_days", "2026-11-28T00:00:00-07:00"),
    ("Denver", "2026-11-28T12:00:00-07:00", 1, "business_days", "2026-12-01T00:00:00-07:00"),
    ("Denver", "2026-11-28T12:00:00-07:00", 0, "business_days", "2026-11-29T00:00:00-07:00"),
    ("Denver", "2026-12-23T12:00:00-07:00", 5, "business_days", "2027-01-01T00:00:00-07:00"),
    ("Denver", "2026-12-23T12:00:00-07:00", 6, "business_days", "2027-01-05T00:00:00-07:00"),
    ("Denver", "2026-03-06T12:00:00-07:00", 1, "business_days", "2026-03-10T00:00:00-06:00"),
    ("Denver", "2026-10-30T12:00:00-06:00", 1, "business_days", "2026-11-03T00:00:00-07:00"),
    ("Phoenix", "2026-11-24T12:00:00-07:00", 2, "business_days", "2026-11-28T00:00:00-07:00"),
    ("closed", "2026-11-24T12:00:00-07:00", 1, "business_days", "2026-11-28T00:00:00-07:00"),
    ("open", "2026-11-24T12:00:00-07:00", 2, "business_days", "2026-11-27T00:00:00-07:00"),
    ("both", "2026-11-25T12:00:00-07:00", 1, "business_days", "2026-11-28T00:00:00-07:00"),
    ("both", "2026-11-27T12:00:00-07:00", 1, "business_days", "2026-11-29T00:00:00-07:00"),
    # The same date of a later month, or its last.
    ("Denver", "2026-01-31T12:00:00-07:00", 1, "months", "2026-03-01T00:00:00-07:00"),
    ("Denver", "2028-01-31T12:00:00-07:00", 1, "months", "2028-03-01T00:00:00-07:00"),
    ("Denver", "2026-02-28T12:00:00-07:00", 1, "months", "2026-03-29T00:00:00-06:00"),
    ("Denver", "2026-10-31T12:00:00-06:00", 1, "months", "2026-12-01T00:00:00-07:00"),
    ("Denver", "2025-12-31T12:00:00-07:00", 2, "months", "2026-03-01T00:00:00-07:00"),
    ("Denver", "2026-12-15T12:00:00-07:00", 1, "months", "2027-01-16T00:00:00-07:00"),
    ("Phoenix", "2026-08-31T23:59:59-07:00", 1, "months", "2026-10-01T00:00:00-07:00"),
    ("Denver", "2028-02-29T12:00:00-07:00", 1, "years", "2029-03-01T00:00:00-07:00"),
    ("Denver", "2028-02-29T12:00:00-07:00", 4, "years", "2032-03-01T00:00:00-07:00"),
    ("Denver", "2027-02-28T12:00:00-07:00", 1, "years", "2028-02-29T00:00:00-07:00"),
    ("Phoenix", "2026-07-01T12:00:00-07:00", 1, "years", "2027-07-02T00:00:00-07:00"),
]

# The last second in time, and the first one that is too late.
_BEFORE = [
    ("Denver", "2026-03-08T19:00:00-06:00", 24, "hours", "2026-03-07T18:00:00-07:00", "2026-03-07T18:00:01-07:00"),
    ("Denver", "2026-11-01T17:00:00-07:00", 24, "hours", "2026-10-31T18:00:00-06:00", "2026-10-31T18:00:01-06:00"),
    ("Phoenix", "2026-11-01T18:00:00-07:00", 24, "hours", "2026-10-31T18:00:00-07:00", "2026-10-31T18:00:01-07:00"),
    ("Denver", "2026-03-08T03:15:00-06:00", 30, "minutes", "2026-03-08T01:45:00-07:00", "2026-03-08T01:45:01-07:00"),
    ("Denver", "2026-03-09T00:00:00-06:00", 1, "days", "2026-03-08T23:59:59-06:00", "2026-03-09T00:00:00-06:00"),
    ("Denver", "2026-11-02T23:59:59-07:00", 1, "days", "2026-11-01T23:59:59-07:00", "2026-11-02T00:00:00-07:00"),
    ("Denver", "2028-03-01T12:00:00-07:00", 1, "days", "2028-02-29T23:59:59-07:00", "2028-03-01T00:00:00-07:00"),
    *(
        (name, "2026-11-30T12:00:00-07:00", 5, "business_days", f"{last}T23:59:59-07:00", f"{late}T00:00:00-07:00")
        for name, last, late in (
            ("Denver", "2026-11-20", "2026-11-21"),
            ("Phoenix", "2026-11-20", "2026-11-21"),
            ("closed", "2026-11-19", "2026-11-20"),
            ("open", "2026-11-23", "2026-11-24"),
            ("both", "2026-11-23", "2026-11-24"),
        )
    ),
    (
        "Denver",
        "2026-03-10T12:00:00-06:00",
        2,
        "business_days",
        "2026-03-06T23:59:59-07:00",
        "2026-03-07T00:00:00-07:00",
    ),
    ("Denver", "2026-03-31T12:00:00-06:00", 1, "months", "2026-02-28T23:59:59-07:00", "2026-03-01T00:00:00-07:00"),
    ("Denver", "2028-03-31T12:00:00-06:00", 1, "months", "2028-02-29T23:59:59-07:00", "2028-03-01T00:00:00-07:00"),
    ("Denver", "2026-01-15T12:00:00-07:00", 1, "months", "2025-12-15T23:59:59-07:00", "2025-12-16T00:00:00-07:00"),
    ("Denver", "2028-02-29T12:00:00-07:00", 1, "years", "2027-02-28T23:59:59-07:00", "2027-03-01T00:00:00-07:00"),
]


def _moment(local: str) -> str:
    return f"{datetime.fromisoformat(local).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


@pytest.mark.parametrize(("place", "begun", "count", "unit", "ends"), _AFTER)
def test_a_length_of_time_ends_when_it_should(place: str, begun: str, count: int, unit: Unit, ends: str) -> None:
    assert deadline(_moment(begun), Length(count, unit), _FACILITIES[place]) == _moment(ends)


@pytest.mark.parametrize(("place", "planned", "count", "unit", "last", "late"), _BEFORE)
def test_notice_is_in_time_until_it_is_too_late(
    *, place: str, planned: str, count: int, unit: Unit, last: str, late: str
) -> None:
    latest = latest_notice(_moment(planned), Length(count, unit), _FACILITIES[place])
    assert _moment(last) < latest <= _moment(late)

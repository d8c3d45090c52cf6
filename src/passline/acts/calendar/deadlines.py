"""Deadlines: when a length of time is over, and by when notice must be given.

Minutes and hours are elapsed time. Shifts end when the facility's shifts do. Days, business days, months and years are
local dates: the day of the beginning does not count, and the last day ends at 24:00.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from passline.acts.calendar.facility import Facility

Unit = Literal["minutes", "hours", "days", "business_days", "months", "years", "shifts"]
"""What lengths are counted in."""
_DAY = timedelta(days=1)
_MOMENTS_KEPT = 4_096  # lists and gates ask for the same deadlines again and again


class Length(Struct, frozen=True, forbid_unknown_fields=True):
    """A length of time, such as 5 business days."""

    count: Annotated[int, Meta(ge=0, le=10_000)]
    unit: Unit

    def __str__(self) -> str:
        """Return it in words.

        >>> str(Length(5, "business_days")), str(Length(1, "months"))
        ('5 business days', '1 month')
        """
        words = self.unit.replace("_", " ")
        return f"{self.count} {words.removesuffix('s') if self.count == 1 else words}"


def deadline(begun: str, length: Length, facility: Facility) -> str:
    """Return the first moment at which a length of time is over that began at `begun`.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> deadline("2026-03-07T18:00:00.000000Z", Length(24, "hours"), denver)  # the clocks go forward in between
    '2026-03-08T18:00:00.000000Z'
    >>> deadline("2026-01-31T18:00:00.000000Z", Length(1, "months"), denver)  # the 28th of February ends
    '2026-03-01T07:00:00.000000Z'
    """
    if length.unit in {"minutes", "hours"}:
        return _moment_after(begun, length)
    if length.unit == "shifts":
        for _ in range(length.count):
            begun = facility.shift_end(begun)
        return begun
    day = facility.today(begun)
    match length.unit:
        case "days":
            last = day + length.count * _DAY
        case "business_days":
            last = _business_day(day, length.count, facility, _DAY)
        case "months":
            last = months_later(day, length.count)
        case _:
            last = months_later(day, 12 * length.count)
    return facility.moment(last, "24:00")


def latest_notice(planned: str, length: Length, facility: Facility) -> str:
    """Return the first moment at which it is too late to give notice of `length` for something that is planned.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> latest_notice("2026-11-30T18:00:00.000000Z", Length(5, "business_days"), denver)  # Thanksgiving is the 26th
    '2026-11-21T07:00:00.000000Z'
    """
    if length.unit in {"minutes", "hours"}:
        return _moment_after(planned, length, sign=-1)  # told exactly so long before is in time
    day = facility.today(planned)
    match length.unit:
        case "days":
            last = day - length.count * _DAY
        case "business_days":
            last = _business_day(day, length.count, facility, -_DAY)
        case "months":
            last = months_later(day, -length.count)
        case _:
            last = months_later(day, -12 * length.count)
    return facility.moment(last, "24:00")


def earliest_after(told: str, length: Length, facility: Facility) -> str:
    """Return the first moment at which something may be done if notice of `length` was given at `told`.

    Where the notice is in days, that moment is 00:00 of a day.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> earliest_after("2026-11-21T18:00:00.000000Z", Length(1, "business_days"), denver)  # a Saturday
    '2026-11-24T07:00:00.000000Z'
    """
    if length.unit in {"minutes", "hours"}:
        return _moment_after(told, length)
    day = facility.today(told)
    ends = facility.today(deadline(told, length, facility)) - _DAY  # its last day: nothing is earlier
    day = max(day, ends)
    while latest_notice(planned := facility.moment(day, "00:00"), length, facility) <= told:
        day += _DAY
    return planned


@lru_cache(_MOMENTS_KEPT)
def _moment_after(at: str, length: Length, sign: int = 1) -> str:
    by = timedelta(**{length.unit: sign * length.count}, microseconds=sign < 0)
    return f"{(datetime.fromisoformat(at) + by).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def _business_day(day: date, count: int, facility: Facility, step: timedelta) -> date:
    """Return the so-manieth business day after a date, or before it."""
    while count:
        day += step
        count -= facility.is_business_day(day)
    return day


def months_later(day: date, months: int) -> date:
    """Return the same date of another month, or its last where it has fewer days.

    >>> months_later(date(2026, 10, 31), 4)
    datetime.date(2027, 2, 28)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))

"""Shifts of a gaming day, and times of day that something is scheduled at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from passline.acts.calendar.facility import Facility


def day_of_shift(at: str, shift: str, facility: Facility) -> date:
    """Return the gaming day of the shift with this name that is nearest to a moment.

    So a count ten minutes before a shift begins counts for that shift, and so does a drop ten minutes after it ended.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> str(day_of_shift("2026-11-15T12:50:00.000000Z", "day", denver))  # 05:50
    '2026-11-15'
    >>> str(day_of_shift("2026-11-15T13:10:00.000000Z", "grave", denver))  # 06:10
    '2026-11-14'
    """
    number = [shift.name for shift in facility.shifts].index(shift)
    today = facility.gaming_day(at)
    days = [today + timedelta(days=days) for days in (-1, 0, 1)]
    return min(days, key=lambda day: (_distance(at, day, number, facility), day))


def following_shift(day: date, shift: str, facility: Facility) -> tuple[date, str]:
    """Return the gaming day and name of the shift that follows another.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> following_shift(date(2026, 11, 15), "grave", denver)
    (datetime.date(2026, 11, 16), 'day')
    """
    names = [shift.name for shift in facility.shifts]
    over, number = divmod(names.index(shift) + 1, len(names))
    return day + timedelta(days=over), names[number]


def ending_shift(at: str, facility: Facility) -> str:
    """Return the name of the shift whose end is nearest to a moment: a drop soon after a shift belongs to that shift.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> ending_shift("2026-11-15T21:10:00.000000Z", denver), ending_shift("2026-11-16T04:10:00.000000Z", denver)
    ('day', 'swing')
    """
    number = [shift.name for shift in facility.shifts].index(facility.shift_of(at).name)
    here, ends = facility.local(at), facility.local(facility.shift_end(at))
    is_late = ends - here <= here - facility.local(_begins(facility.gaming_day(at), number, facility))
    return facility.shifts[number if is_late else number - 1].name


def _begins(day: date, number: int, facility: Facility) -> str:
    """Return when a shift of a gaming day begins."""
    time = facility.shifts[number].begins
    return facility.moment(day + timedelta(days=time < facility.day_begins), time)


def _distance(at: str, day: date, number: int, facility: Facility) -> timedelta:
    """Return how far a moment lies outside a shift of a gaming day; nothing if it lies in it."""
    begins = _begins(day, number, facility)
    ends = facility.shift_end(begins)
    here, first, last = (facility.local(moment) for moment in (at, begins, ends))
    if begins <= at < ends:
        return timedelta()
    return max(first - here, here - last)


TIMES = re.compile(r"([01]\d|2[0-3]):[0-5]\d(-([01]\d|2[0-3]):[0-5]\d)?")
"""A time of day, or a period from one to another; the last moment of it is no part of it."""
_MINUTE = timedelta(minutes=1)


def is_scheduled(at: str, times: Sequence[str], facility: Facility) -> bool:
    """Return whether a moment lies in one of the periods.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> [is_scheduled(f"2026-11-15T{time}.000000Z", ["13:45-14:15"], denver) for time in ("20:45:00", "21:15:00")]
    [True, False]
    """
    return any(begins <= at < ends for begins, ends in _periods(at, times, facility))


def scheduled_end(at: str, times: Sequence[str], facility: Facility) -> str:
    """Return the end of the first period that ends at a moment or after it.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> scheduled_end("2026-11-15T21:00:00.000000Z", ["06:00", "14:00"], denver)
    '2026-11-15T21:01:00.000000Z'
    """
    return min(ends for _, ends in _periods(at, times, facility) if ends >= at)


def shift_served(at: str, times: Sequence[str], facility: Facility) -> str:
    """Return the moment from which the next shift needs it again, after something was done for a shift at `at`.

    In a scheduled period that reaches the end of a shift it is done for the whole shift: then that is the shift's end.
    """
    shift_end = facility.shift_end(at)
    is_early = any(begins <= at < ends and shift_end <= ends for begins, ends in _periods(at, times, facility))
    return shift_end if is_early else at


def _periods(at: str, times: Sequence[str], facility: Facility) -> Iterator[tuple[str, str]]:
    """Yield the periods around a moment as (first moment, first moment after it)."""
    today = facility.today(at)
    for day in (today + timedelta(days=number) for number in (-1, 0, 1)):
        for time in times:
            begins, _, ends = time.partition("-")
            first = facility.moment(day, begins)
            if not ends:
                last = datetime.fromisoformat(first) + _MINUTE
                yield first, f"{last.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
            else:
                yield first, facility.moment(day + timedelta(days=ends <= begins), ends)

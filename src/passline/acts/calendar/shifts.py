"""Shifts by their names: of which gaming day the one is that somebody means at a moment."""

from __future__ import annotations

from datetime import date, timedelta

from passline.acts.calendar.facility import Facility

__all__ = ["day_of_shift", "ending_shift", "following_shift"]


def day_of_shift(at: str, shift: str, facility: Facility) -> date:
    """Return the gaming day of the shift that is meant at a moment: of those with this name the nearest.

    What is counted ten minutes before a shift opens for it, and what is dropped ten minutes after one ends is its own.

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
    """Return the gaming day and name of the shift after one.

    >>> denver = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> following_shift(date(2026, 11, 15), "grave", denver)
    (datetime.date(2026, 11, 16), 'day')
    """
    names = [shift.name for shift in facility.shifts]
    over, number = divmod(names.index(shift) + 1, len(names))
    return day + timedelta(days=over), names[number]


def ending_shift(at: str, facility: Facility) -> str:
    """Return the name of the shift that ends nearest to a moment: what is dropped soon after one ended is its own.

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

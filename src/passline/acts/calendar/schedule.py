"""Times of day at which alone something is done, such as 13:45-14:15, or 14:00 for that minute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from passline.acts.calendar.facility import Facility

__all__ = ["TIMES", "is_scheduled", "scheduled_end", "shift_served"]

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
    """Return from when the next shift counts after something was done for one.

    What is done in a period that reaches the end of a shift is done for that shift, a little early or not.
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

"""Arithmetic on the time of an entry, which is a string that sorts: 2026-11-15T08:00:00.000000Z."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil

__all__ = ["later", "seconds_until", "spoken"]


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def later(at: str, seconds: int) -> str:
    """Give the time so many seconds after another.

    >>> later("2026-11-15T23:59:30.000000Z", 45)
    '2026-11-16T00:00:15.000000Z'
    """
    return _text(datetime.fromisoformat(at) + timedelta(seconds=seconds))


def seconds_until(then: str, *, now: str) -> int:
    """Give the whole seconds to wait from now until then, at least 1.

    >>> seconds_until("2026-11-15T08:00:30.500000Z", now="2026-11-15T08:00:00.000000Z")
    31
    """
    return max(1, ceil((datetime.fromisoformat(then) - datetime.fromisoformat(now)).total_seconds()))


def spoken(seconds: int) -> str:
    """Say a wait to a person.

    >>> spoken(1), spoken(45), spoken(61)
    ('1 second', '45 seconds', '2 minutes')
    """
    count, unit = (seconds, "second") if seconds <= 60 else (ceil(seconds / 60), "minute")  # noqa: PLR2004 - a minute
    return f"{count} {unit}" + "s" * (count != 1)

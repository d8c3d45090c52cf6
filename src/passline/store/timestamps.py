"""Times as entries hold them: UTC to the microsecond, as strings that sort: 2026-11-15T08:00:00.000000Z."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import ceil

__all__ = ["later", "seconds_until", "utc_now", "wait_text"]


def _timestamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def utc_now() -> str:
    """Return the present time as a timestamp."""
    return _timestamp(datetime.now(UTC))


def later(at: str, seconds: int) -> str:
    """Return the timestamp this many seconds after another.

    >>> later("2026-11-15T23:59:30.000000Z", 45)
    '2026-11-16T00:00:15.000000Z'
    """
    return _timestamp(datetime.fromisoformat(at) + timedelta(seconds=seconds))


def seconds_until(then: str, *, now: str) -> int:
    """Return the whole seconds to wait from now until then, at least 1.

    >>> seconds_until("2026-11-15T08:00:30.500000Z", now="2026-11-15T08:00:00.000000Z")
    31
    """
    return max(1, ceil((datetime.fromisoformat(then) - datetime.fromisoformat(now)).total_seconds()))


def wait_text(seconds: int) -> str:
    """Return a wait in words, in minutes if it is longer than one.

    >>> wait_text(1), wait_text(45), wait_text(61)
    ('1 second', '45 seconds', '2 minutes')
    """
    count, unit = (seconds, "second") if seconds <= 60 else (ceil(seconds / 60), "minute")  # noqa: PLR2004 - a minute
    return f"{count} {unit}" + "s" * (count != 1)

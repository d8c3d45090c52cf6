"""The calendar day of this machine, for whoever goes by no house: the one clock beside those of logs and servers."""

from __future__ import annotations

from datetime import date


def local_day(regulation: str) -> date:
    """Return the day it is here, whatever the regulation.

    >>> local_day("maryland") >= date(2026, 1, 1)
    True
    """
    del regulation
    return date.today()  # noqa: DTZ011 - the day that people here write

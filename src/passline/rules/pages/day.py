"""The day whose text is read where nobody names one: of the environment, or as the program that runs this tells it.

The rules read no clock. A server tells the day of its house; without one, it is the day of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

from passline.errors import CrapsError
from passline.local_day import local_day

DAY = "PASSLINE_DAY"
"""The environment variable that names a day; `--on DAY` sets it."""


class _Calendar:
    """Who tells the day of a regulation."""

    day_of: Callable[[str], date] = staticmethod(local_day)


def day_in_force(regulation: str) -> date:
    """Return the day whose text of a regulation is in force.

    >>> with days_told_by(lambda name: date(2027, 1, 1)):
    ...     day_in_force("harbour")
    datetime.date(2027, 1, 1)
    """
    if named := os.environ.get(DAY):
        return day_named(named, DAY)
    return _Calendar.day_of(regulation)


def day_named(text: str, where: str) -> date:
    """Return the day that somebody wrote; raise CrapsError with where it stands if it is none.

    >>> day_named("soon", "--on")
    Traceback (most recent call last):
    passline.errors.CrapsError: --on soon: is not a day such as 2026-12-01
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CrapsError(f"{where} {text}: is not a day such as 2026-12-01") from None


@contextmanager
def days_told_by(day_of: Callable[[str], date]) -> Iterator[None]:
    """Have the day of each regulation told so for a while: by a house's own clock, or as a test likes."""
    before = _Calendar.day_of
    _Calendar.day_of = staticmethod(day_of)
    try:
        yield
    finally:
        _Calendar.day_of = staticmethod(before)

"""Pictures in a report: what was won beside what was to be expected, and bars, measured for the template.

Every height is a share of the picture's, from 0 at its foot to 1 at its top, so that the template only draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from passline.charts import nice

__all__ = ["BandItem", "PictureItem", "ReportPicture", "band_picture", "bar_picture"]

_TICKS = 5  # at least so many parts of an axis, and at most twice as many


class BandItem(Struct, frozen=True):
    """A figure, what was expected, and the band that luck seldom leaves; all in the same unit."""

    name: str
    value: float
    expected: float
    low: float
    high: float


class PictureItem(Struct, frozen=True):
    """A column of a picture, as heights."""

    name: str
    value: float | None  # None: not known
    said: str = ""  # stands beside it
    expected: float | None = None
    low: float | None = None
    high: float | None = None


class ReportPicture(Struct, frozen=True, kw_only=True):
    """A picture of a report."""

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]  # heights, each with its figure
    zero: float
    items: tuple[PictureItem, ...]


def band_picture(
    title: str, about: str, items: Sequence[BandItem], words: Callable[[float], str]
) -> ReportPicture | None:
    """Return columns with their bands; None without any.

    >>> made = band_picture("Win", "", [BandItem("14 Nov", 240.0, 70.0, -530.0, 670.0)], str)
    >>> made.ticks[0], made.ticks[-1], made.items[0].high
    ((0.0, '-750.0'), (1.0, '750.0'), 0.9466666666666667)
    """
    if not items:
        return None
    reached = [end for one in items for end in (one.value, one.low, one.high)]
    place, ticks = _axis(reached, words)
    return ReportPicture(
        title=title,
        about=about,
        ticks=ticks,
        zero=place(0.0),
        items=tuple(
            PictureItem(
                one.name,
                place(one.value),
                expected=place(one.expected),
                low=place(one.low),
                high=place(one.high),
            )
            for one in items
        ),
    )


def bar_picture(
    title: str, about: str, values: Sequence[tuple[str, float | None]], words: Callable[[float], str]
) -> ReportPicture | None:
    """Return bars by their names, some of them not known; None without any."""
    if not values:
        return None
    place, ticks = _axis((value for _, value in values if value is not None), words)
    items = tuple(
        PictureItem(name, None, "not known") if value is None else PictureItem(name, place(value), words(value))
        for name, value in values
    )
    return ReportPicture(title=title, about=about, ticks=ticks, zero=place(0.0), items=items)


def _axis(
    values: Iterable[float], words: Callable[[float], str]
) -> tuple[Callable[[float], float], tuple[tuple[float, str], ...]]:
    """Return how high a value stands, and the ticks of an axis on which all values and zero have room."""
    known = [0.0, *values]
    low, high = min(known), max(known)
    step = nice((high - low or 1.0) / _TICKS)
    bottom, top = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    top = max(top, bottom + 1)

    def place(value: float) -> float:
        return (value / step - bottom) / (top - bottom)

    return place, tuple((place(tick * step), words(tick * step)) for tick in range(bottom, top + 1))

"""Pictures on a sheet: drawings to scale, and charts with bars or with what was expected beside what came.

A chart is measured when it is made: every height is a share of the picture's, from 0 at its foot to 1 at its top.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct

from passline.charts import nice

__all__ = ["BandItem", "ChartItem", "SheetChart", "SheetDrawing", "band_chart", "bar_chart", "picture_svg"]

_TICKS = 5  # at least so many parts of an axis, and at most twice as many
_WIDE = 249  # millimetres of all charts beside each other
_GAP, _LEFT, _TOP, _HIGH, _BELOW = 9, 15, 4, 38, 7  # between charts; of one: for figures, above, the bars, for names
_NAME_WIDE = 13  # of the name under a bar
_INK, _FAINT, _HAIR = "#1f3b2d", "#5c6a63", "#c9d3cd"


class BandItem(Struct, frozen=True):
    """A figure, what was expected, and the band that luck seldom leaves; all in the same unit."""

    name: str
    value: float
    expected: float
    low: float
    high: float


class ChartItem(Struct, frozen=True):
    """A column of a chart, as heights."""

    name: str
    value: float | None  # None: not known
    said: str = ""  # stands beside it
    expected: float | None = None
    low: float | None = None
    high: float | None = None


class SheetDrawing(Struct, frozen=True, kw_only=True):
    """A drawing to scale, as SVG."""

    title: str
    about: str
    svg: str
    inches_wide: float  # on paper


class SheetChart(Struct, frozen=True, kw_only=True):
    """A chart, as wide as there is room."""

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]  # heights, each with its figure
    zero: float
    items: tuple[ChartItem, ...]
    inches_wide: float = 0.0


def band_chart(title: str, about: str, items: Sequence[BandItem], words: Callable[[float], str]) -> SheetChart | None:
    """Return columns with their bands; None without any.

    >>> made = band_chart("Win", "", [BandItem("14 Nov", 240.0, 70.0, -530.0, 670.0)], str)
    >>> made.ticks[0], made.ticks[-1], made.items[0].high
    ((0.0, '-750.0'), (1.0, '750.0'), 0.9466666666666667)
    """
    if not items:
        return None
    reached = [end for one in items for end in (one.value, one.low, one.high)]
    place, ticks = _axis(reached, words)
    return SheetChart(
        title=title,
        about=about,
        ticks=ticks,
        zero=place(0.0),
        items=tuple(
            ChartItem(
                one.name,
                place(one.value),
                expected=place(one.expected),
                low=place(one.low),
                high=place(one.high),
            )
            for one in items
        ),
    )


def bar_chart(
    title: str, about: str, values: Sequence[tuple[str, float | None]], words: Callable[[float], str]
) -> SheetChart | None:
    """Return bars by their names, some of them not known; None without any."""
    if not values:
        return None
    place, ticks = _axis((value for _, value in values if value is not None), words)
    items = tuple(
        ChartItem(name, None, "not known") if value is None else ChartItem(name, place(value), words(value))
        for name, value in values
    )
    return SheetChart(title=title, about=about, ticks=ticks, zero=place(0.0), items=items)


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


def picture_svg(picture: SheetChart | SheetDrawing, *, beside: int = 1) -> str:
    """Return a picture as SVG; a chart as wide as there is room for so many beside each other."""
    if isinstance(picture, SheetDrawing):
        return picture.svg
    wide = (_WIDE - _GAP * (beside - 1)) / beside
    high = _TOP + _HIGH + _BELOW
    drawn = "\n".join([*_drawn_axis(picture, wide), *_drawn_items(picture, wide)])
    size = f'width="{wide:.2f}mm" height="{high}mm" viewBox="0 0 {wide:.2f} {high}"'
    font = 'font-family="Libertinus Serif, Georgia, serif" font-size="2.5"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n{drawn}\n</svg>'


def _drawn_axis(chart: SheetChart, wide: float) -> Iterator[str]:
    for share, words in chart.ticks:
        yield _line(_LEFT, wide, _y(share), f'stroke="{_HAIR}" stroke-width=".1"')
        yield _text(_LEFT - 2, _y(share) + 0.8, words, anchor="end", fill=_FAINT)
    yield _line(_LEFT, wide, _y(chart.zero), f'stroke="{_FAINT}" stroke-width=".2"')


def _drawn_items(chart: SheetChart, wide: float) -> Iterator[str]:
    step = (wide - _LEFT) / len(chart.items)
    bar = min(step * 0.55, 14)
    every = math.ceil(_NAME_WIDE / step)
    for number, item in enumerate(chart.items):
        middle = _LEFT + step * (number + 0.5)
        end = chart.zero if item.value is None else item.value
        if item.high is not None and item.low is not None and item.expected is not None:
            dashes = f'stroke="{_INK}" stroke-width=".3" stroke-dasharray="1 .7"'
            yield _bar(middle, bar, item.low, item.high, "#bcd5e4")
            yield _line(middle - bar / 2, middle + bar / 2, _y(item.expected), dashes)
            yield f'<circle cx="{middle:.2f}" cy="{_y(end):.2f}" r="1" fill="#b0440f"/>'
        elif item.value is not None:
            yield _bar(middle, bar, min(end, chart.zero), max(end, chart.zero), "#3c7ca0")
        is_below = end < chart.zero  # then a bar's figure stands inside it, clear of the names
        yield _text(middle, _y(end) - 1, item.said, fill="#ffffff" if is_below else "#222222")
        if number % every == 0:
            yield _text(middle, _TOP + _HIGH + 5, item.name, fill=_FAINT)


def _y(share: float) -> float:
    return _TOP + (1 - share) * _HIGH


def _line(first: float, last: float, y: float, look: str) -> str:
    return f'<path d="M{first:.2f} {y:.2f}H{last:.2f}" fill="none" {look}/>'


def _bar(middle: float, wide: float, low: float, high: float, fill: str) -> str:
    place = f'x="{middle - wide / 2:.2f}" y="{_y(high):.2f}" width="{wide:.2f}" height="{_y(low) - _y(high):.2f}"'
    return f'<rect {place} fill="{fill}"/>'


def _text(x: float, y: float, words: str, *, fill: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>' if words else ""

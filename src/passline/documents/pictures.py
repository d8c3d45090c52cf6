"""Pictures on a sheet: drawings to scale, and charts with bars or with what was expected beside what came."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape

from msgspec import Struct
from msgspec.structs import replace

from passline.charts import nice

_TICKS = 5  # at least so many parts of an axis, and at most twice as many
_WIDE = 249  # millimetres of all charts beside each other
_GAP, _LEFT, _TOP, _HIGH, _BELOW = 9, 15, 4, 38, 7  # between charts; of one: for figures, above, the bars, for names
_NAME_WIDE = 13  # of the name under a bar
_INK, _FAINT, _HAIR = "#1f3b2d", "#5c6a63", "#c9d3cd"


class SheetDrawing(Struct, frozen=True, kw_only=True):
    """A drawing to scale, as SVG."""

    title: str
    about: str
    svg: str
    inches_wide: float  # on paper


class ChartItem(Struct, frozen=True):
    """A bar; or a figure with its expected value and the band within which chance nearly always stays."""

    name: str
    value: float | None  # None: not known
    expected: float = 0.0
    band: tuple[float, float] | None = None
    said: str = ""  # stands beside it


class SheetChart(Struct, frozen=True, kw_only=True):
    """A chart, as wide as there is room."""

    title: str
    about: str
    ticks: tuple[tuple[float, str], ...]  # of the axis from its foot to its top, each with its figure
    items: tuple[ChartItem, ...]
    inches_wide: float = 0.0


def chart_of(title: str, about: str, items: Sequence[ChartItem], words: Callable[[float], str]) -> SheetChart | None:
    """Return a chart with an axis on which all items and zero have room; None without items.

    >>> chart = chart_of("Win", "", [ChartItem("14 Nov", 240.0, 70.0, (-530.0, 670.0))], str)
    >>> chart.ticks[0], chart.ticks[-1]
    ((-750.0, '-750.0'), (750.0, '750.0'))
    """
    if not items:
        return None
    reached = [0.0, *(end for item in items for end in (item.value, *(item.band or ())) if end is not None)]
    step = nice((max(reached) - min(reached) or 1.0) / _TICKS)
    bottom = math.floor(min(reached) / step + 1e-9)
    top = max(math.ceil(max(reached) / step - 1e-9), bottom + 1)
    ticks = tuple((tick * step, words(tick * step)) for tick in range(bottom, top + 1))
    shown = (
        item if item.band else replace(item, said="not known" if item.value is None else words(item.value))
        for item in items
    )
    return SheetChart(title=title, about=about, ticks=ticks, items=tuple(shown))


def picture_svg(picture: SheetChart | SheetDrawing, *, beside: int = 1) -> str:
    """Return a picture as SVG; a chart as wide as there is room for so many beside each other."""
    if isinstance(picture, SheetDrawing):
        return picture.svg
    wide, high = (_WIDE - _GAP * (beside - 1)) / beside, _TOP + _HIGH + _BELOW
    size = f'width="{wide:.2f}mm" height="{high}mm" viewBox="0 0 {wide:.2f} {high}"'
    font = 'font-family="Libertinus Serif, Georgia, serif" font-size="2.5"'
    drawn = "\n".join(_draw(picture, wide))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>\n{drawn}\n</svg>'


def _draw(chart: SheetChart, wide: float) -> Iterator[str]:
    low, high = chart.ticks[0][0], chart.ticks[-1][0]

    def y(value: float) -> float:
        return _TOP + _HIGH * (high - value) / (high - low)

    for tick, words in chart.ticks:
        yield _line(_LEFT, wide, y(tick), f'stroke="{_HAIR}" stroke-width=".1"')
        yield _text(_LEFT - 2, y(tick) + 0.8, words, anchor="end", fill=_FAINT)
    yield _line(_LEFT, wide, y(0), f'stroke="{_FAINT}" stroke-width=".2"')
    step = (wide - _LEFT) / len(chart.items)
    bar, every = min(step * 0.55, 14), math.ceil(_NAME_WIDE / step)
    for number, item in enumerate(chart.items):
        middle, value = _LEFT + step * (number + 0.5), item.value or 0.0
        ends, fill = (item.band, "#bcd5e4") if item.band else ((min(value, 0.0), max(value, 0.0)), "#3c7ca0")
        place = (
            f'x="{middle - bar / 2:.2f}" y="{y(ends[1]):.2f}" width="{bar:.2f}" height="{y(ends[0]) - y(ends[1]):.2f}"'
        )
        if item.value is not None:
            yield f'<rect {place} fill="{fill}"/>'
        if item.band:
            dashes = f'stroke="{_INK}" stroke-width=".3" stroke-dasharray="1 .7"'
            yield _line(middle - bar / 2, middle + bar / 2, y(item.expected), dashes)
            yield f'<circle cx="{middle:.2f}" cy="{y(value):.2f}" r="1" fill="#b0440f"/>'
        # The figure of a bar below zero stands inside it, clear of the names.
        yield _text(middle, y(value) - 1, item.said, fill="#ffffff" if value < 0 else "#222222")
        if number % every == 0:
            yield _text(middle, _TOP + _HIGH + 5, item.name, fill=_FAINT)


def _line(first: float, last: float, y: float, look: str) -> str:
    return f'<path d="M{first:.2f} {y:.2f}H{last:.2f}" fill="none" {look}/>'


def _text(x: float, y: float, words: str, *, fill: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>' if words else ""

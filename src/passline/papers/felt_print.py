"""The print of each area of the layout, as `layout/printed.py` has it, in lines and words of an SVG drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from passline.layout.geometry import LayoutArea
from passline.layout.printed import Marking, NumberedSpot

INK = "#1c2621"
"""The colour of lines and words."""
_ODDS = "#7a2b12"
_WIDE, _LOWER, _NARROW = 0.72, 0.52, 0.3  # of the size: capitals, small letters and figures, signs
_FONT = "'Libertinus Serif', 'Liberation Serif', Georgia, 'Times New Roman', serif"
_PIPS = {1: ((1, 1),), 2: ((0, 0), (2, 2)), 3: ((0, 0), (1, 1), (2, 2)), 4: ((0, 0), (0, 2), (2, 0), (2, 2))}
_PIPS |= {5: (*_PIPS[4], (1, 1)), 6: (*_PIPS[4], (0, 1), (2, 1))}
_LAMPS_IN_ROW = 6
_BETWEEN = " \N{MIDDLE DOT} "


class Pen:
    """Collects what is drawn, in units of the layout."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def rect(self, x: float, y: float, w: float, h: float, *, weight: float = 1.2, fill: str = "none") -> None:
        """Draw a rectangle."""
        shape = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="2"'
        self.drawn.append(f'<rect {shape} fill="{fill}" stroke="{INK}" stroke-width="{weight:g}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a line."""
        ends = f'x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}"'
        self.drawn.append(f'<line {ends} stroke="{INK}" stroke-width="0.8"/>')

    def circle(self, x: float, y: float, radius: float, *, fill: str = "none") -> None:
        """Draw a circle."""
        self.drawn.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="0.9"/>'
        )

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: str = "middle",
        fit: float = 0,
        is_odds: bool = False,
        turned: bool = False,
    ) -> None:
        """Write a line, smaller where it would be wider than `fit`."""
        if not text:
            return
        wide = width_of(text, size)
        size = size * fit / wide if fit and wide > fit else size
        look = f'font-size="{size:.4g}" fill="{_ODDS if is_odds else INK}"' + ("" if is_odds else ' font-weight="600"')
        turn = f' transform="rotate(-90 {x:g} {y:g})"' if turned else ""
        place = f'x="{x:.5g}" y="{y:.5g}" text-anchor="{anchor}"{turn}'
        self.drawn.append(f'<text {place} {look} font-family="{_FONT}">{escape(text)}</text>')

    def stack(self, area: tuple[float, float, float, float], lines: Iterable[tuple[str, float, bool]]) -> None:
        """Write lines of words one below the other in the middle of a rectangle: text, size, whether they are odds."""
        x, y, w, h = area
        lines = [line for line in lines if line[0]]
        tall = sum(size for _text, size, _odds in lines)
        pitch = min(1.25, h * 0.86 / tall) if tall else 1
        top = y + (h - tall * pitch) / 2
        for text, size, is_odds in lines:
            top += size * pitch
            self.words(x + w / 2, top - size * pitch * 0.28, text, size * min(pitch, 1), fit=w - 5, is_odds=is_odds)

    def die(self, x: float, y: float, size: float, face: int) -> None:
        """Draw a die."""
        self.rect(x, y, size, size, weight=0.8, fill="#ffffff")
        for column, row in _PIPS[face]:
            cx, cy = x + size * (0.25 + 0.25 * column), y + size * (0.25 + 0.25 * row)
            self.drawn.append(f'<circle cx="{cx:.5g}" cy="{cy:.5g}" r="{size * 0.09:.3g}" fill="{INK}"/>')

    def area(self, area: LayoutArea) -> None:
        """Draw an area with its print."""
        self.rect(area.x, area.y, area.w, area.h)
        _FACES.get(area.printed.face, _cell)(self, area)

    def spot(self, spot: NumberedSpot) -> None:
        """Draw the numbered spot of a position."""
        self.circle(spot.x, spot.y, spot.radius, fill="#ffffff")
        self.words(spot.x, spot.y + spot.radius * 0.36, str(spot.number), spot.radius * 1.05)

    def mark(self, mark: Marking) -> None:
        """Write words that stand beside the areas."""
        text = mark.says if mark.kind == "name" else mark.says.upper()
        size = min(mark.h * 0.6, 18)
        self.words(mark.x + mark.w / 2, mark.y + mark.h / 2 + size * 0.34, text, size, fit=mark.w - 12)


def width_of(text: str, size: float) -> float:
    """Return how wide a line is at most, in the units of its size."""
    share = sum(_WIDE if letter.isupper() else _NARROW if letter in " ,.:;'-" else _LOWER for letter in text)
    return share * size


def _rect(area: LayoutArea) -> tuple[float, float, float, float]:
    return area.x, area.y, area.w, area.h


def _cell(pen: Pen, area: LayoutArea) -> None:
    """Print a name with what it pays: side by side where the area is low and wide, else one below the other."""
    printed = area.printed
    label = f"{printed.label} {printed.rate}" if printed.rate else printed.label
    odds = printed.odds or printed.notes
    if area.h <= 50 and area.w >= 150:  # noqa: PLR2004 - as low as a line of words
        middle = area.y + area.h / 2 + 4.5
        pen.words(area.x + 14, middle, label, 15, anchor="start", fit=area.w * 0.42)
        pen.words(area.x + area.w - 12, middle, _BETWEEN.join(odds), 12, anchor="end", fit=area.w * 0.5, is_odds=True)
        return
    pen.stack(_rect(area), [(label, 12, False), *((odds_text, 11, True) for odds_text in odds)])


def _number(pen: Pen, area: LayoutArea) -> None:
    size = 26 if len(area.printed.label) <= 2 else 20  # noqa: PLR2004 - figures or a word
    pen.stack(_rect(area), [(area.printed.label, size, False), *((note, 12, True) for note in area.printed.notes)])


def _dice(pen: Pen, area: LayoutArea) -> None:
    first, second = area.printed.dice[0]
    x, y, w, h = _rect(area)
    if w > 120:  # noqa: PLR2004 - dice beside the words
        size = 27.0
        pen.die(x + 10, y + (h - size) / 2, size, first)
        pen.die(x + 13 + size, y + (h - size) / 2, size, second)
        left = 2 * size + 18
        pen.stack((x + left, y, w - left, h), [(area.printed.label, 14, False), (area.printed.notes[0], 13, True)])
        return
    size = min(22.0, h * 0.4)
    pen.die(x + w / 2 - size - 1.5, y + 5, size, first)
    pen.die(x + w / 2 + 1.5, y + 5, size, second)
    pen.stack((x, y + size + 6, w, h - size - 8), [(f"{area.printed.label}  {area.printed.notes[0]}", 12, True)])


def _circles(pen: Pen, area: LayoutArea) -> None:
    x, y, w, h = _rect(area)
    radius = min(12.5, w / 2 - 1)
    odds = [text.partition(" ")[2] for text in area.printed.odds]
    for index, letter in enumerate("CE"):
        middle = y + h * (0.22 + 0.48 * index)
        pen.circle(x + w / 2, middle, radius)
        pen.words(x + w / 2, middle + 5, letter, 14)
        pen.words(
            x + w / 2, middle + radius + 10, odds[index] if index < len(odds) else "", 11, fit=w - 2, is_odds=True
        )


def _line(pen: Pen, area: LayoutArea) -> None:
    x, y, w, h = _rect(area)
    size = min(h * 0.5, 32)
    pen.words(x + w / 2, y + h / 2 + size * 0.34, area.printed.label, size, fit=w * 0.6)
    pen.words(x + w - 9, y + 16, " ".join(area.printed.odds), 12, anchor="end", fit=w * 0.3, is_odds=True)


def _bar(pen: Pen, area: LayoutArea) -> None:
    """Print a don't wager, with the dice that are barred."""
    x, y, w, h = _rect(area)
    printed, pair = area.printed, area.printed.dice[0] if area.printed.dice else ()
    if h > w:
        first, _, second = printed.label.rpartition(" ")
        pen.stack((x, y + 8, w, 44), [(first, 16, False), (second, 16, False)])
        for index, face in enumerate(pair):
            pen.die(x + w / 2 - 21 + 22 * index, y + 58, 20, face)
        pen.stack(
            (x, y + 84, w, 34),
            [*((note, 13, True) for note in printed.notes), *((text, 12, True) for text in printed.odds)],
        )
        return
    size = 20
    wide = width_of(printed.label, size)
    left = x + (w - wide - 150) / 2
    pen.words(left, y + h / 2 + size * 0.34, printed.label, size, anchor="start")
    for index, face in enumerate(pair):
        pen.die(left + wide + 12 + index * (size + 3), y + (h - size) / 2, size, face)
    pen.words(left + wide + 2 * size + 26, y + h / 2 + 4.5, " ".join(printed.notes), 13, anchor="start", is_odds=True)
    pen.words(x + w - 9, y + 15, " ".join(printed.odds), 12, anchor="end", is_odds=True)


def _field(pen: Pen, area: LayoutArea) -> None:
    x, y, w, h = _rect(area)
    printed = area.printed
    pen.words(x + w / 2, y + 25, printed.label, 20)
    pen.words(x + w - 9, y + 16, " ".join(printed.odds), 12, anchor="end", is_odds=True)
    step, row = (w - 60) / len(printed.marks), y + h * 0.6
    for index, mark in enumerate(printed.marks):
        middle = x + 30 + step * (index + 0.5)
        if mark.note:
            pen.circle(middle, row, 16)
            pen.words(middle, row + 29, mark.note, 12, fit=step - 2, is_odds=True)
        pen.words(middle, row + 7, mark.text, 20)


def _lamps(pen: Pen, area: LayoutArea) -> None:
    """Print a side wager: its name, what it pays, and a place for the marker of each total that counts."""
    x, y, w, h = _rect(area)
    totals = area.printed.lamps
    rows = [totals[: len(totals) // 2], totals[len(totals) // 2 :]] if len(totals) > _LAMPS_IN_ROW else [totals]
    note = ", ".join(area.printed.lines)
    if h < 40 and w >= 150:  # noqa: PLR2004 - one line
        pen.words(x + 8, y + h / 2 + 4, area.printed.label, 12, anchor="start", fit=w * 0.3)
        pen.words(x + w - 8, y + h / 2 + 4, note, 11, anchor="end", fit=w * 0.62, is_odds=True)
        return
    head = min(26, h * 0.55)
    pen.stack((x, y, w, head if totals else h), [(area.printed.label, 12, False), (note, 10, True)])
    if not totals:
        return
    pitch = (h - head) / len(rows)
    for place, row in enumerate(rows):
        step = min(18, (w - 6) / max(len(row), 1))
        for index, total in enumerate(row):
            cx, cy = x + w / 2 + (index - (len(row) - 1) / 2) * step, y + head + pitch * (place + 0.5)
            radius = min(step / 2.2, pitch / 2.2)
            pen.circle(cx, cy, radius)
            pen.words(cx, cy + radius * 0.4, str(total), radius * 1.2)


def _position_spots(pen: Pen, area: LayoutArea) -> None:
    """Print a side wager with a spot for each position, which are drawn beside it."""
    pen.words(area.x + 8, area.y + 15, area.printed.label, 13, anchor="start")
    note = ", ".join(area.printed.lines)
    pen.words(area.x + area.w - 8, area.y + 15, note, 11, anchor="end", fit=area.w * 0.55, is_odds=True)


_FACES: dict[str, Callable[[Pen, LayoutArea], None]] = {
    "number": _number,
    "cell": _cell,
    "dice": _dice,
    "circles": _circles,
    "line": _line,
    "bar": _bar,
    "field": _field,
    "lamps": _lamps,
    "numbered": _position_spots,
}

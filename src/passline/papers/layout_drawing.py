"""The layout of a house as a drawing to scale: every area that its wagers have, with dimensions in feet and inches.

A table where players stand has two ends round its centre; one where they sit has one. The grid is that of the layout on
screens (`layout/geometry.py`); the length of the felt says how many inches a unit of it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.layout.geometry import CENTRE_LEFT, CENTRE_RIGHT, END_LEFT, END_RIGHT, LayoutArea, layout_of
from passline.layout.printed import Marking, NumberedSpot, rail_spots, spot_places
from passline.papers.felt_print import INK, Pen
from passline.rules.explain.paper_head import PaperHead
from passline.rules.rules import Rules

_SCALES = (8, 12, 16, 24, 32, 48)  # as architects' rulers have them
_PAPER_INCHES = Fraction(15)  # of the felt on the paper, at most
_FEET_MIN, _FEET_MAX = 4, 20
_USUAL_FEET = {1: 7, 2: 12}
_EDGE = 30  # units of felt outside the areas
_AXIS = CENTRE_LEFT + CENTRE_RIGHT  # twice the middle: what is mirrored keeps this sum
_ABOVE, _BESIDE, _BELOW = 74, 120, 96  # units round the felt, for dimensions and the title
_EIGHTHS = 8


class DrawnArea(Struct, frozen=True):
    """The areas of one wager: what they are called, what is printed on them, how many there are and how large."""

    kind: str
    name: str
    printed: str
    count: int
    size: str


class LayoutDrawing(Struct, frozen=True):
    """A drawing: the SVG, at what scale, the felt in words, and a schedule of its areas."""

    svg: str
    scale: str
    felt: str
    areas: tuple[DrawnArea, ...]
    inches_wide: float  # of the drawing on paper


def ends_of(rules: Rules) -> int:
    """Return how many ends the table has: one where players must sit, else two."""
    return 1 if rules.game.seats.seated else 2


def usual_feet(rules: Rules) -> int:
    """Return the length of the felt that houses use most."""
    return _USUAL_FEET[ends_of(rules)]


def feet_and_inches(inches: Fraction) -> str:
    """Return a length to the nearest eighth of an inch.

    >>> print(*(feet_and_inches(Fraction(inches)) for inches in ("144", "65/2", "7/2")), sep="; ")
    12'; 2' 8 1/2"; 3 1/2"
    """
    eighths = round(inches * _EIGHTHS)
    feet, rest = divmod(eighths, 12 * _EIGHTHS)
    whole, part = divmod(rest, _EIGHTHS)
    fraction = str(Fraction(part, _EIGHTHS)) if part else ""
    small = " ".join(filter(None, (str(whole) if whole or not fraction else "", fraction)))
    texts = [f"{feet}'"] if feet else []
    return " ".join([*texts, *([f'{small}"'] if rest or not feet else [])])


def layout_drawing(rules: Rules, head: PaperHead, *, feet: Fraction | None = None) -> LayoutDrawing:
    """Draw the layout of a house on a felt of this length.

    >>> from passline.rules.explain.paper_head import head_of
    >>> rules = Rules.of("maryland")
    >>> drawing = layout_drawing(rules, head_of(rules, version="0"))
    >>> print(drawing.scale, drawing.felt, drawing.areas[0].name, sep="; ")
    1:12, one inch to 1'; 12' by 3' 11"; Don't Come
    """
    long = Fraction(usual_feet(rules)) if feet is None else feet
    if not _FEET_MIN <= long <= _FEET_MAX:
        raise CrapsError(f"a felt of {float(long):g} feet: choose a length from {_FEET_MIN} to {_FEET_MAX}")
    return _Drawing(rules, head, long * 12).drawing()


class _Drawing:
    """What is on the felt, and the paper round it."""

    def __init__(self, rules: Rules, head: PaperHead, inches: Fraction) -> None:
        self.rules, self.head = rules, head
        view = layout_of(rules).table
        self.has_two_ends = ends_of(rules) == 2  # noqa: PLR2004
        self.right = _AXIS - END_LEFT if self.has_two_ends else CENTRE_RIGHT
        self.areas = [*view.areas, *(self._mirror(view.areas) if self.has_two_ends else ())]
        self.marks = [*view.marks, *(self._mirrored_marks(view.marks) if self.has_two_ends else ())]
        self.top = min(area.y for area in self.areas)
        self.bottom = max([area.y + area.h for area in self.areas] + [mark.y + mark.h for mark in self.marks])
        self.spots = [*(spot for spot in view.spots if not spot.is_at_edge), *self._edge_spots(view.spots)]
        self.long = self.right - END_LEFT + 2 * _EDGE
        self.wide = self.bottom - self.top + 2 * _EDGE
        self.unit = inches / self.long  # inches of felt in a unit
        self.scale = next((scale for scale in _SCALES if inches / scale <= _PAPER_INCHES), _SCALES[-1])

    def _mirror(self, areas: Iterable[LayoutArea]) -> Iterator[LayoutArea]:
        """Yield the areas of the other end. Numbers read from left to right at both, for the dealers."""
        ends = [area for area in areas if area.x + area.w <= CENTRE_LEFT]
        boxes = [area for area in ends if area.number and area.y + area.h <= _boxes_bottom(ends)]
        first, last = (min(area.x for area in boxes), max(area.x + area.w for area in boxes)) if boxes else (0, 0)
        for area in ends:
            x = area.x + (_AXIS - last - first) if area in boxes else _AXIS - area.x - area.w
            yield replace(area, x=x)

    def _mirrored_marks(self, marks: Iterable[Marking]) -> Iterator[Marking]:
        return (replace(mark, x=_AXIS - mark.x - mark.w) for mark in marks if mark.x + mark.w <= CENTRE_LEFT)

    def _edge_spots(self, spots: Iterable[NumberedSpot]) -> Iterator[NumberedSpot]:
        """Yield the spots of positions round the edge, clockwise from the boxperson's left."""
        top, low = self.top - _EDGE // 2, self.bottom + _EDGE // 2
        left, right = END_LEFT - _EDGE // 2, self.right + _EDGE // 2
        begins = (CENTRE_LEFT + (CENTRE_RIGHT - CENTRE_LEFT) * 5 // 8, top)
        for kind in dict.fromkeys(spot.kind for spot in spots if spot.is_at_edge):
            ends = (left, top) if self.has_two_ends else (left, top + _EDGE)
            path = (begins, (right, top), (right, low), (left, low), ends)
            yield from rail_spots(kind, spot_places(self.rules, kind), path)

    def drawing(self) -> LayoutDrawing:
        pen = Pen()
        left, top = END_LEFT - _EDGE, self.top - _EDGE
        pen.rect(left, top, self.long, self.wide, weight=2.4, fill="#fbfdfb")
        for area in self.areas:
            pen.area(area)
        for mark in self.marks:
            pen.mark(mark)
        for spot in self.spots:
            pen.spot(spot)
        self._dimensions(pen)
        self._title(pen, top + self.wide)
        whole, high = self.long + _BESIDE + _EDGE, self.wide + _ABOVE + _BELOW
        paper = self.unit / self.scale
        wide_inches = float(whole * paper)
        box = f"{left - _BESIDE} {top - _ABOVE} {whole} {high}"
        size = f'width="{wide_inches:.4f}in" height="{float(high * paper):.4f}in"'
        title = f"<title>Layout of {_plain(self.head.house)}, {self.head.game}, 1:{self.scale}</title>"
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}">{title}\n'
            + "\n".join(pen.drawn)
            + "\n</svg>\n"
        )
        felt = f"{feet_and_inches(self.long * self.unit)} by {feet_and_inches(self.wide * self.unit)}"
        return LayoutDrawing(svg, self._scale_text(), felt, tuple(self._schedule()), wide_inches)

    def _scale_text(self) -> str:
        return f"1:{self.scale}, one inch to {feet_and_inches(Fraction(self.scale))}"

    def _dimensions(self, pen: Pen) -> None:
        """Draw the lengths: of the felt, its ends and its centre above; of its rows on the left."""
        left, top = END_LEFT - _EDGE, self.top - _EDGE
        self._across(pen, top - 50, left, left + self.long)
        edges = [END_LEFT, END_RIGHT, CENTRE_LEFT, CENTRE_RIGHT]
        edges += [_AXIS - END_RIGHT, _AXIS - END_LEFT] if self.has_two_ends else []
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            self._across(pen, top - 20, first, last)
        self._down(pen, left - 86, top, top + self.wide)
        kinds = ("come", "field", "dont_pass", "pass", "pass_odds")
        rows = {(area.y, area.y + area.h) for area in self.areas if area.kind in kinds and not area.number}
        low = _boxes_bottom(self.areas)
        boxes = [area for area in self.areas if area.number and area.x < END_RIGHT and area.y < low]
        if boxes:
            rows.add((min(area.y for area in boxes), low))
        for first, last in sorted(rows):
            self._down(pen, left - 26, first, last)

    def _across(self, pen: Pen, y: float, first: float, last: float) -> None:
        pen.line(first, y, last, y)
        for x in (first, last):
            pen.line(x, y - 6, x, y + 6)
        pen.words((first + last) / 2, y - 5, feet_and_inches((Fraction(last) - Fraction(first)) * self.unit), 15)

    def _down(self, pen: Pen, x: float, first: float, last: float) -> None:
        pen.line(x, first, x, last)
        for y in (first, last):
            pen.line(x - 6, y, x + 6, y)
        text = feet_and_inches((Fraction(last) - Fraction(first)) * self.unit)
        is_long = last - first > 110  # noqa: PLR2004 - room for turned words
        if is_long:
            pen.words(x - 6, (first + last) / 2, text, 15, turned=True)
        else:
            pen.words(x - 9, (first + last) / 2 + 4, text, 13, anchor="end")

    def _title(self, pen: Pen, y: float) -> None:
        """Write what the drawing is of, with a scale to measure by if it is printed at another size."""
        left = END_LEFT - _EDGE
        head = self.head
        pen.words(left, y + 34, f"{head.house}: layout for {head.game.lower()}", 22, anchor="start")
        text = f"{head.regulation}. Scale {self._scale_text()}. Areas and odds are those of the rules it deals by."
        pen.words(left, y + 56, text, 15, anchor="start")
        dated = f"In force from {head.in_force}. " if head.in_force else ""
        pen.words(left, y + 76, f"{dated}passline {head.version}. Elections, SHA-256 {head.digest}", 13, anchor="start")
        foot = 12 / self.unit
        right = left + self.long
        pen.words(right - float(foot) / 2, y + 62, "one foot", 14)
        for part in range(4):
            x = right - foot + foot * part / 4
            pen.rect(float(x), y + 32, float(foot / 4), 9, weight=0.8, fill=INK if part % 2 else "#ffffff")

    def _schedule(self) -> Iterator[DrawnArea]:
        """Yield the areas wager by wager; those of one wager may differ in size."""
        kinds: dict[str, list[LayoutArea]] = {}
        for area in self.areas:
            kinds.setdefault(area.kind, []).append(area)
        for kind, areas in kinds.items():
            sizes = dict.fromkeys(f"{self._inches(area.w)} by {self._inches(area.h)}" for area in areas)
            texts = dict.fromkeys(_text(area) for area in areas)
            name = self.rules.wagers[kind].display_name()
            yield DrawnArea(kind, name, "; ".join(texts), len(areas), "; ".join(sizes))

    def _inches(self, units: int) -> str:
        return feet_and_inches(units * self.unit)


def _boxes_bottom(areas: Iterable[LayoutArea]) -> int:
    """Return where the boxes of the numbers end: above the come area, or above the first row that has no numbers."""
    placed = [area.y + area.h for area in areas if area.kind == "place_win"]
    return max(placed, default=0)


def _text(area: LayoutArea) -> str:
    printed = area.printed
    marks = " ".join(f"{mark.text} ({mark.note})" if mark.note else mark.text for mark in printed.marks)
    label = f"{printed.label} {printed.rate}".strip()
    return ", ".join(filter(None, (label, marks, *printed.notes, *printed.odds, *printed.lines)))


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")

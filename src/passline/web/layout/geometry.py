"""The layout people see: where each wager of the rules in force lies, on a table and on a phone.

The table shows one end and the centre on a grid of 1000 by 520. A phone shows the end, and the rest in two sheets: the
centre, and the further wagers on numbers. A unit there is nearly a pixel, and every area is at least 44 units high.

Wagers that every casino has lie where every casino has them. A wager that is offered but not listed here gets a row of
its own: below the grid on a table, at the end of the centre sheet on a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.game.judges.working import call_clause, calls_of
from passline.rules.rules import Rules
from passline.rules.schema import Collection, Line, SideWager
from passline.web.layout.printed import Printed, offered_kinds, printed

__all__ = ["Calls", "Layout", "LayoutArea", "View", "layout_of"]

_WIDTH, _HEIGHT = 1000, 520
_END_LEFT, _END_RIGHT = 70, 660
_BAR = 80  # the width of the don't come bar
_BOX_TOP, _BOX_HEIGHT, _PLACE_HEIGHT = 30, 150, 50
_BOX_NARROW = 80  # a narrower box has one wager in a row
_CENTRE_RIGHT = 970
_UNLISTED_TOP, _UNLISTED_HEIGHT, _UNLISTED_MAX = 490, 40, 12  # rows of wagers not listed here, so many areas in each
_PHONE, _PHONE_POINTS_MAX, _PHONE_UNLISTED_MAX = 372, 6, 3
_ROW = 46
# A number's box, top to bottom: don't come and lay, then come and buy. The place wager is below them.
_BOX_ROWS = (("dont_come",), ("lay", "place_lose"), ("come", "put_odds"), ("buy", "put"))
_CRAPS = ("craps_3", "craps_2", "craps_12", "eleven")
_MIXED = ("horn", "horn_high", "whirl", "six_seven_eight")
_HARD = (6, 10, 8, 4)
_TRAVELS = {"come": "come_odds", "dont_come": "dont_come_odds"}

Spot = tuple[str, int]
Rect = tuple[int, int, int, int]


class LayoutArea(Struct, frozen=True):
    """An area of the layout: the wager made there, and what is printed on it.

    Odds behind the line have the number 0, because their number is the point.
    """

    kind: str
    number: int
    x: int
    y: int
    w: int
    h: int
    printed: Printed
    also: tuple[str, ...] = ()  # kinds that travel to this number and then lie here


class View(Struct, frozen=True):
    """One picture: some areas on a grid of their own."""

    width: int
    height: int
    areas: tuple[LayoutArea, ...]


class Calls(Struct, frozen=True):
    """The calls that a player may make of a wager (on, off), and the clause that allows or forbids them."""

    may: tuple[str, ...]
    clause: str


class Layout(Struct, frozen=True):
    """Every picture of one table's layout."""

    table: View
    half: View  # on a phone: the end of the table, and the two sheets
    centre: View
    numbers: View
    chips: tuple[int, ...]  # the values of the chips in play, in cents
    points: tuple[int, ...]
    has_tips: bool  # whether wagers for the crew may be made
    calls: dict[str, Calls]  # by kind and number


def layout_of(rules: Rules) -> Layout:
    """Lay out the wagers that the rules in force offer.

    >>> layout = layout_of(Rules.of("maryland"))
    >>> [(area.x, area.y, area.w, area.h) for area in layout.table.areas if area.kind == "pass"]
    [(70, 405, 590, 55)]
    """
    plan = _Plan(rules)
    listed = tuple(plan.table())
    rows = plan.unlisted(listed, _UNLISTED_MAX)
    below = (area for index, row in enumerate(rows) for area in plan.row(row, _unlisted_rect(index)))
    centre = (*plan.centre(), *((48, row) for row in plan.unlisted(listed, _PHONE_UNLISTED_MAX)))
    return Layout(
        table=View(_WIDTH, _HEIGHT + _UNLISTED_HEIGHT * len(rows), (*listed, *map(_numbered, below))),
        half=_stacked(plan, plan.half()),
        centre=_stacked(plan, centre, with_numbers=True),
        numbers=_stacked(plan, plan.numbers(), with_numbers=True),
        chips=_chips(rules),
        points=tuple(sorted(rules.points)),
        has_tips=_has_tips(rules),
        calls={
            f"{kind}:{number}": Calls(calls_of(rules, rule), call_clause(rules, rule, number))
            for kind, rule in rules.wagers.items()
            for number in {0, *rule.numbers}
        },
    )


def _chips(rules: Rules) -> tuple[int, ...]:
    """Return the regulation's chip values that are multiples of the house's smallest chip."""
    values = rules.rulebook.general.live.chips.cents
    return tuple(value for value in values if value >= rules.chip and value % rules.chip == 0)


def _has_tips(rules: Rules) -> bool:
    tips = rules.rulebook.general.tips
    return tips is not None and (not tips.elect or bool(getattr(rules.house, tips.elect)))


class _Plan:
    """The places of one table's wagers. The place of a wager that is not offered stays empty."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kinds = set(offered_kinds(rules))
        self.points = sorted(rules.points)

    def has(self, kind: str, number: int = 0) -> bool:
        """Return whether a wager can lie on a number; without a number, whether it is offered at all."""
        return kind in self.kinds and (not number or number in self._numbers(kind))

    def _numbers(self, kind: str) -> frozenset[int]:
        """Return the numbers a wager is made on or travels to; 0 stands for a wager made without a number."""
        rule = self.rules.wagers[kind]
        return rule.numbers | self.rules.points if isinstance(rule.entry, Line) and rule.entry.moves else rule.numbers

    def unlisted(self, areas: Iterable[LayoutArea], row_max: int) -> list[list[Spot]]:
        """Return the offered spots that have no area: each wager's in rows of its own, of at most `row_max` spots."""
        placed = {(area.kind, area.number) for area in areas}
        kinds = [kind for kind in offered_kinds(self.rules) if (kind, 0) not in placed]
        spots = ([(kind, n) for n in sorted(self._numbers(kind)) if (kind, n) not in placed] for kind in kinds)
        return [row[start : start + row_max] for row in spots for start in range(0, len(row), row_max)]

    def area(self, kind: str, number: int, rect: Rect) -> Iterator[LayoutArea]:
        """Yield a wager's area if it is offered. Where come or don't come has travelled to, its odds are made."""
        if not self.has(kind, number):
            return
        travels = bool(number) and kind in _TRAVELS
        made = _TRAVELS[kind] if travels and self.has(_TRAVELS[kind], number) else kind
        yield LayoutArea(made, number, *rect, printed(self.rules, made, number), (kind,) if travels else ())

    def row(self, spots: Iterable[Spot], rect: Rect) -> Iterator[LayoutArea]:
        """Yield the areas of the offered spots, which share a rectangle side by side."""
        x, y, w, h = rect
        found = [spot for spot in spots if self.has(*spot)]
        for index, (kind, number) in enumerate(found):
            left, right = w * index // len(found), w * (index + 1) // len(found)
            yield from self.area(kind, number, (x + left, y, right - left, h))

    # the table

    def table(self) -> Iterator[LayoutArea]:
        """Yield every listed area of the table."""
        yield from self.area("dont_come", 0, (_END_LEFT, _BOX_TOP, _BAR, _BOX_HEIGHT))
        yield from self._boxes()
        yield from self.area("come", 0, (70, 180, 590, 90))
        if "big" in self.kinds:
            yield from self.area("big", 6, (70, 270, 60, 45))
            yield from self.area("big", 8, (70, 315, 60, 45))
        yield from self.area("field", 0, (130, 270, 530, 90))
        yield from self.area("dont_pass", 0, (130, 360, 530, 45))
        yield from self.area("dont_pass_odds", 0, (70, 360, 60, 45))
        yield from self.area("pass", 0, (70, 405, 590, 55))
        yield from self.area("pass_odds", 0, (70, 460, 590, 30))
        yield from self.area("any_seven", 0, (690, 30, 280, 40))
        for number, x, y in zip(_HARD, (690, 830) * 2, (70, 70, 140, 140), strict=True):
            yield from self.area("hardway", number, (x, y, 140, 70))
        yield from self.area("c_and_e", 0, (661, 215, 27, 100))
        yield from self.row(((kind, 0) for kind in _CRAPS), (690, 210, 280, 60))
        yield from self.row(((kind, 0) for kind in _MIXED), (690, 270, 280, 50))
        yield from self.area("any_craps", 0, (690, 320, 280, 40))
        yield from self.area("hop", 0, (690, 360, 280, 50))
        collections, others = self._side_wagers()
        trios = [collections[start : start + 3] for start in range(0, len(collections), 3)]
        height = 50 // max(len(trios), 1)
        for index, trio in enumerate(trios):
            for column, kind in enumerate(trio):
                x, right = ((690, 783), (783, 877), (877, 970))[column]
                yield from self.area(kind, 0, (x, 410 + height * index, right - x, height))
        yield from self.row(((kind, 0) for kind in others), (690, 460, 280, 30))

    def _boxes(self) -> Iterator[LayoutArea]:
        left = _END_LEFT + (_BAR if "dont_come" in self.kinds else 0)
        wide = (_END_RIGHT - left) // len(self.points)
        bottom = _BOX_TOP + _BOX_HEIGHT - _PLACE_HEIGHT
        for index, number in enumerate(self.points):
            x = left + wide * index
            rows = _BOX_ROWS if wide >= _BOX_NARROW else tuple((kind,) for row in _BOX_ROWS for kind in row)
            filled = [spots for row in rows if (spots := [(kind, number) for kind in row if self.has(kind, number)])]
            for place, spots in enumerate(filled):
                top, low = (_BOX_TOP + (bottom - _BOX_TOP) * step // len(filled) for step in (place, place + 1))
                yield from self.row(spots, (x, top, wide, low - top))
            yield from self.area("place_win", number, (x, bottom, wide, _PLACE_HEIGHT))

    def _side_wagers(self) -> tuple[list[str], list[str]]:
        """Return the collections, which lie in threes, and the other side wagers."""
        side = [kind for kind in self.kinds if isinstance(self.rules.wagers[kind].entry, SideWager)]
        side.sort(key=list(self.rules.wagers).index)
        collections = [kind for kind in side if isinstance(self.rules.wagers[kind].entry, Collection)]
        return collections, [kind for kind in side if kind not in collections]

    # a phone: rows of spots, each row with its height

    def half(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the end of the table."""
        for bank in self._banks():
            for kind in ("dont_come", "come"):
                yield _ROW, [(kind, number) for number in bank]
            yield 58, [("place_win", number) for number in bank]
        yield 52, [("come", 0), ("come", 0), ("dont_come", 0)]
        yield _ROW, [("big", 6), ("big", 8)] if "big" in self.kinds else []
        yield 62, [("field", 0)]
        yield 50, [("dont_pass", 0), ("dont_pass", 0), ("dont_pass_odds", 0)]
        yield 54, [("pass", 0)]
        yield _ROW, [("pass_odds", 0)]

    def centre(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the sheet with the centre and the side wagers."""
        yield 48, [("any_seven", 0)]
        yield 64, [("hardway", number) for number in sorted(_HARD)]
        yield 60, [(kind, 0) for kind in _CRAPS]
        yield 50, [(kind, 0) for kind in _MIXED]
        yield 48, [("any_craps", 0), ("c_and_e", 0)]
        yield 48, [("hop", 0)]
        collections, others = self._side_wagers()
        for start in range(0, len(collections), 3):
            yield 56, [(kind, 0) for kind in collections[start : start + 3]]
        for start in range(0, len(others), 2):
            yield 56, [(kind, 0) for kind in others[start : start + 2]]

    def numbers(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the sheet with the further wagers on numbers."""
        for kind in ("buy", "lay", "place_lose", "put", "put_odds"):
            for bank in self._banks():
                yield 50, [(kind, number) for number in bank]

    def _banks(self) -> list[list[int]]:
        """Return the points in rows that fit a phone."""
        return [self.points] if len(self.points) <= _PHONE_POINTS_MAX else [self.points[:5], self.points[5:]]


def _unlisted_rect(index: int) -> Rect:
    top = _UNLISTED_TOP + index * _UNLISTED_HEIGHT
    return _END_LEFT, top, _CENTRE_RIGHT - _END_LEFT, _UNLISTED_HEIGHT


def _stacked(plan: _Plan, rows: Iterable[tuple[int, list[Spot]]], *, with_numbers: bool = False) -> View:
    """Stack rows of spots; a spot named twice in a row is twice as wide."""
    areas: list[LayoutArea] = []
    y = 0
    for height, spots in rows:
        found = [spot for spot in spots if plan.has(*spot)]
        for spot in dict.fromkeys(found):
            first = found.index(spot)
            left, right = (_PHONE * step // len(found) for step in (first, first + found.count(spot)))
            areas += plan.area(*spot, (left, y, right - left, height))
        y += height if found else 0
    return View(_PHONE, y, tuple(map(_numbered, areas) if with_numbers else areas))


def _numbered(area: LayoutArea) -> LayoutArea:
    """Add an area's number to its label, where no box around it shows the number."""
    label, number = area.printed.label, number_text(area.number)
    if not area.number or number in label.split():
        return area
    return replace(area, printed=replace(area.printed, label=f"{label} {number}"))

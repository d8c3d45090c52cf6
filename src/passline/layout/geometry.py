"""The layout people see: where each wager of the rules in force lies, on a table and on a phone.

The table shows one end and the centre on a grid of 1000 by 520. The boxperson sits above the centre: wagers that must
lie in front of the boxperson are at its top, and the grid grows with them. A phone shows the end, and the rest in two
sheets: the centre, and the further wagers on numbers; on its side, it shows the end wide and low. A unit there is
nearly a pixel, and every area is at least a finger (44 units) wide and high. On a table every area is a finger wide.

Wagers that every casino has lie where every casino has them. Wagers that are offered but not listed here share rows:
below the grid on a table, at the end of the centre sheet on a phone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_text
from passline.game.judges.working import call_clause, calls_of
from passline.game.spots import SPREADS, spread
from passline.layout.coach import CoachWords, coach_of
from passline.layout.printed import (
    Marking,
    NumberedSpot,
    Places,
    Printed,
    chip_colours,
    inscription,
    marks_in,
    offered_kinds,
    rail_spots,
    row_of_spots,
    spot_places,
)
from passline.money import in_currency
from passline.rules.rules import Rules
from passline.rules.schema import Collection, Line, SideWager

_WIDTH, _HEIGHT = 1000, 520
END_LEFT, END_RIGHT, CENTRE_LEFT, CENTRE_RIGHT = 70, 660, 704, 970
"""Where the end and the centre begin and stop; between them craps and eleven have a finger's width."""
_FINGER = 44
_BAR = 62  # the width of the don't come bar, which leaves two fingers for each of six boxes
_BOX_TOP, _BOX_HEIGHT, _PLACE_HEIGHT = 30, 150, 50
_BOX_NARROW = 2 * _FINGER  # a narrower box has one wager in a row
_END_BOTTOM = 490
_UNLISTED_MAX = 6  # areas in a row of wagers not listed here
_CENTRE_WIDE = CENTRE_RIGHT - CENTRE_LEFT
_CENTRE_MAX = 3  # side wagers in a row of the centre
_PROPS_BOTTOM = 410
_NUMBERED_HEIGHT, _TRIO_HEIGHT, _LINE_HEIGHT = 72, 50, 26
_PHONE, _PHONE_POINTS_MAX, _PHONE_UNLISTED_MAX = 372, 6, 3
_LYING = 560  # a phone on its side: the end of the table is wide and low
_ROW = 46
_PLAIN_HEIGHT, _LAMPS_HEIGHT = 48, 56
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


class PostedAt(Struct, frozen=True):
    """Where the limits stand: minimum and maximum on one line, or on two."""

    x: int
    lines: tuple[int, ...]  # their baselines
    size: int


class View(Struct, frozen=True):
    """One picture: some areas on a grid of their own, words beside them, and numbered spots."""

    width: int
    height: int
    areas: tuple[LayoutArea, ...]
    marks: tuple[Marking, ...] = ()
    spots: tuple[NumberedSpot, ...] = ()
    posted: PostedAt | None = None  # where the limits stand, if there is room


class Calls(Struct, frozen=True):
    """The calls that a player may make of a wager (on, off), and the clause that allows or forbids them."""

    may: tuple[str, ...]
    clause: str


class Layout(Struct, frozen=True):
    """Every picture of one table's layout."""

    table: View
    half: View  # on a phone: the end of the table, and the two sheets
    lying: View  # the end of the table on a phone that lies on its side
    centre: View
    numbers: View
    chips: tuple[int, ...]  # the values of the chips in play, in cents
    colours: dict[str, str]  # of chips, by their cents
    points: tuple[int, ...]
    has_tips: bool  # whether wagers for the crew may be made
    calls: dict[str, Calls]  # by kind and number
    spreads: dict[str, tuple[int, ...]]  # the numbers that across, inside and outside name
    coach: CoachWords  # what a newcomer is told
    currency: str  # the sign before amounts


def layout_of(rules: Rules) -> Layout:
    """Lay out the wagers that the rules in force offer.

    >>> layout = layout_of(Rules.of("maryland"))
    >>> [(area.x, area.y, area.w, area.h) for area in layout.table.areas if area.kind == "pass"]
    [(70, 405, 590, 55)]
    """
    plan = _Plan(rules)
    listed = tuple(plan.table())
    in_centre = tuple(plan.centre())
    lie = {*((area.kind, area.number) for area in listed), *(spot for _height, row in in_centre for spot in row)}
    centre = (*in_centre, *plan.unlisted_rows(lie, _PHONE_UNLISTED_MAX))
    currency = rules.rulebook.general.currency
    layout = Layout(
        table=_table(plan, listed),
        half=_stack_rows(plan, plan.half()),
        lying=_stack_rows(plan, plan.landscape_rows(), wide=_LYING),
        centre=_stack_rows(plan, centre, with_numbers=True),
        numbers=_stack_rows(plan, plan.numbers(), with_numbers=True),
        chips=_chips(rules),
        colours=chip_colours(rules),
        points=tuple(sorted(rules.points)),
        has_tips=_has_tips(rules),
        calls={
            f"{kind}:{number}": Calls(calls_of(rules, rule), call_clause(rules, rule, number))
            for kind, rule in rules.wagers.items()
            for number in {0, *rule.numbers}
        },
        spreads={name: tuple(spot.number for spot in spread(rules, name)) for name in SPREADS},
        coach=coach_of(rules),
        currency=currency,
    )
    return in_currency(layout, currency)


def _table(plan: _Plan, listed: tuple[LayoutArea, ...]) -> View:
    """Return the whole table: the listed areas, rows for wagers that are not listed, the words and the spots."""
    left, wide = CENTRE_LEFT, _CENTRE_WIDE
    is_free = all(area.x < left or area.y + area.h <= _PROPS_BOTTOM for area in listed)
    bottom = max(_END_BOTTOM, *(area.y + area.h for area in listed))
    marks = marks_in(plan.rules, (left, _PROPS_BOTTOM + 4, wide, _END_BOTTOM - _PROPS_BOTTOM - 4))
    if marks and not is_free:
        bottom = max(bottom, _END_BOTTOM + _LINE_HEIGHT)
        below_odds = (END_LEFT, _END_BOTTOM, END_RIGHT - END_LEFT, bottom - _END_BOTTOM)
        marks = marks_in(plan.rules, below_odds, is_wide=True)
    if plan.in_front():
        marks = (*marks, Marking("seat", plan.sits_there(), left, 2, wide // 2, 26))
    below: list[LayoutArea] = []
    for height, row in plan.unlisted_rows({(area.kind, area.number) for area in listed}, _UNLISTED_MAX):
        below += plan.row(row, (END_LEFT, bottom, CENTRE_RIGHT - END_LEFT, height))
        bottom += height
    edge = ((left + wide * 5 // 8, 15), (985, 15), (985, bottom + 15), (50, bottom + 15), (50, 45))
    spots = (
        *(spot for kind, places in plan.wagers_by_position() for spot in rail_spots(kind, places, edge)),
        *(spot for area in listed for spot in plan.spots_in(area)),
    )
    areas = (*listed, *map(_add_number, below))
    return View(_WIDTH, bottom + _HEIGHT - _END_BOTTOM, areas, marks, spots, _place_limits(areas, marks))


def _place_limits(areas: Iterable[LayoutArea], marks: Iterable[Marking]) -> PostedAt | None:
    """Return where the limits stand: below the centre, as far as areas and words leave room there."""
    left, middle = CENTRE_LEFT, CENTRE_LEFT + _CENTRE_WIDE // 2
    taken = [area for area in areas if area.x >= left and area.y >= _PROPS_BOTTOM]
    if any(area.y < _PROPS_BOTTOM + 50 for area in taken):
        return None
    if any(mark.x >= left and mark.y >= _PROPS_BOTTOM for mark in marks):
        return PostedAt(middle, (_PROPS_BOTTOM + 49,), 13)
    if taken:
        return PostedAt(middle, (_PROPS_BOTTOM + 31,), 13)
    return PostedAt(middle, (_PROPS_BOTTOM + 36, _PROPS_BOTTOM + 62), 17)


def _chips(rules: Rules) -> tuple[int, ...]:
    """Return the regulation's chip values that are multiples of the house's smallest chip."""
    values = rules.rulebook.general.live.chips.cents
    return tuple(value for value in values if value >= rules.chip and value % rules.chip == 0)


def _has_tips(rules: Rules) -> bool:
    tips = rules.rulebook.general.tips
    return tips is not None and (not tips.elect or bool(rules.choice_of(tips.elect)))


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

    def unlisted_rows(self, placed: set[Spot], row_max: int) -> list[tuple[int, list[Spot]]]:
        """Return the offered spots that have no place, in as few rows as they fit, and the height of each row."""
        kinds = [kind for kind in offered_kinds(self.rules) if (kind, 0) not in placed]
        spots = [(kind, n) for kind in kinds for n in sorted(self._numbers(kind)) if (kind, n) not in placed]
        count = -(-len(spots) // row_max)
        cuts = [len(spots) * step // count for step in range(count + 1)] if count else []
        rows = [spots[start:end] for start, end in pairwise(cuts)]
        side = set(self._side())
        return [(_LAMPS_HEIGHT if {kind for kind, _n in row} & side else _PLAIN_HEIGHT, row) for row in rows]

    def area(self, kind: str, number: int, rect: Rect) -> Iterator[LayoutArea]:
        """Yield a wager's area if it is offered. Where come or don't come has travelled to, its odds are made."""
        if not self.has(kind, number):
            return
        travels = bool(number) and kind in _TRAVELS
        made = _TRAVELS[kind] if travels and self.has(_TRAVELS[kind], number) else kind
        found = LayoutArea(made, number, *rect, inscription(self.rules, made, number), (kind,) if travels else ())
        yield found if self.has("place_win", number) else _add_number(found)

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
        left, wide, rest = END_LEFT, END_RIGHT - END_LEFT, 130
        yield from self.area("dont_come", 0, (left, _BOX_TOP, _BAR, _BOX_HEIGHT))
        yield from self._boxes()
        yield from self.area("come", 0, (left, 180, wide, 90))
        if "big" in self.kinds:
            yield from self.area("big", 6, (left, 270, rest - left, 45))
            yield from self.area("big", 8, (left, 315, rest - left, 45))
        yield from self.area("field", 0, (rest, 270, END_RIGHT - rest, 90))
        yield from self.area("dont_pass", 0, (rest, 360, END_RIGHT - rest, 45))
        yield from self.area("dont_pass_odds", 0, (left, 360, rest - left, 45))
        yield from self.area("pass", 0, (left, 405, wide, 55))
        yield from self.area("pass_odds", 0, (left, 460, wide, 30))
        yield from self._table_centre()

    def _table_centre(self) -> Iterator[LayoutArea]:
        top = _BOX_TOP
        for height, kinds in self.in_front():
            yield from self._trio(kinds, top, height)
            top += height
        down = top - _BOX_TOP
        left, wide, half = CENTRE_LEFT, _CENTRE_WIDE, _CENTRE_WIDE // 2
        yield from self.area("any_seven", 0, (left, 30 + down, wide, 40))
        for number, x, y in zip(_HARD, (left, left + half) * 2, (70, 70, 140, 140), strict=True):
            yield from self.area("hardway", number, (x, y + down, half, 70))
        yield from self.area("c_and_e", 0, (END_RIGHT, 215 + down, CENTRE_LEFT - END_RIGHT, 100))
        yield from self.row(((kind, 0) for kind in _CRAPS), (left, 210 + down, wide, 60))
        yield from self.row(((kind, 0) for kind in _MIXED), (left, 270 + down, wide, 50))
        yield from self.area("any_craps", 0, (left, 320 + down, wide, 40))
        yield from self.area("hop", 0, (left, 360 + down, wide, 50))
        collections, others = self._side_wagers()
        trios = [collections[start : start + 3] for start in range(0, len(collections), 3)]
        height = _TRIO_HEIGHT // max(len(trios), 1)
        for index, trio in enumerate(trios):
            yield from self._trio(trio, _PROPS_BOTTOM + down + height * index, height)
        below = _PROPS_BOTTOM + down + (_TRIO_HEIGHT if trios or not down else 0)
        if len(others) <= _CENTRE_MAX:
            yield from self.row(((kind, 0) for kind in others), (left, below, wide, 30))

    def _trio(self, kinds: list[str], top: int, height: int) -> Iterator[LayoutArea]:
        """Yield up to three areas in the columns of the centre; one by itself has all of it."""
        columns = 3 if len(kinds) > 1 else 1
        for index, kind in enumerate(kinds[:columns]):
            x, right = (CENTRE_LEFT + _CENTRE_WIDE * step // columns for step in (index, index + 1))
            yield from self.area(kind, 0, (x, top, right - x, height))

    # what the regulation places

    def in_front(self) -> list[tuple[int, list[str]]]:
        """Return the rows of side wagers in front of the boxperson, each with its height; numbered ones first."""
        rows = [(_NUMBERED_HEIGHT, [kind]) for kind, _places in self.wagers_by_position()]
        trios: dict[str, list[str]] = {}  # those that are offered together lie together
        for kind in self._side():
            entry = self.rules.wagers[kind].entry
            if isinstance(entry, SideWager) and entry.lies and entry.lies.place == "boxperson":
                trios.setdefault(entry.offered, []).append(kind)
        return [*rows, *((_TRIO_HEIGHT, kinds) for kinds in trios.values())]

    def wagers_by_position(self) -> list[tuple[str, Places]]:
        """Return the offered wagers that are placed by position, with the seats of each of their numbered spots."""
        return [(kind, places) for kind in self._side() if (places := spot_places(self.rules, kind))]

    def sits_there(self) -> str:
        """Return who sits above the centre."""
        has_boxperson = self.rules.procedures.dice.first_offer == "left_of_boxperson"
        return "Boxperson" if has_boxperson else "Dealer"

    def spots_in(self, area: LayoutArea) -> Iterator[NumberedSpot]:
        """Yield the numbered spots inside an area in front of the boxperson."""
        if places := spot_places(self.rules, area.kind):
            top = 22
            yield from row_of_spots(area.kind, places, (area.x + 2, area.y + top, area.w - 4, area.h - top))

    def _boxes(self) -> Iterator[LayoutArea]:
        left = END_LEFT + (_BAR if "dont_come" in self.kinds else 0)
        wide = (END_RIGHT - left) // len(self.points)
        place_top = _BOX_TOP + _BOX_HEIGHT - _PLACE_HEIGHT
        for index, number in enumerate(self.points):
            x = left + wide * index
            rows = _BOX_ROWS if wide >= _BOX_NARROW else tuple((kind,) for row in _BOX_ROWS for kind in row)
            bottom = place_top if self.has("place_win", number) else _BOX_TOP + _BOX_HEIGHT
            filled = [spots for row in rows if (spots := [(kind, number) for kind in row if self.has(kind, number)])]
            for place, spots in enumerate(filled):
                top, low = (_BOX_TOP + (bottom - _BOX_TOP) * step // len(filled) for step in (place, place + 1))
                yield from self.row(spots, (x, top, wide, low - top))
            yield from self.area("place_win", number, (x, place_top, wide, _PLACE_HEIGHT))

    def _side(self) -> list[str]:
        """Return the offered side wagers, in the rulebook's order."""
        return [kind for kind in offered_kinds(self.rules) if isinstance(self.rules.wagers[kind].entry, SideWager)]

    def _side_wagers(self) -> tuple[list[str], list[str]]:
        """Return the collections, which lie in threes, and the others, without those the regulation places."""
        placed = {kind for _height, kinds in self.in_front() for kind in kinds}
        side = [kind for kind in self._side() if kind not in placed]
        collections = [kind for kind in side if isinstance(self.rules.wagers[kind].entry, Collection)]
        return collections, [kind for kind in side if kind not in collections]

    # a phone: rows of spots, each row with its height

    def half(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the end of the table."""
        for bank in self._banks():
            for kind in ("dont_come", "come"):
                yield _ROW, [(kind, number) for number in bank]
            yield 54, [("place_win", number) for number in bank]
        yield 48, [("come", 0), ("come", 0), ("dont_come", 0)]
        yield _ROW, [("big", 6), ("big", 8)] if "big" in self.kinds else []
        yield 58, [("field", 0)]
        yield 50, [("dont_pass", 0), ("dont_pass", 0), ("dont_pass_odds", 0)]
        yield 52, [("pass", 0)]
        yield _ROW, [("pass_odds", 0)]

    def landscape_rows(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the end of the table on a phone that lies on its side."""
        for kind in ("dont_come", "come"):
            yield 48, [(kind, number) for number in self.points]
        yield 50, [("place_win", number) for number in self.points]
        yield 48, [*[("come", 0)] * 4, *[("dont_come", 0)] * 2]
        yield 56, [*[("field", 0)] * 4, *([("big", 6), ("big", 8)] if "big" in self.kinds else [])]
        yield 48, [*[("dont_pass", 0)] * 4, *[("dont_pass_odds", 0)] * 2]
        yield 48, [*[("pass", 0)] * 4, *[("pass_odds", 0)] * 2]

    def centre(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the sheet with the centre and the side wagers."""
        for height, kinds in self.in_front():
            yield height + 6, [(kind, 0) for kind in kinds]
        yield 48, [("any_seven", 0)]
        yield 64, [("hardway", number) for number in sorted(_HARD)]
        yield 60, [(kind, 0) for kind in _CRAPS]
        yield 50, [(kind, 0) for kind in _MIXED]
        yield 48, [("any_craps", 0), ("c_and_e", 0)]
        yield 48, [("hop", 0)]
        collections, others = self._side_wagers()
        for start in range(0, len(collections), 3):
            yield _LAMPS_HEIGHT, [(kind, 0) for kind in collections[start : start + 3]]
        if len(others) <= _CENTRE_MAX:
            for start in range(0, len(others), 2):
                yield _LAMPS_HEIGHT, [(kind, 0) for kind in others[start : start + 2]]

    def numbers(self) -> Iterator[tuple[int, list[Spot]]]:
        """Yield the rows of the sheet with the further wagers on numbers."""
        for kind in ("buy", "lay", "place_lose", "put", "put_odds"):
            for bank in self._banks():
                yield 50, [(kind, number) for number in bank]

    def _banks(self) -> list[list[int]]:
        """Return the points in rows that fit a phone."""
        return [self.points] if len(self.points) <= _PHONE_POINTS_MAX else [self.points[:5], self.points[5:]]


def _stack_rows(
    plan: _Plan, rows: Iterable[tuple[int, list[Spot]]], *, with_numbers: bool = False, wide: int = _PHONE
) -> View:
    """Stack rows of spots; a spot named twice in a row is twice as wide."""
    areas: list[LayoutArea] = []
    y = 0
    for height, spots in rows:
        found = [spot for spot in spots if plan.has(*spot)]
        for spot in dict.fromkeys(found):
            first = found.index(spot)
            left, right = (wide * step // len(found) for step in (first, first + found.count(spot)))
            areas += plan.area(*spot, (left, y, right - left, height))
        y += height if found else 0
    numbered = [spot for area in areas for spot in plan.spots_in(area)]
    if not with_numbers:  # the end, where the players stand
        for kind, places in plan.wagers_by_position():
            edge = ((wide - 14, y + 15), (14, y + 15))
            numbered += rail_spots(kind, places, edge)
            y += 30
    marks = marks_in(plan.rules, (0, y, wide, 22), is_wide=True)
    drawn = tuple(map(_add_number, areas) if with_numbers else areas)
    return View(wide, y + (22 if marks else 0), drawn, marks, tuple(numbered))


def _add_number(area: LayoutArea) -> LayoutArea:
    """Add an area's number to its label, where no box around it shows the number."""
    label, number = area.printed.label, number_text(area.number)
    if not area.number or number in label.split():
        return area
    return replace(area, printed=replace(area.printed, label=f"{label} {number}"))

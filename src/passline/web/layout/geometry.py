"""The layout people see: where each wager of the rules in force lies, on a table and on a phone.

The table is one end and the centre on a grid of 1000 by 520. A phone has the end on its own, and the rest in sheets:
the centre, and the further wagers on numbers; there every area is at least 44 units high, which are nearly pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from passline.game.judges.working import call_clause, calls_of
from passline.rules.rules import Rules
from passline.rules.schema import Collection, SideWager
from passline.web.layout.printed import Printed, offered_kinds, printed

__all__ = ["Area", "Calls", "Layout", "View", "layout_of"]

_WIDTH, _HEIGHT = 1000, 520
_END_LEFT, _END_RIGHT = 70, 660
_BAR = 80  # the width of the don't come bar
_BOX_TOP, _BOX_HEIGHT, _PLACE_HEIGHT = 30, 150, 50
_BOX_NARROW = 80  # a narrower box has one wager in a row
_CENTRE_LEFT, _CENTRE_RIGHT = 690, 970
_PHONE = 372
_ROW = 46
# What lies in a number's box, top to bottom: don't come and lay, then come and buy; the place wager is below them.
_BOX_ROWS = (("dont_come",), ("lay", "place_lose"), ("come", "put_odds"), ("buy", "put"))
_CRAPS = ("craps_3", "craps_2", "craps_12", "eleven")
_MIXED = ("horn", "horn_high", "whirl", "six_seven_eight")
_HARD = (6, 10, 8, 4)
_TRAVELS = {"come": "come_odds", "dont_come": "dont_come_odds"}

Spot = tuple[str, int]
Rect = tuple[int, int, int, int]


class Area(Struct, frozen=True):
    """A part of the layout: the wager made there, which others lie there too, and what is printed on it.

    Odds behind the line have the number 0: it is the point's.
    """

    kind: str
    number: int
    x: int
    y: int
    w: int
    h: int
    printed: Printed
    also: tuple[str, ...] = ()  # kinds that travel to this number, so that their chips lie here


class View(Struct, frozen=True):
    """A picture of some areas on a grid of its own."""

    width: int
    height: int
    areas: tuple[Area, ...]


class Calls(Struct, frozen=True):
    """Which calls of a wager its player may make, and by which clause."""

    may: tuple[str, ...]
    clause: str


class Layout(Struct, frozen=True):
    """Every picture of one table's layout."""

    table: View
    half: View  # on a phone: the end
    centre: View  # ... and its sheets
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
    laid = _Laid(rules)
    return Layout(
        table=View(_WIDTH, _HEIGHT, tuple(laid.table())),
        half=_stacked(laid, laid.half()),
        centre=_stacked(laid, laid.centre()),
        numbers=_numbered(_stacked(laid, laid.numbers())),
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
    """Give the regulation's values, without those that the house's smallest chip cannot make."""
    values = rules.rulebook.general.live.chips.cents
    return tuple(value for value in values if value >= rules.chip and value % rules.chip == 0)


def _has_tips(rules: Rules) -> bool:
    tips = rules.rulebook.general.tips
    return tips is not None and (not tips.elect or bool(getattr(rules.house, tips.elect)))


class _Laid:
    """Where the wagers of one table lie. A wager that is not offered leaves its place to felt."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kinds = set(offered_kinds(rules))
        self.points = sorted(rules.points)

    def has(self, kind: str, number: int = 0) -> bool:
        """Whether a wager is offered on a number; without one, whether it is offered at all."""
        return kind in self.kinds and (not number or number in self.rules.wagers[kind].numbers)

    def area(self, kind: str, number: int, rect: Rect) -> Iterator[Area]:
        """Give the area of a wager, where it is offered; where one travels to a number, its odds are made there."""
        if kind not in self.kinds:
            return
        also: tuple[str, ...] = ()
        made = kind
        if number and kind in _TRAVELS:
            also = (kind,)
            made = _TRAVELS[kind] if self.has(_TRAVELS[kind], number) else kind
        if made == kind and number and kind not in _TRAVELS and not self.has(kind, number):
            return
        x, y, w, h = rect
        yield Area(made, number, x, y, w, h, printed(self.rules, made, number), also)

    def row(self, spots: Iterable[Spot], rect: Rect) -> Iterator[Area]:
        """Divide a rectangle among the spots that are offered, side by side."""
        x, y, w, h = rect
        found = [spot for spot in spots if any(self.area(*spot, rect))]
        for index, (kind, number) in enumerate(found):
            left, right = w * index // len(found), w * (index + 1) // len(found)
            yield from self.area(kind, number, (x + left, y, right - left, h))

    # the table

    def table(self) -> Iterator[Area]:
        """Give every area on the grid of the table."""
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

    def _boxes(self) -> Iterator[Area]:
        left = _END_LEFT + (_BAR if "dont_come" in self.kinds else 0)
        wide = (_END_RIGHT - left) // len(self.points)
        bottom = _BOX_TOP + _BOX_HEIGHT - _PLACE_HEIGHT
        for index, number in enumerate(self.points):
            x = left + wide * index
            rows = _BOX_ROWS if wide >= _BOX_NARROW else tuple((kind,) for row in _BOX_ROWS for kind in row)
            filled = [spots for row in rows if (spots := self._offered(row, number))]
            for place, spots in enumerate(filled):
                top, low = (_BOX_TOP + (bottom - _BOX_TOP) * step // len(filled) for step in (place, place + 1))
                yield from self.row(spots, (x, top, wide, low - top))
            yield from self.area("place_win", number, (x, bottom, wide, _PLACE_HEIGHT))

    def _offered(self, kinds: Iterable[str], number: int) -> list[Spot]:
        return [(kind, number) for kind in kinds if any(self.area(kind, number, (0, 0, 1, 1)))]

    def _side_wagers(self) -> tuple[list[str], list[str]]:
        """Give the collections, three of a set beside each other, and the other side wagers."""
        side = [kind for kind in self.kinds if isinstance(self.rules.wagers[kind].entry, SideWager)]
        side.sort(key=list(self.rules.wagers).index)
        collections = [kind for kind in side if isinstance(self.rules.wagers[kind].entry, Collection)]
        return collections, [kind for kind in side if kind not in collections]

    # a phone: rows of spots, each with its height

    def half(self) -> Iterator[tuple[int, list[Spot]]]:
        """Give the rows of the end."""
        banks = [self.points] if len(self.points) <= len(_DESK_POINTS) else [self.points[:5], self.points[5:]]
        for bank in banks:
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
        """Give the rows of the sheet with the centre and the side wagers."""
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
        """Give the rows of the sheet with the further wagers on numbers."""
        banks = [self.points] if len(self.points) <= len(_DESK_POINTS) else [self.points[:5], self.points[5:]]
        for kind in ("buy", "lay", "place_lose", "put", "put_odds"):
            for bank in banks:
                yield 50, [(kind, number) for number in bank]


_DESK_POINTS = (4, 5, 6, 8, 9, 10)


def _stacked(laid: _Laid, rows: Iterable[tuple[int, list[Spot]]]) -> View:
    """Stack rows of spots; a spot named twice in a row is twice as wide."""
    areas: list[Area] = []
    y = 0
    for height, spots in rows:
        found = [spot for spot in spots if any(laid.area(*spot, (0, 0, 1, 1)))]
        for spot in dict.fromkeys(found):
            first = found.index(spot)
            left, right = (_PHONE * step // len(found) for step in (first, first + found.count(spot)))
            areas += laid.area(*spot, (left, y, right - left, height))
        y += height if found else 0
    return View(_PHONE, y, tuple(areas))


def _numbered(view: View) -> View:
    """Print each area's number in its label: the sheet has no box that names it."""
    labels = ((one, f"{one.printed.label} {one.number}") for one in view.areas)
    return replace(view, areas=tuple(replace(one, printed=replace(one.printed, label=label)) for one, label in labels))

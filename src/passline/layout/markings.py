"""What is on the layout beside its areas: the house's name, words, numbered spots at its edge, colours of chips."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from msgspec import Struct

from passline.rules.rules import Rules
from passline.rules.schema import SideWager

__all__ = [
    "Marking",
    "NumberedSpot",
    "Places",
    "chip_colour",
    "chip_colours",
    "marks_in",
    "positions_by_area",
    "rail_spots",
    "row_of_spots",
    "spot_places",
]

Rect = tuple[int, int, int, int]
Places = tuple[tuple[int, ...], ...]  # the seats of each numbered spot
Point = tuple[int, int]
_CUSTOM = {50: "pink", 100: "white", 250: "pink", 500: "red", 2500: "green", 10_000: "black", 50_000: "purple"}
_RAIL_RADIUS = 12
_SPOT_RADIUS_MAX, _ROW_MAX = 12, 9


class Marking(Struct, frozen=True):
    """Words on the layout, and the rectangle they are fitted into."""

    kind: str  # name, legend or seat
    says: str
    x: int
    y: int
    w: int
    h: int


class NumberedSpot(Struct, frozen=True):
    """A numbered circle for a position's wager: at the edge of the layout, or in front of the boxperson."""

    kind: str  # of the wager
    number: int
    seats: tuple[int, ...]  # whose wagers lie there
    is_at_edge: bool
    x: int
    y: int
    radius: int


def chip_colours(rules: Rules) -> dict[str, str]:
    """Return the colour of each chip in cents: the regulation's where it has one, otherwise what houses use.

    >>> chip_colours(Rules.of("arizona"))["500"]
    'red'
    """
    return {str(cents): chip_colour(rules, cents) for cents in rules.rulebook.general.live.chips.cents}


def chip_colour(rules: Rules, cents: int) -> str:
    """Return the colour of a chip: the regulation's where it fixes one, otherwise what houses use."""
    fixed = {chip.cents: chip.colour for chip in rules.rulebook.general.live.chips.colours}
    return fixed.get(cents) or _custom(cents)


def _custom(cents: int) -> str:
    return _CUSTOM[max((value for value in _CUSTOM if value <= cents), default=min(_CUSTOM))]


def marks_in(rules: Rules, rect: Rect, *, is_wide: bool = False) -> tuple[Marking, ...]:
    """Return the house's name and the words that the regulation demands, in a rectangle: side by side if it is wide."""
    layout = rules.rulebook.general.live.layout
    if layout is None:
        return ()
    found = [("name", rules.house.name)] if layout.name else []
    found += [("legend", legend.says) for legend in layout.legends]
    x, y, w, h = rect
    if is_wide:
        steps = [w * step // max(len(found), 1) for step in range(len(found) + 1)]
        return tuple(Marking(*words, x + a, y, b - a, h) for words, a, b in zip(found, steps, steps[1:], strict=False))
    name, rest = [words for words in found if words[0] == "name"], [words for words in found if words[0] == "legend"]
    below = y + h - 24 * len(rest)
    return (
        *(Marking(*words, x, y, w, 28) for words in name),
        *(Marking(*words, x, below + 24 * index, w, 24) for index, words in enumerate(rest)),
    )


def spot_places(rules: Rules, kind: str) -> Places:
    """Return the seats of each numbered spot of a wager; none if it is not placed by position."""
    entry = rules.wagers[kind].entry
    if not isinstance(entry, SideWager) or entry.lies is None or entry.lies.place != "perimeter":
        return ()
    seats = rules.house.seats
    return positions_by_area(seats, min(seats, entry.areas.max if entry.areas else seats))


def positions_by_area(seats: int, areas: int) -> Places:
    """Return for each area the positions closest to it, if both are spread evenly along the same edge.

    >>> positions_by_area(3, 3), positions_by_area(5, 4)
    (((1,), (2,), (3,)), ((1,), (2,), (3, 4), (5,)))
    """
    steps = max(seats - 1, 1)
    closest = [(2 * place * (areas - 1) + steps) // (2 * steps) for place in range(seats)]
    return tuple(tuple(place + 1 for place, area in enumerate(closest) if area == number) for number in range(areas))


def rail_spots(kind: str, places: Places, path: tuple[Point, ...]) -> Iterator[NumberedSpot]:
    """Yield a wager's spots at the edge, evenly along a path that runs clockwise from the boxperson's left."""
    pairs = list(pairwise(path))
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairs]
    count = len(places)
    radius = min(_RAIL_RADIUS, int(sum(lengths) / max(count - 1, 1) / 2) - 1)
    for index, seats in enumerate(places):
        rest = sum(lengths) * index / max(count - 1, 1)
        for (a, b), length in zip(pairs, lengths, strict=True):
            if rest <= length + 1e-6:
                x, y = (round(a[axis] + (b[axis] - a[axis]) * rest / length) for axis in (0, 1))
                yield NumberedSpot(kind, index + 1, seats, is_at_edge=True, x=x, y=y, radius=radius)
                break
            rest -= length


def row_of_spots(kind: str, places: Places, rect: Rect) -> Iterator[NumberedSpot]:
    """Yield a wager's spots in front of the boxperson, side by side, in two rows if they are many."""
    x, y, w, h = rect
    count = len(places)
    rows = 1 + (count > _ROW_MAX)
    columns = -(-count // rows)
    radius = min(w // columns // 2 - 1, h // rows // 2 - 1, _SPOT_RADIUS_MAX)
    for index, seats in enumerate(places):
        row, column = divmod(index, columns)
        across, down = x + w * (2 * column + 1) // (2 * columns), y + h * (2 * row + 1) // (2 * rows)
        yield NumberedSpot(kind, index + 1, seats, is_at_edge=False, x=across, y=down, radius=radius)

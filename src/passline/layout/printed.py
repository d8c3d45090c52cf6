"""What is printed on the layout: the words and payouts of each area, and what the regulation demands beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from msgspec import Struct

from passline.dice import OUTCOMES, number_code, number_text
from passline.rules.explain.payouts import group_items, pay_table, short_pays, vigorish_rate_text, vigorish_text
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Hand, Line, OneRoll, Run, SideWager, part_spot

_WORDS = {6: "SIX", 9: "NINE"}  # so that neither is read upside down
# The words on the felt that are not the wager's display name in capitals; {} is the number.
_FELT = {
    "pass_odds": "ODDS",
    "dont_pass_odds": "DON'T ODDS",
    "place_win": "{}",
    "place_lose": "LOSE",
    "big": "BIG {}",
    "hardway": "HARD {}",
    "craps_2": "2",
    "craps_3": "3",
    "craps_12": "12",
    "eleven": "11",
    "hop": "HOPS",
    "front_line_winner": "FRONT LINE",
}
_FACES = {
    "place_win": "number",
    "field": "field",
    "hardway": "dice",
    "craps_2": "dice",
    "craps_3": "dice",
    "craps_12": "dice",
    "eleven": "dice",
    "c_and_e": "circles",
    "pass": "line",
    "come": "line",
    "dont_pass": "bar",
    "dont_come": "bar",
}


class FeltMark(Struct, frozen=True):
    """A total printed on an area, and what it pays where that is more than even money."""

    text: str
    note: str = ""


class Pick(Struct, frozen=True):
    """One of the wagers that share an area: its number, its name and what it pays."""

    number: int
    name: str
    pays: str


class Printed(Struct, frozen=True):
    """The printing of one area, and its accessible name."""

    face: str  # number, field, dice, circles, line, bar, lamps, numbered or cell
    label: str
    name: str
    title: str  # the regulation's name of the wager
    pays: str
    notes: tuple[str, ...] = ()
    marks: tuple[FeltMark, ...] = ()
    dice: tuple[tuple[int, int], ...] = ()
    lamps: tuple[int, ...] = ()
    picks: tuple[Pick, ...] = ()
    lines: tuple[str, ...] = ()  # the pay table
    odds: tuple[str, ...] = ()  # payouts that stand neither in the notes nor in the marks
    rate: str = ""  # of the vigorish, such as 5%
    vigorish: str = ""  # in words


def offered_kinds(rules: Rules) -> tuple[str, ...]:
    """Return the wagers this table offers, in the rulebook's order."""
    return tuple(kind for kind, rule in rules.wagers.items() if rule.is_offered)


def inscription(rules: Rules, kind: str, number: int = 0) -> Printed:
    """Return what is printed where a wager is made.

    >>> inscription(Rules.of("maryland"), "place_win", 6).notes
    ('7 to 6',)
    >>> inscription(Rules.of("maryland"), "dont_pass").notes
    ('BAR 12',)
    """
    rule = rules.wagers[kind]
    entry = rule.entry
    is_side = isinstance(entry, SideWager)
    pays = short_pays(rules, rule, number)
    return Printed(
        face=_face(rule, number),
        label=felt_label(rule, number),
        name=rule.display_name(number),
        title=rule.name,
        pays=pays,
        notes=_bar(rule) or _notes(rules, rule, number, pays),
        marks=tuple(_marks(rule)) if kind == "field" else (),
        dice=_dice(rule, number),
        lamps=_lamps(rules, rule),
        picks=tuple(_picks(rules, rule)) if not number and number not in rule.numbers else (),
        lines=tuple(f"{when}: {text}" for text, when in pay_table(rules, rule)) if is_side else (),
        odds=_odds(rules, rule, number),
        rate=vigorish_rate_text(rule.vigorish) if rule.vigorish else "",
        vigorish=vigorish_text(rule.vigorish, number) if rule.vigorish else "",
    )


def felt_label(rule: WagerRule, number: int = 0) -> str:
    """Return the words on the felt where a wager is made: the rulebook's name of it, if custom has no shorter one.

    >>> wagers = Rules.of("maryland").wagers
    >>> felt_label(wagers["pass"]), felt_label(wagers["hardway"], 6), felt_label(wagers["place_win"], 9)
    ('PASS LINE', 'HARD 6', 'NINE')
    """
    label = _FELT.get(rule.kind) or rule.display_name().upper()
    return label.format(_WORDS.get(number, number) if rule.kind == "place_win" else number)


def _face(rule: WagerRule, number: int) -> str:
    """Return how an area is drawn. A side wager has a numbered spot for each position, or only its lamps."""
    if isinstance(rule.entry, SideWager):
        return "numbered" if rule.entry.lies and rule.entry.lies.moves else "lamps"
    if number and rule.family == "line":  # where it has travelled to
        return "cell"
    return _FACES.get(rule.kind, "cell")


def _odds(rules: Rules, rule: WagerRule, number: int) -> tuple[str, ...]:
    """Return the payouts that have no other place on the area: of a line wager, the field, or a wager's parts."""
    if rule.family == "composite":
        spots = (part_spot(part) for part, _units in rule.parts)
        parts = ((rules.wagers[kind], on) for kind, on in spots if kind in rules.wagers)
        groups = group_items((short_pays(rules, part, on), _part_text(part, on)) for part, on in parts)
        return tuple(f"{'/'.join(on)} {pays}" for pays, on in groups.items())
    if rule.family == "line" and not number:
        return (short_pays(rules, rule),)
    if rule.kind == "field":
        even = {str(payout.pays) for payout in rule.payouts.values() if payout.pays.ratio == 1}
        return tuple(sorted(even))
    return ()


_PARTS = {"any_seven": "7", "any_craps": "C", "eleven": "11"}


def _part_text(part: WagerRule, number: int) -> str:
    """Return a part of a composite wager as briefly as the felt names it."""
    if number:
        return number_text(number)
    return _PARTS.get(part.kind) or _FELT.get(part.kind) or part.display_name()


def _notes(rules: Rules, rule: WagerRule, number: int, pays: str) -> tuple[str, ...]:
    """Return the small print under the label: payouts, or the chips of a composite wager; may be empty."""
    if rule.family == "composite":
        return (f"{rule.units} chips",) if rule.kind != "c_and_e" else ()
    if rule.family == "line":
        return ()
    if rule.kind == "hop":
        doubles = {str(rule.payouts[code].pays) for code in rule.numbers if code % 11 == _DOUBLE}
        easy = {str(rule.payouts[code].pays) for code in rule.numbers if code % 11 != _DOUBLE}
        return (f"easy {', '.join(sorted(easy))}", f"hard {', '.join(sorted(doubles))}")
    if rule.behind and not number:
        points = sorted(rule.numbers & rules.points)
        groups = group_items((str(rule.payouts[point].pays), str(point)) for point in points)
        return tuple(f"{'/'.join(where)} {text}" for text, where in groups.items())
    if rule.kind == "field":
        return ()
    return (pays,)


_DOUBLE = 1  # 100 + 11 f leaves 1 when divided by 11, and no other pair does


def _bar(rule: WagerRule) -> tuple[str, ...]:
    """Return the total on which a don't wager neither wins nor loses."""
    entry = rule.entry
    if not isinstance(entry, Line) or entry.first_void is None:
        return ()
    return (f"BAR {'/'.join(map(str, entry.first_void.totals))}",)


def _dice(rule: WagerRule, number: int) -> tuple[tuple[int, int], ...]:
    """Return the one pair of dice by which a wager wins, if there is one, or the pair that is barred."""
    entry = rule.entry
    if rule.family == "hardway":
        return ((number // 2, number // 2),)
    if isinstance(entry, Line) and entry.first_void:
        barred = entry.first_void.totals
        pairs = [(roll.first, roll.second) for roll in OUTCOMES if roll.total in barred and roll.is_hard]
        return tuple(pairs[:1])
    if isinstance(entry, OneRoll) and not entry.numbers and len(rule.payouts) == 1:
        (code,) = rule.payouts
        return ((code % 100 // 10, code % 10),)
    return ()


def _marks(rule: WagerRule) -> Iterator[FeltMark]:
    """Yield the totals that win, each with what it pays if that is not even money."""
    by_total: dict[int, set[str]] = {}
    for roll in OUTCOMES:
        payout = rule.payouts.get(number_code(roll.pair))
        if payout:
            by_total.setdefault(roll.total, set()).add("" if payout.pays.ratio == 1 else str(payout.pays))
    for total, notes in sorted(by_total.items()):
        yield FeltMark(str(total), " or ".join(sorted(filter(None, notes))))


def _lamps(rules: Rules, rule: WagerRule) -> tuple[int, ...]:
    entry = rule.entry
    if isinstance(entry, SideWager) and entry.lamp_totals:
        return entry.lamp_totals
    if isinstance(entry, Run) or (isinstance(entry, Hand) and entry.counts == "distinct_points"):
        return tuple(sorted(rules.points))
    return ()


def _picks(rules: Rules, rule: WagerRule) -> Iterator[Pick]:
    if rule.kind in {"hop", "horn_high"}:
        for code in sorted(rule.numbers):
            yield Pick(code, rule.display_name(code), short_pays(rules, rule, code))


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
    usual = max((value for value in _CUSTOM if value <= cents), default=min(_CUSTOM))
    return fixed.get(cents) or _CUSTOM[usual]


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
    return _positions_by_area(seats, min(seats, entry.areas.max if entry.areas else seats))


def _positions_by_area(seats: int, areas: int) -> Places:
    """Return for each area the positions closest to it, if both are spread evenly along the same edge.

    >>> _positions_by_area(3, 3), _positions_by_area(5, 4)
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

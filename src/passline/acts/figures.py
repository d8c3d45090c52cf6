"""The figures of acts that can be corrected: what they say now, what moved because of them, and later counts.

A wrong figure has moved the wrong number of units. Its correction moves the difference. Where a place was counted in
between, that count has found the difference already and booked it against another place: so it moves there instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

INSTEAD = "instead"
"""The field of a correction that names the thing which the act was really done to."""
UNSAID = "unsaid"
"""The field of a correction that lists what the act should have said nothing of."""


class FigureMove(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A movement of units that depends on a figure of an act: correcting the figure changes how much moved."""

    of: int  # the act that says the figure
    field: str
    stock: str
    source: str
    target: str
    settles: bool = False  # it was counted: from then on as much is on record in the target as was found there
    since: tuple[int, ...] = ()  # of a count told later: the order of what had moved there by then, after its moment


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """What a correction changes: the first act, the act that said it last, and each field before and after."""

    first: int
    last: int
    was: dict[str, Any]
    now: dict[str, Any]


class MovedFigure(Struct, frozen=True, omit_defaults=True):
    """A movement of units whose amount is a figure of an act."""

    order: int  # among all that took effect
    field: str
    stock: str
    source: str
    target: str
    occurred: str = ""  # the moment at which they moved


class Figure(Struct, frozen=True):
    """What an act says now, after any corrections, and what moved because of it."""

    act: str
    kind: str
    things: tuple[str, ...]
    fields: dict[str, Any]  # as they were put right
    last: int  # the act that said so: itself, or its last correction
    at: str  # when it took effect
    occurred: str
    moved: tuple[MovedFigure, ...] = ()


_NEIGHBOURS = 64  # figures of acts with numbers near to each other, which are kept together: two months have 50,000
RECENT_MAX = 32
"""So many are copied when one more comes, before they are put to the others."""


class _KeptFigure(Struct, frozen=True, array_like=True):
    order: int  # in which it came to the others
    figure: Figure


class _Neighbours(Struct, frozen=True):
    """Figures of acts with numbers near to each other."""

    figures: dict[str, _KeptFigure] = {}
    newest: str = ""  # the latest moment at which something has moved by one of them
    oldest: str = ""  # the earliest at which one of them took effect; empty: kept before this was known


_NO_NEIGHBOURS = _Neighbours()


class FiguresAtHand(Struct, frozen=True):
    """Figures by the number of their act, in the order in which they came; numbers are texts, as JSON needs for keys.

    >>> figures = FiguresAtHand().put("7", 1, figure := Figure("count_box", "drop_box", ("D1",), {}, 7, "", ""))
    >>> figures["7"] == figure, "8" in figures, bool(figures.without(frozenset({7})))
    (True, False, False)
    """

    neighbours: dict[str, _Neighbours] = {}
    recent: dict[str, _KeptFigure] = {}  # they stand for those of the same acts among the neighbours

    def get(self, number: str) -> Figure | None:
        """Return the figure of an act, or None."""
        kept = self._find_kept(number)
        return kept.figure if kept else None

    def _find_kept(self, number: str) -> _KeptFigure | None:
        if (kept := self.recent.get(number)) is not None:
            return kept
        near = self.neighbours.get(_near(number))
        return near.figures.get(number) if near else None

    def __getitem__(self, number: str) -> Figure:
        """Return the figure of an act that is at hand."""
        if (kept := self._find_kept(number)) is None:
            raise KeyError(number)
        return kept.figure

    def __contains__(self, number: object) -> bool:
        """Return whether the figure of an act is at hand."""
        return self._find_kept(str(number)) is not None

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self.recent or self.neighbours)

    def items(self, *, before: str = "") -> Iterator[tuple[str, Figure]]:
        """Yield numbers and figures; `before` may leave out figures that took effect at that moment or later."""
        yield from self._in_order(near for near in self.neighbours.values() if not before or near.oldest < before)

    def values(self, *, after: str = "") -> Iterator[Figure]:
        """Yield the figures; `after` may leave out figures because of which nothing moved after that moment."""
        wanted = (near for near in self.neighbours.values() if not after or near.newest > after)
        yield from (figure for _, figure in self._in_order(wanted))

    def _in_order(self, groups: Iterable[_Neighbours]) -> Iterator[tuple[str, Figure]]:
        older = (item for near in groups for item in near.figures.items() if item[0] not in self.recent)
        found = sorted((*older, *self.recent.items()), key=lambda item: item[1].order)
        yield from ((number, kept.figure) for number, kept in found)

    def oldest_move(self) -> int | None:
        """Return the order of the earliest movement that a figure at hand has made; None: there is none."""
        older = (kept for near in self.neighbours.values() for kept in self._those_that_stand(near))
        return min(
            (moved.order for kept in (*older, *self.recent.values()) for moved in kept.figure.moved), default=None
        )

    def _those_that_stand(self, near: _Neighbours) -> Iterable[_KeptFigure]:
        """Return those of neighbours for which none of the recent ones stands."""
        if near.figures.keys().isdisjoint(self.recent):
            return near.figures.values()
        return [kept for number, kept in near.figures.items() if number not in self.recent]

    def put(self, number: str, order: int, figure: Figure) -> FiguresAtHand:
        """Return the figures with one added, or replaced where the act has one already."""
        before = self._find_kept(number)
        recent = {**self.recent, number: _KeptFigure(before.order if before else order, figure)}
        if len(recent) < RECENT_MAX:
            return FiguresAtHand(self.neighbours, recent)
        return FiguresAtHand(_with_recent(self.neighbours, recent))

    def without(self, acts: frozenset[int]) -> FiguresAtHand:
        """Return the figures without those of some acts."""
        recent = {number: kept for number, kept in self.recent.items() if int(number) not in acts}
        neighbours = dict(self.neighbours)
        for key in {_near(str(act)) for act in acts} & neighbours.keys():
            left = {number: kept for number, kept in neighbours[key].figures.items() if int(number) not in acts}
            if left:
                neighbours[key] = replace(neighbours[key], figures=left, oldest=_oldest(left))
            else:
                del neighbours[key]
        return FiguresAtHand(neighbours, recent)


def _near(number: str) -> str:
    return str(int(number) // _NEIGHBOURS)


def _with_recent(neighbours: dict[str, _Neighbours], recent: dict[str, _KeptFigure]) -> dict[str, _Neighbours]:
    """Return figures with recent ones, each put to those of acts with numbers near to its own."""
    groups: dict[str, dict[str, _KeptFigure]] = {}
    for number, kept in recent.items():
        groups.setdefault(_near(number), {})[number] = kept
    after = dict(neighbours)
    for key, figures in groups.items():
        near = after.get(key, _NO_NEIGHBOURS)
        moments = (moved.occurred for kept in figures.values() for moved in kept.figure.moved)
        together = {**near.figures, **figures}
        after[key] = _Neighbours(together, max((near.newest, *moments)), _oldest(together))
    return after


def _oldest(figures: dict[str, _KeptFigure]) -> str:
    return min(kept.figure.at for kept in figures.values())


class PlaceCount(Struct, frozen=True):
    """A count of a place: from then on the record of the place is what was found."""

    order: int
    act: int
    against: str  # what took up the difference
    occurred: str = ""  # the moment of which it is
    since: tuple[int, ...] = ()  # the order of what had moved there before it was told, after its moment

    def is_after(self, order: int) -> bool:
        """Return whether it was counted after something had moved."""
        return self.order > order and order not in self.since


def in_counts(value: object) -> dict[str, int]:
    """Return a count by denomination, or how often each thing stands in a list."""
    if isinstance(value, dict):
        return {str(name): count for name, count in value.items() if count}
    return dict(Counter(str(item) for item in value)) if isinstance(value, list | tuple) else {}


class ActFigures(Struct, frozen=True):
    """All figures at hand."""

    at_hand: FiguresAtHand = FiguresAtHand()  # by the number of the first act
    first_of: dict[str, int] = {}  # the first act, by each of its corrections
    counts: dict[str, tuple[PlaceCount, ...]] = {}  # by stock and place
    form: Literal[4] = 4  # of a snapshot: the first had no moments of what moved, the second all figures in one table,
    # the third which act said each fact last in a table of its own, and not with the thing

    def find(self, number: int) -> tuple[int, Figure] | None:
        """Return a first act and what it says now, by its number or that of one of its corrections."""
        first = self.first_of.get(str(number), number)
        found = self.at_hand.get(str(first))
        return (first, found) if found else None

    def count_after(self, stock: str, place: str, order: int) -> PlaceCount | None:
        """Return the first count of a place after something had moved."""
        counts = self.counts.get(_place_key(stock, place), ())
        return next((count for count in counts if count.is_after(order)), None)

    def counts_by(self, act: int) -> Iterator[PlaceCount]:
        """Yield every count of a place that was made by an act."""
        yield from (count for counts in self.counts.values() for count in counts if count.act == act)

    def count_of_later(self, stock: str, place: str, moment: str) -> PlaceCount | None:
        """Return the first recorded count of a place that was made after a moment; None: there is none."""
        return next(self.counts_of_later(stock, place, moment), None)

    def counts_of_later(self, stock: str, place: str, moment: str) -> Iterator[PlaceCount]:
        """Yield the counts of a place that were made after a moment, in the order in which they were recorded."""
        yield from (count for count in self.counts.get(_place_key(stock, place), ()) if count.occurred > moment)

    def taken_up(self, figure: Figure, correction: Correction) -> Iterator[tuple[str, str, int, dict[str, int]]]:
        """Yield each place that was counted after a figure moved units there which a correction now changes.

        Each comes with its stock, the act that counted it, and by how much the record before that count was too low.
        """
        for moved in figure.moved:
            if moved.field not in correction.now:
                continue
            was, now = (in_counts(of[moved.field]) for of in (correction.was, correction.now))
            for place, sign in ((moved.source, -1), (moved.target, 1)):
                if (later := self.count_after(moved.stock, place, moved.order)) is not None:
                    more = {unit: sign * (now.get(unit, 0) - was.get(unit, 0)) for unit in {*was, *now}}
                    yield moved.stock, place, later.act, more

    def flows(self, stock: str, place: str, order: int) -> Iterator[tuple[int, dict[str, int]]]:
        """Yield the units that came to a place (1) or left it (-1) after the order of some act, but not by counts."""
        counted = {count.order for count in self.counts.get(_place_key(stock, place), ())}
        for figure in self.at_hand.values():
            for moved in figure.moved:
                if moved.stock == stock and moved.order > order and moved.order not in counted:
                    units = in_counts(figure.fields.get(moved.field))
                    yield from ((sign, units) for sign, at in ((-1, moved.source), (1, moved.target)) if at == place)

    def moved_after(self, stock: str, place: str, moment: str) -> dict[int, dict[str, int]]:
        """Return what came to a place less what left it since a moment, by the order of each act, but not by counts."""
        counted = {count.order for count in self.counts.get(_place_key(stock, place), ())}
        found: dict[int, dict[str, int]] = {}
        for figure in self.at_hand.values(after=moment):
            for moved in figure.moved:
                if moved.stock == stock and moved.occurred > moment and moved.order not in counted:
                    for sign, at in ((-1, moved.source), (1, moved.target)):
                        if at == place:
                            units = found.setdefault(moved.order, {})
                            for unit, count in in_counts(figure.fields.get(moved.field)).items():
                                units[unit] = units.get(unit, 0) + sign * count
        return found


def _place_key(stock: str, place: str) -> str:
    return f"{stock}|{place}"


def kept_figure(done: Any, at: str) -> Figure:  # noqa: ANN401 - an act
    """Return the figure to keep of an act that took effect at a moment."""
    return Figure(done.act, done.kind, done.things, done.fields, done.number, at, done.occurred)


def figures_after(
    figures: ActFigures,
    order: int,
    number: int,
    *,
    kept: Figure | None,
    moves: Iterable[FigureMove],
    correction: Correction | None,
    recalled: Figure | None = None,
    occurred: str = "",
) -> ActFigures:
    """Return the figures after an act took effect; `order` counts the acts that did.

    `kept` is what the act says, if it can be corrected.
    """
    if correction is not None:
        return _put_right(figures, order, number, correction, recalled)
    if kept is not None:
        figures = replace(figures, at_hand=figures.at_hand.put(str(number), order, kept))
    for move in moves:
        figures = _with_move(figures, order, number, move, occurred)
    return figures


def _with_move(figures: ActFigures, order: int, number: int, move: FigureMove, occurred: str) -> ActFigures:
    if (figure := figures.at_hand.get(str(move.of))) is not None:
        moved = MovedFigure(order, move.field, move.stock, move.source, move.target, occurred)
        figure = replace(figure, moved=(*figure.moved, moved))
        figures = replace(figures, at_hand=figures.at_hand.put(str(move.of), order, figure))
    if not move.settles:
        return figures
    place = _place_key(move.stock, move.target)
    counts = (*figures.counts.get(place, ()), PlaceCount(order, number, move.source, occurred, move.since))
    return replace(figures, counts={**figures.counts, place: counts})


def corrected_figure(figure: Figure, number: int, correction: Correction) -> Figure:
    """Return what an act says after a correction; `number` is that of the correction."""
    said = {key: value for key, value in correction.now.items() if key != INSTEAD}
    fields = {key: value for key, value in {**figure.fields, **said}.items() if value is not None}
    figure = replace(figure, fields=fields, last=number)
    if INSTEAD not in correction.now:
        return figure
    was, now = (f"{figure.kind}/{of[INSTEAD]}" for of in (correction.was, correction.now))
    moved = (
        replace(moved, source=now if moved.source == was else moved.source, target=now)
        if moved.target == was
        else moved
        for moved in figure.moved
    )
    return replace(figure, things=(correction.now[INSTEAD],), moved=tuple(moved))


def _put_right(
    figures: ActFigures, order: int, number: int, correction: Correction, recalled: Figure | None
) -> ActFigures:
    first = str(correction.first)
    before = figures.at_hand.get(first) or recalled
    assert before is not None, "what is corrected is at hand, or was recalled"
    after = corrected_figure(before, number, correction)
    return replace(
        figures,
        at_hand=figures.at_hand.put(first, order, after),
        first_of={**figures.first_of, str(number): correction.first},
        counts=_counts_elsewhere(figures.counts, before, after),
    )


def _counts_elsewhere(
    counts: dict[str, tuple[PlaceCount, ...]], before: Figure, after: Figure
) -> dict[str, tuple[PlaceCount, ...]]:
    """Return the counts of places after one of them is known to be of another place."""
    for was, now in zip(before.moved, after.moved, strict=True):
        there, here = (_place_key(moved.stock, moved.target) for moved in (was, now))
        own = tuple(count for count in counts.get(there, ()) if count.order == was.order)
        if there != here and own:
            left = tuple(count for count in counts[there] if count.order != was.order)
            come = tuple(sorted((*counts.get(here, ()), *own), key=lambda count: count.order))
            counts = {**counts, there: left, here: come}
    return counts


def figures_filed(figures: ActFigures, acts: tuple[int, ...]) -> ActFigures:
    """Return the figures without those of acts that are filed."""
    gone = frozenset(acts)
    if not gone:
        return figures
    left = figures.at_hand.without(gone)
    oldest = left.oldest_move()
    counts = {
        place: kept
        for place, counts in figures.counts.items()
        if (kept := tuple(count for count in counts if oldest is not None and count.order > oldest))
    }
    first_of = {number: first for number, first in figures.first_of.items() if first not in gone}
    return ActFigures(left, first_of, counts)


# --- Which act said each fact of a thing last -------------------------------------------------------------------------


def told_after(
    told: dict[str, int] | None, facts: Iterable[str], number: int, *, is_own: bool
) -> dict[str, int] | None:
    """Return which act said each fact of a thing last, after another act.

    It is None, and nothing is kept, until an act is done to the thing that can be corrected.
    """
    if told is None:
        return dict.fromkeys(facts, number) if is_own else None
    return {**told, **dict.fromkeys(facts, number)} if facts else told


def told_of_corrected(  # noqa: PLR0917 - each of it
    told: dict[str, int] | None,
    thing: str,
    before: Figure,
    after: Figure,
    facts: Iterable[str],
    first: int,
    *,
    is_recalled: bool,
) -> dict[str, int] | None:
    """Return which act said each fact of a thing last, after a correction that names the thing, or names it no more."""
    if is_recalled or thing not in before.things:
        return {**(told or {}), **dict.fromkeys(facts, first)}
    if thing not in after.things:
        return {name: number for name, number in (told or {}).items() if number != first}
    return told

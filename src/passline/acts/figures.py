"""The figures of acts that can be corrected: what they say now, what moved by them, and which count came after.

A figure that was wrong has moved units wrongly. Put right later, it moves the difference: at a place that was counted
since, that count has found the difference already, so it goes to where the count had looked for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class FigureMove(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """That a figure of an act moved units: were the figure another, so much more or less would have moved."""

    of: int  # the act that says the figure
    field: str
    stock: str
    source: str
    target: str
    settles: bool = False  # it was counted: from then on as much is on record in the target as was found there


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """What an act has put right: the first act, the one that said it last, and both figures of each field."""

    first: int
    last: int
    was: dict[str, Any]
    now: dict[str, Any]


class MovedFigure(Struct, frozen=True):
    """Units that moved by a figure."""

    order: int  # among all that took effect
    field: str
    stock: str
    source: str
    target: str


class Figure(Struct, frozen=True):
    """What an act says that can be corrected."""

    act: str
    kind: str
    things: tuple[str, ...]
    fields: dict[str, Any]  # as they were put right
    last: int  # the act that said so: itself, or its last correction
    at: str  # when it took effect
    occurred: str
    moved: tuple[MovedFigure, ...] = ()


class PlaceCount(Struct, frozen=True):
    """That a place was counted, after which as much was on record there as was found."""

    order: int
    act: int
    against: str  # what took up the difference


class ActFigures(Struct, frozen=True):
    """All figures at hand."""

    at_hand: dict[str, Figure] = {}  # by the number of the first act; JSON has only texts as keys
    first_of: dict[str, int] = {}  # the first act, by each of its corrections
    counts: dict[str, tuple[PlaceCount, ...]] = {}  # by stock and place
    told_by: dict[str, dict[str, int]] = {}  # the act that said each fact last, by the thing as kind/id

    def find(self, number: int) -> tuple[int, Figure] | None:
        """Return a first act and what it says now, by its number or that of one of its corrections."""
        first = self.first_of.get(str(number), number)
        found = self.at_hand.get(str(first))
        return (first, found) if found else None

    def count_after(self, stock: str, place: str, order: int) -> PlaceCount | None:
        """Return the first count of a place after something had moved."""
        counts = self.counts.get(_place_key(stock, place), ())
        return next((count for count in counts if count.order > order), None)


def _place_key(stock: str, place: str) -> str:
    return f"{stock}|{place}"


def figures_after(
    figures: ActFigures,
    order: int,
    number: int,
    *,
    kept: Figure | None,
    moves: Iterable[FigureMove],
    correction: Correction | None,
    facts: Mapping[str, Iterable[str]],
) -> ActFigures:
    """Return the figures after an act took effect; `order` grows with each that does.

    `kept` is what it says, if that can be corrected; `facts` are the names of those that it told of things.
    """
    if correction is not None:
        return _put_right(figures, number, correction)
    if kept is not None:
        figures = replace(figures, at_hand={**figures.at_hand, str(number): kept})
    for move in moves:
        figures = _with_move(figures, order, number, move)
    own = {f"{kept.kind}/{thing}" for thing in kept.things} if kept else set()
    told = figures.told_by
    for key, names in facts.items():
        if key in told or key in own:
            told = {**told, key: {**told.get(key, {}), **dict.fromkeys(names, number)}}
    return replace(figures, told_by=told) if told is not figures.told_by else figures


def _with_move(figures: ActFigures, order: int, number: int, move: FigureMove) -> ActFigures:
    if (figure := figures.at_hand.get(str(move.of))) is not None:
        moved = MovedFigure(order, move.field, move.stock, move.source, move.target)
        figure = replace(figure, moved=(*figure.moved, moved))
        figures = replace(figures, at_hand={**figures.at_hand, str(move.of): figure})
    if not move.settles:
        return figures
    place = _place_key(move.stock, move.target)
    counts = (*figures.counts.get(place, ()), PlaceCount(order, number, move.source))
    return replace(figures, counts={**figures.counts, place: counts})


def _put_right(figures: ActFigures, number: int, correction: Correction) -> ActFigures:
    first = str(correction.first)
    figure = figures.at_hand[first]
    fields = {key: value for key, value in {**figure.fields, **correction.now}.items() if value is not None}
    return replace(
        figures,
        at_hand={**figures.at_hand, first: replace(figure, fields=fields, last=number)},
        first_of={**figures.first_of, str(number): correction.first},
    )


def figures_filed(figures: ActFigures, things: tuple[str, ...], acts: tuple[int, ...]) -> ActFigures:
    """Return the figures without those of acts that are filed, and without the facts of things that are."""
    gone = frozenset(acts)
    told = figures.told_by
    if not told.keys().isdisjoint(things):
        told = {key: facts for key, facts in told.items() if key not in {*things}}
    if not gone:
        return replace(figures, told_by=told)
    left = {number: figure for number, figure in figures.at_hand.items() if int(number) not in gone}
    oldest = min((moved.order for figure in left.values() for moved in figure.moved), default=None)
    counts = {
        place: kept
        for place, counts in figures.counts.items()
        if (kept := tuple(count for count in counts if oldest is not None and count.order > oldest))
    }
    first_of = {number: first for number, first in figures.first_of.items() if first not in gone}
    return ActFigures(left, first_of, counts, told)

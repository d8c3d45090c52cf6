"""Ranks entries by the points of their chips. Equal points share a rank until the rule sheet's way parts them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct


class Standing(Struct, frozen=True, gc=False):
    """How an entry stands: the last round it played, its points there, and what parted it from its equals."""

    entry: int
    round: int  # the number of the last round that it played: later is better
    points: int
    tie_break: int = 0  # lower is better; 0: nothing has parted it


class Rank(Struct, frozen=True, gc=False):
    """The place of an entry; entries with the same place are tied."""

    place: int
    entry: int
    points: int


def _worth(standing: Standing) -> tuple[int, int, int]:
    return -standing.round, -standing.points, standing.tie_break


def ranks_of(standings: Iterable[Standing]) -> tuple[Rank, ...]:
    """Return everybody's place, best first; those who are tied by the number of their entry.

    >>> [(rank.place, rank.entry) for rank in ranks_of([Standing(1, 1, 500), Standing(2, 2, 0), Standing(3, 1, 500)])]
    [(1, 2), (2, 1), (2, 3)]
    """
    ordered = sorted(standings, key=lambda standing: (_worth(standing), standing.entry))
    ranks: list[Rank] = []
    for _, tied in groupby(ordered, key=_worth):
        place = len(ranks) + 1
        ranks += (Rank(place, standing.entry, standing.points) for standing in tied)
    return tuple(ranks)


def entries_through(
    tables: Mapping[str, Iterable[Standing]], *, of_each: int, wild_cards: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entries that go on, and those that are tied for a last place which is not there for all of them.

    `of_each` go on from each table; the `wild_cards` best of the others of all tables too. Nobody without points does.

    >>> first, second = [Standing(1, 1, 900), Standing(2, 1, 400)], [Standing(3, 1, 700), Standing(4, 1, 500)]
    >>> entries_through({"a": first, "b": second}, of_each=1, wild_cards=1)
    ((1, 3, 4), ())
    >>> entries_through({"a": first, "b": second}, of_each=1, wild_cards=0)
    ((1, 3), ())
    >>> entries_through({"a": [Standing(1, 1, 5), Standing(2, 1, 5)]}, of_each=1, wild_cards=0)
    ((), (1, 2))
    """
    sure: list[int] = []
    tied: list[int] = []
    left: list[Standing] = []
    for standings in tables.values():
        in_play = [standing for standing in standings if standing.points]
        first, level = _best(in_play, of_each)
        sure += first
        tied += level
        left += (standing for standing in in_play if standing.entry not in {*first, *level})
    first, level = _best(left, wild_cards)
    return tuple(sorted([*sure, *first])), tuple(sorted([*tied, *level]))


def entries_by_lot(
    tables: Mapping[str, Iterable[Standing]], *, of_each: int, wild_cards: int, order: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entries that go on where a lot decides between those who are level, and those whom it decided between.

    `order` has everybody in the order of the lot. Who misses a place of a table by it may still be a wild card.

    >>> first, second = [Standing(1, 1, 500), Standing(2, 1, 500)], [Standing(3, 1, 500), Standing(4, 1, 100)]
    >>> entries_by_lot({"a": first, "b": second}, of_each=1, wild_cards=0, order=(4, 3, 2, 1))
    ((2, 3), (2, 1))
    >>> entries_by_lot({"a": first, "b": second}, of_each=1, wild_cards=1, order=(4, 3, 2, 1))
    ((1, 2, 3), (2, 1))
    """
    through: list[int] = []
    level: set[int] = set()
    left: list[Standing] = []

    def choose(standings: list[Standing], places: int) -> list[int]:
        sure, tied = _best(standings, places)
        level.update(tied)
        return [*sure, *sorted(tied, key=order.index)[: places - len(sure)]]

    for standings in tables.values():
        in_play = [standing for standing in standings if standing.points]
        chosen = choose(in_play, of_each)
        through += chosen
        left += (standing for standing in in_play if standing.entry not in chosen)
    through += choose(left, wild_cards)
    return tuple(sorted(through)), tuple(sorted(level, key=order.index))


def _best(standings: Iterable[Standing], places: int) -> tuple[list[int], list[int]]:
    """Return the entries that surely have one of these places, and those that are tied for the last of them."""
    ranks = ranks_of(standings)
    if len(ranks) <= places:
        return [rank.entry for rank in ranks], []
    if not places:
        return [], []
    last, after = ranks[places - 1], ranks[places]
    if last.place != after.place:
        return [rank.entry for rank in ranks[:places]], []
    return (
        [rank.entry for rank in ranks if rank.place < last.place],
        [rank.entry for rank in ranks if rank.place == last.place],
    )

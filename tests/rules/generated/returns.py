"""What a wager of one unit wins on average, by hand: from its terms, without the engine and the solver of Passline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

ROLLS = tuple(product(range(1, 7), repeat=2))
WAYS = Counter(first + second for first, second in ROLLS)
SEVEN = 7


def ratio(pays: str) -> Fraction:
    """Return what one unit wins; "25 for 1" includes the stake, "7 to 6" does not."""
    much, word, unit = pays.split()
    return Fraction(int(much), int(unit)) - (word == "for")


def one_roll(pays: Mapping[tuple[int, int], str]) -> Fraction:
    """Pays by the dice, the smaller first; every other roll loses."""
    return sum((ratio(pays[dice]) if dice in pays else Fraction(-1) for dice in _in_order()), Fraction(0)) / len(ROLLS)


def _in_order() -> list[tuple[int, int]]:
    return [(min(dice), max(dice)) for dice in ROLLS]


def against_seven(ways: int, pays: str, *, wins_on_seven: bool = False, others: int = 0) -> Fraction:
    """So many ways against those of a 7, and of `others` on the side of the 7."""
    number = Fraction(ways, ways + WAYS[SEVEN] + others)
    won = 1 - number if wins_on_seven else number
    return won * ratio(pays) - (1 - won)


def line(
    win: Collection[int], lose: Collection[int], points: Mapping[int, Fraction], *, is_dont: bool = False
) -> Fraction:
    """Decided at once or by a point; `points` has for each what its odds win of one unit of the flat wager."""
    at_once = Fraction(sum(WAYS[total] for total in win) - sum(WAYS[total] for total in lose), len(ROLLS))
    for point, odds in points.items():
        flat = against_seven(WAYS[point], "1 to 1", wins_on_seven=is_dont)
        at_once += Fraction(WAYS[point], len(ROLLS)) * (flat + odds)
    return at_once


def later_odds(points: Collection[int], number: int, pays: str, *, works: bool) -> Fraction:
    """What a unit of odds wins behind a wager made with the puck ON that moves to a number on the first roll.

    On a come-out roll odds that do not work are returned with what is decided.
    """
    pucks = [0, *points]

    def after(puck: int, total: int) -> int:
        return (total if total in points else 0) if not puck else 0 if total in (puck, SEVEN) else puck

    at = {puck: place for place, puck in enumerate(pucks)}
    rows = []
    for puck in pucks:
        row = [Fraction(puck == other) for other in pucks] + [Fraction(0)]
        for total, ways in WAYS.items():
            share = Fraction(ways, len(ROLLS))
            if total in (number, SEVEN):
                gain = ratio(pays) if total == number else Fraction(-1)
                row[-1] += share * gain * (works or puck != 0)
            else:
                row[at[after(puck, total)]] -= share
        rows.append(row)
    values = _solved(rows)
    all_ways = sum(WAYS[point] for point in points)
    return sum((Fraction(WAYS[puck], all_ways) * values[at[after(puck, number)]] for puck in points), Fraction(0))


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve equations, one a row with its right side last."""
    for place in range(len(rows)):
        pivot = next(index for index in range(place, len(rows)) if rows[index][place])
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for index, row in enumerate(rows):
            if index != place and row[place]:
                rows[index] = [value - row[place] * lead for value, lead in zip(row, rows[place], strict=True)]
    return [row[-1] for row in rows]


def collection(needs: Collection[int], lose: Collection[int], pays: str) -> Fraction:
    """All of some totals before one that loses."""
    against = sum(WAYS[total] for total in lose)

    @cache
    def wins(left: frozenset[int]) -> Fraction:
        if not left:
            return Fraction(1)
        some = sum(WAYS[total] for total in left)
        return sum((WAYS[total] * wins(left - {total}) for total in left), Fraction(0)) / (some + against)

    won = wins(frozenset(needs))
    return won * ratio(pays) - (1 - won)


def points_made(points: Collection[int], pays: Mapping[int, str], *, distinct: bool, most: int) -> Fraction:
    """Points made before a loser 7, at most so many; what `pays` does not name loses."""
    ways = sum(WAYS[point] for point in points)
    made = {point: Fraction(WAYS[point], ways) * Fraction(WAYS[point], WAYS[point] + WAYS[SEVEN]) for point in points}
    ended = 1 - sum(made.values(), Fraction(0))

    @cache
    def mean(count: int, found: frozenset[int]) -> Fraction:
        here = ratio(pays[count]) if count in pays else Fraction(-1)
        if count == most:
            return here  # what comes now changes nothing
        again = sum((made[point] for point in found), Fraction(0))
        new = [point for point in points if point not in found]
        total = ended * here + sum(
            (made[point] * mean(count + 1, found | {point} if distinct else found) for point in new), Fraction(0)
        )
        return total / (1 - again)

    return mean(0, frozenset())


def repeated(ways: int, times: int, pays: str, *, against: int) -> Fraction:
    """Something that comes in so many ways, so many times before what comes in `against` ways."""
    won = Fraction(ways, ways + against) ** times
    return won * ratio(pays) - (1 - won)


def hits_among(ways: int, rolls: int, pays: Mapping[int, str]) -> Fraction:
    """How often it comes in so many rolls; what `pays` does not name loses."""
    chance = Fraction(ways, len(ROLLS))
    shares = {hits: comb(rolls, hits) * chance**hits * (1 - chance) ** (rolls - hits) for hits in range(rolls + 1)}
    return sum(
        (share * (ratio(pays[hits]) if hits in pays else Fraction(-1)) for hits, share in shares.items()), Fraction(0)
    )

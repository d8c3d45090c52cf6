"""The returns of the side wagers of the example, by hand: from their published rules, not from the rulebook.

Every function returns what a wager of one unit wins on average, as a Fraction.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeVar

Thing = TypeVar("Thing", bound=Hashable)
FACES = range(1, 7)
ROLLS = tuple(product(FACES, FACES))
WAYS = Counter(first + second for first, second in ROLLS)
POINTS = (4, 5, 6, 8, 9, 10)
SEVENS = WAYS[7]


def repeater(number: int, times: int, pays_for_one: int) -> Fraction:
    """Each time the number must come before a 7."""
    return Fraction(WAYS[number], WAYS[number] + SEVENS) ** times * pays_for_one - 1


def _before_a_seven(wanted: Mapping[Thing, int], score: Callable[[frozenset[Thing]], int]) -> dict[int, Fraction]:
    """How likely each score of what is thrown before a 7 is; rolls of nothing new are left out."""

    @cache
    def scores(left: frozenset[Thing]) -> dict[int, Fraction]:
        here = score(frozenset(wanted) - left)
        if not left:
            return {here: Fraction(1)}
        ways = SEVENS + sum(wanted[thing] for thing in left)
        found = defaultdict(Fraction, {here: Fraction(SEVENS, ways)})
        for thing in left:
            for value, chance in scores(left - {thing}).items():
                found[value] += Fraction(wanted[thing], ways) * chance
        return dict(found)

    return scores(frozenset(wanted))


def _return(chances: Mapping[int, Fraction], pays: Mapping[int, int]) -> Fraction:
    """The mean of what each score pays to 1; one that is not listed loses."""
    return sum((chance * pays.get(score, -1) for score, chance in chances.items()), Fraction(0))


def hot_hand() -> Fraction:
    """Nine or ten of the ten numbers other than 7."""
    wanted = {total: ways for total, ways in WAYS.items() if total != 7}
    return _return(_before_a_seven(wanted, len), {9: 20, 10: 80})


def different_doubles() -> Fraction:
    """Three to six of the doubles, each of which comes in one way."""
    return _return(_before_a_seven(dict.fromkeys(FACES, 1), len), {3: 4, 4: 8, 5: 15, 6: 100})


def hot_roller() -> Fraction:
    """The point numbers of which every kind of way has come: hard and easy, or easy alone."""
    wanted = Counter((a + b, a == b) for a, b in ROLLS if a + b in POINTS)

    def score(thrown: frozenset[tuple[int, bool]]) -> int:
        return sum(all(way in thrown for way in wanted if way[0] == point) for point in POINTS)

    return _return(_before_a_seven(wanted, score), {3: 2, 4: 6, 5: 20, 6: 100})


def four_rolls_no_seven() -> Fraction:
    """Four rolls, none of which is a 7, at even money."""
    return 2 * Fraction(len(ROLLS) - SEVENS, len(ROLLS)) ** 4 - 1


def hot_shooter() -> Fraction:
    """The rolls of a hand, by where the puck is after each of them."""
    pucks: dict[int, Fraction] = {0: Fraction(1)}
    ended: list[Fraction] = [Fraction(0)]
    for _roll in range(50):
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        over = Fraction(0)
        for (puck, chance), (total, ways) in product(pucks.items(), WAYS.items()):
            part = chance * Fraction(ways, len(ROLLS))
            if puck and total == 7:
                over += part
            elif puck:
                after[0 if total == puck else puck] += part
            else:
                after[total if total in POINTS else 0] += part
        pucks = dict(after)
        ended.append(over)
    bands = {(8, 15): 1, (16, 23): 3, (24, 31): 5, (32, 39): 7, (40, 44): 12, (45, 50): 30}
    paid = sum((sum(ended[low : high + 1], Fraction(0)) * pays for (low, high), pays in bands.items()), Fraction(0))
    return paid + (1 - sum(ended)) * 100 - 1


def point_seven() -> Fraction:
    """A point and at once a 7, at 7 to 1."""
    return _two_rolls(lambda first, second: first in POINTS and second == 7) * 8 - 1


def muggsys_corner() -> Fraction:
    """A 7 at once at 2 to 1, or a point and at once a 7 at 3 to 1."""
    return Fraction(SEVENS, len(ROLLS)) * 3 + _two_rolls(lambda first, second: first in POINTS and second == 7) * 4 - 1


def _two_rolls(wins: Callable[[int, int], bool]) -> Fraction:
    """How likely two rolls win, by their totals."""
    good = sum(WAYS[first] * WAYS[second] for first, second in product(WAYS, WAYS) if wins(first, second))
    return Fraction(good, len(ROLLS) ** 2)


def _made(point: int) -> Fraction:
    """How likely the next point to be set and decided is this one, and is made."""
    return Fraction(WAYS[point], sum(WAYS[other] for other in POINTS)) * Fraction(WAYS[point], WAYS[point] + SEVENS)


def replay() -> Fraction:
    """The best line of the points made; 4 and 10 and so on are alike, so their two counts are kept in order."""
    pairs, most = (4, 5, 6), 4
    pays = {(4, 4): 1000, (5, 4): 500, (4, 3): 120, (6, 4): 100, (5, 3): 95, (6, 3): 70}
    lost = 1 - sum(_made(point) for point in POINTS)

    @cache
    def mean(*counts: tuple[int, int]) -> Fraction:
        best = max((pays.get((point, max(pair)), -1) for point, pair in zip(pairs, counts, strict=True)), default=-1)
        total, again = lost * best, Fraction(0)
        for place, point in enumerate(pairs):
            for one, other in (counts[place], counts[place][::-1]):
                if one == most:
                    again += _made(point)
                    continue
                low, high = sorted((one + 1, other))
                after = (*counts[:place], (low, high), *counts[place + 1 :])
                total += _made(point) * mean(*after)
        return total / (1 - again)

    return mean((0, 0), (0, 0), (0, 0))


def twice_as_nice() -> Fraction:
    """Any point a second time, at 14 to 1: what does not win is a row of different points and a loser 7."""
    lost = 1 - sum(_made(point) for point in POINTS)

    @cache
    def loses(left: frozenset[int]) -> Fraction:
        return lost + sum((_made(point) * loses(left - {point}) for point in left), Fraction(0))

    return (1 - loses(frozenset(POINTS))) * 15 - 1


def ride_the_line(pays: Mapping[int, int]) -> Fraction:
    """Wins of the pass line before a loser 7; a come-out 2, 3 or 12 decides nothing here."""
    points = sum(WAYS[point] for point in POINTS)
    made = sum(_made(point) for point in POINTS) * points
    wins = made + WAYS[7] + WAYS[11]
    rate = Fraction(wins, wins + points - made)
    chances = {count: rate**count * (1 - rate) for count in range(11)} | {11: rate**11}
    return _return(chances, pays)


def any_double() -> Fraction:
    """Both dice alike, at 4 to 1."""
    return Fraction(sum(a == b for a, b in ROLLS), len(ROLLS)) * 5 - 1


def buffalo() -> Fraction:
    """A fifth each on four hopped hardways at 30 to 1 and on any seven at 4 to 1, as wagers of their own."""
    hop = Fraction(1, len(ROLLS)) * 31 - 1
    any_seven = Fraction(SEVENS, len(ROLLS)) * 5 - 1
    return (4 * hop + any_seven) / 5


def high_point() -> Fraction:
    """A first roll of 11 or 12, or a second higher than a first of 4 to 10; a first of 2 or 3 is thrown again."""
    again = Fraction(WAYS[2] + WAYS[3], len(ROLLS))
    higher = _two_rolls(lambda first, second: 3 < first < 11 and second > first)
    won = Fraction(WAYS[11] + WAYS[12], len(ROLLS)) + higher
    return 2 * won / (1 - again) - 1


RIDE_THE_LINE = {
    "PT1": (0, 1, 2, 4, 6, 8, 15, 20, 25, 50),
    "PT2": (-1, 1, 2, 4, 6, 12, 20, 30, 40, 75),
    "PT3": (-1, 1, 2, 3, 6, 10, 20, 30, 40, 100),
    "PT4": (-1, 1, 2, 3, 4, 10, 15, 20, 30, 150),
    "PT5": (-1, 1, 2, 5, 8, 10, 20, 30, 40, 50),
    "PT6": (-1, 0, 3, 5, 7, 12, 20, 25, 30, 100),
    "PT7": (-1, 0, 2, 4, 7, 10, 15, 25, 40, 150),
}  # what 2 to 11 wins pay to 1, by the pay table of the published list
REPEATERS = {2: (2, 40), 3: (3, 50), 4: (4, 65), 5: (5, 80), 6: (6, 90)}
REPEATERS |= {14 - number: terms for number, terms in REPEATERS.items()}
METHODS: dict[str, Callable[[], Fraction]] = {
    method.__name__: method
    for method in (
        *(hot_hand, different_doubles, hot_roller, four_rolls_no_seven, hot_shooter, point_seven, muggsys_corner),
        *(replay, twice_as_nice, any_double, buffalo, high_point),
    )
}


def returns() -> dict[str, Fraction]:
    """The return of every side wager of the default house, by its kind."""
    repeaters = {f"repeater_{number}": repeater(number, *terms) for number, terms in REPEATERS.items()}
    line = {"ride_the_line": ride_the_line(dict(enumerate(RIDE_THE_LINE["PT1"], start=2)))}
    return {**repeaters, **line, **{kind: method() for kind, method in METHODS.items()}}

"""The side wagers of the example, each in a few lines of plain Python over the rolls since it was made.

Each returns what a unit has won or lost after the last of these rolls, None while nothing is decided. They follow the
published rules, and know nothing of the rulebook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

Rolls = Sequence[tuple[int, int]]
Plain = Callable[[Rolls], "Fraction | int | None"]
POINTS = (4, 5, 6, 8, 9, 10)


class Story(NamedTuple):
    """What a shooter has thrown since the first come-out roll of the hand."""

    made: Counter[int]  # the points made
    line_wins: int
    is_over: bool  # by a loser 7


def story(rolls: Rolls) -> Story:
    """Tell the rolls of a hand as a game."""
    made, puck, wins = Counter[int](), 0, 0
    for total in map(sum, rolls):
        if not puck:
            wins += total in {7, 11}
            puck = total if total in POINTS else 0
        elif total == 7:
            return Story(made, wins, is_over=True)
        elif total == puck:
            made[puck] += 1
            wins, puck = wins + 1, 0
    return Story(made, wins, is_over=False)


def repeater(number: int, times: int, pays_for_one: int) -> Plain:
    """So many times this number before a 7."""

    def plain(rolls: Rolls) -> int | None:
        if sum(sum(roll) == number for roll in rolls) == times:
            return pays_for_one - 1
        return -1 if sum(rolls[-1]) == 7 else None

    return plain


def hot_hand(rolls: Rolls) -> int | None:
    """Ten numbers, or nine of them before a 7."""
    thrown = {sum(roll) for roll in rolls} - {7}
    if len(thrown) == 10:
        return 80
    return (20 if len(thrown) == 9 else -1) if sum(rolls[-1]) == 7 else None


def different_doubles(rolls: Rolls) -> int | None:
    """Different doubles before a 7."""
    thrown = {first for first, second in rolls if first == second}
    if len(thrown) == 6:
        return 100
    return {3: 4, 4: 8, 5: 15}.get(len(thrown), -1) if sum(rolls[-1]) == 7 else None


def hot_roller(rolls: Rolls) -> int | None:
    """Point numbers thrown hard and easy."""
    thrown = {(first + second, first == second) for first, second in rolls}
    full = [n for n in POINTS if (n, False) in thrown and (n in {5, 9} or (n, True) in thrown)]
    if len(full) == 6:
        return 100
    return {3: 2, 4: 6, 5: 20}.get(len(full), -1) if sum(rolls[-1]) == 7 else None


def four_rolls_no_seven(rolls: Rolls) -> int | None:
    """Four rolls without a 7."""
    if sum(rolls[-1]) == 7:
        return -1
    return 1 if len(rolls) == 4 else None


def hot_shooter(rolls: Rolls) -> int | None:
    """How many rolls the hand has."""
    if not story(rolls).is_over:
        return None
    bands = ((51, 100), (45, 30), (40, 12), (32, 7), (24, 5), (16, 3), (8, 1))
    return next((pays - 1 for least, pays in bands if len(rolls) >= least), -1)


def muggsys_corner(rolls: Rolls) -> int | None:
    """A 7 at once, or after a point."""
    totals = [*map(sum, rolls)]
    if totals == [7]:
        return 2
    if totals[0] not in POINTS:
        return -1
    return None if len(totals) == 1 else 3 if totals[1] == 7 else -1


def point_seven(rolls: Rolls) -> int | None:
    """A point, then a 7."""
    totals = [*map(sum, rolls)]
    if totals[0] not in POINTS:
        return -1
    return None if len(totals) == 1 else 7 if totals[1] == 7 else -1


def replay(rolls: Rolls) -> int | None:
    """The best of the points made three times or four."""
    told = story(rolls)
    pays = {(4, 4): 1000, (5, 4): 500, (4, 3): 120, (6, 4): 100, (5, 3): 95, (6, 3): 70}
    best = [pays.get((min(n, 14 - n), min(count, 4)), -1) for n, count in told.made.items()]
    return max(best, default=-1) if told.is_over else None


def twice_as_nice(rolls: Rolls) -> int | None:
    """A point for the second time."""
    told = story(rolls)
    if 2 in told.made.values():
        return 14
    return -1 if told.is_over else None


def ride_the_line(rolls: Rolls) -> int | None:
    """How often the line won, by the first pay table."""
    told = story(rolls)
    pays = {2: 0, 3: 1, 4: 2, 5: 4, 6: 6, 7: 8, 8: 15, 9: 20, 10: 25, 11: 50}
    return pays.get(min(told.line_wins, 11), -1) if told.is_over else None


def any_double(rolls: Rolls) -> int:
    """Both dice alike."""
    return 4 if rolls[-1][0] == rolls[-1][1] else -1


def buffalo(rolls: Rolls) -> Fraction:
    """Four hops of a fifth each, and any seven."""
    first, second = rolls[-1]
    hops = sum(30 if (first, second) == (face, face) else -1 for face in (2, 3, 4, 5))
    return Fraction(hops + (4 if first + second == 7 else -1), 5)


def high_point(rolls: Rolls) -> int | None:
    """The second roll against the first."""
    totals = [total for total in map(sum, rolls) if total > 3]
    if len(totals) == 1 and sum(rolls[-1]) > 3:
        return 1 if totals[0] > 10 else None
    if not totals:
        return None
    return 1 if sum(rolls[-1]) > totals[0] else -1


REPEATERS = {2: (2, 40), 3: (3, 50), 4: (4, 65), 5: (5, 80), 6: (6, 90)}
PLAIN: dict[str, Plain] = {
    **{f"repeater_{number}": repeater(number, *terms) for number, terms in REPEATERS.items()},
    **{f"repeater_{14 - number}": repeater(14 - number, *terms) for number, terms in REPEATERS.items()},
    **{
        plain.__name__: plain
        for plain in (
            *(hot_hand, different_doubles, hot_roller, four_rolls_no_seven, hot_shooter, muggsys_corner, point_seven),
            *(replay, twice_as_nice, ride_the_line, any_double, buffalo, high_point),
        )
    },
}

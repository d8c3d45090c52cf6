"""A second, separately written iteration of line wagers with odds: the rules of the game as formulas, no engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numba import njit
from numpy.typing import NDArray

_POINTS = (4, 5, 6, 8, 9, 10)
_WAYS = (3, 4, 5, 5, 4, 3)
_PAYS = ((2, 1), (3, 2), (6, 5), (6, 5), (3, 2), (2, 1))  # of odds: so many to so many; odds laid the other way round
_SEVENS = 6


def chance_to_reach(goal: int, start: int, multiples: Mapping[str, int]) -> float:
    """Return the best chance to bring `start` units to `goal` with pass or don't pass and odds of whole units.

    Odds are at most a multiple of the flat wager, odds laid win at most that, and both are paid in whole units.
    """
    most = np.array([multiples[str(point)] for point in _POINTS], dtype=np.int64)
    values = np.zeros(goal + 1)
    values[goal] = 1.0
    while _sweep(values, goal, most, np.array(_WAYS), np.array(_PAYS)) > 1e-15:
        pass
    return float(values[start])


@njit()
def _sweep(
    values: NDArray[np.float64], goal: int, most: NDArray[np.int64], ways: NDArray[np.int64], pays: NDArray[np.int64]
) -> float:
    """Improve the value of every amount of money in place, by the best flat wager and the best odds on each point."""
    change = 0.0
    for money in range(1, goal):
        best = 0.0
        for flat in range(1, money + 1):
            up, down = values[min(goal, money + flat)], values[money - flat]
            right, wrong = (
                8 * up + 4 * down,
                3 * up + 8 * down,
            )  # 7 and 11, 2, 3 and 12; 2 and 3, 7 and 11; 12 stands off
            for point in range(6):
                w, (a, b) = ways[point], (pays[point, 0], pays[point, 1])
                backed, laid = 0.0, 0.0
                for odds in range(0, min(money - flat, most[point] * flat) + 1, b):
                    win, lose = values[min(goal, money + flat + odds * a // b)], values[money - flat - odds]
                    backed = max(backed, (w * win + 6 * lose) / (w + 6))
                for odds in range(0, money - flat + 1, a):
                    gain = odds * b // a
                    if gain > most[point] * flat:
                        break
                    win, lose = values[min(goal, money + flat + gain)], values[money - flat - odds]
                    laid = max(laid, (6 * win + w * lose) / (w + 6))
                right, wrong = right + w * backed, wrong + w * laid
            best = max(best, right / 36, wrong / 35)
        change = max(change, abs(best - values[money]))
        values[money] = best
    return change

"""The last roll in numba: which wagers give the best chance of a place, for many positions at once.

Chances are whole numbers of `WHOLE`, so that they are exact: a roll has 36 outcomes, and up to five players who are
level share what a place is worth.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel
from passline.money import POINT_CENTS

Cents = NDArray[np.int64]
SHARES = 60
"""What a place is worth, which divides by the number of players who may be level for it."""
WHOLE = 36 * SHARES
"""A chance of 1 on one roll."""
LEAST, MOST, COST, FIXED, SPOT = range(5)
"""The columns of a menu's bounds: steps at least and at most, the cents of a step and those without one, the spot."""
BOUNDS = 5
"""How many these are."""
_NONE = cast("int", np.int64(-1))


@kernel()
def _share(points: int, rivals: Cents, pair: int, place: int, are_shared: int) -> int:
    """Return what of a place, or a better one, these points are worth after a pair of dice."""
    above, level = 0, 0
    for at in range(rivals.shape[1]):
        above += rivals[pair, at] > points
        level += rivals[pair, at] == points
    left = place - above
    if left <= 0:
        return 0
    if are_shared or left > level:
        return SHARES
    return SHARES * left // (level + 1)


@kernel()
def _worth(
    have: Cents, base: Cents, gains: Cents, first: int, steps: int, second: int, more: int, rivals: Cents,
    weights: Cents, place: int, are_shared: int,
) -> int:  # fmt: skip
    """Return the chance of a place with one or two wagers of the menu (-1: none) in so many steps."""
    worth = 0
    for pair in range(len(weights)):
        cents = have[pair]
        if first >= 0:
            cents += base[first, pair] + gains[first, pair] * steps
        if second >= 0:
            cents += base[second, pair] + gains[second, pair] * more
        worth += weights[pair] * _share(cents // POINT_CENTS, rivals, pair, place, are_shared)
    return worth


@kernel()
def amounts_of(
    have: Cents, rack: int, bounds: Cents, base: Cents, gains: Cents, rivals: Cents, wager: int, into: Cents
) -> int:
    """Write the steps of a wager at which a rank can change, in order; return how many there are.

    For each pair of dice and each rival these are the least that draws level or passes, and the most that stays so.
    """
    least, most = bounds[wager, LEAST], min(bounds[wager, MOST], (rack - bounds[wager, FIXED]) // bounds[wager, COST])
    if most < least:
        return 0
    into[0], into[1] = least, most
    count = 2
    for pair in range(gains.shape[1]):
        gain = gains[wager, pair]
        if not gain:
            continue
        for at in range(rivals.shape[1]):
            for past in range(2):
                missing = (rivals[pair, at] + past) * POINT_CENTS - have[pair] - base[wager, pair]
                steps = -(-missing // gain) if gain > 0 else -missing // -gain
                if least < steps < most:
                    into[count] = steps
                    count += 1
    return _sort(into, count)


@kernel()
def _sort(numbers: Cents, count: int) -> int:
    """Sort the first numbers and leave out what comes again; return how many are left."""
    for at in range(1, count):
        number, place = numbers[at], at
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number
    left = 1
    for at in range(1, count):
        if numbers[at] != numbers[left - 1]:
            numbers[left] = numbers[at]
            left += 1
    return left


@kernel()
def list_candidates(
    have: Cents, rack: int, bounds: Cents, base: Cents, gains: Cents, rivals: Cents, into: Cents
) -> int:
    """Write each wager of a menu with each of its amounts, in steps, to the rows of an array; return how many."""
    amounts = np.empty(2 + 2 * gains.shape[1] * rivals.shape[1], dtype=np.int64)
    count = 0
    for wager in range(len(gains)):
        for at in range(amounts_of(have, rack, bounds, base, gains, rivals, wager, amounts)):
            if count < len(into):
                into[count, 0], into[count, 1] = wager, amounts[at]
            count += 1
    return count


@kernel(nogil=True)
def best_last(
    haves: Cents, racks: Cents, rivals: Cents, rivals_of: Cents, bounds: Cents, base: Cents, gains: Cents,
    weights: Cents, place: int, are_shared: int, two: int, results: Cents,
) -> None:  # fmt: skip
    """Write the best chance of each position: with no wager, with one, and with two if they are looked at."""
    most = len(gains) * (2 + 2 * gains.shape[1] * rivals.shape[2]) + 1
    found = np.empty((most, 2), dtype=np.int64)
    for at in range(len(haves)):
        have, others = haves[at], rivals[rivals_of[at]]
        best = _worth(have, base, gains, _NONE, 0, _NONE, 0, others, weights, place, are_shared)
        count = list_candidates(have, racks[at], bounds, base, gains, others, found)
        for at_first in range(count):
            first, steps = found[at_first, 0], found[at_first, 1]
            worth = _worth(have, base, gains, first, steps, _NONE, 0, others, weights, place, are_shared)
            best = max(best, worth)
            if not two:
                continue
            rest = racks[at] - bounds[first, FIXED] - steps * bounds[first, COST]
            for other in range(at_first + 1, count):
                second, more = found[other, 0], found[other, 1]
                is_other = bounds[second, SPOT] != bounds[first, SPOT]
                if is_other and bounds[second, FIXED] + more * bounds[second, COST] <= rest:
                    worth = _worth(have, base, gains, first, steps, second, more, others, weights, place, are_shared)
                    best = max(best, worth)
        results[at] = best


@kernel(nogil=True)
def worth_of_all(
    have: Cents, candidates: Cents, base: Cents, gains: Cents, rivals: Cents, weights: Cents, place: int,
    are_shared: int, results: Cents,
) -> None:  # fmt: skip
    """Write the chance of each candidate: two wagers of the menu with their steps, -1 for none."""
    for at in range(len(candidates)):
        first, steps, second, more = candidates[at]
        results[at] = _worth(have, base, gains, first, steps, second, more, rivals, weights, place, are_shared)

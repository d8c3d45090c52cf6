"""One session on its own in a kernel: what `lanes` cannot decide, and every session whose stops need each roll."""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, OUTCOMES
from passline.automaton.terms import GOAL, LIMIT, RUIN
from passline.simulation.backends.cpu.lanes import DRAWDOWN, EQUITY, PEAK, WAGERED
from passline.simulation.kernel_dice import ROLLS, roll_block
from passline.simulation.kernel_tables import Limits

__all__ = [
    "BEGAN",
    "GOES_ON",
    "MARKED",
    "PARTS",
    "ROLLED",
    "SITS",
    "Cells",
    "One",
    "begin",
    "paths",
    "play_on",
    "walk",
]

One = NDArray[np.int64]
"""What one session on its own holds: the first four as lanes do, then these, then the rows of its parts."""
ROLLED, MARKED, BEGAN, SITS, PARTS = 4, 5, 6, 7, 8
"""Rolls and marks so far, the equity that the hand began with, and whether the player sits it out."""
GOES_ON = -1
"""Not an ending."""


class Cells(NamedTuple):
    """The tables of `Tables` that kernels read."""

    next: NDArray[np.int32]
    cash: NDArray[np.int64]
    action: NDArray[np.int64]
    mark: NDArray[np.uint8]
    after: NDArray[np.int64]
    outlay: NDArray[np.int64]
    short: NDArray[np.int32]  # empty where nobody who is short goes on
    packed: NDArray[np.uint64]


@njit(cache=True)
def walk(  # noqa: C901, PLR0912 - see the last sentence
    t: Cells, lim: Limits, starts: tuple[int, ...], one: One, thrown: NDArray[np.uint8], count: int
) -> int:
    """Play one session through so many rolls: how it ended, or -1.

    Each moment before acting: goal, then limit, then funds (equity - outlay < max(0, began - loss): follow short). Each
    roll d: row' = next[row + d] and equity' = equity + cash[row + d], summed over parts. One function, for a call per
    roll costs as much as the roll.
    """
    nexts, cashes, actions, marks, after, outlays, shorts = t.next, t.cash, t.action, t.mark, t.after, t.outlay, t.short
    equity, peak, drawdown, wagered = one[EQUITY], one[PEAK], one[DRAWDOWN], one[WAGERED]
    rolls, marked, began, sits = one[ROLLED], one[MARKED], one[BEGAN], one[SITS]
    row = one[PARTS]  # of the first part, which alone has `short`
    outlay = 0
    for part in range(PARTS, len(one)):
        outlay += outlays[one[part] // OUTCOMES]
    ending = GOES_ON
    r = 0
    while True:
        if equity >= lim.goal:
            ending = GOAL
        elif rolls >= lim.rolls or marked >= lim.marks:
            ending = LIMIT
        elif not sits:
            while equity - outlay < max(0, began - lim.loss):
                short = shorts[row // OUTCOMES] if len(shorts) else -1
                if short < 0:
                    if equity < outlay:
                        ending = RUIN
                    else:
                        sits = 1
                    break
                row, outlay = short, outlays[short // OUTCOMES]
        if ending != GOES_ON or r == count:
            break
        d = np.int64(thrown[np.uint64(r)])
        cell = np.uint64(row + d)
        mark, cash, action, outlay, row = marks[cell], cashes[cell], actions[cell], after[cell], nexts[cell]
        for part in range(PARTS + 1, len(one)):
            cell = np.uint64(one[part] + d)
            cash += cashes[cell]
            action += actions[cell]
            outlay += after[cell]
            one[part] = nexts[cell]
        equity += 0 if sits else cash
        wagered += 0 if sits else action
        peak = max(peak, equity)
        drawdown = max(drawdown, peak - equity)
        r += 1
        rolls += 1
        marked += (mark & lim.mark) != 0
        if mark & HAND:
            began = equity
            if sits:
                sits, row, outlay = 0, starts[0], outlays[starts[0] // OUTCOMES]
    one[EQUITY], one[PEAK], one[DRAWDOWN], one[WAGERED] = equity, peak, drawdown, wagered
    one[ROLLED], one[MARKED], one[BEGAN], one[SITS], one[PARTS] = rolls, marked, began, sits, row
    return ending


@njit(cache=True)
def begin(t: Cells, lim: Limits, starts: tuple[int, ...], one: One, thrown: NDArray[np.uint8]) -> int:
    """Put a session at its first moment; how it ends there, or -1."""
    one[:] = 0
    one[EQUITY] = one[PEAK] = one[BEGAN] = lim.equity
    for part in range(len(starts)):
        one[PARTS + part] = starts[part]
    return walk(t, lim, starts, one, thrown, 0)


@njit(cache=True)
def play_on(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    session: int,
    block: int,
    one: One,
    thrown: NDArray[np.uint8],
) -> int:
    """Play one session from a block on to its end."""
    ending = GOES_ON
    while ending == GOES_ON:
        count = roll_block(seed, np.uint64(session), block, thrown)
        ending = walk(t, lim, starts, one, thrown, count)
        block += 1
    return ending


@njit(cache=True, nogil=True)
def paths(t: Cells, lim: Limits, starts: tuple[int, ...], seed: np.uint64, first: int, into: NDArray[np.int64]) -> None:
    """Play sessions [first, ...) one by one: into[i, n] is the equity after roll n, and stays where a session ends."""
    one = np.zeros(PARTS + len(starts), dtype=np.int64)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(len(into)):
        ending = begin(t, lim, starts, one, thrown)
        into[i, :] = lim.equity
        block = n = 0
        while ending == GOES_ON and n + 1 < into.shape[1]:
            count = roll_block(seed, np.uint64(first + i), block, thrown)
            block += 1
            for r in range(count):
                ending = walk(t, lim, starts, one, thrown[r : r + 1], 1)
                n += 1
                if n < into.shape[1]:
                    into[i, n:] = one[EQUITY]
                if ending != GOES_ON:
                    break

"""One session at a time, roll by roll: all that `lanes` cannot decide. `walk` decides goal, limit and ruin."""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import GOAL, HAND, LIMIT, LINE, NEVER, OUTCOMES, RUIN, STOP, WON
from passline.kernel_cache import kernel
from passline.simulation.backends.cpu.kernel_dice import ROLLS, KernelDice, roll_block, throw_block
from passline.simulation.backends.cpu.lanes import DRAWDOWN, EQUITY, PEAK, WAGERED
from passline.simulation.kernel_types import SessionLimits

State = NDArray[np.int64]
"""The state of a session: the first four fields of a lane, the five fields below, then the row of each part."""
ROLLED, MARKED, BEGAN, SITS, STREAK, PART_ROW = 4, 5, 6, 7, 8, 9
"""Rolls and marks so far, the equity at the start of the hand, whether the player sits it out, the line decisions in a
row that the pass line won (below 0: lost); then the rows."""
GOES_ON = -1
"""The session has not ended."""
NONE = cast("int", np.int64(0))
"""No rolls, blocks or sessions yet; to numba a plain 0 is a type of its own, for which it compiles a function again."""


class Cells(NamedTuple):
    """The arrays of `Tables` that the kernels read, and `after`: the outlay of the state that a cell leads to."""

    next: NDArray[np.int32]
    cash: NDArray[np.int64]
    action: NDArray[np.int64]
    mark: NDArray[np.uint8]
    after: NDArray[np.int64]  # empty while the outlays of states are still being found
    outlay: NDArray[np.int64]
    short: NDArray[np.int32]  # empty where a player who is short is always ruined
    packed: NDArray[np.uint64]


@kernel()
def walk(  # noqa: C901, PLR0912, PLR0915 - see the last sentence of its docstring
    t: Cells, lim: SessionLimits, starts: tuple[int, ...], state: State, thrown: NDArray[np.uint8], count: int
) -> int:
    """Play `count` rolls of a session, and return how it ended, or GOES_ON.

    Before each roll: goal, then limit, then stops, then funds (while equity - outlay < max(0, began - loss), follow
    short). Roll d: row' = next[row + d] and equity' = equity + cash[row + d], summed over the parts. Stops are looked
    at only where equity - outlay < max(guard, peak + 1 - trail), as it is at every stop and wherever funds are short;
    after a streak the guard is NEVER. So they cost nothing where there are none. It is one function because a call per
    roll would cost as much as the roll.
    """
    nexts, cashes, actions, marks, after, outlays, shorts = t.next, t.cash, t.action, t.mark, t.after, t.outlay, t.short
    equity, peak, drawdown, wagered = state[EQUITY], state[PEAK], state[DRAWDOWN], state[WAGERED]
    rolls, marked, began, sits, streak = state[ROLLED], state[MARKED], state[BEGAN], state[SITS], state[STREAK]
    row = state[PART_ROW]  # of the first part, which alone has `short`
    outlay = 0
    for part in range(PART_ROW, len(state)):
        outlay += outlays[state[part] // OUTCOMES]
    watch = LINE | HAND if min(lim.wins, lim.losses) != NEVER else HAND
    is_over = streak >= lim.wins or -streak >= lim.losses
    slip = lim.trail - 1
    guard = NEVER if is_over else max(0, began - lim.loss, lim.stop + 1)
    ending = GOES_ON
    r = 0
    while True:
        if equity >= lim.goal:
            ending = GOAL
        elif rolls >= lim.rolls or marked >= lim.marks:
            ending = LIMIT
        elif not sits and equity - outlay < max(guard, peak - slip):
            if is_over or equity <= lim.stop or peak - equity > slip:
                ending = STOP
            while ending == GOES_ON and equity - outlay < max(0, began - lim.loss):
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
        mark, cash, action, row = marks[cell], cashes[cell], actions[cell], nexts[cell]
        outlay = after[cell] if len(after) else outlays[row // OUTCOMES]
        for part in range(PART_ROW + 1, len(state)):
            cell = np.uint64(state[part] + d)
            cash += cashes[cell]
            action += actions[cell]
            outlay += after[cell]
            state[part] = nexts[cell]
        equity += 0 if sits else cash
        wagered += 0 if sits else action
        peak = max(peak, equity)
        drawdown = max(drawdown, peak - equity)
        r += 1
        rolls += 1
        marked += (mark & lim.mark) != 0
        if mark & watch:
            if mark & HAND:
                began = equity
                if sits:
                    sits, row, outlay = 0, starts[0], outlays[starts[0] // OUTCOMES]
            if mark & watch & LINE:
                streak = max(streak, 0) + 1 if mark & WON else min(streak, 0) - 1
                is_over = streak >= lim.wins or -streak >= lim.losses
                sits = 0 if is_over else sits
            guard = NEVER if is_over else max(0, began - lim.loss, lim.stop + 1)
    state[EQUITY], state[PEAK], state[DRAWDOWN], state[WAGERED] = equity, peak, drawdown, wagered
    state[ROLLED], state[MARKED], state[BEGAN], state[SITS], state[STREAK] = rolls, marked, began, sits, streak
    state[PART_ROW] = row
    return ending


@kernel()
def begin(t: Cells, lim: SessionLimits, starts: tuple[int, ...], state: State, thrown: NDArray[np.uint8]) -> int:
    """Set `state` to the start of a session. Return how it ends before the first roll, or GOES_ON."""
    state[:] = 0
    state[EQUITY] = state[PEAK] = state[BEGAN] = lim.equity
    for part in range(len(starts)):
        state[PART_ROW + part] = starts[part]
    return walk(t, lim, starts, state, thrown, NONE)


@kernel()
def finish(
    t: Cells,
    lim: SessionLimits,
    starts: tuple[int, ...],
    seed: np.uint64,
    session: int,
    block: int,
    state: State,
    thrown: NDArray[np.uint8],
) -> int:
    """Play one session from the beginning of a block to its end, and return how it ended."""
    ending = GOES_ON
    while ending == GOES_ON:
        count = roll_block(seed, np.uint64(session), block, thrown)
        ending = walk(t, lim, starts, state, thrown, count)
        block += 1
    return ending


@kernel(nogil=True)
def paths(
    t: Cells,
    lim: SessionLimits,
    starts: tuple[int, ...],
    dice: KernelDice,
    seed: np.uint64,
    into: NDArray[np.int64],
) -> None:
    """Write the equity of session i after roll n to into[i, n]; an ended session keeps its last equity."""
    state = np.zeros(PART_ROW + len(starts), dtype=np.int64)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(len(into)):
        ending = begin(t, lim, starts, state, thrown)
        into[i, :] = lim.equity
        block = n = 0
        while ending == GOES_ON and n + 1 < into.shape[1]:
            count = throw_block(dice, seed, np.uint64(i), block, thrown)
            block += 1
            for r in range(count):
                ending = walk(t, lim, starts, state, thrown[r : r + 1], 1)
                n += 1
                if n < into.shape[1]:
                    into[i, n:] = state[EQUITY]
                if ending != GOES_ON:
                    break

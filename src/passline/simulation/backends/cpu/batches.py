"""The CPU kernel: sessions in batches, 64 at a time through `lanes`, and one by one where that is not enough.

All sessions of a batch are at the same block of their dice. A block is played by `lanes`; whoever it notes (at the
goal, a word rejected, short of the outlay but not ruined by it) plays the block again from where it began, roll by
roll, as `sessions` specifies. Who ends leaves a row behind, and the last of the group takes the place. Limits on marks
and losses per shooter are looked at roll by roll only, and so are amounts that do not fit into packed entries.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.automaton.terms import LIMIT, RUIN
from passline.simulation.backends.cpu.lanes import (
    BEHIND,
    COUNT,
    DRAWDOWN,
    EQUITY,
    KEYS_WIDE,
    LANES,
    NUMBER,
    PEAK,
    ROWS,
    WAGERED,
    block_of,
    borrowed,
    highest_bit,
)
from passline.simulation.backends.cpu.walk import GOES_ON, PARTS, ROLLED, Cells, One, begin, play_on, walk
from passline.simulation.kernel_dice import ROLLS, ROUNDS, roll_block, spread_keys
from passline.simulation.kernel_tables import Limits
from passline.simulation.tally import COLUMNS, Counts, Rows, tally

__all__ = ["BATCH", "run"]

BATCH = 512
"""Sessions played together: what they hold stays in the cache."""

_Lanes = NDArray[np.int32]  # [2, what is held, BATCH + LANES]: the block before and after

# The columns of a row.
_ENDED, _ROLLED, _FINAL, _PEAK, _DRAWDOWN, _WAGERED, _NUMBER = range(COLUMNS)
_GOAL_MAX = (1 << 31) - 1
_ONE = np.uint64(1)


@njit(cache=True)
def _leave(one: One, ending: int, number: int, rows: Rows, at: int) -> None:
    """Write what a session came to into row `at`."""
    rows[_ENDED, at] = ending
    rows[_ROLLED, at] = one[ROLLED]
    rows[_FINAL, at] = one[EQUITY]
    rows[_PEAK, at] = one[PEAK]
    rows[_DRAWDOWN, at] = one[DRAWDOWN]
    rows[_WAGERED, at] = one[WAGERED]
    rows[_NUMBER, at] = number


@njit(cache=True)
def _fall(held: _Lanes, i: int, rolled: int, limit: int, rows: Rows, at: int) -> None:
    """Write row `at` for a session that could not go on after so many rolls; after the last one nobody is ruined."""
    rows[_ENDED, at] = LIMIT if rolled >= limit else RUIN
    rows[_ROLLED, at] = rolled
    rows[_FINAL, at] = held[EQUITY, i]
    rows[_PEAK, at] = held[PEAK, i]
    rows[_DRAWDOWN, at] = held[DRAWDOWN, i]
    rows[_WAGERED, at] = held[WAGERED, i]
    rows[_NUMBER, at] = held[NUMBER, i]


@njit(cache=True)
def _step_out(held: _Lanes, i: int, block: int, one: One) -> None:
    """Take session i out of its lane, as it is before a block."""
    for k in range(BEHIND):
        one[k] = held[k, i]
    one[ROLLED] = block * ROLLS - held[BEHIND, i]
    for k in range(ROWS, len(held)):
        one[PARTS + k - ROWS] = held[k, i]


@njit(cache=True)
def _step_in(held: _Lanes, i: int, block: int, one: One) -> None:
    """Put a session into lane i, as it is before a block."""
    for k in range(BEHIND):
        held[k, i] = one[k]
    held[BEHIND, i] = block * ROLLS - one[ROLLED]
    for k in range(ROWS, len(held)):
        held[k, i] = one[PARTS + k - ROWS]


@njit(cache=True)
def _play_lanes(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    first: int,
    block: int,
    keys: NDArray[np.uint64],
    before: _Lanes,
    after: _Lanes,
    alive: int,
    one: One,
    rows: Rows,
    ended: int,
) -> tuple[int, int]:
    """Play a block of all sessions; how many go on, in `after`, and how many have ended in all.

    The last block is played as far as the limit of rolls; who is noted there is played to the end.
    """
    goal = np.int32(min(lim.goal, _GOAL_MAX))
    rolls = min(ROLLS, lim.rolls - block * ROLLS)
    is_last = lim.rolls <= (block + 1) * ROLLS
    thrown = np.empty(ROLLS, dtype=np.uint8)
    stops = len(t.short) == 0
    kept = 0
    for base in range(0, alive, LANES):
        lanes = min(LANES, alive - base)
        places = (before.ctypes.data + base * before.itemsize, after.ctypes.data + kept * after.itemsize)
        noted: np.uint64 = block_of(  # type: ignore[call-arg] # the first argument is numba's
            starts,
            t.packed.ctypes.data,
            places[0],
            places[1],
            before.shape[1],
            keys.ctypes.data,
            first,
            block,
            rolls,
            goal,
        )
        end = kept + lanes
        noted &= ~np.uint64(0) >> np.uint64(LANES - lanes)
        while noted:
            j = highest_bit(noted)
            noted ^= _ONE << np.uint64(j)
            i, number = kept + j, before[NUMBER, base + j]
            if stops and after[COUNT, i] >= 0:  # as it was on the roll that it fell on
                rolled = block * ROLLS - after[BEHIND, i] + after[COUNT, i] + 1
                _fall(after, i, rolled, lim.rolls, rows, ended)
                ended += 1
                end -= 1
                for k in range(len(after)):
                    after[k, i] = after[k, end]
                continue
            _step_out(before, base + j, block, one)
            if is_last:
                ending = play_on(t, lim, starts, seed, first + number, block, one, thrown)
            else:
                count = roll_block(seed, np.uint64(first + number), block, thrown)
                ending = walk(t, lim, starts, one, thrown, count)
            if ending == GOES_ON:
                _step_in(after, i, block + 1, one)
                after[NUMBER, i] = number
            else:
                _leave(one, ending, number, rows, ended)
                ended += 1
                end -= 1
                for k in range(len(after)):
                    after[k, i] = after[k, end]
        kept = end
    return kept, ended


@njit(cache=True)
def _part_those_behind(held: _Lanes, alive: int) -> int:
    """Put the sessions that are behind last; how many are not."""
    i = 0
    while i < alive:
        if held[BEHIND, i] == 0:
            i += 1
            continue
        alive -= 1
        for k in range(len(held)):
            held[k, i], held[k, alive] = held[k, alive], held[k, i]
    return alive


@njit(cache=True)
def _play_batch(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    first: int,
    count: int,
    held: _Lanes,
    one: One,
    rows: Rows,
) -> None:
    """Play sessions [first, first + count) into rows, in the order in which they end."""
    ended = 0
    keys = np.empty((2 * ROUNDS, KEYS_WIDE), dtype=np.uint64)
    spread_keys(seed, keys)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    if begin(t, lim, starts, one, thrown) != GOES_ON:
        _play_one_by_one(t, lim, starts, seed, first, count, one, rows)
        return
    _step_in(held[0], 0, 0, one)
    for k in range(held.shape[1]):
        held[0, k, :] = held[0, k, 0]
    for i in range(held.shape[2]):
        held[0, NUMBER, i] = i
    blocks = (lim.rolls + ROLLS - 1) // ROLLS
    alive, now = count, 0
    for block in range(blocks - 1):
        alive, ended = _play_lanes(
            t, lim, starts, seed, first, block, keys, held[now], held[1 - now], alive, one, rows, ended
        )
        now = 1 - now
    level = _part_those_behind(held[now], alive)
    for i in range(level, alive):
        number = held[now, NUMBER, i]
        _step_out(held[now], i, blocks - 1, one)
        ending = play_on(t, lim, starts, seed, first + number, blocks - 1, one, thrown)
        _leave(one, ending, number, rows, ended)
        ended += 1
    level, ended = _play_lanes(
        t, lim, starts, seed, first, blocks - 1, keys, held[now], held[1 - now], level, one, rows, ended
    )
    _leave_together(lim, held[1 - now], level, rows, ended)


@njit(cache=True)
def _leave_together(lim: Limits, held: _Lanes, count: int, rows: Rows, ended: int) -> None:
    """Write rows for all who have reached the limit of rolls."""
    rows[_ENDED, ended : ended + count] = LIMIT
    rows[_ROLLED, ended : ended + count] = lim.rolls
    rows[_FINAL, ended : ended + count] = held[EQUITY, :count]
    rows[_PEAK, ended : ended + count] = held[PEAK, :count]
    rows[_DRAWDOWN, ended : ended + count] = held[DRAWDOWN, :count]
    rows[_WAGERED, ended : ended + count] = held[WAGERED, :count]
    rows[_NUMBER, ended : ended + count] = held[NUMBER, :count]


@njit(cache=True)
def _play_one_by_one(
    t: Cells, lim: Limits, starts: tuple[int, ...], seed: np.uint64, first: int, count: int, one: One, rows: Rows
) -> None:
    """Play sessions [first, first + count) into rows, each by itself."""
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(count):
        ending = begin(t, lim, starts, one, thrown)
        if ending == GOES_ON:
            ending = play_on(t, lim, starts, seed, first + i, 0, one, thrown)
        _leave(one, ending, i, rows, i)


@njit(cache=True, nogil=True)
def run(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    first: int,
    count: int,
    counts: Counts,
    shifts: tuple[int, int],
    records: Rows,
) -> None:
    """Play sessions [first, first + count) batch by batch and add them up; records, unless empty, get their rows.

    With packed entries they go through lanes; without them (t.packed is empty) one by one.
    """
    t = Cells(
        borrowed(t.next),  # type: ignore[call-arg]
        borrowed(t.cash),  # type: ignore[call-arg]
        borrowed(t.action),  # type: ignore[call-arg]
        borrowed(t.mark),  # type: ignore[call-arg]
        borrowed(t.after),  # type: ignore[call-arg]
        borrowed(t.outlay),  # type: ignore[call-arg]
        borrowed(t.short),  # type: ignore[call-arg]
        borrowed(t.packed),  # type: ignore[call-arg]
    )
    held = np.zeros((2, ROWS + len(starts), BATCH + LANES), dtype=np.int32)
    one = np.zeros(PARTS + len(starts), dtype=np.int64)
    rows = np.zeros((COLUMNS, BATCH), dtype=np.int64)
    for done in range(0, count, BATCH):
        alive = min(BATCH, count - done)
        if len(t.packed):
            _play_batch(t, lim, starts, seed, first + done, alive, held, one, rows)
        else:
            _play_one_by_one(t, lim, starts, seed, first + done, alive, one, rows)
        tally(rows, alive, counts, shifts)
        if len(records):
            for i in range(alive):
                records[done + rows[_NUMBER, i]] = rows[:_NUMBER, i]

"""The CPU kernel: plays sessions in batches, 64 at a time with `lanes`, and singly where that is not enough.

All sessions of a batch play the same block of their dice. `lanes` plays a block and flags the sessions that it cannot
decide: one that fell short of the outlay, reached the goal or its trailing stop, or has a rejected word. One that fell
short with nothing to follow is ruined, unless there is a stop loss, which is tested like an outlay. Every other flagged
session plays the block again from its beginning, roll by roll, with `single_session`. A session that ends writes a row,
and the last session of its group takes its lane.

Limits on decisions, hands, losses per shooter and streaks need every roll, and amounts that do not fit into packed
entries need 64 bits: such sessions are played singly from the start.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import LIMIT, NEVER, RUIN
from passline.kernel_cache import kernel
from passline.simulation.backends.cpu.kernel_dice import ROLLS, ROUNDS, roll_block, spread_keys
from passline.simulation.backends.cpu.lane_forms import Form
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
    highest_bit,
    play_block,
    without_refcount,
)
from passline.simulation.backends.cpu.single_session import (
    GOES_ON,
    NONE,
    PART_ROW,
    ROLLED,
    Cells,
    State,
    begin,
    finish,
    walk,
)
from passline.simulation.backends.cpu.tally import ROW_COLUMNS, Counts, Rows, tally
from passline.simulation.kernel_types import SessionLimits

BATCH = 512
"""Sessions played together: few enough that their state stays in the cache."""

_Starts = tuple[int, ...]  # the first cell of each part
_Lanes = NDArray[np.int32]  # [2, fields, BATCH + LANES]: the state before and after a block

# The columns of a row.
_ENDED, _ROLLED, _FINAL, _PEAK, _DRAWDOWN, _WAGERED, _NUMBER = range(ROW_COLUMNS)
_INT32_MAX = (1 << 31) - 1
_ONE = np.uint64(1)


@kernel()
def _write_row(session: State | _Lanes, ending: int, rolled: int, number: int, rows: Rows, at: int) -> None:
    """Write the record of an ended session into row `at`: of a state or of a lane, whose first fields are the same."""
    rows[_ENDED, at] = ending
    rows[_ROLLED, at] = rolled
    rows[_FINAL, at] = session[EQUITY]
    rows[_PEAK, at] = session[PEAK]
    rows[_DRAWDOWN, at] = session[DRAWDOWN]
    rows[_WAGERED, at] = session[WAGERED]
    rows[_NUMBER, at] = number


@kernel()
def _copy_from_lane(held: _Lanes, i: int, block: int, state: State) -> None:
    """Copy the session in lane i, as it stands before a block, to `state`."""
    for k in range(BEHIND):
        state[k] = held[k, i]
    state[ROLLED] = block * ROLLS - held[BEHIND, i]
    for k in range(ROWS, len(held)):
        state[PART_ROW + k - ROWS] = held[k, i]


@kernel()
def _copy_to_lane(held: _Lanes, i: int, block: int, state: State) -> None:
    """Copy `state`, as it stands before a block, to lane i."""
    for k in range(BEHIND):
        held[k, i] = state[k]
    held[BEHIND, i] = block * ROLLS - state[ROLLED]
    for k in range(ROWS, len(held)):
        held[k, i] = state[PART_ROW + k - ROWS]


@kernel()
def _play_lanes(
    form: Form,
    t: Cells,
    lim: SessionLimits,
    starts: _Starts,
    seed: np.uint64,
    first: int,
    block: int,
    keys: NDArray[np.uint64],
    before: _Lanes,
    after: _Lanes,
    alive: int,
    state: State,
    rows: Rows,
    ended: int,
) -> tuple[int, int]:
    """Play a block of every session. Return how many go on (they are in `after`) and how many have ended in all.

    The last block stops at the limit of rolls; a session flagged in it is played to its end. It is one function because
    another call for each flagged session would cost a tenth of a run in which most reach a goal.
    """
    goal, trail = np.int32(min(lim.goal, _INT32_MAX)), np.int32(min(lim.trail, _INT32_MAX))
    rolls = min(ROLLS, lim.rolls - block * ROLLS)
    is_last = lim.rolls <= (block + 1) * ROLLS
    thrown = np.empty(ROLLS, dtype=np.uint8)
    is_ruined = len(t.short) == 0 and lim.stop == -NEVER
    kept = 0
    for base in range(0, alive, LANES):
        lanes = min(LANES, alive - base)
        flagged: np.uint64 = play_block(  # type: ignore[call-arg] # the first argument is numba's
            form,
            starts,
            t.packed.ctypes.data,
            before.ctypes.data + base * before.itemsize,
            after.ctypes.data + kept * after.itemsize,
            before.shape[1],
            keys.ctypes.data,
            first,
            block,
            rolls,
            goal,
            trail,
        )
        end = kept + lanes
        flagged &= ~np.uint64(0) >> np.uint64(LANES - lanes)
        while flagged:
            j = highest_bit(flagged)
            flagged ^= _ONE << np.uint64(j)
            i, number = kept + j, before[NUMBER, base + j]
            if is_ruined and after[COUNT, i] >= 0:  # its lane stopped at the roll after which it was short
                rolled = block * ROLLS - after[BEHIND, i] + after[COUNT, i] + 1
                _write_row(after[:, i], LIMIT if rolled >= lim.rolls else RUIN, rolled, number, rows, ended)
            else:
                _copy_from_lane(before, base + j, block, state)
                if is_last:
                    ending = finish(t, lim, starts, seed, first + number, block, state, thrown)
                else:
                    count = roll_block(seed, np.uint64(first + number), block, thrown)
                    ending = walk(t, lim, starts, state, thrown, count)
                if ending == GOES_ON:
                    _copy_to_lane(after, i, block + 1, state)
                    after[NUMBER, i] = number
                    continue
                _write_row(state, ending, state[ROLLED], number, rows, ended)
            ended += 1
            end -= 1
            for k in range(len(after)):
                after[k, i] = after[k, end]
        kept = end
    return kept, ended


@kernel()
def _move_late_sessions_last(held: _Lanes, alive: int) -> int:
    """Move the sessions that rejected words have put behind to the end. Return how many are not behind."""
    i = 0
    while i < alive:
        if held[BEHIND, i] == 0:
            i += 1
            continue
        alive -= 1
        for k in range(len(held)):
            held[k, i], held[k, alive] = held[k, alive], held[k, i]
    return alive


@kernel()
def _play_batch(
    form: Form,
    t: Cells,
    lim: SessionLimits,
    starts: _Starts,
    seed: np.uint64,
    first: int,
    count: int,
    held: _Lanes,
    state: State,
    rows: Rows,
) -> None:
    """Play sessions [first, first + count) into rows, in the order in which they end."""
    ended = NONE
    keys = np.empty((2 * ROUNDS, KEYS_WIDE), dtype=np.uint64)
    spread_keys(seed, keys)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    if begin(t, lim, starts, state, thrown) != GOES_ON:
        _play_one_by_one(t, lim, starts, seed, first, count, state, rows)
        return
    _copy_to_lane(held[0], ended, ended, state)
    for k in range(held.shape[1]):
        held[0, k, :] = held[0, k, 0]
    for i in range(held.shape[2]):
        held[0, NUMBER, i] = i
    blocks = (lim.rolls + ROLLS - 1) // ROLLS
    alive, now = count, 0
    for block in range(blocks - 1):
        alive, ended = _play_lanes(
            form, t, lim, starts, seed, first, block, keys, held[now], held[1 - now], alive, state, rows, ended
        )
        now = 1 - now
    level = _move_late_sessions_last(held[now], alive)
    for i in range(level, alive):
        number = held[now, NUMBER, i]
        _copy_from_lane(held[now], i, blocks - 1, state)
        ending = finish(t, lim, starts, seed, first + number, blocks - 1, state, thrown)
        _write_row(state, ending, state[ROLLED], number, rows, ended)
        ended += 1
    level, ended = _play_lanes(
        form, t, lim, starts, seed, first, blocks - 1, keys, held[now], held[1 - now], level, state, rows, ended
    )
    for i in range(level):
        _write_row(held[1 - now, :, i], LIMIT, lim.rolls, held[1 - now, NUMBER, i], rows, ended + i)


@kernel()
def _play_one_by_one(
    t: Cells, lim: SessionLimits, starts: _Starts, seed: np.uint64, first: int, count: int, state: State, rows: Rows
) -> None:
    """Play sessions [first, first + count) singly into rows."""
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(count):
        ending = begin(t, lim, starts, state, thrown)
        if ending == GOES_ON:
            ending = finish(t, lim, starts, seed, first + i, NONE, state, thrown)
        _write_row(state, ending, state[ROLLED], i, rows, i)


@kernel(nogil=True)
def run(
    form: Form,
    t: Cells,
    lim: SessionLimits,
    starts: _Starts,
    seed: np.uint64,
    first: int,
    count: int,
    counts: Counts,
    shifts: tuple[int, int],
    records: Rows,
) -> None:
    """Play sessions [first, first + count) and add them to `counts`; also write their rows to `records` unless empty.

    With packed entries they are played in lanes; without them (t.packed is empty) singly.
    """
    t = Cells(
        without_refcount(t.next),  # type: ignore[call-arg]
        without_refcount(t.cash),  # type: ignore[call-arg]
        without_refcount(t.action),  # type: ignore[call-arg]
        without_refcount(t.mark),  # type: ignore[call-arg]
        without_refcount(t.after),  # type: ignore[call-arg]
        without_refcount(t.outlay),  # type: ignore[call-arg]
        without_refcount(t.short),  # type: ignore[call-arg]
        without_refcount(t.packed),  # type: ignore[call-arg]
    )
    held = np.zeros((2, ROWS + len(starts), BATCH + LANES), dtype=np.int32)
    state = np.zeros(PART_ROW + len(starts), dtype=np.int64)
    rows = np.zeros((ROW_COLUMNS, BATCH), dtype=np.int64)
    for done in range(0, count, BATCH):
        alive = min(BATCH, count - done)
        if len(t.packed):
            _play_batch(form, t, lim, starts, seed, first + done, alive, held, state, rows)
        else:
            _play_one_by_one(t, lim, starts, seed, first + done, alive, state, rows)
        tally(rows, alive, counts, shifts)
        if len(records):
            for i in range(alive):
                for k in range(_NUMBER):  # a slice would have numba compile the words for one that does not fit
                    records[done + rows[_NUMBER, i], k] = rows[k, i]

"""The CPU kernel: sessions in batches, 64 at a time through `lanes`, and one by one where that is not enough.

All sessions of a batch are at the same block of their dice. A block is played by `lanes`; whoever it notes (at the
goal, a word rejected, short of the outlay but not ruined by it) plays the block again from where it began, roll by
roll, as `sessions` specifies. Who ends leaves a row behind, and the last of the group takes the place. Limits on marks
and losses per shooter are looked at roll by roll only, and so are amounts that do not fit into packed entries.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, OUTCOMES
from passline.simulate.dice import ROLLS, roll_block
from passline.simulate.lanes import (
    BEHIND,
    COUNT,
    DRAWDOWN,
    EQUITY,
    LANES,
    NUMBER,
    PEAK,
    ROWS,
    WAGERED,
    block_of,
    borrowed,
)
from passline.simulate.sessions import GOAL, LIMIT, RUIN
from passline.simulate.tables import Limits

__all__ = ["BATCH", "Cells", "Counts", "paths", "run"]

BATCH = 512
"""Sessions played together: what they hold stays in the cache."""

_Lanes = NDArray[np.int32]  # [2, what is held, BATCH + LANES]: the block before and after
_One = NDArray[np.int64]  # one session on its own
_Rows = NDArray[np.int64]  # [column, session] what ended sessions came to

# What one session on its own holds: the first four as lanes do, then these, then the rows of its parts.
_ROLLS, _MARKS, _BEGAN, _SITS, _PARTS = 4, 5, 6, 7, 8
# The columns of a row, as in `Played`, and the session's number.
_ENDED, _ROLLED, _FINAL, _PEAK, _DRAWDOWN, _WAGERED, _NUMBER = range(7)
_COLUMNS = 7
_QUANTITIES = 5
_GOES_ON = -1
_GOAL_MAX = (1 << 31) - 1
_LIMB = 20  # squares are summed in three parts, of (a 2^20 + b)^2: a a, a b and b b
_ONE = np.uint64(1)


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


class Counts(NamedTuple):
    """What a run adds up: sums as (total, a a, a b, b b) per quantity and for rolls to ruin, endings, histograms."""

    sums: NDArray[np.int64]
    endings: NDArray[np.int64]
    final: NDArray[np.int64]
    peak: NDArray[np.int64]
    drawdown: NDArray[np.int64]
    by_roll: NDArray[np.int64]


@njit(cache=True)
def _walk(  # noqa: C901, PLR0912 - see the last sentence
    t: Cells, lim: Limits, starts: tuple[int, ...], one: _One, thrown: NDArray[np.uint8], count: int
) -> int:
    """Play one session through so many rolls: how it ended, or -1.

    Each moment before acting: goal, then limit, then funds (equity - outlay < max(0, began - loss): follow short). Each
    roll d: row' = next[row + d] and equity' = equity + cash[row + d], summed over parts. One function, for a call per
    roll costs as much as the roll.
    """
    nexts, cashes, actions, marks, after = t.next, t.cash, t.action, t.mark, t.after
    equity, peak, drawdown, wagered = one[EQUITY], one[PEAK], one[DRAWDOWN], one[WAGERED]
    rolls, marked, began, sits = one[_ROLLS], one[_MARKS], one[_BEGAN], one[_SITS]
    outlay = _outlay(t, one)
    ending = _GOES_ON
    r = 0
    while True:
        if equity >= lim.goal:
            ending = GOAL
        elif rolls >= lim.rolls or marked >= lim.marks:
            ending = LIMIT
        elif not sits:
            while equity - outlay < max(0, began - lim.loss):
                short = t.short[one[_PARTS] // OUTCOMES] if len(t.short) else -1
                if short < 0:
                    if equity < outlay:
                        ending = RUIN
                    else:
                        sits = 1
                    break
                one[_PARTS] = short
                outlay = _outlay(t, one)
        if ending != _GOES_ON or r == count:
            break
        d = thrown[r]
        mark = marks[np.uint64(one[_PARTS] + d)]
        outlay = 0
        for part in range(_PARTS, len(one)):
            cell = np.uint64(one[part] + d)
            equity += 0 if sits else cashes[cell]
            wagered += 0 if sits else actions[cell]
            outlay += after[cell]
            one[part] = nexts[cell]
        r += 1
        rolls += 1
        peak = max(peak, equity)
        drawdown = max(drawdown, peak - equity)
        if mark & lim.mark:
            marked += 1
        if mark & HAND:
            began = equity
            if sits:
                sits = 0
                for part in range(len(starts)):
                    one[_PARTS + part] = starts[part]
                outlay = _outlay(t, one)
    one[EQUITY], one[PEAK], one[DRAWDOWN], one[WAGERED] = equity, peak, drawdown, wagered
    one[_ROLLS], one[_MARKS], one[_BEGAN], one[_SITS] = rolls, marked, began, sits
    return ending


@njit(cache=True)
def _outlay(t: Cells, one: _One) -> int:
    """Sum over parts of outlay[row / 36]."""
    total = 0
    for part in range(_PARTS, len(one)):
        total += t.outlay[one[part] // OUTCOMES]
    return total


@njit(cache=True)
def _begin(t: Cells, lim: Limits, starts: tuple[int, ...], one: _One, thrown: NDArray[np.uint8]) -> int:
    """Put a session at its first moment; how it ends there, or -1."""
    one[:] = 0
    one[EQUITY] = one[PEAK] = one[_BEGAN] = lim.equity
    for part in range(len(starts)):
        one[_PARTS + part] = starts[part]
    return _walk(t, lim, starts, one, thrown, 0)


@njit(cache=True)
def _play_on(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    session: int,
    block: int,
    one: _One,
    thrown: NDArray[np.uint8],
) -> int:
    """Play one session from a block on to its end."""
    ending = _GOES_ON
    while ending == _GOES_ON:
        count = roll_block(seed, np.uint64(session), block, thrown)
        ending = _walk(t, lim, starts, one, thrown, count)
        block += 1
    return ending


@njit(cache=True)
def _leave(one: _One, ending: int, number: int, rows: _Rows, at: int) -> None:
    """Write what a session came to into row `at`."""
    rows[_ENDED, at] = ending
    rows[_ROLLED, at] = one[_ROLLS]
    rows[_FINAL, at] = one[EQUITY]
    rows[_PEAK, at] = one[PEAK]
    rows[_DRAWDOWN, at] = one[DRAWDOWN]
    rows[_WAGERED, at] = one[WAGERED]
    rows[_NUMBER, at] = number


@njit(cache=True)
def _step_out(held: _Lanes, i: int, block: int, one: _One) -> None:
    """Take session i out of its lane, as it is before a block."""
    for k in range(BEHIND):
        one[k] = held[k, i]
    one[_ROLLS] = block * ROLLS - held[BEHIND, i]
    for k in range(ROWS, len(held)):
        one[_PARTS + k - ROWS] = held[k, i]


@njit(cache=True)
def _step_in(held: _Lanes, i: int, block: int, one: _One) -> None:
    """Put a session into lane i, as it is before a block."""
    for k in range(BEHIND):
        held[k, i] = one[k]
    held[BEHIND, i] = block * ROLLS - one[_ROLLS]
    for k in range(ROWS, len(held)):
        held[k, i] = one[_PARTS + k - ROWS]


@njit(cache=True)
def _play_lanes(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    first: int,
    block: int,
    before: _Lanes,
    after: _Lanes,
    alive: int,
    one: _One,
    rows: _Rows,
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
            starts, t.packed.ctypes.data, places[0], places[1], before.shape[1], seed, first, block, rolls, goal
        )
        end = kept + lanes
        for j in range(lanes - 1, -1, -1):
            if not noted:
                break
            if not (noted >> np.uint64(j)) & _ONE:
                continue
            number, played = before[NUMBER, base + j], after[COUNT, kept + j] + 1
            _step_out(before, base + j, block, one)
            if stops and played:  # the roll that it fell on; after the last one nobody is ruined
                for k in range(BEHIND):
                    one[k] = after[k, kept + j]
                one[_ROLLS] += played
                ending = LIMIT if one[_ROLLS] >= lim.rolls else RUIN
            elif is_last:
                ending = _play_on(t, lim, starts, seed, first + number, block, one, thrown)
            else:
                count = roll_block(seed, np.uint64(first + number), block, thrown)
                ending = _walk(t, lim, starts, one, thrown, count)
            if ending == _GOES_ON:
                _step_in(after, kept + j, block + 1, one)
                after[NUMBER, kept + j] = number
            else:
                _leave(one, ending, number, rows, ended)
                ended += 1
                end -= 1
                for k in range(len(after)):
                    after[k, kept + j] = after[k, end]
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
    one: _One,
    rows: _Rows,
) -> None:
    """Play sessions [first, first + count) into rows, in the order in which they end."""
    ended = 0
    thrown = np.empty(ROLLS, dtype=np.uint8)
    if _begin(t, lim, starts, one, thrown) != _GOES_ON:
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
            t, lim, starts, seed, first, block, held[now], held[1 - now], alive, one, rows, ended
        )
        now = 1 - now
    level = _part_those_behind(held[now], alive)
    for i in range(level, alive):
        number = held[now, NUMBER, i]
        _step_out(held[now], i, blocks - 1, one)
        ending = _play_on(t, lim, starts, seed, first + number, blocks - 1, one, thrown)
        _leave(one, ending, number, rows, ended)
        ended += 1
    level, ended = _play_lanes(
        t, lim, starts, seed, first, blocks - 1, held[now], held[1 - now], level, one, rows, ended
    )
    _leave_together(lim, held[1 - now], level, rows, ended)


@njit(cache=True)
def _leave_together(lim: Limits, held: _Lanes, count: int, rows: _Rows, ended: int) -> None:
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
    t: Cells, lim: Limits, starts: tuple[int, ...], seed: np.uint64, first: int, count: int, one: _One, rows: _Rows
) -> None:
    """Play sessions [first, first + count) into rows, each by itself."""
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(count):
        ending = _begin(t, lim, starts, one, thrown)
        if ending == _GOES_ON:
            ending = _play_on(t, lim, starts, seed, first + i, 0, one, thrown)
        _leave(one, ending, i, rows, i)


@njit(cache=True)
def _cell(value: int, width: int, cells: int) -> int:
    """min(max(value // width, 0), cells - 1)."""
    if value < 0:
        return 0
    if width != 1:
        value //= width
    return min(value, cells - 1)


@njit(cache=True)
def _add(sums: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    """Add values and, in three parts, their squares."""
    total = aa = ab = bb = np.int64(0)
    for value in values:
        a, b = value >> _LIMB, value & ((1 << _LIMB) - 1)
        total += value
        aa += a * a
        ab += a * b
        bb += b * b
    sums[0] += total
    sums[1] += aa
    sums[2] += ab
    sums[3] += bb


@njit(cache=True)
def _tally(rows: _Rows, count: int, counts: Counts, widths: tuple[int, int]) -> None:
    """Add rows to counts."""
    for quantity in range(_QUANTITIES):
        _add(counts.sums[quantity], rows[quantity + 1, :count])
    last_roll = counts.by_roll.shape[1] - 1
    for i in range(count):
        ending = np.uint64(rows[_ENDED, i])
        counts.endings[ending] += 1
        if ending == RUIN:
            _add(counts.sums[_QUANTITIES], rows[_ROLLED, i : i + 1])
        counts.final[ending, _cell(rows[_FINAL, i], widths[0], counts.final.shape[1])] += 1
        counts.peak[_cell(rows[_PEAK, i], widths[0], len(counts.peak))] += 1
        counts.drawdown[_cell(rows[_DRAWDOWN, i], widths[1], len(counts.drawdown))] += 1
        counts.by_roll[ending, min(rows[_ROLLED, i], last_roll)] += 1


@njit(cache=True, nogil=True)
def run(
    t: Cells,
    lim: Limits,
    starts: tuple[int, ...],
    seed: np.uint64,
    first: int,
    count: int,
    counts: Counts,
    widths: tuple[int, int],
    records: _Rows,
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
    one = np.zeros(_PARTS + len(starts), dtype=np.int64)
    rows = np.zeros((_COLUMNS, BATCH), dtype=np.int64)
    for done in range(0, count, BATCH):
        alive = min(BATCH, count - done)
        if len(t.packed):
            _play_batch(t, lim, starts, seed, first + done, alive, held, one, rows)
        else:
            _play_one_by_one(t, lim, starts, seed, first + done, alive, one, rows)
        _tally(rows, alive, counts, widths)
        if len(records):
            for i in range(alive):
                records[done + rows[_NUMBER, i]] = rows[:_NUMBER, i]


@njit(cache=True, nogil=True)
def paths(t: Cells, lim: Limits, starts: tuple[int, ...], seed: np.uint64, first: int, into: _Rows) -> None:
    """Play sessions [first, ...) one by one: into[i, n] is the equity after roll n, and stays where a session ends."""
    one = np.zeros(_PARTS + len(starts), dtype=np.int64)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(len(into)):
        ending = _begin(t, lim, starts, one, thrown)
        into[i, :] = lim.equity
        block = n = 0
        while ending == _GOES_ON and n + 1 < into.shape[1]:
            count = roll_block(seed, np.uint64(first + i), block, thrown)
            block += 1
            for r in range(count):
                ending = _walk(t, lim, starts, one, thrown[r : r + 1], 1)
                n += 1
                if n < into.shape[1]:
                    into[i, n:] = one[EQUITY]
                if ending != _GOES_ON:
                    break

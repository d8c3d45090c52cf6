"""Sessions on an automaton that grows: they are played until they stop at a state that nobody has explored yet.

These states are then explored, all sessions go on from where they stopped, and so on until every session has ended.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.automaton.growing import UNKNOWN
from passline.automaton.terms import NEVER, RUIN
from passline.simulation.backends.cpu.kernel_dice import ROLLS, KernelDice, throw_block
from passline.simulation.backends.cpu.lanes import DRAWDOWN, EQUITY, PEAK, WAGERED
from passline.simulation.backends.cpu.other_dice import kernel_dice
from passline.simulation.backends.cpu.single_session import GOES_ON, NONE, PART_ROW, ROLLED, Cells, State, begin, walk
from passline.simulation.backends.cpu.tally import ROW_COLUMNS, Rows
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.kernel_tables import SessionLimits

_Held = NDArray[np.int64]
"""[session, field]: the state of each session, the block of dice that it is in, and how many of them are rolled."""
_BLOCK, _AT, _ENDED = PART_ROW + 1, PART_ROW + 2, PART_ROW + 3
_FIELDS = PART_ROW + 4
_STOPPED = -2
"""The session stopped at a state that has not been explored."""
START: tuple[int, ...] = (0,)
"""The first cell of the only part."""


@njit(cache=True)
def _is_unknown(t: Cells, state: State) -> bool:
    return bool(t.outlay[state[PART_ROW] // OUTCOMES] == UNKNOWN)


@njit(cache=True)
def _walk_known(t: Cells, lim: SessionLimits, state: State, thrown: NDArray[np.uint8], count: int) -> int:
    """Play up to `count` rolls; return how the session ended, GOES_ON or _STOPPED.

    With a loss limit per shooter roll by roll: whoever sits a hand out needs no funds, so `walk` would not stop.
    """
    if lim.loss == NEVER:
        ending = walk(t, lim, START, state, thrown, count)
        return _STOPPED if ending == RUIN and _is_unknown(t, state) else ending
    for r in range(count + 1):
        ending = walk(t, lim, START, state, thrown, NONE)
        if ending in {GOES_ON, RUIN} and _is_unknown(t, state):
            return _STOPPED
        if ending != GOES_ON or r == count:
            return ending
        ending = walk(t, lim, START, state, thrown[r : r + 1], 1)
    return ending


@njit(cache=True, nogil=True)
def _begin_all(t: Cells, lim: SessionLimits, held: _Held) -> None:
    thrown = np.empty(ROLLS, dtype=np.uint8)
    for i in range(len(held)):
        held[i, _ENDED] = begin(t, lim, START, held[i, : PART_ROW + 1], thrown)


@njit(cache=True, nogil=True)
def _go_on(
    t: Cells,
    lim: SessionLimits,
    dice: KernelDice,
    seed: np.uint64,
    first: int,
    held: _Held,
    waiting: NDArray[np.int64],
    count: int,
) -> int:
    """Play the first `count` waiting sessions; return how many stopped, which are then the first of `waiting`."""
    thrown, rest = np.empty(ROLLS, dtype=np.uint8), np.empty(ROLLS, dtype=np.uint8)
    stopped = 0
    for k in range(count):
        i = waiting[k]
        state = held[i, : PART_ROW + 1]
        ending = GOES_ON
        while ending == GOES_ON:
            at = held[i, _AT]
            left = throw_block(dice, seed, np.uint64(first + i), held[i, _BLOCK], thrown) - at
            for r in range(left):
                rest[r] = thrown[at + r]
            before = state[ROLLED]
            ending = _walk_known(t, lim, state, rest, left)
            held[i, _AT] += state[ROLLED] - before
            if ending == GOES_ON:
                held[i, _BLOCK] += 1
                held[i, _AT] = 0
        held[i, _ENDED] = ending
        if ending == _STOPPED:
            waiting[stopped] = i
            stopped += 1
    return stopped


def play_growing(tables: GrowingTables, limits: SessionLimits, seed: int, sessions: range) -> Rows:
    """Play sessions of a seed and return their records, one in each column."""
    held = np.zeros((len(sessions), _FIELDS), dtype=np.int64)
    _begin_all(cells_of_growing(tables), limits, held)
    waiting = np.flatnonzero(held[:, _ENDED] == GOES_ON)
    count, dice = len(waiting), kernel_dice(tables.dice)
    while count:
        count = _go_on(cells_of_growing(tables), limits, dice, np.uint64(seed), sessions.start, held, waiting, count)
        tables.automaton.explore(np.unique(held[waiting[:count], PART_ROW] // OUTCOMES).tolist())
    rows = np.zeros((ROW_COLUMNS, len(sessions)), dtype=np.int64)
    for column, field in enumerate((_ENDED, ROLLED, EQUITY, PEAK, DRAWDOWN, WAGERED)):
        rows[column] = held[:, field]
    rows[-1] = np.arange(len(sessions))
    return rows


def cells_of_growing(tables: GrowingTables) -> Cells:
    """Return the arrays that are walked, as they are now."""
    found = tables.automaton
    nothing = np.zeros(0, dtype=np.int64)  # for `after`: an outlay is known only once its state is explored
    return Cells(
        found.next.reshape(-1),
        found.cash.reshape(-1),
        found.action.reshape(-1),
        found.mark.reshape(-1),
        nothing,
        found.outlay,
        found.short,
        nothing.astype(np.uint64),
    )

"""Sessions with other dice than fair ones, one at a time: weighted dice and recorded rolls.

The lanes throw fair dice alone, five rolls a word in vectors; what is asked of other dice is worth no second form of
them. All that a session does with its rolls is `walk`, as for fair dice.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel
from passline.simulation.backends.cpu.batches import BATCH
from passline.simulation.backends.cpu.kernel_dice import ROLLS, KernelDice, throw_block
from passline.simulation.backends.cpu.lanes import DRAWDOWN, EQUITY, PEAK, WAGERED
from passline.simulation.backends.cpu.single_session import GOES_ON, PART_ROW, ROLLED, Cells, State, begin, walk
from passline.simulation.backends.cpu.tally import ROW_COLUMNS, Counts, Rows, tally
from passline.simulation.kernel_types import SessionLimits

_COLUMNS = ROW_COLUMNS - 1


@kernel()
def _play(
    t: Cells,
    lim: SessionLimits,
    starts: tuple[int, ...],
    dice: KernelDice,
    seed: np.uint64,
    first: int,
    count: int,
    state: State,
    thrown: NDArray[np.uint8],
    rows: Rows,
) -> None:
    """Play sessions [first, first + count) into rows."""
    for i in range(count):
        ending = begin(t, lim, starts, state, thrown)
        block = 0
        while ending == GOES_ON:
            rolls = throw_block(dice, seed, np.uint64(first + i), block, thrown)
            ending = walk(t, lim, starts, state, thrown, rolls)
            block += 1
        rows[0, i], rows[1, i], rows[2, i] = ending, state[ROLLED], state[EQUITY]
        rows[3, i], rows[4, i], rows[5, i], rows[6, i] = state[PEAK], state[DRAWDOWN], state[WAGERED], i


@kernel(nogil=True)
def run_other_dice(
    t: Cells,
    lim: SessionLimits,
    starts: tuple[int, ...],
    dice: KernelDice,
    seed: np.uint64,
    first: int,
    count: int,
    counts: Counts,
    shifts: tuple[int, int],
    records: Rows,
) -> None:
    """Play sessions [first, first + count), add them to `counts`, and write their rows to `records` unless empty."""
    state = np.zeros(PART_ROW + len(starts), dtype=np.int64)
    thrown = np.empty(ROLLS, dtype=np.uint8)
    rows = np.zeros((ROW_COLUMNS, BATCH), dtype=np.int64)
    for done in range(0, count, BATCH):
        here = min(BATCH, count - done)
        _play(t, lim, starts, dice, seed, first + done, here, state, thrown, rows)
        tally(rows, here, counts, shifts)
        if len(records):
            for i in range(here):
                for k in range(_COLUMNS):
                    records[done + i, k] = rows[k, i]

"""Sessions on an automaton that grows: they are played until they stop at a state that nobody has explored yet.

These states are then explored, all sessions go on from where they stopped, and so on until every session has ended.
"""

from __future__ import annotations

import numpy as np

from passline.automaton.arrays import OUTCOMES
from passline.simulation.backends.cpu.given_dice import kernel_dice
from passline.simulation.backends.cpu.growing_kernels import ENDED, HELD_FIELDS, begin_all, go_on
from passline.simulation.backends.cpu.lanes import DRAWDOWN, EQUITY, PEAK, WAGERED
from passline.simulation.backends.cpu.single_session import GOES_ON, PART_ROW, ROLLED, Cells
from passline.simulation.backends.cpu.tally import ROW_COLUMNS, Rows
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.kernel_types import SessionLimits


def play_growing(tables: GrowingTables, limits: SessionLimits, seed: int, sessions: range) -> Rows:
    """Play sessions of a seed and return their records, one in each column."""
    held = np.zeros((len(sessions), HELD_FIELDS), dtype=np.int64)
    begin_all(cells_of_growing(tables), limits, held)
    waiting = np.flatnonzero(held[:, ENDED] == GOES_ON)
    count, dice = len(waiting), kernel_dice(tables.dice)
    while count:
        count = go_on(cells_of_growing(tables), limits, dice, np.uint64(seed), sessions.start, held, waiting, count)
        tables.automaton.explore(np.unique(held[waiting[:count], PART_ROW] // OUTCOMES).tolist())
    rows = np.zeros((ROW_COLUMNS, len(sessions)), dtype=np.int64)
    for column, field in enumerate((ENDED, ROLLED, EQUITY, PEAK, DRAWDOWN, WAGERED)):
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

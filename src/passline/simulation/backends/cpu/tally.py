"""Counts of ended sessions: exact sums, endings and histograms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import RUIN
from passline.kernel_cache import kernel

Rows = NDArray[np.int64]
"""[column, session]: the records of ended sessions."""

# A row has the columns of `SessionRecord`, then the number of the session. All but the first and last are summed.
_ENDED, _ROLLED, _FINAL, _PEAK, _DRAWDOWN = range(5)
ROW_COLUMNS = 7
_QUANTITIES = 5
LIMB = 20  # (a 2^20 + b)^2 is summed in three parts: a a, a b and b b


class Counts(NamedTuple):
    """The counts of a run. `sums` has a row (total, a a, a b, b b) per quantity, and one for the rolls to ruin."""

    sums: NDArray[np.int64]
    endings: NDArray[np.int64]
    final: NDArray[np.int64]
    peak: NDArray[np.int64]
    drawdown: NDArray[np.int64]
    by_roll: NDArray[np.int64]


@kernel()
def _cell(value: int, shift: int, cells: int) -> int:
    """Return min(max(value / 2^shift, 0), cells - 1), rounded down."""
    return min(max(value, 0) >> shift, cells - 1)


@kernel()
def _add(sums: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    """Add values and, in three parts, their squares to a row of sums."""
    total = aa = ab = bb = np.int64(0)
    for value in values:
        a, b = value >> LIMB, value & ((1 << LIMB) - 1)
        total += value
        aa += a * a
        ab += a * b
        bb += b * b
    sums[0] += total
    sums[1] += aa
    sums[2] += ab
    sums[3] += bb


@kernel()
def tally(rows: Rows, count: int, counts: Counts, shifts: tuple[int, int]) -> None:
    """Add the first `count` rows to the counts; `shifts` are those of the bins of equity and of drawdown."""
    for quantity in range(_QUANTITIES):
        _add(counts.sums[quantity], rows[quantity + 1, :count])
    to_ruin = np.empty(count, dtype=np.int64)
    last_roll = counts.by_roll.shape[1] - 1
    for i in range(count):
        ending = np.uint64(rows[_ENDED, i])
        to_ruin[i] = rows[_ROLLED, i] * (ending == RUIN)
        counts.endings[ending] += 1
        counts.final[ending, _cell(rows[_FINAL, i], shifts[0], counts.final.shape[1])] += 1
        counts.peak[_cell(rows[_PEAK, i], shifts[0], len(counts.peak))] += 1
        counts.drawdown[_cell(rows[_DRAWDOWN, i], shifts[1], len(counts.drawdown))] += 1
        counts.by_roll[ending, min(rows[_ROLLED, i], last_roll)] += 1
    _add(counts.sums[_QUANTITIES], to_ruin)

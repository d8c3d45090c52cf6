"""Ended sessions added up: exact sums, endings and histograms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from passline.automaton.terms import RUIN

__all__ = ["COLUMNS", "LIMB", "Counts", "Rows", "tally"]

Rows = NDArray[np.int64]
"""[column, session] what ended sessions came to."""

# The columns of a row, as in `Played`, and then the session's number; of those after the first there are sums.
_ENDED, _ROLLED, _FINAL, _PEAK, _DRAWDOWN = range(5)
COLUMNS = 7
_QUANTITIES = 5
LIMB = 20  # squares are summed in three parts, of (a 2^20 + b)^2: a a, a b and b b


class Counts(NamedTuple):
    """What a run adds up: sums as (total, a a, a b, b b) per quantity and for rolls to ruin, endings, histograms."""

    sums: NDArray[np.int64]
    endings: NDArray[np.int64]
    final: NDArray[np.int64]
    peak: NDArray[np.int64]
    drawdown: NDArray[np.int64]
    by_roll: NDArray[np.int64]


@njit(cache=True)
def _cell(value: int, shift: int, cells: int) -> int:
    """min(max(value / 2^shift, 0), cells - 1), rounded down."""
    return min(max(value, 0) >> shift, cells - 1)


@njit(cache=True)
def _add(sums: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    """Add values and, in three parts, their squares."""
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


@njit(cache=True)
def tally(rows: Rows, count: int, counts: Counts, shifts: tuple[int, int]) -> None:
    """Add rows to counts."""
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

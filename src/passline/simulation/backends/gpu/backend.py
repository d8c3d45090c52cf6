"""The GPU backend: plays ranges of sessions on a CUDA device and converts its counts to results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS
from passline.automaton.terms import SessionError
from passline.simulation.backends.gpu.device import Device, HistogramSizes
from passline.simulation.backends.gpu.entries import SUM_LIMBS, sums_of
from passline.simulation.kernel_tables import Playable, compiled_tables
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import QUANTITIES, Results, Shape, Sums, empty

SLICE_SESSIONS = 1 << 28
"""Sessions that one strategy plays before the next strategy's turn: a fraction of a second."""


def play_range(tables: Playable, limits: SessionLimits, seed: int, sessions: range) -> Results:
    """Play these sessions of a seed: `PlayRange` on the GPU."""
    tables = compiled_tables(tables, "a GPU")
    if not tables.dice.is_fair:
        raise SessionError(f"a GPU throws fair dice alone, not {tables.dice}: play on the CPU or a cluster")
    found = nothing = empty(tables, limits)
    device = Device(tables, limits, histogram_sizes_of(nothing.shape), seed=seed)
    for count, counts in device.count(sessions.start, len(sessions)):
        found += results_from(nothing, count, counts)
    return found


def histogram_sizes_of(shape: Shape) -> HistogramSizes:
    """Return the sizes of the histograms as the kernel takes them.

    >>> from passline.simulation.results import Bins
    >>> histogram_sizes_of(Shape(equity=Bins(0, 1, 50), drawdown=Bins(0, 2, 20), rolls=9)).cells
    310
    """
    assert shape.equity.first == shape.drawdown.first == 0, "the kernel counts from 0"
    equity, drawdown = shape.equity, shape.drawdown
    return HistogramSizes(equity.cells, equity.width, drawdown.cells, drawdown.width, shape.rolls)


def results_from(nothing: Results, sessions: int, counts: NDArray[np.uint64]) -> Results:
    """Convert the counts of the kernel to results; `nothing` is the empty results of the same strategy and terms."""
    shape = nothing.shape
    sizes = (len(ENDINGS) * shape.equity.cells, shape.equity.cells, shape.drawdown.cells)
    final, peak, drawdown, by_roll = np.split(counts[SUM_LIMBS:].astype(np.int64), np.cumsum(sizes))
    *sums, to_ruin = [Sums(*pair) for pair in sums_of(counts)]
    by_ending = by_roll.reshape(len(ENDINGS), -1)
    return replace(
        nothing,
        sessions=sessions,
        endings=tuple(by_ending.sum(axis=1).tolist()),
        sums=dict(zip(QUANTITIES, sums, strict=True)),
        to_ruin=to_ruin,
        final=final.reshape(len(ENDINGS), -1),
        peak=peak,
        drawdown=drawdown,
        by_roll=by_ending,
    )

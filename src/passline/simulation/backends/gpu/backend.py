"""Sessions on a GPU: the same results as on this machine's cores, to the last count."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from passline.simulation.backends.gpu.device import Bins, Device, GpuError, check_gpu
from passline.simulation.backends.gpu.entries import COUNTS, sums_of
from passline.simulation.kernel_tables import Limits, Tables
from passline.simulation.results import QUANTITIES, Results, Shape, Sums, empty

__all__ = [
    "SLICE_SESSIONS",
    "GpuError",
    "bins_of",
    "check_gpu",
    "play_range",
    "play_sessions",
    "records_of",
    "results_from",
]

SLICE_SESSIONS = 1 << 28
"""Sessions of one strategy before those of the next: a fraction of a second."""
_RECORDS = 1 << 16  # rows at a time


def play_sessions(
    tables: Tables,
    limits: Limits,
    *,
    seed: int,
    sessions: int,
    first: int = 0,
    done: Callable[[Results], None] | None = None,
) -> Results:
    """Play sessions [first, first + sessions) of a seed. Interrupted, it gives what is done: the first of them."""
    found = empty(tables, limits)
    try:
        for more in _played(tables, limits, seed, range(first, first + sessions)):
            found += more
            if done:
                done(found)
    except KeyboardInterrupt:
        pass
    return found


def play_range(tables: Tables, limits: Limits, seed: int, sessions: range) -> Results:
    """Play a range of sessions of a seed, all of them or none: `play` of `simulate_players`."""
    return sum(_played(tables, limits, seed, sessions), empty(tables, limits))


def _played(tables: Tables, limits: Limits, seed: int, sessions: range) -> Iterator[Results]:
    nothing = empty(tables, limits)
    device = Device(tables, limits, bins_of(nothing.shape), seed=seed)
    for count, counts in device.count(sessions.start, len(sessions)):
        yield results_from(nothing, count, counts)


def records_of(
    tables: Tables, limits: Limits, *, seed: int, sessions: int, first: int = 0
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Give the sessions one by one, in chunks: the number of the first, and a row each as in `Played`."""
    device = Device(tables, limits, bins_of(empty(tables, limits).shape), seed=seed)
    for at in range(first, first + sessions, _RECORDS):
        yield at, device.records(at, min(_RECORDS, first + sessions - at))


def bins_of(shape: Shape) -> Bins:
    """Give the sizes of histograms as the kernel takes them.

    >>> from passline.simulation.results import Bins as Cells
    >>> bins_of(Shape(equity=Cells(0, 1, 50), drawdown=Cells(0, 2, 20), rolls=9)).cells
    250
    """
    assert shape.equity.first == shape.drawdown.first == 0, "as the kernel counts"
    equity, drawdown = shape.equity, shape.drawdown
    return Bins(equity.cells, equity.width, drawdown.cells, drawdown.width, shape.rolls)


def results_from(nothing: Results, sessions: int, counts: NDArray[np.uint64]) -> Results:
    """Turn what the kernel counted into results, beginning with those of no session."""
    shape = nothing.shape
    sizes = (3 * shape.equity.cells, shape.equity.cells, shape.drawdown.cells)
    final, peak, drawdown, by_roll = np.split(counts[COUNTS:].astype(np.int64), np.cumsum(sizes))
    *sums, to_ruin = [Sums(*pair) for pair in sums_of(counts)]
    ruined, reached, limited = by_roll.reshape(3, -1).sum(axis=1).tolist()
    return Results(
        shape=shape,
        unit=nothing.unit,
        left_over=nothing.left_over,
        bankroll=nothing.bankroll,
        sessions=sessions,
        endings=(ruined, reached, limited),
        sums=dict(zip(QUANTITIES, sums, strict=True)),
        to_ruin=to_ruin,
        final=final.reshape(3, -1),
        peak=peak,
        drawdown=drawdown,
        by_roll=by_roll.reshape(3, -1),
    )

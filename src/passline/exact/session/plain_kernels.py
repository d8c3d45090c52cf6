"""The kernels of a session's law in plain numpy: slower, but there is nothing to import, compile or load before them.

Each does what the function of its name in `kernels` does, operation by operation and in the same order, so that both
have the same masses to the last bit, and a walk may go from one to the other between two rolls. `kernels_for` chooses:
the first laws of a process are solved here, until as much was done as loading the compiled kernels would take.
"""
# ruff: noqa: PLR0917 - the same arguments as the compiled kernels

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
from numpy.typing import NDArray

_Mass = NDArray[np.float64]
_Index = NDArray[np.int64]
_ARCS_MAX = 100_000
Kernels = ModuleType | SimpleNamespace
"""The kernels, by their names."""
_COMPILED = "passline.exact.session.kernels"


def _widen(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int) -> None:
    """Extend a row's window to include [start, stop); new cells are 0."""
    if low[row] >= high[row]:
        mass[row, start:stop] = 0.0
        low[row], high[row] = start, stop
        return
    if start < low[row]:
        mass[row, start : low[row]] = 0.0
        low[row] = start
    if stop > high[row]:
        mass[row, high[row] : stop] = 0.0
        high[row] = stop


def _roll_rows(
    mass: _Mass,
    low: _Index,
    high: _Index,
    after: _Mass,
    after_low: _Index,
    after_high: _Index,
    first: _Index,
    target: _Index,
    shift: _Index,
    weight: _Mass,
) -> None:
    """Roll once: after[t, e + shift] = sum over arcs (s, t, shift, weight) of weight * mass[s, e]."""
    source = np.repeat(np.arange(len(first) - 1), np.diff(first))
    arcs = np.flatnonzero((low < high)[source])
    source, to = source[arcs], target[arcs]
    begins, ends = low[source] + shift[arcs], high[source] + shift[arcs]
    after_low[:], after_high[:] = np.iinfo(np.int64).max, 0
    np.minimum.at(after_low, to, begins)
    np.maximum.at(after_high, to, ends)
    after_low[after_high == 0] = 0
    rows = list(after)
    for row, start, stop in zip(rows, after_low.tolist(), after_high.tolist(), strict=True):
        row[start:stop] = 0.0
    cells = [row[start:stop] for row, start, stop in zip(mass, low.tolist(), high.tolist(), strict=True)]
    moves = zip(*(column.tolist() for column in (source, to, begins, ends, weight[arcs])), strict=True)
    for s, t, start, stop, w in moves:
        rows[t][start:stop] += w * cells[s]


def _move_cells(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int, to: int) -> None:
    """Move cells from one row to another: mass[to, i] += mass[row, i], mass[row, i] = 0, for i in [start, stop)."""
    if start >= stop:
        return
    _widen(mass, low, high, to, start, stop)
    mass[to, start:stop] += mass[row, start:stop]
    mass[row, start:stop] = 0.0


def _settle_rows(
    mass: _Mass,
    low: _Index,
    high: _Index,
    base: int,
    goal: int,
    stop: int,
    order: _Index,
    outlay: _Index,
    short: _Index,
) -> None:
    """Before acting, move mass at the goal and at the stop loss to its ending, then mass short of the outlay onward."""
    states = len(outlay)
    reached, stopped = states + 1, states + 3
    at_goal, at_stop = goal - base, stop + 1 - base
    for s in np.flatnonzero((low < high) & (high > at_goal)).tolist():
        if s != reached:
            start = max(int(low[s]), at_goal)
            _move_cells(mass, low, high, s, start, int(high[s]), reached)
            high[s] = start
    for s in np.flatnonzero((low < high) & (low < at_stop)).tolist():
        if s < states:
            end = min(int(high[s]), at_stop)
            _move_cells(mass, low, high, s, int(low[s]), end, stopped)
            low[s] = end
    for s, needed, to in zip(order.tolist(), outlay[order].tolist(), short[order].tolist(), strict=True):
        end = min(int(high[s]), needed - base)  # the window may have grown by those that were short to it
        if low[s] < end:
            _move_cells(mass, low, high, s, int(low[s]), end, to)
            low[s] = end


def _trim(mass: _Mass, low: _Index, high: _Index, states: int, threshold: float) -> float:
    """Drop cells below the threshold from both ends of each state's window; return the sum of the dropped masses."""
    dropped = 0.0
    for s, start, stop in zip(range(states), low.tolist(), high.tolist(), strict=False):
        cells = mass[s, start:stop]
        if start >= stop or (cells[0] >= threshold and cells[-1] >= threshold):
            continue
        kept = np.flatnonzero(cells >= threshold)
        first, end = (int(kept[0]), int(kept[-1]) + 1) if len(kept) else (len(cells), len(cells))
        low[s], high[s] = start + first, start + end
        for cell in (*cells[:first].tolist(), *cells[: end - 1 : -1].tolist()):
            dropped += cell
    return dropped


def _add_totals(mass: _Mass, low: _Index, high: _Index, into: _Mass) -> float:
    """Add the sum of mass[s, e] over the window of each state s of `into` to into[s]; return the sum of them all."""
    left = 0.0
    for s in range(len(into)):
        if low[s] < high[s]:
            here = float(np.add.accumulate(mass[s, low[s] : high[s]])[-1])  # in order, which `sum` does not promise
            into[s] += here
            left += here
    return left


def _reduce(mass: _Mass, low: _Index, high: _Index, prime: float) -> None:
    """Reduce every cell modulo p: x - floor(x / p) p, corrected by one p if needed; exact while x + p < 2^53."""
    inverse = 1.0 / prime
    for s in range(len(mass)):
        cells = mass[s, low[s] : max(int(low[s]), int(high[s]))]
        cells -= np.floor(cells * inverse) * prime
        cells[cells < 0.0] += prime
        cells[cells >= prime] -= prime


PLAIN: Kernels = SimpleNamespace(
    widen=_widen,
    roll_rows=_roll_rows,
    move_cells=_move_cells,
    settle_rows=_settle_rows,
    trim=_trim,
    add_totals=_add_totals,
    reduce=_reduce,
)
"""These kernels, by the names of the compiled ones."""


class Patience:
    """How many arcs a process still moves here: as many as take the half second in which the others are loaded."""

    def __init__(self, arcs: int) -> None:
        self.arcs = arcs

    def kernels(self, arcs: int) -> Kernels:
        """Return the kernels to roll with once more, of so many arcs: these, or the compiled ones from then on."""
        if self.arcs >= arcs and _COMPILED not in sys.modules:
            self.arcs -= arcs
            return PLAIN
        from passline.exact.session import kernels  # noqa: PLC0415 - numba takes long to import

        return kernels


kernels_for = Patience(_ARCS_MAX).kernels
"""Return the kernels for one more roll of so many arcs."""

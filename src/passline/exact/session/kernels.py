"""Kernels of a session's law: mass by (state, equity), moved roll by roll. They work on arrays alone.

Mass is held in rows: one per state, then four for sessions that ended in ruin, at the goal, the limit, a stop. Cell i
of a row is the equity `base` + i. Each row has a window [low, high) of cells that may hold mass; cells outside it are
stale and never read, so unreachable equities cost nothing. Inner loops run over contiguous equities and vectorise.

The same kernels serve two arithmetics. Probabilities: weights are shares. Residues: weights are k, and masses are whole
numbers in float64, which are exact below 2^53; `reduce` keeps them there.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel

_Mass = NDArray[np.float64]
_Index = NDArray[np.int64]


@kernel()
def widen(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int) -> None:
    """Extend a row's window to include [start, stop); new cells are 0."""
    if low[row] >= high[row]:
        mass[row, start:stop] = 0.0
        low[row] = start
        high[row] = stop
        return
    if start < low[row]:
        mass[row, start : low[row]] = 0.0
        low[row] = start
    if stop > high[row]:
        mass[row, high[row] : stop] = 0.0
        high[row] = stop


@kernel()
def roll_rows(
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
    """Roll once: after[t, e + shift] = sum over arcs (s, t, shift, weight) of weight * mass[s, e].

    The arcs of state s are first[s] to first[s + 1]; every shifted cell must lie within the rows. The cost is one
    multiplication and addition per arc and cell of its state's window.
    """
    after_low[:] = 0
    after_high[:] = 0
    for s in range(len(first) - 1):
        if low[s] >= high[s]:
            continue
        for a in range(first[s], first[s + 1]):
            widen(after, after_low, after_high, target[a], low[s] + shift[a], high[s] + shift[a])
    for s in range(len(first) - 1):
        if low[s] >= high[s]:
            continue
        cells = mass[s, low[s] : high[s]]
        for a in range(first[s], first[s + 1]):
            into = after[target[a], low[s] + shift[a] : high[s] + shift[a]]
            w = weight[a]
            for i in range(len(cells)):
                into[i] += w * cells[i]


@kernel()
def move_cells(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int, to: int) -> None:
    """Move cells from one row to another: mass[to, i] += mass[row, i], mass[row, i] = 0, for i in [start, stop)."""
    if start >= stop:
        return
    widen(mass, low, high, to, start, stop)
    for i in range(start, stop):
        mass[to, i] += mass[row, i]
        mass[row, i] = 0.0


@kernel()
def settle_rows(
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
    """Before acting, move mass at the goal and at the stop loss to its ending, then mass short of the outlay onward.

    Rows S, S + 1, S + 2 and S + 3 are ruin, the goal, the limit and a stop. For each state s and the last two:
    mass[S + 1, e] += mass[s, e] where e >= goal. Then for each state: mass[S + 3, e] += mass[s, e] where e <= stop.
    Then for s in `order`, which has s before short[s]: mass[short[s], e] += mass[s, e] where e < outlay[s].
    """
    states = len(outlay)
    reached, stopped = states + 1, states + 3
    for s in range(stopped + 1):
        if s == reached:
            continue
        start = max(low[s], goal - base)
        if start < high[s]:
            move_cells(mass, low, high, s, start, high[s], reached)
            high[s] = max(low[s], start)
    for s in range(states):
        end = min(high[s], stop + 1 - base)
        if low[s] < end:
            move_cells(mass, low, high, s, low[s], end, stopped)
            low[s] = end
    for s in order:
        end = min(high[s], outlay[s] - base)
        if low[s] < end:
            move_cells(mass, low, high, s, low[s], end, short[s])
            low[s] = end


@kernel()
def trim(mass: _Mass, low: _Index, high: _Index, states: int, threshold: float) -> float:
    """Drop cells below the threshold from both ends of each state's window; return the sum of the dropped masses."""
    dropped = 0.0
    for s in range(states):
        while low[s] < high[s] and mass[s, low[s]] < threshold:
            dropped += mass[s, low[s]]
            low[s] += 1
        while low[s] < high[s] and mass[s, high[s] - 1] < threshold:
            high[s] -= 1
            dropped += mass[s, high[s]]
    return dropped


@kernel()
def add_totals(mass: _Mass, low: _Index, high: _Index, into: _Mass) -> float:
    """Add the sum of mass[s, e] over the window of each state s of `into` to into[s]; return the sum of them all."""
    left = 0.0
    for s in range(len(into)):
        here = 0.0
        for i in range(low[s], high[s]):
            here += mass[s, i]
        into[s] += here
        left += here
    return left


@kernel()
def reduce(mass: _Mass, low: _Index, high: _Index, prime: float) -> None:
    """Reduce every cell modulo p: x - floor(x / p) p, corrected by one p if needed; exact while x + p < 2^53."""
    inverse = 1.0 / prime
    for s in range(len(mass)):
        cells = mass[s, low[s] : max(low[s], high[s])]
        for i in range(len(cells)):
            x = cells[i] - np.floor(cells[i] * inverse) * prime
            x = x + prime if x < 0.0 else x
            cells[i] = x - prime if x >= prime else x

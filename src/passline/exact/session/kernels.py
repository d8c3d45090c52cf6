"""Kernels of a session's law: mass on (state, equity), moved roll by roll. They know arrays, and nothing of craps.

Mass lies in rows, one per state, and three rows more for sessions that ended: ruined, at the goal, at the limit. Cell i
of a row is the equity `base` + i. Each row has a window [low, high) of cells that may hold mass; what lies outside is
stale and never read, so cells that cannot be reached cost nothing. Inner loops run over contiguous equity, vectorised.

The same kernels serve two arithmetics. Probabilities: weights are k / 36. Residues: weights are k, and masses are whole
numbers held in float64, exact as long as they stay below 2^53, which `reduce` sees to.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["move", "reduce", "roll", "settle", "total", "trim", "widen"]

_Mass = NDArray[np.float64]
_Index = NDArray[np.int64]


@njit(cache=True)
def widen(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int) -> None:
    """Make a row's window hold [start, stop) too: window' = hull(window, [start, stop)), new cells 0."""
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


@njit(cache=True)
def roll(
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
    """One roll: after[t, e + shift] = sum over arcs (s, t, shift, weight) of weight * mass[s, e].

    The arcs of state s are first[s] to first[s + 1]; every cell shifted must lie within the rows. The cost is one
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


@njit(cache=True)
def move(mass: _Mass, low: _Index, high: _Index, row: int, start: int, stop: int, to: int) -> None:
    """Move cells of a row to another: mass[to, i] += mass[row, i], mass[row, i] = 0, for i in [start, stop)."""
    if start >= stop:
        return
    widen(mass, low, high, to, start, stop)
    for i in range(start, stop):
        mass[to, i] += mass[row, i]
        mass[row, i] = 0.0


@njit(cache=True)
def settle(
    mass: _Mass, low: _Index, high: _Index, base: int, goal: int, order: _Index, outlay: _Index, short: _Index
) -> None:
    """The moment before acting: goals first, then those short of the outlay go to the state or ending they must take.

    Rows S, S + 1 and S + 2 are ruin, the goal and the limit. For each state and the limit, s:
    mass[S + 1, e] += mass[s, e] where e >= goal. Then for s in order, which has s before short[s]:
    mass[short[s], e] += mass[s, e] where e < outlay[s].
    """
    reached, limit = len(outlay) + 1, len(outlay) + 2
    for s in range(limit + 1):
        if s == reached:
            continue
        start = max(low[s], goal - base)
        if start < high[s]:
            move(mass, low, high, s, start, high[s], reached)
            high[s] = max(low[s], start)
    for s in order:
        stop = min(high[s], outlay[s] - base)
        if low[s] < stop:
            move(mass, low, high, s, low[s], stop, short[s])
            low[s] = stop


@njit(cache=True)
def trim(mass: _Mass, low: _Index, high: _Index, states: int, threshold: float) -> float:
    """Narrow each state's window past cells below the threshold, and give the sum of what was left out."""
    dropped = 0.0
    for s in range(states):
        while low[s] < high[s] and mass[s, low[s]] < threshold:
            dropped += mass[s, low[s]]
            low[s] += 1
        while low[s] < high[s] and mass[s, high[s] - 1] < threshold:
            high[s] -= 1
            dropped += mass[s, high[s]]
    return dropped


@njit(cache=True)
def total(mass: _Mass, low: _Index, high: _Index, states: int) -> float:
    """The mass still in play: the sum of mass[s, e] over states s and their windows."""
    left = 0.0
    for s in range(states):
        for i in range(low[s], high[s]):
            left += mass[s, i]
    return left


@njit(cache=True)
def reduce(mass: _Mass, low: _Index, high: _Index, prime: float) -> None:
    """Every cell modulo the prime: x - floor(x / p) p, put right by one p if need be; exact while x + p < 2^53."""
    inverse = 1.0 / prime
    for s in range(len(mass)):
        cells = mass[s, low[s] : max(low[s], high[s])]
        for i in range(len(cells)):
            x = cells[i] - np.floor(cells[i] * inverse) * prime
            x = x + prime if x < 0.0 else x
            cells[i] = x - prime if x >= prime else x

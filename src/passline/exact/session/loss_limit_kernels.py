"""Kernels of sessions with a loss limit per shooter: one block of rows per equity that a hand began with.

Block f holds the hands that began with equity starts[f]; cell i of its rows is the change `base` + i since then, so
all blocks have the same cells. A block is processed in a work area of more rows, `bench`: the states; hands that ended,
by next state; players who must sit out, by state; the endings. Mass that leaves a block is gathered by equity again.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.exact.session.kernels import roll_rows, settle_rows, trim, widen
from passline.kernel_cache import kernel

_Mass = NDArray[np.float64]
_Index = NDArray[np.int64]


@kernel()
def copy(mass: _Mass, low: _Index, high: _Index, to: _Mass, to_low: _Index, to_high: _Index, offset: int) -> None:
    """Copy windows, shifted by `offset`: to[s, i + offset] = mass[s, i] for the rows that both have.

    Cell by cell: for a slice numba compiles for three seconds more, the words of an error when it does not fit.
    """
    for s in range(min(len(mass), len(to))):
        to_low[s] = to_high[s] = 0
        if low[s] < high[s]:
            to_low[s], to_high[s] = low[s] + offset, high[s] + offset
            for i in range(low[s], high[s]):
                to[s, i + offset] = mass[s, i]


@kernel()
def gather(mass: _Mass, low: _Index, high: _Index, row: int, offset: int, into: _Mass) -> None:
    """Move rows into rows by equity: into[r, i + offset] += mass[row + r, i]."""
    for r in range(len(into)):
        for i in range(low[row + r], high[row + r]):
            into[r, i + offset] += mass[row + r, i]
        low[row + r] = high[row + r] = 0


@kernel()
def roll_blocks(
    mass: _Mass,
    low: _Index,
    high: _Index,
    bench: _Mass,
    first: _Index,
    target: _Index,
    shift: _Index,
    weight: _Mass,
    offsets: _Index,
    fresh: _Mass,
) -> None:
    """Roll every block once; add hands that ended to `fresh`, by equity."""
    states = mass.shape[1]
    bench_low, bench_high = np.zeros(len(bench), dtype=np.int64), np.zeros(len(bench), dtype=np.int64)
    for f in range(len(offsets)):
        if (low[f] < high[f]).any():
            roll_rows(mass[f], low[f], high[f], bench, bench_low, bench_high, first, target, shift, weight)
            gather(bench, bench_low, bench_high, states, offsets[f], fresh)
            copy(bench, bench_low, bench_high, mass[f], low[f], high[f], 0)


@kernel()
def settle_blocks(
    mass: _Mass,
    low: _Index,
    high: _Index,
    bench: _Mass,
    starts: _Index,
    base: int,
    goal: int,
    stop: int,
    limit: int,
    threshold: float,
    order: _Index,
    outlay: _Index,
    short: _Index,
    offsets: _Index,
    sat: _Mass,
    reached: _Mass,
    stopped: _Mass,
) -> float:
    """Settle and trim every block; return the sum of the trimmed masses.

    A player is short if equity < outlay or equity - outlay < start - limit. With equity = start + change, both together
    are: change < outlay - min(start, limit).
    """
    states = mass.shape[1]
    dropped = 0.0
    bench_low, bench_high = np.zeros(len(bench), dtype=np.int64), np.zeros(len(bench), dtype=np.int64)
    for f in range(len(offsets)):
        if (low[f] < high[f]).any():
            bench_low[:] = bench_high[:] = 0
            copy(mass[f], low[f], high[f], bench, bench_low, bench_high, 0)
            needed = outlay - min(starts[f], limit)
            settle_rows(bench, bench_low, bench_high, base, goal - starts[f], stop - starts[f], order, needed, short)
            gather(bench, bench_low, bench_high, 2 * states, offsets[f], sat)
            gather(bench, bench_low, bench_high, len(outlay) + 1, offsets[f], reached)
            gather(bench, bench_low, bench_high, len(outlay) + 3, offsets[f], stopped)
            dropped += trim(bench, bench_low, bench_high, states, threshold)
            copy(bench, bench_low, bench_high, mass[f], low[f], high[f], 0)
    return dropped


@kernel()
def scatter(fresh: _Mass, slots: _Index, mass: _Mass, low: _Index, high: _Index, cell: int) -> None:
    """Begin hands: mass[slots[e], s, cell] += fresh[s, e] for every equity e with a slot; `cell` is a change of 0."""
    for e in range(fresh.shape[1]):
        f = slots[e]
        if f < 0:
            continue
        for s in range(len(fresh)):
            if fresh[s, e] > 0.0:
                widen(mass[f], low[f], high[f], s, cell, cell + 1)
                mass[f, s, cell] += fresh[s, e]

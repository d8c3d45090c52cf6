"""Kernels of best play: values by (position, money), improved act by act. They work on arrays alone.

values[p, e] is that of position p with equity e, in units. The acts of p are first[p] to first[p + 1]; act k needs
outlay[k] and leads to layout[k], whose arcs are arc_first[l] to arc_first[l + 1]. The value of an act is

    q[k, e] = sum over arcs (next, cash, weight) of weight * values[next, e + cash], divided by 36.

Unlimited play leaves out an arc from (p, e) to itself and divides by 36 less its weight, which is the same fixed
point. Money at or above `goal` has the value `won`.

Bounds are whole numbers of a scale. They never round in favour of what they prove: `raise_uppers` raises values until
36 u[p, e] >= sum of weight * u[next] for every act, which no lawful play exceeds; `lower_lowers` lowers them until
36 v[p, e] <= the sum of the one act that is played, which that act reaches if it comes to an end.
"""
# ruff: noqa: C901, PLR0917 - a kernel is one formula in loops; numba takes its arguments by position

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel

_Values = NDArray[np.float64]
_Whole = NDArray[np.int64]
_OUTCOMES = 36


@kernel()
def stay_weight(p: int, layout: int, arc_first: _Whole, arc_next: _Whole, arc_cash: _Whole, arc_weight: _Whole) -> int:
    """Return the weight of the arcs of a layout that lead back to position p with the same money."""
    stays = 0
    for a in range(arc_first[layout], arc_first[layout + 1]):
        if arc_next[a] == p and arc_cash[a] == 0:
            stays += arc_weight[a]
    return stays


@kernel()
def improve(
    values: _Values,
    policy: NDArray[np.int32],
    first: _Whole,
    layout: _Whole,
    outlay: _Whole,
    arc_first: _Whole,
    arc_next: _Whole,
    arc_cash: _Whole,
    arc_weight: _Whole,
    goal: int,
    tolerance: float,
) -> float:
    """Set values[p, e] = max over acts k of q[k, e], and policy[p, e] to the act; return the largest change.

    The act played so far stays unless another is better by the tolerance.
    """
    q = np.empty(goal)
    best = np.empty(goal)
    chosen = np.empty(goal, dtype=np.int32)
    change = 0.0
    for p in range(len(first) - 2, -1, -1):
        best[:] = 0.0
        chosen[:] = -1
        for k in range(first[p], first[p + 1]):
            if outlay[k] >= goal:
                continue
            at = layout[k]
            norm = _OUTCOMES - stay_weight(p, at, arc_first, arc_next, arc_cash, arc_weight)
            if norm == 0:
                continue
            low = outlay[k]
            q[low:] = 0.0
            for a in range(arc_first[at], arc_first[at + 1]):
                cash = arc_cash[a]
                if arc_next[a] == p and cash == 0:
                    continue
                w = arc_weight[a] / norm
                row = values[arc_next[a]]
                stop = min(goal, max(low, goal - cash))
                for e in range(low, stop):
                    q[e] += w * row[e + cash]
                for e in range(stop, goal):
                    q[e] += w
            for e in range(low, goal):
                if q[e] > best[e] + (tolerance if policy[p, e] != k else 0.0) or (
                    policy[p, e] == k and q[e] >= best[e] - tolerance
                ):
                    best[e] = q[e]
                    chosen[e] = k
        for e in range(goal):
            change = max(change, abs(best[e] - values[p, e]))
            values[p, e] = best[e]
            policy[p, e] = chosen[e]
    return change


@kernel()
def evaluate(
    values: _Values,
    policy: NDArray[np.int32],
    layout: _Whole,
    arc_first: _Whole,
    arc_next: _Whole,
    arc_cash: _Whole,
    arc_weight: _Whole,
    goal: int,
) -> float:
    """Set values[p, e] to q[k, e] of the act k that is played there, once for each cell; return the largest change."""
    change = 0.0
    for p in range(len(values) - 1, -1, -1):
        for e in range(goal):
            k = policy[p, e]
            if k < 0:
                continue
            at = layout[k]
            total, stays = 0.0, 0
            for a in range(arc_first[at], arc_first[at + 1]):
                to = e + arc_cash[a]
                if to >= goal:
                    total += arc_weight[a]
                elif arc_next[a] == p and arc_cash[a] == 0:
                    stays += arc_weight[a]
                else:
                    total += arc_weight[a] * values[arc_next[a], to]
            value = total / (_OUTCOMES - stays)
            change = max(change, abs(value - values[p, e]))
            values[p, e] = value
    return change


@kernel()
def raise_uppers(
    uppers: _Whole,
    first: _Whole,
    layout: _Whole,
    outlay: _Whole,
    arc_first: _Whole,
    arc_next: _Whole,
    arc_cash: _Whole,
    arc_weight: _Whole,
    goal: int,
    won: int,
) -> int:
    """Raise uppers[p, e] to the least whole number that no act exceeds, once for each cell; return how many rose.

    36 u[p, e] >= sum of weight * u[next, e + cash], where u is `won` at the goal. Sums stay below 2^63.
    """
    rose = 0
    q = np.empty(goal, dtype=np.int64)
    for p in range(len(first) - 2, -1, -1):
        for k in range(first[p], first[p + 1]):
            if outlay[k] >= goal:
                continue
            at = layout[k]
            norm = _OUTCOMES - stay_weight(p, at, arc_first, arc_next, arc_cash, arc_weight)
            if norm == 0:
                continue
            low = outlay[k]
            q[low:] = 0
            for a in range(arc_first[at], arc_first[at + 1]):
                cash = arc_cash[a]
                if arc_next[a] == p and cash == 0:
                    continue
                w = arc_weight[a]
                row = uppers[arc_next[a]]
                stop = min(goal, max(low, goal - cash))
                for e in range(low, stop):
                    q[e] += w * row[e + cash]
                for e in range(stop, goal):
                    q[e] += w * won
            for e in range(low, goal):
                if q[e] > norm * uppers[p, e]:
                    uppers[p, e] = -(-q[e] // norm)
                    rose += 1
    return rose


@kernel()
def lower_lowers(
    lowers: _Whole,
    policy: NDArray[np.int32],
    layout: _Whole,
    arc_first: _Whole,
    arc_next: _Whole,
    arc_cash: _Whole,
    arc_weight: _Whole,
    goal: int,
    won: int,
) -> int:
    """Lower lowers[p, e] to the largest whole number that the act played there reaches; return how many fell.

    36 v[p, e] <= sum of weight * v[next, e + cash]; a cell without an act has 0.
    """
    fell = 0
    for p in range(len(lowers) - 1, -1, -1):
        for e in range(goal):
            k = policy[p, e]
            total, norm = 0, _OUTCOMES
            if k >= 0:
                at = layout[k]
                for a in range(arc_first[at], arc_first[at + 1]):
                    to = e + arc_cash[a]
                    if to >= goal:
                        total += arc_weight[a] * won
                    elif arc_next[a] == p and arc_cash[a] == 0:
                        norm -= arc_weight[a]
                    else:
                        total += arc_weight[a] * lowers[arc_next[a], to]
            if total < norm * lowers[p, e]:
                lowers[p, e] = total // norm
                fell += 1
    return fell


@kernel()
def step_back(
    after: _Whole,
    before: _Whole,
    policy: NDArray[np.int32],
    first: _Whole,
    layout: _Whole,
    outlay: _Whole,
    is_waiting: NDArray[np.bool_],
    arc_first: _Whole,
    arc_next: _Whole,
    arc_cash: _Whole,
    arc_weight: _Whole,
    stopped: _Whole,
    stop_at: int,
    most: int,
    reward: int,
    may_wait: bool,  # noqa: FBT001 - numba
) -> None:
    """Set before[p, e] to the best act's value one roll earlier, rounded down, for e from 0 to `most`.

    before[p, e] = reward + floor(max over acts k of sum of weight * after[next, e + cash] / 36). Money of at least
    `stop_at` has the value stopped[e], and so has a cell in which no act is allowed: to wait is allowed where the
    player may, or where nothing else could be chosen with more money either.
    """
    q = np.empty(most + 1, dtype=np.int64)
    best = np.empty(most + 1, dtype=np.int64)
    top = min(most + 1, stop_at)
    for p in range(len(first) - 1):
        best[:] = -1
        policy[p, :] = -1
        for k in range(first[p], first[p + 1]):
            if is_waiting[k] and not may_wait and first[p + 1] - first[p] > 1:
                continue
            low = outlay[k]
            if low >= top:
                continue
            q[low:top] = 0
            at = layout[k]
            for a in range(arc_first[at], arc_first[at + 1]):
                cash, w = arc_cash[a], arc_weight[a]
                row = after[arc_next[a]]
                middle = min(top, max(low, stop_at - cash))
                for e in range(low, middle):
                    q[e] += w * row[e + cash]
                for e in range(middle, top):
                    q[e] += w * stopped[min(e + cash, len(stopped) - 1)]
            for e in range(low, top):
                if q[e] > best[e]:
                    best[e] = q[e]
                    policy[p, e] = k - first[p]
        for e in range(top):
            before[p, e] = stopped[e] if best[e] < 0 else reward + best[e] // _OUTCOMES
        for e in range(top, most + 1):
            before[p, e] = stopped[e]

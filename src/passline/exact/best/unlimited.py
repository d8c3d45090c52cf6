"""The best chance to reach a goal before ruin, without a limit of rolls, between proven bounds.

Values are found in float64 by improving the policy and evaluating it in turns. What is then claimed rests on whole
numbers alone: a table of upper bounds that no act exceeds anywhere, so that no lawful play reaches more (it is a
supermartingale along any play), and a table of lower bounds that the policy's own acts reach everywhere, so that it
wins at least so often (a submartingale along its play, which ends: every cell leads to an end).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.errors import CrapsError
from passline.exact.best import kernels

SCALE = 1 << 56
"""Bounds are whole numbers of 1 / 2^56: thirty-six times the largest fits into 64 bits."""
_TOLERANCE = 1e-14
_EVALUATIONS = 40  # between two improvements
_SWEEPS_MAX = 20_000
_SETTLED = 1e-15

Improving = Callable[[int, float], None]
"""Called with the number of sweeps and the largest change of a value by the last one."""


class NotProved(CrapsError):
    """A value that the sweeps found but whose bounds do not close."""


@dataclass(frozen=True)
class Unlimited:
    """The policy, its value in each cell, and the bounds, in units of 1 / SCALE."""

    policy: NDArray[np.int32]  # [P, goal] the act k, or -1
    values: NDArray[np.float64]
    lowers: NDArray[np.int64]
    uppers: NDArray[np.int64]


def solve_unlimited(automaton: DecisionAutomaton, goal: int, *, improving: Improving | None = None) -> Unlimited:
    """Return the best policy to reach `goal` units before ruin.

    >>> from passline import Rules
    >>> from passline.automaton.decisions.compiler import compile_decisions
    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_decisions(rules, menu_of("pass", rules, unit_cents=100_00), most_cents=900_00)
    >>> found = solve_unlimited(automaton, 10)
    >>> bool(abs(found.values[0, 5] - 244 / 495) < 1e-14), int(found.uppers[0, 5] - found.lowers[0, 5]) < 100
    (True, True)
    """
    arcs = (automaton.arc_first, automaton.arc_next, automaton.arc_cash, automaton.arc_weight)
    acts = (automaton.act_first, automaton.act_layout, automaton.act_outlay)
    shape = (len(automaton), goal)
    values, policy = np.zeros(shape), np.full(shape, -1, dtype=np.int32)
    sweeps = 0
    while True:
        change = kernels.improve(values, policy, *acts, *arcs, goal, _TOLERANCE)
        sweeps += 1
        if improving:
            improving(sweeps, change)
        if change <= _SETTLED or sweeps > _SWEEPS_MAX:
            break
        for _ in range(_EVALUATIONS):
            sweeps += 1
            if kernels.evaluate(values, policy, automaton.act_layout, *arcs, goal) <= _SETTLED:
                break
    _fill_hopeless(automaton, policy, goal)
    _check_ends(automaton, policy, goal)
    whole = np.floor(values * SCALE).astype(np.int64)
    lowers, uppers = whole.copy(), np.minimum(whole + 1, SCALE)
    uppers[values == 0] = 0
    for _ in range(_SWEEPS_MAX):
        if not kernels.raise_uppers(uppers, *acts, *arcs, goal, SCALE):
            break
    else:
        raise NotProved("the upper bound does not settle: choose a larger unit")
    for _ in range(_SWEEPS_MAX):
        if not kernels.lower_lowers(lowers, policy, automaton.act_layout, *arcs, goal, SCALE):
            break
    else:
        raise NotProved("the lower bound does not settle: choose a larger unit")
    return Unlimited(policy, values, lowers, uppers)


def _fill_hopeless(automaton: DecisionAutomaton, policy: NDArray[np.int32], goal: int) -> None:
    """Choose an act for cells of no measurable chance: the first that wagers, or to wait where there is no other."""
    for p in range(len(automaton)):
        acts = np.arange(automaton.act_first[p], automaton.act_first[p + 1])
        wagers = acts[~automaton.is_waiting[acts]]
        for k in reversed(wagers if len(wagers) else acts):
            row = policy[p, min(int(automaton.act_outlay[k]), goal) :]
            row[row < 0] = k


def _check_ends(automaton: DecisionAutomaton, policy: NDArray[np.int32], goal: int) -> None:
    """Check that play by the policy comes to an end from every cell, as its lower bound supposes."""
    cells, leads, ends = policy_graph(automaton, policy, goal)
    reached = ends.copy()
    for _ in range(len(cells)):
        further = reached.copy()
        np.logical_or.at(further, leads[0], reached[leads[1]])
        if (further == reached).all():
            break
        reached = further
    if not reached.all():
        raise NotProved("the policy found waits without an end: please report this menu")


def policy_graph(
    automaton: DecisionAutomaton, policy: NDArray[np.int32], goal: int
) -> tuple[NDArray[np.int64], tuple[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]:
    """Return the acts of cells (p * goal + e), the pairs of cells one roll apart, and which cells may end at once."""
    acts = policy.reshape(-1).astype(np.int64)
    playing = np.flatnonzero(acts >= 0)
    layouts = automaton.act_layout[acts[playing]]
    counts = automaton.arc_first[layouts + 1] - automaton.arc_first[layouts]
    sources = np.repeat(playing, counts)
    starts = np.repeat(automaton.arc_first[layouts] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    arcs = np.arange(len(sources)) + starts
    money = sources % goal + automaton.arc_cash[arcs]
    ends = acts < 0
    ends[sources[money >= goal]] = True
    goes_on = money < goal
    targets = automaton.arc_next[arcs[goes_on]] * goal + money[goes_on]
    return acts, (sources[goes_on], targets), ends

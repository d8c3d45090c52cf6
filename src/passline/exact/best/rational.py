"""The fraction behind a best value: the policy's own equations solved exactly, and every act held against them.

The value of a policy at every cell is the solution of a sparse system of equations. If no act of any cell exceeds it,
no lawful play does. Acts that float64 already puts well below need no fraction.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.exact.best.unlimited import Unlimited
from passline.exact.chain.systems import solve, strong_components

CELLS_MAX = 60_000
"""The most cells whose values are solved for as fractions."""
_PART_MAX = 400  # cells of one strongly connected part
_NEAR = 1e-9  # acts that are worse by more than this are worse


def exact_value(automaton: DecisionAutomaton, found: Unlimited, goal: int, start: int) -> Fraction | None:
    """Return the value of the first position with `start` units as a fraction; None where that is not feasible.

    >>> from passline import Rules
    >>> from passline.automaton.decisions.compiler import compile_decisions
    >>> from passline.automaton.decisions.menu import menu_of
    >>> from passline.exact.best.unlimited import solve_unlimited
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_decisions(rules, menu_of("pass", rules, unit_cents=100_00), most_cents=900_00)
    >>> exact_value(automaton, solve_unlimited(automaton, 10), 10, 5)
    Fraction(244, 495)
    """
    if found.policy.size > CELLS_MAX:
        return None
    policy = found.policy.copy()
    while True:
        values = _policy_values(automaton, policy, goal)
        if values is None:
            return None
        if not (better := _better_acts(automaton, found.values, values, goal)):
            return values[start]
        for (p, e), k in better.items():
            policy[p, e] = k


def _policy_values(automaton: DecisionAutomaton, policy: NDArray[np.int32], goal: int) -> dict[int, Fraction] | None:
    equations: dict[int, tuple[Fraction, dict[int, int]]] = {}
    for p in range(len(automaton)):
        for e in range(goal):
            k = int(policy[p, e])
            won, weights = _sums(automaton, k, e, goal) if k >= 0 else (0, {})
            equations[p * goal + e] = (Fraction(won, OUTCOMES), weights)
    parts = strong_components({cell: weights for cell, (_won, weights) in equations.items()})
    if max(map(len, parts)) > _PART_MAX:
        return None
    return solve(equations, scale=OUTCOMES)


def _sums(automaton: DecisionAutomaton, k: int, e: int, goal: int) -> tuple[int, dict[int, int]]:
    """Return in how many outcomes an act with e units reaches the goal, and how many lead to each other cell."""
    layout = automaton.act_layout[k]
    won, weights = 0, dict[int, int]()
    for a in range(automaton.arc_first[layout], automaton.arc_first[layout + 1]):
        money, weight = e + int(automaton.arc_cash[a]), int(automaton.arc_weight[a])
        if money >= goal:
            won += weight
        else:
            cell = int(automaton.arc_next[a]) * goal + money
            weights[cell] = weights.get(cell, 0) + weight
    return won, weights


def _better_acts(
    automaton: DecisionAutomaton, approximate: NDArray[np.float64], values: dict[int, Fraction], goal: int
) -> dict[tuple[int, int], int]:
    """Return for each cell that has one an act with a larger value than the cell."""
    better: dict[tuple[int, int], int] = {}
    padded = np.concatenate([approximate, np.ones((len(approximate), automaton.arc_cash.max() + 1))], axis=1)
    for k, p in enumerate(automaton.act_position.tolist()):
        low, layout = int(automaton.act_outlay[k]), int(automaton.act_layout[k])
        if low >= goal:
            continue
        arcs = slice(int(automaton.arc_first[layout]), int(automaton.arc_first[layout + 1]))
        money = np.arange(low, goal)[:, None] + automaton.arc_cash[arcs]
        mean = padded[automaton.arc_next[arcs], money] @ automaton.arc_weight[arcs] / OUTCOMES
        for e in (np.flatnonzero(mean > approximate[p, low:] - _NEAR) + low).tolist():
            won, weights = _sums(automaton, k, e, goal)
            total = won + sum(weight * values[cell] for cell, weight in weights.items())
            if total > OUTCOMES * values[p * goal + e]:
                better[p, e] = k
    return better

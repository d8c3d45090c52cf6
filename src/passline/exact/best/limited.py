"""The best play of so many rolls, by going back from the last roll to the first, in whole numbers.

A value is a whole number of 1 / scale. Going back one roll rounds down once, by less than one: what the policy is
said to reach it reaches, and no play exceeds it by more than one for each roll. If 36 to the power of the rolls goes
into the scale nothing is ever rounded, and the value is a fraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.exact.best import kernels
from passline.exact.best.purpose import Purpose
from passline.exact.chain.systems import solve

_SUMS_MAX = 1 << 62  # of thirty-six values
Stepping = Callable[[int, int], None]
"""Called with the number of rolls gone back and the number of all."""


@dataclass(frozen=True)
class Limited:
    """The acts and the values with so many rolls left, for r from 0 to the rolls of the purpose."""

    policies: NDArray[np.int32] | NDArray[np.int16]  # [rolls, P, most + 1] the act of a position, from 0; -1: none
    values: NDArray[np.int64]  # [P, most + 1] before the first roll
    scale: int
    error: int
    """No lawful play exceeds a value by more than this many 1 / scale."""


def money_most(automaton: DecisionAutomaton, purpose: Purpose) -> int:
    """Return the most money that a session of so many rolls can matter at, in units."""
    bankroll, left_over = divmod(purpose.bankroll_cents, automaton.unit)
    target = -(-(purpose.target_cents - left_over) // automaton.unit)
    if purpose.kind == "goal":
        return target - 1
    gains = automaton.arc_cash.max(initial=0)
    reached = bankroll + int(gains) * (purpose.rolls or 0)
    # With so much a player who takes nothing new still has the target after losing all that is up.
    return min(reached, target + automaton.most) if purpose.kind == "finish" else reached


def solve_limited(automaton: DecisionAutomaton, purpose: Purpose, *, stepping: Stepping | None = None) -> Limited:
    """Return the best policy for a purpose with a limit of rolls.

    >>> from passline import Rules
    >>> from passline.automaton.decisions.compiler import compile_decisions
    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_decisions(rules, menu_of("field=10", rules, unit_cents=10_00), most_cents=10_00)
    >>> found = solve_limited(automaton, Purpose.finish(bankroll_cents=10_00, at_least_cents=20_00, rolls=1))
    >>> int(found.values[0, 1]), found.scale, found.error  # 16 of 36 rolls win
    (16, 36, 0)
    """
    rolls = purpose.rolls
    assert rolls is not None
    most = money_most(automaton, purpose)
    target = -(-(purpose.target_cents - purpose.bankroll_cents % automaton.unit) // automaton.unit)
    worth = gains_played_out(automaton) if purpose.kind == "least_loss" else [Fraction(0)] * len(automaton)
    scale, error = _scale(purpose, most + automaton.most, rolls, lcm(*(gain.denominator for gain in worth)))
    stopped = _values_stopped(purpose, most, target, scale)
    stop_at = target if purpose.kind == "goal" else most + 1
    shape = (len(automaton), most + 1)
    after = stopped[: most + 1] + np.array([math.floor(gain * scale) for gain in worth], dtype=np.int64)[:, None]
    before = np.zeros(shape, dtype=np.int64)
    choices = int(np.diff(automaton.act_first).max())
    policies = np.empty((rolls, *shape), dtype=np.int16 if choices < 1 << 15 else np.int32)
    acting = np.empty(shape, dtype=np.int32)
    for left in range(1, rolls + 1):
        kernels.step_back(
            after,
            before,
            acting,
            automaton.act_first,
            automaton.act_layout,
            automaton.act_outlay,
            automaton.is_waiting,
            automaton.arc_first,
            automaton.arc_next,
            automaton.arc_cash,
            automaton.arc_weight,
            stopped,
            stop_at,
            most,
            scale if purpose.kind == "longest" else 0,
            purpose.may_wait,
        )
        policies[left - 1] = acting
        before, after = after, before
        if stepping:
            stepping(left, rolls)
    return Limited(policies, after, scale, error)


def gains_played_out(automaton: DecisionAutomaton) -> list[Fraction]:
    """Return for each position, in units, the mean gain of its wagers if all are left up and nothing new is made.

    >>> from passline import Rules
    >>> from passline.automaton.decisions.compiler import compile_decisions
    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_decisions(rules, menu_of("pass=10", rules, unit_cents=10_00), most_cents=10_00)
    >>> for position, gain in list(zip(automaton.positions, gains_played_out(automaton)))[1:3]:
    ...     print(position, gain)
    puck ON 4 | up pass 10.00 -1/3
    puck ON 5 | up pass 10.00 -1/5
    """
    equations: dict[int, tuple[Fraction, dict[int, int]]] = {}
    for position, situation in enumerate(automaton.positions):
        acts = range(automaton.act_first[position], automaton.act_first[position + 1])
        layout = next(at for act in acts if automaton.layouts[at := int(automaton.act_layout[act])] == situation.mine)
        arcs = slice(automaton.arc_first[layout], automaton.arc_first[layout + 1])
        nexts, weights = automaton.arc_next[arcs].tolist(), automaton.arc_weight[arcs]
        gain, leads = Fraction(int(automaton.arc_cash[arcs] @ weights), OUTCOMES), dict[int, int]()
        if situation.mine:
            for following, weight in zip(nexts, weights.tolist(), strict=True):
                leads[following] = leads.get(following, 0) + weight
        equations[position] = (gain, leads)
    return list(solve(equations, scale=OUTCOMES).values())


def _scale(purpose: Purpose, money: int, rolls: int, denominator: int) -> tuple[int, int]:
    """Return the scale of values, and by how many of it all roundings together can lower one."""
    largest = {"least_loss": money, "longest": rolls}.get(purpose.kind, 1)
    whole = OUTCOMES ** min(rolls, 12) * denominator  # beyond 12 rolls it never fits
    if whole * largest * OUTCOMES < _SUMS_MAX and rolls <= 12:  # noqa: PLR2004
        return whole, 0
    return _SUMS_MAX // (largest * OUTCOMES), rolls + 1


def _values_stopped(purpose: Purpose, most: int, target: int, scale: int) -> NDArray[np.int64]:
    """Return the value of a session that ends with so much; beyond the last amount it is that of the last."""
    money = np.arange(most + 2)
    if purpose.kind in {"goal", "finish"}:
        return np.where(money >= target, scale, 0).astype(np.int64)
    return money * scale if purpose.kind == "least_loss" else np.zeros(most + 2, dtype=np.int64)

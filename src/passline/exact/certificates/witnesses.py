"""The numbers that make a claim easy to check: rates with their bias, visits and means, of an automaton's classes.

They are solved in fractions. Where an automaton has too many classes for that, rates are solved in float64, and what
the rounded numbers prove is an interval that is as narrow as they are good.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, LINE, OUTCOMES, Automaton
from passline.errors import CrapsError
from passline.exact.chain.chains import Chain, ChainError, chain_of, unroll
from passline.exact.chain.systems import solve, strong_components
from passline.exact.par.par import cap_above_losses, money_ends, wagered_by_state
from passline.rules.rules import WagerRule

CLASSES_MAX = 6000
"""The most classes of states that rates are proven for: their equations fill a quarter of a gigabyte."""
_EXACT_MAX = 600  # classes; the fractions of more have too many digits to be eliminated in seconds
_SCALE = 2**44  # of biases that were solved in float64

Page = dict[str, Any]
"""A part of a certificate, as JSON has it."""


def rates_of(lumped: Automaton) -> Page:
    """Return the rate per roll of everything that is counted, with the bias that proves it.

    >>> from passline import Rules, compile_strategy, lump, strategy_of
    >>> rules = Rules.of("maryland")
    >>> rates = rates_of(lump(compile_strategy(rules, strategy_of("pass", rules)), with_action=True))
    >>> rates["cash"]["low"], rates["decisions"]["high"]  # in units of 10.00: 7/495 a decision, of 557/165 rolls each
    ('-7/1671', '165/557')
    """
    if len(lumped) > CLASSES_MAX:
        raise CrapsError(
            f"{len(lumped):,} classes of states are more than {CLASSES_MAX:,}, of which rates can be proven: let the "
            "strategy remember less"
        )
    gains = {
        "cash": lumped.cash.sum(axis=1),
        "action": lumped.action.sum(axis=1),
        "initial": lumped.initial.sum(axis=1),
        "up": np.maximum(lumped.outlay, 0) * OUTCOMES,
        "decisions": ((lumped.mark & LINE) != 0).sum(axis=1),
        "hands": ((lumped.mark & HAND) != 0).sum(axis=1),
    }
    chain, home = chain_of(lumped), _home_of(lumped)
    if len(lumped) <= _EXACT_MAX:
        return {name: _exact_rate(chain, home, column.tolist()) for name, column in gains.items()}
    biases = _solve_in_floats(lumped, home, np.stack(list(gains.values()), axis=1))
    return {
        name: _rate_within(chain, column.tolist(), biases[:, place])
        for place, (name, column) in enumerate(gains.items())
    }


def _home_of(lumped: Automaton) -> int:
    """Return a class that play comes back to from every other; raise CrapsError if there is none."""
    leads: dict[int, set[int]] = {place: set(row) for place, row in enumerate(lumped.next.tolist())}
    last = [part for part in strong_components(leads) if all(leads[place] <= set(part) for place in part)]
    if len(last) > 1:
        raise CrapsError(
            f"the strategy can come to play for ever in {len(last)} different ways, so it has no single rate in the "
            "long run: certify each way alone"
        )
    return min(last[0])


def _exact_rate(chain: Chain, home: int, gains: Sequence[int]) -> Page:
    """Return the rate of a gain, 36 times the mean of each class, and its bias, which is 0 in `home`."""
    gained, rolled = _until(chain, home, gains), _until(chain, home, [OUTCOMES] * len(gains))
    rate = gained[home] / rolled[home]
    bias = [gained[place] - rate * rolled[place] for place in range(len(gains))]
    bias[home] = Fraction(0)
    return {"low": str(rate), "high": str(rate), **vector(bias)}


def _until(chain: Chain, home: int, gains: Sequence[int]) -> list[Fraction]:
    """Return, for each class, the mean of the gains until play comes to `home`; from there, until it is back."""
    equations = {}
    for place, row in enumerate(chain.arcs):
        weights: defaultdict[int, int] = defaultdict(int)
        for arc in row:
            if arc.next != home:
                weights[arc.next] += arc.weight
        equations[place] = (Fraction(gains[place], OUTCOMES), weights)
    found = solve(equations, scale=OUTCOMES)
    return [found[place] for place in range(len(gains))]


def _solve_in_floats(lumped: Automaton, home: int, gains: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the biases of several gains: column by column, h + rate = mean gain + mean of h(next), h(home) = 0."""
    size = len(lumped)
    matrix = np.eye(size)
    np.add.at(matrix, (np.arange(size)[:, None], lumped.next), -1.0 / OUTCOMES)
    matrix[:, home] = 1.0  # of the rates, which take the place of h(home)
    found: NDArray[np.float64] = np.linalg.solve(matrix, gains / OUTCOMES).astype(np.float64)
    found[home] = 0.0
    return found


def _rate_within(chain: Chain, gains: Sequence[int], bias: NDArray[np.float64]) -> Page:
    """Return the interval of rates that a bias proves when it is rounded."""
    values = [round(Fraction(value) * _SCALE) for value in bias.tolist()]
    totals = [
        gain * _SCALE + sum(arc.weight * values[arc.next] for arc in row) - OUTCOMES * values[place]
        for place, (row, gain) in enumerate(zip(chain.arcs, gains, strict=True))
    ]
    low, high = Fraction(min(totals), OUTCOMES * _SCALE), Fraction(max(totals), OUTCOMES * _SCALE)
    return {"low": str(low), "high": str(high), "denominator": _SCALE, "values": values}


def wager_witness(lumped: Automaton, rule: WagerRule, cents: int) -> Page:
    """Return what proves a wager made once: its ends, visits by class and total, and means to the end."""
    ends, chain = money_ends(lumped), chain_of(lumped)
    try:
        unrolled, cap = unroll(chain, ends), None
    except ChainError:
        cap = cap_above_losses(chain, ends)
        unrolled = unroll(chain, ends, cap=cap)
    visited = unrolled.visits()
    by_class: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (place, _total), number in unrolled.numbers.items():
        by_class[place] += visited[number]
    wagered = wagered_by_state(lumped, rule, cents, by_class)
    means = _means_to(chain, ends, by_class)
    return {
        "ends": sorted(ends),
        "cap": cap,
        "nodes": [list(node) for node in unrolled.numbers],
        "visits": vector([visited[number] for number in unrolled.numbers.values()]),
        "means": vector([means.get(place, Fraction(0)) for place in range(len(lumped))]),
        "wagered": [int(wagered.get(place, 0) * lumped.unit) for place in range(len(lumped))],
    }


def _means_to(chain: Chain, ends: frozenset[int], reached: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return the mean cash from each class that is reached, until an end."""
    equations = {}
    for place in reached:
        weights: defaultdict[int, int] = defaultdict(int)
        for arc in chain.arcs[place]:
            if arc.next not in ends:
                weights[arc.next] += arc.weight
        equations[place] = (Fraction(sum(arc.weight * arc.cash for arc in chain.arcs[place]), OUTCOMES), weights)
    return solve(equations, scale=OUTCOMES)


def vector(values: Sequence[Fraction]) -> Page:
    """Return fractions as whole numbers over one denominator.

    >>> vector([Fraction(1, 2), Fraction(-2, 3)])
    {'denominator': 6, 'values': [3, -4]}
    """
    denominator = lcm(*(value.denominator for value in values))
    return {"denominator": denominator, "values": [int(value * denominator) for value in values]}

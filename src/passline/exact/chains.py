"""Absorbing chains solved exactly: laws, means and variances until an end is reached, as Fractions.

Every question here is a sparse linear system x = b + A x with weights out of 36. It is solved one strongly connected
part at a time, each after those it depends on: without cycles but for self-loops that is one division a state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Automaton
from passline.errors import CrapsError
from passline.exact.systems import Equation, solve, strong_components

__all__ = [
    "Arc",
    "Chain",
    "ChainError",
    "absorbed",
    "chain_of",
    "cut",
    "mean_and_variance",
    "mean_steps",
    "refuse_unbounded",
    "total_law",
    "visits",
]


class ChainError(CrapsError):
    """A question that an absorbing chain has no finite answer to."""


class Arc(NamedTuple):
    """What some of the 36 outcomes do from one state: how many they are, the change of equity, the next state."""

    weight: int
    cash: int
    next: int
    mark: int = 0


class Chain(NamedTuple):
    """The arcs out of each state; those of a state weigh 36 together.

    >>> Chain(((Arc(18, 1, 0), Arc(18, -1, 0)),)).arcs[0][0].weight
    18
    """

    arcs: tuple[tuple[Arc, ...], ...]


def chain_of(automaton: Automaton, amounts: NDArray[np.int64] | None = None) -> Chain:
    """Give an automaton's chain: outcomes that do the same from a state are one arc, in order of first appearance.

    `amounts` ([S,36], such as `automaton.action` or a count) stands in for the change of equity. The player is never
    short in a chain: it answers what a wager or a strategy does as long as it is funded.
    """
    values = automaton.cash if amounts is None else amounts
    if values.shape != automaton.next.shape:
        raise ChainError(f"amounts of shape {values.shape} for an automaton of shape {automaton.next.shape}")
    arcs = []
    for rows in zip(values.tolist(), automaton.next.tolist(), automaton.mark.tolist(), strict=True):
        weights: defaultdict[tuple[int, int, int], int] = defaultdict(int)
        for column in zip(*rows, strict=True):
            weights[column] += 1
        arcs.append(tuple(Arc(weight, *column) for column, weight in weights.items()))
    return Chain(tuple(arcs))


def cut(chain: Chain, mark: int) -> tuple[Chain, int]:
    """Lead every arc that carries one of the mark's bits to a new end, and name it: so a hand ends, or a decision.

    >>> chain, end = cut(Chain(((Arc(30, 0, 0), Arc(6, 0, 0, mark=2)),)), mark=2)
    >>> mean_steps(chain, 0, {end})
    Fraction(6, 1)
    """
    end = len(chain.arcs)
    arcs = (tuple(arc._replace(next=end) if arc.mark & mark else arc for arc in row) for row in chain.arcs)
    return Chain((*arcs, (Arc(OUTCOMES, 0, end),))), end


def visits(chain: Chain, start: int, ends: Collection[int]) -> dict[int, Fraction]:
    """Give the mean number of rolls made from each state, from the start until an end is reached.

    An end is reached by arriving, so a start that is an end too is left once and ends the chain on return.

    >>> visits(Chain(((Arc(18, 0, 0), Arc(18, 0, 1)), (Arc(36, 0, 1),))), 0, {1})
    {0: Fraction(2, 1)}
    """
    _, inflows = _from(chain, start, ends)
    return _solved({state: (Fraction(state == start), inflow) for state, inflow in inflows.items()})


def absorbed(chain: Chain, start: int, ends: Collection[int]) -> dict[int, Fraction]:
    """Give the probability that each end is the one reached; ends that cannot be are left out.

    >>> absorbed(Chain(((Arc(20, 0, 0), Arc(12, 0, 1), Arc(4, 0, 2)), (), ())), 0, {1, 2})
    {1: Fraction(3, 4), 2: Fraction(1, 4)}
    """
    law: defaultdict[int, Fraction] = defaultdict(Fraction)
    for state, mean in visits(chain, start, ends).items():
        for arc in chain.arcs[state]:
            if arc.next in ends:
                law[arc.next] += mean * Fraction(arc.weight, OUTCOMES)
    return {end: law[end] for end in sorted(law)}


def mean_steps(
    chain: Chain, start: int, ends: Collection[int], counted: Callable[[int], bool] = lambda _state: True
) -> Fraction:
    """Give the mean number of rolls until an end is reached, of those made from states that are counted.

    >>> chain = Chain(((Arc(36, 0, 1),), (Arc(30, 0, 1), Arc(6, 0, 2)), ()))
    >>> mean_steps(chain, 0, {2}), mean_steps(chain, 0, {2}, counted=lambda state: state == 1)
    (Fraction(7, 1), Fraction(6, 1))
    """
    return sum((mean for state, mean in visits(chain, start, ends).items() if counted(state)), Fraction(0))


def mean_and_variance(chain: Chain, start: int, ends: Collection[int]) -> tuple[Fraction, Fraction]:
    """Give the mean and the variance of the cash of all rolls until an end is reached.

    With m(s) the mean from s on, the variance is the sum over states of visits times the variance of cash + m(next).

    >>> mean_and_variance(Chain(((Arc(20, 0, 0), Arc(9, 1, 1), Arc(7, -1, 1)), ())), 0, {1})
    (Fraction(1, 8), Fraction(63, 64))
    """
    made = visits(chain, start, ends)
    equations = {
        state: (
            Fraction(sum(arc.weight * arc.cash for arc in chain.arcs[state]), OUTCOMES),
            _weights((arc.next, arc.weight) for arc in chain.arcs[state] if arc.next not in ends),
        )
        for state in made
    }
    means = _solved(equations)
    after = means | dict.fromkeys(ends, Fraction(0))
    variance = Fraction(0)
    for state, visited in made.items():
        rest = [(arc.weight, arc.cash + after[arc.next]) for arc in chain.arcs[state]]
        mean = sum((weight * value for weight, value in rest), Fraction(0)) / OUTCOMES
        square = sum((weight * value * value for weight, value in rest), Fraction(0)) / OUTCOMES
        variance += visited * (square - mean * mean)
    return means[start], variance


def total_law(chain: Chain, start: int, ends: Collection[int]) -> dict[int, Fraction]:
    """Give the law of the sum of cash of all rolls until an end is reached, in order of the sums.

    >>> total_law(Chain(((Arc(20, 0, 0), Arc(9, 1, 1), Arc(7, -1, 1)), ())), 0, {1})
    {-1: Fraction(7, 16), 1: Fraction(9, 16)}
    >>> total_law(Chain(((Arc(30, 1, 0), Arc(6, -1, 1)), ())), 0, {1})
    Traceback (most recent call last):
    passline.exact.chains.ChainError: the total has no bound: state 0 comes round again with a gain or a loss
    """
    refuse_unbounded(chain, start, ends)
    inflows: dict[tuple[int, int], defaultdict[tuple[int, int], int]] = {(start, 0): defaultdict(int)}
    arrivals: defaultdict[int, list[tuple[int, tuple[int, int]]]] = defaultdict(list)
    waiting = [(start, 0)]
    while waiting:
        here = waiting.pop()
        for weight, cash, state, _mark in chain.arcs[here[0]]:
            there = (state, here[1] + cash)
            if state in ends:
                arrivals[there[1]].append((weight, here))
                continue
            if there not in inflows:
                inflows[there] = defaultdict(int)
                waiting.append(there)
            inflows[there][here] += weight
    made = _solved({node: (Fraction(node == (start, 0)), inflow) for node, inflow in inflows.items()})
    return {
        total: sum((weight * made[node] for weight, node in arrivals[total]), Fraction(0)) / OUTCOMES
        for total in sorted(arrivals)
    }


def _from(
    chain: Chain, start: int, ends: Collection[int]
) -> tuple[dict[int, list[int]], dict[int, defaultdict[int, int]]]:
    """The states reached before an end: those each leads to, and those each is entered from with what weight."""
    leads: dict[int, list[int]] = {}
    inflows: dict[int, defaultdict[int, int]] = {start: defaultdict(int)}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        leads[state] = []
        for weight, _cash, after, _mark in chain.arcs[state]:
            if after in ends:
                continue
            if after not in inflows:
                inflows[after] = defaultdict(int)
                waiting.append(after)
            leads[state].append(after)
            inflows[after][state] += weight
    return leads, inflows


_Node = TypeVar("_Node", bound=Hashable)


def _weights(pairs: Iterable[tuple[_Node, int]]) -> dict[_Node, int]:
    weights: defaultdict[_Node, int] = defaultdict(int)
    for node, weight in pairs:
        weights[node] += weight
    return weights


def _solved(equations: Mapping[_Node, Equation[_Node]]) -> dict[_Node, Fraction]:
    try:
        return solve(equations, scale=OUTCOMES)
    except ZeroDivisionError:
        raise ChainError("no end is reached from some of the states: the chain can go on for ever") from None


def refuse_unbounded(chain: Chain, start: int, ends: Collection[int]) -> None:
    """A total is bounded just when no cycle adds to it: then cash is a difference of levels within each part."""
    leads, _ = _from(chain, start, ends)
    for part in strong_components(leads):
        inside = set(part)
        levels = {part[0]: 0}
        waiting = [part[0]]
        while waiting:
            state = waiting.pop()
            for arc in chain.arcs[state]:
                if arc.next not in inside or arc.next in ends:
                    continue
                level = levels[state] + arc.cash
                if arc.next not in levels:
                    levels[arc.next] = level
                    waiting.append(arc.next)
                elif levels[arc.next] != level:
                    raise ChainError(
                        f"the total has no bound: state {arc.next} comes round again with a gain or a loss"
                    )

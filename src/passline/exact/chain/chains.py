"""Absorbing chains solved exactly: laws, means and variances until an end is reached, as Fractions.

Every question here is a sparse linear system x = b + A x with weights out of 36, or what those of dice that
are not fair come to; `systems` solves it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from passline.automaton.arrays import OUTCOMES, Automaton
from passline.errors import CrapsError
from passline.exact.chain.systems import Equation, solve, strong_components

_END = -1  # the one end of the chain that `follow` builds


class ChainError(CrapsError):
    """A question that an absorbing chain has no finite answer to."""


class Arc(NamedTuple):
    """Outcomes that do the same from a state: their weight (of fair dice how many), the change of equity, the next."""

    weight: int
    cash: int
    next: int
    mark: int = 0


class Chain(NamedTuple):
    """The arcs out of each state; the weights of a state's arcs add up to `scale`, 36 with fair dice.

    >>> Chain(((Arc(18, 1, 0), Arc(18, -1, 0)),)).arcs[0][0].weight
    18
    """

    arcs: tuple[tuple[Arc, ...], ...]
    scale: int = OUTCOMES


def chain_of(automaton: Automaton) -> Chain:
    """Return an automaton's chain: outcomes that do the same from a state are one arc, in order of first appearance.

    A chain knows no bankroll: it says what a wager or a strategy does as long as the player can pay for it.
    """
    arcs = []
    for rows in zip(automaton.cash.tolist(), automaton.next.tolist(), automaton.mark.tolist(), strict=True):
        weights: defaultdict[tuple[int, int, int], int] = defaultdict(int)
        for column, weight in zip(zip(*rows, strict=True), automaton.weights, strict=True):
            weights[column] += weight
        arcs.append(tuple(Arc(weight, *column) for column, weight in weights.items()))
    return Chain(tuple(arcs), automaton.total_weight)


def cut(chain: Chain, mark: int) -> tuple[Chain, int]:
    """Return a chain whose arcs with a bit of `mark` lead to a new end state, and that state.

    >>> chain, end = cut(Chain(((Arc(30, 0, 0), Arc(6, 0, 0, mark=2)),)), mark=2)
    >>> sum(visits(chain, 0, {end}).values())
    Fraction(6, 1)
    """
    end = len(chain.arcs)
    arcs = (tuple(arc._replace(next=end) if arc.mark & mark else arc for arc in row) for row in chain.arcs)
    return Chain((*arcs, (Arc(chain.scale, 0, end),)), chain.scale), end


def visits(chain: Chain, start: int, ends: Collection[int]) -> dict[int, Fraction]:
    """Return the mean number of rolls made from each state, from `start` until an end is reached.

    A start that is also an end does not end the chain at once, but when it is reached again.

    >>> visits(Chain(((Arc(18, 0, 0), Arc(18, 0, 1)), (Arc(36, 0, 1),))), 0, {1})
    {0: Fraction(2, 1)}
    """
    _, inflows = _reached_from(chain, start, ends)
    return _solve({state: (Fraction(state == start), inflow) for state, inflow in inflows.items()}, chain.scale)


def mean_and_variance(chain: Chain, start: int, ends: Collection[int]) -> tuple[Fraction, Fraction]:
    """Return the mean and the variance of the total cash until an end is reached.

    With m(s) the mean from s on, the variance is the sum over states of visits times the variance of cash + m(next).

    >>> mean_and_variance(Chain(((Arc(20, 0, 0), Arc(9, 1, 1), Arc(7, -1, 1)), ())), 0, {1})
    (Fraction(1, 8), Fraction(63, 64))
    """
    made = visits(chain, start, ends)
    equations = {
        state: (
            Fraction(sum(arc.weight * arc.cash for arc in chain.arcs[state]), chain.scale),
            _weights((arc.next, arc.weight) for arc in chain.arcs[state] if arc.next not in ends),
        )
        for state in made
    }
    means = _solve(equations, chain.scale)
    after = means | dict.fromkeys(ends, Fraction(0))
    variance = Fraction(0)
    for state, visited in made.items():
        rest = [(arc.weight, arc.cash + after[arc.next]) for arc in chain.arcs[state]]
        mean = sum((weight * value for weight, value in rest), Fraction(0)) / chain.scale
        square = sum((weight * value * value for weight, value in rest), Fraction(0)) / chain.scale
        variance += visited * (square - mean * mean)
    return means[start], variance


class Ending(NamedTuple):
    """One way to end: the last state before the end, the total cash, and the probability."""

    state: int
    total: int
    share: Fraction


def follow(chain: Chain, ends: Collection[int], *, cap: int | None = None) -> tuple[dict[int, Fraction], list[Ending]]:
    """Return the mean number of rolls made from each state, and all ways to end, starting from state 0.

    Totals above `cap` count as the cap; without one, a chain whose total has no bound raises ChainError.

    >>> follow(Chain(((Arc(20, 0, 0), Arc(9, 1, 1), Arc(7, -1, 1)), ())), {1})[1]
    [Ending(state=0, total=1, share=Fraction(9, 16)), Ending(state=0, total=-1, share=Fraction(7, 16))]
    >>> follow(Chain(((Arc(30, 1, 0), Arc(6, -1, 1)), ())), {1})
    Traceback (most recent call last):
    passline.exact.chain.chains.ChainError: the total has no bound: state 0 comes round again with a gain or a loss
    """
    unrolled = unroll(chain, ends, cap=cap)
    visited = unrolled.visits()
    made: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (state, _total), number in unrolled.numbers.items():
        made[state] += visited[number]
    ended = unrolled.ended
    shares = [(state, total, visited[number] * Fraction(weight, chain.scale)) for state, total, number, weight in ended]
    return dict(made), [Ending(*ending) for ending in shares]


class Unrolled(NamedTuple):
    """A chain whose states know the total so far, up to its ends."""

    numbers: dict[tuple[int, int], int]
    """The number of each state and total."""
    chain: Chain
    ended: list[tuple[int, int, int, int]]
    """Of each arc to an end: the state, the total after it, the number that it leaves, and its weight."""

    def visits(self) -> dict[int, Fraction]:
        """Return the mean number of rolls made from each number."""
        return visits(self.chain, 0, {_END})


def unroll(chain: Chain, ends: Collection[int], *, cap: int | None = None) -> Unrolled:
    """Return the chain from state 0 with totals; those above `cap` count as the cap.

    >>> unroll(Chain(((Arc(20, 1, 1), Arc(16, 0, 2)), (Arc(36, 1, 2),), ())), {2}).numbers
    {(0, 0): 0, (1, 1): 1}
    """
    if cap is None:
        _check_bounded(chain, 0, ends)
    numbers: dict[tuple[int, int], int] = {(0, 0): 0}
    rows: list[tuple[Arc, ...]] = []
    ended: list[tuple[int, int, int, int]] = []
    waiting = deque([(0, 0)])
    while waiting:
        state, so_far = waiting.popleft()
        row = []
        for weight, cash, after, _mark in chain.arcs[state]:
            total = so_far + cash if cap is None else min(so_far + cash, cap)
            if after in ends:
                ended.append((state, total, len(rows), weight))
                row.append(Arc(weight, 0, _END))
                continue
            if (after, total) not in numbers:
                numbers[after, total] = len(numbers)
                waiting.append((after, total))
            row.append(Arc(weight, 0, numbers[after, total]))
        rows.append(tuple(row))
    return Unrolled(numbers, Chain(tuple(rows), chain.scale), ended)


def _reached_from(
    chain: Chain, start: int, ends: Collection[int]
) -> tuple[dict[int, list[int]], dict[int, defaultdict[int, int]]]:
    """Return, for each state reached before an end, the states it leads to and the weights it is entered from."""
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


def _solve(equations: Mapping[_Node, Equation[_Node]], scale: int) -> dict[_Node, Fraction]:
    try:
        return solve(equations, scale=scale)
    except ZeroDivisionError:
        raise ChainError("no end is reached from some of the states: the chain can go on for ever") from None


def _check_bounded(chain: Chain, start: int, ends: Collection[int]) -> None:
    """Raise ChainError if a cycle gains or loses: only otherwise does each state of a part have one level of cash."""
    leads, _ = _reached_from(chain, start, ends)
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

"""Mean and variance of a network's result after a number of rolls, ignoring ruin; used when the full law is too large.

The variance of a sum does not need the product of all parts, only the pairs of states of each two parts that occur
together. With X(n, s) the money won in n more rolls from state s, E X and E X^2 follow from those of n - 1 rolls, and
so does E XY on the pairs of two parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Automaton
from passline.automaton.network import Network
from passline.errors import CrapsError
from passline.exact.session.law import Solving, check_cells
from passline.exact.session.moment_kernel import cross

PAIRS_MAX = 2_000_000
"""The most pairs of states that two parts may have."""
_ROUNDING = 2.0**-53
_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation, in cents, of the money won in `rolls` rolls, and a bound on their rounding error."""

    rolls: int
    mean: float
    sd: float
    error: float
    action: float = 0.0  # of the wagers that won or lost
    initial: float = 0.0  # of the wagers that won, lost or were returned, without odds
    up: float = 0.0  # when the dice are thrown, summed over the rolls


def moments(network: Network, rolls: int, *, solving: Solving | None = None) -> Moments:
    """Return mean and standard deviation after `rolls` rolls of a player who never runs short of money.

    >>> from passline.automaton.network import network
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> found = moments(network(rules, strategy_of("pass:unit=500", rules)), 100)
    >>> round(found.mean), round(found.sd)
    (-146, 2719)
    """
    check_cells(sum(map(len, network.parts)) * rolls)
    steps = _Steps(solving, rolls * (2 * len(network.parts) + len(list(combinations(network.parts, 2)))))
    firsts = [_means(part, rolls, steps) for part in network.parts]
    mean = sum(float(means[rolls][0]) * part.unit for means, part in zip(firsts, network.parts, strict=True))
    square = scale = 0.0
    for means, part in zip(firsts, network.parts, strict=True):
        square += _squares(part, means, rolls, steps) * part.unit**2
        scale += float(np.abs(part.cash).max()) * part.unit * rolls  # the most cents that the part can win or lose
    for (part, means), (other, other_means) in combinations(zip(network.parts, firsts, strict=True), 2):
        square += 2 * _products(part, other, means, other_means, rolls, steps) * part.unit * other.unit
    variance = max(square - mean * mean, 0.0)
    roundings = (OUTCOMES + 4) * (rolls + 1) * _ROUNDING
    error = roundings * scale * scale / max(variance**0.5, 1.0)
    wagered = np.sum([_mean_amounts(part, rolls) for part in network.parts], axis=0)
    return Moments(rolls, mean, variance**0.5, error, *wagered.tolist())


def _mean_amounts(part: Automaton, rolls: int) -> _Floats:
    """Return the mean cents of action, of initial wagers and of what is up, summed over so many rolls."""
    here, total = np.zeros(len(part)), np.zeros(len(part))
    here[0] = 1.0
    for _ in range(rolls):
        total += here
        leaving = np.outer(here, part.weights).ravel()
        here = np.bincount(part.next.ravel(), weights=leaving, minlength=len(part)) / part.total_weight
    ended = [total @ part.weighted_sum(amounts) / part.total_weight for amounts in (part.action, part.initial)]
    return np.array([*ended, total @ part.outlay]) * part.unit


class _Steps:
    """Counts the rolls of all sums together, and reports the progress."""

    def __init__(self, solving: Solving | None, total: int) -> None:
        self._solving, self._total, self._done = solving, total, 0

    def __call__(self) -> None:
        self._done += 1
        if self._solving:
            self._solving(self._done, self._total)


def _means(part: Automaton, rolls: int, step: _Steps) -> list[_Floats]:
    """Return E X(n, s) for n = 0, 1, ..., rolls."""
    each = part.weighted_sum(part.cash) / part.total_weight
    means = [np.zeros(len(part))]
    for _ in range(rolls):
        step()
        means.append(each + part.weighted_sum(means[-1][part.next]) / part.total_weight)
    return means


def _squares(part: Automaton, means: list[_Floats], rolls: int, step: _Steps) -> float:
    """Return E X(rolls, 0)^2."""
    square = np.zeros(len(part))
    cash = part.cash.astype(np.float64)
    for n in range(rolls):
        step()
        squares = cash * cash + 2 * cash * means[n][part.next] + square[part.next]
        square = part.weighted_sum(squares) / part.total_weight
    return float(square[0])


def _products(  # noqa: PLR0917 - a formula
    part: Automaton, other: Automaton, means: list[_Floats], other_means: list[_Floats], rolls: int, step: _Steps
) -> float:
    """Return E X(rolls, 0) Y(rolls, 0) of two parts on the same dice."""
    pairs, leads = _pairs(part, other)
    constant = part.weighted_sum(part.cash[pairs // len(other)] * other.cash[pairs % len(other)]) / part.total_weight
    weights = np.array(part.weights, dtype=np.float64)
    product = np.zeros(len(pairs))
    for n in range(rolls):
        step()
        product = constant + cross(
            pairs, leads, part.next, part.cash, other.next, other.cash, means[n], other_means[n], product, weights
        )
    return float(product[0])


def _pairs(part: Automaton, other: Automaton) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of states that occur together, the start first, and the pair that each outcome leads to."""
    size = len(other)
    seen = np.zeros(len(part) * size, dtype=bool)
    seen[0] = True
    frontier, found = np.array([0], dtype=np.int64), [np.array([0], dtype=np.int64)]
    while len(frontier):
        reached = np.unique(part.next[frontier // size].astype(np.int64) * size + other.next[frontier % size])
        frontier = reached[~seen[reached]]
        seen[frontier] = True
        found.append(frontier)
        if sum(map(len, found)) > PAIRS_MAX:
            raise CrapsError(
                f"two parts of the strategy have more than {PAIRS_MAX:,} pairs of states: even their covariance is "
                "out of reach; drop a part"
            )
    pairs = np.concatenate(found)
    place = np.empty(len(seen), dtype=np.int64)
    place[pairs] = np.arange(len(pairs))
    leads = part.next[pairs // size].astype(np.int64) * size + other.next[pairs % size]
    return pairs, place[leads]

"""The law of a shooter's hand: its length, and any count over it, exactly.

A hand begins in state 0 and ends with the roll that carries the mark HAND. A count gives every roll from every state a
whole number, at least 0; rolls that count nothing are solved away, so the law of the total comes value by value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, LINE, OUTCOMES, Automaton
from passline.dice import OUTCOMES as DICE
from passline.dice import SEVEN
from passline.exact.chains import Chain, ChainError, chain_of, cut, mean_and_variance
from passline.exact.systems import Equation, solve

__all__ = ["COUNTS", "CountLaw", "count_law", "hand_length"]

_Counts = NDArray[np.int64]
_Masses = dict[int, Fraction]  # by state: of hands still going on


class CountLaw:
    """The law of a count over a hand: 0, 1, 2 ... without end, as Fractions; values are worked out as asked for."""

    def __init__(self, chain: Chain, end: int) -> None:
        self._chain, self._end = chain, end
        self.mean, self.variance = mean_and_variance(chain, 0, {end})
        self._values: list[Fraction] = []
        self._tails: list[Fraction] = [Fraction(1)]
        self._going = _law_by_value(chain, end)

    def chance(self, value: int) -> Fraction:
        """Give the probability that the count is exactly this."""
        if value < 0:
            return Fraction(0)
        while len(self._values) <= value:
            self._values.append(next(self._going))
            self._tails.append(self._tails[-1] - self._values[-1])
        return self._values[value]

    def at_least(self, value: int) -> Fraction:
        """Give the probability that the count is this or more."""
        if value <= 0:
            return Fraction(1)
        self.chance(value - 1)
        return self._tails[value]

    def table(self, until: Fraction) -> list[tuple[int, Fraction, Fraction]]:
        """List value, chance and chance of at least that, as long as the last is not below `until`."""
        rows = []
        value = 0
        while self.at_least(value) >= until and self.at_least(value) > 0:
            rows.append((value, self.chance(value), self.at_least(value)))
            value += 1
        return rows

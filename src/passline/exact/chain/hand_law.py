"""The exact law of a shooter's hand: its length, and any count over it.

A hand begins in state 0 and ends with the roll that has the mark HAND. A count assigns a whole number, at least 0, to
every roll from every state. Rolls that count 0 are eliminated, so the law of the total is found value by value.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, LINE, OUTCOMES, Automaton
from passline.automaton.minimise import lump, minimise
from passline.dice import OUTCOMES as ROLLS
from passline.dice import SEVEN
from passline.exact.chain.chains import Chain, ChainError, chain_of, cut, mean_and_variance
from passline.exact.chain.systems import solve

_Counts = NDArray[np.int64]


class CountLaw:
    """The law of a count over a hand, which has no largest value. Probabilities are computed when asked for.

    Make one with `count_law` or `hand_length`.
    """

    def __init__(self, chain: Chain, end: int) -> None:
        self.mean, self.variance = mean_and_variance(chain, 0, {end})
        self.order = end * max(arc.cash for row in chain.arcs for arc in row)
        """No shortest recurrence of the chances is longer: the states times the most that one roll counts."""
        self._chain, self._end = chain, end
        self._further = _by_value(chain, end)
        self._chances: list[Fraction] = []
        self._tails = [Fraction(1)]

    def __reduce__(self) -> tuple[type[CountLaw], tuple[Chain, int]]:
        return CountLaw, (self._chain, self._end)  # what was computed is computed again

    def chance(self, value: int) -> Fraction:
        """Return the probability that the count is exactly `value`."""
        while len(self._chances) <= value:
            self._chances.append(next(self._further))
            self._tails.append(self._tails[-1] - self._chances[-1])
        return self._chances[value] if value >= 0 else Fraction(0)

    def at_least(self, value: int) -> Fraction:
        """Return the probability that the count is `value` or more."""
        self.chance(value - 1)
        return self._tails[max(0, value)]

    def table(self, until: Fraction) -> list[tuple[int, Fraction, Fraction]]:
        """Return rows (value, `chance`, `at_least`) from value 0 on, while `at_least` is not below `until`."""
        assert until > 0, "most counts have no largest value"
        rows: list[tuple[int, Fraction, Fraction]] = []
        while self.at_least(value := len(rows)) >= until:
            rows.append((value, self.chance(value), self.at_least(value)))
        return rows


class FiniteLaw:
    """The law of a count that has a largest value.

    >>> law = FiniteLaw({0: Fraction(3, 4), 2: Fraction(1, 4)})
    >>> law.mean, law.variance, law.at_least(1), law.chance(1)
    (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4), Fraction(0, 1))
    """

    def __init__(self, chances: Mapping[int, Fraction]) -> None:
        self._chances = dict(chances)
        self.mean = sum((value * chance for value, chance in chances.items()), Fraction(0))
        square = sum((value * value * chance for value, chance in chances.items()), Fraction(0))
        self.variance = square - self.mean * self.mean

    def chance(self, value: int) -> Fraction:
        """Return the probability that the count is exactly `value`."""
        return self._chances.get(value, Fraction(0))

    def at_least(self, value: int) -> Fraction:
        """Return the probability that the count is `value` or more."""
        return sum((chance for count, chance in self._chances.items() if count >= value), Fraction(0))

    def table(self, until: Fraction) -> list[tuple[int, Fraction, Fraction]]:
        """Return rows (value, `chance`, `at_least`) from value 0 on, while `at_least` is not below `until`."""
        rows = [(value, self.chance(value), self.at_least(value)) for value in range(max(self._chances) + 1)]
        return [row for row in rows if row[2] >= until]


def longest_at_least(law: CountLaw | FiniteLaw, value: int, hands: int) -> Fraction:
    """Return the probability that the largest count of so many hands is `value` or more: 1 - (1 - at_least)^hands.

    >>> longest_at_least(FiniteLaw({0: Fraction(1, 2), 1: Fraction(1, 2)}), 1, 2)
    Fraction(3, 4)
    """
    return 1 - (1 - law.at_least(value)) ** hands


def longest_quantile(law: CountLaw | FiniteLaw, share: Fraction, hands: int) -> int:
    """Return the least value that the largest count of so many hands does not exceed with a chance of `share`.

    >>> longest_quantile(FiniteLaw({0: Fraction(1, 2), 1: Fraction(1, 2)}), Fraction(1, 2), 2)
    1
    """
    value = 0
    while (tail := float(law.at_least(value + 1))) >= 1 or math.log1p(-tail) * hands < math.log(share):
        value += 1
    return value


def hand_length(automaton: Automaton) -> CountLaw:
    """Return the law of the number of rolls of a shooter's hand.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> length = hand_length(compile_strategy(rules, strategy_of("pass", rules)))
    >>> length.mean, length.chance(2)
    (Fraction(1671, 196), Fraction(1, 9))
    >>> f"one in {float(1 / length.at_least(154)):.3g}"
    'one in 5.59e+09'
    """
    return count_law(automaton, np.ones(automaton.next.shape, dtype=np.int64))


def count_law(automaton: Automaton, counts: _Counts) -> CountLaw:
    """Return the law of a count over a hand; `counts` [S,36] is what each roll from each state adds.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass", rules))
    >>> points = count_law(automaton, COUNTS["points"](automaton))
    >>> points.mean, points.chance(0)
    (Fraction(67, 98), Fraction(98, 165))
    """
    return CountLaw(*cut(chain_of(lump(_with_counts(automaton, counts))), HAND))


def different_law(automaton: Automaton, kinds: _Counts) -> dict[int, Fraction]:
    """Return the law of how many different kinds occur in a hand; `kinds` [S,36] is each roll's kind, 0 for none.

    With the totals of the rolls that COUNTS["points"] counts as kinds, it is the law of the different points made.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass", rules))
    >>> law = different_law(automaton, totals(automaton) * COUNTS["points"](automaton))
    >>> [f"{float(chance):.6f}" for chance in law.values()]
    ['0.593939', '0.260750', '0.101275', '0.033434', '0.008798', '0.001640', '0.000162']
    """
    chain, end = cut(chain_of(minimise(_with_counts(automaton, kinds))), HAND)
    bits = {kind: 1 << rank for rank, kind in enumerate(sorted({arc.cash for row in chain.arcs for arc in row} - {0}))}
    inflows: dict[tuple[int, int], defaultdict[tuple[int, int], int]] = {(0, 0): defaultdict(int)}
    waiting = [(0, 0)]
    while waiting:
        here = waiting.pop()
        for arc in chain.arcs[here[0]] if here[0] != end else ():
            there = (arc.next, here[1] | bits.get(arc.cash, 0))
            if there not in inflows:
                inflows[there] = defaultdict(int)
                waiting.append(there)
            inflows[there][here] += arc.weight
    made = solve({node: (Fraction(node == (0, 0)), inflow) for node, inflow in inflows.items()}, scale=chain.scale)
    law: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (state, seen), chance in made.items():
        if state == end:
            law[seen.bit_count()] += chance
    return dict(sorted(law.items()))


def totals(automaton: Automaton) -> _Counts:
    """Return the total of the dice for every state and outcome of an automaton as compiled, before it is lumped.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> totals(compile_strategy(rules, strategy_of("pass", rules)))[0, :6].tolist()
    [2, 3, 4, 5, 6, 7]
    """
    return np.tile(np.array([roll.total for roll in ROLLS], dtype=np.int64), (len(automaton), 1))


def _with_counts(automaton: Automaton, counts: _Counts) -> Automaton:
    """Return the automaton with counts in place of cash, and without outlays."""
    if counts.shape != automaton.next.shape or counts.min() < 0:
        raise ChainError(f"a count is 0 or more for each of {len(automaton)} states and {OUTCOMES} outcomes")
    if not (automaton.mark & HAND).any():
        raise ChainError("no roll of this automaton ends a hand")
    nothing = np.zeros_like(automaton.cash)
    never = np.full_like(automaton.short, -1)
    marks = automaton.mark & np.uint8(HAND)
    still = nothing[:, 0]
    return replace(automaton, cash=counts, outlay=still, up=still, short=never, action=nothing, mark=marks)


def _by_value(chain: Chain, end: int) -> Iterator[Fraction]:
    """Yield the probability of each value in turn.

    With v(k) the mean number of rolls made from each state while the count is k, A the arcs that count nothing and B(j)
    those that count j: v(k) = b(k) + v(k) A, where b(0) is the start and b(k) the sum of v(k - j) B(j).
    """
    entering: defaultdict[int, defaultdict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    entering[0][0] = Fraction(1)
    inflows: dict[int, defaultdict[int, int]] = {state: defaultdict(int) for state in range(len(chain.arcs))}
    for state, arcs in enumerate(chain.arcs[:end]):
        for arc in arcs:
            if not arc.cash:
                inflows[arc.next][state] += arc.weight
    value = 0
    while True:
        begun = entering.pop(value, defaultdict(Fraction))
        made = solve({state: (begun[state], inflows[state]) for state in inflows}, scale=chain.scale)
        for state, mean in made.items():
            for arc in chain.arcs[state] if mean and state != end else ():
                if arc.cash:
                    entering[value + arc.cash][arc.next] += mean * Fraction(arc.weight, chain.scale)
        yield made[end]
        value += 1


def _count_rolls(automaton: Automaton, is_counted: Callable[[int], bool]) -> _Counts:
    """Return counts of the rolls whose total is counted, from any state. The automaton must not be lumped."""
    return np.asarray(np.vectorize(is_counted, otypes=[np.int64])(totals(automaton)))


def _points(automaton: Automaton) -> _Counts:
    """Return counts of points made: line decisions, except a loser 7, from states where a loser 7 is possible."""
    is_on = ((automaton.mark & HAND) != 0).any(axis=1, keepdims=True)
    return np.asarray(is_on & ((automaton.mark & (LINE | HAND)) == LINE), dtype=np.int64)


def _numbers(automaton: Automaton) -> _Counts:
    """Return counts of rolls of numbers that can be points: those that decide nothing on the first come-out roll."""
    return np.tile((automaton.mark[0] & LINE) == 0, (len(automaton), 1)).astype(np.int64)


_ELEVEN = 11

COUNTS: dict[str, Callable[[Automaton], _Counts]] = {
    "rolls": lambda automaton: np.ones(automaton.next.shape, dtype=np.int64),
    "points": _points,
    "sevens": lambda automaton: _count_rolls(automaton, lambda total: total == SEVEN),
    "elevens": lambda automaton: _count_rolls(automaton, lambda total: total == _ELEVEN),
    "sevens and elevens": lambda automaton: _count_rolls(automaton, lambda total: total in {SEVEN, _ELEVEN}),
    "numbers": _numbers,
}
"""What can be counted over a hand, by name; the automaton must not be lumped. The loser 7 counts as a seven."""

"""The exact value of wagers that stand on a layout, and how far one roll can move it.

The value of a wager is what its player gains from here on average, beyond its face, if it stays up until it is decided.
It comes from the engine's own settlement of every roll, at the very cents that lie there, so breakage is in it. The
values of a layout add up, and the change of a roll (what is paid and taken, and the new values) has mean zero:

>>> from passline.automaton.standing import standing_of_wager
>>> from passline.game.position import Wager
>>> values = StandingValues(Rules.of("maryland"))
>>> line, odds = Wager(1, "player", "pass", 0, 10_00), Wager(1, "player", "pass_odds", 6, 10_00)
>>> values.value([standing_of_wager(line)]), values.value([standing_of_wager(odds, 6)])
(Fraction(-1400, 99), Fraction(0, 1))
>>> both = [standing_of_wager(line), standing_of_wager(Wager(2, "player", "field", 0, 5_00))]
>>> sum(weight * change for weight, change in zip(WEIGHTS, values.changes(both)))
Fraction(0, 1)
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from operator import mul

from msgspec import Struct

from passline.automaton.standing import WEIGHTS, StandingWager, rolls_of_standing
from passline.exact.chain.systems import Equation, solve
from passline.rules.memo import Memo
from passline.rules.rules import Rules

__all__ = ["StandingValues"]

_OUTCOMES = 36
_NOTHING = (0,) * len(WEIGHTS)
_Rolled = list[tuple[int, StandingWager | None]]


class _Known(Struct, frozen=True, gc=False):
    """The value of a standing wager, and what each pair of dice adds to it and its player's chips."""

    value: Fraction
    scale: int  # the denominator of all changes
    steps: tuple[int, ...]  # each change as so many parts of the scale: whole numbers add up quickly


_KNOWN: Memo[StandingWager, _Known] = Memo()


class StandingValues:
    """Values of standing wagers under rules, each solved once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known = rules.remembered(_KNOWN)

    def value(self, standings: Iterable[StandingWager]) -> Fraction:
        """Return what players gain from wagers on average, in cents; a loss is below zero."""
        return sum((self._solved(one).value for one in standings), Fraction(0))

    def changes(self, standings: Iterable[StandingWager]) -> tuple[Fraction, ...]:
        """Return what each of the 21 pairs adds to the chips and values of wagers together."""
        scale, steps = self._steps(standings)
        return tuple(Fraction(step, scale) for step in steps)

    def variance(self, standings: Iterable[StandingWager]) -> Fraction:
        """Return the variance of the next roll over a whole layout, in cents squared."""
        scale, steps = self._steps(standings)
        return Fraction(sum(map(mul, WEIGHTS, map(mul, steps, steps))), _OUTCOMES * scale**2)

    def _steps(self, standings: Iterable[StandingWager]) -> tuple[int, tuple[int, ...]]:
        """Return the changes of wagers together, as parts of one scale."""
        known = [self._solved(one) for one in standings]
        if not known:
            return 1, _NOTHING
        scale = lcm(*(one.scale for one in known))
        scaled = [
            one.steps if one.scale == scale else [step * (scale // one.scale) for step in one.steps] for one in known
        ]
        return scale, tuple(map(sum, zip(*scaled, strict=True)))

    def _solved(self, standing: StandingWager) -> _Known:
        known = self._known.get(standing)
        return known if known is not None else self._solve(standing)

    def _solve(self, start: StandingWager) -> _Known:
        """Solve all states that a wager can come to, as far as they are not known."""
        rolled: dict[StandingWager, _Rolled] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state not in rolled and state not in self._known:
                rolled[state] = rolls_of_standing(self._rules, state)
                waiting += (after for _gain, after in rolled[state] if after is not None)
        values = solve({state: self._equation(results) for state, results in rolled.items()}, scale=_OUTCOMES)
        for state, results in rolled.items():
            changes = [gain + self._after(after, values) - values[state] for gain, after in results]
            scale = lcm(*(one.denominator for one in changes))
            steps = tuple(one.numerator * (scale // one.denominator) for one in changes)
            self._known[state] = _Known(values[state], scale, steps)
        return self._known[start]

    def _after(self, state: StandingWager | None, values: dict[StandingWager, Fraction]) -> Fraction:
        if state is None:
            return Fraction(0)
        return values[state] if state in values else self._known[state].value

    def _equation(self, results: _Rolled) -> Equation[StandingWager]:
        """Return the equation of a state: the mean gain of a roll, and the states that it leads to."""
        constant, weights = Fraction(0), dict[StandingWager, int]()
        for weight, (gain, after) in zip(WEIGHTS, results, strict=True):
            constant += Fraction(weight * gain, _OUTCOMES)
            if after is None:
                continue
            if after in self._known:
                constant += Fraction(weight, _OUTCOMES) * self._known[after].value
            else:
                weights[after] = weights.get(after, 0) + weight
        return constant, weights

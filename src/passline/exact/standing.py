"""The exact value of wagers that stand on a layout, and how far one roll can move it.

The value of a wager is what its player gains from here on average, beyond its face, if it stays up until it is decided.
It comes from the engine's own settlement of every roll, at the very cents that lie there, so breakage is in it. How
often a wager comes to each of its decisions does not depend on the stake: that is solved once for all stakes. The
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

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from operator import mul

from msgspec import Struct

from passline.automaton.standing import (
    WEIGHTS,
    RolledStanding,
    Stake,
    StandingWager,
    course_of_standing,
    gain_of_standing,
    rolls_of_standing,
    with_stake,
)
from passline.exact.chain.systems import Equation, solve
from passline.rules.memo import Memo
from passline.rules.rules import Rules

_OUTCOMES = 36
_NOTHING = (0,) * len(WEIGHTS)


class _Decision(Struct, frozen=True, gc=False, cache_hash=True):
    """A way in which wagers of a kind are decided, by the first state and pair of dice that were seen to do it."""

    course: StandingWager
    place: int
    share: int  # of the meter of a progressive, in basis points


class ShareChances(Struct, frozen=True, gc=False):
    """How likely a wager still is to be paid each share of its meter, now and after each of the 21 pairs.

    >>> ShareChances({10_000: Fraction(1, 36)}, ({},) * len(WEIGHTS)).now
    {10000: Fraction(1, 36)}
    """

    now: dict[int, Fraction]
    after: tuple[dict[int, Fraction], ...]


class _Course(Struct, frozen=True):
    """A standing wager without its stake: how often each decision is still expected, and what each pair does."""

    times: dict[_Decision, Fraction]
    pairs: tuple[tuple[_Decision | None, StandingWager | None], ...]


class StandingSteps(Struct, frozen=True, gc=False):
    """What each of the 21 pairs adds to the chips and values of wagers together."""

    scale: int = 1  # the denominator of all changes
    steps: tuple[int, ...] = _NOTHING  # each change as so many parts of the scale: whole numbers add up quickly

    @classmethod
    def together(cls, parts: Sequence[StandingSteps]) -> StandingSteps:
        """Return the steps of several wagers or layouts on the same dice."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls()
        scale = lcm(*(part.scale for part in parts))
        scaled = [
            part.steps if part.scale == scale else [step * (scale // part.scale) for step in part.steps]
            for part in parts
        ]
        return cls(scale, tuple(map(sum, zip(*scaled, strict=True))))

    @property
    def variance(self) -> Fraction:
        """The variance of the next roll, in cents squared."""
        return Fraction(sum(map(mul, WEIGHTS, map(mul, self.steps, self.steps))), _OUTCOMES * self.scale**2)


class _Known(Struct, frozen=True, gc=False):
    """The value of a standing wager, and what each pair of dice adds to it and its player's chips."""

    value: Fraction
    steps: StandingSteps


_KNOWN: Memo[StandingWager, _Known] = Memo()
_COURSES: Memo[StandingWager, _Course] = Memo()
_DECISIONS: Memo[object, _Decision] = Memo()
_GAINS: Memo[tuple[_Decision, Stake], int] = Memo()


class StandingValues:
    """Values of standing wagers under rules, each solved once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known = rules.memory_of(_KNOWN)
        self._courses = rules.memory_of(_COURSES)
        self._decisions = rules.memory_of(_DECISIONS)
        self._gains = rules.memory_of(_GAINS)

    def value(self, standings: Iterable[StandingWager]) -> Fraction:
        """Return what players gain from wagers on average, in cents; a loss is below zero."""
        return sum((self._answer(standing).value for standing in standings), Fraction(0))

    def changes(self, standings: Iterable[StandingWager]) -> tuple[Fraction, ...]:
        """Return what each of the 21 pairs adds to the chips and values of wagers together."""
        together = self.steps(standings)
        return tuple(Fraction(step, together.scale) for step in together.steps)

    def variance(self, standings: Iterable[StandingWager]) -> Fraction:
        """Return the variance of the next roll over a whole layout, in cents squared."""
        return self.steps(standings).variance

    def steps(self, standings: Iterable[StandingWager]) -> StandingSteps:
        """Return the changes of wagers together, as parts of one scale."""
        return StandingSteps.together([self._answer(standing).steps for standing in standings])

    def shares(self, standing: StandingWager) -> ShareChances:
        """Return how likely a progressive wager is to be paid each share of its meter, which its value leaves out."""
        course = self._course(course_of_standing(self._rules, standing))
        after = (_shares(self._course(left)) if left is not None else {} for _decision, left in course.pairs)
        return ShareChances(_shares(course), tuple(after))

    def _answer(self, standing: StandingWager) -> _Known:
        known = self._known.get(standing)
        if known is None:
            known = self._known[standing] = self._at_stake(standing)
        return known

    def _at_stake(self, standing: StandingWager) -> _Known:
        """Return the value of a wager and the changes of each pair, at its stake."""
        course, stake = self._course(course_of_standing(self._rules, standing)), standing.stake
        values: dict[StandingWager | None, Fraction] = {None: Fraction(0)}
        value = self._value(course, stake)
        changes = []
        for decision, after in course.pairs:
            if after not in values:
                values[after] = self._value(self._course(after), stake)  # type: ignore[arg-type]  # None is in it
            changes.append((self._gain(decision, stake) if decision else 0) + values[after] - value)
        scale = lcm(*(change.denominator for change in changes))
        steps = tuple(change.numerator * (scale // change.denominator) for change in changes)
        return _Known(value, StandingSteps(scale, steps))

    def _value(self, course: _Course, stake: Stake) -> Fraction:
        return sum((times * self._gain(decision, stake) for decision, times in course.times.items()), Fraction(0))

    def _gain(self, decision: _Decision, stake: Stake) -> int:
        """Return what a decision adds to the player's chips and wagers together, settled by the engine."""
        known = self._gains.get((decision, stake))
        if known is None:
            known = gain_of_standing(self._rules, with_stake(decision.course, stake), decision.place)
            self._gains[decision, stake] = known
        return known

    def _course(self, course: StandingWager) -> _Course:
        known = self._courses.get(course)
        return known if known is not None else self._solve(course)

    def _solve(self, start: StandingWager) -> _Course:
        """Solve all states that a wager can come to, as far as they are not known."""
        pairs: dict[StandingWager, tuple[tuple[_Decision | None, StandingWager | None], ...]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state not in pairs and state not in self._courses:
                rolled = rolls_of_standing(self._rules, state)
                pairs[state] = tuple(self._pair(state, place, roll) for place, roll in enumerate(rolled))
                waiting += (after for _decision, after in pairs[state] if after is not None)
        decisions = {made: None for results in pairs.values() for made, _after in results if made is not None}
        known = {after for results in pairs.values() for _made, after in results if after in self._courses}
        decisions |= {decision: None for after in known if after for decision in self._courses[after].times}
        times: dict[StandingWager, dict[_Decision, Fraction]] = {state: {} for state in pairs}
        for decision in decisions:
            equations = {state: self._equation(decision, results) for state, results in pairs.items()}
            for state, often in solve(equations, scale=_OUTCOMES).items():
                if often:
                    times[state][decision] = often
        for state, results in pairs.items():
            self._courses[state] = _Course(times[state], results)
        return self._courses[start]

    def _pair(
        self, state: StandingWager, place: int, rolled: RolledStanding
    ) -> tuple[_Decision | None, StandingWager | None]:
        """Return how a pair of dice decides a state, and the state that it leads to."""
        decision = None
        if rolled.decision:
            decision = self._decisions.get(rolled.decision)
            if decision is None:
                decision = self._decisions[rolled.decision] = _Decision(state, place, rolled.share)
        return decision, course_of_standing(self._rules, rolled.after) if rolled.after is not None else None

    def _equation(
        self, decision: _Decision, results: Iterable[tuple[_Decision | None, StandingWager | None]]
    ) -> Equation[StandingWager]:
        """Return the equation of a state: how often a roll decides so, and the states that it leads to."""
        constant, weights = 0, dict[StandingWager, int]()
        beyond = Fraction(0)
        for weight, (made, after) in zip(WEIGHTS, results, strict=True):
            constant += weight if made == decision else 0
            if after is None:
                continue
            if after in self._courses:
                beyond += weight * self._courses[after].times.get(decision, 0)
            else:
                weights[after] = weights.get(after, 0) + weight
        return (constant + beyond) / _OUTCOMES, weights


def _shares(course: _Course) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for decision, times in course.times.items():
        if decision.share:
            found[decision.share] = found.get(decision.share, Fraction(0)) + times
    return found

"""Evidence against fair dice that may be looked at after every roll, as often as one likes.

The evidence is a game against the dice: what all wagers of the battery have won together, beginning with 1. With fair
dice it is never above 1 on average, whenever somebody stops to look; so it ever comes to 1/alpha with a chance of at
most alpha (Ville's inequality). `./x bench dice` prints how often each of several faults is found, beside what somebody
would find who knew the fault.

A fault that looks back needs the rolls in the order in which one pair of hands threw them, while the evidence against
a die or a table goes on through many sets. So what came last, and what is believed by it, is kept with the set
(`DiceSequence`); what the next roll says goes into the evidence of each part of that set.

>>> evidence = evidence_of([(6, 6)] * 60)
>>> evidence.rolls, evidence.value > 1e20, evidence.exceeds(alpha=0.001)
(60, True, True)
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from operator import mul, truediv

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.standing import PAIRS
from passline.exact.dice_battery import (
    ANY_STRENGTHS,
    FAIR,
    FIRST_BELIEFS,
    LOOKING,
    SHARES,
    STEADY,
    STEADY_FACTORS,
    looking_after,
    pair_place,
)

_LOG_MAX = 700.0  # of a float
_STEP = 1e200  # what wagers are divided by when they come to more
_LOG_STEP = log(_STEP)
_ANY_FIRST = len(STEADY) + len(LOOKING)
_ANY_STAKE = sum(SHARES[_ANY_FIRST:])
_SMALLEST = 1e-300


class RollSaid(Struct, frozen=True):
    """One roll in its sequence: the factor of every wager, except those on any fault of the pairs."""

    place: int  # of its pair
    factors: tuple[float, ...]


class DiceSequence(Struct, frozen=True):
    """The last roll of a set of dice, and the beliefs after all its rolls about faults that look back."""

    last: int = -1  # the place of the pair
    beliefs: bytes = array("d", FIRST_BELIEFS).tobytes()

    def after(self, first: int, second: int) -> tuple[DiceSequence, RollSaid]:
        """Return the sequence after another roll, and the factors of that roll.

        >>> _, said = DiceSequence().after(2, 5)
        >>> DiceSequence().after(5, 2)[1] == said
        True
        """
        place = pair_place(first, second)
        factors, beliefs = looking_after(array("d", self.beliefs), self.last, place)
        return DiceSequence(place, array("d", beliefs).tobytes()), RollSaid(place, (*STEADY_FACTORS[place], *factors))


class DiceEvidence(Struct, frozen=True):
    """The evidence of the rolls of a die, a set or a table against its being fair."""

    counts: tuple[int, ...] = (0,) * len(PAIRS)
    wagers: bytes = array("d", SHARES).tobytes()  # what each has come to; one that is lost for good may be 0
    steps: int = 0  # how often they were divided, lest they grow too large
    begun_anew: int = 0  # how often it was, since an alarm had told what was said until then

    @property
    def rolls(self) -> int:
        """How many rolls are counted."""
        return sum(self.counts)

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence."""
        return log(sum(array("d", self.wagers))) + self.steps * _LOG_STEP

    @property
    def log_pairs(self) -> float:
        """The same of the wagers on any fault of the pairs alone: all the evidence there was until version 0.2.0."""
        won = sum(array("d", self.wagers)[_ANY_FIRST:])
        return log(max(won, _SMALLEST) / _ANY_STAKE) + self.steps * _LOG_STEP

    @property
    def value(self) -> float:
        """The evidence: 1 says nothing, 1,000 is a thousand to one."""
        return exp(min(self.log_value, _LOG_MAX))

    def after(self, said: RollSaid) -> DiceEvidence:
        """Return the evidence after another roll."""
        factors = (*said.factors, *self._any_factors(said.place, self.counts[said.place], self.rolls))
        wagers, steps = array("d", map(mul, array("d", self.wagers), factors)), self.steps
        if sum(wagers) > _STEP:
            wagers, steps = array("d", [wager / _STEP for wager in wagers]), steps + 1
        return replace(self, counts=self._counts(said.place, 1), wagers=wagers.tobytes(), steps=steps)

    def without(self, said: RollSaid) -> DiceEvidence:
        """Return the evidence without a roll that was counted before, whatever rolls came after it.

        >>> _, said = DiceSequence(last=3).after(1, 2)
        >>> heard = evidence_of([(6, 6)])
        >>> round(heard.after(said).without(said).log_value - heard.log_value, 12)
        0.0
        """
        factors = (*said.factors, *self._any_factors(said.place, self.counts[said.place] - 1, self.rolls - 1))
        wagers = array("d", map(truediv, array("d", self.wagers), factors))
        return replace(self, counts=self._counts(said.place, -1), wagers=wagers.tobytes())

    def anew(self) -> DiceEvidence:
        """Return evidence that has heard of nothing, and knows that it was begun anew."""
        return DiceEvidence(begun_anew=self.begun_anew + 1)

    def exceeds(self, *, alpha: float) -> bool:
        """Return whether the dice must be inspected; fair dice ever reach this with a probability of at most alpha."""
        return self.log_value >= -log(alpha)

    def _counts(self, place: int, more: int) -> tuple[int, ...]:
        return (*self.counts[:place], self.counts[place] + more, *self.counts[place + 1 :])

    def _any_factors(self, place: int, seen: int, rolls: int) -> list[float]:
        """Return the factors of the wagers on any fault: Dirichlet distributions around fair dice.

        The order of the rolls makes no difference to them.
        """
        fair = FAIR[place]
        return [(strength * fair + seen) / (strength + rolls) / fair for strength in ANY_STRENGTHS]


def evidence_of(rolls: Iterable[tuple[int, int]]) -> DiceEvidence:
    """Return the evidence of rolls of one set, in their order."""
    evidence = DiceEvidence()
    for evidence in evidence_after_each(rolls):  # noqa: B007 - the last one
        pass
    return evidence


def evidence_after_each(rolls: Iterable[tuple[int, int]]) -> Iterator[DiceEvidence]:
    """Yield the evidence after each roll of one set.

    >>> [round(evidence.value, 3) for evidence in evidence_after_each([(3, 4), (3, 4), (4, 3)])]
    [0.996, 1.07, 1.257]
    """
    sequence, evidence = DiceSequence(), DiceEvidence()
    for first, second in rolls:
        sequence, said = sequence.after(first, second)
        evidence = evidence.after(said)
        yield evidence


def log_of_mean(logs: Sequence[float], weights: Sequence[int]) -> float:
    """Return the logarithm of the weighted mean of some numbers, given their logarithms.

    >>> round(exp(log_of_mean((log(2), log(5)), (1, 2))), 12)
    4.0
    """
    most = max(logs)
    total = sum(weight * exp(value - most) for value, weight in zip(logs, weights, strict=True))
    return most + log(total / sum(weights))


def alpha_of_each(alpha: float, sets: int) -> float:
    """Return the probability of a false alarm to allow each of several sets, so that together they stay within alpha.

    >>> alpha_of_each(0.01, 50)
    0.0002
    """
    return alpha / max(sets, 1)

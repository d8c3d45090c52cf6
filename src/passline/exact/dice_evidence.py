"""Evidence against fair dice that may be looked at after every roll, as often as one likes.

The evidence is a wager against the dice. It begins at 1, and with fair dice it is never above 1 on average, whenever
somebody stops to look; so it ever comes to 1/alpha with a chance of at most alpha (Ville's inequality). It is the
likelihood of the rolls under dice with unknown faults, averaged over Dirichlet distributions around fair ones, divided
by their likelihood under fair dice, on the 21 pairs. At a thousand to one, nine in ten sets are found that show one
face too often: by half within 700 rolls, by a quarter within 3,000, by a tenth within 16,000.

>>> evidence = DiceEvidence()
>>> for _ in range(60):
...     evidence = evidence.after(6, 6)
>>> evidence.rolls, evidence.value > 1e20, evidence.exceeds(alpha=0.001)
(60, True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from msgspec import Struct

from passline.automaton.standing import PAIRS, WEIGHTS

__all__ = ["DiceEvidence", "alpha_of_each", "log_of_mean"]

_OUTCOMES = 36
_STRENGTHS = (300.0, 3_000.0, 30_000.0)  # how firmly each Dirichlet distribution believes in fair dice, in rolls
_PLACES = {(pair.first, pair.second): place for place, pair in enumerate(PAIRS)}
_LOG_MAX = 700.0  # of a float


class DiceEvidence(Struct, frozen=True):
    """What the rolls of one set of dice say against it."""

    counts: tuple[int, ...] = (0,) * len(PAIRS)
    logs: tuple[float, ...] = (0.0,) * len(_STRENGTHS)  # of the evidence under each strength

    @property
    def rolls(self) -> int:
        """How many rolls it has heard of."""
        return sum(self.counts)

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence."""
        return log_of_mean(self.logs)

    @property
    def value(self) -> float:
        """The evidence: 1 says nothing, 1,000 is a thousand to one."""
        return exp(min(self.log_value, _LOG_MAX))

    def after(self, first: int, second: int) -> DiceEvidence:
        """Return the evidence after another roll."""
        place = _PLACES[min(first, second), max(first, second)]
        fair, seen, rolls = WEIGHTS[place] / _OUTCOMES, self.counts[place], self.rolls
        logs = tuple(
            so_far + log((strength * fair + seen) / (strength + rolls)) - log(fair)
            for so_far, strength in zip(self.logs, _STRENGTHS, strict=True)
        )
        counts = (*self.counts[:place], seen + 1, *self.counts[place + 1 :])
        return DiceEvidence(counts, logs)

    def without(self, first: int, second: int) -> DiceEvidence:
        """Return the evidence without a roll that it has heard of: in which order rolls came makes no difference.

        >>> heard = DiceEvidence().after(1, 2).after(6, 6)
        >>> heard.without(2, 1).counts == DiceEvidence().after(6, 6).counts
        True
        """
        place = _PLACES[min(first, second), max(first, second)]
        fair, seen, rolls = WEIGHTS[place] / _OUTCOMES, self.counts[place] - 1, self.rolls - 1
        logs = tuple(
            so_far - log((strength * fair + seen) / (strength + rolls)) + log(fair)
            for so_far, strength in zip(self.logs, _STRENGTHS, strict=True)
        )
        return DiceEvidence((*self.counts[:place], seen, *self.counts[place + 1 :]), logs)

    def exceeds(self, *, alpha: float) -> bool:
        """Return whether the dice must be looked at: fair ones come here with a chance of at most alpha, ever."""
        return self.log_value >= -log(alpha)


def log_of_mean(logs: Sequence[float]) -> float:
    """Return the logarithm of the mean of numbers, of which the logarithms are given.

    >>> round(exp(log_of_mean((log(2), log(4)))), 12)
    3.0
    """
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs) / len(logs))


def alpha_of_each(alpha: float, sets: int) -> float:
    """Return the chance of a false alarm that each of several sets may have, so that all have it together.

    >>> alpha_of_each(0.01, 50)
    0.0002
    """
    return alpha / max(sets, 1)

"""What entries add to the house's accounts, in cents, and the sums of it: exact, and quick for very many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import lcm
from operator import attrgetter
from typing import Any

from msgspec import Struct

from passline.exact.luck_evidence import NO_PRICES, TiltPrices, sum_of_prices

ZERO = Fraction(0)
"""What most parts of most entries are: the same object, so that nothing is added to it."""


def _sum(first: Fraction, other: Fraction) -> Fraction:
    """Add two sums; most parts of most entries are nothing at all, and need no arithmetic."""
    return first if other is ZERO else other if first is ZERO else first + other


class Accrual(Struct, frozen=True):
    """What one entry, or many of them together, adds to the house's accounts, in cents."""

    won: int = 0
    theoretical: Fraction = ZERO
    luck: Fraction = ZERO
    variance: Fraction = ZERO  # of the luck, in cents squared
    rolls: int = 0
    carried: Fraction = ZERO  # by how much the value of the wagers that stand has grown
    decided: int = 0  # wagers, or parts of them, that won or lost
    wagered: int = 0  # the cents of those
    corrections: int = 0
    corrected: Fraction = ZERO  # how much of the luck is from corrections
    prices: TiltPrices = NO_PRICES  # of the rolls, from which it is known how rare the luck is at most

    def __add__(self, other: Accrual) -> Accrual:
        return Accrual(
            self.won + other.won,
            _sum(self.theoretical, other.theoretical),
            _sum(self.luck, other.luck),
            _sum(self.variance, other.variance),
            self.rolls + other.rolls,
            _sum(self.carried, other.carried),
            self.decided + other.decided,
            self.wagered + other.wagered,
            self.corrections + other.corrections,
            _sum(self.corrected, other.corrected),
            self.prices + other.prices,
        )

    @property
    def deviations(self) -> float | None:
        """The luck in standard deviations; None while no roll could move anything."""
        return float(self.luck) / float(self.variance) ** 0.5 if self.variance else None


_COUNTS = {name: attrgetter(name) for name in ("won", "rolls", "decided", "wagered", "corrections")}
_FRACTIONS = {name: attrgetter(name) for name in ("theoretical", "luck", "variance", "carried", "corrected")}


def total_of(parts: Collection[tuple[Accrual, int]]) -> Accrual:
    """Return what accruals come to, each with how often it came; exact, and quicker than adding fractions one by one.

    >>> total_of([(Accrual(won=3, carried=Fraction(1, 2)), 2), (Accrual(won=1), 1)]).carried
    Fraction(1, 1)
    """
    if len(parts) == 1 and (only := next(iter(parts)))[1] == 1:
        return only[0]
    total: dict[str, Any] = {}
    for name, of in _COUNTS.items():
        total[name] = sum([of(accrual) * times for accrual, times in parts])
    for name, of in _FRACTIONS.items():
        found = [(part, times) for accrual, times in parts if (part := of(accrual)) is not ZERO]
        total[name] = sum_of_fractions([(part.numerator * times, part.denominator) for part, times in found])
    prices: dict[TiltPrices, int] = {}  # each with the number of rolls: many are thrown at the same layout
    for accrual, times in parts:
        if accrual.prices is not NO_PRICES:
            prices[accrual.prices] = prices.get(accrual.prices, 0) + times
    return Accrual(**total, prices=sum_of_prices(prices))


def sum_of_fractions(parts: Sequence[tuple[int, int]]) -> Fraction:
    """Return the sum of fractions, given as numerators and denominators; `ZERO` itself if there are none."""
    if not parts:
        return ZERO
    scale = lcm(*(denominator for _, denominator in parts))
    return Fraction(sum(numerator * (scale // denominator) for numerator, denominator in parts), scale)

"""A bound on how often luck alone goes this far, whenever somebody looks and however players choose their stakes.

Each roll adds luck to a figure, with mean zero and an exact law over the 36 outcomes of the layout that it was thrown
at. A tilt is a wager against luck alone: with a number t, each roll multiplies it by exp(t * luck), divided by the mean
of that over the 36 outcomes. Whatever lay on the layout and whenever somebody leaves or looks, it is 1 on average if
there was luck alone; and so is a mixture of tilts, some to either side. So it comes to N or more with a chance of at
most 1 in N (Ville's inequality), and no law has to be taken for normal.

The logarithm of the mean is the price of a roll at a tilt. It depends on the layout and not on the dice, so prices add
up as variances do: over rolls, shifts, days and tables, and a corrected roll changes none of them. All tilts of all
figures are the same powers of two, and prices are whole billionths that are rounded up, so sums are exact, and what is
rounded only makes luck look more common. How much each tilt counts is fixed by the layout of a figure's first roll:

>>> twelve = StandingSteps(1, (-1_00,) * 20 + (35_00,))  # a fair wager on 12 hits: once in 36 rolls
>>> evidence = LuckEvidence(luck=Fraction(-35_00), prices=prices_of_roll(twelve), scale=scale_of(twelve.variance))
>>> evidence.one_in()
4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, log, log1p
from operator import add

from msgspec import Struct

from passline.automaton.standing import WEIGHTS
from passline.exact.standing import StandingSteps

OCTAVES = tuple(range(4, 37))
"""The tilts: one part in two to the power of each, for each cent of luck, above and below."""
_UNIT = 10**9  # parts of a price
_OUTCOMES = 36
_SMALL = 0.25  # below, the exponential of luck and tilt is its first terms and a bound on the others, 1 part in 500 off
_FAR = 50.0  # beyond, only the largest outcome counts: all others are less than a billionth of a billionth of it
_MARGIN = 1e-12  # more than floats lose in a price, as a share of it
_ROUNDED_UP = _UNIT * (1 + _MARGIN)
_TILTS = tuple(2.0**-octave for octave in OCTAVES)
_KNOWN_MAX = 2048
_CENTRE = 2  # a tilt of one in four of the first roll's standard deviation, or in eight, counts the most
_FLATNESS = 2
_LOG_MAX = 600.0
_ONE_IN_MAX = 10**9
_DIGITS = 100  # numbers from here on are told in two digits, rounded down


class TiltPrices(Struct, frozen=True, cache_hash=True):
    """The price of rolls for each tilt, in billionths of a natural logarithm: towards luck above zero, and below."""

    above: tuple[int, ...] = ()  # in the order of OCTAVES; empty: no roll could move anything
    below: tuple[int, ...] = ()

    def __add__(self, other: TiltPrices) -> TiltPrices:
        if not self.above:
            return other
        if not other.above:
            return self
        return TiltPrices(_add_prices(self.above, other.above), _add_prices(self.below, other.below))


NO_PRICES = TiltPrices()
"""What it costs where no roll could move anything."""


def _add_prices(prices: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(add, prices, other))


def sum_of_prices(rolls: Mapping[TiltPrices, int]) -> TiltPrices:
    """Return the prices of all rolls, given how many there were of each kind."""
    if not rolls:
        return NO_PRICES
    return TiltPrices(
        _sums([(roll.above, count) for roll, count in rolls.items()]),
        _sums([(roll.below, count) for roll, count in rolls.items()]),
    )


def _sums(rolls: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...]:
    counted = [prices if count == 1 else [count * price for price in prices] for prices, count in rolls]
    return tuple(map(sum, zip(*counted, strict=True)))


@lru_cache(_KNOWN_MAX)
def prices_of_roll(steps: StandingSteps) -> TiltPrices:
    """Return the prices of a roll; `steps` is what each pair adds to the players' side, so luck is the house's."""
    often: dict[int, int] = {}
    for step, weight in zip(steps.steps, WEIGHTS, strict=True):
        often[-step] = often.get(-step, 0) + weight
    if len(often) == 1:
        return NO_PRICES
    law = sorted([(step / steps.scale, weight / _OUTCOMES) for step, weight in often.items()])
    moments = [sum([share * luck**power for luck, share in law]) for power in (2, 3, 4)]
    other = [(-luck, share) for luck, share in reversed(law)]
    return TiltPrices(_prices(law, *moments), _prices(other, moments[0], -moments[1], moments[2]))


def _prices(law: list[tuple[float, float]], second: float, third: float, fourth: float) -> tuple[int, ...]:
    """Return log E exp(tilt * luck) for each tilt, rounded up; the law has the least luck first, and three moments."""
    (most, share), next_to = law[-1], law[-2][0]
    reach, gap, last = max(most, -law[0][0]), most - next_to, log(share)
    found = []
    for tilt in _TILTS:
        if tilt * reach < _SMALL:  # exp(x) is at most 1 + x + x^2 / 2 + x^3 / 6 + x^4 / 24 * exp(|x|)
            square = tilt * tilt
            price = log1p(square * (second / 2 + tilt * third / 6 + square * fourth / 24 * exp(tilt * reach)))
        elif tilt * gap > _FAR:
            price = tilt * most + last
        else:
            top = tilt * most
            price = top + log(sum([share * exp(tilt * luck - top) for luck, share in law]))
        found.append(ceil(price * _ROUNDED_UP) + 1)
    return tuple(found)


def prices_on_shared_dice(parts: Sequence[TiltPrices]) -> TiltPrices:
    """Return prices that are high enough for a sum of figures that may share their dice.

    Luck on the same dice is not independent, so prices do not add up. By Hoelder's inequality the mean of a product of
    n exponentials is at most the product of their means at n times the tilt, each to the power 1/n; n is taken as a
    power of two, so that those tilts are among ours. The largest ones have none, and cost more than luck can pay.

    >>> prices = TiltPrices(tuple(range(33)), tuple(range(33)))
    >>> prices_on_shared_dice([prices, prices]).above[1:4]
    (0, 1, 2)
    """
    some = [part for part in parts if part.above]
    if len(some) <= 1:
        return some[0] if some else NO_PRICES
    shift = (len(some) - 1).bit_length()
    never = 10**30

    def price_together(sides: list[tuple[int, ...]]) -> tuple[int, ...]:
        sums = [sum(prices) for prices in zip(*sides, strict=True)]
        return (*[never] * shift, *(-(-total >> shift) for total in sums[:-shift]))

    return TiltPrices(price_together([part.above for part in some]), price_together([part.below for part in some]))


def scale_of(variance: Fraction) -> int:
    """Return the order of magnitude of a roll's luck: a power of two near its standard deviation, in cents.

    >>> scale_of(Fraction(10_00**2)), scale_of(Fraction(1, 2))
    (9, 0)
    """
    return max((variance.numerator // variance.denominator).bit_length() - 1, 0) // 2


class LuckEvidence(Struct, frozen=True, kw_only=True):
    """A figure's luck, the prices of its rolls, and the order of magnitude of its first roll's luck (`scale_of`)."""

    luck: Fraction  # in cents
    prices: TiltPrices
    scale: int

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence against luck alone, rounded down; at 0 it says nothing."""
        over, under = self.luck.numerator, self.luck.denominator
        logs = []
        for octave, above, below in zip(OCTAVES, self.prices.above, self.prices.below, strict=False):
            tilted, weight = over * _UNIT, _weight(octave - self.scale)
            logs.append((tilted // (under << octave) - above) / _UNIT + weight)
            logs.append((-tilted // (under << octave) - below) / _UNIT + weight)
        if not logs:
            return 0.0
        most = max(logs)
        return (most + log(sum([exp(value - most) for value in logs]))) - _MARGIN * (1 + abs(most))

    def one_in(self, looked_at: int = 1) -> int:
        """Return N if luck alone goes this far at most once in N; 1 says nothing.

        N takes into account how many figures were looked at, and is rounded down to two digits.
        """
        told = exp(min(self.log_value, _LOG_MAX)) * (1 - _MARGIN) / max(looked_at, 1)
        return rounded_down(int(min(max(told, 1), _ONE_IN_MAX)))

    def band(self, one_in: int) -> tuple[int, int]:
        """Return the range in cents that luck leaves for at most one figure in `one_in`, whenever somebody looks.

        Beyond either end one of the tilts has reached the bound, and so has their mixture.
        """
        bound = log(one_in)
        highest = _first_reached(self.prices.above, self.scale, bound)
        return -_first_reached(self.prices.below, self.scale, bound), highest


def _first_reached(prices: Sequence[int], scale: int, bound: float) -> int:
    """Return the least luck, in whole cents, with which one of the tilts on its side reaches a bound."""
    costs = [ceil((bound - _weight(octave - scale)) * _ROUNDED_UP) for octave in OCTAVES]
    reached = (
        -((-cost - price << octave) // _UNIT) for cost, price, octave in zip(costs, prices, OCTAVES, strict=False)
    )
    return min(reached, default=0)


def rounded_down(number: int) -> int:
    """Return a number rounded down to two digits.

    >>> [rounded_down(number) for number in (7, 99, 302_593_569, 1_000)]
    [7, 99, 300000000, 1000]
    """
    unit = 1
    while number // unit >= _DIGITS:
        unit *= 10
    return number // unit * unit


@lru_cache(None)
def _weight(distance: int) -> float:
    """Return the logarithm of a tilt's weight, by the distance of its power of two from that of the first roll."""
    far = distance - _CENTRE - 1 if distance > _CENTRE else _CENTRE - distance
    return log(_FLATNESS / (4 * (far + _FLATNESS) * (far + _FLATNESS + 1)))

"""Evidence that money is taken between a record and a count, which may be looked at after every shift.

A buy-in is recorded at the table and its notes are counted in the count room. Whoever takes notes on the way leaves
the count short of the records; whoever only keys a buy-in wrongly leaves it short or over by a little. What honest
people do is stated as `HonestKeying`: at most one record in so many is wrong, by so much at most, and then as often
too high as too low, each by itself. Nothing is assumed of what players bring.

**The statistic.** For a tilt t (per cent of a dollar that is missing) a shift with n records that is short by x cents
multiplies a wager against honesty by

    exp(t x) / (1 + (cosh(t c) - 1) / q) ** n          with errors of at most c cents, in one record of q at most.

**Its bound.** An honest record's error e has E[exp(t e)] = 1 + p E[cosh(t |e|) - 1] <= 1 + (cosh(t c) - 1) / q, since
e is symmetric, |e| <= c and p <= 1/q. The records of a shift are independent given the past, so the factor of a shift
is never above 1 on average: it is an e-value. A buy-in that nobody recorded makes the count long, and lowers it. The
product over shifts of one tilt is a supermartingale. So is a mixture of them: over skim sizes (`TILTS`, each of which
is the best against one size) and over the shift with which somebody begins to take (the k-th has the stake
1/(k(k+1)), and what is not staked yet is kept). It begins with 1, so it ever comes to 1/alpha with a chance of at
most alpha (Ville's inequality), whenever somebody looks and for however long. Several tables and crews share alpha:
the k-th that is watched has alpha/(k(k+1)), however many come later.

**What it finds** is proved by the same bound, from the house's own volumes: honest errors hide more than y cents of S
shifts with a chance of at most 1/10, where y is the least (S n log(1 + (cosh(u c) - 1) / q) + log(10)) / u over u.

>>> keying = HonestKeying(one_in=50, cents=100_00)
>>> evidence = SkimEvidence()
>>> for _ in range(3):
...     evidence = evidence.after(records=60, short=500_00, keying=keying)
>>> evidence.shifts, evidence.value > 1_000
(3, True)
>>> SkimWatch(records=60, keying=keying, bound=alarm_bound(20, 4)).smallest_in(60)
9023
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, cosh, exp, inf, log, log1p

from msgspec import Struct

TILTS = (0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0, 4.0)
"""The tilts of the mixture, by the largest error: each is the best against one size of skim."""
FOUND_IN = 10
"""A skim that is promised to be found escapes at most once in so many."""
_LOG_MAX = 700.0  # of a float
_SHIFTS_MAX = 10_000


class HonestKeying(Struct, frozen=True):
    """How honest people record: at most one record in `one_in` is wrong, by at most `cents`, up as often as down."""

    one_in: int
    cents: int

    def __post_init__(self) -> None:
        assert self.one_in >= 1, "a record is wrong at most once in one"
        assert self.cents >= 1, "an error is a cent at least"


class SkimEvidence(Struct, frozen=True):
    """The evidence against one table or crew after so many shifts."""

    shifts: int = 0
    logs: tuple[float, ...] = (-inf,) * len(TILTS)  # what the stakes on each tilt have come to

    def after(self, *, records: int, short: int, keying: HonestKeying) -> SkimEvidence:
        """Return the evidence after another shift, which was short by so many cents, below zero if it was over."""
        begun = -log((self.shifts + 1) * (self.shifts + 2) * len(TILTS))
        logs = tuple(
            log_sum((own, begun)) + tilt * short / keying.cents - records * price
            for own, tilt, price in zip(self.logs, TILTS, _prices(keying.one_in), strict=True)
        )
        return SkimEvidence(self.shifts + 1, logs)

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence: of all stakes, and of what is kept for later shifts.

        >>> evidence = SkimEvidence()
        >>> evidence.log_value, round(evidence.after(records=0, short=0, keying=HonestKeying(9, 9)).value, 12)
        (0.0, 1.0)
        """
        return log_sum((*self.logs, -log(self.shifts + 1))) if self.shifts else 0.0

    @property
    def value(self) -> float:
        """The evidence: 1 says nothing, 1,000 is a thousand to one."""
        return exp(min(self.log_value, _LOG_MAX))


def alarm_bound(one_in: int, order: int) -> int:
    """Return the evidence to one at which the `order`-th that is watched alarms; all together do so once in `one_in`.

    >>> alarm_bound(20, 1), alarm_bound(20, 2)
    (40, 120)
    """
    return one_in * order * (order + 1)


class SkimWatch(Struct, frozen=True):
    """What a watch over a table or crew can find, by its own volumes.

    >>> watch = SkimWatch(records=60, keying=HonestKeying(one_in=50, cents=100_00), bound=480)
    >>> [watch.smallest_in(shifts) for shifts in (1, 20, 60, 240)]
    [88508, 16317, 9084, 4519]
    >>> [watch.shifts_to_find(cents) for cents in (100, 9084, 1_000_00)]
    [None, 60, 1]
    """

    records: float  # in a shift
    keying: HonestKeying
    bound: int  # of the evidence to one
    begun_after: int = 0  # how many shifts were watched before somebody began to take

    def smallest_in(self, shifts: int) -> int:
        """Return the cents a shift that are found within so many shifts, but for once in `FOUND_IN` at most."""
        number, all_records = self.begun_after + 1, shifts * self.records
        priced = [(tilt, all_records * price) for tilt, price in zip(TILTS, _prices(self.keying.one_in), strict=True)]
        needed = log(self.bound * number * (number + 1) * len(TILTS))
        hidden = min((price + log(FOUND_IN)) / tilt for tilt, price in priced)
        taken = min((price + needed) / tilt for tilt, price in priced)
        return ceil(self.keying.cents * (taken + hidden) / shifts)

    def shifts_to_find(self, skim: float) -> int | None:
        """Return within how many shifts so many cents a shift are found; None where 10,000 are too few."""
        low, high = 0, _SHIFTS_MAX
        if self.smallest_in(high) > skim:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.smallest_in(middle) <= skim else (middle, high)
        return high


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of a sum of numbers, given their logarithms.

    >>> round(exp(log_sum((log(2), log(3)))), 12)
    5.0
    """
    found = tuple(logs)
    most = max(found)
    return most if most == -inf else most + log(sum(exp(value - most) for value in found))


@lru_cache(maxsize=64)
def _prices(one_in: int) -> tuple[float, ...]:
    """Return what each tilt pays for a record: the logarithm of the mean of its factor, at most."""
    return tuple(log1p((cosh(tilt) - 1) / one_in) for tilt in TILTS)

"""How often luck alone brings what a figure shows, at most; and between which amounts it leaves nearly all figures.

Both hold for players who choose their stakes and when to leave, whenever somebody looks, and take no law for normal
(`passline.exact.luck_evidence`). Whoever looks at thirty tables sees one that is far off, so the number of figures that
were looked at is counted in. The price of so much caution is that luck may be rarer than it is told to be; it is never
more common. And it says nothing of why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from msgspec.structs import replace

from passline.bookkeeping.account import PlayAccount
from passline.bookkeeping.accrual_sums import Accrual
from passline.exact.luck_evidence import LuckEvidence, prices_on_shared_dice

BAND_ONE_IN = 20
"""Luck alone leaves the band of a day or a player at most once in so many."""


class Band(NamedTuple):
    """Between which cents the house's win stays, but for at most one figure in `BAND_ONE_IN`."""

    low: int
    high: int


def on_shared_dice(parts: Sequence[Accrual]) -> Accrual:
    """Return a sum of what may have been rolled for with the same dice: it is told as no rarer than it is."""
    return replace(sum(parts, Accrual()), prices=prices_on_shared_dice([part.prices for part in parts]))


def is_on_shared_dice(accounts: Iterable[PlayAccount]) -> bool:
    """Return whether accounts run beside each other, so that the same dice may be in several of them."""
    ranges = sorted((account.first, account.last) for account in accounts)
    return any(last >= first for (_, last), (first, _) in pairwise(ranges))


def sums_together(accounts: Sequence[PlayAccount]) -> Accrual:
    """Return what accounts of one patron come to together."""
    sums = [account.sums for account in accounts]
    return on_shared_dice(sums) if is_on_shared_dice(accounts) else sum(sums, Accrual())


def luck_evidence_of(*accounts: PlayAccount) -> LuckEvidence | None:
    """Return what the luck of accounts together says against luck alone; None where no roll could move anything."""
    scaled = [(account.scaled_by, account.scale) for account in accounts if account.scaled_by]
    if not scaled:
        return None
    sums = sums_together(accounts)
    return LuckEvidence(luck=sums.luck, prices=sums.prices, scale=min(scaled)[1])


def band_of(sums: Accrual, evidence: LuckEvidence | None, one_in: int = BAND_ONE_IN) -> Band:
    """Return the band of what the house wins: around what was expected, as wide as luck alone needs."""
    expected = sums.theoretical - sums.carried
    low, high = evidence.band(one_in) if evidence else (0, 0)
    return Band(floor(expected) + low, ceil(expected) + high)

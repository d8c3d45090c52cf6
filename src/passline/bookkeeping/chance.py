"""How rarely, at most, luck alone brings a figure as extreme as this; and the band in which luck leaves nearly all.

Both hold for players who choose their stakes and when to leave, whenever somebody looks, and assume no normal
distribution (`passline.exact.luck_evidence`). Among thirty tables one always looks far off, so the number of figures
that were looked at is counted in. The price of this caution is that a figure may be rarer than stated; it is never more
common. And it does not say why.
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
    """The range of cents in which the house's win lies, except for at most one figure in `BAND_ONE_IN`."""

    low: int
    high: int


def on_shared_dice(parts: Sequence[Accrual]) -> Accrual:
    """Return the sum of accruals that may share rolls of the same dice, so that its luck is not called too rare."""
    return replace(sum(parts, Accrual()), prices=prices_on_shared_dice([part.prices for part in parts]))


def is_on_shared_dice(accounts: Iterable[PlayAccount]) -> bool:
    """Return whether accounts overlap in time, so that several of them may include the same rolls."""
    ranges = sorted((account.first, account.last) for account in accounts)
    return any(last >= first for (_, last), (first, _) in pairwise(ranges))


def sums_together(accounts: Sequence[PlayAccount]) -> Accrual:
    """Return the sum of several accounts of one patron."""
    sums = [account.sums for account in accounts]
    return on_shared_dice(sums) if is_on_shared_dice(accounts) else sum(sums, Accrual())


def luck_evidence_of(*accounts: PlayAccount) -> LuckEvidence | None:
    """Return the evidence against luck alone in several accounts; None if no roll could win or lose anything."""
    scaled = [(account.scaled_by, account.scale) for account in accounts if account.scaled_by]
    if not scaled:
        return None
    sums = sums_together(accounts)
    return LuckEvidence(luck=sums.luck, prices=sums.prices, scale=min(scaled)[1])


def band_of(sums: Accrual, evidence: LuckEvidence | None, one_in: int = BAND_ONE_IN) -> Band:
    """Return the band of the house's win: around the expected win, as wide as luck alone makes it."""
    expected = sums.theoretical - sums.carried
    low, high = evidence.band(one_in) if evidence else (0, 0)
    return Band(floor(expected) + low, ceil(expected) + high)

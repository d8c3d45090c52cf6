"""The theoretical win of estimated play: the rolls that the table keyed, times the exact loss of a roll at the mix.

The estimate is a range, from the least to the most that was on the table. Luck is separate: its variance is exact for
the mix, and the house's win lies in a band by Chebyshev's inequality, which assumes no normal distribution.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, isqrt

from msgspec.structs import replace

from passline.bookkeeping.chance import BAND_ONE_IN, Band
from passline.bookkeeping.estimates import Estimate, EstimatedPlay
from passline.bookkeeping.game_speed import find_dealt_by, find_rolls
from passline.exact.mixed_play import MixLaw, law_of_mix
from passline.money import Cents
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.streams.projection_store import ViewReader

_LAWS: Memo[tuple[object, ...], MixLaw | None] = Memo()


def with_play(reader: ViewReader, estimates: Iterable[Estimate]) -> list[Estimate]:
    """Return estimates with their theoretical win, if they name a mix and their table keyed its rolls.

    Where two estimates of one player at a table overlap, the rolls count only for the one that was entered first.
    """
    counted: dict[tuple[str, str], list[tuple[str, str]]] = {}
    found = []
    for estimate in estimates:
        known = counted.setdefault((estimate.player, estimate.table), [])
        found.append(replace(estimate, play=_play_of(reader, estimate, known)))
        if estimate.since:
            known.append((estimate.since, estimate.until))
    return found


def _play_of(reader: ViewReader, estimate: Estimate, counted: Iterable[tuple[str, str]]) -> EstimatedPlay | None:
    if not estimate.mix:
        return None
    since, until = estimate.since, estimate.until
    for first, last in counted:
        since = max(since, last) if first <= since else since
        until = min(until, first) if since < first else until
    bounds = {"since": since, "until": until}
    rolls = find_rolls(reader, estimate.rules, estimate.table, **bounds)
    dealt = find_dealt_by(reader, estimate.rules, estimate.table, estimate.until) if rolls else None
    law = _law(dealt.rules, estimate) if dealt else None
    if law is None:
        return None
    least, most = estimate.least_cents or estimate.average_cents, estimate.most_cents or estimate.average_cents
    low, average, high = (Cents(round(rolls * law.loss * cents)) for cents in (least, estimate.average_cents, most))
    return EstimatedPlay(
        rolls=rolls,
        theoretical=average,
        theoretical_low=low,
        theoretical_high=high,
        variance=ceil(rolls * law.variance * most**2),
    )


def _law(rules: Rules, estimate: Estimate) -> MixLaw | None:
    known, key = rules.memory_of(_LAWS), (estimate.style, *sorted(estimate.parts.items()))
    if key not in known:
        known[key] = law_of_mix(rules, estimate.mix)
    return known[key]


def band_of_plays(plays: Iterable[EstimatedPlay]) -> Band:
    """Return the range of cents in which the house's win lies, except for at most one rating in `BAND_ONE_IN`.

    >>> played = {"rolls": 9, "theoretical": 5, "theoretical_low": 4, "theoretical_high": 6}
    >>> band_of_plays([EstimatedPlay(**played, variance=20)])
    Band(low=-16, high=26)
    """
    looked_at = list(plays)
    room = isqrt(BAND_ONE_IN * sum(play.variance for play in looked_at))
    low, high = (
        sum(play.theoretical_low for play in looked_at),
        sum(play.theoretical_high for play in looked_at),
    )
    return Band(low - room, high + room)


def speed(rolls: int, minutes: int) -> int | None:
    """Return the rolls of an hour; None where no time went by.

    >>> speed(150, 90), speed(1, 0)
    (100, None)
    """
    return round(Fraction(60 * rolls, minutes)) if minutes else None

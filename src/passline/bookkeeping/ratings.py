"""Player ratings, from what was really wagered: time, decided wagers, average, expected loss, and luck.

Time runs from the seat taken to the seat left. A wager counts when it is decided, won or lost; one that is taken down
or goes back was no wager. The expected loss is the theoretical win on the player's own wagers, to the cent; tips that
the player wagered for the crew are the crew's. Luck is the player's: above zero the player has won more than expected.
How rare it is at most holds for players who choose stakes and when to leave, and for one rating looked at. Where no
wagers are keyed in, somebody of the crew estimates an average and minutes: such a rating is marked. It says an expected
loss only where the mix was estimated too, and the table keyed its rolls; then between the bounds of that estimate.

Accounts and walk-ins that an act of the office has linked are one patron. Time at two tables at once counts twice. If
they played at the same time, perhaps with the same dice, their luck together is told as no rarer than that allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isqrt

from msgspec import Struct

from passline.bookkeeping.account import NOBODYS, PlayAccount
from passline.bookkeeping.chance import band_of, is_on_shared_dice, luck_evidence_of, sums_together
from passline.bookkeeping.estimated_play import band_of_plays, speed
from passline.bookkeeping.estimates import Estimate
from passline.documents.sheet import SheetTable
from passline.money import Cents


class PlayerRating(Struct, frozen=True, kw_only=True):
    """What a patron played in a gaming day, a month or a year."""

    patron: str  # as patron/ID, account/ID or name/NAME
    players: tuple[str, ...]  # whose accounts are added up: account/ID or name/NAME
    span: str
    is_estimated: bool
    minutes: int
    decided: int | None  # None: nobody knows
    average: Cents | None
    wagered: Cents | None
    theoretical: Cents | None  # what the house expects to win
    won: Cents | None  # what it has won; below zero: the patron has
    luck: Cents | None  # the patron's: above zero is good for the patron
    deviations: float | None  # the patron's luck in standard deviations; None also where dice may have been shared
    one_in: int | None  # luck alone goes so far at most once in so many; 1: no matter
    low: Cents | None  # the house's win stays between low and high, but for at most one rating in `BAND_ONE_IN`
    high: Cents | None
    rolls: int
    first: int  # the entry that it begins with
    last: int
    speed: int | None = None  # rolls of an hour
    theoretical_low: Cents | None = None  # of estimates: by what lay there at least, and at most
    theoretical_high: Cents | None = None
    deviation: Cents | None = None  # of estimates: the standard deviation of luck, by the exact law of the mix
    minutes_without: int = 0  # of estimates that say no mix, or whose table keyed no roll
    estimates: tuple[Estimate, ...] = ()


def ratings_of(
    span: str, accounts: Iterable[PlayAccount], estimates: Iterable[Estimate], linked: Mapping[str, str]
) -> list[PlayerRating]:
    """Return the ratings of a period, the largest expected loss first; `linked` has the patron behind a player."""
    played: dict[str, list[PlayAccount]] = {}
    for account in accounts:
        if account.subject != NOBODYS:
            played.setdefault(linked.get(account.subject, account.subject), []).append(account)
    guessed: dict[str, list[Estimate]] = {}
    for estimate in estimates:
        guessed.setdefault(linked.get(estimate.player, estimate.player), []).append(estimate)
    rated = [_rating_of(patron, span, own) for patron, own in played.items()]
    rated.sort(key=lambda rating: (-(rating.theoretical or 0), rating.patron))
    return [*rated, *(_estimate_of(patron, span, own) for patron, own in sorted(guessed.items()))]


def _rating_of(patron: str, span: str, accounts: list[PlayAccount]) -> PlayerRating:
    sums, evidence = sums_together(accounts), luck_evidence_of(*accounts)
    far = None if is_on_shared_dice(accounts) else sums.deviations
    band = band_of(sums, evidence)
    return PlayerRating(
        patron=patron,
        players=tuple(sorted({account.subject for account in accounts})),
        span=span,
        is_estimated=False,
        minutes=round(sum(account.seconds for account in accounts) / 60),
        decided=sums.decided,
        average=Cents(round(sums.wagered / sums.decided)) if sums.decided else None,
        wagered=Cents(sums.wagered),
        theoretical=Cents(round(sums.theoretical)),
        won=Cents(sums.won),
        luck=Cents(round(-sums.luck)),
        deviations=None if far is None else -far,
        one_in=evidence.one_in() if evidence else None,
        low=Cents(band.low),
        high=Cents(band.high),
        rolls=sums.rolls,
        first=min(account.first for account in accounts),
        last=max(account.last for account in accounts),
        speed=speed(sums.rolls, round(sum(account.seconds for account in accounts) / 60)),
    )


def _estimate_of(patron: str, span: str, estimates: list[Estimate]) -> PlayerRating:
    """Return a rating by estimates: minutes together, the average by minutes, and what those come to with a mix."""
    minutes = sum(estimate.minutes for estimate in estimates)
    weighed = sum(estimate.average_cents * estimate.minutes for estimate in estimates)
    known = [(estimate, estimate.play) for estimate in estimates if estimate.play is not None]
    plays = [play for _estimate, play in known]
    rated, rolls = sum(estimate.minutes for estimate, _play in known), sum(play.rolls for play in plays)
    band = band_of_plays(plays) if plays else None
    return PlayerRating(
        patron=patron,
        players=tuple(sorted({estimate.player for estimate in estimates})),
        span=span,
        is_estimated=True,
        minutes=minutes,
        decided=None,
        average=Cents(round(weighed / minutes)) if minutes else None,
        wagered=None,
        theoretical=Cents(sum(play.theoretical for play in plays)) if plays else None,
        won=None,
        luck=None,
        deviations=None,
        one_in=None,
        low=Cents(band.low) if band else None,
        high=Cents(band.high) if band else None,
        rolls=rolls,
        first=min(estimate.sequence for estimate in estimates),
        last=max(estimate.sequence for estimate in estimates),
        speed=speed(rolls, rated) if plays else None,
        theoretical_low=Cents(sum(play.theoretical_low for play in plays)) if plays else None,
        theoretical_high=Cents(sum(play.theoretical_high for play in plays)) if plays else None,
        deviation=Cents(isqrt(sum(play.variance for play in plays))) if plays else None,
        minutes_without=minutes - rated,
        estimates=tuple(estimates),
    )


def ratings_table(title: str, ratings: Iterable[PlayerRating], names: Mapping[str, str]) -> SheetTable:
    """Return ratings as a list; `names` has the names of patrons and players.

    How rare the luck of each is counts in that all of them were looked at.
    """
    listed = list(ratings)
    looked_at = sum(own.one_in is not None for own in listed)
    return SheetTable(
        title=title,
        heads=(
            *("patron", "name", "rated by", "minutes", "decided wagers", "average wager $", "wagered $"),
            *("expected loss $", "lost $", "luck $", "luck alone at most 1 in", "first entry", "last entry"),
            *("rolls", "rolls an hour", "expected loss at least $", "expected loss at most $", "minutes without a mix"),
        ),
        rows=tuple(
            (
                *(own.patron.replace("/", " "), _name(own, names), "estimate" if own.is_estimated else "wagers"),
                *(own.minutes, own.decided, own.average, own.wagered, own.theoretical, own.won, own.luck),
                *(None if own.one_in is None else max(own.one_in // looked_at, 1), own.first, own.last),
                *(own.rolls, own.speed, own.theoretical_low, own.theoretical_high, own.minutes_without),
            )
            for own in listed
        ),
        nothing="Nobody played.",
    )


def _name(rating: PlayerRating, names: Mapping[str, str]) -> str:
    found = (names.get(player, player.partition("/")[2]) for player in (rating.patron, *rating.players))
    return ", ".join(dict.fromkeys(found))

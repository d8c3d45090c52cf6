"""Player ratings, from what was really wagered: time, decided wagers, average, expected loss, and luck.

Time runs from the seat taken to the seat left. A wager counts when it is decided, won or lost; one that is taken down
or goes back was no wager. The expected loss is the theoretical win on the player's own wagers, to the cent; tips that
the player wagered for the crew are the crew's. Luck is the player's: above zero the player has won more than expected.
How rare it is at most holds for players who choose stakes and when to leave, and for one rating looked at. Where no
wagers are keyed in, somebody of the crew estimates an average and minutes: such a rating is marked, and says nothing of
an expected loss, since nobody knows what the wagers were.

Accounts and walk-ins that an act of the office has linked are one patron. Time at two tables at once counts twice. If
they played at the same time, perhaps with the same dice, their luck together is told as no rarer than that allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, json

from passline.bookkeeping.account import NOBODYS, PlayAccount, Span
from passline.bookkeeping.chance import band_of, is_on_shared_dice, luck_evidence_of, sums_together
from passline.documents.sheet import SheetTable
from passline.money import Cents
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.events import PlayerRated


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
    rated.sort(key=lambda one: (-(one.theoretical or 0), one.patron))
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
    )


def _estimate_of(patron: str, span: str, estimates: list[Estimate]) -> PlayerRating:
    """Return a rating by estimates: their minutes together, and the average by minutes."""
    minutes = sum(estimate.minutes for estimate in estimates)
    return PlayerRating(
        patron=patron,
        players=tuple(sorted({estimate.player for estimate in estimates})),
        span=span,
        is_estimated=True,
        minutes=minutes,
        decided=None,
        average=Cents(round(sum(estimate.average_cents * estimate.minutes for estimate in estimates) / minutes)),
        wagered=None,
        theoretical=None,
        won=None,
        luck=None,
        deviations=None,
        one_in=None,
        low=None,
        high=None,
        rolls=0,
        first=min(estimate.sequence for estimate in estimates),
        last=max(estimate.sequence for estimate in estimates),
        estimates=tuple(estimates),
    )


def ratings_table(title: str, ratings: Iterable[PlayerRating], names: Mapping[str, str]) -> SheetTable:
    """Return ratings as a list; `names` says what patrons and players are called. All of them were looked at."""
    listed = list(ratings)
    looked_at = sum(own.one_in is not None for own in listed)
    return SheetTable(
        title=title,
        heads=(
            *("patron", "name", "rated by", "minutes", "decided wagers", "average wager $", "wagered $"),
            *("expected loss $", "lost $", "luck $", "luck alone at most 1 in", "first entry", "last entry"),
        ),
        rows=tuple(
            (
                *(own.patron.replace("/", " "), _name(own, names), "estimate" if own.is_estimated else "wagers"),
                *(own.minutes, own.decided, own.average, own.wagered, own.theoretical, own.won, own.luck),
                *(None if own.one_in is None else max(own.one_in // looked_at, 1), own.first, own.last),
            )
            for own in listed
        ),
        nothing="Nobody played.",
    )


def _name(one: PlayerRating, names: Mapping[str, str]) -> str:
    found = (names.get(player, player.partition("/")[2]) for player in (one.patron, *one.players))
    return ", ".join(dict.fromkeys(found))


ESTIMATES_TABLES = {
    "estimates": """CREATE TABLE estimates (rules TEXT NOT NULL, day TEXT NOT NULL, sequence INTEGER NOT NULL,
        place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID"""
}
"""How the table of estimates is created."""
ESTIMATES_INDEXES = ("CREATE INDEX estimates_by_day ON estimates (rules, day)",)
"""The index by which they are found."""


class Estimate(Struct, frozen=True, kw_only=True):
    """What one of the crew thought of somebody's play."""

    rules: str
    day: str
    shift: str
    table: str
    player: str  # account/ID, or name/NAME of somebody without an account
    name: str
    average_cents: int
    minutes: int
    sequence: int
    by: str


_decoder = json.Decoder(Estimate)


def keep_estimates(writer: ViewWriter, decision: TableEntry, rules: str, span: Span) -> None:
    """Keep the estimates of an entry."""
    entry = decision.entry
    found = [
        Estimate(
            rules=rules,
            day=span.day,
            shift=span.shift,
            table=decision.after.id,
            player=f"account/{event.account}" if event.account else f"name/{event.name}",
            name=event.name,
            average_cents=event.average_cents,
            minutes=event.minutes,
            sequence=entry.sequence,
            by=entry.actor,
        )
        for event in decision.events
        if isinstance(event, PlayerRated)
    ]
    if found:
        rows = [
            (rules, span.day, entry.sequence, place, writer.seal("estimate", json.encode(estimate)))
            for place, estimate in enumerate(found)
        ]
        writer.write("INSERT INTO estimates VALUES (?, ?, ?, ?, ?)", rows)


def find_estimates(reader: ViewReader, rules: str, span: str) -> list[Estimate]:
    """Return the estimates of a gaming day, month or year, as 2026-11-15, 2026-11 or 2026, oldest first."""
    sql = "SELECT body FROM estimates WHERE rules = ? AND day >= ? AND day < ? ORDER BY sequence, place"
    rows = reader.query(sql, (rules, span, f"{span}~"))
    return [_decoder.decode(reader.unseal("estimate", body)) for [body] in rows]

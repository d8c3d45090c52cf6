"""Estimates by the crew of play whose wagers nobody keys in: an average and minutes, and perhaps a mix of wagers.

An estimate comes from a table (its crew rates somebody by name), or from a rating that the office has on record.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, json

from passline.acts.calendar.facility import Facility
from passline.acts.events import ActDone
from passline.acts.state import KnownThing
from passline.bookkeeping.account import Span
from passline.bookkeeping.game_speed import minutes_between
from passline.bounded_text import parse_toml
from passline.exact.mixed_play import LaidWager
from passline.money import Cents
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.events import PlayerRated

ESTIMATES_TABLES = {
    "estimates": """CREATE TABLE estimates (rules TEXT NOT NULL, day TEXT NOT NULL, sequence INTEGER NOT NULL,
        place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (sequence, place)) WITHOUT ROWID"""
}
"""How the table of estimates at tables is created."""
ESTIMATES_INDEXES = ("CREATE INDEX estimates_by_day ON estimates (rules, day)",)
"""The index by which they are found."""
RATINGS_TABLES = {
    "office_ratings": """CREATE TABLE office_ratings (rules TEXT NOT NULL, day TEXT NOT NULL, rating TEXT NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (rules, day, rating)) WITHOUT ROWID"""
}
"""How the table of ratings in offices is created."""
CLOSE_RATING, VOID_RATING = "close_rating", "void_rating"
"""The acts that say what was wagered, and that it counts for nothing."""
STYLE = "style"
"""The field of a rating that has a name for how somebody played, instead of parts of groups."""


class EstimatedPlay(Struct, frozen=True, kw_only=True):
    """The theoretical win of an estimate, from the rolls in its minutes and the exact distribution of its mix."""

    rolls: int
    theoretical: Cents  # what the house expects to win, by the average
    theoretical_low: Cents  # by what lay there at least, and at most
    theoretical_high: Cents
    variance: int  # of what the house wins, in cents squared, by what lay there at most


class Estimate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An estimate of somebody's play by a member of the crew."""

    rules: str
    day: str
    shift: str
    table: str
    player: str  # account/ID, patron/ID, or name/NAME of somebody without either
    name: str
    average_cents: int
    minutes: int
    sequence: int
    by: str
    rating: str = ""  # its number in the office
    since: str = ""
    until: str = ""
    least_cents: int = 0  # 0: nobody has said
    most_cents: int = 0
    style: str = ""
    parts: dict[str, int] = {}  # of groups of wagers
    play: EstimatedPlay | None = None

    @property
    def mix(self) -> dict[LaidWager, Fraction]:
        """The share of each wager, by the style or the parts that were named; empty: none were."""
        return mix_of(self.style, self.parts)


_decoder = json.Decoder(Estimate)


@cache
def known_mixes() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    """Return the named groups of wagers and styles of play in mixes.toml.

    >>> sorted(known_mixes()["groups"])
    ['line', 'odds', 'place', 'props']
    """
    found: Mapping[str, Any] = parse_toml((files("passline") / "bookkeeping" / "mixes.toml").read_text("utf-8"))
    return found


def mix_of(style: str, parts: Mapping[str, int]) -> dict[LaidWager, Fraction]:
    """Return the shares of wagers of a style, or else of parts of groups.

    >>> mix_of("", {"line": 1, "odds": 3})
    {LaidWager(kind='pass', number=0): Fraction(1, 4), LaidWager(kind='pass_odds', number=0): Fraction(3, 4)}
    >>> mix_of("six and eight", {})[LaidWager("place_win", 8)]
    Fraction(1, 2)
    """
    mixes = known_mixes()
    shared = (
        {style: (mixes["styles"].get(style, {}), 1)}
        if style
        else {group: (mixes["groups"][group], count) for group, count in parts.items() if count}
    )
    total = sum(count for _wagers, count in shared.values())
    found: dict[LaidWager, Fraction] = {}
    for wagers, count in shared.values():
        for wager, part in wagers.items():
            kind, _, number = wager.partition(" ")
            laid = LaidWager(kind, int(number or 0))
            found[laid] = found.get(laid, Fraction(0)) + Fraction(count * part, total * sum(wagers.values()))
    return found


def keep_estimates(writer: ViewWriter, decision: TableEntry, rules: str, span: Span) -> None:
    """Keep the estimates of an entry of a table."""
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


def forget_rating(writer: ViewWriter, rules: str, rating: str) -> None:
    """Forget a rating that was made void in an office."""
    writer.write("DELETE FROM office_ratings WHERE rules = ? AND rating = ?", [(rules, rating)])


def keep_rating(
    writer: ViewWriter, rules: str, facility: Facility, *, rating: KnownThing, closed: ActDone, sequence: int
) -> None:
    """Keep a rating as it was closed in an office, by an entry of the log."""
    fields = closed.fields
    since, until = str(fields.get("since") or rating.since), str(fields.get("until") or closed.occurred)
    patron = str(rating.facts["patron"])
    estimate = Estimate(
        rules=rules,
        day=facility.gaming_day(since).isoformat(),
        shift=facility.shift_of(since).name,
        table=str(rating.facts["table"]),
        player=f"patron/{patron}",
        name=patron,
        average_cents=int(fields["average"]),
        minutes=minutes_between(since, until),
        sequence=sequence,
        by=closed.by,
        rating=rating.id,
        since=since,
        until=until,
        least_cents=int(fields.get("least", 0)),
        most_cents=int(fields.get("most", 0)),
        style=str(fields.get(STYLE, "")),
        parts={group: int(fields[group]) for group in known_mixes()["groups"] if fields.get(group)},
    )
    body = writer.seal("rating", json.encode(estimate))
    writer.write("INSERT OR REPLACE INTO office_ratings VALUES (?, ?, ?, ?)", [(rules, estimate.day, rating.id, body)])


def find_estimates(reader: ViewReader, rules: str, span: str) -> list[Estimate]:
    """Return the estimates of a gaming day, month or year, as 2026-11-15, 2026-11 or 2026, oldest first."""
    bounds = (rules, span, f"{span}~")
    at_tables = "SELECT body FROM estimates WHERE rules = ? AND day >= ? AND day < ?"
    in_office = "SELECT body FROM office_ratings WHERE rules = ? AND day >= ? AND day < ?"
    found = [_decoder.decode(reader.unseal("estimate", body)) for [body] in reader.query(at_tables, bounds)]
    found += [_decoder.decode(reader.unseal("rating", body)) for [body] in reader.query(in_office, bounds)]
    return sorted(found, key=lambda estimate: (estimate.sequence, estimate.player))

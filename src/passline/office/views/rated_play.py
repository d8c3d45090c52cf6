"""Ratings of a time with what estimates come to, what play was worth by patron, and a patron's own statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from passline.acts.patrons import linked_patrons
from passline.acts.state import ActState
from passline.bookkeeping.account import Period
from passline.bookkeeping.comps import find_comp_lines
from passline.bookkeeping.estimated_play import with_play
from passline.bookkeeping.estimates import find_estimates
from passline.bookkeeping.ratings import PlayerRating, ratings_of
from passline.bookkeeping.reading import find_course, find_play_accounts
from passline.documents.sheet import PrintedSheet, SheetTable, SignatureLine
from passline.streams.projection_store import ViewReader

_PATRON = "patron/"


def find_ratings(views: ViewReader, rules: str, state: ActState, period: Period, span: str) -> list[PlayerRating]:
    """Return the ratings of a gaming day, month or year: by wagers, and by estimates with what those come to."""
    accounts = find_play_accounts(views, rules, "player", period, span)
    estimates = with_play(views, find_estimates(views, rules, span))
    return ratings_of(span, accounts, estimates, linked_patrons(state))


def worth_by_patron(ratings: Iterable[PlayerRating]) -> dict[str, int]:
    """Return the theoretical win of each known patron, by number, of wagers and estimates together."""
    worth: dict[str, int] = {}
    for rating in ratings:
        if rating.patron.startswith(_PATRON) and rating.theoretical is not None:
            patron = rating.patron.removeprefix(_PATRON)
            worth[patron] = worth.get(patron, 0) + rating.theoretical
    return worth


class PlayedDay(Struct, frozen=True, kw_only=True):
    """A patron's play in a gaming day: what was won or lost where wagers were keyed in, and comps received."""

    day: str
    minutes: int = 0
    wagered: int = 0
    won: int = 0  # by the patron; below zero: lost
    minutes_unkeyed: int = 0
    comps: int = 0


def find_played_days(views: ViewReader, rules: str, state: ActState, patron: str, year: str) -> list[PlayedDay]:
    """Return the gaming days of a year on which a patron, or whoever is linked to one, played or got comps."""
    linked = linked_patrons(state)
    who = linked.get(f"{_PATRON}{patron}", f"{_PATRON}{patron}")
    own = {who, *(player for player, behind in linked.items() if behind == who)}
    days: dict[str, dict[str, int]] = {}

    def add(day: str, **figures: int) -> None:
        known = days.setdefault(day, {})
        for name, figure in figures.items():
            known[name] = known.get(name, 0) + figure

    for player in sorted(own):
        for account in find_course(views, rules, "player", "day", player, since=year, until=f"{year}~"):
            sums, minutes = account.sums, round(account.seconds / 60)
            add(account.span, minutes=minutes, wagered=sums.wagered, won=-sums.won)
    for estimate in find_estimates(views, rules, year):
        if estimate.player in own:
            add(estimate.day, minutes_unkeyed=estimate.minutes)
    for line in find_comp_lines(views, rules, year):
        if line.given and f"{_PATRON}{line.patron}" in own:
            add(line.day, comps=line.given)
    return [PlayedDay(day=day, **figures) for day, figures in sorted(days.items())]


def statement_sheet(
    days: Sequence[PlayedDay], *, owner: str, patron: str, name: str, year: str, dated: str
) -> PrintedSheet:
    """Return a statement of a patron's wins and losses in a year, to hand out: without the house's theoretical win."""
    columns = ("minutes", "wagered", "won", "minutes_unkeyed", "comps")
    rows = [(day.day, *(getattr(day, column) for column in columns)) for day in days]
    sums: Mapping[str, int] = {column: sum(getattr(day, column) for day in days) for column in columns}
    table = SheetTable(
        title="By gaming day",
        heads=("gaming day", "minutes", "wagered $", "won or lost $", "minutes not keyed", "comps $"),
        rows=(*rows, ("together", *sums.values())) if rows else (),
        totals=(len(rows),) if rows else (),
        nothing="Nothing is on record.",
    )
    unkeyed = sums["minutes_unkeyed"]
    small_print = "Won or lost is what wagers brought that were keyed in at tables; below zero is a loss."
    if unkeyed:
        small_print += f" For {unkeyed} minutes at tables where wagers are not keyed in the house knows no result."
    return PrintedSheet(
        title=f"Player statement {year}",
        owner=owner,
        about=f"{name}, patron {patron}",
        dated=dated,
        tables=(table,),
        signatures=(SignatureLine("for the house"),),
        small_print=small_print,
    )

"""Makes statistics from the views: from sums of counts and accounts of play, for several times at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from passline.acts.state import ActState
from passline.bookkeeping.account import PlayAccount, Scope
from passline.bookkeeping.period_sums import PeriodSum, SumScope, sum_of
from passline.bookkeeping.reading import find_accounts_between, find_play_accounts
from passline.bookkeeping.statistics import (
    Statistic,
    StatisticScope,
    StatisticTime,
    counted_in,
    statistics_of,
    times_until,
)
from passline.office.views.kept_results import find_sums
from passline.office.views.results import sums_by_game
from passline.streams.projection_store import ViewReader

_KEPT: dict[StatisticScope, SumScope] = {"pit": "pit", "shift": "shift"}  # all others are made of tables


def find_statistics(
    views: ViewReader, office: str, state: ActState, day: date, *, scope: StatisticScope, only: str = ""
) -> list[Statistic]:
    """Return the statistics of a scope until a gaming day, or those of one subject."""
    kept: SumScope = _KEPT.get(scope, "table")
    counted = {time.name: _as_asked(scope, state, _sums_in(views, office, time, kept)) for time in times_until(day)}
    played = {time.name: _accounts_in(views, office, time, scope) for time in times_until(day)}
    found = statistics_of(day, counted, played)
    return [own for own in found if only in {"", own.subject}]


def _sums_in(views: ViewReader, office: str, time: StatisticTime, scope: SumScope) -> dict[str, PeriodSum]:
    days = find_sums(views, office, f"{time.last:%Y-%m}", scope)
    months = find_sums(views, office, f"{time.last:%Y}", scope) if time.name == "year" else {}
    return counted_in(time, days, months)


def _as_asked(scope: StatisticScope, state: ActState, sums: Mapping[str, PeriodSum]) -> Mapping[str, PeriodSum]:
    """Return sums by what is asked for: those of games and of the house are made of tables."""
    match scope:
        case "house":
            return {"": sum_of(sums.values())} if sums else {}
        case "game":
            return sums_by_game(state, sums)
        case _:
            return sums


def _accounts_in(views: ViewReader, office: str, time: StatisticTime, scope: Scope) -> list[PlayAccount]:
    """Return the accounts that make up a time: of whole months those of the months, of others those of the days."""
    first, last = time.first.isoformat(), time.last.isoformat()
    if time.name == "day":
        return find_play_accounts(views, office, scope, "day", last)
    month = f"{time.last:%Y-%m}"
    is_newest = not find_accounts_between(views, office, "house", "day", since=f"{last}\0", until=f"{month}~")
    found = (
        find_play_accounts(views, office, scope, "month", month)
        if is_newest
        else find_accounts_between(views, office, scope, "day", since=month, until=f"{last}\0")
    )
    if time.name == "year":
        found = [*find_accounts_between(views, office, scope, "month", since=first[:4], until=month), *found]
    return found

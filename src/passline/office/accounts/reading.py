"""Reads accounts for pages, lists and the API: found by scope and period, with how surprising the furthest off is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from passline.money import Cents
from passline.office.accounts.account import Period, PlayAccount, Scope, opened_accounts
from passline.office.accounts.accrual import Accrual
from passline.office.accounts.chance import chance_of_largest
from passline.office.papers.tables import OfficeTable
from passline.streams.projection_store import ViewReader

__all__ = [
    "Figures",
    "FurthestOff",
    "accounts_table",
    "figures_of",
    "find_course",
    "find_hands_of_shift",
    "find_play_accounts",
    "find_visits",
    "furthest_off",
]

_LIMIT = 1_000


class Figures(Struct, frozen=True, kw_only=True):
    """An account as it is shown: in whole cents, with the exact sums as fractions of cents beside them."""

    scope: Scope
    subject: str
    period: Period
    span: str
    won: Cents
    theoretical: Cents
    luck: Cents
    carried: Cents  # by how much the value of the wagers that stand has grown: won = theoretical + luck - carried
    deviation: Cents  # the standard deviation of the luck
    deviations: float | None  # how many of them the luck is; None where no roll could move anything
    rolls: int
    unkeyed: int  # rolls whose wagers nobody keyed in
    points: int  # rolls of tournaments
    coverage: float | None  # the share of the rolls for money whose wagers are known
    decided: int
    wagered: Cents
    corrections: int
    corrected: Cents  # how much of the luck is from corrections
    seconds: int
    exact: dict[str, str]  # theoretical, luck, carried, variance and corrected as fractions
    first: int
    last: int
    stream: str
    at: str
    crew: str
    dice: str


class FurthestOff(Struct, frozen=True):
    """The account that lies furthest from luck among those that were looked at."""

    subject: str
    span: str
    deviations: float
    looked_at: int
    chance: float  # that, with luck alone, one of so many lies this far off; by the normal approximation


def find_play_accounts(
    reader: ViewReader, rules: str, scope: Scope, period: Period, span: str, *, limit: int = _LIMIT
) -> list[PlayAccount]:
    """Return the accounts of a scope in one period, such as all tables of a gaming day, in the order of their names."""
    sql = """SELECT body FROM accounts WHERE rules = ? AND scope = ? AND period = ? AND span = ?
        ORDER BY subject LIMIT ?"""
    return opened_accounts(reader, reader.query(sql, (rules, scope, period, span, limit)))


def find_course(
    reader: ViewReader,
    rules: str,
    scope: Scope,
    period: Period,
    subject: str,
    *,
    since: str = "",
    until: str = "~",
    limit: int = _LIMIT,
) -> list[PlayAccount]:
    """Return the accounts of one subject from a span on and before another, such as a table's days, oldest first."""
    sql = """SELECT body FROM accounts WHERE rules = ? AND scope = ? AND subject = ? AND period = ?
        AND span >= ? AND span < ? ORDER BY span DESC LIMIT ?"""
    found = opened_accounts(reader, reader.query(sql, (rules, scope, subject, period, since, until, limit)))
    return sorted(found, key=lambda one: (one.span[:10], one.at))


def find_hands_of_shift(reader: ViewReader, rules: str, span: str, table: str) -> list[PlayAccount]:
    """Return the hands of a table in a shift, in the order in which they were played."""
    sql = """SELECT body FROM accounts WHERE rules = ? AND scope = 'hand' AND period = 'shift' AND span = ?
        AND subject >= ? AND subject < ?"""
    found = opened_accounts(reader, reader.query(sql, (rules, span, f"{table}/", f"{table}0")))
    return sorted(found, key=lambda one: one.first)


def find_visits(reader: ViewReader, rules: str, player: str, span: str) -> list[PlayAccount]:
    """Return the visits of a player to tables in a gaming day, month or year, by shift, oldest first."""
    sql = """SELECT body FROM accounts WHERE rules = ? AND scope = 'visit' AND subject >= ? AND subject < ?
        AND period = 'shift' AND span >= ? AND span < ?"""
    found = opened_accounts(reader, reader.query(sql, (rules, f"{player}@", f"{player}A", span, f"{span}~")))
    return sorted(found, key=lambda one: one.first)


def furthest_off(accounts: Iterable[PlayAccount]) -> FurthestOff | None:
    """Return which of several accounts lies furthest from luck, and how often that would come by luck alone.

    Only those are looked at in which a roll could move something.
    """
    looked_at = [(one, far) for one in accounts if (far := one.sums.deviations) is not None]
    if not looked_at:
        return None
    one, far = max(looked_at, key=lambda pair: abs(pair[1]))
    return FurthestOff(one.subject, one.span, far, len(looked_at), chance_of_largest(far, len(looked_at)))


def figures_of(account: PlayAccount) -> Figures:
    """Return an account as it is shown."""
    sums = account.sums
    coverage = account.coverage
    return Figures(
        scope=account.scope,
        subject=account.subject,
        period=account.period,
        span=account.span,
        won=Cents(sums.won),
        theoretical=Cents(round(sums.theoretical)),
        luck=Cents(round(sums.luck)),
        carried=Cents(round(sums.carried)),
        deviation=Cents(round(float(sums.variance) ** 0.5)),
        deviations=sums.deviations,
        rolls=sums.rolls,
        unkeyed=account.unkeyed,
        points=account.points,
        coverage=None if coverage is None else float(coverage),
        decided=sums.decided,
        wagered=Cents(sums.wagered),
        corrections=sums.corrections,
        corrected=Cents(round(sums.corrected)),
        seconds=account.seconds,
        exact=_exact(sums),
        first=account.first,
        last=account.last,
        stream=account.stream,
        at=account.at,
        crew=account.crew,
        dice=account.dice,
    )


def _exact(sums: Accrual) -> dict[str, str]:
    names = ("theoretical", "luck", "carried", "variance", "corrected")
    exact: dict[str, Fraction] = {name: getattr(sums, name) for name in names}
    return {name: str(value) for name, value in exact.items()}


def accounts_table(title: str, accounts: Sequence[PlayAccount]) -> OfficeTable:
    """Return accounts as a list."""
    return OfficeTable(
        title=title,
        heads=(
            *("subject", "period", "won $", "theoretical $", "luck $", "carried $", "standard deviation $"),
            *("deviations", "rolls", "rolls not keyed", "decided wagers", "wagered $", "corrections"),
            *("first entry", "last entry"),
        ),
        rows=tuple(
            (
                *(one.subject or "house", one.span, one.won, one.theoretical, one.luck, one.carried, one.deviation),
                *("" if one.deviations is None else f"{one.deviations:.2f}", one.rolls, one.unkeyed, one.decided),
                *(one.wagered, one.corrections, one.first, one.last),
            )
            for one in map(figures_of, accounts)
        ),
        nothing="Nothing was played.",
    )

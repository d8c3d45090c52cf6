"""Reads accounts for pages, lists and the API, by scope and period, with how rare the most extreme one is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.bookkeeping.account import (
    ACCOUNT_COLUMNS,
    Period,
    PlayAccount,
    Scope,
    add_up,
    name_in,
    of_player,
    opened_accounts,
)
from passline.bookkeeping.chance import band_of, luck_evidence_of
from passline.documents.sheet import SheetTable
from passline.money import Cents
from passline.streams.projection_store import ViewReader

_LIMIT = 1_000
_MANY = 20_000
_EXACT = ("theoretical", "luck", "carried", "variance", "corrected")  # sums that are fractions of cents


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
    one_in: int | None  # luck alone goes so far at most once in so many, if only this is looked at; 1: no matter
    low: Cents  # what was won stays between low and high, but for at most one figure in `BAND_ONE_IN`
    high: Cents
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
    """The account with the rarest luck among those that were looked at."""

    subject: str
    span: str
    luck: Cents
    looked_at: int
    one_in: int  # luck alone brings any of so many figures so far off at most once in so many; 1: no matter


_ROWS = f"SELECT {ACCOUNT_COLUMNS} FROM accounts WHERE rules = ?"  # noqa: S608 - constants only
_OPEN = f"{_ROWS} AND scope = ? AND period = 'shift' AND span IN (SELECT shift FROM open_shifts WHERE rules = ? AND"  # noqa: S608 - constants only
_OF_SHIFTS = "('house', 'game', 'pit', 'shift', 'table', 'crew', 'dice', 'visit')"  # of which longer accounts are made


def find_play_accounts(
    reader: ViewReader, rules: str, scope: Scope, period: Period, span: str, *, limit: int = _LIMIT
) -> list[PlayAccount]:
    """Return the accounts of a scope in one period, such as all tables of a gaming day, by name."""
    sql = f"SELECT * FROM ({_ROWS} AND scope = ? AND period = ? AND span = ? ORDER BY subject LIMIT ?)"  # noqa: S608 - constants only
    given: list[object] = [rules, scope, period, span, limit]
    if finest := _finest_of(scope, period):  # in one statement: a shift may be closed between two
        sql += f" UNION ALL {_OPEN} {period} = ?)"
        given += [rules, finest, rules, span]
    found = _with_open(opened_accounts(reader, reader.query(sql, given)), scope, period)
    return sorted(found, key=lambda account: account.subject.encode())[:limit]


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
    """Return the accounts of one subject, such as a table's days, from `since` to before `until`, oldest first."""
    sql = f"""SELECT * FROM ({_ROWS} AND scope = ? AND subject = ? AND period = ?
        AND span >= ? AND span < ? ORDER BY span DESC LIMIT ?)"""  # noqa: S608 - constants only
    given: list[object] = [rules, scope, subject, period, since, until, limit]
    if finest := _finest_of(scope, period):
        low, high = (f"{subject}@", f"{subject}A") if finest == "visit" else (subject, f"{subject}\0")
        sql += f" UNION ALL {_OPEN} {period} >= ? AND {period} < ?) AND subject >= ? AND subject < ?"
        given += [rules, finest, rules, since, until, low, high]
    found = _with_open(opened_accounts(reader, reader.query(sql, given)), scope, period)
    newest = sorted(found, key=lambda account: account.span.encode(), reverse=True)[:limit]
    return sorted(newest, key=lambda account: (account.span[:10], account.at))


def find_accounts_between(
    reader: ViewReader, rules: str, scope: Scope, period: Period, *, since: str, until: str, limit: int = _MANY
) -> list[PlayAccount]:
    """Return the accounts of a scope from `since` to before `until`, with what the open shift adds to each."""
    sql = f"""SELECT * FROM ({_ROWS} AND scope = ? AND period = ?
        AND span >= ? AND span < ? ORDER BY span DESC LIMIT ?)"""  # noqa: S608 - constants only
    given: list[object] = [rules, scope, period, since, until, limit]
    if finest := _finest_of(scope, period):
        sql += f" UNION ALL {_OPEN} {period} >= ? AND {period} < ?)"
        given += [rules, finest, rules, since, until]
    return _with_open(opened_accounts(reader, reader.query(sql, given)), scope, period)


def find_hands_of_shift(reader: ViewReader, rules: str, span: str, table: str) -> list[PlayAccount]:
    """Return the hands of a table in a shift, in the order in which they were played."""
    sql = f"{_ROWS} AND scope = 'hand' AND period = 'shift' AND span = ? AND subject >= ? AND subject < ?"
    found = opened_accounts(reader, reader.query(sql, (rules, span, f"{table}/", f"{table}0")))
    return sorted(found, key=lambda account: account.first)


def find_hands_between(reader: ViewReader, rules: str, *, since: str, until: str, table: str) -> list[PlayAccount]:
    """Return the hands of a table from `since` to before `until`; a hand over two shifts has an account in each."""
    sql = f"""{_ROWS} AND scope = 'hand' AND period = 'shift' AND span >= ? AND span < ?
        AND subject >= ? AND subject < ?"""
    found = opened_accounts(reader, reader.query(sql, (rules, since, until, f"{table}/", f"{table}0")))
    return sorted(found, key=lambda hand: hand.first)


def find_visits(reader: ViewReader, rules: str, player: str, span: str) -> list[PlayAccount]:
    """Return the visits of a player to tables in a gaming day, month or year, by shift, oldest first."""
    sql = f"""{_ROWS} AND scope = 'visit' AND subject >= ? AND subject < ? AND period = 'shift' AND span >= ?
        AND span < ?"""
    found = opened_accounts(reader, reader.query(sql, (rules, f"{player}@", f"{player}A", span, f"{span}~")))
    return sorted(found, key=lambda account: account.first)


def accounts_of_shift(reader: ViewReader, rules: str, span: str) -> list[PlayAccount]:
    """Return the accounts of a shift from which those of longer periods are made."""
    sql = f"{_ROWS} AND scope IN {_OF_SHIFTS} AND period = 'shift' AND span = ?"
    return opened_accounts(reader, reader.query(sql, (rules, span)))


def _finest_of(scope: Scope, period: Period) -> Scope | None:
    """Return the scope whose accounts in the open shift are not in those of a scope and period yet; None: all are."""
    if scope == "player":
        return "visit"
    return None if period == "shift" or scope in {"hand", "visit"} else scope


def _with_open(found: Iterable[PlayAccount], scope: Scope, period: Period) -> list[PlayAccount]:
    """Return accounts, each with what those of the open shift among them bring it."""
    added: dict[tuple[str, str], PlayAccount] = {}
    for account in found:
        if (account.scope, account.period) != (scope, period):
            if not account.is_open:
                continue  # its shift was closed before
            own = of_player(account) if account.scope == "visit" else account
            account = replace(own, period=period, span=name_in(account.span, period), is_open=False)  # noqa: PLW2901 - as it counts
        key = account.subject, account.span
        added[key] = add_up(added.get(key), account)
    return list(added.values())


def furthest_off(accounts: Iterable[PlayAccount]) -> FurthestOff | None:
    """Return the account with the rarest luck of several, and how rarely, at most, luck alone brings that.

    Accounts in which no roll could win or lose anything are left out.
    """
    looked_at = [(account, evidence) for account in accounts if (evidence := luck_evidence_of(account)) is not None]
    if not looked_at:
        return None
    rarest, evidence = max(looked_at, key=lambda pair: pair[1].log_value)
    luck, many = Cents(round(rarest.sums.luck)), len(looked_at)
    return FurthestOff(rarest.subject, rarest.span, luck, many, evidence.one_in(many))


def figures_of(account: PlayAccount) -> Figures:
    """Return an account as it is shown."""
    sums, evidence = account.sums, luck_evidence_of(account)
    coverage, band = account.coverage, band_of(sums, evidence)
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
        one_in=evidence.one_in() if evidence else None,
        low=Cents(band.low),
        high=Cents(band.high),
        rolls=sums.rolls,
        unkeyed=account.unkeyed,
        points=account.points,
        coverage=None if coverage is None else float(coverage),
        decided=sums.decided,
        wagered=Cents(sums.wagered),
        corrections=sums.corrections,
        corrected=Cents(round(sums.corrected)),
        seconds=account.seconds,
        exact={name: str(getattr(sums, name)) for name in _EXACT},
        first=account.first,
        last=account.last,
        stream=account.stream,
        at=account.at,
        crew=account.crew,
        dice=account.dice,
    )


def accounts_table(title: str, accounts: Sequence[PlayAccount]) -> SheetTable:
    """Return accounts as a list; how rare the luck of each is counts in that all of them were looked at."""
    figures = [figures_of(account) for account in accounts]
    looked_at = sum(own.one_in is not None for own in figures)
    return SheetTable(
        title=title,
        heads=(
            *("subject", "period", "won $", "theoretical $", "luck $", "carried $", "standard deviation $"),
            *("luck alone at most 1 in", "rolls", "rolls not keyed", "decided wagers", "wagered $", "corrections"),
            *("first entry", "last entry"),
        ),
        rows=tuple(
            (
                *(own.subject or "house", own.span, own.won, own.theoretical, own.luck, own.carried, own.deviation),
                *(None if own.one_in is None else max(own.one_in // looked_at, 1), own.rolls, own.unkeyed, own.decided),
                *(own.wagered, own.corrections, own.first, own.last),
            )
            for own in figures
        ),
        nothing="Nothing was played.",
    )

"""Finds results of a month that luck alone does not explain: of tables, crews, shifts and the house.

Each account is evidence against luck alone from its first roll of the month on (`passline.exact.luck_evidence`). Luck
alone reaches the bound at most once in so many months, whenever somebody looks and however players stake. The accounts
share that chance: the k-th account with a roll that could win or lose something has 1/(k(k+1)) of it, however many come
later, so all accounts of a house together open an incident by luck in at most one month in so many. Rolls whose wagers
nobody keyed in are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.bookkeeping.account import PlayAccount, Scope
from passline.bookkeeping.chance import band_of, luck_evidence_of
from passline.exact.skim_evidence import alarm_bound

WATCHED_SCOPES: tuple[Scope, ...] = ("table", "crew", "shift", "house")
"""Whose results are watched."""


class ResultAlarm(Struct, frozen=True, kw_only=True):
    """A result that luck alone does not explain, in cents."""

    scope: Scope
    subject: str
    month: str
    order: int  # in which something could be won or lost first; the later, the smaller its share of false alarms
    won: int
    expected: int
    low: int
    high: int
    rolls: int
    bound: int


def result_alarms(accounts: Iterable[PlayAccount], one_in: int) -> list[ResultAlarm]:
    """Return the results of a month beyond luck; luck alone brings one at most once in `one_in` months."""
    begun = [account for account in accounts if account.scope in WATCHED_SCOPES and account.scaled_by]
    begun.sort(key=lambda account: (account.scaled_by, WATCHED_SCOPES.index(account.scope), account.subject))
    numbered = enumerate(begun, 1)
    return [alarm for order, account in numbered if (alarm := _alarm_of(account, order, one_in)) is not None]


def _alarm_of(account: PlayAccount, order: int, one_in: int) -> ResultAlarm | None:
    sums, bound = account.sums, alarm_bound(one_in, order)
    low, high = band_of(sums, luck_evidence_of(account), bound)
    if low <= sums.won <= high:
        return None
    return ResultAlarm(
        scope=account.scope,
        subject=account.subject,
        month=account.span,
        order=order,
        won=sums.won,
        expected=round(sums.theoretical - sums.carried),
        low=low,
        high=high,
        rolls=sums.rolls,
        bound=bound,
    )

"""Limits change with notice to all players; wagers that stand keep those they were made under."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from passline.game.refusal import Refusal
from passline.rules.elections import election_of
from passline.rules.house_reader import house_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.live import LiveTable, house_with, with_limits

__all__ = ["as_of", "later", "limits_due", "notice_limits"]

_NOTICE_MAX = 7 * 24 * 60  # minutes; a notice of years is a slip of the finger


def limits_due(live: LiveTable, at: str) -> t.LimitsChanged | None:
    """Give the change of limits whose time has come."""
    notice = live.notice
    if notice is None or at < notice.at:
        return None
    return t.LimitsChanged(notice.wager_cents_min, notice.wager_cents_max, notice.limits, notice.clause)


def as_of(live: LiveTable, at: str) -> LiveTable:
    """Give a table as it will find a command at a moment: with limits whose time has come, recorded or not yet."""
    change = limits_due(live, at)
    return live if change is None else with_limits(live, change)


def notice_limits(
    live: LiveTable, rules: Rules, command: k.NoticeLimits, at: str
) -> list[t.LimitsNoticed] | list[Refusal]:
    """Judge a notice: limits this house may have, and no shorter than it elected to give notice."""
    house = rules.house
    clause = clause_text(election_of(rules.rulebook, "limit_notice_minutes").cite)
    minutes = house.limit_notice_minutes if command.in_minutes == -1 else command.in_minutes
    notice = t.LimitsNoticed(
        wager_cents_min=command.wager_cents_min,
        wager_cents_max=command.wager_cents_max,
        limits={**live.house["limits"], **command.limits},
        at=later(at, min(max(minutes, 0), _NOTICE_MAX)),
        clause=clause,
    )
    refusals = []
    if not house.limit_notice_minutes <= minutes <= _NOTICE_MAX:
        why = f"{minutes} minutes of notice are not {house.limit_notice_minutes}, as elected, to {_NOTICE_MAX}"
        refusals.append(Refusal(clause, why))
    _house, breaches = house_of(rules.rulebook, house_with(live.house, notice))
    refusals += [Refusal(one.clause, f"{one.key}: {one.problem}") for one in breaches]
    return refusals or [notice]


def later(at: str, minutes: int) -> str:
    """Give the moment so many minutes after another.

    >>> later("2026-11-15T23:50:00.000000Z", 30)
    '2026-11-16T00:20:00.000000Z'
    """
    moment = datetime.fromisoformat(at).astimezone(UTC) + timedelta(minutes=minutes)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

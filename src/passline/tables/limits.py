"""Changes of limits: announced to all players beforehand; standing wagers keep the limits they were made under."""

from __future__ import annotations

from passline.game.refusal import Refusal
from passline.rules.elections import election_of
from passline.rules.house_reader import house_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.store.timestamps import later
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.live import LiveTable, house_with, with_limits

__all__ = ["as_of", "limits_due", "notice_limits"]

_NOTICE_MAX = 7 * 24 * 60  # minutes; anything longer is a typing error


def limits_due(live: LiveTable, at: str) -> t.LimitsChanged | None:
    """Return the noticed change of limits if it is due, or None."""
    notice = live.notice
    if notice is None or at < notice.at:
        return None
    return t.LimitsChanged(notice.wager_cents_min, notice.wager_cents_max, notice.limits, notice.clause)


def as_of(live: LiveTable, at: str) -> LiveTable:
    """Return a table as a command at this moment finds it: with limits that are due, recorded or not."""
    change = limits_due(live, at)
    return live if change is None else with_limits(live, change)


def notice_limits(
    live: LiveTable, rules: Rules, command: k.NoticeLimits, at: str
) -> list[t.LimitsNoticed] | list[Refusal]:
    """Announce limits that this house may have, with at least the notice that it elected."""
    house = rules.house
    clause = clause_text(election_of(rules.rulebook, "limit_notice_minutes").cite)
    minutes = house.limit_notice_minutes if command.in_minutes == -1 else command.in_minutes
    notice = t.LimitsNoticed(
        wager_cents_min=command.wager_cents_min,
        wager_cents_max=command.wager_cents_max,
        limits={**live.house["limits"], **command.limits},
        at=later(at, 60 * min(max(minutes, 0), _NOTICE_MAX)),
        clause=clause,
    )
    refusals = []
    if not house.limit_notice_minutes <= minutes <= _NOTICE_MAX:
        least = house.limit_notice_minutes
        why = f"notice must be {least} (as this house elected) to {_NOTICE_MAX} minutes, not {minutes}"
        refusals.append(Refusal(clause, why))
    _house, breaches = house_of(rules.rulebook, house_with(live.house, notice))
    refusals += [Refusal(one.clause, f"{one.key}: {one.problem}") for one in breaches]
    return refusals or [notice]

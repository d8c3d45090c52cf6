"""Changes of limits: announced to all players beforehand; standing wagers keep the limits they were made under.

A practice table limits play money too: what a player has at once, and what an account buys in a day.
"""

from __future__ import annotations

from passline.game import commands as c
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.elections import election_of
from passline.rules.house_reader import house_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.store.timestamps import later
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable, house_with, with_limits

PRACTICE_DAY_TIMES = 10
"""An account buys at most so many times in a day what it may have at once."""

_NOTICE_MAX = 7 * 24 * 60  # minutes; anything longer is a typing error


def limits_due(live: LiveTable, at: str) -> t.LimitsChanged | None:
    """Return the noticed change of limits if it is due, or None."""
    notice = live.notice
    if notice is None or at < notice.at:
        return None
    return t.LimitsChanged(notice.wager_cents_min, notice.wager_cents_max, notice.limits, notice.clause)


def as_of(live: LiveTable, at: str) -> LiveTable:
    """Return a table as of a moment: with limits that are due by then, even if they are not recorded yet."""
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
    refusals += [Refusal(breach.clause, f"{breach.key}: {breach.problem}") for breach in breaches]
    return refusals or [notice]


# --- Play money -------------------------------------------------------------------------------------------------------


def unfit_play_money(live: LiveTable, command: TableCommand, at: str) -> Refusal | None:
    """Refuse more play money than a practice table gives: at once, or to one account in a day."""
    if isinstance(command, c.MakeWager) and "cash" in command.media:
        return Refusal("house", "this is a practice table: buy in first, and wager with chips")
    if not isinstance(command, c.BuyIn) or type(command.cents) is not int or (player := _player(live, command)) is None:
        return None
    most, seat = live.practice_cents_max, command.seat
    up = sum(wager.cents for wager in live.game.position.layout if wager.seat == seat and wager.owner == "player")
    has = live.game.money.racks[seat - 1] + up
    if has + command.cents > most:
        why = f"a player has at most {dollars(most)} of play money here; {player} has {dollars(has)}"
        return Refusal("house", f"{why} and may buy {dollars(max(most - has, 0))}")
    bought = live.bought.get(live.players[seat].account, 0) if live.bought_on == _day(at) else 0
    if bought + command.cents > PRACTICE_DAY_TIMES * most:
        why = f"an account buys at most {dollars(PRACTICE_DAY_TIMES * most)} of play money in a day"
        return Refusal("house", f"{why}; {player} has bought {dollars(bought)} today")
    return None


def play_money_bought(live: LiveTable, command: TableCommand, at: str) -> tuple[t.PlayMoneyBought, ...]:
    """Return the event that counts a buy-in at a practice table; nothing for other commands."""
    if not isinstance(command, c.BuyIn) or _player(live, command) is None:
        return ()
    return (t.PlayMoneyBought(live.players[command.seat].account, command.cents, _day(at)),)


def _player(live: LiveTable, command: c.BuyIn) -> str | None:
    player = live.players.get(command.seat) if type(command.seat) is int else None
    return player.name if player else None


def _day(at: str) -> str:
    """Return the day of a moment, by UTC."""
    return at[:10]

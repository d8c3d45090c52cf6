"""A round of a tournament at one table: players seated with their chips, and their points taken at its end."""

from __future__ import annotations

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.refusal import Refusal, Refused
from passline.rules.rules import Rules
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.events import RoundFinished, StacksGiven, TableEvent
from passline.tables.live import LiveTable
from passline.tables.points.play import POINT_CENTS, cannot_be_thrown

__all__ = ["finish_round", "seat_entrants"]


def seat_entrants(live: LiveTable, rules: Rules, command: k.SeatEntrants) -> list[TableEvent] | list[Refusal]:
    """Seat everybody who plays a round at this table, once, each with the chips they begin with."""
    if live.points is None:
        return [Refusal("house", f"{live.name} is no table of a tournament")]
    if live.players:
        return [Refusal("house", f"the players of this round sit at {live.name} already")]
    table, events = live.game, list[TableEvent]()
    for one in command.entrants:
        if one.cents < 1 or one.cents % POINT_CENTS:
            return [Refusal("form", f"seat {one.seat}: {one.cents} is no stack of points")]
        outcome = act(rules, table, c.TakeSeat(seat=one.seat))
        if isinstance(outcome, Refused):
            return list(outcome.refusals)
        table = outcome[1]
        events += (t.PlayerSeated(one.seat, one.account, one.name), *outcome[0])
    return [*events, StacksGiven({str(one.seat): one.cents for one in command.entrants})]


def finish_round(live: LiveTable) -> list[TableEvent] | list[Refusal]:
    """End a round: wagers that are up go as the rule sheet says, then everybody's points are taken off the table.

    Those that should be played out and cannot be, since nobody can shoot any more, go back to their players.
    """
    mode, position, money = live.points, live.game.position, live.game.money
    if mode is None:
        return [Refusal("house", f"{live.name} is no table of a tournament")]
    if position.is_rolling:
        return [Refusal("house", "the dice are not at rest")]
    if position.layout and mode.undecided == "played_out" and not cannot_be_thrown(live):
        return [Refusal("sheet", f"wagers are up ({len(position.layout)}): by the rule sheet they are played out")]
    racks, house = list(money.racks), money.bank
    events: list[TableEvent] = []
    for wager in position.layout:
        if mode.undecided == "lost":
            events.append(e.WagerLost(wager, None, "", wager.cents, "sheet"))
            house += wager.cents
        else:
            events.append(e.WagerReturned(wager, "sheet"))
            racks[wager.seat - 1] += wager.cents + wager.vigorish
            house -= wager.vigorish
    stacks = {str(seat): racks[seat - 1] for seat in sorted(live.players)}
    rolls = live.track.roll - live.rolls_before
    return [*events, RoundFinished(mode.tournament, mode.round, stacks, house, rolls), t.TableClosed(drop=0, tips=0)]

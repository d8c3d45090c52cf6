"""Tables of a tournament, where chips are points: what they refuse, and how a round begins and ends.

Points are kept as the cents of dollar chips, so that the game pays them as it pays money; no account of money is moved.
"""

from __future__ import annotations

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import PointsMode
from passline.money import POINT_CENTS
from passline.refusal import Refusal, Refused
from passline.rules.rules import Rules
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.events import RoundFinished, StacksGiven, TableEvent
from passline.tables.live import LiveTable

_PRACTICE = "practice"
_UNDECIDED = ("returned", "played_out", "lost")
_THROWS = (k.Roll, k.DiceOut)
_STAKES = (c.MakeWager,)
_LINE = frozenset({"pass", "dont_pass"})


def unfit_round(mode: PointsMode | None, bank_cents: int, *, is_keyed: bool) -> list[Refusal]:
    """Refuse to open a table for a round that it could not play."""
    if mode is None:
        return []
    refusals = []
    if mode.undecided not in _UNDECIDED:
        refusals.append(Refusal("form", f"points.undecided: {mode.undecided!r} is not one of {', '.join(_UNDECIDED)}"))
    if not mode.tournament or mode.round < 1 or mode.rolls < 0:
        refusals.append(Refusal("form", "points: name the tournament and its round"))
    if bank_cents or not is_keyed:
        why = "a tournament's table has no bank of money, and its wagers are keyed in"
        refusals.append(Refusal(mode.clauses.get("no_value", _PRACTICE), why))
    return refusals


def rolls_left(live: LiveTable) -> int:
    """Return how many rolls a round still has; -1 where it ends otherwise."""
    assert live.points is not None
    return max(live.points.rolls - (live.track.roll - live.rolls_before), 0) if live.points.rolls else -1


def is_over(live: LiveTable) -> bool:
    """Return whether a round is over: its last roll is settled, and also its wagers if they are to be played out."""
    if live.points is None or rolls_left(live) or live.closing or live.game.position.is_rolling:
        return False
    return live.points.undecided != "played_out" or not live.game.position.layout or cannot_be_thrown(live)


def cannot_be_thrown(live: LiveTable) -> bool:
    """Return whether nobody can shoot any more: on a come-out nobody has a wager on the line, nor may make one."""
    position = live.game.position
    if position.puck or position.is_rolling or any(wager.kind in _LINE for wager in position.layout):
        return False
    return not rolls_left(live) or not any(live.game.money.racks)


def unfit_points(live: LiveTable, command: TableCommand) -> Refusal | None:
    """Refuse money, other chips, wagers for others, strangers, and play after the last roll."""
    mode = live.points
    if mode is None:
        return None
    barred = _bars(command)
    if barred:
        rules, why = barred
        clauses = dict.fromkeys(mode.clauses[rule] for rule in rules if rule in mode.clauses)
        return Refusal(", ".join(clauses) or _PRACTICE, why)
    is_last = not rolls_left(live)
    if is_last and isinstance(command, _STAKES):
        return Refusal("sheet", f"the {mode.rolls} rolls of this round are over: no wagers are taken any more")
    is_done = is_last and not (mode.undecided == "played_out" and live.game.position.layout)
    is_throw = isinstance(command, _THROWS) or (isinstance(command, k.KeyDice) and live.game.position.dice != "air")
    if is_done and is_throw:
        return Refusal("sheet", f"the {mode.rolls} rolls of this round are over")
    return None


NOT_FOR_POINTS: tuple[type, ...] = (
    c.BuyIn, c.LeaveSeat, c.TakeSeat, k.SeatPlayer, c.Fill, c.Credit, k.CloseTable,
)  # fmt: skip
"""What a table of a tournament always refuses."""


def _bars(command: TableCommand) -> tuple[tuple[str, ...], str] | None:
    """Return the rules that bar a command at a tournament's table, and why."""
    match command:
        case c.BuyIn():
            why = "money is changed for tournament chips at the desk, and they are played from the next game on"
            return ("exchange", "chips_on_table"), why
        case c.MakeWager() if command.owner != "player":
            return ("no_wagers_for_others",), "nobody wagers for another, and the crew has no chips of this tournament"
        case c.MakeWager() if command.coupon or {*command.media} != {"chips"}:
            return ("only", "bars"), "wagers are made with tournament chips and nothing else"
        case c.LeaveSeat():
            return (
                ("no_redemption",),
                "tournament chips are exchanged for nothing: the player stays until the round ends",
            )
        case c.TakeSeat() | k.SeatPlayer():
            return ("no_stand_ins",), "seats are drawn by lot: nobody sits in for a player"
        case c.Fill() | c.Credit():
            return ("no_value",), "tournament chips are not money: the cage has none of them"
        case k.CloseTable():
            return ("rank",), "the round is finished by the tournament's director, with everybody's points"
        case _:
            return None


def seat_entrants(live: LiveTable, rules: Rules, command: k.SeatEntrants) -> list[TableEvent] | list[Refusal]:
    """Seat everybody who plays a round at this table, once, each with the chips they begin with."""
    if live.points is None:
        return [Refusal("house", f"{live.name} is not a table of a tournament")]
    if live.players:
        return [Refusal("house", f"the players of this round sit at {live.name} already")]
    table, events = live.game, list[TableEvent]()
    for entrant in command.entrants:
        if entrant.cents < 1 or entrant.cents % POINT_CENTS:
            return [Refusal("form", f"seat {entrant.seat}: {entrant.cents} is not a stack of whole points")]
        outcome = act(rules, table, c.TakeSeat(seat=entrant.seat))
        if isinstance(outcome, Refused):
            return list(outcome.refusals)
        table = outcome[1]
        events += (t.PlayerSeated(entrant.seat, entrant.account, entrant.name), *outcome[0])
    return [*events, StacksGiven({str(entrant.seat): entrant.cents for entrant in command.entrants})]


def finish_round(live: LiveTable) -> list[TableEvent] | list[Refusal]:
    """End a round: wagers that are up go as the rule sheet says, then everybody's points are taken off the table.

    Those that should be played out and cannot be, since nobody can shoot any more, go back to their players.
    """
    mode, position, money = live.points, live.game.position, live.game.money
    if mode is None:
        return [Refusal("house", f"{live.name} is not a table of a tournament")]
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

"""The one verdict behind every question, check and act at a table.

`decide` judges and changes nothing; `act` judges and folds; both carry out the house steps that are automated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold
from passline.game.making import make_wager
from passline.game.position import Position, Table
from passline.game.refusal import Refusal, Refused
from passline.game.removing import reduce_wager, remove_wager
from passline.game.seating import buy_in, credit, fill, leave_seat, sit_down, stand_up, take_seat
from passline.game.shooting import (
    accept_dice,
    choose_dice,
    decline_dice,
    decline_line_wager,
    offer_dice,
    order_dice_passed,
    surrender_dice,
)
from passline.game.throwing import (
    call_no_roll,
    call_roll,
    decide_dispute,
    dispute_faces,
    land_dice,
    pass_dice,
    roll_dice,
    settle,
    throw_dice,
)
from passline.game.working import call_wager, confirm_wager, place_button
from passline.rules.rules import Rules

__all__ = ["act", "decide"]

_JUDGES: dict[type, Callable[[Rules, Table, Any], list[e.Event] | list[Refusal]]] = {
    c.TakeSeat: take_seat,
    c.LeaveSeat: leave_seat,
    c.StandUp: stand_up,
    c.SitDown: sit_down,
    c.BuyIn: buy_in,
    c.Fill: fill,
    c.Credit: credit,
    c.MakeWager: make_wager,
    c.ReduceWager: reduce_wager,
    c.RemoveWager: remove_wager,
    c.CallWager: call_wager,
    c.PlaceButton: place_button,
    c.ConfirmWager: confirm_wager,
    c.OfferDice: offer_dice,
    c.AcceptDice: accept_dice,
    c.DeclineDice: decline_dice,
    c.ChooseDice: choose_dice,
    c.SurrenderDice: surrender_dice,
    c.OrderDicePassed: order_dice_passed,
    c.DeclineLineWager: decline_line_wager,
    c.ThrowDice: throw_dice,
    c.LandDice: land_dice,
    c.CallNoRoll: call_no_roll,
    c.DisputeFaces: dispute_faces,
    c.DecideDispute: decide_dispute,
    c.CallRoll: call_roll,
    c.Settle: settle,
    c.PassDice: pass_dice,
    c.RollDice: roll_dice,
}


def decide(rules: Rules, table: Table, command: c.Command) -> tuple[e.Event, ...] | Refused:
    """Judge a command: the events it brings about, or every clause it breaks."""
    outcome = act(rules, table, command)
    return outcome if isinstance(outcome, Refused) else outcome[0]


def act(rules: Rules, table: Table, command: c.Command) -> tuple[tuple[e.Event, ...], Table] | Refused:
    """Judge a command and give the events with the table they lead to."""
    verdict = _JUDGES[type(command)](rules, table, command)
    if verdict and isinstance(verdict[0], Refusal):
        return Refused(tuple(verdict))  # type: ignore[arg-type]  # a verdict is all refusals or all events
    happened: list[e.Event] = verdict  # type: ignore[assignment]
    after = fold(table, happened)
    while after.position.dice not in _NOBODY_WAITS and (step := _automatic(rules, after.position)) is not None:
        follows = _JUDGES[type(step)](rules, after, step)
        if isinstance(follows[0], Refusal):
            break  # nobody is there to take the dice: the house waits
        happened = [*happened, *follows]  # type: ignore[list-item]
        after = fold(after, follows)  # type: ignore[arg-type]
    return tuple(happened), after


_NOBODY_WAITS = frozenset({"held", "air", "offered"})


def _automatic(rules: Rules, position: Position) -> c.Command | None:
    """Give the house step that comes next, if it is automated."""
    procedures = rules.procedures
    match position.dice:
        case "cup" if "offer" in rules.automate:
            by = rules.roles(procedures.dice.offered_by)[0]
            return c.OfferDice(by=by, dice=rules.house.dice_set)  # type: ignore[arg-type]
        case "accepted" if "choose" in rules.automate:
            return c.ChooseDice(seat=position.shooter, chosen=tuple(range(1, procedures.dice.chosen + 1)))
        case "rest" if "call" in rules.automate and not position.is_disputed:
            by = rules.roles(procedures.throw.called_by.by)[0]
            return c.CallRoll(by=by, total=sum(position.faces))  # type: ignore[arg-type]
        case "called" if "settle" in rules.automate and not position.is_disputed:
            by = rules.roles(procedures.throw.settled_first.by)[0]
            return c.Settle(by=by)  # type: ignore[arg-type]
        case "centre" if "pass" in rules.automate:
            by = rules.roles(procedures.throw.passed_by.by)[0]
            return c.PassDice(by=by)  # type: ignore[arg-type]
        case _:
            return None

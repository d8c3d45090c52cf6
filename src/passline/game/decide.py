"""The one verdict behind every question, check and act at a table.

`decide` judges and changes nothing; `act` judges and folds; both carry out the house steps that are automated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args, get_origin

from msgspec.structs import fields

from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import fold
from passline.game.judges.making import make_wager, wager_like_another
from passline.game.judges.removing import reduce_wager, remove_wager
from passline.game.judges.roles import unfit_role
from passline.game.judges.seating import buy_in, credit, fill, leave_seat, sit_down, stand_up, take_seat
from passline.game.judges.shooting import (
    accept_dice,
    choose_dice,
    decline_dice,
    decline_line_wager,
    offer_dice,
    order_dice_passed,
    surrender_dice,
)
from passline.game.judges.throwing import (
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
from passline.game.judges.working import call_wager, confirm_wager, place_button
from passline.game.position import Position, Table
from passline.game.refusal import Refusal, Refused, Verdict, refusal
from passline.rules.rules import Rules
from passline.rules.schema import Role

__all__ = ["act", "decide"]

_JUDGES: dict[type, Callable[[Rules, Table, Any], Verdict]] = {
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
    if type(command) is c.MakeWager and (made := wager_like_another(rules, table, command)) is not None:
        return made
    verdict: Verdict | None = _ill_typed(rules, command)
    if verdict is None:
        verdict = _JUDGES[type(command)](rules, table, command)
        unfit = unfit_role(rules, table.position, command)
        if unfit is not None:
            verdict = [unfit, *(one for one in verdict if isinstance(one, Refusal))]
    if type(verdict[0]) is Refusal:
        return Refused(tuple(verdict))  # type: ignore[arg-type]  # a verdict is all refusals or all events
    happened: Sequence[e.Event] = verdict  # type: ignore[assignment]
    after = fold(table, happened)
    while after.position.dice not in _NOBODY_WAITS and (step := _automatic(rules, after.position)) is not None:
        follows = _JUDGES[type(step)](rules, after, step)
        if isinstance(follows[0], Refusal):
            break  # nobody is there to take the dice: the house waits
        happened = [*happened, *follows]
        after = fold(after, follows)  # type: ignore[arg-type]
    return tuple(happened), after


_ROLES: tuple[str, ...] = get_args(Role)
_JUDGED = {"by", "cents", "coupon", "dice", "first", "second"}  # amounts and faces have clauses of their own
_TYPES: dict[type, tuple[tuple[str, Any, type, type | None], ...]] = {
    kind: tuple(
        (field.name, field.default, get_origin(field.type) or field.type, next(iter(get_args(field.type)), None))
        for field in fields(kind)
        if field.name not in (_JUDGED | {"seat", "number"} if kind is c.MakeWager else _JUDGED)
    )
    for kind in _JUDGES
}


def _ill_typed(rules: Rules, command: c.Command) -> list[Refusal] | None:
    """Refuse what only a program can ask for; a wager like one found well typed before is not looked at again."""
    if type(command) is not c.MakeWager:
        return _strange_field(rules, command)
    well_typed = rules.remembered("well typed")
    try:
        if command in well_typed:
            return None
    except TypeError:  # it cannot be hashed, so something in it is strange
        return _strange_field(rules, command)
    strange = _strange_field(rules, command)
    if strange is None:
        well_typed[command] = True
    return strange


def _strange_field(rules: Rules, command: c.Command) -> list[Refusal] | None:
    """Find no command at all, a role nobody has, or a field of another type."""
    wanted = _TYPES.get(type(command))
    if wanted is None:
        return [refusal(rules.rulebook.general.closed_list.cite, f"{command!r} is no command")]
    if command.by not in _ROLES:
        why = f"{command.by!r} is nobody at a table; these are: {', '.join(_ROLES)}"
        return [refusal(rules.rulebook.general.closed_list.cite, why)]
    for name, default, kind, of in wanted:
        value = getattr(command, name)
        if value is not default and (type(value) is not kind or (of and not _is_all(value, of))):
            rule = rules.game.seats if name == "seat" else rules.rulebook.general.closed_list
            return [refusal(rule.cite, f"{name}: {value!r} is not {kind.__name__}{f' of {of.__name__}' if of else ''}")]
    return None


def _is_all(values: Any, of: type) -> bool:  # noqa: ANN401 - a tuple of anything
    return all(type(value) is of for value in values)


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

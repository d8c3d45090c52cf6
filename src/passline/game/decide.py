"""Decides commands; the table below names the judge of each command.

`decide` returns the events of a command, `act` also the table after them; both carry out the automated house steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args, get_origin

from msgspec.structs import fields

from passline.authority.roles import TABLE_ROLES
from passline.game import commands as c
from passline.game import events as e
from passline.game.duties import role_refusal
from passline.game.evolve import fold
from passline.game.judges import Verdict, making, removing, seating, shooting, throwing, working
from passline.game.judges.fast_path import make_known_wager
from passline.game.position import Position, Table
from passline.refusal import Refusal, Refused
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.rules.schema import refusal

_JUDGES: dict[type, Callable[[Rules, Table, Any], Verdict]] = {
    c.TakeSeat: seating.take_seat,
    c.LeaveSeat: seating.leave_seat,
    c.StandUp: seating.stand_up,
    c.SitDown: seating.sit_down,
    c.BuyIn: seating.buy_in,
    c.Fill: seating.fill,
    c.Credit: seating.credit,
    c.MakeWager: making.make_wager,
    c.ReduceWager: removing.reduce_wager,
    c.RemoveWager: removing.remove_wager,
    c.CallWager: working.call_wager,
    c.PlaceButton: working.place_button,
    c.ConfirmWager: working.confirm_wager,
    c.OfferDice: shooting.offer_dice,
    c.AcceptDice: shooting.accept_dice,
    c.DeclineDice: shooting.decline_dice,
    c.ChooseDice: shooting.choose_dice,
    c.SurrenderDice: shooting.surrender_dice,
    c.OrderDicePassed: shooting.order_dice_passed,
    c.DeclineLineWager: shooting.decline_line_wager,
    c.ThrowDice: throwing.throw_dice,
    c.LandDice: throwing.land_dice,
    c.CallNoRoll: throwing.call_no_roll,
    c.DisputeFaces: throwing.dispute_faces,
    c.DecideDispute: throwing.decide_dispute,
    c.CallRoll: throwing.call_roll,
    c.Settle: throwing.settle,
    c.PassDice: throwing.pass_dice,
    c.RollDice: throwing.roll_dice,
}


def decide(rules: Rules, table: Table, command: c.Command) -> tuple[e.Event, ...] | Refused:
    """Return the events of a command, or every clause it breaks."""
    outcome = act(rules, table, command)
    return outcome if isinstance(outcome, Refused) else outcome[0]


def act(rules: Rules, table: Table, command: c.Command) -> tuple[tuple[e.Event, ...], Table] | Refused:
    """Return the events of a command and the table after them, or every clause it breaks."""
    if type(command) is c.MakeWager and (made := make_known_wager(rules, table, command)) is not None:
        return made
    verdict: Verdict | None = _type_refusals(rules, command)
    if verdict is None:
        verdict = _JUDGES[type(command)](rules, table, command)
        wrong_role = role_refusal(rules, table.position, command)
        if wrong_role is not None:
            verdict = [wrong_role, *(refusal for refusal in verdict if isinstance(refusal, Refusal))]
    if type(verdict[0]) is Refusal:
        return Refused(tuple(verdict))  # type: ignore[arg-type]  # a verdict is all refusals or all events
    happened: Sequence[e.Event] = verdict  # type: ignore[assignment]
    after = fold(table, happened)
    while after.position.dice not in _NOBODY_WAITS and (step := _automatic(rules, after.position)) is not None:
        follows = _JUDGES[type(step)](rules, after, step)
        if isinstance(follows[0], Refusal):
            break  # nobody is there to take the dice
        happened = [*happened, *follows]
        after = fold(after, follows)  # type: ignore[arg-type]
    return tuple(happened), after


_JUDGED = {"by", "cents", "coupon", "dice", "first", "second"}  # the judges check these by clauses of their own
_TYPES: dict[type, tuple[tuple[str, Any, type, type | None], ...]] = {
    kind: tuple(
        (field.name, field.default, get_origin(field.type) or field.type, next(iter(get_args(field.type)), None))
        for field in fields(kind)
        if field.name not in (_JUDGED | {"seat", "number"} if kind is c.MakeWager else _JUDGED)
    )
    for kind in _JUDGES
}


_WELL_TYPED: Memo[c.MakeWager, bool] = Memo()


def _type_refusals(rules: Rules, command: c.Command) -> list[Refusal] | None:
    """Refuse a command with fields of the wrong type, which only a program can send; remember good MakeWagers."""
    if type(command) is not c.MakeWager:
        return _field_refusals(rules, command)
    well_typed = rules.memory_of(_WELL_TYPED)
    try:
        if command in well_typed:
            return None
    except TypeError:  # it cannot be hashed, so some field has the wrong type
        return _field_refusals(rules, command)
    refusals = _field_refusals(rules, command)
    if refusals is None:
        well_typed[command] = True
    return refusals


def _field_refusals(rules: Rules, command: c.Command) -> list[Refusal] | None:
    """Refuse an object that is not a command, an unknown role, or a field of the wrong type."""
    wanted = _TYPES.get(type(command))
    if wanted is None:
        return [refusal(rules.rulebook.general.closed_list.cite, f"{command!r} is not a command")]
    if command.by not in TABLE_ROLES:
        why = f"{command.by!r} is not a role; the roles are: {', '.join(TABLE_ROLES)}"
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
    """Return the next house step, if it is automated."""
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

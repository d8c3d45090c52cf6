"""The throw, how the dice come to rest, no-roll calls, disputes, the call, the settlement, and the dice passed back."""

from __future__ import annotations

from msgspec.structs import replace

from passline.authority.duties import may_not, name_of
from passline.dice import SEVEN, Roll, roll_of
from passline.game import commands as c
from passline.game import events as e
from passline.game.judges import Verdict
from passline.game.judges.proposed_wager import base_of, follow_clause
from passline.game.judges.seating import seat_refusals
from passline.game.judges.shooting import clearing_wagers_up, has_line_wager
from passline.game.judges.working import confirmation_cite, lapsed_calls
from passline.game.position import Position, Table, Wager
from passline.game.progressives import meter_events
from passline.game.settlement import settlement
from passline.game.wagers import count_of
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import Hand, clause_text, join_clauses, refusal

_NOT_HELD = {
    "cup": "the dice are in the cup: a shooter must accept them first",
    "offered": "the dice are on offer: a shooter must accept them first",
    "accepted": "the shooter must pick dice from the set first",
    "air": "the dice are in the air",
    "rest": "this roll must be called and settled first",
    "called": "this roll must be settled first",
    "centre": "the dice must be passed back to the shooter first",
}  # why the dice cannot be thrown, by where they are
_ROLLED = frozenset({"call", "settle", "pass"})


def throw_dice(rules: Rules, table: Table, command: c.ThrowDice) -> Verdict:
    """Judge a throw: by the shooter, who needs a line wager before a come-out roll."""
    unfit = _throw_refusals(rules, table.position, command.seat)
    return unfit or [*_return_unconfirmed(rules, table.position, late=False), e.DiceThrown(command.seat)]


def _throw_refusals(rules: Rules, position: Position, seat: int) -> list[Refusal]:
    throw, shooter, phase = rules.procedures.throw, rules.procedures.shooter, position.phase
    refusals = []
    if seat != position.shooter or not seat:
        who = f"seat {seat} is not the shooter" if seat else "there is no shooter: nobody has the dice"
        refusals.append(refusal(throw.together.cite, who))
    if position.dice != "held":
        cite = throw.settled_first.cite if position.dice in {"rest", "called", "centre"} else throw.together.cite
        refusals.append(refusal(cite, _NOT_HELD[position.dice]))
    elif phase == "come_out" and not has_line_wager(rules, position, position.shooter):
        wagers = " or ".join(rules.wagers[kind].display_name() for kind in shooter.line_wagers)
        refusals.append(refusal(shooter.line_wager.cite, f"the shooter must make a {wagers} wager before throwing"))
    elif phase == "clearing" and not clearing_wagers_up(rules, position):
        refusals.append(refusal(rules.procedures.clearing.only.cite, "no come wager is left to clear"))
    return refusals


def _return_unconfirmed(rules: Rules, position: Position, *, late: bool) -> list[e.Event]:
    """Return the wagers nobody confirmed in time to their players: before the throw, or late ones before the dice rest.

    Odds behind such a wager go back with it, confirmed or not.
    """
    gone = [wager for wager in position.layout if wager.pending and wager.late is late]
    if not gone:
        return []
    left = [odds for odds in position.layout if rules.wagers[odds.kind].behind and odds not in gone]
    return [
        *(e.WagerReturned(wager, clause_text(confirmation_cite(rules, wager))) for wager in gone),
        *(
            e.WagerReturned(odds, follow_clause(rules, odds))
            for odds in left
            if base_of(rules, position, odds.kind, odds.seat, odds.number, owner=odds.owner) in gone
        ),
    ]


def land_dice(rules: Rules, table: Table, command: c.LandDice) -> Verdict:
    """Judge how the dice came to rest: each with one face up, or in a way that makes the throw void."""
    throw, position = rules.procedures.throw, table.position
    if position.dice != "air":
        return [refusal(throw.one_face.cite, "no dice are in the air")]
    dice = ((command.first, command.first_lie), (command.second, command.second_lie))
    for face, lie in dice:
        if not _is_face(face):
            return [refusal(throw.one_face.cite, f"{face!r} is not a face of a die")]
        if lie not in {"flat", "cocked"} and lie not in throw.void:
            lies = ", ".join(("flat", "cocked", *throw.void))
            return [refusal(throw.one_face.cite, f"{lie!r} is not a way a die can land; the ways are: {lies}")]
    happened = _return_unconfirmed(rules, position, late=True)
    void = [lie for _face, lie in dice if lie in throw.void]
    if void:
        return [*happened, _void_throw(rules, void[0], "", clause_text(throw.void[void[0]].cite))]
    first, second = (SEVEN - face if lie == "cocked" else face for face, lie in dice)
    is_cocked = "cocked" in {command.first_lie, command.second_lie}
    return [*happened, e.DiceLanded(first, second, clause_text((throw.cocked if is_cocked else throw.one_face).cite))]


def _is_face(face: object) -> bool:
    """Return whether `face` is a whole number from 1 to 6."""
    return type(face) is int and 0 < face < SEVEN


def call_no_roll(rules: Rules, table: Table, command: c.CallNoRoll) -> Verdict:
    """Judge a no-roll call: for which reason, by whom, and when; a late call counts and is marked late."""
    no_roll, position = rules.procedures.no_roll, table.position
    refusals = []
    if not position.is_rolling:
        refusals.append(refusal(no_roll.may_call.cite, "a no-roll call comes between throw and settlement"))
    if command.reason in no_roll.no_reason:
        cite = no_roll.no_reason[command.reason].cite
        return [*refusals, refusal(cite, f"{command.reason.replace('_', ' ')} is not a reason to call no roll")]
    reason = no_roll.reasons.get(command.reason)
    if reason is None:
        reasons = ", ".join(no_roll.reasons)
        return [
            *refusals,
            refusal(no_roll.may_call.cite, f"{command.reason!r} is not a reason; the reasons are: {reasons}"),
        ]
    if reason.by and command.by not in (callers := rules.roles(reason.by)):
        what = f"give {name_of(command)} for {command.reason.replace('_', ' ')}"
        refusals.append(refusal(reason.cite, may_not(command.by, what, callers)))
    if refusals:
        return refusals
    is_late = reason.before_rest and position.dice != "air"
    clause = clause_text(reason.cite)
    if is_late and no_roll.before_rest:
        clause = f"{clause}, {clause_text(no_roll.before_rest.cite)}"
    voided = _void_throw(rules, command.reason, command.by, clause, is_late=is_late)
    return [*_return_unconfirmed(rules, position, late=True), voided]


def _void_throw(rules: Rules, reason: str, by: str, clause: str, *, is_late: bool = False) -> e.RollVoided:
    """Return a void throw, with the clause by which void throws are thrown again, if there is one."""
    rethrow = rules.procedures.throw.rethrow
    clause = join_clauses(clause, clause_text(rethrow.cite)) if rethrow else clause
    return e.RollVoided(reason, by, is_late=is_late, clause=clause)


def dispute_faces(rules: Rules, table: Table, command: c.DisputeFaces) -> Verdict:
    """Judge a dispute: possible from when the dice rest until the roll is settled."""
    if unfit := seat_refusals(rules, table, command.seat):
        return unfit
    if table.position.dice not in {"rest", "called"}:
        return [refusal(rules.procedures.dispute.cite, "faces are disputed once the dice rest, before settlement")]
    return [e.FacesDisputed(command.seat)]


def decide_dispute(rules: Rules, table: Table, command: c.DecideDispute) -> Verdict:
    """Judge the decision of a dispute: either two faces or a void throw."""
    dispute = rules.procedures.dispute
    refusals = []
    if not table.position.is_disputed:
        refusals.append(refusal(dispute.cite, "nothing is disputed"))
    faces = (command.first, command.second)
    is_void = faces == (0, 0)
    if not all(_is_face(face) or (is_void and type(face) is int) for face in faces):
        refusals.append(refusal(dispute.cite, f"{command.first!r}-{command.second!r} are not the faces of two dice"))
    if refusals:
        return refusals
    clause = clause_text(dispute.cite)
    if is_void:
        return [_void_throw(rules, "dispute", command.by, clause)]
    return [e.DisputeDecided(command.first, command.second, command.by, clause)]


def call_roll(rules: Rules, table: Table, command: c.CallRoll) -> Verdict:
    """Judge the call of a roll: the total of the faces."""
    called_by, position = rules.procedures.throw.called_by, table.position
    refusals = []
    if position.dice != "rest":
        refusals.append(refusal(called_by.cite, "a roll is called once the dice rest"))
    elif command.total != sum(position.faces):
        refusals.append(refusal(called_by.cite, f"the faces {roll_of(*position.faces)} do not total {command.total!r}"))
    if position.is_disputed:
        refusals.append(refusal(rules.procedures.dispute.cite, "the faces are disputed"))
    return refusals or [e.RollCalled(command.total, clause_text(called_by.cite))]


def settle(rules: Rules, table: Table, _command: c.Settle) -> Verdict:
    """Judge a settlement: after the call and before the dice go back."""
    settled_first, position = rules.procedures.throw.settled_first, table.position
    refusals = []
    if position.dice != "called":
        refusals.append(refusal(settled_first.cite, "wagers are settled after the roll is called"))
    if position.is_disputed:
        refusals.append(refusal(rules.procedures.dispute.cite, "the faces are disputed"))
    return refusals or _settle_with_meters(rules, table, position, roll_of(*position.faces))


def _settle_with_meters(rules: Rules, table: Table, position: Position, roll: Roll) -> list[e.Event]:
    """Return all events of a called roll, with what it adds to meters and takes from them.

    Rules of an analysis have meters that stand still, and pay from them with the line.
    """
    happened = settle_roll(rules, position, roll)
    is_counted = rules.progressives and not rules.meters
    return [*happened, *meter_events(rules, table, happened)] if is_counted else happened


def settle_roll(rules: Rules, position: Position, roll: Roll) -> list[e.Event]:
    """Return all events of a called roll: settlements, the puck, calls that lapse, and dice that are lost."""
    happened = settlement(rules, position, roll)
    decided = len(happened)
    if rules.windows:  # only where side wagers are offered
        happened += _notices(rules, happened) + _closed_windows(rules, position, roll)
    general, total = rules.rulebook.general, roll.total
    settled_first = rules.procedures.throw.settled_first
    happened.append(e.RollSettled(roll.first, roll.second, clause_text(settled_first.cite)))
    if position.puck:
        if total == position.puck:
            happened.append(e.PuckMoved(0, clause_text(general.come_out_roll.cite)))
        elif total == SEVEN:
            happened.append(e.PuckMoved(0, clause_text(general.seven.cite)))
            clause = clause_text(rules.procedures.shooter.loser_7.cite)
            happened.append(e.DiceSurrendered(position.shooter, "loser_7", clause))
    elif position.is_clearing:
        kinds = rules.procedures.clearing.wagers
        if not any(wager.kind in kinds for wager in _undecided_wagers(position, happened[:decided])):
            happened.append(e.ClearingEnded("decided", clause_text(rules.procedures.clearing.decided.cite)))
    elif total in rules.points:
        happened.append(e.PuckMoved(total, clause_text((rules.game.points or general.points).cite)))
        happened += lapsed_calls(rules, _undecided_wagers(position, happened[:decided]))
    return happened


def _notices(rules: Rules, happened: list[e.Event]) -> list[e.Event]:
    """Return a notice to surveillance for each kind of side wager that has just reached its count."""
    notices: dict[str, e.Event] = {}
    for event in happened:
        if isinstance(event, e.WagerProgressed):
            rule = rules.wagers[event.after.kind]
            notice = rule.entry.notice if isinstance(rule.entry, Hand) else None
            if notice and count_of(rule, event.wager.progress) < notice.count == count_of(rule, event.after.progress):
                notices[rule.kind] = e.SurveillanceNotified(rule.kind, notice.count, clause_text(notice.cite))
    return list(notices.values())


def _closed_windows(rules: Rules, position: Position, roll: Roll) -> list[e.Event]:
    """Return the windows for side wagers that this roll closes."""
    is_come_out = not position.puck and not position.is_clearing
    closing: list[e.Event] = []
    for name, window in rules.windows.items():
        is_carried = bool(position.puck) and "new_hand" not in position.closed
        closes = {"come_out_roll": is_come_out, "totals": roll.total in window.totals, "carried_point": is_carried}
        if closes[window.closes] and name not in position.closed:
            closing.append(e.WindowClosed(name, clause_text(window.cite)))
    return closing


def _undecided_wagers(position: Position, settlement_events: list[e.Event]) -> list[Wager]:
    decided = {event.wager for event in settlement_events}  # type: ignore[union-attr]  # they all name a wager
    return [wager for wager in position.layout if wager not in decided]


def pass_dice(rules: Rules, table: Table, _command: c.PassDice) -> Verdict:
    """Judge the dice going back to the shooter: only after the settlement."""
    throw, position = rules.procedures.throw, table.position
    if position.dice != "centre":
        return [refusal(throw.settled_first.cite, "the dice are passed back only after wagers are settled")]
    return [e.DicePassed(position.shooter, clause_text(throw.passed_by.cite))]


def roll_dice(rules: Rules, table: Table, command: c.RollDice) -> Verdict:
    """Judge a whole roll at once: throw, landing, call, settlement and pass in one decision."""
    position, throw = table.position, rules.procedures.throw
    if not rules.automate >= _ROLLED:
        why = "rolling in one step is possible only where call, settle and pass are automated"
        return [refusal(throw.settled_first.cite, why)]
    if not (_is_face(command.first) and _is_face(command.second)):
        return [refusal(throw.one_face.cite, f"{command.first!r}-{command.second!r} are not the faces of two dice")]
    if unfit := _throw_refusals(rules, position, position.shooter):
        return unfit
    happened: list[e.Event] = [] if "confirm" in rules.automate else _return_unconfirmed(rules, position, late=False)
    if happened:
        gone = {event.wager for event in happened}  # type: ignore[union-attr]
        position = replace(position, layout=tuple(wager for wager in position.layout if wager not in gone))
    roll = roll_of(command.first, command.second)
    happened += (
        e.DiceThrown(position.shooter),
        e.DiceLanded(roll.first, roll.second, clause_text(throw.one_face.cite)),
        e.RollCalled(roll.total, clause_text(throw.called_by.cite)),
    )
    happened += _settle_with_meters(rules, table, position, roll)
    if not (position.puck and roll.total == SEVEN):
        happened.append(e.DicePassed(position.shooter, clause_text(throw.passed_by.cite)))
    return happened

"""Who has the dice: offering, accepting, choosing and surrendering them, and the clearing of come wagers."""

from __future__ import annotations

from passline.authority.roles import STICKPERSON
from passline.game import commands as c
from passline.game import events as e
from passline.game.judges import Verdict
from passline.game.position import Position, Table, find, next_seat
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import Hand, clause_text, join_clauses, refusal


def has_line_wager(rules: Rules, position: Position, seat: int) -> bool:
    """Return whether a player has a line wager that needs no more confirmation."""
    for kind in rules.procedures.shooter.line_wagers:
        wager = find(position, seat, kind, 0)
        if wager is not None and not wager.pending:
            return True
    return False


def clearing_wagers_up(rules: Rules, position: Position) -> bool:
    """Return whether a come or don't come wager is up that needs no more confirmation."""
    kinds = rules.procedures.clearing.wagers
    return any(wager.kind in kinds and not wager.pending for wager in position.layout)


def _next_player(rules: Rules, position: Position, start: int) -> int:
    """Return the next seat clockwise that may be offered the dice: a player who may not wager may not shoot."""
    barred = {"standing"} if rules.game.seats.seated else set()
    if rules.rulebook.general.employees:
        barred.add("employee")
    return next_seat(tuple("" if seat in barred else seat for seat in position.seats), start)


def offer_dice(rules: Rules, table: Table, command: c.OfferDice) -> Verdict:
    """Judge an offer of the set of dice to the next player."""
    dice, position = rules.procedures.dice, table.position
    refusals = []
    if position.dice != "cup":
        refusals.append(refusal(dice.first_cite, "the dice are not in the cup"))
    whole = rules.house.dice_set
    if type(command.dice) is not int or command.dice != whole:
        refusals.append(refusal(dice.set_cite, f"the whole set of {whole} dice is offered, not {command.dice!r}"))
    is_opening = not position.offered_to
    start = position.offered_to or _first_seat(rules, command.by)
    seat = _next_player(rules, position, start)
    if not seat:
        refusals.append(refusal(dice.first_cite, "nobody is at the table to shoot"))
    if refusals:
        return refusals
    if seat == position.declined:
        return [_end_without_shooter(rules, position)]
    return [e.DiceOffered(seat, command.dice, clause_text(dice.first_cite if is_opening else dice.after_cite))]


def _first_seat(rules: Rules, by: str) -> int:
    """Return where the first offer starts; seats are numbered clockwise from the left of the boxperson or dealer."""
    if rules.procedures.dice.first_offer == "left_of_offeror" and by == STICKPERSON:
        return rules.house.seat_left_of_stickperson
    return 1


def _end_without_shooter(rules: Rules, position: Position) -> e.Event:
    """Return what follows when nobody else will shoot: the shooter who declined a line wager clears the come wagers.

    If a line wager is up, or no come wager is, the dice go back to the cup and this round of offers starts again.
    """
    lines = rules.procedures.shooter.line_wagers
    if any(wager.kind in lines for wager in position.layout) or not clearing_wagers_up(rules, position):
        return e.DiceCupped(position.offer_from or position.offered_to)
    clearing = rules.procedures.clearing
    clause = join_clauses(clause_text(clearing.alone.cite), clause_text(clearing.puck.cite))
    return e.ClearingBegan(position.declined, clause)


def clearing_over(rules: Rules, position: Position, seat: int) -> list[e.Event]:
    """Return the end of a clearing by a line wager; unless the shooter made it, the dice are offered again."""
    ends = clause_text(rules.procedures.clearing.line_wager.cite)
    happened: list[e.Event] = [e.ClearingEnded("line_wager", ends)]
    if seat != position.shooter:
        happened.append(e.DiceSurrendered(position.shooter, "line_wager_wanted", ends))
    return happened


def _not_offered(rules: Rules, table: Table, seat: int) -> list[Refusal]:
    dice, position = rules.procedures.dice, table.position
    if position.dice != "offered" or position.offered_to != seat:
        return [refusal(dice.next_cite, f"the dice are not offered to seat {seat}")]
    return []


def accept_dice(rules: Rules, table: Table, command: c.AcceptDice) -> Verdict:
    """Judge a player who accepts the dice: where only seated players wager, only they shoot."""
    seated = rules.game.seats.seated
    if unfit := _not_offered(rules, table, command.seat):
        return unfit
    if seated and table.position.seats[command.seat - 1] == "standing":
        return [refusal(seated.cite, f"seat {command.seat} must sit down to shoot")]
    return [e.DiceAccepted(command.seat, clause_text(rules.procedures.dice.accept_cite))]


def decline_dice(rules: Rules, table: Table, command: c.DeclineDice) -> Verdict:
    """Judge a player who declines: the dice go on clockwise, or back to the cup when all have declined."""
    if unfit := _not_offered(rules, table, command.seat):
        return unfit
    position = table.position
    places = len(position.seats)
    follower = _next_player(rules, position, command.seat % places + 1)
    clause = clause_text(rules.procedures.dice.next_cite)
    round_over: list[e.Event] = [e.DiceDeclined(command.seat, 0, clause)]
    if position.declined and follower == position.declined:
        return [*round_over, _end_without_shooter(rules, position)]
    steps = (follower - command.seat - 1) % places  # the first player offered the dice may have left
    if not follower or steps >= (position.offer_from - command.seat - 1) % places:
        return [*round_over, e.DiceCupped(position.offer_from)]
    return [e.DiceDeclined(command.seat, follower, clause)]


def choose_dice(rules: Rules, table: Table, command: c.ChooseDice) -> Verdict:
    """Judge the shooter's choice of dice; the others go back to the cup."""
    dice, position = rules.procedures.dice, table.position
    if position.dice != "accepted" or position.shooter != command.seat:
        return [refusal(dice.chosen_cite, "only a new shooter picks dice from the set")]
    places = set(command.chosen)
    if len(places) < len(command.chosen):
        return [refusal(dice.chosen_cite, f"a shooter picks {dice.chosen} different dice")]
    if len(places) != dice.chosen:
        return [refusal(dice.chosen_cite, f"a shooter picks {dice.chosen} dice, not {len(command.chosen)}")]
    if not all(type(place) is int and 1 <= place <= position.dice_set for place in places):
        return [refusal(dice.chosen_cite, f"the set has dice 1 to {position.dice_set}")]
    roles = rules.roles(dice.offered_by)
    return [
        e.DiceChosen(
            seat=command.seat,
            chosen=command.chosen,
            cupped=position.dice_set - dice.chosen,
            controlled_by=STICKPERSON if STICKPERSON in roles else roles[0],
            clause=clause_text(dice.chosen_cite),
        )
    ]


def _given_up(rules: Rules, position: Position, reason: str, clause: str) -> list[e.Event]:
    entries = [rules.wagers[wager.kind].entry for wager in position.layout]
    carried = [clause_text(entry.carries.cite) for entry in entries if isinstance(entry, Hand)]
    clause = join_clauses(clause, *carried)  # wagers on the hand stay up
    happened: list[e.Event] = [e.DiceSurrendered(position.shooter, reason, clause)]
    if position.is_clearing:
        happened.insert(0, e.ClearingEnded("given_up", clause))
    return happened


def surrender_dice(rules: Rules, table: Table, command: c.SurrenderDice) -> Verdict:
    """Judge a shooter who surrenders the dice: after any roll, whether or not a point is set."""
    surrender, position = rules.procedures.shooter.surrender, table.position
    if position.shooter != command.seat:
        return [refusal(surrender.cite, f"seat {command.seat} does not have the dice")]
    if position.dice not in {"accepted", "held", "centre"}:
        return [refusal(surrender.cite, "the dice are given up between rolls, not during one")]
    return _given_up(rules, position, "surrender", clause_text(surrender.cite))


def order_dice_passed(rules: Rules, table: Table, command: c.OrderDicePassed) -> Verdict:
    """Judge an order to pass the dice: for which reason."""
    shooter, position = rules.procedures.shooter, table.position
    refusals = []
    reason = shooter.order_reasons.get(command.reason)
    if reason is None:
        reasons = ", ".join(shooter.order_reasons)
        refusals.append(
            refusal(shooter.order_to_pass.cite, f"{command.reason!r} is not a reason; the reasons are: {reasons}")
        )
    if not position.shooter or position.dice not in {"accepted", "held", "centre"}:
        why = "the dice can be ordered passed only while a shooter has them, between rolls"
        refusals.append(refusal(shooter.order_to_pass.cite, why))
    if refusals or reason is None:
        return refusals
    return _given_up(rules, position, command.reason, clause_text(reason.cite))


def decline_line_wager(rules: Rules, table: Table, command: c.DeclineLineWager) -> Verdict:
    """Judge a shooter who will not make a line wager: with come wagers up the dice are offered, else they pass on."""
    position, shooter = table.position, rules.procedures.shooter
    if position.shooter != command.seat:
        return [refusal(shooter.line_wager.cite, f"seat {command.seat} does not have the dice")]
    if position.phase != "come_out" or position.dice != "held" or has_line_wager(rules, position, command.seat):
        why = "only a shooter without a line wager may decline one, before a come-out roll"
        return [refusal(shooter.line_wager.cite, why)]
    if not clearing_wagers_up(rules, position):
        return _given_up(rules, position, "no_line_wager", clause_text(shooter.line_wager.cite))
    return [e.LineWagerDeclined(command.seat, clause_text(rules.procedures.clearing.offer.cite))]

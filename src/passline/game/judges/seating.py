"""Taking and leaving seats, standing and sitting, changing cash, fills and credits."""

from __future__ import annotations

from passline.game import commands as c
from passline.game import events as e
from passline.game.judges import Verdict
from passline.game.judges.shooting import decline_dice
from passline.game.position import Table
from passline.money import CENTS_MAX, dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import clause_text, refusal


def seat_refusals(rules: Rules, table: Table, seat: int) -> list[Refusal]:
    """Refuse a seat that does not exist, or that nobody has taken."""
    if not (refusals := _no_seat(rules, table, seat)) and not table.position.seats[seat - 1]:
        refusals.append(refusal(rules.game.seats.cite, f"nobody is at seat {seat}"))
    return refusals


def _no_seat(rules: Rules, table: Table, seat: int) -> list[Refusal]:
    seats = len(table.position.seats)
    if type(seat) is int and 1 <= seat <= seats:
        return []
    return [refusal(rules.game.seats.cite, f"there is no seat {seat!r}; this table has 1 to {seats}")]


def _cents_refusals(rules: Rules, cents: int, least: int = 1) -> list[Refusal]:
    chips = rules.rulebook.general.media["chips"].cite
    if type(cents) is not int:
        return [refusal(chips, f"{cents!r} is not a whole number of cents")]
    if cents < least:
        return [refusal(chips, f"the amount must be above 0, not {dollars(cents)}")]
    if cents > CENTS_MAX:
        return [refusal(chips, f"{dollars(cents)} is over the most allowed at once, {dollars(CENTS_MAX)}")]
    if cents % rules.chip:
        return [refusal(chips, f"{dollars(cents)} cannot be made of {dollars(rules.chip)} chips")]
    return []


def take_seat(rules: Rules, table: Table, command: c.TakeSeat) -> Verdict:
    """Judge a player who takes a seat: anybody may take a free one."""
    if refusals := _no_seat(rules, table, command.seat):
        return refusals
    if table.position.seats[command.seat - 1]:
        return [refusal(rules.game.seats.cite, f"seat {command.seat} is taken")]
    return [e.SeatTaken(command.seat, is_employee=command.is_employee)]


def leave_seat(rules: Rules, table: Table, command: c.LeaveSeat) -> Verdict:
    """Judge a player who leaves: not with wagers up, nor with the dice.

    Where offers are automated, a player who is offered the dice declines them by leaving; otherwise the last player at
    the table, to whom they always come back, could never leave.
    """
    if unfit := seat_refusals(rules, table, command.seat):
        return unfit
    position, money, seat = table.position, table.money, command.seat
    refusals = []
    if any(wager.seat == seat for wager in position.layout):
        why = f"seat {seat} has wagers up: remove them or let them be decided"
        refusals.append(refusal((rules.game.seats.remain or rules.rulebook.general.remove).cite, why))
    is_offered = position.dice == "offered" and position.offered_to == seat
    declines = is_offered and "offer" in rules.automate and seat != position.declined
    if (is_offered and not declines) or seat in {position.shooter, position.declined}:
        refusals.append(refusal(rules.procedures.shooter.surrender.cite, f"seat {seat} must give up the dice first"))
    if refusals:
        return refusals
    declined = decline_dice(rules, table, c.DeclineDice(seat=seat)) if declines else []
    return [*declined, e.SeatLeft(seat, money.racks[seat - 1], money.coupons[seat - 1])]


def stand_up(rules: Rules, table: Table, command: c.StandUp) -> Verdict:
    """Judge a player who stands up: never refused; where wagers require a seat, the breach is recorded."""
    if unfit := seat_refusals(rules, table, command.seat):
        return unfit
    position, rule = table.position, rules.game.seats
    if position.seats[command.seat - 1] != "seated":
        return [refusal(rule.cite, f"seat {command.seat} is not seated")]
    has_wagers = any(wager.seat == command.seat for wager in position.layout)
    breach = clause_text(rule.remain.cite) if rule.remain and has_wagers else ""
    return [e.PlayerStood(command.seat, breach)]


def sit_down(rules: Rules, table: Table, command: c.SitDown) -> Verdict:
    """Judge a standing player who sits down: allowed at any time."""
    if unfit := seat_refusals(rules, table, command.seat):
        return unfit
    if table.position.seats[command.seat - 1] != "standing":
        return [refusal(rules.game.seats.cite, f"seat {command.seat} is not standing")]
    return [e.PlayerSat(command.seat)]


def buy_in(rules: Rules, table: Table, command: c.BuyIn) -> Verdict:
    """Judge cash changed for chips; a coupon is recorded at its face, never as cents."""
    if unfit := seat_refusals(rules, table, command.seat):
        return unfit
    media = rules.rulebook.general.media
    refusals = _cents_refusals(rules, command.cents, least=0)
    if command.medium not in {"cash", "coins"}:
        medium = media.get(command.medium, media["chips"])
        refusals.append(refusal(medium.cite, f"{command.medium.replace('_', ' ')} cannot be changed for chips"))
    if type(command.coupon) is not int or not 0 <= command.coupon <= CENTS_MAX:
        refusals.append(refusal(media["chips"].cite, f"{command.coupon!r} is not the face of a coupon"))
    elif command.coupon and "match_play" not in media:
        refusals.append(refusal(media["chips"].cite, "this regulation takes no coupons"))
    if not refusals and command.cents == command.coupon == 0:
        refusals.append(refusal(media["chips"].cite, "there is nothing to change"))
    return refusals or [e.BuyInMade(command.seat, command.cents, command.coupon)]


def fill(rules: Rules, _table: Table, command: c.Fill) -> Verdict:
    """Judge chips brought from the cage."""
    return _cents_refusals(rules, command.cents) or [e.FillMade(command.cents)]


def credit(rules: Rules, table: Table, command: c.Credit) -> Verdict:
    """Judge chips taken to the cage: no more than the bank has."""
    bank = table.money.bank
    refusals = _cents_refusals(rules, command.cents)
    if not refusals and command.cents > bank:
        chips = rules.rulebook.general.media["chips"].cite
        refusals.append(refusal(chips, f"the bank has {dollars(bank)}, and this would take {dollars(command.cents)}"))
    return refusals or [e.CreditMade(command.cents)]

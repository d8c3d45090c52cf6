"""Who may wager with what, and whose confirmation a wager then needs."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.judges.offer import Offer
from passline.game.position import Position
from passline.game.refusal import Refusal, refusal
from passline.money import CENTS_MAX, dollars
from passline.rules.rules import Rules
from passline.rules.schema import SideWager

__all__ = ["confirmations", "strange_amount", "too_many_players", "unfit_amount", "unfit_media", "unfit_player"]

_DOLLAR = 100


def strange_amount(rules: Rules, command: c.MakeWager) -> list[Refusal]:
    """Refuse numbers that are none, as only a program can give."""
    if type(command.cents) is type(command.coupon) is type(command.number) is int:
        return []
    chips = rules.rulebook.general.media["chips"]
    said = {
        f"{command.cents!r} cents is not an amount to wager": command.cents,
        f"{command.coupon!r} is not the face of a coupon": command.coupon,
        f"{command.number!r} is not a number of the layout": command.number,
    }
    return [refusal(chips.cite, why) for why, value in said.items() if type(value) is not int]


def unfit_amount(rules: Rules, command: c.MakeWager) -> list[Refusal]:
    """Refuse what is no amount of chips at all."""
    chips = rules.rulebook.general.media["chips"]
    refusals = []
    if command.cents <= 0:
        refusals.append(refusal(chips.cite, f"{command.cents!r} cents is not an amount to wager"))
    elif command.cents > CENTS_MAX and "cash" in command.media:
        why = f"{dollars(command.cents)} is more than changes hands at once, {dollars(CENTS_MAX)}"
        refusals.append(refusal(chips.cite, why))
    elif command.cents % rules.chip and "coins" not in command.media:
        why = f"{dollars(command.cents)} cannot be made of {dollars(rules.chip)} chips"
        refusals.append(refusal(chips.cite, why))
    if command.coupon < 0:
        refusals.append(refusal(chips.cite, f"{command.coupon!r} is not the face of a coupon"))
    return refusals


def unfit_player(offer: Offer) -> list[Refusal]:
    """Refuse a wager put up by the wrong hand, or by a player who may not wager."""
    command, general, rule = offer.command, offer.rules.rulebook.general, offer.rules.game.seats
    refusals = []
    state = offer.position.seats[command.seat - 1]
    if state == "employee" and general.employees:
        refusals.append(refusal(general.employees.cite, "a gaming employee may not wager"))
    if state == "standing" and rule.seated:
        refusals.append(refusal(rule.seated.cite, "only a seated player may wager"))
    return refusals + (_unfit_tip(offer) if command.owner != "player" else [])


def _unfit_tip(offer: Offer) -> list[Refusal]:
    """Refuse a wager for the crew where tips are not allowed, or not so."""
    rules, command, general = offer.rules, offer.command, offer.rules.rulebook.general
    if command.owner != "crew":
        return [refusal(general.closed_list.cite, f"a wager is the player's or the crew's, not {command.owner!r}'s")]
    if general.tips is None:
        return [refusal(general.closed_list.cite, "no wager may be made for the crew")]
    own = offer.rule.entry.tips if isinstance(offer.rule.entry, SideWager) else None
    if own is None:
        is_allowed = not general.tips.elect or getattr(rules.house, general.tips.elect)
        return [] if is_allowed else [refusal(general.tips.cite, "this house takes no wagers for the crew")]
    most, elections = getattr(rules.house, own.cents_max), rules.rulebook.elections
    refusals = []
    if not getattr(rules.house, own.elect):
        refusals.append(refusal(elections[own.elect].cite, f"this house takes no tips on the {offer.rule.name}"))
    mine = [one for one in offer.position.layout if one.seat == command.seat and one.owner == "player"]
    if not any(one.kind == offer.rule.kind and not one.pending for one in mine):
        refusals.append(refusal(own.cite, f"a tip on the {offer.rule.name} needs its player's own"))
    if getattr(rules.house, own.whole_dollars) and command.cents % _DOLLAR:
        why = f"a tip on the {offer.rule.name} is in whole dollars"
        refusals.append(refusal(elections[own.whole_dollars].cite, why))
    if most and command.cents > most:
        why = f"a tip on the {offer.rule.name} is at most {dollars(most)}"
        refusals.append(refusal(elections[own.cents_max].cite, why))
    return refusals


def too_many_players(rules: Rules, position: Position, command: c.MakeWager) -> list[Refusal]:
    """Refuse one player more than may have wagers on a roll."""
    rule = rules.game.seats
    wagering = {wager.seat for wager in position.layout} | {command.seat}
    if not rule.wagering_max or len(wagering) <= rule.wagering_max:
        return []
    return [refusal(rule.cite, f"{rule.wagering_max} players have wagers on this roll already")]


def unfit_media(offer: Offer) -> list[Refusal]:
    """Refuse what may not be wagered, or not on this wager."""
    command, media = offer.command, offer.rules.rulebook.general.media
    refusals = []
    used = (*command.media, "match_play") if command.coupon else command.media
    for name in used or ("call",):
        medium = media.get(name)
        if medium is None or (medium.elect and not getattr(offer.rules.house, medium.elect)):
            refusals.append(refusal((medium or media["chips"]).cite, f"{name} may not be wagered"))
        elif medium.wagers == "none":
            refusals.append(refusal(medium.cite, f"{name} may not be wagered"))
        elif medium.wagers != "any" and offer.rule.kind not in medium.wagers:
            refusals.append(refusal(medium.cite, f"{name} may not be wagered on the {offer.rule.name}"))
    if "cash" in used and media["cash"].wagers != "none" and set(command.media) != {"cash"}:
        why = "a wager is of chips or of cash: cash that goes with chips is changed first"
        refusals.append(refusal(media["cash"].cite, why))
    if command.coupon > command.cents > 0 and "match_play" in media:
        refusals.append(refusal(media["match_play"].cite, "a match-play coupon needs chips of at least its face"))
    return refusals


def confirmations(offer: Offer) -> tuple[str, ...]:
    """Give the confirmations a wager needs; one of several roles is written dealer|boxperson."""
    rules, command = offer.rules, offer.command
    if "confirm" in rules.automate:
        return ()
    general, late = rules.rulebook.general, rules.game.late
    needed: list[str] = []
    if offer.position.dice == "air" and late.confirm:
        roles = rules.roles(late.confirm.by)
        needed += ["|".join(roles)] if late.confirm.needed == "any" else list(late.confirm.by)
    for name in command.media:
        medium = general.media.get(name)
        if medium and medium.confirm:
            needed.append("|".join(rules.roles(medium.confirm)))
    placed = general.centre_placed_by
    if offer.rule.centre and placed and command.by not in placed.by:
        needed.append("|".join(rules.roles(placed.by)))
    return tuple(one for one in dict.fromkeys(needed) if command.by not in one.split("|"))

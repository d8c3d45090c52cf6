"""Who may wager, with which media (chips, cash, coupons), and whose confirmation the wager then needs."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.judges.proposed_wager import ProposedWager
from passline.game.position import Position
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import SideWager, refusal

__all__ = ["confirmations", "media_refusals", "player_count_refusals", "player_refusals"]

_DOLLAR = 100
_NAMES = {"match_play": "match-play coupons", "call": "call bets"}  # others are named by their keys


def player_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager of a player who may not wager, or for the crew where that is not allowed."""
    command, general, rule = proposed.command, proposed.rules.rulebook.general, proposed.rules.game.seats
    refusals = []
    state = proposed.position.seats[command.seat - 1]
    if state == "employee" and general.employees:
        refusals.append(refusal(general.employees.cite, "a gaming employee may not wager"))
    if state == "standing" and rule.seated:
        refusals.append(refusal(rule.seated.cite, "only a seated player may wager"))
    return refusals + (_tip_refusals(proposed) if command.owner != "player" else [])


def _tip_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse a wager for the crew that the regulation or the house does not allow."""
    rules, command, general = proposed.rules, proposed.command, proposed.rules.rulebook.general
    if command.owner != "crew":
        why = f"a wager belongs to the player or the crew, not to {command.owner!r}"
        return [refusal(general.closed_list.cite, why)]
    if general.tips is None:
        return [refusal(general.closed_list.cite, "no wager may be made for the crew")]
    own = proposed.rule.entry.tips if isinstance(proposed.rule.entry, SideWager) else None
    if own is None:
        is_allowed = not general.tips.elect or getattr(rules.house, general.tips.elect)
        return [] if is_allowed else [refusal(general.tips.cite, "this house takes no wagers for the crew")]
    most, elections = getattr(rules.house, own.cents_max), rules.rulebook.elections
    name = proposed.rule.display_name()
    refusals = []
    if not getattr(rules.house, own.elect):
        refusals.append(refusal(elections[own.elect].cite, f"this house takes no tips on {name}"))
    mine = [wager for wager in proposed.position.layout if wager.seat == command.seat and wager.owner == "player"]
    if not any(wager.kind == proposed.rule.kind and not wager.pending for wager in mine):
        refusals.append(refusal(own.cite, f"a tip on {name} needs the player's own wager on it"))
    if getattr(rules.house, own.whole_dollars) and command.cents % _DOLLAR:
        refusals.append(refusal(elections[own.whole_dollars].cite, f"a tip on {name} must be in whole dollars"))
    if most and command.cents > most:
        refusals.append(refusal(elections[own.cents_max].cite, f"a tip on {name} is at most {dollars(most)}"))
    return refusals


def player_count_refusals(rules: Rules, position: Position, command: c.MakeWager) -> list[Refusal]:
    """Refuse a player when as many as allowed already have wagers on the roll."""
    rule = rules.game.seats
    wagering = {wager.seat for wager in position.layout} | {command.seat}
    if not rule.wagering_max or len(wagering) <= rule.wagering_max:
        return []
    return [refusal(rule.cite, f"{rule.wagering_max} players already have wagers on this roll")]


def media_refusals(proposed: ProposedWager) -> list[Refusal]:
    """Refuse media that may not be wagered, or not on this wager."""
    command, media = proposed.command, proposed.rules.rulebook.general.media
    refusals = []
    used = (*command.media, "match_play") if command.coupon else command.media
    for name in used or ("call",):
        medium = media.get(name)
        if medium is None or (medium.elect and not getattr(proposed.rules.house, medium.elect)):
            refusals.append(refusal((medium or media["chips"]).cite, _not_accepted(name)))
        elif medium.wagers == "none":
            refusals.append(refusal(medium.cite, _not_accepted(name)))
        elif medium.wagers != "any" and proposed.rule.kind not in medium.wagers:
            why = f"{_not_accepted(name)} on {proposed.rule.display_name(proposed.number)}"
            refusals.append(refusal(medium.cite, why))
    if "cash" in used and media["cash"].wagers != "none" and set(command.media) != {"cash"}:
        why = "a wager is made in chips or in cash, not both; change the cash for chips first"
        refusals.append(refusal(media["cash"].cite, why))
    if command.coupon > command.cents > 0 and "match_play" in media:
        refusals.append(refusal(media["match_play"].cite, "a match-play coupon needs chips of at least its face"))
    return refusals


def _not_accepted(medium: str) -> str:
    return f"{_NAMES.get(medium) or medium.replace('_', ' ')} may not be wagered"


def confirmations(proposed: ProposedWager) -> tuple[str, ...]:
    """Return the confirmations a wager needs; `dealer|boxperson` means that either role may confirm."""
    rules, command = proposed.rules, proposed.command
    if "confirm" in rules.automate:
        return ()
    general, late = rules.rulebook.general, rules.game.late
    needed: list[str] = []
    if proposed.position.dice == "air" and late.confirm:
        roles = rules.roles(late.confirm.by)
        needed += ["|".join(roles)] if late.confirm.needed == "any" else list(late.confirm.by)
    for name in command.media:
        medium = general.media.get(name)
        if medium and medium.confirm:
            needed.append("|".join(rules.roles(medium.confirm)))
    placed = general.centre_placed_by
    if proposed.rule.centre and placed and command.by not in placed.by:
        needed.append("|".join(rules.roles(placed.by)))
    return tuple(roles for roles in dict.fromkeys(needed) if command.by not in roles.split("|"))

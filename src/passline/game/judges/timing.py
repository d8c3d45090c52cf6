"""When a wager may be made or increased: its window, the dice, the clearing of come wagers."""

from __future__ import annotations

from passline.dice import number_text
from passline.game.judges.offer import Offer, is_on_the_line
from passline.game.judges.shooting import has_line_wager
from passline.game.refusal import Refusal, refusal
from passline.rules.schema import OddsWager, SideWager, cites_of, clause_text, joined

__all__ = ["unfit_moment"]

_NAMED = 6  # as many as there are points; a reader is not helped by more
_HAND_IS_NEW = "new_hand"  # the window every rulebook with side wagers opens until a shooter's first come-out roll


def unfit_moment(offer: Offer) -> list[Refusal]:
    """Refuse a wager whose moment has not come or is past."""
    refusals = _unfit_number(offer) + _unfit_dice(offer)
    if offer.position.is_clearing:
        return refusals + _unfit_clearing(offer)
    if offer.rule.behind:
        return refusals + _unfit_base(offer)
    if isinstance(offer.rule.entry, SideWager):
        return refusals + _unfit_side_wager(offer, offer.rule.entry)
    return refusals + _unfit_window(offer)


def _unfit_side_wager(offer: Offer, entry: SideWager) -> list[Refusal]:
    """Refuse a side wager out of its window, an addition that is not allowed, or one whose player has no line wager."""
    rules, position, name = offer.rules, offer.position, offer.rule.name
    refusals = []
    windows = [entry.make.when]
    if entry.make.or_when and getattr(rules.house, entry.make.elect):
        windows.append(entry.make.or_when)
    for window in windows:
        rule = rules.rulebook.general.windows.get(window)
        if rule and window in position.closed:
            refusals.append(refusal(entry.make.cite, f"a {name} can no longer be made in this shooter's hand"))
        elif rule and rule.puck_off and position.puck:
            refusals.append(refusal(entry.make.cite, f"a {name} waits for this shooter's first come-out roll"))
    grows_by = entry.increase or entry.make
    is_carried_over = _HAND_IS_NEW not in position.closed
    if offer.standing and entry.increase and entry.increase.until == "never":
        refusals.append(refusal(grows_by.cite, f"a {name} may not be increased"))
    elif offer.others and not offer.standing and not (entry.beside or is_carried_over):
        refusals.append(refusal(grows_by.cite, f"a {name} is up already for this shooter's hand"))
    if entry.line_wager and not has_line_wager(rules, position, offer.command.seat):
        refusals.append(refusal(entry.line_wager.cite, f"a {name} needs a line wager of the same player"))
    if entry.areas:
        seats = {wager.seat for wager in position.layout if wager.kind == offer.rule.kind} | {offer.command.seat}
        if len(seats) > entry.areas.max:
            refusals.append(refusal(entry.areas.cite, f"the layout has {entry.areas.max} areas for a {name}"))
    return refusals


def _unfit_number(offer: Offer) -> list[Refusal]:
    if offer.has_number:
        return []
    rule, cite = offer.rule, offer.rule.entry.make.cite
    numbers = [number_text(one) for one in sorted(rule.numbers) if one]
    wanted = ", ".join(numbers if len(numbers) <= _NAMED else [*numbers[:3], "and so on"]) or "no number"
    why = f"the {rule.name} takes {wanted}, not {number_text(offer.number) or 'none'}"
    if len(cites_of(cite)) > _NAMED:  # a wager on another number is no listed wager
        cite = offer.rules.rulebook.general.closed_list.cite
    return [refusal(cite, why)]


def _unfit_dice(offer: Offer) -> list[Refusal]:
    late = offer.rules.game.late
    if offer.position.dice in {"rest", "called"}:
        return [refusal(late.cite, "the dice have come to rest")]
    if offer.position.dice == "air" and not late.permitted:
        return [refusal(late.cite, "wagers are made before the dice are thrown")]
    return []


def _unfit_clearing(offer: Offer) -> list[Refusal]:
    only = offer.rules.procedures.clearing.only.cite
    if offer.rule.kind not in offer.rules.procedures.shooter.line_wagers:
        return [refusal(only, "come wagers are being cleared; only a line wager may be made")]
    if offer.position.dice == "air":
        return [refusal(only, "a line wager waits until this throw, which clears come wagers, is over")]
    return []


def _unfit_base(offer: Offer) -> list[Refusal]:
    rules, behind = offer.rules, offer.rule.behind
    is_elsewhere = is_on_the_line(rules, behind) and offer.number != offer.position.puck
    if offer.base is not None and offer.number and not is_elsewhere:
        return []
    why = f"odds need a {rules.wagers[behind].name} whose point is {number_text(offer.number) or 'set'}"
    entry = offer.rule.entry
    assert isinstance(entry, OddsWager)
    return [Refusal(joined(clause_text(entry.make.cite), clause_text(entry.lose.cite)), why)]


def _unfit_window(offer: Offer) -> list[Refusal]:
    rule, entry, puck = offer.rule, offer.rule.entry, offer.position.puck
    can_grow = entry.increase is not None and entry.increase.until == "deciding_roll"
    grows_by = (entry.increase or entry.make).cite
    if offer.number and rule.family == "line":
        return [] if can_grow else [refusal(grows_by, f"a {rule.name} on its number may not be increased")]
    if entry.make.when == "come_out" and puck:
        if offer.standing is None:
            return [refusal(entry.make.cite, f"a {rule.name} is made before a come-out roll")]
        return [] if can_grow else [refusal(grows_by, f"a {rule.name} may not be increased once its point is set")]
    if entry.make.when == "point" and not puck:
        return [refusal(entry.make.cite, f"a {rule.name} needs the puck ON")]
    return []

"""How large a wager may be: the table's limits, the most odds behind a wager, and what chips can pay exactly."""

from __future__ import annotations

from passline.game import commands as c
from passline.game.position import Wager
from passline.game.settlement import parts_are_in_chips, parts_are_payable
from passline.money import CENTS_MAX, dollars
from passline.refusal import Refusal
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema import (
    Amount,
    Composite,
    OddsWager,
    Rule,
    SideWager,
    cites_of,
    clause_text,
    join_clauses,
    refusal,
)


def amount_type_refusals(rules: Rules, command: c.MakeWager) -> list[Refusal]:
    """Refuse amounts and numbers that are not whole numbers; only a program can send them."""
    if type(command.cents) is type(command.coupon) is type(command.number) is int:
        return []
    chips = rules.rulebook.general.media["chips"]
    values = {
        f"a wager must be a whole number of cents above 0, not {command.cents!r}": command.cents,
        f"{command.coupon!r} is not the face of a coupon": command.coupon,
        f"{command.number!r} is not a number of the layout": command.number,
    }
    return [refusal(chips.cite, why) for why, value in values.items() if type(value) is not int]


def amount_refusals(rules: Rules, command: c.MakeWager) -> list[Refusal]:
    """Refuse an amount that cannot be put up in chips."""
    chips = rules.rulebook.general.media["chips"]
    refusals = []
    if command.cents <= 0:
        refusals.append(refusal(chips.cite, f"a wager must be a whole number of cents above 0, not {command.cents!r}"))
    elif command.cents > CENTS_MAX and "cash" in command.media:
        why = f"{dollars(command.cents)} is over the most allowed at once, {dollars(CENTS_MAX)}"
        refusals.append(refusal(chips.cite, why))
    elif command.cents % rules.chip and "coins" not in command.media:
        why = f"{dollars(command.cents)} cannot be made of {dollars(rules.chip)} chips"
        refusals.append(refusal(chips.cite, why))
    if command.coupon < 0:
        refusals.append(refusal(chips.cite, f"{command.coupon!r} is not the face of a coupon"))
    return refusals


def limit_refusals(rules: Rules, rule: WagerRule, after: Wager, base: Wager | None) -> list[Refusal]:
    """Refuse a wager under its minimum or over its maximum, and odds that are too large for their base wager."""
    if not rules.limits_apply:
        return []
    limits = rules.rulebook.general.limits
    own = rule.entry.amount if isinstance(rule.entry, SideWager) else None
    refusals = minimum_refusals(rules, rule, after.cents)
    if own and own.step and after.cents % own.step:
        why = f"{rule.display_name()} is made in steps of {dollars(own.step)}"
        refusals.append(_limit_refusal(own, own, "step", why))
    if rule.behind:
        return refusals + (_odds_refusals(rules, rule, after, base) if base else [])
    if after.cents > rule.max:
        why = f"{dollars(after.cents)} is over the maximum, {dollars(rule.max)}"
        refusals.append(_limit_refusal(own, limits.max, "max", why))
    return refusals


def minimum_refusals(rules: Rules, rule: WagerRule, cents: int, *, verb: str = "is") -> list[Refusal]:
    """Refuse what is under the minimum of a wager, or what is left and would be; odds may be under it in some texts."""
    limits = rules.rulebook.general.limits
    is_outside = bool(rule.behind) and limits.odds_outside_min
    if not rules.limits_apply or cents >= rule.min or is_outside:
        return []
    own = rule.entry.amount if isinstance(rule.entry, SideWager) else None
    why = f"{dollars(cents)} {verb} under the minimum, {dollars(rule.min)}"
    return [_limit_refusal(own, limits.min, "min", why)]


def _limit_refusal(own: Amount | None, posted: Rule, bound: str, why: str) -> Refusal:
    """Refuse by the clause of the wager's own limit, or of the limit posted at the table if it has none."""
    return Refusal(", ".join(cites_of(own.cite, bound)), why) if own else refusal(posted.cite, why)


def _odds_refusals(rules: Rules, rule: WagerRule, after: Wager, base: Wager) -> list[Refusal]:
    entry, general = rule.entry, rules.rulebook.general
    assert isinstance(entry, OddsWager)
    refusals = []
    excess = clause_text(general.odds_excess.cite) if rules.house.odds_excess and general.odds_excess else ""
    most = rules.odds_cents_max(rule, after.number, base.cents)
    if most is not None and after.cents > most:
        behind = f"{dollars(base.cents)} on {after.number}"
        why = f"{dollars(after.cents)} is over the most allowed behind {behind}, {dollars(most)}"
        refusals.append(Refusal(join_clauses(clause_text(entry.limit.cite), excess), why))
    posted = rules.odds_cents_posted(rule, after.number, base.cents)
    if posted is not None and after.cents > posted:
        most_posted = f"the most odds that the posted maximum of {dollars(rule.max)} allows"
        why = f"{dollars(after.cents)} is over {dollars(posted)}, {most_posted}"
        refusals.append(Refusal(join_clauses(clause_text(general.limits.max.cite), excess), why))
    return refusals


def units_refusal(rules: Rules, rule: WagerRule, cents: int) -> Refusal:
    """Refuse an amount that does not divide into the units of a composite wager."""
    assert isinstance(rule.entry, Composite)
    assert rule.entry.units is not None
    each = rule.units * rules.chip
    return refusal(rule.entry.units.cite, f"{dollars(cents)} is not a multiple of {rule.units} units ({dollars(each)})")


def parts_refusals(rules: Rules, rule: WagerRule, wager: Wager) -> list[Refusal]:
    """Refuse a composite wager with a part that the smallest chip cannot make, however its payments are rounded."""
    parts = rules.rulebook.general.composite_parts
    if parts is None or parts_are_in_chips(rules, rule, wager):
        return []
    chip, each = dollars(rules.chip), dollars(rule.units * rules.chip)
    why = f"{dollars(wager.cents)} does not divide into {rule.units} parts of {chip} chips; use {each} steps"
    return [refusal(parts.cite, why)]


def unpayable_refusals(rules: Rules, rule: WagerRule, wager: Wager) -> list[Refusal]:
    """Refuse an amount that some win could not pay exactly, unless the house rounds up to the next chip."""
    cite = rules.rulebook.general.unpayable.cite
    if isinstance(rule.entry, Composite):
        each = rule.units * rules.chip
        if rule.entry.units and (wager.cents % each or wager.coupon % each):
            return [units_refusal(rules, rule, wager.cents)]
        has_parts = not (wager.cents % rule.units or wager.coupon % rule.units)
        unfit = parts_refusals(rules, rule, wager)
        if (has_parts and parts_are_payable(rules, rule, wager)) or (unfit and rules.house.unpayable == "round_up"):
            return unfit
        why = f"{dollars(wager.cents)} has a part that cannot be paid in {dollars(rules.chip)} chips"
        return [refusal(cite, why)]
    for payout in _payouts(rule, wager):
        if rules.winnings(payout, wager.cents) is None or rules.winnings(payout, wager.coupon) is None:
            unit = rule.unit(0 if rule.family == "line" else wager.number, rules.chip)
            why = f"{dollars(wager.cents)} at {payout.pays} cannot be paid in {dollars(rules.chip)} chips"
            return [refusal(cite, f"{why}; use {dollars(unit)} steps")]
    return []


def _payouts(rule: WagerRule, wager: Wager) -> tuple[Payout, ...]:
    """Return every payout the wager may win: one on its number, several on the line or for a wager on totals."""
    if isinstance(rule.entry, SideWager) or rule.family == "line":
        return tuple(rule.payouts.values())
    return (rule.payouts[wager.number],) if wager.number else tuple(rule.payouts.values())

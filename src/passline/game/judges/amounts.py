"""How much a wager may be: the table's limits, the odds policy, and what the smallest chip can pay."""

from __future__ import annotations

from passline.game.position import Wager
from passline.game.refusal import Refusal, refusal
from passline.game.settlement import parts_are_payable
from passline.money import dollars
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema import Amount, Composite, OddsWager, Rule, SideWager, cites_of, clause_text, joined

__all__ = ["not_in_units", "unfit_limits", "unpayable"]


def unfit_limits(rules: Rules, rule: WagerRule, after: Wager, base: Wager | None) -> list[Refusal]:
    """Refuse a wager under the minimum or over the maximum, and odds over what their original wager bears."""
    if not rules.limits_apply:
        return []
    limits = rules.rulebook.general.limits
    own = rule.entry.amount if isinstance(rule.entry, SideWager) else None
    refusals = []
    if after.cents < rule.min and not (rule.behind and limits.odds_outside_min):
        why = f"{dollars(after.cents)} is under the minimum, {dollars(rule.min)}"
        refusals.append(_refused(own, limits.min, "min", why))
    if own and own.step and after.cents % own.step:
        refusals.append(_refused(own, own, "step", f"a {rule.name} is made in steps of {dollars(own.step)}"))
    if rule.behind:
        return refusals + (_unfit_odds(rules, rule, after, base) if base else [])
    if after.cents > rule.max:
        why = f"{dollars(after.cents)} is over the maximum, {dollars(rule.max)}"
        refusals.append(_refused(own, limits.max, "max", why))
    return refusals


def _refused(own: Amount | None, posted: Rule, bound: str, why: str) -> Refusal:
    """Refuse by the clause of a wager's own bound, where it has one, or by that of the table's."""
    return Refusal(", ".join(cites_of(own.cite, bound)), why) if own else refusal(posted.cite, why)


def _unfit_odds(rules: Rules, rule: WagerRule, after: Wager, base: Wager) -> list[Refusal]:
    entry, general = rule.entry, rules.rulebook.general
    assert isinstance(entry, OddsWager)
    refusals = []
    excess = clause_text(general.odds_excess.cite) if rules.house.odds_excess else ""
    most = rules.odds_cents_max(rule, after.number, base.cents)
    if most is not None and after.cents > most:
        why = f"{dollars(after.cents)} is over the most behind {dollars(base.cents)} on {after.number}, {dollars(most)}"
        refusals.append(Refusal(joined(clause_text(entry.limit.cite), excess), why))
    posted = rules.odds_cents_posted(rule, after.number, base.cents)
    if posted is not None and after.cents > posted:
        most_posted = f"the most under the posted maximum of {dollars(rule.max)}"
        why = f"{dollars(after.cents)} is over {dollars(posted)}, {most_posted}"
        refusals.append(Refusal(joined(clause_text(general.limits.max.cite), excess), why))
    return refusals


def not_in_units(rules: Rules, rule: WagerRule, cents: int) -> Refusal:
    """Refuse a composite wager that does not divide into its units."""
    assert isinstance(rule.entry, Composite)
    assert rule.entry.units is not None
    each = rule.units * rules.chip
    return refusal(rule.entry.units.cite, f"{dollars(cents)} is not a multiple of {rule.units} units ({dollars(each)})")


def unpayable(rules: Rules, rule: WagerRule, wager: Wager) -> list[Refusal]:
    """Refuse an amount that some win could not pay exactly, unless the house pays the next whole chip."""
    cite = rules.rulebook.general.unpayable.cite
    if isinstance(rule.entry, Composite):
        each = rule.units * rules.chip
        if rule.entry.units and (wager.cents % each or wager.coupon % each):
            return [not_in_units(rules, rule, wager.cents)]
        has_parts = not (wager.cents % rule.units or wager.coupon % rule.units)  # a part is whole cents
        if has_parts and parts_are_payable(rules, rule, wager):
            return []
        why = f"{dollars(wager.cents)} has a part that cannot be paid in {dollars(rules.chip)} chips"
        return [refusal(cite, why)]
    for payout in _payouts(rule, wager):
        if rules.winnings(payout, wager.cents) is None or rules.winnings(payout, wager.coupon) is None:
            unit = rule.unit(0 if rule.family == "line" else wager.number, rules.chip)
            why = f"{dollars(wager.cents)} at {payout.pays} cannot be paid in {dollars(rules.chip)} chips"
            return [refusal(cite, f"{why}; use {dollars(unit)} steps")]
    return []


def _payouts(rule: WagerRule, wager: Wager) -> tuple[Payout, ...]:
    """Give what a wager may come to pay: its number's payout, its only one, or for a wager on totals any of them."""
    if isinstance(rule.entry, SideWager):
        return tuple(rule.payouts.values())
    if rule.family == "line":
        return (rule.payouts[0],)
    return (rule.payouts[wager.number],) if wager.number else tuple(rule.payouts.values())

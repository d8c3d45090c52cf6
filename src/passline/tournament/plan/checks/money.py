"""Checks what entering costs: the limits on what a player could spend, fees, things in place of money, chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.money import dollar_amount
from passline.rules.elections import Breach
from passline.tournament.plan.schema import InKind, Plan
from passline.tournament.plan.spend import plan_spend
from passline.tournament.rules.schema import CentsBound, Said
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["check_chips", "check_money"]


def _money(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True)


def check_money(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield every breach of limits, fees and things in place of money."""
    yield from _check_limits(rules, plan)
    yield from _check_fees(rules, plan)
    fee, pool = rules.pages.fee, rules.pages.pool
    for number, event in enumerate(plan.events):
        key = f"events[{number}]"
        yield from _check_in_kind(rules, fee.in_kind, f"{key}.fee_in_kind", event.fee_in_kind, event.fee_cents)
        yield from _check_in_kind(
            rules, pool.in_kind, f"{key}.buy_in_in_kind", event.buy_in_in_kind, event.buy_in_cents
        )


def _check_limits(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    limits, spend = rules.pages.limits, plan_spend(plan)
    yield from _over(rules, limits.fee, "entry fees", spend.fee_cents)
    yield from _over(rules, limits.buy_ins, "buy-ins", spend.buy_in_cents)
    if spend.fee_cents and spend.buy_in_cents:
        yield from _over(rules, limits.combined, "entry fees and buy-ins together", spend.cents)
    if not limits.initial_rounds or not limits.buy_ins:
        return
    clause, most = rules.clause(limits.initial_rounds), limits.buy_ins.cents_max
    for number, event in enumerate(plan.events):
        if event.buy_in_cents and not any(one.is_initial for one in event.rounds):
            problem = "none of them is an initial one, so nothing bounds what is bought in those"
            yield Breach(clause, f"events[{number}].rounds", problem)
    if spend.initial_cents > most:
        problem = f"in the initial rounds a player could buy chips for {_money(spend.initial_cents)}"
        yield Breach(clause, "events", f"{problem}; the limit of buy-ins is {_money(most)}")


def _over(rules: TournamentRules, bound: CentsBound | None, what: str, cents: int) -> Iterator[Breach]:
    if bound and cents > bound.cents_max:
        problem = f"a player could spend {_money(cents)} on {what}; the limit is {_money(bound.cents_max)}"
        yield Breach(rules.clause(bound), "events", problem)


def _check_fees(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield a breach for an event without a fee in a tournament with one, but for those entered with a voucher."""
    each = rules.pages.fee.each
    if each is None or not any(one.fee_cents for one in plan.events):
        return
    for number, event in enumerate(plan.events):
        if not event.fee_cents and not event.is_by_voucher:
            problem = "another event has a fee, so nobody may be listed without one: only a voucher lets enter this one"
            yield Breach(rules.clause(each), f"events[{number}].fee_cents", problem)


def _check_in_kind(
    rules: TournamentRules, rule: Said | None, key: str, items: tuple[InKind, ...], cents: int
) -> Iterator[Breach]:
    for number, item in enumerate(items):
        if rule and item.cents != cents:
            problem = f"{item.item} at {_money(item.cents)} is not worth what is paid in cash, {_money(cents)}"
            yield Breach(rules.clause(rule), f"{key}[{number}].cents", problem)


def check_chips(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield every breach of what chips are and stand for."""
    chips = rules.pages.chips
    if chips.no_value and not plan.is_points_only:
        yield Breach(rules.clause(chips.no_value), "is_points_only", "chips stand for points and have no cash value")
    if chips.no_limit and plan.wager_points_max:
        problem = f"a wager of more than {plan.wager_points_max} points is lawful: their size has no limit"
        yield Breach(rules.clause(chips.no_limit), "wager_points_max", problem)
    notice = chips.notice
    if notice and not plan.colours and not (notice.unless_printed and plan.are_chips_printed):
        problem = "say what each colour stands for: the notice at every table shows it"
        yield Breach(rules.clause(notice), "colours", problem)
    for colour, count in Counter(one.colour for one in plan.colours).items():
        if count > 1:
            yield Breach(rules.clause(), "colours", f"{colour} has {count} values")
    if plan.colours:
        yield from _check_stacks(rules, plan, min(one.points for one in plan.colours))


def _check_stacks(rules: TournamentRules, plan: Plan, least: int) -> Iterator[Breach]:
    """Yield a breach for every number of points that cannot be counted out in these chips."""
    for number, event in enumerate(plan.events):
        sold = {"points": event.points}
        sold |= {"rebuy.points": event.rebuy.points} if event.rebuy else {}
        sold |= {"add_on.points": event.add_on.points} if event.add_on else {}
        for key, points in sold.items():
            if points % least:
                problem = f"{points} cannot be counted out in chips of {least}"
                yield Breach(rules.clause(), f"events[{number}].{key}", problem)

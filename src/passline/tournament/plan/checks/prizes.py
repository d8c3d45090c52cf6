"""Checks the prizes: places without gaps, each prize described, the whole pool paid, vouchers for later events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from passline.rules.elections import Breach
from passline.tournament.plan.schema import Event, Plan, Prize
from passline.tournament.plan.spend import plan_spend
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["check_prizes"]

_ALL = 10_000  # basis points


def check_prizes(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield every breach of places, prizes, shares and vouchers."""
    for number, event in enumerate(plan.events):
        yield from _check_places(rules, event, f"events[{number}].places")
        yield from _check_vouchers(rules, plan, event, f"events[{number}].places")
    yield from _check_shares(rules, plan)
    if plan.sheet.ties == "shared" and any(_is_whole(one.prize) for event in plan.events for one in event.places):
        problem = "tied players share, but a thing or a voucher is not shared: say how they are parted"
        yield Breach(rules.clause(), "sheet.ties", problem)


def _is_whole(prize: Prize) -> bool:
    return bool(prize.item or prize.voucher)


def _check_places(rules: TournamentRules, event: Event, key: str) -> Iterator[Breach]:
    described = rules.pages.sheet.parts.get("prizes")
    if not event.places:
        yield Breach(rules.clause(described), key, "there is no prize")
    if sorted(one.place for one in event.places) != list(range(1, len(event.places) + 1)):
        listed = ", ".join(str(one.place) for one in event.places)
        yield Breach(rules.clause(), key, f"{listed}: places are numbered from 1, each once")
    ordered = sorted(event.places, key=lambda one: one.place)
    for better, worse in pairwise(ordered):
        if worse.entries_from < better.entries_from:
            problem = f"place {worse.place} would be paid without place {better.place}"
            yield Breach(rules.clause(), key, problem)
    if len(event.places) > event.entries_max:
        yield Breach(rules.clause(), key, f"{len(event.places)} places for at most {event.entries_max} entries")
    for number, one in enumerate(event.places):
        prize = one.prize
        if prize == Prize():
            problem = f"say exactly what place {one.place} wins"
            yield Breach(rules.clause(described), f"{key}[{number}].prize", problem)
        if prize.item_cents and not prize.item:
            problem = f"say exactly which thing place {one.place} wins"
            yield Breach(rules.clause(described), f"{key}[{number}].prize.item", problem)
        if prize.item and not prize.item_cents:
            problem = f"say what {prize.item} is worth: the prize form has it"
            yield Breach(rules.clause(rules.pages.prizes.form), f"{key}[{number}].prize.item_cents", problem)


def _check_vouchers(rules: TournamentRules, plan: Plan, event: Event, key: str) -> Iterator[Breach]:
    events = {one.name: one for one in plan.events}
    for number, one in enumerate(event.places):
        name = one.prize.voucher
        target = events.get(name)
        if one.prize.voucher_cents and (target is None or target.fee_cents or target.buy_in_cents):
            problem = "only a voucher for an event without fee and buy-in has a value of its own, a buy-in"
            clause = rules.clause(rules.pages.voucher.no_fee)
            yield Breach(clause, f"{key}[{number}].prize.voucher_cents", problem)
        if not name:
            continue
        if target is None:
            problem = f"{name!r} is no event of this tournament"
        elif target.first_day <= event.last_day:
            problem = f"{name!r} begins on {target.first_day}: a voucher is for an event after this one"
        else:
            continue
        yield Breach(rules.clause(rules.pages.voucher.offer), f"{key}[{number}].prize.voucher", problem)
    won = {one.prize.voucher for other in plan.events for one in other.places}
    if event.is_by_voucher and event.name not in won:
        problem = f"nobody can win a voucher for {event.name!r}"
        yield Breach(rules.clause(rules.pages.voucher.offer), key.replace("places", "is_by_voucher"), problem)


def _check_shares(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield a breach if the shares of the pool, or of the last of several pools, are not the whole of it."""
    pool = rules.pages.pool
    shares = [sum(one.prize.basis_points for one in event.places) for event in plan.events]
    has_pool = bool(plan_spend(plan).buy_in_cents or plan.house_adds_cents)
    whole = _ALL if has_pool else 0
    paid = rules.clause(pool.pays_all, pool.keeps_nothing, rules.pages.joint.paid_back if _is_joint(plan) else None)
    if not plan.events:
        return
    if plan.pools == "one":
        if sum(shares) != whole:
            yield Breach(paid, "events", _difference(sum(shares), whole))
        return
    for number, share in enumerate(shares[:-1]):
        if share > whole:
            yield Breach(rules.clause(), f"events[{number}].places", _difference(share, whole))
    if shares[-1] != whole:
        clause = rules.clause(pool.by_event, pool.pays_all, pool.keeps_nothing)
        problem = f"{_difference(shares[-1], whole)}; what earlier events have left is paid in the last"
        yield Breach(clause, f"events[{len(shares) - 1}].places", problem)


def _difference(share: int, whole: int) -> str:
    if not whole:
        return f"the places have {_percent(share)} of a pool that nobody pays into"
    return f"the places have {_percent(share)} of the pool, not all of it"


def _percent(basis_points: int) -> str:
    return f"{basis_points / 100:g}%"


def _is_joint(plan: Plan) -> bool:
    return len(plan.licensees) > 1

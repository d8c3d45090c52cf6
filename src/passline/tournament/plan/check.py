"""Checks a plan against what its regulation says of tournaments: every breach, each with its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from passline.acts.calendar.deadlines import months_later
from passline.acts.papers.sheet import PaperSheet
from passline.errors import CrapsError
from passline.money import dollar_amount, in_currency
from passline.rules.elections import Breach, House
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from passline.tournament.plan.agreement import contradictions
from passline.tournament.plan.figures import RoundSize, plan_spend, round_sizes
from passline.tournament.plan.schema import Event, InKind, Plan, Prize, Round
from passline.tournament.plan.sheet import rule_sheet, says_something
from passline.tournament.rules import CentsBound, Said, TournamentRules

_ALL = 10_000  # basis points
_GAME = 2  # players make a round
_money = partial(dollar_amount, is_grouped=True)


def check_plan(rules: TournamentRules, plan: Plan, rulebook: Rulebook | None = None) -> tuple[Breach, ...]:
    """Return every breach of a plan, and every part that its rule sheet lacks."""
    if plan.rules != rules.name:
        return (Breach(rules.clause(), "rules", f"{plan.rules!r} is not {rules.name!r}, the regulation checked"),)
    house, broken = _house_of(plan, rulebook)
    sheet = rule_sheet(rules, plan, dealt_rules(rules, plan, rulebook))
    found = (
        *_check_set_up(rules, plan, house),
        *_check_money(rules, plan),
        *_check_chips(rules, plan),
        *_check_rounds(rules, plan, house),
        *_check_prizes(rules, plan),
        *_check_words(rules, plan),
        *(Breach(breach.clause, f"house.{breach.key}", breach.problem) for breach in broken),
        *(Breach(part.clause, "sheet", f"the rule sheet does not say: {part.name}") for part in sheet.missing),
    )
    return in_currency(tuple(dict.fromkeys(found)), (rulebook or rulebook_of(plan.rules)).general.currency)


def printable_sheet(rules: TournamentRules, plan: Plan) -> PaperSheet:
    """Return the rule sheet of a lawful plan. Raise CrapsError with every breach and every part that is missing."""
    if breaches := check_plan(rules, plan):
        raise CrapsError(f"the rule sheet cannot be printed: {'; '.join(map(str, breaches))}")
    return rule_sheet(rules, plan, dealt_rules(rules, plan))


def dealt_rules(rules: TournamentRules, plan: Plan, rulebook: Rulebook | None = None) -> Rules | None:
    """Return the rules that its tables deal by, without limits where chips have none; None if they are unlawful."""
    house, broken = _house_of(plan, rulebook)
    if house is None or broken:
        return None
    return Rules(rulebook or rulebook_of(plan.rules), house, limits_apply=rules.pages.chips.no_limit is None)


def _house_of(plan: Plan, rulebook: Rulebook | None) -> tuple[House | None, tuple[Breach, ...]]:
    data: Mapping[str, Any] = {**plan.house, "name": plan.casino, "rules": plan.rules}
    return house_of(rulebook or rulebook_of(plan.rules), data)


def _check_set_up(rules: TournamentRules, plan: Plan, house: House | None) -> Iterator[Breach]:
    """Yield every breach of form, games, days, premises, licensees and entries."""
    yield from _check_form(rules, plan)
    yield from _check_games(rules, house)
    yield from _check_days(rules, plan)
    yield from _check_premises(rules, plan)
    yield from _check_licensees(rules, plan)
    yield from _check_entries(rules, plan)


def _check_form(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    offer = rules.pages.offer
    clause = rules.clause(offer)
    if not plan.events:
        yield Breach(clause, "events", "there is no event")
        return
    form = "series" if len(plan.events) > 1 else "single"
    if offer.forms and form not in offer.forms:
        yield Breach(clause, "events", f"{len(plan.events)} events; it must be {' or '.join(offer.forms)}")
    for name, count in Counter(event.name for event in plan.events).items():
        if count > 1:
            yield Breach(rules.clause(), "events", f"{count} events are called {name!r}")
    last = plan.events[-1]
    if any(event.last_day > last.last_day for event in plan.events):
        problem = f"{last.name!r}, the last event, must end last: it finds the winner of the whole series"
        yield Breach(clause, f"events[{len(plan.events) - 1}].last_day", problem)


def _check_games(rules: TournamentRules, house: House | None) -> Iterator[Breach]:
    games = rules.pages.games
    if games is None or house is None:
        return
    if house.game not in games.of:
        yield Breach(rules.clause(games), "house.game", f"{house.game!r} is not one of {', '.join(games.of)}")
    for name in house.side_wagers:
        if name not in games.side_wagers:
            problem = f"is not one of {', '.join(games.side_wagers)}"
            yield Breach(rules.clause(games), f"house.side_wagers.{name}", problem)


def _check_days(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    length = rules.pages.length
    for number, event in enumerate(plan.events):
        if event.last_day < event.first_day:
            problem = f"{event.last_day} is before its first day, {event.first_day}"
            yield Breach(rules.clause(), f"events[{number}].last_day", problem)
    if length is None or not plan.events:
        return
    begun = min(event.first_day for event in plan.events)
    last = months_later(begun, length.months)
    for number, event in enumerate(plan.events):
        if event.last_day > last:
            problem = f"{event.last_day} is after {last}: it ends within {length.months} months of {begun}"
            yield Breach(rules.clause(length), f"events[{number}].last_day", problem)


def _check_premises(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    licensed, secured = rules.pages.premises.licensed, rules.pages.premises.secured
    if licensed and not plan.premises.is_licensed:
        yield Breach(rules.clause(licensed), "premises.is_licensed", "it is held on licensed premises only")
    if secured and not plan.premises.meets_security:
        problem = "the premises must meet what is asked of security, surveillance and internal control"
        yield Breach(rules.clause(secured), "premises.meets_security", problem)


def _check_licensees(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    joint = rules.pages.joint
    if not plan.licensees:
        yield Breach(rules.clause(), "licensees", "nobody holds it")
    if len(plan.licensees) < 2:  # noqa: PLR2004 - two make it a joint one
        if plan.lead and plan.lead not in plan.licensees:
            yield Breach(rules.clause(joint.lead), "lead", f"{plan.lead!r} is not its licensee")
        return
    for number, event in enumerate(plan.events):
        if joint.single and event.fee_cents:
            problem = "an entry fee is taxable, so only one licensee may hold the tournament"
            yield Breach(rules.clause(joint.single), f"events[{number}].fee_cents", problem)
    if joint.lead and plan.lead not in plan.licensees:
        problem = f"{plan.lead!r} is not one of its licensees" if plan.lead else "name the licensee who is responsible"
        yield Breach(rules.clause(joint.lead), "lead", problem)


def _check_entries(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    entry = rules.pages.entry
    if entry.live and plan.entries_at_once > entry.live.most:
        problem = f"{plan.entries_at_once} entries of one player at once; {entry.live.most} may be alive"
        yield Breach(rules.clause(entry.live), "entries_at_once", problem)
    if entry.live and not entry.reentry:
        for number, event in enumerate(plan.events):
            if event.reentries_max:
                problem = "nobody enters again after elimination"
                yield Breach(rules.clause(entry.live), f"events[{number}].reentries_max", problem)
    if entry.criteria_related and plan.criteria and not says_something(rules.pages, plan.criteria_reason):
        problem = "say how the criteria of who may enter relate to gaming"
        yield Breach(rules.clause(entry.criteria_related), "criteria_reason", problem)


def _check_money(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
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
        if event.buy_in_cents and not any(planned.is_initial for planned in event.rounds):
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
    if each is None or not any(other.fee_cents for other in plan.events):
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


def _check_chips(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
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
    for colour, count in Counter(chip.colour for chip in plan.colours).items():
        if count > 1:
            yield Breach(rules.clause(), "colours", f"{colour} has {count} values")
    if plan.colours:
        yield from _check_stacks(rules, plan, min(chip.points for chip in plan.colours))


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


def _check_rounds(rules: TournamentRules, plan: Plan, house: House | None) -> Iterator[Breach]:
    """Yield everything that keeps rounds from being played; no clause says how they go, so all of it is practice."""
    clause = rules.clause()
    for number, event in enumerate(plan.events):
        for key, problem in _event_problems(event, house):
            yield Breach(clause, f"events[{number}].{key}", problem)


def _event_problems(event: Event, house: House | None) -> Iterator[tuple[str, str]]:
    if not event.rounds:
        yield "rounds", "there is none"
        return
    for name, count in Counter(planned.name for planned in event.rounds).items():
        if count > 1:
            yield "rounds", f"{count} rounds are called {name!r}"
    names = {planned.name for planned in event.rounds}
    for key, extra in (("rebuy", event.rebuy), ("add_on", event.add_on)):
        for name in extra.rounds if extra else ():
            if name not in names:
                yield f"{key}.rounds", f"this event has no round {name!r}"
        if extra and not extra.rounds:
            yield f"{key}.rounds", "say in which rounds"
    sizes = round_sizes(event, event.entries_max)
    for number, (planned, size) in enumerate(zip(event.rounds, sizes, strict=True)):
        is_last = number == len(event.rounds) - 1
        for key, problem in _round_problems(planned, size, house, is_last=is_last):
            yield f"rounds[{number}].{key}", problem


def _round_problems(
    planned: Round, size: RoundSize, house: House | None, *, is_last: bool
) -> Iterator[tuple[str, str]]:
    if bool(planned.rolls) == bool(planned.minutes):
        yield "rolls", "a round ends after so many rolls or after so many minutes: say one of the two"
    if house is not None and planned.seats > house.seats:
        yield "seats", f"{planned.seats}; the tables of this house have {house.seats} places"
    if is_last:
        if planned.advance or planned.wild_cards:
            yield "advance", "nobody goes on from the last round"
        if planned.carries_points:
            yield "carries_points", "there is no next round"
        return
    if planned.advance > planned.seats:
        yield "advance", f"{planned.advance} of a table of {planned.seats}"
    if size.goes_on < _GAME:
        yield "advance", f"{size.goes_on} of {size.players} players would go on, too few for another round"
    elif size.goes_on >= size.players:
        yield "advance", f"all {size.players} players would go on"


def _check_prizes(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield every breach of places, prizes, shares and vouchers."""
    for number, event in enumerate(plan.events):
        yield from _check_places(rules, event, f"events[{number}].places")
        yield from _check_vouchers(rules, plan, event, f"events[{number}].places")
    yield from _check_shares(rules, plan)
    if plan.sheet.ties == "shared" and any(place.prize.is_whole for event in plan.events for place in event.places):
        problem = "tied players share, but a thing or a voucher is not shared: say how they are parted"
        yield Breach(rules.clause(), "sheet.ties", problem)


def _check_words(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield a breach where words of the sheet contradict the rounds of the plan, as after a change of these."""
    asked = rules.pages.sheet.words
    if asked is None or not asked.agree or not plan.events or not all(event.rounds for event in plan.events):
        return
    for key in ("final_round", "conclusion", "elimination"):
        part = rules.pages.sheet.parts.get(key)
        is_printed = part is not None and part.source == key
        for problem in contradictions(plan, getattr(plan.sheet, key)):
            yield Breach(rules.clause(part if is_printed else asked), f"sheet.{key}", problem)


def _check_places(rules: TournamentRules, event: Event, key: str) -> Iterator[Breach]:
    described = rules.pages.sheet.parts.get("prizes")
    if not event.places:
        yield Breach(rules.clause(described), key, "there is no prize")
    if sorted(place.place for place in event.places) != list(range(1, len(event.places) + 1)):
        listed = ", ".join(str(place.place) for place in event.places)
        yield Breach(rules.clause(), key, f"{listed}: places are numbered from 1, each once")
    ordered = sorted(event.places, key=lambda place: place.place)
    for better, worse in pairwise(ordered):
        if worse.entries_from < better.entries_from:
            problem = f"place {worse.place} would be paid without place {better.place}"
            yield Breach(rules.clause(), key, problem)
    if len(event.places) > event.entries_max:
        yield Breach(rules.clause(), key, f"{len(event.places)} places for at most {event.entries_max} entries")
    for number, place in enumerate(event.places):
        prize = place.prize
        if prize == Prize():
            problem = f"say exactly what place {place.place} wins"
            yield Breach(rules.clause(described), f"{key}[{number}].prize", problem)
        if prize.item_cents and not prize.item:
            problem = f"say exactly which thing place {place.place} wins"
            yield Breach(rules.clause(described), f"{key}[{number}].prize.item", problem)
        if prize.item and not prize.item_cents:
            problem = f"say what {prize.item} is worth: the prize form has it"
            yield Breach(rules.clause(rules.pages.prizes.form), f"{key}[{number}].prize.item_cents", problem)


def _check_vouchers(rules: TournamentRules, plan: Plan, event: Event, key: str) -> Iterator[Breach]:
    events = {event.name: event for event in plan.events}
    voucher = rules.pages.voucher
    for number, place in enumerate(event.places):
        name, said = place.prize.voucher, voucher.offer
        target = events.get(name)
        if place.prize.voucher_cents and (target is None or target.fee_cents or target.buy_in_cents):
            problem = "only a voucher for an event without fee and buy-in has a value of its own, a buy-in"
            clause = rules.clause(voucher.no_fee)
            yield Breach(clause, f"{key}[{number}].prize.voucher_cents", problem)
        if not name:
            continue
        if target is None:
            problem = f"this tournament has no event {name!r}"
        elif target.first_day <= event.last_day:
            problem = f"{name!r} begins on {target.first_day}: a voucher is for an event after this one"
        elif voucher.listed and plan.events.index(target) < plan.events.index(event):
            problem = f"list {name!r} after this event: events end in the order of the plan, with their vouchers used"
            said = voucher.listed
        else:
            continue
        yield Breach(rules.clause(said), f"{key}[{number}].prize.voucher", problem)
    won = {place.prize.voucher for other in plan.events for place in other.places}
    if event.is_by_voucher and event.name not in won:
        problem = f"nobody can win a voucher for {event.name!r}"
        yield Breach(rules.clause(voucher.offer), key.replace("places", "is_by_voucher"), problem)


def _check_shares(rules: TournamentRules, plan: Plan) -> Iterator[Breach]:
    """Yield a breach if the shares of the pool, or of the last of several pools, are not the whole of it."""
    pool = rules.pages.pool
    shares = [sum(place.prize.basis_points for place in event.places) for event in plan.events]
    has_pool = bool(plan_spend(plan).buy_in_cents or plan.house_adds_cents)
    whole = _ALL if has_pool else 0
    paid_back = rules.pages.joint.paid_back if len(plan.licensees) > 1 else None
    paid = rules.clause(pool.pays_all, pool.keeps_nothing, paid_back)
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

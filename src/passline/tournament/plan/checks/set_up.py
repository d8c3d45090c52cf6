"""Checks who holds a tournament, where, when, by which rules of the house, and who may enter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.office.calendar.deadlines import months_later
from passline.rules.elections import Breach, House
from passline.tournament.plan.schema import Plan
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["check_set_up"]


def check_set_up(rules: TournamentRules, plan: Plan, house: House | None) -> Iterator[Breach]:
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
    for name, count in Counter(one.name for one in plan.events).items():
        if count > 1:
            yield Breach(rules.clause(), "events", f"{count} events are called {name!r}")
    last = plan.events[-1]
    if any(one.last_day > last.last_day for one in plan.events):
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
    begun = min(one.first_day for one in plan.events)
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
        problem = f"{plan.lead!r} is none of its licensees" if plan.lead else "name the licensee who is responsible"
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
    if entry.criteria_related and plan.criteria and not plan.criteria_reason:
        problem = "say how the criteria of who may enter relate to gaming"
        yield Breach(rules.clause(entry.criteria_related), "criteria_reason", problem)

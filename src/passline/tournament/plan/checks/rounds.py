"""Checks the rounds of each event: that they end, seat everybody and let the right number go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.rules.elections import Breach, House
from passline.tournament.plan.rounds import RoundSize, round_sizes
from passline.tournament.plan.schema import Event, Plan, Round
from passline.tournament.rules.tournament_rules import TournamentRules

__all__ = ["check_rounds"]

_GAME = 2  # players make a round


def check_rounds(rules: TournamentRules, plan: Plan, house: House | None) -> Iterator[Breach]:
    """Yield everything that keeps rounds from being played; no clause says how they go, so all of it is practice."""
    clause = rules.clause()
    for number, event in enumerate(plan.events):
        for key, problem in _event_problems(event, house):
            yield Breach(clause, f"events[{number}].{key}", problem)


def _event_problems(event: Event, house: House | None) -> Iterator[tuple[str, str]]:
    if not event.rounds:
        yield "rounds", "there is none"
        return
    for name, count in Counter(one.name for one in event.rounds).items():
        if count > 1:
            yield "rounds", f"{count} rounds are called {name!r}"
    names = {one.name for one in event.rounds}
    for key, extra in (("rebuy", event.rebuy), ("add_on", event.add_on)):
        for name in extra.rounds if extra else ():
            if name not in names:
                yield f"{key}.rounds", f"{name!r} is no round of this event"
        if extra and not extra.rounds:
            yield f"{key}.rounds", "say in which rounds"
    sizes = round_sizes(event, event.entries_max)
    for number, (one, size) in enumerate(zip(event.rounds, sizes, strict=True)):
        is_last = number == len(event.rounds) - 1
        for key, problem in _round_problems(one, size, house, is_last=is_last):
            yield f"rounds[{number}].{key}", problem


def _round_problems(one: Round, size: RoundSize, house: House | None, *, is_last: bool) -> Iterator[tuple[str, str]]:
    if bool(one.rolls) == bool(one.minutes):
        yield "rolls", "a round ends after so many rolls or after so many minutes: say one of the two"
    if house is not None and one.seats > house.seats:
        yield "seats", f"{one.seats}; the tables of this house have {house.seats} places"
    if is_last:
        if one.advance or one.wild_cards:
            yield "advance", "nobody goes on from the last round"
        if one.carries_points:
            yield "carries_points", "there is no next round"
        return
    if one.advance > one.seats:
        yield "advance", f"{one.advance} of a table of {one.seats}"
    if size.goes_on < _GAME:
        yield "advance", f"{size.goes_on} of {size.players} players would go on, too few for another round"
    elif size.goes_on >= size.players:
        yield "advance", f"all {size.players} players would go on"

"""Prize money: who may win a place of an event, and what its places win as the pool stands."""

from __future__ import annotations

from collections.abc import Sequence

from passline.money import Cents
from passline.tournament.judges.rounds import standing_of
from passline.tournament.plan.schema import Event, Place
from passline.tournament.results.prizes import Award, awards_of, places_paid
from passline.tournament.results.ranking import Rank, ranks_of
from passline.tournament.rules.schema import TournamentPages
from passline.tournament.state import KnownEntry, TournamentState

__all__ = ["OUT", "cash_of", "expected_awards", "places_of", "ranks_in", "to_award", "voucher_cents", "voucher_values"]

OUT = frozenset({"disqualified", "withdrawn"})
"""The status of who can win nothing any more."""


def places_of(state: TournamentState, event: Event) -> tuple[Place, ...]:
    """Return the places of an event that win something, as many as have players."""
    entries = [one for one in state.of_event(event.name) if one.status != "withdrawn"]
    return places_paid(event, len(entries), len(_in_the_running(state, event)))


def ranks_in(state: TournamentState, event: Event) -> tuple[Rank, ...]:
    """Return the order of everybody who has played an event and may win."""
    return ranks_of(standing_of(one) for one in _in_the_running(state, event))


def _in_the_running(state: TournamentState, event: Event) -> list[KnownEntry]:
    """Return who may win something: everybody who has played, or whoever is there if too few came to play at all."""
    is_walk_over = not state.rounds_of(event.name)
    return [one for one in state.of_event(event.name) if one.status not in OUT and (one.round or is_walk_over)]


def expected_awards(pages: TournamentPages, state: TournamentState, event: Event) -> tuple[Award, ...]:
    """Return what the places of an event win if nothing more comes in; those of the plan if nobody has entered."""
    places = places_of(state, event) or tuple(sorted(event.places, key=lambda one: one.place))
    ranks = [Rank(number, number, 0) for number in range(1, len(places) + 1)]
    values = voucher_values(pages, state, places)
    return awards_of(places, ranks, max(to_award(pages, state, event), Cents(sum(values))), values)


def cash_of(pages: TournamentPages, state: TournamentState, event: Event, players: int) -> int:
    """Return the cash that the best so many players of an event win together."""
    return sum(one.pool_cents + one.house_cents for one in expected_awards(pages, state, event)[:players])


def to_award(pages: TournamentPages, state: TournamentState, event: Event) -> Cents:
    """Return what an event pays out: its share of the pool, and no less than its vouchers are worth."""
    need = sum(voucher_values(pages, state, places_of(state, event)))
    return Cents(max(state.to_award(event), min(need, state.free(event.name))))


def voucher_values(pages: TournamentPages, state: TournamentState, places: Sequence[Place]) -> list[int]:
    """Return what the voucher of each place is worth, 0 for none."""
    return [sum(voucher_cents(pages, state, one)) for one in places]


def voucher_cents(pages: TournamentPages, state: TournamentState, place: Place) -> tuple[int, int]:
    """Return the fee and buy-in that a place's voucher is good for.

    Where the event has neither, the voucher is a buy-in of what the plan says it is worth, if the text has it so.
    """
    target = state.event(place.prize.voucher)
    if target is None:
        return 0, 0
    if target.fee_cents or target.buy_in_cents:
        return target.fee_cents, target.buy_in_cents
    return 0, place.prize.voucher_cents if pages.voucher.no_fee else 0

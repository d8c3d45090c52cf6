"""Figures that follow from a plan: players and tables of each round, and the most that one player could spend."""

from __future__ import annotations

from msgspec import Struct

from passline.tournament.plan.schema import AddOn, Event, Plan, Rebuy


class RoundSize(Struct, frozen=True):
    """A round with its players, the tables that seat them, and how many go on."""

    name: str
    players: int
    tables: int
    goes_on: int


def round_sizes(event: Event, entries: int) -> tuple[RoundSize, ...]:
    """Return the size of each round: as many tables as seat everybody, and from each those who advance.

    >>> from passline.tournament.plan.reader import example_plan
    >>> [(size.players, size.tables) for size in round_sizes(example_plan("colorado").events[0], 160)]
    [(160, 10), (32, 2), (12, 1)]
    """
    sizes: list[RoundSize] = []
    players = entries
    for planned in event.rounds:
        tables = -(-players // planned.seats)
        least = players // tables if tables else 0  # at the smallest table
        goes_on = min(tables * min(planned.advance, least) + planned.wild_cards, players)
        sizes.append(RoundSize(planned.name, players, tables, goes_on))
        players = goes_on
    return tuple(sizes)


class Spend(Struct, frozen=True):
    """The most that one player can pay: entry fees, and buy-ins with re-buys and add-ons."""

    fee_cents: int = 0
    buy_in_cents: int = 0
    initial_cents: int = 0  # of the buy-ins, what can be bought with the initial rounds

    @property
    def cents(self) -> int:
        """All of it together."""
        return self.fee_cents + self.buy_in_cents


def event_spend(event: Event) -> Spend:
    """Return what one player could spend on an event: the first entry and every re-entry with all that it may buy.

    >>> from passline.tournament.plan.reader import example_plan
    >>> event_spend(example_plan("colorado").events[0])
    Spend(fee_cents=15000, buy_in_cents=48000, initial_cents=48000)
    """
    entries = 1 + event.reentries_max
    initial = {planned.name for planned in event.rounds if planned.is_initial}
    bought = sum(extra.cents * extra.most for extra in _extras(event))
    early = sum(extra.cents * extra.most for extra in _extras(event) if initial & {*extra.rounds})
    return Spend(
        event.fee_cents * entries,
        (event.buy_in_cents + bought) * entries,
        (event.buy_in_cents + early) * entries if initial else 0,
    )


def _extras(event: Event) -> tuple[Rebuy | AddOn, ...]:
    return tuple(extra for extra in (event.rebuy, event.add_on) if extra is not None)


def plan_spend(plan: Plan) -> Spend:
    """Return what one player could spend over all events."""
    events = [event_spend(event) for event in plan.events]
    return Spend(
        sum(spend.fee_cents for spend in events),
        sum(spend.buy_in_cents for spend in events),
        sum(spend.initial_cents for spend in events),
    )

"""What one player could spend in a tournament, however it is paid: the limits are held against this."""

from __future__ import annotations

from msgspec import Struct

from passline.tournament.plan.schema import AddOn, Event, Plan, Rebuy

__all__ = ["Spend", "event_spend", "plan_spend"]


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

    >>> from passline.tournament.plan.example import example_plan
    >>> event_spend(example_plan("colorado").events[0])
    Spend(fee_cents=15000, buy_in_cents=48000, initial_cents=48000)
    """
    entries = 1 + event.reentries_max
    initial = {one.name for one in event.rounds if one.is_initial}
    bought = sum(one.cents * one.most for one in _extras(event))
    early = sum(one.cents * one.most for one in _extras(event) if initial & {*one.rounds})
    return Spend(
        event.fee_cents * entries,
        (event.buy_in_cents + bought) * entries,
        (event.buy_in_cents + early) * entries if initial else 0,
    )


def _extras(event: Event) -> tuple[Rebuy | AddOn, ...]:
    return tuple(one for one in (event.rebuy, event.add_on) if one is not None)


def plan_spend(plan: Plan) -> Spend:
    """Return what one player could spend over all events."""
    events = [event_spend(one) for one in plan.events]
    return Spend(
        sum(one.fee_cents for one in events),
        sum(one.buy_in_cents for one in events),
        sum(one.initial_cents for one in events),
    )

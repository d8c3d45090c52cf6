"""Double entry of a tournament's money: every event's movements sum to zero.

`cash`, `in_kind`, `complimentary` and `house` are where money comes from; `fees` and `pool/NAME` hold it; `vouchers`
holds the value of those not used yet; `paid` is what winners have received. So at any moment
fees + pools + vouchers + paid = cash + in kind + complimentary + added by the house.
"""

from __future__ import annotations

from passline.tournament import events as e
from passline.tournament.events import Paid, TournamentEvent
from passline.tournament.state import TournamentState

__all__ = ["SOURCES", "money_moves"]

SOURCES = {"cash": "cash", "in_kind": "in_kind", "complimentary": "complimentary", "voucher": "vouchers"}
"""The account that each way of paying takes from."""

_Moves = tuple[tuple[str, int], ...]


def money_moves(state: TournamentState, event: TournamentEvent) -> _Moves:
    """Return what an event moves between accounts, in cents."""
    match event:
        case e.PlayerEntered():
            return (*_paid(event.fee, "fees"), *_paid(event.buy_in, state.pool_of(event.event_name)))
        case e.EntryWithdrawn():
            entry = state.entries[str(event.entry)]
            back = (*_paid(entry.fee, "fees"), *_paid(entry.buy_in, state.pool_of(entry.event_name)))
            return tuple((account, -cents) for account, cents in back)
        case e.ChipsBought():
            return _paid(event.paid, state.pool_of(state.entries[str(event.entry)].event_name))
        case e.MoneyAdded():
            return (("house", -event.cents), (event.pool, event.cents))
        case e.PoolCarried():
            return ((event.source, -event.cents), (event.target, event.cents))
        case e.VoucherIssued():
            pool = state.pool_of(state.entries[str(event.entry)].event_name)
            cents = event.fee_cents + event.buy_in_cents
            return ((pool, -cents), ("vouchers", cents))
        case e.VoucherReturned():
            voucher = state.vouchers[str(event.number)]
            cents = voucher.fee_cents + voucher.buy_in_cents
            return (("vouchers", -cents), (event.pool, cents))
        case e.PrizePaid():
            return (
                (event.pool, -event.pool_cents),
                ("house", -event.house_cents),
                ("paid", event.pool_cents + event.house_cents),
            )
        case _:
            return ()


def _paid(paid: Paid, target: str) -> _Moves:
    return ((SOURCES[paid.how], -paid.cents), (target, paid.cents)) if paid.cents else ()

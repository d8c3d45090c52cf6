"""Where the chips and coupons of a table are and how each event moves them, written independently of `evolve`."""

from __future__ import annotations

from passline.game import events as e
from passline.game.position import Table, Wager


def total_of(table: Table) -> int:
    """Return the cents of all chips: racks, layout, bank, tip box and drop."""
    money = table.money
    staked = sum(wager.cents for wager in table.position.layout)
    return sum(money.racks) + staked + money.bank + money.tip_box + money.drop


def coupons_of(table: Table) -> int:
    """Return the face of all coupons: in hand, on the layout, and taken."""
    return sum(table.money.coupons) + sum(wager.coupon for wager in table.position.layout) + table.money.coupons_taken


def brought(event: e.Event) -> tuple[int, int]:
    """Return the cents and coupons an event brings to the table; only four kinds of event do."""
    match event:
        case e.BuyInMade():
            return event.cents, event.coupon  # the cash in the drop; the chips only change hands
        case e.SeatLeft():
            return -event.cents, -event.coupon
        case e.FillMade():
            return event.cents, 0
        case e.CreditMade():
            return -event.cents, 0
        case _:
            return 0, 0


def owed(event: e.Event) -> tuple[str, int]:
    """Return the owner of an event's wager and the cents the owner gets; nobody if no wager is decided."""
    match event:
        case e.WagerWon():
            return event.wager.owner, event.cents + event.winnings - event.vigorish
        case e.MeterPaid():
            return event.wager.owner, event.cents
        case e.WagerRemoved() | e.WagerReturned():
            return event.wager.owner, event.wager.cents + event.wager.vigorish
        case e.WagerReduced():
            return event.wager.owner, _paid_for(event.wager) - _paid_for(event.after)
        case _:
            return "", 0


def racked(event: e.Event) -> int:
    """Return the cents an event adds to the racks; a tip is paid from a rack but never returns to it."""
    owner, cents = owed(event)
    match event:
        case e.BuyInMade():
            return event.cents
        case e.SeatLeft():
            return -event.cents
        case e.WagerMade():
            return -_paid_for(event.after)
        case e.WagerIncreased():
            return _paid_for(event.wager) - _paid_for(event.after)
        case _:
            return cents if owner == "player" else 0


def _paid_for(wager: Wager) -> int:
    return wager.cents + wager.vigorish

"""Applying events to a table: no rules, no clock and no dice are needed.

`fold` applies all events of a decision to one scratch copy and builds one new table from it.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from passline.game import events as e
from passline.game.position import Money, Table, Wager

__all__ = ["evolve", "fold", "one_wager_made"]


def evolve(table: Table, event: e.Event) -> Table:
    """Return the table after one event."""
    return fold(table, (event,))


def fold(table: Table, happened: Sequence[e.Event]) -> Table:
    """Return the table after several events."""
    if len(happened) == 1 and type(event := happened[0]) is e.WagerMade:
        made = event.after
        if made.owner == "player" and not made.coupon:
            return one_wager_made(table, made, bisect(table.position.layout, made))
    scratch = _Scratch(table)
    for event in happened:
        _FOLDS[type(event)](scratch, event)
    return scratch.table()


def one_wager_made(table: Table, made: Wager, place: int) -> Table:
    """Return the table after one plain WagerMade, the commonest decision, at half the cost of a scratch copy."""
    position, money = table.position, table.money
    layout, racks = [*position.layout], [*money.racks]
    layout.insert(place, made)
    racks[made.seat - 1] -= made.cents + made.vigorish
    bank = money.bank + made.vigorish
    return Table(
        replace(position, layout=tuple(layout)),
        Money(tuple(racks), bank, money.tip_box, money.drop, money.coupons, money.coupons_taken),
    )


class _Scratch:
    """A mutable copy of a table, so that many events need one rebuild.

    `up` holds the wagers of the layout, in order except for those in `added`; no two wagers of a layout are equal.
    """

    __slots__ = (
        "added", "bank", "changes", "coupons", "coupons_taken", "drop", "position", "racks", "tip_box", "up",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        money = table.money
        self.position = table.position
        self.up: dict[Wager, None] = dict.fromkeys(table.position.layout)
        self.added: list[Wager] = []
        self.racks = list(money.racks)
        self.bank = money.bank
        self.tip_box = money.tip_box
        self.drop = money.drop
        self.coupons = money.coupons
        self.coupons_taken = money.coupons_taken
        self.changes: dict[str, Any] = {}

    def table(self) -> Table:
        if self.added or len(self.up) < len(self.position.layout):
            is_sorted = self.up.keys().isdisjoint(self.added)
            self.changes["layout"] = tuple(self.up if is_sorted else sorted(self.up))
        return Table(
            position=replace(self.position, **self.changes) if self.changes else self.position,
            money=Money(tuple(self.racks), self.bank, self.tip_box, self.drop, self.coupons, self.coupons_taken),
        )

    def make(self, wager: Wager) -> None:
        assert wager not in self.up, "an event made a wager that is up already"
        self.up[wager] = None
        self.added.append(wager)

    def swap(self, wager: Wager, after: Wager | None) -> None:
        del self.up[wager]
        if after is not None:
            self.make(after)

    def pay(self, wager: Wager, cents: int) -> None:
        """Add chips to what a wager's owner has: the player's rack, or the crew's tip box."""
        if wager.owner == "player":
            self.racks[wager.seat - 1] += cents
        else:
            self.tip_box += cents

    def give_coupon(self, seat: int, face: int) -> None:
        held = list(self.coupons)
        held[seat - 1] += face
        self.coupons = tuple(held)


def _seat(scratch: _Scratch, seat: int, state: str) -> None:
    seats = list(scratch.changes.get("seats", scratch.position.seats))
    seats[seat - 1] = state
    scratch.changes["seats"] = tuple(seats)


def _seat_taken(scratch: _Scratch, event: e.SeatTaken) -> None:
    _seat(scratch, event.seat, "employee" if event.is_employee else "seated")


def _seat_left(scratch: _Scratch, event: e.SeatLeft) -> None:
    _seat(scratch, event.seat, "")
    scratch.racks[event.seat - 1] -= event.cents
    scratch.give_coupon(event.seat, -event.coupon)


def _player_stood(scratch: _Scratch, event: e.PlayerStood) -> None:
    _seat(scratch, event.seat, "standing")


def _player_sat(scratch: _Scratch, event: e.PlayerSat) -> None:
    _seat(scratch, event.seat, "seated")


def _buy_in_made(scratch: _Scratch, event: e.BuyInMade) -> None:
    scratch.racks[event.seat - 1] += event.cents
    scratch.bank -= event.cents
    scratch.drop += event.cents
    if event.coupon:
        scratch.give_coupon(event.seat, event.coupon)


def _fill_made(scratch: _Scratch, event: e.FillMade) -> None:
    scratch.bank += event.cents


def _credit_made(scratch: _Scratch, event: e.CreditMade) -> None:
    scratch.bank -= event.cents


def _wager_made(scratch: _Scratch, event: e.WagerMade) -> None:
    after = event.after
    scratch.make(after)
    scratch.racks[after.seat - 1] -= after.cents + after.vigorish  # the player pays for a tip too
    scratch.bank += after.vigorish
    if after.coupon:
        scratch.give_coupon(after.seat, -after.coupon)


def _wager_changed(scratch: _Scratch, event: e.WagerIncreased | e.WagerReduced) -> None:
    before, after = event.wager, event.after
    scratch.swap(before, after)
    added = after.cents + after.vigorish - before.cents - before.vigorish
    if added > 0:
        scratch.racks[after.seat - 1] -= added
    else:
        scratch.pay(before, -added)
    scratch.bank += after.vigorish - before.vigorish
    if after.coupon != before.coupon:
        scratch.give_coupon(after.seat, before.coupon - after.coupon)


def _wager_removed(scratch: _Scratch, event: e.WagerRemoved | e.WagerReturned) -> None:
    wager = event.wager
    scratch.swap(wager, None)
    scratch.pay(wager, wager.cents + wager.vigorish)
    scratch.bank -= wager.vigorish
    if wager.coupon:
        scratch.give_coupon(wager.seat, wager.coupon)


def _wager_marked(
    scratch: _Scratch,
    event: e.WagerCalled | e.ButtonPlaced | e.CallLapsed | e.WagerConfirmed | e.WagerMoved | e.WagerProgressed,
) -> None:
    scratch.swap(event.wager, event.after)


def _wager_lost(scratch: _Scratch, event: e.WagerLost) -> None:
    scratch.swap(event.wager, event.after)
    scratch.bank += event.cents
    if event.after is None:
        scratch.coupons_taken += event.wager.coupon


def _wager_won(scratch: _Scratch, event: e.WagerWon) -> None:
    scratch.swap(event.wager, event.after)
    net = event.winnings - event.vigorish
    scratch.pay(event.wager, event.cents + net)
    scratch.bank -= net
    if event.after is None:
        scratch.coupons_taken += event.wager.coupon


def _dice_offered(scratch: _Scratch, event: e.DiceOffered) -> None:
    scratch.changes |= {"dice": "offered", "offered_to": event.seat, "offer_from": event.seat, "dice_set": event.dice}


def _dice_accepted(scratch: _Scratch, event: e.DiceAccepted) -> None:
    changes = {"dice": "accepted", "shooter": event.seat, "offered_to": 0, "offer_from": 0, "declined": 0}
    scratch.changes |= {**changes, "closed": ()}  # a declined line wager left the windows as they were


def _dice_declined(scratch: _Scratch, event: e.DiceDeclined) -> None:
    scratch.changes["offered_to"] = event.offered_to


def _dice_surrendered(scratch: _Scratch, event: e.DiceSurrendered) -> None:
    places = len(scratch.position.seats)
    changes = {"dice": "cup", "shooter": 0, "offered_to": event.seat % places + 1, "faces": (0, 0)}
    scratch.changes |= {**changes, "closed": ()}  # a new shooter's hand opens every window


def _dice_cupped(scratch: _Scratch, event: e.DiceCupped) -> None:
    changes = {"dice": "cup", "offered_to": event.offer_from, "offer_from": 0, "declined": 0, "dice_set": 0}
    scratch.changes |= changes


def _line_wager_declined(scratch: _Scratch, event: e.LineWagerDeclined) -> None:
    places = len(scratch.position.seats)
    changes = {"dice": "cup", "shooter": 0, "offered_to": event.seat % places + 1, "declined": event.seat}
    scratch.changes |= changes


def _clearing_began(scratch: _Scratch, event: e.ClearingBegan) -> None:
    scratch.changes |= {
        "is_clearing": True,
        "shooter": event.seat,
        "dice": "held",
        "offered_to": 0,
        "offer_from": 0,
        "declined": 0,
        "dice_set": 0,
    }


def _dice_landed(scratch: _Scratch, event: e.DiceLanded) -> None:
    scratch.changes["dice"] = "rest"
    scratch.changes["faces"] = (event.first, event.second)


def _dispute_decided(scratch: _Scratch, event: e.DisputeDecided) -> None:
    scratch.changes |= {"dice": "rest", "faces": (event.first, event.second), "is_disputed": False}


def _window_closed(scratch: _Scratch, event: e.WindowClosed) -> None:
    closed = scratch.changes.get("closed", scratch.position.closed)
    scratch.changes["closed"] = tuple(sorted({*closed, event.window}))


def _surveillance_notified(scratch: _Scratch, event: e.SurveillanceNotified) -> None:
    """Change nothing: the notice itself is the record."""


def _puck_moved(scratch: _Scratch, event: e.PuckMoved) -> None:
    scratch.changes["puck"] = event.point


def _set_fields(**changes: Any) -> Callable[[_Scratch, Any], None]:  # noqa: ANN401 - fields of a position, of several types
    """Return a fold that sets these fields of the position, whatever the event holds."""

    def fold_event(scratch: _Scratch, _event: e.Event) -> None:
        scratch.changes |= changes

    return fold_event


_FOLDS: dict[type, Callable[[_Scratch, Any], None]] = {
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.PlayerStood: _player_stood,
    e.PlayerSat: _player_sat,
    e.BuyInMade: _buy_in_made,
    e.FillMade: _fill_made,
    e.CreditMade: _credit_made,
    e.WagerMade: _wager_made,
    e.WagerIncreased: _wager_changed,
    e.WagerReduced: _wager_changed,
    e.WagerRemoved: _wager_removed,
    e.WagerCalled: _wager_marked,
    e.ButtonPlaced: _wager_marked,
    e.CallLapsed: _wager_marked,
    e.WagerConfirmed: _wager_marked,
    e.WagerLost: _wager_lost,
    e.WagerWon: _wager_won,
    e.WagerReturned: _wager_removed,
    e.WagerMoved: _wager_marked,
    e.WagerProgressed: _wager_marked,
    e.WindowClosed: _window_closed,
    e.SurveillanceNotified: _surveillance_notified,
    e.DiceOffered: _dice_offered,
    e.DiceAccepted: _dice_accepted,
    e.DiceDeclined: _dice_declined,
    e.DiceChosen: _set_fields(dice="held", dice_set=0),
    e.DiceSurrendered: _dice_surrendered,
    e.DiceCupped: _dice_cupped,
    e.LineWagerDeclined: _line_wager_declined,
    e.ClearingBegan: _clearing_began,
    e.ClearingEnded: _set_fields(is_clearing=False),
    e.DiceThrown: _set_fields(dice="air"),
    e.DiceLanded: _dice_landed,
    e.RollVoided: _set_fields(dice="held", faces=(0, 0), is_disputed=False),
    e.FacesDisputed: _set_fields(is_disputed=True),
    e.DisputeDecided: _dispute_decided,
    e.RollCalled: _set_fields(dice="called"),
    e.RollSettled: _set_fields(dice="centre", faces=(0, 0)),
    e.PuckMoved: _puck_moved,
    e.DicePassed: _set_fields(dice="held"),
}

"""Applying events to a table: no rules, no clock and no dice are needed.

`fold` applies all events of a decision to one scratch copy and builds one new table from it.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from passline.game import events as e
from passline.game.position import METER_CLOSED, Money, Table, Wager


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


def one_wager_made(table: Table, made: Wager, place: int, standing: Wager | None = None) -> Table:
    """Return the table after one plain wager, the commonest decision, at half the cost of a scratch copy.

    `standing` is the wager at that place of the layout that became this one.
    """
    position, money = table.position, table.money
    layout, racks = [*position.layout], [*money.racks]
    cents, vigorish = made.cents, made.vigorish
    if standing is None:
        layout.insert(place, made)
    else:
        layout[place] = made
        cents, vigorish = cents - standing.cents, vigorish - standing.vigorish
    racks[made.seat - 1] -= cents + vigorish
    bank = money.bank + vigorish
    return Table(
        replace(position, layout=tuple(layout)),
        Money(tuple(racks), bank, money.tip_box, money.drop, money.coupons, money.coupons_taken),
        table.meters,
    )


class _Scratch:
    """A mutable copy of a table, so that many events need one rebuild.

    `up` holds the wagers of the layout, in order except for those in `added`; no two wagers of a layout are equal.
    """

    __slots__ = (
        "added", "bank", "changes", "coupons", "coupons_taken", "drop", "meters", "position", "racks", "tip_box", "up",
    )  # fmt: skip

    def __init__(self, table: Table) -> None:
        money = table.money
        self.position = table.position
        self.meters = table.meters
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
            meters=self.meters,
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

    def add_to_bank(self, cents: int) -> None:
        self.bank += cents

    def give_coupon(self, seat: int, face: int) -> None:
        held = list(self.coupons)
        held[seat - 1] += face
        self.coupons = tuple(held)


def _seat(scratch: _Scratch, seat: int, state: str) -> None:
    seats = list(scratch.changes.get("seats", scratch.position.seats))
    seats[seat - 1] = state
    scratch.changes["seats"] = tuple(seats)


def _seat_left(scratch: _Scratch, event: e.SeatLeft) -> None:
    _seat(scratch, event.seat, "")
    scratch.racks[event.seat - 1] -= event.cents
    scratch.give_coupon(event.seat, -event.coupon)


def _buy_in_made(scratch: _Scratch, event: e.BuyInMade) -> None:
    scratch.racks[event.seat - 1] += event.cents
    scratch.bank -= event.cents
    scratch.drop += event.cents
    if event.coupon:
        scratch.give_coupon(event.seat, event.coupon)


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


def _wager_swapped(scratch: _Scratch, event: Any) -> None:  # noqa: ANN401 - of any event that changes a wager alone
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


def _meter_set(scratch: _Scratch, event: e.MeterRaised | e.MeterOpened) -> None:
    scratch.meters = tuple(sorted({**dict(scratch.meters), event.kind: event.meter}.items()))


def _meter_paid(scratch: _Scratch, event: e.MeterPaid) -> None:
    scratch.meters = tuple(sorted({**dict(scratch.meters), event.wager.kind: event.meter}.items()))
    scratch.pay(event.wager, event.cents)
    scratch.bank -= event.cents


def _meter_closed(scratch: _Scratch, event: e.MeterClosed) -> None:
    scratch.meters = tuple(sorted({**dict(scratch.meters), event.kind: METER_CLOSED}.items()))


def _window_closed(scratch: _Scratch, event: e.WindowClosed) -> None:
    closed = scratch.changes.get("closed", scratch.position.closed)
    scratch.changes["closed"] = tuple(sorted({*closed, event.window}))


def _set(**changes: Any) -> Callable[[_Scratch, Any], None]:  # noqa: ANN401 - fields of a position, of several types
    """Return a fold that sets these fields of the position, whatever the event holds."""

    def fold_event(scratch: _Scratch, _event: e.Event) -> None:
        scratch.changes |= changes

    return fold_event


def _dice_landed(scratch: _Scratch, event: e.DiceLanded) -> None:
    scratch.changes["dice"] = "rest"
    scratch.changes["faces"] = (event.first, event.second)


def _puck_moved(scratch: _Scratch, event: e.PuckMoved) -> None:
    scratch.changes["puck"] = event.point


def _dice_given_up(scratch: _Scratch, event: e.DiceSurrendered | e.LineWagerDeclined) -> None:
    """Put the dice back into the cup; the next offer begins at the shooter's left."""
    after = event.seat % len(scratch.position.seats) + 1
    scratch.changes |= {"dice": "cup", "shooter": 0, "offered_to": after}
    if isinstance(event, e.LineWagerDeclined):
        scratch.changes["declined"] = event.seat
    else:
        scratch.changes |= {"faces": (0, 0), "closed": ()}  # a new shooter's hand opens every window


_NO_OFFER = {"offered_to": 0, "offer_from": 0, "declined": 0}
_FOLDS: dict[type, Callable[[_Scratch, Any], None]] = {
    e.SeatTaken: lambda scratch, event: _seat(scratch, event.seat, "employee" if event.is_employee else "seated"),
    e.SeatLeft: _seat_left,
    e.PlayerStood: lambda scratch, event: _seat(scratch, event.seat, "standing"),
    e.PlayerSat: lambda scratch, event: _seat(scratch, event.seat, "seated"),
    e.BuyInMade: _buy_in_made,
    e.FillMade: lambda scratch, event: scratch.add_to_bank(event.cents),
    e.CreditMade: lambda scratch, event: scratch.add_to_bank(-event.cents),
    e.WagerMade: _wager_made,
    e.WagerIncreased: _wager_changed,
    e.WagerReduced: _wager_changed,
    e.WagerRemoved: _wager_removed,
    e.WagerCalled: _wager_swapped,
    e.ButtonPlaced: _wager_swapped,
    e.CallLapsed: _wager_swapped,
    e.WagerConfirmed: _wager_swapped,
    e.WagerLost: _wager_lost,
    e.WagerWon: _wager_won,
    e.WagerReturned: _wager_removed,
    e.MeterRaised: _meter_set,
    e.MeterOpened: _meter_set,
    e.MeterClosed: _meter_closed,
    e.MeterPaid: _meter_paid,
    e.WagerMoved: _wager_swapped,
    e.WagerProgressed: _wager_swapped,
    e.WindowClosed: _window_closed,
    e.SurveillanceNotified: _set(),
    e.DiceOffered: lambda scratch, event: scratch.changes.update(
        dice="offered", offered_to=event.seat, offer_from=event.seat, dice_set=event.dice
    ),
    # A declined line wager left the windows as they were.
    e.DiceAccepted: lambda scratch, event: scratch.changes.update(
        _NO_OFFER, dice="accepted", shooter=event.seat, closed=()
    ),
    e.DiceDeclined: lambda scratch, event: scratch.changes.update(offered_to=event.offered_to),
    e.DiceChosen: _set(dice="held", dice_set=0),
    e.DiceSurrendered: _dice_given_up,
    e.DiceCupped: lambda scratch, event: scratch.changes.update(
        _NO_OFFER, dice="cup", offered_to=event.offer_from, dice_set=0
    ),
    e.LineWagerDeclined: _dice_given_up,
    e.ClearingBegan: lambda scratch, event: scratch.changes.update(
        _NO_OFFER, is_clearing=True, shooter=event.seat, dice="held", dice_set=0
    ),
    e.ClearingEnded: _set(is_clearing=False),
    e.DiceThrown: _set(dice="air"),
    e.DiceLanded: _dice_landed,
    e.RollVoided: _set(dice="held", faces=(0, 0), is_disputed=False),
    e.FacesDisputed: _set(is_disputed=True),
    e.DisputeDecided: lambda scratch, event: scratch.changes.update(
        dice="rest", faces=(event.first, event.second), is_disputed=False
    ),
    e.RollCalled: _set(dice="called"),
    e.RollSettled: _set(dice="centre", faces=(0, 0)),
    e.PuckMoved: _puck_moved,
    e.DicePassed: _set(dice="held"),
}

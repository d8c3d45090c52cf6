"""The state of a table: a position (what the automaton keys on) and the money beside it."""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal

from msgspec import Struct

from passline.rules.rules import Rules

__all__ = [
    "Dice",
    "Money",
    "Phase",
    "Position",
    "Seat",
    "Table",
    "Wager",
    "find",
    "next_seat",
    "open_table",
    "place_of",
]

Phase = Literal["come_out", "point", "clearing"]
"""What kind of roll comes next."""
Dice = Literal["cup", "offered", "accepted", "held", "air", "rest", "called", "centre"]
"""Where the dice are."""
_ROLLING = frozenset({"air", "rest", "called"})
Seat = Literal["", "seated", "standing", "employee"]
"""Who is at a seat, if anybody."""


class Wager(Struct, frozen=True, gc=False, order=True, cache_hash=True):
    """One wager on the layout. Its order is the layout's: seat, owner, wager, number."""

    seat: int
    owner: str
    kind: str
    number: int
    cents: int
    working: str = ""  # "on?" or "off?": called, no button yet; "on" or "off": called and marked by the dealer
    vigorish: int = 0  # charged when made, held until the wager is decided
    coupon: int = 0  # face value of the match-play coupon that lies with it
    pending: tuple[str, ...] = ()  # the roles whose confirmation it still needs
    late: bool = False  # made while the dice were in the air
    progress: tuple[int, ...] = ()  # of a side wager; empty until the first roll it stands through


class Position(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything public about a table, except money in racks."""

    puck: int = 0  # the point, or 0 for OFF
    is_clearing: bool = False
    shooter: int = 0  # seat, or 0 when nobody has the dice
    dice: Dice = "cup"
    offered_to: int = 0  # whom the set lies before; with the dice in the cup, where the next offer starts (0: opening)
    offer_from: int = 0  # the first seat of this round of offers
    declined: int = 0  # the shooter who declined a line wager while come wagers were up
    dice_set: int = 0  # how many dice are in the set on offer
    faces: tuple[int, int] = (0, 0)  # at rest
    is_disputed: bool = False
    closed: tuple[str, ...] = ()  # the windows this hand has closed
    seats: tuple[Seat, ...] = ()
    layout: tuple[Wager, ...] = ()

    @property
    def is_rolling(self) -> bool:
        """Whether a roll is under way: thrown, and not settled yet."""
        return self.dice in _ROLLING

    @property
    def phase(self) -> Phase:
        """Whether a come-out roll comes next, a point is on, or come wagers are being cleared."""
        if self.puck:
            return "point"
        return "clearing" if self.is_clearing else "come_out"


class Money(Struct, frozen=True, gc=False):
    """Where the chips are: racks by seat, the bank, the tip box, the drop; and coupons, which are never cents."""

    racks: tuple[int, ...] = ()
    bank: int = 0
    tip_box: int = 0
    drop: int = 0
    coupons: tuple[int, ...] = ()
    coupons_taken: int = 0


class Table(Struct, frozen=True, gc=False):
    """A table at one moment."""

    position: Position
    money: Money


def open_table(rules: Rules, *, bank: int = 0) -> Table:
    """Open an empty table with a bank of so many cents.

    >>> open_table(Rules.of("maryland"), bank=1000_00).position.phase
    'come_out'
    """
    places = rules.house.seats
    nobody: Seat = ""
    return Table(
        position=Position(seats=(nobody,) * places),
        money=Money(racks=(0,) * places, bank=bank, coupons=(0,) * places),
    )


def next_seat(seats: tuple[Seat, ...], start: int) -> int:
    """Give the first occupied seat from `start` on, clockwise (seats are numbered clockwise); 0 when nobody is there.

    >>> next_seat(("seated", "", "seated"), 2), next_seat(("seated", "", ""), 2), next_seat(("", ""), 1)
    (3, 1, 0)
    """
    places = len(seats)
    for step in range(places):
        seat = (start - 1 + step) % places + 1
        if seats[seat - 1]:
            return seat
    return 0


def find(position: Position, seat: int, kind: str, number: int, owner: str = "player") -> Wager | None:
    """Give a wager of a kind on a number, if it is up."""
    return place_of(position, seat, kind, number, owner)[1]


def place_of(position: Position, seat: int, kind: str, number: int, owner: str = "player") -> tuple[int, Wager | None]:
    """Give the place of a wager in the layout, and the wager if it is up.

    The layout is sorted: a wager is looked up, not searched, and one that is not up yet belongs in that place.
    """
    layout = position.layout
    place = bisect_left(layout, Wager(seat, owner, kind, number, 0))
    if place < len(layout):
        wager = layout[place]
        if wager.seat == seat and wager.kind == kind and wager.number == number and wager.owner == owner:
            return place, wager
    return place, None

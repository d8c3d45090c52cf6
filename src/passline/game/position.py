"""The state of a table: its position (all that the automaton needs) and its money."""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal

from msgspec import Struct

from passline.rules.rules import Rules

Phase = Literal["come_out", "point", "clearing"]
"""What kind of roll comes next."""
Dice = Literal["cup", "offered", "accepted", "held", "air", "rest", "called", "centre"]
"""Where the dice are."""
_ROLLING = frozenset({"air", "rest", "called"})
Seat = Literal["", "seated", "standing", "employee"]
"""The state of a seat; empty if nobody has taken it."""


class Wager(Struct, frozen=True, gc=False, order=True, cache_hash=True):
    """One wager on the layout, which is sorted by seat, owner, kind and number."""

    seat: int
    owner: str
    kind: str
    number: int
    cents: int
    working: str = ""  # "on?" or "off?": called, no button yet; "on" or "off": called and marked by the dealer
    vigorish: int = 0  # charged when made; goes back if the wager does
    coupon: int = 0  # face value of its match-play coupon
    pending: tuple[str, ...] = ()  # the roles whose confirmation it still needs
    late: bool = False  # made while the dice were in the air
    progress: tuple[int, ...] = ()  # of a side wager; empty until its first roll


class Position(Struct, frozen=True, gc=False, cache_hash=True):
    """Everything public about a table, except money in racks."""

    puck: int = 0  # the point, or 0 for OFF
    is_clearing: bool = False
    shooter: int = 0  # seat, or 0 when nobody has the dice
    dice: Dice = "cup"
    offered_to: int = 0  # the seat offered the dice; with the dice in the cup, where the next offer starts (0: opening)
    offer_from: int = 0  # the first seat of this round of offers
    declined: int = 0  # the shooter who declined a line wager while come wagers were up
    dice_set: int = 0  # how many dice are in the set on offer
    faces: tuple[int, int] = (0, 0)  # at rest
    is_disputed: bool = False
    closed: tuple[str, ...] = ()  # the windows of side wagers closed in this hand
    seats: tuple[Seat, ...] = ()
    layout: tuple[Wager, ...] = ()

    @property
    def is_rolling(self) -> bool:
        """Whether the dice are thrown and not settled yet."""
        return self.dice in _ROLLING

    @property
    def phase(self) -> Phase:
        """What kind of roll comes next."""
        if self.puck:
            return "point"
        return "clearing" if self.is_clearing else "come_out"


class Money(Struct, frozen=True, gc=False):
    """Where the chips are: racks by seat, bank, tip box and drop; coupons are counted apart."""

    racks: tuple[int, ...] = ()
    bank: int = 0
    tip_box: int = 0
    drop: int = 0
    coupons: tuple[int, ...] = ()
    coupons_taken: int = 0


METER_CLOSED = -1
"""In the place of what stands on a meter that was closed."""


class Table(Struct, frozen=True, gc=False, omit_defaults=True):
    """The state of a table: its position, its money, and what its meters show."""

    position: Position
    money: Money
    meters: tuple[tuple[str, int], ...] = ()  # by the kind of progressive wager, in parts of a cent


def open_table(rules: Rules, *, bank: int = 0) -> Table:
    """Return an empty table with `bank` cents in its bank.

    >>> open_table(Rules.of("maryland"), bank=1000_00).position.phase
    'come_out'
    """
    places = rules.house.seats
    nobody: Seat = ""
    return Table(
        position=Position(seats=(nobody,) * places), money=Money(racks=(0,) * places, bank=bank, coupons=(0,) * places)
    )


def next_seat(seats: tuple[Seat, ...], start: int) -> int:
    """Return the first occupied seat from `start` on, clockwise as seats are numbered; 0 if there is none.

    >>> next_seat(("seated", "", "seated"), 2), next_seat(("seated", "", ""), 2), next_seat(("", ""), 1)
    (3, 1, 0)
    """
    places = len(seats)
    for step in range(places):
        seat = (start - 1 + step) % places + 1
        if seats[seat - 1]:
            return seat
    return 0


def wagers_of_seat(position: Position, seat: int) -> tuple[Wager, ...]:
    """Return the wagers that are up at a seat, the dealer's for its player too."""
    return tuple(wager for wager in position.layout if wager.seat == seat)


def find(position: Position, seat: int, kind: str, number: int, owner: str = "player") -> Wager | None:
    """Return the wager of a kind on a number, if it is up."""
    return place_of(position, seat, kind, number, owner)[1]


def place_of(position: Position, seat: int, kind: str, number: int, owner: str = "player") -> tuple[int, Wager | None]:
    """Return the index of a wager in the sorted layout, and the wager if it is up; a new one belongs at that index."""
    layout = position.layout
    place = bisect_left(layout, Wager(seat, owner, kind, number, 0))
    if place < len(layout):
        wager = layout[place]
        if wager.seat == seat and wager.kind == kind and wager.number == number and wager.owner == owner:
            return place, wager
    return place, None


class PointsMode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a tournament: chips are points, worth nothing else, for one round. A point is a dollar chip here."""

    tournament: str  # its id
    round: int  # its number in the tournament
    rolls: int = 0  # after which the round is over; 0: when the director says so
    undecided: str = "returned"  # what becomes of wagers that are up then: returned, played_out or lost
    clauses: dict[str, str] = {}  # of what is barred or lifted, by what it is

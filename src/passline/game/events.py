"""Events: what happened at a table, with every amount and the clause behind it.

An event about a wager holds the wager before (`wager`) and after (`after`), so that `evolve` needs no rules.
"""

from __future__ import annotations

from msgspec import Struct

from passline.game.position import Wager
from passline.money import Pays


class _Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="event"):
    pass


class _WagerChange(_Event, frozen=True):
    wager: Wager
    after: Wager
    clause: str


class SeatTaken(_Event, frozen=True, tag="seat-taken/1"):
    """A player took a seat."""

    seat: int
    is_employee: bool


class SeatLeft(_Event, frozen=True, tag="seat-left/1"):
    """A player left with chips and coupons."""

    seat: int
    cents: int
    coupon: int


class PlayerStood(_Event, frozen=True, tag="player-stood/1"):
    """A player stood up; `breach` is the clause this breaks, if any."""

    seat: int
    breach: str


class PlayerSat(_Event, frozen=True, tag="player-sat/1"):
    """A standing player sat down."""

    seat: int


class BuyInMade(_Event, frozen=True, tag="buy-in-made/1"):
    """Cash went into the drop and chips to the rack."""

    seat: int
    cents: int
    coupon: int


class FillMade(_Event, frozen=True, omit_defaults=True, tag="fill-made/1"):
    """Chips came from the cage."""

    cents: int
    slip: str = ""  # its number, where fills come by slips of the office; of a credit slip: it came back


class CreditMade(_Event, frozen=True, omit_defaults=True, tag="credit-made/1"):
    """Chips went to the cage."""

    cents: int
    slip: str = ""  # its number, where credits go by slips of the office


class WagerMade(_Event, frozen=True, tag="wager-made/1"):
    """A new wager is up."""

    after: Wager
    clause: str


class WagerIncreased(_WagerChange, frozen=True, tag="wager-increased/1"):
    """A wager grew."""


class WagerReduced(_WagerChange, frozen=True, tag="wager-reduced/1"):
    """Part of a wager came down."""


class WagerRemoved(_Event, frozen=True, tag="wager-removed/1"):
    """A wager came down, and any vigorish charged for it went back."""

    wager: Wager
    clause: str


class WagerCalled(_WagerChange, frozen=True, tag="wager-called/1"):
    """A player called a wager on or off."""


class ButtonPlaced(_WagerChange, frozen=True, tag="button-placed/1"):
    """The dealer marked a called wager with a button."""


class CallLapsed(_WagerChange, frozen=True, tag="call-lapsed/1"):
    """A call ended because a point was set."""


class WagerConfirmed(_Event, frozen=True, tag="wager-confirmed/1"):
    """One of the crew confirmed a wager."""

    wager: Wager
    after: Wager
    by: str
    clause: str


class WagerLost(_Event, frozen=True, tag="wager-lost/1"):
    """A wager, or one part of a composite wager, lost."""

    wager: Wager
    after: Wager | None
    part: str
    cents: int
    clause: str


class WagerWon(_Event, frozen=True, omit_defaults=True, tag="wager-won/1"):
    """A wager, or one part of a composite wager, won: stake and winnings, less vigorish due on a win, were paid."""

    wager: Wager
    after: Wager | None
    part: str
    cents: int
    pays: Pays
    winnings: int
    vigorish: int
    clause: str
    share: int = 0  # of the meter, in basis points, which is paid apart


class MeterRaised(_Event, frozen=True, tag="meter-raised/1"):
    """The meter of a progressive rose by what decided wagers add to it, or to its base; in parts of a cent."""

    kind: str
    by: int
    meter: int
    clause: str


class MeterPaid(_Event, frozen=True, tag="meter-paid/1"):
    """A wager that won was paid its share of a meter, which then stands at `meter`, in parts of a cent."""

    wager: Wager
    cents: int
    meter: int
    clause: str


class MeterClosed(_Event, frozen=True, omit_defaults=True, tag="meter-closed/1"):
    """The meter of a progressive was closed: no more such wagers are taken. `above` is what becomes of the rest."""

    kind: str
    meter: int  # what stood on it, in parts of a cent
    reason: str
    clause: str
    above: str = ""
    cents: int = 0  # that the house owes the public as an award or prize
    into: str = ""  # the other progressive that the rest went to
    agreed: dict[str, str] = {}  # the paper of each body that agreed


class MeterOpened(_Event, frozen=True, tag="meter-opened/1"):
    """The meter of a progressive that was closed was opened again at its base, in parts of a cent."""

    kind: str
    meter: int
    clause: str


class WagerReturned(_Event, frozen=True, tag="wager-returned/1"):
    """A wager went back to its player undecided."""

    wager: Wager
    clause: str


class WagerMoved(_WagerChange, frozen=True, tag="wager-moved/1"):
    """A come or don't come wager moved to its number."""


class WagerProgressed(_WagerChange, frozen=True, tag="wager-progressed/1"):
    """A side wager counted a roll, or was up for its first roll."""


class WindowClosed(_Event, frozen=True, tag="window-closed/1"):
    """A window closed: its side wagers can no longer be made in this shooter's hand."""

    window: str
    clause: str


class SurveillanceNotified(_Event, frozen=True, tag="surveillance-notified/1"):
    """A side wager reached the count at which surveillance is notified."""

    kind: str
    count: int
    clause: str


class DiceOffered(_Event, frozen=True, tag="dice-offered/1"):
    """A set of dice was offered to a player."""

    seat: int
    dice: int
    clause: str


class DiceAccepted(_Event, frozen=True, tag="dice-accepted/1"):
    """A player became the shooter."""

    seat: int
    clause: str


class DiceDeclined(_Event, frozen=True, tag="dice-declined/1"):
    """A player declined the dice; they were offered to the next player, or to nobody (0)."""

    seat: int
    offered_to: int
    clause: str


class DiceChosen(_Event, frozen=True, tag="dice-chosen/1"):
    """The shooter picked dice; `controlled_by` put the others back in the cup."""

    seat: int
    chosen: tuple[int, ...]
    cupped: int
    controlled_by: str
    clause: str


class DiceSurrendered(_Event, frozen=True, tag="dice-surrendered/1"):
    """The shooter gave up the dice: voluntarily, after a loser 7, or by order."""

    seat: int
    reason: str
    clause: str


class DiceCupped(_Event, frozen=True, tag="dice-cupped/1"):
    """The dice went back to the cup."""

    offer_from: int


class LineWagerDeclined(_Event, frozen=True, tag="line-wager-declined/1"):
    """The shooter declined to make a line wager while come wagers were up."""

    seat: int
    clause: str


class ClearingBegan(_Event, frozen=True, tag="clearing-began/1"):
    """A shooter without a line wager began a clearing: throws that only settle the come wagers that are up."""

    seat: int
    clause: str


class ClearingEnded(_Event, frozen=True, tag="clearing-ended/1"):
    """Ordinary play resumed after a clearing."""

    reason: str  # decided, removed, line_wager or given_up
    clause: str


class DiceThrown(_Event, frozen=True, tag="dice-thrown/1"):
    """The dice left the shooter's hand."""

    seat: int


class DiceLanded(_Event, frozen=True, tag="dice-landed/1"):
    """The dice came to rest with these faces up."""

    first: int
    second: int
    clause: str


class RollVoided(_Event, frozen=True, tag="roll-voided/1"):
    """A throw was void; the dice are thrown again."""

    reason: str
    by: str
    is_late: bool
    clause: str


class FacesDisputed(_Event, frozen=True, tag="faces-disputed/1"):
    """A player disputed the faces."""

    seat: int


class DisputeDecided(_Event, frozen=True, tag="dispute-decided/1"):
    """A dispute was decided: these are the faces."""

    first: int
    second: int
    by: str
    clause: str


class RollCalled(_Event, frozen=True, tag="roll-called/1"):
    """The total was called."""

    total: int
    clause: str


class RollSettled(_Event, frozen=True, tag="roll-settled/1"):
    """Every wager the roll decided was settled; the dice are in the centre."""

    first: int
    second: int
    clause: str


class PuckMoved(_Event, frozen=True, tag="puck-moved/1"):
    """The puck was turned ON at a point, or OFF (0)."""

    point: int
    clause: str


class DicePassed(_Event, frozen=True, tag="dice-passed/1"):
    """The dice went back to the shooter."""

    seat: int
    clause: str


Event = (
    SeatTaken | SeatLeft | PlayerStood | PlayerSat | BuyInMade | FillMade | CreditMade
    | WagerMade | WagerIncreased | WagerReduced | WagerRemoved
    | WagerCalled | ButtonPlaced | CallLapsed | WagerConfirmed
    | WagerLost | WagerWon | WagerReturned | WagerMoved | WagerProgressed | WindowClosed | SurveillanceNotified
    | MeterRaised | MeterPaid | MeterClosed | MeterOpened
    | DiceOffered | DiceAccepted | DiceDeclined | DiceChosen | DiceSurrendered | DiceCupped | LineWagerDeclined
    | ClearingBegan | ClearingEnded | DiceThrown | DiceLanded | RollVoided | FacesDisputed | DisputeDecided
    | RollCalled | RollSettled | PuckMoved | DicePassed
)  # fmt: skip

"""What happened at a table. An event holds every amount and the clause behind it; its envelope is the store's business.

A wager event names the wager as it stood (`wager`) and as it stands afterwards (`after`): folding needs no rules.
"""

from __future__ import annotations

from msgspec import Struct

from passline.game.position import Wager
from passline.money import Pays

__all__ = [
    "ButtonPlaced",
    "BuyInMade",
    "CallLapsed",
    "ClearingBegan",
    "ClearingEnded",
    "CreditMade",
    "DiceAccepted",
    "DiceChosen",
    "DiceCupped",
    "DiceDeclined",
    "DiceLanded",
    "DiceOffered",
    "DicePassed",
    "DiceSurrendered",
    "DiceThrown",
    "DisputeDecided",
    "Event",
    "FacesDisputed",
    "FillMade",
    "LineWagerDeclined",
    "PlayerSat",
    "PlayerStood",
    "PuckMoved",
    "RollCalled",
    "RollSettled",
    "RollVoided",
    "SeatLeft",
    "SeatTaken",
    "SurveillanceNotified",
    "WagerCalled",
    "WagerConfirmed",
    "WagerIncreased",
    "WagerLost",
    "WagerMade",
    "WagerMoved",
    "WagerProgressed",
    "WagerReduced",
    "WagerRemoved",
    "WagerReturned",
    "WagerWon",
    "WindowClosed",
]


class _Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="event"):
    pass


class SeatTaken(_Event, frozen=True, gc=False, tag="seat-taken/1"):
    """A player came to the table."""

    seat: int
    is_employee: bool


class SeatLeft(_Event, frozen=True, gc=False, tag="seat-left/1"):
    """A player left, taking chips and coupons along."""

    seat: int
    cents: int
    coupon: int


class PlayerStood(_Event, frozen=True, gc=False, tag="player-stood/1"):
    """A player got up; where that breaks a rule the breach is recorded with its clause."""

    seat: int
    breach: str


class PlayerSat(_Event, frozen=True, gc=False, tag="player-sat/1"):
    """A standing player sat down."""

    seat: int


class BuyInMade(_Event, frozen=True, gc=False, tag="buy-in-made/1"):
    """Cash went into the drop and chips to the rack."""

    seat: int
    cents: int
    coupon: int


class FillMade(_Event, frozen=True, gc=False, tag="fill-made/1"):
    """Chips came from the cage."""

    cents: int


class CreditMade(_Event, frozen=True, gc=False, tag="credit-made/1"):
    """Chips went to the cage."""

    cents: int


class WagerMade(_Event, frozen=True, gc=False, tag="wager-made/1"):
    """A new wager is up."""

    after: Wager
    clause: str


class WagerIncreased(_Event, frozen=True, gc=False, tag="wager-increased/1"):
    """A wager grew."""

    wager: Wager
    after: Wager
    clause: str


class WagerReduced(_Event, frozen=True, gc=False, tag="wager-reduced/1"):
    """Part of a wager came down."""

    wager: Wager
    after: Wager
    clause: str


class WagerRemoved(_Event, frozen=True, gc=False, tag="wager-removed/1"):
    """A wager came down whole, with any vigorish held for it."""

    wager: Wager
    clause: str


class WagerCalled(_Event, frozen=True, gc=False, tag="wager-called/1"):
    """A player called a wager on or off."""

    wager: Wager
    after: Wager
    clause: str


class ButtonPlaced(_Event, frozen=True, gc=False, tag="button-placed/1"):
    """The dealer marked a called wager."""

    wager: Wager
    after: Wager
    clause: str


class CallLapsed(_Event, frozen=True, gc=False, tag="call-lapsed/1"):
    """A call ended because a point was set."""

    wager: Wager
    after: Wager
    clause: str


class WagerConfirmed(_Event, frozen=True, gc=False, tag="wager-confirmed/1"):
    """One of the crew confirmed a wager."""

    wager: Wager
    after: Wager
    by: str
    clause: str


class WagerLost(_Event, frozen=True, gc=False, tag="wager-lost/1"):
    """A wager, or one part of a composite wager, was taken."""

    wager: Wager
    after: Wager | None
    part: str
    cents: int
    clause: str


class WagerWon(_Event, frozen=True, gc=False, tag="wager-won/1"):
    """A wager, or one part of a composite wager, was paid: stake and winnings, less vigorish taken from a win."""

    wager: Wager
    after: Wager | None
    part: str
    cents: int
    pays: Pays
    winnings: int
    vigorish: int
    clause: str


class WagerReturned(_Event, frozen=True, gc=False, tag="wager-returned/1"):
    """A wager went back to its player undecided."""

    wager: Wager
    clause: str


class WagerMoved(_Event, frozen=True, gc=False, tag="wager-moved/1"):
    """A come or don't come wager travelled to its number."""

    wager: Wager
    after: Wager
    clause: str


class WagerProgressed(_Event, frozen=True, gc=False, tag="wager-progressed/1"):
    """A side wager counted a roll, or stood through its first one."""

    wager: Wager
    after: Wager
    clause: str


class WindowClosed(_Event, frozen=True, gc=False, tag="window-closed/1"):
    """No wager of a kind may be made any more in this shooter's hand."""

    window: str
    clause: str


class SurveillanceNotified(_Event, frozen=True, gc=False, tag="surveillance-notified/1"):
    """A side wager reached the count of which surveillance is told."""

    kind: str
    count: int
    clause: str


class DiceOffered(_Event, frozen=True, gc=False, tag="dice-offered/1"):
    """A set of dice lies before a player."""

    seat: int
    dice: int
    clause: str


class DiceAccepted(_Event, frozen=True, gc=False, tag="dice-accepted/1"):
    """A player became the shooter."""

    seat: int
    clause: str


class DiceDeclined(_Event, frozen=True, gc=False, tag="dice-declined/1"):
    """A player let the dice go by; they lie before the next one, or back in the cup (0)."""

    seat: int
    offered_to: int
    clause: str


class DiceChosen(_Event, frozen=True, gc=False, tag="dice-chosen/1"):
    """The shooter picked dice; the others went back to the cup of whoever controls them."""

    seat: int
    chosen: tuple[int, ...]
    cupped: int
    controlled_by: str
    clause: str


class DiceSurrendered(_Event, frozen=True, gc=False, tag="dice-surrendered/1"):
    """The shooter no longer has the dice: of free will, after a loser 7, or by order."""

    seat: int
    reason: str
    clause: str


class DiceCupped(_Event, frozen=True, gc=False, tag="dice-cupped/1"):
    """The dice are back in the cup."""

    offer_from: int


class LineWagerDeclined(_Event, frozen=True, gc=False, tag="line-wager-declined/1"):
    """The shooter will not make a line wager while come wagers are up."""

    seat: int
    clause: str


class ClearingBegan(_Event, frozen=True, gc=False, tag="clearing-began/1"):
    """A shooter without a line wager throws only to decide the come wagers that are up."""

    seat: int
    clause: str


class ClearingEnded(_Event, frozen=True, gc=False, tag="clearing-ended/1"):
    """Ordinary play resumed: the come wagers are decided or removed, a line wager is up, or the shooter gave up."""

    reason: str  # decided, removed, line_wager or given_up
    clause: str


class DiceThrown(_Event, frozen=True, gc=False, tag="dice-thrown/1"):
    """The dice left the shooter's hand."""

    seat: int


class DiceLanded(_Event, frozen=True, gc=False, tag="dice-landed/1"):
    """The dice came to rest with these faces up."""

    first: int
    second: int
    clause: str


class RollVoided(_Event, frozen=True, gc=False, tag="roll-voided/1"):
    """A throw decided nothing; the dice are thrown again."""

    reason: str
    by: str
    is_late: bool
    clause: str


class FacesDisputed(_Event, frozen=True, gc=False, tag="faces-disputed/1"):
    """A player disputed the faces."""

    seat: int


class DisputeDecided(_Event, frozen=True, gc=False, tag="dispute-decided/1"):
    """The faces were named by the one who decides."""

    first: int
    second: int
    by: str
    clause: str


class RollCalled(_Event, frozen=True, gc=False, tag="roll-called/1"):
    """The total was called."""

    total: int
    clause: str


class RollSettled(_Event, frozen=True, gc=False, tag="roll-settled/1"):
    """Every wager the roll decided has been settled; the dice are at the centre."""

    first: int
    second: int
    clause: str


class PuckMoved(_Event, frozen=True, gc=False, tag="puck-moved/1"):
    """The puck was turned ON at a point, or OFF (0)."""

    point: int
    clause: str


class DicePassed(_Event, frozen=True, gc=False, tag="dice-passed/1"):
    """The dice went back to the shooter."""

    seat: int
    clause: str


Event = (
    SeatTaken | SeatLeft | PlayerStood | PlayerSat | BuyInMade | FillMade | CreditMade
    | WagerMade | WagerIncreased | WagerReduced | WagerRemoved
    | WagerCalled | ButtonPlaced | CallLapsed | WagerConfirmed
    | WagerLost | WagerWon | WagerReturned | WagerMoved | WagerProgressed | WindowClosed | SurveillanceNotified
    | DiceOffered | DiceAccepted | DiceDeclined | DiceChosen | DiceSurrendered | DiceCupped | LineWagerDeclined
    | ClearingBegan | ClearingEnded | DiceThrown | DiceLanded | RollVoided | FacesDisputed | DisputeDecided
    | RollCalled | RollSettled | PuckMoved | DicePassed
)  # fmt: skip

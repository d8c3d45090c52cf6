"""Commands: what people ask of a table. Every command names the role that gives it (`by`)."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from passline.authority.roles import BOXPERSON, DEALER, PLAYER, SHOOTER, Role


class _Command(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, tag_field="command"):
    by: Role = PLAYER


class _AtSeat(_Command, frozen=True, kw_only=True):
    seat: int


class _OfWager(_AtSeat, frozen=True, kw_only=True):
    wager: str
    number: int = 0  # for several side wagers of one kind: which one, from 0
    owner: str = "player"  # or "crew" for a tip, which belongs to the dealers once it is up


class TakeSeat(_AtSeat, frozen=True, kw_only=True, tag="take-seat"):
    """A player takes a seat; where the regulation says so, an employee may watch but not wager."""

    is_employee: bool = False


class LeaveSeat(_AtSeat, frozen=True, kw_only=True, tag="leave-seat"):
    """A player leaves the table with the chips in the rack."""


class StandUp(_AtSeat, frozen=True, kw_only=True, tag="stand-up"):
    """A player stands up without leaving the table."""


class SitDown(_AtSeat, frozen=True, kw_only=True, tag="sit-down"):
    """A standing player sits down again."""


class BuyIn(_AtSeat, frozen=True, kw_only=True, tag="buy-in"):
    """A player changes cash for chips, or brings match-play coupons."""

    cents: int
    coupon: int = 0
    medium: str = "cash"


class Fill(_Command, frozen=True, kw_only=True, tag="fill"):
    """Chips come from the cage to the table's bank."""

    by: Role = BOXPERSON
    cents: int


class Credit(_Command, frozen=True, kw_only=True, tag="credit"):
    """Chips go from the table's bank to the cage."""

    by: Role = BOXPERSON
    cents: int


class MakeWager(_OfWager, frozen=True, kw_only=True, tag="make-wager", cache_hash=True):
    """Make a wager, or add to the one already up."""

    cents: int
    media: tuple[str, ...] = ("chips",)
    coupon: int = 0


class ReduceWager(_OfWager, frozen=True, kw_only=True, tag="reduce-wager"):
    """Take part of a wager down."""

    cents: int


class RemoveWager(_OfWager, frozen=True, kw_only=True, tag="remove-wager"):
    """Take a whole wager down; with `cents`, only if exactly so much is up: nobody has added to it meanwhile."""

    cents: int | UnsetType = UNSET  # not written to the log where it is not given


class CallWager(_OfWager, frozen=True, kw_only=True, tag="call-wager"):
    """Call a wager on or off for the come-out roll; it takes effect with the dealer's button."""

    call: str


class PlaceButton(_OfWager, frozen=True, kw_only=True, tag="place-button"):
    """The dealer confirms a call with a button on the wager."""


class ConfirmWager(_OfWager, frozen=True, kw_only=True, tag="confirm-wager"):
    """One of the crew confirms a wager that needs confirmation."""


class OfferDice(_Command, frozen=True, kw_only=True, tag="offer-dice"):
    """The set of dice is offered to the next player."""

    dice: int


class AcceptDice(_AtSeat, frozen=True, kw_only=True, tag="accept-dice"):
    """The player who is offered the dice becomes the shooter."""


class DeclineDice(_AtSeat, frozen=True, kw_only=True, tag="decline-dice"):
    """The player who is offered the dice lets them pass."""


class ChooseDice(_AtSeat, frozen=True, kw_only=True, tag="choose-dice"):
    """The new shooter picks dice by their place in the set."""

    chosen: tuple[int, ...]


class SurrenderDice(_AtSeat, frozen=True, kw_only=True, tag="surrender-dice"):
    """The shooter gives up the dice voluntarily."""


class OrderDicePassed(_Command, frozen=True, kw_only=True, tag="order-dice-passed"):
    """The crew takes the dice from the shooter, for a reason."""

    reason: str


class DeclineLineWager(_AtSeat, frozen=True, kw_only=True, tag="decline-line-wager"):
    """The shooter will not make a new line wager."""


class ThrowDice(_AtSeat, frozen=True, kw_only=True, tag="throw-dice"):
    """The dice leave the shooter's hand."""


class LandDice(_Command, frozen=True, kw_only=True, tag="land-dice"):
    """The dice come to rest: each flat, cocked (the face named is the one it rests on), or with the throw void."""

    by: Role = DEALER
    first: int
    second: int
    first_lie: str = "flat"
    second_lie: str = "flat"


class CallNoRoll(_Command, frozen=True, kw_only=True, tag="call-no-roll"):
    """One of the crew calls no roll, for a reason."""

    reason: str


class DisputeFaces(_AtSeat, frozen=True, kw_only=True, tag="dispute-faces"):
    """A player disputes which faces are up."""


class DecideDispute(_Command, frozen=True, kw_only=True, tag="decide-dispute"):
    """Whoever decides a dispute names the faces, or declares the throw void (no faces)."""

    first: int = 0
    second: int = 0


class CallRoll(_Command, frozen=True, kw_only=True, tag="call-roll"):
    """The total of the upper faces is called."""

    total: int


class Settle(_Command, frozen=True, kw_only=True, tag="settle"):
    """Every wager the roll decided is taken, paid, returned or moved."""


class PassDice(_Command, frozen=True, kw_only=True, tag="pass-dice"):
    """The dice go back to the shooter for the next throw."""


class RollDice(_Command, frozen=True, kw_only=True, tag="roll-dice"):
    """A whole roll in one step, where the house steps are automated: throw, land flat, call, settle, pass."""

    by: Role = SHOOTER
    first: int
    second: int


Command = (
    TakeSeat | LeaveSeat | StandUp | SitDown | BuyIn | Fill | Credit
    | MakeWager | ReduceWager | RemoveWager | CallWager | PlaceButton | ConfirmWager
    | OfferDice | AcceptDice | DeclineDice | ChooseDice | SurrenderDice | OrderDicePassed | DeclineLineWager
    | ThrowDice | LandDice | CallNoRoll | DisputeFaces | DecideDispute | CallRoll | Settle | PassDice | RollDice
)  # fmt: skip

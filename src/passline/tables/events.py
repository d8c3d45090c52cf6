"""Events of live tables beyond the game's own; names are stable and versioned."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.game import events as e
from passline.game.position import PointsMode, Table


class Movement(Struct, frozen=True):
    """Cents into an account of the ledger; negative: out of it."""

    account: str
    cents: int


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


class TableOpened(_Event, frozen=True, omit_defaults=True, tag="table-opened/1"):
    """A table was opened under a house. A FillMade beside it brings the bank, or its inventory was counted."""

    table: str
    name: str
    house: dict[str, Any]  # complete, so that later changes of defaults do not matter
    dice: str
    automate: tuple[str, ...]
    buy_in: str
    is_demo: bool
    rulebook: str  # the digest of the regulation's rulebook
    practice_cents_max: int = 0  # the most play money a player has at once; left out where there is no practice table
    terms: int = 0  # those of live tables; left out in entries from before there were any
    clearance: int = 0  # by the office; left out where the house keeps its office elsewhere, and at practice tables
    is_keyed: bool = True  # whether the crew keys in wagers; left out where it does
    points: PointsMode | None = None  # left out where chips are money
    requires_dice_out: bool = False  # whether dice out is announced before dice are keyed in; left out where not


class TableClosed(_Event, frozen=True, tag="table-closed/1"):
    """The table was closed: the drop goes to the count, tips to the crew. A CreditMade beside it takes the bank.

    Where its money is on the office's papers, all of it stays where it is, and both figures are 0.
    """

    drop: int
    tips: int


class PlayerSeated(_Event, frozen=True, tag="player-seated/1"):
    """An account took a seat, beside the game's SeatTaken."""

    seat: int
    account: str
    name: str


class EmployeeRuledOut(_Event, frozen=True, tag="employee-ruled-out/1"):
    """A floorperson looked at a walk-in whose name is like an employee's, and found that it is somebody else."""

    seat: int
    name: str
    resembles: str
    clause: str


class PlayMoneyBought(_Event, frozen=True, tag="play-money-bought/1"):
    """An account bought play money at a practice table, beside the game's BuyInMade; counted by day."""

    account: str
    cents: int
    day: str


class LimitsNoticed(_Event, frozen=True, tag="limits-noticed/1"):
    """All players were given notice of new limits."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]]
    at: str  # when they come into force
    clause: str


class LimitsChanged(_Event, frozen=True, tag="limits-changed/1"):
    """The noticed limits came into force; standing wagers keep theirs."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]]
    clause: str


class DiceCommitted(_Event, frozen=True, tag="dice-committed/1"):
    """The digest of the key of the next electronic roll, before anybody can know what it will be used for."""

    number: int  # of the key at this table, from 1, without a gap
    digest: str  # SHA-256, hex


class WagersClosed(_Event, frozen=True, tag="wagers-closed/1"):
    """The shooter has thrown electronic dice: nothing changes at the table until they have landed."""

    number: int  # of the key
    nonce_digest: str  # of the shooter's nonce, SHA-256 in hex; empty: none


class NonceTaken(_Event, frozen=True, tag="nonce-taken/1"):
    """The shooter's nonce is on record, or that it did not come in time."""

    number: int
    nonce: str  # hex; empty: it did not come in time


class DiceRevealed(_Event, frozen=True, tag="dice-revealed/1"):
    """The key of a roll, the closing entry's hash and the shooter's nonce: the dice follow from these three."""

    number: int
    closing: int  # the version of the entry that closed wagers
    hash: str  # of that entry, hex
    key: str  # hex
    nonce: str  # hex; empty: none, or not sent in time


class DiceRenewed(_Event, frozen=True, tag="dice-renewed/1"):
    """A key was given up without a roll. A RollVoided beside it says that wagers had been closed."""

    number: int
    reason: str


class RulebookAdopted(_Event, frozen=True, omit_defaults=True, tag="rulebook-adopted/1"):
    """The table is dealt under another text of its regulation from now on."""

    digest: str
    was: str
    house: dict[str, Any]  # complete, as it is under the new text
    terms: int = 0  # those of live tables that it comes under as well, if others than before


class HouseChanged(_Event, frozen=True, omit_defaults=True, tag="house-changed/1"):
    """The table is dealt under another house from now on, by the rulebook that it is under already."""

    house: dict[str, Any]  # complete
    was: str  # the version of the rules until now
    terms: int = 0  # those of live tables that it comes under as well, if others than before
    clearance: int = 0  # by the office; left out where the house keeps its office elsewhere, and for play money


class RollCorrected(_Event, frozen=True, tag="roll-corrected/1"):
    """The last roll was corrected. Nothing is erased: this event says what moves, and the table after it."""

    corrects: int  # the version of the entry in which that roll landed
    first: int
    second: int
    was_first: int
    was_second: int
    reason: str
    redone: tuple[e.Event, ...]  # from before the throw: the right roll, and what was done since
    table: Table  # position and money as they are now
    movements: tuple[Movement, ...]
    kept: tuple[int, ...]  # the commands since the throw that were done again, by index
    dropped: tuple[str, ...]  # what could not be done again, in words that verify compares
    clause: str


class TableFrozen(_Event, frozen=True, tag="table-frozen/1"):
    """The table was frozen over a dispute, with the sequence that each seat's screen had confirmed."""

    reason: str
    seat: int
    shown: dict[str, int]


class ScreensShown(_Event, frozen=True, tag="screens-shown/1"):
    """Screens had confirmed more before the freeze than it recorded, usually at another server process."""

    freeze: int  # the version of the entry that froze the table
    shown: dict[str, int]


class TableReleased(_Event, frozen=True, tag="table-released/1"):
    """The dispute was settled and play continues."""

    finding: str


class ConductReported(_Event, frozen=True, tag="conduct-reported/1"):
    """A breach of conduct was recorded, with its clause."""

    breach: str
    seat: int
    role: str
    text: str
    clause: str


class BankOwed(_Event, frozen=True, tag="bank-owed/1"):
    """An incident: the bank lacks chips that it must pay. It stays open, and may grow, until a fill covers the debt."""

    incident: int  # at this table, from 1; the same while the debt grows
    cents: int  # the whole debt now


class BankPaid(_Event, frozen=True, tag="bank-paid/1"):
    """The bank's debt became smaller; with nothing left the incident is over."""

    incident: int
    cents: int  # the debt that is left


class _Entered(_Event, frozen=True, omit_defaults=True):
    """What the office has on paper, entered in the table's books."""

    act: int  # the number of the office's act


class InventoryCounted(_Entered, frozen=True, tag="inventory-counted/1"):
    """The tray was counted. From now on the bank is what was counted; the difference from the ledger is a variance."""

    kind: str  # opener, shift, closer, or correction of what one of these or a slip had said
    cents: int  # as counted
    ledger: int  # what the ledger had in the bank
    layout: int  # in wagers on the layout meanwhile: they are in no tray, and carried over
    brought: int = 0  # chips that the tray had from the cage before these books began
    is_covered: bool = True  # False: no wagers are keyed in, so the difference is what the players won or lost


class BoxDropped(_Entered, frozen=True, tag="box-dropped/1"):
    """The drop box was taken off the table, on its way to the count."""

    box: str
    ledger: int  # the cash in it, by the ledger
    layout: int


class BoxCounted(_Entered, frozen=True, tag="box-counted/1"):
    """A box that came off this table was counted; the difference from the ledger is a variance."""

    box: str
    cents: int  # as counted; coupons are none of it
    ledger: int
    is_covered: bool = True


class TipsCollected(_Entered, frozen=True, tag="tips-collected/1"):
    """The tip box was taken off the table, on its way to the crew's count."""

    box: str
    ledger: int


class PlayerRated(_Event, frozen=True, omit_defaults=True, tag="player-rated/1"):
    """Somebody's play was estimated, where wagers are not keyed in."""

    name: str
    average_cents: int
    minutes: int
    account: str = ""


class DiceSetPutIn(_Event, frozen=True, tag="dice-set-put-in/1"):
    """A new set of physical dice came into play; sets of a table are numbered."""

    number: int
    at: str  # the moment, from which its hours count
    clause: str  # that asked for a new set


class DiceCondemned(_Event, frozen=True, tag="dice-condemned/1"):
    """The set of dice in play may not be thrown again."""

    number: int
    reason: str
    text: str
    clause: str


class IrregularityReported(_Event, frozen=True, tag="irregularity-reported/1"):
    """Somebody at the table reported an irregularity; those of a table are numbered."""

    number: int
    text: str
    clause: str


class ActionDirected(_Event, frozen=True, tag="action-directed/1"):
    """It was directed what is done about an irregularity; the entry says by whom."""

    number: int
    action: str
    clause: str


class ActionObserved(_Event, frozen=True, tag="action-observed/1"):
    """The directed action was carried out and watched; the entry says by whom."""

    number: int
    clause: str


class WagerPastPosted(_Event, frozen=True, tag="wager-past-posted/1"):
    """A wager came, or grew, after dice out, where the house requires that announcement; a WagerMade is beside it."""

    roll: int  # the number of the roll whose dice were in the air
    seat: int
    owner: str
    wager: str
    number: int
    cents: int  # that came too late
    clause: str  # on wagers while the dice are in the air


class StacksGiven(_Event, frozen=True, tag="stacks-given/1"):
    """The players of a tournament's round have their chips: cents of points by seat."""

    stacks: dict[str, int]


class RoundFinished(_Event, frozen=True, tag="round-finished/1"):
    """A round of a tournament is over at this table: what each seat has, and what the house won, in cents of points."""

    tournament: str
    round: int
    stacks: dict[str, int]
    house: int
    rolls: int


OwnEvent = (
    TableOpened | TableClosed | PlayerSeated | EmployeeRuledOut | LimitsNoticed | LimitsChanged | RulebookAdopted
    | HouseChanged | RollCorrected
    | TableFrozen | ScreensShown | TableReleased | ConductReported
    | DiceCommitted | WagersClosed | NonceTaken | DiceRevealed | DiceRenewed | PlayMoneyBought | BankOwed | BankPaid
    | DiceSetPutIn | DiceCondemned | IrregularityReported | ActionDirected | ActionObserved | WagerPastPosted
    | InventoryCounted | BoxDropped | BoxCounted | TipsCollected | PlayerRated | StacksGiven | RoundFinished
)  # fmt: skip
TableEvent = e.Event | OwnEvent
"""Every event of a table's stream."""

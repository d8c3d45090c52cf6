"""Events of live tables beyond the game's own, and of the house; names are stable and versioned."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.game import events as e
from passline.game.position import Table
from passline.store.genesis import LogBegun

__all__ = [
    "ApprovalFiled",
    "ApprovalWithdrawn",
    "ClockJumped",
    "ConductReported",
    "DiceCommitted",
    "DiceRenewed",
    "DiceRevealed",
    "HouseEvent",
    "LimitsChanged",
    "LimitsNoticed",
    "Movement",
    "PlayerSeated",
    "ReportFiled",
    "RollCorrected",
    "ScreensShown",
    "ShiftClosed",
    "TableBalances",
    "TableClosed",
    "TableEvent",
    "TableFrozen",
    "TableOpened",
    "TableReleased",
    "WagersClosed",
]


class Movement(Struct, frozen=True):
    """Cents into an account of the ledger; negative: out of it."""

    account: str
    cents: int


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


class TableOpened(_Event, frozen=True, tag="table-opened/1"):
    """A table was opened under a house. A FillMade beside it brings the bank."""

    table: str
    name: str
    house: dict[str, Any]  # complete, so that later changes of defaults do not matter
    dice: str
    automate: tuple[str, ...]
    buy_in: str
    is_demo: bool
    rulebook: str  # the digest of the regulation's rulebook


class TableClosed(_Event, frozen=True, tag="table-closed/1"):
    """The table was closed: the drop goes to the count, tips to the crew. A CreditMade beside it takes the bank."""

    drop: int
    tips: int


class PlayerSeated(_Event, frozen=True, tag="player-seated/1"):
    """An account took a seat, beside the game's SeatTaken."""

    seat: int
    account: str
    name: str


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


OwnEvent = (
    TableOpened | TableClosed | PlayerSeated | LimitsNoticed | LimitsChanged | RollCorrected
    | TableFrozen | ScreensShown | TableReleased | ConductReported
    | DiceCommitted | WagersClosed | DiceRevealed | DiceRenewed
)  # fmt: skip
TableEvent = e.Event | OwnEvent
"""Every event of a table's stream."""


class ApprovalFiled(_Event, frozen=True, tag="approval-filed/1"):
    """An approval was filed."""

    kind: str
    authority: str
    reference: str
    date: str


class ApprovalWithdrawn(_Event, frozen=True, tag="approval-withdrawn/1"):
    """An approval was withdrawn."""

    kind: str
    authority: str
    reference: str
    reason: str


class ReportFiled(_Event, frozen=True, tag="report-filed/1"):
    """A report was filed."""

    number: int
    record_class: str
    table: str
    text: str


class TableBalances(Struct, frozen=True):
    """The ledger of one table at a version of its stream."""

    table: str
    version: int
    balances: dict[str, int]


class ShiftClosed(_Event, frozen=True, tag="shift-closed/1"):
    """A shift was closed: what the log was, what the tables held, and the log's own signature over both."""

    shift: int
    sequence: int  # of the newest entry when it was closed
    hash: str  # hex
    tables: tuple[TableBalances, ...]
    signature: str  # hex


class ClockJumped(_Event, frozen=True, tag="clock-jumped/1"):
    """The system's clock jumped: what it would have said, what it said, and the difference."""

    was: str
    found: str
    milliseconds: int  # negative: it was set back


HouseEvent = LogBegun | ApprovalFiled | ApprovalWithdrawn | ReportFiled | ShiftClosed | ClockJumped
"""Everything that can stand in the stream of the house."""

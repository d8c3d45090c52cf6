"""What happens at a live table beyond the game's own events; names are stable and versioned like theirs."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.game import events as e
from passline.game.position import Table
from passline.store.genesis import LogBegun

__all__ = [
    "ApprovalFiled",
    "ApprovalWithdrawn",
    "ConductReported",
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
]


class Movement(Struct, frozen=True):
    """So many cents into an account of the ledger (negative: out of it)."""

    account: str
    cents: int


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


class TableOpened(_Event, frozen=True, tag="table-opened/1"):
    """A table is open under a house. A FillMade beside it brings the bank."""

    table: str
    name: str
    house: dict[str, Any]  # complete: what is in force even if a default changes later
    dice: str
    automate: tuple[str, ...]
    buy_in: str
    is_demo: bool
    rulebook: str  # the digest of the regulation's rulebook


class TableClosed(_Event, frozen=True, tag="table-closed/1"):
    """The table is closed: the drop goes to the count, tips to the crew. A CreditMade beside it takes the bank away."""

    drop: int
    tips: int


class PlayerSeated(_Event, frozen=True, tag="player-seated/1"):
    """An account sits at a seat, beside the game's SeatTaken."""

    seat: int
    account: str
    name: str


class LimitsNoticed(_Event, frozen=True, tag="limits-noticed/1"):
    """All players were told of limits to come."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]]
    at: str  # when they come into force
    clause: str


class LimitsChanged(_Event, frozen=True, tag="limits-changed/1"):
    """The limits of which notice was given are in force; standing wagers keep theirs."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]]
    clause: str


class RollCorrected(_Event, frozen=True, tag="roll-corrected/1"):
    """The faces of the last roll were wrong. Nothing before is erased: this says what moves and where it leads."""

    corrects: int  # the version of the entry in which that roll landed
    first: int
    second: int
    was_first: int
    was_second: int
    reason: str
    redone: tuple[e.Event, ...]  # the roll as it should have been, and what was done since, from before the throw
    table: Table  # position and money as they are now
    movements: tuple[Movement, ...]
    kept: tuple[int, ...]  # which of the commands since the throw were done again, by their places from 0
    dropped: tuple[str, ...]  # what was done since and could not be done again, in words
    clause: str


class TableFrozen(_Event, frozen=True, tag="table-frozen/1"):
    """The table stands still over a dispute, with the sequence each seat's screen had confirmed."""

    reason: str
    seat: int
    shown: dict[str, int]


class ScreensShown(_Event, frozen=True, tag="screens-shown/1"):
    """Screens had confirmed more before the freeze than was recorded with it, most often at another server process."""

    freeze: int  # the version of the entry that froze the table
    shown: dict[str, int]


class TableReleased(_Event, frozen=True, tag="table-released/1"):
    """The dispute is over."""

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
)  # fmt: skip
TableEvent = e.Event | OwnEvent
"""Everything that can stand in a table's stream."""


class ApprovalFiled(_Event, frozen=True, tag="approval-filed/1"):
    """An approval is on file."""

    kind: str
    authority: str
    reference: str
    date: str


class ApprovalWithdrawn(_Event, frozen=True, tag="approval-withdrawn/1"):
    """An approval is no longer on file."""

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


HouseEvent = LogBegun | ApprovalFiled | ApprovalWithdrawn | ReportFiled | ShiftClosed
"""Everything that can stand in the stream of the house."""

"""What people ask of a live table beyond the game's own commands, and of the house it stands in.

A page may send any of the game's commands but those with dice in them; the dice come from `Roll` or `KeyDice`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.game import commands as c

__all__ = [
    "CloseShift",
    "CloseTable",
    "CorrectRoll",
    "DiceOut",
    "FileApproval",
    "FileReport",
    "FreezeTable",
    "HouseCommand",
    "KeyDice",
    "NoticeLimits",
    "OpenTable",
    "ReleaseTable",
    "ReportConduct",
    "ReportShown",
    "Roll",
    "SeatPlayer",
    "TableCommand",
    "WithdrawApproval",
]


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command"):
    pass


class OpenTable(_Command, frozen=True, kw_only=True, tag="open-table"):
    """Open a table: the house names its regulation and game; the bank is a first fill."""

    name: str
    table: str = ""  # what its stream and its address are called; made of the name where it is left out
    house: dict[str, Any]
    dice: str = "electronic"  # or physical: the stickperson keys in what came up
    automate: tuple[str, ...] = ()  # the house steps nobody waits for
    buy_in: str = "dealer"  # who changes cash for chips: the dealer, or the players themselves
    bank_cents: int = 0
    is_demo: bool = False


class CloseTable(_Command, frozen=True, kw_only=True, tag="close-table"):
    """Close a table that nobody plays at any more; its bank goes to the cage as a last credit."""


class SeatPlayer(_Command, frozen=True, kw_only=True, tag="seat-player"):
    """Seat an account. Pages send `take-seat`; the server knows who they are and completes it to this."""

    seat: int
    account: str
    name: str
    is_employee: bool = False


class Roll(_Command, frozen=True, kw_only=True, tag="roll"):
    """The shooter at this seat throws electronic dice."""

    seat: int


class DiceOut(_Command, frozen=True, kw_only=True, tag="dice-out"):
    """The stickperson says that the shooter has thrown: from here on a wager is late."""


class KeyDice(_Command, frozen=True, kw_only=True, tag="key-dice"):
    """The stickperson keys in how the thrown dice lie; a throw that nobody announced is announced with it.

    A lie that makes the throw void leaves no faces: they are kept as 0, whatever was keyed in.
    """

    first: int = 0
    second: int = 0
    first_lie: str = "flat"
    second_lie: str = "flat"


class CorrectRoll(_Command, frozen=True, kw_only=True, tag="correct-roll"):
    """Correct the faces of the last roll; what was done since is done again on top of it where it still can be."""

    first: int
    second: int
    reason: str


class FreezeTable(_Command, frozen=True, kw_only=True, tag="freeze-table"):
    """Stop the table over a dispute; what each player had been shown is kept."""

    reason: str
    seat: int = 0  # of the player who disputes
    shown: dict[str, int] = {}  # by seat: the sequence its screens had confirmed, 0 unknown; the server completes it


class ReportShown(_Command, frozen=True, kw_only=True, tag="report-shown"):
    """Record what screens at a server process had shown before a freeze; the server itself knows it and gives it."""

    freeze: int  # the version of the entry that froze the table
    shown: dict[str, int]  # by seat, as in a freeze


class ReleaseTable(_Command, frozen=True, kw_only=True, tag="release-table"):
    """Go on after a dispute, with what was found."""

    finding: str


class NoticeLimits(_Command, frozen=True, kw_only=True, tag="notice-limits"):
    """Tell all players of new limits, which come into force after the notice the house elected, or longer."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]] = {}  # per wager, as a house has them
    in_minutes: int = -1  # from now; -1: what the house elected


class ReportConduct(_Command, frozen=True, kw_only=True, tag="report-conduct"):
    """Record a breach of conduct at the table: advice by the crew, or an aid that projects outcomes."""

    breach: str  # strategy_advice or prediction_aid
    seat: int
    role: str = ""  # of the employee who advised
    text: str = ""
    during: str = ""  # when: now, or last_roll, whose wagers may be decided by the time it is recorded


OwnCommand = (
    OpenTable | CloseTable | SeatPlayer | Roll | DiceOut | KeyDice | CorrectRoll
    | FreezeTable | ReportShown | ReleaseTable | NoticeLimits | ReportConduct
)  # fmt: skip
TableCommand = c.Command | OwnCommand
"""Everything a live table can be asked."""


class FileApproval(_Command, frozen=True, kw_only=True, tag="file-approval"):
    """Put on file that an authority or a laboratory approved something."""

    kind: str
    authority: str
    reference: str
    date: str  # of the approval: 2026-11-15


class WithdrawApproval(_Command, frozen=True, kw_only=True, tag="withdraw-approval"):
    """Take an approval off file; it stays in the log."""

    kind: str
    authority: str
    reference: str
    reason: str


class FileReport(_Command, frozen=True, kw_only=True, tag="file-report"):
    """File a report of one of the classes of records that a regulator reads."""

    record_class: str
    table: str = ""  # its id; empty: the whole house
    text: str


class CloseShift(_Command, frozen=True, kw_only=True, tag="close-shift"):
    """Close a shift: a signed checkpoint of the log and of the balances of every table."""


HouseCommand = FileApproval | WithdrawApproval | FileReport | CloseShift
"""Everything the house can be asked."""

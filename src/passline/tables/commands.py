"""Commands to live tables beyond the game's own, and to the house.

Pages may send any of the game's commands except those that name dice, which come from the commands here.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from passline.game import commands as c
from passline.game.position import PointsMode


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command"):
    pass


class Opener(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The opening inventory that the office has counted, by which a table opens."""

    office: str  # the regulation
    entry: int  # the version of the office's stream with which the count took effect
    act: int  # its number
    cents: int  # as counted
    on_record: int  # what the office had on record in the tray before


class OpenTable(_Command, frozen=True, kw_only=True, tag="open-table"):
    """Open a table: the house names its regulation and game.

    The bank is a first fill; where the house keeps its office here, it is the opening inventory that was counted there.
    """

    name: str
    table: str = ""  # its id in the log and in addresses; derived from the name if left out
    house: dict[str, Any]
    dice: str = "electronic"  # or physical: the stickperson keys in what came up
    automate: tuple[str, ...] = ()  # the house steps that happen by themselves
    buy_in: str = "dealer"  # who changes cash for chips: the dealer, or players themselves (self)
    bank_cents: int = 0
    is_demo: bool = False
    dice_digest: str = ""  # of the key of the first electronic roll; set by the server
    puts_in_dice: bool = False  # a new set of physical dice comes with it; set by the server
    practice_cents_max: int = 0  # the most play money a player has at once; above 0 this is a practice table
    terms: int = 0  # those of live tables that it is opened under; 0: before there were any; set by the server
    clearance: int = 0  # by the office, where the house keeps its office here; set by the server
    opener: Opener | None = None  # that comes with a clearance; set by the server
    is_keyed: bool = True  # False: the crew keys in no wagers, only rolls and estimates; with physical dice only
    requires_dice_out: bool = False  # before dice are keyed in; the API sets it where it is left out, older logs do not
    points: PointsMode | None = None  # a table of a tournament; set by the server


class Entrant(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player of a tournament's round: the seat that was drawn, and the chips, in cents of points."""

    seat: int
    account: str
    name: str
    cents: int


class SeatEntrants(_Command, frozen=True, kw_only=True, tag="seat-entrants"):
    """Seat the players of a tournament's round and give them their chips. Only the server gives it."""

    entrants: tuple[Entrant, ...]


class FinishRound(_Command, frozen=True, kw_only=True, tag="finish-round"):
    """End a tournament's round at this table and take the chips off. Only the server gives it."""


class CloseTable(_Command, frozen=True, kw_only=True, tag="close-table"):
    """Close a table that nobody plays at; its bank goes to the cage as a credit.

    Where its money is on the office's papers, it stays in the tray until the office counts the closer.
    """

    is_sole_owner: bool = False  # nobody signs it, since the house has only one owner


class SeatPlayer(_Command, frozen=True, kw_only=True, tag="seat-player"):
    """Seat an account, or a walk-in under a made-up one. Pages send `take-seat`, which the server completes to this.

    An employee is known by account, or by the office's record of a patron. A walk-in's name that is like an employee's
    is only a warning, `resembles`: a floorperson looks and says that it is somebody else.
    """

    seat: int
    account: str
    name: str
    is_employee: bool = False  # the server fills it in
    patron: str = ""  # of a walk-in: their number among the office's patrons
    resembles: str = ""  # the employee whose name a walk-in's name is like; the server fills it in
    is_somebody_else: bool = False  # a floorperson has looked: the walk-in is not that employee


class Roll(_Command, frozen=True, kw_only=True, tag="roll"):
    """The shooter at this seat throws electronic dice: wagers are closed, and the dice follow in an entry of their own.

    The shooter may keep a nonce of 32 random bytes, and sends it when wagers are closed: then not even somebody who
    knows the dice's keys could foresee the roll.
    """

    seat: int
    nonce_digest: str = ""  # the SHA-256 of the shooter's nonce, in hex; empty: none


class TakeNonce(_Command, frozen=True, kw_only=True, tag="take-nonce"):
    """Record the shooter's nonce, or that it did not come in time: from then on the roll is determined.

    Only the server itself gives it. It is an entry of its own, durable before the key is revealed: otherwise whoever
    stops the entry of the roll could choose between the dice with the nonce and those without.
    """

    is_about_clock: ClassVar[bool] = True  # a throw whose wagers are closed is completed whatever the clock says

    closing: int  # the version of the entry that closed wagers
    nonce: str  # in hex; empty: it did not come in time


class CompleteRoll(_Command, frozen=True, kw_only=True, tag="complete-roll"):
    """Land the electronic dice of a throw. Only the server itself gives it, and its faces follow from what it holds."""

    is_about_clock: ClassVar[bool] = True  # a throw whose wagers are closed is completed whatever the clock says

    closing: int  # the version of the entry that closed wagers
    hash: str  # of that entry, in hex
    key: str  # of this roll, in hex
    nonce: str  # the shooter's, in hex; empty: none
    next_digest: str  # of the key of the next roll


class CommitDice(_Command, frozen=True, kw_only=True, tag="commit-dice"):
    """Commit to the first key of a table that was opened before rolls could be proved. Only the server gives it."""

    digest: str


class RenewDice(_Command, frozen=True, kw_only=True, tag="renew-dice"):
    """Commit to a new key because the last one is lost; a throw whose wagers are closed becomes void.

    The house itself gives it after a backup was restored.
    """

    is_about_clock: ClassVar[bool] = True  # a throw whose wagers are closed is completed whatever the clock says

    reason: str
    is_sole_owner: bool = False  # nobody signs it, since the house has only one owner
    digest: str = ""  # of the new key; set by the server


class DiceOut(_Command, frozen=True, kw_only=True, tag="dice-out"):
    """The stickperson announces that the shooter has thrown: from now on wagers are late."""


class KeyDice(_Command, frozen=True, kw_only=True, tag="key-dice"):
    """The stickperson keys in how the dice lie; this also announces a throw, unless the house requires dice out.

    A void throw has no faces: they are recorded as 0, whatever was keyed in.
    """

    first: int = 0
    second: int = 0
    first_lie: str = "flat"
    second_lie: str = "flat"


class CorrectRoll(_Command, frozen=True, kw_only=True, tag="correct-roll"):
    """Correct the faces of the last roll; what was done since is done again where still possible."""

    first: int
    second: int
    reason: str


class FreezeTable(_Command, frozen=True, kw_only=True, tag="freeze-table"):
    """Freeze the table over a dispute, with what each player's screen had shown."""

    reason: str
    seat: int = 0  # of the player who disputes
    shown: dict[str, int] = {}  # by seat: the sequence its screen had confirmed (0: unknown); set by the server


class ReportShown(_Command, frozen=True, kw_only=True, tag="report-shown"):
    """Record what screens of a server process had shown before a freeze. Only the server itself gives it."""

    freeze: int  # the version of the entry that froze the table
    shown: dict[str, int]  # by seat, as in a freeze


class ReleaseTable(_Command, frozen=True, kw_only=True, tag="release-table"):
    """End a freeze, with what was found."""

    finding: str


class NoticeLimits(_Command, frozen=True, kw_only=True, tag="notice-limits"):
    """Announce new limits, which come into force after the notice that the house elected, or later."""

    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, dict[str, int]] = {}  # per wager, as a house has them
    in_minutes: int = -1  # from now; -1: as the house elected


class CloseMeter(_Command, frozen=True, kw_only=True, tag="close-meter"):
    """Close the meter of a progressive at this table, open or closed: no such wager is taken any more.

    Of one above its base it says what becomes of the rest, and names the papers of those who must agree to that.
    """

    wager: str
    reason: str
    above: str = ""  # another meter, award or prize
    into: str = ""  # the progressive whose meter takes the rest
    agreed: dict[str, str] = {}  # the number of the paper, by body


class OpenMeter(_Command, frozen=True, kw_only=True, tag="open-meter"):
    """Open the meter of a progressive again that was closed at this table; it starts at its base."""

    wager: str


class AdoptRulebook(_Command, frozen=True, kw_only=True, tag="adopt-rulebook"):
    """Deal from now on under the rulebook that is installed, if it is the one with this digest."""

    digest: str
    is_sole_owner: bool = False  # nobody signs it, since the house has only one owner
    terms: int = 0  # those of live tables that it comes under as well; set by the server


class ChangeHouse(_Command, frozen=True, kw_only=True, tag="change-house"):
    """Deal from now on under another house of the same regulation and game, with nothing on the layout.

    Where the house keeps its office here, the office clears it as it clears an opening.
    """

    house: dict[str, Any]
    is_sole_owner: bool = False  # nobody signs it, since the house has only one owner
    terms: int = 0  # those of live tables that it must meet; set by the server
    clearance: int = 0  # by the office, where the house keeps its office here; set by the server


class ReportConduct(_Command, frozen=True, kw_only=True, tag="report-conduct"):
    """Record a breach of conduct at the table: advice by the crew, or an aid that projects outcomes."""

    breach: str  # strategy_advice or prediction_aid
    seat: int
    role: str = ""  # of the employee who advised
    text: str = ""
    during: str = ""  # empty: now; or last_roll, whose wagers may be decided by the time it is recorded


class PutInDice(_Command, frozen=True, kw_only=True, tag="put-in-dice"):
    """Put a new set of physical dice into play and take the old one away."""


class CondemnDice(_Command, frozen=True, kw_only=True, tag="condemn-dice"):
    """Condemn the set of dice in play: nobody throws again before a new set is put in."""

    reason: str  # as the rulebook has them: lost, tampered, unfit
    text: str = ""


class ReportIrregularity(_Command, frozen=True, kw_only=True, tag="report-irregularity"):
    """Report an irregularity to those who direct what is done about it."""

    text: str


class DirectAction(_Command, frozen=True, kw_only=True, tag="direct-action"):
    """Direct what is done about a reported irregularity."""

    irregularity: int  # its number at this table
    action: str


class ObserveAction(_Command, frozen=True, kw_only=True, tag="observe-action"):
    """Record that the directed action was carried out under the eyes of whoever sends this."""

    irregularity: int


class EnterPaper(_Command, frozen=True, kw_only=True, tag="enter-paper"):
    """Enter what the office has on paper about a table's money in the table's own books. Only the server gives it.

    Papers are entered once, in the order in which they took effect: whatever the table is doing, they have happened.
    """

    is_about_clock: ClassVar[bool] = True  # it has happened, whatever the clock says

    office: str  # the regulation
    entry: int  # the version of the office's stream with which the act took effect
    act: int  # its number
    paper: str  # opener, shift, closer, fill, credit, credit_back, over, short, drop, soft_count or tips
    cents: int = 0  # as counted, or as on the slip
    about: str = ""  # the slip, or the box


class RatePlayer(_Command, frozen=True, kw_only=True, tag="rate-player"):
    """Record an estimate of somebody's play at a table whose wagers are not keyed in."""

    name: str
    account: str = ""  # if it is known
    average_cents: int  # the average wager, as estimated
    minutes: int


OwnCommand = (
    OpenTable | CloseTable | SeatPlayer | DiceOut | KeyDice | CorrectRoll
    | Roll | TakeNonce | CompleteRoll | CommitDice | RenewDice
    | FreezeTable | ReportShown | ReleaseTable | NoticeLimits | AdoptRulebook | ChangeHouse | ReportConduct
    | PutInDice | CondemnDice | ReportIrregularity | DirectAction | ObserveAction | EnterPaper | RatePlayer
    | SeatEntrants | FinishRound | CloseMeter | OpenMeter
)  # fmt: skip
TableCommand = c.Command | OwnCommand
"""Every command to a live table."""


class FileApproval(_Command, frozen=True, kw_only=True, tag="file-approval"):
    """File an approval by an authority or a laboratory."""

    kind: str
    authority: str
    reference: str
    date: str  # of the approval: 2026-11-15


class WithdrawApproval(_Command, frozen=True, kw_only=True, tag="withdraw-approval"):
    """Withdraw an approval; it stays in the log."""

    kind: str
    authority: str
    reference: str
    reason: str


class FileReport(_Command, frozen=True, kw_only=True, tag="file-report"):
    """File a report in one of the classes of records that a regulator reads."""

    record_class: str
    table: str = ""  # its id; empty: the whole house
    text: str


class CloseShift(_Command, frozen=True, kw_only=True, tag="close-shift"):
    """Close a shift: a signed checkpoint of the log and of the balances of every table."""


class RecordClockJump(_Command, frozen=True, kw_only=True, tag="record-clock-jump"):
    """Record that the system's clock jumped. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # it is recorded also while the clock is wrong

    was: str  # what the clock would have said, or the newest time on record at a start
    found: str  # what it said


class RecordClockSync(_Command, frozen=True, kw_only=True, tag="record-clock-sync"):
    """Record whether a time service keeps the server's clock, where that has changed. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True

    state: Literal["synchronised", "not synchronised"]
    milliseconds: int  # how far it may be off at most


class KeepRulebook(_Command, frozen=True, kw_only=True, tag="keep-rulebook"):
    """Keep the pages of a rulebook in the log before a table is dealt under it. Only the server itself gives it."""

    name: str
    pages: str  # by file name, as JSON, compressed by zlib, in base64
    program: str  # the version of Passline


class RecordStart(_Command, frozen=True, kw_only=True, tag="record-start"):
    """Record which program begins to serve. Only the server itself gives it."""

    process: str  # made by chance
    program: str  # the version of Passline
    code: str  # the digest of its source
    python: str
    rulebooks: dict[str, str]  # the digest of each that is installed, by name


class SetOdds(_Command, frozen=True, kw_only=True, tag="set-odds"):
    """Say what the casino pays beyond a regulation's list, for a table about to open. Only the server gives it."""

    rules: str  # the regulation
    table: str  # the id of that table
    payouts: dict[str, str]  # by wager and number; what is not named pays as listed


class ElectOffice(_Command, frozen=True, kw_only=True, tag="elect-office"):
    """Say where the house keeps its office: here, so that tables open by its lists, or elsewhere, by other means."""

    where: str
    terms: int | UnsetType = UNSET  # 1: elsewhere only by two owners; unset: older, a floorperson could sign


HouseCommand = (
    FileApproval | WithdrawApproval | FileReport | CloseShift | RecordClockJump | RecordClockSync | KeepRulebook
    | RecordStart | SetOdds | ElectOffice
)  # fmt: skip
"""Every command to the house."""

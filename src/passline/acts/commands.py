"""Commands to the office, as they are logged. The rules decide what an act means; the command only names it."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from passline.acts.calendar.facility import Facility


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="command"):
    pass


class KeepOffice(_Command, frozen=True, kw_only=True, tag="keep-office"):
    """Keep the pages of an office in the log before anything is done under them. Only the server itself gives it."""

    name: str  # the regulation
    pages: str  # by file name, as JSON, compressed by zlib, in base64
    program: str  # the version of Passline


class SetUpOffice(_Command, frozen=True, kw_only=True, tag="set-up-office"):
    """Say where the house deals: time zone, gaming day, shifts, areas and days without business."""

    facility: Facility


class SetValue(_Command, frozen=True, kw_only=True, tag="set-value"):
    """Set a figure that the text leaves open, from the paper of whoever decides it."""

    key: str
    value: Any
    document: str = ""  # the digest of the paper
    reference: str = ""
    received: str = ""  # the day it came
    stamp: str = ""  # of the body that sets it, if it has a key of its own


class AssignBody(_Command, frozen=True, kw_only=True, tag="assign-body"):
    """Say for which outside body a regulator's account acts; an empty body takes it back."""

    account: str
    body: str


class GiveBodyKey(_Command, frozen=True, kw_only=True, tag="give-body-key"):
    """Enter the public key of an outside body: from now on its favourable words need its stamp."""

    body: str
    key: str  # hex


class RevokeBodyKey(_Command, frozen=True, kw_only=True, tag="revoke-body-key"):
    """Take back the key of an outside body, which has lost it or gets another."""

    body: str
    key: str
    reason: str


class LeaveOut(_Command, frozen=True, kw_only=True, tag="leave-out"):
    """Say which items of practice the house leaves out: the complete list, each item by its path in the pages.

    Such as `gates.open_table.items.equipment`, `watches.sign_in_force` or `acts.receive_chips.signs.witness`.
    """

    items: tuple[str, ...] = ()


class DoAct(_Command, frozen=True, kw_only=True, tag="do-act"):
    """Do one of the office's acts, to things of its kind, with its fields."""

    act: str
    things: tuple[str, ...] = ()
    fields: dict[str, Any] = {}
    occurred: str = ""  # when it happened, if not now
    signs: str = ""  # as which part the person signs who signs off this command
    paper: dict[str, str] = {}  # of an outside body's act: its document, reference and the day it was received
    stamp: str = ""  # of the body, if it has a key of its own


class BatchLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An act as it was written on a manual slip while nothing could be recorded."""

    act: str
    by: str  # the account of who did it, by the signature on the slip
    occurred: str
    slip: str = ""  # its number; of a line about slips themselves none
    things: tuple[str, ...] = ()  # of a later line of the same slip they are those of its first
    fields: dict[str, Any] = {}
    signed: dict[str, str] = {}  # who signed the slip as which part: accounts
    counted: dict[str, dict[str, Any]] = {}  # what one of them has counted, by part, where it is not as `fields` say


class SignAct(_Command, frozen=True, kw_only=True, tag="sign-act"):
    """Sign an act that waits for it: as the account that sends this, or as the one that signs it off."""

    number: int
    part: str
    fields: dict[str, Any] = {}  # a second count


class VoidAct(_Command, frozen=True, kw_only=True, tag="void-act"):
    """Take back an act that still waits for a signature. It and its number stay on record."""

    number: int
    reason: str


class LookRound(_Command, frozen=True, kw_only=True, tag="look-round"):
    """Look whether a standing condition is broken. Only the server gives it, with the tables that are open."""

    is_about_clock: ClassVar[bool] = True  # also while the clock is wrong

    open_tables: tuple[str, ...] = ()


class NoteCash(_Command, frozen=True, kw_only=True, tag="note-cash"):
    """Note how much cash a patron brought or took in a gaming day, above what must be reported. The server gives it."""

    patron: str  # as patron/id, account/id or act/number
    day: str
    cents_in: int
    cents_out: int


class NoteDice(_Command, frozen=True, kw_only=True, tag="note-dice"):
    """Note that the rolls of a set of dice speak against it. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # they were rolled, whatever the clock says

    table: str
    number: int
    rolls: int
    evidence: int
    sets: int
    dice: tuple[str, ...] = ()  # their serial numbers, where they have any


class NoteSkim(_Command, frozen=True, kw_only=True, tag="note-skim"):
    """Note that counts speak for money being taken from a table or at a crew's tables. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # it was counted, whatever the clock says

    look: str  # notes or chips
    kind: str  # table or crew
    subject: str
    table: str  # of the shift after which it alarmed
    day: str
    shift: str
    shifts: int
    short: int
    evidence: int
    bound: int


class NoteResult(_Command, frozen=True, kw_only=True, tag="note-result"):
    """Note that what a table, crew, shift or the house won in a month is beyond luck. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # it was played, whatever the clock says

    scope: str  # table, crew, shift or house
    subject: str
    month: str  # such as 2026-11
    won: int
    low: int  # luck alone leaves what is won between low and high, but for once in `bound`
    high: int
    rolls: int
    bound: int
    people: tuple[str, ...] = ()  # the accounts of the crews that dealt it


class NoteComp(_Command, frozen=True, kw_only=True, tag="note-comp"):
    """Note what the play of a patron in a gaming day was worth: a share is earned. Only the server gives it."""

    patron: str  # the patron's number
    day: str
    theoretical: int  # what the house expected to win, in cents


class NoteUnaccountedDice(_Command, frozen=True, kw_only=True, tag="note-unaccounted-dice"):
    """Note that a table threw dice after the papers had taken all of them away. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # they were rolled, whatever the clock says

    table: str
    number: int  # of the set at its table
    dice: tuple[str, ...]  # the serial numbers of those that lay there last


class ClearTable(_Command, frozen=True, kw_only=True, tag="clear-table"):
    """Clear a table for opening, or for another house: all that its list asks for holds. Only the server gives it."""

    table: str
    house: str  # the digest of the house it is opened under
    dice: str
    tournament: str = ""  # whose table it is, if any: its chips are points, so that no inventory is counted
    is_open: bool = False  # it is open, and comes under another house


class CommitFile(_Command, frozen=True, kw_only=True, tag="commit-file"):
    """Commit to a file that is kept outside the log, as it was after a gaming day. Only the server gives it.

    The hash is salted, of one size, and given for every day: it does not tell whether anything is in the file.
    """

    day: str
    commitment: str  # SHA-256, in hex


class TellLedger(_Command, frozen=True, kw_only=True, tag="tell-ledger"):
    """Tell the office what a live table's ledger had when something of it was counted. Only the server gives it."""

    is_about_clock: ClassVar[bool] = True  # the count has happened, whatever the clock says

    act: int
    table: str
    paper: str
    counted: int
    ledger: int
    layout: int = 0


ActCommand = (
    KeepOffice | SetUpOffice | SetValue | AssignBody | GiveBodyKey | RevokeBodyKey | LeaveOut | DoAct | SignAct
    | VoidAct | LookRound | ClearTable | NoteCash | NoteDice | NoteSkim | NoteResult | NoteComp | NoteUnaccountedDice
    | TellLedger
    | CommitFile
)  # fmt: skip
"""Everything that can be asked of an office."""

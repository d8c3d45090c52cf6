"""Events of the office; their names are stable and versioned. What an act led to is written out, never looked up."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.figures import Correction, Figure, FigureMove
from passline.acts.marks import ActMoments
from passline.acts.noted import (
    DICE_NOTED,
    DICE_UNACCOUNTED,
    RESULT_NOTED,
    SKIM_NOTED,
    dice_key,
    result_key,
    skim_key,
)


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """What a thing became: its state, and the facts that are known of it from now on."""

    kind: str
    id: str
    state: str
    facts: dict[str, Any]


class StockMove(Struct, frozen=True, forbid_unknown_fields=True):
    """Units of a stock that went from one place to another, by denomination in cents."""

    stock: str
    source: str
    target: str
    units: dict[str, int]


class Variance(Struct, frozen=True, forbid_unknown_fields=True):
    """A count that differs from what the log says: by denomination or thing, as counted and as expected."""

    what: str
    counted: dict[str, int]
    expected: dict[str, int]
    clause: str
    about: str  # the thing or place, as kind/id


class TakenUp(Struct, frozen=True, forbid_unknown_fields=True):
    """Units that an act moved to a place, but was recorded too late: a count of that place had found them already."""

    stock: str
    place: str
    act: int  # that counted it
    units: dict[str, int]  # what came there by the movement; below zero, what left


class _Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="event"):
    pass


class OfficeKept(_Event, frozen=True, tag="office-kept/1"):
    """The log keeps the pages of an office; from now on it is run by them."""

    name: str
    digest: str
    program: str


class OfficeSetUp(_Event, frozen=True, tag="office-set-up/1"):
    """The facility's time, areas and days are known."""

    facility: Facility


class ValueSet(_Event, frozen=True, tag="value-set/1"):
    """A figure that the text leaves open was set."""

    key: str
    value: Any
    document: str
    reference: str
    received: str
    serves: tuple[str, ...] = ()  # the digest of its stamp, which serves nothing else


class BodyAssigned(_Event, frozen=True, tag="body-assigned/1"):
    """A regulator's account acts for an outside body; empty: for none any more."""

    account: str
    body: str


class BodyKeyGiven(_Event, frozen=True, tag="body-key-given/1"):
    """An outside body has a key of its own, by which its stamps are checked."""

    body: str
    key: str  # the public one, in hex


class BodyKeyRevoked(_Event, frozen=True, tag="body-key-revoked/1"):
    """A key of an outside body counts no more; what it stamped before stands."""

    body: str
    key: str
    reason: str


class ItemsLeftOut(_Event, frozen=True, tag="items-left-out/1"):
    """The house has elected which items of practice it leaves out: these, and no others."""

    items: tuple[str, ...]


class ActDone(_Event, frozen=True, tag="act-done/1"):
    """An act was recorded. It takes effect when everybody has signed whom it waits for."""

    number: int  # of the office's acts, from 1, without a gap
    act: str
    kind: str
    things: tuple[str, ...]
    fields: dict[str, Any]
    occurred: str
    by: str  # the account
    name: str
    role: str
    waits: tuple[str, ...]  # for these signatures
    clause: str
    paper: dict[str, str] = {}  # of an outside body: document, reference and the day received
    series: str = ""  # the things are numbered by the office in this series
    moments: ActMoments | None = None  # from when it counts, where that is not `occurred`
    word: Literal["", "favourable", "unfavourable", "delivery", "notice"] = ""  # of or to an outside body
    told: Literal["", "stamp", "account", "house"] = ""  # by the body's key or its account, or told by the house
    body: str = ""  # whose word it is, or who was told
    serves: tuple[str, ...] = ()  # digests of documents and of the stamp, which serve no other act
    outage: str = ""  # while nothing could be recorded: the outage; who did it has signed on paper
    slip: str = ""  # the manual slip on which it was written
    teller: str = ""  # who told it after the outage for whoever did it, by name

    @property
    def is_late(self) -> bool:
        """Whether it was recorded later than its page allows."""
        return self.moments is not None and self.moments.is_late


class ActSigned(_Event, frozen=True, tag="act-signed/1"):
    """Somebody signed an act."""

    number: int
    part: str
    by: str
    name: str
    role: str
    clause: str
    fields: dict[str, Any] = {}
    slip: str = ""  # the manual slip on which they signed, while nothing could be recorded


class ActCompleted(_Event, frozen=True, tag="act-completed/1"):
    """An act took effect: everybody has signed."""

    number: int
    changes: tuple[Change, ...] = ()
    moves: tuple[StockMove, ...] = ()
    variances: tuple[Variance, ...] = ()
    values: dict[str, Any] = {}  # of the office, which it sets
    figures: tuple[FigureMove, ...] = ()  # what its movements rest on
    is_kept: bool = False  # its figures are kept at hand, to be corrected if they are wrong
    corrects: Correction | None = None  # it has put right what an earlier act had said
    recalled: Figure | None = None  # what that had said, where its pages did not keep it at hand
    taken_up: tuple[TakenUp, ...] = ()  # places that were counted since: what moved there was in the count


class ActVoided(_Event, frozen=True, tag="act-voided/1"):
    """An act was taken back before it took effect."""

    number: int
    reason: str
    is_on_record: bool = False  # it was said, too late to have an effect


class IncidentOpened(_Event, frozen=True, tag="incident-opened/1"):
    """A clause was broken, or a count differs: somebody must look into it."""

    id: str
    clause: str
    why: str
    about: str  # the thing, as kind/id; empty: the office
    act: int = 0  # the act that broke it
    people: tuple[str, ...] = ()  # the accounts that did or signed it, or that its fields name
    result: str = ""  # the month's result that it is about, as result/table/craps-1/2026-11


class WatchBroken(_Event, frozen=True, tag="watch-broken/1"):
    """A standing condition does not hold any more."""

    watch: str
    thing: str


class WatchMended(_Event, frozen=True, tag="watch-mended/1"):
    """A standing condition holds again."""

    watch: str
    thing: str


class CashReached(_Event, frozen=True, tag="cash-reached/1"):
    """A patron brought or took more cash in a gaming day than may go without a report."""

    report: str  # the thing that the report is known by
    patron: str  # as patron/id, account/id or act/number
    day: str
    cents_in: int
    cents_out: int
    above: int  # the figure that the office was told, in cents


class DiceAlarmed(_Event, frozen=True, tag="dice-alarmed/1"):
    """The rolls of a set of physical dice speak against it; an incident beside it says so."""

    table: str
    number: int  # of the set at its table
    rolls: int
    evidence: int  # to one, against fair dice
    sets: int  # in use then
    one_in: int  # how seldom all sets together may alarm if they are fair

    @property
    def mark(self) -> tuple[str, str]:
        """The mark that it leaves, and the thing that it marks."""
        return DICE_NOTED, dice_key(self.table, self.number)


class SkimAlarmed(_Event, frozen=True, tag="skim-alarmed/1"):
    """Counts of a table, or of a crew's tables, speak for money being taken; an incident beside it says so."""

    look: str  # notes or chips
    kind: str  # table or crew
    subject: str
    day: str  # and shift, after which it alarmed
    shift: str
    shifts: int  # that spoke together
    short: int  # cents that are missing of them
    evidence: int  # to one
    bound: int  # at which it alarms

    @property
    def mark(self) -> tuple[str, str]:
        """The mark that it leaves, and the alarm that it marks."""
        place = {"day": self.day, "shift": self.shift}
        return SKIM_NOTED, skim_key(look=self.look, kind=self.kind, subject=self.subject, **place)


class ResultAlarmed(_Event, frozen=True, tag="result-alarmed/1"):
    """What was won in a month is beyond what luck leaves; an incident beside it says so."""

    scope: str  # table, crew, shift or house
    subject: str
    month: str
    won: int  # cents, by the keyed wagers
    low: int  # luck alone leaves what is won between low and high, but for once in `bound`
    high: int
    rolls: int
    bound: int

    @property
    def mark(self) -> tuple[str, str]:
        """The mark that it leaves, and the result that it marks."""
        return RESULT_NOTED, result_key(scope=self.scope, subject=self.subject, month=self.month)


class CompEarned(_Event, frozen=True, tag="comp-earned/1"):
    """A share of what a patron's play of a gaming day was worth is earned as comps, or it turned out otherwise."""

    credit: Change  # the comps of the patron's gaming day, with its theoretical win, the share and what is earned
    move: StockMove  # so much more than was earned of it before, or back where it is less


class DiceUnaccounted(_Event, frozen=True, tag="dice-unaccounted/1"):
    """A table threw dice after the papers had taken all of them away; an incident beside it says so."""

    table: str
    number: int  # of the set at its table

    @property
    def mark(self) -> tuple[str, str]:
        """The mark that it leaves, and the thing that it marks."""
        return DICE_UNACCOUNTED, dice_key(self.table, self.number)


class TableCleared(_Event, frozen=True, tag="table-cleared/1"):
    """Everything held that a table needs to open, or to change its house. It is good for one such change, at once."""

    number: int  # of the office's clearances, from 1, without a gap
    table: str
    house: str
    state: str = ""  # the state that the table comes into, where the office has it on record


class TableShut(_Event, frozen=True, tag="table-shut/1"):
    """A table that was cleared for opening is dealt no more."""

    table: str
    state: str  # that it comes into


class ThingsFiled(_Event, frozen=True, tag="things-filed/1"):
    """Things that have ended were filed: their names and states stay at hand, the rest is in the log."""

    things: tuple[str, ...]  # as kind/id
    figures: tuple[int, ...] = ()  # acts whose figures are not kept at hand any more


class LedgerTold(_Event, frozen=True, tag="ledger-told/1"):
    """A count was held against the ledger of a live table whose wagers are keyed in: both figures, to the cent."""

    act: int  # that counted it
    table: str
    paper: str  # shift, closer or soft_count
    counted: int
    ledger: int
    layout: int = 0  # in wagers on the layout at that moment


class FileCommitted(_Event, frozen=True, tag="file-committed/1"):
    """The log is committed to a file beside it, as it was after a gaming day, whether anything is in it or not."""

    day: str
    commitment: str  # SHA-256 with a salt, in hex


ActEvent = (
    OfficeKept | OfficeSetUp | ValueSet | BodyAssigned | BodyKeyGiven | BodyKeyRevoked | ActDone | ActSigned
    | ActCompleted | ActVoided | IncidentOpened | WatchBroken | WatchMended | TableCleared | TableShut | CashReached
    | ItemsLeftOut | LedgerTold | DiceAlarmed | SkimAlarmed | ResultAlarmed | CompEarned | DiceUnaccounted | ThingsFiled
    | FileCommitted
)  # fmt: skip
"""Everything that can stand in the stream of an office."""

"""Events of the whole house: approvals, reports, shifts, rulebooks, starts; names are stable and versioned."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.store.genesis import OwnEvent


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


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


class ClockSyncChanged(_Event, frozen=True, tag="clock-sync-changed/1"):
    """From here on a time service keeps the server's clock, or none does; and how far it may be off at most."""

    state: Literal["synchronised", "not synchronised"]
    milliseconds: int


class RulebookKept(_Event, frozen=True, tag="rulebook-kept/1"):
    """The log keeps a rulebook; its pages are in the command. From now on tables can be opened under this digest."""

    name: str
    digest: str
    program: str


class ServerStarted(_Event, frozen=True, tag="server-started/1"):
    """A server process began to serve this log."""

    process: str
    program: str
    code: str
    python: str
    rulebooks: dict[str, str]


SERVER_STARTED = str(ServerStarted.__struct_config__.tag).encode()
"""How that is written: no log of a version that recorded itself is without it."""


class OddsSet(_Event, frozen=True, tag="odds-set/1"):
    """What the casino pays beyond a regulation's list; others wait until every server knows that table."""

    rules: str
    table: str
    payouts: dict[str, str]
    until: str  # before then no others are set


class OfficeElected(_Event, frozen=True, tag="office-elected/1"):
    """Where the house keeps its office from now on: here, or elsewhere."""

    where: str


HouseEvent = (
    OwnEvent | ApprovalFiled | ApprovalWithdrawn | ReportFiled
    | ShiftClosed | ClockJumped | ClockSyncChanged | RulebookKept | ServerStarted | OddsSet | OfficeElected
)  # fmt: skip
"""Everything that can stand in the stream of the house."""

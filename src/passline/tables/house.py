"""The stream of the house: approvals and reports on file, and shifts closed with a signed checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct, json
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.refusal import Refusal, Refused
from passline.rules.pages.texts import unpacked_pages
from passline.rules.schema import refusal
from passline.store.entry import Head
from passline.store.genesis import EntriesArchived, KeyRotated, LogBegun, LogRestored
from passline.streams.course import Actor, Decision
from passline.tables import commands as k
from passline.tables import house_events as h
from passline.tables.approvals import Approval, Approvals, approvable
from passline.tables.commands import HouseCommand
from passline.tables.duties import REPORTS, duty_of, unfit_actor, unfit_owners, unfit_signer
from passline.tables.house_events import HouseEvent, TableBalances
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.uniform_odds import set_odds

_TEXT_MAX = 20_000
_REFERENCE_MAX = 200
_OFFICES = ("here", "elsewhere")


class HouseState(Struct, frozen=True):
    """What holds for the whole house."""

    log_id: str = ""
    version: int = 0
    approvals: Approvals = Approvals()
    reports: int = 0
    shift: int = 1  # the number of the open one
    rulebooks: dict[str, int] = {}  # that the log keeps: the version of this stream, by digest
    odds: dict[str, h.OddsSet] = {}  # what every table of the casino pays beyond the list, by regulation
    closed: h.ShiftClosed | None = None  # the shift before the open one
    office: str = ""  # where it is kept: here or elsewhere; empty: the log is older than the office
    sync: str = ""  # whether a time service keeps the server's clock; empty: nobody has recorded it


def fold(state: HouseState | None, events: Iterable[HouseEvent]) -> HouseState:
    """Return the house after one decision."""
    after = state or HouseState()
    for event in events:
        after = evolve(after, event)
    return replace(after, version=after.version + 1)


def evolve(state: HouseState, event: HouseEvent) -> HouseState:  # noqa: C901 - a case per event
    """Return the house after one event of a decision."""
    match event:
        case LogBegun():
            return replace(state, log_id=event.log_id)
        case KeyRotated() | LogRestored() | EntriesArchived():
            return state  # the log's own affairs
        case h.ApprovalFiled():
            filed = Approval(event.kind, event.authority, event.reference, event.date)
            return replace(state, approvals=Approvals((*state.approvals.on_file, filed)))
        case h.ApprovalWithdrawn():
            left = tuple(approval for approval in state.approvals.on_file if not _is_it(approval, event))
            return replace(state, approvals=Approvals(left))
        case h.ReportFiled():
            return replace(state, reports=event.number)
        case h.ShiftClosed():
            return replace(state, shift=event.shift + 1, closed=event)
        case h.RulebookKept():
            return replace(state, rulebooks={**state.rulebooks, event.digest: state.version + 1})
        case h.OddsSet():
            return replace(state, odds={**state.odds, event.rules: event})
        case h.OfficeElected():
            return replace(state, office=event.where)
        case h.ClockSyncChanged():
            return replace(state, sync=event.state)
        case h.ServerStarted() | h.ClockJumped():
            return state


def decide(  # noqa: C901 - a case per command
    state: HouseState,
    command: HouseCommand,
    *,
    by: Actor,
    at: str,
    head: Head | None,
    tables: Iterable[LiveTable],
    sign: Callable[[bytes], bytes],
    signed_by: str = "",
    owners: frozenset[str] = frozenset(),
) -> Decision | Refused:
    """Decide a command to the house; a shift's checkpoint is made of `head`, `tables` and `sign`.

    `owners` are those of whom two must agree on it now; `verify` leaves them out, since in older logs one was enough.
    """
    duty = REPORTS.get(command.record_class) if isinstance(command, k.FileReport) else None
    unsigned = unfit_owners(command, by, signed_by, owners) or unfit_signer(command, by, signed_by)
    if unfit := unfit_actor(command, by, duty or duty_of(command)) or unsigned:
        return Refused((unfit,))
    verdict: HouseEvent | Refusal
    match command:
        case k.FileApproval():
            verdict = _file_approval(state, command, at)
        case k.WithdrawApproval():
            verdict = _withdraw_approval(state, command)
        case k.FileReport():
            verdict = _file_report(state, command)
        case k.CloseShift():
            verdict = _close_shift(state, head, tables, sign)
        case k.RecordClockJump():
            verdict = _record_clock_jump(command)
        case k.RecordClockSync():
            verdict = _record_clock_sync(state, command)
        case k.KeepRulebook():
            verdict = _keep_rulebook(state, command)
        case k.SetOdds():
            verdict = set_odds(command, state.odds, at)
        case k.ElectOffice():
            verdict = _elect_office(state, command)
        case k.RecordStart():
            verdict = h.ServerStarted(command.process, command.program, command.code, command.python, command.rulebooks)
    if isinstance(verdict, Refusal):
        return Refused((verdict,))
    return Decision(command, (verdict,), fold(state, (verdict,)))


def _is_it(approval: Approval, named: k.WithdrawApproval | h.ApprovalWithdrawn | k.FileApproval) -> bool:
    return (approval.kind, approval.authority, approval.reference) == (named.kind, named.authority, named.reference)


def _file_approval(state: HouseState, command: k.FileApproval, at: str) -> h.ApprovalFiled | Refusal:
    rule = approvable().get(command.kind)
    if rule is None:
        return Refusal("house", f"{command.kind!r} cannot be approved; choose one of {', '.join(approvable())}")
    if command.authority not in rule.authorities:
        why = f"{command.kind} is approved by {' and '.join(rule.authorities)}, not {command.authority!r}"
        return refusal(rule.cite, why)
    if not 0 < len(command.reference.strip()) <= _REFERENCE_MAX:
        return Refusal("form", f"an approval needs a reference of 1 to {_REFERENCE_MAX} characters")
    try:
        day = date.fromisoformat(command.date)
    except ValueError:
        return Refusal("form", f"{command.date!r} is not a day such as 2026-11-15")
    if day > (today := date.fromisoformat(at[: len("2026-11-15")])):
        return refusal(rule.cite, f"an approval cannot be dated {day}, in the future: today is {today}")
    if any(_is_it(approval, command) for approval in state.approvals.on_file):
        return Refusal("house", f"{command.reference} is already on file")
    return h.ApprovalFiled(command.kind, command.authority, command.reference, command.date)


def _withdraw_approval(state: HouseState, command: k.WithdrawApproval) -> h.ApprovalWithdrawn | Refusal:
    if not any(_is_it(approval, command) for approval in state.approvals.on_file):
        return Refusal(
            "house", f"no such approval is on file: {command.kind}, {command.authority}, {command.reference}"
        )
    if not 0 < len(command.reason.strip()) <= _REFERENCE_MAX:
        return Refusal("form", f"a withdrawal needs a reason of 1 to {_REFERENCE_MAX} characters")
    return h.ApprovalWithdrawn(command.kind, command.authority, command.reference, command.reason)


def _file_report(state: HouseState, command: k.FileReport) -> h.ReportFiled | Refusal:
    if command.record_class not in REPORTS:
        return Refusal(
            "house", f"{command.record_class!r} is not a class of records; choose one of {', '.join(REPORTS)}"
        )
    if not 0 < len(command.text.strip()) <= _TEXT_MAX:
        return Refusal("form", f"a report needs a text of 1 to {_TEXT_MAX} characters")
    return h.ReportFiled(state.reports + 1, command.record_class, command.table, command.text)


def _record_clock_jump(command: k.RecordClockJump) -> h.ClockJumped | Refusal:
    try:
        by = datetime.fromisoformat(command.found) - datetime.fromisoformat(command.was)
    except (ValueError, TypeError):
        return Refusal("form", f"{command.was!r} and {command.found!r} are not two moments")
    return h.ClockJumped(command.was, command.found, by // timedelta(milliseconds=1))


def _record_clock_sync(state: HouseState, command: k.RecordClockSync) -> h.ClockSyncChanged | Refusal:
    if command.state == state.sync:
        return Refusal("form", f"the log knows already that the clock is {command.state}")
    return h.ClockSyncChanged(command.state, max(0, command.milliseconds))


def _close_shift(
    state: HouseState, head: Head | None, tables: Iterable[LiveTable], sign: Callable[[bytes], bytes]
) -> h.ShiftClosed | Refusal:
    if head is None:
        return Refusal("log", "the log is empty: there is no shift to close")
    closed = h.ShiftClosed(state.shift, head.sequence, head.hash, balances_at(tables), "")
    return replace(closed, signature=sign(checkpoint_message(state.log_id, closed)).hex())


def _elect_office(state: HouseState, command: k.ElectOffice) -> h.OfficeElected | Refusal:
    if command.where not in _OFFICES:
        return Refusal("form", f"an office is kept {' or '.join(_OFFICES)}, not {command.where!r}")
    if command.where == state.office:
        return Refusal("house", f"the office is kept {command.where} already")
    return h.OfficeElected(command.where)


def _keep_rulebook(state: HouseState, command: k.KeepRulebook) -> h.RulebookKept | Refusal:
    try:
        rulebook = learn_rulebook(unpacked_pages(command.name, command.pages), is_kept=True)  # `verify` asks again
    except CrapsError as error:
        return Refusal("house", f"the rulebook of {command.name!r} cannot be kept: {error}")
    if rulebook.digest in state.rulebooks:
        return Refusal("house", f"the log keeps the rulebook {rulebook.digest} of {rulebook.name} already")
    return h.RulebookKept(rulebook.name, rulebook.digest, command.program)


def balances_at(tables: Iterable[LiveTable]) -> tuple[TableBalances, ...]:
    """Return the ledger balances of tables, sorted by id, without empty accounts."""
    return tuple(
        TableBalances(live.id, live.version, {account: cents for account, cents in live.balances.items() if cents})
        for live in sorted(tables, key=lambda live: live.id)
    )


def checkpoint_message(log_id: str, closed: h.ShiftClosed) -> bytes:
    """Return the bytes that the log's key signs: the log's id, and the event without its signature."""
    return b"passline checkpoint/1\n" + json.encode((log_id, replace(closed, signature="")), order="deterministic")

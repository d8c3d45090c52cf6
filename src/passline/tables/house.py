"""The stream of the house: approvals on file, reports filed, and shifts closed with a signed checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date

from msgspec import Struct, json
from msgspec.structs import replace

from passline.game.refusal import Refusal, Refused, refusal
from passline.store.entry import Head
from passline.store.genesis import LogBegun
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approval, Approvals, approvable
from passline.tables.commands import HouseCommand
from passline.tables.duties import REPORTS, Actor, unfit_duty
from passline.tables.events import HouseEvent, TableBalances
from passline.tables.live import LiveTable

__all__ = ["HouseState", "JudgedHouse", "balances_at", "checkpoint_message", "fold_house", "judge_house"]

_TEXT_MAX = 20_000
_REFERENCE_MAX = 200


class HouseState(Struct, frozen=True):
    """What holds for all tables of a house."""

    log_id: str = ""
    version: int = 0
    approvals: Approvals = Approvals()
    reports: int = 0
    shift: int = 1  # the one that is open


class JudgedHouse(Struct, frozen=True):
    """A command to the house, what it brings about, and the house after it."""

    command: HouseCommand
    events: tuple[HouseEvent, ...]
    after: HouseState


def fold_house(state: HouseState | None, happened: Sequence[HouseEvent]) -> HouseState:
    """Give the house after one decision."""
    after = state or HouseState()
    for event in happened:
        match event:
            case LogBegun():
                after = replace(after, log_id=event.log_id)
            case t.ApprovalFiled():
                filed = Approval(event.kind, event.authority, event.reference, event.date)
                after = replace(after, approvals=Approvals((*after.approvals.on_file, filed)))
            case t.ApprovalWithdrawn():
                left = tuple(one for one in after.approvals.on_file if not _is_it(one, event))
                after = replace(after, approvals=Approvals(left))
            case t.ReportFiled():
                after = replace(after, reports=event.number)
            case t.ShiftClosed():
                after = replace(after, shift=event.shift + 1)
    return replace(after, version=after.version + 1)


def judge_house(
    state: HouseState,
    command: HouseCommand,
    *,
    by: Actor,
    at: str,
    head: Head | None,
    tables: Iterable[LiveTable],
    sign: Callable[[bytes], bytes],
) -> JudgedHouse | Refused:
    """Judge what is asked of the house; `head`, `tables` and `sign` are what a checkpoint is made of."""
    duty = REPORTS.get(command.record_class) if isinstance(command, k.FileReport) else None
    if unfit := unfit_duty(command, by, duty=duty):
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
    if isinstance(verdict, Refusal):
        return Refused((verdict,))
    return JudgedHouse(command, (verdict,), fold_house(state, (verdict,)))


def _is_it(one: Approval, named: k.WithdrawApproval | t.ApprovalWithdrawn | k.FileApproval) -> bool:
    return (one.kind, one.authority, one.reference) == (named.kind, named.authority, named.reference)


def _file_approval(state: HouseState, command: k.FileApproval, at: str) -> t.ApprovalFiled | Refusal:
    rule = approvable().get(command.kind)
    if rule is None:
        return Refusal("house", f"{command.kind!r} is nothing to approve; these are: {', '.join(approvable())}")
    if command.authority not in rule.authorities:
        why = f"{command.kind} is approved by {' and '.join(rule.authorities)}, not {command.authority!r}"
        return refusal(rule.cite, why)
    if not 0 < len(command.reference.strip()) <= _REFERENCE_MAX:
        return Refusal("form", f"an approval has a reference of 1 to {_REFERENCE_MAX} characters")
    try:
        day = date.fromisoformat(command.date)
    except ValueError:
        return Refusal("form", f"{command.date!r} is no day, such as 2026-11-15")
    if day > (today := date.fromisoformat(at[: len("2026-11-15")])):
        return refusal(rule.cite, f"an approval of {day} is not given yet: today is {today}")
    if any(_is_it(one, command) for one in state.approvals.on_file):
        return Refusal("house", f"{command.reference} is on file already")
    return t.ApprovalFiled(command.kind, command.authority, command.reference, command.date)


def _withdraw_approval(state: HouseState, command: k.WithdrawApproval) -> t.ApprovalWithdrawn | Refusal:
    if not any(_is_it(one, command) for one in state.approvals.on_file):
        return Refusal(
            "house", f"no such approval is on file: {command.kind}, {command.authority}, {command.reference}"
        )
    if not 0 < len(command.reason.strip()) <= _REFERENCE_MAX:
        return Refusal("form", f"a withdrawal has a reason of 1 to {_REFERENCE_MAX} characters")
    return t.ApprovalWithdrawn(command.kind, command.authority, command.reference, command.reason)


def _file_report(state: HouseState, command: k.FileReport) -> t.ReportFiled | Refusal:
    if command.record_class not in REPORTS:
        return Refusal("house", f"{command.record_class!r} is no class of records; these are: {', '.join(REPORTS)}")
    if not 0 < len(command.text.strip()) <= _TEXT_MAX:
        return Refusal("form", f"a report has a text of 1 to {_TEXT_MAX} characters")
    return t.ReportFiled(state.reports + 1, command.record_class, command.table, command.text)


def _close_shift(
    state: HouseState, head: Head | None, tables: Iterable[LiveTable], sign: Callable[[bytes], bytes]
) -> t.ShiftClosed | Refusal:
    if head is None:
        return Refusal("log", "the log is empty: there is no shift to close")
    closed = t.ShiftClosed(state.shift, head.sequence, head.hash, balances_at(tables), "")
    return t.ShiftClosed(
        closed.shift, closed.sequence, closed.hash, closed.tables, sign(checkpoint_message(state.log_id, closed)).hex()
    )


def balances_at(tables: Iterable[LiveTable]) -> tuple[TableBalances, ...]:
    """Give the ledgers of tables, by their ids; empty accounts are left out."""
    return tuple(
        TableBalances(live.id, live.version, {account: cents for account, cents in live.balances.items() if cents})
        for live in sorted(tables, key=lambda live: live.id)
    )


def checkpoint_message(log_id: str, closed: t.ShiftClosed) -> bytes:
    """Give the bytes that the log's key signs: whose log it is, and the event without its signature."""
    return b"passline checkpoint/1\n" + json.encode((log_id, replace(closed, signature="")), order="deterministic")

"""The API of records: approvals and reports on file, shifts closed, and what the log itself records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import msgspec
from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.refusal import Refused
from passline.people.accounts import People
from passline.people.roles import RECORD_READERS
from passline.store.entry import Stored
from passline.store.genesis import HOUSE
from passline.store.log import Log
from passline.streams.course import Ask
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.duties import REPORTS, duty_of
from passline.tables.entries import HOUSE_CODEC, TABLE
from passline.tables.views.recall import disputes_of
from passline.tables.views.records import CLASSES, daily_activity, postings, records_of
from passline.web.api.openapi import answers, body, query
from passline.web.api.submission import SignOff, actor_of, check_id, signed_by
from passline.web.auth.visitors import Visitor, address_of, must_be, must_have
from passline.web.server.responses import denied, json_answer, read_body, refusals_answer
from passline.web.server.services import services_of

__all__ = ["KINDS", "router"]

router = APIRouter(tags=["records"])
"""The routes of records."""
KINDS = (*CLASSES, "checkpoints", "approvals", "reports", "activity", "postings", "disputes")
"""What records can be asked for: a class of them, or what the log keeps beside."""
_REFUSALS = answers(400, 401, 403, 409, 413, 422, 429, 503)


class _Request(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str = ""  # made by the caller; without one, every request acts
    role: str = ""
    sign_off: SignOff | None = None


class ApprovalBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """An approval to put on file."""

    kind: str
    authority: str
    reference: str
    date: str


class WithdrawalBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """An approval to take off file, and why."""

    kind: str
    authority: str
    reference: str
    reason: str


class ReportBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """A report to file: of the whole house, or of a table."""

    record_class: str
    text: str
    table: str = ""


class ShiftBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """A shift to close, signed off by somebody else."""


@router.post("/api/approvals", status_code=201, openapi_extra=body(ApprovalBody), responses=_REFUSALS)
async def file_approval(request: Request) -> Response:
    """Put an approval on file: a laboratory's report on electronic dice, an authority's on a roll histogram."""
    return await _asked(
        request,
        ApprovalBody,
        lambda one: k.FileApproval(kind=one.kind, authority=one.authority, reference=one.reference, date=one.date),
    )


@router.post("/api/approvals/withdraw", openapi_extra=body(WithdrawalBody), responses=_REFUSALS)
async def withdraw_approval(request: Request) -> Response:
    """Take an approval off file; it stays in the log."""
    return await _asked(
        request,
        WithdrawalBody,
        lambda one: k.WithdrawApproval(
            kind=one.kind, authority=one.authority, reference=one.reference, reason=one.reason
        ),
    )


@router.post("/api/reports", status_code=201, openapi_extra=body(ReportBody), responses=_REFUSALS)
async def file_report(request: Request) -> Response:
    """File a report of one of the classes of records."""
    return await _asked(
        request,
        ReportBody,
        lambda one: k.FileReport(record_class=one.record_class, table=one.table, text=one.text),
    )


@router.post("/api/shift/close", status_code=201, openapi_extra=body(ShiftBody), responses=_REFUSALS)
async def close_shift(request: Request) -> Response:
    """Close the shift: the newest head and the balances of every table, signed, go into the log."""
    return await _asked(request, ShiftBody, lambda _one: k.CloseShift())


async def _asked(request: Request, kind: type[_Request], command_of: Callable[[Any], k.HouseCommand]) -> Response:
    services = services_of(request)
    visitor = await must_be(request)
    asked: _Request = await read_body(request, msgspec.json.Decoder(kind))
    command = command_of(asked)
    by = actor_of(visitor, _role(visitor, asked.role, command))
    id_ = asked.id or uuid4().hex
    check_id(id_)
    signed = await signed_by(services, command, by, asked.sign_off, address_of(request))
    answer = await services.floor.ask_house(Ask(id_, command, by, signed))
    if isinstance(answer, Refused):
        return refusals_answer(answer)
    return json_answer(answer, 200 if kind is WithdrawalBody else 201)


def _role(visitor: Visitor, role: str, command: k.HouseCommand) -> str:
    """Give the role in which somebody asks: the one they say, or the first of theirs whose duty it is."""
    if role:
        must_have(visitor, role)
        return role
    duty = duty_of(command)
    if isinstance(command, k.FileReport):
        duty = REPORTS.get(command.record_class, duty)
    fit = (one for one in visitor.roles if one in duty.by)
    return next(fit, " and ".join(visitor.roles))  # which is nobody's duty, and refused as such


@router.get("/api/records", openapi_extra=query(kind=KINDS), responses=answers(401, 403, 422))
async def records(request: Request) -> Response:
    """Give the records of a kind: a class of records, or what the log keeps beside them."""
    await must_be(request, RECORD_READERS)
    kind = request.query_params.get("kind", CLASSES[0])
    made = _KINDS.get(kind)
    if kind not in KINDS:
        raise denied(422, f"kind: {kind[:40]!r} is not one of {', '.join(KINDS)}")
    services = services_of(request)
    log, approvals = services.log, services.floor.house.approvals
    found = await asyncio.to_thread(lambda: made(log, approvals) if made else records_of(list(log.read()), kind))
    people = await asyncio.to_thread(services.desk.people)
    return json_answer({"records": [_named(one, people) for one in found]})


def _named(record: object, people: People) -> dict[str, Any]:
    """Give a record with the name of the person behind it, beside their account."""
    fields: dict[str, Any] = msgspec.to_builtins(record)
    known = people.accounts.get(fields.get("by", ""))
    return {**fields, "name": known.name} if known else fields


def _house_records(log: Log, kind: type) -> list[dict[str, Any]]:
    """What is in the stream of the house, newest first."""
    return [
        {"sequence": stored.entry.sequence, "at": stored.entry.at, "by": stored.entry.actor, **_plain(event)}
        for stored in reversed(list(log.read_stream(HOUSE)))
        for event in HOUSE_CODEC.events(stored.entry)
        if isinstance(event, kind)
    ]


def _plain(event: object) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name != "event"}


def _disputes(log: Log, approvals: Approvals) -> list[dict[str, Any]]:
    streams = [stream for stream in log.streams() if stream.startswith(TABLE)]
    return [
        {"table": stream.removeprefix(TABLE), **msgspec.to_builtins(one)}
        for stream in streams
        for one in disputes_of(log.read_stream(stream), approvals)
    ]


def _all(log: Log) -> Sequence[Stored]:
    return list(log.read())


_KINDS: dict[str, Callable[[Log, Approvals], Any]] = {
    "checkpoints": lambda log, _approvals: _house_records(log, t.ShiftClosed),
    "approvals": lambda _log, approvals: approvals.on_file,
    "reports": lambda log, _approvals: _house_records(log, t.ReportFiled),
    "activity": lambda log, _approvals: daily_activity(_all(log)),
    "postings": lambda log, _approvals: list(postings(_all(log))),
    "disputes": _disputes,
}

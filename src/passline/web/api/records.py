"""The API of records: file approvals and reports, close shifts, read records, and the clauses that they cite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import regulation_title
from passline.authority.roles import in_order
from passline.people.accounts import People
from passline.people.credentials import SignOff
from passline.rules.clauses import find_clause
from passline.streams.course import Ask
from passline.streams.projection_store import ViewStore
from passline.tables import commands as k
from passline.tables.duties import REPORTS, duty_of
from passline.tables.views.records import CLASSES, KEPT_RECORDS, find_records
from passline.tables.views.shift import is_blind_to, shift_totals, without_banks
from passline.tables.views.supervision import open_matters
from passline.web.api.openapi import body, query, refusals
from passline.web.api.submission import actor_of, id_or_new, signed_by
from passline.web.api.tables import query_int, query_moment, query_text
from passline.web.auth.visitors import address_of, require_visitor, role_for
from passline.web.server.responses import answer_response, denial, json_response, page_response, read_body
from passline.web.server.services import services_of

router = APIRouter(tags=["records"])
"""The routes of records."""
KINDS = (*KEPT_RECORDS, "approvals")
"""The kinds of records: the regulation's classes, what the log keeps besides, and the approvals on file."""
ClauseId = Annotated[str, Path(min_length=1, max_length=60, examples=["MD-5.A.5"])]
"""The id of a clause, in a path."""
_PAGE, _PAGE_MAX = 100, 1000
_PAGES = {"disputes": 20}  # each shows whole tables
_REFUSALS = refusals(400, 401, 403, 409, 413, 422, 429, 503)
_FILTERS = query(kind=KINDS, table="string", since="string", until="string", before="string", limit="integer")


class _Request(Struct, kw_only=True, forbid_unknown_fields=True):
    id: str = ""  # made by the caller; without one, a request sent twice acts twice
    role: str = ""
    sign_off: SignOff | None = None


class ApprovalBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """An approval to put on file."""

    kind: str
    authority: str
    reference: str
    date: str


class WithdrawalBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """An approval to withdraw, and why."""

    kind: str
    authority: str
    reference: str
    reason: str


class ReportBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """A report to file, about a table or (empty) the whole house."""

    record_class: str
    text: str
    table: str = ""


class ShiftBody(_Request, kw_only=True, forbid_unknown_fields=True):
    """A shift to close, signed off by another person."""


@router.post("/api/approvals", status_code=201, openapi_extra=body(ApprovalBody), responses=_REFUSALS)
async def file_approval(request: Request) -> Response:
    """File an approval, such as a laboratory's report on electronic dice."""
    return await _submit(
        request,
        ApprovalBody,
        lambda filed: k.FileApproval(
            kind=filed.kind, authority=filed.authority, reference=filed.reference, date=filed.date
        ),
    )


@router.post("/api/approvals/withdraw", openapi_extra=body(WithdrawalBody), responses=_REFUSALS)
async def withdraw_approval(request: Request) -> Response:
    """Withdraw an approval. It stays in the log."""
    return await _submit(
        request,
        WithdrawalBody,
        lambda filed: k.WithdrawApproval(
            kind=filed.kind, authority=filed.authority, reference=filed.reference, reason=filed.reason
        ),
    )


@router.post("/api/reports", status_code=201, openapi_extra=body(ReportBody), responses=_REFUSALS)
async def file_report(request: Request) -> Response:
    """File a report in one of the classes of records."""
    return await _submit(
        request,
        ReportBody,
        lambda report: k.FileReport(record_class=report.record_class, table=report.table, text=report.text),
    )


@router.post("/api/shift/close", status_code=201, openapi_extra=body(ShiftBody), responses=_REFUSALS)
async def close_shift(request: Request) -> Response:
    """Close the shift: the log gets a signed checkpoint of its newest head and the balances of every table."""
    return await _submit(request, ShiftBody, lambda _body: k.CloseShift())


@router.get("/api/shift", responses=refusals(401, 403, 503))
async def shift(request: Request) -> Response:
    """Return what each table has by its ledger since the last shift was closed; no bank that the reader counts."""
    visitor = await require_visitor(request)
    floor = services_of(request).floor
    tables, house = await floor.load_all(), floor.house
    totals = [shift_totals(table.current, house.closed, roles=visitor.roles) for table in tables]
    return json_response({"shift": house.shift, "tables": sorted(totals, key=lambda total: total.table)})


@router.get("/api/matters", responses=refusals(401, 403, 503))
async def matters(request: Request) -> Response:
    """Return what is open at the tables now: disputes, irregularities, condemned dice, debts, past-posted wagers."""
    await require_visitor(request)
    tables = await services_of(request).floor.load_all()
    return json_response({"matters": [matter for table in tables for matter in open_matters(table.current)]})


async def _submit(request: Request, body_type: type[_Request], command_of: Callable[[Any], k.HouseCommand]) -> Response:
    services = services_of(request)
    visitor = await require_visitor(request)
    asked = await read_body(request, body_type)
    command = command_of(asked)
    duty = duty_of(command)
    if isinstance(command, k.FileReport):
        duty = REPORTS.get(command.record_class, duty)
    unfit = " and ".join(visitor.roles)  # not a role, so the command is refused for all of them
    by = actor_of(visitor, role_for(visitor, asked.role, in_order(duty.by), unfit))
    id_ = id_or_new(asked.id)
    ask = Ask(id_, command, by)
    signed = await signed_by(services, ask, asked.sign_off, address_of(request))
    answer = await services.floor.ask_house(replace(ask, signed_by=signed))
    return answer_response(answer, 200 if body_type is WithdrawalBody else 201)


@router.get("/api/records", openapi_extra=_FILTERS, responses=refusals(401, 403, 422, 503))
async def records(request: Request) -> Response:
    """Return records of one kind, newest first, a page at a time; `next`, sent as `before`, asks for the next page.

    `table`, `since` and `until` (gaming days of the house, or moments of UTC) leave out others. `as_of` is the entry of
    the log up to which they were compiled, `behind` how many entries have come since.
    """
    visitor = await require_visitor(request)
    asked = request.query_params
    kind = asked.get("kind", CLASSES[0])
    if kind not in KINDS:
        raise denial(422, f"kind: {kind[:40]!r} is not one of {', '.join(KINDS)}")
    limit = query_int(request, "limit", _PAGES.get(kind, _PAGE), low=1, high=_PAGES.get(kind, _PAGE_MAX))
    given = {name: query_text(request, name) for name in ("table", "before")}
    services = services_of(request)
    for name in ("since", "until"):
        moment = query_moment(request, name, services.offices.facility())
        given[name] = f"{query_text(request, name).strip()} {moment}" if moment else ""
    if kind == "approvals":
        return json_response({"records": services.floor.house.approvals.on_file, "next": ""})
    desk = services.desk
    tables = await services.floor.load_all()
    blind = {table.id for table in tables if is_blind_to(table.current, visitor.roles)}

    def look(views: ViewStore) -> dict[str, Any]:
        found, people = find_records(views, kind, limit=limit, **given), desk.people()
        told = [without_banks(kind, record, blind) for record in found.records] if blind else found.records
        return {"records": [_with_name(record, people) for record in told], "next": found.further}

    page, seen = await services.views.read(look)
    return page_response(page, seen)


def _with_name(fields: dict[str, Any], people: People) -> dict[str, Any]:
    """Return a record's fields, with the name of the person behind its account."""
    known = people.accounts.get(fields.get("by", ""))
    return {**fields, "name": known.name} if known else fields


@router.get("/api/clauses/{id}", responses=refusals(404))
async def clause(id: ClauseId) -> Response:  # noqa: A002 - the path's own word
    """Return a clause of a regulation: our summary of it, and where it stands."""
    found = find_clause(id)
    if found is None:
        raise denial(404, f"no regulation here has a clause {id[:60]!r}", "house")
    regulation, known = found
    title = regulation_title(regulation)
    return json_response({**msgspec.to_builtins(known), "regulation": regulation, "title": title})

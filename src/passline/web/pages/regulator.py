"""The regulator's pages, which are read-only: the log, its search, clauses, and the rules and par sheet of a table."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.acts.papers.houses import regulation_title
from passline.rules.clauses import find_clause
from passline.rules.explain.sections import sections
from passline.tables.rules_in_force import rules_of
from passline.tables.views.records import CLASSES
from passline.web.auth.visitors import visitor_of
from passline.web.pages.frame import office_page, page_visitor, refusal_page
from passline.web.server.services import services_of

_KINDS = (*CLASSES, "activity", "postings", "disputes", "approvals", "checkpoints")
router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/regulator")
async def regulator(request: Request) -> Response:
    """The log with its head and verification, the tables, records and people."""
    visitor = await page_visitor(request)
    return office_page(request, "regulator.html", visitor, record_kinds=_KINDS)


@router.get("/search")
async def search(request: Request) -> Response:
    """The search of the log."""
    visitor = await page_visitor(request)
    return office_page(request, "search.html", visitor)


@router.get("/clauses/{id}")
async def clause(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """What a clause says in short, and where it stands."""
    visitor = await visitor_of(request)
    found = find_clause(id)
    if found is None:
        return refusal_page(request, visitor, f"No regulation here has a clause {id[:40]!r}.", status=404)
    regulation, known = found
    return office_page(
        request,
        "clause.html",
        visitor,
        clause=known,
        title=regulation_title(regulation),
        values="; ".join(f"{key} {value}".replace("_", " ") for key, value in known.values.items()),
    )


@router.get("/tables/{table}/rules")
async def table_rules(request: Request, table: str) -> Response:
    """The rules that a table is dealt by, to be read by anybody and printed."""
    return await _sheet(request, table, "table_rules.html")


@router.get("/tables/{table}/par-sheet")
async def par_sheet(request: Request, table: str) -> Response:
    """What the wagers of a table cost, to be read by anybody and printed."""
    return await _sheet(request, table, "par_sheet.html")


async def _sheet(request: Request, table: str, template: str) -> Response:
    services, visitor = services_of(request), await visitor_of(request)
    running = await services.floor.table(table)
    if running is None:
        return refusal_page(request, visitor, f"There is no table {table[:60]!r}.", status=404)
    rules = rules_of(running.current)
    return office_page(
        request,
        template,
        visitor,
        under=rules.rulebook.name,
        live=running.current,
        title=rules.rulebook.general.title,
        sections=sections(rules) if template == "table_rules.html" else (),
        at=f"{services.clock()[:16].replace('T', ' ')} UTC",
    )

"""The regulator's pages, which are read-only: the log, its search, clauses, and the rules and par sheet of a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import LOG_READERS
from passline.rules.clauses import find_clause
from passline.rules.explain.sections import sections
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.rules_in_force import rules_of
from passline.tables.views.records import CLASSES
from passline.web.auth.visitors import visitor_of
from passline.web.pages.access import office_page, refusal_page, visitor_or_response
from passline.web.server.services import services_of

__all__ = ["regulator_pages"]

_KINDS = (*CLASSES, "activity", "postings", "disputes", "approvals", "checkpoints")


def regulator_pages() -> APIRouter:
    """Return the routes of these pages."""
    router = APIRouter(include_in_schema=False)

    @router.get("/regulator")
    async def regulator(request: Request) -> Response:
        """The log with its head and verification, the tables, records and people."""
        visitor = await visitor_or_response(request)
        if isinstance(visitor, Response):
            return visitor
        return office_page(request, "regulator.html", visitor, record_kinds=_KINDS)

    @router.get("/search")
    async def search(request: Request) -> Response:
        """The search of the log."""
        visitor = await visitor_or_response(request)
        if isinstance(visitor, Response):
            return visitor
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
            title=rulebook_of(regulation).general.title,
            values="; ".join(f"{key} {value}".replace("_", " ") for key, value in known.values.items()),
            reads_log=visitor is not None and visitor.may(LOG_READERS),
        )

    for path, template in (("rules", "table_rules.html"), ("par-sheet", "par_sheet.html")):
        router.add_api_route(f"/tables/{{table}}/{path}", _sheet_page(template), methods=["GET"])
    return router


def _sheet_page(template: str) -> Callable[[Request, str], Awaitable[Response]]:
    """Return the page of what a table is dealt by, to be read by anybody and printed."""

    async def sheet(request: Request, table: str) -> Response:
        services, visitor = services_of(request), await visitor_of(request)
        running = await services.floor.table(table)
        if running is None:
            return refusal_page(request, visitor, f"There is no table {table[:60]!r}.", status=404)
        live = running.current
        rules = rules_of(live)
        at = f"{services.clock()[:16].replace('T', ' ')} UTC"
        said = sections(rules) if template == "table_rules.html" else ()
        return office_page(
            request, template, visitor, live=live, title=rules.rulebook.general.title, sections=said, at=at
        )

    return sheet

"""The regulator's pages, which are read-only: the log, its search, and the clauses of the regulations."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.people.roles import LOG_READERS
from passline.rules.clauses import find_clause
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.views.records import CLASSES
from passline.web.auth.visitors import visitor_of
from passline.web.pages.access import office_page, refusal_page, visitor_or_response

__all__ = ["regulator_pages"]

_KINDS = (*CLASSES, "activity", "postings", "disputes", "approvals", "checkpoints")


def regulator_pages() -> APIRouter:
    """Return the routes of these pages."""
    router = APIRouter(include_in_schema=False)

    @router.get("/regulator")
    async def regulator(request: Request) -> Response:
        """The log with its head and verification, the tables, records and people."""
        visitor = await visitor_or_response(request, LOG_READERS)
        if isinstance(visitor, Response):
            return visitor
        return office_page(request, "regulator.html", visitor, record_kinds=_KINDS)

    @router.get("/search")
    async def search(request: Request) -> Response:
        """The search of the log."""
        visitor = await visitor_or_response(request, LOG_READERS)
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
            values="; ".join(f"{key.replace('_', ' ')} {value}" for key, value in known.values.items()),
            reads_log=visitor is not None and visitor.may(LOG_READERS),
        )

    return router

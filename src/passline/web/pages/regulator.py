"""The regulator's page: read only, all of it from the log."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.people.roles import LOG_READERS
from passline.tables.views.records import CLASSES
from passline.web.pages.access import entered, office_page

__all__ = ["regulator_pages"]

_KINDS = (*CLASSES, "activity", "postings", "disputes", "approvals", "checkpoints")


def regulator_pages() -> APIRouter:
    """Give the route of this page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/regulator")
    async def regulator(request: Request) -> Response:
        """The log, its head and its verification, tables, records, people."""
        visitor = await entered(request, LOG_READERS)
        if isinstance(visitor, Response):
            return visitor
        return office_page(request, "regulator.html", visitor, record_kinds=_KINDS)

    return router

"""The API of the report of users and their rights, as a file of any kind."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.documents.as_file import SHEET_FILES
from passline.documents.sheet import PrintedSheet
from passline.office.views.users_report import UsersReader
from passline.people.accounts import STREAM
from passline.rules.pages.day import day_named
from passline.web.api.openapi import query, refusals
from passline.web.api.papers import sheet_response
from passline.web.api.tables import query_text
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denial
from passline.web.server.services import services_of

router = APIRouter(tags=["people"])
"""The route of the report."""


@router.get("/api/people/report.{kind}", openapi_extra=query(since="string"), responses=refusals(401, 403, 404, 422))
async def people_report(request: Request, kind: str) -> Response:
    """Return users and their rights as a sheet to be gone through and signed: PDF, xlsx, HTML or text.

    Changes are listed `since` a day, or since users were last gone through.
    """
    await require_visitor(request)
    if kind not in SHEET_FILES:
        raise denial(404, f"there is no report.{kind[:20]}; choose {', '.join(SHEET_FILES)}")
    services, since = services_of(request), query_text(request, "since")
    day = str(day_named(since, "since")) if since else ""
    reader = UsersReader(services.offices.states())

    def read() -> PrintedSheet:
        for stored in services.log.read_stream(STREAM):
            reader.take(stored.entry)
        return reader.sheet(services.clock(), day)

    return await sheet_response(kind, "people-report", await asyncio.to_thread(read))

"""The API of the rota of a shift, as it is hung up."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.views.rota import rota_sheet
from passline.documents.as_file import SHEET_FILES
from passline.rules.pages.day import day_named
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.papers import RegulationPath, facility_of, names_in, office_scene, sheet_response
from passline.web.api.tables import query_text
from passline.web.server.responses import denial
from passline.web.server.services import services_of

router = APIRouter(tags=["office"])
"""The route of the rota."""


@router.get(
    "/api/office/{name}/rota.{kind}", openapi_extra=query(day="string", shift="string"), responses=SET_UP_REFUSALS
)
async def rota(request: Request, name: RegulationPath, kind: str) -> Response:
    """Return the rota of a shift, or of the one that goes on, as a sheet: PDF, xlsx, HTML or text."""
    scene = await office_scene(request, name)
    facility = facility_of(scene)
    if kind not in SHEET_FILES:
        raise denial(404, f"there is no rota.{kind[:20]}; choose {', '.join(SHEET_FILES)}", "office")
    day, shift = query_text(request, "day"), query_text(request, "shift") or facility.shift_of(scene.at).name
    if shift not in (known := [each.name for each in facility.shifts]):
        raise denial(422, f"shift: {shift[:40]!r} is not one of {', '.join(known)}", "office")
    on = day_named(day, "day") if day else facility.gaming_day(scene.at)
    return await sheet_response(kind, "rota", rota_sheet(scene.state, on, shift, names_in(services_of(request))))

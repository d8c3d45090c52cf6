"""Results beyond luck: what a server tells its offices of them, and the drafted form of an investigation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import currency_of
from passline.acts.state import INCIDENT, thing_key
from passline.documents.as_file import SHEET_FILES
from passline.documents.sheet import PrintedSheet, sheet_in
from passline.office.runtime import FoundResults
from passline.office.views.investigation import (
    InvestigationsList,
    find_investigation,
    find_investigations,
    investigation_sheet,
    investigations_table,
    result_meant,
)
from passline.office.views.kept_past import find_filed
from passline.office.views.result_alarms import AlarmedResult, find_alarmed_results
from passline.streams.projection_store import ViewStore
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.papers import (
    FORMS,
    RegulationPath,
    as_list,
    facility_of,
    form_of,
    names_in,
    office_scene,
    sheet_response,
)
from passline.web.api.tables import query_int
from passline.web.server.responses import denial, page_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of investigations."""
_Incident = Annotated[str, Path(min_length=1, max_length=64, examples=["I-3.pdf"])]
_PAGE = 100


@router.get(
    "/api/office/{name}/investigations", openapi_extra=query(before="integer", format=FORMS), responses=SET_UP_REFUSALS
)
async def investigations(request: Request, name: RegulationPath) -> Response:
    """List the investigations into results beyond luck, open and closed, the newest first.

    They are the newest 100; `earlier`, sent as `before`, goes on with those before them until it is 0.
    """
    scene, form = await office_scene(request, name), form_of(request)
    facility, services, before = facility_of(scene), services_of(request), query_int(request, "before", 0, low=0)

    def look(views: ViewStore) -> InvestigationsList:
        return find_investigations(views, scene.state, facility, before=before, limit=_PAGE)

    listed, seen = await services.views.read(look)
    if form != "json":
        return as_list(investigations_table(listed.found, names_in(services)), form, "investigations")
    return page_response({"investigations": listed.found, "earlier": listed.earlier}, seen)


@router.get("/api/office/{name}/investigations/{incident}", responses=SET_UP_REFUSALS)
async def investigation(request: Request, name: RegulationPath, incident: _Incident) -> Response:
    """Return the form of an investigation into a result beyond luck, drafted from the log: .pdf, .xlsx, .html or .txt.

    It has the figures of the month, the shifts and hands that moved it the most with the times for the cameras, who
    dealt them, their dice, fills and credits, and lines to conclude and sign; once it is concluded, who did and what.
    """
    scene = await office_scene(request, name)
    facility, services, (number, _, kind) = facility_of(scene), services_of(request), incident.partition(".")
    if kind not in SHEET_FILES:
        raise denial(
            404, f"an investigation is printed as .{', .'.join(SHEET_FILES)}, such as {number[:40]}.pdf", "office"
        )
    names = names_in(services)

    def look(views: ViewStore) -> PrintedSheet | None:
        key = thing_key(INCIDENT, number)
        known = find_filed(views, name, [key]).get(key) or scene.state.things.get(key)
        if known is None or (meant := result_meant(known)) is None:
            return None
        found = find_investigation(services.log, views, scene.state, known, meant)
        return investigation_sheet(found, scene.state, facility=facility, names=names, at=scene.at)

    sheet, _ = await services.views.read(look)
    if sheet is None:
        raise denial(404, f"there is no incident {number[:40]!r} about a result beyond luck", "office")
    return await sheet_response(kind, number, sheet_in(sheet, currency_of(name)))


def results_in(services: Services) -> FoundResults:
    """Return what finds the results of an office that are beyond luck and that nobody was told of yet."""

    async def find(name: str) -> list[AlarmedResult]:
        scene = await services.offices.scene(name)
        facility = scene.state.facility
        if facility is None:
            return []
        day = facility.gaming_day(scene.at)
        found, seen = await services.views.read(
            lambda views: find_alarmed_results(views, scene.rules, scene.state, day)
        )
        return found if seen.is_recent else []

    return find

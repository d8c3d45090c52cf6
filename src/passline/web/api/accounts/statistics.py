"""The API of statistics: win, drop, hold and theoretical win by time, for whoever examines a house."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import currency_of, regulation_title
from passline.bookkeeping.statistics import STATISTIC_SCOPES, Statistic, statistics_table
from passline.documents.sheet import PrintedSheet, sheet_in
from passline.office.views.kept_statistics import find_statistics
from passline.office.views.printed_day import without_empty_columns
from passline.streams.projection_store import ViewStore
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.papers import (
    FORMS,
    RegulationPath,
    as_list,
    day_in,
    facility_of,
    form_of,
    office_scene,
    sheet_response,
)
from passline.web.api.tables import query_text
from passline.web.server.responses import denial, page_response
from passline.web.server.services import services_of

router = APIRouter(tags=["office"])
"""The routes of statistics."""
_FORMS = (*FORMS, "pdf")


@router.get(
    "/api/office/{name}/statistics",
    openapi_extra=query(day="string", by=STATISTIC_SCOPES, only="string", format=_FORMS),
    responses=SET_UP_REFUSALS,
)
async def statistics(request: Request, name: RegulationPath) -> Response:
    """List win, drop, hold and theoretical win of a gaming day (`day`), its month and its year until then.

    Beside them stand the month before and the same month of the year before, each until the same day. By table, pit,
    shift, game or the house; `only` is one of them. `base_hold` comes from the exact laws of the wagers that were made:
    as a share of the drop where every roll was keyed in, `base_hold_of_handle` of the wagers that were decided. Without
    keyed wagers nobody can know it, and it is null. `format=pdf` prints it.
    """
    scene = await office_scene(request, name)
    facility = facility_of(scene)
    form, by = form_of(request, _FORMS), query_text(request, "by")
    scope = next((known for known in STATISTIC_SCOPES if known == (by or STATISTIC_SCOPES[0])), None)
    if scope is None:
        raise denial(422, f"by: {by[:40]!r} is not one of {', '.join(STATISTIC_SCOPES)}")
    day = day_in(query_text(request, "day")) or facility.gaming_day(scene.at)
    state, only = scene.state, query_text(request, "only")

    def look(views: ViewStore) -> list[Statistic]:
        return find_statistics(views, name, state, day, scope=scope, only=only)

    found, seen = await services_of(request).views.read(look)
    if form == "json":
        return page_response({"day": day.isoformat(), "by": scope, "statistics": found}, seen)
    title, file = f"Win, drop, hold and theoretical win by {scope}", f"statistics-{scope}-{day}"
    table = statistics_table(title, scope, found)
    if form != "pdf":
        return as_list(table, form, file)
    sheet = PrintedSheet(
        title=title,
        owner=facility.name,
        regulation=regulation_title(name),
        about=f"{day:%A, %d %B %Y}".replace(" 0", " "),
        dated=f"As of {facility.minute(scene.at)}",
        tables=(without_empty_columns(table),),
        form="landscape",
    )
    return await sheet_response(form, file, sheet_in(sheet, currency_of(name)))

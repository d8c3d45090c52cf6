"""The API of comps: what was earned, granted and given, and a patron's own statement of a year."""

from __future__ import annotations

import re
from datetime import date

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import currency_of
from passline.acts.patrons import linked_patrons, names_of_patrons
from passline.bookkeeping.comps import REINVESTED_BY, find_comp_lines, reinvestment_table, reinvestments
from passline.documents.as_file import SHEET_FILES
from passline.documents.sheet import sheet_in
from passline.office.runtime import WorthOfPlay
from passline.office.views.rated_play import find_played_days, find_ratings, statement_sheet, worth_by_patron
from passline.web.api.accounts.accounts import asked_for
from passline.web.api.openapi import READ_REFUSALS, SET_UP_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, facility_of, form_of, office_scene, sheet_response
from passline.web.api.tables import query_text
from passline.web.server.responses import denial, page_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of comps."""
COMP_PERIODS = ("day", "month", "year")
"""The times for which comps are added up."""
_STATEMENT_FORMS = ("json", *SHEET_FILES)
_YEAR = re.compile(r"[0-9]{4}")


@router.get(
    "/api/office/{name}/comps",
    openapi_extra=query(period=COMP_PERIODS, span="string", by=REINVESTED_BY, format=FORMS),
    responses=READ_REFUSALS,
)
async def comps(request: Request, name: RegulationPath) -> Response:
    """List comps of a gaming day, month or year (`span`) by patron, day or month, with the rate of reinvestment.

    `theoretical` and `earned` are of gaming days that are over; `granted` is what a higher role let patrons have
    besides, and `rate` is what was given, as a share of the theoretical win of the same time.
    """
    asked = await asked_for(request, name)
    by = query_text(request, "by") or REINVESTED_BY[0]
    if asked.period not in COMP_PERIODS or by not in REINVESTED_BY:
        raise denial(422, f"comps are added up of a {', '.join(COMP_PERIODS)}, by {', '.join(REINVESTED_BY)}")
    state = asked.scene.state
    lines, seen = await services_of(request).views.read(lambda views: find_comp_lines(views, name, asked.span))
    found, names = reinvestments(lines, by, linked_patrons(state)), names_of_patrons(state)
    if asked.form != "json":
        table = reinvestment_table(f"Comps by {by}, {asked.span}", by, found, names)
        return as_list(table, asked.form, f"comps-{asked.span}")
    named = {line.subject: names[line.subject] for line in found if line.subject in names}
    fields = {"period": asked.period, "span": asked.span, "by": by, "comps": found, "names": named}
    return page_response(fields, seen)


@router.get(
    "/api/office/{name}/statement",
    openapi_extra=query(patron="string", year="string", format=_STATEMENT_FORMS),
    responses=SET_UP_REFUSALS,
)
async def statement(request: Request, name: RegulationPath) -> Response:
    """Return a patron's own wins and losses of a year by gaming day, to print and give out.

    What the play was worth to the house is not on it. Play at tables without keyed wagers has minutes and no result.
    """
    scene, services = await office_scene(request, name), services_of(request)
    facility = facility_of(scene)
    patron, form = query_text(request, "patron"), form_of(request, _STATEMENT_FORMS)
    year = query_text(request, "year") or str(facility.gaming_day(scene.at).year)
    known = scene.state.thing("patron", patron)
    if known is None:
        raise denial(422, f"patron: {patron[:40]!r} is on no record; say the patron's number, such as P1")
    if not _YEAR.fullmatch(year):
        raise denial(422, f"year: {year[:40]!r} is not a year such as 2026")
    days, seen = await services.views.read(lambda views: find_played_days(views, name, scene.state, patron, year))
    if form == "json":
        return page_response({"patron": patron, "year": year, "days": days}, seen)
    called, dated = str(known.facts.get("name", patron)), f"As of {facility.minute(scene.at)}"
    plain = statement_sheet(days, owner=facility.name, patron=patron, name=called, year=year, dated=dated)
    sheet = sheet_in(plain, currency_of(name))
    return await sheet_response(form, f"statement-{year}", sheet)


def worth_in(services: Services) -> WorthOfPlay:
    """Return what finds what the play of each patron in a gaming day was worth."""

    async def find(name: str, day: date) -> dict[str, int]:
        state = (await services.offices.scene(name)).state
        span = day.isoformat()
        rated, seen = await services.views.read(lambda views: find_ratings(views, name, state, "day", span))
        return worth_by_patron(rated) if seen.is_recent else {}

    return find

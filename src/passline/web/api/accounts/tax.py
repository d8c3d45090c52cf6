"""The API of the worksheet of a gaming tax return."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import currency_of
from passline.documents.as_file import SHEET_FILES
from passline.documents.sheet import sheet_in
from passline.office.views.kept_results import find_sums
from passline.office.views.tax_worksheet import GAMING_TAX, TaxMonth, tax_months, tax_sheet, tax_table
from passline.streams.projection_store import ViewStore
from passline.tournament.reports import taxed_fees
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.papers import RegulationPath, as_list, facility_of, form_of, office_scene, sheet_response
from passline.web.api.tables import query_text
from passline.web.api.tournaments import books_of_regulation
from passline.web.server.responses import denial, page_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The route of the tax worksheet."""
_FORMS = ("json", "jsonl", *SHEET_FILES)
_YEARS = range(2000, 2200)


@router.get("/api/office/{name}/tax", openapi_extra=query(year="integer", format=_FORMS), responses=SET_UP_REFUSALS)
async def tax(request: Request, name: RegulationPath) -> Response:
    """Work out gross revenue for the tax return: each month of a year (`year`) and the year to date.

    `gross` is what the tables have won by their counts, and entry fees of tournaments where the regulation takes them
    for proceeds. `tax` is null unless the house has stated a rate as the value `gaming_tax` of its office.
    """
    scene, form = await office_scene(request, name), form_of(request, _FORMS)
    facility, services = facility_of(scene), services_of(request)
    today = facility.gaming_day(scene.at)
    said = query_text(request, "year") or str(today.year)
    if not said.isdecimal() or int(said) not in _YEARS:
        raise denial(422, f"year: {said[:40]!r} is not a year such as {today.year}")
    year, rate, fees = int(said), scene.state.values.get(GAMING_TAX), await _fees(services, name)

    def look(views: ViewStore) -> list[TaxMonth]:
        return tax_months(find_sums(views, name, str(year), "table"), fees, year, rate)

    months, seen = await services.views.read(look)
    table = tax_table(months, year)
    if form == "json":
        told = [
            {field: getattr(own, field) for field in own.__struct_fields__} | {"win": own.win, "gross": own.gross}
            for own in months
        ]
        return page_response({"year": year, "months": told}, seen)
    if form == "jsonl":
        return as_list(table, form, f"tax-{year}")
    sheet = tax_sheet(months, year, office=name, facility=facility, at=scene.at, until=today)
    return await sheet_response(form, f"tax-{year}", sheet_in(sheet, currency_of(name)))


async def _fees(services: Services, name: str) -> dict[str, int]:
    """Return the entry fees that are proceeds, by month, of all tournaments of a regulation."""
    found: dict[str, int] = {}
    async for rules, books, local in books_of_regulation(services, name):
        for month, cents in taxed_fees(rules, books, local).items():
            found[month] = found.get(month, 0) + cents
    return found

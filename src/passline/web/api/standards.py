"""The API of standards: what each asks, and how this office holds it, as a list and as sheets."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.papers.houses import regulation_title
from passline.documents.as_file import SHEET_FILES
from passline.documents.as_text import listed_rows
from passline.office.standards import Holders, Standard, standard_names, standard_of
from passline.office.views.standard_sheet import (
    OfficeKnown,
    standard_sheet,
    standard_text,
    standards_table,
    standings_of,
)
from passline.web.api.openapi import READ_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, form_of, names_in, office_reader, sheet_response
from passline.web.duties import ROUTES
from passline.web.server.responses import denial, json_response
from passline.web.server.services import services_of

router = APIRouter(tags=["office"])
"""The routes of standards."""
_PAGES = frozenset(route.removeprefix("GET ") for route in ROUTES)  # which items may name
_Standard = Annotated[str, Path(min_length=1, max_length=64, examples=["table_systems", "table_systems.pdf"])]


@router.get("/api/office/{name}/standards", openapi_extra=query(format=FORMS), responses=READ_REFUSALS)
async def standards(request: Request, name: RegulationPath) -> Response:
    """List the standards that the program knows, and how many items of each this office holds."""
    known, form = await _known_office(request, name), form_of(request)
    found = [(key, standard := standard_of(key), standings_of(standard, known)) for key in standard_names()]
    table = standards_table(found)
    return json_response({"standards": listed_rows(table)}) if form == "json" else as_list(table, form, "standards")


@router.get("/api/office/{name}/standards/{standard}", responses=READ_REFUSALS)
async def standard(request: Request, name: RegulationPath, standard: _Standard) -> Response:
    """Return a standard item by item with the evidence of this office; with .pdf, .html, .xlsx or .txt its sheet."""
    key, _, kind = standard.partition(".")
    if key not in standard_names() or (kind and kind not in SHEET_FILES):
        choices = f"{', '.join(standard_names())}, with .{', .'.join(SHEET_FILES)} for its sheet"
        raise denial(404, f"there is no standard {standard[:40]!r}; choose {choices}", "office")
    known, meant = await _known_office(request, name), standard_of(key, Holders(pages=_PAGES))
    if not kind:
        return json_response({"name": meant.name, "about": meant.about, "items": standings_of(meant, known)})
    return await _print_standard(key, kind, meant, known)


async def _known_office(request: Request, name: str) -> OfficeKnown:
    scene, _ = await office_reader(request, name)
    return OfficeKnown(rules=scene.rules, state=scene.state, names=names_in(services_of(request)))


async def _print_standard(key: str, kind: str, standard: Standard, known: OfficeKnown) -> Response:
    """Return the sheet of a standard as a file."""
    standings, facility = standings_of(standard, known), known.state.facility
    if kind == "txt":
        return Response(standard_text(standard, standings, known), media_type=SHEET_FILES[kind])
    at = facility.minute(known.state.newest) if facility and known.state.newest else ""
    sheet = standard_sheet(standard, standings, known, at=at, of=regulation_title(known.rules.name))
    return await sheet_response(kind, key, sheet)

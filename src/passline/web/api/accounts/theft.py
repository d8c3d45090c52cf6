"""The API of what counts say of thefts: of every table and crew, with what could be found."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.bookkeeping.theft import PROMISED_SHIFTS, assumptions, skim_table
from passline.exact.skim_evidence import FOUND_IN
from passline.office.runtime import FoundTheft
from passline.office.views.theft import TheftFound, find_theft
from passline.web.api.office_lists import day_asked
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, facility_of, form_of, names_in, office_scene
from passline.web.server.responses import page_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The route of the evidence of theft."""


@router.get("/api/office/{name}/theft", openapi_extra=query(day="string", format=FORMS), responses=SET_UP_REFUSALS)
async def theft(request: Request, name: RegulationPath) -> Response:
    """List what the counts of a quarter (that of `day`) say of notes and chips, by table and crew.

    A line alarms when its `evidence` comes to its `bound`. `smallest` is the least skim a shift that would be found in
    60 shifts in nine cases of ten, `tenth` within how many shifts a tenth of the notes would be. `holds` says the same
    of the hold at best, by the exact variance of what was dealt. `assumptions` has in words what all of it rests on.
    """
    scene, form, services = await office_scene(request, name), form_of(request), services_of(request)
    day, facility = day_asked(request, scene), facility_of(scene)
    found, seen = await services.views.read(lambda views: find_theft(views, scene.rules, scene.state, facility, day))
    if form != "json":
        table = skim_table(f"Notes and chips, {found.first} to {found.last}", found.lines, names_in(services))
        return as_list(table, form, f"theft-{found.first}")
    fields = {
        "day": day,
        "first": found.first,
        "last": found.last,
        "one_in": found.one_in,
        "promised_shifts": PROMISED_SHIFTS,
        "found_in": FOUND_IN,
        "assumptions": assumptions(found.keying, found.one_in),
        "lines": found.lines,
        "holds": [
            {name: getattr(power, name) for name in ("table", "shifts", "deviation", "smallest")}
            | {"share": None if power.share is None else float(power.share)}
            for power in found.holds
        ],
    }
    return page_response(fields, seen)


def theft_in(services: Services) -> FoundTheft:
    """Return what finds what the counts of a quarter say."""

    async def find(name: str) -> TheftFound | None:
        scene = await services.offices.scene(name)
        facility = scene.state.facility
        if facility is None:
            return None
        day = facility.gaming_day(scene.at)
        found, seen = await services.views.read(
            lambda views: find_theft(views, scene.rules, scene.state, facility, day)
        )
        return found if seen.is_recent else None

    return find

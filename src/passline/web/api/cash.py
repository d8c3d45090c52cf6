"""The API of cash per patron and gaming day, and what is kept from those who need not know."""

from __future__ import annotations

from datetime import date

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.office.judges.scene import Scene
from passline.office.rules.office_rules import Person
from passline.office.runtime import BuyInsOf
from passline.office.views.cash import cash_table
from passline.people.roles import CLERKS
from passline.tables.views.buy_ins import TableBuyIn, find_buy_ins
from passline.web.api.openapi import query, refusals
from passline.web.api.papers import FORMS, RegulationPath, as_list, form_of, names_in, office_scene
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denied, json_response
from passline.web.server.services import Services, services_of

__all__ = ["CASH_READERS", "buy_ins_in", "hidden_kinds", "router"]

router = APIRouter(tags=["office"])
"""The routes of cash."""
CASH_READERS = ("regulator", *CLERKS)
"""Who reads what cash a patron brought and took."""


def hidden_kinds(scene: Scene, person: Person) -> frozenset[str]:
    """Return the kinds of things that somebody may not read of."""
    return frozenset(kind for kind in scene.rules.pages.things if not scene.rules.is_seen_by(kind, person, scene.state))


def buy_ins_in(services: Services) -> BuyInsOf:
    """Return what finds the buy-ins of a regulation's tables between two moments."""

    async def find(rules: str, since: str, until: str) -> list[TableBuyIn]:
        return (await services.views.read(lambda views: find_buy_ins(views, rules, since, until)))[0]

    return find


@router.get(
    "/api/office/{name}/cash",
    openapi_extra=query(day="string", format=FORMS),
    responses=refusals(401, 403, 404, 409, 422, 503),
)
async def cash(request: Request, name: RegulationPath) -> Response:
    """List the cash of each patron in a gaming day (`day`; without it, this one), and which of it wants a report."""
    await require_visitor(request, CASH_READERS)
    scene, form, services = await office_scene(request, name), form_of(request), services_of(request)
    facility = scene.state.facility
    if facility is None:
        raise denied(409, "the office is not set up: say first where the house is and when its day begins", "office")
    try:
        day = date.fromisoformat(request.query_params.get("day", "")[:10] or str(facility.gaming_day(scene.at)))
    except ValueError:
        raise denied(422, "day: is not a day such as 2026-03-02") from None
    found = await services.offices.cash(name, day, buy_ins_in(services))
    if form == "json":
        return json_response({"day": day.isoformat(), "patrons": found})
    return as_list(cash_table(scene.state, day, found, names_in(services)), form, f"cash-{day}")

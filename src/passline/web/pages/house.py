"""The pages of the house: its people, tables and their elections, shifts, approvals and reports."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import CREW, ROLES
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.approvals import approvable
from passline.tables.duties import REPORTS
from passline.web.auth.visitors import require_visitor
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.duties import TABLE_KEEPERS
from passline.web.pages.frame import office_page, page_visitor
from passline.web.server.responses import read_body
from passline.web.server.services import services_of
from passline.web.uploads.asking import answer_upload
from passline.web.uploads.questions import TemplateAsked, TypedHouse

__all__ = ["router"]

_STEPS = {
    "offer": "Offer the dice",
    "choose": "Pick two dice",
    "confirm": "Confirm wagers",
    "button": "Place buttons",
    "call": "Call the roll",
    "settle": "Settle",
    "pass": "Pass the dice back",
}


_elections = msgspec.json.Decoder(TypedHouse)


router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/people")
async def people(request: Request) -> Response:
    """The accounts of the house."""
    visitor = await page_visitor(request)
    return office_page(request, "people.html", visitor, roles=ROLES)


@router.get("/house")
async def house(request: Request) -> Response:
    """Tables, shifts, approvals and reports."""
    visitor = await page_visitor(request)
    regulations = [_regulation(name) for name in REGULATIONS]
    return office_page(
        request,
        "house.html",
        visitor,
        regulations=regulations,
        first=newcomers_regulation(),
        steps=_STEPS.items(),
        approvals=list(approvable()),
        authorities=list(dict.fromkeys(authority for rule in approvable().values() for authority in rule.authorities)),
        is_sole_owner=services_of(request).desk.is_sole_owner(visitor.account),
        is_office_here=services_of(request).floor.house.office == "here",
        reports=[report for report, duty in REPORTS.items() if visitor.may(duty.by)],
        house_data={
            "regulations": regulations,
            "crew_roles": [role for role in CREW if role in visitor.roles],
            "acts_as": next((role for role in TABLE_KEEPERS if role in visitor.roles), ""),
        },
    )


@router.get("/house/elections")
async def elections(request: Request, regulation: str = "", game: str = "") -> Response:
    """The default house of a regulation, with the bounds and clause of every election."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, TemplateAsked(regulation or newcomers_regulation(), game))


@router.post("/house/check")
async def check(request: Request) -> Response:
    """Check the elections of a house before a table opens under it."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, _elections))


def _regulation(name: str) -> dict[str, Any]:
    general = rulebook_of(name).general
    return {"key": name, "title": general.title, "games": list(general.games)}

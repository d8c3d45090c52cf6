"""The pages of the house: its people, tables, shifts, approvals and reports, and its elections as a form."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.acts.judges.gates import OPENING
from passline.acts.rules import sound_offices
from passline.acts.views.today import gated_tables
from passline.authority.duties import role_list
from passline.authority.roles import CREW, KEEPERS, ROLES, in_order
from passline.authority.sign_off import asked_to_sign
from passline.people.accounts import FORMER_PASSWORDS_MAX, NAME_MAX
from passline.people.commands import ElectDualControl
from passline.people.decide import PASSWORD_DAYS_MAX
from passline.people.duties import PEOPLE_DUTIES, owners_who_agree
from passline.people.identity import ROLES_OF_GROUPS
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.store.upkeep import retention
from passline.tables.approvals import approvable
from passline.tables.commands import AdoptRulebook, CloseShift, CloseTable, OpenTable
from passline.tables.duties import DUTIES, REPORTS
from passline.tables.opening import FIXED_WHILE_OPEN
from passline.web.api.tables import table_of
from passline.web.auth.visitors import require_visitor, role_for
from passline.web.duties import STAFF_READERS, TABLE_KEEPERS
from passline.web.pages.frame import office_page, page_visitor
from passline.web.pages.home import house_regulation
from passline.web.server.responses import json_response, read_body
from passline.web.server.services import Services, services_of
from passline.web.uploads.asking import answer_upload
from passline.web.uploads.questions import FilledIn, FormAsked, HouseText, TemplateAsked, TypedHouse

_STEPS = {
    "offer": "Offer the dice",
    "choose": "Pick two dice",
    "confirm": "Confirm wagers",
    "button": "Place buttons",
    "call": "Call the roll",
    "settle": "Settle",
    "pass": "Pass the dice back",
}

router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/people")
async def people(request: Request) -> Response:
    """The accounts of the house."""
    visitor = await page_visitor(request)
    return office_page(
        request,
        "people.html",
        visitor,
        roles=ROLES,
        name_max=NAME_MAX,
        password_days_max=PASSWORD_DAYS_MAX,
        former_passwords_max=FORMER_PASSWORDS_MAX,
        retention=retention,
        roles_of_groups=in_order(ROLES_OF_GROUPS),
        roles_of_staff=STAFF_READERS,
        sets_safeguards=visitor.may(PEOPLE_DUTIES[ElectDualControl].by),
    )


@router.get("/house")
async def house(request: Request) -> Response:
    """Tables, shifts, approvals and reports."""
    services, visitor = services_of(request), await page_visitor(request)
    known = await services.pools.sessions.run(services.desk.people)
    regulations = [_regulation(name) for name in sound_regulations()]
    acts_as = role_for(visitor, "", TABLE_KEEPERS)
    is_office_here = services.floor.house.office == "here"
    return office_page(
        request,
        "house.html",
        visitor,
        regulations=regulations,
        first=await house_regulation(services),
        steps=_STEPS.items(),
        approvals=list(approvable()),
        authorities=list(dict.fromkeys(authority for rule in approvable().values() for authority in rule.authorities)),
        is_sole_owner=services.desk.is_sole_owner(visitor.account),
        is_office_here=is_office_here,
        path_at=services.offices.first_set_up(),
        signers=_signers(acts_as),
        takes_two_owners=bool(owners_who_agree(known, services.clock())),
        reports=[report for report, duty in REPORTS.items() if visitor.may(duty.by)],
        house_data={
            "regulations": regulations,
            "crew_roles": [role for role in CREW if role in visitor.roles],
            "acts_as": acts_as,
            "adopts": acts_as in DUTIES[AdoptRulebook].by,
            "can_open": not is_office_here or await _is_any_ready(services),
        },
    )


async def _is_any_ready(services: Services) -> bool:
    """Return whether the opening list of some table is green in an office, or a regulation has no office."""
    if {*sound_regulations()} - {*sound_offices()}:
        return True
    scenes = [await services.offices.scene(name) for name in sound_offices()]
    found = [scene for scene in scenes if scene.state.facility is not None]
    return any(OPENING not in scene.rules.pages.gates for scene in found) or any(
        table.green == table.items for scene in found for table in gated_tables(scene)
    )


def _signers(role: str) -> dict[str, str]:
    """Return who signs what somebody in a role sends by the forms of the house."""
    forms = {"open": OpenTable, "close": CloseTable, "adopt": AdoptRulebook, "shift": CloseShift}
    return {form: role_list(asked_to_sign(DUTIES[command].signed_by, role)) for form, command in forms.items()}


@router.get("/house/elections")
async def elections(request: Request, regulation: str = "", game: str = "") -> Response:
    """The default house of a regulation, with the bounds and clause of every election."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, TemplateAsked(regulation or await _preset(request), game))


@router.post("/house/check")
async def check(request: Request) -> Response:
    """Check the elections of a house before a table opens under it."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, TypedHouse))


async def _preset(request: Request) -> str:
    return await house_regulation(services_of(request))


def _regulation(name: str) -> dict[str, Any]:
    general = rulebook_of(name).general
    return {"key": name, "title": general.title, "games": list(general.games)}


@router.get("/elections")
async def election_page(request: Request) -> Response:
    """The form."""
    visitor = await page_visitor(request)
    services = services_of(request)
    regulations = [_regulation(name) for name in sound_regulations()]
    return office_page(
        request,
        "elections.html",
        visitor,
        regulations=regulations,
        is_sole_owner=services.desk.is_sole_owner(visitor.account),
        is_keeper=visitor.may(TABLE_KEEPERS),
        is_office_here=services.floor.house.office == "here",
        data={
            "regulations": regulations,
            "first": await house_regulation(services),
            "drafts": visitor.may(KEEPERS),
            "acts_as": role_for(visitor, "", TABLE_KEEPERS),
            "fixed_while_open": FIXED_WHILE_OPEN,
        },
    )


@router.get("/elections/form")
async def form(request: Request, regulation: str = "", game: str = "") -> Response:
    """Every field of the form, with the default house of a regulation and game."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, FormAsked(regulation or await _preset(request), game))


@router.get("/elections/of-table/{id}")
async def of_table(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """The house that a table is dealt by."""
    await require_visitor(request)
    house = (await table_of(request, id)).current.house
    return json_response({"house": {key: value for key, value in house.items() if value is not None}})


@router.post("/elections/check")
async def check_form(request: Request) -> Response:
    """Every breach of a house, and its file if there is none."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, FilledIn))


@router.post("/elections/read")
async def read(request: Request) -> Response:
    """A house file as the form has it, with its breaches."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, HouseText))

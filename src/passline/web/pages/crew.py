"""The crew console of a table, and the page that recalls its hands."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.duties import may_not_act_as
from passline.authority.sign_off import asked_to_sign
from passline.game.commands import Credit, Fill
from passline.rules.rules import Rules
from passline.tables.commands import NoticeLimits, RatePlayer, SeatPlayer
from passline.tables.duties import DUTIES, NOT_AT, signing_roles
from passline.tables.live import LiveTable
from passline.tables.money.points import NOT_FOR_POINTS
from passline.tables.money.unkeyed import NOT_KEYED
from passline.tables.rules_in_force import rules_of
from passline.web.duties import readers_of
from passline.web.pages.crew_card import chips_in_use, crew_card
from passline.web.pages.frame import office_page, page_visitor, refusal_page
from passline.web.server.services import Services, services_of

_CHIPS = "chips"  # the office's stock of them
router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/tables/{id}/crew")
async def console(request: Request, id: str, role: str = "") -> Response:  # noqa: A002 - the address's own word
    """The crew console, in one of the visitor's roles."""
    visitor = await page_visitor(request)
    roles = [name for name in readers_of("/tables/{id}/crew") if name in visitor.roles]
    if role and role not in roles:
        return refusal_page(request, visitor, f"{may_not_act_as(visitor.name, role, roles)}.")
    table = await services_of(request).floor.table(id)
    if table is None or table.stream.state is None:
        return refusal_page(request, visitor, f"There is no table {id}.", status=404)
    live, role = table.stream.state, role or roles[0]
    rules = rules_of(live)
    may = [name for name in permitted_commands(role, live.dice, rules) if name not in _refused_at(live)]
    return office_page(
        request,
        "crew.html",
        visitor,
        under=rules.rulebook.name,
        table=_facts(live),
        role=role,
        roles=roles,
        console={
            "table": live.id,
            "role": role,
            "card": {
                **crew_card(rules),
                "chips": chips_in_use(rules, await _denominations(services_of(request), live)),
            },
            "dice": live.dice,
            "may": may,
            "is_keyed": live.is_keyed,
            "is_by_slip": live.books is not None,
            "signs": {name: roles for name, roles in signers_of(role, live).items() if name in may},
            "sees_people": role in readers_of("/api/people"),
            "sees_shift": role in readers_of("/api/shift"),
            "players": DUTIES[SeatPlayer].by,
            "tournament": live.points.tournament if live.points else "",
        },
    )


@router.get("/tables/{id}/recall")
async def recall(request: Request, id: str) -> Response:  # noqa: A002
    """The hands of a table, roll by roll."""
    visitor = await page_visitor(request)
    table = await services_of(request).floor.table(id)
    if table is None or table.stream.state is None:
        return refusal_page(request, visitor, f"There is no table {id}.", status=404)
    return office_page(request, "recall.html", visitor, table=_facts(table.stream.state))


async def _denominations(services: Services, live: LiveTable) -> list[int]:
    """Return the values of the chips in the office's stock, where the table's chips are on the office's papers."""
    if live.books is None:
        return []
    scene = await services.offices.scene(live.house["rules"])
    return [int(unit) for units in scene.state.stocks.get(_CHIPS, {}).values() for unit in units]


def permitted_commands(role: str, dice: str, rules: Rules | None = None) -> list[str]:
    """Return the names of the commands that a role may give at a table with these dice, under its rules.

    >>> ["call-no-roll" in permitted_commands("boxperson", dice) for dice in ("physical", "electronic")]
    [True, False]
    """
    return [
        _name(command)
        for command, duty in DUTIES.items()
        if command not in NOT_AT[dice]
        and (role in duty.by or (dice == "physical" and role in duty.keyed_by))
        and (rules is None or duty.named is None or role in duty.named(rules))
    ]


def _refused_at(live: LiveTable) -> set[str]:
    """Return the names of commands that a table always refuses: without keyed wagers or slips, or in a tournament."""
    kinds = [kind for kind in DUTIES if kind in NOT_KEYED] if not live.is_keyed else [RatePlayer]
    if live.points:
        kinds += [*NOT_FOR_POINTS, *([] if rules_of(live).limits_apply else [NoticeLimits])]
    return {_name(kind) for kind in (*kinds, *((Fill, Credit) if live.books else ()))}


def signers_of(role: str, live: LiveTable | None = None) -> dict[str, list[str]]:
    """Return the roles that sign off each command of this role at a table, by its name, as the duties judge it.

    >>> signers_of("stickperson")["correct-roll"], signers_of("boxperson")["correct-roll"]
    (['boxperson'], ['boxperson', 'floorperson'])
    """
    return {
        _name(command): list(asked_to_sign(signing_roles(command, live), role))
        for command, duty in DUTIES.items()
        if duty.signed_by and role in (*duty.by, *duty.keyed_by)
    }


def _name(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct


def _facts(live: LiveTable) -> dict[str, Any]:
    return {"id": live.id, "name": live.name, "regulation": live.house["rules"], "game": live.house["game"]}

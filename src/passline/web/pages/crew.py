"""The crew console of a table, and the recall of its hands."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.people.roles import CREW, RECORD_READERS
from passline.tables.duties import DUTIES, NOT_AT
from passline.tables.live import LiveTable, rules_of
from passline.web.pages.access import closed_door, entered, office_page
from passline.web.pages.crew_card import crew_card
from passline.web.server.services import services_of

__all__ = ["crew_pages", "may", "signs"]

_CONSOLE = (*CREW, "owner")
_LOOKERS = (*_CONSOLE, "regulator", "surveillance")


def crew_pages() -> APIRouter:
    """Give the routes of these pages."""
    router = APIRouter(include_in_schema=False)

    @router.get("/tables/{id}/crew")
    async def console(request: Request, id: str, role: str = "") -> Response:  # noqa: A002 - the address's own word
        """The console, in one of the roles its visitor has."""
        visitor = await entered(request, _CONSOLE)
        if isinstance(visitor, Response):
            return visitor
        roles = [one for one in _CONSOLE if one in visitor.roles]
        if role and role not in roles:
            return closed_door(request, visitor, f"{visitor.name} is no {role}.")
        table = await services_of(request).floor.table(id)
        if table is None or table.stream.state is None:
            return closed_door(request, visitor, f"There is no table {id}.", status=404)
        live, role = table.stream.state, role or roles[0]
        return office_page(
            request,
            "crew.html",
            visitor,
            table=_facts(live),
            role=role,
            roles=roles,
            console={
                "table": live.id,
                "role": role,
                "card": crew_card(rules_of(live)),
                "dice": live.dice,
                "may": may(role, live.dice),
                "signs": signs(role),
                "sees_people": role in RECORD_READERS,
            },
        )

    @router.get("/tables/{id}/recall")
    async def recall(request: Request, id: str) -> Response:  # noqa: A002
        """The hands of a table, roll by roll."""
        visitor = await entered(request, _LOOKERS)
        if isinstance(visitor, Response):
            return visitor
        table = await services_of(request).floor.table(id)
        if table is None or table.stream.state is None:
            return closed_door(request, visitor, f"There is no table {id}.", status=404)
        return office_page(request, "recall.html", visitor, table=_facts(table.stream.state))

    return router


def may(role: str, dice: str) -> list[str]:
    """The commands that are a role's to give at a table with such dice, by their names.

    >>> "call-no-roll" in may("boxperson", "physical"), "call-no-roll" in may("boxperson", "electronic")
    (True, False)
    """
    return [
        _name(command)
        for command, duty in DUTIES.items()
        if command not in NOT_AT[dice] and (role in duty.by or (dice == "physical" and role in duty.keyed_by))
    ]


def signs(role: str) -> dict[str, list[str]]:
    """Who signs off what this role asks for, by the command's name.

    >>> signs("stickperson")["correct-roll"]
    ['boxperson']
    """
    return {
        _name(command): list(duty.signed_by) for command, duty in DUTIES.items() if duty.signed_by and role in duty.by
    }


def _name(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct


def _facts(live: LiveTable) -> dict[str, Any]:
    return {"id": live.id, "name": live.name, "regulation": live.house["rules"], "game": live.house["game"]}

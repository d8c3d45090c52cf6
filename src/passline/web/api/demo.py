"""The API of a demo: one call by which a visitor sits down to play."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.authority.roles import PLAYER
from passline.people.sessions import Welcome
from passline.refusal import Refused
from passline.rules.schema import clause_text
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import Floor
from passline.web.api.openapi import body, refusals
from passline.web.auth.visitors import set_session_cookie, visitor_from, visitor_of
from passline.web.demo.players import newcomers_regulation
from passline.web.server.responses import denial, json_response, read_body, refusals_response
from passline.web.server.services import services_of

router = APIRouter(tags=["demo"])
"""The route of a demo."""


class SitBody(Struct, forbid_unknown_fields=True):
    """The table to sit at (empty: the first), and the visitor's name (empty: one is made up)."""

    table: str = ""
    name: str = ""


async def _first_table(floor: Floor) -> str:
    """Return the id of the table where a newcomer sits down, or nothing if there is none."""
    tables = [table.live for table in await floor.load_all()]
    first = newcomers_regulation()
    return min((live.status != "open", live.house["rules"] != first, live.id) for live in tables)[2] if tables else ""


@router.post("/api/demo/sit", openapi_extra=body(SitBody), responses=refusals(404, 409, 422))
async def sit(request: Request) -> Response:
    """Seat a visitor of a demo: open a guest account and a session, take a free seat, buy in with play money."""
    services = services_of(request)
    if services.demo is None:
        raise denial(404, "this server is not a demo: register or log in, take a seat and buy in", "house")
    asked = await read_body(request, SitBody)
    ids = services.floor.ids()
    id_ = asked.table or await _first_table(services.floor)
    table = await services.floor.table(id_)
    if table is None:
        raise denial(404, f"there is no table {id_[:60]!r}; the tables are {', '.join(ids)}", "house")
    visitor = await visitor_of(request)
    welcome: Welcome | None = None
    if visitor is None or PLAYER not in visitor.roles:
        welcomed = await asyncio.to_thread(services.desk.welcome_guest, asked.name)
        if isinstance(welcomed, Refused):
            return refusals_response(welcomed)
        welcome = welcomed
        visitor = visitor_from(welcome.session, welcome.token)
    seat, refused = await services.demo.sit(table, visitor.account, visitor.name)
    if refused is not None:
        return refusals_response(refused)
    if not seat:
        seats = clause_text(rules_of(table.live).game.seats.cite)
        raise denial(409, f"every seat at {table.live.name} is taken; try another table", seats)
    response = json_response(
        {
            "table": table.id,
            "seat": seat,
            "account": visitor.account,
            "name": visitor.name,
            "roles": visitor.roles,
            "csrf": visitor.csrf,
            "token": visitor.token,
            "is_demo": True,
        }
    )
    if welcome is not None:
        set_session_cookie(response, welcome, is_secure=request.url.scheme == "https")
    return response

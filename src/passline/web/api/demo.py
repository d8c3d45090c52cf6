"""The one call by which a visitor of a demonstration plays."""

from __future__ import annotations

import asyncio

import msgspec
from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.refusal import Refused
from passline.people.sessions import Welcome
from passline.rules.schema import clause_text
from passline.tables.live import rules_of
from passline.tables.runtime.floor import Floor
from passline.web.api.openapi import answers, body
from passline.web.auth.visitors import give_cookie, visitor_from, visitor_of
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.server.responses import denied, json_answer, read_body, refusals_answer
from passline.web.server.services import services_of

__all__ = ["SitBody", "router"]

router = APIRouter(tags=["demo"])
"""The route of a demonstration."""


class SitBody(Struct, forbid_unknown_fields=True):
    """The table to sit down at; without one, the first. A name to be called by, if one likes."""

    table: str = ""
    name: str = ""


_bodies = msgspec.json.Decoder(SitBody)


async def _first_open(floor: Floor) -> str:
    """Give the table a newcomer is seated at."""
    seen = [table.live for table in await floor.load_all()]
    first = newcomers_regulation()
    return min(seen, key=lambda one: (one.status != "open", one.house["rules"] != first, one.id)).id if seen else ""


@router.post("/api/demo/sit", openapi_extra=body(SitBody), responses=answers(404, 409, 422))
async def sit(request: Request) -> Response:
    """Give a visitor a guest's account, a session, a free seat and play money; in a demo only."""
    services = services_of(request)
    if services.demo is None:
        raise denied(404, "this is no demo: register or log in, take a seat and change cash for chips", "house")
    asked: SitBody = await read_body(request, _bodies)
    ids = services.floor.ids()
    id_ = asked.table or await _first_open(services.floor)
    table = await services.floor.table(id_)
    if table is None:
        raise denied(404, f"there is no table {id_[:60]!r}; there are: {', '.join(ids)}", "house")
    visitor = await visitor_of(request)
    welcome: Welcome | None = None
    if visitor is None or "player" not in visitor.roles:
        welcomed = await asyncio.to_thread(services.desk.welcome_guest, asked.name)
        if isinstance(welcomed, Refused):
            return refusals_answer(welcomed)
        welcome = welcomed
        visitor = visitor_from(welcome.session, welcome.token)
    seat, refused = await services.demo.sit(table, visitor.account, visitor.name)
    if refused is not None:
        return refusals_answer(refused)
    if not seat:
        seats = clause_text(rules_of(table.live).game.seats.cite)
        raise denied(409, f"every seat at {table.live.name} is taken; try another table", seats)
    told = {
        "table": table.id,
        "seat": seat,
        "account": visitor.account,
        "name": visitor.name,
        "roles": visitor.roles,
        "csrf": visitor.csrf,
        "token": visitor.token,
        "is_demo": True,
    }
    response = json_answer(told)
    if welcome is not None:
        give_cookie(response, welcome, is_secure=request.url.scheme == "https")
    return response

"""The API of tables: the lobby, a table as its public sees it, and every command."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from uuid import uuid4

import msgspec
from fastapi import APIRouter, Path
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.refusal import Refused
from passline.rules.schema import clause_text
from passline.streams.stream import Ask
from passline.tables.commands import OpenTable, TableCommand
from passline.tables.live import LiveTable, rules_of, seat_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.views.areas import areas_of
from passline.web.api.openapi import answers, body, query
from passline.web.api.submission import SignOff, actor_of, check_id, signed_by, submit
from passline.web.auth.visitors import Visitor, address_of, must_be, must_have, visitor_of
from passline.web.layout.geometry import layout_of
from passline.web.server.responses import denied, json_answer, read_body, refusals_answer
from passline.web.server.services import services_of

__all__ = ["CommandBody", "OpenBody", "TableId", "int_of", "must_not_play", "router", "table_of"]

router = APIRouter(tags=["tables"])
"""The routes of tables."""
TableId = Annotated[str, Path(min_length=1, max_length=100, examples=["maryland-1"])]
"""The id of a table in a path."""
_DIGITS_MAX = 16


class CommandBody(Struct, forbid_unknown_fields=True):
    """A command to a table. The caller makes the id: sent twice, it acts once."""

    id: str
    command: TableCommand
    role: str = ""  # empty: player, or the only other role the account has
    sign_off: SignOff | None = None


class OpenBody(OpenTable, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command", tag="open-table"):
    """A table to open: the fields of the command itself, an id, and the role in which it is asked."""

    id: str = ""
    role: str = ""
    sign_off: SignOff | None = None


_commands = msgspec.json.Decoder(CommandBody)
_openings = msgspec.json.Decoder(OpenBody)


async def table_of(request: Request, id: TableId) -> RunningTable:  # noqa: A002 - the path's own word
    """Give the table that a path names."""
    table = await services_of(request).floor.table(id)
    if table is None:
        raise denied(404, f"there is no table {id[:60]!r}; GET /api/tables lists them", "house")
    return table


def must_not_play(table: RunningTable, visitor: Visitor) -> None:
    """Refuse what only the crew sees to whoever plays at that table, whatever else they are."""
    if not table.live.is_demo and seat_of(table.live, visitor.account):
        raise denied(403, f"{visitor.name} plays at this table and sees what a player sees", "duties")


@router.get("/api/tables")
async def tables(request: Request) -> Response:
    """List the tables of the house."""
    found = await services_of(request).floor.load_all()
    return json_answer({"tables": [_listed(table.current) for table in found]})


def _listed(live: LiveTable) -> dict[str, Any]:
    position, house = live.game.position, live.house
    return {
        "id": live.id,
        "name": live.name,
        "regulation": house["rules"],
        "game": house["game"],
        "status": live.status,
        "dice": live.dice,
        "buy_in": live.buy_in,
        "is_demo": live.is_demo,
        "limits": {"min": house["wager_cents_min"], "max": house["wager_cents_max"]},
        "places": len(position.seats),
        "players": len(live.players),
        "seats": [{"seat": seat, "name": player.name} for seat, player in sorted(live.players.items())],
        "puck": position.puck,
        "shooter": position.shooter,
        "roll": live.track.roll,
    }


@router.post("/api/tables", status_code=201, openapi_extra=body(OpenBody), responses=answers(401, 403, 409, 422))
async def open_table(request: Request) -> Response:
    """Open a table under a checked house."""
    services = services_of(request)
    visitor = await must_be(request, ("owner", "floorperson"))
    opening: OpenBody = await read_body(request, _openings)
    fields = {field: getattr(opening, field) for field in OpenTable.__struct_fields__}
    command = OpenTable(**fields)
    by = actor_of(visitor, opening.role or ("owner" if "owner" in visitor.roles else "floorperson"))
    must_have(visitor, by.role)
    id_ = opening.id or uuid4().hex
    check_id(id_)
    signed = await signed_by(services, command, by, opening.sign_off, address_of(request))
    table, answer = await services.floor.open(Ask(id_, command, by, signed))
    if isinstance(answer, Refused):
        return refusals_answer(answer)
    return json_answer({"table": table, **msgspec.structs.asdict(answer)}, 201)


@router.get("/api/tables/{id}", responses=answers(404))
async def table(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give a table as its public sees it, and what of it is one's own."""
    running = await table_of(request, id)
    visitor = await visitor_of(request)
    role = request.query_params.get("role", "player")
    if visitor is not None and role not in {"player", "spectator"}:
        must_have(visitor, role)
    if role == "spectator":
        visitor = None
    return json_answer(running.course.shown(actor_of(visitor, role) if visitor else None))


@router.get("/api/tables/{id}/layout", responses=answers(404))
async def layout(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give what is printed on the layout, by the rules in force."""
    return json_answer(layout_of(rules_of((await table_of(request, id)).current)))


@router.get("/api/tables/{id}/areas", openapi_extra=query(seat="integer"), responses=answers(401, 403, 404, 422))
async def areas(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give where a seat may make a wager now, how much, and by which clause not; a player asks for the own seat."""
    running = await table_of(request, id)
    visitor = await must_be(request)
    own = seat_of(running.live, visitor.account)
    seat = int_of(request, "seat", own)
    if seat != own:
        if not visitor.may(("dealer", "stickperson", "boxperson", "floorperson")):
            raise denied(403, f"seat {seat} is not {visitor.name}'s", "duties")
        must_not_play(running, visitor)
    if not 1 <= seat <= len(running.live.game.position.seats):
        why = f"seat: {seat} is no seat of this table; it has 1 to {len(running.live.game.position.seats)}"
        raise denied(422, why, clause_text(rules_of(running.live).game.seats.cite))
    return json_answer({"areas": areas_of(running.current, seat)})


def int_of(request: Request, name: str, default: int, *, low: int = 0, high: int = 2**53) -> int:
    """Read a whole number of the query."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > _DIGITS_MAX or not low <= int(text) <= high:
        raise denied(422, f"{name}: {text[:40]!r} is not a whole number from {low} to {high}")
    return int(text)


@router.post(
    "/api/tables/{id}/commands",
    openapi_extra=body(CommandBody),
    responses=answers(400, 401, 403, 404, 409, 413, 422, 429, 503),
)
async def command(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give a command to a table. What it answers is in the log; a refusal names every clause."""
    services = services_of(request)
    visitor = await must_be(request)
    running = await table_of(request, id)
    asked: CommandBody = await read_body(request, _commands)
    check_id(asked.id)
    role = asked.role or _usual_role(visitor)
    must_have(visitor, role)
    ask = Ask(asked.id, asked.command, actor_of(visitor, role))
    future = await submit(services, running, ask, asked.sign_off, address_of(request))
    answer = await asyncio.shield(future)
    return refusals_answer(answer) if isinstance(answer, Refused) else json_answer(answer)


def _usual_role(visitor: Visitor) -> str:
    """A player acts as one; the crew in its only role, and says which where it has several."""
    others = [role for role in visitor.roles if role != "player"]
    if "player" in visitor.roles:
        return "player"
    if len(others) != 1:
        raise denied(422, f"role: say which of {', '.join(others)} acts", "duties")
    return others[0]

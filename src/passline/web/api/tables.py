"""The API of tables: list and open them, see one, and send it commands."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.calendar.facility import Facility
from passline.authority.roles import CREW, PLAYER
from passline.layout.geometry import layout_of
from passline.people.credentials import SignOff
from passline.refusal import Refused
from passline.rules.schema import clause_text
from passline.streams.course import Answer, Ask
from passline.tables.commands import OpenTable, Roll, TableCommand
from passline.tables.dice.physical import requires_by_default
from passline.tables.live import LiveTable, seat_of
from passline.tables.rules_in_force import rules_of
from passline.tables.runtime.floor import RunningTable
from passline.tables.runtime.rulebook_watch import RulebookWatch
from passline.tables.views.areas import areas_of
from passline.web.api.openapi import body, query, refusals
from passline.web.api.submission import (
    NOT_DONE,
    actor_of,
    check_id,
    id_or_new,
    signed_by,
    submit,
    take_nonce,
    with_roll,
)
from passline.web.auth.visitors import Visitor, address_of, require_role, require_visitor, role_for, visitor_of
from passline.web.duties import TABLE_KEEPERS
from passline.web.server.responses import answer_response, denial, json_response, read_body, refusals_response
from passline.web.server.services import services_of

router = APIRouter(tags=["tables"])
"""The routes of tables."""
TableId = Annotated[str, Path(min_length=1, max_length=100, examples=["craps-1"])]
"""The id of a table, in a path."""
_DIGITS_MAX = 16
_TEXT_MAX = 200
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T[0-2]\d:[0-5]\d(:\d\d(\.\d+)?)?Z?)?")
_DAY_LENGTH = len("2026-11-15")


class CommandBody(Struct, forbid_unknown_fields=True):
    """A command to a table. The caller makes the id; sent twice with the same id, it acts once."""

    id: str
    command: TableCommand
    role: str = ""  # if empty: player, or the only other role of the account
    sign_off: SignOff | None = None
    again: bool = False  # sent before, and its answer did not come


class OpenBody(OpenTable, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command", tag="open-table"):
    """A table to open: the fields of the command, its id, and the role in which it is given."""

    id: str = ""
    role: str = ""
    sign_off: SignOff | None = None
    requires_dice_out: bool | None = None  # type: ignore[assignment]  # left out: required where dice and wagers are keyed in


class NonceBody(Struct, forbid_unknown_fields=True):
    """The nonce whose SHA-256 a roll was sent with."""

    nonce: str  # 32 bytes in hex


async def table_of(request: Request, id: TableId) -> RunningTable:  # noqa: A002 - the path's own word
    """Return the table that a path names. Raise Denied if there is none."""
    table = await services_of(request).floor.table(id)
    if table is None:
        raise denial(404, f"there is no table {id[:60]!r}; GET /api/tables lists them", "house")
    return table


def require_not_playing(table: RunningTable, visitor: Visitor) -> None:
    """Raise Denied if the visitor plays at the table: whatever their roles, they see only what a player sees."""
    if not table.live.is_demo and seat_of(table.live, visitor.account):
        raise denial(403, f"{visitor.name} plays at this table and sees only what a player sees", "duties")


@router.get("/api/tables")
async def tables(request: Request) -> Response:
    """List the tables of the house."""
    floor = services_of(request).floor
    return json_response(
        {"tables": [_table_fields(table.current, floor.rulebooks) for table in await floor.load_all()]}
    )


def _table_fields(live: LiveTable, rulebooks: RulebookWatch) -> dict[str, Any]:
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
        "practice": live.practice_cents_max,
        "limits": {"min": house["wager_cents_min"], "max": house["wager_cents_max"]},
        "places": len(position.seats),
        "players": len(live.players),
        "seats": [{"seat": seat, "name": player.name} for seat, player in sorted(live.players.items())],
        "puck": position.puck,
        "shooter": position.shooter,
        "roll": live.track.roll,
        "rulebook": live.rulebook,
        "rulebook_installed": rulebooks.digests.get(house["rules"], ""),
        "stopped": rulebooks.why_stopped(live),  # why; empty: it is not
        "coming": rulebooks.texts_to_come(house["rules"], house)
        if live.status != "closed"
        else (),  # what amendments bring
    }


@router.post("/api/tables", status_code=201, openapi_extra=body(OpenBody), responses=refusals(401, 403, 409, 422))
async def open_table(request: Request) -> Response:
    """Open a table. Its house is checked against the regulation first."""
    services = services_of(request)
    visitor = await require_visitor(request)
    opening = await read_body(request, OpenBody)
    fields = {field: getattr(opening, field) for field in OpenTable.__struct_fields__}
    if opening.requires_dice_out is None:
        fields["requires_dice_out"] = requires_by_default(opening.dice, is_keyed=opening.is_keyed)
    command = OpenTable(**fields)
    by = actor_of(visitor, role_for(visitor, opening.role, TABLE_KEEPERS))
    ask = Ask(id_or_new(opening.id), command, by)
    signed = await signed_by(services, ask, opening.sign_off, address_of(request))
    table, answer = await services.floor.open(replace(ask, signed_by=signed))
    if isinstance(answer, Refused):
        return refusals_response(answer)
    return json_response({"table": table, **msgspec.structs.asdict(answer)}, 201)


@router.get("/api/tables/{id}", responses=refusals(404))
async def table(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return a table as everybody sees it, and the visitor's own seat and chips."""
    running = await table_of(request, id)
    visitor = await visitor_of(request)
    role = request.query_params.get("role", PLAYER)
    if visitor is not None and role not in {PLAYER, "spectator"}:
        require_role(visitor, role)
    if role == "spectator":
        visitor = None
    return json_response(running.course.whole_view(actor_of(visitor, role) if visitor else None))


@router.get("/api/tables/{id}/layout", responses=refusals(404))
async def layout(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return the layout of a table, as the rules in force print it."""
    return json_response(layout_of(rules_of((await table_of(request, id)).current)))


@router.get("/api/tables/{id}/areas", openapi_extra=query(seat="integer"), responses=refusals(401, 403, 404, 422))
async def areas(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return where a seat (a player: their own) may make a wager now and how much, or why not."""
    running = await table_of(request, id)
    visitor = await require_visitor(request)
    own = seat_of(running.live, visitor.account)
    seat = query_int(request, "seat", own)
    if seat != own:
        if not visitor.may(CREW):
            raise denial(403, f"seat {seat} is not the seat of {visitor.name}", "duties")
        require_not_playing(running, visitor)
    if not 1 <= seat <= len(running.live.game.position.seats):
        why = f"seat: {seat} is not a seat of this table; it has 1 to {len(running.live.game.position.seats)}"
        raise denial(422, why, clause_text(rules_of(running.live).game.seats.cite))
    return json_response({"areas": areas_of(running.current, seat)})


def query_int(request: Request, name: str, default: int, *, low: int = 0, high: int = 2**53) -> int:
    """Return a whole number from the query. Raise Denied if it is not one, or out of range."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > _DIGITS_MAX or not low <= int(text) <= high:
        raise denial(422, f"{name}: {text[:40]!r} is not a whole number from {low} to {high}")
    return int(text)


def query_text(request: Request, name: str) -> str:
    """Return a text from the query, empty if there is none. Raise Denied if it is too long."""
    text = request.query_params.get(name, "")
    if len(text) > _TEXT_MAX:
        raise denial(422, f"{name}: has {len(text)} characters; the most are {_TEXT_MAX}")
    return text


def query_moment(request: Request, name: str, facility: Facility) -> str:
    """Return a moment from the query as the log writes it, of a gaming day its beginning; empty: none is given."""
    text = query_text(request, name).strip()
    if not text:
        return ""
    if _MOMENT.fullmatch(text):
        with suppress(ValueError, OverflowError):  # the thirtieth of February
            day = datetime.fromisoformat(text).date()
            return facility.moment(day, facility.day_begins) if len(text) == _DAY_LENGTH else text
    raise denial(422, f"{name}: {text[:40]!r} is not a day or moment such as 2026-11-15 or 2026-11-15T08:30Z")


@router.post(
    "/api/tables/{id}/commands",
    openapi_extra=body(CommandBody),
    responses=refusals(400, 401, 403, 404, 409, 413, 422, 429, 503),
)
async def command(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Send a command to a table. When it is answered, it is in the log. A refusal names every clause."""
    services = services_of(request)
    visitor = await require_visitor(request)
    running = await table_of(request, id)
    asked = await read_body(request, CommandBody)
    check_id(asked.id)
    role = role_for(visitor, asked.role, (PLAYER,)) or _only_role(visitor)
    ask = Ask(asked.id, asked.command, actor_of(visitor, role), again=asked.again)
    future = await submit(services, running, ask, asked.sign_off, address_of(request))
    answer = await asyncio.shield(future)
    if isinstance(asked.command, Roll) and not asked.command.nonce_digest and isinstance(answer, Answer):
        answer = await with_roll(running, answer)
    return answer_response(answer)


@router.post("/api/tables/{id}/nonce", openapi_extra=body(NonceBody), responses=refusals(400, 401, 403, 404, 413, 422))
async def nonce(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Send the nonce of a throw whose wagers are closed, and wait until the dice have landed.

    Send it only after `roll` was answered: the answer's `hash` is that of the entry that closed wagers, and the dice
    follow from it, from the key whose digest was the table's `commitment`, and from the nonce. Others are ignored.
    """
    await require_visitor(request)
    running = await table_of(request, id)
    await take_nonce(running, (await read_body(request, NonceBody)).nonce)
    await running.course.completion.wait_until_landed()
    return json_response({"sequence": running.stream.sequence})


@router.get("/api/tables/{id}/commands/{command_id}", responses=refusals(401, 404, 409, 503))
async def outcome(request: Request, id: TableId, command_id: str) -> Response:  # noqa: A002 - the path's own word
    """Return what became of a command whose answer was lost: its receipt, or 404 if it was not done and never will."""
    visitor = await require_visitor(request)
    running = await table_of(request, id)
    check_id(command_id)
    found = await running.stream.outcome(actor_of(visitor, visitor.roles[0]), command_id)
    if found is None:
        raise denial(404, NOT_DONE, "log")
    return answer_response(found)


def _only_role(visitor: Visitor) -> str:
    """Return the only role of somebody. Raise Denied if they have several."""
    if len(visitor.roles) != 1:
        raise denial(422, f"role: say in which role you act: {', '.join(visitor.roles)}", "duties")
    return visitor.roles[0]

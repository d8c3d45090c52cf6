"""The lobby and the page of a table, for players and spectators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from passline.game.commands import TakeSeat
from passline.tables.duties import DUTIES
from passline.tables.limits import PRACTICE_DAY_TIMES
from passline.tables.views.table_view import view_of
from passline.web.auth.visitors import Visitor, visitor_of
from passline.web.demo.players import PLAY_MONEY_CENTS, newcomers_regulation
from passline.web.duties import readers_of
from passline.web.pages.frame import page, page_visitor
from passline.web.server.services import services_of

_STATES = ("open", "frozen", "closed")  # in the order of the lobby
router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/", response_class=HTMLResponse)
async def lobby(request: Request) -> HTMLResponse:
    """The lobby, which lists all tables."""
    shown, visitor = lobby_order(await _views(request)), await visitor_of(request)
    return page(
        request, "lobby.html", visitor, play_money=PLAY_MONEY_CENTS, tables=shown, crew_roles=_crew_roles(visitor)
    )


@router.get("/tables/{table}", response_class=HTMLResponse)
async def table_page(request: Request, table: str) -> HTMLResponse:
    """The page of a table."""
    views, visitor = await _views(request), await visitor_of(request)
    found = next((view for view in views if view["id"] == table), None)
    if found is None:
        return page(request, "missing.html", visitor, status=404, what="table")
    crew = _crew_roles(visitor)[:1]
    return page(
        request,
        "table.html",
        visitor,
        under=found["regulation"],
        table=found,
        crew_roles=crew,
        acts_as=next((role for role in DUTIES[TakeSeat].by if visitor and visitor.may((role,))), ""),
        day_times=PRACTICE_DAY_TIMES,
    )


@router.get("/me")
async def own_page(request: Request) -> Response:
    """The page of one's own play: results, luck, and every hand to replay."""
    return page(request, "me.html", await page_visitor(request))


async def _views(request: Request) -> list[dict[str, Any]]:
    floor = services_of(request).floor
    approvals, stopped = floor.house.approvals, floor.rulebooks.why_stopped
    return [view_of(table.current, approvals, stopped(table.live)) for table in await floor.load_all()]


def lobby_order(tables: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return tables in the order of the lobby: open ones first, and among them those for newcomers."""
    first = newcomers_regulation()
    return sorted(tables, key=lambda view: (_STATES.index(view["status"]), view["regulation"] != first, view["name"]))


def _crew_roles(visitor: Visitor | None) -> tuple[str, ...]:
    """Return the visitor's roles that have a crew console."""
    return tuple(role for role in visitor.roles if role in readers_of("/tables/{id}/crew")) if visitor else ()

"""The lobby and the page of a table, for players and for those who look on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from passline.people.roles import CREW
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.pages.frame import Visitor, VisitorOf, page

__all__ = ["TablesSeen", "in_lobby", "players_router"]

TablesSeen = Callable[[], Sequence[Mapping[str, Any]]]
"""Gives the public view of every table, as `passline.tables.views.table_view` makes it."""
_STATES = ("open", "frozen", "closed")  # in this order in the lobby
_CONSOLE = frozenset((*CREW, "owner"))


def players_router(tables: TablesSeen, visitor_of: VisitorOf, *, is_demo: bool) -> APIRouter:
    """Serve the lobby at / and each table at /tables/{id}."""
    router = APIRouter(include_in_schema=False)

    @router.get("/", response_class=HTMLResponse)
    async def lobby(request: Request) -> HTMLResponse:
        visitor = await visitor_of(request)
        shown = in_lobby(tables())
        return page("lobby.html", visitor=visitor, is_demo=is_demo, tables=shown, crew_roles=_crew_roles(visitor))

    @router.get("/tables/{table}", response_class=HTMLResponse)
    async def table_page(request: Request, table: str) -> HTMLResponse:
        visitor = await visitor_of(request)
        found = next((one for one in tables() if one["id"] == table), None)
        if found is None:
            return page("missing.html", visitor=visitor, is_demo=is_demo, status=404, what="table")
        return page("table.html", visitor=visitor, is_demo=is_demo, table=found, crew_roles=_crew_roles(visitor)[:1])

    return router


def in_lobby(tables: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give tables in the lobby's order: open ones first, and among them the one a newcomer is seated at."""
    first = newcomers_regulation()
    return sorted(tables, key=lambda one: (_STATES.index(one["status"]), one["regulation"] != first, one["name"]))


def _crew_roles(visitor: Visitor | None) -> tuple[str, ...]:
    """Give the roles by which somebody may open a crew console."""
    return tuple(role for role in visitor.roles if role in _CONSOLE) if visitor else ()

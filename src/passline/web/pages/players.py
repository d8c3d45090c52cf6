"""The lobby and the page of a table, for players and spectators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from passline.tables.duties import CREW
from passline.web.auth.visitors import Visitor
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.pages.frame import VisitorOf, page

__all__ = ["TableViews", "lobby_order", "player_pages"]

TableViews = Callable[[], Sequence[Mapping[str, Any]]]
"""Returns the public view of every table, as made by `passline.tables.views.table_view`."""
_STATES = ("open", "frozen", "closed")  # in the order of the lobby
_CONSOLE = frozenset((*CREW, "owner"))


def player_pages(tables: TableViews, visitor_of: VisitorOf, *, is_demo: bool) -> APIRouter:
    """Return the routes of the lobby and of the page of each table."""
    router = APIRouter(include_in_schema=False)

    @router.get("/", response_class=HTMLResponse)
    async def lobby(request: Request) -> HTMLResponse:
        visitor = await visitor_of(request)
        shown = lobby_order(tables())
        return page("lobby.html", visitor=visitor, is_demo=is_demo, tables=shown, crew_roles=_crew_roles(visitor))

    @router.get("/tables/{table}", response_class=HTMLResponse)
    async def table_page(request: Request, table: str) -> HTMLResponse:
        visitor = await visitor_of(request)
        found = next((view for view in tables() if view["id"] == table), None)
        if found is None:
            return page("missing.html", visitor=visitor, is_demo=is_demo, status=404, what="table")
        return page("table.html", visitor=visitor, is_demo=is_demo, table=found, crew_roles=_crew_roles(visitor)[:1])

    return router


def lobby_order(tables: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return tables in the order of the lobby: open ones first, and among them those for newcomers."""
    first = newcomers_regulation()
    return sorted(tables, key=lambda view: (_STATES.index(view["status"]), view["regulation"] != first, view["name"]))


def _crew_roles(visitor: Visitor | None) -> tuple[str, ...]:
    """Return the visitor's roles that have a crew console."""
    return tuple(role for role in visitor.roles if role in _CONSOLE) if visitor else ()

"""Who may open a page: whoever is not logged in is sent to do so and back; the wrong role is told so."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from passline.web.auth.visitors import Visitor, visitor_of
from passline.web.pages.frame import page
from passline.web.server.services import services_of

__all__ = ["closed_door", "entered", "next_of", "office_page"]


async def entered(request: Request, roles: Collection[str] = ()) -> Visitor | Response:
    """Give who opens a page, or the page that says why they may not; without roles anybody logged in may."""
    visitor = await visitor_of(request)
    if visitor is None:
        where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/log-in?next={quote(where)}", status_code=303)
    if roles and not visitor.may(roles):
        return closed_door(request, visitor, f"This page is for: {', '.join(roles)}.")
    return visitor


def next_of(request: Request) -> str:
    """Give the path of this server that a visitor came from and goes on to, or nothing: never another site's."""
    where = request.query_params.get("next", "")
    is_ours = where.startswith("/") and where[1:2] not in {"/", "\\"} and where.isprintable()
    return where if is_ours else ""


def closed_door(request: Request, visitor: Visitor | None, why: str, *, status: int = 403) -> Response:
    """Say why a page does not open."""
    return office_page(request, "closed.html", visitor, status=status, why=why)


def office_page(
    request: Request, name: str, visitor: Visitor | None, *, status: int = 200, **context: object
) -> Response:
    """Render a page of the office for whoever opened it; nothing of it stays in a shared browser's cache."""
    response = page(name, visitor=visitor, is_demo=services_of(request).is_demo, status=status, **context)
    response.headers["Cache-Control"] = "no-store"
    return response

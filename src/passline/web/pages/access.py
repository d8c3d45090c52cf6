"""Who may open a page: visitors are sent to log in and back; those with the wrong role are told so."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from passline.web.auth.visitors import Visitor, unfit_request, visitor_of
from passline.web.pages.frame import page

__all__ = ["next_path", "office_page", "refusal_page", "visitor_or_response"]


async def visitor_or_response(request: Request) -> Visitor | Response:
    """Return who opens a page, or the response that sends them to log in or refuses them."""
    visitor = await visitor_of(request)
    if visitor is None:
        where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/log-in?next={quote(where)}", status_code=303)
    if why := unfit_request(request, visitor, "open this page"):
        return refusal_page(request, visitor, f"{why[0].upper()}{why[1:]}.")
    return visitor


def next_path(request: Request) -> str:
    """Return the path to go to after logging in, or nothing. It is never an address of another site."""
    where = request.query_params.get("next", "")
    is_ours = where.startswith("/") and where[1:2] not in {"/", "\\"} and where.isprintable()
    return where if is_ours else ""


def refusal_page(request: Request, visitor: Visitor | None, why: str, *, status: int = 403) -> Response:
    """Return a page that says why the visitor may not open the requested one."""
    return office_page(request, "closed.html", visitor, status=status, why=why)


def office_page(
    request: Request, name: str, visitor: Visitor | None, *, status: int = 200, **context: object
) -> Response:
    """Return a page of the office. It is not cached, because browsers are shared."""
    response = page(request, name, visitor, status=status, **context)
    response.headers["Cache-Control"] = "no-store"
    return response

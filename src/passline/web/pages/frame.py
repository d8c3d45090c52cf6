"""The frame of every page: its template, and who may open it."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.responses import Response

from passline.acts.calendar.facility import NO_FACILITY
from passline.acts.papers.houses import currency_of
from passline.money import dollar_amount, in_currency
from passline.rules.pages.library import regulations
from passline.web.auth.visitors import Visitor, unfit_request, visitor_of
from passline.web.demo.players import newcomers_regulation
from passline.web.duties import readers_of
from passline.web.pages.static_files import static_address
from passline.web.server.services import Services

_HERE = Path(__file__).resolve().parent.parent


def regulation(name: str) -> str:
    """Return the name of a regulation as a title.

    >>> regulation("maryland"), regulation("section2"), regulation("las_vegas")
    ('Maryland', 'Section 2', 'Las Vegas')
    """
    spaced = re.sub(r"(?<=[a-z])(?=\d)|_", " ", name)
    return " ".join(word[:1].upper() + word[1:] for word in spaced.split())


_templates = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@pass_context
def _amount(context: Context, cents: int, name: str = "") -> str:
    """Return an amount with the sign of the page's currency, or of the regulation that is named."""
    sign = currency_of(name) if name else str(context["currency"])
    return in_currency(dollar_amount(cents, is_grouped=True), sign)


_templates.filters["amount"] = _amount
_templates.filters["regulation"] = regulation
_templates.globals["static"] = static_address()


def page(
    request: Request, name: str, visitor: Visitor | None, *, status: int = 200, under: str = "", **context: object
) -> HTMLResponse:
    """Return a page rendered from a template; amounts have the sign of the regulation that it is under.

    A template asks `may("/house")` before it leads there: the row of a page says who opens it.
    """
    services: Services | None = request.app.state.services  # None: a laboratory that stands alone
    facility = services.offices.facility() if services else NO_FACILITY
    set_up = (services.rules or services.offices.first_set_up()) if services else ""
    text = _templates.get_template(name).render(
        visitor=visitor,
        may=lambda path: visitor is not None and visitor.may(readers_of(path)),
        is_alone=services is None,
        is_demo=services is not None and services.is_demo,
        house_time=context.get("facility") or facility,  # an office's pages have their own
        regulations_named=" ".join(regulations()),
        currency=currency_of(under or set_up or newcomers_regulation()),
        **context,
    )
    return HTMLResponse(text, status_code=status)


class NotOpened(Exception):
    """A page is not opened for this visitor: the response refuses them, or sends them to log in."""

    def __init__(self, response: Response) -> None:
        self.response = response
        super().__init__(f"answered with {response.status_code}")


async def page_visitor(request: Request) -> Visitor:
    """Return who opens a page. Raise NotOpened if they have to log in first, or may not."""
    visitor = await visitor_of(request)
    if visitor is None:
        where = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        raise NotOpened(RedirectResponse(f"/log-in?next={quote(where)}", status_code=303))
    if why := unfit_request(request, visitor, "open this page"):
        raise NotOpened(refusal_page(request, visitor, f"{why[0].upper()}{why[1:]}."))
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
    request: Request, name: str, visitor: Visitor | None, *, status: int = 200, under: str = "", **context: object
) -> Response:
    """Return a page of the office. It is not cached, because browsers are shared."""
    response = page(request, name, visitor, status=status, under=under, **context)
    response.headers["Cache-Control"] = "no-store"
    return response

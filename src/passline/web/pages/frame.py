"""The frame of every page: its template, and who opens it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from passline.money import dollar_amount
from passline.web.auth.visitors import Visitor
from passline.web.server.services import services_of

__all__ = ["STATIC", "page", "regulation"]

_HERE = Path(__file__).resolve().parent.parent
STATIC = _HERE / "static"
"""The folder of style sheets and scripts, served under /static."""


def regulation(name: str) -> str:
    """Return the name of a regulation as a title.

    >>> regulation("maryland"), regulation("section2")
    ('Maryland', 'Section 2')
    """
    return re.sub(r"(?<=[a-z])(?=\d)", " ", name).capitalize()


_templates = Environment(
    loader=FileSystemLoader(_HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters["amount"] = partial(dollar_amount, is_grouped=True)
_templates.filters["regulation"] = regulation


def page(request: Request, name: str, visitor: Visitor | None, *, status: int = 200, **context: object) -> HTMLResponse:
    """Return a page rendered from a template."""
    services = services_of(request)
    house_time = context.get("facility") or services.offices.facility()  # an office's pages have their own
    text = _templates.get_template(name).render(
        visitor=visitor, is_demo=services.is_demo, house_time=house_time, **context
    )
    return HTMLResponse(text, status_code=status)

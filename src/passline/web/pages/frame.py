"""The frame of every page: its template and who is looking."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from passline.money import dollar_amount
from passline.web.auth.visitors import Visitor

__all__ = ["STATIC", "Visitor", "VisitorOf", "page", "regulation"]

_HERE = Path(__file__).resolve().parent.parent
STATIC = _HERE / "static"
"""Where style sheets and modules are served from, under /static."""
VisitorOf = Callable[[Request], Awaitable[Visitor | None]]
"""How a page learns who is looking."""


def regulation(name: str) -> str:
    """Print the name of a regulation as a title has it.

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


def page(name: str, *, visitor: Visitor | None, is_demo: bool, status: int = 200, **context: object) -> HTMLResponse:
    """Render a template into a response."""
    text = _templates.get_template(name).render(visitor=visitor, is_demo=is_demo, **context)
    return HTMLResponse(text, status_code=status)

"""The page of the laboratory."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.rules.pages.library import default_regulation
from passline.web.api.lab import admit, lab_of
from passline.web.auth.visitors import visitor_of
from passline.web.pages.frame import page, refusal_page
from passline.web.pages.home import house_regulation
from passline.web.server.middleware import POLICY
from passline.web.server.responses import Denied

router = APIRouter(include_in_schema=False)
"""The route of this page."""
_POLICY = f"{POLICY}; img-src 'self' blob:"  # a picture that is saved as PNG is drawn from one that the page made


@router.get("/lab")
async def lab(request: Request) -> Response:
    """The page of the laboratory, or why it is refused, with the clause."""
    services = request.app.state.services
    try:
        visitor = await admit(request)
    except Denied as denied:
        why = "; ".join(f"{refusal.why} [{refusal.clause}]" for refusal in denied.refusals)
        return refusal_page(request, await visitor_of(request), f"{why[0].upper()}{why[1:]}.", status=denied.status)
    lab_of(request).long.warm()
    lab_of(request).quick.warm()
    regulation = default_regulation() if services is None else await house_regulation(services)
    response = page(request, "lab.html", visitor, under=regulation, regulation=regulation)
    response.headers["Content-Security-Policy"] = _POLICY
    return response

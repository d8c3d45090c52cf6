"""The API of the entries behind an account: what happened at a table from one entry of the log to another, in words."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.tables.entries import TABLE
from passline.tables.views.log_marks import MarkQuery
from passline.tables.views.log_wording import find_entries
from passline.web.api.openapi import query, refusals
from passline.web.api.papers import RegulationPath, office_scene
from passline.web.api.tables import query_int, query_text
from passline.web.server.responses import denial, json_response
from passline.web.server.services import services_of

__all__ = ["router"]

router = APIRouter(tags=["office"])
"""The route of these entries."""
_PAGE = 200


@router.get(
    "/api/office/{name}/accounts/entries",
    openapi_extra=query(table="string", first="integer", last="integer", player="string"),
    responses=refusals(401, 403, 404, 422, 503),
)
async def account_entries(request: Request, name: RegulationPath) -> Response:
    """List the entries of a `table` from entry `first` to entry `last` in words, as an account names them.

    They are the newest 200 of them, oldest first; `earlier`, sent as `last`, goes on before them until it is 0. With
    `player`, such as account/ID, those that are not about that player are left out.
    """
    await office_scene(request, name)
    table = query_text(request, "table")
    if not table:
        raise denial(422, "table: say of which table")
    first, last = query_int(request, "first", 1, low=1), query_int(request, "last", 1, low=1)
    asked = MarkQuery(stream=TABLE + table, player=query_text(request, "player").removeprefix("account/"))
    found, seen = await services_of(request).views.read(
        lambda views: find_entries(views, asked, after=first - 1, before=last + 1, limit=_PAGE)
    )
    earlier = max(found.further - 1, 0)
    return json_response(
        {
            "table": table,
            "entries": found.entries[::-1],
            "earlier": earlier if earlier >= first else 0,
            **msgspec.structs.asdict(seen),
        }
    )

"""The API of what a wager really costs: the par sheet of the rules in force, and the table's pace."""

from __future__ import annotations

from fastapi import APIRouter
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from passline.rules.schema import clause_text
from passline.tables.conduct import may_show_rolls
from passline.tables.rules_in_force import rules_of
from passline.tables.views.recall import find_hands, pace_of
from passline.web.api.history import sheet_lines
from passline.web.api.openapi import refusals
from passline.web.api.tables import TableId, table_of
from passline.web.server.responses import denial, json_response
from passline.web.server.services import services_of

__all__ = ["router"]

router = APIRouter(tags=["tables"])
"""The route of costs."""
_HANDS = 40


@router.get("/api/tables/{id}/costs", responses=refusals(403, 404, 422, 503))
async def costs(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return what wagers cost at a table: each line of the par sheet of the rules in force, and rolls an hour.

    Where the regulation bans aids that analyse outcomes, it takes every approval that it asks for.
    """
    services = services_of(request)
    live = (await table_of(request, id)).current
    rules = rules_of(live)
    if not may_show_rolls(rules, services.floor.house.approvals):
        law = rules.rulebook.general.live.prediction_aid
        assert law is not None
        names = " and ".join(law.authorities)
        raise denial(403, f"what a wager costs is shown here once {names} have approved it", clause_text(law.cite))
    hands, _seen = await services.views.read(lambda views: find_hands(views, id, limit=_HANDS))
    lines = await sheet_lines(live.rules, rules)
    return json_response({"rules": live.rules, "pace": pace_of(hands), "lines": Raw(lines)})

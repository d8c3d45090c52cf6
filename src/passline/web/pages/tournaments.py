"""The pages of tournaments: the list, a player's rank, the desk, the floor, the money, and the big screen."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import DIRECTORS
from passline.rules.rulebook_reader import sound_regulations
from passline.tournament.commands import CAUSES, CountFees
from passline.tournament.decide import TOURNAMENT_DUTIES
from passline.tournament.plan.reader import example_from
from passline.tournament.rules import NoTournaments
from passline.tournament.state import TournamentState
from passline.web.api.tournaments import facility_clock, listed_tournaments
from passline.web.auth.screen_links import ScreenLinks
from passline.web.auth.visitors import Visitor
from passline.web.duties import STAFF_READERS, readers_of
from passline.web.pages.frame import office_page, page_visitor, refusal_page
from passline.web.server.services import Services, services_of

_PARTS = {"": "Ranks", "desk": "Desk", "floor": "Floor", "money": "Money", "board": "Big screen"}
router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/tournaments")
async def tournaments(request: Request) -> Response:
    """The tournaments of the house, and for its directors a form to plan one."""
    visitor = await page_visitor(request)
    is_director = visitor.may(DIRECTORS)
    return office_page(
        request,
        "tournament_list.html",
        visitor,
        tournaments=await listed_tournaments(services_of(request)),
        examples=await _examples(services_of(request)) if is_director else [],
        keeps_office=services_of(request).tournaments.is_office_here,
        is_director=is_director,
    )


@router.get("/screens/{token}")
async def screen(request: Request, token: str) -> Response:
    """The big screen of a room, for whoever has its link: no log-in, and nothing but what the room may see."""
    services = services_of(request)
    id_ = await asyncio.to_thread(ScreenLinks(services.log).tournament, token, services.clock())
    state = await services.tournaments.state(id_) if id_ else None
    if state is None:
        return refusal_page(
            request, None, "This link shows nothing any more. Ask the director for a new one.", status=404
        )
    data = {"id": state.plan.id, "board": f"/api/screens/{token}"}
    return office_page(request, "tournament_board.html", None, under=state.plan.rules, plan=state.plan, data=data)


def _path(part: str) -> str:
    """Return the path of a part of a tournament's pages, as its route has it."""
    return f"/tournaments/{{id}}/{part}".rstrip("/")


def _add_page(part: str) -> None:
    @router.get(_path(part))
    async def tournament_page(request: Request, id: str) -> Response:  # noqa: A002 - of the path
        return await _page(request, id, part if part in _PARTS else "", f"tournament_{part or 'ranks'}.html")


for _part in (*_PARTS, "agreement"):  # no page leads to the agreement before one of the players has used it
    _add_page(_part)


async def _examples(services: Services) -> list[dict[str, str]]:
    """Return a plan to start from for each regulation that has tournaments, on days that are still to come there."""
    found = []
    for name in sound_regulations():
        try:
            today = (await facility_clock(services, name))(services.clock()).date()
            found.append({"rules": name, "text": example_from(name, today)})
        except NoTournaments:
            continue
    return found


async def _page(request: Request, id: str, part: str, template: str) -> Response:  # noqa: A002
    visitor = await page_visitor(request)
    state = await services_of(request).tournaments.state(id)
    if state is None:
        return refusal_page(request, visitor, f"There is no tournament {id[:40]!r}.", status=404)
    return office_page(
        request,
        template,
        visitor,
        under=state.plan.rules,
        plan=state.plan,
        part=part,
        parts=[(key, name) for key, name in _PARTS.items() if visitor.may(readers_of(_path(key)))],
        data=_data(state, visitor),
    )


def _data(state: TournamentState, visitor: Visitor) -> dict[str, Any]:
    """Return what the scripts of a page must know of who opens it."""
    return {
        "id": state.plan.id,
        "board": f"/api/tournaments/{state.plan.id}",
        "account": visitor.account,
        "is_director": visitor.may(DIRECTORS),
        "is_cash": visitor.may(readers_of(_path("desk"))),
        "is_crew": visitor.may(readers_of(_path("floor"))),
        "is_staff": visitor.may(STAFF_READERS),
        "is_counter": visitor.may(TOURNAMENT_DUTIES[CountFees].by),
        "causes": CAUSES,
    }

"""The pages of tournaments: the list, a player's rank, the desk, the floor, the money, and the big screen."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import DIRECTORS
from passline.rules.clauses import REGULATIONS
from passline.tournament.commands import CAUSES, CountFees
from passline.tournament.decide import TOURNAMENT_DUTIES
from passline.tournament.plan.reader import example_text
from passline.tournament.rules import NoTournaments
from passline.tournament.state import TournamentState
from passline.web.api.tournaments import listed_tournaments
from passline.web.auth.visitors import Visitor
from passline.web.duties import STAFF_READERS, readers_of
from passline.web.pages.access import office_page, refusal_page, visitor_or_response
from passline.web.server.services import services_of

__all__ = ["tournament_desks"]

_PARTS = {"": "Ranks", "desk": "Desk", "floor": "Floor", "money": "Money", "board": "Big screen"}


def tournament_desks() -> APIRouter:
    """Return the routes of these pages."""
    router = APIRouter(include_in_schema=False)

    @router.get("/tournaments")
    async def tournaments(request: Request) -> Response:
        """The tournaments of the house, and for its directors a form to plan one."""
        visitor = await visitor_or_response(request)
        if isinstance(visitor, Response):
            return visitor
        is_director = visitor.may(DIRECTORS)
        return office_page(
            request,
            "tournament_list.html",
            visitor,
            tournaments=await listed_tournaments(services_of(request)),
            examples=_examples() if is_director else [],
            is_director=is_director,
        )

    @router.get("/tournaments/{id}")
    async def ranks(request: Request, id: str) -> Response:  # noqa: A002 - of the path
        """A player's own rank and seat, the leader board, and the rules."""
        return await _page(request, id, "", "tournament_ranks.html")

    @router.get("/tournaments/{id}/desk")
    async def desk(request: Request, id: str) -> Response:  # noqa: A002
        """Registration, the sign-in sheet, the waiting list, chips bought."""
        return await _page(request, id, "desk", "tournament_desk.html")

    @router.get("/tournaments/{id}/floor")
    async def floor(request: Request, id: str) -> Response:  # noqa: A002
        """Rounds: tables, seats, counts, ties, who goes on."""
        return await _page(request, id, "floor", "tournament_floor.html")

    @router.get("/tournaments/{id}/money")
    async def money(request: Request, id: str) -> Response:  # noqa: A002
        """Fees, pools, prizes, vouchers, papers, and the end of the books."""
        return await _page(request, id, "money", "tournament_money.html")

    @router.get("/tournaments/{id}/board")
    async def board(request: Request, id: str) -> Response:  # noqa: A002
        """The big screen: it names nobody but players, and nothing on it can be pressed."""
        return await _page(request, id, "board", "tournament_board.html")

    @router.get("/tournaments/{id}/agreement")
    async def agreement(request: Request, id: str) -> Response:  # noqa: A002
        """The form of players who ask to share the cash; no page leads here before one of them has used it."""
        return await _page(request, id, "", "tournament_agreement.html")

    return router


def _examples() -> list[dict[str, str]]:
    """Return a plan to start from for each regulation that has tournaments."""
    found = []
    for name in REGULATIONS:
        try:
            found.append({"rules": name, "text": example_text(name)})
        except NoTournaments:
            continue
    return found


def _path(part: str) -> str:
    """Return the path of a part of a tournament's pages, as its route has it."""
    return f"/tournaments/{{id}}/{part}".rstrip("/")


async def _page(request: Request, id: str, part: str, template: str) -> Response:  # noqa: A002
    visitor = await visitor_or_response(request)
    if isinstance(visitor, Response):
        return visitor
    state = await services_of(request).tournaments.state(id)
    if state is None:
        return refusal_page(request, visitor, f"There is no tournament {id[:40]!r}.", status=404)
    return office_page(
        request,
        template,
        visitor,
        plan=state.plan,
        part=part,
        parts=[(key, name) for key, name in _PARTS.items() if visitor.may(readers_of(_path(key)))],
        data=_data(state, visitor),
    )


def _data(state: TournamentState, visitor: Visitor) -> dict[str, Any]:
    """Return what the scripts of a page must know of who opens it."""
    return {
        "id": state.plan.id,
        "account": visitor.account,
        "is_director": visitor.may(DIRECTORS),
        "is_cash": visitor.may(readers_of(_path("desk"))),
        "is_crew": visitor.may(readers_of(_path("floor"))),
        "is_staff": visitor.may(STAFF_READERS),
        "is_counter": visitor.may(TOURNAMENT_DUTIES[CountFees].by),
        "causes": CAUSES,
    }

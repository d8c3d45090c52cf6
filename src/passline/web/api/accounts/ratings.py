"""The API of player ratings: restricted, as whoever reads what cash a patron brought."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.patrons import linked_patrons, names_of_patrons
from passline.bookkeeping.account import PlayAccount
from passline.bookkeeping.ratings import PlayerRating, ratings_of, ratings_table
from passline.bookkeeping.reading import accounts_table, figures_of, find_course, find_visits
from passline.office.views.rated_play import find_ratings
from passline.streams.projection_store import ViewReader
from passline.web.api.accounts.accounts import asked_for
from passline.web.api.openapi import READ_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, names_in
from passline.web.api.tables import query_text
from passline.web.server.responses import denial, page_response
from passline.web.server.services import services_of

router = APIRouter(tags=["office"])
"""The routes of ratings."""
RATING_PERIODS = ("day", "month", "year")
"""The periods by which players are rated."""


@router.get(
    "/api/office/{name}/ratings",
    openapi_extra=query(period=RATING_PERIODS, span="string", format=FORMS),
    responses=READ_REFUSALS,
)
async def ratings(request: Request, name: RegulationPath) -> Response:
    """List the ratings of players in a gaming day, month or year (`span`, such as 2026-03-02, 2026-03 or 2026).

    Accounts and walk-ins that are linked are one patron; estimates are lines of their own and marked.
    """
    asked = await asked_for(request, name)
    if asked.period not in RATING_PERIODS:
        raise denial(422, f"period: players are rated by {', '.join(RATING_PERIODS)}")
    services = services_of(request)

    state = asked.scene.state
    rated, seen = await services.views.read(lambda views: find_ratings(views, name, state, asked.period, asked.span))
    named = {f"account/{account}": called for account, called in names_in(services).items()} | names_of_patrons(state)
    if asked.form != "json":
        return as_list(ratings_table(f"Ratings, {asked.span}", rated, named), asked.form, f"ratings-{asked.span}")
    known = {player for rating in rated for player in (rating.patron, *rating.players)}
    fields = {
        "period": asked.period,
        "span": asked.span,
        "ratings": rated,
        "names": {player: named[player] for player in sorted(known & named.keys())},
    }
    return page_response(fields, seen)


@router.get(
    "/api/office/{name}/ratings/visits",
    openapi_extra=query(player="string", period=RATING_PERIODS, span="string", format=FORMS),
    responses=READ_REFUSALS,
)
async def visits(request: Request, name: RegulationPath) -> Response:
    """List the visits of one `player` (such as account/ID) to tables, by shift, each with its entries of the log."""
    asked, player = await asked_for(request, name), query_text(request, "player")
    if not player:
        raise denial(422, "player: say whose visits, such as account/ID")
    found, seen = await services_of(request).views.read(lambda views: find_visits(views, name, player, asked.span))
    if asked.form != "json":
        return as_list(accounts_table(f"Visits of {player}", found), asked.form, "visits")
    fields = {
        "player": player,
        "span": asked.span,
        "visits": [figures_of(visit) for visit in found],
    }
    return page_response(fields, seen)


@router.get(
    "/api/office/{name}/ratings/course",
    openapi_extra=query(player="string", period=RATING_PERIODS, since="string", until="string"),
    responses=READ_REFUSALS,
)
async def rating_course(request: Request, name: RegulationPath) -> Response:
    """List the ratings of one patron by `period`, oldest first: spans from `since` on and before `until`.

    `player` is such as account/ID or patron/ID; whoever is linked to a patron is part of it. Estimates are left out.
    """
    asked = await asked_for(request, name)
    player, since, until = (query_text(request, key) for key in ("player", "since", "until"))
    if not player:
        raise denial(422, "player: say whose ratings, such as account/ID")
    linked = linked_patrons(asked.scene.state)
    patron = linked.get(player, player)
    players = sorted({patron, *(player for player, behind in linked.items() if behind == patron)})

    def look(views: ViewReader) -> list[PlayerRating]:
        spans: dict[str, list[PlayAccount]] = {}
        for account in players:
            for found in find_course(views, name, "player", asked.period, account, since=since, until=until or "~"):
                spans.setdefault(found.span, []).append(found)
        return [rating for span in sorted(spans) for rating in ratings_of(span, spans[span], (), linked)]

    rated, seen = await services_of(request).views.read(look)
    named = {f"account/{account}": called for account, called in names_in(services_of(request)).items()}
    fields = {
        "player": patron,
        "players": players,
        "name": named.get(player, ""),
        "ratings": rated,
    }
    return page_response(fields, seen)

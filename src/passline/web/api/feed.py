"""The API of feeds: what happens in the house, for systems that follow it, such as player tracking and surveillance."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from passline.authority.duties import may_not, role_list
from passline.authority.roles import in_order
from passline.game import events as e
from passline.streams.feed import PAGE_MAX, Feed, UnknownPlace, read_feed
from passline.tables import events as t
from passline.tables.entries import TABLE
from passline.web.api.openapi import query, refusals
from passline.web.api.tables import query_int, query_text
from passline.web.auth.visitors import address_of, require_visitor
from passline.web.duties import FEED_READERS
from passline.web.server.responses import denial
from passline.web.server.services import services_of

router = APIRouter(tags=["log"])
"""The routes of feeds."""
_OF_PLAYERS = (
    *(t.TableOpened, t.TableClosed, t.PlayerSeated, t.PlayMoneyBought, t.PlayerRated, t.RollCorrected),
    *(e.SeatTaken, e.SeatLeft, e.PlayerStood, e.PlayerSat, e.BuyInMade, e.WagerMade, e.WagerIncreased),
    *(e.WagerReduced, e.WagerRemoved, e.WagerLost, e.WagerWon, e.WagerReturned, e.MeterPaid, e.DiceAccepted),
    *(e.RollSettled,),
)
FEEDS = {
    "players": Feed(
        "who sits where, what they buy in for, wager, win and lose, and how fast the game is",
        streams=TABLE,
        events=frozenset(str(event.__struct_config__.tag) for event in _OF_PLAYERS),
    ),
    "surveillance": Feed("every entry of the log"),
}
"""Every feed by its name; `FEED_READERS` says who may follow which."""


@router.get(
    "/api/feed/{name}",
    openapi_extra=query(after="string", limit="integer"),
    responses=refusals(401, 403, 404, 409, 422),
)
async def feed(request: Request, name: str) -> Response:
    """Return what a feed has after the entry with the id `after`, oldest first, as JSON lines (NDJSON).

    Every line is an entry of the log with its `id`. The last line has no `id`: its `after` is what to send next, and
    `behind` how many entries there are beyond it; at 0, ask again in a second. Whoever keeps a line before they ask
    for the next ones misses none, whatever is killed, and may get some again, with the same ids.
    """
    visitor = await require_visitor(request)
    services = services_of(request)
    if (found := FEEDS.get(name)) is None:
        raise denial(404, f"there is no feed {name[:40]!r}; there are {', '.join(FEEDS)}")
    readers = FEED_READERS[name]
    if not visitor.may(readers):
        services.desk.note("request", visitor.account, address_of(request))
        raise denial(403, may_not(role_list(visitor.roles), f"follow the feed {name}", in_order(readers)), "duties")
    after, limit = query_text(request, "after"), query_int(request, "limit", PAGE_MAX, low=1, high=PAGE_MAX)
    try:
        page = await asyncio.to_thread(read_feed, services.log, found, after=after, limit=limit)
    except UnknownPlace as error:
        raise denial(409, str(error), "log") from error
    return Response(page.ndjson(), media_type="application/x-ndjson")

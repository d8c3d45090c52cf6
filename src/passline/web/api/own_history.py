"""The API of a player's own history: results by wager, hands, a hand entry by entry, and the log against a kept head.

A player sees what everybody at the table saw, and their own rack: nothing of other players' racks or the house's money.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.authority.roles import PLAYER
from passline.bookkeeping.chance import BAND_ONE_IN, luck_evidence_of, sums_together
from passline.bookkeeping.reading import find_course
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.store.sealed import Log
from passline.streams.course import Actor
from passline.streams.projection_store import ViewStore
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.live import LiveTable, fold, seat_of
from passline.tables.views.played import PlayedHand, find_played, played_hand, played_results
from passline.tables.views.recall import table_at
from passline.tables.views.table_view import own_of, view_of
from passline.tables.views.wording import call_of, lines_of
from passline.web.api.openapi import query, refusals
from passline.web.api.tables import TableId, query_int
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denial, json_response, page_response
from passline.web.server.services import services_of

router = APIRouter(tags=["me"])
"""The routes of one's own history."""
_PAGE, _PAGE_MAX = 200, 1000
_ENTRIES_MAX = 2000
Number = Annotated[int, Path(ge=0, le=2**53)]


@router.get("/api/me/hands", openapi_extra=query(before="integer", limit="integer"), responses=refusals(401, 422, 503))
async def hands(request: Request) -> Response:
    """List the hands in which something was decided for whoever asks, newest first, and all results by wager.

    `next`, sent as `before`, asks for the next page.
    """
    visitor = await require_visitor(request)
    before = query_int(request, "before", 0)
    limit = query_int(request, "limit", _PAGE, low=1, high=_PAGE_MAX)

    def look(views: ViewStore) -> dict[str, Any]:
        found = find_played(views, visitor.account, before=before, limit=limit)
        results = [result for result in played_results(views, visitor.account).values() if result.decided]
        further = found[-1].first if len(found) == limit else 0
        return {
            "hands": found,
            "next": further,
            "results": sorted(results, key=lambda result: (-result.decided, result.name)),
            "luck": [] if before else list(_luck(views, visitor.account)),
        }

    page, seen = await services_of(request).views.read(look)
    return page_response(page, seen)


def _luck(views: ViewStore, account: str) -> Iterator[dict[str, Any]]:
    """Yield a player's luck under each regulation they played by, from the accounts: theirs, not the house's."""
    for name in sound_regulations():
        years = find_course(views, name, "player", "year", f"account/{account}")
        sums, evidence = sums_together(years), luck_evidence_of(*years)
        if sums.rolls:
            low, high = evidence.band(BAND_ONE_IN) if evidence else (0, 0)
            yield {
                "regulation": rulebook_of(name).general.title,
                "rolls": sums.rolls,
                "won": -sums.won,
                "expected": -round(sums.theoretical),
                "luck": -round(sums.luck),
                "one_in": evidence.one_in() if evidence else None,
                "low": -high,
                "high": -low,
                "band_one_in": BAND_ONE_IN,
            }


@router.get("/api/me/tables/{id}/hands/{number}", responses=refusals(401, 404, 503))
async def hand(request: Request, id: TableId, number: Number) -> Response:  # noqa: A002 - the path's own word
    """Return one of one's own hands entry by entry: in the words that its player was told, each with its hash."""
    visitor = await require_visitor(request)
    log = services_of(request).log

    def look(views: ViewStore) -> tuple[PlayedHand | None, list[dict[str, Any]]]:
        played = played_hand(views, visitor.account, id, number)
        return played, list(_steps(views, log, played)) if played else []

    (played, steps), seen = await services_of(request).views.read(look)
    if played is None:
        raise denial(404, f"you have no hand {number} at this table; GET /api/me/hands lists yours", "log")
    return page_response({"hand": played, "entries": steps}, seen)


def _steps(views: ViewStore, log: Log, played: PlayedHand) -> Iterator[dict[str, Any]]:
    """Yield the entries of a hand in the words of its player, each with its hash."""
    stream = f"{TABLE}{played.table}"
    live: LiveTable | None = None
    version = -1
    for stored in islice(log.read_stream(stream, hand=played.hand), _ENTRIES_MAX):
        entry = stored.entry
        if entry.version != version + 1:
            live = table_at(views, log, stream, entry.sequence - 1)
        version = entry.version
        events = TABLE_CODEC.events(entry)
        before, live = live, fold(live, TABLE_CODEC.command(entry), events)
        seat = seat_of(live, played.account)
        told = lines_of(before, live, events, seats=(seat,) if seat else ())
        yield {
            "sequence": entry.sequence,
            "at": entry.at,
            "hash": stored.hash.hex(),
            "lines": told,
            "call": call_of(live, events),
        }


@router.get("/api/me/tables/{id}/at/{sequence}", responses=refusals(401, 404, 503))
async def at(request: Request, id: TableId, sequence: Number) -> Response:  # noqa: A002 - the path's own word
    """Return a table as its player saw it right after an entry of the log: what everybody saw, and their own rack."""
    visitor = await require_visitor(request)
    services = services_of(request)
    look = partial(table_at, log=services.log, stream=f"{TABLE}{id}", sequence=sequence)
    live, seen = await services.views.read(look)
    if live is None or not seat_of(live, visitor.account):
        raise denial(404, f"you had no seat at this table at entry {sequence}", "log")
    own = own_of(live, Actor(visitor.account, visitor.name, PLAYER))
    return page_response(
        {"sequence": sequence, "table": view_of(live, services.floor.house.approvals), "own": own}, seen
    )


@router.get("/api/me/entries/{sequence}/hash", responses=refusals(401, 404))
async def entry_hash(request: Request, sequence: Number) -> Response:
    """Return the hash that an entry has in the log now: whoever kept a head compares it with theirs."""
    await require_visitor(request)
    log = services_of(request).log
    found = await asyncio.to_thread(lambda: next(log.read(after=sequence - 1, until=sequence), None))
    if found is None or found.entry.sequence != sequence:
        raise denial(404, f"the log has no entry {sequence}: it ends before", "log")
    return json_response({"sequence": sequence, "hash": found.hash.hex()})

"""The API of a table's history and rules: hands, any moment, the ledger, the rules in force, what wagers cost."""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
from collections.abc import Callable
from typing import Annotated, TypeVar

import msgspec
from fastapi import APIRouter, Path
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from passline.rules.explain.house_template import house_file
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.streams.projection_runner import AsOf
from passline.streams.projection_store import ViewStore
from passline.tables.conduct import may_show_rolls
from passline.tables.rules_in_force import rules_of
from passline.tables.views.log_wording import hand_words
from passline.tables.views.notices import find_notices
from passline.tables.views.recall import find_hands, pace_of, table_at
from passline.tables.views.shift import is_blind_to
from passline.tables.views.table_view import view_of
from passline.web.api.openapi import READ_REFUSALS, query, refusals
from passline.web.api.tables import TableId, query_int, require_not_playing, table_of
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denial, json_response, page_response
from passline.web.server.services import services_of
from passline.web.server.subprocesses import run_passline

router = APIRouter(tags=["tables"])
"""The routes of a table's history."""
_PAGE, _PAGE_MAX = 100, 1000
_SHEETS_MAX = 50
_one_sheet = asyncio.Lock()
_sheets: dict[str, bytes] = {}  # par sheets by version of the rules; each takes seconds to compute
T = TypeVar("T")
Number = Annotated[int, Path(ge=0, le=2**53)]
_HANDS = 40


async def _read_stream(request: Request, id: TableId, look: Callable[[ViewStore, str], T]) -> tuple[T, AsOf]:  # noqa: A002 - the path's own
    """Return what `look` reads of a table's stream, beside the tables' own threads."""
    visitor = await require_visitor(request)
    table = await table_of(request, id)
    require_not_playing(table, visitor)
    return await services_of(request).views.read(lambda views: look(views, table.stream.name))


@router.get(
    "/api/tables/{id}/hands",
    openapi_extra=query(before="integer", entry="integer", limit="integer"),
    responses=READ_REFUSALS,
)
async def hands(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """List the hands of a table, newest first: the shooter, the number of rolls, and where they are in the log.

    `next`, sent as `before`, asks for the next page; `entry` begins with the hand that an entry of the log belongs to.
    """
    limit = query_int(request, "limit", _PAGE, low=1, high=_PAGE_MAX)
    before, entry = query_int(request, "before", 0), query_int(request, "entry", 0)
    found, seen = await _read_stream(
        request, id, lambda views, _: find_hands(views, id, before=before, entry=entry, limit=limit)
    )
    listed = [{"hand": hand.number, **msgspec.structs.asdict(hand)} for hand in found]
    further = found[-1].number if len(found) == limit else 0
    return page_response({"hands": listed, "next": further}, seen)


@router.get(
    "/api/tables/{id}/hands/{number}", openapi_extra=query(after="integer", limit="integer"), responses=READ_REFUSALS
)
async def hand(request: Request, id: TableId, number: Number) -> Response:  # noqa: A002 - the path's own word
    """Return one hand in words, entry by entry; `next`, sent as `after`, asks for the next page."""
    after, limit = query_int(request, "after", 0), query_int(request, "limit", _PAGE_MAX, low=1, high=_PAGE_MAX)
    log = services_of(request).log
    told, seen = await _read_stream(
        request, id, lambda views, stream: hand_words(views, log, stream, number, after=after, limit=limit)
    )
    if not told and not after:
        raise denial(404, f"there is no hand {number} at this table; GET /api/tables/{id}/hands lists them", "log")
    further = told[-1].sequence if len(told) == limit else 0
    return page_response({"hand": number, "entries": told, "next": further}, seen)


@router.get("/api/tables/{id}/at/{sequence}", responses=READ_REFUSALS)
async def at(request: Request, id: TableId, sequence: Number) -> Response:  # noqa: A002 - the path's own word
    """Return the table as it was right after an entry of the log."""
    services = services_of(request)
    live, seen = await _read_stream(request, id, lambda views, stream: table_at(views, services.log, stream, sequence))
    if live is None:
        raise denial(404, f"the table was not open at entry {sequence}; its hands list entries when it was", "log")
    view = view_of(live, services.floor.house.approvals)
    return page_response({"sequence": sequence, "table": view, "balances": live.balances}, seen)


@router.get("/api/tables/{id}/notices", responses=refusals(401, 404, 503))
async def notices(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return the newest notices for whoever asks: corrections, findings and returned wagers, with their clauses."""
    visitor = await require_visitor(request)
    await table_of(request, id)
    found, seen = await services_of(request).views.read(lambda views: find_notices(views, visitor.account, id))
    return page_response({"notices": found}, seen)


@router.get("/api/tables/{id}/ledger", responses=refusals(401, 403, 404))
async def ledger(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return the balance of every ledger account of a table; they sum to zero."""
    visitor = await require_visitor(request)
    table = await table_of(request, id)
    require_not_playing(table, visitor)
    if is_blind_to(table.live, visitor.roles):
        raise denial(403, "the money of this table is not shown to those who count it", "practice")
    return json_response({"sequence": table.stream.sequence, "balances": table.live.balances})


@router.get("/api/tables/{id}/rules", responses=refusals(404))
async def rules(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return the rules in force: the regulation and the complete house, also as a file for `passline house`."""
    live = (await table_of(request, id)).current
    return json_response(
        {
            "regulation": live.house["rules"],
            "game": live.house["game"],
            "version": live.rules,
            "rulebook": live.rulebook,
            "house": live.house,
            "toml": house_file(rules_of(live)),
        }
    )


@router.get("/api/tables/{id}/par-sheet", responses=refusals(404, 422))
async def par_sheet(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Return the par sheet of the rules in force: the exact edge of every wager, as `passline odds` prints it."""
    live = (await table_of(request, id)).current
    in_force = rules_of(live)
    lines = await sheet_lines(live.rules, in_force)
    return json_response({"title": in_force.rulebook.general.title, "rules": live.rules, "lines": Raw(lines)})


async def sheet_lines(version: str, in_force: Rules) -> bytes:
    """Return the lines of a par sheet as JSON; whoever asks for one that is being made waits for it."""
    async with _one_sheet:
        if version not in _sheets:
            with tempfile.TemporaryDirectory(prefix="passline-par-") as folder:
                file = pathlib.Path(folder) / "house.toml"
                file.write_text(house_file(in_force), encoding="utf-8")
                lines = await run_passline("odds", "--house", str(file), "--json")
            if len(_sheets) >= _SHEETS_MAX:
                _sheets.clear()
            _sheets[version] = lines
        return _sheets[version]


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

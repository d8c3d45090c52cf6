"""The API of a table's past and its rules: hands, any moment, the ledger, the rules in force and their par sheet."""

from __future__ import annotations

import asyncio
import pathlib
import tempfile
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from passline.people.roles import CREW
from passline.rules.explain.house_template import house_file
from passline.store.entry import Stored
from passline.tables.live import rules_of
from passline.tables.views.recall import hand_lines, hands_of, table_at
from passline.tables.views.table_view import view_of
from passline.web.api.openapi import answers
from passline.web.api.tables import TableId, must_not_play, table_of
from passline.web.auth.visitors import must_be
from passline.web.server.responses import denied, json_answer
from passline.web.server.services import services_of
from passline.web.server.subprocesses import run_errand

__all__ = ["router"]

router = APIRouter(tags=["tables"])
"""The routes of a table's past."""
_LOOKERS = (*CREW, "owner", "regulator", "surveillance")
_SHEETS_MAX = 50
_sheets: dict[str, bytes] = {}  # par sheets by the version of the rules: each takes seconds
T = TypeVar("T")
Number = Annotated[int, Path(ge=0, le=2**53)]


async def _recalled(request: Request, id: TableId, made: Callable[[Iterable[Stored]], T]) -> T:  # noqa: A002 - the path's own
    """Read a table's stream and make something of it, beside the running tables."""
    visitor = await must_be(request, _LOOKERS)
    table = await table_of(request, id)
    must_not_play(table, visitor)
    log = services_of(request).log
    return await asyncio.to_thread(lambda: made(log.read_stream(table.stream.name)))


@router.get("/api/tables/{id}/hands", responses=answers(401, 403, 404))
async def hands(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """List the hands of a table: who shot, how many rolls, and where in the log."""
    found = await _recalled(request, id, hands_of)
    return json_answer({"hands": [{"hand": one.number, **msgspec.structs.asdict(one)} for one in found]})


@router.get("/api/tables/{id}/hands/{number}", responses=answers(401, 403, 404, 422))
async def hand(request: Request, id: TableId, number: Number) -> Response:  # noqa: A002 - the path's own word
    """Tell one hand, entry by entry."""
    told = await _recalled(request, id, lambda entries: hand_lines(entries, number))
    if not told:
        raise denied(404, f"there is no hand {number} at this table; GET its hands lists them", "log")
    return json_answer({"hand": number, "entries": told})


@router.get("/api/tables/{id}/at/{sequence}", responses=answers(401, 403, 404, 422))
async def at(request: Request, id: TableId, sequence: Number) -> Response:  # noqa: A002 - the path's own word
    """Give the table as it was right after an entry of the log."""
    live = await _recalled(request, id, lambda entries: table_at(entries, sequence))
    if live is None:
        raise denied(
            404, f"the table was not open at entry {sequence}; GET its hands says where in the log they are", "log"
        )
    view = view_of(live, services_of(request).floor.house.approvals)
    return json_answer({"sequence": sequence, "table": view, "balances": live.balances})


@router.get("/api/tables/{id}/ledger", responses=answers(401, 403, 404))
async def ledger(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give the balance of every account of a table; they sum to zero."""
    visitor = await must_be(request, _LOOKERS)
    table = await table_of(request, id)
    must_not_play(table, visitor)
    return json_answer({"sequence": table.stream.sequence, "balances": table.live.balances})


@router.get("/api/tables/{id}/rules", responses=answers(404))
async def rules(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give the rules in force: the regulation, the house complete, and as the file that `passline house` takes."""
    live = (await table_of(request, id)).current
    return json_answer(
        {
            "regulation": live.house["rules"],
            "game": live.house["game"],
            "version": live.rules,
            "rulebook": live.rulebook,
            "house": live.house,
            "toml": house_file(rules_of(live)),
        }
    )


@router.get("/api/tables/{id}/par-sheet", responses=answers(404, 422))
async def par_sheet(request: Request, id: TableId) -> Response:  # noqa: A002 - the path's own word
    """Give the par sheet of the rules in force: every wager's edge, exactly, as `passline odds` has it."""
    live = (await table_of(request, id)).current
    in_force = rules_of(live)
    if live.rules not in _sheets:
        with tempfile.TemporaryDirectory(prefix="passline-par-") as folder:
            file = pathlib.Path(folder) / "house.toml"
            file.write_text(house_file(in_force), encoding="utf-8")
            lines = await run_errand("odds", "--house", str(file), "--json")
        if len(_sheets) >= _SHEETS_MAX:
            _sheets.clear()
        _sheets[live.rules] = lines
    told: dict[str, Any] = {"title": in_force.rulebook.general.title, "rules": live.rules}
    return json_answer({**told, "lines": Raw(_sheets[live.rules])})

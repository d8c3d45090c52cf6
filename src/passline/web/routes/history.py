"""The API of a table's past and its rules: hands, any moment, the ledger, the rules in force and their par sheet."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from fastapi import APIRouter
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from passline.rules.house_file import house_file
from passline.store.entry import Stored
from passline.tables.duties import CREW
from passline.tables.floor import RunningTable
from passline.tables.live import rules_of
from passline.tables.recall import hand_told, hands_of, table_at
from passline.tables.view import view_of
from passline.web.answers import denied, json_answer
from passline.web.errands import run_errand
from passline.web.openapi import answers
from passline.web.routes.tables import table_of
from passline.web.services import services_of
from passline.web.visitors import must_be

__all__ = ["router"]

router = APIRouter(tags=["tables"])
_LOOKERS = (*CREW, "owner", "regulator", "surveillance")
_NUMBER_MAX = 2**53
_SHEETS_MAX = 50
_sheets: dict[str, bytes] = {}  # par sheets by the version of the rules: each takes seconds
T = TypeVar("T")


async def _recalled(request: Request, made: Callable[[Iterable[Stored]], T]) -> tuple[RunningTable, T]:
    """Read a table's stream and make something of it, beside the running tables."""
    await must_be(request, _LOOKERS)
    table = await table_of(request)
    log = services_of(request).log
    return table, await asyncio.to_thread(lambda: made(log.read_stream(table.stream.name)))


def _number(request: Request, name: str) -> int:
    text = request.path_params[name]
    if not (text.isascii() and text.isdecimal()) or len(text) > 16 or int(text) > _NUMBER_MAX:
        raise denied(422, f"{name}: {text[:40]!r} is not a whole number")
    return int(text)


@router.get("/api/tables/{id}/hands", responses=answers(401, 403, 404))
async def hands(request: Request) -> Response:
    """List the hands of a table: who shot, how many rolls, and where in the log."""
    _, found = await _recalled(request, hands_of)
    return json_answer({"hands": [{"hand": one.number, **msgspec.structs.asdict(one)} for one in found]})


@router.get("/api/tables/{id}/hands/{number}", responses=answers(401, 403, 404, 422))
async def hand(request: Request) -> Response:
    """Tell one hand, entry by entry."""
    number = _number(request, "number")
    _, told = await _recalled(request, lambda entries: hand_told(entries, number))
    if not told:
        raise denied(404, f"there is no hand {number} at this table")
    return json_answer({"hand": number, "entries": told})


@router.get("/api/tables/{id}/at/{sequence}", responses=answers(401, 403, 404, 422))
async def at(request: Request) -> Response:
    """Give the table as it was right after an entry of the log."""
    sequence = _number(request, "sequence")
    _, live = await _recalled(request, lambda entries: table_at(entries, sequence))
    if live is None:
        raise denied(404, f"the table was not open at entry {sequence}")
    view = view_of(live, services_of(request).floor.house.approvals)
    return json_answer({"sequence": sequence, "table": view, "balances": live.balances})


@router.get("/api/tables/{id}/ledger", responses=answers(401, 403, 404))
async def ledger(request: Request) -> Response:
    """Give the balance of every account of a table; they sum to zero."""
    await must_be(request, _LOOKERS)
    table = await table_of(request)
    return json_answer({"sequence": table.stream.sequence, "balances": table.live.balances})


@router.get("/api/tables/{id}/rules", responses=answers(404))
async def rules(request: Request) -> Response:
    """Give the rules in force: the regulation, the house complete, and as the file that `passline house` takes."""
    live = (await table_of(request)).live
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
async def par_sheet(request: Request) -> Response:
    """Give the par sheet of the rules in force: every wager's edge, exactly, as `passline odds` has it."""
    live = (await table_of(request)).live
    in_force = rules_of(live)
    if live.rules not in _sheets:
        with tempfile.TemporaryDirectory(prefix="passline-par-") as folder:
            file = Path(folder) / "house.toml"
            file.write_text(house_file(in_force), encoding="utf-8")
            lines = await run_errand("odds", "--house", str(file), "--json")
        if len(_sheets) >= _SHEETS_MAX:
            _sheets.clear()
        _sheets[live.rules] = lines
    told: dict[str, Any] = {"title": in_force.rulebook.general.title, "rules": live.rules}
    return json_answer({**told, "lines": Raw(_sheets[live.rules])})

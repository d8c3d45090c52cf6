"""The API of the log: read, verify and export it. Nothing here changes it."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from fastapi import APIRouter
from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from passline.people.roles import LOG_READERS
from passline.store.entry import Head
from passline.store.export import row_to_json
from passline.store.log import Log, LogError
from passline.web.api.openapi import body, query, refusals
from passline.web.api.tables import query_int
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denied, json_response, read_body
from passline.web.server.services import Services, services_of
from passline.web.server.subprocesses import run_passline

__all__ = ["VerifyBody", "router"]

router = APIRouter(tags=["log"])
"""The routes of the log."""
_PAGE, _PAGE_MAX = 100, 1000
_HEX = re.compile(r"[0-9a-fA-F]{0,200}")
_CHUNK = 500  # lines of an export, read at a time


class VerifyBody(Struct, forbid_unknown_fields=True):
    """A head that was kept outside the log, if any; with it, a cut or rewritten log is found."""

    head: Head | None = None


_bodies = msgspec.json.Decoder(VerifyBody)


@router.get("/api/log", openapi_extra=query(after="integer", limit="integer"), responses=refusals(401, 403, 422))
async def entries(request: Request) -> Response:
    """Return entries of the log after a sequence number, each also in words."""
    await require_visitor(request, LOG_READERS)
    services = services_of(request)
    after = query_int(request, "after", 0)
    limit = query_int(request, "limit", _PAGE, low=1, high=_PAGE_MAX)
    found = await asyncio.to_thread(_entries, services, after, limit)
    return json_response({"entries": found})


def _entries(services: Services, after: int, limit: int) -> list[dict[str, Any]]:
    """Return entries with their lines in words, by the names and rules of their time. Slow for a long table."""
    people = services.desk.people()
    return [
        {
            **{name: getattr(stored.entry, name) for name in stored.entry.__struct_fields__},
            "hash": stored.hash.hex(),
            "seal": stored.seal.hex(),
            "lines": services.log_wording.lines(stored.entry, people),
        }
        for stored in services.log.read(after=after, until=after + limit)
    ]


@router.get("/api/log/head", responses=refusals(401))
async def head(request: Request) -> Response:
    """Return the newest head. Keep it: with it you can tell later whether the log was cut or rewritten."""
    await require_visitor(request)
    log = services_of(request).log
    newest = await asyncio.to_thread(log.head)
    assert newest is not None
    return json_response(
        {
            "sequence": newest.sequence,
            "hash": newest.hash,
            "seal": newest.seal,
            "log_id": log.log_id,
            "public_key": log.public_key.hex(),
        }
    )


@router.post("/api/log/verify", openapi_extra=body(VerifyBody), responses=refusals(400, 401, 403, 409, 413, 422))
async def verify(request: Request) -> Response:
    """Verify the whole log: the chain, the seals, and every settlement by the engine."""
    await require_visitor(request, LOG_READERS)
    services = services_of(request)
    asked: VerifyBody = await read_body(request, _bodies)
    if asked.head is not None and not all(map(_HEX.fullmatch, (asked.head.hash, asked.head.seal))):
        raise denied(422, "head: hash and seal are hex digits, as in the answer to a command")
    if not services.source:
        raise denied(409, "this server keeps its log in memory only: there is nothing to verify", "log")
    begun = perf_counter()
    arguments = ["verify", "--json", "--key", services.log.public_key.hex()]
    if (head := asked.head or await asyncio.to_thread(_anchored, services)) is not None:
        arguments += [f"--head={head.sequence}:{head.hash}:{head.seal}"]
    report = msgspec.json.decode(await run_passline(*arguments, log=services.source))
    faults = [*report["faults"], *(report["replay"] or ())]
    faults += [{"sequence": 0, "what": damage} for damage in report["damages"]]
    return json_response({**report, "faults": faults, "seconds": round(perf_counter() - begun, 1)})


def _anchored(services: Services) -> Head | None:
    """Return the newest head that the server's anchors hold, if they answer; the report says whether one was given."""
    try:
        return services.anchors.newest()
    except LogError:
        return None


@router.get("/api/log/export", openapi_extra=query(format=("jsonl", "xlsx")), responses=refusals(401, 403, 409, 422))
async def export(request: Request) -> Response:
    """Export the whole log: as JSON lines, which `passline verify` reads, or with `format=xlsx`."""
    await require_visitor(request, LOG_READERS)
    services = services_of(request)
    form = request.query_params.get("format", "jsonl")
    if form == "jsonl":
        headers = {"Content-Disposition": 'attachment; filename="log.jsonl"'}
        return StreamingResponse(_chunks(services.log), media_type="application/jsonl", headers=headers)
    if form != "xlsx":
        raise denied(422, f"format: {form[:40]!r} is not jsonl or xlsx")
    if not services.source:
        raise denied(409, "this server keeps its log in memory only: export it as JSON lines", "log")
    folder = tempfile.TemporaryDirectory(prefix="passline-export-")
    path = Path(folder.name) / "log.xlsx"
    try:
        await run_passline("export", "--to", str(path), log=services.source)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(path, filename="log.xlsx", background=BackgroundTask(folder.cleanup))


def _chunks(log: Log) -> Iterator[bytes]:
    """Yield the log as it is now, in pieces. Starlette reads them in a thread."""
    newest, after = log.head(), 0
    until = newest.sequence if newest else 0
    while after < until:
        part = min(until, after + _CHUNK)
        yield b"".join(row_to_json(line) for line in log.rows(after=after, until=part))
        after = part

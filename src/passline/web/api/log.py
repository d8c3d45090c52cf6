"""The API of the log: read, verify and export it. Nothing here changes it."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from fastapi import APIRouter
from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from passline.store.anchors.anchors import marks_in_anchors
from passline.store.entry import Head, Stored
from passline.store.export import row_to_json
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.projection_store import ViewStore
from passline.tables.entries import TABLE
from passline.tables.views.log_marks import MarkQuery, clauses_in, event_kinds
from passline.tables.views.log_wording import EntryWords, find_entries, kept_words
from passline.web.api.openapi import body, query, refusals
from passline.web.api.tables import query_int, query_moment, query_text
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import denial, json_response, page_response, read_body
from passline.web.server.services import Services, services_of
from passline.web.server.subprocesses import run_passline

router = APIRouter(tags=["log"])
"""The routes of the log."""
_PAGE, _PAGE_MAX = 100, 1000
_PAGE_BYTES = 4 * 2**20
_TOGETHER = 50  # entries
_HEX = re.compile(r"[0-9a-fA-F]{0,200}")
_CHUNK = 500  # lines of an export, read at a time
_NO_ANCHOR = (
    "warning: this house has no anchor outside its database (passline serve --anchor), so only a head that you kept "
    "yourself tells whether the log was cut or rewritten"
)
_FILTERS = query(
    **dict.fromkeys(("after", "before", "limit", "hand", "amount", "least"), "integer"),
    **dict.fromkeys(("text", "stream", "table", "player", "clause", "event", "since", "until"), "string"),
)


class VerifyBody(Struct, forbid_unknown_fields=True):
    """A head that was kept outside the log, if any; with it, a cut or rewritten log is found."""

    head: Head | None = None


@router.get("/api/log", openapi_extra=_FILTERS, responses=refusals(401, 403, 422, 503))
async def entries(request: Request) -> Response:
    """Return entries of the log, each also in words: those after a sequence number, oldest first.

    With `before`, those before a sequence number come newest first. With any of the others the whole log is searched,
    newest first. Then `next`, sent as `before`, goes on until it is 0; a page may be short before that.
    `text` is looked for in the words, names, tables, times, ids and numbers of entries; `player` is a name or an
    account, `clause` stands for those below it too, `amount` and `least` are cents that moved, exactly or at least, and
    `since` and `until` are gaming days of the house, or moments of UTC. `as_of` is the entry up to which the log is in
    words, `behind` how many entries have come since.
    """
    await require_visitor(request)
    services = services_of(request)
    limit = query_int(request, "limit", _PAGE, low=1, high=_PAGE_MAX)
    after, before = query_int(request, "after", 0), query_int(request, "before", 0)
    text, asked = query_text(request, "text"), _query_of(request)
    since, until = (query_moment(request, key, services.offices.facility()) for key in ("since", "until"))

    def look(views: ViewStore) -> dict[str, Any]:
        if text.strip() or since or until or asked != MarkQuery():
            found = find_entries(
                views, asked, text=text, since=since, until=until, after=after, before=before, limit=limit
            )
            return _page(services.log, views, found.sequences, found.further)
        if not before:
            return _page(services.log, views, range(after + 1, after + 1 + limit), 0)
        low = max(after, before - 1 - limit)
        return _page(services.log, views, range(before - 1, low, -1), low + 1 if low > after else 0)

    page, seen = await services.views.read(look)
    return page_response(page, seen)


def _query_of(request: Request) -> MarkQuery:
    """Return what a search is for, beside its words and moments."""
    numbers = {
        key: query_int(request, key, 0) if key in request.query_params else None for key in ("hand", "amount", "least")
    }
    table = query_text(request, "table").strip()
    return MarkQuery(
        stream=query_text(request, "stream") or (f"{TABLE}{table}" if table else ""),
        player=query_text(request, "player").strip(),
        clause=query_text(request, "clause").strip(),
        event=query_text(request, "event").strip(),
        **numbers,
    )


@router.get("/api/log/event-kinds", responses=refusals(401, 403, 503))
async def kinds(request: Request) -> Response:
    """List the kinds of events that occur in the log, as a search names them."""
    await require_visitor(request)
    found, _seen = await services_of(request).views.read(event_kinds)
    return json_response({"events": found})


def _page(log: Log, views: ViewStore, sequences: Sequence[int], further: int) -> dict[str, Any]:
    """Return entries as they are in the log, with their words where they have been read already.

    A page ends early where it would become too long for a server that has other things to do.
    """
    words = kept_words(views, sequences)
    shown: list[dict[str, Any]] = []
    size = 0
    for stored in _read(log, sequences):
        size += len(stored.body)
        if shown and size > _PAGE_BYTES:
            return {"entries": shown, "next": stored.entry.sequence + 1 if sequences[0] >= sequences[-1] else 0}
        shown.append(_entry_fields(stored, words.get(stored.entry.sequence)))
    return {"entries": shown, "next": further}


def _read(log: Log, sequences: Sequence[int]) -> Iterator[Stored]:
    """Yield entries in this order; those that follow one another are read together."""
    if isinstance(sequences, range) and sequences.step > 0:
        yield from log.read(after=sequences.start - 1, until=sequences.stop - 1)
    elif isinstance(sequences, range):
        for first in range(0, len(sequences), _TOGETHER):
            some = sequences[first : first + _TOGETHER]
            yield from reversed(list(log.read(after=some[-1] - 1, until=some[0])))
    else:
        for sequence in sequences:
            yield from log.read(after=sequence - 1, until=sequence)


def _entry_fields(stored: Stored, words: EntryWords | None) -> dict[str, Any]:
    entry = stored.entry
    return {
        **{name: getattr(entry, name) for name in entry.__struct_fields__},
        "hash": stored.hash.hex(),
        "seal": stored.seal.hex(),
        "lines": words.lines if words else (),
        "name": (words and words.name) or entry.actor,
        "signer": (words and words.signer) or entry.signed_by,
        "clauses": clauses_in(entry),
    }


@router.get("/api/log/streams", responses=refusals(401, 403))
async def streams(request: Request) -> Response:
    """List the streams of the log, each with its number of entries."""
    await require_visitor(request)
    log = services_of(request).log
    return json_response({"streams": await asyncio.to_thread(log.streams)})


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
    """Verify the whole log and its vault: the chain, the seals, every settlement by the engine, every credential.

    Besides the head in the request, the newest heads in the server's anchors must be in the log. `is_intact` is the
    verdict, `faults` is everything that is wrong, and `remarks` what somebody should know though it is no fault.
    """
    await require_visitor(request)
    services = services_of(request)
    asked = await read_body(request, VerifyBody)
    if asked.head is not None and not all(map(_HEX.fullmatch, (asked.head.hash, asked.head.seal))):
        raise denial(422, "head: hash and seal are hex digits, as in the answer to a command")
    if not services.source:
        raise denial(409, "this server keeps its log in memory only: there is nothing to verify", "log")
    begun = perf_counter()
    heads, remarks = await asyncio.to_thread(_heads_in_anchors, services)
    heads += [asked.head] if asked.head is not None else []
    arguments = ["--key", services.log.public_key.hex(), *await asyncio.to_thread(_key_file, services)]
    arguments += [f"--head={kept.sequence}:{kept.hash}:{kept.seal}" for kept in heads]
    report = msgspec.json.decode(await run_passline("verify", "--json", *arguments, log=services.source))
    faults = [*report["faults"], *(report["replay"] or ())]
    faults += [{"sequence": 0, "what": f"the file: {damage}"} for damage in report["damages"]]
    faults += [{"sequence": 0, "what": f"the vault: {fault}"} for fault in (report["vault"] or {}).get("faults", ())]
    seconds = round(perf_counter() - begun, 1)
    return json_response({**report, "faults": faults, "remarks": [*remarks, *report["remarks"]], "seconds": seconds})


def _key_file(services: Services) -> list[str]:
    """Return the option with the file of the log's key, if it is there; without it the report names unchecked rows."""
    path = services.key_file
    return [f"--key-file={path}"] if path is not None and path.exists() else []


def _heads_in_anchors(services: Services) -> tuple[list[Head], list[str]]:
    """Return the newest head in each of the server's anchors, and in words with which anchors the log is compared."""
    heads, remarks = list[Head](), list[str]()
    for where in services.anchors_at:
        try:
            [head], _declared = marks_in_anchors([where], services.log.log_id)
        except LogError as error:
            remarks.append(f"warning: not compared with an anchor: {error}")
        else:
            heads.append(head)
            remarks.append(f"compared with the head of entry {head.sequence:,} in an anchor outside the log's database")
    if not services.anchors_at:
        remarks.append(_NO_ANCHOR)
    return heads, remarks


@router.get("/api/log/export", openapi_extra=query(format=("jsonl", "xlsx")), responses=refusals(401, 403, 409, 422))
async def export(request: Request) -> Response:
    """Export the whole log: as JSON lines, which `passline verify` reads, or with `format=xlsx`."""
    await require_visitor(request)
    services = services_of(request)
    form = request.query_params.get("format", "jsonl")
    if form == "jsonl":
        headers = {"Content-Disposition": 'attachment; filename="log.jsonl"'}
        return StreamingResponse(_chunks(services.log), media_type="application/jsonl", headers=headers)
    if form != "xlsx":
        raise denial(422, f"format: {form[:40]!r} is not jsonl or xlsx")
    if not services.source:
        raise denial(409, "this server keeps its log in memory only: export it as JSON lines", "log")
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

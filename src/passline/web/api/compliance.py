"""The API of the file of compliance: matters about cash, for compliance and the examiners whom it has named alone."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.commands import CommitFile
from passline.acts.events import FileCommitted
from passline.acts.judges.watches import day_to_commit
from passline.acts.rules import Person, sound_offices
from passline.authority.roles import REGULATOR
from passline.office.compliance_file import TEXT_MAX, ComplianceFile, FileCheck, Step, matters_found
from passline.streams.course import THE_HOUSE, Ask
from passline.web.api.office_lists import cash_in
from passline.web.api.openapi import READ_REFUSALS, body, refusals
from passline.web.api.papers import RegulationPath, office_reader
from passline.web.server.responses import denial, json_response, read_body
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of the file of compliance."""
_ANSWERS = refusals(400, 401, 403, 404, 413, 422, 503)


class ComplianceBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """What compliance writes about a matter."""

    matter: str
    step: Step
    text: str


class ExaminerBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether compliance lets an examiner read the file."""

    account: str
    may_read: bool


def file_of(services: Services) -> ComplianceFile:
    """Return the file of compliance of a server."""
    return ComplianceFile(services.log, services.clock, services.file_seen)


async def look_for_matters(services: Services) -> None:
    """Put what is found about the cash of every office that is set up into the file, as the server does by itself."""
    for name in sound_offices():
        scene, offices = await services.offices.scene(name), services.offices
        found = await matters_found(name, scene, cash_in(services), offices.cash_elsewhere)
        kept = file_of(services)
        await asyncio.to_thread(kept.look_for_lost, name)
        await asyncio.to_thread(kept.take, name, found)


async def commit_files(services: Services) -> None:
    """Commit the log to the file of every office, once after each gaming day, whether anything is in it or not."""
    for name in sound_offices():
        scene = await services.offices.scene(name)
        facility, last = scene.state.facility, scene.state.committed
        if facility is not None and (day := day_to_commit(scene.state, facility, scene.at)):
            before = last.commitment if last else ""
            commitment = await asyncio.to_thread(file_of(services).commit, name, day, before)
            command = CommitFile(day=day, commitment=commitment)
            await services.offices.ask(name, Ask(uuid4().hex, command, THE_HOUSE))  # refused if another server has


async def _reader(request: Request, name: str) -> Person:
    """Return who reads the file; raise Denied for everybody else, whatever there is in it."""
    _, person = await office_reader(request, name)
    if why := await asyncio.to_thread(file_of(services_of(request)).unfit_reader, name, person):
        raise denial(403, why, "duties")
    return person


@router.get("/api/office/{name}/compliance", responses=READ_REFUSALS)
async def compliance(request: Request, name: RegulationPath) -> Response:
    """List the matters about cash, the newest first, with all that was written about each, and who may read of them."""
    await _reader(request, name)
    kept = file_of(services_of(request))
    matters, examiners = await asyncio.to_thread(lambda: (kept.matters(name), kept.examiners(name)))
    return json_response({"matters": matters, "examiners": examiners})


@router.get("/api/office/{name}/compliance/check", responses=READ_REFUSALS)
async def check(request: Request, name: RegulationPath) -> Response:
    """Hold the file against the log's commitments: rows that are missing, were altered, or written in afterwards."""
    await _reader(request, name)
    services = services_of(request)
    return json_response(await asyncio.to_thread(_check, services, name))


def _check(services: Services, name: str) -> FileCheck:
    committed = [
        event
        for _, events in services.offices.events_after(name, 0)
        for event in events
        if isinstance(event, FileCommitted)
    ]
    return file_of(services).check(name, committed)


@router.post("/api/office/{name}/compliance", status_code=201, openapi_extra=body(ComplianceBody), responses=_ANSWERS)
async def write(request: Request, name: RegulationPath) -> Response:
    """Write about a matter: a finding, that it is closed, that it was reported, or that it is open again."""
    person, kept = await _reader(request, name), file_of(services_of(request))
    asked = await read_body(request, ComplianceBody)
    if not 0 < len(asked.text.strip()) <= TEXT_MAX:
        raise denial(422, f"text: say in 1 to {TEXT_MAX} characters what was found or done")
    matters = await asyncio.to_thread(kept.matters, name)
    if asked.matter not in {known.matter.id for known in matters}:
        raise denial(404, f"there is no matter {asked.matter[:100]!r}", "office")
    await asyncio.to_thread(kept.write, name, asked.matter, person, asked.step, asked.text.strip())
    matters = await asyncio.to_thread(kept.matters, name)
    return json_response({"matter": next(known for known in matters if known.matter.id == asked.matter)}, 201)


@router.post(
    "/api/office/{name}/compliance/examiners", status_code=201, openapi_extra=body(ExaminerBody), responses=_ANSWERS
)
async def name_examiner(request: Request, name: RegulationPath) -> Response:
    """Let an examiner, an account with the role of a regulator, read the file; or do so no more."""
    person, services = await _reader(request, name), services_of(request)
    asked = await read_body(request, ExaminerBody)
    known = (await services.pools.sessions.run(services.desk.people)).accounts.get(asked.account)
    if known is None or REGULATOR not in known.roles:
        raise denial(422, "account: is not that of a regulator")
    kept = file_of(services)
    await asyncio.to_thread(kept.let_read, name, asked.account, person, may=asked.may_read)
    return json_response({"examiners": await asyncio.to_thread(kept.examiners, name)}, 201)

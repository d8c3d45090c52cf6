"""The API of the back office: what there is to do, what is on record, every act of it, and its documents."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.acts import commands as c
from passline.acts.calendar.deadlines import Length, Unit
from passline.acts.commands import ActCommand
from passline.acts.course import office_command_as_sent
from passline.acts.documents import named_documents
from passline.acts.judges.body_words import request_of, served_faults, value_request
from passline.acts.judges.doers import roles_of
from passline.acts.judges.gates import OPENING, items_left_out
from passline.acts.judges.scene import Scene
from passline.acts.judges.settings import practice_items
from passline.acts.judges.slips import acts_on_slip
from passline.acts.judges.subjects import thing_name_fault
from passline.acts.papers.houses import FILE, HOUSE
from passline.acts.papers.needed_fields import needed_fields
from passline.acts.rules import Person, sound_offices
from passline.acts.stamps import StampRequest, fingerprint
from passline.acts.views.opening_delay import delaying_values, opening_day
from passline.acts.views.opening_path import items_in_order, opening_path
from passline.acts.views.par_levels import below_par
from passline.acts.views.people import people_of
from passline.acts.views.signers import possible_signers
from passline.acts.views.today import ComingLaw, Gated, is_for, today_of
from passline.authority.duties import name_of
from passline.authority.roles import KEEPERS, OWNER, PLAYER, in_order
from passline.people.accounts import Account
from passline.people.credentials import SignOff
from passline.store.keys import bytes_of_hex
from passline.store.log import LogError
from passline.streams.course import Actor, Ask
from passline.tables.commands import ElectOffice
from passline.tables.duties import OFFICE_TERMS
from passline.web.api.office_lists import hidden_kinds
from passline.web.api.openapi import READ_REFUSALS, SET_UP_REFUSALS, body, refusals
from passline.web.api.papers import RegulationPath, facility_of, office_reader, office_scene, staff_of
from passline.web.api.submission import actor_of, id_or_new, signed_by
from passline.web.auth.signatures import check_signature
from passline.web.auth.till import check_till
from passline.web.auth.visitors import Visitor, address_of, require_visitor, role_for
from passline.web.server.responses import (
    DOCUMENT_MAX,
    DOCUMENTS,
    answer_response,
    denial,
    json_response,
    read_body,
    too_long,
)
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of the back office."""
_UNSYNCHRONISED = (
    "No time service keeps the clock of this server, so the times of records may be wrong: have whoever runs it start "
    "one, such as chrony. The log has on record since when."
)
_Kind = Annotated[str, Path(min_length=1, max_length=60, examples=["table"])]
_REFUSALS = refusals(400, 401, 403, 404, 409, 413, 422, 429, 503)
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_Digest = Annotated[str, Path(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$", examples=["ab" * 32])]


class OfficeBody(Struct, forbid_unknown_fields=True):
    """A command to an office. The caller makes the id; sent twice with the same id, it acts once."""

    command: ActCommand
    id: str = ""
    role: str = ""  # if empty: the first role of the account that may
    sign_off: SignOff | None = None  # whoever signs it with name and PIN
    pin: str = ""  # the sender's own, where money is moved at a till that was idle
    again: bool = False  # sent before, and its answer did not come


class KeptBody(Struct, forbid_unknown_fields=True):
    """Where the house keeps its office from now on, signed off by another person."""

    where: str
    id: str = ""
    sign_off: SignOff | None = None


@router.post(DOCUMENTS, status_code=201, openapi_extra=_BODY, responses=refusals(401, 403, 413, 415, 422, 503))
async def attach(request: Request) -> Response:
    """Store a document, such as a scanned letter; the answer has the digest by which acts name it."""
    await require_visitor(request)
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > DOCUMENT_MAX:
            raise too_long(DOCUMENT_MAX)
    if not data:
        raise denial(422, "the document is empty", "office")
    digest = await asyncio.to_thread(services_of(request).documents.put, bytes(data))
    return json_response({"digest": digest, "bytes": len(data)}, 201)


@router.get(f"{DOCUMENTS}/{{digest}}", responses=refusals(401, 403, 404, 409, 422))
async def document(request: Request, digest: _Digest) -> Response:
    """Return a document as it was stored. One that was changed since is refused."""
    await require_visitor(request)
    try:
        data = await asyncio.to_thread(services_of(request).documents.read, digest)
    except LogError as error:
        raise denial(409, error.public, "office") from None
    if data is None:
        raise denial(404, f"there is no document {digest}; attach it first", "office")
    headers = {"Content-Disposition": f'attachment; filename="{digest[:12]}"', "X-Content-Type-Options": "nosniff"}
    return Response(data, media_type="application/octet-stream", headers=headers)


@router.get("/api/office", responses=refusals(401, 403, 503))
async def offices(request: Request) -> Response:
    """List the offices of the house, and where it keeps them."""
    await require_visitor(request)
    services = services_of(request)
    found = [await services.offices.scene(name) for name in sound_offices()]
    return json_response(
        {
            "kept": services.floor.house.office or "elsewhere",
            "offices": [
                {
                    "name": scene.rules.name,
                    "facility": scene.state.facility,
                    "digest": scene.rules.digest,
                    "acts": scene.state.acts,
                }
                for scene in found
            ],
        }
    )


@router.post("/api/office", status_code=201, openapi_extra=body(KeptBody), responses=_REFUSALS)
async def keep_office(request: Request) -> Response:
    """Say where the house keeps its office: here, so that tables open by its lists, or elsewhere."""
    services, visitor = services_of(request), await require_visitor(request)
    asked = await read_body(request, KeptBody)
    elected = ElectOffice(where=asked.where, terms=OFFICE_TERMS)
    ask = Ask(id_or_new(asked.id), elected, actor_of(visitor, OWNER))
    signed = await signed_by(services, ask, asked.sign_off, address_of(request))
    answer = await services.floor.ask_house(replace(ask, signed_by=signed))
    return answer_response(answer, 201)


@router.get("/api/office/{name}", responses=READ_REFUSALS)
async def office(request: Request, name: RegulationPath) -> Response:
    """Return an office: its facility, its values, and everything that can be done in it, with fields and clauses."""
    scene, reader = await office_reader(request, name)
    pages, hidden = scene.rules.pages, hidden_kinds(scene, reader)
    return json_response(
        {
            "name": name,
            "facility": scene.state.facility,
            "values": scene.state.values,
            "bodies": scene.state.bodies,
            "body_keys": {body: fingerprint(bytes_of_hex(key)) for body, key in scene.state.keys.items()},
            "words": {act: effect for effect, words in pages.words.items() for act in words.acts},
            "takes_two_owners": sorted(pages.controls) if scene.around.owners(scene.at) else [],
            "left_out": scene.state.left_out,
            "practice": practice_items(scene.rules),
            "acts": {key: act for key, act in pages.acts.items() if act.thing not in hidden},
            "things": {key: thing for key, thing in pages.things.items() if key not in hidden},
            "stocks": pages.stocks,
            "checklists": pages.checklists,
            "tellings": pages.tellings,
            "papers": {key: {"name": paper.name, "thing": paper.thing} for key, paper in pages.papers.items()},
            "forms": {
                key: {
                    "name": form.name,
                    "thing": form.thing,
                    "acts": form.acts,
                    "is_log": form.is_log,
                    "manual": form.manual,
                    "manual_acts": acts_on_slip(scene.rules, form) if form.manual else (),
                }
                for key, form in pages.forms.items()
                if form.thing not in hidden
            },
            "roles": pages.roles,
            "unset": [key for key in pages.values if key not in scene.state.values],
            "asked": pages.values,
            "needed": needed_fields(pages),
            "delays": sorted(delaying_values(scene)),
            "dice_sets": {
                table.id: rules.house.dice_set
                for table in scene.state.of_kind("table")
                if (rules := scene.dealt_by(table)) is not None
            },
        }
    )


@router.get("/api/office/{name}/today", responses=SET_UP_REFUSALS)
async def today(request: Request, name: RegulationPath) -> Response:
    """Return what is due and overdue, what waits to be signed, and what stands between a table and its opening."""
    scene, reader = await office_reader(request, name)
    facility_of(scene)
    hidden = hidden_kinds(scene, reader)
    found = today_of(scene)
    seen = tuple(
        duty for duty in found.due if duty.about.partition("/")[0] not in hidden and is_for(scene, duty, reader)
    )
    tables = [await _live(request, table) for table in found.tables]
    told = tuple(notice for notice in found.told if notice.about.partition("/")[0] not in hidden)
    rulebooks = services_of(request).floor.rulebooks
    coming = tuple(
        ComingLaw(house.id, text)
        for house in scene.state.of_kind(HOUSE, ("in_force",))
        for text in rulebooks.texts_to_come(name, house.facts.get(FILE) or {})
    )
    clock = _UNSYNCHRONISED if services_of(request).floor.house.sync == "not synchronised" else ""
    return json_response(
        replace(
            found,
            due=seen,
            tables=tuple(tables),
            told=told,
            coming=coming,
            clock=clock,
            below_par=below_par(scene, reader),
        )
    )


async def _live(request: Request, table: Gated) -> Gated:
    """Return a table of the register with what the floor knows of it."""
    live = await services_of(request).floor.table(table.table)
    return replace(table, is_live=live is not None, status=live.live.status if live else "")


@router.get("/api/office/{name}/people", responses=READ_REFUSALS)
async def people(request: Request, name: RegulationPath) -> Response:
    """List who can be named in an act of an office, each with the groups of it that they belong to."""
    scene = await office_scene(request, name)
    return json_response({"people": people_of(scene, await staff_of(services_of(request)))})


@router.get("/api/office/{name}/path", responses=SET_UP_REFUSALS)
async def path(request: Request, name: RegulationPath) -> Response:
    """Return the way to the first open table: each step that is left, with those that come before it.

    It follows from the gate through which a table opens. `path` is null once a table was opened. `owners` can act.
    """
    scene = await office_scene(request, name)
    facility_of(scene)
    services = services_of(request)
    found = opening_path(scene, await staff_of(services))
    owners = (await services.pools.sessions.run(services.desk.people)).owners()
    kept = services.floor.house.office or "elsewhere"
    return json_response({"path": found, "kept": kept, "owners": len(owners)})


@router.get("/api/office/{name}/served/{digest}", responses=SET_UP_REFUSALS)
async def uses_of_document(request: Request, name: RegulationPath, digest: _Digest) -> Response:
    """Say what a document has served as its one paper, in words: nothing, if it can still serve."""
    scene = await office_scene(request, name)
    return json_response({"served": served_faults(scene, digest, is_of_house=True)})


@router.get("/api/office/{name}/signers/{number}/{part}", responses=SET_UP_REFUSALS)
async def signers(request: Request, name: RegulationPath, number: int, part: _Kind) -> Response:
    """List who has a role that signs a part of an act; `why` says why somebody may not now; empty: they may."""
    scene, reader = await office_reader(request, name)
    facility_of(scene)
    pending = scene.state.pending.get(str(number))
    is_hidden = pending is not None and pending.done.kind in hidden_kinds(scene, reader)
    found = None if is_hidden else possible_signers(scene, number, part, await staff_of(services_of(request)))
    if found is None:
        raise denial(404, f"act {number} does not wait for {part[:40]!r}", "office")
    return json_response({"signers": found})


@router.get("/api/office/{name}/opening-day/{value}", responses=SET_UP_REFUSALS)
async def opening_day_after(
    request: Request, name: RegulationPath, value: _Kind, count: Annotated[int, Query(ge=0, le=10_000)], unit: Unit
) -> Response:
    """Return when the first table may open at the earliest, if a figure for which it waits is set so.

    Somebody who writes the figure reads it before. `is_told` says whether the notice was given, on the day `told`.
    """
    scene = await office_scene(request, name)
    facility_of(scene)
    clock = delaying_values(scene).get(value)
    if clock is None:
        raise denial(404, f"no table waits for {value[:40]!r} before it opens", "office")
    return json_response(opening_day(scene, clock, Length(count, unit)))


@router.get("/api/office/{name}/gates/{gate}/{thing}", responses=SET_UP_REFUSALS)
async def gate(
    request: Request, name: RegulationPath, gate: _Kind, thing: Annotated[str, Path(min_length=1, max_length=100)]
) -> Response:
    """Return every item of a gate for a thing: green, or red with its clause and what can be done now.

    `status` is that of the live table: open, frozen or closed; empty if there is none.
    """
    scene = await office_scene(request, name)
    facility_of(scene)
    if gate not in scene.rules.pages.gates:
        raise denial(404, f"this office has no gate {gate[:40]!r}", "office")
    items = items_in_order(scene, await staff_of(services_of(request)), gate, thing)
    is_green = all(item.is_green for item in items)
    live = await services_of(request).floor.table(thing) if gate == OPENING else None
    status = live.live.status if live else ""
    left_out = items_left_out(scene, gate)
    return json_response({"is_green": is_green, "status": status, "items": items, "left_out": left_out})


@router.post("/api/office/{name}/commands", status_code=201, openapi_extra=body(OfficeBody), responses=_REFUSALS)
async def command(request: Request, name: RegulationPath) -> Response:
    """Do an act of the office, sign one, take one back, or set what the texts leave open."""
    services = services_of(request)
    visitor = await require_visitor(request)
    asked = await read_body(request, OfficeBody)
    scene = await office_scene(request, name)
    by = actor_of(visitor, _role(scene, visitor, asked))
    id_ = id_or_new(asked.id)
    _check_names(scene, asked.command)
    await asyncio.to_thread(_check_documents, services, scene, asked.command)
    if _moves_money(scene, asked.command):
        await check_till(request, visitor, asked.pin)
    signed = await _signer(services, scene, asked, by, address_of(request))
    answer = await services.offices.ask(name, Ask(id_, asked.command, by, signed, asked.again))
    return answer_response(answer, 201)


@router.post(
    "/api/office/{name}/stamp-requests",
    openapi_extra=body(OfficeBody),
    responses=refusals(400, 401, 403, 404, 409, 413),
)
async def stamp_request(request: Request, name: RegulationPath) -> Response:
    """Return what an outside body would stamp for a command, for `passline regulator stamp`; nothing is done."""
    scene, _ = await office_reader(request, name)
    asked = await read_body(request, OfficeBody)
    found: StampRequest | None = None
    match asked.command:
        case c.DoAct() as done if (act := scene.rules.act(done.act)) and scene.rules.body_of(act.by):
            found = request_of(scene, done, scene.rules.body_of(act.by))
        case c.SetValue() as set_ if (value := scene.rules.pages.values.get(set_.key)) and value.by:
            found = value_request(scene, set_, scene.rules.body_of(value.by))
    if found is None:
        raise denial(409, "no outside body has a word in this: nothing is stamped", "office")
    return json_response(found)


def _moves_money(scene: Scene, command: ActCommand) -> bool:
    """Return whether a command moves money or chips, by itself or because it signs what does."""
    key = command.act if isinstance(command, c.DoAct) else ""
    if isinstance(command, c.SignAct) and (pending := scene.state.pending.get(str(command.number))):
        key = pending.done.act
    act = scene.rules.pages.acts.get(key)
    return act is not None and (act.moves is not None or act.cash is not None or act.batch is not None)


def _check_names(scene: Scene, command: ActCommand) -> None:
    """Raise Denied if a command enters something under a name that nothing live can have."""
    act = scene.rules.act(command.act) if isinstance(command, c.DoAct) else None
    if act is None or not act.new or not isinstance(command, c.DoAct):
        return
    thing = scene.rules.pages.things[act.thing]
    if why := next(filter(None, (thing_name_fault(thing, name) for name in command.things)), ""):
        raise denial(422, why)


def _check_documents(services: Services, scene: Scene, command: ActCommand) -> None:
    """Raise Denied if a command names a document that nobody has attached."""
    named = named_documents(scene.rules, command)
    if lacking := [key for key, digest in named.items() if not services.documents.has(digest)]:
        why = f"{', '.join(lacking)}: no such document is attached; send it to {DOCUMENTS}, and name the digest"
        raise denial(409, why, "office")


def _role(scene: Scene, visitor: Visitor, asked: OfficeBody) -> str:
    """Return the role in which somebody acts: the one they name, or their first role that may do it."""
    command = asked.command
    groups: tuple[str, ...] = KEEPERS
    if isinstance(command, c.DoAct) and (act := scene.rules.act(command.act)):
        groups = (*act.by, *groups)
    elif isinstance(command, c.SignAct) and (pending := scene.state.pending.get(str(command.number))):
        rule = scene.rules.signature(scene.rules.pages.acts[pending.done.act], command.part)
        groups = rule.by if rule else groups
    person = Person(visitor.account, visitor.name, frozenset(visitor.roles) - {PLAYER})
    fit = roles_of(scene.rules, groups, person, scene.state)
    return role_for(visitor, asked.role, (*fit, *in_order(person.roles)), PLAYER)


async def _signer(services: Services, scene: Scene, asked: OfficeBody, by: Actor, address: str) -> str:
    """Return the account that signs a command with name and PIN; raise Denied if nobody may, or the PIN is wrong."""
    if asked.sign_off is None:
        return ""
    groups = _signing_groups(scene, asked.command)
    if not groups:
        raise denial(422, "sign_off: nobody signs this: leave it out, or say as which part in `signs`", "office")

    def may_sign(account: Account) -> bool:
        person = Person(account.id, account.name, account.roles)
        return any(scene.rules.is_of(group, person, scene.state) for group in groups)

    as_sent = office_command_as_sent(asked.command)
    return await check_signature(services, asked.sign_off, as_sent, by, may_sign, address)


def _signing_groups(scene: Scene, command: ActCommand) -> tuple[str, ...]:
    if name_of(command) in scene.rules.pages.controls:
        return (OWNER,)  # the second of two
    rule = None
    if isinstance(command, c.DoAct) and (act := scene.rules.act(command.act)):
        rule = scene.rules.signature(act, command.signs)
    elif isinstance(command, c.SignAct) and (pending := scene.state.pending.get(str(command.number))):
        rule = scene.rules.signature(scene.rules.pages.acts[pending.done.act], command.part)
    return rule.by if rule else ()

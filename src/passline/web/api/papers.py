"""The API of what leaves the office: papers, lists of acts, and the regulator's folder of a gaming day."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path as File
from typing import Annotated

from fastapi import APIRouter, Path
from msgspec import to_builtins
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.calendar.facility import Facility
from passline.acts.judges.scene import Scene
from passline.acts.papers.houses import currency_of, regulation_title
from passline.acts.papers.printed import PrintedPaper, paper_text, printed_sheet
from passline.acts.papers.sheet import PaperSheet, checklist_sheet, sheet_of
from passline.acts.papers.signatures import checklist_signatures
from passline.acts.printed_schema import Paper
from passline.acts.rules import Person, office_of, sound_offices
from passline.acts.views.blind import acts_seen_by
from passline.acts.views.lists import acts_table
from passline.authority.roles import PLAYER
from passline.bookkeeping.reading import find_course
from passline.documents.as_file import LIST_FILES, SHEET_FILES, list_file, sheet_file
from passline.documents.as_html import style_source
from passline.documents.as_text import listed_rows
from passline.documents.sheet import PrintedSheet, SheetTable
from passline.office.folder import printed_paper, write_folder, zipped_folder
from passline.office.views.day_report import OfficePast
from passline.office.views.kept_past import acts_of_day, acts_of_paper, closing_head, find_closing, folder_past
from passline.refusal import Refusal
from passline.rules.clauses import REGULATIONS
from passline.rules.pages.library import regulations
from passline.rules.pages.texts import RulebookError
from passline.store.entry import Head
from passline.streams.projection_store import ViewsNotReady, ViewStore
from passline.web.api.openapi import SET_UP_REFUSALS, query
from passline.web.api.tables import query_text
from passline.web.auth.visitors import require_visitor
from passline.web.server.responses import Denied, denial, json_response
from passline.web.server.services import Services, services_of

router = APIRouter(tags=["office"])
"""The routes of papers and folders."""
FORMS = ("json", "jsonl", "xlsx")
"""The forms in which lists are given."""
_NAME_MAX = 100  # characters of a file's name
RegulationPath = Annotated[str, Path(min_length=1, max_length=40, examples=list(REGULATIONS))]
"""The regulation whose office is meant, in a path."""
_Paper = Annotated[str, Path(min_length=1, max_length=64, examples=["limits.pdf"])]
_Thing = Annotated[str, Path(min_length=1, max_length=110, examples=["h1.pdf"])]
_Day = Annotated[str, Path(min_length=10, max_length=10, examples=["2026-03-02"])]
_COURSE_DAYS = 13  # before a gaming day, on its picture


async def office_scene(request: Request, name: str) -> Scene:
    """Return the office of a regulation ; raise Denied if the sender may not read it, or there is none."""
    return (await office_reader(request, name))[0]


async def office_reader(request: Request, name: str) -> tuple[Scene, Person]:
    """Return the office of a regulation and who reads it; raise Denied if they may not, or there is none."""
    visitor = await require_visitor(request)
    if name not in (known := sound_offices()):
        if name in regulations():
            raise denial(503, _unreadable_words(name), "office")
        raise denial(404, f"there is no office of {name[:40]!r}; choose {', '.join(known)}", "office")
    person = Person(visitor.account, visitor.name, frozenset(visitor.roles))
    return await services_of(request).offices.scene(name), person


def _unreadable_words(name: str) -> str:
    """Return why the pages of a regulation's office cannot be read, and what to do."""
    try:
        office_of(name)
    except RulebookError as error:
        return f"the pages of {name}'s office cannot be read: {error}: mend that file, or take the change back"
    return f"the pages of {name}'s office could not be read a moment ago: ask again"


def facility_of(scene: Scene) -> Facility:
    """Return the facility of an office; raise Denied if it is not set up."""
    if scene.state.facility is None:
        raise denial(409, "the office is not set up: say first where the house is and when its day begins", "office")
    return scene.state.facility


async def staff_of(services: Services) -> list[Person]:
    """Return everybody who works here or acts for an outside body."""
    known = await services.pools.sessions.run(services.desk.people)
    return [
        Person(account.id, account.name, account.roles)
        for account in known.accounts.values()
        if not account.is_disabled and not account.is_guest and not account.roles <= {PLAYER}
    ]


def names_in(services: Services) -> dict[str, str]:
    """Return what everybody is called, by their accounts, as read last."""
    people = services.desk.latest()
    return {account.id: account.name for account in people.accounts.values()} if people else {}


def form_of(request: Request, forms: Sequence[str] = FORMS) -> str:
    """Return the form in which something is asked for: one of these, the first where none is named."""
    form = query_text(request, "format") or forms[0]
    if form not in forms:
        raise denial(422, f"format: {form[:40]!r} is not one of {', '.join(forms)}")
    return form


def as_list(table: SheetTable, form: str, name: str) -> Response:
    """Return a table as a file to be kept: JSON lines or a workbook."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:_NAME_MAX]  # a name may have what a reader asked for in it
    headers = {"Content-Disposition": f'attachment; filename="{safe}.{form}"'}
    return Response(list_file(form, table), media_type=LIST_FILES[form], headers=headers)


async def sheet_response(kind: str, name: str, *sheets: PrintedSheet) -> Response:
    """Return sheets as a file of a kind: PDF, HTML and text to be looked at, a workbook to be kept."""
    headers = {"Content-Disposition": f'{"attachment" if kind == "xlsx" else "inline"}; filename="{name}.{kind}"'}
    if kind == "html":
        policy = f"default-src 'none'; style-src {style_source(*sheets)}; base-uri 'none'; frame-ancestors 'none'"
        headers["Content-Security-Policy"] = policy
    data = await asyncio.to_thread(sheet_file, kind, *sheets)
    return Response(data, media_type=SHEET_FILES[kind], headers=headers)


@router.get(
    "/api/office/{name}/papers/{paper}",
    openapi_extra=query(kind="string", thing="string", of="string"),
    responses=SET_UP_REFUSALS,
)
async def paper_now(request: Request, name: RegulationPath, paper: _Paper) -> Response:
    """Return a paper as it would be printed now, with its digest, or what is missing of it.

    It is about `of`, if the paper is about a thing, or about what the thing `kind`/`thing` is or names. With `.pdf` or
    `.txt` after its name it comes printed.
    """
    key, form = _name_and_form(paper)
    scene, rule = await _paper_scene(request, name, key)
    known = scene.state.thing(query_text(request, "kind"), query_text(request, "thing"))
    about = {rule.thing: query_text(request, "of")} if rule.thing else {}
    sheet = replace(scene, fields=about).sheet(key, known)
    return json_response(sheet) if form == "json" else await _print_paper(request, scene, sheet, form)


@router.get("/api/office/{name}/papers/{paper}/{thing}", responses=SET_UP_REFUSALS)
async def paper_of_thing(request: Request, name: RegulationPath, paper: _Paper, thing: _Thing) -> Response:
    """Return a paper of a thing as it would be printed now: JSON, or with `.pdf` or `.txt` after the thing."""
    id_, form = _name_and_form(thing)
    scene, rule = await _paper_scene(request, name, paper)
    if not rule.thing:
        raise denial(422, f"{paper} is of the whole office: name nothing else", "office")
    if scene.state.thing(rule.thing, id_) is None:
        raise denial(404, f"this office knows no {rule.thing.replace('_', ' ')} {id_[:40]!r}", "office")
    sheet = sheet_of(scene.rules, scene.state, paper, id_, scene.around.house_rules)
    return await _print_paper(request, scene, sheet, form)


def _name_and_form(text: str) -> tuple[str, str]:
    """Return a name and the form that is asked for after it."""
    for form in ("pdf", "txt"):
        if text.endswith(f".{form}") and len(text) > len(form) + 1:
            return text.removesuffix(f".{form}"), form
    return text, "json"


async def _paper_scene(request: Request, name: str, paper: str) -> tuple[Scene, Paper]:
    scene = await office_scene(request, name)
    rule = scene.rules.pages.papers.get(paper)
    if rule is None:
        known = ", ".join(scene.rules.pages.papers)
        raise denial(404, f"this office makes no paper {paper[:40]!r}; it makes {known}", "office")
    facility_of(scene)
    return scene, rule


async def _print_paper(request: Request, scene: Scene, sheet: PaperSheet, form: str) -> Response:
    """Return a paper with its signatures: as JSON, a PDF or text. One that lacks a part is not printed."""
    services = services_of(request)

    def read_signatures(views: ViewStore) -> PrintedPaper:
        acts = acts_of_paper(services.log, views, scene.rules, sheet, scene.state.acts)
        local = f"{facility_of(scene).local(scene.at):%Y-%m-%d %H:%M}"
        return printed_paper(scene.rules, scene.state, acts, sheet, local)

    if form != "json" and not sheet.is_complete:
        raise Denied(409, [Refusal(part.clause, f"{part.name} is missing") for part in sheet.missing])
    if form == "txt":
        headers = {"Content-Disposition": f'inline; filename="{sheet.paper}.{form}"'}
        return Response(paper_text(sheet), media_type=SHEET_FILES[form], headers=headers)
    printed, _ = await services.views.read(read_signatures)
    if form == "json":
        return json_response({**to_builtins(printed), "is_complete": sheet.is_complete})
    return await sheet_response(form, sheet.paper, printed_sheet(printed))


@router.get("/api/office/{name}/checklists/{checklist}/{thing}", responses=SET_UP_REFUSALS)
async def checklist_of_thing(request: Request, name: RegulationPath, checklist: _Paper, thing: _Thing) -> Response:
    """Return a checklist as a PDF to take along: the items that are asked of a thing, with empty boxes."""
    scene = await office_scene(request, name)
    id_, rule = _name_and_form(thing)[0], scene.rules.pages.checklists.get(checklist)
    if rule is None or not rule.thing:
        known = ", ".join(key for key, checklist_ in scene.rules.pages.checklists.items() if checklist_.thing)
        raise denial(404, f"this office has no checklist {checklist[:40]!r} of things; it has {known}", "office")
    if scene.state.thing(rule.thing, id_) is None:
        raise denial(404, f"this office knows no {rule.thing.replace('_', ' ')} {id_[:40]!r}", "office")
    facility, local = scene.state.facility, ""
    if facility is not None:
        local = f"{facility.local(scene.at):%Y-%m-%d %H:%M}"
    printed = PrintedPaper(
        checklist_sheet(scene.rules, scene.state, checklist, id_, scene.around.house_rules),
        facility.name if facility else "",
        regulation_title(name),
        checklist_signatures(scene.rules, checklist),
        local,
        currency=currency_of(name),
    )
    return await sheet_response("pdf", checklist, printed_sheet(printed))


@router.get("/api/office/{name}/acts", openapi_extra=query(day="string", format=FORMS), responses=SET_UP_REFUSALS)
async def acts(request: Request, name: RegulationPath) -> Response:
    """List the acts of a gaming day (`day`; without it, of this one) with who did and signed them."""
    (scene, reader), form = await office_reader(request, name), form_of(request)
    facility = facility_of(scene)
    day = day_in(request.query_params.get("day", "")) or facility.gaming_day(scene.at)

    services = services_of(request)

    def look(views: ViewStore) -> SheetTable:
        seen = acts_seen_by(scene, reader, acts_of_day(services.log, views, name, facility, day))
        return acts_table(scene.rules, facility, seen, names_in(services))

    table, _ = await services.views.read(look)
    if form == "json":
        return json_response({"day": day.isoformat(), "acts": listed_rows(table)})
    return as_list(table, form, f"acts-{day}")


@router.get("/api/office/{name}/folders/{day}", responses=SET_UP_REFUSALS)
async def folder(request: Request, name: RegulationPath, day: _Day) -> Response:
    """Return the folder of a gaming day as a zip: entries, report, workbook, papers, and the signed manifest.

    Unpacked, `passline verify` proves it unaltered.
    """
    await office_scene(request, name)
    meant = day_in(day)
    assert meant is not None
    zipped = await day_folder(services_of(request), name, meant)
    headers = {"Content-Disposition": f'attachment; filename="{name}-{meant}.zip"'}
    return Response(zipped, media_type="application/zip", headers=headers)


async def keep_folders(services: Services) -> None:
    """Make the folders of gaming days that were closed lately, before somebody waits for them."""
    for name in sound_offices():
        facility = (await services.offices.scene(name)).state.facility
        if facility is None:
            continue
        today = facility.gaming_day(services.clock())
        for day in (today - timedelta(days=2), today - timedelta(days=1), today):
            if await _closing_of(services, name, day):
                await day_folder(services, name, day)


async def day_folder(services: Services, name: str, day: date) -> bytes:
    """Return the folder of a gaming day as a zip; one is made at a time, and that of a closed day is kept."""
    find, closing = services.folders.find, await _closing_of(services, name, day)
    if closing and (kept := await asyncio.to_thread(find, name, day, closing)) is not None:
        return kept
    async with services.folder_turn:
        if closing and (kept := await asyncio.to_thread(find, name, day, closing)) is not None:
            return kept
        zipped = await _make_folder(services, name, day)
        if closing:
            await asyncio.to_thread(services.folders.keep, name, day, closing, zipped)
    return zipped


async def _closing_of(services: Services, name: str, day: date) -> Head | None:
    """Return the head with which the books of a gaming day were closed, as the views have it; None: they are open."""
    entry, _ = await services.views.read(lambda views: find_closing(services.log, views, name, day))
    return await asyncio.to_thread(closing_head, services.log, entry)


async def _make_folder(services: Services, name: str, day: date) -> bytes:
    def look(views: ViewStore) -> OfficePast:
        past = folder_past(services.log, views, name, day, names_in(services))
        if past.closing:
            return past
        since = date.fromordinal(max(day.toordinal() - _COURSE_DAYS, 1)).isoformat()
        course = find_course(views, name, "house", "day", "", since=since, until=f"{day}~")
        return replace(past, day=replace(past.day, course=course))

    def make() -> bytes:
        with tempfile.TemporaryDirectory(prefix="passline-folder-") as place:
            made = File(place) / f"{name}-{day}"
            write_folder(services.log, name, day, made, services.documents, past=past)
            return zipped_folder(made)

    past, seen = await services.views.read(look)
    if seen.behind:
        raise ViewsNotReady("newer entries are still being read; try again in a moment")
    return await asyncio.to_thread(make)


def day_in(text: str) -> date | None:
    """Return the day that a request names, None if it names none; raise Denied if it is no day."""
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise denial(422, f"{text[:20]!r} is not a day such as 2026-03-02") from None

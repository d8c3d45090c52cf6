"""The pages of the back office: what is to be done today, a page for each subject, and what a table needs to open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.acts.judges.fields import ID
from passline.acts.judges.gates import OPENING
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person, sound_offices
from passline.acts.schema import Act
from passline.acts.views.people import groups_of
from passline.authority.duties import role_list
from passline.authority.roles import KEEPERS, OWNER, PLAYER
from passline.rules.pages.library import proposed_place
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.commands import ElectOffice
from passline.tables.duties import DUTIES
from passline.web.api.compliance import file_of
from passline.web.auth.visitors import Visitor
from passline.web.duties import ROUTES, TABLE_KEEPERS, readers_of
from passline.web.pages.frame import office_page, page_visitor, refusal_page
from passline.web.pages.home import house_regulation
from passline.web.server.services import services_of

_GROUPS = {  # the subjects of a group, by its name; a subject that is in none is under the last
    "tables": ("tables", "keys", "tournaments"),
    "money": ("table_money", "cage", "credit", "drop", "tips", "patrons", "players", "gaming_day"),
    "dice and chips": ("dice", "chips"),
    "people": ("people", "visits"),
    "rules": ("rules",),
    "reports": ("incidents", "reports", "outage"),
}

_FLOWS = {  # what people do every day, and the accounts: heading and script by path
    "count": ("Count", "count"),
    "drop-round": ("Drop round", "drop_round"),
    "count-room": ("Count room", "count_room"),
    "window": ("Cashier's window", "window"),
    "forms": ("Forms of a gaming day", "day_forms"),
    "standards": ("Standards", "standards"),
    "accounts": ("Accounts", "win"),
    "accounts/statistics": ("Statistics", "statistics"),
    "accounts/counted": ("How a win was counted", "counted"),
    "accounts/hands": ("Hands of a shift", "hands"),
    "accounts/entries": ("Entries", "entries"),
    "accounts/players": ("Players", "players"),
    "accounts/player": ("A player", "player"),
    "accounts/comps": ("Comps", "comps"),
    "accounts/dice": ("Dice", "dice"),
    "accounts/theft": ("Notes and chips", "theft"),
    "accounts/investigations": ("Investigations and tax", "investigations"),
}

_SPELLED = {"TGO": "tribal gaming office", "SGA": "state gaming agency"}

router = APIRouter(include_in_schema=False)
"""The routes of these pages."""


@router.get("/office")
async def offices(request: Request) -> Response:
    """The offices of the house, one for each regulation, and where they are kept."""
    visitor = await page_visitor(request)
    services = services_of(request)
    first = await house_regulation(services)
    names = sorted(sound_offices(), key=lambda name: name != first)
    found = [await services.offices.scene(name) for name in names]
    return office_page(
        request,
        "office_list.html",
        visitor,
        offices=[(scene.rules.name, _title(scene), scene.state.facility, scene.state.acts) for scene in found],
        first=first,
        kept=services.floor.house.office or "elsewhere",
    )


@router.get("/office/{name}")
async def today(request: Request, name: str) -> Response:
    """What is due and overdue, to be signed, open and not set."""
    return await _page(request, name, "office_today.html")


@router.get("/office/{name}/set-up")
async def set_up(request: Request, name: str) -> Response:
    """Where the house deals, the figures that the text leaves open, and who acts for outside bodies."""
    return await _page(request, name, "office_set_up.html", subject="set-up")


@router.get("/office/{name}/opening-list/{table}")
async def opening(request: Request, name: str, table: str) -> Response:
    """Everything that a table needs to open, green or red."""
    return await _page(request, name, "office_opening.html", subject="tables", about=table)


@router.get("/office/{name}/history/{kind}/{thing}")
async def history(request: Request, name: str, kind: str, thing: str) -> Response:
    """All that was done to one thing, with who, when, signatures and papers."""
    return await _page(request, name, "office_history.html", subject="history", about=f"{kind}/{thing}")


@router.get("/office/{name}/papers/{paper:path}")
async def paper_page(request: Request, name: str, paper: str) -> Response:
    """A paper of the office, or of one of its things, to be read and printed."""
    return await _page(request, name, "office_paper.html", subject="papers", about=paper)


def _add_flow(path: str, heading: str, script: str) -> None:
    kind = "accounts" if path.startswith("accounts") else "flow"
    subject = path if path == "standards" else kind

    @router.get(f"/office/{{name}}/{path}")
    async def flow(request: Request, name: str) -> Response:
        return await _page(request, name, f"office_{kind}.html", subject=subject, flow=heading, script=script)


for _path, (_heading, _script) in _FLOWS.items():
    _add_flow(_path, _heading, _script)


@router.get("/office/{name}/{subject}")
async def subject_page(request: Request, name: str, subject: str) -> Response:
    """The things of one subject and the acts that can be done to them."""
    return await _page(request, name, "office_subject.html", subject=subject)


async def _page(
    request: Request, name: str, template: str, *, subject: str = "", about: str = "", flow: str = "", script: str = ""
) -> Response:
    visitor = await page_visitor(request)
    if name not in sound_offices():
        return refusal_page(request, visitor, f"There is no office of {name[:40]!r}.", status=404)
    services = services_of(request)
    scene = await services.offices.scene(name)
    groups = grouped_subjects(scene.rules.pages.acts.values())
    subjects = [subject for group in groups.values() for subject in group]
    if template == "office_subject.html" and subject not in subjects:
        return refusal_page(
            request, visitor, f"The office of {_title(scene)} has no page {subject[:40]!r}.", status=404
        )
    is_reader = not await asyncio.to_thread(file_of(services).unfit_reader, name, _person(visitor))
    read = (path for path in ("accounts", "accounts/dice") if visitor.may(readers_of(f"/office/{{name}}/{path}")))
    return office_page(
        request,
        template,
        visitor,
        under=name,
        office=name,
        title=_title(scene),
        facility=scene.state.facility,
        groups=groups,
        accounts=next(read, ""),
        reads_standards=visitor.may(readers_of("/office/{name}/standards")),
        subject=subject,
        about=about,
        is_office_here=services.floor.house.office == "here",
        office_data=_data(scene, visitor, subject, about)
        | {
            "parts": groups,
            "is_sole_owner": services.desk.is_sole_owner(visitor.account),
            "reads_compliance": is_reader,
            "writes_compliance": is_reader and visitor.may(ROUTES["POST /api/office/{name}/compliance"].by),
        },
        flow=flow,
        script=script,
    )


def _title(scene: Scene) -> str:
    return rulebook_of(scene.rules.name).general.title


def _person(visitor: Visitor) -> Person:
    return Person(visitor.account, visitor.name, frozenset(visitor.roles) - {PLAYER})


def _data(scene: Scene, visitor: Visitor, subject: str, about: str) -> dict[str, Any]:
    """Return what the scripts of a page must know of who opens it."""
    return {
        "office": scene.rules.name,
        "subject": subject,
        "about": about,
        "account": visitor.account,
        "name": visitor.name,
        "groups": groups_of(scene, _person(visitor)),
        "is_clerk": visitor.may(KEEPERS),
        "clerks": KEEPERS,
        "reads_folders": visitor.may(readers_of("/api/office/{name}/folders/{day}")),
        "reads_results": visitor.may(readers_of("/api/office/{name}/results")),
        "reads_accounts": visitor.may(readers_of("/api/office/{name}/accounts/{scope}")),
        "reads_players": visitor.may(readers_of("/api/office/{name}/ratings")),
        "reads_theft": visitor.may(readers_of("/api/office/{name}/theft")),
        "reads_investigations": visitor.may(readers_of("/office/{name}/accounts/investigations")),
        "reads_dice": visitor.may(readers_of("/api/office/{name}/dice-evidence")),
        "reads_log": visitor.may(readers_of("/api/log")),
        "is_owner": visitor.may((OWNER,)),
        "opens_tables": visitor.may(TABLE_KEEPERS),
        "signs_kept_here": role_list(DUTIES[ElectOffice].signed_by),
        "is_set_up": scene.state.facility is not None,
        "gate": OPENING if OPENING in scene.rules.pages.gates else "",
        "id_pattern": ID.pattern,
        "place": proposed_place(scene.rules.name),
        "spelled": _abbreviations(scene),
    }


def _abbreviations(scene: Scene) -> dict[str, str]:
    """Return what the abbreviations of an office's outside bodies stand for."""
    bodies = {role.body for role in scene.rules.pages.roles.values()}
    return {short: words for short, words in _SPELLED.items() if short in bodies}


def grouped_subjects(acts: Iterable[Act]) -> dict[str, list[str]]:
    """Return the subjects that acts name, by the group under which people look for them; empty groups are left out.

    >>> from passline.acts.rules import office_of
    >>> grouped_subjects(office_of("section2").pages.acts.values())["dice and chips"]
    ['dice', 'chips']
    """
    named = dict.fromkeys(act.page for act in acts)
    *_, last = _GROUPS
    groups = {group: [subject for subject in subjects if subject in named] for group, subjects in _GROUPS.items()}
    groups[last] += (subject for subject in named if not any(subject in group for group in groups.values()))
    return {group: subjects for group, subjects in groups.items() if subjects}

"""The API of accounts: won, theoretical win and luck of the house, tables, crews, dice and hands, and their entries."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Path
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.acts.judges.scene import Scene
from passline.bookkeeping.account import Period, PlayAccount, Span
from passline.bookkeeping.reading import (
    accounts_table,
    figures_of,
    find_course,
    find_hands_of_shift,
    find_play_accounts,
    furthest_off,
)
from passline.streams.projection_runner import AsOf
from passline.streams.projection_store import ViewStore
from passline.tables.entries import TABLE
from passline.tables.views.log_marks import MarkQuery
from passline.tables.views.log_wording import FoundEntries, WordedEntry, find_entries, worded_entries
from passline.web.api.openapi import READ_REFUSALS, query
from passline.web.api.papers import FORMS, RegulationPath, as_list, form_of, office_scene
from passline.web.api.tables import query_int, query_text
from passline.web.server.responses import denial, page_response
from passline.web.server.services import services_of

router = APIRouter(tags=["office"])
"""The routes of accounts."""
_Scope = Annotated[Literal["house", "game", "pit", "shift", "table", "crew", "dice"], Path(examples=["table"])]
PERIOD_NAMES: tuple[str, ...] = get_args(Period)
"""The periods that can be asked for."""
_PAGE = 200


class AskedFor(Struct, frozen=True):
    """What a reader asks for."""

    scene: Scene
    period: Period
    span: str
    form: str


async def asked_for(request: Request, name: str, default: Period = "day") -> AskedFor:
    """Return the office, period and form that somebody asks for; raise Denied if they may not read it."""
    scene, form = await office_scene(request, name), form_of(request)
    period = query_text(request, "period") or default
    for known in get_args(Period):
        if known == period:
            return AskedFor(scene, known, query_text(request, "span") or _now(scene, known), form)
    raise denial(422, f"period: {period[:20]!r} is not one of {', '.join(PERIOD_NAMES)}")


def _now(scene: Scene, period: Period) -> str:
    facility, at = scene.state.facility, scene.at
    if facility is None:
        return Span(at[:10]).name(period)
    return Span(facility.gaming_day(at).isoformat(), facility.shift_of(at).name).name(period)


@router.get(
    "/api/office/{name}/accounts/entries",
    openapi_extra=query(table="string", first="integer", last="integer", player="string"),
    responses=READ_REFUSALS,
)
async def account_entries(request: Request, name: RegulationPath) -> Response:
    """List the entries of a `table` from entry `first` to entry `last` in words, as an account names them.

    They are the newest 200 of them, oldest first; `earlier`, sent as `last`, goes on before them until it is 0. With
    `player`, such as account/ID, those that are not about that player are left out.
    """
    await office_scene(request, name)
    table = query_text(request, "table")
    if not table:
        raise denial(422, "table: say of which table")
    first, last = query_int(request, "first", 1, low=1), query_int(request, "last", 1, low=1)
    asked = MarkQuery(stream=TABLE + table, player=query_text(request, "player").removeprefix("account/"))
    log = services_of(request).log

    def look(views: ViewStore) -> tuple[FoundEntries, list[WordedEntry]]:
        found = find_entries(views, asked, after=first - 1, before=last + 1, limit=_PAGE)
        return found, [*worded_entries(views, log, found.sequences).values()]

    (found, entries), seen = await services_of(request).views.read(look)
    earlier = max(found.further - 1, 0)
    fields = {
        "table": table,
        "entries": entries,
        "earlier": earlier if earlier >= first else 0,
    }
    return page_response(fields, seen)


@router.get(
    "/api/office/{name}/accounts/hands",
    openapi_extra=query(span="string", table="string", format=FORMS),
    responses=READ_REFUSALS,
)
async def hands(request: Request, name: RegulationPath) -> Response:
    """List the hands of a `table` in a shift (`span`, such as "2026-03-02 swing"): each with its entries of the log."""
    asked, table = await asked_for(request, name, "shift"), query_text(request, "table")
    if not table:
        raise denial(422, "table: say of which table")
    found, seen = await services_of(request).views.read(
        lambda views: find_hands_of_shift(views, name, asked.span, table)
    )
    return _answer(asked, "hand", found, seen, f"hands-{table}-{asked.span}")


@router.get(
    "/api/office/{name}/accounts/{scope}",
    openapi_extra=query(period=PERIOD_NAMES, span="string", format=FORMS),
    responses=READ_REFUSALS,
)
async def accounts(request: Request, name: RegulationPath, scope: _Scope) -> Response:
    """List the accounts of a scope in a `period`: its `span` is such as "2026-03-02 swing", 2026-03-02, 2026-03, 2026.

    Without a span it is the one that runs now. `furthest` is the account whose luck is the rarest, with how many were
    looked at, and `one_in`: luck alone brings one of so many so far at most once in that many, whatever was staked and
    whenever somebody looks. Each account has its own `one_in`, as if nothing else were looked at, and the band `low` to
    `high` that what was won leaves by luck alone at most once in 20.
    """
    asked = await asked_for(request, name)
    found, seen = await services_of(request).views.read(
        lambda views: find_play_accounts(views, name, scope, asked.period, asked.span)
    )
    return _answer(asked, scope, found, seen, f"accounts-{scope}-{asked.span}")


@router.get(
    "/api/office/{name}/accounts/{scope}/course",
    openapi_extra=query(subject="string", period=PERIOD_NAMES, since="string", until="string", format=FORMS),
    responses=READ_REFUSALS,
)
async def course(request: Request, name: RegulationPath, scope: _Scope) -> Response:
    """List the accounts of one `subject` by `period`, oldest first: spans from `since` on and before `until`.

    A subject is a game, a table, people of a crew with commas between them, or a table and its set of dice as
    craps-1/3; of the house it is left out.
    """
    asked = await asked_for(request, name)
    subject, since, until = (query_text(request, key) for key in ("subject", "since", "until"))
    found, seen = await services_of(request).views.read(
        lambda views: find_course(views, name, scope, asked.period, subject, since=since, until=until or "~")
    )
    return _answer(asked, scope, found, seen, f"course-{scope}")


def _answer(asked: AskedFor, scope: str, found: list[PlayAccount], seen: AsOf, title: str) -> Response:
    if asked.form != "json":
        return as_list(accounts_table(title.replace("-", " ", 2), found), asked.form, title.replace(" ", "-"))
    fields = {
        "scope": scope,
        "period": asked.period,
        "span": asked.span,
        "accounts": [figures_of(account) for account in found],
        "furthest": furthest_off(found),
    }
    return page_response(fields, seen)

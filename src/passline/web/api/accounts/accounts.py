"""The API of accounts: won, theoretical win and luck of the house, tables, crews, dice and hands, by entries."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from passline.office.accounts.account import PlayAccount
from passline.office.accounts.reading import (
    accounts_table,
    figures_of,
    find_course,
    find_hands_of_shift,
    find_play_accounts,
    furthest_off,
)
from passline.streams.projection_runner import AsOf
from passline.web.api.accounts.spans import PERIOD_NAMES, AskedFor, asked_for
from passline.web.api.openapi import query, refusals
from passline.web.api.papers import FORMS, RegulationPath, as_list
from passline.web.api.tables import query_text
from passline.web.server.responses import denial, json_response
from passline.web.server.services import services_of

__all__ = ["router"]

router = APIRouter(tags=["office"])
"""The routes of accounts."""
_Scope = Annotated[Literal["house", "game", "table", "crew", "dice"], Path(examples=["table"])]
_READING = refusals(401, 403, 404, 422, 503)


@router.get(
    "/api/office/{name}/accounts/hands",
    openapi_extra=query(span="string", table="string", format=FORMS),
    responses=_READING,
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
    responses=_READING,
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
    responses=_READING,
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
    return json_response(
        {
            "scope": scope,
            "period": asked.period,
            "span": asked.span,
            "accounts": [figures_of(account) for account in found],
            "furthest": furthest_off(found),
            **msgspec.structs.asdict(seen),
        }
    )

"""The elections of a house as a form: each with its bounds, clause and default, checked while it is filled in."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import CLERKS
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.opening import FIXED_WHILE_OPEN
from passline.web.api.tables import table_of
from passline.web.auth.visitors import require_visitor
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.duties import TABLE_KEEPERS
from passline.web.pages.frame import office_page, page_visitor
from passline.web.server.responses import json_response, read_body
from passline.web.server.services import services_of
from passline.web.uploads.asking import answer_upload
from passline.web.uploads.questions import FilledIn, FormAsked, HouseText

__all__ = ["router"]


_filled_in = msgspec.json.Decoder(FilledIn)
_texts = msgspec.json.Decoder(HouseText)


router = APIRouter(include_in_schema=False)
"""The routes of this page."""


@router.get("/elections")
async def elections(request: Request) -> Response:
    """The form."""
    visitor = await page_visitor(request)
    services = services_of(request)
    regulations = [
        {"key": name, "title": rulebook_of(name).general.title, "games": list(rulebook_of(name).general.games)}
        for name in REGULATIONS
    ]
    return office_page(
        request,
        "elections.html",
        visitor,
        regulations=regulations,
        is_sole_owner=services.desk.is_sole_owner(visitor.account),
        is_keeper=visitor.may(TABLE_KEEPERS),
        is_office_here=services.floor.house.office == "here",
        data={
            "regulations": regulations,
            "first": newcomers_regulation(),
            "drafts": visitor.may(CLERKS),
            "acts_as": next((role for role in TABLE_KEEPERS if role in visitor.roles), ""),
            "fixed_while_open": FIXED_WHILE_OPEN,
        },
    )


@router.get("/elections/form")
async def form(request: Request, regulation: str = "", game: str = "") -> Response:
    """Every field of the form, with the default house of a regulation and game."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, FormAsked(regulation or newcomers_regulation(), game))


@router.get("/elections/of-table/{id}")
async def of_table(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
    """The house that a table is dealt by."""
    await require_visitor(request)
    house = (await table_of(request, id)).current.house
    return json_response({"house": {key: value for key, value in house.items() if value is not None}})


@router.post("/elections/check")
async def check(request: Request) -> Response:
    """Every breach of a house, and its file if there is none."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, _filled_in))


@router.post("/elections/read")
async def read(request: Request) -> Response:
    """A house file as the form has it, with its breaches."""
    visitor = await require_visitor(request)
    return await answer_upload(request, visitor, await read_body(request, _texts))

"""The elections of a house as a form: each with its bounds, clause and default, checked while it is filled in."""

from __future__ import annotations

import tomllib
from hashlib import sha256
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from msgspec import Struct
from starlette.responses import Response

from passline.office.papers.houses import complete_file
from passline.people.roles import CLERKS
from passline.rules.clauses import REGULATIONS
from passline.rules.explain.election_form import election_fields
from passline.rules.explain.house_template import house_file
from passline.rules.house_reader import house_of
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_pages import RulebookError
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.tables.conditions.house_change import FIXED_WHILE_OPEN
from passline.web.api.tables import table_of
from passline.web.auth.visitors import require_visitor
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.pages.access import office_page, visitor_or_response
from passline.web.pages.house import TABLE_KEEPERS
from passline.web.server.responses import denied, json_response, read_body
from passline.web.server.services import services_of

__all__ = ["FilledIn", "HouseText", "checked_form", "election_pages"]

_READERS = (*TABLE_KEEPERS, "compliance")


class FilledIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A house as the form has it."""

    house: dict[str, Any]


class HouseText(Struct, frozen=True, forbid_unknown_fields=True):
    """A house file."""

    toml: str


_filled_in = msgspec.json.Decoder(FilledIn)
_texts = msgspec.json.Decoder(HouseText)


def election_pages() -> APIRouter:
    """Return the routes of this page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/elections")
    async def elections(request: Request) -> Response:
        """The form."""
        visitor = await visitor_or_response(request, _READERS)
        if isinstance(visitor, Response):
            return visitor
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
        await require_visitor(request, _READERS)
        try:
            rules = Rules.of(regulation or newcomers_regulation(), game=game)
        except RulebookError as error:
            raise denied(404, str(error), "house") from None
        return json_response({"fields": election_fields(rules), **checked_form(rules.rulebook, complete_file(rules))})

    @router.get("/elections/of-table/{id}")
    async def of_table(request: Request, id: str) -> Response:  # noqa: A002 - the path's own word
        """The house that a table is dealt by."""
        await require_visitor(request, _READERS)
        house = (await table_of(request, id)).current.house
        return json_response({"house": {key: value for key, value in house.items() if value is not None}})

    @router.post("/elections/check")
    async def check(request: Request) -> Response:
        """Every breach of a house, and its file if there is none."""
        await require_visitor(request, _READERS)
        asked: FilledIn = await read_body(request, _filled_in)
        return json_response(checked_form(_rulebook(asked.house), asked.house))

    @router.post("/elections/read")
    async def read(request: Request) -> Response:
        """A house file as the form has it, with its breaches."""
        await require_visitor(request, _READERS)
        asked: HouseText = await read_body(request, _texts)
        try:
            data = tomllib.loads(asked.toml)
        except tomllib.TOMLDecodeError as error:
            raise denied(422, f"this is not TOML: {error}") from None
        return json_response(checked_form(_rulebook(data), data))

    return router


def _rulebook(data: dict[str, Any]) -> Rulebook:
    try:
        return rulebook_of(str(data.get("rules", "")))
    except RulebookError as error:
        raise denied(422, str(error), "house") from None


def checked_form(rulebook: Rulebook, data: dict[str, Any]) -> dict[str, Any]:
    """Return a house complete with its defaults, and all its breaches; without any, its file and what identifies it.

    >>> checked = checked_form(rulebook_of("maryland"), {"rules": "maryland", "dice_set": 1})
    >>> [one.key for one in checked["breaches"]], checked["toml"]
    (['dice_set'], '')
    """
    house, breaches = house_of(rulebook, data)
    if house is None or breaches:
        return {"house": data, "breaches": breaches, "toml": "", "sha256": ""}
    rules = Rules(rulebook, house)
    toml = house_file(rules)
    return {
        "house": complete_file(rules),
        "breaches": (),
        "toml": toml,
        "sha256": sha256(toml.encode()).hexdigest(),
    }

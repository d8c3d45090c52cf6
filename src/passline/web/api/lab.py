"""The API of the laboratory: what can be chosen, the laws of sessions, a strategy's faults, and hands on given dice.

Answers are lines of JSON, sent as they are known: progress, the place in the queue, then what was asked for. Whoever
breaks a request off ends the question.
"""

from __future__ import annotations

import asyncio
from functools import cache

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.people.attempts import network_of
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.strategy.lookup import known_strategies
from passline.strategy.strategy_file import value_text
from passline.web.api.openapi import body, refusals
from passline.web.auth.visitors import Visitor, address_of, visitor_of
from passline.web.lab.admission import check_admission
from passline.web.lab.questions import BestAsked, CheckAsked, HandsAsked, LawAsked, LawsAsked
from passline.web.lab.queue import Lab, LabAnswer
from passline.web.server.responses import json_response, read_body

router = APIRouter(tags=["lab"])
"""The routes of the laboratory."""
_REFUSALS = refusals(400, 401, 403, 413, 422, 429, 503)


class LabRegulation(Struct, frozen=True):
    """A regulation whose houses can be chosen."""

    name: str
    title: str
    games: tuple[str, ...]
    currency: str


class LabKnown(Struct, frozen=True):
    """A strategy of the catalogue."""

    name: str
    description: str
    source: str
    parameters: dict[str, str]
    about: dict[str, str]
    text: str


class LabCatalogue(Struct, frozen=True):
    """All that can be chosen."""

    regulations: tuple[LabRegulation, ...]
    strategies: tuple[LabKnown, ...]


def lab_of(request: Request) -> Lab:
    """Return the laboratory of the server that a request came to."""
    lab: Lab = request.app.state.lab
    return lab


async def admit(request: Request) -> Visitor | None:
    """Return who asks, if they are logged in. Raise Denied, with its clause, for whoever may not use the laboratory."""
    services = request.app.state.services
    visitor = None if services is None else await visitor_of(request)
    await check_admission(services, visitor)
    return visitor


@router.get("/api/lab", responses=refusals(401, 403, 503))
async def catalogue(request: Request) -> Response:
    """Return the regulations and the strategies that can be chosen."""
    await admit(request)
    return json_response(await asyncio.to_thread(_catalogue, sound_regulations()))


@cache
def _catalogue(names: tuple[str, ...]) -> LabCatalogue:
    books = [rulebook_of(name) for name in names]
    regulations = (
        LabRegulation(book.name, book.general.title, tuple(book.games), book.general.currency) for book in books
    )
    strategies = (
        LabKnown(
            name=file.name,
            description=file.description,
            source=file.source,
            parameters={key: value_text(value) for key, value in file.defaults.items()},
            about=file.about,
            text=file.text,
        )
        for file in known_strategies().values()
    )
    return LabCatalogue(tuple(regulations), tuple(strategies))


@router.post("/api/lab/laws", openapi_extra=body(LawsAsked), responses=_REFUSALS)
async def laws(request: Request) -> Response:
    """Solve the law of a session for each of several strategies, with quantiles on the way."""
    visitor = await admit(request)
    asked = await read_body(request, LawsAsked)
    questions = [LawAsked(asked.house, asked.session, strategy, asked.pace) for strategy in asked.strategies]
    return LabAnswer(lab_of(request).long, _whose(request, visitor), questions)


@router.post("/api/lab/check", openapi_extra=body(CheckAsked), responses=_REFUSALS)
async def check(request: Request) -> Response:
    """Look at a strategy: why it cannot be played, and what it says in vain."""
    visitor = await admit(request)
    asked = await read_body(request, CheckAsked)
    return LabAnswer(lab_of(request).quick, _whose(request, visitor), [asked])


@router.post("/api/lab/hands", openapi_extra=body(HandsAsked), responses=_REFUSALS)
async def hands(request: Request) -> Response:
    """Play a session on the dice of a seed: each shooter's hand, roll by roll, with the layout it lies on."""
    visitor = await admit(request)
    asked = await read_body(request, HandsAsked)
    return LabAnswer(lab_of(request).quick, _whose(request, visitor), [asked])


@router.post("/api/lab/best", openapi_extra=body(BestAsked), responses=_REFUSALS)
async def best(request: Request) -> Response:
    """Find the best lawful play of a menu for a purpose, with a bound on how far it can be from the best there is."""
    visitor = await admit(request)
    asked = await read_body(request, BestAsked)
    return LabAnswer(lab_of(request).long, _whose(request, visitor), [asked])


def _whose(request: Request, visitor: Visitor | None) -> str:
    """Return whose questions are counted together: those of an account, or of a stranger's network."""
    return visitor.account if visitor else f"address {network_of(address_of(request))}"

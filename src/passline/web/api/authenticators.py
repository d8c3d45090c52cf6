"""The API of authenticators: one's own, and whether signatures take one."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.people import commands as c
from passline.people.accounts import Account
from passline.people.assertions import LABEL_MAX
from passline.people.attempts import Wait
from passline.people.credentials import PIN_MAX
from passline.refusal import Refused
from passline.streams.course import Answer
from passline.web.api.openapi import body, refusals
from passline.web.api.people import in_thread, require_own
from passline.web.auth.visitors import address_of, require_visitor
from passline.web.server.responses import json_response, read_body
from passline.web.server.services import services_of

router = APIRouter(tags=["people"])
"""The routes of authenticators."""
_CHANGING = refusals(400, 401, 403, 409, 413, 422, 429)
_Pin = Annotated[str, Meta(min_length=1, max_length=PIN_MAX, examples=["7294"])]


class OwnPinBody(Struct, forbid_unknown_fields=True):
    """One's own PIN, before an authenticator is added."""

    pin: _Pin


class AuthenticatorBody(Struct, forbid_unknown_fields=True):
    """What somebody calls an authenticator, and what their browser answered when it was made."""

    label: Annotated[str, Meta(min_length=1, max_length=LABEL_MAX, examples=["blue key"])]
    credential: dict[str, Any]


class RemovalBody(Struct, forbid_unknown_fields=True):
    """An authenticator of one's own that signs no more, and one's PIN."""

    credential: Annotated[str, Meta(max_length=1400)]
    pin: _Pin


def origin_of(request: Request) -> str:
    """Return the address of this house as the browser knows it."""
    return request.headers.get("origin") or f"{request.url.scheme}://{request.url.netloc}"


@router.get("/api/people/{account}/authenticators", responses=refusals(401, 403))
async def authenticators(request: Request, account: str) -> Response:
    """List one's own authenticators."""
    visitor = await require_visitor(request)
    require_own(visitor, account)
    services = services_of(request)
    people = await services.pools.sessions.run(services.desk.people)
    own = people.accounts[account].authenticators
    listed = [{"credential": key.credential, "label": key.label, "site": key.site} for key in own]
    return json_response({"authenticators": listed, "is_elected": bool(people.safeguards.second_factor)})


@router.post("/api/people/{account}/authenticators/options", openapi_extra=body(OwnPinBody), responses=_CHANGING)
async def options(request: Request, account: str) -> Response:
    """Return what a browser makes an authenticator with (WebAuthn), for two minutes and this account."""
    visitor = await require_visitor(request)
    asked = await read_body(request, OwnPinBody)
    require_own(visitor, account)
    desk, origin, address = services_of(request).desk, origin_of(request), address_of(request)

    def make() -> bytes | Refused | Wait:
        known = desk.tills.check_pin(account, asked.pin, address=address)
        return desk.second_factor.options(known, origin) if isinstance(known, Account) else known

    return json_response(await in_thread(request, make))


@router.post(
    "/api/people/{account}/authenticators",
    status_code=201,
    openapi_extra=body(AuthenticatorBody),
    responses=_CHANGING,
)
async def add(request: Request, account: str) -> Response:
    """Add the authenticator that a browser made."""
    visitor = await require_visitor(request)
    asked = await read_body(request, AuthenticatorBody)
    require_own(visitor, account)
    desk, origin = services_of(request).desk, origin_of(request)

    def add_it() -> Answer | Refused | Wait:
        known = desk.people().accounts[account]
        made = desk.second_factor.made_by(known, asked.credential, origin=origin, label=asked.label.strip())
        if isinstance(made, Refused):
            return made
        return desk.do(c.AddAuthenticator(account=account, **msgspec.structs.asdict(made)), by=account)

    done = await in_thread(request, add_it)
    return json_response({"sequence": done.sequence, "head": done.head}, 201)


@router.post("/api/people/{account}/authenticators/remove", openapi_extra=body(RemovalBody), responses=_CHANGING)
async def remove(request: Request, account: str) -> Response:
    """Remove an authenticator of one's own."""
    visitor = await require_visitor(request)
    asked = await read_body(request, RemovalBody)
    require_own(visitor, account)
    desk, address = services_of(request).desk, address_of(request)

    def remove_it() -> Answer | Refused | Wait:
        known = desk.tills.check_pin(account, asked.pin, address=address)
        if not isinstance(known, Account):
            return known
        return desk.do(c.RemoveAuthenticator(account=account, credential=asked.credential), by=account)

    done = await in_thread(request, remove_it)
    return json_response({"sequence": done.sequence, "head": done.head})

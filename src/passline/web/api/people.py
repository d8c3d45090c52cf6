"""The API of people: coming in and going out, one's own secrets, and accounts of others for whoever has the duty."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from secrets import token_hex
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from passline.game.refusal import Refused
from passline.people import commands as c
from passline.people.accounts import NAME_MAX, Account, name_key
from passline.people.attempts import Wait
from passline.people.credentials import PASSWORD_MAX, PIN_MAX
from passline.people.decide import REASON_MAX
from passline.people.invitations import Link
from passline.people.roles import RECORD_READERS, ROLES, in_order
from passline.people.sessions import Welcome
from passline.streams.course import Answer
from passline.web.api.openapi import answers, body, query
from passline.web.auth.visitors import COOKIE, Visitor, address_of, give_cookie, must_be
from passline.web.server.responses import Denied, denied, json_answer, read_body, waiting
from passline.web.server.services import services_of

__all__ = ["DESK", "router"]

router = APIRouter(tags=["people"])
"""The routes of people."""
DESK = RECORD_READERS
"""Who sees the list of people; floorpersons and owners change it."""
_PEOPLE_MAX = 1000

Name = Annotated[str, Meta(min_length=1, max_length=2 * NAME_MAX, examples=["Ann"])]
Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX, examples=["correct horse battery"])]
Pin = Annotated[str, Meta(max_length=PIN_MAX, examples=["7294"])]
Roles = Annotated[list[Annotated[str, Meta(examples=list(ROLES), max_length=20)]], Meta(max_length=len(ROLES))]
T = TypeVar("T")


class NameAndPassword(Struct, forbid_unknown_fields=True):
    """A name and its password: one's own to log in, or those a new player chooses."""

    name: Name
    password: Password


class AcceptBody(Struct, forbid_unknown_fields=True):
    """What whoever opened a one-time link chooses; the name only where the link is for somebody new."""

    password: Password
    name: Annotated[str, Meta(max_length=2 * NAME_MAX, examples=["Ann"])] = ""
    pin: Pin = ""


class CreateBody(Struct, forbid_unknown_fields=True):
    """Somebody new: they get a one-time link to choose password and PIN."""

    name: Name
    roles: Roles = msgspec.field(default_factory=lambda: ["player"])


class RolesBody(Struct, forbid_unknown_fields=True):
    """All the roles an account shall have."""

    roles: Roles


class PasswordBody(Struct, forbid_unknown_fields=True):
    """One's password as it is, and the new one."""

    password: Password
    new: Password


class PinBody(Struct, forbid_unknown_fields=True):
    """One's password, and the new PIN."""

    password: Password
    pin: Pin


class DisableBody(Struct, forbid_unknown_fields=True):
    """Why an account is disabled."""

    reason: Annotated[str, Meta(min_length=1, max_length=REASON_MAX, examples=["left the house"])]


async def _read(request: Request, type_: type[T]) -> T:
    read: T = await read_body(request, msgspec.json.Decoder(type_))
    return read


async def _slowly(done: Callable[[], T | Refused | Wait], *, status: int = 409) -> T:
    """Do what is slow in a thread, and raise what is refused: duties as 403, a wait as 429, all else as the status."""
    outcome = await asyncio.to_thread(done)
    if isinstance(outcome, Wait):
        raise waiting(outcome)
    if isinstance(outcome, Refused):
        is_duty = any(one.clause == "duties" for one in outcome.refusals)
        raise Denied(403 if is_duty else status, outcome.refusals)
    return outcome


def _me(account: Account, csrf: str) -> dict[str, Any]:
    return {
        "account": account.id,
        "name": account.name,
        "roles": in_order(account.roles),
        "is_guest": account.is_guest,
        "has_pin": bool(account.pin),
        "csrf": csrf,
    }


def _welcomed(request: Request, welcome: Welcome, status: int = 200) -> Response:
    """Answer with a session: the token for a program, the cookie for a browser."""
    session = welcome.session
    told = {"token": welcome.token, **_me(session.account, session.csrf), "expires": session.expires}
    response = json_answer(told, status)
    give_cookie(response, welcome, is_secure=request.url.scheme == "https")
    return response


def _listed(account: Account) -> dict[str, Any]:
    return {
        "account": account.id,
        "name": account.name,
        "roles": in_order(account.roles),
        "is_disabled": account.is_disabled,
        "is_guest": account.is_guest,
        "has_password": bool(account.password),
        "has_pin": bool(account.pin),
    }


# Coming in and going out


@router.post("/api/log-in", openapi_extra=body(NameAndPassword), responses=answers(400, 401, 413, 422, 429))
async def log_in(request: Request) -> Response:
    """Begin a session. Its token is answered, and set as a cookie that no script can read."""
    asked = await _read(request, NameAndPassword)
    desk, before = services_of(request).desk, request.cookies.get(COOKIE, "")
    welcome = await _slowly(
        lambda: desk.log_in(name=asked.name, password=asked.password, address=address_of(request)), status=401
    )
    if before:  # whoever logs in anew at this browser leaves no older session behind
        await asyncio.to_thread(desk.log_out, before)
        await services_of(request).screens.end(before)
    return _welcomed(request, welcome)


@router.post("/api/log-out", responses=answers(401, 403))
async def log_out(request: Request) -> Response:
    """End this session."""
    visitor = await must_be(request)
    services = services_of(request)
    await asyncio.to_thread(services.desk.log_out, visitor.token)
    await services.screens.end(visitor.token)
    if services.demo is not None and visitor.is_guest:
        services.demo.leave(visitor.account)
    response = json_answer({})
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return response


@router.get("/api/me", responses=answers(401))
async def me(request: Request) -> Response:
    """Say who is logged in, and what X-CSRF a page sends with every change."""
    visitor = await must_be(request)
    account = await asyncio.to_thread(lambda: services_of(request).desk.people().accounts[visitor.account])
    return json_answer(_me(account, visitor.csrf))


@router.get("/api/invitations/{token}", responses=answers(404))
async def invitation(request: Request, token: str) -> Response:
    """Say what a one-time link is for."""
    desk = services_of(request).desk
    found = await asyncio.to_thread(desk.invitation_of, token)
    if found is None:
        raise denied(404, "this link was used or has expired; ask for another", "people")
    known = desk.people().accounts.get(found.account)
    roles = in_order(known.roles) if known else found.roles
    return json_answer({"name": known.name if known else "", "roles": roles, "expires": found.expires})


@router.post(
    "/api/invitations/{token}",
    status_code=201,
    openapi_extra=body(AcceptBody),
    responses=answers(400, 409, 413, 422),
)
async def accept_invitation(request: Request, token: str) -> Response:
    """Use a one-time link: choose name, password and PIN. It begins a session."""
    asked = await _read(request, AcceptBody)
    desk = services_of(request).desk
    welcome = await _slowly(
        lambda: desk.accept_invitation(token, name=asked.name, password=asked.password, pin=asked.pin)
    )
    return _welcomed(request, welcome, 201)


@router.post(
    "/api/register",
    status_code=201,
    openapi_extra=body(NameAndPassword),
    responses=answers(400, 403, 409, 413, 422, 429),
)
async def register(request: Request) -> Response:
    """Open an account to play, where the house allows it. It begins a session."""
    asked = await _read(request, NameAndPassword)
    desk = services_of(request).desk
    welcome = await _slowly(
        lambda: desk.register(name=asked.name, password=asked.password, address=address_of(request))
    )
    return _welcomed(request, welcome, 201)


# Accounts of others


@router.get("/api/people", openapi_extra=query(after="string", name="string"), responses=answers(401, 403))
async def people(request: Request) -> Response:
    """List the accounts in the order of their ids, a thousand at a time; `after` is the last one seen.

    With `name` those alone whose name has that in it, however it is written.
    """
    await must_be(request, DESK)
    found = await asyncio.to_thread(services_of(request).desk.people)
    after, wanted = request.query_params.get("after", ""), name_key(request.query_params.get("name", ""))
    ids = sorted(one for name, one in found.names.items() if one > after and wanted in name)[:_PEOPLE_MAX]
    return json_answer({"people": [_listed(found.accounts[one]) for one in ids], "count": len(found.accounts)})


@router.post(
    "/api/people",
    status_code=201,
    openapi_extra=body(CreateBody),
    responses=answers(400, 401, 403, 409, 413, 422),
)
async def create_account(request: Request) -> Response:
    """Open an account for somebody, and make the one-time link to hand over to them. It is shown this once."""
    visitor = await must_be(request)
    asked = await _read(request, CreateBody)
    desk, account = services_of(request).desk, token_hex(8)
    command = c.CreateAccount(account=account, name=asked.name, roles=tuple(asked.roles))
    await _slowly(lambda: desk.do(command, by=visitor.account))
    link = await _slowly(lambda: desk.invite(by=visitor.account, account=account))
    return json_answer({"account": account, **_link(link)}, 201)


def _link(link: Link) -> dict[str, str]:
    return {"path": link.path, "expires": link.expires}


@router.post("/api/people/{account}/invite", status_code=201, responses=answers(401, 403, 409))
async def invite(request: Request, account: str) -> Response:
    """Make a one-time link for an account whose person needs a new password and PIN. It is shown this once."""
    visitor = await must_be(request)
    desk = services_of(request).desk
    return json_answer(_link(await _slowly(lambda: desk.invite(by=visitor.account, account=account))), 201)


@router.post(
    "/api/people/{account}/roles",
    openapi_extra=body(RolesBody),
    responses=answers(400, 401, 403, 404, 409, 413, 422),
)
async def roles(request: Request, account: str) -> Response:
    """Give and take roles, so that the account has those named and no others."""
    visitor = await must_be(request)
    wanted = {*(await _read(request, RolesBody)).roles}
    known = services_of(request).desk.people().accounts.get(account)
    has = known.roles if known else frozenset()
    command = c.ChangeRoles(account=account, grant=tuple(sorted(wanted - has)), revoke=tuple(sorted(has - wanted)))
    return await _done(request, visitor, command)


@router.post(
    "/api/people/{account}/disable",
    openapi_extra=body(DisableBody),
    responses=answers(400, 401, 403, 409, 413, 422),
)
async def disable(request: Request, account: str) -> Response:
    """Disable an account: it is logged out everywhere and can do nothing. Nothing of it is deleted."""
    visitor = await must_be(request)
    command = c.DisableAccount(account=account, reason=(await _read(request, DisableBody)).reason)
    return await _done(request, visitor, command)


@router.post("/api/people/{account}/enable", responses=answers(401, 403, 409))
async def enable(request: Request, account: str) -> Response:
    """Let a disabled account log in again."""
    return await _done(request, await must_be(request), c.EnableAccount(account=account))


async def _done(request: Request, visitor: Visitor, command: c.PeopleCommand) -> Response:
    """Do a command and answer with the account as it is now, and where it stands in the log."""
    desk = services_of(request).desk
    done: Answer = await _slowly(lambda: desk.do(command, by=visitor.account))
    account = desk.people().accounts[command.account]
    return json_answer({**_listed(account), "sequence": done.sequence, "head": done.head})


# One's own secrets


@router.post(
    "/api/people/{account}/password",
    openapi_extra=body(PasswordBody),
    responses=answers(400, 401, 403, 409, 413, 422, 429),
)
async def password(request: Request, account: str) -> Response:
    """Change one's own password. Every session of the account ends, and this one goes on with a new token."""
    visitor = await must_be(request)
    asked = await _read(request, PasswordBody)
    _must_be_own(visitor, account)
    desk = services_of(request).desk
    welcome = await _slowly(
        lambda: desk.set_password(by=account, password=asked.password, new=asked.new, address=address_of(request))
    )
    return _welcomed(request, welcome)


@router.post(
    "/api/people/{account}/pin",
    openapi_extra=body(PinBody),
    responses=answers(400, 401, 403, 409, 413, 422, 429),
)
async def pin(request: Request, account: str) -> Response:
    """Change one's own PIN."""
    visitor = await must_be(request)
    asked = await _read(request, PinBody)
    _must_be_own(visitor, account)
    desk = services_of(request).desk
    done = await _slowly(
        lambda: desk.set_pin(by=account, password=asked.password, pin=asked.pin, address=address_of(request))
    )
    return json_answer({"sequence": done.sequence, "head": done.head})


def _must_be_own(visitor: Visitor, account: str) -> None:
    if visitor.account != account:
        why = "a password or PIN is set by its own person only; make them an invitation instead"
        raise denied(403, why, "duties")

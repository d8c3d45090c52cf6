"""The API of people: log in and out, change one's own password and PIN, and manage the accounts of others."""

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

from passline.authority.roles import PLAYER, ROLES, in_order
from passline.people import commands as c
from passline.people.accounts import NAME_MAX, Account, People
from passline.people.attempts import Wait
from passline.people.credentials import PASSWORD_MAX, PIN_MAX, SignOff
from passline.people.decide import REASON_MAX
from passline.people.duties import is_dual
from passline.people.links import link_state, links_of
from passline.people.second_factor import SecondFactorNeeded
from passline.people.sessions import Link, Welcome
from passline.refusal import Refused
from passline.streams.course import Answer
from passline.streams.projection_store import ViewStore
from passline.tables.views.log_wording import find_accounts
from passline.web.api.openapi import body, query, refusals
from passline.web.api.tables import query_text
from passline.web.auth.visitors import (
    COOKIE,
    DEVICE_COOKIE,
    LOG_IN_PATH,
    Visitor,
    address_of,
    require_visitor,
    set_session_cookie,
)
from passline.web.server.responses import (
    Denied,
    denial,
    json_response,
    read_body,
    second_factor_denial,
    too_many_attempts,
)
from passline.web.server.services import services_of

router = APIRouter(tags=["people"])
"""The routes of people."""
_PEOPLE_MAX = 1000
_CHANGING = refusals(400, 401, 403, 409, 413, 422)
_SIGNED = refusals(400, 401, 403, 409, 413, 422, 429)  # with a secret, of which wrong tries are counted

T = TypeVar("T")


# Bodies

Name = Annotated[str, Meta(min_length=1, max_length=2 * NAME_MAX, examples=["Ann"])]
Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX, examples=["correct horse battery"])]
Pin = Annotated[str, Meta(max_length=PIN_MAX, examples=["7294"])]
Roles = Annotated[list[Annotated[str, Meta(examples=list(ROLES), max_length=20)]], Meta(max_length=len(ROLES))]


class NameAndPassword(Struct, forbid_unknown_fields=True):
    """A name and password: of somebody who logs in, or those a new player chooses."""

    name: Name
    password: Password


class LogInBody(Struct, forbid_unknown_fields=True):
    """A name and password; and a new one, where the house has passwords changed and this one is too old."""

    name: Name
    password: Password
    new: Annotated[str, Meta(max_length=PASSWORD_MAX)] = ""


class AcceptBody(Struct, forbid_unknown_fields=True):
    """What the holder of a one-time link chooses; the name only if the link is for a new account."""

    password: Password
    name: Annotated[str, Meta(max_length=2 * NAME_MAX, examples=["Ann"])] = ""
    pin: Pin = ""


class SignedBody(Struct, forbid_unknown_fields=True):
    """The second owner who signs, where two must agree."""

    sign_off: SignOff | None = None


class CreateBody(Struct, forbid_unknown_fields=True):
    """A new account. Its holder gets a one-time link to choose a password and PIN."""

    name: Name
    roles: Roles = msgspec.field(default_factory=lambda: [PLAYER])
    sign_off: SignOff | None = None


class RolesBody(Struct, forbid_unknown_fields=True):
    """All the roles that the account will have."""

    roles: Roles
    sign_off: SignOff | None = None


class PasswordBody(Struct, forbid_unknown_fields=True):
    """The present password and the new one."""

    password: Password
    new: Password


class PinBody(Struct, forbid_unknown_fields=True):
    """The password and the new PIN."""

    password: Password
    pin: Pin


class DisableBody(Struct, forbid_unknown_fields=True):
    """Why an account is disabled."""

    reason: Annotated[str, Meta(min_length=1, max_length=REASON_MAX, examples=["left the house"])]
    sign_off: SignOff | None = None


# What every route does


async def in_thread(
    request: Request, work: Callable[[], T | Refused | Wait], *, status: int = 409, is_known: bool = True
) -> T:
    """Do slow work in a thread, a stranger's apart from those of people who are known here.

    Raise its refusal: 403 for duties, 429 for a wait, otherwise `status`; 503 if too many strangers wait already.
    """
    pools = services_of(request).pools
    try:
        outcome = await (pools.known if is_known else pools.strangers).run(work, address=address_of(request))
    except SecondFactorNeeded as needed:
        raise second_factor_denial(needed) from None
    if isinstance(outcome, Wait):
        raise too_many_attempts(outcome)
    if isinstance(outcome, Refused):
        is_duty = any(refusal.clause == "duties" for refusal in outcome.refusals)
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


def _begin_session(request: Request, welcome: Welcome, status: int = 200) -> Response:
    """Return the response that begins a session: the token for a program, the cookie for a browser."""
    session = welcome.session
    fields = {"token": welcome.token, **_me(session.account, session.csrf), "expires": session.expires}
    response = json_response(fields, status)
    set_session_cookie(response, welcome, is_secure=request.url.scheme == "https")
    return response


def _account_fields(account: Account) -> dict[str, Any]:
    return {
        "account": account.id,
        "name": account.name,
        "roles": in_order(account.roles),
        "is_disabled": account.is_disabled,
        "is_guest": account.is_guest,
        "has_password": bool(account.password),
        "has_pin": bool(account.pin),
    }


# Logging in and out


@router.post(LOG_IN_PATH, openapi_extra=body(LogInBody), responses=refusals(400, 401, 413, 422, 429, 503))
async def log_in(request: Request) -> Response:
    """Log in. The response has the token of the session, also as a cookie that no script can read."""
    asked = await read_body(request, LogInBody)
    services = services_of(request)
    desk, before, device = services.desk, request.cookies.get(COOKIE, ""), request.cookies.get(DEVICE_COOKIE, "")
    address = address_of(request)
    welcome = await in_thread(
        request,
        lambda: desk.log_in(name=asked.name, password=asked.password, address=address, device=device, new=asked.new),
        status=401,
        is_known=desk.is_device(device),
    )
    if before and desk.is_token(before):  # an older session in this browser ends
        await services.pools.sessions.run(lambda: desk.log_out(before))
        await services_of(request).screens.end(before)
    return _begin_session(request, welcome)


@router.post("/api/log-out", responses=refusals(401, 403))
async def log_out(request: Request) -> Response:
    """Log out."""
    visitor = await require_visitor(request)
    services = services_of(request)
    await services.pools.sessions.run(lambda: services.desk.log_out(visitor.token))
    await services.screens.end(visitor.token)
    if services.demo is not None and visitor.is_guest:
        services.demo.leave(visitor.account)
    response = json_response({})
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return response


@router.get("/api/me", responses=refusals(401))
async def me(request: Request) -> Response:
    """Return who is logged in, and the X-CSRF token that a page sends with every change."""
    visitor = await require_visitor(request)
    services = services_of(request)
    account = await services.pools.sessions.run(lambda: services.desk.people().accounts[visitor.account])
    return json_response(_me(account, visitor.csrf))


@router.get("/api/invitations/{token}", responses=refusals(404))
async def invitation(request: Request, token: str) -> Response:
    """Return the name and roles that a one-time link is for."""
    desk = services_of(request).desk
    found = await asyncio.to_thread(desk.invitation_of, token)
    if found is None:
        raise denial(404, "this link has been used or has expired; ask for another", "people")
    known = desk.people().accounts.get(found.account)
    roles = in_order(known.roles) if known else found.roles
    return json_response({"name": known.name if known else "", "roles": roles, "expires": found.expires})


@router.post(
    "/api/invitations/{token}", status_code=201, openapi_extra=body(AcceptBody), responses=refusals(400, 409, 413, 422)
)
async def accept_invitation(request: Request, token: str) -> Response:
    """Use a one-time link: choose a name, password and PIN. This begins a session."""
    asked = await read_body(request, AcceptBody)
    desk = services_of(request).desk
    welcome = await in_thread(
        request,
        lambda: desk.accept_invitation(token, name=asked.name, password=asked.password, pin=asked.pin),
        is_known=False,
    )
    return _begin_session(request, welcome, 201)


@router.post(
    "/api/register",
    status_code=201,
    openapi_extra=body(NameAndPassword),
    responses=refusals(400, 403, 409, 413, 422, 429),
)
async def register(request: Request) -> Response:
    """Register as a player, if the house allows it. This begins a session."""
    asked = await read_body(request, NameAndPassword)
    desk = services_of(request).desk
    welcome = await in_thread(
        request,
        lambda: desk.register(name=asked.name, password=asked.password, address=address_of(request)),
        is_known=False,
    )
    return _begin_session(request, welcome, 201)


# Accounts of others


@router.get("/api/people", openapi_extra=query(after="string", name="string"), responses=refusals(401, 403, 422, 503))
async def people(request: Request) -> Response:
    """List accounts in the order of their ids, a thousand at a time, after the id `after`.

    With `name`, list only accounts whose name contains it, in upper or lower case.
    """
    await require_visitor(request)
    services = services_of(request)
    after, name = query_text(request, "after"), query_text(request, "name")

    def look(views: ViewStore) -> dict[str, Any]:
        ids, found = find_accounts(views, name=name, after=after, limit=_PEOPLE_MAX), services.desk.people()
        links, now = links_of(found), services.clock()
        listed = [
            {**_account_fields(known), "subject": known.subject, "link": link_state(found, links.get(known.id), now)}
            for known in map(found.accounts.__getitem__, ids)
        ]
        return {"people": listed, "count": len(found.accounts), "two_owners": _two_owners(request, found)}

    listed, _seen = await services.views.read(look)
    return json_response(listed)


def _two_owners(request: Request, found: People) -> dict[str, Any]:
    """Return how dual control stands: whether two owners must agree now, and whenever one could act alone."""
    guards, now = found.safeguards, services_of(request).clock()
    return {
        "is_needed": is_dual(found, now),
        "is_elected": guards.dual_control != "off",
        "alone_until": guards.alone_until if guards.alone_until > now else "",
        "password_days": guards.password_days,
        "retention_years": guards.retention[-1][1] if guards.retention else 0,
        "second_factor": guards.second_factor,
        "broken": [{"until": until, "reason": reason} for until, reason in guards.broken],
    }


@router.post("/api/people", status_code=201, openapi_extra=body(CreateBody), responses=_CHANGING)
async def create_account(request: Request) -> Response:
    """Open an account, and return the one-time link to hand over to its holder. It is shown only here."""
    visitor = await require_visitor(request)
    asked = await read_body(request, CreateBody)
    desk, account = services_of(request).desk, token_hex(8)
    command = c.CreateAccount(account=account, name=asked.name, roles=tuple(asked.roles))
    by, address = visitor.account, address_of(request)

    def create() -> Link | Refused | Wait:
        signed = desk.second_owner(command, by=by, sign_off=asked.sign_off, address=address)
        if not isinstance(signed, str):
            return signed
        done = desk.do_signed(command, by=by, signed_by=signed, address=address)
        return done if isinstance(done, Refused) else desk.invite(by=by, account=account, signed_by=signed)

    link = await in_thread(request, create)
    return json_response({"account": account, "path": link.path, "expires": link.expires}, 201)


@router.post("/api/people/{account}/invite", status_code=201, openapi_extra=body(SignedBody), responses=_SIGNED)
async def invite(request: Request, account: str) -> Response:
    """Make a one-time link for a person who needs a new password and PIN. It is shown only here."""
    visitor = await require_visitor(request)
    signed, desk = (await read_body(request, SignedBody, default=SignedBody)).sign_off, services_of(request).desk
    link = await in_thread(
        request, lambda: desk.invite(by=visitor.account, account=account, sign_off=signed, address=address_of(request))
    )
    return json_response({"path": link.path, "expires": link.expires}, 201)


@router.post(
    "/api/people/{account}/roles", openapi_extra=body(RolesBody), responses=refusals(400, 401, 403, 404, 409, 413, 422)
)
async def roles(request: Request, account: str) -> Response:
    """Set the roles of an account."""
    visitor = await require_visitor(request)
    asked = await read_body(request, RolesBody)
    wanted = {*asked.roles}
    known = services_of(request).desk.people().accounts.get(account)
    has = known.roles if known else frozenset()
    command = c.ChangeRoles(account=account, grant=tuple(sorted(wanted - has)), revoke=tuple(sorted(has - wanted)))
    return await _do(request, visitor, command, asked.sign_off)


@router.post("/api/people/{account}/disable", openapi_extra=body(DisableBody), responses=_CHANGING)
async def disable(request: Request, account: str) -> Response:
    """Disable an account: it is logged out everywhere and can do nothing. Nothing is deleted."""
    visitor = await require_visitor(request)
    asked = await read_body(request, DisableBody)
    return await _do(request, visitor, c.DisableAccount(account=account, reason=asked.reason), asked.sign_off)


@router.post("/api/people/{account}/enable", openapi_extra=body(SignedBody), responses=_SIGNED)
async def enable(request: Request, account: str) -> Response:
    """Enable a disabled account, so that it can log in again."""
    visitor = await require_visitor(request)
    asked = await read_body(request, SignedBody, default=SignedBody)
    return await _do(request, visitor, c.EnableAccount(account=account), asked.sign_off)


async def _do(
    request: Request, visitor: Visitor, command: c.PeopleCommand, sign_off: SignOff | None = None
) -> Response:
    """Do a command. Return the account as it is now, and the command's place in the log."""
    desk, address = services_of(request).desk, address_of(request)
    done: Answer = await in_thread(
        request, lambda: desk.do(command, by=visitor.account, sign_off=sign_off, address=address)
    )
    account = desk.people().accounts[command.account]
    return json_response({**_account_fields(account), "sequence": done.sequence, "head": done.head})


# One's own password and PIN


@router.post("/api/people/{account}/password", openapi_extra=body(PasswordBody), responses=_SIGNED)
async def password(request: Request, account: str) -> Response:
    """Change one's own password. All sessions of the account end; this one continues with a new token."""
    visitor = await require_visitor(request)
    asked = await read_body(request, PasswordBody)
    require_own(visitor, account)
    desk = services_of(request).desk
    welcome = await in_thread(
        request,
        lambda: desk.set_password(by=account, password=asked.password, new=asked.new, address=address_of(request)),
    )
    return _begin_session(request, welcome)


@router.post("/api/people/{account}/pin", openapi_extra=body(PinBody), responses=_SIGNED)
async def pin(request: Request, account: str) -> Response:
    """Change one's own PIN."""
    visitor = await require_visitor(request)
    asked = await read_body(request, PinBody)
    require_own(visitor, account)
    desk = services_of(request).desk
    done = await in_thread(
        request, lambda: desk.set_pin(by=account, password=asked.password, pin=asked.pin, address=address_of(request))
    )
    return json_response({"sequence": done.sequence, "head": done.head})


def require_own(visitor: Visitor, account: str) -> None:
    """Raise Denied if an account is not the visitor's own."""
    if visitor.account != account:
        why = "only the account's own holder sets its password and PIN; make them an invitation instead"
        raise denial(403, why, "duties")

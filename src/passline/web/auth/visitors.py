"""Who sends a request: by the cookie of a page, or by the token of a program."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Collection

from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from passline.people.roles import in_order
from passline.people.sessions import SESSION_SECONDS, Session, Welcome
from passline.web.server.responses import denied
from passline.web.server.services import services_of

__all__ = [
    "COOKIE",
    "SAFE_METHODS",
    "Visitor",
    "address_of",
    "give_cookie",
    "is_same_origin",
    "must_be",
    "must_have",
    "token_of",
    "visitor_of",
]

COOKIE = "passline"
"""The name of the cookie that holds a session's token."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""What a request may say that changes nothing."""


class Visitor(Struct, frozen=True):
    """Somebody who is logged in."""

    account: str
    name: str
    roles: tuple[str, ...]
    csrf: str
    is_guest: bool = False
    is_employee: bool = False
    token: str = ""

    def may(self, roles: Collection[str]) -> bool:
        """Whether they have one of these roles."""
        return not set(roles).isdisjoint(self.roles)


def token_of(connection: HTTPConnection) -> tuple[str, bool]:
    """Give the token of a request, and whether a browser sent it by itself, so that another site could have made it."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return connection.cookies.get(COOKIE, ""), True


async def visitor_of(connection: HTTPConnection) -> Visitor | None:
    """Give who sent a request, if they are logged in; a change asked for by another site's page is refused."""
    token, is_cookie = token_of(connection)
    if not token:
        return None
    session = await asyncio.to_thread(services_of(connection).desk.session_of, token)
    if session is None:
        return None
    if is_cookie and isinstance(connection, Request) and connection.method not in SAFE_METHODS:
        given = connection.headers.get("x-csrf", "")
        if not hmac.compare_digest(given.encode(), session.csrf.encode()):
            raise denied(403, "the header X-CSRF is missing or wrong; load the page again", "site")
    return visitor_from(session, token)


def visitor_from(session: Session, token: str) -> Visitor:
    """Give a session's person."""
    account = session.account
    return Visitor(
        account=account.id,
        name=account.name,
        roles=in_order(account.roles),
        csrf=session.csrf,
        is_guest=account.is_guest,
        is_employee=account.is_employee,
        token=token,
    )


async def must_be(request: HTTPConnection, roles: Collection[str] = ()) -> Visitor:
    """Give who sent a request, who must be logged in and have one of these roles; without any, any will do."""
    visitor = await visitor_of(request)
    if visitor is None:
        raise denied(401, "log in first", "duties")
    if roles and not visitor.may(roles):
        wanted = " or ".join(in_order(roles))
        raise denied(403, f"this is for the {wanted}; {visitor.name} is {', '.join(visitor.roles)}", "duties")
    return visitor


def must_have(visitor: Visitor, role: str) -> None:
    """Refuse somebody who would act in a role that is not theirs."""
    if role not in visitor.roles:
        raise denied(403, f"{visitor.name} is no {role[:40]}; their roles: {', '.join(visitor.roles)}", "duties")


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether a websocket was asked for by a page of this server, or by a program, which says no origin."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2] == connection.headers.get("host", "")


def address_of(connection: HTTPConnection) -> str:
    """Give the address a request came from."""
    return connection.client.host if connection.client else ""


def give_cookie(response: Response, welcome: Welcome, *, is_secure: bool) -> None:
    """Have the browser keep a session's token where no script can read it."""
    response.set_cookie(
        COOKIE,
        welcome.token,
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=is_secure,
        path="/",
    )

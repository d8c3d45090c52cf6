"""Who sends a request, by the cookie of a page or the token of a program."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable

from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from passline.authority.duties import may_not, may_not_act_as, role_list
from passline.authority.roles import VISITOR, in_order
from passline.people.sessions import DEVICE_SECONDS, SESSION_SECONDS, Session, Welcome
from passline.web.duties import LOGGED_IN, ROUTES, readers_at
from passline.web.server.gate import recognise
from passline.web.server.responses import Denied, denial
from passline.web.server.services import services_of

COOKIE = "passline"
"""The name of the cookie that holds a session's token."""
DEVICE_COOKIE = "passline-device"
"""The name of the cookie by which a device is known at its next log-in. It opens nothing."""
LOG_IN_PATH = "/api/log-in"
"""Where one logs in: the only place to which a browser sends the device's cookie."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods of requests that change nothing."""


class Visitor(Struct, frozen=True):
    """The person behind a request, who is logged in."""

    account: str
    name: str
    roles: tuple[str, ...]
    csrf: str
    is_guest: bool = False
    is_employee: bool = False
    token: str = ""

    def may(self, roles: Collection[str]) -> bool:
        """Return whether the visitor has one of these roles, or they are everybody's who is logged in."""
        return LOGGED_IN in roles or not set(roles).isdisjoint(self.roles)


def token_of(connection: HTTPConnection) -> tuple[str, bool]:
    """Return the token of a request, and whether it came as a cookie, which a browser also sends for other sites."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip(), False
    return connection.cookies.get(COOKIE, ""), True


async def visitor_of(connection: HTTPConnection) -> Visitor | None:
    """Return who sent a request, or None if they are not logged in. Raise Denied if the CSRF token is wrong."""
    token, is_cookie = token_of(connection)
    services = services_of(connection)
    if not token or not services.desk.is_token(token):  # a made-up one is refused without a look into the database
        return None
    session = await services.pools.sessions.run(lambda: services.desk.session_of(token))
    if session is None:
        return None
    recognise(connection, token)
    if is_cookie and isinstance(connection, Request) and connection.method not in SAFE_METHODS:
        given = connection.headers.get("x-csrf", "")
        if not hmac.compare_digest(given.encode(), session.csrf.encode()):
            raise denial(403, "the header X-CSRF is missing or wrong; load the page again", "site")
    return visitor_from(session, token)


def visitor_from(session: Session, token: str) -> Visitor:
    """Return the person of a session."""
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


def unfit_request(request: HTTPConnection, visitor: Visitor, what: str) -> str:
    """Return why somebody may not send a request, by the row of its route, or an empty string."""
    path = request.scope["route"].path
    method = request.scope.get("method", "GET").replace("HEAD", "GET")
    by = ROUTES[f"{method} {path}"].by
    return "" if visitor.may(by) else may_not(role_list(visitor.roles), what, in_order(by))


async def require_visitor(request: HTTPConnection) -> Visitor:
    """Return who sent a request. Raise Denied if they are not logged in, or may not send it."""
    visitor = await visitor_of(request)
    if visitor is None:
        raise _log_in_first()
    if why := unfit_request(request, visitor, f"use {request.scope['route'].path}"):
        services_of(request).desk.note("request", visitor.account, address_of(request))
        raise denial(403, why, "duties")
    return visitor


async def stranger_denial(connection: HTTPConnection) -> Denied | None:
    """Return the refusal of a stranger where only somebody logged in is answered, or None.

    Whoever is not logged in learns nothing else about their request: not how a path, a query or a body is written.
    """
    by = readers_at(connection.scope["method"], connection.scope["path"])
    if not by or VISITOR in by or await visitor_of(HTTPConnection(connection.scope)) is not None:
        return None
    return _log_in_first()


def _log_in_first() -> Denied:
    return denial(401, "log in first", "duties")


def require_role(visitor: Visitor, role: str) -> None:
    """Raise Denied if the visitor does not have the role they want to act in."""
    if role not in visitor.roles:
        raise denial(403, may_not_act_as(visitor.name, role, visitor.roles), "duties")


def role_for(visitor: Visitor, asked: str, order: Iterable[str], otherwise: str = "") -> str:
    """Return the role in which somebody acts: the one they ask for, the first of these that they have, or another.

    Raise Denied if they ask for a role that they do not have.
    """
    if asked:
        require_role(visitor, asked)
        return asked
    return next((role for role in order if role in visitor.roles), otherwise)


def is_same_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from a page of this server, or from a program, which sends no origin."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2] == connection.headers.get("host", "")


def address_of(connection: HTTPConnection) -> str:
    """Return the address a request came from: behind a proxy that the owner named, the one it tells of."""
    return connection.client.host if connection.client else ""


def set_session_cookie(response: Response, welcome: Welcome, *, is_secure: bool) -> None:
    """Set the session's token, and the device's, as cookies that no script can read."""
    response.set_cookie(
        COOKIE, welcome.token, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=is_secure, path="/"
    )
    response.set_cookie(
        DEVICE_COOKIE,
        welcome.device,
        max_age=DEVICE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=is_secure,
        path=LOG_IN_PATH,
    )

"""Checks of every request before a route sees it: host, origin, content type and length.

A page of another site can make a browser send requests here. But it is refused under a host name that is not ours, its
browser always sends its origin, and it cannot send JSON without a preflight.
"""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from ipaddress import ip_address

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.web.auth.visitors import SAFE_METHODS, is_same_origin, stranger_denial
from passline.web.server.responses import DOCUMENTS, Denied, body_max, denial, refusals_response, too_long

_POLICY = 1008  # the close code of a websocket that is refused
_DOCUMENT = "application/octet-stream"  # which a page of another site cannot send without a preflight either
_PRIVATE = ("/api/", "/invitations/")  # responses that no proxy may cache


def is_own_host(header: str, hosts: Collection[str]) -> bool:
    """Return whether a Host header names this server: an address, localhost, or one of `hosts`.

    >>> [is_own_host(host, {"craps.example"}) for host in ("127.0.0.1:8000", "[::1]", "localhost:80", "Craps.example")]
    [True, True, True, True]
    >>> [is_own_host(host, ()) for host in ("evil.example", "127.0.0.1.evil.example:8000", "")]
    [False, False, False]
    """
    name = header.rpartition(":")[0] if header.rpartition(":")[2].isdecimal() and not header.endswith("]") else header
    name = name.lower().rstrip(".")
    if name == "localhost" or name in hosts:
        return True
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True  # unlike a name, an address cannot be pointed at this machine by another site


class Guard:
    """Middleware that refuses requests of other sites. `hosts` are the names of this server; None allows any."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        self.app = app
        self.hosts = None if hosts is None else frozenset(name.lower() for name in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one websocket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refused = self._refusal_of(HTTPConnection(scope))
        if scope["type"] == "websocket":
            if refused:
                await send({"type": "websocket.close", "code": _POLICY, "reason": str(refused)[:120]})
            else:
                await self.app(scope, receive, send)
        elif refused:
            if refused.status == HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
                refused = await stranger_denial(HTTPConnection(scope)) or refused
            await refusals_response(refused)(scope, receive, send)
        else:
            await self._handle_limited(scope, receive, send)

    def _refusal_of(self, connection: HTTPConnection) -> Denied | None:
        headers, scope = connection.headers, connection.scope
        if self.hosts is not None and not is_own_host(headers.get("host", ""), self.hosts):
            why = "this server does not go by that host name; start it with --name and the name by which it is reached"
            return denial(421, why, "site")
        is_change = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if is_change and not is_same_origin(connection):
            return denial(403, "the request comes from a page of another site; open it on this server", "site")
        if scope["type"] == "websocket":
            return None
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()):
            return denial(400, "Content-Length is not a number")
        most = body_max(scope["path"])
        if len(length) > len(str(most)) or int(length) > most:
            return too_long(most)
        has_body = int(length) > 0 or "transfer-encoding" in headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if is_change and has_body and scope["path"] == DOCUMENTS:
            if kind != _DOCUMENT:
                return denial(415, f"a document is sent as it is: with Content-Type: {_DOCUMENT}")
        elif is_change and has_body and kind != "application/json":
            return denial(415, "the body must be JSON: send it with Content-Type: application/json")
        return None

    async def _handle_limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, but stop reading if its body is too long, and forbid caching where it is private."""
        read, is_answered, most = 0, False, body_max(scope["path"])

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLong
            return message

        async def send_private(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                is_answered = True
                if scope["path"].startswith(_PRIVATE):
                    named = {name.lower() for name, _ in message["headers"]}
                    added = [] if b"cache-control" in named else [(b"cache-control", b"no-store")]
                    message["headers"] = [*message["headers"], *added]
            await send(message)

        try:
            await self.app(scope, receive_limited, send_private)
        except _TooLong:
            if is_answered:
                raise
            await refusals_response(too_long(most))(scope, receive, send_private)


class _TooLong(Exception):
    pass

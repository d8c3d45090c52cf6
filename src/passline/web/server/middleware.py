"""What surrounds every request: an id, a log line, a count, and security headers."""

from __future__ import annotations

import re
from secrets import token_hex
from time import perf_counter

import structlog
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passline.web.server.logs import logger
from passline.web.server.metrics import Metrics
from passline.web.server.responses import denial, refusals_response

_REQUEST_ID = re.compile(rb"[\w.-]{1,64}")
_QUIET = frozenset({"/health", "/health/live", "/health/ready"})  # polled every few seconds, and not logged
_BROKEN_OFF = 499  # nobody gets it: whoever sent the request was gone before it was whole
_UNLOGGED = "/api/office/{name}/compliance"  # that something was written there says that there is a matter
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""What a page may load and run: what this server serves, and nothing that is written into it."""
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),  # for browsers that do not know frame-ancestors
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    (b"content-security-policy", POLICY.encode()),
)
_SECURE = (*_HEADERS, (b"strict-transport-security", b"max-age=31536000"))


class RequestMiddleware:
    """The outermost layer. It is written against ASGI itself to cost little."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or one websocket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        with structlog.contextvars.bound_contextvars(request=request_id):
            if scope["type"] == "http":
                await self._http(scope, receive, send, request_id)
            else:
                await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        begun, status = perf_counter(), 0
        headers = _SECURE if scope["scheme"] == "https" else _HEADERS

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = {name.lower() for name, _ in message["headers"]}
                added = [header for header in headers if header[0] not in named]
                message["headers"] = [*message["headers"], *added, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            await self.app(scope, receive, send_marked)
        except ClientDisconnect:
            status = _BROKEN_OFF
        except Exception:
            logger().exception("a request failed by a fault of the server", method=scope["method"], route=_route(scope))
            if status:
                raise
            why = f"the server has a fault; tell its operator the id of the request, {request_id}"
            await refusals_response(denial(500, why))(scope, receive, send_marked)
        self.metrics.requests.labels(status).inc()
        is_quiet = scope["path"] in _QUIET or scope["path"].startswith("/static/")
        if not is_quiet and not _route(scope).startswith(_UNLOGGED):
            milliseconds = round((perf_counter() - begun) * 1000, 1)
            what = "a request that was broken off" if status == _BROKEN_OFF else "request"
            logger().info(what, method=scope["method"], route=_route(scope), status=status, ms=milliseconds)


def _request_id(scope: Scope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"")
    return given.decode() if _REQUEST_ID.fullmatch(given) else token_hex(8)


def _route(scope: Scope) -> str:
    """Return the route's pattern, not the path, which may hold the token of an invitation."""
    return getattr(scope.get("route"), "path", "(none)")

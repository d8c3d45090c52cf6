"""The checks of every request before a route sees it."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from passline.web.auth.guard import Guard, _TooLong
from passline.web.server.responses import BODY_MAX
from tests.web.server import ADDRESS, Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(hosts=("craps.example",)) as running:
        yield running


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 401),
        ("localhost:8000", 401),
        ("[::1]:8000", 401),
        ("192.168.1.20", 401),
        ("craps.example", 401),
        ("CRAPS.example:443", 401),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8000", 421),
        ("", 421),
        ("\xe9", 421),
    ],
)
def test_a_foreign_host_name_is_refused(server: Server, host: str, status: int) -> None:
    """DNS rebinding: evil.example, pointed at this machine, would otherwise be of the same origin."""
    assert server.page.get("/api/me", host=host.encode("latin-1")).status_code == status  # type: ignore[arg-type]


def test_any_host_name_is_allowed_if_none_is_configured() -> None:
    with serving(hosts=None) as server:
        assert server.page.get("/api/me", host="any.example").status_code == 401


def test_a_body_that_is_too_long_is_not_read(server: Server) -> None:
    headers = {"content-type": "application/json", "origin": ADDRESS}
    long = b'"' + b"a" * BODY_MAX + b'"'
    announced = server.page.client.post("/api/log-in", content=long, headers=headers)
    assert announced.status_code == 413

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(long), 1000):
            yield long[start : start + 1000]

    streamed = server.page.client.post("/api/log-in", content=chunks(), headers=headers)
    assert streamed.status_code == 413
    assert "at most 65536 bytes" in streamed.json()["refusals"][0]["why"]
    for wrong in ("-1", "1e3", "9" * 400, "\u0663"):
        sent = headers | {"content-length": wrong}
        encoded = [(name.encode(), value.encode()) for name, value in sent.items()]
        assert asyncio.run(_status(server, encoded)) in {400, 413}


async def _status(server: Server, headers: list[tuple[bytes, bytes]]) -> int:
    """Call the application directly, with headers that no client would send."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/log-in",
        "raw_path": b"/api/log-in",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8000"), *headers],
        "scheme": "http",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
        "http_version": "1.1",
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await server.app(scope, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize("path", ["/api/me", "/health", "/static/base.css", "/no-such-page", "/log-in"])
def test_every_response_has_security_headers(server: Server, path: str) -> None:
    headers = server.page.get(path).headers
    assert len(headers.get_list("content-security-policy")) == 1
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "script-src" not in policy, "scripts fall under default-src: ours, from files, none inline"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_private_responses_are_not_cached(server: Server) -> None:
    assert server.page.get("/api/me").headers["cache-control"] == "no-store"
    assert server.page.get("/api/invitations/x").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:9000"])
def test_a_websocket_from_a_page_of_another_site_is_closed(server: Server, origin: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        server.page.client.websocket_connect("/api/tables/any/live", headers={"origin": origin, "host": "localhost"}),
    ):
        pass
    assert closed.value.code == 1008


def test_a_websocket_to_a_foreign_host_name_is_closed(server: Server) -> None:
    headers = {"origin": "http://evil.example", "host": "evil.example"}
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        server.page.client.websocket_connect("/api/tables/any/live", headers=headers),
    ):
        pass
    assert closed.value.code == 1008


def test_a_body_that_becomes_too_long_after_the_response_began_is_cut_off() -> None:
    """A response that began cannot be withdrawn: the connection breaks instead."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await receive()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"a" * (BODY_MAX + 1), "more_body": False}

    async def send(_message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    with pytest.raises(_TooLong):
        asyncio.run(Guard(app)(scope, receive, send))

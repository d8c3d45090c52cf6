"""Strangers: whoever is not logged in is told that before anything else, and breaking off a request tells little."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.authority.roles import VISITOR
from passline.web.duties import ROUTES, readers_at
from tests.serving import serving as process_serving
from tests.waiting import wait_until
from tests.web.hostile.routes import walk_routes
from tests.web.server import ADDRESS, Server, serving

BROKEN_REQUEST = (
    "POST /api/log-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n"
)
BODIES = ((b"", ""), (b"a=b", "text/plain"), (b"[", "application/json"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def _requests(server: Server) -> Iterator[tuple[str, str]]:
    """Yield the method and the route of every request of the API, and of the pages that take a body."""
    described = server.app.openapi()["paths"]
    for path, methods in described.items():
        yield from ((method.upper(), path) for method in methods)
    for route in walk_routes(server.app.routes):
        if "POST" in (getattr(route, "methods", None) or ()) and route.path not in described:
            yield "POST", route.path


def test_strangers_are_told_to_log_in_before_their_request_is_looked_at(server: Server) -> None:
    """Neither the kind of a body (415), nor its form or that of an address (400, 422), is told to a stranger."""
    faults, tried = [], 0
    for method, route in _requests(server):
        if VISITOR in ROUTES[f"{method} {route}"].by:
            continue
        for name in ("maryland", "%2B"):
            path = re.sub(r"\{[^}]*\}", name, route)
            for body, kind in BODIES if method == "POST" else BODIES[:1]:
                headers = {"content-type": kind} if kind else {}
                asked = f"{path}?day=yesterday&limit=many&format=odt&after=x" if method == "GET" else path
                answer = server.page.client.request(method, asked, content=body, headers=headers)
                tried += 1
                if answer.status_code != 401:
                    faults.append(f"{method} {asked[:90]} {kind}: {answer.status_code}")
    assert not faults, "\n".join(faults)
    assert tried > 150


def test_a_row_is_found_by_the_address_of_every_route() -> None:
    for row, duty in ROUTES.items():
        method, _, path = row.partition(" ")
        assert readers_at(method, re.sub(r"\{(\w+)(:path)?\}", r"some-\1", path)) == duty.by, row


def test_whoever_is_logged_in_is_told_what_is_wrong_with_the_request(server: Server) -> None:
    ann = server.browser()
    assert ann.post("/api/register", {"name": "Ann", "password": "correct horse battery"}).status_code == 201
    sent = {"origin": ADDRESS, "x-csrf": ann.csrf, "content-type": "text/plain"}
    assert ann.client.post("/api/people", content=b"a=b", headers=sent).status_code == 415


def test_a_request_that_is_broken_off_leaves_one_line_in_the_log(tmp_path: Path) -> None:
    """Twice: once the rest of a body never comes, once the connection is reset."""
    with process_serving(tmp_path / "house") as running:
        port = int(running.address.rpartition(":")[2])
        for linger in (False, True):
            with socket.create_connection(("127.0.0.1", port)) as stranger:
                stranger.sendall(BROKEN_REQUEST.encode() + b'{"name": "An')
                if linger:
                    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        errors = tmp_path / "house.err"

        def lines() -> list[dict[str, object]]:
            return [json.loads(line) for line in errors.read_text(encoding="utf-8").splitlines()]

        wait_until(lambda: sum("/api/log-in" in str(line) for line in lines()) >= 2)
    said = [line for line in lines() if line.get("route") == "/api/log-in"]
    assert [(line["event"], line["status"], line["level"]) for line in said] == [
        ("a request that was broken off", 499, "info")
    ] * 2
    assert "Traceback" not in errors.read_text(encoding="utf-8")

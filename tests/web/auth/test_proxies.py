"""X-Forwarded-For is believed only from proxies that the owner named."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from passline.web.auth.proxies import Proxies, proxy_networks
from passline.web.auth.visitors import address_of
from tests.people.house import PASSWORD, WRONG
from tests.web.server import ADDRESS, Server, serving


async def _told(scope: dict, receive: object, send: object) -> None:  # type: ignore[type-arg]
    request = Request(scope)
    response: Response = PlainTextResponse(f"{address_of(request)} {request.url.scheme}")
    await response(scope, receive, send)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("client", "forwarded", "says"),
    [
        ("203.0.113.9", "192.0.2.1", "203.0.113.9 http"),
        ("10.0.0.5", "192.0.2.1", "192.0.2.1 https"),
        ("10.0.0.5", "8.8.8.8, 192.0.2.1", "192.0.2.1 https"),
        ("10.0.0.5", "192.0.2.1, 10.0.0.6", "192.0.2.1 https"),
        ("10.0.0.5", "192.0.2.1, rubbish", "10.0.0.5 https"),
        ("10.0.0.5", "", "10.0.0.5 https"),
        ("10.0.0.5", "10.0.0.7", "10.0.0.7 https"),
        ("::ffff:10.0.0.5", "2001:db8::1", "2001:db8::1 https"),
        ("testclient", "192.0.2.1", "testclient http"),
    ],
)
def test_an_address_is_taken_only_from_a_named_proxy(client: str, forwarded: str, says: str) -> None:
    app = Proxies(_told, proxy_networks(["10.0.0.0/8"]))  # type: ignore[arg-type]
    headers = {"x-forwarded-for": forwarded, "x-forwarded-proto": "https"}

    async def asked() -> str:
        transport = httpx.ASGITransport(app, client=(client, 5000))
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as page:
            return (await page.get("/", headers=headers)).text

    assert asyncio.run(asked()) == says


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def test_a_stranger_does_not_shed_a_wait_by_a_header_of_their_own(server: Server) -> None:
    """Attack: a new X-Forwarded-For with every wrong password."""
    server.owner()
    body = {"name": "Olga", "password": WRONG}
    tried = [server.page.post("/api/log-in", body, **{"x-forwarded-for": f"192.0.2.{n}"}).status_code for n in range(9)]
    assert tried == [401] * 5 + [429] * 4


def test_a_device_that_logged_in_before_is_known_by_its_cookie(server: Server) -> None:
    server.owner()
    known, stranger = server.browser(), server.browser()
    assert known.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).status_code == 200
    for _ in range(6):
        last = stranger.post("/api/log-in", {"name": "Olga", "password": WRONG})
    assert last.status_code == 429
    assert stranger.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).status_code == 429, "the same address"
    assert known.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).status_code == 200
    cookie = known.client.cookies.jar
    (device,) = [one for one in cookie if one.name == "passline-device"]
    assert device.path == "/api/log-in"
    assert device.has_nonstandard_attr("HttpOnly")


def test_wrong_passwords_from_many_addresses_behind_a_proxy_meet_a_delay(server: Server) -> None:
    """Attack: 24 wrong passwords, each from another address, and all of them true."""
    server.owner()
    app = Proxies(server.app, proxy_networks(["10.0.0.0/8"]))
    body = {"name": "Olga", "password": WRONG}

    async def tried() -> list[int]:
        transport = httpx.ASGITransport(app, client=("10.0.0.5", 5000))
        async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as page:
            sent = [{"x-forwarded-for": f"203.0.113.{number}", "origin": ADDRESS} for number in range(24)]
            return [(await page.post("/api/log-in", json=body, headers=headers)).status_code for headers in sent]

    assert asyncio.run(tried()) == [401] * 10 + [429] * 14
    at_home = server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD})
    assert at_home.status_code == 429, "an address that was never right waits for its turn"
    assert int(at_home.headers["retry-after"]) <= 30
    server.clock.move(30)
    assert server.page.post("/api/log-in", {"name": "Olga", "password": PASSWORD}).status_code == 200

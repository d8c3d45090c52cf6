"""Attackers for `./x bench flood`, in a process of their own: log-ins, hostile bodies, half-open requests, readers.

Each runs until its standard input closes, and then prints what it got as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import threading
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import msgspec
import uvloop

from passline.web.api.tables import OpenBody
from passline.web.api.tournaments import TournamentBody
from passline.web.uploads.questions import FilledIn, HouseText, PlanText, TypedHouse
from tests.web.hostile.bodies import worst_bodies_for

READY = "ready"
LOG_INS = 40  # parallel log-ins
SENDERS = 8  # who send hostile bodies at the same time
PROXY = "127.0.0.2"
"""The address from which log-ins come, each for another one, as a proxy sends them."""
HELD = 1_500  # connections that an attacker tries to hold
READERS = 4  # who read records at the same time
_AGAIN_SECONDS = 0.005  # between two tries after the first round
_KEY = b64encode(bytes(16)).decode()
_NICE = 5  # attackers have machines of their own: they should not take the server's processor here
_TABLE = "long-0"
_PAGES = (
    "/api/log/head",
    "/api/log?after=0&limit=100",
    "/api/people",
    "/api/tables",
    "/api/records?kind=activity",
    "/api/records?kind=disputes",
    f"/api/tables/{_TABLE}/hands",
    f"/api/tables/{_TABLE}/ledger",
    "/regulator",
)

_TAKING: dict[str, Any] = {
    "/elections/read": HouseText,
    "/elections/check": FilledIn,
    "/house/check": TypedHouse,
    "/api/tournaments/check": PlanText,
    "/api/tournaments/commands": TournamentBody,
    "/api/tables": OpenBody,
}
"""Routes whose bodies cost most, and what they take."""

_Got = Counter[str]


async def _log_ins(base: str, _tokens: list[str], got: _Got) -> None:
    """Log in as people whom nobody knows, many at a time, each time from another address."""
    addresses = (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in range(2**24))

    async def again(client: httpx.AsyncClient) -> None:
        while True:
            body = {"name": f"Nobody {uuid4().hex[:8]}", "password": "not the password"}
            with suppress(httpx.HTTPError):
                answer = await client.post("/api/log-in", json=body, headers={"X-Forwarded-For": next(addresses)})
                got[str(answer.status_code)] += 1

    proxy = httpx.AsyncHTTPTransport(local_address=PROXY)
    async with (
        httpx.AsyncClient(base_url=base, timeout=60, transport=proxy) as client,
        asyncio.TaskGroup() as tasks,
    ):
        for _ in range(LOG_INS):
            tasks.create_task(again(client))


async def _hostile(base: str, tokens: list[str], got: _Got) -> None:
    """Send bodies that are slow to read, as the owner of the house."""
    chance, sent = random.Random(7), []
    for path, kind in _TAKING.items():
        [schema], named = msgspec.json.schema_components([kind], ref_template="#/{name}")
        sent += [(path, body) for body in worst_bodies_for(schema, named, chance, fields=1)]

    async def again(client: httpx.AsyncClient) -> None:
        while True:
            path, body = chance.choice(sent)
            headers = {"Authorization": f"Bearer {tokens[-1]}", "Content-Type": body.kind}
            with suppress(httpx.HTTPError):
                got[str((await client.post(path, content=body.data, headers=headers)).status_code)] += 1

    async with httpx.AsyncClient(base_url=base, timeout=120) as client, asyncio.TaskGroup() as tasks:
        for _ in range(SENDERS):
            tasks.create_task(again(client))


async def _readers(base: str, tokens: list[str], got: _Got) -> None:
    """Read the regulators' pages again and again."""

    async def again(client: httpx.AsyncClient, token: str, turn: int) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        while True:
            turn += 1
            with suppress(httpx.HTTPError):
                got[str((await client.get(_PAGES[turn % len(_PAGES)], headers=headers)).status_code)] += 1

    async with httpx.AsyncClient(base_url=base, timeout=120) as client, asyncio.TaskGroup() as tasks:
        for number, token in enumerate(tokens[:READERS]):
            tasks.create_task(again(client, token, number * 2))


async def _hold(base: str, got: _Got, request: bytes, is_held: Callable[[bytes], bool]) -> None:
    """Hold as many connections as possible, each with this request; open lost ones again."""
    where = urlsplit(base)

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(where.hostname, where.port)
                got["tried"] += 1
                writer.write(request)
                answer = await reader.read(4096) if not is_held(b"") else b""
                if is_held(answer):
                    got["held"] += 1
                    while await reader.read(65536):
                        pass
                    got["held"] -= 1
                else:
                    got["refused"] += 1
                writer.close()
            await asyncio.sleep(_AGAIN_SECONDS * HELD)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(HELD):
            tasks.create_task(one())
            await asyncio.sleep(_AGAIN_SECONDS / 5)


async def _half_open(base: str, _tokens: list[str], got: _Got) -> None:
    """Hold requests that never end."""
    await _hold(base, got, b"POST /api/log-in HTTP/1.1\r\nHost: localhost\r\nX: ", lambda _answer: True)


async def _idle(base: str, _tokens: list[str], got: _Got) -> None:
    """Hold websockets of people who are not logged in."""
    asked = (
        "GET /api/tables/bench-1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {_KEY}\r\n\r\n"
    )
    await _hold(base, got, asked.encode(), lambda answer: answer.startswith(b"HTTP/1.1 101"))


ATTACKS: dict[str, Callable[[str, list[str], _Got], Coroutine[None, None, None]]] = {
    "log-ins": _log_ins,
    "hostile bodies": _hostile,
    "half-open": _half_open,
    "readers": _readers,
    "idle websockets": _idle,
}
"""The attacks by name."""


async def _attack(name: str, base: str, *tokens: str) -> None:
    got: _Got = Counter()
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), loop.call_soon_threadsafe(ended.set)), daemon=True).start()
    attacking = asyncio.create_task(ATTACKS[name](base, list(tokens), got))
    await asyncio.sleep(3.0)
    print(READY, flush=True)
    await ended.wait()
    print(json.dumps(+got), flush=True)
    attacking.cancel()


def main() -> None:
    """Attack as the arguments say: the attack, the server's address, the tokens of regulators and the owner."""
    os.nice(_NICE)
    uvloop.run(_attack(*sys.argv[1:]))
    os._exit(0)  # without closing 1,500 connections one by one


if __name__ == "__main__":
    main()

"""A server that is killed again and again while people play, and the answers that they received."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing.connection
import os
import random
import signal
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol
from uuid import uuid4

import httpx
import msgspec
import uvicorn
from argon2 import PasswordHasher
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.store.data_folder import open_log
from passline.store.entry import LogRow
from passline.store.timestamps import utc_now
from passline.store.verify import verify_log
from passline.tournament.verify import log_faults
from passline.web.app import create_app
from passline.web.startup import Settings, prepare, services_for
from tests.forks import FORKS, begin_fork

TABLE = "maryland-1"
_UNTOLD = 255  # the fork server was cut off in a request by the same kill, and cannot tell
_IN_PLAY, _WAITS_MAX = 0.8, 2_000  # of kills on a slow machine; and for how many hundredths of a second they wait
_WAGERS = [("pass", 0, 10_00), ("place_win", 6, 12_00), ("place_win", 8, 6_00), ("field", 0, 5_00), ("come", 0, 5_00)]


class Witness(Protocol):
    """Somebody who was told what became of their commands."""

    account: str
    answers: dict[str, dict[str, Any]]  # by command id


class Player:
    """A player with a session, the answers to their commands, and the commands without an answer."""

    def __init__(self, account: str, token: str, seat: int) -> None:
        self.account, self.token, self.seat = account, token, seat
        self.answers: dict[str, dict[str, Any]] = {}  # by command id
        self.waiting: dict[str, dict[str, Any]] = {}  # commands by id, to be sent again after a crash

    async def play(self, port: int, chance: random.Random) -> None:
        """Connect, send unanswered commands again, then play until the server is gone."""
        uri = f"ws://127.0.0.1:{port}/api/tables/{TABLE}/live"
        headers = {"Authorization": f"Bearer {self.token}"}
        with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake, EOFError):
            async with connect(uri, additional_headers=headers, max_size=None) as screen:
                for id_, command in list(self.waiting.items()):
                    await screen.send(msgspec.json.encode({"id": id_, "command": command}).decode())
                while True:
                    if len(self.waiting) < 5:
                        await self._send(screen, chance)
                    self._receive(msgspec.json.decode(await screen.recv()))

    async def _send(self, screen: ClientConnection, chance: random.Random) -> None:
        id_ = uuid4().hex
        self.waiting[id_] = command = self._command(chance)
        await screen.send(msgspec.json.encode({"id": id_, "command": command}).decode())

    def _command(self, chance: random.Random) -> dict[str, Any]:
        act = chance.random()
        if not self.answers or act < 0.05:
            return {"command": "buy-in", "seat": self.seat, "cents": 500_00}
        if act < 0.15:
            return {"command": "accept-dice", "seat": self.seat}
        if act < 0.4:
            return {"command": "roll", "seat": self.seat}
        wager, number, cents = chance.choice(_WAGERS)
        if act < 0.5:
            return {"command": "remove-wager", "seat": self.seat, "wager": wager, "number": number}
        return {"command": "make-wager", "seat": self.seat, "wager": wager, "number": number, "cents": cents}

    def _receive(self, message: dict[str, Any]) -> None:
        if message["kind"] in {"done", "refused"}:
            self.answers[message["id"]] = message
            self.waiting.pop(message["id"], None)


def seated_house(settings: Settings, players: int) -> list[Player]:
    """Create a log with a table and players who have sessions; each will take a seat."""
    prepare(settings)
    log = open_log(settings.data, settings.database)
    desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    found = []
    for seat in range(1, players + 1):
        welcome = desk.register(name=f"Player {seat}", password=f"correct horse {seat}")
        assert isinstance(welcome, Welcome)
        player = Player(welcome.session.account.id, welcome.token, seat)
        player.waiting[uuid4().hex] = {"command": "take-seat", "seat": seat}
        found.append(player)
    log.close()
    return found


def serve_until_killed(settings: Settings, parent: multiprocessing.connection.Connection) -> None:
    """Run a server, sending its port first: from then on it may be killed at any moment."""
    begin_fork()
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(services_for(settings)), log_config=None, access_log=False, ws="websockets-sansio", lifespan="on"
    )
    parent.send(listening.getsockname()[1])
    uvicorn.Server(config).run(sockets=[listening])


class KilledServer(Struct):
    """A server of a house on disk that always ends by kill -9; its people's tokens outlive it."""

    settings: Settings
    tokens: dict[str, str]
    port: int = 0
    pid: int = 0

    @contextlib.contextmanager
    def served(self) -> Iterator[None]:
        """Run a server that ends by kill -9: in the block, or at its end."""
        ours, its = FORKS.Pipe()
        server = FORKS.Process(target=serve_until_killed, args=(self.settings, its), daemon=True)
        server.start()
        its.close()
        self.port, self.pid = ours.recv(), server.pid or 0
        try:
            yield
        finally:
            self.kill()
            server.join()
            ours.close()
        assert server.exitcode in {-signal.SIGKILL, _UNTOLD}

    def kill(self) -> None:
        """Kill the server."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def posts(self, by: str, path: str, body: dict[str, Any]) -> httpx.Response:
        """Send a request as somebody."""
        headers = {"Authorization": f"Bearer {self.tokens[by]}"}
        return httpx.post(f"http://127.0.0.1:{self.port}{path}", json=body, headers=headers, timeout=60)


def killed_again_and_again(
    settings: Settings, players: list[Player], *, times: int, seed: int, is_slow: bool = False
) -> None:
    """Start the server, play, and kill it at a random moment, this many times.

    On a slow machine four of five kills wait for an answer first, so that they fall into play and not into the start.
    """
    chance = random.Random(seed)
    for _ in range(times):
        ours, its = FORKS.Pipe()
        server = FORKS.Process(target=serve_until_killed, args=(settings, its), daemon=True)
        server.start()
        its.close()
        port = ours.recv()
        answers = 1 if is_slow and chance.random() < _IN_PLAY else 0
        asyncio.run(_play_and_kill(players, port, server.pid or 0, chance, answers))
        server.join()
        assert server.exitcode == -signal.SIGKILL
        ours.close()


async def _play_and_kill(players: list[Player], port: int, pid: int, chance: random.Random, answers: int) -> None:
    answers += sum(len(player.answers) for player in players)
    playing = [asyncio.create_task(player.play(port, chance)) for player in players]
    for _ in range(_WAITS_MAX):
        if sum(len(player.answers) for player in players) >= answers:
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(chance.uniform(0.0, 0.35))
    os.kill(pid, signal.SIGKILL)
    await asyncio.gather(*playing)


def check_acknowledged(settings: Settings, players: Sequence[Witness]) -> int:
    """Check that everything acknowledged is in the log once, and that the log is sound; return how much it is."""
    log = open_log(settings.data, settings.database)
    entries = list(log.read())
    head = log.head()
    log.close()
    at_tables = (one.entry for one in entries if one.entry.stream.startswith("table/"))
    logged = Counter((entry.stream, entry.actor, entry.id) for entry in at_tables)
    assert set(logged.values()) == {1}, "a command acted twice"
    by_id = {(one.entry.actor, one.entry.id): one for one in entries}
    done = 0
    for player in players:
        for id_, answer in player.answers.items():
            stored = by_id.get((player.account, id_))
            if answer["kind"] == "refused":
                assert stored is None, f"{id_} was refused and yet acted: {answer}"
                continue
            done += 1
            assert stored is not None, f"{id_} was acknowledged and is lost"
            assert stored.entry.sequence == answer["sequence"]
            told = answer["head"]
            assert entries[told["sequence"] - 1].hash.hex() == told["hash"], "an acknowledged head is not in the log"
    rows = (LogRow(one.body, one.hash, one.seal) for one in entries)
    report = verify_log(rows, log.public_key, head, every_seal=True)
    assert report.is_intact, report.faults[:5]
    faults = list(log_faults(entries))
    assert not faults, faults[:5]
    return done

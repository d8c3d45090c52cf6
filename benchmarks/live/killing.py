"""A house under load whose processes are killed, one after another: how long each table was silent, and what was told.

Players at several tables send command after command, connect again whenever they are cut off, and send again what was
not answered, as a page does. A table is silent from one answer at it to the next.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from hashlib import sha256
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any
from uuid import uuid4
from zlib import crc32

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benchmarks.live.house import Guest

KINDS = {
    "server": "a process that serves tables",
    "commits": "the process that writes the log",
    "views": "the process that writes what pages show",
    "tracker": "Python's own process beside the others",
    "all": "the process that starts the others; whoever supervises it starts it again",
    "single": "the only process, of serve without --workers; whoever supervises it starts it again",
}
"""The processes of a house that are killed."""
IMPORT = "import passline.web.app"
_WAGERS = (("field", 0, 5_00), ("any_seven", 0, 4_00), ("place_win", 6, 6_00), ("pass", 0, 5_00))
_THINK_SECONDS = 0.03, 0.15  # between an answer and the next command of a player
_AGAIN_SECONDS = 0.05  # before a player connects again, or asks again what became of a command
_ANSWER_SECONDS = 10.0  # after which a page connects again
_BETWEEN_SECONDS = 0.5, 1.5  # from the end of one outage to the next kill
_UP_SECONDS = 0.02  # between two looks whether a server answers
_LOOK_SECONDS = 0.1  # between two looks whether a house is whole again
_PATIENCE_SECONDS = 120.0  # for a house to recover
_STARTED = "Passline is at "


class Player:
    """A player who goes on whatever happens to the server."""

    def __init__(self, guest: Guest, chance: random.Random) -> None:
        self.account, self.table, self.seat, self._token = guest.account, guest.table, guest.seat, guest.token
        self.answers: dict[str, dict[str, Any]] = {}
        self.waiting: dict[str, dict[str, Any]] = {}
        self.answered_at: list[float] = []
        self._nonces: dict[str, str] = {}
        self._chance = chance
        for command in ({"command": "take-seat"}, {"command": "buy-in", "cents": 100_000_00}):
            self.waiting[uuid4().hex] = {**command, "seat": self.seat}

    async def play(self, base: str) -> None:
        """Play until cancelled."""
        uri = f"ws{base.removeprefix('http')}/api/tables/{self.table}/live"
        headers = {"Authorization": f"Bearer {self._token}"}
        cut_off = (ConnectionClosed, OSError, InvalidHandshake, EOFError, TimeoutError)
        while True:
            with contextlib.suppress(*cut_off):
                async with asyncio.timeout(_ANSWER_SECONDS):
                    screen = await connect(uri, additional_headers=headers, max_size=None, close_timeout=0.1)
                async with screen:
                    await self._go_on(screen)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _go_on(self, screen: ClientConnection) -> None:
        for id_, command in list(self.waiting.items()):
            await self._write(screen, {"id": id_, "command": command, "again": True})
        while True:
            if not self.waiting:
                await asyncio.sleep(self._chance.uniform(*_THINK_SECONDS))
                id_ = uuid4().hex
                self.waiting[id_] = command = self._command(id_)
                await self._write(screen, {"id": id_, "command": command})
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._hear(screen, msgspec.json.decode(await screen.recv()))

    async def _hear(self, screen: ClientConnection, message: dict[str, Any]) -> None:
        id_ = message.get("id", "")
        if message["kind"] in {"done", "refused"} and id_ in self.waiting:
            self.answers[id_] = message
            self.answered_at.append(time.monotonic())
            del self.waiting[id_]
            if message["kind"] == "done" and (nonce := self._nonces.pop(id_, "")):
                await self._write(screen, {"nonce": nonce})
        elif message["kind"] == "in-doubt" and id_ in self.waiting:
            await asyncio.sleep(_AGAIN_SECONDS)
            await self._write(screen, {"id": id_, "command": self.waiting[id_], "again": True})

    @staticmethod
    async def _write(screen: ClientConnection, message: dict[str, Any]) -> None:
        await screen.send(msgspec.json.encode(message).decode())

    def _command(self, id_: str) -> dict[str, Any]:
        act = self._chance.random()
        if act < 0.05:
            return {"command": "accept-dice", "seat": self.seat}
        if act < 0.1:
            nonce = secrets.token_bytes(32)
            self._nonces[id_] = nonce.hex()
            return {"command": "roll", "seat": self.seat, "nonce_digest": sha256(nonce).hexdigest()}
        wager, number, cents = self._chance.choice(_WAGERS)
        kind = {"command": "remove-wager"} if act < 0.3 else {"command": "make-wager", "cents": cents}
        return {**kind, "seat": self.seat, "wager": wager, "number": number}


class Outage(Struct, frozen=True):
    """What one kill did: the longest silence of tables on the killed process and of others, and until it was over."""

    on_it: float
    elsewhere: float
    up: float  # until the server answered
    back: float  # until every process was there, and everybody had an answer


class KilledHouse:
    """`passline serve` on a folder, and its processes by kind."""

    def __init__(self, data: Path, *options: str, workers: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self._options = ("--port", str(port), "--data", str(data), "--office", "elsewhere", *options)
        self._workers = workers
        self._server: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the server; return before it answers."""
        workers = ("--workers", str(self._workers)) if self._workers > 1 else ()
        command = [sys.executable, "-m", "passline", "serve", *self._options, *workers]
        self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)  # noqa: S603

    def stop(self) -> None:
        """Let the server end."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(60)

    def processes(self) -> dict[int, str]:
        """Return the processes of the house with their kind; a server process with its number, as `server 0`."""
        assert self._server is not None
        found, parents = {self._server.pid: "all" if self._workers > 1 else "single"}, dict[int, int]()
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError, ValueError):
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        for pid in sorted(parents):
            if parents[pid] in found and pid not in found:
                found[pid] = _kind_of(pid)
        return {pid: kind for pid, kind in found.items() if kind}

    async def is_whole(self, than: Iterable[int] = ()) -> bool:
        """Return whether every process is there, none of them among these, and the server answers."""
        processes, gone = self.processes(), set(than)
        kinds = sorted(kind for pid, kind in processes.items() if pid not in gone)
        needed = ["single", "views"] if self._workers == 1 else ["all", "commits", "views"]
        needed += [f"server {number}" for number in range(self._workers)] if self._workers > 1 else []
        if any(kinds.count(kind) != 1 for kind in needed):
            return False
        return await self.is_up()

    async def is_up(self) -> bool:
        """Ask for /health with as little work as possible: the players share this event loop."""
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.write(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
                status = await reader.readline()
        except (OSError, TimeoutError):
            return False
        finally:
            if writer is not None:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
        return status.split()[1:2] == [b"200"]

    def kill(self, kind: str, chance: random.Random) -> tuple[int, str]:
        """Kill a process of a kind, which may be gone already; return it with its kind and number."""
        found = [(pid, named) for pid, named in self.processes().items() if named.partition(" ")[0] == kind]
        if not found:
            return 0, kind
        pid, named = chance.choice(sorted(found))
        os.kill(pid, signal.SIGKILL)
        if self._server is not None and pid == self._server.pid:
            self._server.wait()
            self.start()
        return pid, named

    def is_on(self, table: str, killed: str) -> bool:
        """Return whether a table is served by a killed process, or cannot go on without it."""
        kind, _, number = killed.partition(" ")
        return crc32(table.encode()) % self._workers == int(number) if kind == "server" else kind in _NEEDED


_NEEDED = frozenset({"commits", "all", "single"})


def _kind_of(pid: int) -> str:
    """Return the kind of a process that a house started; nothing for one that does no part of it, or has ended."""
    folder = Path("/proc") / str(pid)
    try:
        name = (folder / "comm").read_text(encoding="utf-8").strip()
        line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
    if name == "passline-log":
        return "commits"
    if name.startswith("passline-"):
        return f"server {name.removeprefix('passline-')}"
    return "views" if "office.views.writing" in line else "tracker" if "resource_tracker" in line else ""


async def kill_again_and_again(
    house: KilledHouse, players: list[Player], kind: str, times: int, chance: random.Random, *, within: float = 0.0
) -> list[Outage]:
    """Kill processes of a kind while people play; return what each kill did. With `within`, for so many seconds."""
    outages = list[Outage]()
    end = time.monotonic() + (within or inf)
    playing = [asyncio.create_task(player.play(house.base)) for player in players]
    try:
        await _until_whole(house, players, than=())
        for number in range(1, times + 1):
            await asyncio.sleep(chance.uniform(*_BETWEEN_SECONDS))
            begun = time.monotonic()
            pid, killed = house.kill(kind, chance)
            up = await _until_whole(house, players, than=() if kind == "tracker" else (pid,)) - begun
            outages.append(_outage(house, players, killed, begun, up))
            is_last = number == times or time.monotonic() > end
            if number % 10 == 0 or is_last:
                on_it, elsewhere = max(one.on_it for one in outages), max(one.elsewhere for one in outages)
                told = f"... {number:,} kills of {kind}: silent {on_it:.2f} s on it, {elsewhere:.2f} s elsewhere"
                print(told, file=sys.stderr, flush=True)
            if is_last:
                break
    finally:
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
    for fault in ended:
        if isinstance(fault, Exception):
            raise fault
    return outages


async def _until_whole(house: KilledHouse, players: list[Player], than: Iterable[int]) -> float:
    """Wait until every process is there again, and everybody has had an answer; return when the server answered."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not await house.is_up():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(_UP_SECONDS)
        up = time.monotonic()
        while not await house.is_whole(than):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(_LOOK_SECONDS)
        since = {player: len(player.answered_at) for player in players}
        while any(len(player.answered_at) <= known for player, known in since.items()):  # noqa: ASYNC110
            await asyncio.sleep(_UP_SECONDS)
    return up


def _outage(house: KilledHouse, players: list[Player], killed: str, begun: float, up: float) -> Outage:
    now = time.monotonic()
    longest = {True: 0.0, False: 0.0}
    for table in {player.table for player in players}:
        times = sorted(moment for player in players if player.table == table for moment in player.answered_at)
        before = [moment for moment in times if moment < begun][-1:]
        after = [*before, *(moment for moment in times if moment >= begun)]
        silence = max((late - early for early, late in pairwise(after)), default=now - begun)
        is_on = house.is_on(table, killed)
        longest[is_on] = max(longest[is_on], silence)
    for player in players:
        player.answered_at = player.answered_at[-1:]
    return Outage(longest[True], longest[False], up, now - begun)


def seconds_to_import(rounds: int = 5) -> float:
    """Return how long a new process takes to import the web application, at best."""
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", IMPORT], check=True)  # noqa: S603
        taken.append(time.perf_counter() - begun)
    return min(taken)

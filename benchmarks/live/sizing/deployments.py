"""Plays full tables on servers as a casino would have them, and measures what a command costs each kind of process."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import uvloop
from msgspec import Struct

from benchmarks.live.house import PLAYERS, Guest, Process, RunningServer, made_house, processes_of, serving
from benchmarks.live.load import Played, load_of, play_screens

if TYPE_CHECKING:
    from tests.postgres import PostgresServer  # which takes an extra

Role = Literal["tables", "log", "views", "database"]
"""What a process is for."""
ROLES: tuple[Role, ...] = ("tables", "log", "views", "database")
"""All of them: those that serve tables, the one that writes the log for these, the views', and PostgreSQL's."""
Store = Literal["a file", "PostgreSQL", "a database each"]
"""Where the log is; with a database each, every server is a house of its own."""
_LOG_PROCESS = "passline-log"


class Deployment(Struct, frozen=True):
    """How many tables, on how many servers of how many processes, with which store."""

    tables: int
    servers: int = 1
    workers: int = 1
    store: Store = "a file"

    @property
    def name(self) -> str:
        """Return it in words."""
        processes = "" if self.workers == 1 else f", {self.workers} processes"
        if self.store == "a database each":
            return f"{self.tables} tables, {self.servers} houses, a database each"
        servers = "" if self.servers == 1 else f", {self.servers} servers"
        return f"{self.tables} tables{servers}{processes}, {self.store}"


class Point(Struct, frozen=True):
    """What was measured of a deployment: microseconds of processor time a command, and memory, by role."""

    deployment: Deployment
    commands: int
    rate: float  # commands a second, of all tables
    cpu: dict[Role, float]
    resident: dict[Role, float]  # megabytes at the end of the play, shared pages once
    p50: float  # milliseconds from a wager to the last screen
    p99: float
    refused: int

    @property
    def total(self) -> float:
        """Return the microseconds of all roles but the views', which come later, when there is time."""
        return sum(spent for role, spent in self.cpu.items() if role != "views")


def play(deployment: Deployment, postgres: PostgresServer, *, rolls: int, seconds: float) -> Point:
    """Play a deployment's tables for some rolls, so many seconds apart."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as closing:
        houses = [*_made(deployment, Path(folder), postgres)]
        options = ("--workers", str(deployment.workers)) if deployment.workers > 1 else ()
        servers = [
            closing.enter_context(serving(data, *options, *(("--database", url) if url else ())))
            for data, url, _ in houses
        ]

        def processes() -> Iterator[tuple[Role, Process]]:
            for server in servers:
                yield from ((_role_of(process), process) for process in processes_of(server.process.pid))
            if deployment.store != "a file":
                yield from (("database", process) for process in processes_of(postgres.process_id()))

        def look() -> dict[Role, float]:
            spent: dict[Role, float] = dict.fromkeys(ROLES, 0.0)
            for role, process in processes():
                spent[role] += process.seconds
            return spent

        shares = [(server, guests) for server, (_, _, guests) in zip(servers, houses, strict=True)]
        before, after, played = uvloop.run(_play(shares, look, rolls, seconds))
        resident: dict[Role, float] = dict.fromkeys(ROLES, 0.0)
        for role, process in processes():
            resident[role] += _resident_megabytes(process.pid)
        load = load_of(deployment.tables, played, sum(after.values()) - sum(before.values()))
    return Point(
        deployment=deployment,
        commands=load.commands,
        rate=load.commands / max(part.passed for part in played),
        cpu={role: 1e6 * (after[role] - before[role]) / load.commands for role in ROLES},
        resident=resident,
        p50=load.p50,
        p99=load.p99,
        refused=load.refused,
    )


_House = tuple[Path, str, list[Guest]]


def _made(deployment: Deployment, folder: Path, postgres: PostgresServer) -> Iterator[_House]:
    """Yield the data folder of each server, its database if it has one, and who plays there."""
    share = deployment.tables // deployment.servers
    if deployment.store == "a database each":
        for number in range(deployment.servers):
            url = postgres.database()
            yield folder / str(number), url, made_house(folder / str(number), share, url)
        return
    url = postgres.database() if deployment.store == "PostgreSQL" else ""
    first = folder / "0"
    guests = made_house(first, deployment.tables, url)
    for number in range(deployment.servers):
        data = folder / str(number)
        if data != first:
            shutil.copytree(first, data)  # the keys are the same on every machine
        yield data, url, guests[number * share * PLAYERS : (number + 1) * share * PLAYERS]


def _role_of(process: Process) -> Role:
    if process.name == _LOG_PROCESS:
        return "log"
    return "views" if "views" in process.command else "tables"


async def _play(
    shares: list[tuple[RunningServer, list[Guest]]], look: Callable[[], dict[Role, float]], rolls: int, seconds: float
) -> tuple[dict[Role, float], dict[Role, float], list[Played]]:
    """Play all shares at once; look when everybody is seated, and when everybody is through."""
    looks: list[dict[Role, float]] = []
    meeting = asyncio.Barrier(len(shares))

    async def meet() -> None:
        if await meeting.wait() == 0:
            looks.append(look())
        await meeting.wait()

    playing = [
        play_screens(server.base, guests, seed=number, rolls=rolls, seconds=seconds, at_begin=meet, at_end=meet)
        for number, (server, guests) in enumerate(shares)
    ]
    played = await asyncio.gather(*playing)
    return looks[0], looks[1], [*played]


def _resident_megabytes(pid: int) -> float:
    """Return what a process has in memory, its share of what it shares with others."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024

"""A house to measure: tables, players with sessions, and the real server that runs them."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
from argon2 import PasswordHasher
from msgspec import Struct

from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.provable_dice import DiceKeys
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import dice_secret, open_log
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Answer, Ask
from passline.tables.commands import OpenTable
from passline.tables.runtime.floor import Floor

PLAYERS = 18
PASSWORD = "correct horse battery"  # noqa: S105 - of people who do not exist
"""The password of everybody whose own does not matter."""
_BANK = 10_000_000_00
_STARTED = "Passline is at "
_TICKS = os.sysconf("SC_CLK_TCK")
_READY_SECONDS = 120.0  # for a server to have read its log
_INSTALLED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir(), "passline-bench"))}
"""The program is compiled when it is first run, as it is when it is installed: a check-out may be kept from it."""


class Guest(Struct, frozen=True):
    """A player: the table, the seat, and the token of a session."""

    table: str
    seat: int
    token: str
    account: str = ""


def made_house(data: Path, tables: int, database: str = "") -> list[Guest]:
    """Create a log with this many tables and a session for each of their players; return the players."""
    log = open_log(data, database)
    ids = asyncio.run(_open_tables(log, DiceKeys(dice_secret(data), log.log_id), tables))
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # this benchmark does not measure log-ins
    desk = FrontDesk(log, utc_now, hasher=quick, registrations=10**9)
    guests = []
    for table in ids:
        for seat in range(1, PLAYERS + 1):
            welcome = desk.register(name=f"{table} {seat}", password=f"correct horse {seat}")
            assert isinstance(welcome, Welcome)
            guests.append(Guest(table, seat, welcome.token, welcome.session.account.id))
    log.close()
    return guests


async def _open_tables(log: Log, keys: DiceKeys, tables: int) -> list[str]:
    floor = Floor(log, clock=utc_now, keys=keys)
    await floor.start()
    house = Actor("house", "The house", "owner", is_employee=True)
    ids = []
    for number in range(1, tables + 1):
        command = OpenTable(
            name=f"Bench {number}",
            house={"rules": "maryland"},
            automate=tuple(sorted(AUTOMATED)),
            buy_in="self",
            bank_cents=_BANK,
        )
        id_, answer = await floor.open(Ask(uuid4().hex, command, house))
        assert isinstance(answer, Answer), answer
        ids.append(id_)
    await floor.close()
    return ids


class RunningServer(Struct, frozen=True):
    """A server process and its address."""

    base: str
    process: subprocess.Popen[str]
    seconds: float  # from its start to its first answer

    def cpu_seconds(self) -> float:
        """Return the processor time that it and every process it started have used so far."""
        return tree_seconds(self.process.pid)


class Process(Struct, frozen=True):
    """A process: its name, its command line, and the seconds of processor time that it has used so far."""

    pid: int
    name: str
    command: str
    seconds: float


def processes_of(pid: int) -> Iterator[Process]:
    """Yield a process and every process that it started, and those that they started."""
    known = {pid}
    for folder in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):  # parents come first
        try:
            before, _, after = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended
            continue
        fields = after.split()
        if int(folder.name) in known or int(fields[1]) in known:
            known.add(int(folder.name))
            seconds = (int(fields[11]) + int(fields[12])) / _TICKS
            yield Process(int(folder.name), before.partition("(")[2], command, seconds)


def tree_seconds(pid: int) -> float:
    """Return the processor time that a process and every process it started have used so far."""
    return sum(process.seconds for process in processes_of(pid))


@contextmanager
def serving(data: Path, *options: str, program: Sequence[str] = ("-m", "passline")) -> Iterator[RunningServer]:
    """Run `passline serve` with these options on a log until the block ends.

    It begins when every process is up: a screen that came before would stay with another process than its table's, and
    show wagers up to a twentieth of a second later.
    """
    address = f"passline-bench-{uuid4().hex}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(f"\0{address}")
        told.settimeout(_READY_SECONDS)
        command = (*program, "serve", "--port", "0", "--data", str(data), "--office", "elsewhere", *options)
        with _running(*command, NOTIFY_SOCKET=f"@{address}") as server:
            begun = time.perf_counter()
            while told.recv(1024) != b"READY=1":
                pass
            while not _is_up(server.base):
                time.sleep(0.01)
            yield RunningServer(server.base, server.process, server.seconds + time.perf_counter() - begun)


def serving_bare() -> AbstractContextManager[RunningServer]:
    """Run the peer that only forwards to screens."""
    return _running("-m", "benchmarks.live.bare")


@contextmanager
def _running(*arguments: str, **environment: str) -> Iterator[RunningServer]:
    command = [sys.executable, *arguments]
    begun = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **_INSTALLED, **environment},
    )
    assert process.stdout is not None
    base = ""
    for line in process.stdout:
        if line.startswith(_STARTED):
            base = line.removeprefix(_STARTED).strip().rstrip("/")
            break
    assert base, "the server did not start"
    try:
        yield RunningServer(base, process, time.perf_counter() - begun)
    finally:
        process.terminate()
        process.wait(30)


def _is_up(base: str) -> bool:
    try:
        return httpx.get(f"{base}/health").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False

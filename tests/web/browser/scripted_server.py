"""A demo server with loaded dice and scripted players, for tests of the pages.

The dice repeat from the start when the list is used up; without any, they are real.

Loaded dice do not follow from their keys, and every page would say so: a server with loaded dice shows no proofs.

Dozens of these servers are started: each is a fork of a process that has imported everything, and makes its views in
memory. A server with a process for its views is what `tests.serving` runs.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import uvicorn

from passline.atomic_file import whole_file
from passline.dice import Roll
from passline.game.events import WagerMade
from passline.office.views.projections import projections_of
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Ask, Happened
from passline.streams.projection_runner import LogViews
from passline.tables.commands import FileApproval, OpenTable, TableCommand
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.views import table_view
from passline.web.api import history
from passline.web.app import create_app
from passline.web.demo.players import Demo
from passline.web.startup import Settings, services_for
from tests.forks import FORKS
from tests.loaded_dice import LoadedDice

_OWNER = Actor("house", "The house", "owner", is_employee=True)


class Script(msgspec.Struct, frozen=True):
    """How the dice come up, the house, and what the players do."""

    data: str
    port: int = 0  # any
    dice: tuple[str, ...] = ("2-4", "4-4", "3-4")
    house: dict[str, Any] = msgspec.field(default_factory=lambda: {"rules": "maryland"})
    physical: bool = False
    script: tuple[tuple[str, dict[str, Any]], ...] = ()  # name and command, before the first page opens
    after: tuple[tuple[str, dict[str, Any]], ...] = ()  # what they do after the first visitor has made a wager


class _Scripted(Demo):
    """A demo with one table, where only the players of the script sit."""

    def __init__(self, floor: Floor, wanted: Script) -> None:
        super().__init__(floor)
        self._wanted = wanted

    async def start(self) -> None:
        wanted = self._wanted
        opening = OpenTable(
            name="Table 1",
            house=wanted.house,
            dice="physical" if wanted.physical else "electronic",
            automate=tuple(sorted(AUTOMATED - ({"confirm"} if wanted.physical else set()))),
            buy_in="self",
            bank_cents=100_000_00,
            is_demo=True,
        )
        report = FileApproval(kind="laboratory_report", authority="laboratory", reference="L-7", date="2026-01-02")
        await self._floor.ask_house(Ask(uuid4().hex, report, _OWNER))
        table_id, answer = await self._floor.open(Ask(uuid4().hex, opening, _OWNER))
        assert not isinstance(answer, Refused), answer
        table = await self._floor.table(table_id)
        assert table is not None
        await _play(table, wanted.script)
        self._tasks.append(asyncio.create_task(_play_after(table, wanted.after)))


async def _play(table: RunningTable, script: Iterable[tuple[str, dict[str, Any]]]) -> None:
    for name, fields in script:
        command: Any = msgspec.convert(fields, TableCommand)
        answer = await table.stream.ask(Ask(uuid4().hex, command, Actor(f"script-{name}", name, "player")))
        assert not isinstance(answer, Refused), (name, fields, answer)
        await table.course.completion.wait_until_landed()


async def _play_after(table: RunningTable, script: Sequence[tuple[str, dict[str, Any]]]) -> None:
    is_made = asyncio.Event()

    def hear(happened: Sequence[Happened]) -> None:
        if any(isinstance(event, WagerMade) for one in happened for event in one.events):
            is_made.set()

    table.course.followers.append(hear)
    await is_made.wait()
    await _play(table, script)


@contextmanager
def scripted_server(wanted: Script) -> Iterator[str]:
    """Run the server in a process of its own and yield its address."""
    ours, its = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_serve, args=(wanted, its), daemon=True)
    process.start()
    its.close()
    try:
        try:
            address = ours.recv()
        except EOFError:
            raise AssertionError(f"the server ended at once:\n{_errors_of(wanted).read_text()}") from None
        yield address
    finally:
        process.terminate()
        process.join(timeout=20)
        ours.close()
    assert process.exitcode is not None, "the server does not stop"


class _Announcing(uvicorn.Server):
    """Tells its address once it accepts connections."""

    def __init__(self, config: uvicorn.Config, parent: Connection) -> None:
        super().__init__(config)
        self._parent = parent

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        assert sockets
        self._parent.send(f"http://127.0.0.1:{sockets[0].getsockname()[1]}")


def _errors_of(wanted: Script) -> Path:
    return Path(wanted.data) / "server.err"


class _SharedSheets(dict[str, bytes]):
    """Par sheets by version of the rules, in files that all servers of a run share: each takes a second to compute."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def __contains__(self, version: object) -> bool:
        return (self._folder / str(version)).exists()

    def __getitem__(self, version: str) -> bytes:
        return (self._folder / version).read_bytes()

    def __setitem__(self, version: str, lines: bytes) -> None:
        with whole_file(self._folder / version) as part:
            part.write_bytes(lines)


def _serve(wanted: Script, parent: Connection) -> None:
    with _errors_of(wanted).open("w") as errors:
        os.dup2(errors.fileno(), 1)
        os.dup2(errors.fileno(), 2)
    history._sheets = _SharedSheets(Path(wanted.data).parent / "par-sheets")
    services = services_for(Settings(data=Path(wanted.data), is_demo=True))
    services.views = LogViews(services.log, None, projections_of(services.log))
    if wanted.dice:
        rolls = itertools.cycle(Roll(*map(int, text.split("-"))) for text in wanted.dice)
        services.floor = Floor(services.log, clock=utc_now, keys=LoadedDice(rolls))
        table_view._PARTS["proof"] = (lambda look: look.live.proof, lambda _look: None)
    services.demo, services.cup = _Scripted(services.floor, wanted), None
    config = uvicorn.Config(create_app(services), log_level="warning", ws="websockets-sansio")
    asyncio.run(_Announcing(config, parent).serve(sockets=[_listen(wanted.port)]))


def _listen(port: int) -> socket.socket:
    """Listen on a port, where a browser has the scripts of the server before; on another if it is taken."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        return socket.create_server(("127.0.0.1", 0))

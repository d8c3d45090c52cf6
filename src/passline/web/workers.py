"""Runs a server as several processes: some that serve, and for a log in a file one that writes it for all of them."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from time import sleep
from typing import Any

import uvicorn
from msgspec import Struct
from uvicorn.config import STARTUP_FAILURE

from passline.errors import CrapsError
from passline.store.data_folder import open_log
from passline.streams.commit_process import serve_commits
from passline.web.server.neighbours import Neighbours, Place, places
from passline.web.startup import Settings

__all__ = ["avoid_pauses", "run_workers"]

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_AGAIN_SECONDS = 0.5  # before processes that ended are started again
_GARBAGE = (2_000, 10, 50)
"""When the collector scans: tables have no reference cycles, so old objects rarely, and newer ones a few at a time."""
_SWITCH_SECONDS = 0.0001  # the longest that a commit's thread waits for the busy event loop; 5 ms by default
_TICKS = 10  # of a tenth of a second, between two looks whether the parent lives
Application = Callable[[socket.socket | None], object]


class _Server(uvicorn.Server):
    """A server process. It takes connections from its neighbours, and ends with its parent."""

    def __init__(self, config: uvicorn.Config, place: Place) -> None:
        super().__init__(config)
        self._neighbours = Neighbours(place)
        self._parent = os.getppid()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        self.lifespan.state["neighbours"] = self._neighbours
        await super().startup(sockets)
        self._neighbours.receive(self._protocol)

    def _protocol(self) -> asyncio.Protocol:
        made: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = made(self.config, self.server_state, self.lifespan.state)
        return protocol

    async def on_tick(self, counter: int) -> bool:
        """Look whether to end."""
        if counter % _TICKS == 0 and os.getppid() != self._parent:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._neighbours.stop()
        await super().shutdown(sockets)


class _House(Struct):
    """The processes of one start."""

    servers: list[BaseProcess]
    commits: BaseProcess | None

    @property
    def all(self) -> list[BaseProcess]:
        return [*self.servers, *([self.commits] if self.commits else [])]


def run_workers(
    config: uvicorn.Config, listening: socket.socket, settings: Settings, application: Application, count: int
) -> None:
    """Run until SIGINT or SIGTERM. If a process ends by itself, all of them are started again: they read the log."""
    stops: list[int] = []
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda number, _frame: stops.append(number))
    while not stops:
        house = _started(config, listening, settings, application, count)
        ended: list[BaseProcess] = []
        while not stops and not ended:
            connection.wait([one.sentinel for one in house.all], _LOOK_SECONDS)
            ended = [one for one in house.all if not one.is_alive()]
        for one in house.servers:
            one.terminate()
        for one in house.all:
            one.join()
        if any(one.exitcode == STARTUP_FAILURE for one in ended):
            raise CrapsError("the server did not start; the log above says why")
        if not stops:
            _log.error("a server process ended with %s; all are started again", ended[0].exitcode)
            sleep(_AGAIN_SECONDS)


def _started(
    config: uvicorn.Config, listening: socket.socket, settings: Settings, application: Application, count: int
) -> _House:
    spawn = get_context("spawn")
    pairs = [] if settings.database else [socket.socketpair() for _ in range(count)]
    commits = None
    if pairs:
        commits = spawn.Process(target=_commit, args=(settings, [far for _, far in pairs]), name="passline-commits")
        commits.start()
    servers: list[BaseProcess] = []
    given = places(count)
    for place in given:
        near = pairs[place.number][0] if pairs else None
        work = (config, listening, place, partial(application, near))
        servers.append(spawn.Process(target=_serve, args=work, name=f"passline-{place.number}"))
        servers[-1].start()
    for one in (end for pair in pairs for end in pair):
        one.close()
    for place in given:
        place.close()
    return _House(servers, commits)


def _serve(config: uvicorn.Config, listening: socket.socket, place: Place, application: Callable[[], object]) -> None:
    """Run one server process."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn shuts down first and then raises the signal again
    config.app = application
    _Server(config, place).run([listening])


def avoid_pauses() -> None:
    """Keep the garbage collector and other threads from holding this process up, once all that it needs is loaded."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()  # keeps the collector from scanning what lives as long as the server
    gc.set_threshold(*_GARBAGE)


def _commit(settings: Settings, connections: list[socket.socket]) -> None:
    """Run the process that writes the log; it ends with the last server process."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    log = open_log(settings.data, settings.database)
    avoid_pauses()
    serve_commits(log, connections)
    log.close()

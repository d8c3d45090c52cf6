"""Runs a server as several processes: some that serve, and for a log in a file one that writes it for all of them."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic, sleep
from typing import Any, Protocol

import uvicorn
from msgspec import Struct
from uvicorn.config import STARTUP_FAILURE

from passline.errors import CrapsError
from passline.store.data_folder import open_log
from passline.streams.commit_process import serve_commits
from passline.web.server.logs import configure_logs
from passline.web.server.neighbours import Neighbours, Place, places
from passline.web.startup import Settings

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_AGAIN_SECONDS = 0.5  # before processes that ended are started again
_FAILED_SECONDS = 5.0  # and if they could not even begin
_STOP_SECONDS = 20.0  # for a process to end by itself: connections, the log and views have 5 each
_HUNG_LOOKS = 60  # without a sign of life, after which a server process is killed
_STALLED_LOOKS = 240  # the same for the process that commits: it may only be waiting for the disk
_START_LOOKS = 1_200  # the same for a process that has not begun: it may have a long log to read
_GARBAGE = (2_000, 10, 50)
"""When the collector scans: tables have no reference cycles, so old objects rarely, and newer ones a few at a time."""
_SWITCH_SECONDS = 0.0001  # the longest that a commit's thread waits for the busy event loop; 5 ms by default
_PARENT_SECONDS = 0.1  # between two looks whether the parent lives, of a process that is being started
_TICKS = 10  # of a tenth of a second, between two looks whether the parent lives
Application = Callable[[socket.socket | None], object]


class _Ticks(Protocol):
    """How often the loop of a process has come round, in memory that it shares with its parent."""

    value: int


class _Server(uvicorn.Server):
    """A server process. It takes connections from its neighbours, gives signs of life, and ends with its parent."""

    def __init__(self, config: uvicorn.Config, place: Place, ticks: _Ticks) -> None:
        super().__init__(config)
        self._neighbours = Neighbours(place)
        self._parent = parent.pid if (parent := parent_process()) else None
        self._ticks = ticks

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.lifespan.state["neighbours"] = self._neighbours
        await super().startup(sockets)
        self._neighbours.receive(self._protocol)

    def _protocol(self) -> asyncio.Protocol:
        made: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = made(self.config, self.server_state, self.lifespan.state)
        return protocol

    async def on_tick(self, counter: int) -> bool:
        """Count, as a sign of life, and look whether to end."""
        self._ticks.value = counter + 1
        if counter % _TICKS == 0 and os.getppid() != self._parent:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._neighbours.stop()
        await super().shutdown(sockets)


class Pulse:
    """Tells whether a process hangs: at so many looks in a row its loop has not come round."""

    def __init__(self, ticks: _Ticks, looks: int = _HUNG_LOOKS) -> None:
        self._ticks, self._most = ticks, looks
        self._seen = self._looks = 0

    @property
    def has_begun(self) -> bool:
        """Whether there was a sign of life."""
        return self._seen != 0

    def is_lost(self) -> bool:
        """Look once more; a process that has not begun may take its time."""
        before, self._seen = self._seen, self._ticks.value
        self._looks = self._looks + 1 if self._seen == before else 0
        return self._looks > (self._most if self.has_begun else _START_LOOKS)


class _House(Struct):
    """The processes of one start."""

    servers: dict[BaseProcess, Pulse]
    commits: dict[BaseProcess, Pulse]  # at most one
    asking: list[socket.socket]  # to processes that have not asked for the listening socket yet

    @property
    def all(self) -> dict[BaseProcess, Pulse]:
        return self.servers | self.commits

    def give_port(self, listening: socket.socket) -> None:
        """Pass the listening socket to processes that ask for it; one that ended before it asked is left out."""
        for asking in connection.wait(self.asking, 0) if self.asking else ():
            assert isinstance(asking, socket.socket)
            try:
                if asking.recv(1):
                    socket.send_fds(asking, [b"!"], [listening.fileno()])
            except OSError as error:
                _log.error("a server process could not be given the port: %s", error)
            asking.close()
            self.asking.remove(asking)


def run_workers(
    config: uvicorn.Config, listening: socket.socket, settings: Settings, application: Application, count: int
) -> None:
    """Run until SIGINT or SIGTERM. If a process ends by itself, or hangs, all are started again: they read the log."""
    stops: list[int] = []
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda number, _frame: stops.append(number))
    has_served = False
    while not stops:
        house = _start(config, settings, application, count)
        ended: list[BaseProcess] = []
        while not stops and not ended:
            connection.wait([*(process.sentinel for process in house.all), *house.asking], _LOOK_SECONDS)
            house.give_port(listening)
            for process in [process for process, pulse in house.all.items() if pulse.is_lost()]:
                _log.error("%s does nothing any more; it is killed", process.name)
                process.kill()
                process.join()
            ended = [process for process in house.all if not process.is_alive()]
        for asking in house.asking:
            asking.close()
        stop_processes(house.servers)
        stop_processes(house.commits)  # which ends with the last of them
        has_served |= any(pulse.has_begun for pulse in house.servers.values())
        if not has_served and any(process.exitcode == STARTUP_FAILURE for process in ended):
            raise CrapsError("the server did not start; the log above says why")
        if not stops:
            _log.error("a server process ended with %s; all are started again", ended[0].exitcode)
            sleep(_FAILED_SECONDS if ended[0].exitcode == STARTUP_FAILURE else _AGAIN_SECONDS)


def stop_processes(processes: Collection[BaseProcess], within: float = _STOP_SECONDS) -> None:
    """Let processes end, and kill those that do not: nothing that was answered is lost."""
    end = monotonic() + within
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(max(0.0, end - monotonic()))
        if process.is_alive():
            _log.error("%s does not end; it is killed", process.name)
            process.kill()
            process.join()


def _start(config: uvicorn.Config, settings: Settings, application: Application, count: int) -> _House:
    spawn = get_context("spawn")
    pairs = [] if settings.database else [socket.socketpair() for _ in range(count)]
    commits: dict[BaseProcess, Pulse] = {}
    if pairs:
        ticks = spawn.RawValue("L")
        work = (settings, [far for _, far in pairs], ticks)
        process = spawn.Process(target=_commit, args=work, name="passline-commits", daemon=True)
        process.start()
        commits[process] = Pulse(ticks, _STALLED_LOOKS)
    servers: dict[BaseProcess, Pulse] = {}
    given, asking = places(count), list[socket.socket]()
    for place in given:
        near, ticks = pairs[place.number][0] if pairs else None, spawn.RawValue("L")
        ours, theirs = socket.socketpair()
        given_to = (config, theirs, place, ticks, partial(application, near))
        process = spawn.Process(target=_serve, args=given_to, name=f"passline-{place.number}", daemon=True)
        process.start()
        servers[process] = Pulse(ticks)
        theirs.close()
        asking.append(ours)
    for end in (end for pair in pairs for end in pair):
        end.close()
    for place in given:
        place.close()
    return _House(servers, commits, asking)


def _serve(
    config: uvicorn.Config, asks: socket.socket, place: Place, ticks: _Ticks, application: Callable[[], object]
) -> None:
    """Run one server process.

    It asks for the listening socket, instead of being born with it: a process whose parent was killed while it was
    being started would keep the port until it had started, and the next server could not begin.
    """
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn shuts down first and then raises the signal again
    Thread(target=_end_with_parent, args=(ticks,), name="passline-parent", daemon=True).start()
    asks.sendall(b"?")
    _, numbers, _, _ = socket.recv_fds(asks, 1, 1)
    asks.close()
    if not numbers:
        return  # the parent has ended
    config.app = application
    with _start_failure():
        _Server(config, place, ticks).run([socket.socket(fileno=numbers[0])])


def _end_with_parent(ticks: _Ticks) -> None:
    """End this process at once if its parent ends while it is being started; from then on it looks itself."""
    parent = parent_process()
    while not ticks.value and parent is not None:
        if os.getppid() != parent.pid:
            os._exit(STARTUP_FAILURE)  # nothing was promised to anybody yet
        sleep(_PARENT_SECONDS)


@contextmanager
def _start_failure() -> Iterator[None]:
    """End this process with one line, as uvicorn does, if what the house needs is not there."""
    try:
        yield
    except CrapsError as error:
        _log.error("%s", error)
        sys.exit(STARTUP_FAILURE)


def avoid_pauses() -> None:
    """Keep the garbage collector and other threads from holding this process up, once all that it needs is loaded."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.freeze()  # keeps the collector from scanning what lives as long as the server
    gc.set_threshold(*_GARBAGE)


def _commit(settings: Settings, connections: list[socket.socket], ticks: _Ticks) -> None:
    """Run the process that writes the log; it ends with the last server process."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    configure_logs(is_terminal=sys.stderr.isatty())
    with _start_failure():
        log = open_log(settings.data, settings.database)
    avoid_pauses()

    def live() -> None:
        ticks.value += 1

    serve_commits(log, connections, live)
    log.close()

"""Runs a server as several processes: some that serve, and one that writes the log for all of them."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import uvicorn
from msgspec import Struct

from passline.errors import CrapsError
from passline.web.commits import Ticks, run_commits
from passline.web.server.beginnings import START_FAILED, end_if_it_cannot_begin, name_process
from passline.web.server.neighbours import Neighbours, Place, places
from passline.web.server.service_manager import Watchdog, tell_service_manager
from passline.web.startup import Settings

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_AGAIN_SECONDS = 0.5  # before a process that ended soon after its start is started again
_FAILED_SECONDS = 5.0  # and if it could not even begin
_STOP_SECONDS = 20.0  # for a process to end by itself: connections, the log and views have 5 each
_HUNG_SECONDS = 30.0  # without a sign of life, after which a server process is killed
_STALLED_SECONDS = 120.0  # the same for the process that commits: it may only be waiting for the disk
_START_SECONDS = 600.0  # the same for a process that has not begun: it may have a long log to read
_PARENT_SECONDS = 0.1  # between two looks whether the parent lives, of a process that is being started
_PORT, _COMMITS = b"?", b"c"  # what a server process asks its parent for
_ANSWERED_MAX = 50  # requests that the parent answers between two looks at its processes
_ANSWERS_SECONDS = 0.5  # for all of them together, by which a connection that sends nothing holds the parent up
_ANSWER_SECONDS, _ANSWER_SECONDS_MIN = 0.2, 0.001  # for one of them
_REQUEST_BYTES = 64 * 1024
_AWAY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
    b'{"refusals":[{"clause":"site","why":"the server is being started again, so this request did nothing; '
    b'send it again in a second"}]}'
)
Application = Callable[..., object]
"""Returns the application of a process, given its connection to the process that commits and the way to a next one."""


class _Server(uvicorn.Server):
    """A server process. It takes connections from its neighbours, gives signs of life, and ends with its parent."""

    def __init__(self, config: uvicorn.Config, place: Place, ticks: Ticks) -> None:
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
        if os.getppid() != self._parent:
            self.should_exit = True  # at once: the next server waits for the port
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._neighbours.stop()
        await super().shutdown(sockets)


class Pulse:
    """Tells whether a process hangs: its loop has not come round for so long, of the time in which it could have run.

    A process that waits for a processor is not hung, however long that takes: only the time is counted in which it ran,
    or waited for something else. `waited` returns for how many seconds each of its threads has waited for one so far.
    """

    def __init__(
        self,
        ticks: Ticks,
        seconds: float = _HUNG_SECONDS,
        *,
        waited: Callable[[], Mapping[str, float]] = dict[str, float],
    ) -> None:
        self._ticks, self._most, self._waited = ticks, seconds, waited
        self._seen, self._since, self._before = 0, monotonic(), waited()

    @property
    def has_begun(self) -> bool:
        """Whether there was a sign of life."""
        return self._seen != 0

    def is_lost(self, now: float | None = None) -> bool:
        """Look once more; a process that has not begun may take its time."""
        now = monotonic() if now is None else now
        if self._ticks.value != self._seen:
            self._seen, self._since, self._before = self._ticks.value, now, self._waited()
            return False
        stood = now - self._since
        most = self._most if self.has_begun else _START_SECONDS
        return stood > most and stood - self._waited_since() > most

    def _waited_since(self) -> float:
        """Return how long it has waited for a processor since its loop last came round: the thread that waited most."""
        return max((seconds - self._before.get(name, 0.0) for name, seconds in self._waited().items()), default=0.0)


def seconds_waited(process: BaseProcess) -> dict[str, float]:
    """Return how long each thread of a process has waited for a processor; nothing where the system does not tell."""
    waited = {}
    with suppress(OSError):  # not Linux, or it has ended
        for thread in Path(f"/proc/{process.pid}/task").iterdir():
            with suppress(OSError, IndexError, ValueError):  # this thread has ended
                waited[thread.name] = int((thread / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    return waited


class _Worker:
    """One server process, and what its successor takes over: its number, and its place among the others."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.process: BaseProcess | None = None
        self.pulse: Pulse | None = None
        self.asks: socket.socket | None = None  # what it asks for: the port, and connections to the one that commits
        self.wants_commits = False
        self.begun = self.due = 0.0  # when it was started, and when it may be started again

    @property
    def serves(self) -> bool:
        """Whether it is up."""
        return self.process is not None and self.process.is_alive() and self.pulse is not None and self.pulse.has_begun


class _House:
    """The processes of a house. One that ends is started again, alone; the others go on."""

    def __init__(
        self, config: uvicorn.Config, listening: socket.socket, settings: Settings, application: Application, count: int
    ) -> None:
        self._config, self._listening, self._settings = config, listening, settings
        self._application = application
        self._spawn = get_context("spawn")
        self._workers = [_Worker(place) for place in places(count)]
        self._commits: tuple[BaseProcess, Pulse, socket.socket] | None = None
        self._commits_begun = self._commits_due = 0.0  # when it was started, and when it may be started again
        self._has_served = False

    def look(self) -> None:
        """Start what is not there, give processes what they ask for, and look whether one has ended or hangs."""
        self._start_missing()
        waits: list[Any] = [worker.asks for worker in self._workers if worker.asks is not None]
        waits += [process.sentinel for process, _ in self._processes()]
        if is_away := self._is_away:
            waits.append(self._listening)
        ready = connection.wait(waits, _LOOK_SECONDS)
        for worker in self._workers:
            if worker.asks is not None and worker.asks in ready:
                self._read_wish(worker)
        self._give_commits()
        if is_away and self._listening in ready:
            self._say_busy()
        for process, pulse in self._processes():
            if pulse.is_lost():
                _log.error("%s does nothing any more; it is killed", process.name)
                process.kill()
                process.join()
        self._notice_ended()

    def stop(self) -> None:
        """Let all processes end: the one that commits ends with the last of the others."""
        stop_processes([worker.process for worker in self._workers if worker.process is not None])
        if self._commits is not None:
            self._commits[2].close()
            stop_processes([self._commits[0]])
        for worker in self._workers:
            worker.place.close()
            if worker.asks is not None:
                worker.asks.close()

    @property
    def serves(self) -> bool:
        """Whether every server process is up."""
        return all(worker.serves for worker in self._workers)

    @property
    def _is_away(self) -> bool:
        """Whether nobody can answer who asks now, though the house has served; a TLS handshake takes a process too."""
        self._has_served |= any(worker.serves for worker in self._workers)
        return self._has_served and not self._settings.tls_cert and not any(worker.serves for worker in self._workers)

    def _processes(self) -> list[tuple[BaseProcess, Pulse]]:
        found = [(worker.process, worker.pulse) for worker in self._workers]
        known = [(process, pulse) for process, pulse in found if process is not None and pulse is not None]
        return [*known, *([self._commits[:2]] if self._commits else [])]

    def _start_missing(self) -> None:
        if self._commits is None and monotonic() >= self._commits_due:
            self._commits_begun = monotonic()
            ours, theirs = socket.socketpair()
            ticks = self._spawn.RawValue("L")
            work = (str(self._settings.data), self._settings.database, theirs, ticks)
            process = self._spawn.Process(target=run_commits, args=work, name="passline-log", daemon=True)
            process.start()
            theirs.close()
            pulse = Pulse(ticks, _STALLED_SECONDS, waited=partial(seconds_waited, process))
            self._commits = process, pulse, ours
        for worker in self._workers:
            if not worker.place.is_up:
                worker.place.turn_away()
            if worker.process is None and monotonic() >= worker.due:
                self._start(worker)

    def _start(self, worker: _Worker) -> None:
        ours, theirs = socket.socketpair()
        ticks = self._spawn.RawValue("L")
        work = _Work(self._config, worker.place, ticks, self._application)
        name = f"passline-{worker.place.number}"
        process = self._spawn.Process(target=_serve, args=(work, theirs), name=name, daemon=True)
        process.start()
        theirs.close()
        worker.process, worker.pulse = process, Pulse(ticks, waited=partial(seconds_waited, process))
        worker.asks, worker.wants_commits, worker.begun = ours, False, monotonic()

    def _read_wish(self, worker: _Worker) -> None:
        """Pass the port to a process, or note that it wants to be connected; one that ended meanwhile is left out."""
        assert worker.asks is not None
        try:
            words = worker.asks.recv(16)
            if _PORT in words:
                socket.send_fds(worker.asks, [_PORT], [self._listening.fileno()])
            worker.wants_commits |= _COMMITS in words
        except OSError as error:
            _log.error("a server process could not be given what it asked for: %s", error)
            words = b""
            if worker.process is not None:
                worker.process.terminate()  # it is no longer heard, so it is started again
        if not words:  # it has ended, or is about to
            worker.asks.close()
            worker.asks, worker.wants_commits = None, False

    def _give_commits(self) -> None:
        """Connect server processes that want it to the one that commits."""
        for worker in self._workers:
            if self._commits is None or not worker.wants_commits or worker.asks is None:
                continue
            near, far = socket.socketpair()
            with near, far, suppress(OSError):  # one of the two has ended; the wish stands, or has ended with it
                socket.send_fds(self._commits[2], [_COMMITS], [far.fileno()])
                socket.send_fds(worker.asks, [_COMMITS], [near.fileno()])
                worker.wants_commits = False

    def _notice_ended(self) -> None:
        """Have processes that ended started again; raise CrapsError if the first ones could not even begin."""
        if self._commits is not None and not self._commits[0].is_alive():
            self._commits_due = self._again_at(self._commits[0], self._commits_begun)
            self._commits[2].close()
            self._commits = None
        for worker in self._workers:
            if worker.process is None or worker.process.is_alive():
                continue
            worker.place.note_up(is_up=False)
            worker.due = self._again_at(worker.process, worker.begun)
            worker.process = worker.pulse = None
            if worker.asks is not None:
                worker.asks.close()
                worker.asks = None

    def _again_at(self, process: BaseProcess, begun: float) -> float:
        """Return when a process that ended is started again: at once, unless it ended soon after its start."""
        has_failed, now = process.exitcode == START_FAILED, monotonic()
        if has_failed and not self._has_served:
            raise CrapsError("the server did not start; the log above says why")
        _log.error("%s ended with %s; it is started again", process.name, process.exitcode)
        if has_failed:
            return now + _FAILED_SECONDS
        return now + (_AGAIN_SECONDS if now - begun < _FAILED_SECONDS else 0.0)

    def _say_busy(self) -> None:
        """Answer whoever asks while no server process is up: they are told so, instead of waiting."""
        end = monotonic() + _ANSWERS_SECONDS
        for _ in range(_ANSWERED_MAX):
            try:
                asking, _ = self._listening.accept()
            except OSError:
                return
            with asking, suppress(OSError):
                asking.settimeout(max(_ANSWER_SECONDS_MIN, min(_ANSWER_SECONDS, end - monotonic())))
                asking.recv(_REQUEST_BYTES)
                asking.sendall(_AWAY)
                asking.shutdown(socket.SHUT_WR)


def run_workers(
    config: uvicorn.Config, listening: socket.socket, settings: Settings, application: Application, count: int
) -> None:
    """Run until SIGINT or SIGTERM. A process that ends by itself, or hangs, is started again: it reads the log."""
    stops: list[int] = []
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda number, _frame: stops.append(number))
    listening.settimeout(0)
    house, watchdog, is_ready = _House(config, listening, settings, application, count), Watchdog(), False
    try:
        while not stops:
            house.look()
            if house.serves and not is_ready:
                tell_service_manager("READY=1")
            is_ready |= house.serves
            watchdog.give_sign()  # for all of them: a process that hangs is killed by this loop
    finally:
        tell_service_manager("STOPPING=1")
        house.stop()


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


class Parent:
    """What a server process asks the one that started it for."""

    def __init__(self, asks: socket.socket) -> None:
        self._asks = asks

    def port(self) -> socket.socket | None:
        """Return the listening socket; None if the parent has ended."""
        return self._ask(_PORT)

    def commits(self) -> socket.socket | None:
        """Return a connection to the process that commits, as soon as there is one; None if the parent has ended."""
        return self._ask(_COMMITS)

    def _ask(self, wish: bytes) -> socket.socket | None:
        try:
            self._asks.sendall(wish)
            _, numbers, _, _ = socket.recv_fds(self._asks, 1, 1)
        except OSError:
            return None
        return socket.socket(fileno=numbers[0]) if numbers else None

    async def next_commits(self) -> socket.socket:
        """Return a connection to the next process that commits, once the last one has ended. Raise OSError if none."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[socket.socket | None] = loop.create_future()

        def ask() -> None:
            connection = self.commits()
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(lambda: None if found.done() else found.set_result(connection))

        Thread(target=ask, name="passline-commits", daemon=True).start()  # it may wait for seconds
        if (connection := await found) is None:
            raise OSError("the process that starts the others has ended")
        return connection


class _Work(Struct):
    """What a server process is given when it is started."""

    config: uvicorn.Config
    place: Place
    ticks: Ticks
    application: Application


def _serve(work: _Work, asks: socket.socket) -> None:
    """Run one server process.

    It asks for the listening socket, instead of being born with it: a process whose parent was killed while it was
    being started would keep the port until it had started, and the next server could not begin.
    """
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn shuts down first and then raises the signal again
    name_process(f"passline-{work.place.number}")
    Thread(target=_end_with_parent, args=(work.ticks,), name="passline-parent", daemon=True).start()
    parent = Parent(asks)
    commits = parent.commits()
    port = parent.port()
    if port is None or commits is None:
        return  # the parent has ended
    work.config.app = partial(work.application, commits, parent)
    with end_if_it_cannot_begin():
        _Server(work.config, work.place, work.ticks).run([port])


def _end_with_parent(ticks: Ticks) -> None:
    """End this process at once if its parent ends while it is being started; from then on it looks itself."""
    parent = parent_process()
    while not ticks.value and parent is not None:
        if os.getppid() != parent.pid:
            os._exit(START_FAILED)  # nothing was promised to anybody yet
        sleep(_PARENT_SECONDS)

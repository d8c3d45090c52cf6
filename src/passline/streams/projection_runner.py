"""Keeps the projections of a server up with its log, and lets pages read them on a few threads.

A server's projections are written by a process of their own (`ViewsProcess`), so that no table waits for them;
in memory, by a thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from threading import Event, Lock, Thread
from time import perf_counter
from typing import TypeVar

from msgspec import Struct, json

from passline.errors import CrapsError
from passline.store.sealed import Log
from passline.streams.projection import Projection, Projector
from passline.streams.projection_store import ViewsNotReady, ViewStore
from passline.streams.writer import AGAIN_SECONDS

_log = logging.getLogger(__name__)
T = TypeVar("T")
_BATCH = 6_000  # entries in a transaction; accounts and records are stored once for all of them
_REST = 2.0  # of the time a batch took, while catching up in the interpreter that the tables use
_LOOK_SECONDS = 0.1  # how often it looks whether to stop, while nothing is written
_GATHER_SECONDS = 15.0  # how long new entries gather if no reader waits for them: accounts are stored once a batch
_GATHERED = _BATCH  # entries, after which they gather no longer: whoever reads then has to wait for them
_READERS = 2  # threads
_READERS_MAX = 64  # readers at once, waiting ones included
_WAIT_SECONDS = 1.0  # how long a reader waits for what was written before its request
_FIRST_SECONDS = 5.0  # and while nothing has been made yet: a process takes a second or two to start
_RECENT = 1_000  # entries behind: a moment, even in a large house
_FAR = 8_000  # entries behind: no use waiting for them
_STEP_SECONDS = 0.01
_STOP_SECONDS = 5.0  # a database that hangs does not keep the server from stopping
_NUDGE = b"\n"
_STANDS_STILL = "newer entries cannot be read; the server's own log says why"


class LogFollower:
    """Applies entries in batches as the log grows.

    When somebody waits for them, `nudged` is set, or another process touches the file `touched`. A batch that nobody
    waits for is applied by `patiently`.
    """

    def __init__(
        self,
        projector: Projector,
        log: Log,
        nudged: Event,
        touched: Path | None,
        patiently: Callable[[Callable[[], int]], int] = lambda apply: apply(),
    ) -> None:
        self._projector = projector
        self._log = log
        self._nudged = nudged
        self._touched = touched
        self._touched_at: int | None = None  # before the last batch
        self._patiently = patiently
        self._is_behind = True  # the last batch was full, or there was none yet

    def step(self) -> float:
        """Let new entries gather, if there are any, and apply them; return how long a full batch took, else 0."""
        if not self._is_behind and not self._gather():
            return 0.0
        is_awaited = self._is_awaited()
        self._nudged.clear()
        begun, self._touched_at = perf_counter(), self._last_touched()
        apply = partial(self._projector.advance, _BATCH)
        self._is_behind = (apply() if is_awaited else self._patiently(apply)) == _BATCH
        return perf_counter() - begun if self._is_behind else 0.0

    def _gather(self) -> bool:
        """Wait a moment for new entries and let them gather; return whether there is something to do."""
        try:
            reached = self._projector.last_applied()
        except ViewsNotReady:
            return True  # the file was deleted: it is begun again
        if not self._log.wait_for(reached, _LOOK_SECONDS):
            return False
        end = perf_counter() + _GATHER_SECONDS
        while not self._is_awaited() and (left := end - perf_counter()) > 0:
            self._nudged.wait(min(left, _LOOK_SECONDS))
            if self._log.wait_for(reached + _GATHERED - 1, 0.0):
                break
        return True

    def _is_awaited(self) -> bool:
        """Return whether somebody has asked for new entries since the last batch; the first one is always asked for."""
        return self._nudged.is_set() or self._last_touched() != self._touched_at

    def _last_touched(self) -> int:
        with suppress(OSError):
            return os.stat(self._touched).st_mtime_ns if self._touched else 0  # noqa: PTH116 - often, so quickly
        return 0


class ViewsStopped(CrapsError):
    """The process that writes the views of the log ended by itself; it is started again."""


class ViewsSource(Struct, frozen=True):
    """What the process needs: its module, and the log that it opens; no other log than the named one."""

    module: str
    data: str  # the folder
    database: str  # the address of a PostgreSQL database; it may hold a password
    log_id: str


class ViewsProcess:
    """One process at a time. It reads its source and then nudges on standard input, and ends when that is closed.

    So it ends with the server, however the server ends. It tells on standard output, one JSON text a line, why it
    stands still, or "" when it goes on.
    """

    def __init__(self, source: ViewsSource) -> None:
        self._source = source
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()  # nobody writes to a pipe that was closed: its number may be another file's
        self._is_stopped = False

    def attend(self, tell: Callable[[str], None]) -> None:
        """Start the process and pass on what it tells, until it ends. Raise ViewsStopped if nobody stopped it."""
        command = [sys.executable, "-P", "-m", self._source.module]  # no module of the working directory's
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.encode(self._source) + b"\n")
            process.stdin.flush()
            os.set_blocking(process.stdin.fileno(), False)  # a process that hangs keeps nobody who nudges it waiting
            self._process = process
            if self._is_stopped:  # meanwhile
                self.stop()
            for line in process.stdout:
                tell(json.decode(line, type=str))
            with self._lock:
                self._process = None
        if not self._is_stopped:
            raise ViewsStopped(f"the process that writes the views ended with {process.returncode}")

    def nudge(self) -> None:
        """Let it look at once for new entries: somebody waits for them."""
        with self._lock, suppress(OSError, ValueError):  # it hangs, or has just ended
            if self._process is not None and self._process.stdin is not None:
                os.write(self._process.stdin.fileno(), _NUDGE)

    def kill(self) -> None:
        """End it, as it does not end by itself; its transaction is undone."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def stop(self) -> None:
        """Let it end."""
        self._is_stopped = True
        with self._lock, suppress(OSError):
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()


class AsOf(Struct, frozen=True):
    """How current a page is: it shows the log up to the entry `as_of`, and `behind` newer entries were not read yet."""

    as_of: int
    behind: int
    fault: str = ""  # why it does not go on, if so

    @property
    def is_recent(self) -> bool:
        """Whether what it shows was so a moment ago, so that a server may write it down."""
        return self.behind < _RECENT and not self.fault


class LogViews:
    """The projections of one server process.

    Without a path they are in memory. Processes with the same path share the file: one of them writes, all read. With
    a `source` the one that writes does so in another process; otherwise in a thread, which rests between batches.
    """

    def __init__(
        self, log: Log, path: Path | None, projections: Sequence[Projection], source: ViewsSource | None = None
    ) -> None:
        self.log = log
        self.store = ViewStore(path, log.derive("views"))
        self.fault = ""
        self.reached = 0  # the last entry that all projections had applied when this process last looked
        self._projector = Projector(log, self.store, projections)
        self._process = ViewsProcess(source) if source else None
        self._lock: TextIOWrapper | None = None
        self._stopping, self._nudged = Event(), Event()
        self._follower = LogFollower(self._projector, log, self._nudged, self.store.lock_path)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="passline-views")
        self._reading = 0
        self._thread = Thread(target=self._run, name="passline-projections", daemon=True)

    def start(self) -> None:
        """Begin to follow the log."""
        self._thread.start()

    async def close(self) -> None:
        """Stop; what has been applied stays."""
        self._stopping.set()
        self._nudge()
        if self._process is not None:
            self._process.stop()
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join, _STOP_SECONDS)
            if self._process is not None:
                self._process.kill()  # if it has not ended
        self._readers.shutdown(wait=False, cancel_futures=True)
        self.store.close()
        if self._lock is not None:
            self._lock.close()

    async def read(self, look: Callable[[ViewStore], T]) -> tuple[T, AsOf]:
        """Return what `look` reads, and how current it is; what was written before this call is waited for a moment."""
        if self._reading >= _READERS_MAX:
            raise ViewsNotReady(f"{_READERS_MAX} others are reading the log; try again in a moment")
        self._reading += 1
        try:
            written, reached, found = await self._in_reader(partial(self._look_if_current, look))
            if found:
                return found[0], AsOf(reached, 0, _STANDS_STILL if self.fault else "")
            seen = await self._caught_up(written, reached)
            if not seen.as_of:
                raise ViewsNotReady("the views of the log are being made; try again in a moment")
            return await self._in_reader(lambda: look(self.store)), seen
        finally:
            self._reading -= 1

    def _look_if_current(self, look: Callable[[ViewStore], T]) -> tuple[int, int, list[T]]:
        """Return how far the log and the views are, and what `look` reads if that is all: it mostly is."""
        written, reached = self._newest()
        return written, reached, [look(self.store)] if 0 < reached >= written else []

    async def _caught_up(self, written: int, reached: int) -> AsOf:
        """Wait a moment for what was written; return how far it has come."""
        end = perf_counter() + (_WAIT_SECONDS if reached else _FIRST_SECONDS)
        if written > reached:
            self._nudge()  # for whoever reads next, if there is no use waiting
        while 0 < written - reached < _FAR and not self.fault and perf_counter() < end:
            self._nudge()
            await asyncio.sleep(_STEP_SECONDS)
            reached = await self._in_reader(self._look_reached)
        return AsOf(reached, max(0, written - reached), _STANDS_STILL if self.fault else "")

    async def _in_reader(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def _newest(self) -> tuple[int, int]:
        head = self.log.head()
        return head.sequence if head else 0, self._look_reached()

    def _look_reached(self) -> int:
        self.reached = 0
        with suppress(ViewsNotReady):
            self.reached = self._projector.last_applied()
        return self.reached

    def _nudge(self) -> None:
        self._nudged.set()
        if self._lock is None and self.store.lock_path is not None:  # another process writes
            with suppress(OSError):
                os.utime(self.store.lock_path)
        elif self._process is not None:
            self._process.nudge()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                wait = self._step() if self._is_writer() else AGAIN_SECONDS
                self._tell("")
            except Exception as error:  # noqa: BLE001 - whatever it is, the tables go on and pages tell
                wait = AGAIN_SECONDS
                self._tell(f"{type(error).__name__}: {error}", error)
            self._stopping.wait(wait)

    def _tell(self, fault: str, error: BaseException | None = None) -> None:
        if fault and fault != self.fault:  # said once, not every second
            _log.error("the views of the log stand still: %s", fault, exc_info=error)
        self.fault = fault

    def _step(self) -> float:
        """Apply the next batch, or wait for one; return for how long to rest."""
        if self._process is None:
            return self._follower.step() * _REST
        self.log.check()  # no process is started on a folder that is gone
        self._process.attend(self._tell)
        return 0.0

    def _is_writer(self) -> bool:
        """Return whether this process is the one of its data folder that writes; try to become it."""
        if self.store.lock_path is None or self._lock is not None:
            return True
        try:
            import fcntl  # noqa: PLC0415 - not on Windows, where transactions alone keep processes apart
        except ImportError:
            return True
        lock = self.store.lock_path.open("a")  # which does not touch it
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._lock = lock
        return True

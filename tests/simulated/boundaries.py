"""The boundaries of the program to threads, clocks and chance, as simulated ones: in every module, for one simulation.

The program itself knows nothing of it: each name that a module of `passline` took from the standard library is given
the simulated thing in its place, and the real one afterwards.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from typing import Any

from passline.store import sqlite
from passline.streams import commit_process, running
from passline.tables.runtime import floor, rulebook_watch
from tests.simulated.sockets import as_modules
from tests.simulated.world import SECOND, Strand, World


@cache
def _rulebooks_of(day: date) -> dict[str, Any]:
    """Return the rulebooks as a watch sees them on a day: their files are real, and do not change."""
    return _SEEN_NOW(lambda _name: day)


_SEEN_NOW = rulebook_watch._seen_now
_PACES: tuple[tuple[Any, str, object], ...] = (
    (floor, "_WATCH_SECONDS", 30.0),  # between two looks at the rulebooks' files
    (rulebook_watch, "_seen_now", lambda day_of: _rulebooks_of(day_of("maryland"))),  # of one day in every history
    (running, "_SNAPSHOT_EVERY", 20),  # entries: histories are short
    (commit_process, "_LOST_SECONDS", 1.0),  # for the next process that commits: it is up again within a few
    (sqlite, "_TURN_SECONDS", 0.005),  # between two tries to become the writer, through stalls of seconds
)


class SimulatedLock:
    """A lock of strands."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._is_held = False
        self._waiters: deque[Strand] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:  # noqa: FBT001, FBT002 - as threading has it
        world = self._world
        end = None if timeout < 0 else world.now + round(timeout * SECOND)
        while self._is_held:
            if not blocking or (end is not None and world.now >= end):
                return False
            strand = world.current
            assert strand is not None
            self._waiters.append(strand)
            world.wait(end)
        self._is_held = True
        return True

    def release(self) -> None:
        self._is_held = False
        waiters, self._waiters = self._waiters, deque()
        for strand in waiters:
            self._world.wake(strand)

    def locked(self) -> bool:
        return self._is_held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_error: object) -> None:
        self.release()


class SimulatedCondition:
    """A condition of strands, with a lock of its own."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lock = SimulatedLock(world)
        self._waiters: list[Strand] = []

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        world, strand = self._world, self._world.current
        assert strand is not None
        end = None if timeout is None else world.now + round(timeout * SECOND)
        self._waiters.append(strand)
        self._lock.release()
        world.wait(end)
        is_told = strand not in self._waiters
        if not is_told:
            self._waiters.remove(strand)
        self._lock.acquire()
        return is_told

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        end = None if timeout is None else self._world.now + round(timeout * SECOND)
        while not predicate():
            if end is not None and self._world.now >= end:
                return False
            self.wait(None if end is None else (end - self._world.now) / SECOND)
        return True

    def notify_all(self) -> None:
        waiters, self._waiters = self._waiters, []
        for strand in waiters:
            self._world.wake(strand)


class SimulatedEvent:
    """An event of strands."""

    def __init__(self, world: World) -> None:
        self._condition = SimulatedCondition(world)
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        self._condition.notify_all()

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        with self._condition:
            return self._condition.wait_for(self.is_set, timeout)


class SimulatedQueue:
    """A queue between strands."""

    def __init__(self, world: World) -> None:
        self._condition = SimulatedCondition(world)
        self._items: deque[Any] = deque()

    def put(self, item: object) -> None:
        self._items.append(item)
        self._condition.notify_all()

    def get(self) -> Any:  # noqa: ANN401 - of any item
        with self._condition:
            self._condition.wait_for(lambda: bool(self._items))
            return self._items.popleft()


class SimulatedThread:
    """A thread that is a strand of the process that starts it."""

    def __init__(self, world: World, target: Callable[..., object], args: tuple[Any, ...] = (), name: str = "") -> None:
        self._world, self._target, self._args, self._name = world, target, args, name
        self._strand: Strand | None = None

    def start(self) -> None:
        current = self._world.current
        assert current is not None
        self._strand = current.machine.begin(lambda: self._target(*self._args), self._name)

    def is_alive(self) -> bool:
        return self._strand is not None and not self._strand.is_done

    def join(self, timeout: float | None = None) -> None:
        strand, current = self._strand, self._world.current
        assert strand is not None
        assert current is not None
        end = None if timeout is None else self._world.now + round(timeout * SECOND)
        while not strand.is_done and (end is None or self._world.now < end):
            strand.waiters.append(current)
            self._world.wait(end)


def _things(world: World) -> dict[object, object]:
    """Return what each thing of the standard library is in a world."""
    ids = world.chance("ids")

    def seconds() -> float:
        return world.now / SECOND

    def thread(
        target: Callable[..., object], args: tuple[Any, ...] = (), name: str = "", *, daemon: bool = False
    ) -> SimulatedThread:
        assert daemon, f"the thread {name} would keep a process from ending"
        return SimulatedThread(world, target, args, name)

    return {
        time.monotonic: seconds,
        time.perf_counter: seconds,
        time.sleep: world.sleep,
        threading.Thread: thread,
        threading.Lock: lambda: SimulatedLock(world),
        threading.Condition: lambda: SimulatedCondition(world),
        threading.Event: lambda: SimulatedEvent(world),
        queue.SimpleQueue: lambda: SimulatedQueue(world),
        uuid.uuid4: lambda: uuid.UUID(int=ids.getrandbits(128), version=4),
    }


@contextmanager
def simulated_boundaries(world: World) -> Iterator[None]:
    """Put the world's threads, locks, clocks and ids into every module of the program, for this block."""
    things = _things(world)
    changed: list[tuple[Any, str, object]] = []
    for name, module in list(sys.modules.items()):
        if name.startswith("passline."):
            for key, thing in list(vars(module).items()):
                try:
                    put = things.get(thing)
                except TypeError:  # it has no hash, so it is none of them
                    continue
                if put is not None:
                    changed.append((module, key, thing))
                    setattr(module, key, put)
    modules = [(commit_process, name, module) for name, module in as_modules(world).items()]
    for owner, name, put in (*_PACES, *modules):
        changed.append((owner, name, getattr(owner, name)))
        setattr(owner, name, put)
    try:
        yield
    finally:
        for module, key, thing in changed:
            setattr(module, key, thing)

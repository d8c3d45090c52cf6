"""Sockets between the processes of one simulated machine, as `streams/commit_process.py` uses them.

They lose nothing while both ends live. What a process sent before it was killed arrives all the same, in parts.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from tests.simulated.world import SECOND, Machine, Strand, World

if TYPE_CHECKING:
    from tests.simulated.loop import SimulatedLoop

_PART_BYTES = 200, 60_000  # that are read at once, at most


class SimulatedSocket:
    """One end of a connection: bytes come in order; its other end is `peer`."""

    def __init__(self, world: World, chance: Random) -> None:
        self._world, self._chance = world, chance
        self._bytes = bytearray()
        self.peer: SimulatedSocket = self
        self.is_closed = self.is_over = False  # closed here; nothing more comes
        self.heard: Callable[[], None] = lambda: None  # called when there is something to read

    @property
    def is_readable(self) -> bool:
        return bool(self._bytes) or self.is_over

    def sendall(self, data: bytes) -> None:
        """Send bytes, or raise OSError if the other end is closed."""
        if self.is_closed or self.peer.is_closed:
            raise BrokenPipeError
        self.peer._bytes += data
        self.peer.heard()

    def recv(self, most: int) -> bytes:
        """Read what has come, or a part of it; empty: nothing more comes."""
        if self.is_closed:
            raise OSError("closed")
        count = min(most, len(self._bytes), self._chance.randint(*_PART_BYTES))
        data = bytes(self._bytes[:count])
        del self._bytes[:count]
        return data

    def settimeout(self, _seconds: float) -> None:
        """Never mind: whatever is sent fits."""

    def close(self) -> None:
        """Close this end; the other one is told once it has read everything."""
        if not self.is_closed:
            self.is_closed = True
            self.peer.is_over = True
            self.peer.heard()


def socket_pair(world: World, chance: Random) -> tuple[SimulatedSocket, SimulatedSocket]:
    """Return the two ends of a new connection."""
    near, far = SimulatedSocket(world, chance), SimulatedSocket(world, chance)
    near.peer, far.peer = far, near
    return near, far


class Joining:
    """Where the process that commits gets its connections from: whoever starts processes hands them over."""

    def __init__(self) -> None:
        self._handed = deque[SimulatedSocket]()
        self.heard: Callable[[], None] = lambda: None

    @property
    def is_readable(self) -> bool:
        return bool(self._handed)

    def hand(self, connection: SimulatedSocket) -> None:
        self._handed.append(connection)
        self.heard()

    def take(self) -> SimulatedSocket:
        return self._handed.popleft()


class SimulatedSelector:
    """A selector of strands."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._keys: dict[Any, SimpleNamespace] = {}
        self._waiter: Strand | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def register(self, file: Any, _events: int, data: object) -> None:  # noqa: ANN401 - a socket, or `Joining`
        self._keys[file] = SimpleNamespace(fileobj=file, data=data)
        file.heard = self._hear

    def unregister(self, file: Any) -> None:  # noqa: ANN401 - a socket, or `Joining`
        del self._keys[file]
        file.heard = lambda: None

    def get_map(self) -> dict[Any, SimpleNamespace]:
        return self._keys

    def _hear(self) -> None:
        if self._waiter is not None:
            self._world.wake(self._waiter)

    def select(self, timeout: float | None = None) -> list[tuple[SimpleNamespace, int]]:
        world = self._world
        end = None if timeout is None else world.now + round(timeout * SECOND)
        world.wait(world.now + 20)
        while not (ready := [(key, 1) for file, key in self._keys.items() if file.is_readable]):
            if end is not None and world.now >= end:
                break
            self._waiter = world.current
            world.wait(end)
            self._waiter = None
        return ready


class SimulatedTransport(asyncio.Transport):
    """A socket as a protocol of an event loop has it."""

    def __init__(self, loop: SimulatedLoop, connection: SimulatedSocket, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._loop, self._connection, self._protocol = loop, connection, protocol
        self._is_closing = False
        connection.heard = self._hear
        loop.call_soon(protocol.connection_made, self)
        loop.call_soon(self._read)

    def _hear(self) -> None:
        self._loop.call_soon_threadsafe(self._read)

    def is_closing(self) -> bool:
        return self._is_closing

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        if not self._is_closing:
            try:
                self._connection.sendall(bytes(data))
            except OSError:
                self._lose()

    def close(self) -> None:
        if not self._is_closing:
            self._connection.close()
            self._lose()

    def _read(self) -> None:
        while not self._is_closing and self._connection.is_readable:
            data = self._connection.recv(1 << 20)
            if not data:
                self._lose()
            else:
                self._protocol.data_received(data)

    def _lose(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._loop.call_soon(self._protocol.connection_lost, None)


def as_modules(world: World) -> dict[str, SimpleNamespace]:
    """Return what stands for the modules `socket` and `selectors` in the process that commits."""

    def recv_fds(joining: Joining, _bytes: int, _most: int) -> tuple[bytes, list[SimulatedSocket], int, None]:
        return b"c", [joining.take()], 0, None

    return {
        "socket": SimpleNamespace(recv_fds=recv_fds, socket=lambda fileno: fileno),
        "selectors": SimpleNamespace(DefaultSelector=lambda: SimulatedSelector(world), EVENT_READ=1),
    }


def close_with(machine: Machine, connection: SimulatedSocket) -> SimulatedSocket:
    """Have a connection closed when a process is killed."""
    machine.at_end(connection.close)
    return connection

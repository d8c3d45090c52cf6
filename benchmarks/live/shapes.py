"""What another shape of the server would give: `python -m benchmarks.live.shapes`, a prototype.

A table's loop hands its decisions to whatever commits, and waits until they are in the log. Today that is a thread of
the same process, or a process of its own behind a Unix socket (`serve --workers`). The prototype is a third shape, a
process behind two rings in shared memory. Each shape commits the same paced decisions to a real log in SQLite. The last
lines tell which other interpreters are here: one without the lock, and ones inside one process.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import random
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import Process
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import uvloop
from msgspec import Struct, json

from benchmarks.live.wager_drafts import wager_draft
from benchmarks.processor import processor_name
from passline.store.data_folder import open_log
from passline.store.sealed import Log
from passline.streams.commit_process import (
    _APART_SECONDS,
    CommitRequest,
    Frames,
    RemoteWriter,
    _commit,
    frame,
    serve_commits,
)
from passline.streams.writer import Reply, ThreadWriter, Writer

_STREAMS = 50
_RING_BYTES = 1 << 22
_AT = 16  # where the data begin, after the two positions


class Ring:
    """Bytes from one process to another, in memory that both share; an event file wakes the reader.

    >>> ring = Ring()
    >>> ring.write(b"seven "), ring.write(b"out"), ring.read(), ring.read()
    (None, None, b'seven out', b'')
    >>> ring.close()
    """

    def __init__(self) -> None:
        self._memory = SharedMemory(create=True, size=_AT + _RING_BYTES)
        assert self._memory.buf is not None
        self._places = self._memory.buf[:_AT].cast("Q")  # how much was written, and how much was read, in all
        self._data = self._memory.buf[_AT : _AT + _RING_BYTES]
        self.woken = os.eventfd(0, os.EFD_NONBLOCK)

    def write(self, data: bytes) -> None:
        """Write all of it, and wake the reader."""
        begun, read = self._places[0], self._places[1]
        if begun + len(data) - read > _RING_BYTES:
            raise BufferError("the ring is full")
        at = begun % _RING_BYTES
        first = min(len(data), _RING_BYTES - at)
        self._data[at : at + first] = data[:first]
        self._data[: len(data) - first] = data[first:]
        self._places[0] = begun + len(data)  # last, so that nobody reads what is not there yet
        os.eventfd_write(self.woken, 1)

    def read(self) -> bytes:
        """Return all that was written since the last time."""
        with suppress(BlockingIOError):
            os.eventfd_read(self.woken)
        end, begun = self._places[0], self._places[1]
        at, length = begun % _RING_BYTES, end - begun
        first = min(length, _RING_BYTES - at)
        data = bytes(self._data[at : at + first]) + bytes(self._data[: length - first])
        self._places[1] = end
        return data

    def close(self) -> None:
        """Free the memory."""
        self._places.release()
        self._data.release()
        self._memory.close()
        self._memory.unlink()
        os.close(self.woken)


class RingWriter(RemoteWriter):
    """Sends decisions by one ring, and hears of them by another."""

    def __init__(self, log: Log, asks: Ring, replies: Ring) -> None:
        near, _ = socket.socketpair()
        super().__init__(log, near)
        self._asks, self._back = asks, replies

    async def start(self) -> None:
        """Listen to the ring of replies."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._back.woken, lambda: self.data_received(self._back.read()))

    @property
    def _is_connected(self) -> bool:
        return True

    def _send(self, request: CommitRequest) -> None:
        self._asks.write(frame(request))


def _serve_rings(data: str, asks: Ring, replies: Ring) -> None:
    """Commit what comes by a ring until it says nothing in an empty request."""
    log, frames, decoder = open_log(Path(data)), Frames(), json.Decoder(CommitRequest)
    here, _ = socket.socketpair()
    with selectors.DefaultSelector() as selector:
        selector.register(asks.woken, selectors.EVENT_READ)
        begun = 0.0
        while True:
            selector.select()
            time.sleep(max(0.0, begun + _APART_SECONDS - time.monotonic()))
            begun = time.monotonic()
            asked = [(here, decoder.decode(message)) for message in frames.cut(asks.read())]
            for _, reply in _commit(log, [pair for pair in asked if pair[1].drafts]):
                replies.write(frame(reply))
            if any(request.is_probe for _, request in asked):
                break
    log.close()


def _serve_socket(data: str, joining: socket.socket, other_end: socket.socket) -> None:
    other_end.close()  # inherited; as long as it is open, somebody may join
    log = open_log(Path(data))
    serve_commits(log, joining)
    log.close()


_Made = tuple[Callable[[Log], Writer], int]  # what makes a writer, and the process that commits for it (0: none)


@contextmanager
def _thread(_data: Path) -> Iterator[_Made]:
    yield ThreadWriter, 0


@contextmanager
def _by_socket(data: Path) -> Iterator[_Made]:
    ours, theirs = socket.socketpair()
    process = Process(target=_serve_socket, args=(str(data), theirs, ours))
    process.start()
    theirs.close()
    near, far = socket.socketpair()
    socket.send_fds(ours, [b"c"], [far.fileno()])
    far.close()
    yield lambda log: RemoteWriter(log, near), process.pid or 0
    ours.close()
    process.join()


@contextmanager
def _by_rings(data: Path) -> Iterator[_Made]:
    with ExitStack() as closing:
        asks, replies = Ring(), Ring()
        closing.callback(asks.close)
        closing.callback(replies.close)
        process = Process(target=_serve_rings, args=(str(data), asks, replies))
        process.start()
        yield lambda log: RingWriter(log, asks, replies), process.pid or 0
        asks.write(frame(CommitRequest(0)))
        process.join()


SHAPES = {
    "a thread of the process": _thread,
    "a process, by a Unix socket": _by_socket,
    "a process, by rings in shared memory": _by_rings,
}
"""Where commits are made."""


class Cost(Struct, frozen=True):
    """What a decision costs: microseconds of the loop's process and of the commits'; milliseconds until it is told."""

    decisions: int
    loop: float
    commits: float
    p50: float
    p99: float


async def _play(log: Log, make: Callable[[Log], Writer], pid: int, rate: float, seconds: float) -> Cost:
    writer, loop, chance = make(log), asyncio.get_running_loop(), random.Random(7)
    await writer.start()
    free, versions, taken = [f"table/{number}" for number in range(_STREAMS)], dict[str, int](), list[float]()
    number = 0

    def send() -> None:
        nonlocal number
        number += 1
        begun, stream = time.perf_counter(), free.pop(0)  # the loop's own clock has milliseconds
        version = versions.get(stream, 0)
        draft = wager_draft(stream, version, number)

        def told(reply: Reply) -> None:
            assert isinstance(reply, list), reply
            versions[stream] = version + 1
            free.append(stream)
            taken.append(time.perf_counter() - begun)

        writer.append([draft], told)

    before, end, due = (time.process_time(), _cpu_of(pid)), loop.time() + seconds, loop.time()
    while due < end:
        due += chance.expovariate(rate)
        if (wait := due - loop.time()) > 0:
            await asyncio.sleep(wait)
        if free:
            send()
    while len(taken) < number:  # noqa: ASYNC110 - replies come
        await asyncio.sleep(0.01)
    spent, committing = time.process_time() - before[0], _cpu_of(pid) - before[1]
    await writer.close()
    taken.sort()
    each = 1e6 / number
    return Cost(number, spent * each, committing * each, taken[number // 2] * 1e3, taken[number * 99 // 100] * 1e3)


def _cpu_of(pid: int) -> float:
    if not pid:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(name: str, rate: float, seconds: float) -> Cost:
    """Commit decisions at a rate for some seconds in one shape."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        log = open_log(data)  # whose key file the other process reads
        with SHAPES[name](data) as (make, pid):
            cost = uvloop.run(_play(log, make, pid, rate, seconds))
        log.close()
    return cost


def interpreters() -> Iterator[str]:
    """Yield what other interpreters are here and what they can run."""
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    yield f"this interpreter, Python {platform.python_version()}, {'has' if has_lock else 'has not'} the lock"
    for module in ("msgspec", "uvloop", "cryptography.hazmat.bindings._rust", "sqlite3"):
        for made in ("_interpreters", "_xxsubinterpreters"):
            code = f"import {made} as i; n = i.create(); print(i.run_string(n, 'import {module}') or '')"
            ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
            if "No module named" in ran.stderr and made in ran.stderr:
                continue
            said = (ran.stderr + ran.stdout).strip().splitlines()
            shared = " (under the same lock)" if sys.version_info < (3, 12) else ""
            yield f"{module} in another interpreter inside a process{shared}: {said[-1] if said else 'runs'}"
            break


def main() -> None:
    """Measure each shape, in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, nargs="*", default=[450.0, 1800.0], help="decisions a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    options = parser.parse_args()
    gc.disable()
    print(f"{processor_name()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    print("Microseconds of processor time a decision, and milliseconds until it is in the log")
    print("  commits are made by                    rate  decisions    loop  commits    both      p50     p99")
    for rate in options.rate:
        for name in SHAPES:
            cost = measure(name, rate, options.seconds)
            both = f"{cost.loop:7.0f} {cost.commits:8.0f} {cost.loop + cost.commits:7.0f}"
            print(f"  {name:37} {rate:6.0f} {cost.decisions:10,} {both} {cost.p50:8.2f} {cost.p99:7.2f}", flush=True)
    print(*interpreters(), sep="\n")


if __name__ == "__main__":
    main()

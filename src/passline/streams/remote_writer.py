"""The writer of a server process whose commits are made in another process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import perf_counter

from msgspec import json

from passline.store.entry import Draft, Head
from passline.store.log import Snapshot
from passline.store.sealed import Log
from passline.streams.commit_process import CommitReply, CommitRequest, Frames, framed, replied
from passline.streams.writer import InDoubt, LogDown, Reply, Writer

__all__ = ["RemoteWriter"]

_CLOSE_SECONDS = 5.0
_decoder = json.Decoder(CommitReply)


class RemoteWriter(Writer, asyncio.Protocol):
    """Sends decisions to the process that commits, and tells each stream what became of its own."""

    def __init__(
        self,
        log: Log,
        connection: socket.socket,
        measured: Callable[[int, float], None] = lambda _drafts, _seconds: None,
        committed: Callable[[Head], None] = lambda _head: None,
    ) -> None:
        super().__init__(log, measured, committed)
        self._connection = connection
        self._transport: asyncio.WriteTransport | None = None
        self._frames = Frames()
        self._number = 0
        self._asked: dict[int, tuple[Sequence[Draft], Callable[[Reply], None], float]] = {}
        self._is_answered = asyncio.Event()

    async def start(self) -> None:
        """Connect to the process that commits."""
        self._loop = asyncio.get_running_loop()
        await self._loop.create_unix_connection(lambda: self, sock=self._connection)

    def append(self, drafts: Sequence[Draft], reply: Callable[[Reply], None]) -> None:
        """Have drafts written durably, then call `reply`."""
        if not self.is_alive:
            asyncio.get_running_loop().call_soon(reply, self._failed(LogDown("the process that commits has ended")))
            return
        self._number += 1
        self._is_answered.clear()
        self._asked[self._number] = drafts, reply, perf_counter()
        self._send(CommitRequest(self._number, list(drafts)))

    def probe(self) -> str:
        """Return why the process that commits cannot write, or an empty string."""
        found: Future[Reply] = Future()
        self._loop.call_soon_threadsafe(self.append, (), found.set_result)
        return str(fault) if isinstance(fault := found.result(), Exception) else ""

    def keep(self, snapshot: Snapshot) -> None:
        """Have a snapshot saved."""
        if self.is_alive:
            self._send(CommitRequest(0, snapshot=snapshot))

    def _send(self, request: CommitRequest) -> None:
        assert self._transport is not None
        self._transport.write(framed(request))

    @property
    def is_alive(self) -> bool:
        """Whether the process that commits runs."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def busy_seconds(self) -> float:
        """How long the oldest decision has waited."""
        oldest = next(iter(self._asked.values()), None)
        return perf_counter() - oldest[2] if oldest else 0.0

    async def close(self) -> None:
        """Wait for what was sent, then disconnect."""
        if self._asked:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_answered.wait(), _CLOSE_SECONDS)
        if self._transport is not None:
            self._transport.close()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = transport  # type: ignore[assignment]  # uvloop's transport does not subclass asyncio's

    def data_received(self, data: bytes) -> None:
        """Pass each reply on."""
        for message in self._frames.cut(data):
            self._take(_decoder.decode(message))

    def _take(self, reply: CommitReply) -> None:
        drafts, tell, begun = self._asked.pop(reply.number)
        found = replied(reply, drafts)
        if isinstance(found, LogDown):
            self._failed(found)
        elif not isinstance(found, Exception):
            self._succeeded(reply.head)
        tell(found)
        if drafts:
            self._measured(len(drafts), perf_counter() - begun)
        if not self._asked:
            self._is_answered.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Tell everybody who waits that it is not known what became of their decision."""
        asked, self._asked = self._asked, {}
        for _, tell, _ in asked.values():
            tell(self._failed(InDoubt()))
        self._is_answered.set()

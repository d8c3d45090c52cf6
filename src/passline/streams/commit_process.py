"""Commits in a process of their own: each server process sends it decisions by a `RemoteWriter`, and it writes them.

One process seals what happens at tables, in offices and tournaments, so that server processes do not wait for each
other's locks, nor check each other's entries before every commit. What comes from all of them while one commit is on
its way to the disk goes into the next.
"""

from __future__ import annotations

import asyncio
import logging
import selectors
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic, perf_counter, sleep
from typing import Literal

from msgspec import Struct, json

from passline.store.entry import Draft, Head, LogRow, Stored, entry_of
from passline.store.log import Appended, AppendResult, Conflict, GivenUp, Known, Snapshot, TooLate
from passline.store.sealed import Log, stored_of
from passline.streams.writer import (
    InDoubt,
    LogDown,
    Reply,
    ServerFault,
    Writer,
    as_written,
    commit_together,
    fault_of,
    newest_head,
    probe_log,
    public_fault,
    save_snapshot,
)

_log = logging.getLogger(__name__)
_READ_BYTES = 1 << 20
_APART_SECONDS = 0.001  # from the beginning of a commit in a crowd to that of the next: larger commits cost less
_CROWD = 3  # requests in one commit
_SEND_SECONDS = 5.0  # for a server process to take its replies
_LIVE_SECONDS = 0.25  # between two signs of life while nothing comes
_LOST_SECONDS = 10.0  # for the next process that commits to begin
_RETRY_SECONDS = 0.2  # before it is tried again to connect to it
_CLOSE_SECONDS = 5.0  # for which a server process waits for its last replies
_SIZE = 4  # bytes before each message, which say how long it is


class CommitRequest(Struct, frozen=True, array_like=True):
    """Decisions to be written in one commit, or a snapshot to be kept, which needs no reply; otherwise a probe."""

    number: int
    drafts: list[Draft] = []
    snapshot: Snapshot | None = None

    @property
    def is_probe(self) -> bool:
        """Whether somebody only asks if the log can be written."""
        return not self.drafts and self.snapshot is None


class _Result(Struct, frozen=True, array_like=True):
    """What became of a draft; a body only where the sender does not have it."""

    kind: Literal["appended", "known", "conflict", "given-up", "late"]
    number: int  # the entry's sequence; of a conflict, the stream's version
    hash: bytes = b""
    seal: bytes = b""
    body: bytes = b""
    at: str = ""  # of a late draft: the time of the log's newest entry


class CommitReply(Struct, frozen=True, array_like=True):
    """The results of a request, or why there are none."""

    number: int
    results: list[_Result] = []
    head: Head | None = None
    fault: Literal["", "down", "doubt", "server"] = ""
    why: str = ""


_FAULTS: dict[type[LogDown | ServerFault], Literal["down", "doubt", "server"]] = {
    LogDown: "down",
    InDoubt: "doubt",
    ServerFault: "server",
}


def frame(message: CommitRequest | CommitReply) -> bytes:
    """Return a message with its length before it."""
    body = json.encode(message)
    return len(body).to_bytes(_SIZE) + body


class Frames:
    """Cuts a stream of bytes into messages.

    >>> frames = Frames()
    >>> sent = frame(CommitReply(7)) + frame(CommitReply(8))
    >>> [json.decode(one)[0] for part in (sent[:9], sent[9:]) for one in frames.cut(part)]
    [7, 8]
    """

    def __init__(self) -> None:
        self._left = b""

    def cut(self, data: bytes) -> Iterator[bytes]:
        """Yield each message that is complete."""
        data = self._left + data if self._left else data
        at = 0
        while len(data) >= at + _SIZE:
            end = at + _SIZE + int.from_bytes(data[at : at + _SIZE])
            if len(data) < end:
                break
            yield data[at + _SIZE : end]
            at = end
        self._left = data[at:]


def gather_seconds(requests: int, since: float) -> float:
    """Return how long a commit waits for more, `since` seconds after the one before it began with so many requests.

    A few requests at a time wait for nothing but the commit before them. In a crowd a larger commit is soon full.
    `CommitPace` waits longer and goes by the rate of rounds: its commits take time from what its own process decides,
    while this process does nothing else and sees how many ask.

    >>> gather_seconds(2, 0.0), gather_seconds(3, 0.00075), gather_seconds(3, 0.002)
    (0.0, 0.00025, 0.0)
    """
    return max(0.0, _APART_SECONDS - since) if requests >= _CROWD else 0.0


def serve_commits(log: Log, joining: socket.socket, live: Callable[[], None] = lambda: None) -> None:
    """Write what server processes send, until the last of them has ended and none can come; `live` is called often.

    Each connection to a server process comes by `joining`, from the process that starts them all. One that hangs, so
    that it takes no replies, is cut off. Server processes themselves write only who people are (`BlockingStream`) and
    what is beside the log.
    """
    decoder = json.Decoder(CommitRequest)
    with selectors.DefaultSelector() as selector:
        selector.register(joining, selectors.EVENT_READ, None)
        begun, asked = 0.0, list[tuple[socket.socket, CommitRequest]]()
        while selector.get_map():
            live()
            ready = selector.select(_LIVE_SECONDS)
            if not ready:
                continue
            if (wait := gather_seconds(len(asked), monotonic() - begun)) > 0:
                sleep(wait)
                ready = selector.select()
            begun = monotonic()
            asked = []
            for key, _ in ready:
                if key.fileobj is joining:
                    _take_joining(joining, selector)
                    continue
                connection: socket.socket = key.fileobj  # type: ignore[assignment]
                data = _receive(connection)
                if not data:
                    _cut_off(connection, selector)
                asked += ((connection, decoder.decode(message)) for message in key.data.cut(data))
            replies = _commit(log, [pair for pair in asked if pair[1].drafts])
            replies += ((connection, _probe(log, request.number)) for connection, request in asked if request.is_probe)
            for connection in _not_taken(replies):
                _log.error("a server process takes no replies; it is cut off")
                _cut_off(connection, selector)
            for _, request in asked:
                if request.snapshot is not None:
                    save_snapshot(log, request.snapshot)


def _take_joining(joining: socket.socket, selector: selectors.BaseSelector) -> None:
    """Take the connection of a server process that was started; none comes once whoever starts them has ended."""
    try:
        word, files, _, _ = socket.recv_fds(joining, 1, 1)
    except OSError:
        word, files = b"", []
    if not word:
        selector.unregister(joining)
    for file in files:
        connection = socket.socket(fileno=file)
        connection.settimeout(_SEND_SECONDS)
        selector.register(connection, selectors.EVENT_READ, Frames())


def _cut_off(connection: socket.socket, selector: selectors.BaseSelector) -> None:
    with suppress(KeyError):  # it was cut off before
        selector.unregister(connection)
    connection.close()


def _not_taken(replies: Iterable[tuple[socket.socket, CommitReply]]) -> set[socket.socket]:
    """Send replies; return the connections of processes that hang. One that has ended is noticed when it is read."""
    hung, frames = set[socket.socket](), dict[socket.socket, list[bytes]]()
    for connection, reply in replies:
        frames.setdefault(connection, []).append(frame(reply))
    for connection, parts in frames.items():  # at once, so that a process is woken once for all its tables
        try:
            connection.sendall(b"".join(parts))
        except TimeoutError:
            hung.add(connection)
        except OSError:
            continue
    return hung


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(_READ_BYTES)
    except OSError:  # its process was killed
        return b""


def _commit(log: Log, asked: Sequence[tuple[socket.socket, CommitRequest]]) -> list[tuple[socket.socket, CommitReply]]:
    """Write all requests in one commit and return the reply to each."""
    if not asked:
        return []
    try:
        results = commit_together(log, [request.drafts for _, request in asked])
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, nobody was answered yet
        fault = fault_of(error)
        kind = _FAULTS[type(fault)]
        return [(connection, CommitReply(request.number, fault=kind, why=str(fault))) for connection, request in asked]
    return [(connection, _reply(request, part)) for (connection, request), part in zip(asked, results, strict=True)]


def _probe(log: Log, number: int) -> CommitReply:
    try:
        probe_log(log)
    except Exception as error:  # noqa: BLE001 - whatever a driver raises
        return CommitReply(number, fault="down", why=public_fault(error))
    return CommitReply(number)


def _reply(request: CommitRequest, results: list[AppendResult]) -> CommitReply:
    return CommitReply(request.number, [_result(result) for result in results], newest_head(results))


def _result(result: AppendResult) -> _Result:
    if isinstance(result, TooLate):
        return _Result("late", result.version, at=result.at)
    if isinstance(result, Conflict):
        return _Result("given-up" if isinstance(result, GivenUp) else "conflict", result.version)
    stored = result.stored
    if isinstance(result, Appended):
        return _Result("appended", stored.entry.sequence, stored.hash, stored.seal)
    return _Result("known", stored.entry.sequence, stored.hash, stored.seal, stored.body)


def _results_in(reply: CommitReply, asked: _Asked) -> list[AppendResult] | LogDown | ServerFault:
    """Return the results of drafts as the log gave them, or the fault."""
    if reply.fault and asked.is_again and asked.drafts:
        return InDoubt()  # this sending did nothing, but the first one may have
    if reply.fault:
        return next(kind for kind, name in _FAULTS.items() if name == reply.fault)(reply.why)
    results = [_result_of(draft, result, reply.head) for draft, result in zip(asked.drafts, reply.results, strict=True)]
    return as_written(asked.drafts, results) if asked.is_again else results


def _result_of(draft: Draft, result: _Result, head: Head | None) -> AppendResult:
    if result.kind == "late":
        return TooLate(draft.stream, result.number, result.at)
    if result.kind in {"conflict", "given-up"}:
        return (GivenUp if result.kind == "given-up" else Conflict)(draft.stream, result.number)
    assert head is not None
    if result.kind == "known":
        return Known(stored_of(LogRow(result.body, result.hash, result.seal)), head)
    entry = entry_of(draft, result.number)
    return Appended(Stored(entry, json.encode(entry), result.hash, result.seal), head)


_replies = json.Decoder(CommitReply)


class _Asked(Struct):
    """Drafts that were sent, or wait until they can be, whom to tell, and since when."""

    drafts: Sequence[Draft]
    tell: Callable[[Reply], None]
    begun: float
    is_again: bool = False  # sent before, to a process that has ended since: some may be in the log


class RemoteWriter(Writer, asyncio.Protocol):
    """Sends decisions to the process that commits, and tells each stream what became of its own.

    If that process ends, `reconnect` waits for the next one. What was not answered is then sent again: what the log has
    of it is found by its ids. Whoever has waited too long is told that it is in doubt.
    """

    def __init__(
        self,
        log: Log,
        connection: socket.socket,
        measured: Callable[[int, float], None] = lambda _drafts, _seconds: None,
        committed: Callable[[Head], None] = lambda _head: None,
        reconnect: Callable[[], Awaitable[socket.socket]] | None = None,
    ) -> None:
        super().__init__(log, measured, committed)
        self._connection = connection
        self._reconnect = reconnect
        self._connecting: asyncio.Task[None] | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._frames = Frames()
        self._number = 0
        self._asked: dict[int, _Asked] = {}
        self._is_answered = asyncio.Event()
        self._is_closed = self._is_lost = False

    async def start(self) -> None:
        """Connect to the process that commits."""
        self._loop = asyncio.get_running_loop()
        await self._loop.create_unix_connection(lambda: self, sock=self._connection)

    def append(self, drafts: Sequence[Draft], reply: Callable[[Reply], None]) -> None:
        """Have drafts written durably, then call `reply`."""
        if not self.is_alive:
            asyncio.get_running_loop().call_soon(
                reply, self._note_failure(LogDown("the process that commits has ended"))
            )
            return
        self._number += 1
        self._is_answered.clear()
        self._asked[self._number] = _Asked(drafts, reply, perf_counter())
        if self._is_connected:
            self._send(CommitRequest(self._number, list(drafts)))

    def probe(self) -> str:
        """Return why the process that commits cannot write, or an empty string."""
        found: Future[Reply] = Future()
        self._loop.call_soon_threadsafe(self.append, (), found.set_result)
        return str(fault) if isinstance(fault := found.result(), Exception) else ""

    def keep(self, snapshot: Snapshot) -> None:
        """Have a snapshot saved."""
        if self._is_connected:
            self._send(CommitRequest(0, snapshot=snapshot))

    def _send(self, request: CommitRequest) -> None:
        assert self._transport is not None
        self._transport.write(frame(request))

    @property
    def _is_connected(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    @property
    def is_alive(self) -> bool:
        """Whether the process that commits runs, or is being started again."""
        return self._is_connected or (self._connecting is not None and not self._is_lost)

    @property
    def busy_seconds(self) -> float:
        """How long the oldest decision has waited."""
        oldest = next(iter(self._asked.values()), None)
        return perf_counter() - oldest.begun if oldest else 0.0

    async def close(self) -> None:
        """Wait for what was sent, then disconnect."""
        self._is_closed = True
        if self._asked:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_answered.wait(), _CLOSE_SECONDS)
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        if self._transport is not None:
            self._transport.close()

    async def _connect_again(self, reconnect: Callable[[], Awaitable[socket.socket]]) -> None:
        """Wait for the next process that commits, and tell whoever waits too long; after a fault, try again."""
        timer = self._loop.call_later(_LOST_SECONDS, self._lose)
        told = ""
        try:
            while not self._is_connected:
                try:
                    connection = await reconnect()
                    await self._loop.create_unix_connection(lambda: self, sock=connection)
                except OSError as error:
                    if str(error) != told:  # said once
                        _log.error("the process that commits cannot be reached: %s", error)
                    told = str(error)
                    self._lose()
                    await asyncio.sleep(_RETRY_SECONDS)
        finally:
            timer.cancel()
            self._connecting = None

    def _lose(self) -> None:
        """Tell everybody who waits that it is not known what became of their decision; from now on, refuse at once."""
        self._is_lost = True
        lost, self._asked = self._asked, {}
        for asked in lost.values():
            asked.tell(self._note_failure(InDoubt()))
        self._is_answered.set()

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; send what was not answered before anything else, so that nothing is sent twice on one connection."""
        self._transport = transport  # type: ignore[assignment]  # uvloop's transport does not subclass asyncio's
        self._frames, self._is_lost = Frames(), False
        for number, asked in self._asked.items():
            self._send(CommitRequest(number, list(asked.drafts)))

    def data_received(self, data: bytes) -> None:
        """Pass each reply on."""
        for message in self._frames.cut(data):
            self._take(_replies.decode(message))

    def _take(self, reply: CommitReply) -> None:
        asked = self._asked.pop(reply.number, None)
        if asked is None:
            return  # whoever asked was told that it is in doubt
        found = _results_in(reply, asked)
        if isinstance(found, LogDown):
            self._note_failure(found)
        elif not isinstance(found, Exception):
            self._note_success(reply.head)
        asked.tell(found)
        if asked.drafts:
            self._measured(len(asked.drafts), perf_counter() - asked.begun)
        if not self._asked:
            self._is_answered.set()

    def connection_lost(self, _exc: Exception | None) -> None:
        """Wait for the next process that commits; where none comes, tell everybody who waits that it is in doubt."""
        if self._reconnect is None or self._is_closed:
            self._lose()
            return
        for asked in self._asked.values():
            asked.is_again = True
        if self._connecting is None:  # otherwise it goes on by itself
            self._connecting = self._loop.create_task(self._connect_again(self._reconnect))

"""Commits in a process of their own: server processes get the very results that the log gave."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread
from typing import Self

import pytest

from passline.store.entry import Draft, Head
from passline.store.log import Appended, AppendResult, Conflict, Known, LogChanged, LogError, Snapshot
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.commit_process import CommitRequest, RemoteWriter, frame, serve_commits
from passline.streams.writer import InDoubt, LogDown, Reply, ServerFault
from tests.store.drafts import TABLE, draft
from tests.streams.doubtful_log import DoubtfulLog
from tests.waiting import until


@asynccontextmanager
async def _writers(
    log: Log, own: Log | None = None, *, count: int = 1, heads: list[Head] | None = None
) -> AsyncIterator[list[RemoteWriter]]:
    """Run the process that commits, as a thread, with this many server processes, which may have a log of their own."""
    commits = _Commits(log)
    told = [] if heads is None else heads
    writers = [RemoteWriter(own or log, commits.connect(), committed=told.append) for _ in range(count)]
    for writer in writers:
        await writer.start()
    try:
        yield writers
    finally:
        for writer in writers:
            await writer.close()
        await asyncio.to_thread(commits.end)


class _Commits:
    """The process that commits, as a thread. It ends with the last server process once none can come any more."""

    def __init__(self, log: Log) -> None:
        self._ours, self._theirs = socket.socketpair()
        self.thread = Thread(target=serve_commits, args=(log, self._theirs))
        self.thread.start()

    def connect(self, near: socket.socket | None = None, far: socket.socket | None = None) -> socket.socket:
        """Connect a server process; return its end."""
        if near is None or far is None:
            near, far = socket.socketpair()
        socket.send_fds(self._ours, [b"c"], [far.fileno()])
        far.close()
        return near

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Wait until it has ended, since no server process is left and none can come."""
        self._ours.close()
        self.thread.join(60)
        assert not self.thread.is_alive()
        self._theirs.close()


async def _append(writer: RemoteWriter, *drafts: Draft) -> Reply:
    done = asyncio.get_running_loop().create_future()
    writer.append(drafts, done.set_result)
    return await done  # type: ignore[no-any-return]


def test_each_draft_gets_the_result_that_the_log_gave_it() -> None:
    log, heads = MemoryLog(), list[Head]()

    async def write() -> list[Reply]:
        async with _writers(log, heads=heads) as [writer]:
            first = await _append(writer, draft(0, name="a"), draft(1, name="b"))
            return [first, await _append(writer, draft(0, name="a")), await _append(writer, draft(1, name="c"))]

    both, known, conflict = asyncio.run(write())
    stored = list(log.read_stream(TABLE))
    head = log.head()
    assert head is not None
    assert both == [Appended(one, head) for one in stored]
    assert known == [Known(stored[0], head)]
    assert conflict == [Conflict(TABLE, 2)]
    assert heads == [head, head]


def test_what_several_processes_send_while_one_commit_is_under_way_goes_into_the_next() -> None:
    class Slow(MemoryLog):
        def __init__(self) -> None:
            self.sizes: list[int] = []
            super().__init__()

        def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
            self.sizes.append(len(drafts))
            if len(self.sizes) == 2:  # the first is the log's own
                ready.wait()
            return super().append(drafts)

    ready, log = Event(), Slow()

    async def write() -> list[Reply]:
        async with _writers(log, count=3) as writers:
            for writer in writers:
                assert not await asyncio.to_thread(writer.probe), "it is connected"
            asked = [asyncio.create_task(_append(writers[0], draft(0, stream="table/0")))]
            await until(lambda: len(log.sizes) == 2)
            asked += [
                asyncio.create_task(_append(writer, draft(0, stream=f"table/{number}")))
                for number, writer in enumerate(writers, start=1)
            ]
            await until(lambda: all(writer.busy_seconds for writer in writers))  # each has sent its own
            ready.set()
            return await asyncio.gather(*asked)

    replies = asyncio.run(write())
    assert log.sizes == [1, 1, 3]
    assert all(isinstance(reply, list) and isinstance(reply[0], Appended) for reply in replies)


def test_a_fault_of_the_log_and_one_of_the_program_are_told_apart() -> None:
    class Failing(MemoryLog):
        fault: Exception | None = None

        def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
            if self.fault is not None:
                raise self.fault
            return super().append(drafts)

    log = Failing()

    async def write() -> list[Reply]:
        async with _writers(log) as [writer]:
            replies = []
            for fault in (LogError("the disk is full"), ZeroDivisionError(), None):
                log.fault = fault
                replies.append(await _append(writer, draft(0)))
                assert bool(writer.fault) == (fault is not None)
            return replies

    down, ours, done = asyncio.run(write())
    assert isinstance(down, LogDown)
    assert not isinstance(down, InDoubt)
    assert "the disk is full" in str(down)
    assert isinstance(ours, ServerFault)
    assert isinstance(done, list)


def test_what_was_not_answered_is_in_doubt_when_the_process_ends() -> None:
    near, far = socket.socketpair()
    log = MemoryLog()

    async def write() -> tuple[Reply, Reply]:
        writer = RemoteWriter(log, near)
        await writer.start()
        first = asyncio.create_task(_append(writer, draft(0)))
        await until(lambda: writer.busy_seconds > 0)
        far.close()
        lost = await first
        assert not writer.is_alive
        return lost, await _append(writer, draft(0))

    lost, later = asyncio.run(write())
    assert isinstance(lost, InDoubt)
    assert isinstance(later, LogDown)
    assert not isinstance(later, InDoubt)


def test_a_server_process_that_takes_no_replies_is_cut_off_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passline.streams.commit_process._SEND_SECONDS", 0.1)
    log = MemoryLog()
    hung, far = socket.socketpair()
    far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)

    async def write(commits: _Commits) -> Reply:
        writer = RemoteWriter(log, commits.connect())
        await writer.start()
        found = await _append(writer, draft(0, stream="table/other"))
        await writer.close()
        return found

    with _Commits(log) as commits:
        commits.connect(hung, far)
        hung.settimeout(0.1)  # its buffer is full as soon as nobody reads it any more
        with suppress(TimeoutError, BrokenPipeError):
            for number in range(200):
                hung.sendall(frame(CommitRequest(number, [draft(number, name=f"n{number}")])))
        found = asyncio.run(write(commits))
        hung.settimeout(30)
        with suppress(ConnectionResetError):
            while hung.recv(65536):  # what it had not read, and then the end
                pass
    hung.close()
    assert isinstance(found, list)
    assert isinstance(found[0], Appended)


def test_what_was_not_answered_is_sent_again_to_the_next_process_and_acts_once() -> None:
    log = MemoryLog()
    near, far = socket.socketpair()

    async def write(commits: _Commits) -> tuple[Reply, Reply, Reply]:
        gone = asyncio.Event()

        async def reconnect() -> socket.socket:
            await gone.wait()
            return commits.connect()

        writer = RemoteWriter(log, near, reconnect=reconnect)
        await writer.start()
        lost = [asyncio.create_task(_append(writer, draft(0, stream=f"table/{number}"))) for number in range(2)]
        await until(lambda: writer.busy_seconds > 0)
        log.append([draft(0, stream="table/0")])  # the process was killed after its commit, and before its reply
        far.close()
        await until(lambda: not writer._is_connected)
        assert writer.is_alive, "the next one is being started"
        later = asyncio.create_task(_append(writer, draft(0, stream="table/later")))
        await asyncio.sleep(0)
        gone.set()
        found = await asyncio.gather(*lost, later)
        await writer.close()
        return found[0], found[1], found[2]

    with _Commits(log) as commits:
        replies = asyncio.run(write(commits))
    for reply in replies:
        assert isinstance(reply, list)
        assert isinstance(reply[0], Appended)
    assert log.streams() == {"house": 1, "table/0": 1, "table/1": 1, "table/later": 1}


def test_what_is_sent_again_and_fails_is_in_doubt_as_its_first_sending_may_be_in_the_log() -> None:
    """It was answered "nothing was done"."""
    log = DoubtfulLog()
    near, far = socket.socketpair()

    async def write(commits: _Commits) -> tuple[Reply, Reply]:
        async def reconnect() -> socket.socket:
            return commits.connect()

        writer = RemoteWriter(log, near, reconnect=reconnect)
        await writer.start()
        lost = asyncio.create_task(_append(writer, draft(0)))
        await until(lambda: writer.busy_seconds > 0)
        log.append([draft(0)])  # the process was killed after its commit, and before its reply
        log.lose("down", 1)
        far.close()
        found = await lost
        log.lose("down", 1)
        later = await _append(writer, draft(0, stream="table/later"))
        await writer.close()
        return found, later

    with _Commits(log) as commits:
        found, later = asyncio.run(write(commits))
    assert isinstance(found, InDoubt)
    assert isinstance(later, LogDown)
    assert not isinstance(later, InDoubt), "it was sent once"


def test_what_is_appended_as_soon_as_the_next_process_is_connected_is_sent_once() -> None:
    """It was sent twice, and the second reply ended the connection."""
    log = MemoryLog()
    near, far = socket.socketpair()
    first, second, sent = list[Reply](), list[Reply](), list[int]()

    class Eager(RemoteWriter):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if not self.is_first:
                self.append([draft(0, stream="table/eager")], second.append)
            self.is_first = False

        def _send(self, request: CommitRequest) -> None:
            sent.append(request.number)
            super()._send(request)

        is_first = True

    async def write(commits: _Commits) -> None:
        async def reconnect() -> socket.socket:
            return commits.connect()

        writer = Eager(log, near, reconnect=reconnect)
        await writer.start()
        writer.append([draft(0)], first.append)
        far.close()
        await until(lambda: bool(first and second))
        for number in range(5):
            assert isinstance(await _append(writer, draft(0, stream=f"table/{number}")), list)
        assert log.streams()["table/eager"] == 1
        assert sent == [1, 1, 2, 3, 4, 5, 6, 7]
        await writer.close()

    with _Commits(log) as commits:
        asyncio.run(write(commits))
    assert [type(reply) for reply in (*first, *second)] == [list, list]


def test_a_connection_that_fails_is_tried_again() -> None:
    """One fault, such as too many open files, left a server process without commits for good."""
    log = MemoryLog()
    near, far = socket.socketpair()

    async def write(commits: _Commits) -> tuple[Reply, Reply]:
        tries = 0

        async def reconnect() -> socket.socket:
            nonlocal tries
            tries += 1
            if tries == 1:
                raise OSError(24, "too many open files")
            return commits.connect()

        writer = RemoteWriter(log, near, reconnect=reconnect)
        await writer.start()
        lost = asyncio.create_task(_append(writer, draft(0)))
        await until(lambda: writer.busy_seconds > 0)
        far.close()
        first = await lost
        assert not writer.is_alive
        await until(lambda: writer.is_alive)
        later = await _append(writer, draft(0))
        await writer.close()
        return first, later

    with _Commits(log) as commits:
        first, later = asyncio.run(write(commits))
    assert isinstance(first, InDoubt)
    assert isinstance(later, list)
    assert isinstance(later[0], Appended)


def test_whoever_waits_too_long_for_the_next_process_is_told_that_it_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passline.streams.commit_process._LOST_SECONDS", 0.05)
    near, far = socket.socketpair()

    async def write() -> tuple[Reply, Reply]:
        async def reconnect() -> socket.socket:
            await asyncio.Event().wait()
            raise AssertionError

        writer = RemoteWriter(MemoryLog(), near, reconnect=reconnect)
        await writer.start()
        first = asyncio.create_task(_append(writer, draft(0)))
        await until(lambda: writer.busy_seconds > 0)
        far.close()
        lost = await first
        assert not writer.is_alive
        later = await _append(writer, draft(0))
        await writer.close()
        return lost, later

    lost, later = asyncio.run(write())
    assert isinstance(lost, InDoubt)
    assert isinstance(later, LogDown)
    assert not isinstance(later, InDoubt)


def test_a_server_process_that_ended_does_not_keep_the_others_from_being_answered() -> None:
    log = MemoryLog()

    async def write() -> Reply:
        async with _writers(log, count=2) as [ended, other]:
            ended.append([draft(0, name="a")], lambda _: None)
            assert ended._transport is not None
            ended._transport.abort()
            return await _append(other, draft(0, name="b", stream="table/other"))

    found = asyncio.run(write())
    assert isinstance(found, list)
    assert isinstance(found[0], Appended)


def test_a_probe_is_answered_by_the_process_that_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    log, others = MemoryLog(), MemoryLog()

    async def probe() -> tuple[str, str, str, list[str]]:
        async with _writers(log, others) as [writer]:
            first = await asyncio.to_thread(writer.probe)
            monkeypatch.setattr(log, "check", _raise_changed)
            second, fault = await asyncio.to_thread(writer.probe), writer.fault
            monkeypatch.undo()
            return first, second, fault, [await asyncio.to_thread(writer.probe), writer.fault]

    first, second, fault, again = asyncio.run(probe())
    assert first == ""
    assert second == "somebody cut it"
    assert "somebody cut it" in fault
    assert again == ["", ""]


def _raise_changed() -> None:
    raise LogChanged("somebody cut it")


def test_a_snapshot_is_kept_without_a_reply() -> None:
    log = MemoryLog()

    async def write() -> None:
        async with _writers(log) as [writer]:
            await _append(writer, draft(0))
            [stored] = log.read_stream(TABLE)
            writer.keep(Snapshot(stored.entry.stream, 1, stored.entry.sequence, stored.hash, b"{}"))
            await _append(writer, draft(1))

    asyncio.run(write())
    assert log.snapshot(TABLE) is not None

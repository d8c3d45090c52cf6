"""Commits in a process of their own: server processes get the very results that the log gave."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread

import pytest

from passline.store.entry import Draft, Head
from passline.store.log import Appended, AppendResult, Conflict, Known, LogChanged, LogError, Snapshot
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.commit_process import CommitRequest, RemoteWriter, frame, serve_commits
from passline.streams.writer import InDoubt, LogDown, Reply, ServerFault
from tests.store.drafts import TABLE, draft
from tests.waiting import until


@asynccontextmanager
async def _writers(
    log: Log, own: Log | None = None, *, count: int = 1, heads: list[Head] | None = None
) -> AsyncIterator[list[RemoteWriter]]:
    """Run the process that commits, as a thread, with this many server processes, which may have a log of their own."""
    pairs = [socket.socketpair() for _ in range(count)]
    commits = Thread(target=serve_commits, args=(log, [far for _, far in pairs]))
    commits.start()
    told = [] if heads is None else heads
    writers = [RemoteWriter(own or log, near, committed=told.append) for near, _ in pairs]
    for writer in writers:
        await writer.start()
    try:
        yield writers
    finally:
        for writer in writers:
            await writer.close()
        await asyncio.to_thread(commits.join)
        for _, far in pairs:
            far.close()


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


def test_a_server_process_that_takes_no_replies_ends_the_commits_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.commit_process._SEND_SECONDS", 0.1)
    (hung, far), (other, its_far), log = socket.socketpair(), socket.socketpair(), MemoryLog()
    far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    commits = Thread(target=serve_commits, args=(log, [far, its_far]))
    commits.start()
    hung.settimeout(0.1)  # its buffer is full as soon as nobody reads it any more
    with suppress(TimeoutError):
        for number in range(200):
            hung.sendall(frame(CommitRequest(number, [draft(number, name=f"n{number}")])))
    commits.join(30)
    assert not commits.is_alive(), "so that they are started again"
    for one in (hung, far, other, its_far):
        one.close()


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

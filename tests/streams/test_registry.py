"""A registry: a stream is read once however many ask for it, and one that could not be read is tried again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from passline.refusal import Refused
from passline.store.log import LogError
from passline.store.memory import MemoryLog
from passline.store.timestamps import utc_now
from passline.streams.blocking import BlockingStream
from passline.streams.course import Answer
from passline.streams.registry import Registry
from passline.streams.running import RunningStream
from passline.streams.writer import ThreadWriter
from tests.event_loop import asynchronous
from tests.streams.counter import Counter, add

Stream = RunningStream[int]


class Counters(Registry[Stream]):
    """The counters of a log, and how often one was read."""

    prefix = "counter/"

    def __init__(self, log: MemoryLog) -> None:
        super().__init__()
        self.log, self.writer, self.reads, self.is_down = log, ThreadWriter(log), 0, False

    async def _start(self, name: str) -> Stream:
        self.reads += 1
        stream: Stream = RunningStream(self.prefix + name, Counter(), log=self.log, writer=self.writer, clock=utc_now)
        await stream.load()
        if self.is_down:
            raise LogError("the database is away")
        return stream


@asynccontextmanager
async def counters(log: MemoryLog | None = None) -> AsyncIterator[Counters]:
    house = Counters(log or MemoryLog())
    yield house
    await house.close()
    await house.writer.close()


@asynchronous
async def test_a_stream_is_read_once_for_all_who_ask_at_the_same_time() -> None:
    async with counters() as house:
        first, second = await asyncio.gather(house.get("a"), house.get("a"))
        assert first is second is house.find("a")
        assert (house.reads, house.in_memory()) == (1, {"a": first})


@asynchronous
async def test_a_stream_that_could_not_be_read_is_read_when_it_is_next_asked_for() -> None:
    async with counters() as house:
        house.is_down = True
        for found in await asyncio.gather(house.get("a"), house.get("a"), return_exceptions=True):
            assert isinstance(found, LogError)
        assert (house.find("a"), house.in_memory(), "a" in house._tasks) == (None, {}, False)
        house.is_down = False
        assert (await house.get("a")).state is None
        assert house.reads == 2


@asynchronous
async def test_a_caller_who_goes_away_does_not_stop_the_reading() -> None:
    async with counters() as house:
        waiting = asyncio.create_task(house.get("a"))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await house.get("a")
        assert house.reads == 1


@asynchronous
async def test_a_stream_is_known_once_it_has_begun_and_dropped_if_its_first_command_is_refused() -> None:
    async with counters() as house:
        stream = await house.get("a")
        refused = await stream.ask(add(0))
        assert isinstance(refused, Refused)
        await house.keep_if_begun("a", refused)
        assert (house.ids(), "a" in house._tasks) == ([], False)
        again = await house.get("a")
        assert again is not stream
        await house.keep_if_begun("a", await again.ask(add(2)))
        await house.keep_if_begun("a", await again.ask(add(0, "id-2")))  # it has begun: it stays
        assert (house.ids(), house.find("a")) == (["a"], again)


@asynchronous
async def test_streams_of_the_log_are_known_by_their_names_and_others_are_not() -> None:
    log = MemoryLog()
    BlockingStream("counter/b", Counter(), log=log, clock=utc_now).ask(add(1))
    BlockingStream("counter/a", Counter(), log=log, clock=utc_now).ask(add(1))
    async with counters(log) as house:
        house.know(log.streams())
        assert house.ids() == ["a", "b"]
        assert house.reads == 0


@asynchronous
async def test_what_another_process_wrote_is_read_by_the_stream_in_memory() -> None:
    log = MemoryLog()
    async with counters(log) as house:
        stream = await house.get("a")
        other = BlockingStream("counter/a", Counter(), log=log, clock=utc_now)
        assert isinstance(other.ask(add(3)), Answer)
        house.notice("other/a", 1)
        assert (house.ids(), stream.version) == ([], 0)
        house.notice("counter/a", 1)
        await stream.be_current()
        assert (house.ids(), stream.state) == (["a"], 3)


@asynchronous
async def test_rules_that_a_snapshot_needs_are_learned_from_the_log() -> None:
    log = MemoryLog()
    async with counters(log) as house:
        await (await house.get("a")).ask(add(3))
    async with counters(log) as house:  # which closing kept a snapshot for
        stream = await house.get("a")
        assert (stream.state, log.snapshot("counter/a") is not None) == (3, True)
        assert stream._course.knows_rules(3)

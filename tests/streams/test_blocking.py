"""A blocking stream: an id acts once, streams that race lose nothing, and each sees at once what the other wrote."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Barrier, Thread

import pytest
from msgspec import Struct

from passline.refusal import Refusal, Refused
from passline.store.data_folder import open_log
from passline.store.entry import Entry, Stored
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.blocking import BlockingStream
from passline.streams.course import Actor, Answer, Ask, Codec, Course, Decision
from passline.streams.running import RunningStream
from passline.streams.writer import ThreadWriter

ANN, BOB = Actor("ann", "Ann", "player"), Actor("bob", "Bob", "player")
MOST = 1_000


class Add(Struct, frozen=True, tag_field="command", tag="add"):
    """Add to the counter."""

    count: int


class Added(Struct, frozen=True, tag_field="event", tag="added/1"):
    """Something was added."""

    count: int


def nothing() -> None:
    """Do nothing."""


class Counter(Course[int]):
    """Counts up to MOST. `meanwhile` runs once, between the decision and its writing."""

    codec = Codec(Add, Added, int)
    meanwhile: Callable[[], object] = staticmethod(nothing)

    def decide(self, state: int | None, ask: Ask, at: str) -> Decision | Refused:  # noqa: ARG002 - the course's own
        total = (state or 0) + ask.command.count
        if total > MOST:
            return Refused((Refusal("form", f"{total} is over {MOST}"),))
        meanwhile, self.meanwhile = self.meanwhile, nothing
        meanwhile()
        return Decision(ask.command, (Added(ask.command.count),), total)

    def fold(self, state: int | None, entry: Entry, events: Sequence[Added]) -> int:  # noqa: ARG002 - the course's own
        return (state or 0) + sum(event.count for event in events)


def counter(log: Log, course: Counter | None = None) -> BlockingStream[int]:
    return BlockingStream("counter", course or Counter(), log=log, clock=lambda: "2026-11-15T08:00:00.000000Z")


@pytest.fixture(params=["memory", "sqlite"])
def logs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Log, Log]]:
    """One log as two processes have it open."""
    if request.param == "memory":
        log = MemoryLog()
        yield log, log
        return
    first, second = open_log(tmp_path / "house"), open_log(tmp_path / "house")
    yield first, second
    first.close()
    second.close()


def done(answer: Answer | Refused) -> Answer:
    assert isinstance(answer, Answer), answer
    return answer


def test_the_same_id_acts_once_in_either_stream(logs: tuple[Log, Log]) -> None:
    here, there = map(counter, logs)
    first = done(here.ask(Ask("id", Add(2), ANN)))
    for again in (here.ask(Ask("id", Add(2), ANN)), there.ask(Ask("id", Add(2), ANN))):
        assert done(again).sequence == first.sequence
        assert done(again).events == first.events
    assert here.newest() == there.newest() == 2
    done(here.ask(Ask("id", Add(3), BOB)))  # another account's ids are its own
    assert there.newest() == 5


def test_the_same_id_with_another_command_is_refused(logs: tuple[Log, Log]) -> None:
    here, there = map(counter, logs)
    done(here.ask(Ask("id", Add(2), ANN)))
    for stream in (here, there):
        refused = stream.ask(Ask("id", Add(3), ANN))
        assert "the id id was sent before with another command" in str(refused)
    assert here.newest() == 2


def test_a_stream_sees_at_once_what_the_other_wrote(logs: tuple[Log, Log]) -> None:
    here, there = map(counter, logs)
    assert there.newest() is None
    done(here.ask(Ask("1", Add(MOST - 1), ANN)))
    assert there.newest() == MOST - 1
    assert "1001 is over 1000" in str(there.ask(Ask("2", Add(2), BOB)))
    done(there.ask(Ask("3", Add(1), BOB)))
    assert here.newest() == MOST


def test_a_command_is_decided_again_if_the_other_stream_wrote_first(logs: tuple[Log, Log]) -> None:
    course, there = Counter(), counter(logs[1])
    here = counter(logs[0], course)
    course.meanwhile = lambda: done(there.ask(Ask("b", Add(MOST - 1), BOB)))
    assert "1001 is over 1000" in str(here.ask(Ask("a", Add(2), ANN)))
    assert here.newest() == there.newest() == MOST - 1


@pytest.mark.parametrize("count", [2, 3])
def test_an_id_that_both_streams_get_at_the_same_moment_acts_once(logs: tuple[Log, Log], count: int) -> None:
    course, there = Counter(), counter(logs[1])
    here = counter(logs[0], course)
    course.meanwhile = lambda: done(there.ask(Ask("id", Add(count), ANN)))
    answer = here.ask(Ask("id", Add(2), ANN))
    assert isinstance(answer, Answer) is (count == 2), "another command with the same id must be refused"
    assert here.newest() == count


def test_an_id_that_the_other_stream_writes_just_after_the_lookup_gets_its_answer() -> None:
    class SlowLog(MemoryLog):
        """A log in which another process writes just after the first lookup."""

        meanwhile: Callable[[], object] = staticmethod(nothing)

        def find(self, stream: str, actor: str, id: str) -> Stored | None:  # noqa: A002
            found = super().find(stream, actor, id)
            meanwhile, self.meanwhile = self.meanwhile, nothing
            meanwhile()
            return found

    log = SlowLog()
    here, there = counter(log), counter(log)
    log.meanwhile = lambda: done(there.ask(Ask("id", Add(MOST), ANN)))
    done(here.ask(Ask("id", Add(MOST), ANN)))
    assert here.newest() == MOST


def test_threads_that_write_at_once_lose_nothing(logs: tuple[Log, Log]) -> None:
    streams, start = tuple(map(counter, logs)), Barrier(4)
    answers: list[Answer | Refused] = []

    def write(number: int) -> None:
        start.wait()
        answers.extend(streams[number % 2].ask(Ask(f"{number}-{turn}", Add(1), ANN)) for turn in range(20))

    threads = [Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({done(answer).sequence for answer in answers}) == 80
    assert all(done(answer).head.sequence >= done(answer).sequence for answer in answers)
    assert streams[0].newest() == streams[1].newest() == counter(logs[0]).newest() == 80


def test_a_server_whose_clock_is_slow_dates_nothing_before_what_is_in_the_log(logs: tuple[Log, Log]) -> None:
    """In a stream no entry is dated before another, and none long before one of another stream."""
    times = {"counter": "2026-11-15T08:00:00.000000Z", "other": "2026-11-15T08:00:08.000000Z"}
    log = logs[0]
    slow, quick = (
        BlockingStream(name, Counter(), log=log, clock=partial(times.__getitem__, name))
        for log, name in zip(logs, times, strict=True)
    )

    def dated(stream: BlockingStream[int], id_: str) -> str:
        answer = stream.ask(Ask(id_, Add(1), ANN))
        assert isinstance(answer, Answer)
        return next(log.read(after=answer.sequence - 1)).entry.at

    assert [dated(slow, "1"), dated(quick, "2")] == [times["counter"], times["other"]]
    assert dated(slow, "3") == times["other"], "eight seconds behind the log"
    times["counter"] = "2026-11-15T08:00:07.500000Z"
    assert dated(slow, "4") == times["other"], "its own stream has a newer one"
    times["other"] = "2026-11-15T08:00:09.000000Z"
    assert dated(quick, "5") == times["other"]
    times["counter"] = "2026-11-15T08:00:08.500000Z"
    assert dated(slow, "6") == times["counter"], "half a second is the time that a commit takes"
    times["other"] = "2026-11-15T08:05:00.000000Z"
    assert dated(quick, "7") == times["other"]
    assert dated(slow, "8") == times["counter"], "a server that is minutes ahead does not move the time of the others"


def test_a_stream_that_is_loaded_from_a_snapshot_knows_when_its_last_entry_was() -> None:
    log = MemoryLog()

    async def dated(id_: str, at: str) -> str:
        writer = ThreadWriter(log)
        stream: RunningStream[int] = RunningStream("counter", Counter(), log=log, writer=writer, clock=lambda: at)
        await stream.load()
        answer = done(await stream.ask(Ask(id_, Add(1), ANN)))
        await stream.close()
        await writer.close()
        return next(log.read(after=answer.sequence - 1)).entry.at

    ahead, behind = "2026-11-15T08:00:01.500000Z", "2026-11-15T08:00:00.000000Z"
    assert asyncio.run(dated("1", ahead)) == ahead
    assert log.snapshot("counter") is not None
    assert asyncio.run(dated("2", behind)) == ahead

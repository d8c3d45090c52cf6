"""A table run by several server processes: what the screens at each had shown when it was frozen."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from passline.game import commands as c
from passline.store.entry import Draft
from passline.store.log import AppendResult, LogError
from passline.store.memory import MemoryLog
from passline.streams.stream import Answer, Ask, Happened
from passline.tables.commands import FreezeTable, ReleaseTable, ReportShown
from passline.tables.duties import THE_HOUSE, Actor
from passline.tables.events import ScreensShown
from passline.tables.runtime import table_stream as course
from passline.tables.runtime.floor import RunningTable
from passline.tables.verify import replay_faults
from tests.tables.running import ANN, BOB, ask, done, floor_over, running
from tests.tables.test_floor import asynchronous

FLO = Actor("flo", "Flo", "floorperson", is_employee=True)
FREEZE = FreezeTable(reason="that was a six")
FIELD = c.MakeWager(seat=1, wager="field", cents=5_00)


@asynccontextmanager
async def two_processes(log: MemoryLog) -> AsyncIterator[tuple[RunningTable, RunningTable]]:
    """The same table as two processes have it."""
    async with running(log) as (_floor, here):
        other = floor_over(log)
        await other.start()
        there = await other.table("craps-1")
        assert there is not None
        try:
            yield here, there
        finally:
            await other.close()
    assert not list(replay_faults(log.read()))


async def caught_up(*tables: RunningTable) -> None:
    """Let each read what others wrote, and write what comes of it: asks are answered in their turn."""
    for table in tables:
        table.stream.catch_up()
        await ask(table, BOB, c.DeclineDice(seat=2))  # refused while it is frozen
        await ask(table, BOB, c.DeclineDice(seat=2))


async def released(table: RunningTable) -> None:
    """Go on, signed by another floorperson."""
    answer = await table.stream.ask(Ask(uuid4().hex, ReleaseTable(finding="it was"), FLO, "fay"))
    assert isinstance(answer, Answer), answer


def events_of(log: MemoryLog, name: str) -> list[dict[str, Any]]:
    """Every event of that name in the table's stream, in its order."""
    events = (event for one in log.read_stream("table/craps-1") for event in msgspec.json.decode(one.entry.events))
    return [event for event in events if event["event"] == name]


def shown_at(table: RunningTable) -> dict[str, int]:
    """What the freeze is known to have found on the screens."""
    assert table.live.frozen is not None
    return table.live.frozen.shown


@asynchronous
async def test_each_process_adds_what_its_own_screens_had_confirmed_once() -> None:
    log = MemoryLog()
    async with two_processes(log) as (here, there):
        here.course.seen["ann"], there.course.seen["bob"] = 4, 5
        frozen = await done(there, FLO, FREEZE)
        assert shown_at(there) == {"1": 0, "2": 5}
        await caught_up(here, there, here)
        assert shown_at(here) == shown_at(there) == {"1": 4, "2": 5}
        assert events_of(log, "screens-shown/1") == [
            {"event": "screens-shown/1", "freeze": here.live.froze, "shown": {"1": 4}}
        ]
        [entry] = [one.entry for one in log.read() if b"screens-shown/1" in bytes(one.entry.events)]
        assert (entry.actor, entry.role, entry.version) == ("house", "owner", here.live.froze + 1)
        here.course.seen["ann"] = frozen.sequence  # the screen shows the freeze itself by now
        await caught_up(here, there)
        assert shown_at(here) == {"1": 4, "2": 5}


@asynchronous
async def test_a_screen_that_had_confirmed_nothing_before_the_freeze_adds_nothing() -> None:
    """One that came while the freeze was being read was shown it at once; another is behind what is known of Ann."""
    log = MemoryLog()
    async with two_processes(log) as (here, there):
        there.course.seen["ann"] = 6
        frozen = await done(there, FLO, FREEZE)
        here.course.seen.update({"ann": 5, "bob": frozen.sequence})
        await caught_up(here)
        assert shown_at(here) == {"1": 6, "2": 0}
        assert not events_of(log, "screens-shown/1")


@asynchronous
async def test_what_a_screen_here_confirms_while_the_freeze_is_being_written_counts_too() -> None:
    """The same rule as elsewhere: up to the moment when the freeze is shown to it."""
    log = MemoryLog()
    async with two_processes(log) as (here, _there):
        here.course.seen["ann"] = 4
        judge = here.course.judge

        def judged(*given: Any) -> Any:  # noqa: ANN401
            ruling = judge(*given)
            here.course.seen["ann"] = 5
            return ruling

        here.course.judge = judged  # type: ignore[method-assign, assignment]
        await done(here, FLO, FREEZE)
        await caught_up(here)
        assert events_of(log, "table-frozen/1")[0]["shown"] == {"1": 4, "2": 0}
        assert shown_at(here) == {"1": 5, "2": 0}


@asynchronous
async def test_a_freeze_that_is_over_before_it_is_read_is_left_as_it_is() -> None:
    log = MemoryLog()
    async with two_processes(log) as (here, there):
        here.course.seen["ann"] = 4
        await done(there, FLO, FREEZE)
        await released(there)
        await done(there, FLO, FREEZE)
        await caught_up(here)
        assert events_of(log, "screens-shown/1")[0]["freeze"] == here.live.froze == here.live.version - 1
        await released(here)
        there.stream.catch_up()
        await done(there, ANN, FIELD)
        await done(there, FLO, FREEZE)
        await released(there)
        here.stream.catch_up()
        await done(here, ANN, FIELD)
        assert len(events_of(log, "screens-shown/1")) == 1


class Busy(MemoryLog):
    """A log that takes no report at its first try."""

    tries = 0

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        if any(b"report-shown" in bytes(draft.command) for draft in drafts):
            self.tries += 1
            if self.tries == 1:
                raise LogError("the disk is full")
        return super().append(drafts)


@asynchronous
async def test_a_log_that_is_down_is_asked_again() -> None:
    log = Busy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "AGAIN_SECONDS", 0.0)
        async with two_processes(log) as (here, there):
            here.course.seen["ann"] = 4
            told = asyncio.Event()

            def hear(happened: Sequence[Happened]) -> None:
                if isinstance(happened[-1].events[0], ScreensShown):
                    told.set()

            here.course.hearers.append(hear)
            await done(there, FLO, FREEZE)
            here.stream.catch_up()
            async with asyncio.timeout(60):
                await told.wait()
            assert shown_at(here) == {"1": 4, "2": 0}
    assert log.tries == 2


@asynchronous
async def test_the_server_itself_is_answered_and_nobody_else() -> None:
    log = MemoryLog()
    async with two_processes(log) as (here, _there):
        await done(here, FLO, FREEZE)
        report = ReportShown(freeze=here.live.froze, shown={"1": 3})
        for who in (ANN, BOB, FLO, Actor("owner", "Olga", "owner")):
            assert "nobody's to give" in str(await ask(here, who, report))
        assert isinstance(await ask(here, THE_HOUSE, report), Answer)

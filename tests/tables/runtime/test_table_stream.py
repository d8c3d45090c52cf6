"""A table run by two server processes: what the screens of each had shown when it was frozen."""

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
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask, Happened
from passline.tables.commands import FreezeTable, ReleaseTable, ReportShown
from passline.tables.events import ScreensShown
from passline.tables.runtime import table_stream
from passline.tables.runtime.floor import RunningTable
from passline.tables.verify import decision_faults
from tests.event_loop import asynchronous
from tests.tables.running_floor import ANN, BOB, ask, done, floor_over, running

FLO = Actor("flo", "Flo", "floorperson", is_employee=True)
FREEZE = FreezeTable(reason="that was a six")
FIELD = c.MakeWager(seat=1, wager="field", cents=5_00)


@asynccontextmanager
async def two_processes(log: MemoryLog) -> AsyncIterator[tuple[RunningTable, RunningTable]]:
    """Run the same table in two processes; check the log at the end."""
    async with running(log) as (_floor, here):
        other = floor_over(log)
        await other.start()
        there = await other.table("craps-1")
        assert there is not None
        try:
            yield here, there
        finally:
            await other.close()
    assert not list(decision_faults(log.read()))


async def caught_up(*tables: RunningTable) -> None:
    """Wait until each table has read what the others wrote and has written its own reports."""
    for table in tables:
        table.stream.catch_up()
        await ask(table, BOB, c.DeclineDice(seat=2))  # refused while the table is frozen, but answered in its turn
        await ask(table, BOB, c.DeclineDice(seat=2))


async def released(table: RunningTable) -> None:
    """Release the table, signed by another floorperson."""
    answer = await table.stream.ask(Ask(uuid4().hex, ReleaseTable(finding="it was"), FLO, "fay"))
    assert isinstance(answer, Answer), answer


def events_of(log: MemoryLog, name: str) -> list[dict[str, Any]]:
    """Return the events of that name in the table's stream, in order."""
    events = (event for one in log.read_stream("table/craps-1") for event in msgspec.json.decode(one.entry.events))
    return [event for event in events if event["event"] == name]


def shown_at(table: RunningTable) -> dict[str, int]:
    """Return what the screens had shown before the freeze, as this process knows it."""
    assert table.live.frozen is not None
    return table.live.frozen.shown


@asynchronous
async def test_each_process_reports_once_what_its_own_screens_had_confirmed() -> None:
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
        here.course.seen["ann"] = frozen.sequence  # by now the screen shows the freeze itself
        await caught_up(here, there)
        assert shown_at(here) == {"1": 4, "2": 5}


@asynchronous
async def test_a_screen_that_confirmed_nothing_new_before_the_freeze_is_not_reported() -> None:
    """Bob's screen connected after the freeze; Ann's screen here is behind her screen at the other process."""
    log = MemoryLog()
    async with two_processes(log) as (here, there):
        there.course.seen["ann"] = 6
        frozen = await done(there, FLO, FREEZE)
        here.course.seen.update({"ann": 5, "bob": frozen.sequence})
        await caught_up(here)
        assert shown_at(here) == {"1": 6, "2": 0}
        assert not events_of(log, "screens-shown/1")


@asynchronous
async def test_what_a_screen_confirms_while_the_freeze_is_being_written_is_reported() -> None:
    """As at other processes, everything counts until the screen is shown the freeze."""
    log = MemoryLog()
    async with two_processes(log) as (here, _there):
        here.course.seen["ann"] = 4
        decide = here.course.decide

        def decide_slowly(*args: Any) -> Any:  # noqa: ANN401
            decision = decide(*args)
            here.course.seen["ann"] = 5
            return decision

        here.course.decide = decide_slowly  # type: ignore[method-assign, assignment]
        await done(here, FLO, FREEZE)
        await caught_up(here)
        assert events_of(log, "table-frozen/1")[0]["shown"] == {"1": 4, "2": 0}
        assert shown_at(here) == {"1": 5, "2": 0}


@asynchronous
async def test_nothing_is_reported_of_a_freeze_that_was_over_before_it_was_read() -> None:
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


class FailsOnce(MemoryLog):
    """A log that fails when the first report is written."""

    tries = 0

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        if any(b"report-shown" in bytes(draft.command) for draft in drafts):
            self.tries += 1
            if self.tries == 1:
                raise LogError("the disk is full")
        return super().append(drafts)


@asynchronous
async def test_a_report_is_written_again_after_the_log_was_down() -> None:
    log = FailsOnce()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_stream, "AGAIN_SECONDS", 0.0)
        async with two_processes(log) as (here, there):
            here.course.seen["ann"] = 4
            reported = asyncio.Event()

            def follow(happened: Sequence[Happened]) -> None:
                if isinstance(happened[-1].events[0], ScreensShown):
                    reported.set()

            here.course.followers.append(follow)
            await done(there, FLO, FREEZE)
            here.stream.catch_up()
            async with asyncio.timeout(60):
                await reported.wait()
            assert shown_at(here) == {"1": 4, "2": 0}
    assert log.tries == 2


@asynchronous
async def test_only_the_server_itself_may_report_what_screens_had_shown() -> None:
    log = MemoryLog()
    async with two_processes(log) as (here, _there):
        await done(here, FLO, FREEZE)
        report = ReportShown(freeze=here.live.froze, shown={"1": 3})
        for who in (ANN, BOB, FLO, Actor("owner", "Olga", "owner")):
            assert "nobody may give" in str(await ask(here, who, report))
        assert isinstance(await ask(here, THE_HOUSE, report), Answer)

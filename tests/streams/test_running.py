"""A running stream: one id is one command, a cut log is no race, and a fault of the program is not one of the log."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from passline.game import commands as c
from passline.game.events import RollSettled
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.entry import Draft, Stored
from passline.store.log import AppendResult, LogError, Snapshot
from passline.store.memory import MemoryLog
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import LogDown, ServerFault
from passline.tables.commands import FileApproval, FreezeTable, Roll
from passline.tables.runtime import table_stream
from passline.tables.runtime.floor import RunningTable
from tests.event_loop import asynchronous
from tests.tables.running_floor import ANN, OWNER, ask, done, floor_over, running
from tests.waiting import until

PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)
MORE = c.MakeWager(seat=1, wager="pass", cents=20_00)
FIELD = c.MakeWager(seat=1, wager="field", cents=5_00)
REMOVE = c.RemoveWager(seat=1, wager="field")


def is_id_used(answer: Answer | Refused) -> bool:
    return isinstance(answer, Refused) and "was sent before with another command" in str(answer)


@asynchronous
async def test_an_id_with_another_command_is_refused_in_every_state_of_the_first() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        both = await asyncio.gather(ask(table, ANN, PASS, "one"), ask(table, ANN, MORE, "one"))  # being written
        assert isinstance(both[0], Answer)
        assert is_id_used(both[1])
        assert is_id_used(await ask(table, ANN, MORE, "one"))  # answered recently
        table.stream._answers.clear()
        assert is_id_used(await ask(table, ANN, MORE, "one"))  # in the log; acceptable now
        assert is_id_used(await ask(table, ANN, c.AcceptDice(seat=7), "one"))  # in the log; refused now
        assert isinstance(await ask(table, ANN, PASS, "one"), Answer)
        assert table.live.game.money.racks[0] == 990_00


@asynchronous
async def test_a_command_on_its_way_never_acts_once_another_process_has_called_it_not_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        write = log.append

        def asked_about_first(drafts: Sequence[Draft]) -> list[AppendResult]:
            if drafts[0].id == "one":
                assert log.find_decided(drafts[0].stream, ANN.account, "one", gives_up=True) is None
            return write(drafts)

        monkeypatch.setattr(log, "append", asked_about_first)
        late, other = await asyncio.gather(ask(table, ANN, PASS, "one"), ask(table, ANN, MORE, "two"))
        assert isinstance(late, Refused)
        assert "found not to be done, so it never acts" in str(late)
        assert isinstance(other, Answer)
        assert table.live.game.money.racks[0] == 980_00


@asynchronous
async def test_a_command_in_doubt_that_is_refused_may_act_later_unless_its_sender_asked_again() -> None:
    """The house sends a roll with the same id until it acts: it must not be given up for a refusal that passes."""
    async with running() as (_floor, table):
        refused = c.AcceptDice(seat=7)
        for id_ in ("house", "player"):
            table.stream._doubted.add((ANN.account, id_))
        assert isinstance(await ask(table, ANN, refused, "house"), Refused)
        assert isinstance(await ask(table, ANN, PASS, "house"), Answer)
        assert isinstance(await table.stream.ask(Ask("player", refused, ANN, again=True)), Refused)
        assert "never acts" in str(await ask(table, ANN, MORE, "player"))


@pytest.mark.parametrize("is_late", [False, True])
@asynchronous
async def test_a_refusal_of_a_command_that_was_sent_again_meanwhile_holds_at_every_process(
    is_late: bool,  # noqa: FBT001 - given by pytest
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was refused, and acted all the same by the process that had the first sending."""
    log = MemoryLog()
    async with running(log) as (_floor, table):
        unlawful, find, goes_on = c.AcceptDice(seat=7), log.find, threading.Event()
        sought = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait_and_find(*entry: Any) -> Stored | None:  # noqa: ANN401 - as the log is asked
            loop.call_soon_threadsafe(sought.set)
            assert goes_on.wait(30)
            return find(*entry)

        monkeypatch.setattr(log, "find", wait_and_find)
        first = table.stream.submit(Ask("one", unlawful, ANN))
        if is_late:
            await sought.wait()
        again = table.stream.submit(Ask("one", unlawful, ANN, again=True))
        goes_on.set()
        assert isinstance(await first, Refused)
        assert await again == await first
        assert "never acts" in str(await ask(table, ANN, PASS, "one")), "as the first sending elsewhere is told"


@asynchronous
async def test_a_process_that_lags_behind_another_refuses_nothing_that_is_lawful_by_now() -> None:
    """It refused a wager with "seat 2 is not Bob's", while it had not read yet that another process seated him."""
    log = MemoryLog()
    log.is_shared = True
    async with running(log) as (_floor, table):
        other = floor_over(log)
        await other.start()
        try:
            theirs, cleo = await other.get(table.id), Actor("cleo", "Cleo", "player")
            for command in (c.TakeSeat(seat=3), c.BuyIn(seat=3, cents=500_00)):
                assert isinstance(await ask(theirs, cleo, command), Answer)
            assert 3 not in table.live.players, "nobody has told this one"
            assert isinstance(await ask(table, cleo, c.MakeWager(seat=3, wager="field", cents=5_00)), Answer)
            refused = await ask(table, cleo, c.MakeWager(seat=4, wager="field", cents=5_00))
            assert "seat 4 is not Cleo's" in str(refused), "which is so"
        finally:
            await other.close()


class _AwaitedLog(MemoryLog):
    """A log that others write to as well. Its next commit is answered only once somebody has read what it wrote."""

    is_slow = False

    def __init__(self) -> None:
        super().__init__()
        self.is_shared = True
        self.committed, self.was_read = threading.Event(), threading.Event()

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        results = super().append(drafts)
        if self.is_slow and not self.committed.is_set():
            self.committed.set()
            assert self.was_read.wait(30)
        return results

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        if self.is_slow:
            assert self.committed.wait(30)
        found = list(super().read_stream(stream, after=after, hand=hand))
        if self.is_slow:
            self.was_read.set()
        return iter(found)


@asynchronous
async def test_what_a_stream_has_just_written_itself_is_no_reason_to_judge_a_refused_command_again() -> None:
    """A command was judged again after the one that was sent behind it: a wager just made was taken down."""
    log = _AwaitedLog()
    async with running(log) as (_floor, table):
        log.is_slow = True
        removed, made = await asyncio.gather(ask(table, ANN, REMOVE), ask(table, ANN, FIELD))
        assert isinstance(made, Answer)
        assert isinstance(removed, Refused)
        assert table.live.game.money.racks[0] == 995_00, "the wager is up"


@asynchronous
async def test_a_refused_command_is_not_judged_after_a_later_one_of_its_sender() -> None:
    log = MemoryLog()
    log.is_shared = True
    async with running(log) as (_floor, table):
        other = floor_over(log)
        await other.start()
        try:
            theirs = await other.get(table.id)
            assert isinstance(await ask(theirs, Actor("cleo", "Cleo", "player"), c.TakeSeat(seat=3)), Answer)
            removed, made = await asyncio.gather(ask(table, ANN, REMOVE), ask(table, ANN, FIELD))
            assert isinstance(made, Answer)
            assert isinstance(removed, Refused)
            assert 3 in table.live.players
            assert table.live.game.money.racks[0] == 995_00, "the wager is up"
        finally:
            await other.close()


@asynchronous
async def test_a_repeated_command_is_the_same_without_what_the_server_added() -> None:
    async with running() as (floor, table):
        carl = ANN.__class__("carl", "Carl", "player")
        commands: list[tuple[Any, Any]] = [
            (carl, c.TakeSeat(seat=3)),
            (carl, c.BuyIn(by="dealer", seat=3, cents=100_00)),
            (carl, FreezeTable(reason="that was a six")),
        ]
        for who, command in commands:
            first = await done(table, who, command, f"id {command}")
            table.stream._answers.clear()
            table.course.seen["carl"] = first.sequence
            again = await done(table, who, command, f"id {command}")
            assert again.sequence == first.sequence
        filed = FileApproval(kind="laboratory_report", authority="laboratory", reference="L", date="2026-01-01")
        assert isinstance(await floor.ask_house(Ask("a", filed, OWNER)), Answer)
        floor._house._answers.clear()
        assert isinstance(await floor.ask_house(Ask("a", filed, OWNER)), Answer)
        floor._house._answers.clear()
        other = FileApproval(kind="laboratory_report", authority="laboratory", reference="M", date="2026-01-01")
        assert is_id_used(await floor.ask_house(Ask("a", other, OWNER)))


@asynchronous
async def test_a_log_that_was_cut_is_reported_as_down_and_everybody_is_answered(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    async with running(log) as (floor, table):
        head = log.head()
        assert head
        with closing(sqlite3.connect(tmp_path / "log.sqlite", isolation_level=None)) as thief:
            thief.execute("DROP TRIGGER entries_stay")
            thief.execute("DELETE FROM entries WHERE sequence > ?", (head.sequence - 2,))
        assert f"cut before acknowledged entry {head.sequence}" in floor.writer.probe()  # before any command is sent
        async with asyncio.timeout(60):
            with pytest.raises(LogDown):
                await ask(table, ANN, PASS)
        assert f"cut before acknowledged entry {head.sequence}" in floor.writer.probe()
    log.close()  # the floor closed, so nothing was left waiting


class CutLog(MemoryLog):
    """A log whose streams can be cut without the log itself noticing."""

    def cut(self, stream: str, length: int) -> None:
        del self._streams[stream][length:]


@asynchronous
async def test_a_stream_that_got_shorter_is_not_taken_for_a_race() -> None:
    log = CutLog()
    async with running(log) as (_floor, table):
        log.cut(table.stream.name, 3)
        async with asyncio.timeout(60):
            with pytest.raises(LogDown, match="ends at version 3: cut below"):
                await ask(table, ANN, PASS)


class BrokenLog(MemoryLog):
    """A log that fails because of a fault in the program."""

    is_broken = False
    is_unkept = False

    def append(self, drafts: Sequence[Any]) -> Any:  # noqa: ANN401
        if self.is_broken:
            raise ZeroDivisionError("a fault")
        return super().append(drafts)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        if self.is_unkept:
            raise LogError("no room for a snapshot")
        super().save_snapshot(snapshot)


@asynchronous
async def test_a_fault_of_the_program_is_answered_as_such_and_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = BrokenLog()
    async with running(log) as (floor, table):
        with pytest.raises(ServerFault, match="the server has a fault; nothing was done"):
            await table.stream.ask(Ask("x", object(), ANN))
        assert "could not be judged" in caplog.text
        log.is_broken = True
        with pytest.raises(ServerFault, match="ask again with the same id, which acts once"):
            await ask(table, ANN, PASS, "one")
        log.is_broken = False
        assert "ZeroDivisionError: a fault" in caplog.text
        assert "Traceback" in caplog.text
        assert not floor.writer.fault
        assert not floor.writer.probe()
        caplog.clear()
        table.course.fold = None  # type: ignore[assignment, method-assign]  # a fault while reading on
        other = floor_over(log)
        await other.start()
        theirs = await other.table("craps-1")
        assert theirs
        await done(theirs, ANN, c.StandUp(seat=1))
        with pytest.raises(ServerFault, match="ask again with the same id"):
            await ask(table, ANN, c.StandUp(seat=1))
        assert "Traceback" in caplog.text
        await other.close()


@asynchronous
async def test_a_snapshot_that_cannot_be_saved_is_no_fault_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    log = BrokenLog()
    async with running(log) as (floor, _table):
        log.is_unkept = True
    assert floor.writer.snapshot_faults == 2  # the house's and the table's
    assert not floor.writer.fault
    assert "was not kept" in caplog.text


@asynchronous
async def test_a_floor_that_cannot_follow_other_processes_logs_it_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = asyncio.Event()

    class Gone(MemoryLog):
        calls = 0

        def wait_for(self, after: int, timeout: float) -> bool:
            self.calls += 1
            if self.calls == 3:
                loop.call_soon_threadsafe(tries.set)
                timeout = 0
                return super().wait_for(after, timeout)
            raise ZeroDivisionError("a fault")

    monkeypatch.setattr("passline.tables.runtime.other_processes.AGAIN_SECONDS", 0)
    loop = asyncio.get_running_loop()
    floor = floor_over(Gone(), is_shared=True)
    with caplog.at_level(logging.ERROR):
        await floor.start()
        await tries.wait()
        await floor.close()
    assert caplog.text.count("other processes cannot be followed") == 1
    assert "Traceback" in caplog.text


# --- Work beside the event loop ---------------------------------------------------------------------------------------


async def _rolled(table: RunningTable) -> None:
    """Roll the dice once, and wait until the roll is in the log; its news may still be made."""
    await done(table, ANN, c.AcceptDice(seat=1))
    await done(table, ANN, PASS)
    assert isinstance(await ask(table, ANN, Roll(seat=1)), Answer)
    await table.course.completion.wait_until_landed()


@asynchronous
async def test_screens_are_sent_the_whole_table_if_the_news_of_a_roll_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make = table_stream._told_to

    def broken(readers: Any, happened: Any, changes: Any, place: Any) -> Any:  # noqa: ANN401 - as it is called
        if any(isinstance(event, RollSettled) for one in happened for event in one.events):
            raise ValueError("a fault of the program")
        return make(readers, happened, changes, place)

    monkeypatch.setattr(table_stream, "_told_to", broken)
    async with running(None, (2, 2)) as (_floor, table):
        screen = Subscriber(None)
        table.subscribe(screen)
        table.course.whole(screen)
        await _rolled(table)
        while table.course.is_telling:  # noqa: ASYNC110 - nobody but a test waits for it
            await asyncio.sleep(0)
        assert screen.is_lost
        assert table.live.game.position.puck == 4
        await done(table, ANN, c.MakeWager(seat=1, wager="field", cents=5_00))  # the table goes on


@asynchronous
async def test_a_stream_that_is_closed_ends_what_is_done_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    make, may_end = table_stream._told_to, threading.Event()

    def slow(*given: Any) -> Any:  # noqa: ANN401 - as it is called
        if table.live.game.position.puck:
            assert may_end.wait(30)
        return make(*given)

    monkeypatch.setattr(table_stream, "_told_to", slow)
    async with running(None, (2, 2)) as (_floor, table):
        screen = Subscriber(None)
        table.subscribe(screen)
        table.course.whole(screen)
        await _rolled(table)
        assert table.course.is_telling
        wager = asyncio.create_task(done(table, ANN, c.MakeWager(seat=1, wager="field", cents=5_00)))
        closing_it = asyncio.create_task(table.stream.close())
        await until(lambda: table.stream.queue_length > 0)
        assert not closing_it.done()
        may_end.set()
        await closing_it
        await wager
        assert not table.stream.queue_length
        assert not table.course.is_telling

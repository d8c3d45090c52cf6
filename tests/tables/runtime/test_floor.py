"""The floor: what is answered is in the log, what fails changes nothing, and no command acts twice."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from passline.game import commands as c
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.log import AppendResult, LogError, Secret
from passline.store.memory import MemoryLog, MemoryVault
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import LogDown
from passline.tables.commands import (
    CloseTable,
    DiceOut,
    Roll,
)
from passline.tables.ledger import balances_of
from passline.tables.verify import decision_faults
from tests.event_loop import asynchronous
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done, floor_over, rolled, running
from tests.waiting import until

PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)
ROLL = Roll(seat=1)


class FailingVault(MemoryVault):
    """A vault whose disk is full while `is_full`."""

    is_full = False

    def put(self, secret: Secret) -> None:
        if self.is_full:
            raise LogError("the disk is full")
        super().put(secret)


class FailingLog(MemoryLog):
    """A log whose disk is full while `is_full`."""

    is_full = False

    def __init__(self) -> None:
        super().__init__()
        self.vault: FailingVault = FailingVault()

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        if self.is_full:
            raise LogError("the disk is full")
        return super().append(drafts)


@asynchronous
async def test_an_answer_is_in_the_log_and_carries_its_head() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        answer = await done(table, ANN, PASS, "one")
        stored = log.find("table/craps-1", "ann", "one")
        assert stored is not None
        assert (answer.sequence, answer.head) == (stored.entry.sequence, log.head())
        assert answer.lines == ("Ann Pass Line is made for 10.00 [MD-3.A.1]",)


@asynchronous
async def test_the_same_id_acts_once_even_at_the_same_moment() -> None:
    async with running() as (_floor, table):
        both = await asyncio.gather(ask(table, ANN, PASS, "one"), ask(table, ANN, PASS, "one"))
        again = await ask(table, ANN, PASS, "one")
        assert both[0] == both[1] == again
        assert table.live.game.money.racks[0] == 990_00
        assert isinstance(await ask(table, BOB, c.MakeWager(seat=2, wager="pass", cents=5_00), "one"), Answer)


@asynchronous
async def test_an_answer_follows_its_news_and_reaches_everybody_who_waits() -> None:
    async with running() as (_, table):
        told: list[str] = []

        def push(message: bytes, _is_answer: bool) -> bool:  # noqa: FBT001 - as a subscriber calls it
            told.append(msgspec.json.decode(message)["kind"])
            return True

        subscriber = Subscriber(BOB, push)
        table.subscribe(subscriber)
        await subscriber.ready()
        subscriber.take()
        table.course.whole(subscriber)
        subscriber._is_sending = False
        answers: list[object] = []
        wager = Ask("once", c.MakeWager(seat=2, wager="field", cents=5_00), BOB)

        def cannot_be_told(_answer: object) -> None:
            raise RuntimeError("its screen has just gone")

        def note(answer: object) -> None:
            told.append("answer")
            answers.append(answer)

        for reply in (cannot_be_told, note, note):
            table.stream.take(wager, reply)
        await until(lambda: len(answers) == 2)
        assert told == ["news", "answer", "answer"]
        assert isinstance(answers[0], Answer)
        assert answers[0] == answers[1]
        table.stream.take(wager, note)  # sent again after its answer
        other = Ask("once", c.MakeWager(seat=2, wager="field", cents=10_00), BOB)
        table.stream.take(other, note)
        assert answers[2] == answers[0]
        assert isinstance(answers[3], Refused)


@asynchronous
async def test_an_old_id_gets_its_answer_even_if_the_command_would_be_refused_now() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        first = await done(table, ANN, c.AcceptDice(seat=1), "accept")
    floor = floor_over(log)
    await floor.start()
    loaded = await floor.table("craps-1")
    assert loaded is not None
    again = await done(loaded, ANN, c.AcceptDice(seat=1), "accept")
    assert again.sequence == first.sequence
    assert isinstance(await ask(loaded, ANN, c.AcceptDice(seat=1), "another"), Refused)
    await floor.close()


@asynchronous
async def test_commands_after_a_repeated_one_in_the_same_round_are_decided_on_the_right_state() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        await done(table, ANN, PASS, "known")
        table.stream._answers.clear()  # as after a restart
        field = c.MakeWager(seat=1, wager="field", cents=5_00)
        answers = await asyncio.gather(
            ask(table, ANN, PASS, "known"), ask(table, ANN, field, "new"), ask(table, BOB, c.StandUp(seat=2), "up")
        )
        assert all(isinstance(one, Answer) for one in answers)
        assert table.live.game.money.racks[0] == 985_00
    assert not list(decision_faults(log.read()))


@asynchronous
async def test_two_processes_that_write_in_turn_agree_in_the_end() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        other = floor_over(log)
        await other.start()
        theirs = await other.table("craps-1")
        assert theirs is not None
        for turn in range(5):
            await done(table, ANN, c.MakeWager(seat=1, wager="field", cents=5_00), f"a{turn}")
            await done(theirs, BOB, c.MakeWager(seat=2, wager="field", cents=5_00), f"b{turn}")
        table.stream.catch_up()
        await done(table, ANN, c.StandUp(seat=1))
        theirs.stream.catch_up()
        await done(theirs, BOB, c.StandUp(seat=2))
        table.stream.catch_up()
        await ask(table, ANN, c.SitDown(seat=1))  # once it is answered, it has caught up
        theirs.stream.catch_up()
        await ask(theirs, BOB, c.AcceptDice(seat=2))  # refused, after catching up too
        assert table.live == theirs.live
        assert table.live.game.money.racks[:2] == (975_00, 975_00)
        await other.close()
    assert not list(decision_faults(log.read()))


@asynchronous
async def test_with_a_full_disk_nothing_is_acknowledged_and_nothing_changes() -> None:
    log = FailingLog()
    async with running(log, (3, 4)) as (floor, table):
        await done(table, ANN, c.AcceptDice(seat=1))
        await done(table, ANN, PASS)
        before = table.live
        log.is_full = True
        with pytest.raises(LogDown):
            await ask(table, ANN, ROLL, "roll")
        assert table.live == before
        assert "disk is full" in floor.writer.fault
        log.vault.is_full = True
        assert "cannot be written" in floor.writer.probe()
        log.vault.is_full = False
        assert not floor.writer.probe()
        log.is_full = False
        await rolled(table, ANN, "roll")
        assert not floor.writer.fault
        assert table.live.track.rolls[-1].roll == 1


@asynchronous
async def test_after_a_crash_a_table_is_exactly_where_it_was(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    physical = msgspec.structs.replace(OPENING, dice="physical", automate=("choose", "offer"))
    floor = floor_over(log)
    await floor.start()
    await floor.open(Ask("open", physical, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    stick = Actor("stick", "Stan", "stickperson")
    for who, command in (
        (ANN, c.TakeSeat(seat=1)),
        (ANN, c.BuyIn(seat=1, cents=1_000_00)),
        (ANN, c.AcceptDice(seat=1)),
        (ANN, PASS),
        (stick, DiceOut()),
    ):
        await done(table, who, command)
    assert table.live.game.position.dice == "air"
    before, sequence = table.live, table.stream.sequence
    log.close()  # without closing the floor, as if the process died with the dice in the air
    again = open_log(tmp_path)
    second = floor_over(again)
    await second.start()
    loaded = await second.table("craps-1")
    assert loaded is not None
    assert (loaded.live, loaded.stream.sequence) == (before, sequence)
    await second.close()
    again.close()


@asynchronous
async def test_a_snapshot_and_the_entries_after_it_give_the_same_table() -> None:
    log = MemoryLog()
    async with running(log) as (_floor, table):
        for turn in range(600):
            command = (
                c.MakeWager(seat=1, wager="field", cents=5_00)
                if turn % 2 == 0
                else c.RemoveWager(seat=1, wager="field")
            )
            await done(table, ANN, command)
        kept = log.snapshot("table/craps-1")
        assert kept is not None
        assert 0 < kept.version < table.stream.version
        live = table.live
    closed = log.snapshot("table/craps-1")
    assert closed is not None
    assert closed.version == live.version
    floor = floor_over(log)
    await floor.start()
    loaded = await floor.table("craps-1")
    assert loaded is not None
    assert loaded.live == live
    assert {
        key: cents for key, cents in live.balances.items() if cents and key in balances_of(live.game)
    } == balances_of(live.game)
    await floor.close()


@asynchronous
async def test_a_command_that_cannot_be_decided_does_not_affect_others() -> None:
    async with running() as (_floor, table):
        broken = Ask("x", object(), ANN)
        results = await asyncio.gather(table.stream.ask(broken), ask(table, ANN, PASS), return_exceptions=True)
        assert isinstance(results[0], Exception | Refused)
        assert isinstance(results[1], Answer)


@asynchronous
async def test_a_table_that_was_closed_opens_again_under_the_same_address() -> None:
    log = MemoryLog()
    floor = floor_over(log)
    await floor.start()
    _, refused = await floor.open(Ask("0", msgspec.structs.replace(OPENING, house={"rules": "nowhere"}), OWNER))
    assert isinstance(refused, Refused)
    assert floor.ids() == []
    id_, _ = await floor.open(Ask("1", OPENING, OWNER, "flo"))
    table = await floor.table(id_)
    assert table is not None
    await done(table, OWNER, CloseTable())
    assert table.live.status == "closed"
    _, answer = await floor.open(Ask("2", OPENING, OWNER, "flo"))
    assert isinstance(answer, Answer)
    assert table.live.status == "open"
    await floor.close()

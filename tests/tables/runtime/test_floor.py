"""The floor: what is answered is in the log, what fails changes nothing, and no command acts twice."""

import asyncio
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.refusal import Refused
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.log import AppendResult, LogError, Secret
from passline.store.memory import MemoryLog, MemoryVault
from passline.store.timestamps import later
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import LogDown
from passline.tables.commands import (
    CloseTable,
    DiceOut,
    FileApproval,
    FreezeTable,
    NoticeLimits,
    Roll,
    WithdrawApproval,
)
from passline.tables.ledger import balances_of
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from passline.tables.views.areas import areas_of
from passline.tables.views.settled import unpacked_settled
from tests.event_loop import asynchronous
from tests.loaded_dice import LoadedDice
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done, floor_over, landed, rolled, running
from tests.tables.sitting import AT
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
async def test_a_slow_screen_is_sent_the_whole_table_again_and_delays_nobody() -> None:
    async with running() as (_floor, table):
        slow = Subscriber(BOB)
        table.subscribe(slow)
        await slow.ready()
        slow.take()
        table.course.whole(slow)
        for turn in range(300):
            command = (
                c.MakeWager(seat=1, wager="field", cents=5_00)
                if turn % 2 == 0
                else c.RemoveWager(seat=1, wager="field")
            )
            await done(table, ANN, command)
        assert slow.is_lost
        assert slow.take() == [], "the whole table takes the place of all news"
        shown = msgspec.json.decode(table.course.whole(slow))
        assert (shown["kind"], shown["sequence"]) == ("table", table.stream.sequence)
        assert not slow.is_lost


@asynchronous
async def test_news_has_no_gaps_and_a_rack_goes_only_to_its_player() -> None:
    async with running() as (_floor, table):
        screens = {"ann": Subscriber(ANN), "bob": Subscriber(BOB), "nobody": Subscriber(None)}
        for screen in screens.values():
            table.subscribe(screen)
            table.course.whole(screen)
        known = table.stream.sequence
        await done(table, ANN, PASS)
        await done(table, BOB, c.MakeWager(seat=2, wager="field", cents=5_00))
        news = {name: [msgspec.json.decode(one) for one in screen.take()] for name, screen in screens.items()}
        for first, second in news.values():
            assert first["from"] == known
            assert second["from"] == first["sequence"]
        assert [one.get("own", {}).get("rack") for one in news["ann"]] == [990_00, None]
        assert [one.get("own", {}).get("rack") for one in news["bob"]] == [None, 995_00]
        assert all("own" not in one and "rack" not in str(one) for one in news["nobody"])


@asynchronous
async def test_a_freeze_keeps_what_each_screen_had_confirmed() -> None:
    async with running() as (_floor, table):
        table.course.seen.update({"ann": 7, "bob": 5})
        await done(table, BOB, c.LeaveSeat(seat=2))
        await done(table, BOB, c.TakeSeat(seat=2))  # a new player as far as screens are concerned
        answer = await done(table, ANN, FreezeTable(reason="that was a six", shown={"1": 99}))
        assert msgspec.json.decode(answer.events)[0]["shown"] == {"1": 7, "2": 0}


REPORT = FileApproval(kind="laboratory_report", authority="laboratory", reference="L-7", date="2026-01-02")


def _news(subscriber: Subscriber) -> list[dict[str, Any]]:
    return [msgspec.json.decode(message) for message in subscriber.take()]


def _watching(table: RunningTable) -> Subscriber:
    subscriber = Subscriber(None)
    table.subscribe(subscriber)
    table.course.whole(subscriber)
    return subscriber


@pytest.mark.clause("AZ-III.D.2")
@pytest.mark.clause("AZ-II.G.4-b")
@pytest.mark.clause("MD-3.C")
@pytest.mark.parametrize("rules", ["arizona", "maryland"])
@asynchronous
async def test_posted_limits_are_the_enforced_ones_even_if_nothing_was_logged_since(rules: str) -> None:
    """AZ-III.D.2, AZ-II.G.4-b, MD-3.C: once the time of a notice has come, every screen shows the new limits."""
    now = [AT]
    floor = Floor(MemoryLog(), clock=lambda: now[0], keys=LoadedDice(repeat(OUTCOMES[0])))
    await floor.start()
    await floor.ask_house(Ask("report", REPORT, OWNER))
    opening = msgspec.structs.replace(OPENING, house={"rules": rules}, automate=(), practice_cents_max=1_000_00)
    await floor.open(Ask("open", opening, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    await done(table, ANN, c.TakeSeat(seat=1))
    await done(table, ANN, c.BuyIn(seat=1, cents=1_000_00))
    await done(table, Actor("flo", "Flo", "floorperson"), NoticeLimits(wager_cents_min=25_00, wager_cents_max=1_000_00))
    subscriber = _watching(table)
    entries = table.stream.version
    assert table.course.whole_view(None)["table"]["limits"]["min"] == 5_00
    now[0] = later(AT, 30 * 60)
    assert isinstance(await ask(table, ANN, c.MakeWager(seat=1, wager="pass", cents=10_00)), Refused)
    shown = table.course.whole_view(None)["table"]
    assert (shown["limits"]["min"], shown["notice"]) == (25_00, None)
    assert next(area.min for area in areas_of(table.current, 1) if area.kind == "pass") == 25_00
    table.course.refresh()  # as its timer does
    [news] = _news(subscriber)
    assert news["from"] == news["sequence"] == table.stream.sequence
    assert (news["changed"]["limits"]["min"], news["changed"]["notice"]) == (25_00, None)
    await done(table, ANN, c.MakeWager(seat=1, wager="pass", cents=25_00))
    [news] = _news(subscriber)
    assert "limits" not in news["changed"]
    assert table.stream.version == entries + 1
    await floor.close()


@pytest.mark.clause("AZ-II.N.2")
@asynchronous
async def test_the_histogram_leaves_every_screen_when_its_approval_is_withdrawn() -> None:
    floor = Floor(MemoryLog(), clock=lambda: AT, keys=LoadedDice(repeat(OUTCOMES[0])))
    await floor.start()
    await floor.ask_house(Ask("report", REPORT, OWNER))
    opening = msgspec.structs.replace(
        OPENING, house={"rules": "arizona"}, dice="physical", automate=(), buy_in="dealer"
    )
    await floor.open(Ask("open", opening, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    subscriber = _watching(table)
    for authority in ("TGO", "SGA"):
        filed = FileApproval(kind="prediction_aid", authority=authority, reference="1", date="2026-01-02")
        assert isinstance(await floor.ask_house(Ask(authority, filed, OWNER)), Answer)
    withdrawn = WithdrawApproval(kind="prediction_aid", authority="SGA", reference="1", reason="expired")
    assert isinstance(await floor.ask_house(Ask("withdrawn", withdrawn, OWNER)), Answer)
    assert [one["changed"] for one in _news(subscriber)] == [
        {"rolls": [], "histogram": [0] * 11},
        {"rolls": None, "histogram": None},
    ]
    await floor.close()


@asynchronous
async def test_a_screen_counts_as_having_seen_only_what_it_was_sent() -> None:
    async with running() as (_floor, table):
        subscriber = _watching(table)
        begun = subscriber.sent
        assert begun == table.stream.sequence
        answer = await done(table, ANN, PASS)
        assert subscriber.sent == begun
        subscriber.take()
        assert subscriber.sent == answer.sequence


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


def test_news_applied_to_a_view_gives_the_next_view() -> None:
    """Whatever is done; the shortcut for news of a single wager leaves nothing out."""

    async def play() -> None:
        faces = [(2, 2), (3, 3), (1, 3), (4, 3), (5, 6), (2, 4), (3, 4)]
        async with running(None, *faces) as (_floor, table):
            screen = Subscriber(None)
            table.subscribe(screen)
            view = msgspec.json.decode(table.course.whole(screen))["table"]
            steps: list[tuple[Actor, Any]] = [(ANN, c.AcceptDice(seat=1)), (ANN, PASS)]
            steps += [(BOB, c.MakeWager(seat=2, wager="field", cents=5_00)), (ANN, ROLL)] * 3
            steps += [
                (BOB, c.MakeWager(seat=2, wager="place_win", number=6, cents=6_00)),
                (ANN, ROLL),
            ]
            steps += [(BOB, c.StandUp(seat=2)), (BOB, c.SitDown(seat=2)), (BOB, c.LeaveSeat(seat=2))]
            for by, command in steps:
                await ask(table, by, command)
                await landed(table)
                for message in screen.take():
                    news = msgspec.json.decode(message)
                    if "settled" in news["changed"]:
                        news["changed"]["settled"] = unpacked_settled(news["changed"]["settled"])
                    gone = {tuple(key) for key in news["wagers_gone"]}
                    wagers = {_wager_key(one): one for one in view["wagers"] if _wager_key(one) not in gone}
                    wagers |= {_wager_key(one): one for one in news["wagers_up"]}
                    view = {**view, **news["changed"], "wagers": [wagers[key] for key in sorted(wagers)]}
                assert view == msgspec.json.decode(msgspec.json.encode(table.course.whole_view(None)["table"])), command

    asyncio.run(play())


def _wager_key(wager: dict[str, Any]) -> tuple[int, str, str, int]:
    return wager["seat"], wager["owner"], wager["kind"], wager["number"]

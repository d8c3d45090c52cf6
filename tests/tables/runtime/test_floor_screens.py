"""The screens of a floor: news without gaps, and what each screen has been sent and may know."""

import asyncio
from itertools import repeat
from typing import Any

import msgspec
import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.tables.commands import (
    FileApproval,
    FreezeTable,
    NoticeLimits,
    Roll,
    WithdrawApproval,
)
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.views.areas import areas_of
from passline.tables.views.settled import unpacked_settled
from tests.event_loop import asynchronous
from tests.loaded_dice import LoadedDice
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done, landed, running
from tests.tables.sitting import AT

PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)
ROLL = Roll(seat=1)


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

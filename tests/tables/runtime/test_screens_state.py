"""After each tick every screen shows what the whole table shows, however its news came: at once, queued, or anew."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec import json

from passline.dice import OUTCOMES, Roll
from passline.game import commands as c
from passline.refusal import Refused
from passline.streams.course import Actor
from passline.streams.subscriber import Subscriber
from passline.tables import commands as k
from passline.tables.runtime.floor import RunningTable
from tests.cases import one_in
from tests.event_loop import asynchronous
from tests.tables.page import ShownTable
from tests.tables.running_floor import ANN, BOB, OWNER, ask, landed, running
from tests.waiting import until

DEALER = Actor("dee", "Dee", "dealer", is_employee=True)
INSPECTOR = Actor("ivy", "Ivy", "regulator")
WATCHING = (ANN, BOB, DEALER, INSPECTOR, OWNER, None)


class Page(ShownTable):
    """A screen and what its page shows, as a browser or a program keeps it."""

    def __init__(self, table: RunningTable, by: Actor | None, *, is_busy: bool) -> None:
        super().__init__()
        self.by = by
        self.is_busy = is_busy  # its network takes nothing at once
        self._table = table
        self.subscriber = Subscriber(by, self._push)
        table.subscribe(self.subscriber)

    def _push(self, message: bytes, _is_answer: bool) -> bool:  # noqa: FBT001 - as a subscriber calls it
        if not self.is_busy:
            self.show(json.decode(message))
        return not self.is_busy

    async def read(self) -> None:
        """Take what is queued, as the task of a websocket does."""
        subscriber = self.subscriber
        if subscriber.queue_length or subscriber.is_lost:
            await subscriber.ready()
            messages = subscriber.take()
            if subscriber.is_lost:
                messages.append(self._table.course.whole(subscriber))
            for message in messages:
                self.show(json.decode(message))
            subscriber._is_sending = False


def _faces(random: Random) -> Iterator[Roll]:
    while True:
        yield random.choice(OUTCOMES)


def _commands(random: Random, table: RunningTable) -> Iterator[tuple[Actor, Any]]:
    """Yield what players and the crew do: wagers, changes of wagers, money, the dice, leaving and coming."""
    position = table.live.game.position
    for who, seat in ((ANN, 1), (BOB, 2)):
        wager = random.choice(("field", "any_seven", "hop", "pass", "place_win", "horn"))
        number = {"hop": 113, "place_win": 6}.get(wager, 0)
        cents = 6_00 if wager == "place_win" else 8_00
        yield who, c.MakeWager(seat=seat, wager=wager, number=number, cents=cents)
        if random.random() < 0.3:
            yield who, c.RemoveWager(seat=seat, wager=wager, number=number)
        if random.random() < 0.1:
            yield who, c.BuyIn(seat=seat, cents=100_00)
        if random.random() < 0.05:
            yield who, c.LeaveSeat(seat=seat)
            yield who, c.TakeSeat(seat=seat)
    if random.random() < 0.1:
        yield DEALER, c.Fill(cents=500_00)
    if position.dice == "offered":
        yield (ANN, BOB)[position.offered_to - 1], c.AcceptDice(seat=position.offered_to)
    elif position.shooter:
        yield (ANN, BOB)[position.shooter - 1], k.Roll(seat=position.shooter)


@pytest.mark.parametrize("seed", one_in(4, range(4), others=pytest.mark.whole))
@asynchronous
async def test_every_screen_shows_the_table_after_each_tick(seed: int) -> None:
    random = Random(seed)
    async with running(None, *(((roll := next(_faces(random))).first, roll.second) for _ in range(200))) as (_, table):
        pages = [Page(table, by, is_busy=is_busy) for by in WATCHING for is_busy in (False, True)]
        for page in pages:
            await page.read()
        done = 0
        for _ in range(40):
            several = list(_commands(random, table))
            asked = [ask(table, by, command) for by, command in several]  # those of one tick go into one commit
            answers = await asyncio.gather(*asked) if random.random() < 0.5 else [await one for one in asked]
            done += sum(not isinstance(answer, Refused) for answer in answers)
            await landed(table)
            for page in pages:
                await page.read()
            for page in pages:
                whole = json.decode(json.encode(table.course.whole_view(page.by)))
                assert page.shown == {key: whole[key] for key in page.shown}, (page.by, page.is_busy)
        assert done > 60
        assert all(page.counted["table"] == 1 for page in pages), "nobody needed the whole table again"
        assert all(page.counted["news"] > 30 for page in pages)


@asynchronous
async def test_a_slow_screen_drops_to_the_whole_table_instead_of_queueing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.subscriber._NEWS_MAX", 3)
    async with running() as (_, table):
        slow, quick = Page(table, ANN, is_busy=True), Page(table, BOB, is_busy=False)
        for page in (slow, quick):
            await page.read()
        for _ in range(10):
            await ask(table, BOB, c.MakeWager(seat=2, wager="field", cents=5_00))
        await until(lambda: slow.subscriber.is_lost)
        slow.subscriber.tell(b'{"kind":"done"}', is_news=False)
        await ask(table, BOB, c.MakeWager(seat=2, wager="field", cents=5_00))
        assert slow.subscriber.queue_length == 1, "the answer: one whole table takes the place of all news"
        slow.counted["done"] = 0
        slow.counted["news"] = 0
        await slow.read()
        assert slow.counted == {"done": 1, "news": 0, "table": 2}
        whole = json.decode(json.encode(table.course.whole_view(ANN)))
        assert slow.shown == {key: whole[key] for key in slow.shown}

"""The demo: computer players play lawfully, visitors get a seat, and those who do nothing are passed over."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

import pytest

from passline.dice_sources import seeded_rolls
from passline.game import commands as c
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Ask, Happened
from passline.tables.commands import FreezeTable
from passline.tables.live import seat_of
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from passline.web.demo.players import PLAY_MONEY_CENTS, Demo
from tests.loaded_dice import LoadedDice

pytestmark = pytest.mark.long

_HASTE = 0.001  # the players' pace: as fast as the machine goes
_TABLES = {"arizona-1", "colorado-1", "maryland-1", "section-2"}


def demonstrated(play: Callable[[Floor, Demo], Awaitable[None]]) -> MemoryLog:
    """Run a demo during `play` and return its log."""
    log, rolls = MemoryLog(), seeded_rolls(7)

    async def run() -> None:
        floor = Floor(log, clock=utc_now, keys=LoadedDice(rolls))
        await floor.start()
        demo = Demo(floor, pace=_HASTE, looking=lambda: {"guest"})
        await demo.start()
        try:
            async with asyncio.timeout(120):
                await play(floor, demo)
        finally:
            await demo.close()
            await floor.close()

    asyncio.run(run())
    return log


async def _until(table: RunningTable, is_so: Callable[[RunningTable], bool]) -> None:
    """Wait until a table is as wanted."""
    heard = asyncio.Event()

    def hear(_happened: Sequence[Happened]) -> None:
        heard.set()

    table.course.followers.append(hear)
    while not is_so(table):
        heard.clear()
        await heard.wait()
    table.course.followers.remove(hear)


async def _dispute(table: RunningTable, by: Actor) -> None:
    """Stop a table between two throws: while dice are out it refuses a dispute as anything else."""
    while True:
        await table.course.completion.wait_until_landed()
        before = table.live.track.roll
        answer = await table.stream.ask(Ask(uuid4().hex, FreezeTable(reason="that was a six"), by))
        if not isinstance(answer, Refused):
            return
        assert table.live.closing is not None or table.live.track.roll > before, f"no throw came first: {answer}"


def test_computer_players_play_lawfully_under_every_regulation() -> None:
    async def play(floor: Floor, _demo: Demo) -> None:
        assert set(floor.ids()) == _TABLES
        for table in await floor.load_all():
            await _until(table, lambda one: one.live.track.roll >= 40)
            assert table.live.is_demo
            assert len(table.live.players) >= 3

    log = demonstrated(play)
    assert not list(decision_faults(log.read()))


@pytest.mark.whole
def test_an_idle_visitor_keeps_one_seat_while_the_dice_go_on() -> None:
    async def play(floor: Floor, demo: Demo) -> None:
        table = await floor.table("maryland-1")
        assert table is not None
        seat, refused = await demo.sit(table, "guest", "Gus")
        assert refused is None
        assert (await demo.sit(table, "guest", "Gus"))[0] == seat
        assert table.live.game.money.racks[seat - 1] == PLAY_MONEY_CENTS
        await _until(table, lambda one: one.live.game.position.offered_to == seat)
        await _until(table, lambda one: one.live.game.position.offered_to != seat)  # they did not answer
        gus = Actor("guest", "Gus", "player")
        while True:  # now they take the dice and then do nothing
            await _until(table, lambda one: one.live.game.position.offered_to == seat)
            if not isinstance(await table.stream.ask(Ask(uuid4().hex, c.AcceptDice(seat=seat), gus)), Refused):
                break
        await _until(table, lambda one: one.live.game.position.shooter != seat)
        assert seat_of(table.live, "guest") == seat

    log = demonstrated(play)
    reasons = [
        stored.entry for stored in log.read_stream("table/maryland-1") if b"order-dice" in bytes(stored.entry.command)
    ]
    assert [entry.actor for entry in reasons] == ["house"]
    assert not list(decision_faults(log.read()))


def test_a_demo_releases_a_dispute_and_records_the_finding() -> None:
    async def play(floor: Floor, demo: Demo) -> None:
        table = await floor.table("maryland-1")
        assert table is not None
        await demo.sit(table, "guest", "Gus")
        await _dispute(table, Actor("guest", "Gus", "player"))
        await _until(table, lambda one: one.live.status == "open")
        roll = table.live.track.roll
        await _until(table, lambda one: one.live.track.roll > roll)

    log = demonstrated(play)
    (released,) = [
        one.entry for one in log.read_stream("table/maryland-1") if b"release-table" in bytes(one.entry.command)
    ]
    assert (released.actor, released.signed_by) == ("house", "house-floorperson")
    assert not list(decision_faults(log.read()))


@pytest.mark.parametrize("leaves", [True, False])
def test_a_visitor_who_has_gone_is_cashed_out_once_their_wagers_are_decided(leaves: bool) -> None:  # noqa: FBT001
    async def play(floor: Floor, demo: Demo) -> None:
        table = await floor.table("maryland-1")
        assert table is not None
        account = "guest" if leaves else "stranger"  # who has no screen
        seat, refused = await demo.sit(table, account, "Gus")
        assert refused is None
        by = Actor(account, "Gus", "player")
        for wager in (
            c.MakeWager(seat=seat, wager="pass", cents=10_00),
            c.MakeWager(seat=seat, wager="field", cents=5_00),
        ):
            await table.stream.ask(Ask(uuid4().hex, wager, by))
        if leaves:
            demo.leave(account)
        await _until(table, lambda one: not seat_of(one.live, account))

    log = demonstrated(play)
    left = [one.entry for one in log.read_stream("table/maryland-1") if b"leave-seat" in bytes(one.entry.command)]
    assert [(entry.actor, entry.role) for entry in left] == [("house", "boxperson")]
    assert not list(decision_faults(log.read()))

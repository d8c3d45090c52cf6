"""The demo's tournament: computer players enter, play at tables of its own, are paid, and begin again."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date

import pytest

from passline.acts.judges.scene import Surroundings
from passline.dice_sources import seeded_rolls
from passline.office.runtime import Offices
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.course import THE_HOUSE, Ask
from passline.tables.commands import ElectOffice
from passline.tables.runtime.floor import Floor
from passline.tournament.plan.check import check_plan
from passline.tournament.rules import tournament_of
from passline.tournament.runtime import Tournaments
from passline.tournament.state import TournamentState
from passline.tournament.verify import log_faults
from passline.web.demo.cup import DemoCup, cup_plan
from passline.web.demo.players import Demo
from tests.loaded_dice import LoadedDice

pytestmark = pytest.mark.long

_HASTE = 0.001  # the pace: as fast as the machine goes
_ORDINARY = {"arizona-1", "colorado-1", "maryland-1", "section-2"}


def held(
    play: Callable[[Tournaments, Floor], Awaitable[None]], log: Log | None = None, dice: LoadedDice | None = None
) -> Log:
    """Run a demo with its tournament during `play`; return its log."""
    log = log or MemoryLog()
    keys = dice or LoadedDice(seeded_rolls(7), "a demo")

    async def run() -> None:
        floor = Floor(log, clock=utc_now, keys=keys)
        await floor.start()
        offices = Offices(log, floor.writer, utc_now, Surroundings(lambda _account: None))
        tournaments = Tournaments(log, floor, offices, utc_now, keys, is_demo=True)
        await floor.ask_house(Ask("here", ElectOffice(where="here"), THE_HOUSE))  # as the demo's casino has it
        await tournaments.start()
        demo = Demo(floor, pace=_HASTE)
        cup = DemoCup(tournaments, floor, utc_now, pace=_HASTE)
        await demo.start()
        await cup.start()
        try:
            async with asyncio.timeout(120):
                await play(tournaments, floor)
        finally:
            await cup.close()
            await demo.close()
            await tournaments.close()
            await floor.close()
        assert [one.get_name() for one in asyncio.all_tasks() if one.get_name().startswith("demo")] == []

    asyncio.run(run())
    return log


async def until(tournaments: Tournaments, id_: str, is_so: Callable[[TournamentState], bool]) -> TournamentState:
    """Wait until a tournament is as wanted."""
    while True:
        state = await tournaments.state(id_)
        if state is not None and is_so(state):
            return state
        await asyncio.sleep(0.01)


def test_the_plan_is_lawful() -> None:
    plan = cup_plan(1, "2026-11-16")
    assert check_plan(tournament_of("colorado"), plan) == ()
    assert plan.events[0].first_day == date(2026, 11, 16)


@pytest.mark.whole
def test_a_tournament_is_held_paid_and_begun_anew_beside_the_other_tables() -> None:
    async def play(tournaments: Tournaments, floor: Floor) -> None:
        state = await until(tournaments, "demo-cup-1", lambda one: one.is_closed)
        assert len(state.entries) == 12
        assert [len(one.tables) for one in state.rounds] == [2, 1]
        assert not {account for account in state.balances if account.startswith("pool/")}
        for one in state.rounds:
            assert sum(one.points.values()) + sum(one.house.values()) == sum(one.stacks.values())
        await until(tournaments, "demo-cup-2", lambda one: bool(one.entries))
        assert _ORDINARY | {"tournament-1", "tournament-2"} == set(floor.ids())
        for name in _ORDINARY:
            table = await floor.table(name)
            assert table is not None
            assert (table.live.points, table.live.status) == (None, "open")
            assert len(table.live.players) >= 3

    log = held(play)
    assert list(log_faults(log.read())) == []


@pytest.mark.whole
def test_a_demo_that_is_started_again_goes_on_with_its_tournament() -> None:
    async def begin(tournaments: Tournaments, _floor: Floor) -> None:
        await until(tournaments, "demo-cup-1", lambda one: one.round is not None and one.round.phase == "playing")

    async def go_on(tournaments: Tournaments, _floor: Floor) -> None:
        assert tournaments.ids() == ["demo-cup-1"]
        state = await until(tournaments, "demo-cup-1", lambda one: one.is_closed)
        assert len(state.rounds) == 2

    dice = LoadedDice(seeded_rolls(7), "a demo")
    held(go_on, held(begin, dice=dice), dice)

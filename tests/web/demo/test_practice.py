"""The crew of practice tables: no stranger holds one up; `verify` accepts what the crew does there, and only there."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from time import monotonic
from uuid import uuid4

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace

from passline.game import commands as c
from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import dice_secret, open_log
from passline.store.timestamps import utc_now
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tables.commands import FreezeTable, OpenTable
from passline.tables.live import seat_of
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.terms import PRACTICE_CENTS_MAX
from passline.tables.verify import decision_faults
from passline.web.demo.practice import _GONE_SECONDS, PracticeCrew
from passline.web.startup import Settings, prepare
from tests.waiting import until

pytestmark = pytest.mark.long

TABLE = "maryland-1"
PACE = 0.002


class Practice:
    """The practice table of a new house, with its crew at great speed."""

    def __init__(self, data: Path) -> None:
        prepare(Settings(data=data))
        self.log = open_log(data)
        self._desk = FrontDesk(self.log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.looking: set[str] = set()
        self.looks: list[float] = []  # when the crew looked who has a screen
        self.floor = Floor(self.log, clock=utc_now, keys=DiceKeys(dice_secret(data), self.log.log_id))

    def player(self, name: str) -> Actor:
        """Return a player who has just registered and has a screen."""
        welcome = self._desk.register(name=name, password=f"correct horse {name}")
        assert isinstance(welcome, Welcome)
        self.looking.add(welcome.session.account.id)
        return Actor(welcome.session.account.id, name, "player")

    def crew(self, *, is_shared: bool = False) -> PracticeCrew:
        def looking() -> Collection[str]:
            self.looks.append(monotonic())
            return self.looking

        return PracticeCrew(self.floor, looking=looking, is_shared=is_shared, pace=PACE)

    async def table(self) -> RunningTable:
        await self.floor.start()
        found = await self.floor.table(TABLE)
        assert found is not None
        assert found.live.practice_cents_max == PRACTICE_CENTS_MAX
        return found


async def _do(table: RunningTable, by: Actor, command: object) -> None:
    answer = await table.stream.ask(Ask(uuid4().hex, command, by))
    assert not isinstance(answer, Refused), str(answer)


def test_a_stranger_who_does_nothing_does_not_hold_up_the_practice_table(tmp_path: Path) -> None:
    """A newcomer takes the dice and throws nothing, disputes, and goes away: the others play on."""
    practice = Practice(tmp_path)
    eve, ann = practice.player("Eve"), practice.player("Ann")

    async def play() -> None:
        table = await practice.table()
        crews = [practice.crew(), practice.crew()]  # two processes would both look after it
        for crew in crews:
            await crew.start()
        for seat, who in ((1, eve), (2, ann)):
            await _do(table, who, c.TakeSeat(seat=seat))
            await _do(table, who, c.BuyIn(seat=seat, cents=500_00))
        await _do(table, eve, FreezeTable(reason="I do not like it"))
        assert table.live.status == "open"
        await _do(table, ann, c.MakeWager(seat=2, wager="field", cents=5_00))
        async with asyncio.timeout(30):
            while table.live.game.position.shooter != 2:  # the offer comes to Ann, who accepts it
                position = table.live.game.position
                if position.dice == "offered":
                    seat, who = position.offered_to, ann if position.offered_to == 2 else eve
                    if seat == 1 and table.stream.version < 20:
                        await table.stream.ask(Ask(uuid4().hex, c.AcceptDice(seat=1), eve))
                    if seat == 2:
                        await table.stream.ask(Ask(uuid4().hex, c.AcceptDice(seat=2), who))
                await asyncio.sleep(0.005)
            practice.looking.discard(eve.account)
            await until(lambda: not seat_of(table.live, eve.account))
        assert seat_of(table.live, ann.account) == 2, "who has a screen keeps the seat"
        for crew in crews:
            await crew.close()
        await practice.floor.close()

    asyncio.run(play())
    assert list(decision_faults(practice.log.read())) == []
    by_house = [one.entry for one in practice.log.read() if one.entry.actor == "house" and one.entry.id.startswith("p")]
    assert any(b"leave-seat" in bytes(entry.command) for entry in by_house)
    assert any(b"order-dice-passed" in bytes(entry.command) for entry in by_house)


def test_at_other_tables_the_house_has_no_crew(tmp_path: Path) -> None:
    practice = Practice(tmp_path)
    ann = practice.player("Ann")

    async def play() -> None:
        await practice.table()
        opening = OpenTable(name="Real", house={"rules": "maryland"}, automate=tuple(sorted(AUTOMATED)), buy_in="self")
        id_, _answer = await practice.floor.open(Ask("open", opening, THE_HOUSE))
        table = await practice.floor.table(id_)
        assert table is not None
        await _do(table, ann, c.TakeSeat(seat=1))
        await _do(table, replace(THE_HOUSE, role="boxperson"), c.LeaveSeat(seat=1))
        await practice.floor.close()

    asyncio.run(play())
    (fault,) = decision_faults(practice.log.read())
    assert "leave-seat is by house as the boxperson" in fault.what


def test_with_several_processes_nobody_counts_as_gone(tmp_path: Path) -> None:
    practice = Practice(tmp_path)
    ann = practice.player("Ann")
    practice.looking.clear()  # her screen is at another process

    async def play() -> None:
        table = await practice.table()
        crew = practice.crew(is_shared=True)
        await crew.start()
        await _do(table, ann, c.TakeSeat(seat=1))
        await until(lambda: bool(practice.looks) and practice.looks[-1] - practice.looks[0] > 2 * _GONE_SECONDS * PACE)
        assert seat_of(table.live, ann.account) == 1
        await crew.close()
        await practice.floor.close()

    asyncio.run(play())


def test_the_crew_brings_play_money_before_the_bank_runs_out(tmp_path: Path) -> None:
    """A practice table has nobody to make a fill, and its dice would wait for one."""
    practice = Practice(tmp_path)
    ann = practice.player("Ann")

    async def play() -> None:
        await practice.table()
        opening = OpenTable(
            name="Poor",
            house={"rules": "maryland"},
            automate=tuple(sorted(AUTOMATED)),
            buy_in="self",
            practice_cents_max=PRACTICE_CENTS_MAX,
        )
        await practice.floor.open(Ask(uuid4().hex, opening, THE_HOUSE))
        table = await practice.floor.table("poor")
        assert table is not None
        await _do(table, ann, c.TakeSeat(seat=1))
        broke = await table.stream.ask(Ask(uuid4().hex, c.BuyIn(seat=1, cents=100_00), ann))
        assert "no chips for 100.00" in str(broke)
        crew = practice.crew()
        await crew.start()
        await until(lambda: table.live.game.money.bank > 0)
        await crew.close()
        await _do(table, ann, c.BuyIn(seat=1, cents=100_00))
        await practice.floor.close()
        assert list(decision_faults(practice.log.read())) == []

    asyncio.run(play())

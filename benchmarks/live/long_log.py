"""A log of a million events from real tables, to verify, replay and serve."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path

from msgspec import Struct

from benchmarks.live.house import PLAYERS
from benchmarks.live.load import WAGERS, wager_of
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import dice_secret, open_log
from passline.store.log import Log
from passline.store.timestamps import utc_now
from passline.store.verify import verify_log
from passline.streams.course import Actor, Answer, Ask
from passline.tables.commands import OpenTable, Roll, TableCommand
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults

__all__ = ["VerifyRates", "deal", "verify_rates"]


class _Dealer:
    """One full table without screens: every command goes through the floor, in the order of a real roll."""

    def __init__(self, table: RunningTable) -> None:
        self._table = table
        self._ids = count()
        self.events = 0
        self.entries = 0

    async def ask(self, *commands: tuple[int, TableCommand]) -> None:
        """Send all of these commands at once, each as the player of its seat."""
        asks = [
            Ask(f"{next(self._ids)}", command, Actor(f"player-{seat}", f"Player {seat}", "player"))
            for seat, command in commands
        ]
        for answer in await asyncio.gather(*(self._table.stream.ask(ask) for ask in asks)):
            if isinstance(answer, Answer):
                self.events += bytes(answer.events).count(b'"event":')
                self.entries += 1

    async def roll(self) -> None:
        """Make everybody's wagers, then roll the dice."""
        position = self._table.live.game.position
        if position.dice == "offered":
            await self.ask((position.offered_to, c.AcceptDice(seat=position.offered_to)))
        seats = range(1, PLAYERS + 1)
        await self.ask(
            *((seat, wager_of(seat, number, puck=position.puck)) for seat in seats for number in range(len(WAGERS)))
        )
        shooter = self._table.live.game.position.shooter
        await self.ask((shooter, Roll(seat=shooter)))
        if landed := await self._table.course.completion.landed(self._table.stream.sequence - 1):
            self.events += len(landed.events)
            self.entries += 1


async def _deal(log: Log, keys: DiceKeys, events: int, tables: int) -> tuple[int, int]:
    floor = Floor(log, clock=utc_now, keys=keys)
    await floor.start()
    house = Actor("house", "The house", "owner", is_employee=True)
    dealers = []
    for number in range(tables):
        command = OpenTable(
            name=f"Long {number}",
            house={"rules": "maryland"},
            automate=tuple(sorted(AUTOMATED)),
            buy_in="self",
            bank_cents=10_000_000_00,
        )
        id_, _ = await floor.open(Ask(f"open-{number}", command, house))
        table = await floor.table(id_)
        assert table is not None
        dealer = _Dealer(table)
        for seat in range(1, PLAYERS + 1):
            await dealer.ask((seat, c.TakeSeat(seat=seat)), (seat, c.BuyIn(seat=seat, cents=1_000_000_00)))
        dealers.append(dealer)
    while sum(dealer.events for dealer in dealers) < events:
        await asyncio.gather(*(dealer.roll() for dealer in dealers))
    await floor.close()
    return sum(dealer.entries for dealer in dealers), sum(dealer.events for dealer in dealers)


def deal(data: Path, events: int, tables: int = 10) -> tuple[int, int, float]:
    """Deal at least this many events; return the entries, the events and the seconds."""
    log = open_log(data)
    begun = time.perf_counter()
    entries, happened = asyncio.run(_deal(log, DiceKeys(dice_secret(data), log.log_id), events, tables))
    seconds = time.perf_counter() - begun
    log.close()
    return entries, happened, seconds


class VerifyRates(Struct, frozen=True):
    """Entries verified a second: the chain alone, and every decision replayed with the ledger."""

    entries: int
    chain: float
    replay: float


def verify_rates(data: Path) -> VerifyRates:
    """Verify a whole log twice, its chain and seals, then every decision; return the rates."""
    log = open_log(data)
    begun = time.perf_counter()
    report = verify_log(log.rows(), log.public_key, log.head())
    chain = time.perf_counter() - begun
    assert report.is_intact, report.faults[:3]
    begun = time.perf_counter()
    faults = list(decision_faults(log.read()))
    replay = time.perf_counter() - begun
    assert not faults, faults[:3]
    log.close()
    return VerifyRates(report.entries, report.entries / chain, report.entries / replay)

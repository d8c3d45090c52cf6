"""A log of a million events from real tables, to verify, replay, project and serve."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from uuid import uuid4

import httpx
from argon2 import PasswordHasher
from msgspec import Struct

from benchmarks.live.house import PASSWORD, PLAYERS
from benchmarks.live.load import WAGERS, wager_of
from passline.game import commands as c
from passline.office.views.projections import projections_of
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.provable_dice import DiceKeys
from passline.rules.rules import AUTOMATED
from passline.store.data_folder import dice_secret, open_log
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.store.verify import verify_log
from passline.streams.course import Actor, Answer, Ask
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore
from passline.tables.commands import OpenTable, Roll, TableCommand
from passline.tables.entries import TABLE_CODEC
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.verify import decision_faults
from tests.tables.views.folded import records_of

PAGES = {
    "newest entries": "/api/log?before={last}&limit=100",
    "search, a common word": "/api/log?text=pass&limit=100",
    "search, two common words": "/api/log?text=wins+field&limit=100",
    "search, only in the first": "/api/log?text=log+begins&limit=100",
    "search, nothing": "/api/log?text=elephant&limit=100",
    "search, one table": "/api/log?stream=table/long-3&text=player&limit=100",
    "search, a player": "/api/log?player=Player+3&limit=100",
    "search, a player's one hand": "/api/log?player=player-3&table=long-3&hand=2&limit=100",
    "search, a clause": "/api/log?clause=MD-3.A.1&limit=100",
    "search, an event": "/api/log?event=table-opened&limit=100",
    "search, an amount": "/api/log?amount=1000&limit=100",
    "search, a large amount": "/api/log?least=100000000&limit=100",
    "search, all at once": "/api/log?player=Player+3&table=long-3&event=wager-won&clause=MD-5.A&least=100&limit=100",
    "search, no such amount": "/api/log?amount=77777&limit=100",
    "records, security": "/api/records?kind=security",
    "records, daily accounting": "/api/records?kind=daily_activity_accounting",
    "activity": "/api/records?kind=activity",
    "hands": "/api/tables/long-3/hands",
    "a hand": "/api/tables/long-3/hands/1?limit=100",
    "a table in the past": "/api/tables/long-3/at/{last}",
    "accounts": "/api/people",
}
"""The pages that read the log, by what they show."""


class _Dealer:
    """One full table without screens: every command goes through the floor, in the order of a real roll."""

    def __init__(self, table: RunningTable) -> None:
        self._table = table
        self.events = 0
        self.entries = 0

    async def ask(self, *commands: tuple[int, TableCommand]) -> list[Answer]:
        """Send all of these commands at once, each as the player of its seat; return the answers of those done."""
        asks = [
            Ask(str(uuid4()), command, Actor(f"player-{seat}", f"Player {seat}", "player"))
            for seat, command in commands
        ]
        answers = await asyncio.gather(*(self._table.stream.ask(ask) for ask in asks))
        done = [answer for answer in answers if isinstance(answer, Answer)]
        self.events += sum(bytes(answer.events).count(b'"event":') for answer in done)
        self.entries += len(done)
        return done

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
        [closed] = await self.ask((shooter, Roll(seat=shooter)))
        if (roll := await self._table.course.completion.roll_after(closed.sequence)) is not None:
            self.events += len(TABLE_CODEC.events(roll.entry))
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
            bank_cents=50_000_000_00,
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


def regulator(data: Path) -> str:
    """Hire a regulator, if nobody did yet, and return the token of a session."""
    log = open_log(data)
    desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    if desk.people().account_named("Reg"):
        welcome = desk.log_in(name="Reg", password=PASSWORD)
    else:
        if (link := desk.first_owner()) is not None:
            desk.accept_invitation(link.token, name="Ola", password=PASSWORD, pin="7294")
        [owner, *_] = desk.people().owners()
        invited = desk.invite(by=owner.id, roles=("regulator",))
        assert isinstance(invited, Link)
        welcome = desk.accept_invitation(invited.token, name="Reg", password=PASSWORD, pin="7295")
    assert isinstance(welcome, Welcome)
    log.close()
    return welcome.token


def project(data: Path) -> tuple[int, float, int]:
    """Project a whole log; return its entries, the seconds, and the bytes of the views."""
    log, path = open_log(data), data / VIEWS_FILE
    store = ViewStore(path, log.derive("views"))
    projector = Projector(log, store, projections_of(log))
    begun = time.perf_counter()
    while projector.advance(100):
        pass
    seconds = time.perf_counter() - begun
    entries = projector.last_applied()
    store.close()
    log.close()
    return entries, seconds, path.stat().st_size


def fold_seconds(data: Path) -> float:
    """Return how long it takes to make one page of records by folding the whole log."""
    log = open_log(data)
    begun = time.perf_counter()
    records_of(list(log.read()), "security")
    seconds = time.perf_counter() - begun
    log.close()
    return seconds


def page_seconds(base: str, token: str, path: str, times: int) -> list[float]:
    """Ask for a page several times, after once to begin with; return the seconds of each."""
    taken = []
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        for _ in range(times + 1):
            begun = time.perf_counter()
            client.get(path).raise_for_status()
            taken.append(time.perf_counter() - begun)
    return taken[1:]

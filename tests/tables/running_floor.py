"""A floor for tests, in this process: one table, two players, and dice that fall as the test chooses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from uuid import uuid4

from passline.dice import OUTCOMES, Roll, roll_of
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Answer, Ask
from passline.tables.commands import OpenTable, TableCommand
from passline.tables.commands import Roll as Throw
from passline.tables.live import seat_of
from passline.tables.runtime.floor import Floor, RunningTable
from tests.loaded_dice import LoadedDice
from tests.tables.sitting import signer_of

OWNER = Actor("owner", "Olga", "owner")
ANN, BOB = Actor("ann", "Ann", "player"), Actor("bob", "Bob", "player")
OPENING = OpenTable(
    name="Craps 1", house={"rules": "maryland"}, automate=tuple(sorted(AUTOMATED)), buy_in="self", bank_cents=10_000_00
)


def falling(*faces: tuple[int, int]) -> Iterator[Roll]:
    """Yield these rolls, then 1-1 for ever."""
    yield from (roll_of(*pair) for pair in faces)
    while True:
        yield OUTCOMES[0]


def floor_over(log: Log, dice: Iterator[Roll] | None = None, *, is_shared: bool = False) -> Floor:
    """Return a floor over a log, with these dice or always 1-1."""
    rolls = dice or falling()
    return Floor(log, clock=utc_now, keys=LoadedDice(rolls, log.log_id), is_shared=is_shared)


@asynccontextmanager
async def running(
    log: Log | None = None, *faces: tuple[int, int], keys: DiceKeys | None = None
) -> AsyncIterator[tuple[Floor, RunningTable]]:
    """Run a floor with one table, where Ann and Bob sit with $1,000 each; with `keys`, the dice are real."""
    log = log or MemoryLog()
    floor = Floor(log, clock=utc_now, keys=keys) if keys else floor_over(log, falling(*faces))
    await floor.start()
    await floor.open(Ask("open", OPENING, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    for seat, who in enumerate((ANN, BOB), start=1):
        await done(table, who, c.TakeSeat(seat=seat))
        await done(table, who, c.BuyIn(seat=seat, cents=1_000_00))
    try:
        yield floor, table
    finally:
        await floor.close()


async def ask(table: RunningTable, by: Actor, command: TableCommand, id: str = "") -> Answer | Refused:  # noqa: A002
    """Send a command to a table, signed where it must be, and return the answer."""
    return await table.stream.ask(Ask(id or uuid4().hex, command, by, signer_of(command, by, table.stream.state)))


async def done(table: RunningTable, by: Actor, command: TableCommand, id: str = "") -> Answer:  # noqa: A002
    """Send a command that must be accepted; if it throws the dice, wait until they have landed."""
    answer = await ask(table, by, command, id)
    assert isinstance(answer, Answer), answer
    if isinstance(command, Throw):
        await landed(table)
    return answer


async def rolled(table: RunningTable, by: Actor, id: str = "") -> Answer:  # noqa: A002
    """Throw the dice and wait until they have landed; return the answer to the throw."""
    return await done(table, by, Throw(seat=seat_of(table.live, by.account)), id)


async def landed(table: RunningTable) -> None:
    """Wait until no throw is open and every screen was told of the last one."""
    await table.course.completion.wait_until_landed()
    while table.course.is_telling:  # noqa: ASYNC110 - nobody but a test waits for it
        await asyncio.sleep(0)


async def settled() -> None:
    """Let everything that is ready run."""
    for _ in range(20):
        await asyncio.sleep(0)

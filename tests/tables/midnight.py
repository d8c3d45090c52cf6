"""A house whose clock a test sets, with a table of the amended regulation that is open over midnight."""

from __future__ import annotations

from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.game import commands as c
from passline.store.sealed import Log
from passline.streams.course import Ask
from passline.tables.runtime.floor import Floor, RunningTable
from tests.loaded_dice import LoadedDice
from tests.rules.amended import NAME
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, done, falling

HARD = """
[wagers.hardway]
pays = [{ numbers = [4, 6, 8, 10], pays = "5 to 1", cite = "QUAY-3.4" }]
"""
PIER = Facility(name="Pier", zone="America/Denver")
EVENING, MIDNIGHT = "2027-01-01T06:59:59.999999Z", "2027-01-01T07:00:00.000000Z"
HARD_6 = c.MakeWager(seat=1, wager="hardway", number=6, cents=10_00)
PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)


class House:
    """A floor whose clock the test sets, with one table of the amended regulation and two players."""

    def __init__(self, log: Log, *faces: tuple[int, int]) -> None:
        self.at = EVENING
        self.floor = Floor(log, clock=lambda: self.at, keys=LoadedDice(falling(*faces), log.log_id))

    async def open(self, cents_max: int = 1_000_00) -> RunningTable:
        """Open the table; Ann has the dice."""
        await self.floor.start()
        await self.floor.go_by_days_of(lambda _name, at: PIER.today(at))
        opening = replace(OPENING, house={"rules": NAME, "wager_cents_max": cents_max})
        await self.floor.open(Ask("open", opening, OWNER, "flo"))
        table = await self.floor.table("craps-1")
        assert table is not None
        for seat, who in enumerate((ANN, BOB), start=1):
            await done(table, who, c.TakeSeat(seat=seat))
            await done(table, who, c.BuyIn(seat=seat, cents=1_000_00))
        await done(table, ANN, c.AcceptDice(seat=1))
        return table

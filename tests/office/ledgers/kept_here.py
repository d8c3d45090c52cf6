"""A house that keeps its office here, with real accounts: its floor, its offices, and the papers between them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.state import ActState
from passline.office.ledgers.delivery import PaperDelivery
from passline.office.runtime import Offices, people_around
from passline.refusal import Refused
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.tables.commands import ElectOffice, OpenTable, TableCommand
from passline.tables.live import LiveTable
from passline.tables.runtime.floor import Floor, RunningTable
from tests.loaded_dice import LoadedDice
from tests.people.house import House
from tests.tables.running_floor import falling

OFFICE, TABLE = "section2", "craps-1"
_STAFF = {
    "cora": "compliance", "flo": "floorperson", "fay": "floorperson", "bob": "boxperson", "dan": "dealer",
    "stu": "stickperson", "cy": "cashier", "cal": "cashier", "ned": "counter", "nia": "counter",
    "ann": "player",
}  # fmt: skip
_FILE = {"rules": OFFICE, "wager_cents_min": 500}


class KeptHere(House):
    """The people and the log; `start` serves them as a process does, and again after it was killed."""

    floor: Floor
    offices: Offices

    def __init__(self, log: Log | None = None) -> None:
        super().__init__(log)
        self.clock.now = "2026-11-16T15:00:00.000000Z"  # 10:00 where the house is
        olga = self.owner().session.account
        self.staff = {"olga": Actor(olga.id, "Olga", "owner", is_employee=True)}
        for name, role in _STAFF.items():
            account = self.hire(name.title(), role, by=olga.id).session.account
            self.staff[name] = Actor(account.id, name.title(), role, is_employee=role != "player")

    async def start(self, *, delivers: bool = True) -> None:
        """Serve the log, as a new process; without `delivers` it is one that is killed before it does."""
        self.floor = Floor(self.log, clock=self.clock, keys=LoadedDice(falling(), self.log.log_id))
        around = people_around(self.desk.latest, lambda: self.floor.house.approvals)
        self.offices = Offices(self.log, self.floor.writer, self.clock, around)
        papers = PaperDelivery(self.floor, tell=self.offices.ask, read=self.offices.events_after)
        self.floor.clear, self.floor.opener, self.offices.keep = self.offices.clear, papers.opener, self.floor.keep
        await self.floor.start()
        if delivers:
            self.offices.deliver = papers.deliver
            await self.offices.make_up()

    async def stop(self) -> None:
        await self.offices.close()
        await self.floor.close()

    async def restart(self, *, delivers: bool = True) -> None:
        await self.stop()
        await self.start(delivers=delivers)

    async def set_up(self) -> None:
        """Elect the office, and do everything for a table but count it."""
        await self.floor.ask_house(Ask(uuid4().hex, ElectOffice(where="here"), THE_HOUSE))
        facility = Facility(name="Harbour", zone="America/New_York", areas=("pit-1",))
        await self.tell(c.SetUpOffice(facility=facility), "olga")
        await self.does("cora", "draft_house", "capstan", file=_FILE)
        await self.does("olga", "put_in_force", "capstan")
        await self.does("cora", "register_table", TABLE, area="pit-1")
        await self.does("cora", "assign_house", TABLE, house="capstan")
        seen = ("cup", "cup_stickperson", "stick", "cup_back")
        await self.does("flo", "check_table", TABLE, seen=dict.fromkeys(seen, True))
        await self.does("flo", "supply_dice", TABLE, certificate="0123456789abcdef" * 4)
        for box in ("D1", "D2", "D3"):
            await self.does("olga", "enter_drop_box", box)
        await self.does("flo", "attach_drop_box", TABLE, drop_box="D1")
        await self.does("cy", "receive_chips", units={"500": 4000}, delivery="note", signs=("cal", "witness"))
        await self.does("cy", "issue_chips", units={"500": 3000}, signs=("cal", "witness"))

    async def tell(self, command: c.ActCommand, by: str, signed_by: str = "") -> Answer:
        signer = self.staff[signed_by].account if signed_by else ""
        self.clock.move(1)
        answer = await self.offices.ask(OFFICE, Ask(uuid4().hex, command, self.staff[by], signer))
        assert isinstance(answer, Answer), answer
        return answer

    async def does(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: Any) -> Answer:  # noqa: ANN401
        """Do an act that must not be refused, signed at once by somebody as a part."""
        return await self.tell(c.DoAct(act=act, things=things, fields=fields, signs=signs[1]), by, signs[0])

    async def signs(self, by: str, part: str, **fields: Any) -> Answer:  # noqa: ANN401
        """Sign the act that was recorded last."""
        number = max(map(int, (await self.state()).pending))
        return await self.tell(c.SignAct(number=number, part=part, fields=fields), by)

    async def state(self) -> ActState:
        state = (await self.offices.office(OFFICE)).state
        assert state is not None
        return state

    async def fill(self, count: int) -> None:
        """Bring so many chips of $5 to the table by a slip."""
        await self.does("flo", "request_fill", table=TABLE, units={"500": count})
        slip = f"F-{(await self.state()).numbers['F']:06}"
        await self.does("cy", "prepare_fill", slip)
        await self.does("fay", "carry_fill", slip)
        await self.does("dan", "accept_fill", slip)

    async def prepared_credit(self, count: int) -> str:
        """Make up a credit at the table; return its slip."""
        await self.does("flo", "request_credit", table=TABLE, units={"500": count})
        slip = f"C-{(await self.state()).numbers['C']:06}"
        await self.does("dan", "prepare_credit", slip)
        return slip

    async def counts(self, which: str, count: int, shift: str = "day") -> None:
        """Count the tray: so many chips of $5."""
        await self.does("dan", f"count_{which}", TABLE, chips={"500": count}, shift=shift)
        await self.signs("bob", "second", chips={"500": count})

    async def drops(self, box: str, following: str, shift: str = "day") -> None:
        """Take a box off the table."""
        await self.does(
            "ned", "drop_table", TABLE, shift=shift, dropped=box, drop_box=following, signs=("flo", "viewer")
        )

    async def counts_box(self, box: str, notes: int) -> None:
        """Count a box: so many notes of $20."""
        team = [self.staff["ned"].account, self.staff["nia"].account]
        await self.does("ned", "count_box", box, cash={"2000": notes}, team=team)
        await self.signs("nia", "second", cash={"2000": notes})
        await self.signs("cy", "cage", cash={"2000": notes})

    async def opens(self, **changes: Any) -> Answer | Refused:  # noqa: ANN401
        """Open the table, as the owner does."""
        opening = {"name": "Craps 1", "house": _FILE, "dice": "physical", **changes}
        self.clock.move(1)
        return (await self.floor.open(Ask(uuid4().hex, OpenTable(**opening), self.staff["olga"])))[1]

    async def table(self) -> RunningTable:
        found = await self.floor.table(TABLE)
        assert found is not None
        return found

    async def live(self) -> LiveTable:
        return (await self.table()).live

    async def at_table(self, command: TableCommand, by: str, signed_by: str = "") -> Answer | Refused:
        """Send a command to the live table."""
        signer = self.staff[signed_by].account if signed_by else ""
        self.clock.move(1)
        return await (await self.table()).stream.ask(Ask(uuid4().hex, command, self.staff[by], signer))


@asynccontextmanager
async def kept_here(log: Log | None = None) -> AsyncIterator[KeptHere]:
    """Serve a house whose table lacks nothing but its opening inventory."""
    kept = KeptHere(log)
    await kept.start()
    await kept.set_up()
    try:
        yield kept
    finally:
        await kept.stop()

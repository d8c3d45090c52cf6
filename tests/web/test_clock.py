"""A system clock that jumps: it is on record, nothing is dealt while it is far off, and no session lasts longer."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec import json
from typer.testing import CliRunner

from passline.cli.main import app
from passline.game import commands as c
from passline.people.desk import FrontDesk
from passline.people.sessions import SESSION_SECONDS, Welcome
from passline.refusal import Refused
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.clock_sync import clock_sync
from passline.store.data_folder import open_log
from passline.store.log import LogError, Secret
from passline.store.memory import MemoryLog
from passline.store.timestamps import later, utc_now
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.tables.commands import RecordClockSync
from passline.tables.runtime.floor import Floor
from passline.web.server.clock_keeper import ClockKeeper, clock_of
from tests.event_loop import asynchronous
from tests.loaded_dice import LoadedDice
from tests.people.house import PASSWORD, QUICK
from tests.store.machine import Machine
from tests.tables.running_floor import ANN, OPENING, OWNER, falling
from tests.web.house import House

PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)


@asynchronous
async def test_a_clock_that_no_time_service_keeps_is_on_record_once_and_told(tmp_path: Path) -> None:
    machine, found = Machine(), clock_sync()
    log = open_log(tmp_path)
    clock = machine.clock()
    floor = Floor(log, clock=clock, keys=LoadedDice(falling()))
    await floor.start()
    begun = log.streams().get("house", 0)
    for keeper in (ClockKeeper(clock, log, floor.ask_house), ClockKeeper(clock, log, floor.ask_house)):
        await keeper.look_at_sync()
        await keeper.look_at_sync()
    entries = [stored.entry for stored in log.read_stream("house", after=begun)]
    told = [event for entry in entries for event in json.decode(entry.events)]
    if found.state == "unknown":
        assert not told
        return
    (event,) = told
    assert (event["event"], event["state"]) == ("clock-sync-changed/1", found.state)
    assert floor.house.sync == found.state


@pytest.mark.long
def test_health_and_today_say_that_no_time_service_keeps_the_clock(house: House) -> None:
    facility = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
    setting = {"command": {"command": "set-up-office", "facility": facility}}
    assert house.owner.post("/api/office/maryland/commands", setting).status_code == 201
    assert house.owner.get("/health").json()["clock"]["state"] == clock_sync().state

    def told(state: str) -> str:
        floor = house.server.services.floor
        ask = Ask(state, RecordClockSync(state=state, milliseconds=9), THE_HOUSE)  # type: ignore[arg-type]
        portal = house.server.page.client.portal
        assert portal is not None
        answer = portal.call(floor.ask_house, ask)
        assert isinstance(answer, Answer), answer
        return str(house.owner.get("/api/office/maryland/today").json()["clock"])

    assert "No time service keeps the clock" in told("not synchronised")
    assert told("synchronised") == ""
    lines = [line for entry in house.owner.get("/api/log?stream=house").json()["entries"] for line in entry["lines"]]
    assert "the server's clock is not synchronised, and off by 0.009 s at most" in lines


@asynchronous
async def test_a_jump_is_on_record_once_and_a_far_one_stops_the_table(tmp_path: Path) -> None:
    machine = Machine()
    log = open_log(tmp_path)
    clock = machine.clock()
    floor = Floor(log, clock=clock, keys=LoadedDice(falling()))
    keeper = ClockKeeper(clock, log, floor.ask_house)
    await floor.start()
    await floor.open(Ask("open", OPENING, OWNER, "flo"))
    table = await floor.table("craps-1")
    assert table is not None
    assert isinstance(await table.stream.ask(Ask("sit", c.TakeSeat(seat=1), ANN)), Answer)
    begun = log.streams()["house"]
    machine.passes(10, jump=-30)
    await keeper.look()
    await keeper.look()
    assert log.streams()["house"] == begun + 1
    assert isinstance(await table.stream.ask(Ask("buy", c.BuyIn(seat=1, cents=1_000_00), ANN)), Answer)
    machine.passes(10, jump=-3600)
    refused = await table.stream.ask(Ask("far", PASS, ANN))
    assert isinstance(refused, Refused)
    assert "the clock of this server is 61 minutes behind the time of the log: set it right" in str(refused)
    again = await table.stream.ask(Ask("buy", c.BuyIn(seat=1, cents=1_000_00), ANN))
    assert isinstance(again, Answer)  # what was done is still told
    await keeper.look()  # recorded although nothing is dealt
    assert log.streams()["house"] == begun + 2
    machine.passes(10, jump=3600)
    assert isinstance(await table.stream.ask(Ask("near", PASS, ANN)), Answer)
    await keeper.look()
    assert log.streams()["house"] == begun + 3
    await floor.close()
    times = [stored.entry.at for stored in log.read_stream(table.stream.name)]
    assert times == sorted(times)
    log.close()
    told = CliRunner().invoke(app, ["verify", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert told.output.count("the server's clock was set back") == 2
    assert told.output.count("the server's clock was set forward") == 1


@asynchronous
async def test_a_jump_that_cannot_be_recorded_now_is_recorded_later() -> None:
    machine = Machine()
    clock, log, asked = machine.clock(), MemoryLog(), list[str]()

    async def record(ask: Ask) -> Refused:
        asked.append(ask.id)
        if len(asked) == 1:
            raise LogError("the log is away")
        return Refused(())

    keeper = ClockKeeper(clock, log, record)
    machine.passes(10, jump=60)
    with pytest.raises(LogError):
        await keeper.look()
    await keeper.look()
    assert asked[0] == asked[1]  # under the same id
    await keeper.look()
    assert len(asked) == 2


def test_a_session_is_not_extended_by_a_clock_set_back() -> None:
    machine, log = Machine(), MemoryLog()
    clock = machine.clock()
    desk = FrontDesk(log, clock, hasher=QUICK)
    welcome = desk.register(name="Ann", password=PASSWORD)
    assert isinstance(welcome, Welcome)
    for _ in range(24):
        machine.passes(SESSION_SECONDS / 24 + 1, jump=-SESSION_SECONDS / 24)  # set back every half an hour
        clock()
    assert desk.session_of(welcome.token) is None


def test_a_clock_set_back_while_the_house_is_closed_is_noticed_by_the_kept_time(tmp_path: Path) -> None:
    with closing(open_log(tmp_path)) as log:
        assert clock_of(log).fault == ""
        assert clock_of(log)() <= utc_now()
        ClockKeeper(clock_of(log), log, _nobody).keep()
        assert clock_of(log).fault == ""
        forged = Secret("clock", "house", later(utc_now(), 3600).encode())
        log.vault.put(forged)
        assert clock_of(log).fault == "", "a row that the server did not write counts for nothing"
        AuthenticVault(log.vault, log.derive(ROWS_PURPOSE)).put(forged)
        assert "60 minutes behind" in clock_of(log).fault


async def _nobody(_ask: Ask) -> Refused:
    return Refused(())

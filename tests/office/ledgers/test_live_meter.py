"""The office reads a meter daily: the server writes down beside it what the live table has, and `verify` looks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.events import ActDone
from passline.acts.judges.scene import Surroundings
from passline.acts.rules import OFFICE_RULES, Person
from passline.acts.schema import LIVE_METER
from passline.acts.state import ActState, fold
from passline.office.ledgers.meter_check import MeterCheck
from passline.office.runtime import Offices
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.streams.writer import ThreadWriter
from passline.tables.entries import TABLE_CODEC
from tests.game.progressive import KIND, STAKE
from tests.tables.metered import meter_of, raised_meter
from tests.tables.sitting import BOB, Sitting

_AT, _OFFICE, _TABLE = "2026-11-16T15:00:00.000000Z", "arizona", "craps-1"
PROPOSED = {"base": 500_00, "at_table": _TABLE, "wager": KIND}
_ROLES = {"olga": "owner", "cora": "compliance", "sam": "supervisor"}
_PEOPLE = {name: Person(name, name.title(), frozenset({role})) for name, role in _ROLES.items()}
_UNTIL = {"licence_until": "2026-12-31", "certificate_until": "2026-12-31"}
_GAMES = ("the play of every authorized craps game", "the regulations of craps")
_DESIGNATED = {**dict.fromkeys(("directs", "oversees", "resolves", "schedules"), True), "knows": _GAMES}
_BEFORE: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("cora", "enter_employee", "sam", {"post": "supervisor", **_UNTIL}),
    ("olga", "designate_supervisor", "sam", _DESIGNATED),
    ("cora", "propose_progressive", "P1", PROPOSED),
)


async def _office(log: MemoryLog, sitting: Sitting, *readings: dict[str, Any]) -> list[Answer | Refused]:
    """Propose a progressive and read its meter; the same reading is sent twice."""
    writer = ThreadWriter(log)
    offices = Offices(log, writer, lambda: _AT, Surroundings(_PEOPLE.get))

    async def do(name: str, by: str, command: c.ActCommand) -> Answer | Refused:
        return await offices.ask(_OFFICE, Ask(name, command, Actor(by, by.title(), _ROLES[by], is_employee=True)))

    async def meter(table: str, wager: str) -> int | None:
        sitting.roll(6, 5)  # play goes on
        return int(meter_of(sitting)) if (table, wager) == (_TABLE, KIND) else None

    offices.meter = meter
    facility = Facility(name="Harbour", zone="America/Phoenix", subdivision="AZ")
    await offices.ask(_OFFICE, Ask("set-up", c.SetUpOffice(facility=facility), THE_HOUSE))
    for by, act, thing, fields in _BEFORE:
        answer = await do(act, by, c.DoAct(act=act, things=(thing,), fields=fields))
        assert isinstance(answer, Answer), str(answer)
        if act == "enter_employee":
            await do("signed", "olga", c.SignAct(number=1, part="second"))
    answers = []
    for place, fields in enumerate(readings):
        command = c.DoAct(act="read_meter", things=("P1",), fields=fields)
        answers += [await do(f"reading-{place}", "sam", command) for _again in range(2)]
    await offices.close()
    await writer.close()
    return answers


def _readings(log: MemoryLog) -> list[tuple[ActState, ActDone]]:
    """Each reading on record, with the office before it."""
    state, found = ActState(), []
    for stored in log.read_stream(OFFICE_STREAM + _OFFICE):
        events = OFFICE_CODEC.events(stored.entry)
        found += [(state, event) for event in events if isinstance(event, ActDone) and event.act == "read_meter"]
        state = fold(state, stored.entry.at, events)
    return found


@pytest.fixture
def sitting() -> Sitting:
    sitting = raised_meter()
    sitting.wager(BOB, KIND, STAKE)
    return sitting


def test_the_server_says_what_the_live_meter_has_whatever_was_sent(sitting: Sitting) -> None:
    log = MemoryLog(at=_AT)
    other = {"meter": 502_00, LIVE_METER: 502_00}
    answers = asyncio.run(_office(log, sitting, {"meter": 502_00}, other))
    raised = int(meter_of(sitting))
    assert raised == 503_00
    refused = [str(answer) for answer in answers if isinstance(answer, Refused)]
    assert [event.fields for _state, event in _readings(log)] == [{"meter": 502_00, LIVE_METER: 502_00}]
    assert len(refused) == 2
    assert all("difference: is missing: why it does not show what the live table has" in why for why in refused)


def test_verify_finds_a_figure_that_the_table_never_had(sitting: Sitting) -> None:
    log = MemoryLog(at=_AT)
    asyncio.run(_office(log, sitting, {"meter": 502_00}))
    ((before, reading),) = _readings(log)
    rules, check = OFFICE_RULES.find(before.digest), MeterCheck()
    assert list(check.office_faults(rules, before, [reading])) == [], "nothing is known of the table"
    for stored in sitting.entries:
        check.take_table(stored.entry, TABLE_CODEC.events(stored.entry))
    assert list(check.office_faults(rules, before, [reading])) == []
    reading.fields[LIVE_METER] = 501_99
    assert list(check.office_faults(rules, before, [reading])) == [
        "act 4 has 501.99 on the live meter of beacon at craps-1, which showed 503.00"
    ]

"""An office keeps its amended pages at the midnight of its house, and what it did before stays as it was done."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

from passline.acts import commands as c
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.events import OfficeKept
from passline.acts.rules import OFFICE_RULES
from passline.office.runtime import Offices, people_around
from passline.office.verify import house_faults
from passline.people.accounts import People
from passline.rules.pages.day import days_told_by
from passline.store.memory import MemoryLog
from passline.store.verify import Fault
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.writer import ThreadWriter
from passline.tables.approvals import Approvals
from passline.tables.views.dealt_by import DealtBy
from tests.rules.amended import BEFORE, DAY, NAME, ORDER, amended, write_amended
from tests.tables.changed_rulebook import new_process
from tests.tables.midnight import EVENING, MIDNIGHT, PIER

__all__ = ["amended"]  # a fixture

_AMENDED = ORDER + '\n[office.acts.draft_house]\nname = "Drafted anew"\n'


def test_an_office_keeps_its_amended_pages_at_midnight(amended: Path) -> None:
    write_amended(amended.parent, _AMENDED)
    new_process()
    log, moment = MemoryLog(), [EVENING]
    with days_told_by(lambda _name: PIER.today(moment[0])):
        names = asyncio.run(_look_over_midnight(log, moment))
    assert names == ["Draft a house", "Draft a house", "Drafted anew", "Drafted anew"]
    kept = [
        event.digest
        for stored in log.read_stream(OFFICE_STREAM + NAME)
        for event in OFFICE_CODEC.events(stored.entry)
        if isinstance(event, OfficeKept)
    ]
    assert kept == [_digest_on(day) for day in (BEFORE, DAY)]
    for day in (BEFORE, DAY):  # whatever day it is when somebody verifies it
        assert _faults_on(day, log) == []


def _faults_on(day: date, log: MemoryLog) -> list[Fault]:
    new_process()
    with days_told_by(lambda _name: day):
        return list(house_faults(log.read(), dealt_by=DealtBy()))


def _digest_on(day: date) -> str:
    with days_told_by(lambda _name: day):
        return OFFICE_RULES.installed_pages(NAME).digest


async def _look_over_midnight(log: MemoryLog, moment: list[str]) -> list[str]:
    """Have an office look before, at and after midnight; return what an act is called after each look."""
    writer = ThreadWriter(log)
    offices = Offices(log, writer, lambda: moment[0], people_around(People, Approvals))
    answer = await offices.ask(NAME, Ask("set-up", c.SetUpOffice(facility=PIER), THE_HOUSE))
    assert isinstance(answer, Answer), answer
    names = []
    for moment[0] in (EVENING, EVENING, MIDNIGHT, "2027-01-01T07:01:00.000000Z"):
        await offices.look_round(_no_table)
        names.append((await offices.scene(NAME)).rules.pages.acts["draft_house"].name)
    await offices.close()
    await writer.close()
    return names


async def _no_table(_name: str) -> tuple[str, ...]:
    return ()

"""Presets: what public standards say where a regulation says nothing, elected in the house file, never loosening it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.check import office_problems
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.events import OfficeKept
from passline.acts.rules import OFFICE_RULES, Person, cited_parts, office_of
from passline.acts.schema import PRACTICE
from passline.office.runtime import Offices, people_around
from passline.office.verify import house_faults
from passline.people.accounts import People
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import PRESETS, Pages, installed_presets
from passline.rules.rulebook_reader import rulebook_of
from passline.store.memory import MemoryLog
from passline.streams.course import THE_HOUSE, Actor, Answer, Ask
from passline.streams.writer import ThreadWriter
from passline.tables.approvals import Approvals
from passline.tables.views.dealt_by import DealtBy
from tests.cases import budget, one_in
from tests.office.bookkeeping import people_drafts
from tests.office.day_file import DAYS, DayFailed, run_day
from tests.office.dropped import broken_rules

_REGULATION = "section2"
_BOTH = [(regulation, preset) for regulation in REGULATIONS for preset in installed_presets()]
_AT = "2026-03-02T15:00:00.000000Z"


def _day(preset: str) -> Path:
    return DAYS / f"preset_{preset}.txt"


def _cites(preset: str) -> list[str]:
    parts = cited_parts(office_of(_REGULATION, preset).pages)
    return sorted({clause for _, clauses in parts for clause in clauses if clause.startswith(f"{preset} ")})


_CITED = [(preset, cite) for preset in installed_presets() for cite in _cites(preset)]


@pytest.mark.parametrize(
    ("preset", "cite"), one_in(4, _CITED, others=pytest.mark.whole), ids=[cite for _, cite in _CITED]
)
def test_dropping_or_changing_what_a_preset_says_changes_its_day(preset: str, cite: str) -> None:
    day, rules = _day(preset), office_of(_REGULATION, preset)
    run_day(day, rules)
    share = budget(10, in_sweep=1)  # of the changes of an entry, one in so many
    silent = [label for label, broken in broken_rules(rules, cite, share) if not _is_changed(day, broken)]
    assert not silent, f"{day.name} does not notice: {silent}"


def _is_changed(day: Path, rules: Any) -> bool:  # noqa: ANN401 - of an office
    try:
        run_day(day, rules)
    except DayFailed:
        return True
    return False


@pytest.mark.parametrize("preset", installed_presets())
def test_without_the_preset_nobody_asks_for_any_of_it(preset: str) -> None:
    without = office_of(_REGULATION)
    assert not any(clause.startswith(f"{preset} ") for _, clauses in cited_parts(without.pages) for clause in clauses)
    with pytest.raises(DayFailed, match="parts: is missing"):
        run_day(_day(preset), without)


@pytest.mark.parametrize(("regulation", "preset"), _BOTH)
def test_what_a_clause_asks_for_stays_as_it_is(regulation: str, preset: str) -> None:
    """Entries that cite a clause keep every value; a preset only adds entries of its own."""
    alone, laid = (msgspec.to_builtins(one.pages) for one in (office_of(regulation), office_of(regulation, preset)))
    assert not office_problems(office_of(regulation, preset))
    for path, clauses in cited_parts(office_of(regulation).pages):
        if clauses == (PRACTICE,):
            continue
        before, after = alone, laid
        for key in path:
            before, after = before[key], after[key]
        for key, value in before.items():
            assert isinstance(value, dict) or after[key] == value, (path, key)
        assert {key for key, value in after.items() if not isinstance(value, dict)} <= {*before}, path


def test_a_preset_cannot_loosen_a_clause() -> None:
    """A page that would make a signature needless changes nothing where a clause asks for it."""
    loose = b'[acts.test_dice.signs.verifier]\nby = ["dealer"]\nunless = "sound"\ncite = "nigc 542.12"\n'
    texts = {**OFFICE_RULES.installed_pages("arizona").texts, f"{PRESETS}/nigc/loose.toml": loose}
    verifier = OFFICE_RULES.read(Pages("arizona", texts)).pages.acts["test_dice"].signs["verifier"]
    assert verifier == office_of("arizona").pages.acts["test_dice"].signs["verifier"]


def test_a_preset_is_no_clause_of_a_regulation() -> None:
    known = {clause for regulation in REGULATIONS for clause in clauses_of(regulation)}
    assert not known & {cite for _, cite in _CITED}


def test_an_unknown_preset_is_refused_with_the_house_file() -> None:
    _, breaches = house_of(rulebook_of("maryland"), {"rules": "maryland", "office": {"preset": "nigk"}})
    assert [str(one) for one in breaches] == [
        "office.preset: there is no preset 'nigk'; choose nevada, nigc [practice]"
    ]


def test_a_house_in_force_brings_its_preset_and_takes_it_along_when_it_is_withdrawn() -> None:
    log, dealt_by = MemoryLog(at="2025-12-30T00:00:00.000000Z"), DealtBy()
    people = {
        "olga": Person("olga", "Olga", frozenset({"owner"})),
        "cora": Person("cora", "Cora", frozenset({"compliance"})),
    }
    log.append(people_drafts(people))
    asyncio.run(_elect(log))
    kept = [
        event.digest
        for stored in log.read_stream(OFFICE_STREAM + _REGULATION)
        for event in OFFICE_CODEC.events(stored.entry)
        if isinstance(event, OfficeKept)
    ]
    plain, elected = (
        OFFICE_RULES.installed_pages(_REGULATION).digest,
        OFFICE_RULES.installed_pages(_REGULATION, ("nigc",)).digest,
    )
    assert kept == [plain, elected, plain]
    assert not list(house_faults(log.read(), dealt_by=dealt_by))
    assert not dealt_by.foreign


async def _elect(log: MemoryLog) -> None:
    """Draft a house that elects a preset, put it in force, and withdraw it, as somebody else agrees to."""
    writer = ThreadWriter(log)
    offices = Offices(log, writer, lambda: _AT, people_around(People, Approvals))
    olga, cora = Actor("olga", "Olga", "owner", is_employee=True), Actor("cora", "Cora", "compliance", is_employee=True)

    async def do(command: c.ActCommand, by: Actor = olga) -> Answer | Refused:
        return await offices.ask(_REGULATION, Ask(msgspec.json.encode(command).hex()[-60:], command, by))

    facility = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    file = {"rules": _REGULATION, "office": {"preset": "nigc"}}
    for command in (
        c.SetUpOffice(facility=facility),
        c.DoAct(act="draft_house", things=("spring",), fields={"file": file}),
        c.DoAct(act="put_in_force", things=("spring",)),
        c.DoAct(act="withdraw_house", things=("spring",)),
        c.SignAct(number=3, part="standard"),
    ):
        by = {c.SetUpOffice: THE_HOUSE, c.SignAct: cora}.get(type(command), olga)
        answer = await do(command, by)
        assert isinstance(answer, Answer), answer
    await offices.close()
    await writer.close()

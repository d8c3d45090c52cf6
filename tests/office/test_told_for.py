"""Whoever is named on the slips of an outage, and has not signed the batch, is asked whether what was told is so."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.rules import office_of
from passline.acts.state import KnownThing
from passline.acts.views.today import today_of
from passline.office.folder import past_of
from passline.office.verify import house_faults
from passline.office.views.day_report import matters_table
from passline.refusal import Refused
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.outage_story import OutageOffice, accept, refused, whole_batch

NAMED = {"flo", "cass", "fay", "dan", "bea", "ned", "bob"}
"""Everybody on the slips of the story; Sam told them, and Abe read them too."""


@pytest.fixture
def office() -> OutageOffice:
    """An office after its outage was told by Sam and Abe."""
    office = OutageOffice()
    accept(office.tells(office.comes_back(), whole_batch()))
    return office


def _of(office: OutageOffice, person: str) -> KnownThing:
    (found,) = [known for known in office.state.of_kind("told_for") if known.facts["person"] == person]
    return found


def _answer(office: OutageOffice, by: str, person: str, act: str, **fields: object) -> object:
    return office.send(c.DoAct(act=act, things=(_of(office, person).id,), fields=fields), by)


def _owed(office: OutageOffice) -> list[str]:
    log, owed = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z"), list[str]()
    office.write(log)
    assert list(house_faults(log.read(), owed=owed)) == []
    return [line for line in owed if "has no answer" in line]


def test_everybody_on_the_slips_is_asked_who_did_not_sign_the_batch(office: OutageOffice) -> None:
    asked = today_of(office.scene).asked
    assert {each.person for each in asked} == NAMED
    (dan,) = [each for each in asked if each.person == "dan"]
    assert dan.why.startswith("Sam and Abe told of Dan in outage O-000001: did: Accept a fill at the table (F-")
    assert "did: Count the inventory" in dan.why
    assert (dan.due, dan.is_overdue) == ("2026-03-10 00:00", False)
    assert dan.acts == ("confirm_told_for", "deny_told_for")


def test_only_the_person_themselves_answers_and_once(office: OutageOffice) -> None:
    assert "only the person for whom it was told says whether it is so (Dan)" in refused(
        _answer(office, "flo", "dan", "confirm_told_for")
    )
    assert not isinstance(_answer(office, "dan", "dan", "confirm_told_for"), Refused)
    assert _of(office, "dan").state == "confirmed"
    assert isinstance(_answer(office, "dan", "dan", "deny_told_for", reason="no"), Refused)
    assert {each.person for each in today_of(office.scene).asked} == NAMED - {"dan"}


def test_a_no_opens_an_incident_in_which_the_tellers_are_involved(office: OutageOffice) -> None:
    before = office.state.incidents
    assert not isinstance(_answer(office, "dan", "dan", "deny_told_for", reason="I was at home"), Refused)
    incident = office.state.thing("incident", f"I-{before + 1}")
    assert incident is not None
    assert incident.facts["why"] == "somebody says that what was told for them after an outage is not so"
    assert incident.facts["people"] == ["dan", "sam", "abe"]
    looks = c.DoAct(act="investigate_incident", things=(incident.id,), fields={"finding": "he errs"})
    assert "somebody looks into it who did, signed or is named" in refused(office.send(looks, "sam"))
    assert not isinstance(office.send(looks, "fay"), Refused)


def test_what_nobody_has_answered_in_time_is_listed_everywhere(office: OutageOffice) -> None:
    for person in NAMED - {"dan", "bea"}:
        assert not isinstance(_answer(office, person, person, "confirm_told_for"), Refused)
    assert _owed(office) == []
    office.go_to("2026-03-11", "12:00")
    assert not isinstance(_answer(office, "bea", "bea", "confirm_told_for"), Refused), "late is better than never"
    (dan,) = today_of(office.scene).asked
    assert (dan.person, dan.is_overdue) == ("dan", True)
    (line,) = _owed(office)
    assert line.startswith(f"section2's office: {dan.id} has no answer: Sam and Abe told of Dan")
    log = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
    office.write(log)
    rows = matters_table(past_of(log, "section2", date(2026, 3, 2)).day).rows
    assert [row[1] for row in rows if row[0] == "what was told for somebody, asked"] == [dan.id]
    told = c.DoAct(act="leave_told_for", things=(dan.id,), fields={"reason": "he left the house"}, signs="second")
    assert not isinstance(office.send(told, "cora", "olga"), Refused)
    assert _owed(office) == []


def test_nobody_asks_by_hand_and_pages_of_an_earlier_day_ask_nobody() -> None:
    rules = office_of("section2")
    enter = rules.pages.acts["enter_outage"]
    assert enter.batch is not None
    acts = {**rules.pages.acts, "enter_outage": replace(enter, batch=replace(enter.batch, asks=""))}
    office = OutageOffice(replace(rules, pages=replace(rules.pages, acts=acts)))
    accept(office.tells(office.comes_back(), whole_batch()))
    assert office.state.of_kind("told_for") == []
    fields = {"person": "dan", "outage": "O-000001", "tellers": ["sam"], "why": "x"}
    asks = c.DoAct(act="ask_told_for", fields=fields)
    assert "and not by itself" in refused(office.send(asks, "sam"))

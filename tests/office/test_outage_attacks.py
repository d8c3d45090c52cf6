"""What people have tried to slip in by an outage: slips hidden, moments chosen, others spoken for."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.judges.slips import acts_on_slip
from passline.acts.rules import TOLD_LATE, Person, office_of
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.outage_story import (
    DAY,
    HANDED,
    TRAY,
    OutageOffice,
    accept,
    at,
    count_line,
    drop_line,
    fill_lines,
    incidents,
    refused,
    timed_office,
)


@pytest.fixture
def office() -> OutageOffice:
    """An office after its outage, of which nothing was told yet."""
    return OutageOffice()


def _opened(answer: Refused | tuple[e.ActEvent, ...]) -> list[e.IncidentOpened]:
    return [event for event in accept(answer) if isinstance(event, e.IncidentOpened)]


def _missing(office: OutageOffice) -> list[str]:
    return sorted(slip.id for slip in office.state.of_kind("manual_slip", ["missing"]))


# Slips that are hidden.


def _about(act: str, *slips: str, **fields: object) -> dict[str, Any]:
    return {
        "act": act, "things": [*slips], "by": "flo", "occurred": at("14:30"), "fields": fields,
        "signed": {"witness": "bob"} if act == "return_slips" else {},
    }  # fmt: skip


def test_slips_are_neither_handed_out_nor_taken_back_by_a_line(office: OutageOffice) -> None:
    outage = office.comes_back()
    for line in (
        _about("return_slips", "MF-000002", blank=True),
        _about("hand_out_slips", "MF-000006", table="T1"),
        _about("print_slips", form="fill_slip", pieces=1),
    ):
        assert "of the acts about slips only these can: Void manual slips" in refused(office.tells(outage, [line]))


def test_a_slip_that_is_taken_back_after_the_outage_stands_in_the_incident(office: OutageOffice) -> None:
    outage = office.comes_back()
    office.does("flo", "return_slips", "MF-000002", "MF-000003", blank=True, signs=("dan", "witness"))
    office.does("sam", "hand_out_slips", "MF-000003", table="T1")
    office.voids("MS-000002")
    (why,) = incidents(office.tells(outage, fill_lines("MF-000001")))
    assert "taken back since it began: MF-000002 to MF-000003" in why
    assert "voided since it began: MS-000002" in why
    (why,) = incidents(office.tells(outage, fill_lines("MF-000003", begins="14:40")))
    assert "slip MF-000003 was used and had not been handed out before the outage" in why


def test_a_gap_between_two_batches_is_found(office: OutageOffice) -> None:
    office.does("sam", "return_slips", *HANDED, blank=True, signs=("bob", "witness"))
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001")))
    assert _missing(office) == []
    (why,) = incidents(office.tells(outage, fill_lines("MF-000003", begins="14:40")))
    assert _missing(office) == ["MF-000002"]
    assert "1 slip is missing: MF-000002" in why


def test_a_gap_is_found_when_the_slips_of_the_first_batch_were_filed(office: OutageOffice) -> None:
    office.does("sam", "return_slips", *HANDED, blank=True, signs=("bob", "witness"))
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001")))
    office.go_to("2026-03-05", "09:00")
    office.look_round()
    assert "manual_slip/MF-000001" in office.state.ended
    accept(office.tells(outage, fill_lines("MF-000003", begins="14:40")))
    office.signs("olga", "owner")
    assert _missing(office) == ["MF-000002"]


# An old outage.


def test_a_batch_that_comes_late_needs_an_owner_and_opens_an_incident_of_its_own(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, []))
    office.go_to("2026-04-20", "18:00")
    answer = accept(office.tells(outage, fill_lines("MF-000006")))
    done = next(event for event in answer if isinstance(event, e.ActDone))
    assert done.waits == ("second", "owner")
    assert office.state.pending
    assert "signed by an owner, not by Fay" in office.sign("fay", "owner")
    said = office.sign("olga", "owner")
    assert "what was done in an outage was told late, O-000001: told 49 days after it was over" in said
    assert "not within 24 hours" in said


def test_an_owner_who_tells_late_needs_no_other_owner(office: OutageOffice) -> None:
    outage = office.comes_back()
    office.go_to("2026-03-03", "18:00")
    told, late = incidents(office.tells(outage, fill_lines("MF-000001"), by="olga"))
    assert told.startswith("what was done in an outage was told from paper")
    assert "told 25 hours after it was over" in late


def test_an_outage_of_weeks_needs_an_owner(office: OutageOffice) -> None:
    office.go_to("2026-04-20", "18:00")
    began = office.facility.moment(date.fromisoformat(DAY), "14:00")
    command = c.DoAct(act="record_outage", fields={"reason": "the power failed"}, occurred=began)
    answer = accept(office.send(command, "sam"))
    assert next(event for event in answer if isinstance(event, e.ActDone)).waits == ("owner",)
    assert "signed by an owner, not by Abe" in office.sign("abe", "owner")
    office.signs("olga", "owner")
    assert office.state.thing("outage", "O-000001")


def test_an_owner_who_records_a_long_outage_is_signed_by_another_person(office: OutageOffice) -> None:
    office.go_to("2026-04-20", "18:00")
    began = office.facility.moment(date.fromisoformat(DAY), "14:00")
    command = c.DoAct(act="record_outage", fields={"reason": "the power failed"}, occurred=began)
    answer = accept(office.send(command, "olga"))
    assert next(event for event in answer if isinstance(event, e.ActDone)).waits == (TOLD_LATE,)


@pytest.mark.parametrize("item", ["acts.enter_outage.signs.owner", "acts.record_outage.signs.owner"])
def test_no_house_does_without_the_owner(office: OutageOffice, item: str) -> None:
    assert "it stays" in refused(office.send(c.LeaveOut(items=(item,)), "olga"))


# Speaking for others.


def test_a_batch_carries_the_slips_and_each_scan_serves_once(office: OutageOffice) -> None:
    outage = office.comes_back()

    def tells(lines: list[dict[str, Any]], **scan: str) -> Refused | tuple[e.ActEvent, ...]:
        command = c.DoAct(act="enter_outage", things=(outage,), fields={"lines": lines, **scan}, signs="second")
        return office.send(command, "sam", "abe")

    assert "scan: attach the slips that it is told from" in refused(tells(fill_lines("MF-000001")))
    accept(tells(fill_lines("MF-000001"), scan="ab" * 32))
    why = refused(tells(fill_lines("MF-000002", begins="14:40"), scan="ab" * 32))
    assert "the document abababababab has served act" in why
    accept(tells(fill_lines("MF-000002", begins="14:40"), scan="cd" * 32))


def test_a_scan_of_a_batch_that_was_taken_back_serves_again(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001"), second=""))
    (number,) = office.state.pending
    scan = office.state.pending[number].done.fields["scan"]
    assert scan in office.state.served
    accept(office.send(c.VoidAct(number=int(number), reason="a typing error"), "sam"))
    assert scan not in office.state.served


def test_nobody_speaks_for_an_account_that_is_newer_than_the_outage(office: OutageOffice) -> None:
    outage = office.comes_back()
    office.people["new"] = Person("new", "New", frozenset({"dealer"}), since=office.at)
    lines = fill_lines("MF-000001")
    lines[-1]["by"] = "new"
    why = refused(office.tells(outage, lines))
    assert "line 4, slip MF-000001: New has an account since 2026-03-02 17:01, and had none when the outage" in why
    signed = count_line("MS-000001", "T1", TRAY, signed={"second": "new"})
    assert "New has an account since" in refused(office.tells(outage, [signed]))


def test_nothing_that_compliance_owes_is_written_on_a_slip() -> None:
    for name in REGULATIONS:
        rules = office_of(name)
        on_slips = {act for form in rules.pages.forms.values() for act in acts_on_slip(rules, form)}
        clocks = [clock for clock in rules.pages.clocks.values() if "compliance" in rules.group(clock.owes).roles]
        assert clocks, name
        assert not {act for clock in clocks for act in clock.met} & on_slips, name
        assert "file_cash_report" not in on_slips, name


def test_a_line_says_who_told_it_for_whom(office: OutageOffice) -> None:
    (opened,) = _opened(office.tells(office.comes_back(), fill_lines("MF-000001"), by="flo", second="abe"))
    assert "told by Flo and Abe for Cass, Fay and Dan" in opened.why
    tellers = {event.by: event.teller for event in office.done[-1].events if isinstance(event, e.ActDone)}
    assert tellers == {"flo": "", "cass": "Flo and Abe", "fay": "Flo and Abe", "dan": "Flo and Abe"}


# Parties.


def test_who_tells_and_who_is_told_of_are_parties() -> None:
    office = OutageOffice.printing("cage_count")
    line = {
        "slip": "MG-000001", "act": "count_cage", "by": "cass", "occurred": at("15:00"),
        "fields": {"units": {"500": 3}}, "signed": {"second": "carl"},
    }  # fmt: skip
    short, whole = _opened(office.tells(office.comes_back(), [line], by="cora", second="olga"))
    assert short.people == ("cass", "carl", "cora", "olga")
    assert {*whole.people} == {"cass", "carl", "cora", "olga"}
    office.does("sam", "investigate_incident", short.id, finding="chips are gone")
    for who in ("cora", "olga"):
        assert "refused" in office.do(who, "close_incident", short.id, outcome="nothing")


# Windows.


def test_a_slip_opens_no_window_where_something_was_recorded_in_the_outage() -> None:
    office = timed_office()
    office.go_to(DAY, "15:03")
    office.fills("T1", {"500": 20})
    office.go_to(DAY, "21:00")
    began = office.facility.moment(date.fromisoformat(DAY), "15:00")
    command = c.DoAct(act="record_outage", fields={"reason": "none"}, occurred=began)
    accept(office.send(command, "sam"))
    office.signs("abe", TOLD_LATE)
    early, _ = incidents(office.tells("O-000001", [drop_line("MD-000001", "T1", "15:05")]))
    assert "it is not the time of a drop" in early
    assert "not 15:00-15:10" in early


@pytest.mark.parametrize(("table", "is_in_time"), [("T1", False), ("T2", True)])
def test_a_slip_opens_no_window_before_a_later_entry_of_its_table(table: str, *, is_in_time: bool) -> None:
    office = timed_office()
    outage = office.comes_back(ago="14:03")
    office.fills("T1", {"500": 20})
    slip = {"T1": "MD-000001", "T2": "MD-000004"}[table]
    found = incidents(office.tells(outage, [drop_line(slip, table, "15:05")]))
    assert any("it is not the time of a drop" in why for why in found) != is_in_time


# Second counts.


def test_a_second_count_that_differs_is_told_as_it_was(office: OutageOffice) -> None:
    other = {"second": {"chips": {**TRAY, "500": 1}}}
    answer = office.tells(office.comes_back(), [count_line("MS-000001", "T1", TRAY, counted=other)])
    two, _ = incidents(answer)
    assert "two counts" in two or "differ" in two
    assert any(isinstance(event, e.ActVoided) for event in accept(answer))
    assert office.state.things["manual_slip/MS-000001"].state == "used"


def test_verify_reaches_the_same_decisions(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001")))
    office.go_to("2026-03-05", "09:00")
    accept(office.tells(outage, fill_lines("MF-000003", begins="14:40")))
    office.signs("olga", "owner")
    log = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    office.write(log)
    assert not list(house_faults(log.read()))

"""An outage: manual slips are printed beforehand, and what was written on them is told together, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.check import office_problems
from passline.acts.history import recorded_acts
from passline.acts.judges.telling import is_before_newest
from passline.acts.rules import TOLD_LATE, office_of
from passline.acts.schema import Act
from passline.documents.as_text import as_text
from passline.office.folder import past_of, write_folder
from passline.office.verify import house_faults
from passline.office.views.day_forms import file_copies, forms_of_day
from passline.office.views.day_report import matters_table
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from tests.office.outage_story import (
    DAY,
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
    whole_batch,
)


@pytest.fixture
def office() -> OutageOffice:
    """An office after its outage, of which nothing was told yet."""
    return OutageOffice()


# The outage.


def test_an_outage_began_after_the_newest_entry_and_ends_with_its_own(office: OutageOffice) -> None:
    outage = office.comes_back()
    mark = office.state.mark("record_outage", f"outage/{outage}")
    assert mark is not None
    assert (mark.is_late, mark.occurred < mark.frees) == (False, True)
    assert not office.state.pending


def test_an_outage_that_began_before_the_newest_entry_is_marked_and_signed_by_two(office: OutageOffice) -> None:
    office.go_to(DAY, "17:00")
    began = office.facility.moment(date.fromisoformat(DAY), "13:00")
    assert is_before_newest(office.state, began)
    answer = accept(office.send(c.DoAct(act="record_outage", fields={"reason": "none"}, occurred=began), "sam"))
    done = next(event for event in answer if isinstance(event, e.ActDone))
    assert (done.is_late, done.waits) == (True, (TOLD_LATE,))
    assert "no outage O-000001 is on record" in refused(office.tells("O-000001", []))
    ended = office.at
    office.at = later(office.at, 600)
    office.signs("abe", TOLD_LATE)
    why = refused(office.tells("O-000001", [{**fill_lines("MF-000001")[0], "occurred": at("17:05")}]))
    assert "is not within the outage O-000001, 2026-03-02 13:00 to 2026-03-02 17:00" in why
    assert ended < office.at
    (why,) = incidents(office.tells("O-000001", []))
    assert "when it began was told late, or something was recorded meanwhile" in why


def test_when_an_outage_began_must_be_said_and_is_not_to_come(office: OutageOffice) -> None:
    assert "say when it began" in office.do("sam", "record_outage", reason="the power failed")
    assert "still to come" in office.do("sam", "record_outage", reason="none", occurred=later(office.at, 60))


# The batch.


def test_a_batch_is_ordinary_acts_told_late_with_two_signatures_and_one_incident(office: OutageOffice) -> None:
    outage = office.comes_back()
    answer = accept(office.tells(outage, whole_batch()))
    (why,) = incidents(answer)
    assert why.startswith(f"what was done in an outage was told from paper, {outage}: {DAY} 14:00 to {DAY} 17:00; ")
    assert "7 acts told from 3 manual slips" in why
    acts = recorded_acts((office.at, event) for event in answer)
    batch, *lines = (act for act in acts.values() if act.done.act != "ask_told_for")
    assert batch.done.act == "enter_outage"
    assert (batch.done.by, [sign.by for sign in batch.signatures]) == ("sam", ["abe"])
    assert [(act.done.act, act.done.by, act.done.slip, act.status) for act in lines] == [
        ("request_fill", "flo", "MF-000001", "done"),
        ("prepare_fill", "cass", "MF-000001", "done"),
        ("carry_fill", "fay", "MF-000001", "done"),
        ("accept_fill", "dan", "MF-000001", "done"),
        ("void_slips", "flo", "", "done"),
        ("count_shift", "dan", "MS-000001", "done"),
        ("drop_table", "ned", "MD-000001", "done"),
    ]
    assert all(act.done.outage == outage and act.done.is_late for act in lines)
    assert all(act.done.moments and act.done.moments.frees == office.at for act in lines)
    assert lines[0].marked_status == "done, told late, from manual slip MF-000001, told by Sam and Abe for Flo"
    assert not office.state.pending
    fill = office.state.thing("fill_slip", lines[0].done.things[0])
    assert fill is not None
    assert fill.state == "accepted"
    assert {office.state.things[f"manual_slip/{slip}"].state for slip in ("MF-000001", "MS-000001", "MD-000001")} == {
        "used"
    }
    dropped = office.state.thing("drop_box", "T1-A")
    assert dropped is not None
    assert dropped.facts["slips"][-1] == "MF-000001", "the paper in the box bears this number"


def test_the_end_of_a_batch_is_as_if_all_had_been_recorded_at_the_time(office: OutageOffice) -> None:
    """Stocks and shifts are what they would have been: only marks, numbers and moments differ."""
    other = OutageOffice()
    accept(office.tells(office.comes_back(), whole_batch()))
    for line in sorted(whole_batch()[:-1], key=lambda line: str(line["occurred"])):
        other.go_to(DAY, str(line["occurred"])[-5:])
        slip = f"F-{other.state.numbers['F']:06}"
        things = line.get("things", () if line["act"] == "request_fill" else (slip,))
        other.does(line["by"], line["act"], *things, **line.get("fields", {}))
        for part, who in line.get("signed", {}).items():
            count = {"chips": line["fields"]["chips"]} if part == "second" else {}
            other.signs(who, part, **count)
    assert office.state.stocks == other.state.stocks
    assert office.state.tills == other.state.tills


def test_a_batch_waits_for_its_second_person_who_is_another(office: OutageOffice) -> None:
    outage = office.comes_back()
    stocks = office.state.stocks
    answer = accept(office.tells(outage, whole_batch(), second=""))
    assert [type(event) for event in answer] == [e.ActDone]
    assert office.state.stocks == stocks
    assert "it must be signed by somebody other than" in office.sign("sam", "second")
    assert "not by Dan" in office.sign("dan", "second")
    assert office.state.thing("manual_slip", "MF-000001").state == "handed_out"  # type: ignore[union-attr]
    assert "7 acts told from 3 manual slips" in office.sign("abe", "second")


def test_two_people_who_enter_it_at_once_enter_it_once(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, whole_batch(), second=""))
    why = refused(office.tells(outage, whole_batch(), by="fay", second=""))
    assert "waits for its signatures already" in why
    office.signs("abe", "second")
    why = refused(office.tells(outage, whole_batch(), by="fay", second="cora"))
    assert "line 1, slip MF-000001: it is used already: it is used once [practice]" in why


def test_what_has_changed_until_it_is_signed_refuses_the_whole_batch(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001"), second=""))
    office.voids("MF-000001")
    before = office.state
    assert "line 1, slip MF-000001: it is void already" in office.sign("abe", "second")
    assert office.state is before


_Break = Callable[[dict[str, Any]], dict[str, Any]]
_BREAKS: dict[str, tuple[int, _Break, str]] = {
    "a number that was never printed": (
        4, lambda line: {**line, "slip": "MS-000077"}, "slip MS-000077: no slip of this number was ever printed",
    ),
    "a number used twice": (5, lambda line: {**line, "slip": "MD-000001", **_other_drop()}, "is used twice"),
    "a slip of another form": (4, lambda line: {**line, "slip": "MF-000003"}, "count_shift is not written on a fill"),
    "before the outage": (4, lambda line: {**line, "occurred": at("13:59")}, "is not within the outage"),
    "after the outage": (4, lambda line: {**line, "occurred": at("17:01")}, "is not within the outage"),
    "no slip": (4, lambda line: {**line, "slip": ""}, "say the number of the slip"),
    "nobody": (4, lambda line: {**line, "by": "nobody"}, "nobody has the account nobody"),
    "a role that may not": (4, lambda line: {**line, "by": "ned"}, "counter may not do this"),
    "no signature": (4, lambda line: {**line, "signed": {}}, "say whose signature as second is on the slip"),
    "a signature of one's own": (4, lambda line: {**line, "signed": {"second": "dan"}}, "by somebody other than"),
    "a part that nobody signs": (4, lambda line: {**line, "signed": {"second": "bea", "king": "bob"}}, "as king"),
    "an act that there is not": (4, lambda line: {**line, "act": "dance"}, "'dance' is not an act"),
    "a decision of the house": (4, lambda line: {**line, "act": "open_table"}, "'open_table' is not an act"),
    "a table that there is not": (4, lambda line: {**line, "things": ["T9"]}, "no table T9 is on record"),
    "a field that is missing": (4, lambda line: {**line, "fields": {}}, "chips: is missing"),
    "a slip that is void": (0, lambda line: {**line, "slip": "MF-000005"}, "it is void already"),
    "an act of another slip": (4, lambda line: {**line, "act": "count_cage"}, "count_cage is not written on a table"),
    "a slip that is used and void": (
        6, lambda line: {**line, "things": ["MS-000001"], "occurred": at("15:30")}, "slip MS-000001 is used by line 5",
    ),
    "a slip about a slip": (6, lambda line: {**line, "slip": "MF-000003"}, "leave the number out"),
    "a hand twice": (3, lambda line: {**line, "by": "fay"}, "has had this slip in hand before"),
}  # fmt: skip


def _other_drop() -> dict[str, Any]:
    return {key: value for key, value in drop_line("", "T2", "15:30").items() if key != "slip"}


@pytest.mark.parametrize("name", _BREAKS)
def test_a_batch_with_one_bad_line_changes_nothing_and_names_it(office: OutageOffice, name: str) -> None:
    place, break_line, why = _BREAKS[name]
    office.voids("MF-000005")
    outage = office.comes_back()
    before, batch = office.state, whole_batch()
    if name == "a number used twice":
        batch.insert(place + 1, break_line(batch[place]))
        place += 1
    else:
        batch[place] = break_line(batch[place])
    found = refused(office.tells(outage, batch))
    assert f"line {place + 1}" in found
    assert why in found
    assert office.state is before
    accept(office.tells(outage, whole_batch()))


def test_lines_are_read_as_lines(office: OutageOffice) -> None:
    outage = office.comes_back()
    for lines, why in (
        ("none", "must be lines as act, by, occurred"),
        ([{"act": "request_fill"}], "must be lines as"),
        ([{**fill_lines("MF-000001")[0], "occurred": "noon"}], "line 1: 'noon' is not a moment"),
        ([{**fill_lines("MF-000001")[0], "pin": "1234"}], "must be lines as"),
    ):
        assert why in refused(office.tells(outage, lines))  # type: ignore[arg-type]


def test_a_slip_that_was_printed_after_the_outage_began_is_refused(office: OutageOffice) -> None:
    outage = office.comes_back()
    office.does("sam", "print_slips", form="fill_slip", pieces=1)
    why = refused(office.tells(outage, fill_lines("MF-000007")))
    assert "line 1, slip MF-000007: it was printed 2026-03-02 17:01, and not before the outage began" in why


def test_a_slip_of_another_table_or_of_nobody_is_told_and_stands_in_the_incident(office: OutageOffice) -> None:
    outage = office.comes_back()
    lines = [
        *fill_lines("MF-000003", table="T2"),
        *fill_lines("MF-000004", begins="14:20"),
        *fill_lines("MF-000006", begins="14:40"),
    ]
    (why,) = incidents(office.tells(outage, lines))
    assert "slip MF-000003 was handed to table T1 and used at T2" in why
    assert "slip MF-000004 was handed to pit-2 and used at T1, in pit-1" in why
    assert "slip MF-000006 was used and had not been handed out" in why


def test_what_a_line_counts_otherwise_is_an_incident_of_its_own(office: OutageOffice) -> None:
    """One incident is about the outage; a variance is not hidden in it."""
    printed = OutageOffice.printing("cage_count")
    outage = printed.comes_back()
    line = {
        "slip": "MG-000001", "act": "count_cage", "by": "cass", "occurred": at("15:00"),
        "fields": {"units": {"500": 3}}, "signed": {"second": "carl"},
    }  # fmt: skip
    first, last = incidents(printed.tells(outage, [line]))
    assert "counted 0 of 100" in first
    assert last.startswith("what was done in an outage was told from paper")
    (why,) = incidents(office.tells(office.comes_back(), [count_line("MS-000001", "T1", {**TRAY, "500": 1})]))
    assert why.startswith("what was done in an outage"), "what a table has lost is no variance"


def test_a_drop_at_its_time_is_in_time_when_it_is_told_later() -> None:
    """The moment on the slip is held against the times of the drop, and not the moment of the entry."""
    office = timed_office()
    outage = office.comes_back(ago="14:03")
    (why,) = incidents(office.tells(outage, [drop_line("MD-000001", "T1", "15:05")]))
    assert why.startswith("what was done in an outage")
    early, _ = incidents(office.tells(outage, [drop_line("MD-000004", "T2", "14:50")]))
    assert "14:50, not 15:00-15:10" in early


# Clocks.


def test_the_batch_is_due_within_a_day_and_closes_its_clock(office: OutageOffice) -> None:
    outage = office.comes_back()
    assert [due.about for due in office.today.due if due.clock == "outage_told"] == [f"outage/{outage}"]
    accept(office.tells(outage, []))
    assert not [due for due in office.today.due if due.clock == "outage_told"]


def test_what_is_owed_runs_from_the_slip_and_what_frees_from_the_entry(office: OutageOffice) -> None:
    accept(office.tells(office.comes_back(), whole_batch()))
    mark = office.state.mark("drop_table", "table/T1")
    assert mark is not None
    began = office.facility.moment(date.fromisoformat(DAY), "15:05")
    assert (mark.first, mark.frees, mark.meets) == (began, office.at, office.at)


# Who may do without.


def test_no_house_does_without_the_second_person(office: OutageOffice) -> None:
    why = refused(office.send(c.LeaveOut(items=("acts.enter_outage.signs.second",)), "olga"))
    assert "two people sign what is told after an outage" in why


# Verify, folder and pages.


def _log(office: OutageOffice) -> MemoryLog:
    log = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    office.write(log)
    return log


def test_verify_reaches_the_same_decisions_and_names_what_is_missing(office: OutageOffice) -> None:
    accept(office.tells(office.comes_back(), whole_batch()))
    owed: list[str] = []
    assert not list(house_faults(_log(office).read(), owed=owed))
    assert len(owed) == 2
    assert owed[0].startswith("manual slips MD-000002 to MD-000003, MF-000003")
    assert owed[0].endswith("missing since outage O-000001 of section2's office")


def test_the_folder_of_the_day_shows_the_outage(office: OutageOffice, tmp_path: Any) -> None:  # noqa: ANN401 - a folder
    accept(office.tells(office.comes_back(), whole_batch()))
    log = _log(office)
    past = past_of(log, "section2", date.fromisoformat(DAY))
    forms = forms_of_day(past.day)
    report = next(form for form in forms if form.form == "outage_report")
    assert report.number == "O-000001"
    (sheet,) = file_copies(past, [report])
    text = as_text(sheet)
    assert "the power failed" in text
    assert "MF-000001" in text
    assert [line.given[1] for line in sheet.signatures] == ["Sam", "Sam", "Abe"]
    fill = next(form for form in forms if form.form == "fill_slip" and form.number == "F-000003")
    (slip,) = file_copies(past, [fill])
    assert {line.remark for line in slip.signatures} == {"signed on slip MF-000001"}
    assert any("from manual slip MF-000001" in line for line in slip.foot)
    rows = [row for row in matters_table(past.day).rows if row[0] == "manual slip, missing"]
    assert len(rows) == 11
    write_folder(log, "section2", date.fromisoformat(DAY), tmp_path / "folder")


def test_a_tampered_line_is_found(office: OutageOffice) -> None:
    accept(office.tells(office.comes_back(), whole_batch()))
    entry = office.done[-1]
    events = tuple(
        replace(event, slip="MF-000003") if isinstance(event, e.ActDone) and event.slip == "MF-000001" else event
        for event in entry.events
    )
    office.done[-1] = replace(entry, events=events)
    assert list(house_faults(_log(office).read()))


# Pages that say it wrongly.


def _wrong(key: str, **changes: object) -> list[str]:
    rules = office_of("section2")
    act: Act = replace(rules.pages.acts[key], **changes)
    return office_problems(replace(rules, pages=replace(rules.pages, acts={**rules.pages.acts, key: act})))


def test_pages_that_say_it_wrongly_are_named() -> None:
    batch = office_of("section2").pages.acts["enter_outage"].batch
    assert batch is not None
    assert "acts.enter_outage.batch.lines" in _wrong("enter_outage", batch=replace(batch, lines="line"))[0]
    assert (
        "acts.enter_outage.batch: there is no state of it" in _wrong("enter_outage", batch=replace(batch, used="x"))[0]
    )
    assert "acts.enter_outage.signs: somebody else signs" in _wrong("enter_outage", signs={})[0]
    assert "acts.print_slips.prints" in _wrong("print_slips", prints=replace(_prints(), form="kind"))[0]
    assert any("acts.record_outage.unlogged" in problem for problem in _wrong("record_outage", is_fact=False))
    assert any("no act says when it began" in problem for problem in _wrong("record_outage", unlogged=False))


def _prints() -> Any:  # noqa: ANN401 - of the page
    return office_of("section2").pages.acts["print_slips"].prints

"""What examiners did with corrections and late counts: each is refused now, agreed to again, or looked into."""

from __future__ import annotations

from typing import Any

import pytest

from passline.acts import commands as c
from passline.acts.judges.needs import needs_of
from passline.acts.patrons import linked_patrons
from passline.acts.rules import office_of
from passline.bookkeeping.win import table_results
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.bookkeeping import KeptOffice
from tests.office.day_file import DAYS, Day, steps_of
from tests.office.pit import assert_conserved, chips_at, count_tray, do_fill, incident_reasons, pit_office

_NOON = "12:00"
_DAY = "2026-03-07"


def _answer(office: KeptOffice, by: str, act: str, *things: str, occurred: str = "", **fields: object) -> str:
    """Return why an act is refused; empty: it was recorded."""
    answer = office.send(c.DoAct(act=act, things=things, fields=fields, occurred=occurred), by)
    return str(answer) if isinstance(answer, Refused) else ""


def _verifies(office: KeptOffice) -> bool:
    log = MemoryLog(SigningKey(bytes(range(32))), log_id="examined", at="2025-12-30T00:00:00.000000Z")
    office.write(log)
    return not list(house_faults(log.read()))


@pytest.fixture
def office() -> KeptOffice:
    return pit_office("section2")


# --- A correction needs what its first act needs ----------------------------------------------------------------------


def test_a_correction_of_a_transfer_needs_both_bodies_again() -> None:
    """Agreed to once more it is possible, and that agreement serves no further correction."""
    day, transfer = Day(None), 'olga transfer_progressive P1 {meter = 1000000, how = "award"}'
    before, mark, _ = (DAYS / "arizona_progressives.txt").read_text(encoding="utf-8").partition(transfer)
    assert mark
    for step in steps_of(before):
        list(day.do(step.text))
    assert not list(day.do(transfer.replace("1000000", "1400000")))
    number = day.state.acts
    refused = ["refused AZ-III.K.7", "refused AZ-III.K.7"]
    said = "reason = 'misread', meter = 1000000, how = 'award'"
    for corrects, meter in ((number, "1000000"), (number + 4, "1200000")):
        line = f"olga correct_transfer_progressive P1 {{corrects = {corrects}, {said.replace('1000000', meter)}}}"
        assert [answer.partition(":")[0] for answer in day.do(line)] == refused
        assert day.state.things["progressive/P1"].facts["meter"] != int(meter)
        agreed = ('cora present_transfer P1 {circumstances = "it was misread"}', "sgt sga_agree_to_transfer P1")
        for agreeing in (*agreed, "tina tgo_agree_to_transfer P1"):
            assert not list(day.do(agreeing))
        assert [answer.split(":")[0] for answer in day.do(line)] == ["incident practice"]
        assert day.state.things["progressive/P1"].facts["meter"] == int(meter)


def test_the_licence_of_another_employee_is_not_given_by_a_correction(office: KeptOffice) -> None:
    office.does("olga", "enter_employee", "dan", post="dealer", licence="L-1")
    office.does("olga", "enter_employee", "bob", post="boxperson", licence="L-2")
    number = office.state.acts
    said: dict[str, Any] = {"corrects": number, "reason": "misread"}
    assert "another employee has that number" in _answer(
        office, "olga", "correct_enter_employee", "bob", licence="L-1", **said
    )
    assert not _answer(office, "olga", "correct_enter_employee", "bob", licence="L-3", **said)
    assert office.state.things["person/bob"].facts["licence"] == "L-2", "one person corrects nothing"
    office.signs("cora", "second")
    assert office.state.things["person/bob"].facts["licence"] == "L-3"
    assert any("a corrected entry of an employee" in why for why in incident_reasons(office))


@pytest.mark.parametrize("by", ["flo", "fay", "gus", "cy"])
def test_whoever_had_a_fill_in_hand_does_not_correct_how_it_was_accepted(office: KeptOffice, by: str) -> None:
    slip = do_fill(office, {"500": 100}, came={"500": 100})
    said: dict[str, Any] = {"corrects": office.state.acts, "reason": "misread", "units": {"500": 90}}
    assert "may not" in _answer(office, by, "correct_accept_fill", slip, **said)


def test_a_boxperson_who_carried_a_fill_does_not_correct_it(office: KeptOffice) -> None:
    office.does("bob", "request_fill", table="T1", units={"500": 100})
    slip = f"F-{office.state.numbers['F']:06}"
    office.does("cy", "prepare_fill", slip)
    office.does("gus", "carry_fill", slip)
    office.does("dan", "accept_fill", slip, units={"500": 100})
    said: dict[str, Any] = {"corrects": office.state.acts, "reason": "misread", "units": {"500": 90}}
    assert "had this slip in hand before" in _answer(office, "bob", "correct_accept_fill", slip, **said)
    assert not _answer(office, "dan", "correct_accept_fill", slip, **said)
    office.signs("flo", "floor")
    office.signs("cal", "cage")
    assert chips_at(office, "table/T1") == {"500": 1090}
    assert_conserved(office)
    assert _verifies(office)


# --- A count that is told later ---------------------------------------------------------------------------------------


def _count_as_of(office: KeptOffice, moment: str, chips: dict[str, int], which: str = "shift") -> str:
    at = office.facility.moment(office.facility.today(office.at), moment)
    answer = _answer(office, "flo", f"count_{which}", "T1", occurred=at, chips=chips, shift="day")
    if not answer:
        office.signs("bob", "second", chips=chips)
    return answer


def test_a_count_told_late_is_held_against_its_own_moment(office: KeptOffice) -> None:
    """The fill that came since stays in the tray, and somebody looks into it."""
    office.go_to(_DAY, "15:10")
    do_fill(office, {"500": 100})
    office.go_to(_DAY, "15:50")
    assert not _count_as_of(office, "15:00", {"500": 1000})
    assert chips_at(office, "table/T1") == {"500": 1100}
    assert not chips_at(office, "players")
    assert any("told after more had moved there" in why for why in incident_reasons(office))
    assert_conserved(office)
    office.does("flo", "count_closer", "T1", chips={"500": 1100}, shift="swing")
    office.signs("bob", "second", chips={"500": 1100})
    assert not chips_at(office, "players")
    day, swing = table_results(office.events, office.facility)
    assert (day.shift, day.opener, day.fills, day.closer) == ("day", 5_000_00, 0, 5_000_00)
    assert (swing.opener, swing.fills, swing.closer) == (5_000_00, 500_00, 5_500_00)
    assert _verifies(office)


def test_a_fill_after_the_moment_of_a_late_count_is_corrected_in_the_tray(office: KeptOffice) -> None:
    office.go_to(_DAY, "15:10")
    slip = do_fill(office, {"500": 100}, came={"500": 100})
    accepted = office.state.acts
    office.go_to(_DAY, "15:50")
    assert not _count_as_of(office, "15:00", {"500": 950})
    assert chips_at(office, "table/T1") == {"500": 1050}
    office.does("dan", "correct_accept_fill", slip, corrects=accepted, reason="misread", units={"500": 90})
    office.signs("flo", "floor")
    office.signs("cal", "cage")
    assert chips_at(office, "table/T1") == {"500": 1040}
    assert chips_at(office, "players") == {"500": 50}
    assert_conserved(office)


def test_a_count_told_at_once_is_held_against_the_record_of_now(office: KeptOffice) -> None:
    office.go_to(_DAY, "15:10")
    do_fill(office, {"500": 100})
    count_tray(office, "shift", {"500": 1080})
    assert chips_at(office, "table/T1") == {"500": 1080}
    assert chips_at(office, "players") == {"500": 20}
    assert not incident_reasons(office)


@pytest.mark.parametrize("later", ["shift", "closer"])
def test_a_count_of_before_a_later_one_is_kept_and_moves_nothing(office: KeptOffice, later: str) -> None:
    office.go_to(_DAY, "15:40")
    count_tray(office, later, {"500": 900})
    office.go_to(_DAY, "15:50")
    why = _count_as_of(office, "15:00", {"500": 1000})
    assert "table T1 was counted since" in why
    assert "Record a count of a tray that was counted again since" in why
    held = chips_at(office, "table/T1")
    at = office.facility.moment(office.facility.today(office.at), "15:00")
    fields = {"missed_chips": {"500": 1000}, "missed_shift": "day", "missed_reason": "the tablet was away"}
    assert not _answer(office, "dan", "record_missed_count", "T1", occurred=at, **fields)
    office.signs("bob", "second")
    assert chips_at(office, "table/T1") == held
    assert any("not recorded before the next one" in why for why in incident_reasons(office))
    assert _verifies(office)


# --- Patrons and held items -------------------------------------------------------------------------------------------


def test_a_patron_is_renamed_by_two_people_and_it_is_looked_into(office: KeptOffice) -> None:
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    number = office.state.acts
    assert not _answer(office, "cy", "correct_enter_patron", "P1", corrects=number, reason="misread", name="Al Gray")
    assert office.state.things["patron/P1"].facts["name"] == "Ann Smith"
    office.signs("flo", "second")
    assert office.state.things["patron/P1"].facts["name"] == "Al Gray"
    assert any("name: Al Gray, not Ann Smith" in why for why in incident_reasons(office))


def test_a_patron_with_cash_of_this_day_is_not_struck_off(office: KeptOffice) -> None:
    office.go_to(_DAY, _NOON)
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    office.does("cy", "sell_chips", units={"2500": 360}, patron="P1")
    why = _answer(office, "cora", "strike_patron", "P1", reason="entered twice")
    assert "has brought or taken cash in this gaming day" in why
    assert "9000.00" in why
    office.go_to("2026-03-08", _NOON)
    assert not _answer(office, "cora", "strike_patron", "P1", reason="entered twice")


def test_a_patron_with_a_report_that_is_due_is_not_struck_off(office: KeptOffice) -> None:
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    office.send(c.NoteCash(patron="patron/P1", day="2026-03-06", cents_in=11_000_00, cents_out=0))
    assert "report 2026-03-06.patron-P1" in _answer(office, "cora", "strike_patron", "P1", reason="entered twice")


def test_links_of_a_patron_can_be_taken_back_by_a_correction(office: KeptOffice) -> None:
    """Whoever was linked to nobody any more is nobody else: cash is added up without them."""
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    office.does("cy", "enter_patron", "P2", name="A. Smith")
    office.does("cora", "link_patron", "P1", walk_ins=["P2"])
    assert linked_patrons(office.state)["patron/P2"] == "patron/P1"
    office.does(
        "cora", "correct_link_patron", "P1", corrects=office.state.acts, reason="two people", unsaid=["walk_ins"],
        signs=("cy", "second"),
    )  # fmt: skip
    assert "patron/P2" not in linked_patrons(office.state)


def test_a_held_note_is_handed_over_for_a_receipt(office: KeptOffice) -> None:
    office.does("cy", "hold_counterfeit", cents=100_00, serial="A1", found="cage")
    said = _answer(office, "cora", "hand_over_item", "H-000001", receiver="somebody")
    assert "receipt: is missing" in said


def test_a_chip_has_its_colour_however_it_is_said() -> None:
    """The colours stand in one place, and hold for every act that says one."""
    rules = office_of("arizona")
    colours = {"white", "red", "green", "black", "purple"}
    for name in ("respecify_chip", "correct_specify_chip", "correct_respecify_chip"):
        needs = needs_of(rules, rules.pages.acts[name])
        assert {need.word for need in needs.values() if need.word} == colours

"""What is told later than it happened: from when it counts, who signs it, and where it is marked."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.deadlines import Length
from passline.acts.calendar.facility import Facility
from passline.acts.check import office_problems
from passline.acts.clocks import Running, running_clock
from passline.acts.history import recorded_acts
from passline.acts.papers.printed import paper_text
from passline.acts.papers.signatures import signatures_of
from passline.acts.rules import SECOND, TOLD_LATE, ActRules, office_of
from passline.acts.schema import Act
from passline.acts.views.lists import acts_table
from passline.acts.views.thing_history import ThingPast, history_of
from passline.documents.as_text import as_text
from passline.office.views.day_report import office_day
from passline.office.views.printed_day import day_report
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bookkeeping import KeptOffice
from tests.office.search.offices import kept_rules

_PHOENIX = Facility(name="Saguaro", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
_DENVER = Facility(name="Harbour", zone="America/Denver", subdivision="CO", areas=("pit-1",))
_PEOPLE = {
    "olga": "owner", "cora": "compliance", "aud": "auditor", "flo": "floorperson", "sam": "supervisor",
    "dan": "dealer", "dot": "dealer", "con": "counter", "cas": "cashier", "acc": "accountant", "dirk": "director",
}  # fmt: skip
_DOCUMENT = "d" * 64
_HOUR, _DAY = 3600, 86_400
_WEIGHED = ["integrity", "fairness", "security"]


class _Office(KeptOffice):
    """An office with its clock, in which acts are told as of another moment."""

    def tells(
        self, by: str, act: str, *things: str, ago: int = 0, received: str = "", **fields: object
    ) -> Refused | tuple[e.ActEvent, ...]:
        """Tell an act that happened so many seconds ago, with its paper if a body's."""
        occurred = later(self.at, -ago) if ago else ""
        paper = {}
        if self.rules.pages.acts[act].on_paper or self.rules.effect_of(act) == "notice":
            came = received or self.facility.today(self.at).isoformat()
            paper = {"document": self.letter(), "reference": "letter 7", "received": came}
        command = c.DoAct(act=act, things=things, fields=fields, occurred=occurred, paper=paper)
        return self.send(command, by)

    def tells_signed(self, act: str, *things: str, **fields: Any) -> e.ActDone:  # noqa: ANN401 - as they are sent
        """Tell an act as compliance that the owner signs too, if somebody must."""
        done = _accept(self.tells("cora", act, *things, **fields))
        for part in done.waits:
            self.signs("olga", part)
        return done

    def clock(self, name: str, subject: str) -> Running:
        running = running_clock(self.rules, self.state, name, subject, self.at)
        assert running is not None
        return running

    def wait(self, seconds: int) -> None:
        self.at = later(self.at, seconds)


def _office(name: str = "arizona", facility: Facility = _PHOENIX) -> _Office:
    office = _Office(name, facility, _PEOPLE)
    office.go_to("2026-03-02", "09:00")
    return office


def _sent_house(office: _Office) -> None:
    """Draft a house, submit it, have it approved by the TGO and sent to the SGA."""
    words = ("equipment_spec", "chips_described", "dice_described", "tables_described", "layouts_described")
    flags = ("no_progressive", "no_betting_among_players", "no_call_bets")
    package: dict[str, Any] = dict.fromkeys((*words, "tests_described"), _DOCUMENT) | dict.fromkeys(flags, True)
    office.does("cora", "draft_house", "h1", file={"rules": "arizona", "buy_vigorish_won_on": [4, 10]})
    office.does("cora", "add_to_package", "h1", other_equipment="none", **package)
    office.does("cora", "submit_house", "h1")
    office.tells_signed("tgo_approve_house", "h1", weighed=_WEIGHED, decision=_DOCUMENT)
    office.does("cora", "copy_house_to_sga", "h1")


def _table(office: _Office) -> None:
    office.does("olga", "register_table", "T1", area="pit-1")


def _accept(answer: Refused | tuple[e.ActEvent, ...]) -> e.ActDone:
    assert not isinstance(answer, Refused), answer
    return next(event for event in answer if isinstance(event, e.ActDone))


def _incidents(answer: Refused | tuple[e.ActEvent, ...]) -> list[str]:
    assert not isinstance(answer, Refused), answer
    return [f"{event.clause}: {event.why}" for event in answer if isinstance(event, e.IncidentOpened)]


def _refused(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return str(answer)


# Each case that an examination found


def test_the_sga_has_received_nothing_before_it_was_drafted() -> None:
    """AZ-II.G.3-c: silence runs from a delivery of what was there."""
    office = _office()
    _sent_house(office)
    why = _refused(office.tells("cora", "sga_receive_house", "h1", ago=_DAY))
    assert "before house h1 was on record (2026-03-02 09:00)" in why
    assert "before what it answers: Send rules of play to the SGA" in why
    office.wait(_DAY)
    why = _refused(office.tells("cora", "sga_receive_house", "h1", received="2026-03-01"))
    assert "told as of 2026-03-01, before" in why
    assert "received: 2026-03-04 is still to come" in _refused(
        office.tells("cora", "sga_receive_house", "h1", received="2026-03-04")
    )


def test_a_delivery_counts_from_its_receipt_if_it_is_told_in_time() -> None:
    office = _office()
    _sent_house(office)
    office.wait(_DAY)
    done = office.tells_signed("sga_receive_house", "h1", ago=_DAY - 60)
    assert not done.is_late
    assert not office.state.pending
    assert office.clock("sga_answer", "house/h1").begun == done.occurred < office.at


def test_a_delivery_told_late_frees_from_its_entry_and_takes_two() -> None:
    """AZ-II.G.3-c: the house waits seven days from the entry, whatever it says; and somebody asks why it was late."""
    office = _office()
    _sent_house(office)
    office.wait(9 * _DAY)
    answer = office.tells("cora", "sga_receive_house", "h1", ago=8 * _DAY)
    done = _accept(answer)
    assert (done.is_late, done.waits) == (True, ("second",))
    assert "a delivery was told late" in _incidents(answer)[0]
    assert running_clock(office.rules, office.state, "sga_answer", "house/h1", office.at) is None
    assert "it must be signed by somebody other than" in _refused(
        office.send(c.SignAct(number=done.number, part="second"), "cora", "cora")
    )
    office.signs("olga", "second")
    assert office.clock("sga_answer", "house/h1").begun == office.at
    assert "AZ-II.A.1-a" in _refused(office.tells("olga", "put_in_force", "h1"))
    office.wait(8 * _DAY)
    office.does("olga", "put_in_force", "h1")


def test_a_copy_to_the_division_counts_from_its_entry() -> None:
    """CO-2315.06: a copy that is said to have gone a month ago is too late for tomorrow."""
    office = _office("colorado", _DENVER)
    office.does("cora", "write_tournament", "cup", starts="2026-03-03", rules=_DOCUMENT)
    assert "CO-2315.06-copydivision" in _refused(office.tells("cora", "file_tournament", "cup", ago=_HOUR // 2))
    why = _refused(office.tells("cora", "file_tournament", "cup", ago=30 * _DAY))
    assert "it is too late for the day on which it begins" in why
    assert "before tournament cup was on record" in why


def test_a_removal_notice_counts_from_its_entry() -> None:
    """AZ-II.K.1-a: five business days before, by the entry; signed by two it is on record, and frees nobody."""
    office = _office()
    _table(office)
    office.wait(30 * _DAY)
    leaves: dict[str, Any] = {"leaves": "2026-04-02 10:00", "destination": "Reno", "transferee": "Acme"}
    done = _accept(office.tells("olga", "notify_removal", "T1", ago=20 * _DAY, notice=_DOCUMENT, **leaves))
    assert (done.is_late, done.waits) == (True, (SECOND,)), "whoever has seen the receipt signs anyway"
    office.signs("cora", SECOND)
    gone = office.tells("olga", "remove_table", "T1")
    assert any(line.startswith("AZ-II.K.1-a: table T1: it left without notice in time") for line in _incidents(gone))


def test_a_table_said_to_have_left_before_its_notice_left_without_it() -> None:
    office = _office()
    _table(office)
    leaves: dict[str, Any] = {"leaves": "2026-04-02 10:00", "destination": "Reno", "transferee": "Acme"}
    office.wait(_DAY)
    office.does("olga", "notify_removal", "T1", notice=_DOCUMENT, **leaves)
    office.wait(10 * _DAY)
    gone = office.tells("olga", "remove_table", "T1", ago=9 * _DAY)
    assert any(line.startswith("AZ-II.K.1-a") for line in _incidents(gone))
    assert any("a move was told late" in line for line in _incidents(gone))


def test_a_drop_is_in_its_window_by_its_entry() -> None:
    """AZ-III.L: a drop entered six hours late is an incident, whatever moment it names."""
    office = _office()
    _table(office)
    times: dict[str, Any] = {"drop_times": ["13:45-14:15"], "count_times": ["15:00-16:00"]}
    office.does("cora", "submit_drop_times", **times)
    office.tells_signed("approve_drop_times", **times)
    office.go_to("2026-03-02", "20:00")
    drop = {"shift": office.facility.shifts[0].name, "dropped": "D1", "drop_box": "D2"}
    for name in ("D1", "D2"):
        office.does("olga", "enter_drop_box", name, number="T1")
    seen = dict.fromkeys(office.rules.pages.checklists["drop_box"].items, True)
    office.does(
        "olga", "enter_employee", "flo", post="floorperson", licence_until="2027-01-01", certificate_until="2027-01-01",
        signs=("acc", "second"),
    )  # fmt: skip
    duties: dict[str, Any] = dict.fromkeys(("directs", "oversees", "resolves", "schedules"), True)
    knows = office.rules.pages.acts["designate_supervisor"].fields["knows"].of
    office.does("olga", "designate_supervisor", "flo", **duties, knows=list(knows))
    office.does("flo", "check_drop_box", "D1", seen=seen)
    office.does("flo", "attach_drop_box", "T1", drop_box="D1")
    answer = office.tells("con", "drop_table", "T1", ago=6 * _HOUR, **drop)
    assert any("20:00, not 13:45-14:15" in line for line in _incidents(answer)), _incidents(answer)
    assert _accept(answer).is_late


def test_no_gaming_day_from_before_the_office_is_closed() -> None:
    office = _office()
    why = _refused(office.tells("acc", "close_gaming_day", "2025-01-01"))
    assert "there was no office yet on this day (the first is 2025-12-31)" in why
    office.does("acc", "close_gaming_day", "2026-03-01")


@pytest.mark.parametrize("ago", [1, 60, _DAY])
def test_what_the_house_permits_counts_from_its_entry(ago: int) -> None:
    office = _office("section2", _DENVER)
    office.wait(2 * _DAY)
    file = {"rules": "section2"}
    assert "counts from its own entry" in _refused(office.tells("cora", "draft_house", "h1", ago=ago, file=file))
    office.does("cora", "draft_house", "h1", file=file)
    office.wait(2 * _DAY)
    assert "counts from its own entry" in _refused(office.tells("olga", "put_in_force", "h1", ago=ago))


# What is owed


def test_a_report_of_storage_is_due_from_the_move() -> None:
    """AZ-II.K.2-c: 48 hours from the move that was told, though it was told late; moving it again gives no more."""
    office = _office()
    _table(office)
    office.wait(5 * _DAY)
    answer = office.tells("olga", "store_table", "T1", ago=30 * _HOUR, seals_stay=True)
    moved = _accept(answer).occurred
    office.signs("cora", TOLD_LATE)
    assert office.clock("storage_report", "table/T1").due == later(moved, 48 * _HOUR)
    office.does("olga", "store_table", "T1", seals_stay=True)
    assert office.clock("storage_report", "table/T1").due == later(moved, 48 * _HOUR)


def test_a_letter_told_late_meets_a_duty_marked_and_signed_by_two() -> None:
    office = _office()
    _table(office)
    office.does("olga", "store_table", "T1", seals_stay=True)
    office.wait(30 * _DAY)
    done = _accept(office.tells("cora", "report_storage", "T1", ago=29 * _DAY, received="2026-03-03", notice=_DOCUMENT))
    assert office.clock("storage_report", "table/T1").status == "overdue"
    office.signs("olga", done.waits[0])
    assert office.clock("storage_report", "table/T1").status == "met"
    assert done.is_late


def test_a_paper_that_came_long_ago_is_told_late() -> None:
    """The day it came is a moment that was told: what is owed runs from it."""
    office = _office()
    office.wait(10 * _DAY)
    _sent_house(office)
    office.tells_signed("sga_receive_house", "h1")
    office.wait(6 * _DAY)
    came = office.facility.today(later(office.at, -5 * _DAY))
    done = _accept(office.tells("cora", "sga_object_to_house", "h1", received=came.isoformat(), objections=_DOCUMENT))
    assert (done.is_late, done.waits) == (True, ())
    assert office.clock("meet_and_confer", "house/h1").begun == office.facility.moment(came, "00:00")


def test_an_objection_in_time_blocks_though_it_is_told_after_the_last_day() -> None:
    office = _office()
    _sent_house(office)
    office.tells_signed("sga_receive_house", "h1")
    office.wait(9 * _DAY)
    _accept(office.tells("cora", "sga_object_to_house", "h1", ago=3 * _DAY, objections=_DOCUMENT))
    assert "the SGA's objection is not settled" in _refused(office.tells("olga", "put_in_force", "h1"))


def test_what_staff_do_meets_a_duty_by_its_entry() -> None:
    """AZ-II.J.4-b: told within its hour it is not marked, and is late all the same."""
    office = _office()
    _table(office)
    office.send(c.SetValue(key="at_once", value={"count": 30, "unit": "minutes"}), "olga")
    _accept(office.tells("cora", "sga_refuse_table", "T1"))
    office.wait(50 * 60)
    done = _accept(office.tells("olga", "explain_refusal", "T1", ago=45 * 60, told=["operator", "TGO"]))
    office.signs("cora", SECOND)
    assert (done.is_late, office.clock("refusal_explained", "table/T1").status) == (False, "late")


def test_without_a_document_a_body_s_word_counts_from_its_entry() -> None:
    office = _Office("arizona", _PHOENIX, {**_PEOPLE, "sgt": "regulator"})
    office.send(c.AssignBody(account="sgt", body="SGA"), "olga")
    office.go_to("2026-03-02", "09:00")
    _sent_house(office)
    office.wait(_DAY)
    command = c.DoAct(act="sga_receive_house", things=("h1",), occurred=later(office.at, -_DAY + 60))
    assert not _accept(office.send(command, "sgt")).is_late
    assert office.clock("sga_answer", "house/h1").begun == office.at


# Where it is marked


def test_what_is_told_late_is_marked_on_page_paper_and_folder() -> None:
    office = _office("section2", _DENVER)
    office.does("olga", "register_table", "T1", area="pit-1")
    office.go_to("2026-03-03", "09:00")
    items = office.rules.pages.checklists["table"].items.items()
    seen = {key: True for key, item in items if not item.only}
    assert _accept(office.tells("flo", "check_table", "T1", ago=2 * _HOUR, seen=seen)).is_late
    office.signs("olga", TOLD_LATE)
    acts = recorded_acts(office.events)
    row = acts_table(office.rules, office.facility, acts.values()).rows[-1]
    assert "done, told late" in row
    known = office.state.thing("table", "T1")
    past = history_of(office.scene, ThingPast(known, ()), list(acts.values()), {})
    assert (past.acts[-1].is_late, past.acts[-1].signatures[0].part) == (True, "who knows too that it was done then")
    assert [act.is_late for act in past.acts] == [False, True]
    sheet = office.sheet("equipment", "T1")
    assert "told late" in paper_text(sheet)
    names = [line.wants for line in signatures_of(office.rules, office.state, acts, sheet)]
    assert any(name.endswith("(told late)") for name in names), names


def test_a_day_s_report_marks_a_drop_that_was_told_late() -> None:
    office = _office("section2", _DENVER)
    office.does("olga", "register_table", "T1", area="pit-1")
    for name in ("D1", "D2"):
        office.does("olga", "enter_drop_box", name)
    office.does("flo", "attach_drop_box", "T1", drop_box="D1")
    office.wait(5 * _HOUR)
    shift = office.facility.shifts[0].name
    office.tells("con", "drop_table", "T1", ago=2 * _HOUR, shift=shift, dropped="D1", drop_box="D2")
    day = office_day(office.rules, office.state, date(2026, 3, 2), office.events)
    report = as_text(day_report(day, regulation="Section 2", at="now", foot=""))
    assert "told late" in report


# The pages


def test_nobody_does_without_the_second_signature() -> None:
    office = _office()
    for item in (f"acts.remove_table.signs.{TOLD_LATE}", "tellings.move.second"):
        assert "there is no gate item" in _refused(office.send(c.LeaveOut(items=(item,)), "olga"))


@pytest.mark.parametrize("name", ["arizona", "colorado", "maryland", "section2"])
def test_every_act_has_a_bound_and_what_frees_counts_from_papers_or_entries(name: str) -> None:
    rules = office_of(name)
    assert not office_problems(rules)
    for key, act in rules.pages.acts.items():
        telling = rules.telling_of(act)
        assert telling is not None, key
        assert telling.counts == ("document" if act.on_paper else "entry"), key
        assert telling.within or not (act.on_paper or act.is_fact), f"{key}: a fact may be told later"
    met = {act for clock in rules.pages.clocks.values() for act in clock.met}
    strict = {key for key in met if (meeting := rules.act(key)) and _bound(rules, meeting) is None}
    answers = {"confirm_told_for", "deny_told_for", "leave_told_for"}  # given on Today, now
    assert strict <= {"investigate_incident", "enter_outage", *answers}, "what meets a duty can be told later"


def _bound(rules: ActRules, act: Act) -> Length | None:
    telling = rules.telling_of(act)
    return telling.within if telling else None


def test_pages_without_tellings_believe_what_they_believed() -> None:
    office = _Office(kept_rules("arizona"), _PHOENIX, _PEOPLE)
    office.go_to("2026-03-02", "09:00")
    _sent_house(office)
    done = _accept(office.tells("cora", "sga_receive_house", "h1", ago=20 * _DAY))
    assert (done.moments, done.waits) == (None, ())
    office.does("olga", "put_in_force", "h1")

"""What insiders tried after the first examination and did with no incident: each is refused, a breach, or waits.

Numbers say where the frauds stand in the list of this attack; the lawful way beside a fraud is done, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.check import office_problems
from passline.acts.judges.scene import Scene
from passline.acts.rules import ActRules, Person, office_of
from passline.acts.schema import Act, Field, Gate
from passline.acts.stamps import StampRequest, stamp_text
from passline.acts.state import ActState
from passline.office.trial import TrialOffice
from passline.office.views.cash import CashPart
from passline.office.views.cash_matters import cash_matters
from passline.refusal import Refused
from passline.store.keys import SigningKey
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE
from tests.office.begun_days import Tried, day_of
from tests.office.day_file import Day

_UNSEEN = "\u200b"
_REPORT = '"' + "ab" * 32 + '"'
_LEAVES = 'leaves = "2026-06-01 10:00", destination = "Reno", transferee = "Acme"'
_SEEN = (
    "seen = {no_coin = true, statutes = true, issuer = true, value_on_both_sides = true, told_apart_in_a_stack = true}"
)
_VISIT = [
    "sam request_store {surveillance_told = true}",
    'sam enter_store V-000002 {people = ["sam", "bob"]} signed by bob as other',
]
_SLIP_IN_BOX = [
    "people ned=counter nia=counter",
    "olga enter_drop_box D1",
    "olga enter_drop_box D2",
    'flo attach_drop_box T1 {drop_box = "D1"}',
    'flo request_fill {table = "T1", units = {500 = 5}}',
    "cy prepare_fill F-000002",
    "fay carry_fill F-000002",
    "dan accept_fill F-000002",
    'ned drop_table T1 {shift = "day", dropped = "D1", drop_box = "D2"} signed by flo as viewer',
]
_PATRONS = [
    "people cora=compliance",
    'cy enter_patron P1 {name = "Ann Smith", identification = "passport 1"}',
    'cy enter_patron P2 {name = "Bea Jones", identification = "passport 2"}',
    'cora link_patron P1 {accounts = ["a", "b"]}',
]


CASES = [
    # Numbers and texts that nobody tells apart, or nobody sees
    Tried("a seal's number in small letters", "arizona", ['tom affix_tgo_seal T2 {tgo_seal = "tg-100"}'],
          ["refused AZ-II.J.3-b: a seal of that number identifies another table (T1)"]),
    Tried("a seal's number with another hyphen", "arizona", ['tom affix_tgo_seal T2 {tgo_seal = "TG \u2010 100"}'],
          ["refused AZ-II.J.3-b: a seal of that number identifies another table (T1)"]),
    Tried("another number is another seal", "arizona", ['tom affix_tgo_seal T2 {tgo_seal = "TG-1000"}'], []),
    Tried("a drop box d1 beside D1", "practice", ["olga enter_drop_box D1", "olga enter_drop_box d1"],
          ["refused practice: drop box D1 is on record, and d1 is read as the same"]),
    Tried("a licence's number in capitals", "practice", [
        'olga enter_employee dan {post = "dealer", licence = "L-100"}',
        'olga enter_employee dora {post = "dealer", licence = "l 100"}',
    ], ["refused practice: employee Dora: another employee has that number (dan)"]),
    Tried("a document that another patron has shown", "practice", [
        *_PATRONS, 'cy enter_patron P3 {name = "Jon", identification = "PASSPORT 1"}',
    ], ["refused practice: another patron has shown that document"]),
    Tried("a reason that nobody can read", "practice", [
        'flo request_fill {table = "T1", units = {500 = 1}}',
        f'flo void_fill F-000002 {{reason = "{_UNSEEN}"}} signed by cy as witness',
    ], ["refused form: reason: has signs that nobody sees"]),
    Tried("a reason of dots", "practice", [
        'flo request_fill {table = "T1", units = {500 = 1}}',
        'flo void_fill F-000002 {reason = "..."} signed by cy as witness',
    ], ["refused form: reason: says nothing"]),
    Tried("a reason of two lines", "practice", [
        'flo request_fill {table = "T1", units = {500 = 1}}',
        'flo void_fill F-000002 {reason = "not needed:\\nthe table closes"} signed by cy as witness',
    ], []),
    Tried("one tip box is counted as two", "arizona", [
        "people cy=cashier", 'dan collect_tips T1 {collected = "TIP-1", all_in_box = true} signed by dora as witness',
        'cy count_tips {boxes = ["TIP-1", "TIP-1"], total = 10000}',
    ], ["refused practice: boxes: tip box TIP-1 is named twice"]),
    # Papers that serve twice, or too late
    Tried("last year's audit again", "arizona", [
        "people aud=auditor", f"aud audit_craps {{report = {_REPORT}}}", "at 2027-03-01 09:00",
        f"aud audit_craps {{report = {_REPORT}}}",
    ], ["refused AZ-P.3: a paper serves one act"]),
    Tried("a notice that is signed when it is needed", "arizona", [
        f"cora notify_removal T1 {{notice = {_REPORT}, {_LEAVES}}} alone", "at 2026-06-01 09:30",
        "sign by olga as second",
    ], [("refused AZ-II.K.1-b: act 75 was recorded 2026-03-04 09:00, and is signed within 2 business days:"
         " take it back, and record it anew")]),
    Tried("a notice that is signed on the next day", "arizona", [
        f"cora notify_removal T1 {{notice = {_REPORT}, {_LEAVES}}} alone", "at 2026-03-05 09:30",
        "sign by olga as second",
    ], []),
    # What bodies say against the house
    Tried("an objection to what was approved meanwhile", "colorado", [
        "house other {}", 'cora draft_house other {file = "@other"}',
        'cora submit_house other {house_rules = "@house_rules"}', "dee approve_house other",
        "dee object_to_house other",
    ], ["void: house other is approved; it must be submitted"]),
    Tried("dice put away before the request is written", "arizona", [
        "olga give_cabinet_access sam", "sam return_dice A1", "sue ask_dice_out A1", "is die A1",
    ], ["in_cabinet"]),
    Tried("a finding is made void by another die", "arizona", [
        "olga give_cabinet_access sam", 'bob remove_dice A2 {reason = "retired"}', "sue ask_dice_out A1 A2",
    ], ["refused AZ-II.P.1-b: die A2 is out of play"]),
    # People
    Tried("a licence is renewed on one person's word", "arizona", [
        'cora renew_credentials sam {licence_until = "9999-12-31"}',
    ], ["waits second"]),
    Tried("a licence that ends earlier is told by one", "arizona", [
        'cora renew_credentials sam {licence_until = "2026-03-31"}',
    ], []),
    Tried("a vendor's licence is renewed on one person's word", "arizona", [
        'cora change_vendor paulson {licence_until = "2027-12-31", certificate_until = "2026-12-31"}',
    ], ["waits second"]),
    Tried("somebody signs out of the store for another", "arizona", [
        *_VISIT, "sam leave_store V-000002 signed by sid as other",
    ], ["refused AZ-II.L.3-d: Sid is not among them: people"]),
    Tried("two join, one signs out, all leave", "arizona", [
        *_VISIT, "bea join_store V-000002", "flo join_store V-000002", "bea quit_store V-000002",
        "sam leave_store V-000002 signed by bob as other",
    ], ["incident AZ-II.L.3-d: somebody who signed in besides has not signed out (3, at most 2)"]),
    Tried("one of two stays in the store alone", "arizona", [*_VISIT, "bob quit_store V-000002"],
          ["incident AZ-II.L.3-f: somebody is left inside alone (2 of 3)"]),
    Tried("tips are shared with a regulator", "arizona", [
        "people cy=cashier", 'dan collect_tips T1 {collected = "TIP-1", all_in_box = true} signed by dora as witness',
        'cy count_tips {boxes = ["TIP-1"], total = 100}', "sign by dan as witness {total = 100}",
        'cy distribute_tips P-000001 {shares = {tom = 100}, tax_report = "by month"} signed by dan as witness',
    ], ["refused AZ-II.Q.3: shares: Tom is not on record as dealer"]),
    # Counts and cash
    Tried("a count is taken back, to count less", "practice", [
        "cy count_cage {units = {500 = 400, 10000 = 80}}", "void 12 by cy a mistake",
    ], ["void: a mistake", "incident practice: a count was taken back: act 12: a mistake"]),
    Tried("a sale of nobody's cash is taken back", "practice", [
        "cy sell_chips {units = {10000 = 50}}", "void 12 by cal a mistake",
    ], ["void: a mistake", "incident practice: a sale that waited to be signed was taken back: act 12: a mistake"]),
    Tried("of two counts that wait the better one is signed", "practice", [
        'flo count_closer T1 {chips = {500 = 200, 10000 = 20}, shift = "day"}',
        'flo count_closer T1 {chips = {500 = 200, 10000 = 18}, shift = "day"}',
    ], ["refused practice: table T1: another count of it waits to be signed"]),
    Tried("the same of the cage", "practice", [
        "cy count_cage {units = {500 = 400}}", "cal count_cage {units = {500 = 399}}",
    ], ["refused practice: another count of it waits to be signed"]),
    Tried("an account is linked to a dummy", "practice", [*_PATRONS, 'cora link_patron P2 {accounts = ["b"]}'],
          ["refused practice: patron P2: another patron has that account or walk-in"]),
    Tried("an account is linked no more", "practice", [
        *_PATRONS, 'cora link_patron P1 {accounts = ["a"]}', "fact patron P1 accounts",
    ], ["['a', 'b']"]),
    Tried("links are taken apart by a correction", "practice", [
        *_PATRONS,
        'cora correct_link_patron P1 {corrects = 14, reason = "two people", accounts = ["a"]} signed by cy as second',
    ], ["incident practice: corrected links of a patron: counted 0 of accounts b"]),
    Tried("a slip that is not there is typed", "practice", [
        *_SLIP_IN_BOX, 'ned match_slips D1 {typed = ["F-000002"]} signed by nia as second',
    ], ["incident practice: the number of a slip was typed, and its code not read"]),
    # Things
    Tried("chips of another make are sold", "arizona", [
        "people cy=cashier acc=accountant", f'cora specify_chip 500 {{colour = "red", {_SEEN}}}',
        "cora tgo_approve_chip 500 on paper",
        'cy receive_chips {units = {500 = 9}, delivery = "note 2", vendor = "paulson"} signed by acc as witness',
        "cy issue_chips {units = {500 = 8}} signed by acc as witness",
        f'cora respecify_chip 500 {{colour = "red", reason = "cheaper", {_SEEN}}} signed by olga as second',
        "cy sell_chips {units = {500 = 1}}",
    ], ["refused AZ-II.R.1.a-1: chip $5: the TGO has not approved its specifications"]),
    Tried("a layout that was withdrawn lies on an open table", "maryland", [
        "cora withdraw_layout L2", "gate open_table T1 of layout",
    ], ["red MD-2.D: (is withdrawn)"]),
    Tried("a table is no inches long", "maryland", ['cora register_table T7 {area = "pit-1", length = -5}'],
          ["refused MD-2.B: length: -5 is less than 1 inches"]),
    Tried("a table is said to stand elsewhere", "colorado", [
        'cora correct_register_table T1 {corrects = 16, reason = "elsewhere", area = "pit-2"}',
    ], ["incident practice: a corrected entry of a table: act 16: area: pit-2, not pit-1"]),
    Tried("a key is lost, and the lock was changed", "practice", [
        'olga enter_key K1 {opens = "the boxes"}', 'bob lose_key K1 {reason = "gone", replaced = true}',
    ], ["incident practice: a key is lost"]),
    Tried("a key stays out", "practice", [
        'olga enter_key K1 {opens = "the boxes"}', 'cy issue_key K1 {purpose = "count"} signed by bob as holder',
        "at 2026-03-03 09:00", "clock key_back key K1",
    ], ["overdue 2026-03-02 14:00 practice"]),
    Tried("an emergency drop of a moment to come", "arizona", [
        "people ned=counter", "sam tell_emergency_drop T1",
        ('ned emergency_drop T1 {shift = "day", reason = "full", dropped = "BOX-1", no_box = true, people = ["ned"],'
         ' when = "2031-01-01 10:00"} signed by sam as viewer'),
    ], ["refused form: when: '2031-01-01 10:00' is still to come"]),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_an_insider_does_is_refused_or_opens_an_incident(case: Tried) -> None:
    case.check()


# What needs another form of command


def _sent(day: Day, command: c.ActCommand, by: str) -> list[str]:
    return list(day.send(command, day._actor(by)))


@pytest.mark.parametrize(
    "moment",
    [
        "2026-03-04 23:00:00.000000Z", "2026-03-04T15:00:00,000000Z", "0001-01-01T00:00:00.000000Z",
        "2026-02-30T09:00:00.000000Z",
    ],
)  # fmt: skip
def test_a_moment_is_written_in_one_way(moment: str) -> None:
    """With a space it is less than any moment of its day as texts are compared, and lies in the future."""
    day = day_of("arizona")
    day.people["ned"] = Person("ned", "Ned", frozenset({"counter"}))
    fields = {"shift": "day", "dropped": "BOX-1", "no_box": True}
    (said,) = _sent(day, c.DoAct(act="drop_table", things=("T1",), fields=fields, occurred=moment), "ned")
    assert said.startswith("refused form: occurred:"), said


def test_a_field_with_a_moment_of_year_one_is_a_fault_of_form() -> None:
    day = day_of("arizona")
    fields = {"notice": "ab" * 32, "leaves": "0001-01-01T00:00:00+14:00", "destination": "Reno", "transferee": "Acme"}
    said = _sent(day, c.DoAct(act="notify_removal", things=("T1",), fields=fields), "cora")
    assert any(line.startswith("refused form: leaves:") for line in said), said


def _letter(day: Day) -> dict[str, str]:
    return day.letter_of_today()


def test_a_letter_that_sets_a_figure_serves_nothing_else_and_has_come() -> None:
    day = day_of("arizona")
    letter = _letter(day)
    assert not _sent(day, c.SetValue(key="table_limit", value=9, **letter), "olga")
    length = {"count": 1, "unit": "hours"}
    (again,) = _sent(day, c.SetValue(key="installation_notice", value=length, **letter), "olga")
    assert again.startswith("refused AZ-II.J.1-b: installation_notice: the attached document")
    approval = c.DoAct(act="approve_tip_pool", fields={"process": "all share"}, paper=letter)
    assert "has served for a setting" in _sent(day, approval, "cora")[0]
    list(day.do("cora approve_tip_pool {process = 'all share'} on paper"))
    used = {**letter, "document": f"{day.letters:064x}"}
    assert "a paper serves one act" in _sent(day, c.SetValue(key="table_limit", value=8, **used), "olga")[0]
    for received in ("2026-03-05", "some day"):
        (said,) = _sent(day, c.SetValue(key="table_limit", value=8, **{**_letter(day), "received": received}), "olga")
        assert said.startswith("refused form: received:"), said


def test_a_report_of_cash_is_filed_for_one_patron() -> None:
    day = day_of("practice")
    list(day.do("value cash_report = 100000"))
    for patron in ("P1", "P2"):
        list(day.do(f'cy enter_patron {patron} {{name = "{patron}"}}'))
        note = c.NoteCash(patron=f"patron/{patron}", day="2026-03-02", cents_in=2000_00, cents_out=0)
        list(day.send(note, THE_HOUSE))
    assert not list(day.do(f"olga file_cash_report 2026-03-02.patron-P1 {{report = {_REPORT}}}"))
    (said,) = day.do(f"olga file_cash_report 2026-03-02.patron-P2 {{report = {_REPORT}}}")
    assert "a paper serves one act" in said


# People who are suspended, also in another office of the house


def _suspended() -> ActState:
    day = day_of("colorado")
    list(day.do('olga enter_employee flo {post = "floorperson"}'))
    list(day.do('olga suspend_employee flo {reason = "theft"}'))
    return day.state


def _beside(day: Day, others: dict[str, ActState]) -> None:
    """Put other offices of the house beside that of a day."""
    around = replace(day.around, others=lambda: others)
    assert day.rules is not None
    day.scene = lambda: Scene(day.rules, day.state, day.at, day.at, around)  # type: ignore[method-assign, arg-type]


def test_who_is_suspended_in_one_office_works_in_none() -> None:
    day = day_of("section2")
    line = 'flo change_equipment T1 {change = "a stick"}'
    assert not list(day.do(line))
    _beside(day, {"colorado": _suspended()})
    (said,) = day.do(line)
    assert said == "incident practice: employee Flo: is suspended or has left: office of colorado"
    (said,) = day.do('flo supply_dice T1 {certificate = "' + "cd" * 32 + '"}')
    assert said.startswith("refused practice: employee Flo: is suspended or has left")


def test_who_is_suspended_sets_nothing_and_takes_nothing_back() -> None:
    day = day_of("practice")
    for line in (
        "people oz=owner", 'oz enter_employee olga {post = "owner"}', 'oz enter_employee cy {post = "cashier"}',
        "cal count_cage {units = {500 = 1}}", 'oz suspend_employee olga {reason = "theft"}',
        'oz suspend_employee cy {reason = "theft"}',
    ):  # fmt: skip
        list(day.do(line))
    for command, by in (
        (c.SetValue(key="cash_report", value=100_000_000), "olga"),
        (c.LeaveOut(items=("gates.work.items.employed",)), "olga"),
        (c.VoidAct(number=day.state.acts - 2, reason="mistaken"), "cy"),
    ):
        (said,) = _sent(day, command, by)
        assert "is suspended or has left" in said, command
    command = c.SetValue(key="cash_report", value=100_000_000)
    (said,) = day.send(command, day._actor("oz"), "olga")
    assert "Olga: is suspended or has left" in said, "nor does the second owner sign"


# Keys and stamps of bodies

_KEY, _OTHER = SigningKey(bytes(32)), SigningKey(bytes([1]) * 32)
_PUBLIC = _KEY.public.hex()


def test_a_key_that_was_revoked_is_nobodys_any_more() -> None:
    day = day_of("arizona")
    assert not _sent(day, c.GiveBodyKey(body="TGO", key=_PUBLIC), "olga")
    (said,) = _sent(day, c.RevokeBodyKey(body="TGO", key=_PUBLIC, reason=_UNSEEN), "olga")
    assert "signs that nobody sees" in said
    assert not _sent(day, c.RevokeBodyKey(body="TGO", key=_PUBLIC, reason="stolen"), "olga")
    for body in ("TGO", "SGA"):
        (said,) = _sent(day, c.GiveBodyKey(body=body, key=_PUBLIC), "olga")
        assert "was revoked" in said, body
    assert not _sent(day, c.GiveBodyKey(body="TGO", key=_OTHER.public.hex()), "olga")


def test_a_key_is_of_one_body_in_all_offices() -> None:
    other = day_of("colorado")
    assert not _sent(other, c.GiveBodyKey(body="Director", key=_PUBLIC), "olga")
    day = day_of("arizona")
    _beside(day, {"colorado": other.state})
    (said,) = _sent(day, c.GiveBodyKey(body="TGO", key=_PUBLIC), "olga")
    assert said == (
        "refused office: this is or was the key of the Director in the office of colorado: each body has its own"
    )


def test_no_word_is_told_as_of_before_it_was_stamped() -> None:
    day = day_of("arizona")
    list(_sent(day, c.GiveBodyKey(body="TGO", key=_PUBLIC), "olga"))
    fields, paper = {"process": "all share"}, {**_letter(day), "received": "2026-03-03"}
    request = StampRequest(
        house="", office="arizona", body="TGO", act="approve_tip_pool", fields=fields, document=paper["document"]
    )
    stamp = stamp_text(_KEY, request, issued="2026-03-04T12:00:00Z", serial="01")
    told = c.DoAct(act="approve_tip_pool", fields=fields, paper=paper, stamp=stamp)
    (said,) = _sent(day, replace(told, occurred=later(day.at, -86_400)), "cora")
    assert "it was stamped 2026-03-04T12:00:00Z" in said
    assert not _sent(day, told, "cora")


def test_no_stamp_is_dated_ahead_of_its_entry() -> None:
    """Attack: a stamp whose date is years ahead is kept, and looks new whenever it is shown."""
    day = day_of("arizona")
    list(_sent(day, c.GiveBodyKey(body="TGO", key=_PUBLIC), "olga"))
    fields, paper = {"process": "all share"}, _letter(day)
    request = StampRequest(
        house="", office="arizona", body="TGO", act="approve_tip_pool", fields=fields, document=paper["document"]
    )
    told = c.DoAct(act="approve_tip_pool", fields=fields, paper=paper)
    years_ahead, by_its_clock = (
        stamp_text(_KEY, request, issued=issued, serial="01")
        for issued in ("2031-03-04T12:00:00Z", later(day.at, 1_800)[:19] + "Z")
    )
    (said,) = _sent(day, replace(told, stamp=years_ahead), "cora")
    assert "it is dated 2031-03-04T12:00:00Z, which is still to come" in said
    assert not _sent(day, replace(told, stamp=by_its_clock), "cora"), "clocks differ by minutes"


# Cash of one person under two names


def _sales(patron: str, days: range) -> Iterator[CashPart]:
    for day in days:
        yield CashPart(f"patron/{patron}", f"2026-03-{day:02}T19:00:00.000000Z", 9_000_00, "cage")


def test_a_patron_struck_off_and_entered_again_is_the_same_to_compliance() -> None:
    """Twice just below the figure as one patron, once as another: three times by one document."""
    office = TrialOffice(
        "section2", Facility(name="Harbour", zone="America/Denver"),
        {"olga": "owner", "cora": "compliance", "cy": "cashier"},
    )  # fmt: skip
    office.go_to("2026-03-02", "09:00")
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    office.do("cy", "enter_patron", "P1", name="Ann Smith", identification="Passport 1")
    office.go_to("2026-03-06", "09:00")
    office.do("cora", "strike_patron", "P1", reason="mistake", signs="second", signed_by="cy")
    office.do("cy", "enter_patron", "P2", name="Anne Smith", identification="passport 1")
    assert office.state.thing("patron", "P2") is not None
    parts = [*_sales("P1", range(4, 6)), *_sales("P2", range(6, 7))]
    (matter,) = cash_matters(office.rules, office.state, date(2026, 3, 6), parts)
    assert (matter.kind, matter.patron, len(matter.parts)) == ("structuring", "patron/P1", 3)


# Settings that make good what was late


def test_another_figure_or_calendar_does_not_make_good_what_was_late_unseen() -> None:
    """Attack: a key was out too long; then it may be out for a week. Then every day past is one without business."""
    day = day_of("practice")
    for line in (
        'olga enter_key K1 {opens = "the boxes"}', 'cy issue_key K1 {purpose = "count"} signed by bob as holder',
        "at 2026-03-03 09:00",
    ):  # fmt: skip
        assert not list(day.do(line))
    week = c.SetValue(key="key_out", value={"count": 1, "unit": "weeks"})
    assert [line.partition(":")[0] for line in _sent(day, week, "olga")] == ["refused form"], "there is no such unit"
    (said,) = _sent(day, c.SetValue(key="key_out", value={"count": 7, "unit": "days"}), "olga")
    assert said == (
        "incident practice: another setting makes good what was late, or lets time lapse:"
        " A key that was handed out is taken back key K1"
    )
    incident = day.state.thing("incident", f"I-{day.state.incidents}")
    assert incident is not None
    assert incident.facts["people"] == ["olga"], "who has set it does not close it"
    assert not _sent(day, c.SetValue(key="key_out", value={"count": 2, "unit": "business_days"}), "olga")
    list(day.do("at 2026-03-06 09:00"))
    facility = day.state.facility
    assert facility is not None
    closed = replace(facility, closed_days=("2026-03-03", "2026-03-04", "2026-03-05"))
    (said,) = _sent(day, c.SetUpOffice(facility=closed), "olga")
    assert said.startswith("incident practice: another setting makes good what was late")
    assert not _sent(day, c.SetUpOffice(facility=replace(closed, areas=("pit-1", "pit-2"))), "olga")


# A public standard


def test_no_owner_alone_ends_a_public_standard() -> None:
    """Attack: the house that elects it is withdrawn, and the pages without it hold from then on."""
    office = TrialOffice(
        "section2", Facility(name="Harbour", zone="America/Denver"), {"olga": "owner", "cora": "compliance"}
    )
    for name, file in (
        ("strict", {"rules": "section2", "office": {"preset": "nigc"}}),
        ("plain", {"rules": "section2"}),
    ):
        office.do("cora", "draft_house", name, file=file)
        office.do("olga", "put_in_force", name)
    strict = office.rules
    assert "refused" not in office.do("olga", "withdraw_house", "strict")
    assert office.rules is strict, "it waits for somebody who agrees"
    office.sign("cora", "standard")
    assert office.rules is office_of("section2")
    assert "withdrawn" in office.do("olga", "withdraw_house", "plain"), "no standard rests on it"


# Pages that say it wrongly


def _with_field(act: Act, **changed: Any) -> Act:  # noqa: ANN401 - of any field
    key = next(iter(act.fields))
    return replace(act, fields={**act.fields, key: replace(act.fields[key], **changed)})


@pytest.mark.parametrize(
    ("act", "change", "problem"),
    [
        ("enter_key", lambda act: _with_field(act, once=True), "only a document serves one act"),
        ("enter_key", lambda act: _with_field(act, another=True), "only things are named in place of another"),
        ("enter_key", lambda act: _with_field(act, past=True), "only a moment can be still to come"),
        ("enter_key", lambda act: _with_field(act, adds=True), "only people and things are added"),
        ("enter_key", lambda act: replace(act, joins="holders"), "holders"),
        ("lose_key", lambda act: replace(act, quits="holders"), "holders"),
    ],
)
def test_what_a_page_says_wrongly_is_named(act: str, change: Callable[[Act], Act], problem: str) -> None:
    rules = office_of("section2")
    pages = replace(rules.pages, acts={**rules.pages.acts, act: change(rules.pages.acts[act])})
    assert any(problem in line for line in office_problems(ActRules(rules.name, rules.digest, pages)))


def _unasked(fields: dict[str, Field]) -> dict[str, Field]:
    return {key: replace(field, once=False, past=False) for key, field in fields.items()}


def test_pages_that_do_not_ask_are_as_before() -> None:
    """A log keeps the pages of its day: without the keys everything of it is decided as it was."""
    rules = office_of("section2")
    gates: dict[str, Gate] = {key: replace(gate, house_wide=False) for key, gate in rules.pages.gates.items()}
    acts = {key: replace(act, taken_back="", fields=_unasked(act.fields)) for key, act in rules.pages.acts.items()}
    old = replace(rules, pages=replace(rules.pages, writing=None, gates=gates, acts=acts))
    office = TrialOffice(old, Facility(name="Harbour", zone="America/Denver"), {"olga": "owner", "cy": "cashier"})
    for box in ("D1", "d1"):
        assert "refused" not in office.do("olga", "enter_drop_box", box)
    assert "refused" not in office.do("cy", "enter_patron", "P1", name=_UNSEEN)
    office.do("cy", "count_cage", units={"500": 1})
    answer = office.send(c.VoidAct(number=office.state.acts, reason=_UNSEEN), "cy")
    assert not isinstance(answer, Refused)
    assert len(answer) == 1

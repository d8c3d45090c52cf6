"""Frauds of insiders through the API: each is refused, waits for somebody else, opens an incident, or is listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from passline.acts.rules import SECOND
from passline.store.timestamps import later
from tests.people.house import PIN
from tests.web.fraud import HARBOUR, KEY, OSKAR, TIMES, Fraud, why_refused
from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long

FLO = {"name": "Flo", "pin": PIN}
REPORT = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
LEAVES = {"leaves": "2026-12-24 10:00", "destination": "Reno", "transferee": "Acme"}


@pytest.fixture
def fraud() -> Iterator[Fraud]:
    """A house of its own for each fraud."""
    with serving() as server:
        yield Fraud(House(server))


def _done(answer: Any) -> str:  # noqa: ANN401
    assert answer.status_code == 201, answer.text
    return str(answer.text)


def _table(fraud: Fraud) -> None:
    _done(fraud.send(fraud.act("register_table", "t1", fields={"area": "main floor"})))


# What a body was told, or did


def test_one_person_has_told_no_body_anything(fraud: Fraud) -> None:
    """Attack: a notice of removal that was never sent; then with the receipt of another; then signed by its author."""
    _table(fraud)
    notice = fraud.act("notify_removal", "t1", fields={**LEAVES, "notice": fraud.letter()})
    assert "attach the document that proves it" in why_refused(fraud.send(notice, "Cora"))
    receipt = fraud.letter()
    proven = notice | {"paper": {"document": receipt}}
    assert "act-completed" not in _done(fraud.send(proven, "Cora"))
    assert "must be signed by somebody other than Cora" in why_refused(fraud.send(fraud.second(fraud.acts), "Cora"))
    assert "act-completed" in _done(fraud.send(fraud.second(fraud.acts), "Oskar"))
    again = fraud.act("submit_drop_times", fields=TIMES, paper={"document": receipt}, signs=SECOND)
    refused = why_refused(fraud.send(again, "Cora", OSKAR))
    assert "a paper serves one act" in refused
    assert f"act {fraud.acts}, Tell the TGO that tables will leave" in refused, "which one, in words"
    (used,) = fraud.owner.get(f"/api/office/arizona/served/{receipt}").json()["served"]  # before it is sent
    assert used in refused
    assert fraud.owner.get(f"/api/office/arizona/served/{'ab' * 32}").json() == {"served": []}
    assert any("Tell the TGO that tables will leave" in line.what and line.proof == "house" for line in fraud.lines)
    fraud.check()


def test_a_proof_is_a_document_that_is_attached(fraud: Fraud) -> None:
    told = fraud.act("submit_drop_times", fields=TIMES, paper={"document": "ab" * 32}, signs=SECOND)
    assert "attach" in why_refused(fraud.send(told, "Cora", OSKAR))
    for false in ("x", " ", "AB" * 32):
        answer = fraud.send(told | {"paper": {"document": false}}, "Cora", OSKAR)
        assert answer.status_code in {403, 409, 422}, answer.text


def test_a_receipt_of_one_office_serves_no_other(fraud: Fraud) -> None:
    fraud.submit_times()
    office = fraud.house.server.services.offices.find("arizona")
    assert office is not None
    assert office.state is not None
    (receipt,) = office.state.served
    fraud.set_up("colorado")
    _done(fraud.send(fraud.act("draft_house", "h1", fields={"file": {"rules": "colorado"}}), "Cora"))
    rules = fraud.owner.get("/api/office/colorado/papers/house_rules/h1").json()
    fields = {"house_rules": rules.get("digest", "0" * 64)}
    told = fraud.act("submit_house", "h1", fields=fields, paper={"document": receipt}, signs=SECOND)
    assert "has served the office of arizona" in why_refused(fraud.send(told, "Cora", OSKAR))


def test_a_box_has_its_number_in_one_office_only(fraud: Fraud) -> None:
    """Attack: two tables of two offices share one drop box, and each counts it."""
    fraud.set_up("section2")
    _done(fraud.send(fraud.act("enter_drop_box", "D1")))
    fraud.set_up("colorado")
    twice = fraud.act("enter_drop_box", "D1")
    assert "is on record in the office of section2" in why_refused(fraud.send(twice))
    _done(fraud.send(fraud.act("enter_drop_box", "D2")))
    fraud.check()


def test_a_notice_that_is_told_late_is_marked_and_counts_from_its_entry(fraud: Fraud) -> None:
    """Attack: tables leave tomorrow, and the notice "went out" twenty days ago."""
    _table(fraud)
    now = fraud.house.server.services.clock()
    told = fraud.act(
        "notify_removal", "t1", fields={**LEAVES, "notice": fraud.letter()}, paper={"document": fraud.letter()},
        occurred=later(now, -20 * 86_400), signs=SECOND,
    )  # fmt: skip
    answer = fraud.send(told, "Cora", OSKAR)
    assert "before table t1 was on record" in why_refused(answer)


def test_nobody_speaks_for_a_body_who_is_no_regulator_any_more(fraud: Fraud) -> None:
    """Attack: a friend acts for the TGO, becomes compliance officer, and goes on approving alone."""
    tina = fraud.regulator()
    _done(fraud.send({"command": "assign-body", "account": tina, "body": "TGO"}, sign_off=OSKAR))
    changed = {"roles": ["compliance"], "sign_off": OSKAR}
    answer = fraud.owner.post(f"/api/people/{tina}/roles", changed)
    assert answer.is_success, answer.text
    office = fraud.house.server.services.offices.find("arizona")
    assert office is not None
    assert office.state is not None
    assert office.state.bodies[tina] == "TGO"
    scene = fraud.house.server.page.client.portal.call(fraud.house.server.services.offices.scene, "arizona")  # type: ignore[union-attr]
    person = scene.who(tina)
    assert person is not None
    assert not scene.rules.is_of("tgo", person, scene.state)


def test_what_was_recorded_before_a_body_had_its_key_is_not_signed_after(fraud: Fraud) -> None:
    """Attack: approvals are recorded in advance, to be signed once the TGO has a key that nobody here holds."""
    fraud.submit_times()
    told = fraud.act("approve_drop_times", fields=TIMES, paper=fraud.paper())
    _done(fraud.send(told, "Cora"))
    number = fraud.acts
    fraud.give_key()
    assert "has a key of its own since" in why_refused(fraud.send(fraud.second(number), "Oskar"))
    stamped = told | {"paper": fraud.paper()}
    _done(fraud.send(stamped | {"stamp": fraud.stamp(stamped, KEY)}, "Cora"))
    fraud.check()


def test_what_the_sga_has_against_rules_is_told_though_they_are_in_force_and_no_grounds_without_a_refusal(
    fraud: Fraud,
) -> None:
    _table(fraud)
    grounds = fraud.act(
        "state_refusal", "t1", fields={"statement": fraud.letter()}, paper={"reference": "by telephone"}
    )
    text = _done(fraud.send(grounds, "Cora"))
    assert "act-voided" in text
    assert "act-completed" not in text, "it is on record, and meets and closes nothing"
    fraud.check()


# Approvals and settings that come by other ways


def test_no_owner_alone_files_an_approval_with_the_house(fraud: Fraud) -> None:
    """Attack: the laboratory's report on electronic dice is invented by one owner, or signed off by a floorperson."""
    assert "takes a second owner" in why_refused(fraud.owner.post("/api/approvals", REPORT))
    assert fraud.owner.post("/api/approvals", {**REPORT, "sign_off": FLO}).status_code == 403
    assert fraud.owner.post("/api/approvals", {**REPORT, "sign_off": {"name": "Olga", "pin": PIN}}).status_code == 403
    assert fraud.owner.post("/api/approvals", {**REPORT, "sign_off": OSKAR}).status_code == 201
    (line,) = [line for line in fraud.lines if "laboratory report" in line.what]
    assert (line.by, line.signed_by, line.proof) == ("Olga", "Oskar", "house")
    fraud.check()


def test_no_owner_and_floorperson_take_the_office_out_of_the_house(fraud: Fraud) -> None:
    """Attack: kept elsewhere, no list stands between a table and its opening."""
    here = {"where": "here", "sign_off": OSKAR}
    assert fraud.owner.post("/api/office", here).status_code == 201
    away = {"where": "elsewhere"}
    assert "takes a second owner" in why_refused(fraud.owner.post("/api/office", away))
    assert fraud.owner.post("/api/office", {**away, "sign_off": FLO}).status_code == 403
    assert fraud.owner.post("/api/office", {**away, "sign_off": OSKAR}).status_code == 201
    kept = [line for line in fraud.lines if "the office is kept" in line.what]
    assert [(line.what, line.signed_by) for line in kept][-1] == ("the office is kept elsewhere", "Oskar")
    fraud.check()


def test_days_without_business_are_listed_as_the_settings_they_are(fraud: Fraud) -> None:
    """Attack: every day is made a holiday, so that no deadline in business days is ever over."""
    closed = {**HARBOUR, "closed_days": ["2026-11-16", "2026-11-17"]}
    setting = {"command": "set-up-office", "facility": closed}
    assert "takes a second owner" in why_refused(fraud.send(setting))
    assert "takes two owners" in why_refused(fraud.send(setting, "Cora", OSKAR))
    _done(fraud.send(setting, sign_off=OSKAR))
    assert any("no business on 2026-11-16, 2026-11-17" in str(line) for line in fraud.lines)


def test_no_act_of_one_person_fills_a_blank_of_a_page(fraud: Fraud) -> None:
    """Every act that sets a figure is a body's word; every figure that is set by hand takes two owners."""
    office = fraud.owner.get("/api/office/arizona").json()
    setting = {key: act["sets"] for key, act in office["acts"].items() if act.get("sets")}
    assert setting
    assert {office["words"].get(key) for key in setting} == {"favourable"}
    for key, asked in office["asked"].items():
        figure = {"count": 1, "cents": 1, "length": {"count": 1, "unit": "hours"}, "times": ["06:00"]}
        value = figure.get(asked["type"], "text")
        command = {"command": "set-value", "key": key, "value": value, **fraud.paper()}
        assert "takes a second owner" in why_refused(fraud.send(command)), key
        assert "takes two owners" in why_refused(fraud.send(command, "Cora", OSKAR)), key

"""Frauds through the API: nobody invents an authority, and no word of a regulator is the house's alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from passline.acts.rules import SECOND
from passline.acts.stamps import fingerprint
from passline.cli.main import app
from passline.office.views.authority import authority_lines, body_key_faults
from passline.store.export import row_to_json
from tests.people.house import PIN
from tests.web.fraud import COMMANDS, CORA, HARBOUR, KEY, OSKAR, OTHER_KEY, TIMES, Fraud, why_refused
from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long


@pytest.fixture
def house() -> Iterator[House]:
    """A house of its own for each fraud."""
    with serving() as server:
        yield House(server)


@pytest.fixture
def fraud(house: House) -> Fraud:
    return Fraud(house)


def test_one_owner_alone_makes_no_regulator_and_assigns_no_body(fraud: Fraud) -> None:
    """Attack: "Fake TGO" is made, assigned and approves drop times, all by one owner."""
    fake = {"name": "Fake TGO", "roles": ["regulator"]}
    assert "takes a second owner" in why_refused(fraud.owner.post("/api/people", fake))
    dealer = fraud.house.people["floorperson"].post("/api/people", {**fake, "roles": ["dealer"]})
    assert "may not give" in why_refused(dealer)
    tina = fraud.regulator()
    assigned = {"command": "assign-body", "account": tina, "body": "TGO"}
    assert "takes a second owner" in why_refused(fraud.send(assigned))
    assert "takes two owners" in why_refused(fraud.send(assigned, "Cora"))
    why_refused(fraud.send(assigned, sign_off=CORA))
    why_refused(fraud.send(assigned, sign_off={"name": "Olga", "pin": PIN}))
    assert fraud.send(assigned, sign_off=OSKAR).status_code == 201
    bodies = [line for line in fraud.lines if line.kind == "body"]
    assert [(line.what, line.by, line.signed_by) for line in bodies] == [("Tina acts for the TGO", "Olga", "Oskar")]
    assert ("Tina has the role regulator", "Olga", "Oskar") in [
        (line.what, line.by, line.signed_by) for line in fraud.lines
    ]
    fraud.check()


def test_a_body_without_a_key_is_recorded_by_two_and_a_document_serves_one_act(fraud: Fraud) -> None:
    """Attack: one clerk records an approval that nobody gave; then the letter of another approval is shown again."""
    fraud.submit_times()
    letter = fraud.letter()
    told = fraud.act("approve_drop_times", fields=TIMES, paper=fraud.paper(letter))
    assert fraud.send(told, "Cora").status_code == 201
    office = fraud.owner.get("/api/office/arizona").json()
    assert "drop_times" not in office["values"], "it waits for the second person"
    number = max(map(int, fraud.house.server.services.offices.find("arizona").state.pending))  # type: ignore[union-attr]
    sign = {"command": "sign-act", "number": number, "part": SECOND}
    assert "must be signed by somebody other than Cora" in why_refused(fraud.send(sign, "Cora"))
    assert fraud.send(sign).status_code == 201
    assert fraud.owner.get("/api/office/arizona").json()["values"]["drop_times"] == ["06:00"]
    again = fraud.act("approve_tip_pool", fields={"process": "shares"}, paper=fraud.paper(letter), signs=SECOND)
    assert "a paper serves one act" in why_refused(fraud.send(again, "Cora", OSKAR))
    other = again | {"paper": fraud.paper()}
    assert fraud.send(other, "Cora", OSKAR).status_code == 201
    words = [str(line) for line in fraud.lines if line.kind == "word"]
    assert len(words) == 3, "that the TGO was told, and what it approved"
    assert all("told by the house" in line for line in words)
    fraud.check()


def test_a_body_that_has_a_key_says_nothing_favourable_without_its_stamp(fraud: Fraud) -> None:
    """Attack: no stamp; the stamp of another key, house, act, thing or figure; one stamp twice; a revoked key's."""
    key = {"command": "give-body-key", "body": "TGO", "key": KEY.public.hex()}
    assert "takes a second owner" in why_refused(fraud.send(key))
    fraud.give_key()
    assert fraud.owner.get("/api/office/arizona").json()["body_keys"] == {"TGO": fingerprint(KEY.public)}
    fraud.submit_times()
    told = fraud.act("approve_drop_times", fields=TIMES, paper=fraud.paper())
    assert "needs its stamp" in why_refused(fraud.send(told | {"signs": SECOND}, "Cora", OSKAR))
    good = fraud.stamp(told)
    bad = {
        "another key": fraud.stamp(told, OTHER_KEY),
        "another house": fraud.stamp(told, house="another-log"),
        "another act": fraud.stamp(told, act="approve_tip_pool"),
        "another thing": fraud.stamp(told, things=["x"]),
        "another figure": fraud.stamp(told, fields=TIMES | {"drop_times": ["03:00"]}),
        "another document": fraud.stamp(told, document="0" * 64),
        "no stamp at all": "passline-stamp-1.e30",
        "rubbish": "approved!",
    }
    for what, stamp in bad.items():
        assert "stamp" in why_refused(fraud.send(told | {"stamp": stamp}, "Cora")), what
    assert "does not stamp this" in why_refused(
        fraud.send(told | {"stamp": good, "fields": TIMES | {"count_times": ["09:00"]}}, "Cora")
    )
    assert fraud.send(told | {"stamp": good}, "Cora").status_code == 201, "the body has spoken: nobody else signs"
    assert fraud.owner.get("/api/office/arizona").json()["values"]["drop_times"] == ["06:00"]
    why_refused(fraud.send(told | {"stamp": good}, "Cora"))
    pool = fraud.act("approve_tip_pool", fields={"process": "shares"}, paper=fraud.paper())
    once = fraud.stamp(pool, serial="02")
    assert fraud.send(pool | {"stamp": once}, "Cora").status_code == 201
    assert "serves" in why_refused(fraud.send(pool | {"stamp": once}, "Cora"))
    (first, second) = [line for line in fraud.lines if line.kind == "word" and "approves" in line.what]
    assert (first.proof, second.proof, first.is_alone) == ("stamp", "stamp", False)
    revoked = {"command": "revoke-body-key", "body": "TGO", "key": KEY.public.hex(), "reason": "lost"}
    assert "takes a second owner" in why_refused(fraud.send(revoked))
    assert fraud.send(revoked, sign_off=OSKAR).status_code == 201
    late = pool | {"paper": fraud.paper()}
    assert "has no key here" in why_refused(fraud.send(late | {"stamp": fraud.stamp(late, serial="03")}, "Cora"))
    fraud.give_key(key=OTHER_KEY)
    assert "does not stamp this" in why_refused(fraud.send(late | {"stamp": fraud.stamp(late, serial="03")}, "Cora"))
    found = dict(body_key_faults(fraud.lines, {"TGO": fingerprint(OTHER_KEY.public)}))
    assert "is about another key of the TGO" in " ".join(found.values()), "the revoked key is seen"
    assert any("is revoked: lost" in str(line) for line in fraud.lines)
    fraud.check()


def test_a_figure_that_a_body_sets_needs_its_stamp_too(fraud: Fraud) -> None:
    fraud.give_key()
    limit = {"command": "set-value", "key": "table_limit", "value": 4, **fraud.paper()}
    assert "needs its stamp" in why_refused(fraud.send(limit, sign_off=OSKAR))
    stamp = fraud.stamp(limit)
    assert "does not stamp this" in why_refused(fraud.send(limit | {"stamp": stamp, "value": 40}, sign_off=OSKAR))
    assert fraud.send(limit | {"stamp": stamp}, sign_off=OSKAR).status_code == 201
    assert "serves once" in why_refused(fraud.send(limit | {"stamp": stamp}, sign_off=OSKAR))
    fraud.check()


def test_what_a_body_says_against_the_house_anybody_records_at_once(fraud: Fraud) -> None:
    """No key, no second person and no clerk stand between a refusal and its record."""
    fraud.give_key("SGA")
    table = fraud.act("register_table", "t1", fields={"area": "main floor", "number": "1"})
    acts = fraud.owner.get("/api/office/arizona").json()["acts"]
    table["fields"] = {key: value for key, value in table["fields"].items() if key in acts["register_table"]["fields"]}
    made = fraud.send(table)
    assert made.status_code == 201, made.text
    refused = fraud.act("sga_refuse_table", "t1", paper={"reference": "by telephone, 9:10"})
    dealer = fraud.house.people["dealer"].post(COMMANDS, {"command": refused})
    assert dealer.status_code == 201, dealer.text
    assert "act-completed" in dealer.text
    fraud.check()


def test_no_one_person_switches_reports_of_cash_off(fraud: Fraud) -> None:
    """Attack: compliance, or one owner, raises the figure above which cash is reported to a million dollars."""
    raised = {"command": "set-value", "key": "cash_report", "value": 1_000_000_00}
    assert "takes two owners" in why_refused(fraud.send(raised, "Cora", OSKAR))
    assert "takes a second owner" in why_refused(fraud.send(raised))
    assert fraud.send(raised | {"value": 10_000_00}, sign_off=OSKAR).status_code == 201
    assert "takes a second owner" in why_refused(fraud.send(raised))
    assert [(line.what, line.is_alone) for line in fraud.lines if line.kind == "setting"][-1] == (
        "cash report is set to $10,000", False,
    )  # fmt: skip
    fraud.check()


def test_no_one_person_takes_witnesses_away_and_no_cashier_receives_chips_alone(fraud: Fraud) -> None:
    """Attack: one leave-out takes six witnesses away; then a cashier alone receives chips that are not there."""
    acts = fraud.owner.get("/api/office/arizona").json()["acts"]
    items = [
        f"acts.{name}.signs.{part}"
        for name, act in acts.items()
        for part, sign in act.get("signs", {}).items()
        if sign["cite"] == "practice"
    ]
    assert "acts.receive_chips.signs.witness" in items
    left = {"command": "leave-out", "items": ["acts.receive_chips.signs.witness", *items[:5]]}
    assert "takes a second owner" in why_refused(fraud.send(left))
    assert "takes two owners" in why_refused(fraud.send(left, "Cora"))
    assert not fraud.owner.get("/api/office/arizona").json()["left_out"]
    second = {"command": "leave-out", "items": [f"acts.approve_tip_pool.signs.{SECOND}"]}
    why_refused(fraud.send(second, sign_off=OSKAR))
    chips = fraud.act("receive_chips", fields={"chips": {"500": 1000}})
    answer = fraud.send(chips, "Cass")
    assert answer.status_code != 201 or "act-completed" not in answer.text
    fraud.check()


def test_with_dual_control_off_each_is_listed_as_done_by_one_person(house: House) -> None:
    """A house with one owner: everything is possible, and `verify` says who did it alone."""
    setting = {"command": {"command": "set-up-office", "facility": HARBOUR}}
    assert house.owner.post(COMMANDS, setting).status_code == 201
    raised = {"command": {"command": "set-value", "key": "cash_report", "value": 1_000_000_00}}
    assert house.owner.post(COMMANDS, raised).status_code == 201
    lines = authority_lines(stored.entry for stored in house.server.log.read())
    (line,) = [line for line in lines if "cash report" in line.what]
    assert str(line).endswith("cash report is set to $1,000,000, by Olga; done by one person")
    reg = next(line for line in lines if line.what == "Reg has the role regulator")
    assert (reg.is_alone, reg.is_major) == (True, True)


def test_verify_lists_authority_and_checks_the_keys_of_bodies(fraud: Fraud, tmp_path: Any) -> None:  # noqa: ANN401
    fraud.give_key()
    export = tmp_path / "log.jsonl"
    export.write_bytes(b"".join(map(row_to_json, fraud.house.server.log.rows())))
    right, wrong = fingerprint(KEY.public), fingerprint(OTHER_KEY.public)
    told = CliRunner().invoke(app, ["verify", str(export), "--body", f"TGO={right}"])
    assert told.exit_code == 0, told.output
    assert f"arizona: the TGO has the key {right}, by Olga and Oskar" in told.output
    other = CliRunner().invoke(app, ["verify", str(export), "--body", f"TGO={wrong}"])
    assert (other.exit_code, f"the TGO has no key with the fingerprint {wrong}" in other.output) == (1, True)
    absent = CliRunner().invoke(app, ["verify", str(export), "--body", f"SGA={right}"])
    assert absent.exit_code == 1


def test_an_incident_is_closed_by_somebody_else_than_who_is_involved_or_looked_into_it(fraud: Fraud) -> None:
    """Attack: whoever broke a clause looks into it and closes the incident."""
    fraud.set_up("section2")
    dated = fraud.act("go_off_duty", fraud.accounts["Abe"])
    entered = fraud.act("enter_employee", fraud.accounts["Abe"], fields={"post": "accountant"})
    assert fraud.send(entered).status_code == 201
    opened = fraud.send(dated)
    assert "incident-opened" in opened.text, opened.text
    found = fraud.act("investigate_incident", "I-1", fields={"finding": "an error"})
    close = fraud.act("close_incident", "I-1", fields={"outcome": "explained"})
    assert fraud.send(found, "Cora").status_code == 201
    assert "did, signed or is named" in why_refused(fraud.send(close))
    assert "does not close it" in why_refused(fraud.send(close, "Cora"))
    assert fraud.send(close, "Oskar").status_code == 201
    fraud.check()

"""Records over HTTP: approvals, shifts and reports, filed by those whose duty it is and read by others."""

from urllib.parse import quote

import pytest

from passline.rules.rules import Rules
from passline.tables.views.records import CLASSES
from passline.web.api.records import KINDS
from tests.people.house import PIN
from tests.web.house import OPENING, House

pytestmark = pytest.mark.long

LAB = {"kind": "laboratory_report", "authority": "laboratory", "reference": "LR-17", "date": "2026-11-01"}


@pytest.mark.clause("AZ-II.A.2")
def test_arizona_needs_a_laboratorys_report_before_electronic_dice(house: House) -> None:
    """AZ-II.A.2: electronic parts are evaluated by a laboratory first."""
    arizona = {**OPENING, "name": "Arizona", "house": {"rules": "arizona"}, "buy_in": "dealer"}
    refused = house.owner.post("/api/tables", arizona)
    assert refused.status_code == 409
    assert [one["clause"] for one in refused.json()["refusals"]] == ["AZ-II.A.2"]
    assert house.people["dealer"].post("/api/approvals", LAB).status_code == 409
    assert house.owner.post("/api/approvals", {**LAB, "id": "lab"}).status_code == 201
    assert house.owner.post("/api/approvals", {**LAB, "id": "lab"}).status_code == 201  # again is the same
    assert house.owner.post("/api/tables", arizona).status_code == 201
    on_file = house.people["regulator"].get("/api/records?kind=approvals").json()["records"]
    assert [one["reference"] for one in on_file] == ["LR-17"]
    assert house.people["regulator"].get("/api/tables/arizona").json()["table"]["histogram"] is None
    gone = house.owner.post("/api/approvals/withdraw", {**_without_date(), "reason": "expired"})
    assert gone.status_code == 200, gone.text


def _without_date() -> dict[str, str]:
    return {key: value for key, value in LAB.items() if key != "date"}


def test_a_shift_is_closed_with_another_persons_signature(house: House) -> None:
    alone = house.owner.post("/api/shift/close", {})
    assert alone.status_code == 403
    own = house.owner.post("/api/shift/close", {"sign_off": {"name": "Olga", "pin": PIN}})
    assert own.status_code == 403
    assert "somebody other than Olga" in own.json()["refusals"][0]["why"]
    signed = house.owner.post("/api/shift/close", {"sign_off": {"name": "Flo", "pin": PIN}})
    assert signed.status_code == 201, signed.text
    (closed,) = house.people["regulator"].get("/api/records?kind=checkpoints").json()["records"]
    assert closed["shift"] == 1
    assert closed["sequence"] <= signed.json()["sequence"]
    assert "craps-1" in {one["table"] for one in closed["tables"]}


def test_reports_are_filed_by_roles_that_keep_their_class(house: House) -> None:
    report = {"record_class": "surveillance", "table": "craps-1", "text": "camera 3 was out"}
    assert house.people["dealer"].post("/api/reports", report).status_code == 409
    assert house.people["surveillance"].post("/api/reports", report).status_code == 201
    records = house.people["regulator"].get("/api/records?kind=surveillance").json()["records"]
    assert ("Sue", "camera 3 was out") in {(one.get("name"), one["text"]) for one in records}
    (filed,) = house.people["regulator"].get("/api/records?kind=reports").json()["records"]
    assert filed["name"] == "Sue"
    days = house.people["regulator"].get("/api/records?kind=daily_activity_accounting").json()["records"]
    assert any("drop $500.00" in day["text"] for day in days)
    assert house.people["regulator"].get("/api/records?kind=gossip").status_code == 422
    for kind in (
        "activity",
        "postings",
        "disputes",
        "reports",
        "daily_activity_accounting",
        "security",
        "investigative",
    ):
        assert house.people["regulator"].get(f"/api/records?kind={kind}").status_code == 200


@pytest.mark.clause("AZ-II.E-0", "AZ-II.E.1", "AZ-II.E.2", "AZ-II.E.3", "AZ-II.E.4")
def test_AZ_II_E_0__the_regulator_reads_every_kind_of_record_and_the_whole_log(house: House) -> None:
    """AZ-II.E-0: all records, of which the four classes are examples; whatever is in the log is there to read."""
    filed = {"security": "surveillance", "surveillance": "surveillance", "investigative": "regulator"}
    for record_class, role in filed.items():
        report = {"record_class": record_class, "table": "craps-1", "text": f"seen by {role}"}
        assert house.people[role].post("/api/reports", report).status_code == 201
    page = house.people["regulator"]
    for kind in KINDS:
        assert page.get(f"/api/records?kind={kind}").status_code == 200, kind
    for record_class, role in filed.items():
        texts = [one["text"] for one in page.get(f"/api/records?kind={record_class}").json()["records"]]
        assert f"seen by {role}" in texts
    assert page.get("/api/records?kind=daily_activity_accounting").json()["records"]
    assert {*Rules.of("arizona").rulebook.general.live.records} == {"any", *CLASSES}
    entries = page.get("/api/log?after=0&limit=1000").json()["entries"]
    assert [one["sequence"] for one in entries] == [row.entry.sequence for row in house.server.log.read()]
    for path in (
        "/api/log/export",
        "/api/tables/craps-1/hands",
        "/api/tables/craps-1/at/99",
        "/api/tables/craps-1/ledger",
    ):
        assert page.get(path).status_code == 200, path


def test_a_refusal_names_all_roles_of_the_person(house: House) -> None:
    by = house.owner.get("/api/me").json()["account"]
    nat = house.server.hire("Nat", "player", "dealer", by=by)
    refused = house.page(nat.token, nat.session.csrf).post("/api/reports", {"record_class": "security", "text": "x"})
    assert (refused.status_code, "the player and dealer may not give" in refused.text) == (409, True), refused.text


def test_records_come_in_pages_newest_first_and_by_table_and_day(house: House) -> None:
    sue = house.people["surveillance"]
    for number in range(7):
        report = {"record_class": "security", "table": "craps-1" if number % 2 else "", "text": f"report {number}"}
        assert sue.post("/api/reports", report).status_code == 201
    path, found = "/api/records?kind=security&limit=3", list[str]()
    page = sue.get(path).json()
    while True:
        found += [one["text"] for one in page["records"]]
        if not page["next"]:
            break
        page = sue.get(f"{path}&before={quote(page['next'])}").json()
    assert [text for text in found if text.startswith("report")] == [f"report {number}" for number in range(6, -1, -1)]
    of_table = sue.get("/api/records?kind=security&table=craps-1").json()["records"]
    assert {one["table"] for one in of_table} == {"craps-1"}
    assert len(of_table) >= 3
    for query, is_there in {"since=2026-11-15": True, "since=2026-11-16": False, "until=2026-11-15": False}.items():
        assert bool(sue.get(f"/api/records?kind=security&{query}").json()["records"]) is is_there, query
    for wrong in ("limit=0", "limit=1001", "before=x", "before=a/b/c", f"table={'x' * 201}"):
        assert sue.get(f"/api/records?kind=security&{wrong}").status_code == 422, wrong


def test_a_record_that_an_insider_edits_in_the_views_is_not_shown(house: House) -> None:
    """The file of views is a cache: an edited row is found out, and everything is made again from the log."""
    sue = house.people["surveillance"]
    report = {"record_class": "surveillance", "table": "craps-1", "text": "camera 3 was out"}
    assert sue.post("/api/reports", report).status_code == 201
    assert sue.get("/api/records?kind=surveillance").status_code == 200
    store = house.server.services.views.store
    with store.transaction() as writer:
        writer.query("UPDATE records SET body = CAST(replace(body, 'was out', 'was on!') AS BLOB)")
    answers = [sue.get("/api/records?kind=surveillance") for _ in range(20)]
    assert answers[0].status_code == 503
    assert "made again from the log" in answers[0].text
    assert "was on!" not in "".join(answer.text for answer in answers)
    assert answers[-1].status_code == 200
    assert "camera 3 was out" in answers[-1].text

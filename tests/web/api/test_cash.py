"""Cash per patron over HTTP: buy-ins of live tables and the cage added up, reports due, read by those who must know."""

import pytest

from passline.office.verify import house_faults
from passline.web.api.office_lists import cash_in
from tests.web.house import House

pytestmark = pytest.mark.long

OFFICE = "/api/office/maryland"
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}


def _send(house: House, **command: object) -> None:
    answer = house.owner.post(f"{OFFICE}/commands", {"command": command})
    assert answer.status_code == 201, answer.text


def _notes(house: House) -> None:
    """Have the server look at the cash, as it does once a minute."""
    services = house.server.services
    portal = house.server.page.client.portal
    assert portal is not None
    portal.call(services.offices.note_cash, cash_in(services))


def test_buy_ins_are_added_up_and_a_report_becomes_due(house: House) -> None:
    assert house.owner.get(f"{OFFICE}/cash").status_code == 409
    _send(house, command="set-up-office", facility=FACILITY)
    found = house.people["regulator"].get(f"{OFFICE}/cash").json()
    (ann,) = found["patrons"]
    assert (ann["cents_in"], ann["cents_out"], ann["is_above"], ann["report"]) == (500_00, 0, False, "")
    _notes(house)
    _send(house, command="set-value", key="cash_report", value=500_00)
    _notes(house)
    assert house.owner.get(f"{OFFICE}/things/cash_report").json()["things"] == []
    again = {"id": "again", "command": {"command": "buy-in", "seat": 1, "cents": 1_00}}
    assert house.people["player"].post("/api/tables/craps-1/commands", again).status_code == 200
    _notes(house)
    _notes(house)
    (report,) = house.people["regulator"].get(f"{OFFICE}/things/cash_report").json()["things"]
    assert (report["state"], report["facts"]["cash_in"]) == ("due", 501_00)
    due = [one["clock"] for one in house.owner.get(f"{OFFICE}/today").json()["due"]]
    assert due == ["cash_report", "users_reviewed"]
    assert house.owner.get(f"{OFFICE}/cash").json()["patrons"][0]["report"] == "due"
    assert not list(house_faults(house.server.log.read()))


def test_cash_is_read_by_those_who_must_know_and_exported(house: House) -> None:
    _send(house, command="set-up-office", facility=FACILITY)
    _send(house, command="set-value", key="cash_report", value=1)
    _notes(house)
    for role in ("dealer", "floorperson", "surveillance", "player"):
        assert house.people[role].get(f"{OFFICE}/cash").status_code == 403
        assert house.people[role].get(f"{OFFICE}/things/cash_report").status_code == 403
    known = house.people["dealer"].get(OFFICE).json()
    assert ("cash_report" in known["things"], "file_cash_report" in known["acts"]) == (False, False)
    assert "file_cash_report" in house.owner.get(OFFICE).json()["acts"]
    for person, due in (
        (house.people["dealer"], []),
        (house.owner, ["cash_report", "users_reviewed"]),
    ):
        assert [one["clock"] for one in person.get(f"{OFFICE}/today").json()["due"]] == due
    (line,) = house.owner.get(f"{OFFICE}/cash?format=jsonl").text.splitlines()
    assert ('"name":"Ann"' in line, '"cash_in_cents":50' in line, '"report":"due"' in line) == (True, True, True)
    assert house.owner.get(f"{OFFICE}/cash?format=xlsx").content[:2] == b"PK"
    assert house.owner.get(f"{OFFICE}/cash?day=2020-01-01").json()["patrons"] == []
    assert house.owner.get(f"{OFFICE}/cash?day=monday").status_code == 422


def test_walk_ins_that_are_linked_to_an_account_are_one_patron_for_the_report(house: House) -> None:
    """Neither the buy-ins of the account nor the walk-in's chips from the cage are above the figure alone."""
    _send(house, command="set-up-office", facility=FACILITY)
    _send(house, command="leave-out", items=["acts.receive_chips.signs.witness", "acts.issue_chips.signs.witness"])
    _send(house, command="set-value", key="cash_report", value=1_000_00)
    welcome = house.server.hire("Cy", "cashier", by=house.olga)
    cashier = house.page(welcome.token, welcome.session.csrf)

    def does(act: str, *things: str, **fields: object) -> int:
        command = {"command": "do-act", "act": act, "things": things, "fields": fields}
        return cashier.post(f"{OFFICE}/commands", {"command": command}).status_code

    assert does("receive_chips", units={"10000": 50}, delivery="note 1") == 201
    assert does("issue_chips", units={"10000": 50}) == 201
    assert does("enter_patron", "W1", name="a man in a green hat") == 201
    assert does("enter_patron", "W2", name="the same man without it") == 201
    assert does("sell_chips", units={"10000": 5}, patron="W1") == 201
    assert does("sell_chips", units={"10000": 3}, patron="W2") == 201
    before = {one["patron"]: one for one in house.owner.get(f"{OFFICE}/cash").json()["patrons"]}
    (ann,) = [one for one in before if one.startswith("account/")]
    assert {one["is_above"] for one in before.values()} == {False}
    fields = {"accounts": [ann.removeprefix("account/")], "walk_ins": ["W2"]}
    link = {"command": "do-act", "act": "link_patron", "things": ["W1"], "fields": fields}
    assert cashier.post(f"{OFFICE}/commands", {"command": link}).status_code in {403, 409}, "compliance links"
    _send(house, **link)
    (one,) = house.owner.get(f"{OFFICE}/cash").json()["patrons"]
    assert (one["patron"], one["is_above"]) == ("patron/W1", True)
    assert one["cents_in"] == before[ann]["cents_in"] + 8 * 100_00
    assert {part["who"] for part in one["parts"]} == {ann, "patron/W1", "patron/W2"}
    _notes(house)
    reports = house.people["regulator"].get(f"{OFFICE}/things/cash_report").json()["things"]
    assert one["cents_in"] in [report["facts"]["cash_in"] for report in reports if report["state"] == "due"]
    for role in ("dealer", "floorperson", "surveillance", "player"):
        assert house.people[role].get(f"{OFFICE}/cash").status_code == 403
    assert not list(house_faults(house.server.log.read()))

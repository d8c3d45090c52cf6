"""What surveillance and those who close a shift read: open matters, totals by table, and the page of surveillance."""

import pytest

from tests.people.house import PIN
from tests.web.house import House

pytestmark = pytest.mark.long


def test_a_shift_has_totals_by_table_for_those_who_close_and_watch_it(house: House) -> None:
    for role in ("floorperson", "owner", "regulator", "surveillance"):
        answer = house.people[role].get("/api/shift")
        assert answer.status_code == 200, answer.text
        [table] = [one for one in answer.json()["tables"] if one["table"] == "craps-1"]
        assert (table["fills"], table["drop"]) == (10_000_00, 500_00)
        assert table["bank"] == 9_500_00 + table["win"]
        assert table["win"] == 10_00  # 1-1: the pass line lost
    for role in ("player", "dealer"):
        assert house.people[role].get("/api/shift").status_code == 403
    closing = {"id": "close", "sign_off": {"name": "Flo", "pin": PIN}}
    assert house.owner.post("/api/shift/close", closing).status_code == 201
    after = house.owner.get("/api/shift").json()
    assert after["shift"] == 2
    assert [(one["bank_before"], one["win"], one["drop"]) for one in after["tables"] if one["table"] == "craps-1"] == [
        (9_510_00, 0, 0)
    ]


def test_open_matters_are_for_those_who_read_the_log(house: House) -> None:
    freeze = {"id": "freeze", "role": "floorperson", "command": {"command": "freeze-table", "reason": "a late bet"}}
    assert house.people["floorperson"].post("/api/tables/craps-1/commands", freeze).status_code == 200
    for role in ("owner", "regulator", "surveillance"):
        [matter] = house.people[role].get("/api/matters").json()["matters"]
        assert (matter["kind"], matter["table"], matter["text"]) == ("dispute", "craps-1", "frozen, a late bet")
        assert matter["clause"].startswith("MD-")
    for role in ("player", "dealer", "floorperson"):
        assert house.people[role].get("/api/matters").status_code == 403


def test_surveillance_has_its_own_page(house: House) -> None:
    page = house.people["surveillance"].get("/surveillance")
    assert page.status_code == 200
    for words in ("Open at the tables now", "File a report", "Report at a table", "Search the log"):
        assert words in page.text
    assert 'value="surveillance"' in page.text
    assert 'value="investigative"' not in page.text.split('id="report-table"')[0]  # the regulator files those
    for role in ("owner", "regulator", "dealer"):
        assert house.people[role].get("/surveillance").status_code == 403

"""Tables without keyed wagers over HTTP, and a closed table that is opened again by a command to itself."""

from uuid import uuid4

import pytest

from passline.office.verify import house_faults
from tests.people.house import PIN
from tests.web.house import OPENING, House

pytestmark = pytest.mark.long

SIGNED = {"name": "Flo", "pin": PIN}
COUNTED = {
    **OPENING, "name": "Counted", "dice": "physical", "buy_in": "dealer", "automate": [], "is_keyed": False,
}  # fmt: skip


def _send(house: House, role: str, /, **command: object) -> tuple[int, str]:
    body: dict[str, object] = {"id": uuid4().hex, "command": command, "role": role}
    if command["command"] == "close-table":
        body["sign_off"] = SIGNED
    answer = house.people[role].post("/api/tables/counted/commands", body)
    return answer.status_code, answer.text


@pytest.fixture(scope="module", autouse=True)
def counted(house: House) -> None:
    assert house.owner.post("/api/tables", COUNTED).status_code == 201


def test_a_table_is_counted_rated_and_says_what_it_does_not_cover(house: House) -> None:
    electronic = house.owner.post("/api/tables", {**COUNTED, "name": "Screen", "dice": "electronic"})
    assert (electronic.status_code, "is_keyed" in electronic.text) == (409, True)
    seen = house.people["floorperson"].get("/api/tables/counted?role=floorperson").json()
    assert seen["table"]["is_keyed"] is False
    assert seen["own"]["not_covered"] == ["bank", "drop", "tip_box"]
    assert "bank" not in seen["own"]
    status, text = _send(house, "dealer", command="buy-in", seat=1, cents=100_00)
    assert (status, "wagers are not keyed in at this table" in text) == (409, True)
    rated = _send(house, "floorperson", command="rate-player", name="Zoe", average_cents=25_00, minutes=90)
    assert rated[0] == 200, rated
    assert "as an estimate" in rated[1]
    assert _send(house, "dealer", command="rate-player", name="Zoe", average_cents=25_00, minutes=90)[0] == 409
    page = house.people["floorperson"].get("/tables/counted/crew?role=floorperson").text
    assert '"rate-player"' in page
    assert '"seat-player"' not in page
    assert not list(house_faults(house.server.log.read()))


def test_a_closed_table_is_not_opened_past_its_office(house: House) -> None:
    assert _send(house, "owner", command="close-table")[0] == 200
    here = {"where": "here", "sign_off": SIGNED}
    assert house.owner.post("/api/office", here).status_code == 201
    opening = {key: value for key, value in COUNTED.items() if key not in {"sign_off", "bank_cents"}}
    forged = {"clearance": 1, "opener": {"office": "maryland", "entry": 1, "act": 1, "cents": 5_00, "on_record": 5_00}}
    for more in ({}, forged):
        status, text = _send(house, "owner", **{"command": "open-table", **opening, **more})
        assert (status, "the office is not set up" in text) == (409, True), text
    assert house.owner.get("/api/tables/counted").json()["table"]["status"] == "closed"
    assert 'name="bank_cents"' not in house.owner.get("/house").text
    assert not list(house_faults(house.server.log.read()))

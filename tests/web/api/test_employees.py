"""Who is an employee at a table that employees may not play at: known by account or patron, never by name."""

from collections.abc import Iterator

import pytest

from passline.office.verify import house_faults
from tests.people.house import PIN
from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long


@pytest.fixture
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)


def _open_arizona(house: House) -> None:
    report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
    assert house.owner.post("/api/approvals", report).status_code == 201
    body = {"command": "open-table", "name": "Arizona", "house": {"rules": "arizona"}, "dice": "physical"}
    assert house.owner.post("/api/tables", body).status_code == 201


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_name_like_an_employees_only_warns_the_floorperson_who_decides(house: House) -> None:
    """AZ-II.M.3-a: a walk-in who has an employee's name is no employee, and one with a longer name may be: people look.

    A walk-in "Cal" was barred because a cashier is called Cal, and "Cal Jones" passed.
    """
    _open_arizona(house)
    house.server.hire("Cal", "cashier", by=house.olga)

    def seat(number: int, name: str, role: str = "dealer", **more: object) -> tuple[int, str]:
        seating = {"command": "seat-player", "seat": number, "account": f"walk-in-{number}", "name": name}
        sign_off = {"sign_off": more.pop("sign_off")} if "sign_off" in more else {}
        body = {"id": f"{role}-{name}-{len(more)}-{len(sign_off)}", "command": {**seating, **more}, "role": role}
        answer = house.people[role].post("/api/tables/arizona/commands", {**body, **sign_off})
        refusals = answer.json().get("refusals", [])
        return answer.status_code, refusals[0]["why"] if refusals else ""

    for name in ("Cal", "Cal Jones", "CAL", "C. Jones"):
        status, why = seat(1, name)
        assert (status, f"{name} may be Cal, who is employed here" in why) == (409, True), why
        assert seat(1, name, "floorperson")[0] == 409, "the floorperson is warned too"
    assert seat(1, "Carl Jones") == (200, ""), "another name"
    status, why = seat(2, "Cal", is_somebody_else=True)
    assert (status, "needs the signature of a floorperson" in why) == (403, True), why
    signed = {"name": "Flo", "pin": PIN}
    assert seat(2, "Cal", is_somebody_else=True, sign_off=signed) == (200, "")
    assert seat(3, "Cal Jones", "floorperson", is_somebody_else=True) == (200, "")
    status, why = seat(4, "Flo Jones", "floorperson", is_somebody_else=True)
    assert (status, "cannot say of themselves" in why) == (409, True), why
    status, why = seat(4, "Flo Jones", is_somebody_else=True, sign_off=signed)
    assert (status, "cannot say of themselves" in why) == (409, True), why
    records = house.people["regulator"].get("/api/records?kind=security").json()["records"]
    told = [one for one in records if "is not the employee Cal: a floorperson has looked" in str(one)]
    assert len(told) == 2
    assert not list(house_faults(house.server.log.read()))


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_patron_whom_the_office_linked_to_an_employee_is_not_seated(house: House) -> None:
    """AZ-II.M.3-a: an employee is known by the office's record of a patron too, whatever name is keyed in."""
    _open_arizona(house)
    owner = house.people["owner"]
    dealer = house.server.desk.people().account_named("Dan")
    assert dealer is not None

    def send(**command: object) -> None:
        answer = owner.post("/api/office/arizona/commands", {"command": command})
        assert answer.status_code == 201, answer.text

    send(command="set-up-office", facility={"name": "Mesa", "zone": "America/Phoenix", "subdivision": "AZ"})
    for patron in ("P1", "P2"):
        send(command="do-act", act="enter_patron", things=[patron], fields={"name": f"patron {patron}"})
    send(command="do-act", act="link_patron", things=["P1"], fields={"accounts": [dealer.id]})

    def seat(number: int, patron: str, name: str = "Zoe") -> tuple[int, str]:
        command = {"command": "seat-player", "seat": number, "account": f"w{number}", "name": name, "patron": patron}
        body = {"id": f"seat-{number}", "command": command, "role": "dealer"}
        answer = house.people["dealer"].post("/api/tables/arizona/commands", body)
        refusals = answer.json().get("refusals", [])
        return answer.status_code, refusals[0]["clause"] if refusals else ""

    assert seat(1, "P1") == (409, "AZ-II.M.3-a")
    assert seat(2, "P2") == (200, "")
    assert seat(3, "P3")[0] == 422, "nobody on record"
    ann = house.server.desk.people().account_named("Ann")
    assert ann is not None
    send(command="do-act", act="link_patron", things=["P2"], fields={"accounts": [ann.id]})
    assert seat(4, "P2", "Dan Smith") == (409, "AZ-II.M.3-a"), "another's number does not vouch for a name"
    assert seat(5, "P2", "Ann") == (200, "")

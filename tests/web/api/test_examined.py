"""What examiners did over HTTP with no incident, done again: each is refused with its clause."""

from collections.abc import Iterator
from itertools import count

import pytest

from tests.people.house import PIN
from tests.web.house import House
from tests.web.server import serving

pytestmark = pytest.mark.long

_MESA = {"name": "Mesa", "zone": "America/Phoenix", "subdivision": "AZ"}
_HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
_FOUR_DUTIES = dict.fromkeys(("directs", "oversees", "resolves", "schedules"), True)
_KNOWS = ["the play of every authorized craps game", "the regulations of craps"]
_LICENSED = {"licence_until": "2030-12-31", "certificate_until": "2030-12-31"}


@pytest.fixture
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)


def _ask(house: House, role: str, office: str, **command: object) -> tuple[int, list[str]]:
    """The status of the answer to a command, and the clauses that it names."""
    answer = house.people[role].post(f"/api/office/{office}/commands", {"command": command})
    return answer.status_code, [refusal["clause"] for refusal in answer.json().get("refusals", ())]


def _do(house: House, role: str, office: str, act: str, *things: str, **fields: object) -> tuple[int, list[str]]:
    return _ask(house, role, office, command="do-act", act=act, things=things, fields=fields)


def _account(house: House, name: str) -> str:
    account = house.server.desk.people().account_named(name)
    assert account is not None
    return account.id


def test_nobody_settles_an_objection_that_was_not_made(house: House) -> None:
    """AZ-II.G.3-e: not even the TGO itself."""
    assert _ask(house, "owner", "arizona", command="set-up-office", facility=_MESA)[0] == 201
    assert _do(house, "owner", "arizona", "draft_house", "h1", file={"rules": "arizona"})[0] == 201
    assert _ask(house, "owner", "arizona", command="assign-body", account=_account(house, "Reg"), body="TGO")[0] == 201
    settled = _do(house, "regulator", "arizona", "settle_objection", "h1", settled_by="agreement")
    assert settled == (409, ["AZ-II.G.3-e"])


def test_a_floorperson_is_a_supervisor_at_a_live_table_once_designated_and_as_long(house: House) -> None:
    """AZ-I.7: the same designation counts in the office and at the table."""
    report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
    assert house.owner.post("/api/approvals", report).status_code == 201
    opening = {"command": "open-table", "name": "Arizona", "house": {"rules": "arizona"}, "dice": "physical"}
    assert house.owner.post("/api/tables", opening).status_code == 201

    ids = count()

    def seat(number: int) -> tuple[int, list[str]]:
        command = {"command": "seat-player", "seat": number, "account": f"w{number}", "name": f"Zoe {number}"}
        body = {"id": f"seat-{next(ids)}", "command": command, "role": "floorperson"}
        answer = house.people["floorperson"].post("/api/tables/arizona/commands", body)
        return answer.status_code, [refusal["clause"] for refusal in answer.json().get("refusals", ())]

    assert seat(1) == (200, []), "while the house keeps its office elsewhere"
    here = {"where": "here", "sign_off": {"name": "Flo", "pin": PIN}}
    assert house.owner.post("/api/office", here).status_code == 201
    assert _ask(house, "owner", "arizona", command="set-up-office", facility=_MESA)[0] == 201
    assert seat(2) == (409, ["AZ-I.7"])
    flo, one_person = _account(house, "Flo"), ["acts.enter_employee.signs.second"]
    assert _ask(house, "owner", "arizona", command="leave-out", items=one_person)[0] == 201
    assert _do(house, "owner", "arizona", "enter_employee", flo, post="floorperson", **_LICENSED)[0] == 201
    assert seat(2) == (409, ["AZ-I.7"]), "a licence is no designation"
    assert _do(house, "owner", "arizona", "designate_supervisor", flo, knows=_KNOWS, **_FOUR_DUTIES)[0] == 201
    assert seat(2) == (200, [])
    assert _do(house, "owner", "arizona", "end_designation", flo)[0] == 201
    assert seat(3) == (409, ["AZ-I.7"])


def test_nobody_works_who_is_suspended_or_has_left(house: House) -> None:
    office = "maryland"
    assert _ask(house, "owner", office, command="set-up-office", facility=_HARBOUR)[0] == 201
    assert _do(house, "owner", office, "register_table", "t1", area="main floor", length=144)[0] == 201
    flo = _account(house, "Flo")
    assert _do(house, "owner", office, "enter_employee", flo, post="floorperson", licence="L-1")[0] == 201
    twice = _do(house, "owner", office, "enter_employee", _account(house, "Dan"), post="dealer", licence="L-1")
    assert twice == (409, ["practice"]), "one licence, one employee"
    change = {"change": "a new paddle"}
    fill = {"table": "t1", "units": {"500": 1}}
    assert _do(house, "floorperson", office, "change_equipment", "t1", **change)[0] == 201
    assert _do(house, "owner", office, "suspend_employee", flo, reason="a complaint")[0] == 201
    no_chips, logged_out = (409, ["practice"]), (401, ["duties"])
    assert _do(house, "floorperson", office, "request_fill", **fill) == logged_out
    alone = ["acts.return_employee.signs.second"]
    assert _ask(house, "owner", office, command="leave-out", items=alone)[0] == 201
    assert _do(house, "owner", office, "return_employee", flo)[0] == 201
    assert _do(house, "floorperson", office, "request_fill", **fill) == no_chips
    assert _do(house, "owner", office, "leave_employment", flo)[0] == 201
    assert _do(house, "floorperson", office, "request_fill", **fill) == logged_out


def test_a_table_is_entered_only_under_the_name_of_a_live_one(house: House) -> None:
    assert _ask(house, "owner", "arizona", command="set-up-office", facility=_MESA)[0] == 201
    assert _do(house, "owner", "arizona", "register_table", "Craps-1", area="main floor") == (422, ["form"])
    assert _do(house, "owner", "arizona", "register_table", "craps-1", area="main floor") == (201, [])

"""Whoever is suspended or has left by the office is out of the house in the same moment, and in again as it says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.people.house import PIN
from tests.web.house import House

pytestmark = pytest.mark.long


def test_who_is_suspended_has_no_session_and_signs_nothing(house: House) -> None:
    owner, flo = house.owner, house.people["floorperson"]
    account = house.server.desk.people().account_named("Flo")
    assert account is not None

    def does(**command: Any) -> None:  # noqa: ANN401
        answer = owner.post("/api/office/maryland/commands", {"command": command})
        assert answer.status_code == 201, answer.text

    does(command="set-up-office", facility={"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"})
    does(command="do-act", act="enter_employee", things=[account.id], fields={"post": "floor"})
    assert flo.get("/api/me").status_code == 200
    does(command="do-act", act="suspend_employee", things=[account.id], fields={"reason": "an inquiry"})
    assert flo.get("/api/me").status_code == 401
    table = {"command": "open-table", "name": "Craps 9", "house": {"rules": "maryland"}, "dice": "physical"}
    signed = {"sign_off": {"name": "Flo", "pin": PIN}}
    answer = owner.post("/api/tables", {**table, "bank_cents": 500_00, **signed})
    assert answer.status_code == 403, answer.text
    does(command="leave-out", items=["acts.return_employee.signs.second"])
    does(command="do-act", act="return_employee", things=[account.id])
    assert flo.get("/api/me").status_code == 200

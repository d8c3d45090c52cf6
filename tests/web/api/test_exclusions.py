"""Whoever is kept away from the games sits nowhere and enters nothing: by account, by patron, by a like name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.people.house import PIN
from tests.web.api.small_evening import MAIN, sent, small_plan
from tests.web.house import House

pytestmark = pytest.mark.long


def test_whoever_is_kept_away_neither_sits_down_nor_enters_a_tournament(house: House) -> None:
    owner, flo = house.owner, {"name": "Flo", "pin": PIN}
    ann = house.server.desk.people().account_named("Ann")
    assert ann is not None

    def does(**command: Any) -> None:  # noqa: ANN401
        answer = owner.post("/api/office/maryland/commands", {"command": command})
        assert answer.status_code == 201, answer.text

    does(command="set-up-office", facility={"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"})
    does(command="do-act", act="enter_patron", things=["P1"], fields={"name": "Carl Jones"})
    does(command="do-act", act="link_patron", things=["P1"], fields={"accounts": [ann.id]})
    why = {"reason": "asked for it", "by_whom": "patron", "list": "self-excluded"}
    does(command="do-act", act="bar_patron", things=["P1"], fields=why)

    table = {"command": "open-table", "name": "Craps 9", "house": {"rules": "maryland"}, "dice": "physical"}
    assert owner.post("/api/tables", table).status_code == 201

    def seat(number: int, role: str, command: dict[str, Any], **more: Any) -> tuple[int, str]:  # noqa: ANN401
        body = {"id": f"seat-{role}-{number}", "command": {"seat": number, **command}, "role": role, **more}
        answer = house.people[role].post("/api/tables/craps-9/commands", body)
        return answer.status_code, (answer.json().get("refusals") or [{"why": ""}])[0]["why"]

    gone = "is kept away from the games (patron P1, self-excluded)"
    assert seat(1, "player", {"command": "take-seat"}) == (409, f"Ann {gone}")
    walk_in = {"command": "seat-player", "account": "w1", "name": "Zoe", "patron": "P1"}
    assert seat(2, "dealer", walk_in) == (409, f"Zoe {gone}")
    alike = {"command": "seat-player", "account": "w2", "name": "C. Jones"}
    status, said = seat(3, "dealer", alike)
    assert (status, said.startswith(f"C. Jones may be Carl Jones, who {gone}")) == (409, True), said
    assert seat(4, "dealer", {**alike, "is_somebody_else": True}, sign_off=flo) == (200, "")

    plan = {**small_plan(), "id": "cup"}
    assert sent(owner, "/api/tournaments/commands", command="plan-tournament", plan=plan)[0] == 201
    enters = {"command": "enter-player", "event": MAIN}
    for who in ({"name": "Ann", "account": ann.id}, {"name": "Carl Jones"}):
        status, answer = sent(owner, "/api/tournaments/cup/commands", **enters, **who)
        assert (status, answer["refusals"][0]["clause"]) == (409, "practice"), answer
    (listed,) = house.people["floorperson"].get("/api/office/maryland/exclusions").json()["exclusions"]
    assert (listed["patron"], listed["list"]) == ("P1", "self-excluded")

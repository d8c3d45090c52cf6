"""Dice that alarm at a running server: it opens the incident by itself, and the crew takes them out of play."""

from collections.abc import Iterator
from typing import Any

import pytest

from passline.exact.dice_faults import FAULTS
from passline.office.verify import house_faults
from passline.web import app
from tests.waiting import wait_until
from tests.web.server import Browser, Server, serving

pytestmark = pytest.mark.long

OFFICE, TABLE = "/api/office/maryland", "/api/tables/harbor"
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
OPENING = {"name": "harbor", "house": {"rules": "maryland"}, "dice": "physical", "is_keyed": False}
ROLES = ("stickperson", "boxperson", "floorperson")


class Pit:
    """A table with physical dice at a server, its crew, and an office that wants to know early."""

    def __init__(self, server: Server) -> None:
        self.server, self.asked = server, 0
        olga = server.owner()
        self.at = {"owner": self._page(olga.token, olga.session.csrf)}
        for role in ROLES:
            welcome = server.hire(role.title(), role, by=olga.session.account.id)
            self.at[role] = self._page(welcome.token, welcome.session.csrf)
        assert self.at["owner"].post("/api/tables", {"command": "open-table", **OPENING}).status_code == 201
        for command in (
            {"command": "set-up-office", "facility": FACILITY},
            {"command": "set-value", "key": "dice_alarm", "value": 10},
        ):
            assert self.at["owner"].post(f"{OFFICE}/commands", {"command": command}).status_code == 201

    def _page(self, token: str, csrf: str) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page

    def ask(self, role: str, **command: object) -> int:
        self.asked += 1
        body = {"id": f"ask-{self.asked}", "command": command, "role": role}
        return self.at[role].post(f"{TABLE}/commands", body).status_code

    def dice(self) -> dict[str, Any]:
        found: dict[str, Any] = self.at["floorperson"].get(f"{OFFICE}/dice-evidence").json()["sets"][0]
        return found

    def incidents(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.at["owner"].get(f"{OFFICE}/things/incident").json()["things"]
        return found


@pytest.fixture
def pit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    monkeypatch.setattr(app, "_LOOK_SECONDS", 0.05)  # a minute otherwise
    with serving() as server:
        yield Pit(server)


def test_the_server_opens_an_incident_and_the_dice_leave_play_by_the_usual_act(pit: Pit) -> None:
    while not pit.dice()["alarm"]:
        assert pit.ask("stickperson", command="key-dice", first=6, second=6) == 200
    alarm = pit.dice()["alarm"]
    assert alarm["rolls"] == pit.dice()["rolls"] > 1
    wait_until(lambda: bool(pit.incidents()))
    (incident,) = pit.incidents()
    assert (incident["state"], "dice set 1 of table harbor" in incident["facts"]["why"]) == ("open", True)
    assert f"its {alarm['rolls']} rolls speak against fair dice {alarm['evidence']} to one" in incident["facts"]["why"]
    assert pit.ask("boxperson", command="condemn-dice", reason="tampered", text="6-6 again and again") == 200
    assert not pit.dice()["is_in_use"]
    assert pit.ask("stickperson", command="key-dice", first=1, second=2) == 409
    assert pit.ask("boxperson", command="put-in-dice") == 200
    assert pit.ask("stickperson", command="key-dice", first=1, second=2) == 200
    assert (pit.dice()["number"], pit.dice()["rolls"], pit.dice()["alarm"]) == (2, 1, None), "told once, then anew"
    assert len(pit.incidents()) == 1
    assert [fault.what for fault in house_faults(pit.server.log.read())] == []


def test_the_page_tells_what_would_by_now_have_been_found_and_how_many_false_alarms_a_year(pit: Pit) -> None:
    assert pit.ask("stickperson", command="key-dice", first=3, second=5) == 200
    told = pit.at["floorperson"].get(f"{OFFICE}/dice-evidence").json()
    assert told["life_hours"] == 24
    assert told["false_alarms_a_year"] == pytest.approx(36.5, abs=0.1), "alarms at ten to one, dice of a day"
    (one,) = told["sets"]
    assert (one["life"]["hours"], one["life"]["rolls"]) == (24, 2400)
    assert [found["fault"] for found in one["found"]] == [fault.name for fault in FAULTS]
    for found in one["found"]:
        assert len(found["now"]) == len(one["parts"])
        assert max(found["now"]) < found["life"] or found["life"] < 1e-6
        assert found["is_beyond"] == (found["life"] < 0.05)

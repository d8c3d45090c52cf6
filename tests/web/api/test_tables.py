"""Commands over HTTP: an id acts once, and a fault of the server is answered as one."""

from typing import Any

import pytest

from tests.web.house import House


def test_an_id_sent_again_with_another_command_is_refused(house: House) -> None:
    asked: dict[str, Any] = {"id": "again", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    page = house.people["player"]
    first = page.post("/api/tables/craps-1/commands", asked)
    assert first.json() == page.post("/api/tables/craps-1/commands", asked).json()
    other = page.post("/api/tables/craps-1/commands", {**asked, "command": {**asked["command"], "cents": 200_00}})
    assert other.status_code == 409
    assert "the id again was sent before with another command" in other.json()["refusals"][0]["why"]


def test_a_fault_of_the_server_is_answered_with_500(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.tables.runtime.table_stream.decide", None)
    asked = {"id": "fault", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    answer = house.people["player"].post("/api/tables/craps-1/commands", asked)
    assert answer.status_code == 500
    assert answer.json()["refusals"][0]["why"] == "the server has a fault; nothing was done"

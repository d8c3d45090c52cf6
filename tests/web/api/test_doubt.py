"""The API while it is not known what became of a command: it says so, and answers later by the command's id."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.streams.doubtful_log import DoubtfulLog
from tests.web.house import House
from tests.web.server import ADDRESS, Server

COMMANDS = "/api/tables/craps-1/commands"
LIVE = f"{ADDRESS.replace('http', 'ws')}/api/tables/craps-1/live"
FIELD = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00}


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", (0.01,))
    monkeypatch.setattr("tests.people.house.MemoryLog", DoubtfulLog)
    server = Server()
    with server.page.client:
        yield House(server)


def log_of(house: House) -> DoubtfulLog:
    assert isinstance(house.server.log, DoubtfulLog)
    return house.server.log


def rack(house: House) -> Any:  # noqa: ANN401 - of JSON
    return house.people["player"].get("/api/tables/craps-1").json()["own"]["rack"]


@pytest.mark.parametrize("loss", ["request", "answer"])
def test_a_request_in_doubt_says_so_and_its_outcome_can_be_asked(house: House, loss: Any) -> None:  # noqa: ANN401
    ann, before = house.people["player"], rack(house)
    log_of(house).lose(loss, 1_000)
    answer = ann.post(COMMANDS, {"id": "one", "command": FIELD})
    assert (answer.status_code, answer.json()["in_doubt"]) == (503, True)
    assert "not known yet whether this was done" in answer.text
    assert "nothing" not in answer.text
    asked = ann.get(f"{COMMANDS}/one")
    assert (asked.status_code, asked.json()["in_doubt"]) == (503, True)
    log_of(house).lose(loss, 0)
    asked = ann.get(f"{COMMANDS}/one")
    if loss == "answer":
        assert asked.json()["id"] == "one"
        assert asked.json()["head"]["sequence"] >= asked.json()["sequence"]
        assert ann.post(COMMANDS, {"id": "one", "command": FIELD, "again": True}).json() == asked.json()
        assert rack(house) == before - 5_00
    else:
        assert asked.status_code == 404
        assert "was not done, and under its id it never will be" in asked.text
        assert ann.post(COMMANDS, {"id": "one", "command": FIELD}).status_code == 409
        assert rack(house) == before
    assert house.people["dealer"].get(f"{COMMANDS}/one").status_code == 404  # nobody else's command


def test_a_log_that_is_down_is_not_in_doubt(house: House) -> None:
    log_of(house).lose("down", 1_000)
    answer = house.people["player"].post(COMMANDS, {"id": "one", "command": FIELD})
    assert (answer.status_code, answer.json()["in_doubt"]) == (503, False)
    assert "this request did nothing" in answer.text
    log_of(house).lose("down", 0)


@pytest.mark.parametrize("loss", ["request", "answer"])
def test_a_screen_is_told_that_a_command_is_in_doubt_and_can_ask(house: House, loss: Any) -> None:  # noqa: ANN401
    with house.people["player"].client.websocket_connect(LIVE) as socket:

        def told() -> Any:  # noqa: ANN401 - of JSON
            while (message := socket.receive_json())["kind"] in {"news", "table"}:
                pass
            return message

        log_of(house).lose(loss, 1_000)
        socket.send_json({"id": "one", "command": FIELD})
        doubt = told()
        assert (doubt["kind"], doubt["id"]) == ("in-doubt", "one")
        socket.send_json({"ask": "outcome", "id": "one"})
        assert told()["kind"] == "in-doubt"
        log_of(house).lose(loss, 0)
        socket.send_json({"ask": "outcome", "id": "one"})
        answer = told()
        assert (answer["kind"], answer["id"]) == ("done" if loss == "answer" else "refused", "one")


def test_a_spectator_asks_after_nothing(house: House) -> None:
    with house.people["nobody"].client.websocket_connect(f"{LIVE}?role=spectator") as socket:
        socket.receive_json()
        socket.send_json({"ask": "outcome", "id": "one"})
        assert socket.receive_json()["kind"] == "refused"

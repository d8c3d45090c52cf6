"""What the server really sends has the shapes that the scripts' types are made from, and nothing else."""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import msgspec
import pytest
from starlette.testclient import WebSocketTestSession

from passline.layout.geometry import Layout
from passline.rules.clauses import REGULATIONS
from passline.rules.rules import Rules
from passline.web.pages.crew_card import chips_in_use, crew_card
from tests.web.house import House
from tests.web.scripts.shapes import ConsoleData, CrewCard, News, PackedSettled, ServerMessage, TableView, WholeTable
from tests.web.server import ADDRESS

LIVE = f"{ADDRESS.replace('http', 'ws')}/api/tables/craps-1/live"


def received(socket: WebSocketTestSession, kind: type[Any]) -> list[Any]:
    """Receive messages up to the first of a kind; each must have the shape of one."""
    found: list[Any] = []
    while not found or not isinstance(found[-1], kind):
        found.append(msgspec.json.decode(socket.receive_text(), type=ServerMessage))
    for news in found:
        for part, value in news.changed.items() if isinstance(news, News) else ():
            shape = PackedSettled if part == "settled" else get_type_hints(TableView)[part]
            msgspec.convert(value, shape)
    return found


@pytest.mark.parametrize(
    ("person", "role"), [("player", "player"), ("floorperson", "floorperson"), ("nobody", "spectator")]
)
def test_a_screen_is_sent_the_whole_table_in_the_shape_that_scripts_expect(
    house: House, person: str, role: str
) -> None:
    with house.people[person].client.websocket_connect(f"{LIVE}?role={role}") as socket:
        (whole,) = received(socket, WholeTable)
    assert whole.table.id == "craps-1"
    assert (whole.own is None) is (role == "spectator")


def test_news_answers_and_refusals_have_their_shapes(house: House) -> None:
    with house.people["player"].client.websocket_connect(LIVE) as socket:
        received(socket, WholeTable)
        kinds = set()
        field = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00}
        asks = (
            {"id": "s1", "command": field},
            {"id": "s2", "command": {**field, "cents": 1}},
            {"id": "s3", "ask": "areas"},
            {"id": "s4", "command": {"command": "roll", "seat": 1}},
        )
        for ask in asks:
            socket.send_json(ask)
            kinds |= {type(message).__name__ for message in _until_answered(socket, ask["id"])}
        socket.send_json({"ask": "table"})
        kinds |= {type(message).__name__ for message in received(socket, WholeTable)}
    assert kinds == {"News", "DoneAnswer", "RefusedAnswer", "AreasAnswer", "WholeTable"}


def _until_answered(socket: WebSocketTestSession, id_: object) -> list[Any]:
    found: list[Any] = []
    while not found or getattr(found[-1], "id", None) != id_:
        found += received(socket, object)
    return found


def test_the_crews_console_embeds_what_its_scripts_expect(house: House) -> None:
    page = house.people["dealer"].client.get("/tables/craps-1/crew").text
    embedded = re.search(r'id="console">(.*?)</script>', page, flags=re.DOTALL)
    assert embedded is not None
    data = msgspec.json.decode(embedded[1], type=ConsoleData)
    assert data.table == "craps-1"
    assert "make-wager" in data.may


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_the_crews_card_of_every_regulation_has_its_shape(regulation: str) -> None:
    rules = Rules.of(regulation)
    card = msgspec.convert({**crew_card(rules), "chips": chips_in_use(rules)}, CrewCard)
    assert card.regulation == regulation


def test_the_layout_has_its_shape(house: House) -> None:
    answer = house.people["player"].client.get("/api/tables/craps-1/layout")
    assert msgspec.json.decode(answer.content, type=Layout).table.areas

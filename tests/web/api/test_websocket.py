"""The websocket: who may open it, what it sends, and how it refuses invalid messages."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from tests.cases import one_in
from tests.people.house import PASSWORD
from tests.web.house import House
from tests.web.server import ADDRESS, Browser, serving

pytestmark = pytest.mark.long

LIVE = "/api/tables/craps-1/live"


def opened(house: House, who: str, path: str = LIVE, **headers: str) -> Any:  # noqa: ANN401 - Starlette's own type
    return house.people[who].client.websocket_connect(f"{ADDRESS.replace('http', 'ws')}{path}", headers=headers)


@pytest.mark.parametrize(
    ("who", "path", "headers", "code"),
    [
        ("player", f"{LIVE}?role=dealer", {}, 1008),
        ("player", f"{LIVE}?role=owner", {}, 1008),
        ("nobody", "/api/tables/nowhere/live", {}, 4404),
        ("player", LIVE, {"origin": "http://evil.example"}, 1008),
    ],
)
def test_a_refused_websocket_is_closed_with_its_code(
    house: House, who: str, path: str, headers: dict[str, str], code: int
) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, opened(house, who, path, **headers) as socket:
        socket.receive_text()
    assert closed.value.code == code


def test_the_first_message_is_the_table_with_what_the_role_sees(house: House) -> None:
    with opened(house, "player") as socket:
        first = socket.receive_json()
    assert (first["kind"], first["own"]["seat"], first["own"]["role"]) == ("table", 1, "player")
    with opened(house, "dealer", f"{LIVE}?role=dealer") as socket:
        assert set(socket.receive_json()["own"]) >= {"bank", "racks", "drop"}
    with opened(house, "nobody", f"{LIVE}?role=spectator") as socket:
        assert socket.receive_json()["own"] is None


@pytest.mark.parametrize(
    ("said", "id_", "why"),
    [
        ("{", "", "not JSON"),
        ('{"id":"7","command":{"command":"no-such"}}', "7", "not understood"),
        ('{"id":"7","command":{"command":"roll","seat":1},"extra":1}', "7", "not understood"),
        ('{"command":{"command":"roll","seat":1}}', "", "needs an id"),
        ('{"id":"%s","command":{"command":"roll","seat":1}}' % ("x" * 65), "x" * 65, "needs an id"),
        ("[" * 60_000, "", ""),
        ('{"id":"8","command":{"command":"land-dice","first":6,"second":6}}', "8", "nobody may give"),
        ('{"id":"s","command":{"command":"report-shown","freeze":1,"shown":{"1":1}}}', "s", "nobody may give"),
        (
            '{"id":"9","command":{"command":"correct-roll","first":6,"second":6,"reason":"x"}}',
            "9",
            "the player may not give",
        ),
    ],
)
def test_an_invalid_message_is_refused_by_id_and_the_connection_stays_open(
    house: House, said: str, id_: str, why: str
) -> None:
    with opened(house, "player") as socket:
        socket.receive_json()
        socket.send_text(said)
        refused = socket.receive_json()
        assert (refused["kind"], refused["id"]) == ("refused", id_)
        assert why in refused["refusals"][0]["why"]
        socket.send_text('{"ask":"table"}')
        assert socket.receive_json()["kind"] == "table"


def test_a_player_gets_the_areas_of_their_own_seat(house: House) -> None:
    with opened(house, "player") as socket:
        socket.receive_json()
        socket.send_text('{"ask":"areas","id":"a"}')
        told = socket.receive_json()
    assert (told["kind"], told["id"]) == ("areas", "a")
    assert "pass" in {area["kind"] for area in told["areas"]}


def test_freezing_a_table_records_what_each_screen_had_shown(house: House) -> None:
    with opened(house, "player") as socket:
        sequence = socket.receive_json()["sequence"]
        socket.send_text(msgspec.json.encode({"seen": sequence + 10**6}).decode())  # never more than there is
        command = {"command": "freeze-table", "reason": "that was a six"}
        socket.send_text(msgspec.json.encode({"id": "freeze", "command": command}).decode())
        while (told := socket.receive_json())["kind"] != "done":
            pass
    (entry,) = [
        stored.entry
        for stored in house.server.log.read_stream("table/craps-1")
        if stored.entry.sequence == told["sequence"]
    ]
    assert msgspec.json.decode(entry.events)[0]["shown"] == {"1": sequence}


ENDINGS: dict[str, Callable[[House, Browser, str], object]] = {
    "log-out": lambda _house, page, _account: page.post("/api/log-out"),
    "disabled": lambda house, _page, account: house.owner.post(f"/api/people/{account}/disable", {"reason": "left"}),
    "revoked": lambda house, _page, account: house.owner.post(f"/api/people/{account}/roles", {"roles": ["dealer"]}),
    "password": lambda _house, page, account: page.post(
        f"/api/people/{account}/password", {"password": PASSWORD, "new": "another long password"}
    ),
    "another process logs out": lambda house, page, _account: house.server.another_desk().log_out(
        page.client.cookies["passline"]
    ),
    "expired": lambda house, _page, _account: house.server.clock.move(13 * 3600),
}


@pytest.mark.parametrize("ending", one_in(3, ENDINGS, others=pytest.mark.whole))
def test_a_screen_is_shut_when_its_session_ends(ending: str) -> None:
    with serving() as server:
        house = House(server)
        box = server.hire("Bob", "boxperson", by=house.owner.get("/api/me").json()["account"])
        page = server.browser()
        page.client.cookies.set("passline", box.token, domain="127.0.0.1")
        page.csrf = box.session.csrf
        house.people["boxperson"] = page
        with opened(house, "boxperson", f"{LIVE}?role=boxperson") as socket:
            assert socket.receive_json()["own"]["bank"]
            done = ENDINGS[ending](house, page, box.session.account.id)
            assert getattr(done, "status_code", 200) == 200, done
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_json()
        assert closed.value.code == 1008
        assert "session has ended" in closed.value.reason


@pytest.mark.parametrize(
    "said", ['{"id":"1","command":{"command":"settle"}}', '{"id":"1","ask":"areas"}', '{"ask":"table"}']
)
def test_nothing_is_done_or_sent_after_the_session_has_ended(house: House, said: str) -> None:
    welcome = house.server.hire(f"Pat {hash(said)}", "dealer", by=house.owner.get("/api/me").json()["account"])
    house.people["pat"] = page = house.server.browser()
    page.client.cookies.set("passline", welcome.token, domain="127.0.0.1")
    with opened(house, "pat", f"{LIVE}?role=dealer") as socket:
        socket.receive_json()
        account = welcome.session.account.id
        assert house.owner.post(f"/api/people/{account}/disable", {"reason": "left"}).status_code == 200
        socket.send_text(said)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008

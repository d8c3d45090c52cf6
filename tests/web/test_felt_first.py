"""While a server is busy, what shows the past waits and what a table needs does not; and it says so, in plain words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from passline.web.server.felt_first import Crowded, FeltFirst, can_wait
from passline.web.server.loop_load import TOO_BUSY, LoopLoad
from tests.event_loop import asynchronous
from tests.waiting import until
from tests.web.hostile.routes import walk_routes
from tests.web.house import House
from tests.web.server import ADDRESS

LIVE = f"{ADDRESS.replace('http', 'ws')}/api/tables/craps-1/live"
WAGER = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00}


class Busy:
    """A server that is busy, or not, and its clock."""

    def __init__(self) -> None:
        self.is_busy, self.now = True, 100.0
        self.felt = FeltFirst(lambda: self.is_busy, clock=lambda: self.now)
        self.begun: list[str] = []

    async def read(self, name: str, *, is_stranger: bool = False, seconds: float = 0.0) -> None:
        end = await self.felt.begin(is_stranger=is_stranger)
        self.begun.append(name)
        self.now += seconds
        end()


@asynchronous
async def test_a_server_that_is_not_busy_answers_all_at_once() -> None:
    server = Busy()
    server.is_busy = False
    ends = [await server.felt.begin() for _ in range(100)]
    assert not server.felt.queue_length
    for end in ends:
        end()


@asynchronous
async def test_while_it_is_busy_they_are_answered_one_at_a_time_with_a_rest() -> None:
    server = Busy()
    end = await server.felt.begin()
    others = [asyncio.create_task(server.read(name)) for name in ("second", "third")]
    await until(lambda: server.felt.queue_length == 2)
    server.now += 0.1
    end()
    server.felt._go_on()
    await asyncio.sleep(0)
    assert server.begun == [], "it rests for three times as long as the first one took"
    server.now += 0.31
    await asyncio.gather(*others)
    assert server.begun == ["second", "third"]


@asynchronous
async def test_all_go_on_once_it_is_busy_no_longer() -> None:
    server = Busy()
    await server.felt.begin()  # and never ends
    others = [asyncio.create_task(server.read(str(number))) for number in range(5)]
    await until(lambda: server.felt.queue_length == 5)
    server.is_busy = False
    await asyncio.gather(*others)
    assert len(server.begun) == 5


@asynchronous
async def test_only_a_few_wait_and_strangers_take_no_place_of_people_who_are_logged_in() -> None:
    server = Busy()
    end = await server.felt.begin()
    strangers = [asyncio.create_task(server.read("stranger", is_stranger=True)) for _ in range(8)]
    await until(lambda: server.felt.queue_length == 8)
    with pytest.raises(Crowded, match="ask again in 5 seconds"):
        await server.felt.begin(is_stranger=True)
    known = [asyncio.create_task(server.read("known")) for _ in range(32)]
    await until(lambda: server.felt.queue_length == 40)
    with pytest.raises(Crowded):
        await server.felt.begin()
    end()
    await asyncio.gather(*strangers, *known)
    assert server.begun == ["known"] * 32 + ["stranger"] * 8


@asynchronous
async def test_who_waits_too_long_or_goes_away_leaves_the_turn_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Busy()
    end = await server.felt.begin()
    gone = asyncio.create_task(server.read("gone"))
    await until(lambda: server.felt.queue_length == 1)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    monkeypatch.setattr("passline.web.server.felt_first._PATIENCE_SECONDS", 0.05)
    with pytest.raises(Crowded):
        await server.felt.begin()
    monkeypatch.undo()
    following = asyncio.create_task(server.read("next"))
    await until(lambda: server.felt.queue_length == 1)
    end()
    await following
    assert server.begun == ["next"]


def test_no_route_of_a_table_waits(house: House) -> None:
    """Every GET is either a table's or can wait: whoever adds one decides."""
    routes = walk_routes(house.server.app.routes)
    paths = {route.path for route in routes if "GET" in (getattr(route, "methods", None) or ())}
    at_once = {path for path in paths if not can_wait("GET", path)}
    assert at_once == {
        "/", "/log-in", "/register", "/account", "/openapi.json", "/invitations/{token}", "/api/invitations/{token}",
        "/api/me", "/api/tables", "/api/tables/{id}", "/api/tables/{id}/layout", "/api/tables/{id}/areas",
        "/api/tables/{id}/notices", "/api/tables/{id}/commands/{command_id}", "/tables/{table}", "/tables/{id}/crew",
        "/health", "/health/live", "/health/ready",
    }  # fmt: skip


@pytest.fixture
def busy(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house whose server is busy, and has no patience: nobody waits there."""
    monkeypatch.setattr("passline.web.server.felt_first._KNOWN_MAX", 0)
    monkeypatch.setattr("passline.web.server.felt_first._REST_SECONDS_MAX", 3600.0)
    monkeypatch.setattr("passline.web.server.felt_first._REST", 1e9)
    load = house.server.services.load
    for _ in range(100):
        load.note(2.0)
    house.people["regulator"].get("/api/log")  # after which others wait
    yield house
    load.late_seconds = 0.0


def test_wagers_are_taken_while_searches_are_told_when_to_ask_again(busy: House) -> None:
    search = busy.people["regulator"].get("/api/log?text=Ann")
    assert (search.status_code, search.headers["retry-after"]) == (503, "5")
    assert "its tables come first" in search.json()["refusals"][0]["why"]
    assert search.json()["in_doubt"] is False
    assert search.headers["x-content-type-options"] == "nosniff"
    player = busy.people["player"]
    assert player.post("/api/tables/craps-1/commands", {"id": "w", "command": WAGER}).status_code == 200
    assert player.get("/api/tables/craps-1").status_code == 200
    assert player.get("/tables/craps-1").status_code == 200


def test_a_page_that_waits_loads_itself_again(busy: House) -> None:
    page = busy.people["regulator"].get("/search", accept="text/html,*/*")
    assert (page.status_code, page.headers["refresh"]) == (503, "5")
    assert "Passline is busy" in page.text


def test_a_player_whose_command_found_no_room_is_told_that_it_was_not_done(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.web.server.loop_load._COMMANDS_MAX", 0)
    monkeypatch.setattr("passline.web.server.loop_load._OWN", 0)
    player, asked = house.people["player"], {"id": "full", "command": WAGER}
    refused = player.post("/api/tables/craps-1/commands", asked)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
    assert refused.json() == {"refusals": [{"clause": "site", "why": TOO_BUSY}], "in_doubt": False}
    with player.client.websocket_connect(LIVE, headers={"origin": ADDRESS}) as screen:
        assert screen.receive_json()["kind"] == "table"
        screen.send_json(asked)
        told = screen.receive_json()
        assert (told["kind"], told["id"], told["refusals"]) == ("refused", "full", refused.json()["refusals"])
        monkeypatch.undo()
        screen.send_json(asked)
        answers = [screen.receive_json() for _ in range(2)]
    assert "done" in {answer["kind"] for answer in answers}, "the same id acts, as nothing was done"


def test_a_command_that_was_sent_before_is_looked_up_however_many_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, asked = house.people["player"], {"id": "twice", "command": WAGER}
    done = player.post("/api/tables/craps-1/commands", asked)
    monkeypatch.setattr("passline.web.server.loop_load._COMMANDS_MAX", 0)
    monkeypatch.setattr("passline.web.server.loop_load._OWN", 0)
    again = player.post("/api/tables/craps-1/commands", {**asked, "again": True})
    assert (again.status_code, again.json()["sequence"]) == (200, done.json()["sequence"])


def test_a_refusal_of_a_busy_server_says_that_the_command_may_have_come_late(house: House) -> None:
    player, load = house.people["player"], house.server.services.load
    lost = {"id": "x", "command": {"command": "remove-wager", "seat": 1, "wager": "hardway", "number": 8}}
    with player.client.websocket_connect(LIVE, headers={"origin": ADDRESS}) as screen:
        assert screen.receive_json()["kind"] == "table"
        load.late_seconds = 9.0
        screen.send_json(lost)
        assert screen.receive_json()["is_busy"] is True
        load.late_seconds = 0.0
        screen.send_json({**lost, "id": "y"})
        assert "is_busy" not in screen.receive_json()


def test_a_server_is_busy_before_it_refuses_commands_and_first_to_whoever_sends_many() -> None:
    load = LoopLoad()
    busy_at, refused_at = 0, dict[str, int]()
    for number in range(1, 10_000):
        busy_at = busy_at or number * load.is_busy
        for account in ("many", f"one-{number}"):
            if load.has_room(account):
                load.begin_command(account)
            else:
                refused_at.setdefault(account.partition("-")[0], number)
    assert 0 < busy_at < refused_at["many"] < refused_at["one"]
    load = LoopLoad()
    load.begin_command("ann")
    load.end_command("ann")
    assert load.commands == 0
    assert not load._own

"""A busy server tells players and crew in plain words that it is, and what to do; a search asks again by itself."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.player import area
from tests.web.browser.visitors import Staff

pytestmark = pytest.mark.long

STAFF = {"Ann": "player", "Stan": "stickperson", "Dee": "dealer", "Reg": "regulator"}
STEPS = ["button", "call", "choose", "offer", "pass", "settle"]
TOO_BUSY = "this server is too busy to take the command now, so it was not done"
LATE = "The server is very busy, so this may have come late"


class BusyHouse(Staff):
    """A server whose load the test decides, with a player at a table and the crew of it."""

    def does(self, name: str, command: str, **fields: object) -> None:
        body = {"id": uuid4().hex, "command": {"command": command, **fields}}
        self.client(name).post("/api/tables/harbor/commands", body)


@pytest.fixture(scope="module")
def house(browser: Browser) -> Iterator[BusyHouse]:
    with BusyHouse(browser, STAFF).serving() as house:
        load = house.server.services.load  # which the test sets: how busy this machine is does not count
        load.note = lambda seconds: None  # type: ignore[method-assign]  # noqa: ARG005
        opening = {"command": "open-table", "name": "Harbor", "house": {"rules": "maryland"}, "dice": "physical"}
        house.client("Olga").post("/api/tables", {**opening, "automate": STEPS})
        house.does("Ann", "take-seat", seat=1)
        house.does("Dee", "buy-in", seat=1, cents=500_00)
        house.does("Ann", "accept-dice", seat=1)
        house.does("Ann", "make-wager", seat=1, wager="pass", cents=10_00)
        yield house


@pytest.mark.whole
def test_players_and_crew_are_told_that_there_is_no_room_for_their_command(
    house: BusyHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, stan = house.open("Ann", "/tables/harbor"), house.open("Stan", "/tables/harbor/crew?role=stickperson")
    expect(ann.locator("#connection")).to_have_text("Connected")
    expect(stan.get_by_text("Connected")).to_be_visible()
    with monkeypatch.context() as full:
        for bound in ("_COMMANDS_MAX", "_OWN"):
            full.setattr(f"passline.web.server.loop_load.{bound}", 0)
        area(ann, "field").click()
        expect(ann.get_by_role("alert").filter(has_text=TOO_BUSY)).to_be_visible()
        stan.keyboard.press("d")
        expect(stan.locator("#refused")).to_contain_text(TOO_BUSY)
        stan.keyboard.press("Escape")
    area(ann, "field").click()  # as it was told
    expect(area(ann, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))


@pytest.mark.whole
def test_who_is_refused_by_a_busy_server_is_told_that_it_may_have_come_late(house: BusyHouse) -> None:
    stan, load = house.open("Stan", "/tables/harbor/crew?role=stickperson"), house.server.services.load
    expect(stan.get_by_text("Connected")).to_be_visible()
    house.server.clock.move(25 * 3600)  # the set of dice is too old to be thrown
    load.late_seconds = 1e9
    stan.keyboard.press("d")
    expect(stan.locator("#refused")).to_contain_text("24 hours are the most")
    expect(stan.locator("#refused")).to_contain_text(LATE)
    load.late_seconds = 0.0


@pytest.mark.whole
def test_a_search_on_a_busy_server_is_answered_once_there_is_time(
    house: BusyHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, load = house.open("Reg", "/search"), house.server.services.load
    expect(page.locator("#entries time").first).to_be_visible()
    asked = list[int]()
    page.on("response", lambda answer: asked.append(answer.status) if "/api/log?" in answer.url else None)
    with page.expect_response(lambda answer: answer.ok and "/api/log?" in answer.url, timeout=60_000):
        with monkeypatch.context() as crowded:
            crowded.setattr("passline.web.server.felt_first._KNOWN_MAX", 0)
            crowded.setattr("passline.web.server.felt_first.RETRY_SECONDS", 1)
            crowded.setattr("passline.web.server.felt_first._REST_SECONDS_MAX", 3600.0)
            crowded.setattr("passline.web.server.felt_first._REST", 1e9)
            load.late_seconds = 1e9
            page.evaluate("async () => (await fetch('/api/log/streams')).text()")  # after which others wait
            with page.expect_response(lambda answer: answer.status == 503, timeout=60_000):
                page.get_by_label("Containing").fill("Ann")
                page.get_by_label("Containing").press("Enter")
        load.late_seconds = 0.0
    assert asked[-1] == 200

"""The crew's console at a table without keyed wagers: dice and estimates, and nothing about seats or wagers."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from passline.client import Client
from tests.serving import serving
from tests.web.browser.house import PASSWORD, PINS
from tests.web.browser.visitors import Visitors

pytestmark = pytest.mark.long


@pytest.mark.whole
def test_rolls_are_keyed_and_play_is_estimated(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, Client(server.address) as owner:
        owner.accept(server.owner_link, name="Olga", password=PASSWORD, pin=PINS["Olga"])
        tokens = {}
        for name, role in (("Stan", "stickperson"), ("Flo", "floorperson")):
            link = owner.post("/api/people", {"name": name, "roles": [role]})["path"]
            with Client(server.address) as person:
                person.accept(server.address + link, name="", password=PASSWORD, pin=PINS[name])
                tokens[name] = person.token
        owner.post(
            "/api/tables",
            {"name": "Counted", "house": {"rules": "maryland"}, "dice": "physical", "is_keyed": False},
        )
        crew = Visitors(browser, server.address, tokens)
        stick = crew.open("Stan", "/tables/counted/crew?role=stickperson")
        floor = crew.open("Flo", "/tables/counted/crew?role=floorperson")
        expect(stick.locator("#state")).to_contain_text("OFF")
        stick.keyboard.press("d")
        expect(stick.locator("#state")).to_contain_text("in the air")
        stick.keyboard.press("2")
        stick.keyboard.press("4")
        expect(stick.locator("#state")).to_contain_text("ON 6")
        expect(floor.locator("#state")).to_contain_text("not covered")
        for wagers in ("Buy-in", "Steps", "Seats"):
            expect(floor.get_by_role("heading", name=wagers, exact=True)).to_have_count(0)
        floor.keyboard.press("q")
        rating = floor.get_by_role("form", name="Rate a player")
        rating.get_by_label("Player").fill("Zoe")
        rating.get_by_label("Average wager").fill("25")
        rating.get_by_label("Minutes").fill("90")
        rating.get_by_role("button", name="Record the estimate").click()
        expect(floor.get_by_text("as an estimate")).to_be_visible()
        crew.close()

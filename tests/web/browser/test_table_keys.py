"""A player's keyboard: wagers, neighbours on the felt, and what a key does where the focus is."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.player import area, seated, shoot

pytestmark = pytest.mark.long


Server = Callable[..., str]


@pytest.mark.whole
def test_a_player_can_do_everything_by_keyboard(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("3-3",)))
    area(page, "come_odds", 4).focus()
    for key, kind, number in (
        ("Down", "buy", 4),
        ("Down", "place_win", 4),
        ("Right", "place_win", 5),
        ("Up", "buy", 5),
    ):
        page.keyboard.press(f"Arrow{key}")
        expect(area(page, kind, number)).to_be_focused()
    area(page, "pass").focus()
    page.keyboard.press("3")
    expect(page.locator("#chip-2500")).to_be_checked()
    page.keyboard.press("Enter")
    expect(area(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    page.keyboard.press("ArrowUp")
    expect(area(page, "dont_pass")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(area(page, "field")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.keyboard.press("p")  # press: as much again
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.keyboard.press("Delete")
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile("nothing up"))
    page.get_by_role("button", name="Take the dice").press("Enter")
    expect(page.locator("#roll")).to_be_enabled()
    area(page, "pass").focus()
    page.keyboard.press("Escape")  # leaves the layout: on an area, space would make a wager
    page.keyboard.press("Space")
    expect(page.locator("#call")).to_have_text("Hard six, mark the point")


@pytest.mark.whole
def test_space_on_a_focused_control_belongs_to_it_and_never_throws(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("3-3",)))
    shoot(page)
    field = area(page, "field")
    field.focus()
    page.keyboard.press("Space")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # held down: one wager
    page.keyboard.up("Enter")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.locator("#chip-2500").focus()
    page.keyboard.press("Space")
    expect(page.locator("#chip-2500")).to_be_checked()
    for scrolled in ("#settled", "#log-panel summary"):
        page.locator(scrolled).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Buy in").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    expect(page.locator("#puck")).to_have_text("OFF Come-out roll")  # nothing was thrown
    page.locator("label[for=chip-100]").click()
    field.click()  # a pointer leaves no focus behind
    expect(field).to_have_attribute("aria-label", re.compile(r"\$11 up"))
    page.keyboard.press("Delete")  # the chosen wager is still the keys' own
    expect(field).to_have_attribute("aria-label", re.compile("nothing up"))
    page.keyboard.press("Space")
    expect(page.locator("#call")).to_have_text("Hard six, mark the point")

"""Wagers are taken down, undone, repeated and cleared; a page undoes what it did itself, and nothing else."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.player import area, roll, seated, shoot, up

pytestmark = pytest.mark.long


Server = Callable[..., str]


@pytest.mark.whole
def test_wagers_are_taken_down_undone_repeated_and_cleared(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "3-3")))
    shoot(page)
    field, seven = area(page, "field"), area(page, "any_seven")
    field.click()
    expect(up(page, "field")).to_be_visible()
    field.click(button="right")
    expect(field).to_have_attribute("aria-label", re.compile("nothing up"))
    page.locator("#undo").click()  # what was taken down is up again
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    field.click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.locator("#undo").click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    seven.click()
    expect(up(page, "any_seven")).to_be_visible()
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#settled .net")).to_have_text("You: -$10")
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#repeat").click()
    expect(up(page, "field")).to_be_visible()
    expect(up(page, "any_seven")).to_be_visible()
    page.locator("#odds").click()
    expect(area(page, "pass_odds")).to_have_attribute("aria-label", re.compile(r"\$25 up"))  # 5 times $5 on a 6
    page.locator("#clear").click()
    for place in (field, seven, area(page, "pass_odds")):
        expect(place).to_have_attribute("aria-label", re.compile("nothing up"))
    expect(area(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$5 up"))  # it stays once a point is on


@pytest.mark.whole
def test_undo_takes_back_only_what_its_own_page_did(browser: Browser, server: Server) -> None:
    first = seated(browser, server())
    second = first.context.new_page()
    second.goto(first.url)
    expect(area(second, "field")).to_have_class(re.compile(r"\bopen\b"))

    def field_is(text: str) -> None:
        for page in (first, second):
            expect(area(page, "field")).to_have_attribute("aria-label", re.compile(text))

    area(first, "field").click()
    field_is(r"\$5 up")
    second.keyboard.press("3")
    area(second, "field").click()  # $25 more
    field_is(r"\$30 up")
    area(second, "any_seven").click()
    expect(up(first, "any_seven")).to_be_visible()
    first.locator("#undo").click()
    field_is(r"\$25 up")
    first.locator("#undo").click()
    expect(first.get_by_role("alert")).to_contain_text("This page has nothing to undo")
    field_is(r"\$25 up")
    expect(up(first, "any_seven")).to_be_visible()
    first.keyboard.press("Escape")

    area(first, "pass").click()
    expect(up(second, "pass")).to_be_visible()
    area(second, "pass").click(button="right")  # taken down there, and made again there
    expect(area(first, "pass")).to_have_attribute("aria-label", re.compile("nothing up"))
    area(second, "pass").click()
    expect(up(first, "pass")).to_be_visible()
    first.locator("#undo").click()
    expect(first.get_by_role("alert")).to_contain_text("This page has nothing to undo")
    expect(area(first, "pass")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    for nothing in ("pass", "pass", "any_seven", "field"):  # made, taken down, and so on back to the first
        second.locator("#undo").click()
        expect(second.locator(".stage.busy")).to_have_count(0)
        if nothing != "pass":
            expect(area(first, nothing)).to_have_attribute("aria-label", re.compile("nothing up"))


@pytest.mark.sweep
def test_odds_on_another_number_do_not_keep_a_new_come_wager_from_being_undone(
    browser: Browser, server: Server
) -> None:
    page = seated(browser, server(dice=("2-4", "1-3", "2-3")))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    area(page, "come").click()
    expect(up(page, "come")).to_be_visible()
    roll(page, "Four, easy four")
    area(page, "come_odds", 4).click()
    expect(area(page, "come_odds", 4)).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    roll(page, "Five")
    area(page, "come").click()
    expect(area(page, "come")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.locator("#undo").click()
    expect(area(page, "come")).to_have_attribute("aria-label", re.compile("nothing up"))
    expect(area(page, "come_odds", 4)).to_have_attribute("aria-label", re.compile(r"\$5 up"))

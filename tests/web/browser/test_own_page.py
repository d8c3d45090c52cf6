"""A player's own page: graph, results by wager, luck, a hand replayed on the felt, and the head that they keep."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.player import area, roll, seated, shoot, up

pytestmark = pytest.mark.long


@pytest.mark.whole
def test_a_player_sees_results_luck_and_every_hand_and_checks_the_log(
    browser: Browser, server: Callable[..., str]
) -> None:
    address = server(dice=("2-4", "4-4", "3-4"))
    page = seated(browser, address)
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    area(page, "place_win", 8).focus()
    page.keyboard.press("u")
    expect(up(page, "place_win", 8)).to_be_visible()
    roll(page, "Hard eight")
    roll(page, "Seven out, line away")
    page.goto(f"{address}/me")
    expect(page.locator("#summary")).to_contain_text("+$2")  # Place 8 won $7, the line lost $5
    expect(page.locator("#wagers tbody tr")).to_have_text([re.compile(r"Pass Line1.*5"), re.compile(r"Place 811.6.+7")])
    expect(page.locator(".graph")).to_have_attribute("aria-label", re.compile(r"From nothing to \$2 over 2 rolls"))
    expect(page.locator("#luck")).to_contain_text(re.compile(r"you won \$[\d.,]+ (more|less) than the law of the dice"))
    expect(page.locator("#luck")).to_contain_text("Luck alone may well go so far.")
    expect(page.locator("#luck")).to_contain_text("1 player in 20 at most")
    page.get_by_role("button", name="Table 1, hand 1").click()
    expect(page.locator("#replay-title")).to_be_focused()
    expect(page.locator("#replay-said")).to_contain_text("Hard eight")
    expect(page.locator("#own-rack")).to_contain_text("your rack $1,002")
    expect(page.locator("#picture .stack.own")).to_have_count(1)  # the line wager
    page.get_by_role("button", name="Last entry of the hand").click()
    expect(page.locator("#replay-said")).to_contain_text("Seven out, line away")
    page.get_by_role("button", name="Check it against the log").click()
    expect(page.locator(".verdict")).to_contain_text("The log still has the very entry that you kept")
    forged = """() => { const [head] = JSON.parse(localStorage["passline heads"]);
      localStorage["passline heads"] = JSON.stringify([{ ...head, hash: "0".repeat(64) }]); }"""
    page.evaluate(forged)
    page.reload()
    page.get_by_role("button", name="Check it against the log").click()
    expect(page.locator(".verdict")).to_contain_text("NOT THE SAME")
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert grave_faults(page, is_repeat=width > height) == []
    page.context.clear_cookies()
    page.goto(f"{address}/me")
    expect(page).to_have_url(re.compile("/log-in"))

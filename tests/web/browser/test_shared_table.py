"""Several pages at one table: tabs of one player, two players, spectators, and the limits that all of them see."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.player import (
    area,
    roll,
    seated,
    shoot,
    spectating,
    up,
)

pytestmark = pytest.mark.long


Server = Callable[..., str]


@pytest.mark.sweep  # `test_undo.py` has two tabs that show the same
def test_two_tabs_of_one_player_show_the_same(browser: Browser, server: Server) -> None:
    first = seated(browser, server(dice=("5-6",)))
    second = first.context.new_page()
    second.goto(first.url)
    expect(area(second, "field")).to_have_class(re.compile(r"\bopen\b"))
    area(first, "field").click()
    expect(up(second, "field")).to_be_visible()
    area(second, "field").click()
    for page in (first, second):
        expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$10 up"))
        expect(page.locator("#rack")).to_have_text("$990")
    shoot(second)
    roll(second, "Yo-leven, front line winner")
    expect(first.locator("#call")).to_have_text("Yo-leven, front line winner")
    expect(first.locator("#rack")).to_have_text(second.locator("#rack").inner_text())


@pytest.mark.whole
def test_two_players_see_each_others_chips_but_not_their_racks(browser: Browser, server: Server) -> None:
    address = server()
    ann, bob = seated(browser, address), seated(browser, address)
    area(ann, "field").click()
    expect(bob.locator(".pill")).to_have_count(1)
    expect(bob.locator(".pill")).to_have_text(re.compile(r"^G\w 5$"))  # a guest's initials, and the amount
    expect(bob.locator("#rack")).to_have_text("$1,000")
    assert "$995" not in bob.locator("body").inner_text()  # with its sign: digests and guests' names have digits too


@pytest.mark.clause("MD-3.C")
def test_MD_3_C__limits_are_posted_for_everybody_and_a_spectator_has_no_controls(
    browser: Browser, server: Server
) -> None:
    """MD-3.C: spectators see the limits too, before and without sitting down."""
    page = spectating(browser, server())
    expect(page.locator("#limits")).to_have_text("Minimum $5 Maximum $5,000")
    page.locator("#all-limits summary").click()
    expect(page.locator("#limit-list")).to_contain_text("$1 to $1,000")
    expect(page.locator(".area")).not_to_have_count(0)
    expect(page.locator(".area[role=button]")).to_have_count(0)
    for hidden in ("#bar", "#ends", "#roll", "#leave"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.get_by_role("button", name="Sit down with $1,000 of play money")).to_be_visible()
    area(page, "field").hover()
    expect(page.locator("#card")).to_contain_text("Field")


@pytest.mark.clause("AZ-III.D.2")
@pytest.mark.clause("AZ-II.G.4-b")
def test_AZ_III_D_2__limits_are_posted_at_the_table(browser: Browser, server: Server) -> None:
    """AZ-III.D.2: minimum and maximum are posted, also in the lobby; the roll histogram is not there."""
    address = server(house={"rules": "arizona"}, physical=True)
    page = spectating(browser, address)
    expect(page.locator("#limits")).to_have_text("Minimum $5 Maximum $5,000")
    expect(page.locator("#history-panel")).to_be_hidden()
    page.goto(address)
    expect(page.locator(".table-card")).to_contain_text("$5 to $5,000")

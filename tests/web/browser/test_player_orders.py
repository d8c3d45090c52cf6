"""What a player orders and is told: winners stay up, numbers at once, why not, what it costs, and the coach's hints."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.player import area, name_of, roll, seated, shoot, spectating, up

pytestmark = pytest.mark.long

Server = Callable[..., str]


@pytest.mark.whole
def test_winners_stay_up_and_several_numbers_are_placed_at_once(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "4-4", "5-3", "4-4")))
    page.keyboard.press("Escape")  # leaves the layout
    page.keyboard.press("w")
    expect(page.locator("#winners")).to_have_attribute("aria-pressed", "true")
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#inside")).to_have_attribute("title", "Place 5 $5, 8 $6, 9 $5: $16")  # 6 is the player's point
    page.locator("#inside").click()
    expect(up(page, "place_win", 9)).to_be_visible()
    expect(page.locator("#inside")).to_be_disabled()
    expect(page.locator("#inside")).to_have_attribute("title", re.compile("all have a wager"))
    area(page, "hardway", 8).click()
    area(page, "field").click()
    expect(up(page, "field")).to_be_visible()
    roll(page, "Hard eight")
    for kind in ("place_win", "hardway"):
        expect(up(page, kind, 8)).to_be_visible()  # made again, each at what it was
    assert "$6 up" in name_of(page, "place_win", 8)
    assert "nothing up" in name_of(page, "field")  # a wager of one roll is over
    page.locator("#winners").click()
    roll(page, "Eight, easy eight")
    expect(area(page, "place_win", 8)).to_have_attribute("aria-label", re.compile("nothing up"))


@pytest.mark.whole
def test_the_bar_greys_out_what_cannot_be_done_and_says_why(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4",)))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    area(page, "pass").focus()
    chosen = page.locator("#chosen")
    down = chosen.get_by_role("button", name="Take down")
    expect(down).to_have_attribute("aria-disabled", "true")
    expect(down).to_have_attribute("title", re.compile(r"\[MD-4\.D"))
    down.click(force=True)  # greyed out, and a click says why
    expect(page.get_by_role("alert").filter(has_text="Pass Line")).to_contain_text("MD-4.D")
    page.keyboard.press("Escape")
    odds = chosen.get_by_role("button", name="Odds $25")
    odds.click()
    expect(up(page, "pass_odds")).to_be_visible()
    expect(chosen.locator('[data-act="odds"]')).to_have_attribute(
        "title", re.compile(r"over the most allowed behind 5.00 on 6.*\[MD-6")
    )


@pytest.mark.whole
def test_a_wager_says_what_it_really_costs(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4",)))
    page.locator("#cost-open").click()
    area(page, "place_win", 6).focus()
    cost = page.locator("#cost")
    expect(cost).to_contain_text("1.52 % (1/66)", timeout=60_000)
    for fact in ("Wins45.45 %", "Loses54.55 %", "3.3 rolls on average", "Variance1.164: ±$6.47 on $6"):
        expect(cost).to_contain_text(fact)
    expect(cost).to_contain_text("$2.78 an hour")  # 1/216 of $6 a roll
    expect(cost).to_contain_text("at 100 rolls an hour, which is usual")
    area(page, "place_win", 6).hover()
    expect(page.locator("#card")).to_contain_text("House edge1.52 % of the wager")


@pytest.mark.clause("AZ-II.N.2")
def test_AZ_II_N_2__costs_and_advice_are_not_shown_without_both_approvals(browser: Browser, server: Server) -> None:
    """AZ-II.N.2: what analyses outcomes takes the approval of both authorities; what may be done is still said."""
    address = server(house={"rules": "arizona"})
    page = seated(browser, address)
    page.locator("#cost-open").click()
    expect(page.locator("#cost")).to_contain_text("TGO and SGA have approved it")
    expect(page.locator("#cost")).to_contain_text("[AZ-II.N.2]")
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#coach")).to_contain_text(
        "Odds may be put behind it now, and wagers be made on other numbers."
    )
    expect(page.locator("#coach")).not_to_contain_text("cost")


@pytest.mark.whole
def test_the_coach_says_what_may_be_done_in_four_sentences_and_is_dismissed_for_good(
    browser: Browser, server: Server
) -> None:
    address = server(dice=("2-4", "1-2"))
    page = seated(browser, address)
    coach = page.locator("#coach p")
    expect(coach).to_contain_text("wins at once on 7 or 11, loses on 2, 3 or 12")
    area(page, "pass").click()
    expect(coach).to_contain_text("The dice are offered to you")
    page.get_by_role("button", name="Take the dice").click()
    expect(coach).to_contain_text("You have the dice")
    roll(page, "Six, easy six, mark the point")
    expect(coach).to_contain_text("The point is 6: Pass Line now wins if 6 comes before 7")
    expect(coach).to_contain_text("on average they cost nothing")
    page.get_by_role("button", name="No more hints").click()
    expect(page.locator("#coach")).to_be_hidden()
    page.reload()
    expect(page.locator("#roll")).to_be_enabled()
    expect(page.locator("#coach")).to_be_hidden()
    expect(spectating(browser, address).locator("#coach")).to_be_hidden()

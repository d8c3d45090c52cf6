"""The player's page of a table, in a real browser against a real server with loaded dice."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serving import serving
from tests.web.browser.player import area, context, name_of, roll, seated, seated_in_the_lobby, shoot, up

pytestmark = pytest.mark.long

Server = Callable[..., str]


def test_a_newcomer_sits_down_wagers_and_rolls(browser: Browser, server: Server) -> None:
    """As most see it: with dice that tumble and chips that move."""
    page = seated_in_the_lobby(browser, server(dice=("2-4", "4-4")), reduced_motion="no-preference")
    expect(area(page, "pass")).to_be_focused()
    expect(page.locator("#puck")).to_have_text("OFF Come-out roll")
    shoot(page)
    assert name_of(page, "pass") == "Pass Line, pays 1 to 1, $5 up, minimum $5, maximum $5,000"
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#puck")).to_have_text("ON The point is 6")
    expect(page.locator(".puck.is-on")).to_be_visible()
    page.get_by_role("button", name="Place 8,").focus()
    page.keyboard.press("u")
    expect(up(page, "place_win", 8)).to_be_visible()
    assert name_of(page, "place_win", 8).startswith("Place 8, pays 7 to 6, $6 up, minimum ")
    roll(page, "Hard eight")
    expect(page.locator("#settled li.won")).to_have_text("Place 8, $6 at 7 to 6: $7 [MD-3.A.5.b, MD-5.A.8]")
    expect(page.locator("#rack")).to_have_text("$1,002")
    expect(page.locator("#history li")).to_have_count(2)


@pytest.mark.whole
def test_a_refused_wager_shows_its_clause_and_the_correct_amount(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    area(page, "place_win", 6).click()
    alert = page.get_by_role("alert").filter(has_text="MD-5.A")
    expect(alert).to_contain_text("use 6.00 steps [MD-5.A]")
    place, shown = area(page, "place_win", 6).bounding_box(), alert.bounding_box()
    assert place
    assert shown
    assert abs(shown["x"] - (place["x"] + place["width"])) < 60
    alert.get_by_role("button", name="Wager $6").click()
    expect(area(page, "place_win", 6)).to_have_attribute("aria-label", re.compile(r"\$6 up"))
    expect(alert).to_be_hidden()
    _roll_without_a_line_wager(page)


def _roll_without_a_line_wager(page: Page) -> None:
    """A refusal that concerns no area does not cover the felt: the bar has it, and a click on the line works."""
    page.get_by_role("button", name="Take the dice").click()
    page.locator("#roll").click()
    alert = page.locator("#bar").get_by_role("alert")
    expect(alert).to_be_visible()
    felt, shown = page.locator("#felt").bounding_box(), alert.bounding_box()
    assert felt
    assert shown
    assert shown["y"] >= felt["y"] + felt["height"]
    area(page, "pass").click()
    expect(up(page, "pass")).to_be_visible()
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.whole
def test_a_card_says_why_an_area_is_closed_and_vigorish_before_it_is_paid(browser: Browser, server: Server) -> None:
    """Vigorish is on the felt, the card, the bar and among the limits."""
    page = seated(browser, server())
    area(page, "buy", 5).hover()
    card = page.locator("#card")
    for text in ("Buy 5", "Buy Bet", "3 to 2", "Nothing up", "Unit", "You may wager here"):
        expect(card).to_contain_text(text)
    area(page, "come").hover()
    expect(card).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    expect(area(page, "come")).to_have_class(re.compile(r"\bclosed\b"))
    expect(area(page, "buy", 4).locator("text").first).to_have_text("BUY 5%")
    assert "vigorish 5% of the wager, taken when the wager is made, nothing up" in name_of(page, "buy", 4)
    page.keyboard.press("3")  # the $25 chip
    area(page, "buy", 4).hover()
    expect(page.locator("#card")).to_contain_text("$25 + $1 vigorish")
    expect(page.locator("#card")).to_contain_text("5% of the wager, taken when the wager is made")
    page.locator("#all-limits summary").click()
    expect(page.locator("#limit-list")).to_contain_text(
        "Vigorish, Lay Bet5% of the wager, taken when the wager is made"
    )
    area(page, "buy", 4).click()
    expect(page.locator("#rack")).to_have_text("$974")
    expect(page.locator("#chosen")).to_contain_text("Press $25 + $1 vigorish")
    page.locator('#chosen [data-act="press"]').click()
    expect(page.locator("#rack")).to_have_text("$948")


@pytest.mark.whole
def test_a_chip_is_dragged_and_a_hop_is_picked(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    page.locator('label[for="chip-2500"]').drag_to(area(page, "field"))
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    page.keyboard.press("1")
    area(page, "hop").click()
    page.get_by_role("dialog").get_by_role("button", name="Hop 1-3").click()
    expect(area(page, "hop")).to_have_attribute("aria-label", re.compile(r"\$1 up"))


@pytest.mark.whole
def test_wagers_are_called_off_and_on(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4",)))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    area(page, "place_win", 8).focus()
    page.keyboard.press("u")
    expect(up(page, "place_win", 8)).to_be_visible()
    expect(page.get_by_role("button", name="Call off")).to_be_disabled()  # as Maryland has it, and by which clause
    expect(page.locator("#chosen")).to_contain_text(re.compile(r"may not be called off \[MD-[\w.]+"))
    area(page, "hardway", 8).click()
    expect(up(page, "hardway", 8)).to_be_visible()
    roll(page, "Six, easy six, winner, pay the line")
    page.get_by_role("button", name="Call on").click()
    expect(page.locator(".marker.on")).to_be_visible()


@pytest.mark.whole
def test_cash_out_waits_for_a_wager_that_must_stay_and_then_leaves_the_seat(browser: Browser, server: Server) -> None:
    """Wagers that may come down are taken down."""
    page = seated(browser, server(dice=("2-4", "3-4")))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    page.get_by_role("button", name="Cash out").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You cannot leave yet: Pass Line $5 must first be decided.")
    expect(dialog.get_by_role("button", name="Leave")).to_have_count(0)
    page.keyboard.press("Escape")
    roll(page, "Seven out, line away")
    area(page, "field").click()
    expect(up(page, "field")).to_be_visible()
    page.get_by_role("button", name="Cash out").click()
    dialog.get_by_role("button", name="Leave").click()
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.get_by_role("button", name="Sit down with $1,000 of play money")).to_be_visible()


@pytest.mark.whole
def test_a_dispute_stops_the_table(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    page.get_by_role("button", name="Dispute").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What is wrong").fill("my field wager was not paid")
    dialog.get_by_role("button", name="Stop the table").click()
    expect(page.locator("#frozen")).to_contain_text("my field wager was not paid")
    expect(area(page, "field")).to_have_class(re.compile(r"\bclosed\b"))


@pytest.mark.sweep
def test_serve_demo_offers_a_seat_in_one_click(browser: Browser, tmp_path: Path) -> None:
    """`passline serve --demo`: a live table, and a seat at it in one click.

    `tests/test_client.py` sits down in one call there, and the newcomer above in the lobby of a demo without a past.
    """
    with serving(tmp_path / "data", "--demo") as running:
        page = context(browser).new_page()
        page.goto(running.address)
        expect(page.locator(".banner.demo")).to_contain_text("Demo")
        expect(page.locator(".table-card").first).to_contain_text("Maryland")
        page.get_by_role("button", name="Sit down with $1,000 of play money").click()
        expect(page.locator("#rack")).to_have_text("$1,000")
        expect(page.locator("#players")).to_contain_text("(computer)")
        area(page, "field").click()
        expect(up(page, "field")).to_be_visible()

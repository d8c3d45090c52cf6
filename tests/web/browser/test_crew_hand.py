"""The crew's keys through a hand: a roll is keyed, corrected, called no roll, or told half typed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.house import (
    PHONE,
    PINS,
    House,
    Player,
    open_table_on_its_page,
    playing_house,
)

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def playing(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with playing_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.mark.whole
def test_correcting_a_roll_needs_the_sign_off_of_another_person(playing: House) -> None:
    stick = playing.open("Stan", f"/tables/{playing.table}/crew?role=stickperson")
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.keyboard.press("d")
    expect(stick.locator("#state")).to_contain_text("in the air")
    stick.keyboard.type("24")
    expect(stick.locator("#state")).to_contain_text("ON 6")
    expect(stick.get_by_role("region", name="Take, then pay")).to_contain_text("take $10, pay $0")

    stick.keyboard.press("c")
    stick.keyboard.type("22")
    expect(stick.locator(".to")).to_contain_text("2-4 becomes 2-2")
    sheet = stick.get_by_role("form", name="Correct the last roll")
    for name, is_right in (("Stan", False), ("Bea", True)):
        sheet.get_by_label("Name").fill(name)
        sheet.get_by_label("PIN").fill(PINS[name])
        sheet.get_by_label("PIN").press("Enter")
        if not is_right:
            expect(stick.locator("#refused")).to_contain_text(
                re.compile("refused.*(somebody else|other than|own)", re.DOTALL)
            )
            stick.keyboard.press("Escape")
            expect(sheet.get_by_label("PIN")).to_be_focused()  # where it was submitted
    expect(stick.locator("#state")).to_contain_text("ON 4")
    expect(stick.locator("#refused")).to_be_hidden()
    stick.close()
    ann = playing.open("Ann's program", f"/tables/{playing.table}")
    told = ann.get_by_role("region", name="Notices for you")
    expect(told).to_contain_text("A roll was corrected")  # while nobody looked: it is there until it is seen
    expect(told).to_contain_text("The last roll is corrected from 2-4 to 2-2: Misread dice")
    expect(told).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    told.get_by_role("button", name="Seen").click()
    expect(told).to_be_hidden()
    ann.close()


@pytest.mark.whole
def test_a_question_mark_shows_and_hides_all_keys(playing: House) -> None:
    stick = playing.open("Stan", f"/tables/{playing.table}/crew?role=stickperson")
    expect(stick.get_by_text("Connected")).to_be_visible()
    every = stick.get_by_role("status").filter(has_text="All keys")
    expect(every).to_be_hidden()
    stick.keyboard.press("?")
    for says in ("a die; two make a roll", "dice out", "offer the dice (not now)", "no roll, then the reason"):
        expect(every).to_contain_text(says)
    stick.keyboard.press("?")
    expect(every).to_be_hidden()
    stick.close()


@pytest.mark.whole
def test_a_single_die_times_out_visibly_and_escape_clears_it(playing: House) -> None:
    stick = playing.open("Stan", f"/tables/{playing.table}/crew?role=stickperson")
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.keyboard.press("Space")
    stick.keyboard.press("5")
    expect(stick.locator(".half-text").first).to_contain_text("5 and")
    stick.keyboard.press("Escape")
    expect(stick.locator(".half-text").first).to_be_empty()
    stick.keyboard.press("5")
    refused = stick.locator("#refused")
    expect(refused).to_contain_text("Die 5: not placed")
    expect(refused).to_contain_text("It timed out. Key both dice again.")
    stick.keyboard.press("4")  # it is not taken for the first of two others
    expect(refused).to_contain_text("Not taken since: 4")
    for key in ("Escape", "n", "2"):
        stick.keyboard.press(key)
    expect(stick.locator("#acts")).to_contain_text("Not taken: 4")  # where it can still be read
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.close()


@pytest.mark.whole
def test_no_roll_offers_the_reasons_of_the_regulation_with_their_clauses(playing: House) -> None:
    stick = playing.open("Stan", f"/tables/{playing.table}/crew?role=stickperson")
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.keyboard.press("d")
    expect(stick.locator("#state")).to_contain_text("in the air")
    reasons = stick.get_by_role("list", name="Reasons for no roll")
    expect(reasons.get_by_role("button", name="Short throw")).to_contain_text("MD-8.C.2")
    stick.keyboard.press("n")
    expect(stick.locator("#mode")).to_have_text("No roll")
    stick.keyboard.press("2")
    expect(stick.locator("#acts")).to_contain_text("MD-8.C.2")
    expect(stick.locator("#acts")).to_contain_text("short throw")  # and not as the log has it
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    for key in ("d", "v", "1"):
        stick.keyboard.press(key)
    expect(stick.locator("#acts")).to_contain_text("MD-8.B.off")
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.close()


@pytest.mark.whole
def test_a_hand_dealt_by_keyboard_alone_with_a_late_wager_and_a_dispute(playing: House) -> None:
    """Colorado, nothing automated: offer, accept, pick, throw, confirm, dispute, decide, call, settle, pass."""
    table = open_table_on_its_page(playing, "Felt Two", "colorado")
    cy = Player(playing, "Cy", table)
    cy.does("take-seat", seat=3)
    stick, dealer, box = (
        playing.open(name, f"/tables/{table}/crew?role={role}")
        for name, role in (("Stan", "stickperson"), ("Dee", "dealer"), ("Bea", "boxperson"))
    )
    for page in (stick, dealer, box):
        expect(page.get_by_text("Connected")).to_be_visible()
    dealer.keyboard.press("b")
    dealer.get_by_role("form", name="Buy-in").get_by_label("Cash").fill("200")
    dealer.keyboard.press("Enter")
    expect(dealer.get_by_label("Seats, racks and layout")).to_contain_text("$200")
    for key, then in (("o", "offered to seat 3"), ("y", "who picks two"), ("i", "with the shooter")):
        stick.keyboard.press(key)
        expect(stick.locator("#state")).to_contain_text(then)
    wager = dealer.get_by_role("form", name="A wager for a player")
    wager.get_by_label("Amount").fill("10")
    wager.get_by_label("Amount").press("Enter")
    expect(dealer.get_by_label("Seats, racks and layout")).to_contain_text("$190")
    cy.does("make-wager", seat=3, wager="hardway", number=8, cents=2_00)
    cy.does("call-wager", seat=3, wager="hardway", number=8, call="on")
    waiting = dealer.get_by_role("region", name="Waiting for the crew")
    expect(waiting).to_contain_text("called on by its player")
    dealer.keyboard.press("1")
    expect(waiting).to_contain_text("Nothing is waiting")
    _call_for_a_player(dealer)
    expect(waiting).to_contain_text("Nothing is waiting")

    stick.keyboard.press("d")
    expect(stick.locator("#state")).to_contain_text("in the air")
    cy.does("make-wager", seat=3, wager="field", cents=5_00)
    expect(waiting).to_contain_text("late, needs the dealer or boxperson")
    for size in ({"width": 1280, "height": 800}, PHONE):
        dealer.set_viewport_size(size)  # type: ignore[arg-type]
        dealer.evaluate("scrollTo(0, 0)")
        expect(waiting).to_be_in_viewport(ratio=1)
        stick.set_viewport_size(size)  # type: ignore[arg-type]
        stick.evaluate("scrollTo(0, 0)")
        expect(stick.get_by_role("group", name="Faces").first).to_be_in_viewport(ratio=1)
    dealer.keyboard.press("1")
    expect(waiting.get_by_role("button")).to_have_count(0)  # confirmed, and still marked as past-posted
    expect(waiting).to_contain_text("past-posted")
    stick.keyboard.type("24")
    expect(stick.locator("#state")).to_contain_text("at rest")
    cy.does("dispute-faces", seat=3)
    expect(box.locator("#status")).to_contain_text("disputed")
    box.keyboard.press("x")
    box.keyboard.type("33")
    expect(box.locator("#status")).to_be_hidden()
    for page, key, then in ((stick, "a", "called"), (dealer, "s", "at the centre"), (stick, "p", "with the shooter")):
        page.keyboard.press(key)
        expect(stick.locator("#state")).to_contain_text(then)
    expect(stick.locator("#state")).to_contain_text("ON 6")
    expect(dealer.get_by_role("region", name="Take, then pay")).to_contain_text("take $5, pay $0")
    for page in (stick, dealer, box):
        page.close()


def _call_for_a_player(dealer: Page) -> None:
    """Call a wager off and on as the crew does for a walk-in, who has no page; off while a refusal is shown."""
    wager = dealer.get_by_role("form", name="A wager for a player")
    wager.get_by_label("Amount").fill("100000")
    wager.get_by_label("Amount").press("Enter")
    expect(dealer.locator("#refused")).to_contain_text("refused")
    waiting = dealer.get_by_role("region", name="Waiting for the crew")
    for call, before, after in (("off", "on", "off"), ("on", "off", "on")):
        wager.get_by_label("Action").select_option(f"Call {call}")
        wager.get_by_label("Wager up").select_option(f"Hard 8 $2, {before}")
        wager.get_by_role("button", name="Confirm").click()
        if call == "off":
            expect(dealer.get_by_role("region", name="A wager for a player")).to_contain_text("Hard 8 $2, off")
            dealer.locator("body").press("Escape")
            expect(dealer.locator("#refused")).to_be_hidden()
        else:
            expect(waiting).to_contain_text("called on by its player")
            dealer.keyboard.press("1")
        expect(dealer.get_by_role("region", name="A wager for a player")).to_contain_text(f"Hard 8 $2, {after}")

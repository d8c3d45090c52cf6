"""A whole hand: two players' pages and the crew's consoles, each in its own browser, against a real server."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.house import PASSWORD, PHONE, PINS, STEPS, House, crewed_house, key_dice
from tests.web.browser.player import area, up
from tests.web.browser.visitors import DESKTOP

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with crewed_house(browser, tmp_path_factory.mktemp("hand")) as house:
        yield house


@pytest.mark.whole
@pytest.mark.parametrize(
    ("size", "names"),
    [pytest.param(DESKTOP, ("Ann", "Bob"), marks=pytest.mark.sweep), (PHONE, ("Cleo", "Dan"))],
    ids=["desk", "phone"],
)
def test_a_hand_from_sitting_down_to_the_loser_7(house: House, size: dict[str, int], names: tuple[str, str]) -> None:
    """Pass against don't pass: the point is keyed, corrected, played with odds and place wagers, and lost."""
    table = house.open_table(f"Felt of {names[0]}", automate=STEPS)
    stick, dealer, box = (
        _console(house, name, f"/tables/{table}/crew?role={role}", size)
        for name, role in (("Stan", "stickperson"), ("Dee", "dealer"), ("Bea", "boxperson"))
    )
    shooter, other = (_sit(house, name, table, seat, size) for name, seat in zip(names, (2, 5), strict=True))
    pages = (shooter, other, stick, dealer, box)
    for page, seat, cash in ((shooter, 2, "500"), (other, 5, "300")):
        _buy_in(dealer, seat, cash)
        expect(page.locator("#rack")).to_have_text(f"${cash}")
    stick.keyboard.press("o")
    shooter.get_by_role("button", name="Take the dice").click()
    expect(other.locator("#shooter")).to_have_text(f"{names[0]} has the dice")
    for page, kind in ((shooter, "pass"), (other, "dont_pass")):
        area(page, kind).click()
        expect(up(page, kind)).to_be_attached()
    _racks(dealer, {shooter: "$495", other: "$295"})
    expect(shooter.locator("#felt .stack.own")).to_have_count(1)
    expect(shooter.locator("#felt .pill")).to_have_count(1)  # what the other has up
    assert _faults(shooter, stick, is_repeat=True) == []

    _throw(stick, "24", "Six, easy six, mark the point", pages)
    _correct(box, "33", "2-4 becomes 3-3")
    for page in pages[:2]:
        expect(page.locator("#puck")).to_have_text("ON The point is 6")
        expect(page.locator("#history li")).to_have_count(1)
        expect(page.locator("#history li b")).to_have_text("6")
    for page in pages[2:]:
        expect(page.locator("#rolls")).to_have_text("6 3-3")

    area(shooter, "pass_odds").click()
    expect(up(shooter, "pass_odds")).to_be_attached()
    area(shooter, "place_win", 8).click()  # a red chip is no correct amount there
    shooter.get_by_role("alert").get_by_role("button", name="Wager $6").click()
    expect(up(shooter, "place_win", 8)).to_be_attached()
    area(other, "place_win", 5).click()
    expect(up(other, "place_win", 5)).to_be_attached()
    _racks(dealer, {shooter: "$484", other: "$290"})
    assert _faults(other, box, is_repeat=True) == []

    _throw(stick, "34", "Seven out, line away", pages)
    for page, net, lines in (
        (shooter, "You: -$16", ("Pass Line, $5: taken", "$5: taken", "Place 8, $6: taken")),
        (other, "You: $0", ("Don't Pass, $5 at 1 to 1: $5", "Place 5, $5: taken")),
    ):
        expect(page.locator("#settled .net")).to_have_text(net)
        for line in lines:
            expect(page.locator("#settled > ul")).to_contain_text(line)
        expect(page.locator("#puck")).to_have_text("OFF Come-out roll")
        expect(page.locator("#felt .stack, #felt .pill")).to_have_count(0)
    expect(shooter.locator("#settled details li")).to_have_count(2)
    expect(other.locator("#settled details li")).to_have_count(3)
    for page in (stick, dealer, box):
        expect(page.get_by_role("region", name="Take, then pay")).to_contain_text("3-4: take $21, pay $5")
    _racks(dealer, {shooter: "$484", other: "$300"})
    assert _faults(other) == []
    assert _faults(shooter, stick, dealer, box, is_repeat=True) == []
    for page in pages:
        page.close()


def _console(house: House, name: str, path: str, size: dict[str, int]) -> Page:
    page = house.open(name, path, size)
    expect(page.get_by_text("Connected")).to_be_visible()
    return page


def _sit(house: House, name: str, table: str, seat: int, size: dict[str, int]) -> Page:
    """Register, open the table and take a seat."""
    page = house.open(name, "/register", size)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name=re.compile("Register|Create|Make")).click()
    page.wait_for_url(f"{house.server.address}/")
    page.goto(f"{house.server.address}/tables/{table}")
    page.get_by_role("button", name=f"Take seat {seat}", exact=True).click()
    expect(page.locator("#bar")).to_be_visible()
    return page


def _buy_in(dealer: Page, seat: int, cash: str) -> None:
    form = dealer.get_by_role("form", name="Buy-in")
    form.get_by_label("Seat").select_option(str(seat))
    form.get_by_label("Cash").fill(cash)
    form.get_by_label("Cash").press("Enter")


def _throw(stick: Page, digits: str, call: str, pages: tuple[Page, ...]) -> None:
    """The stickperson keys the dice; every page shows the same faces and call."""
    stick.keyboard.press("d")
    expect(stick.locator("#state")).to_contain_text("in the air")
    for page in pages:
        expect(page.locator("#call")).to_have_text("")  # the last call is not of these dice
    key_dice(stick, digits)
    for page in pages:
        expect(page.locator("#call")).to_have_text(call)


def _correct(box: Page, digits: str, becomes: str) -> None:
    """The boxperson corrects the last roll, signed off by the floor."""
    box.keyboard.press("c")
    box.keyboard.type(digits)
    expect(box.locator(".to")).to_contain_text(becomes)
    sheet = box.get_by_role("form", name="Correct the last roll")
    sheet.get_by_label("Name").fill("Flo")
    sheet.get_by_label("PIN").fill(PINS["Flo"])
    sheet.get_by_label("PIN").press("Enter")
    expect(box.locator("#refused")).to_be_hidden()


def _racks(dealer: Page, racks: dict[Page, str]) -> None:
    """Check that each player's page and the dealer's console show the same rack."""
    for (page, rack), row in zip(racks.items(), dealer.locator("#seats tbody tr").all(), strict=True):
        expect(page.locator("#rack")).to_have_text(rack)
        expect(row.locator("td").nth(1)).to_have_text(rack)


def _faults(*pages: Page, is_repeat: bool = False) -> list[str]:
    """Return what axe finds serious or critical on the pages, and which pages scroll sideways."""
    faults = [fault for page in pages for fault in grave_faults(page, is_repeat=is_repeat)]
    is_wide = "document.documentElement.scrollWidth > innerWidth"
    return faults + [f"{page.url} scrolls sideways" for page in pages if page.evaluate(is_wide)]

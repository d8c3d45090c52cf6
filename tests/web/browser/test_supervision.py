"""The console supervises: sets of dice, whose hours end, and irregularities; only where the rules have them."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.people.house import PIN
from tests.web.browser.axe import grave_faults
from tests.web.browser.visitors import Staff

pytestmark = pytest.mark.long

CREW = {"Dee": "dealer", "Stan": "stickperson", "Bea": "boxperson", "Flo": "floorperson"}
TABLES = {
    "Harbor": ("maryland", "physical"),
    "Screens": ("maryland", "electronic"),
    "Mountain": ("colorado", "physical"),
}
SIZE = {"width": 1440, "height": 900}
STEPS = ["button", "call", "choose", "offer", "pass", "settle"]
HOUR = 3600


class Floor(Staff):
    """A house whose clock the test moves."""

    def does(self, name: str, table: str, command: str, **fields: object) -> None:
        body = {"id": uuid4().hex, "command": {"command": command, **fields}}
        self.client(name).post(f"/api/tables/{table.lower()}/commands", body)

    def console(self, name: str, table: str) -> Page:
        page = self.open(name, f"/tables/{table.lower()}/crew?role={CREW[name]}", SIZE)
        expect(page.get_by_text("Connected")).to_be_visible()
        return page


@pytest.fixture(scope="module")
def floor(browser: Browser) -> Iterator[Floor]:
    with Floor(browser, {**CREW, "Ann": "player"}).serving() as floor:
        for name, (rules, dice) in TABLES.items():
            opening = {"command": "open-table", "name": name, "house": {"rules": rules}, "dice": dice}
            floor.client("Olga").post("/api/tables", {**opening, "automate": STEPS})
        yield floor


def assert_clean(page: Page, *, is_repeat: bool = False) -> None:
    assert grave_faults(page, is_repeat=is_repeat) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZE["width"]


@pytest.mark.clause("MD-7.E", "MD-7.F.3")
def test_MD_7_E__a_set_whose_24_hours_are_over_is_changed_at_the_console(floor: Floor) -> None:
    """MD-7.E, MD-7.F.3: the time left is by the server's clock, not by the browser's, which is years off here."""
    floor.does("Ann", "Harbor", "take-seat", seat=1)
    floor.does("Dee", "Harbor", "buy-in", seat=1, cents=500_00)
    floor.does("Ann", "Harbor", "accept-dice", seat=1)
    floor.does("Ann", "Harbor", "make-wager", seat=1, wager="pass", cents=10_00)
    floor.server.clock.move(23 * HOUR - 2)
    dice = floor.console("Stan", "Harbor").locator("#state .fact", has_text="Dice set")
    expect(dice).to_have_class("fact is-warn")  # two seconds later, without a word from the server
    expect(dice).to_contain_text("1: 59 min left")
    floor.server.clock.move(HOUR + 2)
    stick, box = floor.console("Stan", "Harbor"), floor.console("Bea", "Harbor")
    told = (
        "NO THROW: the 24 hours of set 1 of the dice are over. The boxperson or floorperson puts in a new set. [MD-7.E]"
    )
    expect(stick.locator("#status")).to_have_text(told)
    stick.keyboard.press("d")
    expect(stick.locator("#refused")).to_contain_text("24 hours are the most")
    expect(stick.locator("#refused .clause")).to_have_text(" [MD-7.E]")
    stick.keyboard.press("Escape")
    panel = box.get_by_role("region", name="Set of dice")
    expect(panel).to_have_class("panel is-folded is-stopped")
    assert_clean(box)
    box.keyboard.press("h")
    expect(panel.get_by_role("button", name="Put in a new set")).to_be_focused()
    box.keyboard.press("Enter")
    for page in (stick, box):
        expect(page.locator("#state .fact", has_text="2: 23 h 59 min left")).to_have_class("fact")
        expect(page.locator("#status")).to_be_hidden()
    stick.keyboard.press("h")
    condemn = stick.get_by_role("form", name="Condemn the set")
    condemn.get_by_label("because it is").select_option("tampered")
    expect(condemn).to_contain_text("MD-7.F.3")
    condemn.get_by_label("What was seen").fill("a die is shaved")
    condemn.get_by_label("What was seen").press("Enter")
    expect(box.locator("#status")).to_contain_text("NO THROW: set 2 of the dice is tampered.")
    expect(panel).to_contain_text("“a die is shaved”")
    expect(stick.get_by_role("button", name="Put in a new set")).to_have_count(0)  # not for the stickperson
    panel.get_by_role("button", name="Put in a new set").click()
    expect(stick.locator("#state")).to_contain_text("3: 23 h 59 min left")
    stick.keyboard.press("d")
    expect(stick.locator("#state")).to_contain_text("in the air")


@pytest.mark.clause("CO-2319-notify", "CO-2319-direct", "CO-2319-observe")
def test_CO_2319_notify__an_irregularity_goes_from_the_dealer_to_the_boxperson_and_is_dealt_with(floor: Floor) -> None:
    """CO-2319-notify, CO-2319-direct, CO-2319-observe: each step by the roles of the regulation, at the console."""
    dealer, box = floor.console("Dee", "Mountain"), floor.console("Bea", "Mountain")
    dealer.keyboard.press("r")
    report = dealer.get_by_role("form", name="Report an irregularity")
    report.get_by_label("What happened").fill("a field wager was paid twice")
    report.get_by_label("What happened").press("Enter")
    panel = box.get_by_role("region", name="Irregularities")
    expect(panel).to_contain_text("a field wager was paid twice")
    expect(panel).to_have_class("panel is-folded is-urgent")
    expect(panel.get_by_role("button", name="I watched it done")).to_have_count(0)
    expect(dealer.get_by_role("form", name="Direct what is done")).to_have_count(0)
    direct = box.get_by_role("form", name="Direct what is done")
    direct.get_by_label("What the dealer is to do").fill("take the second payment back")
    direct.get_by_role("button", name="Direct").click()
    expect(dealer.get_by_role("region", name="Irregularities")).to_contain_text(
        "Directed: take the second payment back"
    )
    assert_clean(box, is_repeat=True)
    panel.get_by_role("button", name="I watched it done").click()
    for page in (dealer, box):
        expect(page.get_by_role("region", name="Irregularities")).to_contain_text("None is open.")
        expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.whole
def test_each_panel_is_only_where_the_rules_and_the_dice_have_it(floor: Floor) -> None:
    panels = {"Harbor": (1, 0), "Screens": (0, 0), "Mountain": (0, 1)}
    for table, counts in panels.items():
        page = floor.console("Bea", table)
        for name, count in zip(("Set of dice", "Irregularities"), counts, strict=True):
            expect(page.get_by_role("region", name=name)).to_have_count(count)
        expect(page.locator("#state .fact", has_text="Dice set")).to_have_count(counts[0])


@pytest.mark.whole
def test_limits_that_come_into_force_by_notice_are_shown_without_an_entry_of_the_table(floor: Floor) -> None:
    """AZ-III.D.2, MD-3.C: an open page shows the limits in force, though nothing happened at its table."""
    page = floor.browser.new_page()
    page.goto(f"{floor.address}/tables/screens")
    minimum = page.locator("#limits")
    expect(minimum).to_contain_text("$5")
    notice = {"command": "notice-limits", "wager_cents_min": 25_00, "wager_cents_max": 1_000_00}
    signed = {"id": uuid4().hex, "command": notice, "sign_off": {"name": "Flo", "pin": PIN}}
    floor.client("Olga").post("/api/tables/screens/commands", signed)
    floor.server.clock.move(HOUR)
    expect(minimum).to_contain_text("$5")
    filed = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-9", "date": "2026-01-02"}
    floor.client("Olga").post("/api/approvals", filed)
    expect(minimum).to_contain_text("$25")

"""The back office in a real browser: a day's work with the keyboard and on a tablet, on an office of the tests' own."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from passline.office.verify import house_faults
from passline.rules.clauses import REGULATIONS
from passline.web.pages.static_files import static_address
from tests.cases import budget
from tests.people.house import PIN
from tests.web.browser.axe import grave_faults
from tests.web.browser.visitors import DESKTOP, Staff
from tests.web.office_practice import office_of_practice

pytestmark = pytest.mark.long

STAFF = {"Flo": "floorperson", "Sam": "supervisor", "Dee": "dealer", "Cass": "cashier", "Cus": "custodian"}
TABLET = {"width": 820, "height": 1180}
TAPS_MAX = 12
TARGET_MIN = 44


class Desk(Staff):
    """A house with an office."""

    def open(self, name: str, path: str = "", size: dict[str, int] = TABLET) -> Page:
        """Open a page of the office as somebody."""
        return super().open(name, f"/office/maryland{path}", size)

    def does(self, name: str, act: str, *things: str, **fields: object) -> None:
        command = {"command": "do-act", "act": act, "things": things, "fields": fields}
        self.client(name).post("/api/office/maryland/commands", {"command": command})

    def things(self, kind: str) -> dict[str, dict[str, Any]]:
        told = self.client("Olga").get(f"/api/office/maryland/things/{kind}")["things"]
        return {thing["id"]: thing for thing in told}


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Desk]:
    """A house whose owner has set up its office through the page."""
    with office_of_practice(), Desk(browser, STAFF).serving() as desk:
        page = desk.open("Olga")
        page.get_by_role("link", name="Set up the office").click()
        page.get_by_label("Time zone").fill("Atlantis")
        page.get_by_role("button", name="Set up the office").click()
        expect(page.locator(".field-fault:visible")).to_have_text(
            ["Is empty", "'Atlantis' is not a time zone such as America/Denver"]
        )
        page.get_by_label("Name of the house").fill("Harbour Hall")
        page.get_by_label("Time zone").fill("America/New_York")
        page.get_by_role("button", name="Set up the office").click()
        expect(page.get_by_role("heading", name="Due")).to_be_visible()
        expect(page.get_by_text("Harbour Hall")).to_be_visible()
        kept = {"where": "here", "sign_off": {"name": "Flo", "pin": PIN}}
        page.evaluate("async (kept) => (await import('/static/http.js')).post('/api/office', kept)", kept)
        for table in ("craps-1", "craps-2"):
            desk.does("Olga", "register_table", table, area="main floor")
        desk.does("Cus", "receive_dice", "B-1")
        desk.does("Cass", "receive_chips", units={"500": 400, "2500": 200})
        yield desk
        assert not list(house_faults(desk.server.log.read()))


@pytest.mark.whole
def test_five_dice_are_scanned_and_tested_with_the_keyboard_alone(desk: Desk) -> None:
    cus = desk.open("Cus", "/dice", DESKTOP)
    cus.get_by_role("button", name="Receive dice").click()
    expect(cus.get_by_label("Die: which ones")).to_be_focused()
    for number in range(1, 6):
        cus.keyboard.type(f"A-10{number}\n")  # as a scanner does
    expect(cus.get_by_text("5 taken")).to_be_visible()
    cus.keyboard.press("Enter")
    expect(cus.locator("#said")).to_contain_text("Die A-105 is stored")

    sam = desk.open("Sam", "/dice#test_dice", DESKTOP)
    expect(sam.get_by_label("Die: which ones")).to_be_focused()
    sam.keyboard.type("A-101 A-102 A-103 A-104 A-105\nA-999\n")
    expect(sam.locator(".tokens .is-wrong")).to_contain_text("not on record")
    sam.keyboard.press("Backspace")
    sam.keyboard.press("Enter")  # with all of it missing
    faults = sam.locator(".field-fault:visible")
    expect(faults).to_have_text(
        ["Missing MD-7.A", "Missing MD-7.A", "Must be so: on a flat surface MD-7.A", "Missing MD-7.A"]
    )
    expect(sam.get_by_role("radio", name="craps-1")).to_be_focused()
    for key in (" ", "Tab", "Tab", " ", "Tab", " ", "Tab"):  # the table, of the tools the magnet, the surface
        sam.keyboard.press(key)
    sam.keyboard.type("760\n761\n762\n763\n776\n")
    expect(faults).to_have_text(["A-105: 776 is more than 775 thousandths of an inch MD-7.A"])
    sam.get_by_label("The edge: A-105").fill("764")
    sam.keyboard.press("Enter")
    expect(sam.get_by_role("heading", name="Sign: Test dice")).to_be_visible()
    sam.keyboard.type(PIN + "\n")  # Dee is the only dealer
    expect(sam.locator("#said")).to_contain_text("Dee signed act")
    expect(sam.locator("#sheet")).to_be_hidden()
    expect(sam.get_by_role("row").filter(has_text="A-103")).to_contain_text("Tested")
    dice = desk.things("die")
    assert [one for one, known in dice.items() if known["state"] == "tested"] == [f"A-10{n}" for n in range(1, 6)]
    assert dice["A-104"]["facts"]["tools"] == ["magnet"]
    sam.get_by_label("Find").fill("a-102 tested")
    expect(sam.get_by_text("1 of 6 on record")).to_be_visible()


@pytest.mark.whole
def test_a_fill_takes_at_most_twelve_taps(desk: Desk) -> None:
    taps = 0

    def tap(page: Page, role: Any, name: str) -> None:  # noqa: ANN401 - a role of ARIA
        nonlocal taps
        page.get_by_role(role, name=name, exact=True).click()
        taps += 1

    flo = desk.open("Flo", "")
    tap(flo, "button", "Ask for a fill")
    tap(flo, "radio", "craps-1")
    for worth in ("$5", "$25", "$25"):
        tap(flo, "button", f"A stack of 20 more of {worth}")
    expect(flo.get_by_text("Total $1,100")).to_be_visible()
    tap(flo, "button", "Record")
    expect(flo.get_by_text("Next: Make up a fill (cashier)")).to_be_visible()
    for name, step, state in (
        ("Cass", "Make up a fill", "prepared"),
        ("Sam", "Take a fill to the table", "carried"),
        ("Dee", "Accept a fill", "accepted"),
    ):
        page = desk.open(name, "")
        tap(page, "button", step)
        expect(page.locator("#said")).to_contain_text(f"F-000001 is {state}")
    assert taps <= TAPS_MAX
    assert desk.things("fill_slip")["F-000001"]["state"] == "accepted"


@pytest.mark.whole
def test_a_count_that_is_taken_back_was_counted_once(desk: Desk) -> None:
    """Nobody has counted again, so nothing differs."""
    cass = desk.open("Cass", "/count")
    cass.get_by_role("button", name="Count the cage").click()
    cass.get_by_label("How many of $5", exact=True).fill("380")
    cass.get_by_role("button", name="I have counted").click()
    cass.get_by_role("button", name="Take it back").click()
    cass.get_by_label("Why").fill("disturbed")
    cass.locator("#sheet").get_by_role("button", name="Take it back").click()
    expect(cass.get_by_role("button", name="Count the cage")).to_be_enabled()
    expect(cass.get_by_text("The two counts differ")).to_have_count(0)


@pytest.mark.whole
def test_a_second_count_is_blind_and_signed_with_name_and_pin(desk: Desk) -> None:
    cass = desk.open("Cass", "/money#count_cage")
    expect(cass.get_by_text("You count this: the figures are not shown.")).to_be_visible()
    cass.get_by_label("How many of $5", exact=True).fill("380")
    cass.get_by_label("How many of $25", exact=True).fill("160")
    cass.get_by_role("button", name="Record").click()
    expect(cass.get_by_role("heading", name="Sign: Count the cage")).to_be_visible()
    expect(cass.locator("#sheet")).not_to_contain_text("380")
    assert cass.get_by_label("How many of $5", exact=True).input_value() == ""
    cass.get_by_role("button", name="Cancel").click()  # it waits on the page of today

    flo = desk.open("Flo", "")
    expect(flo.locator("#sign")).to_contain_text("Recorded by Cass")
    flo.get_by_role("button", name="Count and sign").click()
    expect(flo.get_by_role("radio", name="Flo (you)")).to_be_checked()
    flo.get_by_label("How many of $5", exact=True).fill("379")
    flo.get_by_label("How many of $25", exact=True).fill("160")
    flo.get_by_role("button", name="Sign", exact=True).click()
    expect(flo.locator("#said")).to_contain_text("the two counts differ")
    expect(flo.get_by_text("Nothing waits for a signature.")).to_be_visible()


@pytest.mark.whole
def test_the_opening_list_leads_to_what_mends_it_and_a_refused_table_to_it(desk: Desk, tmp_path: Path) -> None:
    plan = tmp_path / "plan.pdf"
    plan.write_bytes(b"the plan")
    flo = desk.open("Flo", "/opening-list/craps-2")
    expect(flo.get_by_role("heading", name="2 of 2 items stand against opening")).to_be_visible()
    expect(flo.get_by_role("listitem").filter(has_text="Approved")).to_contain_text("The agency has not approved it")
    flo.get_by_role("link", name="Check a table").click()
    flo.get_by_label("The layout bears the name of the house").check()
    flo.get_by_role("button", name="Record").click()
    expect(flo.get_by_role("listitem").filter(has_text="call bets")).to_have_class("is-wrong")
    flo.get_by_label("call bets are not accepted").check()
    flo.get_by_role("button", name="Record").click()
    expect(flo.locator("#sheet")).to_be_hidden()

    olga = desk.open("Olga", "/opening-list/craps-2")
    olga.get_by_role("link", name="The agency approves the table").click()
    olga.get_by_role("button", name="Record from the paper").click()
    expect(olga.locator("#sheet")).to_contain_text("record it from its paper, with document, reference, received")
    olga.get_by_label("The approved plan").set_input_files(plan)  # which is the paper too: it is asked for once
    expect(olga.get_by_text("goes on record")).to_be_visible()
    expect(olga.get_by_label("The document")).to_be_hidden()
    olga.get_by_label("Its reference").fill("AG 12")
    olga.get_by_label("The day it came").fill("2026-11-14")
    olga.get_by_role("button", name="Record from the paper").click()
    expect(olga.locator("#sheet")).to_be_hidden()
    olga.goto(f"{desk.address}/office/maryland/opening-list/craps-2")
    expect(olga.get_by_role("heading", name="Everything holds: the table can be opened")).to_be_visible()
    assert desk.things("table")["craps-2"]["facts"]["plan"] == hashlib.sha256(b"the plan").hexdigest()

    olga.goto(f"{desk.address}/house#open")  # where a table that may not open leads to its list
    form = olga.get_by_role("form", name="Open a table")
    form.get_by_label("Regulation").select_option("maryland")
    expect(form.get_by_label("House: your elections, as TOML")).to_have_value(re.compile('rules = "maryland"'))
    form.locator("#open-name").fill("Craps 1")
    form.locator("#open-signer").fill("Flo")
    form.locator("#open-pin").fill(PIN)
    form.get_by_role("button", name="Open the table").click()
    expect(form.locator(".refused").last).to_contain_text("the agency has not approved it")
    form.get_by_role("link", name="opening list in the office").click()
    expect(olga.get_by_role("heading", name="Opening list of craps-1")).to_be_visible()


@pytest.mark.whole
def test_a_form_is_made_from_every_type_of_field(desk: Desk) -> None:
    page = desk.open("Olga", "/notes#note_everything")
    sheet = page.get_by_role("form", name="Note everything")
    sheet.get_by_label("A text", exact=False).first.fill("seen")
    sheet.get_by_label("A number").fill("12")
    sheet.get_by_label("An amount").fill("12.50")
    sheet.get_by_role("radio", name="Two").check()
    sheet.get_by_label("A day").fill("2026-11-20")
    sheet.get_by_label("A moment").fill("2026-11-20T18:30")
    sheet.get_by_role("radio", name="Dee").check()
    for name in ("Cass", "Flo"):
        sheet.get_by_role("group", name="Several people").get_by_label(name).check()
    sheet.get_by_label("Who watched").fill("Flo")
    sheet.get_by_label("Nobody watched").check()
    expect(sheet.get_by_label("Who watched")).to_be_hidden()
    sheet.get_by_role("group", name="Some dice").get_by_label("B-1").check()
    sheet.get_by_role("button", name="Record").click()
    expect(page.locator(".field-fault:visible")).to_have_text(["12 is more than 9 MD-7.A"])
    expect(sheet.get_by_label("A number")).to_be_focused()
    sheet.get_by_label("A number").fill("9")
    sheet.get_by_role("button", name="Record").click()
    expect(page.locator("#said")).to_contain_text("Note everything: recorded by Olga")
    *_, done = (one for one in map(_acts, desk.server.log.read()) if one)
    assert done["fields"] | {"person": "", "people": ""} == {
        "text": "seen", "number": 9, "amount": 1250, "choice": "two", "day": "2026-11-20",
        "moment": "2026-11-20T23:30:00.000000Z", "dice": ["B-1"], "person": "", "people": "", "alone": True,
    }  # fmt: skip


def _acts(stored: Any) -> dict[str, Any]:  # noqa: ANN401 - an entry of the log
    events = json.loads(bytes(stored.entry.events)) if stored.entry.stream.startswith("office") else []
    found: dict[str, Any] = next((one for one in events if one["event"] == "act-done/1"), {})
    return found


FORMS = """async ([at, keys]) => {
  const { openAct } = await import(`${at}/office/act_form.js`);
  const sheet = document.getElementById("sheet"), wrong = [];
  for (const key of keys) {
    await openAct(key).catch((error) => wrong.push(`${key}: ${error}`));
    if (!sheet.querySelector('form [type="submit"]')) wrong.push(`${key}: no form`);
    if (sheet.scrollWidth > sheet.clientWidth) wrong.push(`${key}: scrolls sideways`);
    sheet.close();
  }
  return wrong;
}"""


@pytest.mark.whole
def test_every_act_of_every_regulation_has_a_form_that_fits_a_tablet(browser: Browser) -> None:
    with Desk(browser, STAFF).serving() as desk:
        client = desk.client("Olga")
        for name in REGULATIONS[: budget(1, in_sweep=len(REGULATIONS))]:
            facility = {"name": "Harbour Hall", "zone": "America/New_York"}
            client.post(f"/api/office/{name}/commands", {"command": {"command": "set-up-office", "facility": facility}})
            acts = client.get(f"/api/office/{name}")["acts"]
            page = desk.open("Olga", f"/../{name}/incidents")
            page.wait_for_load_state("networkidle")
            assert page.evaluate(FORMS, [static_address(), list(acts)]) == [], name
            page.close()


SHOWN = {
    "today": "",
    "dice": "/dice",
    "tables": "/tables",
    "money": "/money",
    "opening list": "/opening-list/craps-1",
    "set up": "/set-up",
    "form": "/money#receive_chips",
}
SMALL = """(least) => [...document.querySelectorAll("button, select, input, textarea, summary, main a")]
  .filter((one) => one.offsetParent && getComputedStyle(one).visibility === "visible")
  .map((one) => (["checkbox", "radio"].includes(one.type) ? one.closest("label") : one))
  .filter((one) => one.getBoundingClientRect().height < least).map((one) => one.outerHTML.slice(0, 120))"""


SOME = ("today", "form")  # the others are scanned by `./x test --all`


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(TABLET, marks=pytest.mark.sweep)], ids=["desktop", "tablet"])
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if name in SOME else pytest.mark.sweep, id=name) for name, path in SHOWN.items()],
)
@pytest.mark.whole
def test_axe_finds_nothing_serious_and_every_target_is_large(desk: Desk, path: str, size: dict[str, int]) -> None:
    page = desk.open("Cass" if "#" in path else "Olga", path, size)
    page.wait_for_load_state("networkidle")
    for fold in page.locator("details:not([open]) > summary").all()[:6]:
        if fold.is_visible():
            fold.click()
    assert grave_faults(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert grave_faults(page, is_repeat=True) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], "the page scrolls sideways"
    assert not page.evaluate(SMALL, TARGET_MIN)
    page.close()

"""A day of a house in Arizona through its pages, from the approval of its rules to the proved folder of the day."""

import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from typer.testing import CliRunner

from passline.cli.main import app
from passline.office.verify import house_faults
from tests.people.house import PIN
from tests.web.browser.arizona_house import DESK, TABLET, ArizonaHouse
from tests.web.browser.axe import grave_faults
from tests.web.browser.house import key_dice
from tests.web.browser.player import area, up
from tests.web.browser.served_app import served_app

pytestmark = [pytest.mark.slow, pytest.mark.long]

OFFICE = "/office/arizona"
TAPS_MAX = 12
SHOTS = os.environ.get("PASSLINE_SHOTS", "")  # a folder for screenshots to be looked at
TARGET_MIN = 44
SCANNED = ("dice-test", "count-first", "drop-round", "count-room-box", "history-table")  # a page of each kind
SMALL = """(least) => [...document.querySelectorAll("main button, main select, main input, main textarea, a.button")]
  .filter((one) => one.offsetParent && getComputedStyle(one).visibility === "visible")
  .map((one) => (["checkbox", "radio"].includes(one.type) ? one.closest("label") : one))
  .filter((one) => one.getBoundingClientRect().height < least).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.fixture
def house(browser: Browser) -> Iterator[ArizonaHouse]:
    house = ArizonaHouse(browser)
    with served_app(house.server) as house.address:
        house.set_up()
        yield house
        for context in house.contexts.values():
            context.close()
        house.closing.close()


def look(page: Page, name: str) -> None:
    """Look at a page on a desktop and on a tablet: no fault of access, nothing beyond the edge, large targets."""
    assert grave_faults(page, is_repeat=name not in SCANNED) == [], name
    for size, where in ((TABLET, "tablet"), (DESK, "desktop")):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], f"{name} scrolls sideways"
        assert not page.evaluate(SMALL, TARGET_MIN), name
        if SHOTS:
            page.screenshot(
                path=Path(SHOTS) / f"{name}-{where}.png", full_page=page.locator("#sheet[open]").count() == 0
            )


def record(page: Page, said: str, button: str = "Record") -> None:
    """Record the form that is open; the page says what was done."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator("#said")).to_contain_text(said)


def act(house: ArizonaHouse, name: str, path: str, **more: Any) -> Page:  # noqa: ANN401 - whatever `open` takes
    """Open the form of an act by its address."""
    page = house.open(name, f"{OFFICE}/{path}", **more)
    expect(page.locator("#sheet form")).to_be_visible()
    return page


def units(form: Locator, **counts: int) -> None:
    """Type how many there are of each denomination: `d5=40` is 40 of $5."""
    for worth, count in counts.items():
        form.get_by_label(f"How many of ${worth[1:]}", exact=True).fill(str(count))


def signs(page: Page, name: str) -> None:
    """Sign in place with name and PIN."""
    signer = page.get_by_role("radio", name=name, exact=True)
    if signer.count():
        signer.check()
    page.get_by_label("PIN").fill(PIN)


@pytest.mark.whole
def test_a_day_from_the_approval_of_the_rules_to_the_regulators_folder(house: ArizonaHouse, tmp_path: Path) -> None:
    house.at_local("2026-11-18 09:00")  # two business days after the TGO was told of the table
    _rules_are_approved(house, tmp_path)
    house.prepare_table()
    for step in (
        _table_is_sealed,
        _dice_are_tested,
        _opener_is_counted,
        _table_is_opened_by_its_green_list,
        _fill_is_made_in_few_taps,
        _hand_is_dealt,
    ):
        house.put_away()
        step(house)
    house.at_local("2026-11-18 14:05")
    for step in (
        _box_is_dropped,
        _closer_is_counted,
        _table_is_closed,
        _box_is_counted,
        _reserve_is_reconciled,
        _history_has_it_all,
    ):
        house.put_away()
        step(house)
    _folder_is_proved(house, tmp_path)
    assert not list(house_faults(house.server.log.read()))


def _rules_are_approved(house: ArizonaHouse, tmp_path: Path) -> None:
    letter = tmp_path / "decision.pdf"
    letter.write_bytes(b"the decision of the TGO")
    tom = act(house, "tom", "rules#tgo_approve_house=capstan")
    for point in ("Integrity", "Fairness", "Security"):
        tom.get_by_role("checkbox", name=point).check()
    tom.locator("#sheet input[type=file]").first.set_input_files(letter)
    expect(tom.get_by_text("goes on record")).to_be_visible()
    record(tom, "House capstan is")
    for step in ("sga_receive_house", "sga_approve_house"):
        record(act(house, "sue", f"rules#{step}=capstan"), "(capstan): recorded by Sue")
    record(act(house, "olga", "rules#put_in_force=capstan"), "House capstan is in force")


def _table_is_sealed(house: ArizonaHouse) -> None:
    record(act(house, "tom", "tables#approve_table=craps-1"), "Table craps-1 is")
    tgo = act(house, "tom", "tables#affix_tgo_seal=craps-1")
    tgo.get_by_label("seal").last.fill("TG-100")
    record(tgo, "(craps-1): recorded by Tom")
    sga = act(house, "sue", "tables#sga_approve_table=craps-1")
    sga.get_by_label("seal").last.fill("SG-7")
    record(sga, "(craps-1): recorded by Sue")


def _dice_are_tested(house: ArizonaHouse) -> None:
    sam = act(house, "sam", "dice#test_dice")
    sam.keyboard.type("A1 A2 A3 A4 A5\n")  # as a scanner does
    sheet = sam.locator("#sheet")
    sheet.get_by_role("radio", name="craps-1").check()
    sheet.get_by_role("radio", name="V-000001").check()
    sheet.get_by_role("checkbox", name="Micrometer").check()
    sheet.get_by_label("On a flat surface").check()
    for line in sheet.locator(".checklist input").all():
        line.check()
    for which, size in (("shortest", 752), ("longest", 756)):
        edge = f"The {which} edge of each, as a whole number such as {size}"
        for die in range(1, 6):
            sheet.get_by_label(f"{edge}: A{die}").fill(str(size))
    sheet.get_by_label("No die is flawed").check()
    sheet.get_by_label("Where surveillance has recorded the test").fill("camera 12")
    look(sam, "dice-test")
    sheet.get_by_role("button", name="Record").click()
    expect(sam.get_by_role("heading", name="Sign: Test dice")).to_be_visible()
    for name in ("Dan", "Bob"):
        signs(sam, name)
        sheet.get_by_role("button", name="Sign", exact=True).click()
        expect(sam.locator("#said")).to_contain_text(f"{name} signed")
    expect(sheet).to_be_hidden()
    sam = act(house, "sam", "dice#place_dice=A1,A2,A3,A4,A5")
    sheet = sam.locator("#sheet")
    sheet.get_by_role("radio", name="craps-1").check()
    sheet.get_by_label("They lie in a cup on the table").check()
    sheet.get_by_role("radio", name="Bob").check()
    record(sam, "Die A5 is in play")


def _opener_is_counted(house: ArizonaHouse) -> None:
    """Two people count, and differ; they count again, and agree."""
    dan = house.open("dan", f"{OFFICE}/count")
    expect(dan.get_by_role("region", name="Table craps-1")).to_contain_text(
        "Its opening inventory has not been counted"
    )
    look(dan, "count-choose")
    dan.get_by_role("button", name="Count the opening inventory").click()
    tray = dan.get_by_role("form", name="Count the opening inventory")
    expect(tray.get_by_label("How many of $5", exact=True)).to_be_focused()
    dan.keyboard.type("40\n20\n")  # from row to row
    expect(tray.get_by_text("Total $700")).to_be_visible()
    look(dan, "count-first")
    expect(dan.locator(".field-fault:visible")).to_have_text(["Must be so: the form is in the drop box AZ-III.C.1-b"])
    tray.get_by_label("The form is in the drop box").check()
    tray.get_by_role("button", name="I have counted").click()
    second = dan.get_by_role("form", name="Sign: Count the opening inventory")
    expect(second.get_by_label("How many of $5", exact=True)).to_have_value("")
    units(second, d5=40, d25=19)
    signs(dan, "Sam")
    look(dan, "count-second")
    second.get_by_role("button", name="I have counted: sign").click()
    expect(dan.get_by_role("alert")).to_contain_text("The two counts differ")
    look(dan, "count-differs")
    dan.get_by_role("button", name="Count again").click()
    expect(dan.get_by_text("This is round 2")).to_be_visible()
    units(tray, d5=40, d25=20)
    tray.get_by_label("The form is in the drop box").check()
    tray.get_by_role("button", name="I have counted").click()
    units(second, d5=40, d25=20)
    signs(dan, "Sam")
    second.get_by_role("button", name="I have counted: sign").click()
    expect(dan.get_by_role("region", name="The count")).to_contain_text("$700")
    expect(dan.get_by_text("Both counted the same, and so says the book.")).to_be_visible()
    expect(dan.get_by_text("Counted 2 times")).to_be_visible()
    look(dan, "count-result")


def _table_is_opened_by_its_green_list(house: ArizonaHouse) -> None:
    olga = house.open("olga", f"{OFFICE}/opening-list/craps-1")
    expect(olga.get_by_role("heading", name="Everything holds: the table can be opened")).to_be_visible()
    look(olga, "opening-list")
    olga.get_by_role("link", name="Open the table").click()
    form = olga.get_by_role("form", name="Open a table")
    form.get_by_label("Regulation").select_option("arizona")
    form.locator("#open-name").fill("Craps 1")
    for step in ("Pick two dice", "Place buttons", "Call the roll", "Settle", "Pass the dice back"):
        form.get_by_label(step).check()
    form.locator("#open-signer").fill("Flo")
    form.locator("#open-pin").fill(PIN)
    form.get_by_role("button", name="Open the table").click()
    expect(olga.locator("#opened")).to_contain_text("Craps 1 is open: arizona, physical dice")


def _fill_is_made_in_few_taps(house: ArizonaHouse) -> None:
    taps = 0

    def tap(place: Locator) -> None:
        nonlocal taps
        place.click()
        taps += 1

    sam = house.open("sam", OFFICE, TABLET)
    tap(sam.get_by_role("button", name="Ask for a fill"))
    for worth in ("$5", "$25"):
        tap(sam.get_by_role("button", name=f"A stack of 20 more of {worth}"))
    expect(sam.get_by_text("Total $600")).to_be_visible()
    look(sam, "fill-request")
    tap(sam.get_by_role("button", name="Record", exact=True))
    expect(sam.get_by_text("Next: Make up a fill in the cage (cashier)")).to_be_visible()
    for name, step, state in (
        ("cass", "Make up a fill in the cage", "prepared"),
        ("flo", "Take a fill to the table", "carried"),
    ):
        page = house.open(name, OFFICE, TABLET)
        if name == "flo":
            expect(page.locator("#today")).to_contain_text(re.compile("Ask for a fill: .*supervisor"))
        tap(page.get_by_role("button", name=step))
        expect(page.locator("#said")).to_contain_text(f"F-000002 is {state}")
    _fill_on_its_way_is_due(house)
    dan = house.open("dan", OFFICE, TABLET)
    look(dan, "fill-accept")
    tap(dan.get_by_role("button", name="Accept a fill at the table", exact=True).first)
    tap(dan.get_by_label("The slip and the request are in the drop box"))
    tap(dan.get_by_role("button", name="Record", exact=True))
    expect(dan.locator("#said")).to_contain_text("F-000002 is accepted")
    assert taps <= TAPS_MAX


def _fill_on_its_way_is_due(house: ArizonaHouse) -> None:
    """Whoever has no part in it sees that it is due, from whom, and what it is in words."""
    olga = house.open("olga", OFFICE)
    item = olga.locator("#due li").filter(has_text="F-000002")
    expect(item).to_contain_text("A fill that was made up is accepted at the table, or taken back")
    expect(item).to_contain_text("Owed by: floorperson.")
    olga.goto(f"{house.address}{OFFICE}/table_money")
    expect(olga.locator(".slip").filter(has_text="F-000002")).to_be_visible()
    assert {*olga.locator(".slip dt").all_inner_texts()} == {"Table", "Chips by denomination"}  # not `units`
    olga.close()


def _hand_is_dealt(house: ArizonaHouse) -> None:
    """Somebody sits down, buys in and wagers; the stickperson keys a point and the seven."""
    house.contexts["ann"] = house.browser.new_context(viewport=DESK)  # type: ignore[arg-type]
    ann = house.contexts["ann"].new_page()
    ann.goto(f"{house.address}/register")
    ann.get_by_label("Name").fill("Ann")
    ann.get_by_label("Password", exact=True).fill("a long enough phrase")
    ann.get_by_label("Password again").fill("a long enough phrase")
    ann.get_by_role("button", name="Register").click()
    ann.wait_for_url(f"{house.address}/")
    ann.goto(f"{house.address}/tables/craps-1")
    ann.get_by_role("button", name="Take seat 2", exact=True).click()
    dealer = house.open("dan", "/tables/craps-1/crew?role=dealer")
    stick = house.open("stu", "/tables/craps-1/crew?role=stickperson")
    for page in (dealer, stick):
        expect(page.get_by_text("Connected")).to_be_visible()
    form = dealer.get_by_role("form", name="Buy-in")
    form.get_by_label("Seat").select_option("2")
    form.get_by_label("Cash").fill("100")
    form.get_by_label("Cash").press("Enter")
    expect(ann.locator("#rack")).to_have_text("$100")
    stick.keyboard.press("o")
    ann.get_by_role("button", name="Take the dice").click()
    area(ann, "pass").click()
    expect(up(ann, "pass")).to_be_attached()
    for digits, call in (("24", "Six, easy six, mark the point"), ("34", "Seven out, line away")):
        stick.keyboard.press("d")
        expect(stick.locator("#state")).to_contain_text("in the air")
        key_dice(stick, digits)
        expect(ann.locator("#call")).to_have_text(call)
    ann.get_by_role("button", name="Cash out").click()
    ann.get_by_role("button", name="Leave with $95").click()
    expect(ann.get_by_role("button", name="Take seat 2", exact=True)).to_be_visible()


def _box_is_dropped(house: ArizonaHouse) -> None:
    ned = house.open("ned", f"{OFFICE}/drop-round")
    expect(ned.get_by_label("Scan")).to_be_focused()
    ned.get_by_role("button", name="Drop 0 boxes").click()
    expect(ned.get_by_role("alert")).to_contain_text("Pick the boxes that come off.")
    ned.get_by_label("Scan").fill("BOX-1")
    ned.keyboard.press("Enter")
    expect(ned.get_by_label("Take BOX-1 off craps-1")).to_be_checked()
    expect(ned.get_by_text("craps-1: BOX-1 comes off, BOX-2 goes on.")).to_be_visible()
    expect(ned.get_by_role("combobox")).to_have_value("BOX-2")  # the only empty one of this table
    expect(ned.get_by_role("radio", name="Day")).to_be_checked()  # the shift that has just ended
    signs(ned, "Sam")
    look(ned, "drop-round")
    ned.get_by_role("button", name="Drop 1 box").click()
    expect(ned.get_by_role("list", name="What was dropped")).to_contain_text("BOX-1 came off, BOX-2 is on.")
    look(ned, "drop-done")


def _closer_is_counted(house: ArizonaHouse) -> None:
    bob = house.open("bob", f"{OFFICE}/count")
    bob.get_by_role("button", name="Count the closing inventory").click()
    tray = bob.get_by_role("form", name="Count the closing inventory")
    for worth, stacks in (("$5", 3), ("$25", 2)):
        for _ in range(stacks):
            tray.get_by_role("button", name=f"A stack of 20 more of {worth}").click()
    tray.get_by_role("button", name="One more of $5", exact=True).click()
    expect(tray.get_by_text("Total $1,305")).to_be_visible()
    tray.get_by_label("The form is in the drop box").check()
    tray.get_by_role("button", name="I have counted").click()
    second = bob.get_by_role("form", name="Sign: Count the closing inventory")
    units(second, d5=61, d25=40)
    signs(bob, "Sam")
    second.get_by_role("button", name="I have counted: sign").click()
    expect(bob.get_by_text("Both counted the same.")).to_be_visible()
    expect(bob.get_by_role("region", name="The count")).to_contain_text("$1,305")


def _table_is_closed(house: ArizonaHouse) -> None:
    olga = house.open("olga", "/house#tables")
    row = olga.get_by_role("row").filter(has_text="Craps 1")
    row.get_by_role("button", name="Close").click()
    form = olga.locator("form#close")
    form.get_by_label("Name").fill("Flo")
    form.get_by_label("PIN").fill(PIN)
    form.get_by_role("button", name="Close the table").click()
    expect(row).to_contain_text("Closed")


def _box_is_counted(house: ArizonaHouse) -> None:
    ned = house.open("ned", f"{OFFICE}/count-room")
    expect(ned.get_by_role("heading", name="Drop box: 1 to be counted")).to_be_visible()
    look(ned, "count-room")
    ned.get_by_label("Scan").fill("BOX-1")
    ned.keyboard.press("Enter")
    form = ned.get_by_role("form", name="Count a drop box")
    expect(form).to_be_visible()
    expect(form.locator(".field-fault:visible")).to_have_count(0)
    for name in ("Ned", "Nia"):
        form.get_by_role("checkbox", name=name).check()
    cash = form.get_by_role("group", name="Notes by denomination").first
    units(cash, d20=5)
    for part in form.get_by_role("group", name="What was looked for").get_by_role("checkbox").all():
        part.check()
    expect(form.get_by_text("In the box $100")).to_be_visible()
    look(ned, "count-room-box")
    form.get_by_role("button", name="I have counted").click()
    for name in ("Nia", "Cass"):
        again = ned.get_by_role("form", name="Sign: Count a drop box")
        notes = again.get_by_role("group", name="Notes by denomination").first
        expect(notes.get_by_label("How many of $20", exact=True)).to_have_value("")
        units(notes, d20=5)
        signs(ned, name)
        if name == "Nia":
            look(ned, "count-room-second")
        again.get_by_role("button", name="I have counted: sign").click()
        if name == "Nia":
            expect(ned.get_by_text("The cage, which counts again and takes the money").first).to_be_visible()
    expect(ned.get_by_text("BOX-1 is counted and signed.")).to_be_visible()
    expect(ned.get_by_role("region", name="Counted and signed").first).to_contain_text("$100")
    look(ned, "count-room-done")


def _reserve_is_reconciled(house: ArizonaHouse) -> None:
    abe = house.open("abe", f"{OFFICE}/count")
    abe.get_by_role("button", name="Reconcile the reserve with the record").click()
    tray = abe.get_by_role("form", name="Reconcile the reserve with the record")
    units(tray, d5=400, d25=199)
    tray.get_by_role("button", name="I have counted").click()
    second = abe.get_by_role("form", name="Sign: Reconcile the reserve with the record")
    units(second, d5=400, d25=199)
    signs(abe, "Carl")
    second.get_by_role("button", name="I have counted: sign").click()
    expect(abe.get_by_text("The reserve differs from the record").first).to_be_visible()
    shown = abe.get_by_role("region", name="The count")
    expect(shown.get_by_role("row", name="$25 199 $4,975 200")).to_be_visible()
    expect(shown).to_contain_text("\N{MINUS SIGN}$25")
    look(abe, "reserve-result")


def _history_has_it_all(house: ArizonaHouse) -> None:
    olga = house.open("olga", f"{OFFICE}/tables")
    olga.get_by_role("link", name="craps-1", exact=True).click()
    acts = olga.get_by_role("region", name="What was done")
    for text in ("TG-100", "Ask for a fill", "Drop a table", "Count the closing inventory", "Bob, boxperson"):
        expect(acts).to_contain_text(text)
    expect(acts.get_by_role("listitem").filter(has_text="Taken back")).to_contain_text("The two counts differ")
    look(olga, "history-table")
    olga.goto(f"{house.address}{OFFICE}/history/die/A1")
    expect(acts.get_by_role("listitem")).to_have_count(3)  # received, tested, put into the cup
    olga.goto(f"{house.address}{OFFICE}/history/fill_slip/F-000002")
    expect(acts.get_by_role("listitem")).to_have_count(4)


def _folder_is_proved(house: ArizonaHouse, tmp_path: Path) -> None:
    olga = house.open("olga", OFFICE)
    link = olga.get_by_role("link", name="The day's folder")
    look(olga, "today")
    with olga.expect_download() as told:
        link.click()
    told.value.save_as(tmp_path / "day.zip")
    with zipfile.ZipFile(tmp_path / "day.zip") as packed:
        packed.extractall(tmp_path / "day")
    (manifest,) = (tmp_path / "day").rglob("manifest.json")
    proved = CliRunner().invoke(app, ["verify", str(manifest.parent)])
    assert (proved.exit_code, proved.output.strip().endswith("intact")) == (0, True), proved.output
    report = manifest.parent / "day.pdf"
    report.write_bytes(report.read_bytes() + b"!")
    assert "day.pdf: was changed" in CliRunner().invoke(app, ["verify", str(manifest.parent)]).output

"""The crew console offers what the table's dice and regulation allow, and nothing that is always refused."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.house import CREW, PINS, House, crewed_house

pytestmark = pytest.mark.long

TABLES = {"Felt": ("maryland", "physical"), "Screen": ("maryland", "electronic"), "Desert": ("arizona", "physical")}
PHYSICAL = ("Correct the last roll", "No roll")


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house set up through the API: everybody logged in at a browser, and a table of each kind."""
    with crewed_house(browser, tmp_path_factory.mktemp("house"), Ann="player", Bob="player") as house:
        owner = house.client("Olga")
        steps = ["button", "call", "choose", "confirm", "offer", "pass", "settle"]
        report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
        owner.post("/api/approvals", report)
        for name, (rules, dice) in TABLES.items():
            opening = {"command": "open-table", "name": name, "house": {"rules": rules}, "dice": dice}
            automate = [step for step in steps if dice == "electronic" or step != "confirm"]
            owner.post("/api/tables", {**opening, "automate": automate})
        yield house


def console(house: House, name: str, table: str) -> Page:
    page = house.open(name, f"/tables/{table.lower()}/crew?role={CREW[name]}")
    expect(page.get_by_text("Connected")).to_be_visible()
    return page


def seat(page: Page, number: int, name: str, who: str = "") -> None:
    form = page.get_by_role("form", name="Seat a player")
    form.get_by_label("Seat").select_option(str(number))
    if who:
        form.get_by_label("Who").select_option(who)
    form.get_by_label("Name").fill(name)
    form.get_by_label("Name").press("Enter")


@pytest.mark.parametrize(
    "name", ["Stan", *(pytest.param(name, marks=pytest.mark.sweep) for name in ("Bea", "Dee", "Flo"))]
)
@pytest.mark.whole
def test_only_physical_dice_have_panels_for_faces(house: House, name: str) -> None:
    for table in ("Felt", "Screen"):
        page = console(house, name, table)
        page.keyboard.press("?")
        keys = page.locator("#all-keys")
        expect(keys).to_contain_text("show or hide all keys")
        count = int(table == "Felt")
        for title in PHYSICAL if name == "Stan" else PHYSICAL[:1]:
            expect(page.get_by_role("heading", name=title)).to_have_count(count)
        expect(keys.get_by_text("correct the last roll")).to_have_count(count)
        expect(page.get_by_role("heading", name="Key the dice")).to_have_count(count * (name == "Stan"))
        expect(keys.get_by_text("decide the dispute")).to_have_count(count * (name == "Bea"))
        expect(page.get_by_role("heading", name="Seat a player")).to_have_count(count)
        expect(page.get_by_role("region", name="Dispute freeze")).to_be_visible()  # with any dice
        expect(page.get_by_role("region", name="Conduct")).to_have_count(0)  # Maryland knows no breach of it
        page.close()


@pytest.mark.whole
def test_a_table_opened_again_with_other_dice_has_other_panels(house: House) -> None:
    owner, opening = house.client("Olga"), {"command": "open-table", "name": "Changing", "house": {"rules": "maryland"}}
    owner.post("/api/tables", {**opening, "dice": "electronic"})
    page = console(house, "Stan", "Changing")
    expect(page.get_by_role("heading", name="Key the dice")).to_have_count(0)
    closing = {"id": uuid4().hex, "command": {"command": "close-table"}, "role": "owner"}
    owner.post("/api/tables/changing/commands", {**closing, "sign_off": {"name": "Flo", "pin": PINS["Flo"]}})
    expect(page.locator("#status")).to_have_text("The table is closed")
    owner.post("/api/tables", {**opening, "dice": "physical"})
    expect(page.get_by_role("heading", name="Key the dice")).to_be_visible()
    page.close()


@pytest.mark.whole
def test_the_dealer_seats_a_walk_in_at_a_free_seat(house: House) -> None:
    page = console(house, "Dee", "Felt")
    form = page.get_by_role("form", name="Seat a player")
    expect(form.get_by_label("Who")).to_have_count(0)  # whoever deals does not see who has an account
    page.keyboard.press("e")
    expect(form.get_by_label("Name")).to_be_focused()
    free = form.get_by_label("Seat").locator("option").count()
    seat(page, 4, "Wanda")
    expect(page.get_by_label("Seats, racks and layout")).to_contain_text("Wanda")
    expect(form.get_by_label("Seat").locator("option[value='4']")).to_have_count(0)
    expect(form.get_by_label("Seat").locator("option")).to_have_count(free - 1)
    expect(form.get_by_label("Name")).to_have_value("")
    seat(page, 5, "W" * 40)
    expect(page.get_by_label("Seats, racks and layout")).to_contain_text("W" * 40)
    page.close()


@pytest.mark.whole
def test_the_floorperson_finds_an_account_by_its_name(house: House) -> None:
    page = console(house, "Flo", "Felt")
    form = page.get_by_role("form", name="Seat a player")
    form.get_by_label("Who").select_option("account")
    form.get_by_label("Name").press_sequentially("an")
    expect(page.locator("#known-players option")).to_have_count(1)  # and not Stan, who is no player
    expect(page.locator("#known-players option")).to_have_attribute("value", "Ann")
    seat(page, 7, "nobody at all", "account")
    expect(form.locator("input:invalid")).to_have_count(1)
    seat(page, 7, "ann", "account")
    expect(page.get_by_label("Seats, racks and layout")).to_contain_text("Ann")
    seat(page, 8, "Ann", "account")
    expect(page.locator("#refused")).to_contain_text("Ann is already at seat 7")
    expect(page.locator("#refused .clause")).to_have_count(1)
    page.close()


@pytest.mark.clause("AZ-II.N.3")
def test_AZ_II_N_3__advice_during_the_last_roll_is_recorded_from_the_console(house: House) -> None:
    """AZ-II.N.3: advice given while a wager was pending is a breach, even after the roll has decided it."""
    flo = console(house, "Flo", "Desert")
    seat(flo, 3, "Bob", "account")
    expect(flo.get_by_label("Seats, racks and layout")).to_contain_text("Bob")
    house.does("Dee", "desert", "buy-in", seat=3, cents=200_00)
    house.does("Dee", "desert", "make-wager", seat=3, wager="pass", cents=10_00)
    house.does("Dee", "desert", "make-wager", seat=3, wager="field", cents=10_00)
    house.does("Bob", "desert", "accept-dice", seat=3)
    house.does("Stan", "desert", "dice-out")
    house.does("Stan", "desert", "key-dice", first=3, second=4)  # the pass line wins, the field loses
    expect(flo.get_by_label("Seats, racks and layout")).to_contain_text("$200")
    flo.keyboard.press("u")
    form = flo.get_by_role("form", name="Record conduct")
    expect(form).to_contain_text("AZ-II.N.3")
    form.get_by_label("Advised by the").select_option("stickperson")
    form.get_by_label("Description").fill("told seat 3 to press")
    form.get_by_role("button", name="Record").click()
    expect(flo.locator("#refused")).to_contain_text("no wager pending")
    flo.keyboard.press("Escape")  # a refusal stays until it is dismissed
    form.get_by_label("The advice was given").select_option("last_roll")
    form.get_by_role("button", name="Record").click()
    expect(flo.locator("#refused")).to_be_hidden()
    expect(form.get_by_label("Description")).to_have_value("")
    form.get_by_label("What").select_option("prediction_aid")
    expect(form.get_by_label("The advice was given")).to_be_hidden()
    expect(form).to_contain_text("AZ-II.N.2")
    flo.close()


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__the_floorperson_signs_that_a_walk_in_is_not_the_employee_of_that_name(house: House) -> None:
    """AZ-II.M.3-a: on the dealer's console a floorperson signs with a PIN, on their own a tick is enough."""
    dee = console(house, "Dee", "Desert")
    form = dee.get_by_role("form", name="Seat a player")
    looked = form.get_by_label("A floorperson has looked")
    expect(looked).to_be_hidden()
    seat(dee, 5, "Stan Miller")
    expect(dee.locator("#refused")).to_contain_text("Stan Miller may be Stan, who is employed here")
    dee.keyboard.press("Escape")
    looked.check()
    signed = form.get_by_role("group", name="Signed off by a floorperson")
    signed.get_by_label("Name").fill("Flo")
    signed.get_by_label("PIN").fill(PINS["Flo"])
    form.get_by_role("button", name="Seat").click()
    expect(dee.get_by_label("Seats, racks and layout")).to_contain_text("Stan Miller")
    expect(looked).to_be_hidden()
    expect(form.get_by_label("Name")).to_have_value("")
    flo = console(house, "Flo", "Desert")
    seat(flo, 6, "Dee", "walk-in")
    expect(flo.locator("#refused")).to_contain_text("Dee may be Dee, who is employed here")
    flo.keyboard.press("Escape")
    flo.get_by_role("form", name="Seat a player").get_by_label("A floorperson has looked").check()
    flo.get_by_role("form", name="Seat a player").get_by_role("button", name="Seat").click()
    expect(flo.locator("#refused")).to_be_hidden()
    expect(flo.get_by_label("Seats, racks and layout")).to_contain_text("Dee")
    for page in (dee, flo):
        page.close()


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__an_employee_is_not_seated_and_the_console_says_why(house: House) -> None:
    """AZ-II.M.3-a: a player who gets a role of the house is an employee from then on."""
    house.client("Olga").post("/api/people", {"name": "Pat", "roles": ["player", "dealer"]})
    flo = console(house, "Flo", "Desert")
    seat(flo, 9, "Pat", "account")
    expect(flo.locator("#refused")).to_contain_text("gaming employee")
    expect(flo.locator("#refused .clause")).to_have_text(" [AZ-II.M.3-a]")
    flo.close()

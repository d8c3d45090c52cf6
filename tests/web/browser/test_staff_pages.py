"""The pages of the crew, the house and the regulator, in a real browser against a real server."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.serving import serving
from tests.web.browser.axe import grave_faults
from tests.web.browser.house import CREW, DESKTOP, PASSWORD, PHONE, PINS, House, create, hear_answers, open_table

pytestmark = pytest.mark.long


class Player:
    """A player who uses the API, as a program would."""

    def __init__(self, house: House, name: str, table: str) -> None:
        self.http = httpx.Client(base_url=house.server.address)
        body = {"name": name, "password": PASSWORD}
        told = self.http.post("/api/register", json=body)
        assert told.is_success, told.text
        self.http.headers["Authorization"] = f"Bearer {told.json()['token']}"
        self.http.cookies.clear()
        self.table = table

    def does(self, command: str, **fields: Any) -> None:  # noqa: ANN401 - whatever a command has
        body = {"id": uuid4().hex, "command": {"command": command, **fields}, "role": "player"}
        told = self.http.post(f"/api/tables/{self.table}/commands", json=body)
        assert told.is_success, told.text


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with its owner, the crew, and a Maryland table with physical dice, opened on its page."""
    with serving(tmp_path_factory.mktemp("house") / "data") as server:
        house = House(server, browser)
        house.accept("Olga", server.owner_link)
        for name, roles in {**CREW, "Reg": ("Regulator",)}.items():
            house.hire(name, *roles)
        steps = ("Pick two dice", "Place buttons", "Call the roll", "Settle", "Pass the dice back")
        house.table = open_table(house, "Felt One", "maryland", *steps)
        yield house
        for context in house.at.values():
            context.close()


@pytest.fixture(scope="module")
def playing(house: House) -> Iterator[House]:
    """The house with Ann and Bob at the table, both with chips; Ann shoots, with a wager on the line."""
    ann, bob = Player(house, "Ann", house.table), Player(house, "Bob", house.table)
    dealer = house.open("Dee", f"/tables/{house.table}/crew?role=dealer")
    for player, seat, cash in ((ann, 2, "500"), (bob, 5, "300")):
        player.does("take-seat", seat=seat)
        form = dealer.get_by_role("form", name="Buy-in")
        expect(form.get_by_label("Seat")).to_contain_text(str(seat))
        form.get_by_label("Seat").select_option(str(seat))
        form.get_by_label("Cash").fill(cash)
        form.get_by_label("Cash").press("Enter")
        expect(dealer.get_by_label("Seats, racks and layout")).to_contain_text(f"${cash}")
    dealer.close()
    stick = house.open("Stan", f"/tables/{house.table}/crew?role=stickperson")
    expect(stick.get_by_text("Connected")).to_be_visible()
    stick.keyboard.press("o")
    expect(stick.locator("#state")).to_contain_text("offered to seat 2")
    ann.does("accept-dice", seat=2)
    ann.does("make-wager", seat=2, wager="pass", cents=15_00)
    bob.does("make-wager", seat=5, wager="field", cents=10_00)
    expect(stick.locator("#state")).to_contain_text("with the shooter")
    stick.close()
    yield house
    for player in (ann, bob):
        player.http.close()


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


def test_a_crew_member_is_told_that_their_account_cannot_play(playing: House) -> None:
    page = playing.open("Stan", f"/tables/{playing.table}")
    expect(page.locator("#sit")).to_contain_text("Your account does not have the player role")
    page.close()


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


def test_a_dispute_freezes_the_table_shows_what_screens_showed_and_is_released(playing: House) -> None:
    ann = playing.open("Ann", f"/log-in?next=/tables/{playing.table}")
    ann.get_by_label("Name").fill("Ann")
    ann.get_by_label("Password").fill(PASSWORD)
    ann.get_by_label("Password").press("Enter")
    ann.wait_for_url(f"**/tables/{playing.table}")
    expect(ann.get_by_text("Connected")).to_be_attached()
    told = ann.get_by_role("region", name="Notices for you")
    expect(told).to_contain_text("A roll was corrected")  # while nobody looked: it is there until it is seen
    expect(told).to_contain_text("The last roll is corrected from 2-4 to 2-2: Misread dice")
    expect(told).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    told.get_by_role("button", name="Seen").click()
    expect(told).to_be_hidden()
    flo = playing.open("Flo", f"/tables/{playing.table}/crew?role=floorperson")
    expect(
        flo.get_by_role("group", name="Signed off by another floorperson", include_hidden=True).first
    ).to_be_attached()
    flo.close()
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("z")
    box.get_by_label("What is disputed").fill("the die on the rail")
    box.get_by_label("What is disputed").press("Enter")
    expect(box.locator("#status")).to_contain_text("FROZEN: the die on the rail")
    expect(box.locator(".evidence")).to_contain_text(re.compile(r"Seat 2 Ann: entry \d+"))
    release = box.get_by_role("form", name="Release the table")
    release.get_by_label("Finding").fill("it lay flat: the roll stands")
    release.get_by_label("Name").fill("Flo")
    release.get_by_label("PIN").fill(PINS["Flo"])
    release.get_by_role("button").click()
    expect(box.locator("#status")).to_be_hidden()
    box.close()
    finding = "The dispute over 'the die on the rail' is decided: it lay flat: the roll stands"
    expect(told).to_contain_text(finding)
    ann.reload()
    expect(told).to_contain_text(finding)
    expect(told).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    expect(told).not_to_contain_text("A roll was corrected")
    told.get_by_role("button", name="Seen").click()
    ann.reload()
    expect(ann.get_by_text("Connected")).to_be_attached()
    expect(ann.locator("#players")).to_contain_text("Ann")
    expect(told).to_be_hidden()
    ann.close()


def test_a_fill_is_signed_off_by_another_person(playing: House) -> None:
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("f")
    cage = box.get_by_role("form", name="Fill and credit")
    cage.get_by_label("Amount").fill("1,000")
    cage.get_by_label("Name").fill("Flo")
    cage.get_by_label("PIN").fill(PINS["Flo"])
    cage.get_by_role("button").click()
    expect(box.locator("#acts")).to_contain_text("a credit takes it back")
    box.close()


def test_new_limits_need_notice_before_they_apply(playing: House) -> None:
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("l")
    limits = box.get_by_role("form", name="Notice of new limits")
    limits.get_by_label("Minimum").fill("10")
    limits.get_by_label("Maximum").fill("2,000")
    limits.get_by_label("Name").fill("Flo")
    limits.get_by_label("PIN").fill(PINS["Flo"])
    limits.get_by_role("button").click()
    expect(box.get_by_role("region", name="Limits")).to_contain_text("$10 to $2,000 from")
    expect(box.get_by_role("region", name="Limits")).to_contain_text("In force: $5 to $5,000")
    box.close()


def test_a_house_that_breaks_the_regulation_is_refused_with_every_breach_and_clause(house: House) -> None:
    page = house.open("Olga", "/house#open")
    expect(page.get_by_label("House: your elections, as TOML")).to_have_value(re.compile("maryland"))
    page.get_by_label("House: your elections, as TOML").fill(
        'rules = "maryland"\ngame = "craps"\nunpayable = "keep"\nbuy = 7\n'
    )
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#breaches")).to_contain_text("buy:")
    expect(page.locator("#breaches")).to_contain_text("unpayable:")
    expect(page.locator("#breaches")).to_contain_text("MD-")
    page.close()


def test_the_regulator_searches_the_whole_log_and_not_only_what_is_shown(playing: House) -> None:
    page = playing.open("Reg", "/regulator")
    log, count = page.get_by_role("list", name="Entries, newest first"), page.locator("#log-count")
    page.get_by_label("Containing").fill("log begins")
    expect(count).to_have_text("1 shown, the whole log searched")
    expect(log).to_contain_text("the log begins")
    page.get_by_label("Stream").select_option("people")
    expect(log).to_have_text("No entry matches.")
    page.get_by_label("Containing").fill("stan")
    expect(log).to_contain_text("Olga opens an account for Stan as stickperson")
    page.get_by_label("Containing").fill("??")
    expect(page.get_by_role("alert")).to_contain_text("no letter or digit")
    page.get_by_label("Containing").fill("")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.close()


def test_a_list_of_people_that_comes_late_does_not_replace_the_one_asked_for_since(playing: House) -> None:
    page, late = playing.open("Reg", "/regulator"), list[Route]()

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/api/people?name=", hold)
    with page.expect_request("**/api/people?name="):
        page.goto(page.url.partition("#")[0] + "#people")
    page.get_by_label("Name", exact=True).fill("sta")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator("#people-list")).to_contain_text("Stan")
    with page.expect_event("requestfinished"):
        late.pop().continue_()
    hear_answers(page)
    expect(page.locator("#people-list")).not_to_contain_text("Olga")
    page.close()


def test_the_regulator_sees_the_table_and_verifies_the_log(playing: House) -> None:
    page = playing.open("Reg", "/regulator")
    log = page.get_by_role("list", name="Entries, newest first")
    expect(log).to_contain_text(f"table/{playing.table}")
    expect(log).to_contain_text("Stan stickperson")
    expect(page.locator("#head-command")).to_contain_text(
        re.compile(r"--head \d+:[0-9a-f]{64}:[0-9a-f]{128} --key [0-9a-f]{64}$")
    )
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator("#verified")).to_contain_text("Intact", timeout=60_000)
    page.close()


def test_a_page_of_another_role_does_not_open(playing: House) -> None:
    for name, path in (
        ("Stan", f"/tables/{playing.table}/crew?role=boxperson"),
        ("Stan", "/regulator"),
        ("Reg", "/people"),
    ):
        page = playing.open(name, path)
        expect(page.get_by_role("heading", level=1)).to_have_text("You cannot open this page")
        page.close()
    nobody = playing.open("Nobody", f"/tables/{playing.table}/crew")
    expect(nobody).to_have_url(re.compile(r"/log-in\?next="))
    nobody.close()


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


def test_a_hand_dealt_by_keyboard_alone_with_a_late_wager_and_a_dispute(house: House) -> None:
    """Colorado, nothing automated: offer, accept, pick, throw, confirm, dispute, decide, call, settle, pass."""
    table = open_table(house, "Felt Two", "colorado")
    cy = Player(house, "Cy", table)
    cy.does("take-seat", seat=3)
    stick, dealer, box = (
        house.open(name, f"/tables/{table}/crew?role={role}")
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
    cy.http.close()


def test_a_shift_is_closed_with_the_sign_off_of_another_person(playing: House) -> None:
    page = playing.open("Olga", "/house#shift")
    form = page.get_by_role("form", name="Close the shift")
    for name, then in (("Olga", "refused"), ("Flo", "said")):
        form.get_by_label("Name").fill(name)
        form.get_by_label("PIN").fill(PINS[name])
        form.get_by_label("PIN").press("Enter")
        expect(form.locator(f".{then}")).to_be_visible()
    expect(page.get_by_role("region", name="Checkpoints", exact=True).first).to_contain_text(playing.table)
    page.close()


def test_approvals_and_reports_are_filed_and_read_by_the_regulator(playing: House) -> None:
    page = playing.open("Olga", "/house#approvals")
    form = page.get_by_role("form", name="File an approval")
    form.get_by_label("Reference").fill("LAB-17")
    form.get_by_label("Date").fill("2026-11-02")
    form.get_by_role("button").click()
    expect(page.locator("#approval-list")).to_contain_text("LAB-17")
    page.goto(playing.server.address + "/house#reports")
    form = page.get_by_role("form", name="File a report")
    form.get_by_label("Kind").select_option("security")
    form.get_by_label("Description").fill("a spectator leaned over the rail")
    form.get_by_role("button").click()
    expect(page.locator("#report-list")).to_contain_text("leaned over the rail")
    page.close()
    regulator = playing.open("Reg", "/regulator#records")
    for kind, text in (("security", "leaned over the rail"), ("approvals", "LAB-17"), ("activity", playing.table)):
        regulator.get_by_label("Class").select_option(kind)
        expect(regulator.locator("#record-list")).to_contain_text(text)
    regulator.close()


def test_a_hand_is_recalled_entry_by_entry(playing: House) -> None:
    page = playing.open("Reg", f"/tables/{playing.table}/recall")
    expect(page.locator("#where")).to_contain_text("1 of")
    page.keyboard.press("End")
    expect(page.locator("#where")).to_contain_text(re.compile(r"Entry \d+, (\d+) of \1"))
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text("2 of")
    expect(page.locator("#wagers")).to_contain_text("Pass")
    page.close()


def test_an_owner_changes_roles_disables_and_makes_a_new_link(house: House) -> None:
    link = create(house, "Tim", ("Dealer",))
    house.accept("Tim", link)
    page = house.open("Olga", "/people")
    row = page.get_by_role("row").filter(has_text="Tim")
    row.get_by_text("Dealer", exact=True).first.click()
    row.get_by_label("Stickperson").check()
    expect(row.locator("summary")).to_have_text("Dealer, Stickperson")
    row.get_by_role("button", name="Disable Tim").click()
    row.get_by_label("Reason to disable Tim").fill("left the house")
    row.get_by_label("Reason to disable Tim").press("Enter")
    expect(row).to_contain_text("Disabled")
    page.close()
    tim = house.open("Tim", "/account")
    expect(tim).to_have_url(re.compile("/log-in"))
    tim.close()
    used = house.open("Nobody", link)
    expect(used.get_by_role("heading", level=1)).to_have_text("This link no longer works")
    used.close()


PAGES = {
    "log in": ("Nobody", "/log-in"),
    "register": ("Nobody", "/register"),
    "a used link": ("Nobody", "/invitations/used"),
    "account": ("Stan", "/account"),
    "people": ("Olga", "/people"),
    "tables": ("Olga", "/house"),
    "open a table": ("Olga", "/house#open"),
    "shift": ("Olga", "/house#shift"),
    "approvals": ("Olga", "/house#approvals"),
    "reports": ("Olga", "/house#reports"),
    "regulator's log": ("Reg", "/regulator"),
    "regulator's tables": ("Reg", "/regulator#tables"),
    "regulator's records": ("Reg", "/regulator#records"),
    "regulator's people": ("Reg", "/regulator#people"),
    "recall": ("Reg", "/tables/{table}/recall"),
    "stick": ("Stan", "/tables/{table}/crew?role=stickperson"),
    "dealer": ("Dee", "/tables/{table}/crew?role=dealer"),
    "box": ("Bea", "/tables/{table}/crew?role=boxperson"),
    "floor": ("Flo", "/tables/{table}/crew?role=floorperson"),
    "owner": ("Olga", "/tables/{table}/crew"),
}


SOME = ("open a table", "box")  # the others are scanned by `./x test --all`


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.sweep)], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(*page, marks=[] if name in SOME else pytest.mark.sweep, id=name) for name, page in PAGES.items()],
)
def test_axe_finds_nothing_serious(playing: House, name: str, path: str, size: dict[str, int]) -> None:
    page = playing.tab(name)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(playing.server.address + path.format(table=playing.table))
    page.wait_for_load_state("networkidle")
    for fold in page.locator("details:not([open]) > summary").all()[:12]:
        if fold.is_visible():
            fold.click()
    grave = grave_faults(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert grave == []
    assert not errors
    assert wide <= size["width"], "the page scrolls sideways"

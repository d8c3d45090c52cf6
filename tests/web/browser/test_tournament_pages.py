"""An evening of a tournament through its pages: planned, entered, drawn, dealt, counted, paid and closed."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from passline.tournament.verify import log_faults
from tests.people.house import PIN
from tests.waiting import wait_until
from tests.web.browser.player import EXPECT_MS, area
from tests.web.browser.tournament_hall import Hall, evening, looked

pytestmark = pytest.mark.slow

STAFF = {"Dora": "director", "Cass": "cashier", "Flo": "floorperson", "Dan": "dealer", "Ann": "player", "Bob": "player"}
TABLET, SCREEN = {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}


@pytest.fixture
def hall(browser: Browser) -> Iterator[Hall]:
    expect.set_options(timeout=30_000)  # pages read the tournament every second or two, on a machine that may be busy
    with Hall(browser, STAFF).serving() as hall:
        yield hall
    expect.set_options(timeout=EXPECT_MS)


@pytest.mark.whole
def test_an_evening_is_held_through_the_pages(hall: Hall) -> None:
    dora = _planned(hall)
    cass = _entered(hall)
    board = hall.open("Bob", "/tournaments/evening/board", SCREEN)
    expect(board.locator("#big")).to_have_text("3")
    _drawn(hall, dora, board)
    _played(hall, dora, board)
    _counted(hall, dora)
    expect(board.locator("#clock-title")).to_have_text("Winner")
    looked(board, "board_winner")
    _paid(hall, dora, cass)
    expect(board.locator("#prizes")).to_have_text("1st$2102nd$90")  # as before they were paid
    assert list(log_faults(hall.server.log.read())) == []


def _planned(hall: Hall) -> Page:
    dora = hall.open("Dora", "/tournaments")
    dora.get_by_role("button", name="As a file").click()
    dora.get_by_role("button", name="Colorado").click()
    expect(dora.locator("#faults")).to_contain_text("Nothing stands against this plan")
    text = dora.get_by_label("The plan")
    text.fill(text.input_value().replace("fee_cents = 5000", "fee_cents = 10000100"))
    expect(dora.locator("#faults")).to_contain_text("CO-2315.05-fee")
    expect(dora.get_by_role("button", name="Keep this plan")).to_be_disabled()
    looked(dora, "plan_breaches")
    text.fill(json.dumps(evening(), default=str, indent=1))
    dora.get_by_role("button", name="Keep this plan").click()
    dora.wait_for_url("**/tournaments/evening/desk")
    ann = hall.open("Ann", "/tournaments")
    expect(ann.get_by_role("link", name="Winter Craps Evening")).to_be_visible()
    expect(ann.locator("#plan")).to_have_count(0)
    ann.goto(f"{hall.address}/tournaments/evening/desk")
    expect(ann.get_by_text("The player may not open this page; the cashier, director or owner may.")).to_be_visible()
    ann.close()
    return dora


def _entered(hall: Hall) -> Page:
    cass = hall.open("Cass", "/tournaments/evening/desk", TABLET)
    name = cass.get_by_label("Player", exact=True)
    expect(name).to_be_focused()
    cass.get_by_label("Account").fill("Ann")
    expect(cass.locator("#accounts option")).to_have_count(1)
    cass.get_by_label("Account").fill("Ann")  # as choosing from the list does
    name.fill("Ann")
    expect(cass.locator("#total")).to_have_text("To take in cash $150")
    cass.get_by_role("button", name="Enter", exact=True).click()
    expect(cass.locator("#said")).to_contain_text("Ann enters Main event as entry 1, for $150")
    name.fill("Bob Brown")
    cass.get_by_label("Entry fee").select_option(label="In kind: a new toy for the children's drive")
    expect(cass.locator("#total")).to_have_text("To take in cash $100")
    cass.keyboard.press("Tab")
    name.press("Enter")
    expect(cass.get_by_role("checkbox", name="Bob Brown")).to_be_visible()
    name.fill("Bob  brown")
    name.press("Enter")
    refusal = cass.get_by_role("alert").filter(has_text="may not enter twice at once")
    expect(refusal).to_contain_text("CO-2315-2-c-once")
    name.fill("Cy Young")
    cass.get_by_label("Entry fee").select_option("complimentary")
    name.press("Enter")
    expect(cass.get_by_role("checkbox", name="Cy Young")).to_be_visible()
    expect(refusal).to_be_visible()  # until it is dismissed
    _withdrawn(cass)
    name.fill("Dot Late")
    cass.get_by_role("button", name="Waiting list").click()
    expect(cass.locator("#waiting")).to_contain_text("Dot Late")
    cass.get_by_role("checkbox", name="Ann").check()
    find = cass.get_by_label("Find a player")
    for sought in ("bob", "cy"):  # with the keyboard alone
        find.fill(sought)
        find.press("Enter")
    find.fill("")
    expect(cass.locator("#signed")).to_have_text("3 of 3 signed in")
    looked(cass, "desk")
    refusal.get_by_role("button", name="Dismiss").click()
    expect(refusal).to_have_count(0)
    cass.get_by_role("button", name="Take off").click()
    expect(cass.locator("#waiting")).to_have_text("Nobody waits.")
    cass.get_by_role("button", name="More of Cy Young").click()
    expect(cass.get_by_role("button", name="Disqualify")).to_have_count(0)  # the director does that
    looked(cass, "desk_entry")
    cass.get_by_role("button", name="Close").click()
    return cass


def _withdrawn(cass: Page) -> None:
    name = cass.get_by_label("Player", exact=True)
    name.fill("Eve Gone")
    name.press("Enter")
    cass.get_by_role("button", name="More of Eve Gone").click()
    cass.get_by_role("button", name="Withdraw").click()
    cass.get_by_role("button", name="Withdraw").click()
    expect(cass.locator("#sheet .refused")).to_contain_text("why it is withdrawn")
    cass.get_by_label("Why").fill("called away")
    cass.get_by_role("button", name="Withdraw").click()
    expect(cass.locator(".sign-in li").filter(has_text="Eve Gone")).to_contain_text("Withdrawn")


def _drawn(hall: Hall, dora: Page, board: Page) -> None:
    dora.goto(f"{hall.address}/tournaments/evening/floor")
    expect(dora.get_by_text("Ready to play")).to_be_visible()
    looked(dora, "floor_next")
    dora.get_by_role("button", name="Another colour").click()
    for word in ("purple", "1000"):
        dora.keyboard.type(word)
        dora.keyboard.press("Tab")
    dora.get_by_role("button", name="Post these values").click()
    expect(board.locator("#chips")).to_contain_text("purple1,000")
    dora.get_by_label("Tables", exact=True).fill("final-1")
    dora.get_by_role("button", name="Draw the seats").click()
    expect(dora.get_by_role("heading", name="Final: seats")).to_be_visible()
    seats = {one["entry"]: one["seat"] for one in hall.reads("Dora", "/api/tournaments/evening")["rounds"][-1]["seats"]}
    dora.get_by_role("button", name="Move Cy Young").click()
    dora.get_by_label("Seat", exact=True).fill(str(seats[1]))
    dora.get_by_role("button", name="Move", exact=True).click()
    expect(dora.locator("#sheet .refused")).to_contain_text(f"somebody sits at final-1 seat {seats[1]}")
    dora.get_by_label("Seat", exact=True).fill("4")
    dora.get_by_role("button", name="Move", exact=True).click()
    _sign(dora, "Flo")
    expect(dora.locator("#sheet")).to_be_hidden()
    looked(dora, "floor_seats")
    expect(board.locator("#leaders-title")).to_have_text("Seats")
    expect(board.locator("#rows")).to_contain_text("final-1 · 4")
    looked(board, "board_seats")
    ann = hall.open("Ann", "/tournaments/evening")
    expect(ann.locator("#own")).to_contain_text(f"Your seat in the next round: final-1, seat {seats[1]}")
    ann.close()
    dora.get_by_role("button", name="Start the round").click()
    expect(dora.locator(".left")).to_have_text("2")


def _shoots(hall: Hall, name: str, tournament: str, entry: int) -> Page:
    """Have the dice go round until an entry is offered them, and return the player's page."""
    seats = hall.reads("Dora", f"/api/tournaments/{tournament}")["rounds"][-1]["seats"]
    table, seat = next((one["table"], one["seat"]) for one in seats if one["entry"] == entry)

    def turn() -> int:
        now = hall.reads("Dora", f"/api/tables/{table}")["table"]
        return int(now["shooter"] or now["offered_to"])

    wait_until(lambda: turn() > 0)
    while (shooter := turn()) != seat:
        hall.sends("Dan", f"/api/tables/{table}/commands", command="decline-dice", seat=shooter)
    return hall.open(name, f"/tables/{table}")


def _rolls(page: Page) -> None:
    area(page, "pass").click()
    page.get_by_role("button", name="Take the dice").click()
    page.locator("#roll").click()


def _played(hall: Hall, dora: Page, board: Page) -> None:
    expect(board.locator("#clock-title")).to_have_text("Rolls left")
    ann = _shoots(hall, "Ann", "evening", 1)
    expect(ann.locator("#rack")).to_have_text("2,500 pts")
    expect(ann.locator("#round")).to_contain_text("2 rolls left.")
    expect(ann.locator("#buy-in")).to_be_hidden()
    _rolls(ann)
    expect(ann.locator("#round")).to_contain_text("1 roll left.")
    assert "$" not in ann.locator(".stage").inner_text()
    looked(ann, "table")
    expect(board.locator("#big")).to_have_text("1")
    expect(board.locator("#rows li").last).to_contain_text("Ann")
    looked(board, "board_playing")
    looked(dora, "floor_playing")
    ann.get_by_role("link", name="Your rank").click()
    expect(ann.locator("#own")).to_contain_text("5 points behind 1st")
    looked(ann, "ranks")
    ann.close()
    dora.get_by_role("button", name="Finish now at final-1").click()
    dora.get_by_role("button", name="Finish the round there").click()
    expect(dora.get_by_role("heading", name="every table is done")).to_be_visible()


def _sign(page: Page, name: str) -> None:
    """Have a second person sign what the page asks them to."""
    asked = page.get_by_role("dialog", name="A second person signs")
    asked.get_by_label("Name of who signs").fill(name)
    asked.get_by_label("PIN").fill(PIN)
    asked.get_by_role("button", name="Send").click()
    expect(asked).to_have_count(0)


def _counted(hall: Hall, dora: Page) -> None:
    flo = hall.open("Flo", "/tournaments/evening/floor")
    bob = flo.get_by_role("form", name="Count of Bob Brown")
    bob.get_by_label("Points counted").fill("2,400")
    bob.get_by_role("button", name="Record").click()
    expect(flo.get_by_role("alert").filter(has_text="The player signs the slip first")).to_be_visible()
    bob.get_by_label("signed").check()
    bob.get_by_role("button", name="Record").click()
    _sign(flo, "Dora")  # a witness: he signed the slip on paper
    expect(flo.locator("#said")).to_contain_text("2400 points in chips were counted for Bob Brown")
    expect(flo.get_by_role("button", name="End the round")).to_have_count(0)
    flo.close()
    expect(dora.get_by_role("heading", name="Level")).to_be_visible()
    order = dora.get_by_role("list", name="Order of players who are level")
    expect(order.get_by_role("listitem").first).to_contain_text("Bob Brown")
    dora.get_by_role("button", name="Move Cy Young up").press("ArrowUp")
    expect(order.get_by_role("listitem").first).to_contain_text("Cy Young")
    order.get_by_text("Cy Young").drag_to(order.get_by_text("Bob Brown"))
    expect(order.get_by_role("listitem").first).to_contain_text("Bob Brown")
    order.get_by_text("Cy Young").drag_to(order.get_by_text("Bob Brown"))
    looked(dora, "floor_counts")
    dora.get_by_role("button", name="Record this order").click()
    _sign(dora, "Flo")
    expect(dora.get_by_role("heading", name="Level")).to_have_count(0)
    dora.get_by_role("button", name="End the round").click()
    dora.get_by_role("button", name="Award the places of Main event").click()
    expect(dora.get_by_role("heading", name="Every event is over")).to_be_visible()


def _paid(hall: Hall, dora: Page, cass: Page) -> None:
    dora.goto(f"{hall.address}/tournaments/evening/money")
    dora.get_by_role("button", name="Close the tournament").click()
    expect(dora.get_by_role("alert").filter(has_text="CO-2315.05-payall")).to_be_visible()
    cass.goto(f"{hall.address}/tournaments/evening/money")
    expect(cass.locator("#prizes")).to_contain_text("$210")
    looked(cass, "money")
    for name in ("Cy Young", "Bob Brown"):
        cass.get_by_role("button", name=f"Pay {name}").click()
        _sign(cass, "Dora")
        expect(cass.locator("#said")).to_contain_text(f"{name} (entry")
    expect(cass.get_by_text("Every prize is paid.")).to_be_visible()
    cass.get_by_label("Cash of entry fees, counted").fill("50")
    cass.get_by_role("button", name="Record the count").click()
    expect(cass.locator("#fees")).to_contain_text("Counted")
    assert cass.request.get(f"{hall.address}/api/tournaments/evening/papers/prizes?form=xlsx").ok
    dora.get_by_role("button", name="Close the tournament", exact=True).click()
    expect(dora.get_by_role("heading", name="Closed")).to_be_visible()
    looked(dora, "money_closed")


WHOLE = """() => [...document.querySelectorAll("#rows .name, #rows strong, #small p, #prizes p, #where, h1, #big, h2")]
  .filter((one) => one.offsetParent && (one.scrollWidth > one.clientWidth + 1 ||
    one.getBoundingClientRect().bottom > innerHeight + 1 || one.getBoundingClientRect().right > innerWidth + 1))
  .map((one) => `${one.id || one.className}: ${one.textContent}`)"""


CUP = "/tournaments/cup-of-twelve"


@pytest.mark.whole
def test_a_cup_of_twelve_is_held_by_the_guided_form_from_the_plan_to_the_paid_prizes(hall: Hall) -> None:
    dora = hall.open("Dora", "/tournaments")
    dora.get_by_role("button", name="Colorado").click()
    _cup_is_planned(dora)
    _cup_is_entered(hall)
    dora.goto(hall.address + CUP + "/floor")
    expect(dora.get_by_label("Tables", exact=True)).to_have_value("cup-of-twelve-1, cup-of-twelve-2")  # as proposed
    dora.get_by_role("button", name="Draw the seats").click()
    expect(dora.get_by_role("heading", name="Round 1: seats")).to_be_visible()
    _room_is_shown_the_cup(hall, dora)
    _cup_is_played(hall, dora, 1, ("cup-of-twelve-1", "cup-of-twelve-2"))
    dora.get_by_role("button", name="Draw the seats").click()
    expect(dora.get_by_role("heading", name="Final: seats")).to_be_visible()
    _cup_is_played(hall, dora, 2, ("cup-of-twelve-1",))
    dora.get_by_role("button", name="Award the places of Main event").click()
    expect(dora.get_by_role("heading", name="Every event is over")).to_be_visible()
    _cup_is_paid(hall, dora)
    assert list(log_faults(hall.server.log.read())) == []


def _room_is_shown_the_cup(hall: Hall, dora: Page) -> None:
    """A link shows the room its screen, whole at both sizes, to nobody's account, until it is ended."""
    dora.get_by_role("button", name="Make a link").click()
    link = dora.locator("#screen-address").inner_text()
    room = hall.browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()  # nobody is logged in
    room.goto(link)
    expect(room.locator("#leaders-title")).to_have_text("Seats")
    expect(room.locator("#rows li")).to_have_count(12)
    expect(room.locator("#rows")).to_contain_text("Table 2 · ")
    for width, height in ((1920, 1080), (1280, 720)):
        room.set_viewport_size({"width": width, "height": height})
        assert room.evaluate(WHOLE) == [], (width, height)
    answer = room.request.get(link.replace("/screens/", "/api/screens/")).json()
    assert {*answer} == {"name", "boards", "current", "now"}  # no account, entry fee or count of anybody
    dora.get_by_role("button", name="End the link").click()
    expect(dora.locator("#said")).to_contain_text("The link shows nothing any more")
    expect(room.locator("main")).to_contain_text("This link shows nothing any more")  # also where it is shown
    assert room.request.get(link.replace("/screens/", "/api/screens/")).status == 404
    assert room.goto(link).status == 404  # type: ignore[union-attr]
    room.context.close()


def _cup_is_planned(dora: Page) -> None:
    faults, sheet = dora.locator("#faults"), dora.locator("#rule-sheet")
    expect(faults).to_contain_text("Nothing stands against this plan")
    for label, text in (
        ("Name of the tournament", "Cup of twelve"),
        ("Entry fee, in $", "200,000"),
        ("Buy-in, in $", "50"),
        ("Entries, at most", "12"),
    ):
        dora.get_by_label(label, exact=True).fill(text)
    expect(faults).to_contain_text("Entering and prizes: a player could spend $200,000 on entry fees")
    expect(faults).to_contain_text("CO-2315.05-fee")
    dora.get_by_label("Entry fee, in $").fill("25")
    dora.get_by_role("group", name="Round 2").get_by_role("button", name="Remove").click()
    for group, label, text in (("Round 1", "Seats at a table", "6"), ("Round 1", "Best of a table go on", "3")):
        dora.get_by_role("group", name=group).get_by_label(label).fill(text)
    dora.get_by_role("group", name="Round 1").get_by_label("and best others").fill("0")
    dora.get_by_role("group", name="Round 2").get_by_label("Length").fill("40")
    dora.get_by_label("Dice", exact=True).select_option("electronic")
    for level in ("Level for the last place that goes on", "Level for a prize"):
        dora.get_by_label(level).select_option(label="They play on, roll by roll")
    expect(sheet).to_contain_text("the 6 players who come through Round 1 play 40 rolls at one table")
    expect(sheet).to_contain_text("entry fee $25, buy-in $50")
    expect(faults).to_contain_text("Nothing stands against this plan")
    looked(dora, "plan_guided")
    dora.get_by_role("button", name="As a file").click()
    expect(dora.get_by_label("The plan")).to_have_value(re.compile('"id": "cup-of-twelve"'))
    dora.get_by_role("button", name="By a guided form").click()
    expect(faults).to_contain_text("Nothing stands against this plan")
    dora.get_by_role("button", name="Keep this plan").click()
    dora.wait_for_url("**/tournaments/cup-of-twelve/desk")


def _cup_is_entered(hall: Hall) -> None:
    cass = hall.open("Cass", CUP + "/desk", TABLET)
    expect(cass.locator("#entry-form")).to_contain_text("without an account this player can neither wager nor roll")
    name = cass.get_by_label("Player", exact=True)
    cass.get_by_label("Account").fill("Ann")
    expect(cass.locator("#accounts option")).to_have_count(1)
    cass.get_by_label("Account").fill("Ann")
    players = ("Ann", *(f"Player Long Name {number}" for number in range(2, 13)))
    for player in players:  # one after the other, as fast as somebody types
        name.fill(player)
        name.press("Enter")
    for player in players:
        cass.get_by_role("checkbox", name=player).check()
    expect(cass.locator("#signed")).to_have_text("12 of 12 signed in")
    cass.close()


def _cup_is_played(hall: Hall, dora: Page, number: int, tables: tuple[str, ...]) -> None:
    """Ann shoots once; then the tables are finished, and who is level is put in the order that they rolled off in."""
    dora.get_by_role("button", name="Start the round").click()
    expect(dora.locator(".left")).to_have_count(len(tables))
    if number == 1:
        ann = _shoots(hall, "Ann", "cup-of-twelve", 1)
        _rolls(ann)
        expect(ann.locator("#result .headline")).to_be_visible()
        ann.close()
    for table in tables:
        dora.get_by_role("button", name=f"Finish now at {table}").click()
        dora.get_by_role("button", name="Finish the round there").click()
        expect(dora.get_by_role("button", name=f"Finish now at {table}")).to_have_count(0)
    expect(dora.get_by_role("heading", name="every table is done")).to_be_visible()
    expect(dora.get_by_role("heading", name="Level")).to_be_visible()
    dora.get_by_role("button", name="Record this order").click()
    _sign(dora, "Flo")
    expect(dora.get_by_role("heading", name="Level")).to_have_count(0)
    dora.get_by_role("button", name="End the round").click()


def _cup_is_paid(hall: Hall, dora: Page) -> None:
    cass = hall.open("Cass", CUP + "/money", TABLET)
    expect(cass.locator("#prizes button").first).to_be_visible()
    while cass.locator("#prizes button").count():
        prize = cass.locator("#prizes li:has(button)").first
        who = prize.locator("strong").inner_text()
        prize.get_by_role("button").click()
        _sign(cass, "Dora")
        expect(cass.get_by_role("button", name=f"Pay {who}", exact=True)).to_have_count(0)
    expect(cass.get_by_text("Every prize is paid.")).to_be_visible()
    cass.get_by_label("Cash of entry fees, counted").fill("300")  # twelve fees of $25
    cass.get_by_role("button", name="Record the count").click()
    expect(cass.locator("#fees")).to_contain_text("Counted")
    dora.goto(hall.address + CUP + "/money")
    dora.get_by_role("button", name="Close the tournament", exact=True).click()
    expect(dora.get_by_role("heading", name="Closed")).to_be_visible()


@pytest.mark.whole
def test_a_split_appears_only_when_a_player_has_asked_for_it(hall: Hall) -> None:
    to = "/api/tournaments/evening/commands"
    hall.sends("Dora", "/api/tournaments/commands", command="plan-tournament", plan=evening())
    for number, name in enumerate(("Ann", "Bob"), start=1):
        account = hall.reads(name, "/api/me")["account"]
        hall.sends("Cass", to, command="enter-player", event="Main event", name=name, account=account)
        hall.sends("Cass", to, command="sign-in-player", entry=number)
    hall.sends("Dora", to, command="prepare-round", event="Main event", tables=["final-1"])
    wait_until(lambda: hall.reads("Dora", "/api/tournaments/evening")["rounds"][-1].get("phase") == "drawn")
    hall.sends("Dora", to, command="start-round")
    for name, path in (("Dora", "/floor"), ("Dora", "/money"), ("Dora", "/desk"), ("Ann", ""), ("Ann", "/board")):
        page = hall.open(name, f"/tournaments/evening{path}")
        expect(page.get_by_text("Main event").first).to_be_visible()
        shown = page.locator("body").inner_text().lower()
        assert not [word for word in ("split", "share", "agree") if word in shown], path
        page.close()

    ann = hall.open("Ann", "/tournaments/evening/agreement")
    expect(ann.get_by_text("You play for $200 in cash.")).to_be_visible()
    for name in ("Ann", "Bob"):
        ann.get_by_label(name).fill("100")
    looked(ann, "agreement")
    ann.get_by_role("button", name="Ask the others").click()
    ann.get_by_role("button", name="Sign").click()
    expect(ann.get_by_text("Has not signed")).to_have_count(1)
    bob = hall.open("Bob", "/tournaments/evening")
    bob.get_by_role("link", name="What is asked, and your answer").click()
    bob.get_by_role("button", name="Sign").click()
    expect(bob.get_by_text("Has not signed")).to_have_count(0)
    dora = hall.open("Dora", "/tournaments/evening/floor")
    for name in ("Ann", "Bob"):
        dora.get_by_role("button", name=f"Confirm with {name}").click()
        dora.get_by_role("button", name="Confirm", exact=True).click()
        expect(dora.locator("#sheet .refused")).to_contain_text("CO-2315.07-3-b-understand")
        looked(dora, "floor_split")
        dora.get_by_label("The player knows").check()
        dora.get_by_role("button", name="Confirm", exact=True).click()
        expect(dora.locator("#sheet")).to_be_hidden()
    expect(dora.get_by_role("heading", name="Every event is over")).to_be_visible()
    awards = hall.reads("Dora", "/api/tournaments/evening")["awards"]
    assert [one["pool_cents"] for one in awards] == [100_00, 100_00]

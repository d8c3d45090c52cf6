"""Wagers for walk-ins keyed by one stickperson, who keys the dice too: what each act costs in keystrokes."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.cases import one_in
from tests.waiting import wait_until
from tests.web.browser.house import hear_answers
from tests.web.browser.walk_ins import NAMES, Floor, faults, floor_of

pytestmark = pytest.mark.long

DESKTOP, TABLET, PHONE = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 390, "height": 844}
LANDSCAPE, ZOOMED = {"width": 844, "height": 390}, {"width": 720, "height": 450}  # a desktop at 200 %
SIZES = (DESKTOP, TABLET, LANDSCAPE, ZOOMED, PHONE)
COMMONEST_MAX = 3  # keystrokes
SECONDS_A_ROLL = 3600 / 120


@pytest.fixture(scope="module")
def floor(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with floor_of(browser, tmp_path_factory.mktemp("floor")) as floor:
        yield floor


class Typist:
    """Somebody at a console who types acts, and counts the keystrokes of each kind."""

    def __init__(self, floor: Floor, page: Page, table: str) -> None:
        self.floor, self.page, self.table = floor, page, table
        self.keys: dict[str, list[int]] = defaultdict(list)
        self.rolled = -1000.0

    def act(self, kind: str, *keys: str) -> None:
        if kind not in {"dice", "begin wagers"}:
            expect(self.page.locator("#mode")).to_have_text("Wagers")  # it comes back when the shooter has the dice
        for key in keys:
            self.page.keyboard.press(key)
        self.keys[kind].append(len(keys))

    def for_seats(self, kind: str, seats: tuple[int, ...], *keys: str) -> None:
        for seat in seats:
            self.act(kind, seat_key(seat), *keys)

    def roll(self, first: int, second: int) -> None:
        """Announce and key a roll, and wait until the mode for wagers is back, as it is before the next wager."""
        rolls = self.view()["roll"]
        self.page.wait_for_function(  # as dice need; not with every frame, which takes long to draw
            "(last) => performance.now() - last > 1000", arg=self.rolled, polling=100
        )
        self.act("dice", "Space", str(first), str(second))
        self.rolled = self.page.evaluate("performance.now()")
        wait_until(lambda: self.view()["roll"] == rolls + 1)
        self.settled()

    def settled(self) -> None:
        expect(self.page.locator("#refused")).to_be_hidden()
        expect(self.page.locator("#queue li:not(.is-done)")).to_have_count(0)

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.floor.house.client("Olga").get(f"/api/tables/{self.table}")["table"]
        return view

    def up(self, kind: str) -> dict[int, int]:
        """Return the cents of a kind of wager by seat, all its numbers together."""
        found: Counter[int] = Counter()
        for wager in self.view()["wagers"]:
            if wager["kind"] == kind:
                found[wager["seat"]] += wager["cents"]
        return dict(found)

    def report(self, rolls: int) -> str:
        lines = [f"{'act':24}{'times':>6}{'keys':>6}{'most':>6}"]
        lines += [f"{kind:24}{len(keys):6}{sum(keys):6}{max(keys):6}" for kind, keys in self.keys.items()]
        total = sum(map(sum, self.keys.values()))
        rate = total / rolls / SECONDS_A_ROLL
        return "\n".join(
            [*lines, f"{total} keystrokes for {rolls} rolls: {total / rolls:.0f} a roll, {rate:.2f} a second"]
        )


def seat_key(seat: int) -> str:
    """Return the key of a seat: 1 to 9, 0 for 10, and with Shift 11 to 20."""
    return f"{'Shift+' if seat > 10 else ''}{'Digit' if seat > 10 else ''}{seat % 10}"


class Party(NamedTuple):
    """The seats of walk-ins who make each kind of wager; one plays the field only."""

    line: tuple[int, ...]
    dont: tuple[int, ...]
    odds: tuple[int, ...]
    place: tuple[int, ...]
    inside: int
    come: tuple[int, ...]
    field: int
    hardway: int


SIXTEEN = Party(tuple(range(1, 14)), (14, 15), tuple(range(1, 11)), (2, 5, 11, 16), 3, (7, 12), 16, 4)
SEVEN = Party((1, 2, 3, 4, 5), (6,), (1, 2, 3), (2, 7), 3, (1, 5), 7, 4)
FOUR = Party((1, 2), (3,), (1,), (2, 4), 1, (1,), 4, 2)


@pytest.mark.whole
@pytest.mark.parametrize("party", one_in(3, [FOUR, SEVEN, SIXTEEN]), ids=lambda party: f"{party.field} walk-ins")
def test_walk_ins_of_ordinary_play_need_three_keystrokes_an_act(floor: Floor, party: Party) -> None:
    """The mix: line wagers and odds by nearly all, place and come by some, a field and a hardway now and then.

    A hand of a point, two numbers, a seven-out, a come-out winner and another point: what is usual is typed once and
    then repeated, left up or pressed.
    """
    table = floor.open(f"Walk-ins {party.field}")
    floor.seat(table, NAMES[: party.field])
    floor.does("Stan", table, "accept-dice", seat=1)
    page = floor.console("Stan", table, DESKTOP)
    typist = Typist(floor, page, table)
    typist.act("begin wagers", "m")
    _first_wagers(typist, party)
    _made_again(typist, party)
    typist.roll(3, 4)  # seven out
    floor.does("Stan", table, "accept-dice", seat=2)
    _next_hand(typist, party)
    report = typist.report(rolls=5)
    print(report)  # noqa: T201 - the counts are what the test is for
    assert {kind: max(keys) for kind, keys in typist.keys.items() if max(keys) > COMMONEST_MAX} == {}, report
    assert sum(map(sum, typist.keys.values())) / 5 / SECONDS_A_ROLL < 2, report  # an unhurried typist has time to look
    page.close()


def _first_wagers(typist: Typist, party: Party) -> None:
    """Everybody's first wagers, on the come-out roll and with a point."""
    typist.for_seats("line", party.line, "p", "Enter")
    typist.for_seats("line", party.dont, "d", "Enter")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(party.line, 5_00)
    assert typist.up("dont_pass") == dict.fromkeys(party.dont, 5_00)
    typist.roll(2, 4)  # the point is 6
    typist.for_seats("odds", party.odds, "o", "Enter")
    typist.for_seats("place", party.place, "8", "Enter")
    typist.for_seats("inside", (party.inside,), "i", "Enter")  # without the point: 5, 8 and 9
    typist.for_seats("come", party.come, "c", "Enter")
    typist.for_seats("field", (party.field,), "f", "Enter")
    typist.for_seats("hardway", (party.hardway,), "Shift+Digit8", "Enter")
    typist.settled()
    assert typist.up("pass_odds") == dict.fromkeys(party.odds, 5_00)
    assert typist.up("place_win") == {**dict.fromkeys(party.place, 6_00), party.inside: 16_00}
    assert (typist.up("come"), typist.up("field")) == (dict.fromkeys(party.come, 5_00), {party.field: 5_00})
    assert typist.up("hardway") == {party.hardway: 1_00}


def _made_again(typist: Typist, party: Party) -> None:
    """What a number decided: winners stay up or are pressed, losers are made again."""
    pressed = (party.place[0], party.place[-1])
    typist.roll(3, 5)  # 8: place wins and comes down, come moves, the field and the hard eight lose
    typist.act("all winners stay up", "W")
    typist.for_seats("press", pressed, "+")
    typist.for_seats("same again", (party.field, party.hardway), "=")
    typist.for_seats("odds", party.come[:1], "o", "Enter")  # the line has its odds: these are behind the come
    typist.settled()
    placed = {**dict.fromkeys(party.place, 6_00), party.inside: 16_00}
    assert typist.up("place_win") == placed | dict.fromkeys(pressed, 12_00)
    assert (typist.up("field"), typist.up("hardway")) == ({party.field: 5_00}, {party.hardway: 1_00})
    assert typist.up("come_odds") == {party.come[0]: 5_00}


def _next_hand(typist: Typist, party: Party) -> None:
    """The next hand repeats the last one: the line at once, the numbers when there is a point."""
    typist.act("all same again", "R")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(party.line, 5_00)
    assert not typist.up("place_win")
    typist.roll(5, 6)  # the pass line wins and comes down, and is left up
    assert not typist.up("pass")
    typist.act("all winners stay up", "W")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(party.line, 5_00)
    typist.for_seats("same again", party.dont, "=")
    typist.roll(4, 5)  # the point is 9
    typist.act("all odds", "O")
    typist.act("all same again", "R")
    typist.settled()
    assert set(typist.up("pass_odds")) == set(party.odds)
    assert typist.up("place_win")[party.place[-1]] == 12_00


@pytest.mark.whole
def test_the_layout_is_clicked_for_the_seat_that_is_picked(floor: Floor) -> None:
    table = floor.open("Clicked")
    floor.seat(table, ("Abe", "Bea", "Cal"))
    page = floor.console("Dee", table, TABLET)
    typist = Typist(floor, page, table)
    ticket, refused = page.locator(".ticket"), page.locator("#refused")
    page.locator('.area[data-key="pass:0"]').click()
    expect(refused).to_contain_text("Pick a seat first.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Seat 3, Cal").click()
    page.locator('.area[data-key="pass:0"]').click()
    expect(ticket).to_have_text("Seat 3 Cal · Pass Line · $5")
    for chip in ("Add $25", "Add $5"):
        page.get_by_role("button", name=chip, exact=True).click()
    expect(ticket).to_contain_text("$30")
    page.get_by_role("button", name="Make").click()
    typist.settled()
    assert typist.up("pass") == {3: 30_00}
    expect(page.get_by_role("button", name="Seat 3, Cal, $30 up, $470 in the rack")).to_be_visible()
    for keys in (("3", "p", "Delete"), ("2", "d", "1", "5", "Enter"), ("7",)):
        typist.act("typed", *keys)
    expect(refused).to_contain_text("Key 7: not placed")
    expect(refused).to_contain_text("Nobody is at seat 7.")
    page.keyboard.type("4\n")  # meant for seat 7: not for seat 4
    expect(refused).to_contain_text("Not taken since: 4 Enter")
    page.keyboard.press("Escape")
    typist.settled()
    assert (typist.up("pass"), typist.up("dont_pass")) == ({}, {2: 15_00})
    for key in ("1", "q"):
        page.keyboard.press(key)
    expect(refused).to_contain_text("There is no area “q” here.")
    page.keyboard.press("Escape")
    typist.act("refused", "f", "9", "9", "9", "Enter")
    expect(refused).to_contain_text("Seat 1: Field $999: refused")
    page.keyboard.press("Escape")
    typist.act("after it", "f", "Enter")  # the mode stays, and so does the seat
    typist.settled()
    assert typist.up("field") == {1: 5_00}
    assert faults(page, *SIZES) == []
    page.close()


@pytest.mark.whole
def test_dice_out_is_required_and_past_posting_is_marked(floor: Floor) -> None:
    table = floor.open("Announced", rules="colorado", requires_dice_out=True)
    floor.seat(table, ("Abe", "Bea"))
    floor.does("Stan", table, "accept-dice", seat=1)
    floor.does("Dee", table, "make-wager", seat=1, wager="pass", cents=10_00)
    stick, dealer, box = (floor.console(name, table, DESKTOP) for name in ("Stan", "Dee", "Bea"))
    stick.keyboard.type("24")
    expect(stick.locator("#refused")).to_contain_text("Die 2: not placed")
    expect(stick.locator("#refused")).to_contain_text("Dice out first (Space or d): this house requires it")
    for key in ("Escape", "d"):
        stick.keyboard.press(key)
    expect(stick.locator("#state")).to_contain_text("in the air")
    floor.does("Dee", table, "make-wager", seat=2, wager="field", cents=5_00)
    for page in (stick, dealer, box):
        expect(page.get_by_role("region", name="Waiting for the crew")).to_contain_text("past-posted")
    stick.keyboard.type("56")
    for page in (stick, dealer, box):
        row = page.locator(".payouts li.is-won", has_text="Seat 2")
        expect(row).to_contain_text("Field $5 at 1 to 1: $5past-posted")
    assert faults(box, DESKTOP) == []
    sue = floor.house.open("Sue", "/surveillance#records")
    expect(sue.locator("#record-list")).to_contain_text("past-posted: Bea's Field, 5.00, came after dice out")
    for page in (stick, dealer, box, sue):
        page.close()


def _point_of_six(floor: Floor, name: str) -> tuple[Page, Typist]:
    """Open a table where the point is 6, seat 1 has a pass wager and seat 2 nothing; keys are for wagers."""
    table = floor.open(name)
    floor.seat(table, ("Abe", "Bea W"))
    floor.does("Stan", table, "accept-dice", seat=1)
    floor.does("Dee", table, "make-wager", seat=1, wager="pass", cents=10_00)
    floor.does("Stan", table, "dice-out")
    floor.does("Stan", table, "key-dice", first=2, second=4)
    page = floor.console("Stan", table, DESKTOP)
    expect(page.locator("#state")).to_contain_text("ON 6")
    page.keyboard.press("m")
    return page, Typist(floor, page, table)


@pytest.mark.whole
def test_leaving_the_correction_of_a_roll_leaves_no_amount_behind(floor: Floor) -> None:
    page, typist = _point_of_six(floor, "Corrected")
    ticket = page.locator(".ticket")
    typist.act("half typed", "2", "8", "9")
    expect(ticket).to_have_text("Seat 2 Bea W · Place 8 · $9")
    page.get_by_role("button", name="Key the right faces").click()
    expect(page.locator("#mode")).to_have_text("Correct the last roll")
    expect(page.locator("#refused")).to_contain_text("Not made: seat 2, Place 8, $9 (half typed)")
    page.keyboard.press("Escape")
    expect(page.locator("#mode")).to_have_text("Wagers")  # where the keys were before
    page.keyboard.press("1")
    expect(ticket).to_have_text("Seat 1 Abe · which area?")  # and not $91 on the eight
    typist.act("corrected by a key", "Escape", "Shift+C", "4")
    expect(page.locator("#mode")).to_have_text("Correct the last roll")
    for key in ("Escape", "2", "4"):
        page.keyboard.press(key)
    expect(ticket).to_have_text("Seat 2 Bea W · Place 4 · $5")
    page.close()


@pytest.mark.whole
def test_o_shows_which_odds_before_enter_and_o_again_the_next_ones(floor: Floor) -> None:
    page, typist = _point_of_six(floor, "Which odds")
    ticket, hint = page.locator(".ticket"), page.locator(".ticket-hint")
    typist.act("come", "1", "c", "Enter")
    typist.roll(4, 5)  # the come moves to the nine
    expect(page.locator("#queue li:not(.is-done)")).to_have_count(0)
    typist.act("odds", "1", "o")
    expect(ticket).to_have_text("Seat 1 Abe · Pass odds on 6 · $10")
    expect(hint).to_have_text("o Come odds on 9")
    page.keyboard.press("o")
    expect(ticket).to_have_text("Seat 1 Abe · Come odds on 9 · $6")
    page.keyboard.press("Enter")
    typist.settled()
    assert (typist.up("come_odds"), typist.up("pass_odds")) == ({1: 6_00}, {})
    typist.act("odds", "1", "o", "2", "0", "Enter")
    typist.settled()
    assert typist.up("pass_odds") == {1: 20_00}
    typist.act("no more odds", "1", "o")
    expect(page.locator("#refused")).to_contain_text("Seat 1 has no wager that takes odds now, or has them already.")
    page.close()


@pytest.mark.whole
def test_inside_for_44_dollars_makes_the_lawful_rest_where_the_point_is_among_the_numbers(floor: Floor) -> None:
    page, typist = _point_of_six(floor, "Inside")
    ticket = page.locator(".ticket")
    typist.act("inside", "1", "i", "4", "4")
    expect(ticket).to_have_text("Seat 1 Abe · Place inside · $32 without 6 (of $44)")
    page.keyboard.press("Enter")
    typist.settled()
    expect(page.locator("#queue")).to_contain_text("Seat 1: Place inside $32 without 6 (of $44)")
    places = {one["number"]: one["cents"] for one in typist.view()["wagers"] if one["kind"] == "place_win"}
    assert places == {5: 10_00, 8: 12_00, 9: 10_00}
    typist.act("inside", "2", "i", "4", "4", "Enter")  # not on the line: all four
    typist.settled()
    assert typist.up("place_win") == {1: 32_00, 2: 44_00}
    typist.act("shared out in no way", "1", "i", "4", "5", "Enter")
    expect(page.locator("#refused")).to_contain_text("Place inside is $16, $32, $48 and so on here")
    page.close()


IS_LARGE = """() => [...document.querySelectorAll(".payout-sum, .payout-ends *")].every((one) =>
  one.tagName === "I" || !one.textContent.trim() || parseFloat(getComputedStyle(one).fontSize) >= 20)"""


@pytest.mark.sweep
def test_take_and_pay_is_by_end_and_seat_with_the_chips_to_hand_over(floor: Floor) -> None:
    """On a tablet the keypad and the steps come first, and buy-ins and leaving show amounts."""
    table = floor.open(
        "Paid", house={"seats": 8, "seat_left_of_stickperson": 5}, automate=["button", "choose", "offer"]
    )
    floor.seat(table, ("Abe", "Bea", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal"), 1000_00)
    floor.does("Stan", table, "accept-dice", seat=1)
    for seat, wager, cents in (
        (5, "pass", 5_00),
        (2, "pass", 230_00),
        (1, "dont_pass", 20_00),
        (7, "pass", 10_00),
        (8, "pass", 10_00),
    ):
        floor.does("Dee", table, "make-wager", seat=seat, wager=wager, cents=cents)
    floor.does("Dee", table, "make-wager", seat=2, wager="field", cents=5_00)
    stick = floor.console("Stan", table, TABLET)
    stick.keyboard.type("d56")
    dealer = floor.console("Dee", table, TABLET)
    expect(stick.get_by_role("button", name="Call the roll")).to_be_visible()
    for node in (stick.get_by_role("group", name="Faces").first, stick.get_by_role("button", name="Call the roll")):
        expect(node).to_be_in_viewport(ratio=1)
    above = "() => document.querySelector('.is-dice').getBoundingClientRect().top"
    assert stick.evaluate(above) < stick.evaluate(above.replace(".is-dice", "#picture"))
    stick.keyboard.press("a")
    expect(stick.locator("#call")).to_contain_text("Yo")
    dealer.keyboard.press("s")
    for page in (stick, dealer):
        expect(page.locator(".payout-sum")).to_have_text("5-6: take $20, pay $260")
        rows = page.locator(".payouts li")
        expect(rows).to_have_count(5)
        ends = page.locator(".payout-end h3")
        expect(ends).to_have_text(["Left of the boxperson", "Right of the boxperson"])
        base_to_stick = ("Take 1 Abe $20", "Pay 2 Bea $235", "Pay 8 Hal $10", "Pay 7 Gus $10", "Pay 5 Eli $5")
        for row, said in zip(rows.all(), base_to_stick, strict=True):
            for word in said.split():
                expect(row).to_contain_text(word)
        expect(rows.nth(1).locator(".hand-over")).to_have_text("2 black, 1 green, 2 red")
        assert page.evaluate(IS_LARGE)
    dealer.keyboard.press("t")
    expect(dealer.locator(".payouts li.is-done")).to_have_count(1)
    buy = dealer.get_by_role("form", name="Buy-in")
    buy.get_by_label("Seat").select_option("3")
    dealer.get_by_role("group", name="Usual amounts").get_by_role("button", name="$200").click()
    panel = dealer.get_by_role("region", name="Buy-in")
    expect(panel).to_contain_text("Seat 3 Cal has $1,000 in the rack and $0 on the layout. Hand over 2 black.")
    leaving = dealer.get_by_role("region", name="What a player does")
    leaving.get_by_label("Seat").select_option("2")
    expect(leaving).to_contain_text(
        "Seat 2 Bea has $1,235 in the rack and $0 on the layout. Leaves with $1,235: 2 purple, 2 black, 1 green, 2 red."
    )
    stick.emulate_media(forced_colors="active", reduced_motion="reduce")
    assert faults(stick, *SIZES) == []
    assert faults(dealer, TABLET) == []
    for page in (stick, dealer):
        page.close()


FILE_REPORT = """async ([record_class, text]) => {
  const { post } = await import("/static/http.js");
  await post("/api/reports", { record_class, table: "", text });
}"""


@pytest.mark.whole
def test_records_that_come_late_do_not_replace_those_chosen_since(floor: Floor) -> None:
    sue, late = floor.house.open("Sue", "/surveillance#records"), list[Route]()

    def hold(route: Route) -> None:
        late.append(route)

    for record_class, text in (("security", "a purse was found"), ("surveillance", "camera 5 was cleaned")):
        sue.evaluate(FILE_REPORT, [record_class, text])
    kind, shown = sue.get_by_label("Class").last, sue.locator("#record-list")
    sue.route("**/api/records?kind=security*", hold)
    with sue.expect_request("**/api/records?kind=security*"):
        kind.select_option("security")
    kind.select_option("surveillance")
    expect(shown).to_contain_text("camera 5 was cleaned")
    with sue.expect_event("requestfinished"):
        late.pop().continue_()
    hear_answers(sue)
    expect(shown).to_contain_text("camera 5 was cleaned")
    sue.close()


@pytest.mark.whole
def test_a_shift_closes_with_totals_and_surveillance_files_what_it_may(floor: Floor) -> None:
    table = floor.open("Watched", rules="colorado")
    floor.seat(table, ("Abe", "Bea"), 300_00)
    flo = floor.house.open("Flo", "/house#shift")
    row = flo.locator("#shift-totals tr", has_text="Watched")
    for figure in ("$50,000", "$600", "$49,400"):
        expect(row).to_contain_text(figure)
    expect(flo.locator("#shift-totals tr").last).to_contain_text("All tables")
    sue = floor.house.open("Sue", "/")
    sue.get_by_role("link", name="Surveillance").click()
    expect(sue.locator("#watched")).to_contain_text("Watched")
    expect(sue.locator("#shift-totals")).to_contain_text("$49,400")
    sue.get_by_role("link", name="File", exact=True).click()
    form = sue.locator("#at-table")
    form.get_by_label("Table").select_option("watched")
    form.get_by_label("What", exact=True).select_option("irregularity")
    expect(form).to_contain_text("CO-2319-notify")
    form.get_by_label("What you saw").fill("a dealer paid seat 2 twice")
    form.get_by_role("button", name="Report").click()
    expect(sue.locator("#at-said")).to_contain_text("Reported: entry")
    expect(sue.locator("#matters")).to_contain_text("a dealer paid seat 2 twice (nothing is directed yet)")
    report = sue.locator("#report")
    report.get_by_label("Class").select_option("surveillance")
    report.get_by_label("What you saw").fill("camera 4 was covered from 9:02 to 9:04")
    report.get_by_role("button", name="File").click()
    expect(report).to_contain_text("Filed.")
    sue.get_by_role("link", name="Records").click()
    sue.get_by_label("Class").last.select_option("surveillance")
    expect(sue.locator("#record-list")).to_contain_text("camera 4 was covered")
    sue.get_by_role("link", name="Search the log").click()
    sue.get_by_label("Containing").fill("paid seat 2 twice")
    expect(sue.locator("#entries li").first).to_contain_text("paid seat 2 twice")
    for page in (flo, sue):
        assert faults(page, *SIZES) == []
        page.close()

"""The player's page of a table, in a real browser against a real server with loaded dice."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.serving import serving
from tests.web.browser.player import area, context, does, name_of, roll, seated, seated_in_the_lobby, shoot, up
from tests.web.browser.scripted_server import Script, scripted_server

pytestmark = pytest.mark.long

Server = Callable[..., str]


@pytest.fixture(scope="module")
def lobby(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a server on which the parts of other pages can run."""
    with scripted_server(Script(data=str(tmp_path_factory.mktemp("data")))) as address:
        page = context(browser).new_page()
        page.goto(address)
        yield page
        page.context.close()


def test_a_newcomer_sits_down_wagers_and_rolls(browser: Browser, server: Server) -> None:
    """As most see it: with dice that tumble and chips that move."""
    page = seated_in_the_lobby(browser, server(dice=("2-4", "4-4")), reduced_motion="no-preference")
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
    page.context.close()


def test_a_player_can_do_everything_by_keyboard(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("3-3",)))
    area(page, "pass").focus()
    page.keyboard.press("3")
    expect(page.locator("#chip-2500")).to_be_checked()
    page.keyboard.press("Enter")
    expect(area(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    page.keyboard.press("ArrowUp")
    expect(area(page, "dont_pass")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(area(page, "field")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.keyboard.press("p")  # press: as much again
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.keyboard.press("Delete")
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile("nothing up"))
    page.get_by_role("button", name="Take the dice").press("Enter")
    expect(page.locator("#roll")).to_be_enabled()
    area(page, "pass").focus()
    page.keyboard.press("Escape")  # leaves the layout: on an area, space would make a wager
    page.keyboard.press("Space")
    expect(page.locator("#call")).to_have_text("Hard six, mark the point")
    page.context.close()


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
    page.context.close()


def test_an_area_shows_its_card_and_why_it_is_closed(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    area(page, "buy", 5).hover()
    card = page.locator("#card")
    for text in ("Buy 5", "Buy Bet", "3 to 2", "Nothing up", "Unit", "You may wager here"):
        expect(card).to_contain_text(text)
    area(page, "come").hover()
    expect(card).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    expect(area(page, "come")).to_have_class(re.compile(r"\bclosed\b"))
    page.context.close()


def test_vigorish_is_said_on_the_felt_the_card_the_bar_and_the_limits_before_it_is_paid(
    browser: Browser, server: Server
) -> None:
    page = seated(browser, server())
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
    page.context.close()


def test_wagers_are_taken_down_undone_repeated_and_cleared(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "3-3")))
    shoot(page)
    field, seven = area(page, "field"), area(page, "any_seven")
    field.click()
    expect(up(page, "field")).to_be_visible()
    field.click(button="right")
    expect(field).to_have_attribute("aria-label", re.compile("nothing up"))
    page.locator("#undo").click()  # what was taken down is up again
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    field.click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.locator("#undo").click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    seven.click()
    expect(up(page, "any_seven")).to_be_visible()
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#settled .net")).to_have_text("You: -$10")
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#repeat").click()
    expect(up(page, "field")).to_be_visible()
    expect(up(page, "any_seven")).to_be_visible()
    page.locator("#odds").click()
    expect(area(page, "pass_odds")).to_have_attribute("aria-label", re.compile(r"\$25 up"))  # 5 times $5 on a 6
    page.locator("#clear").click()
    for place in (field, seven, area(page, "pass_odds")):
        expect(place).to_have_attribute("aria-label", re.compile("nothing up"))
    expect(area(page, "pass")).to_have_attribute("aria-label", re.compile(r"\$5 up"))  # it stays once a point is on
    page.context.close()


def test_a_chip_is_dragged_and_a_hop_is_picked(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    page.locator('label[for="chip-2500"]').drag_to(area(page, "field"))
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    page.keyboard.press("1")
    area(page, "hop").click()
    page.get_by_role("dialog").get_by_role("button", name="Hop 1-3").click()
    expect(area(page, "hop")).to_have_attribute("aria-label", re.compile(r"\$1 up"))
    page.context.close()


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
    page.context.close()


def test_a_refusal_that_concerns_no_area_does_not_cover_the_felt(browser: Browser, server: Server) -> None:
    """A shooter without a line wager may not roll: the bar says so, and a click on the line still works."""
    page = seated(browser, server())
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
    page.context.close()


def test_sitting_down_focuses_the_felt_and_arrow_keys_move_to_neighbours(browser: Browser, server: Server) -> None:
    page = seated_in_the_lobby(browser, server())
    expect(area(page, "pass")).to_be_focused()
    area(page, "come_odds", 4).focus()
    for key, kind, number in (
        ("Down", "buy", 4),
        ("Down", "place_win", 4),
        ("Right", "place_win", 5),
        ("Up", "buy", 5),
    ):
        page.keyboard.press(f"Arrow{key}")
        expect(area(page, kind, number)).to_be_focused()
    page.context.close()


def test_cash_out_is_not_offered_while_a_wager_must_stay(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4",)))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    page.get_by_role("button", name="Cash out").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You cannot leave yet: Pass Line $5 must first be decided.")
    expect(dialog.get_by_role("button", name="Leave")).to_have_count(0)
    page.context.close()


def test_nothing_is_lost_or_doubled_when_the_network_drops(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    field = area(page, "field")
    field.click()
    expect(up(page, "field")).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_text("This device is offline")
    field.click()
    expect(page.get_by_role("alert").filter(has_text="nothing was sent")).to_be_visible()
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    field.click()
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    expect(page.locator("#rack")).to_have_text("$990")
    page.context.close()


def test_a_command_whose_answer_was_lost_is_sent_again_and_acts_once(browser: Browser, server: Server) -> None:
    address = server()
    page = seated(browser, address)
    sent: list[str] = []
    routes: list[WebSocketRoute] = []

    def between(route: WebSocketRoute) -> None:
        """Pass the first command on to the server, and drop the connection before its answer."""
        upstream = route.connect_to_server()
        is_cut = False

        def to_server(message: str | bytes) -> None:
            nonlocal is_cut
            upstream.send(message)
            if '"make-wager"' in str(message):
                sent.append(str(message))
                is_cut = len(sent) == 1

        def to_page(message: str | bytes) -> None:
            if not is_cut:
                route.send(message)
            elif '"done"' in str(message):
                route.close(code=1012)

        route.on_message(to_server)
        upstream.on_message(to_page)
        routes.append(route)

    page.route_web_socket(re.compile("/live"), between)
    page.reload()
    expect(area(page, "field")).to_have_class(re.compile(r"\bopen\b"))
    area(page, "field").click()
    expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    expect(page.locator(".stage.busy")).to_have_count(0)
    assert len(routes) == 2
    assert len(sent) == 2
    assert json.loads(sent[0]) | {"again": True} == json.loads(sent[1])  # the same id
    expect(page.locator("#rack")).to_have_text("$995")
    expect(page.locator("#undo")).to_be_enabled()  # the answer came in the end
    page.context.close()


def test_space_on_a_focused_control_belongs_to_it_and_never_throws(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("3-3",)))
    shoot(page)
    field = area(page, "field")
    field.focus()
    page.keyboard.press("Space")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # held down: one wager
    page.keyboard.up("Enter")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    page.locator("#chip-2500").focus()
    page.keyboard.press("Space")
    expect(page.locator("#chip-2500")).to_be_checked()
    for scrolled in ("#settled", "#log-panel summary"):
        page.locator(scrolled).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Buy in").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_have_attribute("aria-label", re.compile(r"\$10 up"))
    expect(page.locator("#puck")).to_have_text("OFF Come-out roll")  # nothing was thrown
    page.locator("label[for=chip-100]").click()
    field.click()  # a pointer leaves no focus behind
    expect(field).to_have_attribute("aria-label", re.compile(r"\$11 up"))
    page.keyboard.press("Delete")  # the chosen wager is still the keys' own
    expect(field).to_have_attribute("aria-label", re.compile("nothing up"))
    page.keyboard.press("Space")
    expect(page.locator("#call")).to_have_text("Hard six, mark the point")
    page.context.close()


def test_undo_takes_back_only_what_its_own_page_did(browser: Browser, server: Server) -> None:
    first = seated(browser, server())
    second = first.context.new_page()
    second.goto(first.url)
    expect(area(second, "field")).to_have_class(re.compile(r"\bopen\b"))

    def field_is(text: str) -> None:
        for page in (first, second):
            expect(area(page, "field")).to_have_attribute("aria-label", re.compile(text))

    area(first, "field").click()
    field_is(r"\$5 up")
    second.keyboard.press("3")
    area(second, "field").click()  # $25 more
    field_is(r"\$30 up")
    area(second, "any_seven").click()
    expect(up(first, "any_seven")).to_be_visible()
    first.locator("#undo").click()
    field_is(r"\$25 up")
    first.locator("#undo").click()
    expect(first.get_by_role("alert")).to_contain_text("This page has nothing to undo")
    field_is(r"\$25 up")
    expect(up(first, "any_seven")).to_be_visible()
    first.keyboard.press("Escape")

    area(first, "pass").click()
    expect(up(second, "pass")).to_be_visible()
    area(second, "pass").click(button="right")  # taken down there, and made again there
    expect(area(first, "pass")).to_have_attribute("aria-label", re.compile("nothing up"))
    area(second, "pass").click()
    expect(up(first, "pass")).to_be_visible()
    first.locator("#undo").click()
    expect(first.get_by_role("alert")).to_contain_text("This page has nothing to undo")
    expect(area(first, "pass")).to_have_attribute("aria-label", re.compile(r"\$25 up"))
    for nothing in ("pass", "pass", "any_seven", "field"):  # made, taken down, and so on back to the first
        second.locator("#undo").click()
        expect(second.locator(".stage.busy")).to_have_count(0)
        if nothing != "pass":
            expect(area(first, nothing)).to_have_attribute("aria-label", re.compile("nothing up"))
    first.context.close()


def test_odds_on_another_number_do_not_keep_a_new_come_wager_from_being_undone(
    browser: Browser, server: Server
) -> None:
    page = seated(browser, server(dice=("2-4", "1-3", "2-3")))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    area(page, "come").click()
    expect(up(page, "come")).to_be_visible()
    roll(page, "Four, easy four")
    area(page, "come_odds", 4).click()
    expect(area(page, "come_odds", 4)).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    roll(page, "Five")
    area(page, "come").click()
    expect(area(page, "come")).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.locator("#undo").click()
    expect(area(page, "come")).to_have_attribute("aria-label", re.compile("nothing up"))
    expect(area(page, "come_odds", 4)).to_have_attribute("aria-label", re.compile(r"\$5 up"))
    page.context.close()


def test_two_tabs_of_one_player_show_the_same(browser: Browser, server: Server) -> None:
    first = seated(browser, server(dice=("5-6",)))
    second = first.context.new_page()
    second.goto(first.url)
    expect(area(second, "field")).to_have_class(re.compile(r"\bopen\b"))
    area(first, "field").click()
    expect(up(second, "field")).to_be_visible()
    area(second, "field").click()
    for page in (first, second):
        expect(area(page, "field")).to_have_attribute("aria-label", re.compile(r"\$10 up"))
        expect(page.locator("#rack")).to_have_text("$990")
    shoot(second)
    roll(second, "Yo-leven, front line winner")
    expect(first.locator("#call")).to_have_text("Yo-leven, front line winner")
    expect(first.locator("#rack")).to_have_text(second.locator("#rack").inner_text())
    first.context.close()


def test_two_players_see_each_others_chips_but_not_their_racks(browser: Browser, server: Server) -> None:
    address = server()
    ann, bob = seated(browser, address), seated(browser, address)
    area(ann, "field").click()
    expect(bob.locator(".pill")).to_have_count(1)
    expect(bob.locator(".pill")).to_have_text(re.compile(r"^G\w 5$"))  # a guest's initials, and the amount
    expect(bob.locator("#rack")).to_have_text("$1,000")
    assert "$995" not in bob.locator("body").inner_text()  # with its sign: digests and guests' names have digits too
    for page in (ann, bob):
        page.context.close()


@pytest.mark.clause("MD-3.C")
def test_MD_3_C__limits_are_posted_for_everybody(browser: Browser, server: Server) -> None:
    """MD-3.C: spectators see the limits too, before and without sitting down."""
    page = context(browser).new_page()
    page.goto(f"{server()}/tables/table-1")
    expect(page.locator("#limits")).to_have_text("Minimum $5 Maximum $5,000")
    page.locator("#all-limits summary").click()
    expect(page.locator("#limit-list")).to_contain_text("$1 to $1,000")
    page.context.close()


@pytest.mark.clause("AZ-III.D.2")
@pytest.mark.clause("AZ-II.G.4-b")
def test_AZ_III_D_2__limits_are_posted_at_the_table(browser: Browser, server: Server) -> None:
    """AZ-III.D.2: minimum and maximum are posted, also in the lobby; the roll histogram is not there."""
    address = server(house={"rules": "arizona"}, physical=True)
    page = context(browser).new_page()
    page.goto(address)
    expect(page.locator(".table-card")).to_contain_text("$5 to $5,000")
    page.goto(f"{address}/tables/table-1")
    expect(page.locator("#limits")).to_have_text("Minimum $5 Maximum $5,000")
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(page.locator("#history-panel")).to_be_hidden()
    page.context.close()


def test_a_spectator_has_no_controls(browser: Browser, server: Server) -> None:
    page = context(browser).new_page()
    page.goto(f"{server()}/tables/table-1")
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(page.locator(".area")).not_to_have_count(0)
    expect(page.locator(".area[role=button]")).to_have_count(0)
    for hidden in ("#bar", "#ends", "#roll", "#leave"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.get_by_role("button", name="Sit down with $1,000 of play money")).to_be_visible()
    area(page, "field").hover()
    expect(page.locator("#card")).to_contain_text("Field")
    page.context.close()


def test_a_dispute_stops_the_table(browser: Browser, server: Server) -> None:
    page = seated(browser, server())
    page.get_by_role("button", name="Dispute").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What is wrong").fill("my field wager was not paid")
    dialog.get_by_role("button", name="Stop the table").click()
    expect(page.locator("#frozen")).to_contain_text("my field wager was not paid")
    expect(area(page, "field")).to_have_class(re.compile(r"\bclosed\b"))
    page.context.close()


def test_cashing_out_leaves_the_seat(browser: Browser, server: Server) -> None:
    """The dice go to the next player, and wagers that may come down are taken down."""
    page = seated(browser, server(script=(does("Ada", "take-seat", 2), does("Ada", "buy-in", 2, cents=100_00))))
    area(page, "field").click()
    expect(up(page, "field")).to_be_visible()
    page.get_by_role("button", name="Cash out").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.get_by_role("button", name="Sit down with $1,000 of play money")).to_be_visible()
    page.context.close()


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
        page.context.close()


@pytest.mark.parametrize(("status", "tries"), [(401, 1), (403, 1), (404, 1), (503, 10), (0, 10)])
def test_notices_are_asked_for_less_and_less_often_and_not_at_all_once_refused(
    lobby: Page, status: int, tries: int
) -> None:
    """0: the connection is lost. The tenth answer has what was asked for."""
    waits = lobby.evaluate(
        """async (status) => {
          document.querySelector('meta[name="account"]').content = "ann";
          const { Notices } = await import("/static/table/notices.js");
          const [waits, soon, real] = [[], setTimeout, fetch];
          window.setTimeout = (then, ms) => { waits.push(ms); return soon(then, 0); };
          window.fetch = async () => {
            if (waits.length === 9) return new Response('{"notices": [], "as_of": 7}');
            if (!status) throw new TypeError("lost");
            return new Response("{}", { status });
          };
          await new Notices({ host: document.createElement("div"), table: "table-1" }).ask(7);
          [window.setTimeout, window.fetch] = [soon, real];
          return waits;
        }""",
        status,
    )
    assert waits == [400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000][: tries - 1]

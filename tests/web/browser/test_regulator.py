"""The regulator's page: the log searched and verified, a hand recalled, records, and what somebody should know."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from passline.cli.main import main
from tests.serving import serving
from tests.web.browser.axe import grave_faults
from tests.web.browser.house import (
    House,
    hear_answers,
    playing_house,
)

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def playing(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with playing_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.mark.whole
def test_the_regulator_searches_the_whole_log_and_not_only_what_is_shown(playing: House) -> None:
    page = playing.open("Reg", "/regulator#log")
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


@pytest.mark.whole
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


_DIGEST = re.compile(r"[0-9a-f]{12}")


@pytest.mark.whole
def test_the_first_screen_is_what_is_open_and_what_happened_without_a_hash(playing: House) -> None:
    page = playing.open("Reg", "/regulator")
    opened, happened = page.get_by_role("region", name="What is open"), page.get_by_role("region", name="What happened")
    expect(opened).to_contain_text("Nothing is open: no dispute, incident, overdue duty or debt of a bank.")
    expect(opened.get_by_role("list", name="Tables")).to_contain_text("Felt One Maryland, 2 players")
    expect(happened).to_contain_text("Bob Field is made for 10.00")
    expect(happened).to_contain_text("Felt One, Stan")
    assert not _DIGEST.search(page.locator("body").inner_text())
    assert grave_faults(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert grave_faults(page, is_repeat=True) == []
    playing.does("Flo", playing.table, "freeze-table", seat=2, reason="the die was cocked")
    expect(opened.get_by_role("listitem").first).to_contain_text("the die was cocked")
    expect(page.locator("#open-count")).to_have_text("1 open")
    happened.get_by_role("link", name="Felt One").first.click()
    expect(page.locator("#where")).to_contain_text(re.compile(r"Entry \d+"))
    page.close()


@pytest.mark.whole
def test_the_regulator_sees_the_table_and_verifies_the_log(playing: House) -> None:
    page = playing.open("Reg", "/regulator#log")
    log = page.get_by_role("list", name="Entries, newest first")
    expect(log).to_contain_text(f"table/{playing.table}")
    expect(log).to_contain_text("Stan stickperson")
    page.get_by_role("link", name="Head and key").click()
    expect(page.locator("#head-command")).to_contain_text(
        re.compile(r"--head \d+:[0-9a-f]{64}:[0-9a-f]{128} --key [0-9a-f]{64}$")
    )
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator("#verified")).to_contain_text("Intact", timeout=60_000)
    page.close()


@pytest.mark.whole
def test_approvals_and_reports_are_filed_and_read_by_the_regulator(playing: House) -> None:
    page = playing.open("Olga", "/house#approvals")
    form = page.get_by_role("form", name="File an approval")
    form.get_by_label("Reference").fill("LAB-17")
    form.get_by_label("Date").fill("2026-11-02")
    form.get_by_role("button").click()
    expect(page.locator("#approval-list")).to_contain_text("LAB-17")
    page.goto(playing.address + "/house#reports")
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


@pytest.mark.whole
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


@pytest.mark.whole
def test_recall_opens_where_its_link_says(playing: House) -> None:
    """From outside, and by a second link while the page is open: the entry is shown, and in view in its list."""
    read = playing.client("Reg").get(f"/api/tables/{playing.table}/hands/1")["entries"]
    first, last = read[1]["sequence"], read[-1]["sequence"]
    page = playing.open("Reg", f"/tables/{playing.table}/recall#{last}")
    for sequence in (last, first, last):
        page.goto(
            f"{playing.address}/tables/{playing.table}/recall#{sequence}"
        )  # the same page: only the entry differs
        expect(page.locator("#where")).to_contain_text(f"Entry {sequence}, ")
        expect(page.locator('#steps [aria-current="step"]')).to_contain_text(str(sequence))
        expect(page.locator('#steps [aria-current="step"]')).to_be_in_viewport()
    page.goto(f"{playing.address}/tables/{playing.table}/recall?hand=1")
    expect(page.locator("#where")).to_contain_text(f"Entry {read[0]['sequence']}, 1 of {len(read)}")
    page.close()


FILE_REPORTS = """async (texts) => {
  const { post } = await import("/static/http.js");
  for (const text of texts) await post("/api/reports", { record_class: "investigative", table: "", text });
}"""


@pytest.mark.whole
def test_the_page_goes_by_the_verdict_searches_the_whole_log_and_shows_every_remark(
    browser: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    with serving(data, "--anchor", f"file:{tmp_path / 'anchor'}") as server:
        house = House(server, browser)
        house.appoint(Reg="regulator")
        olga = house.open("Olga", "/house")
        olga.evaluate(FILE_REPORTS, ["the zebra at table one", *["all is quiet"] * 101])
        olga.close()
        assert main(["break-glass", str(data), "--reason", "Flo is in hospital"]) == 0
        page = house.open("Reg", "/regulator#log")
        log = page.get_by_role("list", name="Entries, newest first")
        expect(log.locator(":scope > li")).to_have_count(100)
        expect(log).not_to_contain_text("zebra")
        page.get_by_label("Containing").fill("zebra")  # more than 100 entries back: only the server can find it
        expect(page.locator("#log-count")).to_have_text("1 shown, the whole log searched")
        expect(log).to_contain_text("report 1 is filed: investigative")
        page.get_by_label("Containing").fill("")
        verified = page.locator("#verified")
        page.get_by_role("button", name="Verify now").click()
        expect(verified).to_contain_text("Intact: the chain, seals and settlements", timeout=60_000)
        expect(verified).to_contain_text("in an anchor outside the log's database")
        expect(verified).to_contain_text("BROKEN GLASS: one owner could act alone")
        row = ("session", "ab" * 32, b"forged", "2099-01-01T00:00:00.000000Z")
        with closing(sqlite3.connect(data / "log.sqlite")) as database:
            database.execute("INSERT INTO secrets VALUES (?, ?, ?, ?)", row)
            database.commit()
        page.get_by_role("button", name="Verify now").click()
        expect(verified).to_contain_text("NOT INTACT: 1 fault in", timeout=60_000)
        expect(verified).to_contain_text("was not written by this server")
        expect(verified).not_to_contain_text("Intact: the chain")
        house.close()

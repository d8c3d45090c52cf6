"""The regulator's page says of a log what the verifier says, and shows what somebody should know."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from passline.cli.main import main
from tests.serving import serving
from tests.web.browser.house import House

pytestmark = pytest.mark.long


FILE_REPORTS = """async (texts) => {
  const { post } = await import("/static/http.js");
  for (const text of texts) await post("/api/reports", { record_class: "investigative", table: "", text });
}"""


def test_the_page_goes_by_the_verdict_searches_the_whole_log_and_shows_every_remark(
    browser: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    with serving(data, "--anchor", f"file:{tmp_path / 'anchor'}") as server:
        house = House(server, browser)
        house.accept("Olga", server.owner_link)
        house.hire("Reg", "Regulator")
        olga = house.open("Olga", "/house")
        olga.evaluate(FILE_REPORTS, ["the zebra at table one", *["all is quiet"] * 101])
        olga.close()
        assert main(["break-glass", str(data), "--reason", "Flo is in hospital"]) == 0
        page = house.open("Reg", "/regulator")
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
        for context in house.at.values():
            context.close()

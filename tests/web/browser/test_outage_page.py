"""The page of outages in a real browser: what was written on manual slips is entered line by line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from passline.client import Client
from tests.people.house import PIN
from tests.web.browser.visitors import Staff

pytestmark = pytest.mark.long

_STAFF = {"Sam": "supervisor", "Abe": "accountant", "Flo": "floorperson", "Cy": "cashier"}
_TABLET = {"width": 820, "height": 1180}
_ASKS = "Told for you after an outage: is it so?"


@pytest.mark.whole
def test_a_batch_is_entered_line_by_line_and_a_missing_slip_stands_on_today(browser: Browser) -> None:
    with Staff(browser, _STAFF).serving() as staff:

        def sends(by: str, **command: object) -> None:
            staff.client(by).post("/api/office/section2/commands", {"command": command})

        def opened(name: str, path: str) -> Page:
            return staff.open(name, f"/office/section2{path}", _TABLET)

        sends("Olga", command="set-up-office", facility={"name": "Harbour", "zone": "UTC", "areas": ["pit-1"]})
        sends("Olga", command="do-act", act="register_table", things=["t1"], fields={"area": "pit-1"})
        sends("Olga", command="leave-out", items=["acts.receive_chips.signs.witness"])
        chips = {"units": {"500": 1000}, "delivery": "note 1"}
        sends("Cy", command="do-act", act="receive_chips", fields=chips)
        sends("Sam", command="do-act", act="print_slips", fields={"form": "fill_slip", "pieces": 2})
        slips = ["MF-000001", "MF-000002"]
        sends("Sam", command="do-act", act="hand_out_slips", things=slips, fields={"table": "t1"})
        began = staff.server.clock.now
        staff.server.clock.move(900)
        sends("Sam", command="do-act", act="record_outage", fields={"reason": "power"}, occurred=began)
        page = opened("Sam", "/outage#enter_outage=O-000001")
        page.get_by_role("button", name="Add a line").click()
        page.get_by_label("Slip", exact=True).fill("MF-000001")
        page.get_by_label("What was done", exact=True).select_option("Ask for a fill")
        page.get_by_label("When, UTC").fill(f"{began[:14]}05")
        page.get_by_label("Who did it").select_option("Flo")
        line = page.locator(".slip-line")
        expect(line.get_by_role("radio", name="t1")).to_be_checked()
        line.locator("input[inputmode=numeric]").first.fill("40")
        scan = FilePayload(name="slips.pdf", mimeType="application/pdf", buffer=b"x")
        page.locator("input[type=file]").first.set_input_files(scan)
        page.get_by_role("button", name="Record", exact=True).click()
        page.get_by_label("PIN", exact=True).fill(PIN)
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_label("What was done", exact=True)).to_have_count(0)  # who signs it is asked for
        (number,) = (act["number"] for act in _today(staff.client("Olga"))["sign"])
        sends("Abe", command="sign-act", number=number, part="second")
        today = opened("Sam", "")
        missing = today.get_by_role("region", name="Manual slips missing")
        expect(missing).to_contain_text("MF-000002")
        expect(missing).not_to_contain_text("MF-000001")
        expect(today.get_by_text("what was done in an outage was told from paper", exact=False).first).to_be_visible()
        expect(today.get_by_role("region", name=_ASKS)).to_have_count(0)  # Sam has told it
        _says_yes(opened("Flo", ""))
        _prints_the_slip(opened("Flo", "/forms"))


def _says_yes(page: Page) -> None:
    """Flo is asked whether she did what was told of her, and says so."""
    asked = page.get_by_role("region", name=_ASKS)
    expect(asked).to_contain_text("Sam and Abe told of Flo in outage O-000001: did: Ask for a fill (F-000001)")
    asked.get_by_role("button", name="Yes: what was told for you is so").click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(asked).to_have_count(0)


def _prints_the_slip(page: Page) -> None:
    """The forms of the day have the slip, to be printed; another day has none."""
    row = page.get_by_role("region", name="Fill slip").get_by_role("row").filter(has_text="F-000001")
    with page.expect_popup() as popup:
        row.get_by_role("link", name="Fill slip").click()
    expect(popup.value.get_by_text("F-000001").first).to_be_visible()
    expect(popup.value.get_by_text("from manual slip MF-000001", exact=False).first).to_be_visible()
    day = page.get_by_label("Gaming day")
    day.fill("2026-01-01")
    day.dispatch_event("change")
    expect(page.get_by_text("No slip and no sheet in this gaming day.")).to_be_visible()


def _today(client: Client) -> dict[str, list[dict[str, int]]]:
    found: dict[str, list[dict[str, int]]] = client.today("section2")
    return found

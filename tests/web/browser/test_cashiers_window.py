"""The cashier's window: a drawer is opened, chips are sold and bought back from it, and it is counted and closed."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.people.house import PIN
from tests.web.browser.axe import grave_faults
from tests.web.browser.visitors import Staff

pytestmark = [pytest.mark.long, pytest.mark.whole]

SHOTS = os.environ.get("PASSLINE_SHOTS", "")  # a folder for screenshots to be looked at
_WINDOW, _DESK = "/office/section2/window", {"width": 1280, "height": 900}
_PEOPLE = {"Cy": "cashier", "Cal": "cashier", "Acc": "accountant"}


def _look(page: Page, name: str) -> None:
    assert grave_faults(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth") <= _DESK["width"], f"{name} scrolls sideways"
    if SHOTS:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(SHOTS) / f"{name}-{scheme}.png")


def _units(page: Page, worth: int, count: int) -> None:
    page.locator("#sheet").get_by_label(f"How many of ${worth}", exact=True).first.fill(str(count))


def test_a_cashier_opens_a_drawer_sells_and_redeems_chips_and_closes_it(browser: Browser) -> None:
    with Staff(browser, _PEOPLE).serving() as staff:

        def sends(by: str, sign_off: str = "", **command: Any) -> None:  # noqa: ANN401
            signed = {"sign_off": {"name": sign_off, "pin": PIN}} if sign_off else {}
            staff.client(by).post("/api/office/section2/commands", {"command": command, **signed})

        def does(by: str, act: str, *things: str, signs: str = "", sign_off: str = "", **fields: object) -> None:
            part = {"signs": signs} if signs else {}
            sends(by, sign_off, command="do-act", act=act, things=things, fields=fields, **part)

        sends("Olga", command="set-up-office", facility={"name": "Harbour", "zone": "America/Denver"})
        does("Olga", "draft_house", "spring", file={"rules": "section2", "office": {"books": ["cage"]}})
        does("Olga", "put_in_force", "spring")
        does("Olga", "specify_chip", "2500", colour="green")
        witness = {"signs": "witness", "sign_off": "Acc"}
        does("Cy", "receive_chips", units={"2500": 2000}, delivery="note 1", **witness)
        does("Cy", "issue_chips", units={"2500": 1000}, **witness)
        does("Cy", "bring_from_bank", notes={"10000": 500}, reference="B-1", **witness)
        does("Acc", "enter_drawer", "D1", imprest=10_000_00)
        does("Cal", "issue_money", "D1", notes={"10000": 100}, signs="holder", sign_off="Cy")

        page = staff.open("Cy", "/office/section2", _DESK)
        page.get_by_role("link", name="Cashier's window").click()
        expect(page.get_by_role("heading", name="No drawer is in your hands")).to_be_visible()
        _look(page, "window-none")

        def counts(button: str, hundreds: int) -> None:
            page.get_by_role("button", name=button).click()
            _units(page, 100, hundreds)
            page.locator("#sheet").get_by_role("button", name="Record", exact=True).click()
            sheet = page.locator("#sheet")
            expect(sheet.get_by_label("PIN")).to_be_visible()
            _units(page, 100, hundreds)
            signer = sheet.get_by_role("radio", name="Acc", exact=True)
            if signer.count():
                signer.check()
            sheet.get_by_label("PIN").fill(PIN)
            sheet.get_by_role("button", name="Sign", exact=True).click()

        counts("Open a drawer", 100)
        expect(page.get_by_role("heading", name="Drawer D1")).to_be_visible()
        expect(page.get_by_text("in your hands")).to_be_visible()
        _look(page, "window-open")
        for button, chips in (("Sell chips", 40), ("Redeem chips", 8)):
            page.get_by_role("region", name="At the window").get_by_role("button", name=button, exact=False).click()
            _units(page, 25, chips)
            page.locator("#sheet").get_by_role("button", name="Record", exact=True).click()
            expect(page.locator("#sheet")).not_to_be_visible()
        state = staff.client("Cy").get("/api/office/section2/things/drawer")["things"]
        assert [drawer["state"] for drawer in state] == ["open"]
        other = staff.open("Cal", _WINDOW, _DESK)
        expect(other.get_by_role("button", name="Take a drawer over from another cashier: D1")).to_be_visible()
        counts("Close a drawer", 108)
        expect(page.get_by_role("heading", name="No drawer is in your hands")).to_be_visible()

"""Front money and markers in a browser: at the cashier's window, and on the page of credit that the floor has."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.people.house import PIN
from tests.web.browser.axe import grave_faults
from tests.web.browser.visitors import Staff

pytestmark = [pytest.mark.long, pytest.mark.whole]

SHOTS = os.environ.get("PASSLINE_SHOTS", "")  # a folder for screenshots to be looked at
_OFFICE, _DESK = "/office/section2", {"width": 1280, "height": 900}
_PEOPLE = {
    "Cy": "cashier", "Cal": "cashier", "Acc": "accountant", "Cora": "compliance", "Sam": "supervisor",
    "Flo": "floorperson", "Dan": "dealer", "Bob": "boxperson",
}  # fmt: skip
_FACILITY = {"name": "Harbour", "zone": "America/Denver", "areas": ["pit-1"]}
_ANN = re.compile("^P1.*Ann Smith")
Does = Callable[..., None]


def _look(page: Page, name: str) -> None:
    assert grave_faults(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth") <= _DESK["width"], f"{name} scrolls sideways"
    if SHOTS:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(SHOTS) / f"{name}-{scheme}.png")


def _act_of(staff: Staff) -> Does:
    """What is no part of the test is done over HTTP: an act, signed at once where that is said."""

    def does(by: str, act: str, *things: str, **fields: Any) -> None:  # noqa: ANN401
        parts: list[tuple[str, str, Any]] = fields.pop("signed", [])
        command = {"command": "do-act", "act": act, "things": things, "fields": fields}
        answer = staff.client(by).post("/api/office/section2/commands", {"command": command})
        number = answer["events"][0]["number"]
        for part, signer, again in parts:
            sign = {"command": "sign-act", "number": number, "part": part, "fields": again}
            signed = {"sign_off": {"name": signer, "pin": PIN}}
            staff.client(by).post("/api/office/section2/commands", {"command": sign, **signed})

    return does


def _opened_house(staff: Staff) -> None:
    """A drawer in Cy's hands, a tray with 5,000.00, and a patron with credit of 2,000.00."""
    does = _act_of(staff)
    set_up = {"command": "set-up-office", "facility": _FACILITY}
    staff.client("Olga").post("/api/office/section2/commands", {"command": set_up})
    file = {"rules": "section2", "office": {"books": ["cage", "credit"]}}
    does("Olga", "draft_house", "spring", file=file)
    does("Olga", "put_in_force", "spring")
    does("Olga", "register_table", "craps-1", area="pit-1")
    does("Olga", "specify_chip", "2500", colour="green")
    witness: list[tuple[str, str, Any]] = [("witness", "Acc", {})]
    does("Cy", "receive_chips", units={"2500": 2000}, delivery="note 1", signed=witness)
    does("Cy", "issue_chips", units={"2500": 1000}, signed=witness)
    does("Cy", "bring_from_bank", notes={"10000": 500}, reference="B-1", signed=witness)
    does("Acc", "enter_drawer", "D1", imprest=10_000_00)
    notes, chips = {"notes": {"10000": 100}}, {"chips": {"2500": 200}}
    does("Cal", "issue_money", "D1", **notes, signed=[("holder", "Cy", {})])
    does("Cy", "open_drawer", "D1", **notes, signed=[("second", "Acc", notes)])
    does("Flo", "request_fill", table="craps-1", units={"2500": 200})
    does("Cy", "prepare_fill", "F-000001")
    does("Sam", "carry_fill", "F-000001")
    does("Dan", "accept_fill", "F-000001")
    does("Dan", "count_opener", "craps-1", **chips, shift="day", signed=[("second", "Bob", chips)])
    does("Cora", "enter_patron", "P1", name="Ann Smith")
    does("Cora", "enter_patron", "P2", name="Bea Jones")
    asked = {"patron": "P1", "asked": 3_000_00, "identified": True, "bank": "good", "signed": True}
    command = {"command": "do-act", "act": "apply_for_credit", "things": [], "fields": asked}
    staff.client("Cal").post("/api/office/section2/commands", {"command": command})
    does("Acc", "approve_credit", "CR-000001", limit=2_000_00, signed=[("second", "Cora", {})])


def _open(window: Page, name: str) -> None:
    window.get_by_role("region", name="At the window").get_by_role("button", name=name).click()


def _record(page: Page) -> None:
    page.locator("#sheet").get_by_role("button", name="Record", exact=True).click()


def _sign(page: Page, signer: str) -> None:
    sheet = page.locator("#sheet")
    expect(sheet.get_by_label("PIN")).to_be_visible()
    choice = sheet.get_by_role("radio", name=signer, exact=True)
    choice.check()
    sheet.get_by_label("PIN").fill(PIN)
    sheet.get_by_role("button", name="Sign", exact=True).click()
    expect(choice).to_have_count(0)  # nobody signs twice: the next form, or none


def _money(staff: Staff, stock: str, place: str) -> int:
    held = staff.client("Cy").get("/api/office/section2/stocks")["stocks"]
    return int(held.get(stock, {}).get(place, {}).get("1", 0))


def _leave_and_pay_back(staff: Staff, window: Page) -> None:
    """Leave 500.00 and pay 200.00 back, which nobody records who has not said that the patron signed."""
    sheet = window.locator("#sheet")
    _open(window, "Take front money of a patron")
    sheet.get_by_role("radio", name=_ANN).check()
    sheet.get_by_label("What was left").fill("500")
    _look(window, "front-money")
    _record(window)
    _sign(window, "Cal")
    expect(sheet).not_to_be_visible()
    _open(window, "Pay front money back to a patron")
    sheet.get_by_role("radio", name=_ANN).check()
    sheet.get_by_label("What was taken").fill("200")
    sheet.get_by_label("The document of the patron was seen").check()
    _record(window)
    expect(sheet.get_by_text("Must be so: the patron has signed for what was paid")).to_be_visible()
    _look(window, "front-money-unsigned")
    sheet.get_by_label("The patron has signed for what was paid").check()
    _record(window)
    _sign(window, "Cal")
    expect(sheet).not_to_be_visible()
    assert _money(staff, "front_money", "patron/P1") == 300_00


def _draw(floor: Page, chips: int) -> None:
    """Have chips given for a marker, as far as who signs it."""
    sheet = floor.locator("#sheet")
    floor.get_by_role("button", name="Give chips at a table for a marker").first.click()
    sheet.get_by_role("radio", name=re.compile("CR-000001.*Ann Smith")).check()
    sheet.get_by_role("radio", name=_ANN).check()
    sheet.get_by_label("How many of $25", exact=True).first.fill(str(chips))
    sheet.get_by_label("The patron has signed every part of the marker").check()
    for part in ("original", "issue slip into the drop box", "payment slip"):
        sheet.get_by_role("checkbox", name=re.compile(f"^{part}$", re.IGNORECASE)).check()
    _record(floor)


def test_front_money_and_markers_are_done_from_the_pages(browser: Browser) -> None:
    with Staff(browser, _PEOPLE).serving() as staff:
        _opened_house(staff)
        window = staff.open("Cy", f"{_OFFICE}/window", _DESK)
        _leave_and_pay_back(staff, window)

        floor = staff.open("Flo", f"{_OFFICE}/credit", _DESK)
        _look(floor, "credit-page")
        expect(floor.get_by_role("row").filter(has_text="CR-000001")).to_contain_text("P1 Ann Smith")
        expect(floor.locator("li.slip")).to_have_count(0)  # a credit that is approved waits for nobody
        _draw(floor, 81)
        refusal = "has a limit of $2000.00, of which $0.00 is outstanding"
        expect(floor.locator("#sheet").get_by_role("alert")).to_contain_text(refusal)
        expect(floor.locator("#sheet").get_by_role("alert")).to_contain_text("nigc 542.15")
        _look(floor, "marker-refused")
        floor.reload()
        _draw(floor, 60)
        _sign(floor, "Dan")
        _sign(floor, "Cal")
        expect(floor.locator("#sheet")).not_to_be_visible()
        _look(floor, "credit-page-with-marker")
        assert _money(staff, "marker", "marker/M-000001") == 1_500_00
        marker = floor.locator("li.slip", has_text="M-000001")
        expect(marker.get_by_role("list", name="How far it is")).to_contain_text("IssuedIn cagePaid")

        window.reload()
        _open(window, "Take a payment for a marker in the cage")
        sheet = window.locator("#sheet")
        _look(window, "marker-payment")
        expect(sheet.get_by_text("M-000001")).to_be_visible()
        sheet.get_by_role("radio", name=_ANN).last.check()
        sheet.get_by_label("How much").fill("1500")
        _record(window)
        _sign(window, "Cal")
        expect(sheet).not_to_be_visible()
        assert _money(staff, "marker", "marker/M-000001") == 0
        _look(window, "window-after")

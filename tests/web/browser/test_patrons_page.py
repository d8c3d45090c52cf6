"""The page of patrons in a real browser: the cash of the gaming day, for those who answer for reports of it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from passline.office.compliance_file import ComplianceFile
from passline.office.views.cash_matters import CashMatter
from tests.web.browser.visitors import Staff

pytestmark = pytest.mark.long

_PATRONS, _TABLET = "/office/maryland/patrons", {"width": 820, "height": 1180}
_READERS = {"Cora": "compliance", "Reg": "regulator"}


@pytest.mark.whole
def test_cash_is_listed_for_the_owner_and_kept_from_the_cashier(browser: Browser) -> None:
    with Staff(browser, {"Cy": "cashier"}).serving() as staff:

        def sends(by: str, **command: object) -> None:
            staff.client(by).post("/api/office/maryland/commands", {"command": command})

        def does(by: str, act: str, *things: str, **fields: object) -> None:
            sends(by, command="do-act", act=act, things=things, fields=fields)

        sends("Olga", command="set-up-office", facility={"name": "Harbour", "zone": "America/New_York"})
        sends("Olga", command="leave-out", items=["acts.receive_chips.signs.witness", "acts.issue_chips.signs.witness"])
        sends("Olga", command="set-value", key="cash_report", value=1_000_00)
        for act, more in (("receive_chips", {"delivery": "note 1"}), ("issue_chips", {})):
            does("Cy", act, units={"10000": 50}, **more)
        does("Cy", "enter_patron", "P1", name="Ann Smith")
        does("Cy", "sell_chips", units={"10000": 12}, patron="P1")
        page = staff.open("Olga", _PATRONS, _TABLET)
        panel = page.get_by_role("region", name="Cash by patron").first
        expect(panel.get_by_role("row").filter(has_text="P1")).to_contain_text("due")
        expect(panel).to_contain_text("1,200")
        expect(page.get_by_role("link", name="As a workbook")).to_have_attribute("href", re.compile("format=xlsx"))
        cashier = staff.open("Cy", _PATRONS, _TABLET)
        expect(cashier.get_by_role("heading", name="Patron", exact=False).first).to_be_visible()
        expect(cashier.get_by_text("Cash by patron")).to_have_count(0)
        expect(cashier.get_by_text("Report of cash")).to_have_count(0)


@pytest.mark.whole
def test_compliance_writes_about_a_matter_and_an_examiner_who_is_not_named_sees_nothing(browser: Browser) -> None:
    why = "3 times from $8,000 to $10,000 brought in 5 gaming days"
    matter = CashMatter("2026-03-07.structuring.in.patron-P1", "structuring", "patron/P1", "2026-03-07", why, ())
    with Staff(browser, _READERS).serving() as staff:
        command = {"command": "set-up-office", "facility": {"name": "Harbour", "zone": "America/New_York"}}
        staff.client("Olga").post("/api/office/maryland/commands", {"command": command})
        ComplianceFile(staff.server.log, staff.server.clock).open("maryland", [matter])

        def opened(name: str) -> Page:
            page = staff.open(name, _PATRONS, _TABLET)
            expect(page.get_by_role("heading", name="Cash by patron")).to_be_visible()
            return page

        page = opened("Cora")
        expect(page.get_by_role("row").filter(has_text=why)).to_contain_text("open")
        page.get_by_label("What was found or done").fill("filed under 7")
        page.get_by_label("What", exact=True).select_option("It was reported")
        page.get_by_role("button", name="Write it down").click()
        expect(page.get_by_role("row").filter(has_text=why)).to_contain_text("reported")
        expect(page.get_by_role("row").filter(has_text=why)).to_contain_text("Cora: filed under 7")
        page.get_by_role("button", name="Hold this file against the log").click()
        expect(page.get_by_text("The log is committed to this file after the first gaming day")).to_be_visible()
        stranger = opened("Reg")
        expect(stranger.get_by_role("heading", name="Compliance")).to_have_count(0)
        expect(stranger.get_by_text(why)).to_have_count(0)

"""Two owners at pages of theirs with Chromium's virtual authenticator: added, elected, and signing an act."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from passline.store.timestamps import utc_now
from passline.tables.verify import decision_faults
from tests.people.house import PIN
from tests.web.browser.served_app import served_app
from tests.web.browser.visitors import Visitors
from tests.web.server import Server

pytestmark = pytest.mark.long


def _with_authenticator(page: Page) -> tuple[CDPSession, str]:
    """Plug a virtual security key in at a page, which is touched whenever it is asked."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasResidentKey": False,
        "hasUserVerification": False,
        "automaticPresenceSimulation": True,
    }
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def _add(page: Page, label: str) -> None:
    page.get_by_label("Name of a new one").fill(label)
    page.locator("#authenticator-pin").fill(PIN)
    page.get_by_role("button", name="Add an authenticator").click()
    expect(page.locator("#authenticator-list")).to_contain_text(label)


def _sign(page: Page) -> None:
    """Type the second owner's name and PIN, for the next act of the page."""
    page.get_by_label("Second owner's name").fill("Otto")
    page.get_by_label("Second owner's PIN").fill(PIN)


@pytest.mark.whole
def test_an_owner_signs_at_the_other_ones_page_with_pin_and_key(browser: Browser) -> None:
    server = Server()
    server.clock.now = utc_now()
    olga = server.owner()
    otto = server.hire("Otto", "owner", by=olga.session.account.id)
    with served_app(server) as address:
        at = Visitors(browser, address.replace("127.0.0.1", "localhost"), {"Olga": olga.token, "Otto": otto.token})
        his = at.open("Otto", "/account")
        his_session, his_key = _with_authenticator(his)
        _add(his, "red key")
        hers = at.open("Olga", "/account")
        session, key = _with_authenticator(hers)
        _add(hers, "blue key")
        hers.goto(f"{at.address}/people")
        panel = hers.locator("#second-factor")
        expect(panel).to_contain_text("The PIN alone signs.")
        _sign(hers)
        panel.get_by_role("button", name="Require authenticators").click()
        expect(panel).to_contain_text("Signatures take an authenticator at http://localhost")
        form = hers.locator("#create")
        form.get_by_label("Name").fill("Flo")
        form.get_by_label("Floorperson").check()
        _sign(hers)
        form.get_by_role("button").last.click()  # his key is not at this page: nobody can touch it
        expect(form).to_contain_text("signs with an authenticator too")
        for credential in his_session.send("WebAuthn.getCredentials", {"authenticatorId": his_key})["credentials"]:
            session.send("WebAuthn.addCredential", {"authenticatorId": key, "credential": credential})
        _sign(hers)
        form.get_by_role("button").last.click()
        expect(hers.locator("#link-text")).to_contain_text("/invitations/")
        at.close()
    assert server.desk.people().account_named("Flo") is not None
    assert list(decision_faults(server.log.read())) == []

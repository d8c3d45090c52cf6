"""Pages tell the house's own time and name its zone, wherever the browser is."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, expect

from passline.client import Client
from tests.serving import serving
from tests.web.browser.house import PASSWORD, PINS

pytestmark = pytest.mark.slow

FACILITY = {"name": "Peak", "zone": "America/Denver", "subdivision": "CO", "day_begins": "06:00"}


@pytest.mark.whole
def test_a_browser_in_tokyo_shows_the_time_in_denver(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, Client(server.address) as owner:
        owner.accept(server.owner_link, name="Olga", password=PASSWORD, pin=PINS["Olga"])
        context = browser.new_context(timezone_id="Asia/Tokyo")
        context.add_cookies([{"name": "passline", "value": owner.token, "url": server.address}])
        page = context.new_page()
        page.goto(f"{server.address}/search")
        expect(page.locator(".house-time")).to_have_text(
            "Times are the house's own, UTC. A gaming day begins at 00:00."
        )
        owner.post("/api/office/colorado/commands", {"command": {"command": "set-up-office", "facility": FACILITY}})
        page.reload()
        told = "Times are the house's own, America/Denver. A gaming day begins at 06:00."
        expect(page.locator(".house-time")).to_have_text(told)
        first = page.locator("#entries time").first
        expect(first).to_have_text(re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d:\d\d M[SD]T$"))
        at = datetime.fromisoformat(str(first.get_attribute("datetime"))).astimezone(UTC)
        local = at.astimezone(ZoneInfo("America/Denver"))
        assert first.inner_text().startswith(f"{local.day} ")
        assert first.inner_text().endswith(f"{local:%Y, %H:%M:%S %Z}")
        context.close()

"""*Today* tells from which day on an amendment forbids a house in force, and by which clause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from passline.acts import commands as c
from passline.client import Client
from tests.people.house import PASSWORD
from tests.rules.amended import NAME, amended
from tests.tables.midnight import PIER
from tests.web.browser.axe import grave_faults
from tests.web.browser.newcomer import Newcomer
from tests.web.browser.served_app import served_app

__all__ = ["amended"]  # a fixture

pytestmark = pytest.mark.long


@pytest.fixture
def owner(browser: Browser, amended: Path, tmp_path: Path) -> Iterator[Newcomer]:  # noqa: ARG001
    """The owner of an empty house under the amended regulation, before the day of its order."""
    owner = Newcomer(browser, NAME, tmp_path)
    assert owner.server.clock.now < "2027"
    with served_app(owner.server) as owner.address:
        yield owner
        owner.close()


def _do(client: Client, *commands: c.ActCommand) -> None:
    for command in commands:
        client.post(f"/api/office/{NAME}/commands", {"command": msgspec.to_builtins(command)})


@pytest.mark.whole
def test_today_announces_an_amendment_to_the_houses_it_will_breach(owner: Newcomer) -> None:
    with Client(owner.address) as client:
        client.log_in("Olga", PASSWORD)
        _do(client, c.SetUpOffice(facility=PIER))
        for name, cents in (("spring", 1_000_00), ("summer", 2_000_00)):
            file = {"rules": NAME, "wager_cents_max": cents}
            _do(client, c.DoAct(act="draft_house", things=(name,), fields={"file": file}))
            _do(client, c.DoAct(act="put_in_force", things=(name,)))
    page = owner.today("Olga")
    panel = page.get_by_role("region", name="The regulation changes")
    lines = panel.locator("li")
    expect(lines).to_have_count(2)
    for name in ("spring", "summer"):
        expect(lines.filter(has_text=name)).to_contain_text("from 2027-01-01 on: Order 27-01")
    expect(lines.filter(has_text="spring")).to_contain_text("It stays lawful.")
    expect(lines.filter(has_text="summer").locator(".bad")).to_have_text(
        "wager_cents_max: 200000 is above the maximum, 100000 [QUAY-5.1]"
    )
    assert grave_faults(page) == []

"""A first table is opened by following *Today* alone, from an empty house, with nothing but what the pages say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.people.house import PIN
from tests.web.browser.axe import grave_faults
from tests.web.browser.newcomer import Newcomer
from tests.web.browser.served_app import served_app

pytestmark = pytest.mark.long


@pytest.fixture
def newcomer(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Newcomer]:
    newcomer = Newcomer(browser, request.param, tmp_path)
    with served_app(newcomer.server) as newcomer.address:
        yield newcomer
        newcomer.close()


@pytest.mark.parametrize(
    ("newcomer", "steps"),
    [("section2", 60), pytest.param("arizona", 160, marks=pytest.mark.sweep)],
    indirect=["newcomer"],
)
def test_a_newcomer_opens_a_first_table_by_today_alone(newcomer: Newcomer, steps: int) -> None:
    newcomer.set_up()
    olga = newcomer.page_of("Olga")
    expect(olga.locator("#path")).to_contain_text("No table is in the register yet")
    expect(olga.locator("#due")).not_to_contain_text("Nothing is due")
    assert grave_faults(olga) == []
    newcomer.follow(steps)
    olga = newcomer.today("Olga")
    olga.get_by_role("link", name="Open the table").click()
    form = olga.get_by_role("form", name="Open a table")
    expect(form.get_by_label("Regulation")).to_have_value(newcomer.regulation)
    expect(form.get_by_label("Name", exact=True).first).to_have_value("craps-1")
    signer = next(name for name, role in newcomer.roles.items() if role in {"floorperson", "supervisor", "boxperson"})
    form.locator("#open-signer").fill(signer)
    form.locator("#open-pin").fill(PIN)
    form.get_by_role("button", name="Open the table").click()
    expect(olga.locator("#opened")).to_contain_text("craps-1 is open")

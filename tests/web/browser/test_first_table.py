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


@pytest.mark.whole
@pytest.mark.parametrize(
    ("newcomer", "steps"),
    [("section2", 2), *(pytest.param(*more, marks=pytest.mark.whole) for more in (("arizona", 2), ("section2", 5)))],
    indirect=["newcomer"],
)
def test_today_leads_an_empty_house_step_by_step(newcomer: Newcomer, steps: int) -> None:
    """The short form of the whole way, which a sweep goes to its end."""
    newcomer.set_up()
    olga = newcomer.page_of("Olga")
    expect(olga.locator("#path")).to_contain_text("No table is in the register yet")
    expect(olga.locator("#due")).not_to_contain_text("Nothing is due")
    for part in ("Tables", "Rules", "People", "Dice and chips"):
        expect(olga.locator(".path-part").get_by_role("heading", name=part)).to_be_visible()
    expect(olga.locator("#second-owner-first")).to_contain_text("Make that account before all others")
    assert grave_faults(olga) == []
    before = olga.locator(".steps > li").count()
    newcomer.follow(steps, is_whole=False)
    assert newcomer.done[:2] == ["register_table", "draft_house"]
    assert newcomer.today("Olga").locator(".steps > li").count() <= before - steps


@pytest.mark.sweep
@pytest.mark.parametrize(("newcomer", "steps"), [("section2", 60), ("arizona", 150)], indirect=["newcomer"])
def test_a_newcomer_opens_a_first_table_by_today_alone(newcomer: Newcomer, steps: int) -> None:
    newcomer.set_up()
    newcomer.follow(steps)
    newcomer.keep_the_office_here()  # or the table would open without its list
    olga = newcomer.today("Olga")
    olga.get_by_role("link", name="Open the table").click()
    form = olga.get_by_role("form", name="Open a table")
    expect(form.get_by_label("Regulation")).to_have_value(newcomer.regulation)
    expect(form.get_by_label("Name of the table")).to_have_value("craps-1")
    form.locator("#open-signer").fill(newcomer.somebody_of(form.locator("#open-signs").inner_text()))
    form.locator("#open-pin").fill(PIN)
    form.get_by_role("button", name="Open the table").click()
    expect(olga.locator("#opened")).to_contain_text("craps-1 is open")
    _office_fits_a_phone(newcomer)


def _office_fits_a_phone(newcomer: Newcomer) -> None:
    """With all that is on record by now, no page of the office is wider than a phone."""
    page = newcomer.today("Olga")
    pages = page.locator("nav.tabs a").evaluate_all("(links) => links.map((link) => link.href)")
    page.set_viewport_size({"width": 390, "height": 844})
    for address in pages:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address

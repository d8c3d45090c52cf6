"""The laboratory as a page: answers, the linter's words on their line, a link that holds it all, hands, files."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serving import lab_serving
from tests.web.browser.axe import violations
from tests.web.browser.visitors import Visitors

pytestmark = pytest.mark.long
PHONE = {"width": 390, "height": 844}
_EVIL = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def visitors(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    """Strangers at a laboratory that stands alone."""
    with lab_serving(tmp_path_factory.mktemp("lab")) as address:
        found = Visitors(browser, address)
        yield found
        found.close()


def _solved(page: Page) -> None:
    expect(page.locator("#progress")).to_contain_text("Solved", timeout=120_000)


@pytest.mark.whole
def test_strategies_are_solved_written_linked_to_played_and_saved(visitors: Visitors, tmp_path: Path) -> None:
    page = visitors.open("Ann", "/lab")
    _solved(page)
    facts = page.locator("table.facts")
    expect(facts.locator("thead")).to_contain_text("iron_cross")
    expect(facts.locator("tbody tr").first).to_contain_text("Ruin")
    expect(page.locator("figure.lab-chart")).to_have_count(6)
    assert violations(page) == []

    page.get_by_role("button", name="Open strategy B as a file to edit").click()
    field = page.get_by_label("The strategy as a file")
    expect(page.locator("#editor-about")).to_contain_text("Looked at all its 400 states", timeout=60_000)
    text = field.input_value()
    field.fill(text.replace('make = "pass"', 'make = "pas"'))
    expect(page.locator(".code-line.is-fault .mark")).to_contain_text("maryland has no wager 'pas'")
    page.get_by_role("button", name="Line 11").click()
    expect(field).to_be_focused()
    vain = '\n[[wish]]\nmake = "field"\nwhen = "puck == 3"\ncents = "unit"\n'
    field.fill(text.replace('name = "molly"', 'name = "mine"') + vain)
    expect(page.locator(".mark").first).to_contain_text("its condition was never true: puck == 3")
    assert violations(page, is_repeat=True) == []

    page.locator("#count").fill("100")
    page.get_by_role("button", name="Solve").click()
    expect(facts.locator("thead")).to_contain_text("mine", timeout=60_000)
    _solved(page)
    page.locator("#shooters").get_by_label("Strategy").select_option("1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".story h3")).to_contain_text("Roll 1, come-out roll", timeout=60_000)
    page.get_by_role("button", name="Next roll").click()
    expect(page.locator(".steps output")).to_have_text(re.compile("Roll 2 of"))
    expect(page.locator("#shooters .board .stack")).not_to_have_count(0)
    expect(page).to_have_url(re.compile(r"#1\.[\w-]{100,}"))

    page.locator("#best-unit").fill("100")
    page.get_by_role("button", name="Find it").click()
    expect(page.locator(".best-facts")).to_contain_text("Gap to the best lawful play", timeout=60_000)
    expect(page.locator("#best .policy").first).to_be_visible()

    for kind in ("CSV", "SVG", "PNG"):
        with page.expect_download() as saved:
            page.get_by_role("group", name="Save Final bankroll").get_by_role("button", name=kind).click()
        saved.value.save_as(tmp_path / f"law.{kind.lower()}")
    rows = [*csv.reader((tmp_path / "law.csv").read_text(encoding="utf-8").splitlines())]
    assert sum(float(row[2]) for row in rows[1:] if row[0] == "mine") == pytest.approx(1, abs=1e-9)
    assert "<style" not in (drawn := (tmp_path / "law.svg").read_text(encoding="utf-8"))
    assert "Final bankroll" in drawn
    assert (tmp_path / "law.png").read_bytes().startswith(b"\x89PNG")

    page.wait_for_function("location.hash.length > 400")  # it is written once nothing has changed for a while
    other = visitors.open("Bob", page.url, size=PHONE)
    _solved(other)
    expect(other.locator("#played-1")).to_have_value("mine")
    expect(other.locator("#count")).to_have_value("100")
    expect(other.locator(".steps output")).to_have_text(re.compile("Roll 2 of"), timeout=60_000)
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(other) == []


@pytest.mark.whole
def test_what_is_written_is_never_a_part_of_the_page_and_cancelling_ends_it(visitors: Visitors) -> None:
    page = visitors.open("Cy", "/lab")
    _solved(page)
    page.locator("#played-0").fill(_EVIL)
    page.locator("#bankroll").fill("1000000")
    page.locator("#goal").fill("")
    page.locator("#count").fill("1000000")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#results .refused").first).to_contain_text(_EVIL[:20], timeout=60_000)
    assert page.locator("#lab img").count() == 0
    expect(page).to_have_title("Laboratory - Passline")
    expect(page.locator("#progress")).to_contain_text("Strategy B", timeout=60_000)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#progress")).to_have_text("Cancelled.")
    page.locator("#bankroll").fill("nine")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#failed")).to_contain_text('Bankroll: "nine" is not an amount')

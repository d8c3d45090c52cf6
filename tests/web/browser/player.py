"""What a player does on the page of a table: sit down, find areas, shoot."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.web.browser.shelf import SHELF

DESK = {"width": 1280, "height": 800}
TABLE = "table-1"
EXPECT_MS = 15_000  # on a machine that other tests keep busy


def context(browser: Browser, **options: Any) -> BrowserContext:  # noqa: ANN401 - whatever a context takes
    context = browser.new_context(**{"viewport": DESK, **options})
    context.set_default_timeout(15_000)
    return context


def _page(browser: Browser, options: dict[str, Any]) -> Page:
    return context(browser, **options).new_page() if options else _any_page(browser)


def _any_page(browser: Browser) -> Page:
    page = SHELF.page(browser, context)
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    return page


def seated_in_the_lobby(browser: Browser, address: str, **options: Any) -> Page:  # noqa: ANN401
    """Sit down in the demo by the button in the lobby."""
    page = _page(browser, options)
    page.goto(address)
    page.get_by_role("button", name="Sit down with $1,000 of play money").click()
    return _ready(page)


def seated(
    browser: Browser,
    address: str,
    before: Callable[[Page], object] | None = None,
    **options: Any,  # noqa: ANN401 - of a context
) -> Page:
    """Sit down in the demo as the button in the lobby does, without its page; `before` is done before it loads."""
    page = context(browser, **options).new_page() if before else _page(browser, options)
    if before:
        before(page)
    sat = page.context.request.post(f"{address}/api/demo/sit", data={"table": TABLE})
    assert sat.ok, sat.text()
    page.goto(f"{address}/tables/{TABLE}")
    return _ready(page)


def spectating(browser: Browser, address: str) -> Page:
    """Look at the table without a seat."""
    page = _any_page(browser)
    page.goto(f"{address}/tables/{TABLE}")
    expect(page.locator("#connection")).to_have_text("Connected")
    return page


def _ready(page: Page) -> Page:
    expect(page.locator("#rack")).to_have_text("$1,000")
    expect(page.locator("#connection")).to_have_text("Connected")
    expect(area(page, "field")).to_have_class(re.compile(r"\bopen\b"))
    return page


def area(page: Page, kind: str, number: int = 0) -> Locator:
    return page.locator(f'.area[data-key="{kind}:{number}"]')


def up(page: Page, kind: str, number: int = 0) -> Locator:
    """Return the area, matching only if something is up on it."""
    return page.locator(
        f'.area[data-key="{kind}:{number}"][aria-label*="$"][aria-label*=" up"]:not([aria-label*="nothing up"])'
    )


def name_of(page: Page, kind: str, number: int = 0) -> str:
    return area(page, kind, number).get_attribute("aria-label") or ""


def shoot(page: Page) -> None:
    """Make a line wager and take the dice."""
    area(page, "pass").click()
    expect(up(page, "pass")).to_be_visible()
    page.get_by_role("button", name="Take the dice").click()
    expect(page.locator("#roll")).to_be_enabled()


def roll(page: Page, call: str) -> None:
    page.locator("#roll").click()
    expect(page.locator("#call")).to_have_text(call)


def does(name: str, command: str, seat: int, **fields: Any) -> tuple[str, dict[str, Any]]:  # noqa: ANN401
    return name, {"command": command, "seat": seat, **fields}

"""Light and dark: as the device is set, until somebody chooses; the choice stays, and the felt stays as it is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.player import seated

pytestmark = pytest.mark.long

Server = Callable[..., str]
_BRIGHTNESS = """(selector) => {
  const [red, green, blue] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/[\\d.]+/g);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}"""
_FELT = "getComputedStyle(document.querySelector('#felt')).backgroundImage"


def _is(page: Page, theme: str) -> bool:
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    ground, panel = (page.evaluate(_BRIGHTNESS, selector) for selector in ("body", ".top"))
    return bool((ground > 0.8) == (panel > 0.8) == (theme == "light"))


@pytest.mark.whole
def test_the_theme_follows_the_device_until_somebody_chooses(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4",)), viewport={"width": 1440, "height": 900}, color_scheme="light")
    assert _is(page, "light")
    felt = page.evaluate(_FELT)
    assert grave_faults(page) == []
    page.emulate_media(color_scheme="dark")
    assert _is(page, "dark")
    assert grave_faults(page, is_repeat=True) == []
    assert page.evaluate(_FELT) == felt
    page.get_by_role("button", name="Show the pages light").click()
    assert _is(page, "light")
    page.reload()
    expect(page.get_by_role("button", name="Show the pages dark")).to_be_visible()
    assert _is(page, "light"), "what was chosen stays"
    page.goto(page.url.partition("/tables")[0])
    assert _is(page, "light")
    assert grave_faults(page) == []
    page.context.close()

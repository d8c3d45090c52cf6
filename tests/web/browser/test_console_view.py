"""The stickperson's console on a screen of 1440 x 900: what is taken and paid is in view, and nothing hides it."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.walk_ins import NAMES, floor_of

pytestmark = pytest.mark.long

DESK = {"width": 1440, "height": 900}
SHOTS = os.environ.get("PASSLINE_SHOTS", "")  # a folder for screenshots to be looked at
_OUT_OF_VIEW = """() => {
  const found = [];
  for (const row of document.querySelectorAll(".is-payout .payouts li")) {
    const { left, right, top, bottom, width } = row.getBoundingClientRect();
    if (!width || top < 0 || bottom > innerHeight) found.push(`${row.textContent} is out of view`);
    const parts = [...row.querySelectorAll(".says, .seat, .amount, .lines, .discs, .hand-over")];
    for (const part of parts)
      for (const other of parts) {
        const [one, two] = [part, other].map((each) => each.getBoundingClientRect());
        const isApart = one.right <= two.left + 1 || two.right <= one.left + 1 ||
          one.bottom <= two.top + 1 || two.bottom <= one.top + 1;
        if (part !== other && !part.contains(other) && !other.contains(part) && !isApart)
          found.push(`${part.className} and ${other.className} overlap: ${row.textContent}`);
      }
  }
  return found;
}"""


@pytest.mark.whole
def test_what_is_taken_and_paid_is_in_view_and_no_chip_hides_it(browser: Browser, tmp_path: Path) -> None:
    with floor_of(browser, tmp_path) as floor:
        table = floor.open("Stick 1")
        floor.seat(table, NAMES[:7])
        floor.does("Stan", table, "accept-dice", seat=1)
        for seat in range(1, 6):
            floor.does("Dee", table, "make-wager", seat=seat, wager="pass", cents=25_00 * seat)
        floor.does("Dee", table, "make-wager", seat=6, wager="dont_pass", cents=35_00)
        floor.does("Dee", table, "make-wager", seat=7, wager="field", cents=15_00)
        page = floor.console("Stan", table, DESK)
        page.emulate_media(color_scheme="light")
        page.keyboard.press("d")
        expect(page.locator("#state")).to_contain_text("in the air")
        page.keyboard.type("56")
        expect(page.locator(".is-payout .payouts li")).to_have_count(7)
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / "stick.png")
        assert page.evaluate(_OUT_OF_VIEW) == []
        if SHOTS:
            page.emulate_media(color_scheme="dark")
            page.screenshot(path=Path(SHOTS) / "stick-dark.png")

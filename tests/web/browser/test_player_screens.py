"""The player's page on every screen: dice, result, rack and Roll in sight, readable text, motion only where wanted."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.house import hear_answers
from tests.web.browser.player import area, roll, seated, shoot, up

pytestmark = pytest.mark.long

Server = Callable[..., str]
SIZES = {
    "desktop": (1440, 900),
    "tablet": (1024, 768),
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "desktop at 200 %": (720, 450),
}
_IN_SIGHT = """(ids) => ids.filter((id) => {
  const box = document.getElementById(id).getBoundingClientRect();
  const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isAcross = box.width > 0 && box.left >= -1 && box.right <= innerWidth + 1;
  const isInside = isAcross && box.top >= -1 && box.bottom <= innerHeight + 1;
  return !isInside || (id !== "dice" && !document.getElementById(id).contains(found));
})"""
_SMALL_TEXT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim(), parent = walker.currentNode.parentElement;
    if (!words || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(".spoken, script, style")) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    const scale = parent instanceof SVGElement ? parent.getScreenCTM().d : 1;
    if (size > 0 && size * scale < 10.99) found.push(`${(size * scale).toFixed(2)} ${words}`);
  }
  return found;
}"""
_COVERED = """() => {
  const line = document.querySelector('#felt .area[data-key="pass:0"]');
  const { left, right, top, bottom } = line.getBoundingClientRect();
  const points = [[left + 9, top + 9], [right - 9, bottom - 9], [(left + right) / 2, (top + bottom) / 2]];
  return points.filter(([x, y]) => document.elementFromPoint(x, y)?.closest(".area") !== line);
}"""


@pytest.mark.whole
def test_dice_result_rack_and_roll_are_in_sight_on_every_screen(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "4-4")))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    page.locator("#inside").click()
    expect(up(page, "place_win", 9)).to_be_visible()
    area(page, "field").click()
    expect(up(page, "field")).to_be_visible()
    roll(page, "Hard eight")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('#felt').scrollIntoView({ block: 'end' })")
        expect(page.locator("#result .headline")).to_have_text("You won $2")
        expect(page.locator("#result li")).to_have_text([re.compile(".5 Field"), re.compile(".7 Place 8")])
        assert page.evaluate(_IN_SIGHT, ["dice", "result", "rack", "roll"]) == [], name
        assert page.evaluate(_COVERED) == [], f"{name}: the pass line is covered"
        assert page.evaluate(_SMALL_TEXT) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        if "phone" in name:
            page.locator("#open-centre").click()
            expect(area(page, "any_seven")).to_be_visible()
            assert page.evaluate(_SMALL_TEXT) == [], f"{name}: a sheet"
            page.locator("#close-sheet").click()
            assert grave_faults(page, "main", is_repeat=name != "phone") == [], name
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(forced_colors="active")
    assert page.evaluate("getComputedStyle(document.querySelector('#felt')).backgroundImage").startswith(
        "linear-gradient"
    )
    chip = page.locator('label[for="chip-500"] .edge')
    assert chip.evaluate("(one) => getComputedStyle(one).fill") == "rgb(176, 31, 45)"
    assert grave_faults(page, "main", is_repeat=True) == []


_PHONES = {"phone": (390, 844), "small phone": (360, 700), "on its side": (844, 390), "small, on its side": (667, 375)}
_CUT = """() => {
  const found = [];
  for (const key of ["pass:0", "pass_odds:0"]) {
    const area = document.querySelector(`#felt .area[data-key="${key}"]`);
    const { left, right, top, bottom } = area.getBoundingClientRect();
    const points = [[left + 6, top + 6], [right - 6, bottom - 6], [(left + right) / 2, (top + bottom) / 2]];
    for (const [x, y] of points)
      if (document.elementFromPoint(x, y)?.closest(".area") !== area) found.push(`${key} is covered`);
  }
  const head = document.querySelector(".top"), bar = document.getElementById("bar").getBoundingClientRect();
  if (head.scrollWidth > head.clientWidth + 1) found.push("the head is cut");
  for (const part of document.querySelectorAll("#coach:not([hidden]), #bar button, .top > *, #coach p"))
    if (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
      if (part.checkVisibility() && part.clientWidth) found.push(`${part.id || part.className || part.tagName} is cut`);
  if (bar.bottom > innerHeight + 1 || bar.right > innerWidth + 1) found.push("the bar leaves the screen");
  return found;
}"""


@pytest.mark.whole
def test_on_a_phone_nothing_is_cut_and_the_line_is_never_covered(browser: Browser, server: Server) -> None:
    """As the page is opened, with its hint, before anybody has scrolled: in both orientations, dark and light."""
    page = seated(browser, server(dice=("2-4",)), viewport={"width": 390, "height": 844}, color_scheme="light")
    for moment in ("come-out", "point"):
        for name, (width, height) in _PHONES.items():
            page.set_viewport_size({"width": width, "height": height})
            expect(page.locator("#coach")).to_be_visible()
            hear_answers(page)
            assert page.evaluate(_CUT) == [], (moment, name)
        page.set_viewport_size({"width": 390, "height": 844})
        if moment == "come-out":
            page.get_by_role("button", name="Menu").click()
            expect(page.get_by_role("link", name="Tournaments")).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.get_by_role("link", name="Tournaments")).to_be_hidden()
            shoot(page)
            roll(page, "Six, easy six, mark the point")
    assert grave_faults(page, "main", is_repeat=True) == []
    page.context.close()


_FLIGHTS = """() => {
  window.seen = { flying: 0, lit: new Set(), lost: new Set() };
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) window.seen.flying += Boolean(node.classList?.contains("flying"));
      if (change.target.classList?.contains("is-won")) window.seen.lit.add(change.target.dataset.key);
      if (change.target.classList?.contains("is-lost")) window.seen.lost.add(change.target.dataset.key);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
}"""
_SEEN = "() => ({ ...window.seen, lit: [...window.seen.lit], lost: [...window.seen.lost] })"


@pytest.mark.whole
def test_winning_areas_light_and_chips_move_unless_motion_is_unwanted(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "4-4")))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    page.locator("#inside").click()
    expect(up(page, "place_win", 9)).to_be_visible()
    for motion, moves in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        expect(page.locator(".is-won, .is-lost")).to_have_count(0)
        for kind, number in (("field", 0), ("place_win", 8)):
            expect(page.locator("#roll")).to_be_enabled()  # while dice or answers are awaited, a key does nothing
            hear_answers(page)
            if not up(page, kind, number).count():
                expect(area(page, kind, number)).to_have_class(re.compile(r"\bopen\b"))
                area(page, kind, number).focus()
                page.keyboard.press("u")
                expect(up(page, kind, number)).to_be_visible()
        page.evaluate(_FLIGHTS)
        roll(page, "Hard eight" if moves else "Six, easy six, winner, pay the line")
        expect(page.locator("#result .headline")).to_have_text("You won $2" if moves else re.compile("You"))
        seen: dict[str, Any] = page.evaluate(_SEEN)
        if moves:
            assert seen["lit"] == ["place_win:8"]
            assert seen["lost"] == ["field:0"]
            assert seen["flying"] >= 2
        else:
            assert seen == {"flying": 0, "lit": [], "lost": []}
            assert page.evaluate("document.getAnimations().length") == 0


_RECORD = """
  window.told = { spoken: [], vibrated: [], sounds: 0 };
  speechSynthesis.speak = (one) => window.told.spoken.push(one.text);
  Object.defineProperty(navigator, "vibrate", { value: (pattern) => window.told.vibrated.push(pattern) });
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...at) { window.told.sounds += 1; return start.apply(this, at); };
"""


@pytest.mark.whole
def test_sounds_speech_and_vibration_are_off_until_the_player_turns_them_on(browser: Browser, server: Server) -> None:
    page = seated(browser, server(dice=("2-4", "4-4", "2-4")), lambda page: page.add_init_script(_RECORD))
    shoot(page)
    roll(page, "Six, easy six, mark the point")
    assert page.evaluate("window.told") == {"spoken": [], "vibrated": [], "sounds": 0}
    page.locator("#settings summary").click()
    for box in ("Sounds of dice and chips", "Speak the stickperson's calls", "Vibrate on a roll and a win"):
        page.get_by_label(box).check()
    page.reload()
    expect(page.locator("#roll")).to_be_enabled()
    roll(page, "Hard eight")
    told = page.evaluate("window.told")
    assert told["spoken"] == ["Hard eight"]
    assert told["vibrated"] == [25]
    assert told["sounds"] >= 5

"""Accessibility of the lobby and the table: phone, reduced motion, no script, axe; and the picture in the README."""

import os
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.player import area, context, does, roll, seated, seated_in_the_lobby, shoot, up

pytestmark = pytest.mark.long

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
IMAGE = Path(__file__).resolve().parents[3] / "docs" / "images" / "table.png"

Server = Callable[..., str]


@pytest.mark.whole
def test_a_table_fits_a_phone(browser: Browser, server: Server) -> None:
    """390 pixels: no sideways scrolling, targets of 44 pixels, the centre in a sheet."""
    page = seated_in_the_lobby(browser, server(), **PHONE)
    expect(page.locator("#open-centre")).to_be_visible()
    assert _is_within(page)
    expect(area(page, "pass")).to_be_focused()  # and it lies above the bar, with the odds behind it
    odds, bar = area(page, "pass_odds").bounding_box(), page.locator("#bar").bounding_box()
    assert odds
    assert bar
    assert odds["y"] + odds["height"] <= bar["y"]
    for act in ("Dispute", "Cash out"):
        expect(page.get_by_role("button", name=act)).to_be_in_viewport()
    page.locator("#open-centre").tap()
    expect(area(page, "hardway", 4)).to_contain_text("HARD 4")
    area(page, "any_seven").tap()
    expect(up(page, "any_seven")).to_be_visible()
    assert _is_within(page)
    assert _small_targets(page) == []
    area(page, "any_seven").dispatch_event("contextmenu")  # what a long press gives
    expect(area(page, "any_seven")).to_have_attribute("aria-label", re.compile("nothing up"))
    page.locator("#close-sheet").tap()
    page.locator("#open-numbers").tap()
    for number in (4, 5, 6, 8, 9, 10):
        expect(area(page, "buy", number)).to_contain_text(f"BUY {number}")
    page.locator("#close-sheet").tap()
    area(page, "pass").tap()
    expect(up(page, "pass")).to_be_visible()
    assert _small_targets(page) == []


def _is_within(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def _small_targets(page: Page) -> list[str]:
    """Return what can be tapped but is smaller than a fingertip."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('button, a, .area, summary, .chip-choice')]
            .filter((one) => one.checkVisibility() && !one.classList.contains('skip'))
            .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
            .map(([html, box]) => `${box.width} x ${box.height}: ${html}`)"""
    )
    return found


_WATCH = """
    window.tumbles = 0;
    const dice = document.getElementById('dice');
    new MutationObserver(() => { window.tumbles += dice.classList.contains('tumbling'); })
        .observe(dice, { attributes: true, attributeFilter: ['class'] });
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("motion", "tumbles"), [pytest.param("reduce", False, marks=pytest.mark.sweep), ("no-preference", True)]
)
def test_dice_do_not_tumble_if_motion_is_unwanted(
    browser: Browser, server: Server, motion: str, *, tumbles: bool
) -> None:
    page = seated(browser, server(dice=("2-4",)), reduced_motion=motion)
    page.evaluate(_WATCH)
    shoot(page)
    page.locator("#roll").click()
    page.keyboard.press("Shift")  # any key shows the result at once
    expect(page.locator("#call")).to_have_text("Six, easy six, mark the point")
    assert (page.evaluate("window.tumbles") > 0) is tumbles


@pytest.mark.parametrize("options", [{}, pytest.param(PHONE, marks=pytest.mark.sweep)], ids=["desk", "phone"])
@pytest.mark.whole
def test_axe_finds_nothing_serious(browser: Browser, server: Server, options: dict[str, Any]) -> None:
    address = server(dice=("2-4", "4-4"))
    page = context(browser, **options).new_page()
    page.goto(address)
    assert grave_faults(page, "main") == []
    page.goto(f"{address}/tables/table-1")
    expect(page.locator("#connection")).to_have_text("Connected")
    assert grave_faults(page, "main", is_repeat=True) == []
    page = seated(browser, address, **options)
    shoot(page)
    area(page, "field").click()
    expect(up(page, "field")).to_be_visible()
    roll(page, "Six, easy six, mark the point")
    expect(page.locator("#settled li")).to_have_count(1)
    assert grave_faults(page, "main", is_repeat=True) == []
    area(page, "place_win", 8).click()
    expect(page.locator("#refused li").filter(has_text="at 7 to 6 cannot be paid")).to_be_visible()  # maybe busy, too
    assert grave_faults(page, "main") == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Dispute").click()
    assert grave_faults(page, "dialog") == []  # what lies behind it is out of reach, and dimmed


def test_the_lobby_works_without_script(browser: Browser, server: Server) -> None:
    page = context(browser, java_script_enabled=False).new_page()
    page.goto(server())
    card = page.locator(".table-card")
    for text in ("Table 1", "Maryland craps", "$5 to $5,000", "0 of 20", "OFF come-out roll", "Electronic", "Open"):
        expect(card).to_contain_text(text)
    expect(card.get_by_role("link", name="Go to the table")).to_have_attribute("href", "/tables/table-1")


SCRIPT = (
    *(
        step
        for seat, name in ((2, "Ada Byrne"), (4, "Ben Ortiz"), (7, "Cleo Park"))
        for step in (does(name, "take-seat", seat), does(name, "buy-in", seat, cents=1000_00))
    ),
    does("Ada Byrne", "make-wager", 2, wager="pass", cents=15_00),
    does("Ada Byrne", "accept-dice", 2),
    *(does("Ada Byrne", "roll", 2) for _ in range(6)),
    does("Ada Byrne", "make-wager", 2, wager="pass", cents=15_00),
    does("Ben Ortiz", "make-wager", 4, wager="pass", cents=10_00),
    does("Cleo Park", "make-wager", 7, wager="dont_pass", cents=20_00),
)
AFTER = (
    does("Ada Byrne", "roll", 2),
    does("Ben Ortiz", "make-wager", 4, wager="place_win", number=6, cents=18_00),
    does("Ben Ortiz", "make-wager", 4, wager="come", cents=10_00),
    does("Cleo Park", "make-wager", 7, wager="lay", number=4, cents=40_00),
    does("Ada Byrne", "roll", 2),
    does("Ada Byrne", "make-wager", 2, wager="pass_odds", number=9, cents=30_00),
    does("Cleo Park", "make-wager", 7, wager="hardway", number=6, cents=5_00),
    does("Ben Ortiz", "make-wager", 4, wager="field", cents=5_00),
)
"""A table in the middle of a hand: nine is the point, and five was the last roll."""
DICE = ("4-4", "2-4", "1-4", "6-4", "2-1", "5-3", "4-5", "2-3")


@pytest.mark.whole
def test_the_picture_in_the_readme_is_current(browser: Browser, server: Server) -> None:
    """The picture shows the table as it is drawn today; PASSLINE_WRITE_GOLDEN=1 draws it anew."""
    elected = {"rules": "maryland", "side_wagers": {"bonus_craps": "A", "fire": "A"}}
    address = server(dice=DICE, script=SCRIPT, after=AFTER, house=elected)
    page = seated(browser, address)
    page.locator('label[for="chip-2500"]').click()
    area(page, "pass").click()
    expect(page.locator("#call")).to_have_text("Five")
    page.locator("#odds").click()
    expect(up(page, "pass_odds")).to_be_visible()
    wanted = (("place_win", 6, 0), ("place_win", 8, 0), ("buy", 10, 0), ("come", 0, 2500), ("hardway", 8, 500))
    for kind, number, cents in wanted:
        if cents:
            page.locator(f'label[for="chip-{cents}"]').click()
        area(page, kind, number).focus()
        page.keyboard.press("Enter" if cents else "u")
        expect(up(page, kind, number)).to_be_visible()
    expect(page.locator(".pill")).to_have_count(9)
    page.get_by_role("button", name="No more hints").click()
    area(page, "pass").evaluate("(one) => one.blur()")
    page.mouse.move(1270, 790)
    page.evaluate("scrollTo(0, 0)")
    named = "(all) => { for (const one of all) one.textContent = one.textContent.replace(/Guest \\w+/, 'Nora'); }"
    page.locator(".who, #players li span").evaluate_all(named)  # the one thing that differs from run to run
    drawn = page.screenshot()
    if os.environ.get("PASSLINE_WRITE_GOLDEN"):
        IMAGE.parent.mkdir(exist_ok=True)
        IMAGE.write_bytes(drawn)
    assert IMAGE.stat().st_size < 300_000
    assert page.evaluate(_UNLIKE, [b64encode(one).decode() for one in (IMAGE.read_bytes(), drawn)]) < UNLIKE_MAX


UNLIKE_MAX = 0.01
_UNLIKE = """async (pictures) => {
    const [one, other] = await Promise.all(pictures.map(async (png) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))]));
        if (image.width !== 1280 || image.height !== 800) throw new Error(`${image.width} by ${image.height} pixels`);
        const [width, height] = [image.width / 8, image.height / 8];
        const canvas = new OffscreenCanvas(width, height).getContext('2d');
        canvas.imageSmoothingQuality = 'high';
        canvas.drawImage(image, 0, 0, width, height);
        return canvas.getImageData(0, 0, width, height).data;
    }));
    const isUnlike = (at) => [0, 1, 2].some((colour) => Math.abs(one[at + colour] - other[at + colour]) > 32);
    let unlike = 0;
    for (let at = 0; at < one.length; at += 4) unlike += isUnlike(at);
    return unlike / (one.length / 4);
}"""
"""The share of squares of 8 by 8 pixels that look different: small, so that another machine's fonts change none."""

"""What the boxperson does at the console with the signature of another person: a dispute, a fill, new limits."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.house import (
    PASSWORD,
    PINS,
    House,
    playing_house,
)

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def playing(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with playing_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.mark.whole
def test_a_dispute_freezes_the_table_shows_what_screens_showed_and_is_released(playing: House) -> None:
    ann = playing.open("Ann", f"/log-in?next=/tables/{playing.table}")
    ann.get_by_label("Name").fill("Ann")
    ann.get_by_label("Password", exact=True).fill(PASSWORD)
    ann.get_by_label("Password", exact=True).press("Enter")
    ann.wait_for_url(f"**/tables/{playing.table}")
    expect(ann.get_by_text("Connected")).to_be_attached()
    told = ann.get_by_role("region", name="Notices for you")
    flo = playing.open("Flo", f"/tables/{playing.table}/crew?role=floorperson")
    expect(
        flo.get_by_role("group", name="Signed off by another floorperson", include_hidden=True).first
    ).to_be_attached()
    flo.close()
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("z")
    box.get_by_label("What is disputed").fill("the die on the rail")
    box.get_by_label("What is disputed").press("Enter")
    expect(box.locator("#status")).to_contain_text("FROZEN: the die on the rail")
    expect(box.locator(".evidence")).to_contain_text(re.compile(r"Seat 2 Ann: entry \d+"))
    release = box.get_by_role("form", name="Release the table")
    release.get_by_label("Finding").fill("it lay flat: the roll stands")
    release.get_by_label("Name").fill("Flo")
    release.get_by_label("PIN").fill(PINS["Flo"])
    release.get_by_role("button").click()
    expect(box.locator("#status")).to_be_hidden()
    box.close()
    finding = "The dispute over 'the die on the rail' is decided: it lay flat: the roll stands"
    expect(told).to_contain_text(finding)
    ann.reload()
    expect(told).to_contain_text(finding)
    expect(told).to_contain_text(re.compile(r"\[MD-[\w.]+"))
    told.get_by_role("button", name="Seen").click()
    ann.reload()
    expect(ann.get_by_text("Connected")).to_be_attached()
    expect(ann.locator("#players")).to_contain_text("Ann")
    expect(told).to_be_hidden()
    ann.close()


@pytest.mark.whole
def test_a_fill_is_signed_off_by_another_person(playing: House) -> None:
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("f")
    cage = box.get_by_role("form", name="Fill and credit")
    cage.get_by_label("Amount").fill("1,000")
    cage.get_by_label("Name").fill("Flo")
    cage.get_by_label("PIN").fill(PINS["Flo"])
    cage.get_by_role("button").click()
    expect(box.locator("#acts")).to_contain_text("a credit takes it back")
    box.close()


@pytest.mark.whole
def test_new_limits_need_notice_before_they_apply(playing: House) -> None:
    box = playing.open("Bea", f"/tables/{playing.table}/crew?role=boxperson")
    expect(box.get_by_text("Connected")).to_be_visible()
    box.keyboard.press("l")
    limits = box.get_by_role("form", name="Notice of new limits")
    limits.get_by_label("Minimum").fill("10")
    limits.get_by_label("Maximum").fill("2,000")
    limits.get_by_label("Name").fill("Flo")
    limits.get_by_label("PIN").fill(PINS["Flo"])
    limits.get_by_role("button").click()
    expect(box.get_by_role("region", name="Limits")).to_contain_text("$10 to $2,000 from")
    expect(box.get_by_role("region", name="Limits")).to_contain_text("In force: $5 to $5,000")
    box.close()

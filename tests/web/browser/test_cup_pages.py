"""A cup of twelve through its pages: a lot decides at the cut, missing fees are said, and it is cancelled."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from passline.tournament.verify import log_faults
from tests.people.house import PIN
from tests.waiting import wait_until
from tests.web.browser.player import EXPECT_MS
from tests.web.browser.tournament_hall import Hall, evening, looked

pytestmark = pytest.mark.slow

SHOTS = os.environ.get("PASSLINE_SHOTS", "")  # a folder for screenshots to be looked at
PHONE: ViewportSize = {"width": 390, "height": 844}
STAFF = {"Dora": "director", "Cass": "cashier", "Flo": "floorperson", "Dan": "dealer"}
AT = "/api/tournaments/cup"


def cup() -> dict[str, Any]:
    """A cup of twelve at two tables, of which two each go on by the sheet."""
    data = evening()
    (event,) = data["events"]
    (final,) = event["rounds"]
    first = {**final, "name": "Round 1", "seats": 6, "advance": 2}
    final = {**final, "seats": 8, "is_initial": False}
    sheet = {**data["sheet"], "ties": "shared", "cut_ties": "by_lot", "elimination": "losing"}
    event = {**event, "entries_max": 12, "rounds": [first, final]}
    return {**data, "id": "cup", "name": "Cup of twelve", "events": [event], "sheet": sheet}


@pytest.fixture
def hall(browser: Browser) -> Iterator[Hall]:
    expect.set_options(timeout=30_000)
    with Hall(browser, STAFF).serving() as hall:
        yield hall
    expect.set_options(timeout=EXPECT_MS)


def shot(page: Page, name: str) -> None:
    """Keep pictures of a page, where somebody wants to look at them: desktop and phone, light and dark."""
    if not SHOTS:
        return
    size = page.viewport_size
    for width, where in ((PHONE, "phone"), (size, "desktop")):
        assert width is not None
        page.set_viewport_size(width)
        schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(SHOTS) / f"{name}-{where}-{scheme}.png", full_page=True)


def does(hall: Hall, who: str, **command: Any) -> None:  # noqa: ANN401 - any command
    hall.client(who).post(f"{AT}/commands", {"id": uuid4().hex, "command": command})


def _begun(hall: Hall) -> str:
    """Twelve players drawn to two tables; return the event."""
    plan = cup()
    hall.sends("Dora", "/api/tournaments/commands", command="plan-tournament", plan=plan)
    event: str = plan["events"][0]["name"]
    for number in range(1, 13):
        does(hall, "Cass", command="enter-player", event=event, name=f"Player {number:02}")
        does(hall, "Cass", command="sign-in-player", entry=number)
    return event


def _ended_level(hall: Hall) -> None:
    """Have both tables finish before anybody has rolled: all twelve are level."""
    wait_until(lambda: {"cup-1", "cup-2"} <= {one["id"] for one in hall.reads("Dora", "/api/tables")["tables"]})
    for table in ("cup-1", "cup-2"):
        hall.client("Dora").post(f"{AT}/tables/{table}/finish", {})
    wait_until(lambda: len(hall.reads("Dora", AT)["rounds"][-1].get("house", {})) == 2)


@pytest.mark.whole
def test_a_cup_is_cut_by_lot_counted_and_cancelled_through_its_pages(hall: Hall) -> None:
    event = _begun(hall)
    desk = hall.open("Dora", "/tournaments/cup/desk")
    expect(desk.locator("#checks")).to_contain_text("This house keeps its office elsewhere")
    shot(desk, "desk")
    floor = hall.open("Dora", "/tournaments/cup/floor")
    does(hall, "Dora", command="prepare-round", event=event, tables=["cup-1", "cup-2"])
    expect(floor.get_by_role("button", name="Start the round")).to_be_visible()
    _console(hall)
    _ended_level(hall)
    floor.get_by_role("button", name="End the round").click()
    expect(floor.locator("#next-0")).to_contain_text("By lot go on")
    expect(floor.locator("#next-0")).to_contain_text("anew: points of the round before do not count")
    assert len(hall.reads("Dora", AT)["rounds"][-1]["advance"]) == 4
    looked(floor, "floor_cut")
    shot(floor, "floor")
    money = hall.open("Cass", "/tournaments/cup/money")
    expect(money.locator("#fees")).to_contain_text("$600 is expected")
    money.get_by_label("Cash of entry fees, counted").fill("599")
    money.get_by_role("button", name="Record the count").click()
    expect(money.locator("#fees")).to_contain_text("$1 missing")
    looked(money, "money_difference")
    shot(money, "money")
    _cancelled(desk)
    assert list(log_faults(hall.server.log.read())) == []


def _console(hall: Hall) -> None:
    """The console of a table of the cup speaks of points and rolls, not of money and limits."""
    does(hall, "Dora", command="start-round")
    wait_until(lambda: any(one["id"] == "cup-1" for one in hall.reads("Dora", "/api/tables")["tables"]))
    crew = hall.open("Dan", "/tables/cup-1/crew")
    expect(crew.locator("#state")).to_contain_text("2 rolls left")
    expect(crew.locator("#state")).to_contain_text("no limit")
    expect(crew.get_by_text("chips are points, not money")).to_be_visible()
    expect(crew.locator("main")).not_to_contain_text("$")
    shot(crew, "console")


def _cancelled(desk: Page) -> None:
    desk.get_by_role("button", name="Cancel the tournament").click()
    sheet = desk.locator("#sheet")
    sheet.get_by_label("Why").fill("the power is out")
    shot(desk, "cancel")
    sheet.get_by_role("button", name="Cancel the tournament").click()
    asked = desk.get_by_role("dialog", name="A second person signs")
    expect(asked).to_contain_text("To cancel the tournament needs the signature")
    shot(desk, "sign")
    asked.get_by_label("Name of who signs").fill("Flo")
    asked.get_by_label("PIN").fill(PIN)
    asked.get_by_role("button", name="Send").click()
    expect(desk.locator("#refunds")).to_contain_text("the power is out")
    expect(desk.locator("#entry")).to_be_hidden()
    expect(desk.get_by_role("button", name="Give back to Player 12")).to_be_visible()
    looked(desk, "desk_cancelled")
    shot(desk, "cancelled")


@pytest.mark.whole
def test_the_rules_of_a_cup_are_written_from_its_plan(hall: Hall) -> None:
    facility = {"name": "Mine", "zone": "America/Denver", "subdivision": "CO"}
    hall.sends("Olga", "/api/office/colorado/commands", command="set-up-office", facility=facility)
    hall.sends("Dora", "/api/tournaments/commands", command="plan-tournament", plan=cup())
    page = hall.open("Dora", "/office/colorado/tournaments#write_tournament")
    form = page.get_by_role("form", name="Write the rules of a tournament")
    expect(form.get_by_label("the day on which it begins")).to_have_value(cup()["events"][0]["first_day"])
    form.get_by_role("button", name="Attach the printed rules of Cup of twelve").click()
    expect(form).to_contain_text("goes on record")
    looked(page, "write_rules")
    shot(page, "rules")
    form.get_by_role("button", name="Record").click()

    def written() -> list[tuple[str, str]]:
        known = hall.reads("Dora", "/api/office/colorado/things/tournament")["things"]
        return [(thing["id"], thing["state"]) for thing in known]

    wait_until(lambda: written() == [("cup", "written")])

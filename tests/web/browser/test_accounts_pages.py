"""The accounts of the demo's casino in a real browser: figures down to their entries, players, dice, who may read."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from passline.acts.documents import Documents
from passline.dice_sources import seeded_rolls
from passline.exact.dice_faults import FAULTS
from passline.store.data_folder import KEY_FILE, open_log
from passline.store.keys import load_key
from passline.store.timestamps import utc_now
from passline.web.demo.casino.history import GAMING_DAYS, begins_at, make_history
from passline.web.demo.casino.staff import DEMO_PASSWORD
from tests.serving import serving
from tests.waiting import wait_until
from tests.web.browser.axe import violations
from tests.web.browser.visitors import Visitors

pytestmark = pytest.mark.long

WIDE, DESKTOP, TABLET = ({"width": wide, "height": high} for wide, high in ((1440, 900), (1280, 800), (1024, 768)))
ROLLS = 6


class Casino(Visitors):
    """The demo's casino with its people."""

    def open(self, name: str, path: str = "", size: dict[str, int] = DESKTOP) -> Page:
        """Open a page of the office as somebody."""
        return super().open(name, f"/office/arizona{path}", size)

    def token(self, name: str) -> str:
        if name not in self.tokens:
            asked = {"name": name, "password": DEMO_PASSWORD}
            self.tokens[name] = httpx.post(f"{self.address}/api/log-in", json=asked, timeout=60).json()["token"]
        return self.tokens[name]

    def get(self, name: str, path: str) -> httpx.Response:
        """Ask for a page of the office, or with /api before it for what a page asks for."""
        cookies = {"passline": self.token(name)}
        return httpx.get(f"{self.address}{path}", cookies=cookies, timeout=60)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The casino's three gaming days, in short form; made before there is a browser, whose loop would be in the way."""
    folder = tmp_path_factory.mktemp("casino")
    with closing(open_log(folder, is_demo=True, at=begins_at(utc_now()))) as log:
        dice = seeded_rolls(16).__next__
        make_history(log, load_key(folder / KEY_FILE), Documents(folder / "documents"), dice, rolls=ROLLS)
    return folder


@pytest.fixture(scope="module")
def casino(data: Path, browser: Browser) -> Iterator[Casino]:
    """The casino, served once for all tests."""
    with serving(data, "--demo", office="here") as server:
        casino = Casino(browser, server.address)
        wait_until(lambda: casino.get("Olga", "/api/office/arizona/results").json().get("as_of", {}).get("behind") == 0)
        yield casino
        casino.close()


def _cents(cells: Locator) -> int:
    return sum(
        round(float(text.replace(",", "")) * 100)
        for text in cells.all_inner_texts()
        if text.strip(",.-0123456789") == ""
    )


@pytest.mark.whole
@pytest.mark.parametrize("size", [DESKTOP, pytest.param(TABLET, marks=pytest.mark.sweep)], ids=["desktop", "tablet"])
def test_a_figure_is_clicked_down_to_its_entries_and_acts(casino: Casino, size: dict[str, int]) -> None:
    page = casino.open("Tom", "/accounts", size)
    theoretical = page.get_by_role("link", name="Theoretical win, craps-1, day:")
    expect(theoretical).to_be_visible()
    shown = _cents(theoretical)
    expect(
        page.get_by_role("link", name=re.compile("^Luck alone at most, craps-1, day: (not rare|1 in )"))
    ).to_be_visible()
    expect(page.locator("figcaption", has_text="Luck alone leaves the band in at most one day of 20")).to_be_visible()
    drop = page.get_by_role("link", name="Drop, craps-1, day:")
    dropped = _cents(drop)
    assert dropped > 0
    theoretical.click()
    expect(page.get_by_role("heading", name="Hands: craps-1, day shift")).to_be_visible()
    hands = page.locator("tbody tr")
    assert hands.count() > 0
    of_hands = _cents(page.locator("tbody tr td:nth-child(6)"))
    assert abs(of_hands - shown) <= hands.count()  # each is a whole cent
    hands.first.get_by_role("link").first.click()
    expect(page.locator("#entries-title")).to_be_visible()
    expect(page.locator(".entries-log > li").filter(has_text="throws").first).to_be_visible()
    page.get_by_role("link", name="Recall it on the layout").click()
    expect(page.get_by_role("heading", name="Recall: Craps 1")).to_be_visible()

    page = casino.open("Tom", "/accounts", size)
    page.get_by_role("link", name="Drop, craps-1, day:").click()
    part = page.get_by_role("region", name="craps-1, day shift").last
    act = part.get_by_role("link").filter(has_text="drop box")
    expect(act).to_have_count(1)
    assert _cents(part.get_by_role("row").filter(has_text="drop box").locator(".amount")) == dropped
    number = act.first.inner_text().split(",")[0].removeprefix("Act ")
    act.first.click()
    expect(page.locator(f"#act-{number}.is-wanted")).to_contain_text(f"No. {number}")


@pytest.mark.whole
def test_a_month_leads_to_its_days_and_a_day_to_its_tables(casino: Casino) -> None:
    page = casino.open("Cora", "/accounts")
    page.get_by_role("link", name="Month to date").click()
    page.get_by_role("link", name=re.compile("^Win, craps-1:")).click()
    expect(page.get_by_role("heading", name="Accounts: craps-1")).to_be_visible()
    page.locator("tbody tr:not(.note)").first.get_by_role("link").first.click()
    expect(page.get_by_role("link", name=re.compile("^Win, craps-1, swing:"))).to_be_visible()
    expect(page.locator(".books")).to_contain_text("Books closed")
    page.get_by_role("link", name="The act that closed them").click()
    expect(page.get_by_text("Abe").first).to_be_visible()


@pytest.mark.sweep
def test_a_crew_is_followed_from_its_month_to_its_hands(casino: Casino) -> None:
    page = casino.open("Cora", "/accounts?period=month&by=crew")
    page.get_by_role("link", name=re.compile("^Theoretical win, Bob")).click()
    expect(page.get_by_role("heading", name="Accounts: crew Bob")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Theoretical win, ")).first.click()
    expect(page.get_by_role("heading", name="Hands: crew Bob")).to_be_visible()
    expect(page.locator("tbody tr")).not_to_have_count(0)


@pytest.mark.whole
def test_players_are_rated_and_estimates_marked(casino: Casino) -> None:
    page = casino.open("Cora", "/accounts/players")
    expect(page.get_by_role("row").filter(has_text="estimated")).not_to_have_count(0)
    expect(page.get_by_text(re.compile(r"\d+ figures were looked at\."))).to_be_visible()
    expect(page.get_by_role("cell", name="not rare")).not_to_have_count(0)
    page.get_by_role("link", name="Kit Moreno", exact=True).click()
    expect(page.get_by_role("heading", name="Kit Moreno")).to_be_visible()
    expect(page.get_by_role("group", name="Luck by day").locator(".actual")).to_have_count(3)
    expect(page.get_by_role("region", name="Cash", exact=True)).to_contain_text("500.00")
    page.get_by_role("region", name="Visits", exact=True).get_by_role("link").last.click()
    entries = page.locator(".entries-log > li")
    expect(entries).not_to_have_count(0)
    expect(entries.filter(has_not_text="Kit Moreno")).to_have_count(0)


@pytest.mark.whole
def test_dice_show_their_evidence_below_the_bound(casino: Casino) -> None:
    page = casino.open("Sam", "/accounts/dice")
    curve = page.get_by_role("group", name="Evidence against set")
    expect(curve).to_contain_text("alarm at 2,000")  # two sets were in use together
    height = {name: curve.locator(name).bounding_box() for name in (".curve", ".bound")}
    assert height[".bound"] is not None
    assert height[".curve"] is not None
    assert height[".bound"]["y"] < height[".curve"]["y"]
    for table in ("craps-1", "craps-2"):
        rows = page.get_by_role("region", name="Evidence by set").get_by_role("row").filter(has_text=table)
        assert rows.count() >= GAMING_DAYS
    page.get_by_role("link", name="craps-2, set 1", exact=True).click()
    expect(page.get_by_role("heading", name="Evidence against set 1 of craps-2")).to_be_visible()
    found = page.get_by_role("region", name="What would have been found", exact=True)
    rows = found.get_by_role("row").filter(has_text="%")
    expect(rows).to_have_count(len(FAULTS))
    expect(rows.filter(has_text="a face 10% too often on one die")).to_contain_text("< 0.1%")
    expect(found.get_by_role("columnheader").filter(has_text="table craps-2 in")).to_have_count(1)
    expect(page.get_by_text("Too weak to be found within a set's life (24 hours, some 2,400 rolls")).to_be_visible()
    expect(page.get_by_text("the dice in use now alarm for nothing in fewer than one of 1,000")).to_be_visible()


@pytest.mark.whole
def test_each_role_sees_what_it_may_and_no_more(casino: Casino) -> None:
    dan = casino.open("Dan", "")
    expect(dan.get_by_role("link", name="Today")).to_be_visible()
    expect(dan.get_by_role("link", name="Accounts")).to_have_count(0)
    refused = (
        ("Dan", ""),
        ("Dan", "/dice"),
        ("Abe", "/players"),
        ("Abe", "/hands"),
        ("Sid", "/counted"),
        ("Sam", "/entries"),
    )
    for name, page_of in refused:
        path = f"/office/arizona/accounts{page_of}"
        told = casino.get(name, path)
        assert (told.status_code, "may not open this page" in told.text) == (httpx.codes.FORBIDDEN, True), (name, path)
    assert (
        casino.get("Dan", "/api/office/arizona/accounts/entries?table=craps-1&first=1&last=99").status_code
        == httpx.codes.FORBIDDEN
    )
    for name, seen, hidden in (("Abe", "Drop $", "Theoretical $"), ("Sid", "Theoretical $", "Drop $")):
        page = casino.open(name, "/accounts")
        expect(page.get_by_role("columnheader", name=seen)).to_be_visible()
        expect(page.get_by_role("columnheader", name=hidden)).to_have_count(0)


FITS = """() => {
  const small = [...document.querySelectorAll("main button, main select, main input, main summary, main a")]
    .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 44);
  const tiny = [...document.querySelectorAll("svg text")]
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 12);
  const shown = small.map((one) => one.outerHTML.slice(0, 90));
  return { wide: document.documentElement.scrollWidth - innerWidth, small: shown, tiny: tiny.length };
}"""
PAGES = {
    "day": "/accounts",
    "crews": "/accounts?by=crew",
    "games": "/accounts?by=game",
    "year": "/accounts?period=year&by=month",
    "players": "/accounts/players",
    "dice": "/accounts/dice",
    "theft": "/accounts/theft",
    "comps": "/accounts/comps",
    "investigations": "/accounts/investigations",
}


CUT = """() => [...document.querySelectorAll("table.ledger")].filter((one) => one.offsetParent)
  .filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1)
  .map((one) => one.parentElement.getAttribute("aria-label"))"""
NOWHERE = """() => [...document.querySelectorAll("table.ledger td.amount")]
  .filter((one) => !one.closest("details:not([open])") && /[1-9]/.test(one.textContent) && !one.querySelector("a"))
  .map((one) => `${one.closest("tr").textContent} (${one.textContent})`)"""


@pytest.mark.sweep
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_pages_fit_and_are_accessible(casino: Casino, path: str) -> None:
    _fits_and_is_accessible(casino.open("Olga", path), "table.ledger:visible")


@pytest.mark.sweep
@pytest.mark.parametrize("kind", ["counted", "hands", "entries", "player"])
def test_pages_behind_a_figure_fit_are_accessible_and_lead_on(casino: Casino, kind: str) -> None:
    """No amount is cut off, and each has entries, acts or a list behind it."""
    last = casino.get("Olga", "/api/office/arizona/results").json()["day"]
    day = (date.fromisoformat(last) - timedelta(days=2)).isoformat()
    behind = casino.get("Olga", f"/api/office/arizona/accounts/hands?table=craps-1&span={day} day").json()["accounts"][
        0
    ]
    entries = f"entries?table=craps-1&first={behind['first']}&last={behind['last']}&day={day}"
    shift = f"day={day}&table=craps-1&shift=day"
    path = {
        "counted": f"counted?day={day}",
        "hands": f"hands?{shift}",
        "entries": entries,
        "player": f"player?player=patron/rex&day={day}",
    }[kind]
    page = casino.open("Olga", f"/accounts/{path}")
    _fits_and_is_accessible(page, ".entries-log" if kind == "entries" else "table.ledger:visible")


def _fits_and_is_accessible(page: Page, shown: str) -> None:
    for size in (WIDE, DESKTOP, TABLET):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate(FITS) == {"wide": 0, "small": [], "tiny": 0}
        assert page.evaluate(CUT) == []
    nowhere = [one for one in page.evaluate(NOWHERE) if "retired" not in one and "in use" not in one]
    assert nowhere == []  # but for the bound of a set of dice, which no entry says
    found = violations(page)
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == []
    page.close()

"""The pages of the house and the regulator: elections as a form, another house at a table, search, print, a phone."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import pytest
import segno
from playwright.sync_api import Browser, Locator, Page, expect

from passline.rules.rules import AUTOMATED
from tests.people.house import PIN
from tests.web.browser.axe import violations
from tests.web.browser.visitors import Staff

pytestmark = pytest.mark.long

STAFF = {"Flo": "floorperson", "Reg": "regulator", "Cora": "compliance", "Stan": "stickperson", "Ann": "player"}
DESKTOP, TABLET, PHONE = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 390, "height": 844}
SIZES = {
    "desktop": DESKTOP,
    "tablet": TABLET,
    "phone": PHONE,
    "phone on its side": {"width": 844, "height": 390},
    "desktop at 200 %": {"width": 720, "height": 450},
}
TEXT_MIN = 11.5  # pixels: clauses are the smallest print
NETWORK = "192.168.7.20"


class Desk(Staff):
    """A house with two tables, its office set up."""

    def open(self, name: str, path: str = "", size: dict[str, int] = DESKTOP) -> Page:
        return super().open(name, path, size)

    def does(self, name: str, table: str, role: str = "player", **command: object) -> None:
        body = {"id": uuid4().hex, "command": command, "role": role}
        self.client(name).post(f"/api/tables/{table}/commands", body)

    def office(self, **command: object) -> None:
        self.client("Olga").post("/api/office/maryland/commands", {"command": command})


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Desk]:
    facility = {"name": "Harbor Hall", "zone": "America/New_York", "subdivision": "MD", "areas": ["pit-1"]}
    with Desk(browser, STAFF).serving() as desk:
        desk.office(command="set-up-office", facility=facility)
        file = {"rules": "maryland", "name": "Weekday"}
        desk.office(command="do-act", act="draft_house", things=["weekday"], fields={"file": file})
        for name, dice in (("Harbor 1", "electronic"), ("Harbor 2", "physical")):
            automate = sorted(AUTOMATED - ({"confirm"} if dice == "physical" else set()))
            opening = {"command": "open-table", "name": name, "house": {"rules": "maryland"}, "dice": dice}
            bank = {"bank_cents": 50_000_00, "sign_off": {"name": "Flo", "pin": PIN}, "role": "owner"}
            desk.client("Olga").post("/api/tables", {**opening, **bank, "automate": automate, "buy_in": "self"})
        desk.does("Ann", "harbor-1", command="take-seat", seat=1)
        desk.does("Ann", "harbor-1", command="buy-in", seat=1, cents=777_00)
        desk.does("Ann", "harbor-1", command="accept-dice", seat=1)
        desk.does("Ann", "harbor-1", command="make-wager", seat=1, wager="pass", cents=25_00)
        desk.does("Ann", "harbor-1", command="roll", seat=1)  # 1-1: the wager loses
        yield desk


def _row(page: Page, key: str) -> Locator:
    return page.locator(f'[id="election-{key}"]')


def _file(page: Page) -> bytes:
    """Download the house file."""
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download TOML").click()
    return Path(downloading.value.path()).read_bytes()


@pytest.mark.whole
def test_every_election_is_a_field_that_is_checked_while_it_is_filled_in(desk: Desk, tmp_path: Path) -> None:
    page = desk.open("Olga", "/elections?regulation=maryland")
    lawful = page.get_by_text("Nothing breaks the regulation.", exact=True)
    expect(lawful).to_be_visible()
    least = _row(page, "dice_set")
    expect(least).to_contain_text("5 or more")
    page.get_by_label("Dice in a set").fill("2")
    page.get_by_label("Vigorish of a buy wager").fill("9")
    page.locator('[id="elect-odds-4"]').fill("0")
    page.get_by_label("Buy Bet: minimum").fill("7.50")
    for key, problem, clause in (
        ("dice_set", "2 is below the minimum, 5", "MD-7.A"),
        ("buy_vigorish_basis_points", "900 is above the maximum, 500", "MD-5.G.3.a"),
        ("odds.4", "may not be limited below 1x", "MD-6.A.max"),
        ("limits.buy", "750 cents is not a multiple of the smallest chip", "MD-3.B.1"),
    ):
        breach = _row(page, key).locator(".breach").last
        expect(breach).to_contain_text(problem)
        expect(breach.get_by_role("button", name=clause, exact=True)).to_be_visible()
    expect(page.locator("#breaches")).to_contain_text("Dice in a set: 2 is below the minimum, 5")
    expect(page.get_by_role("button", name="Save as a version")).to_be_disabled()
    expect(page.get_by_role("button", name="Change the table to this house")).to_be_disabled()
    least.get_by_role("button", name="MD-10.C").first.click()
    expect(least.get_by_role("note")).to_contain_text("Maryland craps and mini-craps, version 1.5, Ch. 10 C")
    for key in ("dice_set", "buy_vigorish_basis_points"):
        _row(page, key).get_by_role("button", name=re.compile("^Default:")).click()
    page.locator('[id="elect-odds-4"]').fill("3")
    page.get_by_label("Buy Bet: minimum").fill("25")
    expect(lawful).to_be_visible()
    _save_and_read_back(desk, page, tmp_path)


def _save_and_read_back(desk: Desk, page: Page, tmp_path: Path) -> None:
    """Save a version in the office, and have the very file back after it was read in again."""
    page.get_by_label("Name of the house").fill("Friday night")
    digest = page.locator("#digest")
    expect(page.locator("#toml")).to_have_value(re.compile('name = "Friday night"'))
    text = _file(page)
    expect(digest).to_have_text(sha256(text).hexdigest())
    page.get_by_role("button", name="Save as a version").click()
    id_ = f"friday-night-{sha256(text).hexdigest()[:12]}"
    expect(page.locator("#saved")).to_contain_text(f"Saved as {id_}: a draft.")
    expect(page.locator("#versions")).to_contain_text(id_)
    things = desk.client("Olga").get("/api/office/maryland/things/house")["things"]
    (known,) = [thing for thing in things if thing["id"] == id_]
    assert (known["state"], known["facts"]["file"]["limits"]["buy"]) == ("draft", {"min": 25_00})
    own = text + b"# what the owner thinks of it\n"
    (tmp_path / "house.toml").write_bytes(text)
    (tmp_path / "own.toml").write_bytes(own)
    page.get_by_role("button", name="Load weekday").click()
    expect(page.get_by_label("Name of the house")).to_have_value("Weekday")
    for name, given in (("house.toml", text), ("own.toml", own)):
        page.get_by_label("Upload a house file").set_input_files(tmp_path / name)
        expect(page.get_by_label("Name of the house")).to_have_value("Friday night")
        expect(page.locator("#toml")).to_have_value(given.decode())
        assert _file(page) == given
        expect(digest).to_have_text(sha256(text).hexdigest())  # comments are no elections
    page.get_by_label("Name of the house").fill("Saturday")
    expect(page.locator("#toml")).to_have_value(re.compile('name = "Saturday"'))
    assert b"thinks of it" not in _file(page)


@pytest.mark.whole
@pytest.mark.parametrize("table", ["harbor-1", pytest.param("harbor-2", marks=pytest.mark.sweep)])
def test_a_table_changes_to_another_house_when_its_layout_is_empty(desk: Desk, table: str) -> None:
    if table == "harbor-2":
        desk.does("Ann", table, command="take-seat", seat=1)
        desk.does("Ann", table, command="buy-in", seat=1, cents=100_00)
    desk.does("Ann", table, command="make-wager", seat=1, wager="pass", cents=25_00)
    playing = desk.open("Ann", f"/tables/{table}")
    stick = desk.open("Stan", f"/tables/{table}/crew?role=stickperson")
    fire = playing.get_by_role("button", name=re.compile("^Fire"))
    expect(playing.get_by_role("button", name=re.compile("^Field")).first).to_be_visible()
    expect(fire).to_have_count(0)
    page = desk.open("Olga", f"/elections?regulation=maryland&game=craps&table={table}")
    form = page.get_by_role("form", name="Deal by this house")
    expect(page.get_by_label("Start from")).to_have_value(f"table {table}")
    expect(form.get_by_label("Table")).to_have_value(table)
    page.get_by_label("Name of the house").fill("With the fire")
    page.get_by_label("Fire", exact=True).select_option("pay table A")
    expect(page.locator("#toml")).to_have_value(re.compile('fire = "A"'))
    form.get_by_label("Name").fill("Flo")
    form.get_by_label("PIN").fill(PIN)
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("wagers are up (1), made by the house that was posted then")
    expect(form.get_by_role("alert")).to_contain_text("another house waits until they are decided")
    desk.does("Ann", table, command="remove-wager", seat=1, wager="pass")
    form.get_by_label("PIN").fill(PIN)
    form.get_by_role("button").click()
    expect(page.locator("#changed")).to_contain_text("another house is dealt here, With the fire")
    for told in (playing, stick):
        expect(told.get_by_role("status", name="Another house")).to_contain_text(
            "With the fire, limits 5.00 to 5000.00"
        )
    expect(fire.first).to_be_visible()
    playing.get_by_role("button", name="Close").click()
    playing.reload()
    expect(playing.get_by_text("Another house is dealt")).to_have_count(0)
    for one in (playing, stick, page):
        one.close()


@pytest.mark.whole
def test_the_log_is_searched_by_every_field_and_its_clauses_open(desk: Desk) -> None:
    page = desk.open("Reg", "/search")
    entries = page.locator("#entries > li")
    expect(page.locator("#found")).to_contain_text("entries")
    page.get_by_label("Amount", exact=True).fill("777")
    expect(page.locator("#found")).to_contain_text("1 entry, in")
    expect(entries).to_contain_text("Ann changes 777.00 for chips")
    page.get_by_label("How the amount is meant").select_option("at least")
    page.get_by_label("Amount", exact=True).fill("40,000")
    expect(entries).to_have_count(2)  # the two banks
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("Player or employee").fill("Ann")
    page.get_by_label("Table").select_option("Harbor 1")
    page.get_by_label("What happened").select_option("Wager lost")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("Ann Pass Line loses 25.00")
    assert {"player=Ann", "table=harbor-1", "event=wager-lost"} <= set(page.url.partition("?")[2].split("&"))
    page.reload()  # the address keeps it
    expect(entries).to_have_count(1)
    entries.get_by_role("button", name="MD-3.A.1.b.i", exact=True).click()
    expect(entries.get_by_role("note")).to_contain_text("Maryland craps and mini-craps, version 1.5, Ch. 3 A(1)")
    page.get_by_label("Clause").fill("MD-3.A.1")
    expect(entries).to_have_count(1)
    page.get_by_label("Clause").fill("MD-5.G")
    expect(entries).to_have_text("No entry matches.")
    page.get_by_label("Clause").fill("")
    for day, count in (("2026-11-14", 0), ("2026-11-15", 1)):
        page.get_by_label("To day").fill(day)
        expect(page.locator("#entries > li[id]")).to_have_count(count)
    page.get_by_label("Containing").fill("elephant")
    expect(entries).to_have_text("No entry matches.")
    page.goto(desk.address + "/clauses/MD-3.A.1.b.i")
    expect(page.get_by_role("article")).to_contain_text("Where it stands")
    page.get_by_role("link", name="Entries of the log under this clause").click()
    expect(entries.first).to_contain_text("MD-3.A.1.b.i")
    page.close()


ON_PAPER = """() => {
  const grey = [], cut = [], white = ["rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"];
  for (const one of document.querySelectorAll("main *")) {
    const style = getComputedStyle(one), box = one.getBoundingClientRect(), said = one.outerHTML.slice(0, 120);
    if (!box.width || one.closest("svg, .spoken")) continue;
    if (style.color !== "rgb(0, 0, 0)" || Number(style.opacity) < 1) grey.push(said);
    if (!white.includes(style.backgroundColor)) grey.push(said);
    if (box.right > innerWidth + 1 || box.left < -1) cut.push(said);
    const hides = style.overflowX !== "visible" || style.overflowY !== "visible";
    const isLonger = one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
    if (hides && isLonger && !one.matches("input, select")) cut.push(said);
  }
  return { grey, cut };
}"""


@pytest.mark.sweep
def test_what_is_printed_is_black_on_white_and_nothing_of_it_is_cut(desk: Desk, tmp_path: Path) -> None:
    printed = {
        "Reg": ("/tables/harbor-1/rules", "/tables/harbor-1/par-sheet", "/regulator#records", "/search"),
        "Olga": ("/office/maryland/papers/house_rules/weekday", "/office/maryland/history/house/weekday", "/invite"),
    }
    for name, paths in printed.items():
        for path in paths:
            page = desk.open(name, path)
            shown = page.get_by_text("Standard deviation" if path.endswith("par-sheet") else re.compile("."))
            expect(shown.first).to_be_visible(timeout=60_000)
            expect(page.get_by_text("Loading …")).to_have_count(0)
            sheet = page.pdf(path=tmp_path / "sheet.pdf", prefer_css_page_size=True)
            assert sheet.startswith(b"%PDF")
            page.emulate_media(media="print")
            is_wide = path.endswith(("par-sheet", "records"))
            page.set_viewport_size({"width": 1030 if is_wide else 700, "height": 1000})  # A4 within its margins
            for hidden in (page.locator("header.top"), page.get_by_role("button", name="Print")):
                expect(hidden.first).to_be_hidden()
            assert page.evaluate(ON_PAPER) == {"grey": [], "cut": []}, path
            page.close()


@pytest.mark.whole
def test_a_phone_is_invited_by_a_code_with_the_address_on_this_network(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = desk.open("Flo", "/invite")
    expect(page.get_by_text("it listens on this one only")).to_be_visible()
    expect(page.get_by_text("--host 0.0.0.0")).to_be_visible()
    monkeypatch.setattr("passline.web.pages.account.network_address", lambda _port: NETWORK)
    page.reload()
    port = desk.address.rpartition(":")[2]
    address = f"http://{NETWORK}:{port}/"
    expect(page.get_by_role("link", name=address, exact=True)).to_be_visible()
    expect(page.get_by_text("This page came without TLS")).to_be_visible()
    page.get_by_role("link", name="Harbor 2").click()
    address += "tables/harbor-2"
    expect(page.get_by_role("img", name=f"QR code of {address}")).to_be_visible()
    drawn = page.locator("svg.qr path").last.get_attribute("d")
    code = segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True)
    assert f'd="{drawn}"' in code
    side = page.locator("svg.qr").bounding_box()
    assert side is not None
    assert side["width"] >= 300
    page.close()


LAID_OUT = """(least) => {
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const isSmall = (one) => parseFloat(getComputedStyle(one).fontSize) < least;
  const all = [...document.querySelectorAll("main *")].filter((one) => hasText(one) && one.checkVisibility());
  const small = all.filter(isSmall).map((one) => one.outerHTML.slice(0, 120));
  return { wide: document.documentElement.scrollWidth > innerWidth, small };
}"""
PATHS = {
    "Olga": ("/elections?regulation=maryland", "/invite"),
    "Reg": ("/search", "/clauses/MD-5.A.5", "/tables/harbor-1/rules"),
}
CHECKED = {path: {"desktop"} for paths in PATHS.values() for path in paths}
CHECKED |= {"/search": {"desktop", "phone"}, "/tables/harbor-1/rules": set()}  # hundreds of rows, all alike


@pytest.mark.sweep
def test_the_pages_fit_every_screen_and_hold_for_everybody(desk: Desk) -> None:
    for name, paths in PATHS.items():
        for path in paths:
            page = desk.open(name, path)
            page.wait_for_load_state("networkidle")
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)  # type: ignore[arg-type]
                assert page.evaluate(LAID_OUT, TEXT_MIN) == {"wide": False, "small": []}, (path, size)
                if size in CHECKED[path]:
                    found = violations(page)
                    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == [], (path, size)
            page.emulate_media(forced_colors="active")
            assert page.evaluate(LAID_OUT, TEXT_MIN)["wide"] is False, path
            page.close()

"""The pages of the crew, the house and the regulator, in a real browser against a real server."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser.axe import grave_faults
from tests.web.browser.house import (
    PHONE,
    PINS,
    House,
    create,
    playing_house,
)
from tests.web.browser.visitors import DESKTOP

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def playing(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with playing_house(browser, tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.mark.whole
def test_a_crew_member_is_told_that_their_account_cannot_play(playing: House) -> None:
    page = playing.open("Stan", f"/tables/{playing.table}")
    expect(page.locator("#sit")).to_contain_text("Your account does not have the player role")
    page.close()


@pytest.mark.whole
def test_a_house_that_breaks_the_regulation_is_refused_with_every_breach_and_clause(playing: House) -> None:
    page = playing.open("Olga", "/house#open")
    expect(page.get_by_label("House: your elections, as TOML")).to_have_value(re.compile("maryland"))
    page.get_by_text("As a file (TOML)").click()
    page.get_by_label("House: your elections, as TOML").fill(
        'rules = "maryland"\ngame = "craps"\nunpayable = "keep"\nbuy = 7\n'
    )
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#breaches")).to_contain_text("buy:")
    expect(page.locator("#breaches")).to_contain_text("unpayable:")
    expect(page.locator("#breaches")).to_contain_text("MD-")
    page.close()


@pytest.mark.whole
def test_a_page_of_another_role_does_not_open(playing: House) -> None:
    for name, path in (
        ("Stan", f"/tables/{playing.table}/crew?role=boxperson"),
        ("Stan", "/regulator"),
        ("Reg", "/people"),
    ):
        page = playing.open(name, path)
        expect(page.get_by_role("heading", level=1)).to_have_text("You cannot open this page")
        page.close()
    nobody = playing.open("Nobody", f"/tables/{playing.table}/crew")
    expect(nobody).to_have_url(re.compile(r"/log-in\?next="))
    nobody.close()


@pytest.mark.whole
def test_a_shift_is_closed_with_the_sign_off_of_another_person(playing: House) -> None:
    page = playing.open("Olga", "/house#shift")
    form = page.get_by_role("form", name="Close the shift")
    for name, then in (("Olga", "refused"), ("Flo", "said")):
        form.get_by_label("Name").fill(name)
        form.get_by_label("PIN").fill(PINS[name])
        form.get_by_label("PIN").press("Enter")
        expect(form.locator(f".{then}")).to_be_visible()
    expect(page.get_by_role("region", name="Checkpoints", exact=True).first).to_contain_text(playing.table)
    page.close()


@pytest.mark.whole
def test_an_owner_changes_roles_disables_and_makes_a_new_link(playing: House) -> None:
    link = create(playing, "Tim", ("Dealer",))
    playing.accept("Tim", link)
    page = playing.open("Olga", "/people")
    row = page.get_by_role("row").filter(has_text="Tim")
    row.get_by_text("Dealer", exact=True).first.click()
    row.get_by_label("Stickperson").check()
    expect(row.locator("summary")).to_have_text("Dealer, Stickperson")
    row.get_by_role("button", name="Disable Tim").click()
    row.get_by_label("Reason to disable Tim").fill("left the house")
    row.get_by_label("Reason to disable Tim").press("Enter")
    expect(row).to_contain_text("Disabled")
    page.close()
    tim = playing.open("Tim", "/account")
    expect(tim).to_have_url(re.compile("/log-in"))
    tim.close()
    used = playing.open("Nobody", link)
    expect(used.get_by_role("heading", level=1)).to_have_text("This link no longer works")
    used.close()


PAGES = {
    "log in": ("Nobody", "/log-in"),
    "register": ("Nobody", "/register"),
    "a used link": ("Nobody", "/invitations/used"),
    "account": ("Stan", "/account"),
    "people": ("Olga", "/people"),
    "tables": ("Olga", "/house"),
    "open a table": ("Olga", "/house#open"),
    "shift": ("Olga", "/house#shift"),
    "approvals": ("Olga", "/house#approvals"),
    "reports": ("Olga", "/house#reports"),
    "regulator's log": ("Reg", "/regulator"),
    "regulator's tables": ("Reg", "/regulator#tables"),
    "regulator's records": ("Reg", "/regulator#records"),
    "regulator's people": ("Reg", "/regulator#people"),
    "recall": ("Reg", "/tables/{table}/recall"),
    "stick": ("Stan", "/tables/{table}/crew?role=stickperson"),
    "dealer": ("Dee", "/tables/{table}/crew?role=dealer"),
    "box": ("Bea", "/tables/{table}/crew?role=boxperson"),
    "floor": ("Flo", "/tables/{table}/crew?role=floorperson"),
    "owner": ("Olga", "/tables/{table}/crew"),
}


SOME = ("open a table",)  # the others are scanned by `./x test --all`


@pytest.mark.whole
@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.sweep)], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(*page, marks=[] if name in SOME else pytest.mark.sweep, id=name) for name, page in PAGES.items()],
)
def test_axe_finds_nothing_serious(playing: House, name: str, path: str, size: dict[str, int]) -> None:
    page = playing.tab(name)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(playing.address + path.format(table=playing.table))
    page.wait_for_load_state("networkidle")
    for fold in page.locator("details:not([open]) > summary").all()[:12]:
        if fold.is_visible():
            fold.click()
    grave = grave_faults(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert grave == []
    assert not errors
    assert wide <= size["width"], "the page scrolls sideways"

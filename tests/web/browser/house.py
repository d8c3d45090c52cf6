"""A house with its people, each with their own browser; its owner works on the pages."""

import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

from passline.client import Client
from tests.serving import Serving

PASSWORD = "a long enough phrase"  # noqa: S105 - of accounts that live as long as a test
PINS = {"Olga": "5063", "Stan": "2580", "Bea": "7294", "Flo": "8361", "Dee": "4917", "Tim": "6038"}
CREW = {"Stan": ("Stickperson",), "Dee": ("Dealer",), "Bea": ("Boxperson",), "Flo": ("Floorperson",)}
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

_ASK_AND_DRAW = """async () => {
  await (await fetch("/health")).text();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


class House:
    """A house with its people, each with their own browser, and the table they opened."""

    def __init__(self, server: Serving, browser: Browser) -> None:
        self.server = server
        self.browser = browser
        self.at: dict[str, BrowserContext] = {}
        self.table = ""

    def tab(self, name: str) -> Page:
        """Open a new, empty tab of somebody's browser."""
        if name not in self.at:
            self.at[name] = self.browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
        return self.at[name].new_page()

    def open(self, name: str, path: str) -> Page:
        """Open an address in a new tab of somebody's browser."""
        page = self.tab(name)
        page.goto(path if path.startswith("http") else self.server.address + path)
        return page

    def hire(self, name: str, *roles: str) -> None:
        """Create an account and log it in at a browser of its own: through the API, which takes no pages."""
        at = self.server.address
        token = next(one["value"] for one in self.at["Olga"].cookies() if one["name"] == "passline")
        with Client(at, token=token) as owner, Client(at) as person:
            link = owner.post("/api/people", {"name": name, "roles": [role.lower() for role in roles]})["path"]
            person.accept(at + link, name="", password=PASSWORD, pin=PINS.get(name, ""))
            self.at[name] = self.browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
            self.at[name].add_cookies([{"name": "passline", "value": person.token, "url": at}])

    def accept(self, name: str, link: str) -> None:
        """Use a one-time link as the person it was handed to."""
        page = self.open(name, link)
        if page.get_by_label("Name").count():
            page.get_by_label("Name").fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        if name in PINS:
            page.get_by_label("PIN").fill(PINS[name])
        page.get_by_role("button").filter(has_text=re.compile("Set up|Accept")).click()
        page.wait_for_url(re.compile("/(house)?$"))
        page.close()


def key_dice(page: Page, digits: str) -> None:
    """Key two dice at a console, and confirm them where they came within a second of the last roll."""
    page.keyboard.type(digits)
    if page.locator("#refused.is-question").is_visible():
        page.keyboard.press("Shift+Enter")


def hear_answers(page: Page) -> None:
    """Let a page do what it does about answers that have come: one that it asks for now comes after them."""
    page.evaluate(_ASK_AND_DRAW)


def create(house: House, name: str, roles: tuple[str, ...]) -> str:
    """Create an account on the page of people and return its one-time link."""
    page = house.open("Olga", "/people")
    form = page.get_by_role("form", name="New account")
    form.get_by_label("Name").fill(name)
    for role in roles:
        form.get_by_label(role, exact=True).check()
    form.get_by_role("button").click()
    link = page.locator("#link-text").inner_text()
    page.close()
    return link


def open_table(house: House, name: str, regulation: str, *automated: str) -> str:
    """Open a table with physical dice on the page of the house and return its id."""
    page = house.open("Olga", "/house#open")
    form = page.get_by_role("form", name="Open a table")
    form.get_by_label("Regulation").select_option(regulation)
    expect(form.get_by_label("House: your elections, as TOML")).to_have_value(re.compile(f'rules = "{regulation}"'))
    form.locator("#open-name").fill(name)
    for step in ("Pick two dice", *automated):
        form.get_by_label(step).set_checked(step in automated)
    signed = form.get_by_role("group", name="Signed off by another person")
    signed.get_by_label("Name").fill("Flo")
    signed.get_by_label("PIN").fill(PINS["Flo"])
    form.get_by_role("button", name="Open the table").click()
    link = page.get_by_role("link", name=name)
    expect(link).to_be_visible()
    expect(page.locator("#opened")).to_contain_text(f"{name} is open: {regulation}, physical dice")
    address = link.get_attribute("href") or ""
    page.close()
    return address.rpartition("/")[2]

"""A house with its people, each with their own browser; its owner works on the pages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, Page, expect

from tests.serving import Serving, serving
from tests.web.browser.visitors import Visitors

PASSWORD = "a long enough phrase"  # noqa: S105 - of accounts that live as long as a test
PINS = {"Olga": "5063", "Stan": "2580", "Bea": "7294", "Flo": "8361", "Dee": "4917", "Tim": "6038"}
CREW = {"Stan": "stickperson", "Dee": "dealer", "Bea": "boxperson", "Flo": "floorperson"}
STEPS = ("button", "call", "choose", "pass", "settle")  # done by the house itself; the stick offers the dice
PHONE = {"width": 390, "height": 844}

_ASK_AND_DRAW = """async () => {
  await (await fetch("/health")).text();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


class House(Visitors):
    """A house with its people, each with their own browser, and the table they opened."""

    def __init__(self, server: Serving, browser: Browser) -> None:
        super().__init__(browser, server.address)
        self.server = server
        self.table = ""

    def appoint(self, **roles: str) -> None:
        """Make Olga the owner, and have her hire others: through the API, which takes no pages."""
        owner = self.client("Olga")
        owner.accept(self.server.owner_link, name="Olga", password=PASSWORD, pin=PINS["Olga"])
        self.tokens["Olga"] = owner.token
        for name, role in roles.items():
            self.hire(name, role)

    def hire(self, name: str, *roles: str) -> None:
        """Create an account and log it in, through the API."""
        link = self.client("Olga").post("/api/people", {"name": name, "roles": [role.lower() for role in roles]})
        person = self.client(name)
        person.accept(self.address + link["path"], name="", password=PASSWORD, pin=PINS.get(name, ""))
        self.tokens[name] = person.token

    def accept(self, name: str, link: str) -> None:
        """Use a one-time link on its page, as the person it was handed to."""
        page = self.open(name, link)
        if page.get_by_label("Name").count():
            page.get_by_label("Name").fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        if name in PINS:
            page.get_by_label("PIN").fill(PINS[name])
        page.get_by_role("button").filter(has_text=re.compile("Set up|Accept")).click()
        page.wait_for_url(re.compile(r"/(office/\w+|regulator|surveillance)?$"))
        self.tokens[name] = next(
            cookie.get("value", "") for cookie in page.context.cookies() if cookie.get("name") == "passline"
        )
        page.close()

    def open_table(self, name: str, **fields: Any) -> str:  # noqa: ANN401 - of a table to open
        """Open a table through the API and return its id: Maryland's rules and physical dice, if not said otherwise."""
        opening = {"name": name, "house": {"rules": "maryland"}, "dice": "physical", "bank_cents": 50_000_00}
        signed = {"sign_off": {"name": "Flo", "pin": PINS["Flo"]}}
        return str(self.client("Olga").post("/api/tables", {**opening, **signed, **fields})["table"])

    def does(self, name: str, table: str, command: str, /, **fields: Any) -> None:  # noqa: ANN401 - of any command
        """Have somebody give a command at a table, through the API."""
        body = {"id": uuid4().hex, "command": {"command": command, **fields}}
        self.client(name).post(f"/api/tables/{table}/commands", body)


@contextmanager
def crewed_house(browser: Browser, folder: Path, **roles: str) -> Iterator[House]:
    """Serve a house with its owner, a crew and others, everybody logged in, and a table where the stick offers dice."""
    with serving(folder / "data") as server:
        house = House(server, browser)
        house.appoint(**CREW, **roles)
        house.table = house.open_table("Felt One", automate=STEPS)
        yield house
        house.close()


@contextmanager
def playing_house(browser: Browser, folder: Path) -> Iterator[House]:
    """Serve a house with Ann and Bob at its table, both with chips; Ann shoots, with a wager on the line."""
    with crewed_house(browser, folder, Reg="regulator") as house:
        ann, bob = Player(house, "Ann", house.table), Player(house, "Bob", house.table)
        for player, seat, cents in ((ann, 2, 500_00), (bob, 5, 300_00)):
            player.does("take-seat", seat=seat)
            house.does("Dee", house.table, "buy-in", seat=seat, cents=cents)
        house.does("Stan", house.table, "offer-dice", dice=5)
        ann.does("accept-dice", seat=2)
        ann.does("make-wager", seat=2, wager="pass", cents=15_00)
        bob.does("make-wager", seat=5, wager="field", cents=10_00)
        yield house


class Player:
    """A player who uses the API, as a program would."""

    def __init__(self, house: House, name: str, table: str) -> None:
        self._house, self._name, self._table = house, name, table
        client = house.client(f"{name}'s program")
        client.register(name, PASSWORD)
        house.tokens[f"{name}'s program"] = client.token

    def does(self, command: str, **fields: Any) -> None:  # noqa: ANN401 - whatever a command has
        self._house.does(f"{self._name}'s program", self._table, command, **fields)


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


def open_table_on_its_page(house: House, name: str, regulation: str, *automated: str) -> str:
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

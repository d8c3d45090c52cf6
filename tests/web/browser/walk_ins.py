"""A table of walk-ins, whom only the crew keys in: for tests of the crew console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, Page, expect

from passline.client import Client
from tests.serving import serving
from tests.web.browser.axe import grave_faults
from tests.web.browser.house import PASSWORD, PINS, House

NAMES = (
    *("Abe", "Bea W", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal"),
    *("Ivy", "Jon", "Kit", "Lou", "Mae", "Ned", "Oda", "Pam"),
)
CREW = {"Dee": "dealer", "Stan": "stickperson", "Bea": "boxperson", "Flo": "floorperson", "Sue": "surveillance"}


class Floor:
    """A house with a crew at browsers; tables are opened and walk-ins seated through the API."""

    def __init__(self, house: House, people: dict[str, Client]) -> None:
        self.house = house
        self.people = people

    def open(self, name: str, *, rules: str = "maryland", house: dict[str, Any] | None = None, **fields: Any) -> str:  # noqa: ANN401
        """Open a table with physical dice, all steps automatic but what the crew must do."""
        opening = {
            "name": name,
            "house": {"rules": rules, **(house or {})},
            "dice": "physical",
            "bank_cents": 50_000_00,
        }
        steps = {"automate": ["button", "call", "choose", "offer", "pass", "settle"]}
        signed = {"sign_off": {"name": "Flo", "pin": PINS["Flo"]}}
        answer = self.people["Olga"].post("/api/tables", {**opening, **steps, **signed, **fields})
        return str(answer["table"])

    def does(self, who: str, table: str, command: str, **fields: Any) -> None:  # noqa: ANN401
        body = {"id": uuid4().hex, "command": {"command": command, **fields}}
        self.people[who].post(f"/api/tables/{table}/commands", body)

    def seat(self, table: str, names: tuple[str, ...] = NAMES, cents: int = 500_00) -> None:
        for seat, name in enumerate(names, start=1):
            self.does("Dee", table, "seat-player", seat=seat, account=f"walk-in-{seat}", name=name)
            self.does("Dee", table, "buy-in", seat=seat, cents=cents)

    def console(self, who: str, table: str, size: dict[str, int]) -> Page:
        page = self.house.open(who, f"/tables/{table}/crew?role={CREW[who]}")
        page.set_viewport_size(size)  # type: ignore[arg-type]
        expect(page.get_by_text("Connected")).to_be_visible()
        return page


@contextmanager
def floor_of(browser: Browser, folder: Path, **options: Any) -> Iterator[Floor]:  # noqa: ANN401 - of a browser context
    """Serve a house with an owner and a crew, everybody logged in."""
    with serving(folder / "data") as server:
        house, people = House(server, browser), {"Olga": Client(server.address)}
        people["Olga"].accept(server.owner_link, name="Olga", password=PASSWORD, pin=PINS["Olga"])
        for name, role in CREW.items():
            link = people["Olga"].post("/api/people", {"name": name, "roles": [role]})["path"]
            people[name] = Client(server.address)
            people[name].accept(server.address + link, name="", password=PASSWORD, pin=PINS.get(name, ""))
        for name, client in people.items():
            house.at[name] = browser.new_context(**options)
            house.at[name].add_cookies([{"name": "passline", "value": client.token, "url": server.address}])
        yield Floor(house, people)
        for context in house.at.values():
            context.close()
        for client in people.values():
            client.close()


def faults(page: Page, *sizes: dict[str, int]) -> list[str]:
    """Return what axe finds at the first size that is serious, and where a page scrolls sideways.

    A sweep has axe look at the last size too.
    """
    found = []
    for size in sizes:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate("scrollTo(0, 0)")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{page.url} scrolls sideways at {size}")
        if size in (sizes[0], sizes[-1]):
            found += grave_faults(page, is_repeat=size != sizes[0])
    return found

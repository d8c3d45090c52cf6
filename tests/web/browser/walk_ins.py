"""A table of walk-ins, whom only the crew keys in: for tests of the crew console."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.serving import serving
from tests.web.browser.axe import grave_faults
from tests.web.browser.house import CREW as TABLE_CREW
from tests.web.browser.house import House

NAMES = (
    *("Abe", "Bea W", "Cal", "Dot", "Eli", "Fay", "Gus", "Hal"),
    *("Ivy", "Jon", "Kit", "Lou", "Mae", "Ned", "Oda", "Pam"),
)
CREW = {**TABLE_CREW, "Sue": "surveillance"}


class Floor:
    """A house with a crew at browsers; tables are opened and walk-ins seated through the API."""

    def __init__(self, house: House) -> None:
        self.house = house

    def open(self, name: str, *, rules: str = "maryland", house: dict[str, Any] | None = None, **fields: Any) -> str:  # noqa: ANN401
        """Open a table with physical dice, all steps automatic but what the crew must do."""
        steps = {"automate": ["button", "call", "choose", "offer", "pass", "settle"]}
        return self.house.open_table(name, **{"house": {"rules": rules, **(house or {})}, **steps, **fields})

    def does(self, who: str, table: str, command: str, **fields: Any) -> None:  # noqa: ANN401
        self.house.does(who, table, command, **fields)

    def seat(self, table: str, names: tuple[str, ...] = NAMES, cents: int = 500_00) -> None:
        for seat, name in enumerate(names, start=1):
            self.does("Dee", table, "seat-player", seat=seat, account=f"walk-in-{seat}", name=name)
            self.does("Dee", table, "buy-in", seat=seat, cents=cents)

    def console(self, who: str, table: str, size: dict[str, int]) -> Page:
        page = self.house.open(who, f"/tables/{table}/crew?role={CREW[who]}", size)
        expect(page.get_by_text("Connected")).to_be_visible()
        return page


@contextmanager
def floor_of(browser: Browser, folder: Path) -> Iterator[Floor]:
    """Serve a house with an owner and a crew, everybody logged in."""
    with serving(folder / "data") as server:
        house = House(server, browser)
        house.appoint(**CREW)
        yield Floor(house)
        house.close()


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

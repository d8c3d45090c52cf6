"""Every page opens in a real browser and runs its scripts without a fault, for somebody who may see it.

One page in four on every run, among them some of the office, of a table and of a tournament; --whole opens them all.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, ConsoleMessage, Page

from passline.web import pages
from tests.people.house import PIN
from tests.web.browser.tournament_hall import Hall, evening

pytestmark = pytest.mark.long

STAFF = {"Flo": "floorperson", "Dora": "director", "Ann": "player", "Reg": "regulator", "Sue": "surveillance"}
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
OPENING = {"name": "Craps 1", "house": {"rules": "maryland"}, "bank_cents": 10_000_00}
NAMED = {  # what stands in an address
    "{id}": "craps-1",
    "{table}": "craps-1",
    "{name}": "maryland",
    "{kind}/{thing}": "table/craps-1",
    "{subject}": "tables",
}
ADDRESSES = {  # of pages whose address has more to say
    "/clauses/{id}": "/clauses/MD-2.A",
    "/office/{name}/count": "/office/maryland/count?table=craps-1",
    "/office/{name}/accounts/entries": "/office/maryland/accounts/entries?table=craps-1&first=1&last=1",
    "/office/{name}/accounts/player": "/office/maryland/accounts/player?player=patron/1",
}
READERS = {"/me": "Ann", "/regulator": "Reg", "/search": "Reg", "/surveillance": "Sue"}  # the owner reads the others
ELSEWHERE = {  # which tests of their own open, and what pages ask for
    "/invitations/{token}",
    "/screens/{token}",
    "/log-in/provider",
    "/log-in/provider/return",
    "/office/{name}/papers/{paper:path}",
    "/tables/{table}/par-sheet",
    "/elections/form",
    "/elections/of-table/{id}",
    "/house/elections",
}
_SETTLED = """async () => {
  await (await fetch("/health")).text();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


def _paths() -> list[str]:
    """The paths of all pages, of every module that has some."""
    found = [import_module(f"{pages.__name__}.{module.name}") for module in iter_modules(pages.__path__)]
    return [
        route.path
        for module in found
        for route in (module.router.routes if hasattr(module, "router") else ())
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and route.path not in ELSEWHERE
    ]


def _address(path: str) -> str:
    address = ADDRESSES.get(path, path)
    things = {**NAMED, "{id}": "evening"} if path.startswith("/tournaments/") else NAMED
    for name, thing in things.items():
        address = address.replace(name, thing)
    assert "{" not in address, f"what stands in {path}?"
    return address


def _equipped(hall: Hall) -> None:
    """Equip the house with a table, an office and a tournament."""
    hall.client("Olga").post("/api/tables", {**OPENING, "sign_off": {"name": "Flo", "pin": PIN}})
    set_up = {"command": {"command": "set-up-office", "facility": FACILITY}}
    hall.client("Olga").post("/api/office/maryland/commands", set_up)
    act = {
        "command": "do-act",
        "act": "register_table",
        "things": ["craps-1"],
        "fields": {"area": "main floor", "length": 144},
    }
    hall.client("Olga").post("/api/office/maryland/commands", {"command": act})
    hall.sends("Dora", "/api/tournaments/commands", command="plan-tournament", plan=evening())


@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.whole)])
def test_every_page_opens_without_a_fault(browser: Browser, share: int) -> None:
    with Hall(browser, STAFF).serving() as hall:
        _equipped(hall)
        tabs, faults = dict[str, Page](), list[str]()

        def hear(message: ConsoleMessage) -> None:
            if message.type == "error":
                faults.append(f"{message.location['url']}: {message.text}")

        paths = _paths()
        assert len(paths) > len(ADDRESSES) + len(READERS)
        for path in paths[::share]:
            reader = READERS.get(path, "Olga")
            if reader not in tabs:
                tabs[reader] = hall.tab(reader)
                tabs[reader].on("console", hear)
            answer = tabs[reader].goto(hall.address + _address(path))
            if not answer or not answer.ok:
                faults.append(f"{path}: {answer and answer.status}")
            tabs[reader].evaluate(_SETTLED)
            if not tabs[reader].locator("h1, h2").count():
                faults.append(f"{path}: has no heading")
        assert not faults, "\n".join(faults)

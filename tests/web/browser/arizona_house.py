"""A house in Arizona on the morning of a day: people hired, rules filed, dice and chips delivered.

What is no part of the day is done over HTTP, in the words of the day files of `tests/office`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person, office_of
from passline.client import Client
from passline.errors import CrapsError
from passline.office.folder import past_of
from passline.streams.course import Actor
from tests.office.day_file import SECOND_CLERK, Day, steps_of
from tests.people.house import PASSWORD, PIN
from tests.web.browser.shelf import SHELF
from tests.web.server import Server

DESK, TABLET = {"width": 1280, "height": 800}, {"width": 1024, "height": 768}
_PEOPLE = {
    "cora": "compliance", "connie": "compliance", "cus": "custodian", "dan": "dealer", "dora": "dealer",
    "stu": "stickperson", "sam": "supervisor", "bob": "boxperson", "flo": "floorperson", "sid": "surveillance",
    "tom": "regulator", "sue": "regulator", "cass": "cashier", "carl": "cashier", "ned": "counter",
    "nia": "counter", "abe": "accountant",
}  # fmt: skip
_LETTER = b"a letter, scanned"
_DAYS = Path(__file__).parent / "days"


class ArizonaHouse(Day):
    """A house whose office is kept under Arizona's pages, each of its people with their own browser."""

    def __init__(self, browser: Browser) -> None:
        super().__init__(office_of("arizona"))
        self.server, self.browser, self.address, self.letter = Server(), browser, "", ""
        olga = self.server.owner().session.account.id
        self.ids = {"olga": olga}
        for name, role in _PEOPLE.items():
            self.ids[name] = self.server.hire(name.capitalize(), role, by=olga).session.account.id
        for name, id_ in self.ids.items():
            self.people[name] = Person(id_, name.capitalize(), frozenset({_PEOPLE.get(name, "owner")}))
        self.contexts: dict[str, BrowserContext] = {}
        self.clients: dict[str, Client] = {}
        self.closing = ExitStack()

    def set_up(self) -> None:
        """Set the office up, and do what was done before the day."""
        olga = self._client("olga")
        self.letter = olga.attach(_LETTER)
        olga.post(
            "/api/approvals",
            {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"},
        )
        self._post(
            "olga",
            c.SetUpOffice(
                facility=msgspec.convert(
                    {"name": "Mesa Hall", "zone": "America/Phoenix", "subdivision": "AZ", "areas": ["pit-1"]},
                    type=Facility,
                )
            ),
        )
        for name, body in (("tom", "TGO"), ("sue", "SGA")):
            self._post("olga", c.AssignBody(account=self.ids[name], body=body))
        self.at_local("2026-11-16 08:00")
        self.lines((_DAYS / "arizona_before.txt").read_text(encoding="utf-8"))

    def prepare_table(self) -> None:
        """Do at the table what the approved rules ask for, and what is no part of the day."""
        self.lines((_DAYS / "arizona_at_the_table.txt").read_text(encoding="utf-8"))

    def at_local(self, text: str) -> None:
        """Go to a local date and time."""
        self.state = past_of(self.server.log, "arizona", date(2026, 1, 1)).day.state
        assert self.state.facility is not None
        self.server.clock.now = self._moment(text)
        self.clients.clear()

    def lines(self, text: str) -> None:
        """Do what lines of a day say; nothing of it may be refused."""
        for step in steps_of(text.replace("LETTER", self.letter)):
            list(self.do(step.text))

    def scene(self) -> Scene:
        self.state = past_of(self.server.log, "arizona", date(2026, 1, 1)).day.state
        return replace(super().scene(), at=self.server.clock(), occurred=self.server.clock())

    def letter_of_today(self) -> dict[str, str]:
        """A letter as the server has it: each time another one that is attached."""
        letter = super().letter_of_today()
        assert self.state.facility is not None
        document = self._client("olga").attach(_LETTER + letter["document"].encode())
        return {**letter, "document": document, "received": f"{self.state.facility.today(self.server.clock())}"}

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        name = next((one for one, id_ in self.ids.items() if by.account in {one, id_}), "olga")
        signed_by = "connie" if signed_by == SECOND_CLERK.account else signed_by
        signer = next((one for one, id_ in self.ids.items() if signed_by in {one, id_}), "")
        self._post(name, command, signer)
        yield from ()

    def _post(self, name: str, command: c.ActCommand, signer: str = "") -> dict[str, Any]:
        text = msgspec.json.encode(command).decode().replace("a" * 64, self.letter)
        for one, id_ in self.ids.items():
            text = re.sub(rf'(?<![\w-])"{one}"', f'"{id_}"', text)
        sign_off = {"sign_off": {"name": signer.capitalize(), "pin": PIN}} if signer and signer != name else {}
        body = {"command": msgspec.json.decode(text), **sign_off}
        try:
            told: dict[str, Any] = self._client(name).post("/api/office/arizona/commands", body)
        except CrapsError as error:
            pytest.fail(f"{name}: {text}\n{error}")
        return told

    def _client(self, name: str) -> Client:
        """Return somebody's client; they log in again when time has passed."""
        if name not in self.clients:
            self.clients[name] = self.closing.enter_context(Client(self.address))
            self.clients[name].log_in(name.capitalize(), PASSWORD)
        return self.clients[name]

    def open(self, name: str, path: str, size: dict[str, int] = DESK) -> Page:
        """Open a page in the browser of somebody who is logged in."""
        if name not in self.contexts:
            self.contexts[name] = self.browser.new_context(accept_downloads=True)
            self.contexts[name].on("weberror", lambda error: pytest.fail(str(error.error)))
        context = self.contexts[name]
        context.add_cookies([{"name": "passline", "value": self._client(name).token, "url": self.address}])
        page = SHELF.tab(context)
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(self.address + path)
        return page

    def put_away(self) -> None:
        """Close all pages: what is open goes on asking the server for what has changed."""
        for context in self.contexts.values():
            for page in context.pages:
                page.close()

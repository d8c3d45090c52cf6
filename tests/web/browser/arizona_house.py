"""A house in Arizona on the morning of a day: hired, trained, filed and delivered, with all that is left to the day itself.

What is no part of the day is done over HTTP, in the words of the day files of `tests/office`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page

from passline.client import Client
from passline.errors import CrapsError
from passline.office import commands as c
from passline.office.folder import past_of
from passline.office.judges.scene import Scene
from passline.office.rules.office_rules import Person, office_of
from passline.streams.course import Actor
from tests.office.day_file import Day, steps_of
from tests.people.house import PASSWORD, PIN
from tests.web.server import Server

__all__ = ["DESK", "TABLET", "ArizonaHouse"]

DESK, TABLET = {"width": 1280, "height": 800}, {"width": 1024, "height": 768}
_PEOPLE = {
    "cora": "compliance", "cus": "custodian", "dan": "dealer", "dora": "dealer", "stu": "stickperson",
    "sam": "supervisor", "bob": "boxperson", "flo": "floorperson", "sid": "surveillance", "tom": "regulator",
    "sue": "regulator", "cass": "cashier", "carl": "cashier", "ned": "counter", "nia": "counter", "abe": "accountant",
}  # fmt: skip
_LETTER = b"a letter, scanned"
_BEFORE = """
value table_limit = 4
value installation_notice = {count = 2, unit = "business_days"}
value at_once = {count = 10, unit = "minutes"}
cora enter_employee sam {post = "supervisor", licence_until = "2026-12-31", certificate_until = "2026-12-31"}
olga designate_supervisor sam {directs = true, oversees = true, resolves = true, schedules = true, knows = ["the play of every authorized craps game", "the regulations of craps"]}
cora enter_vendor paulson {licence_until = "2026-12-31", certificate_until = "2026-12-31"}
cora approve_dice_procedures {procedures = "LETTER"} on paper
cus check_dice_store {seen = {secured = true, cameras = true, door = true, cabinet = true}}
cus receive_dice A1 A2 A3 A4 A5 {vendor = "paulson"}
cora register_table craps-1 {area = "pit-1"}
house capstan {}
cora draft_house capstan {file = "@capstan"}
cora add_to_package capstan {equipment_spec = "LETTER", chips_described = "LETTER", other_equipment = "none", dice_described = "LETTER", tables_described = "LETTER", layouts_described = "LETTER", tests_described = "LETTER", no_progressive = true, no_betting_among_players = true, no_call_bets = true}
cora submit_house capstan
cora copy_house_to_sga capstan
cora establish_currency_procedures {procedures = "LETTER", laws = ["Bank Secrecy Act", "USA Patriot Act"], copy_to_tgo = true}
cora approve_currency_procedures on paper
cora announce_training capstan {sga_invited = true}
cora hold_training capstan {topics = ["money management", "wagering", "detection of cheating"], employees = ["dan", "stu", "bob", "sam"], tgo_staff = "Tom"}
cora acquire_table craps-1 {vendor = "paulson"}
cora notify_installation craps-1 {work = "install", notice = "LETTER"}
sam install_table craps-1
cora specify_chip 500 {colour = "as Arizona has it", seen = {no_coin = true, statutes = true, issuer = true, value_on_both_sides = true, told_apart_in_a_stack = true}}
cora specify_chip 2500 {colour = "as Arizona has it", seen = {no_coin = true, statutes = true, issuer = true, value_on_both_sides = true, told_apart_in_a_stack = true}}
cora tgo_approve_chip 500 2500 on paper
cora enter_drop_box BOX-1 {number = "craps-1"}
cora enter_drop_box BOX-2 {number = "craps-1"}
sam check_drop_box BOX-1 {seen = {metal = true, contents_lock = true, table_lock = true, opening = true, number = true, marks = true}}
sam check_drop_box BOX-2 {seen = {metal = true, contents_lock = true, table_lock = true, opening = true, number = true, marks = true}}
cora enter_tip_box TIP-1
cora approve_tip_procedures {covers = ["acceptance", "distribution"], taxed = true} on paper
cora submit_drop_times {drop_times = ["14:00-14:30"], count_times = ["14:00-18:00"]}
cora approve_drop_times {drop_times = ["14:00-14:30"], count_times = ["14:00-18:00"]} on paper
olga open_chip_reserve {seen = {secured = true, own_camera = true}}
cass receive_chips {units = {500 = 800, 2500 = 400}, delivery = "note 1"} signed by abe as witness
cass issue_chips {units = {500 = 400, 2500 = 200}} signed by abe as witness
"""
_AFTER_APPROVAL = """
cora assign_house craps-1 {house = "capstan"}
flo put_out_summaries capstan {summary = "@summary", summary_places = "the doors"}
flo post_table_rules craps-1 {table_rules = "@table_rules", legible = true}
flo post_limits craps-1 {limits = "@limits"}
sid cover_table craps-1 {cameras = "12 and 13"}
sam check_table craps-1 {seen = {layout = true, shape = true, walls = true, drop = true, paddle = true, tip_box = true, name = true, areas = true, odds = true, box = true}}
sam attach_drop_box craps-1 {drop_box = "BOX-1"}
sam attach_tip_box craps-1 {tip_box = "TIP-1"}
olga enter_employee bob {post = "boxperson", licence_until = "2026-12-31", certificate_until = "2026-12-31"}
olga enter_employee stu {post = "stickperson", licence_until = "2026-12-31", certificate_until = "2026-12-31"}
olga enter_employee dan {post = "dealer", licence_until = "2026-12-31", certificate_until = "2026-12-31"}
olga enter_employee dora {post = "dealer", licence_until = "2026-12-31", certificate_until = "2026-12-31"}
olga go_on_duty sam bob stu dan dora {area = "pit-1"}
sam set_crew craps-1 {other_crew = false, boxperson = "bob", stickperson = "stu", dealers = ["dan", "dora"]}
"""


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
        self.contexts: list[BrowserContext] = []
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
                    type=c.Facility,
                )
            ),
        )
        for name, body in (("tom", "TGO"), ("sue", "SGA")):
            self._post("olga", c.AssignBody(account=self.ids[name], body=body))
        self.at_local("2026-11-16 08:00")
        self.lines(_BEFORE)

    def prepare_table(self) -> None:
        """Do at the table what the approved rules ask for, and what is no part of the day."""
        self.lines(_AFTER_APPROVAL)

    def at_local(self, text: str) -> None:
        """Go to a local date and time."""
        self.state = past_of(self.server.log, "arizona").now
        assert self.state.facility is not None
        self.server.clock.now = self._moment(text)
        self.clients.clear()

    def lines(self, text: str) -> None:
        """Do what lines of a day say; nothing of it may be refused."""
        for step in steps_of(text.replace("LETTER", self.letter)):
            list(self.do(step.text))

    def scene(self) -> Scene:
        self.state = past_of(self.server.log, "arizona").now
        return replace(super().scene(), at=self.server.clock(), occurred=self.server.clock())

    def send(self, command: c.OfficeCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        name = next((one for one, id_ in self.ids.items() if by.account in {one, id_}), "olga")
        signer = next((one for one, id_ in self.ids.items() if signed_by in {one, id_}), "")
        self._post(name, command, signer)
        yield from ()

    def _post(self, name: str, command: c.OfficeCommand, signer: str = "") -> dict[str, Any]:
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
        """Open a page as somebody who has just logged in."""
        token = self._client(name).token
        context = self.browser.new_context(viewport=size, accept_downloads=True)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        context.add_cookies([{"name": "passline", "value": token, "url": self.address}])
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(self.address + path)
        return page

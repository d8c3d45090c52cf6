"""Whoever counts is not shown what the book says, nor what others have counted; the history shows it afterwards."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.server import Browser, Server, serving

pytestmark = pytest.mark.long

OFFICE = "/api/office/maryland"
HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
ROLES = ("dealer", "boxperson", "floorperson", "cashier", "accountant", "surveillance", "supervisor", "custodian")
TWENTY_MINUTES = 20 * 60


class Desk:
    """A house whose office has chips in the reserve, in the cage and on a table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        self.at = {"owner": self._page(olga.token, olga.session.csrf)}
        for role in ROLES:
            welcome = server.hire(role.capitalize(), role, by=olga.session.account.id)
            self.at[role] = self._page(welcome.token, welcome.session.csrf)
        self.asks("owner", "set-up-office", facility=HARBOUR)
        self.does("owner", "register_table", "craps-1", area="main floor", length=144)
        self.signed(self.does("cashier", "receive_chips", units={"500": 1000}, delivery="1"), "accountant", "witness")
        self.signed(self.does("cashier", "issue_chips", units={"500": 600}), "accountant", "witness")
        self.does("floorperson", "request_fill", table="craps-1", units={"500": 200})
        for role, act in (("cashier", "prepare_fill"), ("custodian", "carry_fill"), ("dealer", "accept_fill")):
            self.does(role, act, "F-000001")

    def _page(self, token: str, csrf: str) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page

    def asks(self, role: str, command: str, **fields: object) -> dict[str, Any]:
        answer = self.at[role].post(f"{OFFICE}/commands", {"command": {"command": command, **fields}})
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def does(self, role: str, act: str, *things: str, **fields: object) -> int:
        done = self.asks(role, "do-act", act=act, things=things, fields=fields)
        number: int = done["events"][0]["number"]
        return number

    def signed(self, number: int, role: str, part: str, **fields: object) -> dict[str, Any]:
        return self.asks(role, "sign-act", number=number, part=part, fields=fields)

    def reads(self, role: str, what: str) -> dict[str, Any]:
        answer = self.at[role].get(f"{OFFICE}/{what}")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def holds(self, role: str) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = self.reads(role, "stocks")["stocks"].get("chips", {})
        return found


@pytest.fixture
def desk() -> Iterator[Desk]:
    with serving() as server:
        yield Desk(server)


def test_nobody_sees_the_balance_of_a_place_that_they_may_count(desk: Desk) -> None:
    everything = {"reserve": {"500": 400}, "cage": {"500": 400}, "table/craps-1": {"500": 200}}
    assert everything.items() <= desk.holds("owner").items()
    assert everything.items() <= desk.holds("surveillance").items()
    seen = {role: {place for place in everything if place in desk.holds(role)} for role in ROLES}
    assert seen["dealer"] == seen["boxperson"] == seen["supervisor"] == {"reserve", "cage"}
    assert seen["cashier"] == seen["accountant"] == {"table/craps-1"}  # they count the cage and the reserve
    for role in ("dealer", "cashier"):
        assert not {"maker", "players", "unexplained"} & {*desk.holds(role)}, "the book sums to zero"
        told = desk.reads(role, "stocks")
        assert told["denominations"] == {"chips": ["500"]}, "which chips there are is no secret"
    assert "table/craps-1" in desk.reads("dealer", "stocks")["hidden"]["chips"]
    exported = desk.at["dealer"].get(f"{OFFICE}/stocks?format=jsonl").text
    assert "cage" in exported
    assert "craps-1" not in exported


def test_a_count_shows_its_figures_when_both_have_counted_and_only_to_them(desk: Desk) -> None:
    number = desk.does("dealer", "count_opener", "craps-1", chips={"500": 199}, shift="day")
    for role in ("boxperson", "owner", "dealer"):
        (listed,) = [one for one in desk.reads(role, "acts")["acts"] if one["no"] == number]
        assert "199" not in listed["what_it_says"], "nobody sees a count that is still to be counted again"
        *_, last = desk.reads(role, "things/table/craps-1")["acts"]
        assert (last["number"], "chips" in last["fields"], last["waits"]) == (number, False, ["who counts again"])
    differ = desk.signed(number, "boxperson", "second", chips={"500": 198})
    assert "the two counts differ" in str(differ["lines"])
    assert not re.search(r"\b199\b", str(differ)), "as a number of its own: an id in hexadecimal may hold the digits"
    assert "table/craps-1" not in desk.holds("dealer"), "it is counted again, as blind as before"
    *_, first = desk.reads("boxperson", "things/table/craps-1")["acts"]
    assert (first["status"], "chips" in first["fields"]) == ("taken back", False)

    again = desk.does("dealer", "count_opener", "craps-1", chips={"500": 199}, shift="day")
    assert "table/craps-1" not in desk.holds("boxperson")
    desk.signed(again, "boxperson", "second", chips={"500": 199})
    for role in ("dealer", "boxperson"):
        assert desk.holds(role)["table/craps-1"] == {"500": 199}
        (table,) = desk.reads(role, "things/table")["things"]
        assert table["facts"]["chips"] == {"500": 199}
    (table,) = desk.reads("supervisor", "things/table")["things"]
    assert "chips" not in table["facts"], "who may count it next has not"
    *_, lost, kept = desk.reads("dealer", "things/table/craps-1")["acts"]
    assert (lost["fields"]["chips"], lost["signatures"][0]["fields"]["chips"]) == ({"500": 199}, {"500": 198})
    assert kept["status"] == "done"

    for _ in range(9):  # to the end of the shift, without being logged out
        assert "table/craps-1" in desk.holds("dealer")
        desk.server.clock.move(TWENTY_MINUTES)
    assert "table/craps-1" not in desk.holds("dealer"), "the next shift counts blind again"


def test_what_can_be_counted_now_is_told_with_what_stands_against_it(desk: Desk) -> None:
    told = desk.reads("dealer", "counts")
    assert (told["shift"], {one["act"] for one in told["counts"]}) == (
        "grave",
        {"count_opener", "count_shift", "count_closer"},
    )
    open_now = {one["act"]: not one["wrong"] for one in told["counts"]}
    assert open_now == {"count_opener": True, "count_shift": False, "count_closer": False}
    (closer,) = [one for one in told["counts"] if one["act"] == "count_closer"]
    assert closer["wrong"] == [
        {"clause": "practice", "why": "table craps-1: its opening inventory has not been counted"}
    ]
    number = desk.does("dealer", "count_opener", "craps-1", chips={"500": 200}, shift="day")
    (opener,) = [one for one in desk.reads("dealer", "counts")["counts"] if one["act"] == "count_opener"]
    assert (opener["waits"], opener["last"]) == (number, "")
    desk.signed(number, "boxperson", "second", chips={"500": 200})
    counts = {one["act"]: one for one in desk.reads("dealer", "counts")["counts"]}
    assert counts["count_opener"]["wrong"]
    assert counts["count_opener"]["last_by"] == ["Dealer", "Boxperson"]
    assert not counts["count_closer"]["wrong"]
    assert {one["act"] for one in desk.reads("accountant", "counts")["counts"]} == {"reconcile_reserve"}


def test_the_history_of_a_thing_has_every_act_about_it(desk: Desk) -> None:
    slip = desk.reads("owner", "things/fill_slip/F-000001")
    assert [(one["act"], one["by"], one["status"]) for one in slip["acts"]] == [
        ("request_fill", "Floorperson", "done"),
        ("prepare_fill", "Cashier", "done"),
        ("carry_fill", "Custodian", "done"),
        ("accept_fill", "Dealer", "done"),
    ]
    table = desk.reads("owner", "things/table/craps-1")
    assert [one["act"] for one in table["acts"]] == ["register_table", "request_fill"], "also what names it"
    assert [one["paper"] for one in table["papers"]] == ["equipment"]
    number = desk.does("dealer", "count_opener", "craps-1", chips={"500": 190}, shift="day")
    desk.signed(number, "boxperson", "second", chips={"500": 190})
    found = desk.reads("owner", "things/table/craps-1")
    assert [one["facts"]["about"] for one in found["incidents"]] == ["table/craps-1"]
    *_, counted = found["acts"]
    assert [(one["name"], one["part"]) for one in counted["signatures"]] == [("Boxperson", "who counts again")]
    assert desk.at["owner"].get(f"{OFFICE}/things/table/craps-9").status_code == 404
    assert desk.at["owner"].get(f"{OFFICE}/things/boat/craps-9").status_code == 404
    sheet = desk.at["owner"].get(f"{OFFICE}/things/table/craps-1?format=jsonl")
    assert sheet.text.count("\n") == 3

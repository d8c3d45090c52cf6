"""Sets of dice and irregularities over HTTP and the websocket: the right roles, the wrong ones, and who sees what."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from passline.people.sessions import Welcome
from tests.people.house import PASSWORD
from tests.web.server import ADDRESS, Browser, Server, serving

pytestmark = pytest.mark.long

CREW = ("dealer", "stickperson", "boxperson", "floorperson", "surveillance", "regulator", "player")
SECRET = "seat 4 had loaded dice"  # noqa: S105 - a text that no player may find in what they are shown
PUT_IN, CONDEMN = {"command": "put-in-dice"}, {"command": "condemn-dice", "reason": "tampered", "text": SECRET}
REPORT = {"command": "report-irregularity", "text": SECRET}
DIRECT = {"command": "direct-action", "irregularity": 1, "action": "void the roll"}
OBSERVE = {"command": "observe-action", "irregularity": 1}
TABLES = {"harbor": "maryland", "mountain": "colorado"}


class Floor:
    """A table of each regulation, and a person of each role."""

    def __init__(self, server: Server) -> None:
        self.server = server
        owner = server.owner("Olga")
        self.pages = {"owner": self._page(owner)}
        for role in CREW:
            self.pages[role] = self._page(server.hire(role.title(), role, by=owner.session.account.id))
        for name, rules in TABLES.items():
            body = {"command": "open-table", "name": name, "house": {"rules": rules}, "dice": "physical"}
            assert self.pages["owner"].post("/api/tables", body).status_code == 201

    def _page(self, welcome: Welcome) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", welcome.token, domain="127.0.0.1")
        page.csrf = welcome.session.csrf
        return page

    def ask(self, role: str, table: str, command: dict[str, Any]) -> tuple[int, str]:
        """Return the status and the clauses of the refusal, if any."""
        body = {"id": f"{role}-{table}-{command['command']}", "command": command, "role": role}
        answer = self.pages[role].post(f"/api/tables/{table}/commands", body)
        return answer.status_code, ", ".join(one["clause"] for one in answer.json().get("refusals", []))

    def own(self, role: str, table: str) -> dict[str, Any]:
        own: dict[str, Any] = self.pages[role].get(f"/api/tables/{table}?role={role}").json()["own"]
        return own

    def records(self) -> list[str]:
        found = self.pages["regulator"].get("/api/records?kind=security").json()["records"]
        return [one["text"] for one in reversed(found)]


@pytest.fixture(scope="module")
def floor() -> Iterator[Floor]:
    with serving() as server:
        yield Floor(server)


STEPS: list[
    tuple[str, dict[str, Any], str, tuple[str, ...], str]
] = [  # table, command, its clause, who is refused, who does it
    ("harbor", CONDEMN, "MD-7.E", ("player", "owner", "regulator"), "dealer"),
    ("harbor", PUT_IN, "MD-7.E", ("player", "dealer", "stickperson", "surveillance", "owner"), "boxperson"),
    ("mountain", REPORT, "CO-2319-notify", ("player", "owner", "regulator"), "stickperson"),
    ("mountain", DIRECT, "CO-2319-direct", ("player", "dealer", "stickperson", "surveillance"), "boxperson"),
    ("mountain", OBSERVE, "CO-2319-observe", ("player", "dealer", "stickperson", "surveillance"), "floorperson"),
]


@pytest.mark.clause("MD-7.E", "MD-7.F.3", "CO-2319-notify", "CO-2319-direct", "CO-2319-observe")
def test_each_command_by_a_right_and_a_wrong_role_and_as_a_record_in_words(floor: Floor) -> None:
    """MD-7.E, MD-7.F.3, CO-2319-notify, CO-2319-direct, CO-2319-observe: each refusal names its own clause."""
    for table, command, clause, refused, does in STEPS:
        for role in refused:
            assert floor.ask(role, table, command) == (409, clause), (role, command)
        before = floor.own("dealer", table)["supervision"]
        assert floor.ask(does, table, command) == (200, ""), command
        assert floor.own("dealer", table)["supervision"] != before, command
    assert floor.records() == [
        "set 1 of the dice is put in [MD-7.F.1]",
        f"set 1 of the dice may not be thrown any more; a new set must be put in: it is tampered: {SECRET} [MD-7.F.3]",
        "set 2 of the dice is put in [MD-7.F.3]",
        f"irregularity 1 is reported: {SECRET} [CO-2319-notify]",
        "directed about irregularity 1: void the roll [CO-2319-direct]",
        "what was directed about irregularity 1 was done and watched: it is closed [CO-2319-observe]",
    ]
    found = floor.pages["regulator"].get("/api/log?text=loaded").json()["entries"]
    assert len(found) == 2


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__a_throw_after_24_hours_is_refused_until_a_new_set_is_in(floor: Floor) -> None:
    """MD-7.E: a day later, over HTTP; the set is put in by those whom the refusal sends for it."""
    own = floor.own("stickperson", "harbor")["supervision"]["dice"]
    floor.server.clock.move(24 * 3600)
    for role in ("stickperson", "floorperson"):
        welcome = floor.server.desk.log_in(name=role.title(), password=PASSWORD, address="")
        assert isinstance(welcome, Welcome)
        floor.pages[role] = floor._page(welcome)
    assert own["ends"] == floor.server.clock.now
    status, clause = floor.ask("stickperson", "harbor", {"command": "dice-out"})
    assert (status, "MD-7.E" in clause) == (409, True)
    assert floor.ask("floorperson", "harbor", PUT_IN) == (200, "")
    assert "MD-7.E" not in floor.ask("stickperson", "harbor", {"command": "dice-out"})[1]  # nobody shoots yet
    assert floor.own("stickperson", "harbor")["supervision"]["dice"]["number"] == own["number"] + 1


def test_screens_of_the_crew_are_told_and_those_of_players_are_not() -> None:
    with serving() as server:
        floor = Floor(server)
        live = f"{ADDRESS.replace('http', 'ws')}/api/tables/{{}}/live?role={{}}".format
        for table, command, wrong, clause in (
            ("harbor", CONDEMN, PUT_IN, "MD-7.E"),
            ("mountain", REPORT, DIRECT, "CO-2319-direct"),
        ):
            with (
                floor.pages["boxperson"].client.websocket_connect(live(table, "boxperson")) as box,
                floor.pages["player"].client.websocket_connect(live(table, "player")) as ann,
            ):
                first = box.receive_json()
                assert first["at"] == server.clock.now  # the crew's screens count hours by it
                assert set(first["own"]["supervision"]) == {"dice", "needed", "irregularities", "past_posted"}
                assert "supervision" not in json.dumps(ann.receive_json())
                box.send_json({"id": "one", "command": command})
                told = [box.receive_json(), box.receive_json()]
                news = next(one for one in told if one["kind"] == "news")
                assert SECRET in json.dumps(news["own"]["supervision"])
                seen = ann.receive_json()
                assert seen["kind"] == "news"
                assert not [word for word in (SECRET, "tampered", "supervision") if word in json.dumps(seen)]
                ann.send_json({"id": "two", "command": wrong})
                refused = ann.receive_json()
                assert (refused["kind"], refused["refusals"][0]["clause"]) == ("refused", clause)

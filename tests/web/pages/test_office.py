"""The pages of the back office: who sees them, what they are made from, and what a counter is not shown."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from passline.acts.rules import office_of
from passline.acts.schema import Field
from passline.rules.clauses import REGULATIONS
from passline.web.pages.office import grouped_subjects
from passline.web.pages.static_files import STATIC
from tests.web.office_practice import office_of_practice
from tests.web.server import Browser, Server, serving

SCRIPTS = sorted((STATIC / "office").glob("*.js"))
HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}


class Desk:
    """A server whose office in Maryland is the practice office, with a person of each role."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        self.at = {"owner": self._page(olga.token, olga.session.csrf)}
        for role in ("player", "dealer", "cashier", "floorperson", "regulator"):
            welcome = server.hire(role.capitalize(), role, by=olga.session.account.id)
            self.at[role] = self._page(welcome.token, welcome.session.csrf)

    def _page(self, token: str, csrf: str) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page

    def asks(self, role: str, command: str, **fields: object) -> dict[str, Any]:
        answer = self.at[role].post("/api/office/maryland/commands", {"command": {"command": command, **fields}})
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told


@pytest.fixture
def desk() -> Iterator[Desk]:
    with office_of_practice(), serving() as server:
        yield Desk(server)


def test_everybody_but_players_finds_the_office(desk: Desk) -> None:
    assert 'href="/office"' in desk.at["dealer"].get("/").text
    assert 'href="/office"' not in desk.at["player"].get("/").text
    assert desk.at["player"].get("/office").status_code == 403
    assert desk.at["player"].get("/office/maryland/dice").status_code == 403
    assert desk.server.browser().client.get("/office/maryland", follow_redirects=False).status_code == 303
    listed = desk.at["regulator"].get("/office").text
    assert all(f'href="/office/{name}"' in listed for name in REGULATIONS)
    assert "keeps its office elsewhere" in listed
    assert desk.at["dealer"].get("/office/nevada").status_code == 404
    assert desk.at["dealer"].get("/office/maryland/boats").status_code == 404


def test_a_page_has_the_subjects_that_the_acts_name(desk: Desk) -> None:
    first = desk.at["owner"].get("/office/maryland").text
    assert "This office is not set up" in first
    desk.asks("owner", "set-up-office", facility=HARBOUR)
    shown = desk.at["dealer"].get("/office/maryland/dice").text
    links = re.findall(r'href="/office/maryland/([a-z_-]+)"', shown)
    assert links == ["tables", "dice", "incidents", "set-up"]  # the first of each part; the others are within it
    within = desk.at["dealer"].get("/office/maryland/incidents").text
    assert re.findall(r'href="/office/maryland/([a-z_-]+)"', within)[-3:] == ["incidents", "money", "notes"]
    assert "Harbour" in shown
    found = re.search(r'id="office-data">(.*?)</script>', shown)
    assert found
    data = json.loads(found[1])
    assert (data["groups"], data["is_clerk"], data["gate"]) == (["dealer"], False, "open_table")
    assert "Opening list of craps-1" in desk.at["dealer"].get("/office/maryland/opening-list/craps-1").text


def test_today_says_which_tables_of_the_register_are_open(desk: Desk) -> None:
    desk.asks("owner", "set-up-office", facility=HARBOUR)
    for table in ("craps-1", "craps-2"):
        desk.asks("owner", "do-act", act="register_table", things=[table], fields={"area": "main floor"})
    opening = {"command": "open-table", "name": "craps-1", "house": {"rules": "maryland"}, "dice": "physical"}
    assert desk.at["owner"].post("/api/tables", opening).status_code == 201
    tables = desk.at["dealer"].get("/api/office/maryland/today").json()["tables"]
    told = {table["table"]: (table["is_live"], table["status"]) for table in tables}
    assert told == {"craps-1": (True, "open"), "craps-2": (False, "")}


def test_a_page_spells_out_its_bodies_and_proposes_its_state(desk: Desk) -> None:
    shown = desk.at["dealer"].get("/office/arizona").text
    assert "TGO: tribal gaming office; SGA: state gaming agency." in shown
    assert "tribal gaming office" not in desk.at["dealer"].get("/office/maryland").text
    found = re.search(r'id="office-data">(.*?)</script>', desk.at["owner"].get("/office/arizona/set-up").text)
    assert found
    data = json.loads(found[1])
    assert data["place"] == {"subdivision": "AZ", "zone": "America/Phoenix"}
    assert re.fullmatch(data["id_pattern"], "craps-1")
    assert not re.fullmatch(data["id_pattern"], "craps 1")


def test_the_subjects_of_every_office_are_pages() -> None:
    for name in REGULATIONS:
        groups = grouped_subjects(office_of(name).pages.acts.values())
        assert len(groups) <= 6, groups  # with Today and Set up they fit into one row
        subjects = [subject for group in groups.values() for subject in group]
        assert len(subjects) == len({*subjects})
        assert all(re.fullmatch("[a-z_]+", one) for one in subjects), subjects  # `set-up` and the like are ours


def test_people_are_named_with_their_groups_and_players_are_not(desk: Desk) -> None:
    told = desk.at["dealer"].get("/api/office/maryland/people").json()["people"]
    assert [(one["name"], one["groups"], one["is_outside"]) for one in told] == [
        ("Cashier", ["cashier"], False),
        ("Dealer", ["dealer"], False),
        ("Floorperson", ["floorperson"], False),
        ("Olga", ["owner"], False),
        ("Regulator", [], True),
    ]
    assert desk.at["player"].get("/api/office/maryland/people").status_code == 403


def test_whoever_counts_again_is_not_shown_the_first_count(desk: Desk) -> None:
    desk.asks("owner", "set-up-office", facility=HARBOUR)
    desk.asks("cashier", "do-act", act="receive_chips", fields={"units": {"500": 40}})
    desk.asks("cashier", "do-act", act="count_cage", fields={"units": {"500": 39}})
    (waiting,) = desk.at["floorperson"].get("/api/office/maryland/today").json()["sign"]
    assert (waiting["part"], waiting["counts"], waiting["fields"]) == ("second", True, {})
    assert len(waiting["hands"]) == 1
    again = desk.asks("floorperson", "sign-act", number=waiting["number"], part="second", fields={"units": {"500": 40}})
    assert [one["event"] for one in again["events"]] == ["act-signed/1", "act-voided/1"]


def test_a_signer_sees_what_was_recorded(desk: Desk) -> None:
    desk.asks("owner", "set-up-office", facility=HARBOUR)
    supervisor = desk.server.hire("Sam", "supervisor", "custodian", by=desk.server.desk.people().owners()[0].id)
    desk.at["supervisor"] = desk._page(supervisor.token, supervisor.session.csrf)
    desk.asks("owner", "do-act", act="register_table", things=["craps-1"], fields={"area": "main floor"})
    desk.asks("supervisor", "do-act", act="receive_dice", things=["A1"])
    fields = {"table": "craps-1", "tools": ["magnet"], "flat": True, "edge": {"A1": 760}}
    desk.asks("supervisor", "do-act", act="test_dice", things=["A1"], fields=fields)
    (waiting,) = desk.at["dealer"].get("/api/office/maryland/today").json()["sign"]
    assert (waiting["things"], waiting["fields"], waiting["by"]) == (["A1"], fields, "Sam")


def test_a_paper_is_shown_as_it_would_be_printed_now(desk: Desk) -> None:
    asked = "/api/office/maryland/papers/table_card?kind=table&thing=craps-1"
    assert desk.at["dealer"].get(asked).status_code == 409  # not set up
    desk.asks("owner", "set-up-office", facility=HARBOUR)
    assert desk.at["dealer"].get(asked).json()["missing"][0]["name"] == "where it stands"
    desk.asks("owner", "do-act", act="register_table", things=["craps-1"], fields={"area": "main floor"})
    shown = desk.at["dealer"].get(asked).json()
    assert (shown["missing"], len(shown["digest"])) == ([], 64)
    assert shown["parts"][0]["lines"] == ["main floor"]
    named = desk.at["dealer"].get("/api/office/maryland/papers/table_card?of=craps-1").json()
    assert named["digest"] == shown["digest"]
    assert desk.at["dealer"].get("/api/office/maryland/papers/nothing").status_code == 404


def test_a_form_knows_every_type_of_field() -> None:
    script = (STATIC / "office" / "fields.js").read_text()
    table = script[script.index("const CONTROLS = {") :]
    known = {*re.findall(r"(?:^|[{,])\s*([a-z_]+)(?=[:,])", table, re.MULTILINE), "text"}
    types = {*get_args(get_type_hints(Field)["type"])}
    assert types <= known, f"no control for {', '.join(sorted(types - known))}"

"""The log, records, and a table's past over HTTP: who reads what, and that it is what was written."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from passline.store.export import line_from_json
from passline.store.log import LogError
from passline.store.verify import verify_log
from tests.people.house import PIN
from tests.web.server import Browser, Server, serving

OPENING = {
    "name": "Craps 1",
    "house": {"rules": "maryland"},
    "automate": ["button", "call", "choose", "confirm", "offer", "pass", "settle"],
    "buy_in": "self",
    "bank_cents": 10_000_00,
    "sign_off": {"name": "Flo", "pin": PIN},
}
LAB = {"kind": "laboratory_report", "authority": "laboratory", "reference": "LR-17", "date": "2026-11-01"}


class House:
    """A server with an owner, a floorperson, a regulator, and Ann at a table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        by = olga.session.account.id
        self.owner = self.page(olga.token, olga.session.csrf)
        self.people = {"owner": self.owner, "nobody": server.browser()}
        for name, role in (
            ("Flo", "floorperson"),
            ("Reg", "regulator"),
            ("Sue", "surveillance"),
            ("Dan", "dealer"),
            ("Ann", "player"),
        ):
            welcome = server.hire(name, role, by=by)
            self.people[role] = self.page(welcome.token, welcome.session.csrf)
        assert self.owner.post("/api/tables", OPENING).status_code == 201
        for turn, command in enumerate(
            (
                {"command": "take-seat", "seat": 1},
                {"command": "buy-in", "seat": 1, "cents": 500_00},
                {"command": "accept-dice", "seat": 1},
                {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00},
                {"command": "roll", "seat": 1},  # the dice of this server always show 1-1
            )
        ):
            answer = self.people["player"].post("/api/tables/craps-1/commands", {"id": f"a{turn}", "command": command})
            assert answer.status_code == 200, answer.text

    def page(self, token: str, csrf: str) -> Browser:
        page = self.server.browser()
        page.client.cookies.set("passline", token, domain="127.0.0.1")
        page.csrf = csrf
        return page


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)


@pytest.mark.parametrize(
    ("path", "readers"),
    [
        ("/api/log", {"owner", "regulator", "surveillance"}),
        ("/api/log/export", {"owner", "regulator", "surveillance"}),
        ("/api/records?kind=security", {"owner", "regulator", "surveillance", "floorperson"}),
        ("/api/tables/craps-1/hands", {"owner", "regulator", "surveillance", "floorperson", "dealer"}),
        ("/api/tables/craps-1/hands/1", {"owner", "regulator", "surveillance", "floorperson", "dealer"}),
        ("/api/tables/craps-1/at/99", {"owner", "regulator", "surveillance", "floorperson", "dealer"}),
        ("/api/tables/craps-1/ledger", {"owner", "regulator", "surveillance", "floorperson", "dealer"}),
        ("/api/log/head", {"owner", "regulator", "surveillance", "floorperson", "dealer", "player"}),
    ],
)
def test_what_is_not_for_everybody_is_refused_to_the_others(house: House, path: str, readers: set[str]) -> None:
    for who, page in house.people.items():
        status = page.get(path).status_code
        assert status == (200 if who in readers else 401 if who == "nobody" else 403), (who, path)


def test_the_export_is_the_log_to_the_byte(house: House) -> None:
    answer = house.people["regulator"].get("/api/log/export")
    lines = [line_from_json(line) for line in answer.content.splitlines(keepends=True)]
    log = house.server.log
    assert [line.body for line in lines] == [line.body for line in log.lines()]
    assert verify_log(lines, log.public_key, log.head()).is_intact


def test_entries_are_told_in_words_and_by_pages(house: House) -> None:
    entries = house.people["regulator"].get("/api/log?after=0&limit=1000").json()["entries"]
    assert [one["sequence"] for one in entries] == list(range(1, len(entries) + 1))
    (rolled,) = [one for one in entries if one["command"].get("command") == "roll"]
    assert "the dice show 1-1 [MD-9.B]" in rolled["lines"]
    assert rolled["stream"] == "table/craps-1"
    page = house.people["regulator"].get(f"/api/log?after={rolled['sequence'] - 1}&limit=1").json()["entries"]
    assert page == [rolled]
    assert house.people["regulator"].get("/api/log?after=x").status_code == 422
    assert house.people["regulator"].get("/api/log?limit=100000").status_code == 422


def test_a_hand_is_recalled_and_the_table_at_any_moment(house: House) -> None:
    regulator = house.people["regulator"]
    (hand,) = regulator.get("/api/tables/craps-1/hands").json()["hands"]
    assert (hand["hand"], hand["shooter"], hand["name"], hand["rolls"]) == (1, 1, "Ann", 1)
    entries = regulator.get("/api/tables/craps-1/hands/1").json()["entries"]
    made = next(one for one in entries if any("Pass Line is made" in line for line in one["lines"]))
    then = regulator.get(f"/api/tables/craps-1/at/{made['sequence']}").json()
    assert [wager["kind"] for wager in then["table"]["wagers"]] == ["pass"]
    assert sum(then["balances"].values()) == 0
    assert regulator.get("/api/tables/craps-1/hands/99").status_code == 404
    assert regulator.get("/api/tables/craps-1/at/1").status_code == 404
    assert regulator.get("/api/tables/craps-1/hands/x").status_code == 422


def test_the_rules_in_force_are_anybodys_to_read(house: House) -> None:
    rules = house.people["nobody"].get("/api/tables/craps-1/rules").json()
    assert (rules["regulation"], rules["house"]["wager_cents_min"]) == ("maryland", 500)
    assert 'rules = "maryland"' in rules["toml"]


@pytest.mark.clause("AZ-II.A.2")
def test_arizona_needs_a_laboratorys_report_before_electronic_dice(house: House) -> None:
    """AZ-II.A.2: electronic parts are evaluated by a laboratory first."""
    arizona = {**OPENING, "name": "Arizona", "house": {"rules": "arizona"}}
    refused = house.owner.post("/api/tables", arizona)
    assert refused.status_code == 409
    assert [one["clause"] for one in refused.json()["refusals"]] == ["AZ-II.A.2"]
    assert house.people["dealer"].post("/api/approvals", LAB).status_code == 409
    assert house.owner.post("/api/approvals", {**LAB, "id": "lab"}).status_code == 201
    assert house.owner.post("/api/approvals", {**LAB, "id": "lab"}).status_code == 201  # again is the same
    assert house.owner.post("/api/tables", arizona).status_code == 201
    on_file = house.people["regulator"].get("/api/records?kind=approvals").json()["records"]
    assert [one["reference"] for one in on_file] == ["LR-17"]
    assert house.people["regulator"].get("/api/tables/arizona").json()["table"]["histogram"] is None
    gone = house.owner.post("/api/approvals/withdraw", {**_without_date(), "reason": "expired"})
    assert gone.status_code == 200, gone.text


def _without_date() -> dict[str, str]:
    return {key: value for key, value in LAB.items() if key != "date"}


def test_a_shift_is_closed_with_another_persons_signature(house: House) -> None:
    alone = house.owner.post("/api/shift/close", {})
    assert alone.status_code == 403
    own = house.owner.post("/api/shift/close", {"sign_off": {"name": "Olga", "pin": PIN}})
    assert own.status_code == 403
    assert "their own request" in own.json()["refusals"][0]["why"]
    signed = house.owner.post("/api/shift/close", {"sign_off": {"name": "Flo", "pin": PIN}})
    assert signed.status_code == 201, signed.text
    (closed,) = house.people["regulator"].get("/api/records?kind=checkpoints").json()["records"]
    assert closed["shift"] == 1
    assert closed["sequence"] <= signed.json()["sequence"]
    assert "craps-1" in {one["table"] for one in closed["tables"]}


def test_reports_are_filed_by_whoever_keeps_that_class(house: House) -> None:
    report = {"record_class": "surveillance", "table": "craps-1", "text": "camera 3 was out"}
    assert house.people["dealer"].post("/api/reports", report).status_code == 409
    assert house.people["surveillance"].post("/api/reports", report).status_code == 201
    records = house.people["regulator"].get("/api/records?kind=surveillance").json()["records"]
    assert ("Sue", "camera 3 was out") in {(one.get("name"), one["text"]) for one in records}
    (filed,) = house.people["regulator"].get("/api/records?kind=reports").json()["records"]
    assert filed["name"] == "Sue"
    days = house.people["regulator"].get("/api/records?kind=daily_activity_accounting").json()["records"]
    assert any("drop $500.00" in day["text"] for day in days)
    assert house.people["regulator"].get("/api/records?kind=gossip").status_code == 422
    for kind in (
        "activity",
        "postings",
        "disputes",
        "reports",
        "daily_activity_accounting",
        "security",
        "investigative",
    ):
        assert house.people["regulator"].get(f"/api/records?kind={kind}").status_code == 200


def test_metrics_and_health_say_how_it_goes(house: House) -> None:
    page = house.people["nobody"]
    text = page.get("/metrics").text
    assert 'passline_commands_total{command="roll",outcome="done"} 1.0' in text
    assert "passline_commit_seconds_bucket" in text
    health = page.get("/health").json()
    head = house.server.log.head()
    assert head is not None
    assert (health["status"], health["sequence"]) == ("up", head.sequence)


def test_health_says_to_anybody_that_the_log_is_down_and_not_where_it_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = house.people["nobody"]
    for what in ("check", "append"):
        with monkeypatch.context() as patched:
            patched.setattr(house.server.log, what, _gone)
            wager = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00}
            asked = house.people["player"].post("/api/tables/craps-1/commands", {"id": what, "command": wager})
            assert asked.status_code == (503 if what == "append" else 200)
            answer = page.get("/health")
            if what == "check":
                assert (answer.status_code, answer.json()["status"]) == (503, "down")
            for text in (answer.text, asked.text):
                assert "10.0.0.7" not in text
    assert page.get("/health").json()["status"] == "up"


def _gone(*_given: object) -> None:
    raise LogError("postgresql://10.0.0.7:5432/casino: connection refused")


def test_an_id_sent_again_with_another_command_is_refused(house: House) -> None:
    asked: dict[str, Any] = {"id": "again", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    page = house.people["player"]
    first = page.post("/api/tables/craps-1/commands", asked)
    assert first.json() == page.post("/api/tables/craps-1/commands", asked).json()
    other = page.post("/api/tables/craps-1/commands", {**asked, "command": {**asked["command"], "cents": 200_00}})
    assert other.status_code == 409
    assert "the id again was sent before with another command" in other.json()["refusals"][0]["why"]


def test_a_fault_of_the_program_is_answered_as_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.tables.runtime.table_stream.judge", None)
    asked = {"id": "fault", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    answer = house.people["player"].post("/api/tables/craps-1/commands", asked)
    assert answer.status_code == 500
    assert answer.json()["refusals"][0]["why"] == "the server has a fault; nothing was done"


def test_the_address_of_a_database_is_on_no_command_line(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that tells what it was called with stands for the one that verifies."""
    program = tmp_path / "told"
    report = """{"faults":[],"replay":null,"damages":[],"argv":"'"$*"'","log":"'"$PASSLINE_LOG"'"}"""
    program.write_text(f"#!/bin/sh\nprintf '%s' '{report}'\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(program))
    monkeypatch.setattr(house.server.services, "source", "postgresql://casino:hush@10.0.0.7/log")
    page = house.people["regulator"]
    told = page.post("/api/log/verify", {"head": {"sequence": 10**20, "hash": "aa", "seal": "bb"}}).json()
    assert told["log"] == "postgresql://casino:hush@10.0.0.7/log"
    assert "hush" not in told["argv"]
    assert told["argv"].endswith(f"--head={10**20}:aa:bb")
    for odd in ("\0", "zz", "--key"):
        answer = page.post("/api/log/verify", {"head": {"sequence": 1, "hash": odd, "seal": ""}})
        assert (answer.status_code, "hex digits" in answer.text) == (422, True)


def test_the_description_of_the_api_knows_every_command(house: House) -> None:
    described = msgspec.json.decode(house.people["nobody"].get("/openapi.json").content)
    schemas = described["components"]["schemas"]
    assert {"MakeWager", "Roll", "KeyDice", "CorrectRoll", "OfferDice", "CommandBody", "OpenBody"} <= schemas.keys()
    assert "/api/tables/{id}/commands" in described["paths"]


def _command(page: Browser, table: str, **command: object) -> None:
    answer = page.post(f"/api/tables/{table}/commands", {"id": uuid4().hex, "command": command})
    assert answer.status_code == 200, answer.text


def _entries(house: House) -> list[dict[str, Any]]:
    page = house.people["regulator"]
    found = [page.get(f"/api/log?after={after}&limit=10").json()["entries"] for after in range(0, 200, 10)]
    return [entry for part in found for entry in part]


def test_each_entry_names_who_sat_there_when_it_was_written() -> None:
    with serving() as server:
        house = House(server)
        ann = house.people["player"]
        bob = server.hire("Bob", "player", by=house.owner.get("/api/me").json()["account"])
        bobs = house.page(bob.token, bob.session.csrf)
        assert house.owner.post("/api/tables", {**OPENING, "name": "Craps 2"}).status_code == 201
        for page in (ann, bobs, ann):
            _command(page, "craps-2", command="take-seat", seat=3)
            _command(page, "craps-2", command="buy-in", seat=3, cents=100_00)
            told = [
                entry["lines"] for entry in _entries(house) if entry["stream"] == "table/craps-2"
            ]  # read on the way
            assert len(told[-1]) == 1
            _command(page, "craps-2", command="leave-seat", seat=3)
        lines = [line for entry in _entries(house) if entry["stream"] == "table/craps-2" for line in entry["lines"]]
        sat = [name for line in lines for name in ("Ann", "Bob") if name in line]
        assert len(sat) >= 9
        assert [sat[0], *(one for before, one in pairwise(sat) if before != one)] == ["Ann", "Bob", "Ann"]


def test_entries_about_people_and_the_house_are_in_words_without_secrets(house: House) -> None:
    told = {line for entry in _entries(house) for line in entry["lines"]}
    assert {
        "the log is begun",
        "the house invites a new owner",
        "Olga opens an account as owner",
        "Olga invites a new dealer",
        "Dan uses a one-time link",
        "Dan opens an account as dealer",
        "Dan sets a password",
        "Dan sets a PIN",
    } <= told


def test_somebody_is_refused_in_all_their_roles_at_once(house: House) -> None:
    by = house.owner.get("/api/me").json()["account"]
    nat = house.server.hire("Nat", "player", "dealer", by=by)
    refused = house.page(nat.token, nat.session.csrf).post("/api/reports", {"record_class": "security", "text": "x"})
    assert (refused.status_code, "is not for the player and dealer" in refused.text) == (409, True), refused.text

"""The log over HTTP: who may read it, its entries in words, its export and its verification."""

from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from passline.store.export import row_from_json
from passline.store.verify import verify_log
from tests.web.house import OPENING, House
from tests.web.server import Browser, serving

pytestmark = pytest.mark.long


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
def test_each_path_is_refused_to_roles_that_may_not_read_it(house: House, path: str, readers: set[str]) -> None:
    for who, page in house.people.items():
        status = page.get(path).status_code
        assert status == (200 if who in readers else 401 if who == "nobody" else 403), (who, path)


def test_the_export_equals_the_log_to_the_byte(house: House) -> None:
    answer = house.people["regulator"].get("/api/log/export")
    lines = [row_from_json(line) for line in answer.content.splitlines(keepends=True)]
    log = house.server.log
    assert [line.body for line in lines] == [line.body for line in log.rows()]
    assert verify_log(lines, log.public_key, log.head()).is_intact


def test_entries_come_in_words_and_in_pages(house: House) -> None:
    entries = house.people["regulator"].get("/api/log?after=0&limit=1000").json()["entries"]
    assert [one["sequence"] for one in entries] == list(range(1, len(entries) + 1))
    (rolled,) = [one for one in entries if one["command"].get("command") == "complete-roll"]
    assert "the dice show 1-1 [MD-9.B]" in rolled["lines"]
    assert rolled["stream"] == "table/craps-1"
    page = house.people["regulator"].get(f"/api/log?after={rolled['sequence'] - 1}&limit=1").json()["entries"]
    assert page == [rolled]
    assert house.people["regulator"].get("/api/log?after=x").status_code == 422
    assert house.people["regulator"].get("/api/log?limit=100000").status_code == 422


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


def _command(page: Browser, table: str, **command: object) -> None:
    answer = page.post(f"/api/tables/{table}/commands", {"id": uuid4().hex, "command": command})
    assert answer.status_code == 200, answer.text


def _entries(house: House) -> list[dict[str, Any]]:
    page = house.people["regulator"]
    found = [page.get(f"/api/log?after={after}&limit=10").json()["entries"] for after in range(0, 200, 10)]
    return [entry for part in found for entry in part]


def test_entries_about_people_and_the_house_come_in_words_without_secrets(house: House) -> None:
    told = {line for entry in _entries(house) for line in entry["lines"]}
    assert {
        "the log begins",
        "the house invites a new owner",
        "Olga opens an account as owner",
        "Olga invites a new dealer",
        "Dan uses a one-time link",
        "Dan opens an account as dealer",
        "Dan sets a password",
        "Dan sets a PIN",
    } <= told


def test_the_database_url_is_not_on_the_command_line_of_a_subprocess(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In place of the real subprocess, a script reports the arguments it was called with."""
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

"""The log over HTTP: who may read it, its entries in words, its export and its verification."""

from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote
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
    empty = """"faults":[],"replay":null,"damages":[],"vault":null,"remarks":[]"""
    report = f"""{{{empty},"argv":"'"$*"'","log":"'"$PASSLINE_LOG"'"}}"""
    program.write_text(f"#!/bin/sh\nprintf '%s' '{report}'\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr("sys.executable", str(program))
    monkeypatch.setattr(house.server.services, "source", "postgresql://casino:hush@10.0.0.7/log")
    page = house.people["regulator"]
    told = page.post("/api/log/verify", {"head": {"sequence": 10**17, "hash": "aa", "seal": "bb"}}).json()
    assert told["log"] == "postgresql://casino:hush@10.0.0.7/log"
    assert "hush" not in told["argv"]
    assert told["argv"].endswith(f"--head={10**17}:aa:bb")
    for odd in ("\0", "zz", "--key"):
        answer = page.post("/api/log/verify", {"head": {"sequence": 1, "hash": odd, "seal": ""}})
        assert (answer.status_code, "hex digits" in answer.text) == (422, True)


def _found(house: House, query: str) -> dict[str, Any]:
    answer = house.people["regulator"].get(f"/api/log?{query}")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_the_whole_log_is_searched_on_the_server_not_only_what_a_page_has_loaded() -> None:
    """Entries far below the newest hundred are found, a page at a time, and the last page says that it is the last."""
    with serving() as server:
        house = House(server)
        _command(house.people["player"], "craps-1", command="buy-in", seat=1, cents=1000_00)
        for turn in range(130):
            _command(house.people["player"], "craps-1", command="make-wager", seat=1, wager="field", cents=5_00)
            if turn == 3:
                _command(house.people["player"], "craps-1", command="make-wager", seat=1, wager="any_seven", cents=5_00)
        head = house.people["regulator"].get("/api/log/head").json()["sequence"]
        [big] = _found(house, "text=any+seven&limit=3")["entries"]
        assert big["sequence"] < head - 100
        assert (big["name"], big["role"]) == ("Ann", "player")
        assert any("seven" in line.lower() for line in big["lines"])
        found, before = list[int](), 0
        while True:
            page = _found(house, f"stream=table/craps-1&text=field&limit=50&before={before}")
            found += [entry["sequence"] for entry in page["entries"]]
            assert (page["as_of"], page["behind"]) == (head, 0)
            if not (before := page["next"]):
                break
        assert len(found) == 130
        assert found == sorted(found, reverse=True)
        assert [entry["sequence"] for entry in _found(house, f"text={head}")["entries"]] == [head]
        assert _found(house, "text=field&stream=house")["entries"] == []
        assert {entry["hand"] for entry in _found(house, "hand=1&stream=table/craps-1")["entries"]} == {1}
        page = _found(house, f"before={head + 1}&limit=7")
        assert [entry["sequence"] for entry in page["entries"]] == list(range(head, head - 7, -1))
        assert page["next"] == head - 6
        assert _found(house, "before=3")["next"] == 0


def test_what_people_wrote_is_found_though_no_line_repeats_it(house: House) -> None:
    """A line says that a report was filed; the regulator looks for what stands in it."""
    filed = house.owner.post("/api/reports", {"record_class": "investigative", "text": "A zebra stood at the rail"})
    assert filed.status_code == 201, filed.text
    [found] = _found(house, "text=zebra")["entries"]
    assert found["command"]["text"] == "A zebra stood at the rail"
    assert not any("zebra" in line for line in found["lines"])


def test_a_page_ends_early_where_it_would_become_too_long(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is on the next page: nothing is left out."""
    monkeypatch.setattr("passline.web.api.log._PAGE_BYTES", 3_000)
    head = house.people["regulator"].get("/api/log/head").json()["sequence"]
    for query in ("", "&text=ann"):
        found, before = list[int](), head + 1
        while before:
            page = _found(house, f"before={before}{query}&limit=1000")
            assert len(page["entries"]) < 10
            found += [entry["sequence"] for entry in page["entries"]]
            before = page["next"]
        assert found == sorted(set(found), reverse=True)
        assert query or found == list(range(head, 0, -1))
    found, after = [], 0
    while entries := _found(house, f"after={after}&limit=1000")["entries"]:
        found += [entry["sequence"] for entry in entries]
        after = found[-1]
    assert found == list(range(1, head + 1))


def test_a_search_that_makes_no_sense_is_refused_with_a_reason(house: House) -> None:
    page = house.people["regulator"]
    for query, why in {
        "text=%3F%3F": "no letter or digit",
        f"text={'x' * 201}": "201 characters",
        f"text={'a+' * 13}": "at most 12",
        "hand=x": "whole number",
        "before=-1": "whole number",
    }.items():
        answer = page.get(f"/api/log?{query}")
        assert (answer.status_code, why in answer.text) == (422, True), answer.text
    for text in ('"', "NEAR(a b)", "text:*", "a AND", "-", "%25", "'); DROP TABLE words;--", "\x00"):
        assert page.get(f"/api/log?text={quote('ann ' + text)}").status_code == 200, text


def test_the_streams_of_the_log_are_listed(house: House) -> None:
    streams = house.people["regulator"].get("/api/log/streams").json()["streams"]
    assert streams.keys() >= {"house", "people", "table/craps-1"}
    assert house.people["dealer"].get("/api/log/streams").status_code == 403

"""An outage over HTTP: slips as they are printed, the batch that two people sign, and what Today says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from passline.cli.main import app
from passline.cli.options.act_fields import read_lines
from passline.client import Client
from passline.errors import CrapsError
from passline.office.verify import house_faults
from tests.people.house import PASSWORD, PIN
from tests.serving import serving as serving_process
from tests.web.house import House
from tests.web.server import ADDRESS, Browser, serving

pytestmark = pytest.mark.long

OFFICE = "/api/office/section2"
_HARBOUR = {"name": "Harbour", "zone": "UTC"}
_HANDS = (("Flo", "request_fill"), ("Cy", "prepare_fill"), ("Fay", "carry_fill"), ("Dan", "accept_fill"))


class _House(House):
    """A house with the people of a fill, by their names."""

    def __init__(self, server: Any) -> None:  # noqa: ANN401 - as the tests of the API have it
        super().__init__(server)
        self.pages: dict[str, Browser] = {"Olga": self.owner, "Dan": self.people["dealer"]}
        for name, role in (("Fay", "floorperson"), ("Cy", "cashier"), ("Abe", "accountant"), ("Sam", "supervisor")):
            welcome = server.hire(name, role, by=self.olga)
            self.pages[name] = self.page(welcome.token, welcome.session.csrf)
        self.pages["Flo"] = self.people["floorperson"]
        self.scans: list[str] = []

    def accounts(self) -> dict[str, str]:
        found = self.owner.get(f"{OFFICE}/people").json()["people"]
        return {person["name"]: person["account"] for person in found}

    def attaches(self, who: str, data: bytes) -> str:
        page = self.pages[who]
        headers = {"origin": ADDRESS, "x-csrf": page.csrf, "content-type": "application/octet-stream"}
        answer = page.client.post("/api/office/documents", content=data, headers=headers)
        self.scans.append(str(answer.json()["digest"]))
        return self.scans[-1]

    def sends(self, who: str, second: str = "", **command: Any) -> httpx.Response:  # noqa: ANN401 - of a command
        signed = {"sign_off": {"name": second, "pin": PIN}} if second else {}
        return self.pages[who].post(f"{OFFICE}/commands", {"command": command, "pin": PIN, **signed})

    def does(self, who: str, act: str, *things: str, second: str = "", part: str = "", **fields: Any) -> None:  # noqa: ANN401
        answer = self.sends(
            who, second, command="do-act", act=act, things=things, fields=fields, signs=part if second else ""
        )
        assert answer.status_code == 201, answer.text


@pytest.fixture(scope="module")
def down() -> Iterator[tuple[_House, str]]:
    """A house whose server was down for a quarter of an hour, and when that began."""
    with serving() as server:
        house = _House(server)
        assert house.sends("Olga", command="set-up-office", facility=_HARBOUR).status_code == 201
        house.does("Olga", "register_table", "t1", area="main floor")
        chips = {"500": 1000}
        house.does("Cy", "receive_chips", units=chips, delivery="note 1", second="Abe", part="witness")
        house.does("Cy", "issue_chips", units=chips, second="Abe", part="witness")
        house.does("Sam", "print_slips", form="fill_slip", pieces=3)
        house.does("Sam", "hand_out_slips", "MF-000001", "MF-000002", table="t1")
        began = server.clock.now
        server.clock.move(900)
        told = house.sends("Sam", command="do-act", act="record_outage", fields={"reason": "power"}, occurred=began)
        assert told.status_code == 201, told.text
        yield house, began


def _lines(house: _House, began: str, slip: str = "MF-000001") -> list[dict[str, Any]]:
    accounts, fields = house.accounts(), {"table": "t1", "units": {"500": 40}}
    return [
        {"slip": slip, "act": act, "by": accounts[who], "occurred": f"{began[:14]}0{place + 2}:00+00:00"}
        | ({"fields": fields} if place == 0 else {})
        for place, (who, act) in enumerate(_HANDS)
    ]


def _enters(house: _House, lines: list[dict[str, Any]], second: str = "Abe") -> httpx.Response:
    signs = {"signs": "second"} if second else {}
    scan = house.attaches("Sam", f"slips of {len(house.scans)}".encode())
    fields = {"lines": lines, "scan": scan}
    return house.sends("Sam", second, command="do-act", act="enter_outage", things=["O-000001"], fields=fields, **signs)


def test_slips_are_printed_blank_with_their_codes(down: tuple[_House, str]) -> None:
    house, _ = down
    page = house.people["dealer"].get(f"{OFFICE}/forms/fill_slip/MF-000001..MF-000003.html")
    assert page.status_code == 200, page.text
    assert [page.text.count(copy) for copy in ("Original", "Duplicate", "Triplicate")] == [3, 3, 3]
    assert page.text.count('class="qr"') == 9
    assert house.owner.get(f"{OFFICE}/forms/fill_slip/MF-000002.pdf").content[:5] == b"%PDF-"
    for place, status, why in (
        ("fill_slip/MF-000004.pdf", 404, "there is no manual slip MF-000004 of this form"),
        ("fill_slip/MF-000003..MF-000001.pdf", 422, "the first number before the last"),
        ("fill_slip/MF-000001..MF-900000.pdf", 422, "at most 200"),
        ("fill_slip/MF-000001..MX-000002.pdf", 422, "is not the number of a slip"),
        ("fill_slip/MF-000001..MF-x.pdf", 422, "is not the number of a slip"),
    ):
        answer = house.owner.get(f"{OFFICE}/forms/{place}")
        assert (answer.status_code, why in answer.text) == (status, True), answer.text


def test_the_office_says_which_acts_are_written_on_which_slip(down: tuple[_House, str]) -> None:
    forms = down[0].owner.get(OFFICE).json()["forms"]
    assert forms["fill_slip"]["manual"] == "MF"
    assert {"request_fill", "accept_fill", "void_fill", "return_fill"} <= {*forms["fill_slip"]["manual_acts"]}
    assert forms["incident_report"]["manual_acts"] == []


def test_a_batch_is_refused_whole_and_then_told_whole(down: tuple[_House, str]) -> None:
    house, began = down
    bad = _lines(house, began)
    bad[2] = {**bad[2], "slip": "MF-000009"}
    refused = _enters(house, bad)
    assert refused.status_code == 409
    assert refused.json()["refusals"][0] == {
        "clause": "practice",
        "why": "line 3, slip MF-000009: no slip of this number was ever printed",
    }
    alone = _enters(house, _lines(house, began), second="Sam")
    assert alone.status_code in {403, 409}, "nobody signs their own"
    answer = _enters(house, _lines(house, began))
    assert answer.status_code == 201, answer.text
    assert sum(line.startswith("Incident ") for line in answer.json()["lines"]) == 1
    today = house.owner.get(f"{OFFICE}/today").json()
    assert [slip["number"] for slip in today["slips"]] == ["MF-000002"]
    assert today["slips"][0]["handed_to"] == "handed to table t1"
    history = house.owner.get(f"{OFFICE}/things/fill_slip/F-000001").json()
    assert {act["slip"] for act in history["acts"]} == {"MF-000001"}
    again = _enters(house, _lines(house, began))
    assert "it is used already" in again.json()["refusals"][0]["why"]
    report = house.owner.get(f"{OFFICE}/forms/outage_report/O-000001.txt").text
    assert "MF-000001" in report
    owed: list[str] = []
    assert not list(house_faults(house.server.log.read(), owed=owed))
    assert owed == ["manual slip MF-000002, handed to table t1, missing since outage O-000001 of section2's office"]


# The command line.


def test_a_file_of_lines_names_people_as_they_are_called(tmp_path: Path) -> None:
    file = tmp_path / "slips.toml"
    people = [{"name": "Flo", "account": "a1"}, {"name": "Bob", "account": "a2"}, {"name": "Bob", "account": "a3"}]
    file.write_text(
        '[[line]]\nact = "x"\nby = "flo"\noccurred = 2026-03-02 14:10:00\nsigned = {second = "a2"}\n', encoding="utf-8"
    )
    assert read_lines(file, people) == [
        {"act": "x", "by": "a1", "occurred": "2026-03-02 14:10:00", "signed": {"second": "a2"}}
    ]
    for text, why in (
        ('[[line]]\nby = "Bob"\n', "line 1: Bob is the name of several people"),
        ("[[lines]]\n", "write \\[\\[line\\]\\] for each act"),
        ("line = 3\n", "write \\[\\[line\\]\\] for each act"),
        ("[[line\n", "slips.toml: "),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(CrapsError, match=why):
            read_lines(file, people)


@pytest.mark.whole
def test_an_outage_is_told_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_process(tmp_path / "data") as started, Client(started.address) as owner:
        owner.accept(started.owner_link, password=PASSWORD, name="Olga", pin=PIN)
        link = owner.post("/api/people", {"name": "Abe", "roles": ["accountant"]})["path"]
        with Client(started.address) as person:
            person.accept(link, password=PASSWORD, pin=PIN)
        monkeypatch.setenv("PASSLINE_PIN", PIN)

        def run(*words: str) -> str:
            result = CliRunner().invoke(
                app, ["office", *words, "--server", started.address, "--token", owner.token], catch_exceptions=True
            )
            return result.output if result.exit_code == 0 else f"failed: {result.output} {result.exception}"

        run("set-up", "section2", "--name", "Harbour", "--zone", "UTC", "--area", "pit-1")
        run("act", "section2", "print_slips", "form=drop_sheet", "pieces=2")
        run("act", "section2", "hand_out_slips", "MD-000001", "MD-000002", "area=pit-1")
        slips = tmp_path / "slips.txt"
        run("form", "section2", "drop_sheet", "MD-000001..MD-000002", "--to", str(slips))
        assert "Drop sheet MD-000002 (manual slip)" in slips.read_text(encoding="utf-8")
        at = owner.get("/api/office/section2/things/manual_slip")["things"][-1]["since"]
        said = run("act", "section2", "record_outage", "reason=power", "--occurred", at)
        assert "outage O-000001 is over." in said, said
        file = tmp_path / "lines.toml"
        file.write_text(
            f'[[line]]\nact = "void_slips"\nthings = ["MD-000001"]\nby = "Olga"\noccurred = "{at}"\n'
            'fields = {reason = "torn", handed_back = true}\nsigned = {witness = "Abe"}\n',
            encoding="utf-8",
        )
        assert "scan: attach the slips" in run("outage", "section2", "O-000001", str(file), "--by", "Abe")
        scan = tmp_path / "scan.pdf"
        scan.write_bytes(b"torn")
        said = run("outage", "section2", "O-000001", str(file), "--by", "Abe", "--scan", str(scan))
        assert "1 slip is missing: MD-000002" in said, said
        assert "missing  slip MD-000002, handed to pit-1, since outage O-000001" in run("today", "section2")

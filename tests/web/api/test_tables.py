"""Commands over HTTP: an id acts once, and a fault of the server is answered as one."""

from pathlib import Path
from typing import Any

import pytest

from passline.rules.pages.texts import read_pages
from passline.tables.commands import OpenTable
from passline.tables.verify import decision_faults
from tests.people.house import PIN
from tests.tables.changed_rulebook import OLD, installed_in, new_process, tamper
from tests.web.house import House
from tests.web.server import Server, serving


def test_an_id_sent_again_with_another_command_is_refused(house: House) -> None:
    asked: dict[str, Any] = {"id": "again", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    page = house.people["player"]
    first = page.post("/api/tables/craps-1/commands", asked)
    assert first.json() == page.post("/api/tables/craps-1/commands", asked).json()
    other = page.post("/api/tables/craps-1/commands", {**asked, "command": {**asked["command"], "cents": 200_00}})
    assert other.status_code == 409
    assert "the id again was sent before with another command" in other.json()["refusals"][0]["why"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"dice": "physical"}, True),
        ({"dice": "physical", "requires_dice_out": False}, False),
        ({"dice": "physical", "is_keyed": False}, False),
        ({"dice": "electronic"}, False),
    ],
)
def test_dice_out_is_required_where_dice_and_wagers_are_keyed_in_unless_the_house_says_otherwise(
    house: House, fields: dict[str, Any], *, expected: bool
) -> None:
    """An entry of an older log that says nothing about it means what it meant: not required."""
    name = "Out " + " ".join(f"{key} {value}" for key, value in fields.items())
    body = {"command": "open-table", "name": name, "house": {"rules": "maryland"}, **fields}
    opened = house.owner.post("/api/tables", body)
    assert opened.status_code == 201, opened.text
    view = house.owner.get(f"/api/tables/{opened.json()['table']}").json()
    assert view["table"]["requires_dice_out"] is expected
    assert OpenTable(name="Announced", house={"rules": "maryland"}, dice="physical").requires_dice_out is False


def test_a_fault_of_the_server_is_answered_with_500(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.tables.runtime.table_stream.decide", None)
    asked = {"id": "fault", "command": {"command": "buy-in", "seat": 1, "cents": 100_00}}
    answer = house.people["player"].post("/api/tables/craps-1/commands", asked)
    assert answer.status_code == 500
    assert answer.json()["refusals"][0]["why"] == "the server has a fault; nothing was done"


def test_a_changed_rulebook_stops_a_table_for_every_page_until_the_owner_adopts_it(tmp_path: Path) -> None:
    with installed_in(tmp_path) as root, serving() as server:
        house = House(server)
        ann, path = house.people["player"], "/api/tables/craps-1/commands"
        new = tamper(root)
        _look(server)
        wager = {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00}
        stopped = ann.post(path, {"id": "w1", "command": wager})
        assert stopped.status_code == 409
        assert "the table is stopped: its maryland rulebook is" in stopped.json()["refusals"][0]["why"]
        [listed] = ann.get("/api/tables").json()["tables"]
        assert (listed["rulebook"], listed["rulebook_installed"]) == (OLD, new)
        assert "the table is stopped" in listed["stopped"]
        assert "the table is stopped" in ann.get("/api/tables/craps-1").json()["table"]["stopped"]
        assert "Stopped: its rulebook changed" in ann.get("/", accept="text/html").text
        adopting = {"id": "r1", "command": {"command": "adopt-rulebook", "digest": new}, "role": "owner"}
        unsigned = house.owner.post(path, adopting)
        assert unsigned.status_code == 403
        assert "needs the signature of a floorperson or owner" in unsigned.json()["refusals"][0]["why"]
        signed = house.owner.post(path, {**adopting, "sign_off": {"name": "Flo", "pin": PIN}})
        assert signed.status_code == 200, signed.text
        assert ann.post(path, {"id": "w2", "command": wager}).status_code == 200
        assert ann.get("/api/tables").json()["tables"][0]["stopped"] == ""
        assert [*decision_faults(server.log.read())] == []


@pytest.mark.parametrize("is_new", [True, False], ids=["just begun", "running since before"])
def test_the_installed_rulebook_is_adopted_whenever_the_process_read_the_files(tmp_path: Path, *, is_new: bool) -> None:
    with installed_in(tmp_path) as root, serving() as server:
        house, path = House(server), "/api/tables/craps-1/commands"
        new = tamper(root)
        if is_new:
            new_process()
        _look(server)
        asked = {"id": "adopt", "command": {"command": "adopt-rulebook", "digest": new}, "role": "owner"}
        answer = house.owner.post(path, {**asked, "sign_off": {"name": "Flo", "pin": PIN}})
        assert answer.status_code == 200, answer.text
        assert house.owner.get("/api/tables").json()["tables"][0]["rulebook"] == new
        assert list(decision_faults(server.log.read())) == []


def test_the_only_owner_adopts_a_rulebook_and_closes_a_table_alone(tmp_path: Path) -> None:
    with installed_in(tmp_path) as root, serving() as server:
        house, path = House(server), "/api/tables/craps-1/commands"
        _leave(house)
        adopt = {"command": "adopt-rulebook", "digest": tamper(root)}
        new_process()
        _look(server)
        for command in (adopt, {"command": "close-table"}):
            asked = {"id": command["command"], "role": "owner"}
            unsigned = house.owner.post(path, {**asked, "command": command})
            assert "the only owner of a house sends is_sole_owner instead" in unsigned.text
            not_owner = {**asked, "role": "floorperson", "command": {**command, "is_sole_owner": True}}
            assert house.people["floorperson"].post(path, not_owner).status_code == 409
            alone = house.owner.post(path, {**asked, "command": {**command, "is_sole_owner": True}})
            assert alone.status_code == 200, alone.text
        assert list(decision_faults(server.log.read())) == []


@pytest.mark.clause("S2-d2.higher")
def test_S2_d2_higher__an_adoption_has_the_house_say_first_what_every_table_pays(tmp_path: Path) -> None:
    """S2-d2.higher: as at an opening; whoever may not adopt, or does not sign, has it say nothing."""
    with installed_in(tmp_path) as root, serving() as server:
        house, path = House(server), "/api/tables/craps-9/commands"
        assert house.owner.post("/api/tables", {"name": "Craps 9", "house": {"rules": "section2"}}).status_code == 201
        page = root / "section2" / "general.toml"
        page.write_bytes(page.read_bytes() + b"\n# read again\n")
        new_process()
        _look(server)
        said = len([*server.log.read_stream("house")])
        command = {"command": "adopt-rulebook", "digest": read_pages(page.parent).digest}
        asked = {"id": "adopt", "command": command, "role": "owner"}
        assert house.owner.post(path, asked).status_code == 403
        alone = {**asked, "role": "floorperson", "command": {**command, "is_sole_owner": True}}
        assert house.people["floorperson"].post(path, alone).status_code == 409
        assert len([*server.log.read_stream("house")]) == said
        for _ in range(2):  # the same answer again
            signed = house.owner.post(path, {**asked, "sign_off": {"name": "Flo", "pin": PIN}})
            assert signed.status_code == 200, signed.text
        assert len([*server.log.read_stream("house")]) == said + 1
        assert [*decision_faults(server.log.read())] == []


def test_one_of_two_owners_does_not_close_a_table_alone() -> None:
    with serving() as server:
        house, path = House(server), "/api/tables/craps-1/commands"
        _leave(house)
        [olga] = server.desk.people().owners()
        server.hire("Otto", "owner", by=olga.id)
        asked = {"id": "close", "command": {"command": "close-table", "is_sole_owner": True}, "role": "owner"}
        refused = house.owner.post(path, asked)
        assert refused.status_code == 409
        assert "this house has another owner, who can sign: leave is_sole_owner out" in refused.text
        [table] = server.services.floor.running_tables
        table.course._is_sole_owner = lambda _account: True  # a server that lies
        assert house.owner.post(path, asked).status_code == 200
        [fault] = decision_faults(server.log.read())
        assert "close-table is by" in fault.what
        assert "as the only owner; the owners are" in fault.what


def _leave(house: House) -> None:
    """Have Ann, who has the dice, leave the table."""
    for command in ("surrender-dice", "leave-seat"):
        asked = {"id": command, "command": {"command": command, "seat": 1}}
        answer = house.people["player"].post("/api/tables/craps-1/commands", asked)
        assert answer.status_code == 200, answer.text


def _look(server: Server) -> None:
    assert server.page.client.portal is not None
    server.page.client.portal.call(server.services.floor._look)

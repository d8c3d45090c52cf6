"""The back office over HTTP: set up, done, signed and refused, with the gate before a table opens."""

import shutil
from pathlib import Path

import pytest

from passline.office.verify import house_faults
from passline.rules.pages.library import FOLDERS
from passline.store.timestamps import later
from tests.people.house import PIN
from tests.rules.rulebooks import HARBOUR as HARBOUR_FOLDER
from tests.web.house import OPENING, House
from tests.web.server import serving

pytestmark = pytest.mark.long

HARBOUR = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}
IN_ARIZONA = {"command": {"command": "set-up-office", "facility": {**HARBOUR, "subdivision": "AZ"}}}
SET_UP = {"command": {"command": "set-up-office", "facility": HARBOUR}}


def _do(act: str, *things: str, **fields: object) -> dict[str, object]:
    return {"command": {"command": "do-act", "act": act, "things": list(things), "fields": fields}}


def _why(answer: object) -> list[str]:
    return [one["clause"] for one in answer.json()["refusals"]]  # type: ignore[attr-defined]


def test_an_office_is_set_up_and_shows_what_there_is_to_do(house: House) -> None:
    listed = house.people["regulator"].get("/api/office").json()
    assert (listed["kept"], [one["facility"] for one in listed["offices"]]) == ("elsewhere", [None] * 4)
    assert house.people["dealer"].get("/api/office/maryland/today").status_code == 409
    assert house.people["dealer"].post("/api/office/maryland/commands", SET_UP).status_code == 409
    wrong = {"command": {"command": "set-up-office", "facility": {**HARBOUR, "zone": "Atlantis"}}}
    assert "Atlantis" in house.owner.post("/api/office/maryland/commands", wrong).text
    assert house.owner.post("/api/office/maryland/commands", {**SET_UP, "id": "a"}).status_code == 201
    again = house.owner.post("/api/office/maryland/commands", {**SET_UP, "id": "a"})
    assert again.status_code == 201
    today = house.people["dealer"].get("/api/office/maryland/today").json()
    assert today["day"] == "2026-11-14"
    assert today["sign"] == []
    assert today["due"] == []
    owed = house.owner.get("/api/office/maryland/today").json()["due"]
    assert [(duty["clock"], duty["owes"]) for duty in owed] == [("users_reviewed", "compliance")]  # in months
    assert not list(house_faults(house.server.log.read()))


def test_an_act_is_done_by_whoever_may_and_kept_from_everybody_else(house: House) -> None:
    house.owner.post("/api/office/maryland/commands", SET_UP)
    entered = _do("enter_employee", "dan", post="dealer")
    assert _why(house.people["dealer"].post("/api/office/maryland/commands", entered)) == ["practice"]
    assert house.owner.post("/api/office/maryland/commands", entered).status_code == 201
    twice = house.owner.post("/api/office/maryland/commands", entered)
    assert (twice.status_code, _why(twice)) == (409, ["practice"])
    missing = house.owner.post("/api/office/maryland/commands", _do("enter_employee", "eve"))
    assert (missing.status_code, "post: is missing" in missing.text) == (409, True)
    unknown = house.owner.post("/api/office/maryland/commands", _do("burn_the_house"))
    assert _why(unknown) == ["office"]
    (dan,) = house.people["surveillance"].get("/api/office/maryland/things/person").json()["things"]
    assert (dan["id"], dan["state"], dan["facts"]) == ("dan", "off_duty", {"post": "dealer"})
    assert house.people["player"].get("/api/office/maryland/things/person").status_code == 403
    assert house.people["dealer"].get("/api/office/nevada").status_code == 404
    assert house.people["dealer"].get("/api/office/maryland/things/boat").status_code == 404
    server_only = {"command": {"command": "clear-table", "table": "x", "house": "y", "dice": "physical"}}
    assert _why(house.owner.post("/api/office/maryland/commands", server_only)) == ["duties"]
    assert not list(house_faults(house.server.log.read()))


def test_a_table_for_money_opens_only_through_the_gate_of_an_office_that_is_kept_here(house: House) -> None:
    here = {"where": "here", "sign_off": {"name": "Flo", "pin": PIN}}
    assert house.owner.post("/api/office", {"where": "here"}).status_code == 403
    assert house.people["floorperson"].post("/api/office", here).status_code == 403
    assert house.owner.post("/api/office", {**here, "where": "at sea"}).status_code == 409
    assert house.owner.post("/api/office", here).status_code == 201
    closed = house.owner.post("/api/tables", {**OPENING, "name": "Closed", "house": {"rules": "section2"}})
    assert (closed.status_code, _why(closed)) == (409, ["practice"])
    assert "bank_cents" in closed.text
    unset = {**OPENING, "name": "Closed", "house": {"rules": "section2"}, "bank_cents": 0}
    closed = house.owner.post("/api/tables", unset)
    assert closed.status_code == 409
    assert "set up" in closed.text
    practice = {**OPENING, "name": "Practice", "practice_cents_max": 100_00, "buy_in": "self"}
    assert house.owner.post("/api/tables", practice).status_code == 201
    assert not list(house_faults(house.server.log.read()))


def test_a_sign_off_that_nothing_asks_for_is_not_looked_at(house: House) -> None:
    house.owner.post("/api/office/maryland/commands", SET_UP)
    asked = {**_do("enter_employee", "dan", post="dealer"), "sign_off": {"name": "Flo", "pin": PIN}}
    refused = house.owner.post("/api/office/maryland/commands", asked)
    assert (refused.status_code, _why(refused)) == (422, ["office"])


def test_no_moment_is_chosen_over_http_and_what_is_told_late_takes_two(house: House) -> None:
    house.owner.post("/api/office/maryland/commands", SET_UP)
    yesterday = later(house.server.clock(), -86_400)
    drafted = _do("draft_house", "spring", file={"rules": "maryland"})
    drafted["command"]["occurred"] = yesterday  # type: ignore[index]
    refused = house.owner.post("/api/office/maryland/commands", drafted)
    assert (refused.status_code, "counts from its own entry" in refused.text) == (409, True)
    by = house.owner.get("/api/me").json()["account"]
    cy, acc = (house.server.hire(name, role, by=by) for name, role in (("Cy", "cashier"), ("Acc", "accountant")))
    cashier, accountant = (house.page(one.token, one.session.csrf) for one in (cy, acc))
    received = _do("receive_chips", units={"500": 100}, delivery="note 1")
    received["command"]["occurred"] = yesterday  # type: ignore[index]
    answer = cashier.post("/api/office/maryland/commands", received)
    assert answer.status_code == 201, answer.text
    done = answer.json()["events"][0]
    assert (done["moments"]["is_late"], done["waits"]) == (True, ["witness", "told_late"])
    for page, part in ((accountant, "witness"), (house.people["floorperson"], "told_late")):
        (due,) = [one for one in page.get("/api/office/maryland/today").json()["sign"] if one["part"] == part]
        sign = {"command": {"command": "sign-act", "number": due["number"], "part": part}}
        assert page.post("/api/office/maryland/commands", sign).status_code == 201
    assert house.owner.get("/api/office/maryland/today").json()["sign"] == []
    assert not list(house_faults(house.server.log.read()))


def test_an_only_owner_cannot_take_the_office_out_of_the_house_and_pages_say_where_it_is() -> None:
    """Kept elsewhere, nothing holds a table back: a floorperson's PIN is not enough for that."""
    with serving() as server:
        house = House(server)
        away = {"where": "elsewhere", "sign_off": {"name": "Flo", "pin": PIN}}
        pages = ("/house", "/office/maryland", "/office/maryland/set-up")
        shown = 'id="kept-elsewhere" role="note">'
        assert all(shown in house.owner.get(page).text for page in pages)
        assert house.owner.post("/api/office", {**away, "where": "here"}).status_code == 201
        assert not any(shown in house.owner.get(page).text for page in pages)
        empty = house.owner.get("/house").text  # whose form could not succeed
        assert '"can_open": false' in empty
        assert "No table can be opened yet" in empty
        for body in (away, {"where": "elsewhere"}):
            refused = house.owner.post("/api/office", body)
            assert (refused.status_code, _why(refused)) == (403, ["duties"])
            assert "takes two owners, and this house has no other one" in refused.text
        assert house.owner.get("/api/office").json()["kept"] == "here"
        assert not list(house_faults(house.server.log.read()))


def test_a_figure_that_makes_a_table_wait_is_told_with_its_day_before_it_is_set(house: House) -> None:
    house.owner.post("/api/office/arizona/commands", IN_ARIZONA)
    assert house.owner.get("/api/office/arizona").json()["delays"] == ["installation_notice"]
    asked = "/api/office/arizona/opening-day/installation_notice"
    day = house.owner.get(f"{asked}?count=3&unit=days").json()
    assert (day["told"], day["opens"], day["to"], day["is_told"]) == ("2026-11-15", "2026-11-18", ["TGO"], False)
    assert house.owner.get(f"{asked}?count=2&unit=hours").json()["opens"] == "2026-11-15 05:00"
    assert house.owner.get(f"{asked}?count=3&unit=moons").status_code == 422
    assert house.owner.get("/api/office/arizona/opening-day/table_limit?count=3&unit=days").status_code == 404


def test_forms_say_which_fields_a_paper_will_need_and_lists_what_was_not_refused(house: House) -> None:
    house.owner.post("/api/office/arizona/commands", IN_ARIZONA)  # refused where a test before has done it
    office = house.owner.get("/api/office/arizona").json()
    needed = office["needed"]["add_to_package"]
    assert needed["chips_described"] == "needed for Rules and procedures of play"
    assert "no_new_game" not in needed, "that may be left out"
    assert office["dice_sets"] == {}
    items = house.owner.get("/api/office/arizona/gates/open_table/craps-1").json()["items"]
    assert {item["key"] for item in items if item["is_ban"]} == {"tgo_refusal", "not_refused"}


def test_an_office_whose_pages_were_spoilt_says_which_file_and_what_is_wrong(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was 404, as if there were no such office."""
    shutil.copytree(HARBOUR_FOLDER, tmp_path / "harbour")
    (page,) = list((tmp_path / "harbour" / "office").glob("*.toml"))[:1]
    page.write_text(page.read_text(encoding="utf-8") + "\n[acts.dance]\nnam = 1\n", encoding="utf-8")
    monkeypatch.setenv(FOLDERS, str(tmp_path))
    answer = house.owner.get("/api/office/harbour")
    assert answer.status_code == 503, answer.text
    (refusal,) = answer.json()["refusals"]
    assert refusal["why"].startswith("the pages of harbour's office cannot be read: harbour/office/")
    assert f"{page.name}" in refusal["why"]
    assert "acts.dance" in refusal["why"]
    assert refusal["why"].endswith("mend that file, or take the change back")
    assert house.owner.get("/api/office/atlantis").status_code == 404

"""Accounts, ratings and dice over HTTP: read by those who must know, as JSON and as files, down to entries."""

from __future__ import annotations

from datetime import date

import pytest

from passline.web.api.accounts.comps import worth_in
from passline.web.api.accounts.dice import alarmed_in
from passline.web.api.accounts.investigations import results_in
from passline.web.api.accounts.theft import theft_in
from tests.web.house import House

pytestmark = pytest.mark.long

OFFICE = "/api/office/maryland"
FACILITY = {"name": "Harbour", "zone": "America/New_York", "subdivision": "MD"}


def _play(house: House) -> None:
    answer = house.owner.post(f"{OFFICE}/commands", {"command": {"command": "set-up-office", "facility": FACILITY}})
    assert answer.status_code == 201, answer.text
    player = house.people["player"]
    for number, command in enumerate(
        (
            {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00},
            {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00},
        )
    ):
        sent = player.post("/api/tables/craps-1/commands", {"id": f"play-{number}", "command": command})
        assert sent.status_code == 200, sent.text


def test_accounts_lead_from_the_house_to_a_hand_and_its_entries(house: House) -> None:
    _play(house)
    regulator = house.people["regulator"]
    month = regulator.get(f"{OFFICE}/accounts/house?period=month").json()
    (whole,) = month["accounts"]
    assert whole["theoretical"] == 56  # a line wager before, one now, and the field
    assert whole["rolls"] == month["furthest"]["looked_at"] == 1
    assert month["furthest"]["one_in"] == whole["one_in"] == 1, "one roll of a line wager says nothing"
    assert whole["low"] < whole["won"] < whole["high"]
    (game,) = regulator.get(f"{OFFICE}/accounts/game?period=month").json()["accounts"]
    assert (game["subject"], game["theoretical"], game["luck"]) == ("craps", whole["theoretical"], whole["luck"])
    shift = regulator.get(f"{OFFICE}/accounts/table?period=shift").json()
    (table,) = shift["accounts"]
    assert (table["subject"], table["stream"]) == ("craps-1", "table/craps-1")
    (hand,) = regulator.get(f"{OFFICE}/accounts/hands?table=craps-1&span={shift['span']}").json()["accounts"]
    assert (hand["first"], hand["last"], hand["theoretical"]) == (table["first"], table["last"], table["theoretical"])
    course = regulator.get(f"{OFFICE}/accounts/table/course?subject=craps-1&period=day").json()
    assert sum(one["theoretical"] for one in course["accounts"]) == 56
    behind = f"{OFFICE}/accounts/entries?table=craps-1&first={hand['first']}&last={hand['last']}"
    entries = regulator.get(behind).json()
    numbers = [one["sequence"] for one in entries["entries"]]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1], entries["earlier"]) == (hand["first"], hand["last"], 0)
    assert any("Pass Line is made for 10.00" in line for one in entries["entries"] for line in one["lines"])
    assert house.people["dealer"].get(behind).status_code == 403
    assert regulator.get(f"{OFFICE}/accounts/entries?first=1&last=9").status_code == 422
    assert regulator.get(f"{OFFICE}/accounts/hands").status_code == 422
    assert regulator.get(f"{OFFICE}/accounts/table?period=week").status_code == 422
    assert regulator.get(f"{OFFICE}/accounts/player").status_code == 422
    assert regulator.get(f"{OFFICE}/accounts/table?format=xlsx").content[:2] == b"PK"
    found = regulator.get(f"{OFFICE}/statistics?by=house&day=2026-11-15").json()["statistics"]
    (own,) = [own for own in found if own["time"] == "month"]
    assert (own["theoretical"], own["keyed"], own["base_hold"]) == (56, 1.0, None), "nothing was dropped"
    assert regulator.get(f"{OFFICE}/statistics?format=pdf").content[:5] == b"%PDF-"
    assert regulator.get(f"{OFFICE}/statistics?by=dealer").status_code == 422
    assert house.people["dealer"].get(f"{OFFICE}/statistics").status_code == 403
    odd = regulator.get(f"{OFFICE}/accounts/hands?table=craps-1&span=%0A%C5%9A%22%26&format=xlsx")
    assert (odd.status_code, odd.headers["content-disposition"]) == (200, 'attachment; filename="hands-craps-1--.xlsx"')
    assert b'"theoretical_cents":42' in regulator.get(f"{OFFICE}/accounts/table?format=jsonl").content


def test_ratings_and_dice_are_read_by_those_who_must_know(house: House) -> None:
    _play(house)
    found = house.owner.get(f"{OFFICE}/ratings?period=month").json()
    (rating,) = found["ratings"]
    assert (rating["is_estimated"], rating["theoretical"], rating["decided"]) == (False, 56, 1)
    assert found["names"][rating["patron"]]
    visits = house.owner.get(f"{OFFICE}/ratings/visits?player={rating['patron']}&span={found['span']}").json()["visits"]
    assert {visit["stream"] for visit in visits} == {"table/craps-1"}
    assert sum(visit["decided"] for visit in visits) == 1
    course = house.owner.get(f"{OFFICE}/ratings/course?player={rating['patron']}&period=day").json()
    assert sum(day["theoretical"] for day in course["ratings"]) == 56
    assert (course["players"], course["name"]) == (rating["players"], found["names"][rating["patron"]])
    assert house.people["dealer"].get(f"{OFFICE}/ratings/course?player={rating['patron']}").status_code == 403
    assert house.owner.get(f"{OFFICE}/ratings/course").status_code == 422
    assert house.owner.get(f"{OFFICE}/ratings?period=shift").status_code == 422
    assert house.owner.get(f"{OFFICE}/ratings?format=jsonl").status_code == 200
    for role in ("dealer", "floorperson", "player"):
        assert house.people[role].get(f"{OFFICE}/accounts/table").status_code == 403
        assert house.people[role].get(f"{OFFICE}/ratings").status_code == 403
    assert house.people["dealer"].get(f"{OFFICE}/dice-evidence").status_code == 403
    dice = house.people["floorperson"].get(f"{OFFICE}/dice-evidence").json()
    assert (dice["one_in"], dice["bound"], dice["sets"]) == (1000, 1000, [])
    assert house.people["dealer"].get(f"{OFFICE}/theft").status_code == 403
    theft = house.owner.get(f"{OFFICE}/theft").json()
    assert (theft["one_in"], theft["lines"], len(theft["assumptions"])) == (20, [], 4)
    assert house.owner.get(f"{OFFICE}/theft?format=jsonl").status_code == 200
    assert house.people["dealer"].get(f"{OFFICE}/investigations/I-1.pdf").status_code == 403
    assert "no incident 'I-1' about a result" in house.owner.get(f"{OFFICE}/investigations/I-1.pdf").text
    assert "is printed as .pdf" in house.owner.get(f"{OFFICE}/investigations/I-1").text
    assert house.people["surveillance"].get(f"{OFFICE}/investigations").json()["investigations"] == []
    assert house.owner.get(f"{OFFICE}/investigations?format=xlsx").content[:2] == b"PK"
    assert house.owner.get(f"{OFFICE}/investigations?before=x").status_code == 422
    for page in ("/api/office/maryland", "/office/maryland/accounts"):
        assert house.people["dealer"].get(f"{page}/investigations").status_code == 403
    assert "/office/maryland/accounts/investigations" in house.owner.get("/office/maryland/accounts").text
    tax = house.owner.get(f"{OFFICE}/tax?year=2026").json()
    assert [(own["month"], own["gross"], own["tax"]) for own in tax["months"]] == [("", 0, None)], "nothing was counted"
    assert house.owner.get(f"{OFFICE}/tax?format=pdf").content[:5] == b"%PDF-"
    assert house.owner.get(f"{OFFICE}/tax?year=now").status_code == 422
    assert house.people["dealer"].get(f"{OFFICE}/tax").status_code == 403
    services = house.server.services
    portal = house.server.page.client.portal
    assert portal is not None
    portal.call(services.offices.note_dice, alarmed_in(services))
    portal.call(services.offices.note_skims, theft_in(services))
    portal.call(services.offices.note_results, results_in(services))
    portal.call(services.offices.note_comps, worth_in(services))
    assert not house.owner.get(f"{OFFICE}/things/incident").json()["things"]


def test_a_patron_s_play_is_worth_what_the_wagers_say_and_the_statement_hides_it(house: House) -> None:
    _play(house)
    (rating,) = house.owner.get(f"{OFFICE}/ratings?period=day").json()["ratings"]
    account = rating["patron"].removeprefix("account/")
    for act, fields in (("enter_patron", {"name": "Ann"}), ("link_patron", {"accounts": [account]})):
        command = {"command": "do-act", "act": act, "things": ["P1"], "fields": fields}
        answer = house.owner.post(f"{OFFICE}/commands", {"command": command})
        assert answer.status_code == 201, answer.text
    portal = house.server.page.client.portal
    assert portal is not None
    worth = portal.call(worth_in(house.server.services), "maryland", date.fromisoformat(rating["span"]))
    assert worth == {"P1": rating["theoretical"]}
    assert rating["theoretical"] >= 42, "of the line, of the field, and of the line wager before if it is as late"
    found = house.owner.get(f"{OFFICE}/statement?patron=P1").json()
    played = {day["day"]: (day["won"], day["wagered"]) for day in found["days"]}
    assert played[rating["span"]] == (-rating["won"], rating["wagered"])
    text = house.owner.get(f"{OFFICE}/statement?patron=P1&format=txt").text
    assert "Ann, patron P1" in text
    assert "theoretical" not in text.casefold()
    assert house.owner.get(f"{OFFICE}/statement?patron=P1&format=pdf").content[:5] == b"%PDF-"
    assert house.owner.get(f"{OFFICE}/statement?patron=P9").status_code == 422
    assert house.owner.get(f"{OFFICE}/statement?patron=P1&year=26").status_code == 422
    comps = house.owner.get(f"{OFFICE}/comps?by=day").json()
    assert (comps["comps"], comps["by"]) == ([], "day"), "nothing is earned before the day is over"
    assert house.owner.get(f"{OFFICE}/comps?format=xlsx").content[:2] == b"PK"
    assert house.owner.get(f"{OFFICE}/comps?by=crew").status_code == 422
    for path in ("comps", "statement?patron=P1"):
        assert house.people["dealer"].get(f"{OFFICE}/{path}").status_code == 403

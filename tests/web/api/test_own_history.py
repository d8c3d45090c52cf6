"""What a player reads of their own play over HTTP, and what a wager costs: theirs alone, by the clauses."""

import pytest

from passline.web.api import history
from tests.web.house import OPENING, House


def test_a_player_reads_their_own_hands_and_nobody_elses(house: House) -> None:
    ann, dan = house.people["player"], house.people["dealer"]
    page = ann.get("/api/me/hands").json()
    (hand,) = page["hands"]
    assert (hand["table"], hand["hand"], [roll["decided"] for roll in hand["rolls"]]) == (
        "craps-1", 1, [[["pass", 0, "Pass Line", 10_00, -10_00]]],
    )  # fmt: skip
    assert [(one["name"], one["decided"], one["net"]) for one in page["results"]] == [("Pass Line", 1, -10_00)]
    (luck,) = page["luck"]
    assert luck["rolls"] == 1
    assert luck["won"] == luck["expected"] + luck["luck"] == -10_00  # nothing is up any more
    assert luck["luck"] < 0
    assert luck["one_in"] == 1, "a line wager lost says nothing"
    assert luck["low"] < luck["luck"] < luck["high"]
    assert dan.get("/api/me/hands").json()["hands"] == []
    assert dan.get("/api/me/tables/craps-1/hands/1").status_code == 404
    assert house.people["nobody"].get("/api/me/hands").status_code == 401


def test_a_hand_is_replayed_with_what_everybody_saw_and_the_players_own_rack(house: House) -> None:
    ann = house.people["player"]
    told = ann.get("/api/me/tables/craps-1/hands/1").json()["entries"]
    assert [one["call"] for one in told if one["call"]] == ["Aces, craps, line away"]
    for one in told:
        now = ann.get(f"/api/me/entries/{one['sequence']}/hash").json()
        assert now == {"sequence": one["sequence"], "hash": one["hash"]}
    seen = ann.get(f"/api/me/tables/craps-1/at/{told[-1]['sequence']}").json()
    assert seen["own"]["rack"] == 490_00
    assert not {"racks", "bank", "drop", "balances"} & {*seen, *seen["own"], *seen["table"]}
    assert house.people["dealer"].get(f"/api/me/tables/craps-1/at/{told[-1]['sequence']}").status_code == 404
    assert ann.get("/api/me/entries/99999/hash").status_code == 404


@pytest.mark.clause("AZ-II.N.2")
def test_AZ_II_N_2__costs_are_told_once_both_authorities_have_approved(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AZ-II.N.2: an aid that analyses outcomes takes the approval of both; Maryland bans none."""

    async def lines(_version: str, _rules: object) -> bytes:
        return b"[]"

    monkeypatch.setattr(history, "sheet_lines", lines)
    ann = house.people["player"]
    told = ann.get("/api/tables/craps-1/costs").json()
    assert told["pace"] == {"rolls_an_hour": 100, "rolls": 0}
    report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
    assert house.owner.post("/api/approvals", report).is_success
    by_hand = {"dice": "physical", "buy_in": "dealer", "automate": ["button", "offer", "pass", "settle"]}
    opened = house.owner.post("/api/tables", {**OPENING, "name": "Craps 2", "house": {"rules": "arizona"}, **by_hand})
    assert opened.status_code == 201, opened.text
    for authority in ("TGO", "SGA"):
        refused = ann.get("/api/tables/craps-2/costs")
        assert refused.status_code == 403
        assert refused.json()["refusals"][0]["clause"] == "AZ-II.N.2"
        approval = {"kind": "prediction_aid", "authority": authority, "reference": "17", "date": "2026-01-02"}
        filed = house.owner.post("/api/approvals", approval)
        assert filed.is_success, filed.text
    assert ann.get("/api/tables/craps-2/costs").status_code == 200

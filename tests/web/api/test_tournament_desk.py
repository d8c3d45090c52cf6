"""The desk of a tournament over HTTP: one that is stuck is cancelled, and what a first round lacks is said."""

from __future__ import annotations

from typing import Any

import pytest

from passline.tournament.plan.reader import example_text
from passline.tournament.verify import log_faults
from tests.people.house import PIN
from tests.waiting import wait_until
from tests.web.api.small_evening import MAIN, sent, small_plan
from tests.web.house import House

pytestmark = pytest.mark.long


def _planned(house: House, id_: str) -> str:
    """Keep the small plan under an id; return the address of its commands."""
    plan = {**small_plan(), "id": id_}
    assert sent(house.owner, "/api/tournaments/commands", command="plan-tournament", plan=plan)[0] == 201
    return f"/api/tournaments/{id_}/commands"


def _playing(house: House) -> tuple[str, Any]:
    """A round of two players that is being played at a live table: the address of commands, and what reads it."""
    owner, to = house.owner, "/api/tournaments/stuck/commands"
    assert (
        sent(owner, "/api/tournaments/commands", command="plan-tournament", plan={**small_plan(), "id": "stuck"})[0]
        == 201
    )
    for entry, name in enumerate(("Ann", "Bob"), start=1):
        assert sent(owner, to, command="enter-player", event=MAIN, name=name)[0] == 201
        assert sent(owner, to, command="sign-in-player", entry=entry)[0] == 201

    def seen() -> dict[str, Any]:
        data: dict[str, Any] = owner.get("/api/tournaments/stuck").json()
        return data

    assert sent(owner, to, command="prepare-round", event=MAIN, tables=["stuck-1"])[0] == 201
    wait_until(lambda: seen()["rounds"][-1]["phase"] == "drawn")
    assert sent(owner, to, command="start-round")[0] == 201
    wait_until(
        lambda: (
            owner.get("/api/tables/stuck-1").status_code == 200
            and len(owner.get("/api/tables/stuck-1").json()["table"]["seats"]) == 2
        )
    )
    return to, seen


def test_a_tournament_that_is_stuck_is_cancelled_and_given_back(house: House) -> None:
    owner, flo = house.owner, {"name": "Flo", "pin": PIN}
    to, seen = _playing(house)
    cancels = {"command": "cancel-tournament", "reason": "the power is out"}
    assert sent(house.people["player"], to, **cancels)[0] == 409
    status, answer = sent(owner, to, **cancels)
    assert (status, answer["refusals"][0]["clause"]) == (403, "sign-off")
    assert "to cancel the tournament needs the signature of" in answer["refusals"][0]["why"]
    assert owner.post(to, {"command": cancels, "sign_off": flo}).status_code == 201
    wait_until(lambda: owner.get("/api/tables/stuck-1").json()["table"]["status"] == "closed")
    assert "never goes on" in str(sent(owner, to, command="end-round"))
    now = seen()
    assert (now["cancelled"], now["boards"][0]["phase"]) == ("the power is out", "cancelled")
    assert [(due["name"], due["cents"]) for due in now["refunds"]] == [("Ann", 150_00), ("Bob", 150_00)]
    assert "CO-2315.05-noretain" in str(sent(owner, to, command="close-tournament"))
    for entry in (1, 2):
        gives = {"command": "refund-entry", "entry": entry}
        paid = owner.post(to, {"command": gives, "sign_off": flo})
        assert paid.status_code == 201, paid.text
    assert (seen()["refunds"], seen()["balances"]) == ([], {})
    assert sent(owner, to, command="close-tournament")[0] == 201
    listed = owner.get("/api/tournaments").json()["tournaments"]
    assert [one["phase"] for one in listed if one["id"] == "stuck"] == ["closed"]
    assert list(log_faults(house.server.log.read())) == []


def test_the_desk_says_what_nobody_checks_here_and_which_fees_are_expected(house: House) -> None:
    owner = house.owner
    to = _planned(house, "elsewhere")
    assert sent(owner, to, command="enter-player", event=MAIN, name="Ann")[0] == 201
    now = owner.get("/api/tournaments/elsewhere").json()
    assert now["checks"]["is_checked"] is False, "this house keeps its office elsewhere"
    assert {item["clause"] for item in now["checks"]["items"]} >= {"CO-2315.06-copydivision", "CO-2315.06-copyplayers"}
    assert all(item["by"] and not item["path"] for item in now["checks"]["items"])
    assert now["fees"] == {"expected_cents": 50_00, "counted_cents": None, "is_settled": False, "must_agree": True}
    assert 'data-office="elsewhere"' in owner.get("/tournaments").text
    gate = owner.post("/api/tournaments/check", {"text": example_text("colorado")}).json()["gate"]
    assert "its rules are not written" in [one["why"] for one in gate]


def test_a_house_that_keeps_its_office_leads_to_what_a_first_round_lacks(house: House) -> None:
    owner = house.owner
    _planned(house, "here")
    kept = owner.post("/api/office", {"where": "here", "sign_off": {"name": "Flo", "pin": PIN}})
    assert kept.is_success, kept.text
    zone = {"name": "Mine", "zone": "America/Denver", "subdivision": "CO"}
    sent(owner, "/api/office/colorado/commands", command="set-up-office", facility=zone)  # or a test before has
    checks = owner.get("/api/tournaments/here").json()["checks"]
    assert checks["is_checked"]
    written = next(item for item in checks["items"] if item["clause"] == "CO-2315.06-written")
    assert written["wrong"] == ["tournament here: its rules are not written"]
    assert written["path"] == "/office/colorado/tournaments#write_tournament=here"
    assert written["by"] == ["compliance", "director"]

"""Who may use the laboratory: under a ban nobody before the approvals, and then nobody who plays; elsewhere anybody."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from passline.tournament.events import Paid
from passline.tournament.state import HeldRound, KnownEntry, TournamentState
from passline.web.api import lab
from passline.web.lab.admission import is_running
from passline.web.server.responses import json_response
from tests.web.house import OPENING, House
from tests.web.server import serving

BY_HAND = {"dice": "physical", "buy_in": "dealer", "automate": ["button", "offer", "pass", "settle"]}
LAWS = {"house": {"regulation": "maryland"}, "session": {"bankroll_cents": 50_000, "rolls": 9}, "strategies": [{}]}
PATHS = ("/api/lab", "/lab")


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house of its own, since its tables and approvals decide; whoever is admitted gets an empty answer."""
    monkeypatch.setattr(lab, "LabAnswer", lambda *_: json_response({}))
    monkeypatch.setattr("passline.web.lab.queue.Lane.warm", lambda _lane: None)
    with serving() as server:
        yield House(server)


def _status(house: House, role: str) -> set[int]:
    page = house.people[role]
    return {page.get(path).status_code for path in PATHS} | {page.post("/api/lab/laws", LAWS).status_code}


def _refusal(house: House, role: str) -> tuple[str, str]:
    (refused,) = house.people[role].post("/api/lab/laws", LAWS).json()["refusals"]
    return refused["clause"], refused["why"]


def test_where_nothing_is_banned_anybody_asks_also_at_a_table(house: House) -> None:
    for role in ("nobody", "player", "dealer"):
        assert _status(house, role) == {200}, role
    known = house.people["nobody"].get("/api/lab").json()
    assert {"maryland", "arizona"} <= {regulation["name"] for regulation in known["regulations"]}
    molly = next(strategy for strategy in known["strategies"] if strategy["name"] == "molly")
    assert molly["parameters"] == {"unit": "1000", "odds": "2", "points": "3"}
    page = house.people["nobody"].get("/lab")
    assert "img-src 'self' blob:" in page.headers["content-security-policy"]
    assert 'data-regulation="maryland"' in page.text


@pytest.mark.clause("AZ-II.N.2")
def test_AZ_II_N_2__the_laboratory_is_off_until_both_approve_and_refused_to_whoever_plays(house: House) -> None:
    """AZ-II.N.2: what analyses outcomes takes the approval of both; approved, it is no aid for whoever sits."""
    report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
    assert house.owner.post("/api/approvals", report).is_success
    body = {**OPENING, "name": "Craps 2", "house": {"rules": "arizona"}, **BY_HAND}
    assert house.owner.post("/api/tables", body).status_code == 201
    for authority in ("TGO", "SGA"):
        for role in ("nobody", "player", "dealer", "owner", "regulator"):
            assert _status(house, role) == {403}, role
            clause, why = _refusal(house, role)
            assert clause == "AZ-II.N.2"
            assert "off on this server until TGO and SGA have approved it" in why
        page = house.people["owner"].get("/lab")
        assert "until TGO and SGA have approved it, and an approval of each is on file [AZ-II.N.2]" in page.text
        approval = {"kind": "prediction_aid", "authority": authority, "reference": "17", "date": "2026-01-02"}
        assert house.owner.post("/api/approvals", approval).is_success
    assert _status(house, "dealer") == _status(house, "regulator") == {200}
    assert _status(house, "player") == {403}, "Ann sits at a table"
    assert _refusal(house, "player") == (
        "AZ-II.N.2", "you sit at a table: leave first; nobody at a table may use an aid that analyses outcomes",
    )  # fmt: skip
    assert _status(house, "nobody") == {401}, "who is not logged in may sit anywhere"
    assert _refusal(house, "nobody")[0] == "AZ-II.N.2"
    pat = house.server.hire("Pat", "player", by=house.olga)
    house.people["other player"] = house.page(pat.token, pat.session.csrf)
    assert _status(house, "other player") == {200}
    withdrawn = {"kind": "prediction_aid", "authority": "SGA", "reference": "17", "reason": "it lapsed"}
    answer = house.owner.post("/api/approvals/withdraw", withdrawn)
    assert answer.is_success, answer.text
    assert _status(house, "other player") == {403}


def test_a_demo_refuses_those_alone_who_sit_under_a_ban(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.web.lab.queue.Lane.warm", lambda _lane: None)
    with serving(is_demo=True) as server:
        house = House(server)
        report = {"kind": "laboratory_report", "authority": "laboratory", "reference": "L-7", "date": "2026-01-02"}
        assert house.owner.post("/api/approvals", report).is_success
        body = {**OPENING, "name": "Craps 2", "house": {"rules": "arizona"}, **BY_HAND}
        assert house.owner.post("/api/tables", body).status_code == 201
        player = house.people["player"]
        assert house.people["nobody"].get("/api/lab").status_code == player.get("/api/lab").status_code == 200
        seat = {"id": "sit", "command": {"command": "take-seat", "seat": 1}}
        seated = player.post("/api/tables/craps-2/commands", seat)
        assert seated.status_code == 200, seated.text
        refused = player.get("/api/lab")
        assert (refused.status_code, refused.json()["refusals"][0]["clause"]) == (403, "AZ-II.N.2")
        assert house.people["nobody"].get("/api/lab").status_code == 200


def test_somebody_plays_in_a_tournament_from_its_first_round_until_they_are_out() -> None:
    paid = Paid("cash", 0)
    entry = KnownEntry(1, "main", "Ann", "ann", paid, paid, status="in")
    first = HeldRound(1, "main", "Round 1", (1,), ("t-1",), 5)
    state = TournamentState(entries={"1": entry}, rounds=(first,))
    assert is_running(state, "ann")
    assert not is_running(state, "bob")
    for change in (
        {"rounds": ()},
        {"is_closed": True},
        {"cancelled": "no players"},
        {"concluded": ("main",)},
        {"entries": {"1": msgspec.structs.replace(entry, status="eliminated")}},
    ):
        assert not is_running(msgspec.structs.replace(state, **change), "ann"), change

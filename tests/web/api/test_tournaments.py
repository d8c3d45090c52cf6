"""A tournament over HTTP: planned, entered, drawn, dealt at a live table, paid out, and verified from the log."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from passline.rules.pages.texts import Pages, packed_pages
from passline.tournament.plan.reader import example_text
from passline.tournament.rules import TOURNAMENT_RULES
from passline.tournament.verify import log_faults
from passline.web.api.office_lists import cash_in
from tests.people.house import PIN
from tests.waiting import wait_until
from tests.web.api.small_evening import MAIN, STEPS, sent, small_plan
from tests.web.house import House
from tests.web.server import Browser

pytestmark = pytest.mark.long


def lavish_plan_refused(page: Browser, to: str) -> str:
    """Send a plan beyond the limits, with pages that leave the limits out; return why it is refused."""
    plan, pages = small_plan(), TOURNAMENT_RULES.installed_pages("colorado")
    plan["events"][0]["fee_cents"] = 200_000_00
    offer = b'[offer]\nforms = ["single", "series"]\ncite = "CO-2315-1-form"\n'
    forged = Pages("colorado", {**pages.texts, "colorado/tournament.toml": offer})
    status, refused = sent(page, to, command="plan-tournament", plan=plan, pages=packed_pages(forged))
    assert status == 409, refused
    return str(refused)


def test_a_tournament_is_held_over_http(house: House) -> None:  # noqa: PLR0915 - a whole evening
    owner, player = house.owner, house.people["player"]
    status, refused = sent(owner, "/api/tournaments/commands", command="plan-tournament", plan={"id": "x"})
    assert status == 422, refused
    status, refused = sent(
        owner, "/api/tournaments/commands", command="plan-tournament", plan={**small_plan(), "rules": "maryland"}
    )
    assert status in {400, 409, 422}
    assert "has no tournaments" in str(refused)
    status, planned = sent(owner, "/api/tournaments/commands", command="plan-tournament", plan=small_plan())
    assert (status, planned["tournament"]) == (201, "evening"), planned
    to = "/api/tournaments/evening/commands"
    assert "CO-2315.05-fee" in lavish_plan_refused(owner, to)
    ann = player.get("/api/me").json()["account"]
    assert sent(player, to, command="enter-player", event=MAIN, name="Ann", account=ann)[0] == 409
    status, answer = sent(owner, to, command="enter-player", event=MAIN, name="Ann", account="anna")
    assert (status, "nobody here has the account 'anna'" in str(answer)) == (422, True)
    for name, account in (("Ann", ann), ("Bob", "")):
        status, answer = sent(owner, to, command="enter-player", event=MAIN, name=name, account=account)
        assert status == 201, answer
    for entry in (1, 2):
        assert sent(owner, to, command="sign-in-player", entry=entry)[0] == 201
    status, answer = sent(owner, to, command="draw-seats", prepared=1, hash="", key="", next_digest="")
    assert (status, "the server does it by itself" in str(answer)) == (409, True)
    nonce = b"n" * 32
    promise = {"command": "promise-nonce", "entry": 1, "digest": sha256(nonce).hexdigest()}
    assert sent(owner, to, **promise)[0] == 409  # nobody promises for a player
    assert sent(player, to, **promise)[0] == 201
    assert sent(owner, to, command="prepare-round", event=MAIN, tables=["final-1"])[0] == 201
    lot = player.get("/api/tournaments/evening").json()["lot"]
    assert lot == {"promised": [], "waits_for": [1]}
    assert sent(player, to, command="reveal-nonce", entry=1, nonce=nonce.hex())[0] == 201

    def seen() -> dict[str, Any]:
        data: dict[str, Any] = owner.get("/api/tournaments/evening").json()
        return data

    wait_until(lambda: seen()["rounds"][-1]["phase"] == "drawn")
    status, started = sent(owner, to, command="start-round")
    assert status == 201, started
    wait_until(lambda: house.owner.get("/api/tables/final-1").status_code == 200 and len(_players(house)) == 2)
    assert seen()["rounds"][-1]["nonces"] == {"1": nonce.hex()}
    seat = next(one["seat"] for one in seen()["rounds"][-1]["seats"] if one["entry"] == 1)
    at = "/api/tables/final-1/commands"
    forged = owner.post("/api/tables", {**_opening(), "points": {"tournament": "evening", "round": 1}})
    assert (forged.status_code, "at the director's desk" in forged.text) == (409, True), forged.text
    assert "CO-2316-1-noredeem" in str(sent(player, at, command="leave-seat", seat=seat))
    assert "CO-2316-1-exchange" in str(sent(player, at, command="buy-in", seat=seat, cents=100_00))
    while True:
        shooter = _table(house)["shooter"] or _table(house)["offered_to"]
        if shooter == seat:
            break
        sent(house.people["dealer"], at, command="decline-dice", seat=shooter)
    sent(player, at, command="accept-dice", seat=seat)
    wager = {"command": "make-wager", "seat": seat, "wager": "pass", "cents": 2000_00}  # twenty times the usual limit
    assert sent(player, at, **wager)[0] == 200
    assert sent(player, at, command="roll", seat=seat)[0] == 200  # 1-1: craps
    board = player.get("/api/tournaments/evening").json()
    assert board["own"][0]["points"] == 500
    assert "entries" not in board
    assert sent(player, at, **{**wager, "cents": 100_00})[0] == 200
    assert sent(player, at, command="roll", seat=seat)[0] == 200
    wait_until(lambda: bool(seen()["rounds"][-1].get("house")))
    assert seen()["rounds"][-1]["points"] == {"1": 400, "2": 2500}
    assert sent(owner, to, command="end-round")[0] == 201
    assert sent(owner, to, command="conclude-event", event=MAIN)[0] == 201
    assert "CO-2315.05-payall" in str(sent(owner, to, command="close-tournament"))
    pays, flo = {"command": "pay-prize", "entry": 2}, {"name": "Flo", "pin": PIN}
    status, answer = sent(owner, to, **pays)
    assert (status, answer["refusals"][0]["clause"]) == (403, "sign-off"), "a second person signs"
    assert sent(owner, to, **pays, is_alone=True)[0] == 403  # which the server knows better
    account = next(one.id for one in house.server.desk.people().accounts.values() if one.name == "Flo")
    assert owner.post(f"/api/people/{account}/disable", {"reason": "none"}).is_success
    status, answer = sent(owner, to, **pays)
    assert (status, answer["refusals"][0]["clause"]) == (403, "sign-off"), "nobody is alone who sent the others away"
    assert owner.post(f"/api/people/{account}/enable", {}).is_success
    for wrong in ({**flo, "pin": "0000"}, {"name": "Ann", "pin": PIN}, {"name": "Dan", "pin": PIN}):
        assert owner.post(to, {"command": pays, "sign_off": wrong}).status_code == 403  # nor a player who won nothing
    paid = owner.post(to, {"id": "pay-2", "command": pays, "sign_off": flo})
    assert paid.status_code == 201, paid.text
    again = owner.post(to, {"id": "pay-2", "command": pays, "sign_off": flo, "again": True})
    assert again.json()["sequence"] == paid.json()["sequence"]
    assert sent(owner, to, command="count-fees", counted=100_00)[0] == 201
    assert sent(owner, to, command="close-tournament")[0] == 201
    for paper in ("rules", "entrants", "prizes", "tax", "log", "sign-in"):
        answer = owner.get(f"/api/tournaments/evening/papers/{paper}")
        assert (answer.status_code, answer.content[:4]) == (200, b"%PDF"), answer.text
    rows = owner.get("/api/tournaments/evening/papers/prizes?form=jsonl").text.splitlines()
    assert '"value_cents":20000' in rows[0]
    assert player.get("/api/tournaments/evening/papers/log").status_code == 403
    assert list(log_faults(house.server.log.read())) == []


def _pass_an_hour(house: House) -> None:
    """Move the clock by more than an hour, in which everybody has been seen."""
    for _ in range(4):
        house.server.clock.move(1_000)
        for page in house.people.values():
            page.get("/api/me")


def test_fees_are_cash_of_the_office_and_are_reported_and_verified(house: House) -> None:
    owner, office = house.owner, "/api/office/colorado"
    zone = {"name": "Mine", "zone": "America/Denver", "subdivision": "CO"}
    assert sent(owner, f"{office}/commands", command="set-up-office", facility=zone)[0] == 201
    plan = {**small_plan(), "id": "cash"}
    assert sent(owner, "/api/tournaments/commands", command="plan-tournament", plan=plan)[0] == 201
    ann = house.people["player"].get("/api/me").json()["account"]
    for name, account in (("Ann", ann), ("Bob", "")):
        entry = {"command": "enter-player", "event": MAIN, "name": name, "account": account}
        assert sent(owner, "/api/tournaments/cash/commands", **entry)[0] == 201
    found = {line["patron"]: line["cents_in"] for line in owner.get(f"{office}/cash").json()["patrons"]}
    assert found[f"account/{ann}"] == found["entrant/bob"] > 0
    report = {"command": "set-value", "key": "cash_report", "value": found["entrant/bob"] // 4}
    assert sent(owner, f"{office}/commands", **report)[0] == 201
    entry = {"command": "enter-player", "event": MAIN, "name": "Cal"}
    assert sent(owner, "/api/tournaments/cash/commands", **entry)[0] == 201
    _pass_an_hour(house)
    times = {"command": "set-value", "key": "structuring_times", "value": 4}
    assert sent(owner, f"{office}/commands", **times)[0] == 201
    missing = list[str]()
    assert list(log_faults(house.server.log.read(), owed=missing)) == []
    assert ["entrant-cal" in report for report in missing] == [True], "what is due and not noted within the hour"
    portal, services = house.server.page.client.portal, house.server.services
    assert portal is not None
    portal.call(services.offices.note_cash, cash_in(services))
    missing.clear()
    assert list(log_faults(house.server.log.read(), owed=missing)) == []
    assert missing == []
    reports = owner.get(f"{office}/things/cash_report").json()["things"]
    assert {report["facts"]["patron"] for report in reports} >= {f"account/{ann}", "entrant/bob"}
    assert list(log_faults(house.server.log.read())) == []


def test_a_plan_is_checked_as_text(house: House) -> None:
    def checked(text: str) -> dict[str, Any]:
        data: dict[str, Any] = house.owner.post("/api/tournaments/check", {"text": text}).json()
        return data

    text = example_text("colorado")
    found = checked(text)
    assert (found["faults"], found["plan"]["events"][0]["first_day"]) == ([], "2026-05-01")
    owed = "The Division's local office has the rules of a tournament: by 2026-04-26, 5 days before it begins"
    assert [(told["clause"], told["why"]) for told in found["ahead"]] == [("CO-2315.06-copydivision", owed)]
    broken = checked(text.replace("fee_cents = 5000", "fee_cents = 10000100"))["faults"]
    assert "CO-2315.05-fee" in [one["clause"] for one in broken]
    for wrong, why in (
        ("id =", "the plan: "),
        ("{", "the plan: "),
        ('rules = "maryland"', "has no tournaments"),
        ('{"rules": "colorado", "name": 1}', "id: is missing"),
    ):
        assert why in str(checked(wrong)["faults"]), wrong
    assert house.people["dealer"].post("/api/tournaments/check", {"text": text}).status_code == 403


def test_the_desk_finds_players_accounts_and_nobody_elses(house: House) -> None:
    sent(house.owner, "/api/tournaments/commands", command="plan-tournament", plan=small_plan())
    ann = house.people["player"].get("/api/me").json()["account"]
    at = "/api/tournaments/evening/accounts?name="
    assert house.owner.get(f"{at}aN").json() == {"accounts": [{"account": ann, "name": "Ann"}]}
    assert house.owner.get(at).json() == {"accounts": []}
    assert house.owner.get(f"{at}dan").json() == {"accounts": []}  # the dealer
    assert house.people["player"].get(f"{at}an").status_code == 403
    assert house.people["player"].get("/api/tournaments/evening/split").status_code == 403  # does not play


def _opening() -> dict[str, Any]:
    return {"name": "Forged", "house": {"rules": "colorado"}, "automate": list(STEPS), "buy_in": "dealer"}


def _table(house: House) -> dict[str, Any]:
    data: dict[str, Any] = house.owner.get("/api/tables/final-1").json()["table"]
    return data


def _players(house: House) -> list[Any]:
    return list(_table(house)["seats"])

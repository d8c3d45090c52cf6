"""Signatures with PIN and authenticator: bound to the very act, once, and checked again by verify."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from passline.people import commands as c
from passline.people.second_factor import CLAUSE
from passline.store.entry import Stored
from passline.store.sealed import Log
from passline.tables.verify import decision_faults
from passline.tournament.verify import log_faults
from tests.people.house import PASSWORD, PIN
from tests.people.soft_authenticator import SoftAuthenticator
from tests.web.api.small_evening import small_plan
from tests.web.house import OPENING
from tests.web.server import ADDRESS, Browser, Server

pytestmark = pytest.mark.long

ORIGIN = "http://localhost:8000"
SITE = "localhost"


class _House:
    """Two owners and a floorperson, each with an authenticator, in a house that elects them for signatures."""

    def __init__(self, server: Server) -> None:
        self.server = server
        olga = server.owner()
        by = olga.session.account.id
        welcomes = {"Olga": olga, "Otto": server.hire("Otto", "owner", by=by)}
        self.pages: dict[str, Browser] = {}
        self.keys: dict[str, SoftAuthenticator] = {}
        for name, welcome in welcomes.items():
            page = server.browser()
            page.client.cookies.set("passline", welcome.token, domain="127.0.0.1")
            page.csrf = welcome.session.csrf
            self.pages[name] = page
        self.ids = {name: welcome.session.account.id for name, welcome in welcomes.items()}

    def post(self, who: str, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - a response
        return self.pages[who].post(path, body, host="localhost:8000", origin=ORIGIN)

    def add_key(self, who: str) -> None:
        base = f"/api/people/{self.ids[who]}/authenticators"
        options = self.post(who, f"{base}/options", {"pin": PIN}).json()
        key = self.keys[who] = SoftAuthenticator(ORIGIN, SITE)
        made = self.post(who, base, {"label": "blue key", "credential": key.make(options)})
        assert made.status_code == 201, made.text

    def asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send something of Olga's with Otto's name and PIN; return what his authenticator is to sign."""
        answer = self.post("Olga", path, {**body, "sign_off": {"name": "Otto", "pin": PIN}})
        assert answer.status_code == 403, answer.text
        assert answer.json()["refusals"][0]["clause"] == CLAUSE, answer.text
        told: dict[str, Any] = answer.json()["second_factor"]
        return told

    def signed(self, path: str, body: dict[str, Any], assertion: dict[str, str]) -> Any:  # noqa: ANN401
        return self.post("Olga", path, {**body, "sign_off": {"name": "Otto", "pin": PIN, "assertion": assertion}})


@pytest.fixture
def house() -> Iterator[_House]:
    server = Server()
    with server.page.client:
        yield _House(server)


@pytest.fixture
def elected(house: _House) -> _House:
    for who in ("Olga", "Otto"):
        house.add_key(who)
    chosen = house.post("Olga", "/api/second-factor", {"is_on": True, "sign_off": {"name": "Otto", "pin": PIN}})
    assert chosen.status_code == 200, chosen.text
    return house


PEOPLE = "/api/people"
DEE, BEA = ({"name": name, "roles": ["boxperson"]} for name in ("Dee", "Bea"))


def _faults(log: Log) -> list[str]:
    return [fault.what for fault in decision_faults(log.read())]


def test_a_house_that_does_not_elect_it_signs_with_the_pin_alone(house: _House) -> None:
    house.add_key("Otto")
    assert house.post("Olga", PEOPLE, {**DEE, "sign_off": {"name": "Otto", "pin": PIN}}).status_code == 201


def test_it_is_elected_once_two_owners_can_sign(house: _House) -> None:
    house.add_key("Otto")
    body = {"is_on": True, "sign_off": {"name": "Otto", "pin": PIN}}
    assert "first two owners add" in house.post("Olga", "/api/second-factor", body).text
    assert house.post("Olga", "/api/second-factor", {"is_on": False}).status_code == 409


def test_an_act_is_signed_with_pin_and_authenticator_and_verify_checks_it_again(elected: _House) -> None:
    told = elected.asked(PEOPLE, DEE)
    assert told["site"] == SITE
    made = elected.signed(PEOPLE, DEE, elected.keys["Otto"].sign(told["challenge"]))
    assert made.status_code == 201, made.text
    assert _faults(elected.server.log) == []
    events = b"".join(stored.body for stored in elected.server.log.read_stream("people"))
    assert b'"assertion-given/1"' in events
    off = elected.asked("/api/second-factor", {"is_on": False})
    done = elected.signed("/api/second-factor", {"is_on": False}, elected.keys["Otto"].sign(off["challenge"]))
    assert done.status_code == 200, done.text


def test_what_was_signed_and_written_down_as_something_else_is_found(elected: _House) -> None:
    """As whoever has the server's key would who has Otto sign a boxperson and records another one."""
    told = elected.asked(PEOPLE, DEE)
    assert elected.signed(PEOPLE, DEE, elected.keys["Otto"].sign(told["challenge"])).status_code == 201
    entries = list(elected.server.log.read())
    changed = [_written_otherwise(stored, b'"Dee"', b'"Eve"') for stored in entries]
    (fault,) = (fault.what for fault in decision_faults(changed))
    assert fault.startswith("create-account is signed by ")
    assert fault.endswith("with an authenticator that signed another create-account, and not this one")


def _written_otherwise(stored: Stored, was: bytes, now: bytes) -> Stored:
    entry = stored.entry
    command, events = (Raw(bytes(raw).replace(was, now)) for raw in (entry.command, entry.events))
    return replace(stored, entry=replace(entry, command=command, events=events))


def test_an_assertion_signs_one_act_once(elected: _House) -> None:
    otto = elected.keys["Otto"]
    assertion = otto.sign(elected.asked(PEOPLE, DEE)["challenge"])
    other = elected.signed(PEOPLE, BEA, assertion)  # another act
    assert "signed something else" in other.text
    again = elected.signed(PEOPLE, DEE, assertion)  # the challenge is over
    assert again.status_code == 403
    assertion = otto.sign(elected.asked(PEOPLE, DEE)["challenge"])
    assert elected.signed(PEOPLE, DEE, assertion).status_code == 201
    replayed = elected.signed(PEOPLE, {**DEE, "name": "Dee Two"}, assertion)
    assert "signed something else" in replayed.text
    late = otto.sign(elected.asked(PEOPLE, BEA)["challenge"])
    elected.server.clock.move(121)
    assert "too long ago" in elected.signed(PEOPLE, BEA, late).text


def test_another_key_a_wrong_site_and_a_counter_that_stands_still_are_refused(elected: _House) -> None:
    otto, others = elected.keys["Otto"], elected.keys["Olga"]
    for key in (others, SoftAuthenticator(ORIGIN, SITE)):
        refused = elected.signed(PEOPLE, DEE, key.sign(elected.asked(PEOPLE, DEE)["challenge"]))
        assert "signs nothing here" in refused.text
    otto._origin = "https://evil.example"
    assert "is not good" in elected.signed(PEOPLE, DEE, otto.sign(elected.asked(PEOPLE, DEE)["challenge"])).text
    otto._origin = ORIGIN
    assert elected.signed(PEOPLE, DEE, otto.sign(elected.asked(PEOPLE, DEE)["challenge"])).status_code == 201
    copied = otto.sign(elected.asked(PEOPLE, BEA)["challenge"], counts=False)  # of a copy of the key
    assert "is not good" in elected.signed(PEOPLE, BEA, copied).text


def test_a_wrong_pin_asks_no_authenticator_and_who_has_none_signs_nothing(elected: _House) -> None:
    wrong = elected.post("Olga", PEOPLE, {**DEE, "sign_off": {"name": "Otto", "pin": "8361"}})
    assert "second_factor" not in wrong.json()
    base = f"/api/people/{elected.ids['Otto']}/authenticators"
    listed = elected.pages["Otto"].get(base).json()["authenticators"]
    removed = elected.post("Otto", f"{base}/remove", {"credential": listed[0]["credential"], "pin": PIN})
    assert removed.status_code == 200, removed.text
    refused = elected.post("Olga", PEOPLE, {**DEE, "sign_off": {"name": "Otto", "pin": PIN}})
    assert "has no authenticator yet" in refused.text


def test_verify_finds_a_signature_with_the_pin_alone(elected: _House) -> None:
    elected.server.clock.move(600)  # until every server knows
    made = c.CreateAccount(account="new", name="Dee", roles=("boxperson",))
    elected.server.desk.do_signed(made, by=elected.ids["Olga"], signed_by=elected.ids["Otto"])
    assert any("with the PIN alone" in fault for fault in _faults(elected.server.log))


def test_a_table_opens_and_closes_with_both_over_http_and_websocket(elected: _House) -> None:
    server = elected.server
    _hire(elected, "Flo", "floorperson")
    elected.add_key("Flo")

    def key_of(told: dict[str, Any]) -> dict[str, Any]:
        assertion = elected.keys["Flo"].sign(told["second_factor"]["challenge"])
        return {"sign_off": {"name": "Flo", "pin": PIN, "assertion": assertion}}

    asked = elected.post("Olga", "/api/tables", OPENING)
    opened = elected.post("Olga", "/api/tables", {**OPENING, **key_of(asked.json())})
    assert opened.status_code == 201, opened.text
    olga = elected.pages["Olga"].client
    close = {"id": "c1", "command": {"command": "close-table"}, "sign_off": {"name": "Flo", "pin": PIN}}
    headers = {"origin": ADDRESS, "host": "127.0.0.1:8000", "cookie": f"passline={olga.cookies['passline']}"}
    with olga.websocket_connect("/api/tables/craps-1/live?role=owner", headers=headers) as screen:
        screen.send_json(close)
        refused = _answer(screen, "refused")
        screen.send_json({**close, **key_of(refused)})
        assert _answer(screen, "done")["id"] == "c1"
    assert _faults(server.log) == []


def _answer(screen: Any, kind: str) -> dict[str, Any]:  # noqa: ANN401 - starlette's own
    while (told := screen.receive_json())["kind"] not in {"refused", "done"}:
        pass
    assert told["kind"] == kind, told
    found: dict[str, Any] = told
    return found


def _hire(elected: _House, name: str, role: str) -> None:
    """Have Olga and Otto hire somebody, and log them in."""
    hired = {"name": name, "roles": [role]}
    told = elected.asked(PEOPLE, hired)
    made = elected.signed(PEOPLE, hired, elected.keys["Otto"].sign(told["challenge"]))
    page = elected.server.browser()
    elected.pages[name], elected.ids[name] = page, made.json()["account"]
    page.post("/api" + made.json()["path"], {"password": PASSWORD, "pin": PIN})


def _does(elected: _House, path: str, body: dict[str, Any], *, who: str = "Olga", signer: str = "Flo") -> None:
    """Have somebody do something that somebody else signs with PIN and authenticator."""
    by = {"name": signer, "pin": PIN}
    asked = elected.post(who, path, {**body, "sign_off": by})
    assert asked.json()["refusals"][0]["clause"] == CLAUSE, asked.text
    assertion = elected.keys[signer].sign(asked.json()["second_factor"]["challenge"])
    done = elected.post(who, path, {**body, "sign_off": {**by, "assertion": assertion}})
    assert done.status_code in {200, 201}, done.text


def test_no_act_is_swapped_under_a_real_signature_whatever_the_server_completes(elected: _House) -> None:
    """Attack: somebody with the server's key has Flo sign one thing, and writes another one into the log."""
    _hire(elected, "Flo", "floorperson")
    elected.add_key("Flo")
    _hire(elected, "Dan", "dealer")
    commands = "/api/tables/craps-1/commands"
    _does(elected, "/api/tables", {**OPENING, "dice": "physical", "automate": [], "buy_in": "dealer"})
    other = {"rules": "maryland", "limits": {"pass": {"min": 10_00, "max": 500_00}}}
    _does(elected, commands, {"id": "h1", "command": {"command": "change-house", "house": other}})
    walk_in = {"command": "seat-player", "seat": 2, "account": "walk-in", "name": "Otto", "is_somebody_else": True}
    _does(elected, commands, {"id": "s1", "role": "dealer", "command": walk_in}, who="Dan")
    _does(elected, "/api/office", {"where": "here"}, signer="Otto")
    plan = {"command": {"command": "plan-tournament", "plan": {**small_plan(), "id": "stuck"}}}
    assert elected.post("Olga", "/api/tournaments/commands", plan).status_code == 201
    cancels = {"command": {"command": "cancel-tournament", "reason": "no power"}}
    _does(elected, "/api/tournaments/stuck/commands", cancels)

    entries = list(elected.server.log.read())
    assert [fault.what for fault in log_faults(entries)] == []
    for act, was, now in (
        ("open-table", b'"bank_cents":1000000', b'"bank_cents":9000000'),
        ("change-house", b'"max":50000', b'"max":90000'),
        ("seat-player", b'"name":"Otto"', b'"name":"Olga"'),
        ("elect-office", b'"where":"here"', b'"where":"elsewhere"'),
        ("cancel-tournament", b"no power", b"no craps"),
    ):
        changed = [_written_otherwise(stored, was, now) for stored in entries]
        assert changed != entries, act
        wanted = f"with an authenticator that signed another {act}, and not this one"
        assert any(fault.what.endswith(wanted) for fault in log_faults(changed)), act

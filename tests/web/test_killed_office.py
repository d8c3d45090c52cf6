"""kill -9 of the server in the middle of the office's work: nothing acknowledged is lost, nothing moves twice."""

from __future__ import annotations

import contextlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from msgspec import to_builtins

from passline.acts.calendar.facility import Facility
from passline.office.verify import house_faults
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.store.data_folder import open_log
from passline.store.timestamps import utc_now
from passline.store.verify import verify_log
from passline.web.startup import Settings, prepare
from tests.killed_server import KilledServer

pytestmark = pytest.mark.long

PEOPLE = {"flo": "floorperson", "fay": "floorperson", "cy": "cashier", "acc": "accountant", "dan": "dealer"}
PINS = {"olga": "7294", "flo": "8305", "fay": "9416", "cy": "2758", "acc": "3869", "dan": "4971", "dora": "5082"}
FACILITY = Facility(name="Harbour", zone="America/New_York", subdivision="MD", areas=("pit-1",))
ROUNDS = 2  # fills that two tablets accept while the server is killed


class _House(KilledServer):
    """A house on disk, and the tokens of its people, which outlive its servers."""

    def sends(self, by: str, id_: str, command: dict[str, Any], sign_off: str = "") -> httpx.Response:
        body: dict[str, Any] = {"id": id_, "command": command}
        if sign_off:
            body["sign_off"] = {"name": sign_off.title(), "pin": PINS[sign_off]}
        return self.posts(by, "/api/office/maryland/commands", body)

    def does(self, by: str, act: str, *things: str, id_: str = "", signs: str = "", **fields: object) -> dict[str, Any]:
        part, _, signer = signs.partition(" ")
        answer = self.sends(by, id_ or f"{by} {act} {things}", _act(act, *things, signs=part, **fields), signer)
        assert answer.status_code == 201, answer.text
        return {key: value for key, value in answer.json().items() if key != "head"}  # which grows

    def chips(self) -> dict[str, Any]:
        answer = httpx.get(
            f"http://127.0.0.1:{self.port}/api/office/maryland/stocks",
            headers={"Authorization": f"Bearer {self.tokens['olga']}"},
            timeout=60,
        )
        told: dict[str, Any] = answer.json()["stocks"].get("chips", {})
        return told


def _act(act: str, *things: str, signs: str = "", **fields: object) -> dict[str, Any]:
    return {"command": "do-act", "act": act, "things": list(things), "fields": fields, "signs": signs}


@pytest.fixture
def house(tmp_path: Path) -> _House:
    settings = Settings(data=tmp_path / "house", is_office_here=True)
    prepare(settings)
    log = open_log(settings.data)
    desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    link = desk.first_owner()
    assert link is not None
    tokens = {}
    olga = desk.accept_invitation(link.token, name="Olga", password="the password of olga", pin=PINS["olga"])  # noqa: S106
    assert isinstance(olga, Welcome)
    tokens["olga"] = olga.token
    for name, role in {**PEOPLE, "dora": "dealer"}.items():
        invited = desk.invite(by=olga.session.account.id, roles=(role,))
        assert isinstance(invited, Link)
        welcome = desk.accept_invitation(
            invited.token, name=name.title(), password=f"the password of {name}", pin=PINS[name]
        )
        assert isinstance(welcome, Welcome)
        tokens[name] = welcome.token
    log.close()
    return _House(settings, tokens)


@pytest.mark.whole
def test_the_office_survives_every_kill(house: _House) -> None:
    acknowledged: dict[str, int] = {}
    units = {"500": 100}
    with house.served():  # killed between a first and a second signature, and between a request and its acceptance
        setting = {"command": "set-up-office", "facility": to_builtins(FACILITY)}
        assert house.sends("olga", "setting", setting).status_code == 201
        house.does("olga", "register_table", "t1", area="pit-1", length=144)
        received = house.does("cy", "receive_chips", units={"500": 1_000}, delivery="note 1", id_="received")
        assert house.chips() == {}, "nothing moves before the second signature"
    with house.served():
        assert house.does("cy", "receive_chips", units={"500": 1_000}, delivery="note 1", id_="received") == received
        number = received["events"][0]["number"]
        sign = {"command": "sign-act", "number": number, "part": "witness"}
        signed = house.sends("acc", "signed", sign)
        assert signed.status_code == 201, signed.text
        assert house.sends("acc", "signed", sign).json()["sequence"] == signed.json()["sequence"]
        house.does("cy", "issue_chips", units={"500": 1_000}, signs="witness acc")
        requested = house.does("flo", "request_fill", table="t1", units=units, id_="fill 1")
    with house.served():
        assert house.does("flo", "request_fill", table="t1", units=units, id_="fill 1") == requested
        house.does("cy", "prepare_fill", "F-000001")
        house.does("fay", "carry_fill", "F-000001")
    chance = Random(20261116)
    for slip in range(1, ROUNDS + 1):
        _accepted_by_two(house, f"F-{slip:06}", chance, acknowledged)
        with house.served():
            _told_again(house, f"F-{slip:06}", acknowledged)
            moved = {"cage": {"500": 1_000 - 100 * slip}, "table/t1": {"500": 100 * slip}}
            assert {place: house.chips()[place] for place in moved} == moved
            house.does("flo", "request_fill", table="t1", units=units, id_=f"fill {slip + 1}")
            house.does("cy", "prepare_fill", f"F-{slip + 1:06}")
            house.does("fay", "carry_fill", f"F-{slip + 1:06}")
    _nothing_is_lost(house, acknowledged)


def _accepted_by_two(house: _House, slip: str, chance: Random, acknowledged: dict[str, int]) -> None:
    """Have two tablets accept a fill at once while the server is killed; keep what was acknowledged."""

    def accept(by: str) -> None:
        with contextlib.suppress(httpx.TransportError):
            answer = house.sends(by, f"{by} {slip}", _act("accept_fill", slip))
            if answer.status_code == 201:
                acknowledged[f"{by} {slip}"] = answer.json()["sequence"]

    with house.served(), ThreadPoolExecutor(2) as tablets:
        assert house.chips()["transit"] == {"500": 100}
        for by in ("dan", "dora"):
            tablets.submit(accept, by)
        sleep(chance.uniform(0.0, 0.03))
        house.kill()


def _told_again(house: _House, slip: str, acknowledged: dict[str, int]) -> None:
    """Have both tablets send again what they sent: one of them has accepted, and whoever was told so is told again."""
    answers = {by: house.sends(by, f"{by} {slip}", _act("accept_fill", slip)) for by in ("dan", "dora")}
    assert sorted(one.status_code for one in answers.values()) == [201, 409]
    for by, answer in answers.items():
        if f"{by} {slip}" in acknowledged:
            assert answer.status_code == 201
        if answer.status_code == 201:
            sequence = answer.json()["sequence"]
            assert acknowledged.setdefault(f"{by} {slip}", sequence) == sequence


def _nothing_is_lost(house: _House, acknowledged: dict[str, int]) -> None:
    log = open_log(house.settings.data)
    entries = list(log.read())
    by_id = {one.entry.id: one.entry.sequence for one in entries if one.entry.stream == "office/maryland"}
    assert Counter(one.entry.id for one in entries if one.entry.stream == "office/maryland").most_common(1)[0][1] == 1
    assert {id_: by_id.get(id_) for id_ in acknowledged} == acknowledged
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact
    assert not list(house_faults(entries))
    log.close()

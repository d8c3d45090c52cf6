"""How passwords are stored and checked."""

import asyncio
from hashlib import sha256

import pytest
from argon2 import PasswordHasher
from msgspec import json

from passline.people import commands as c
from passline.people.accounts import STREAM
from passline.people.course import PeopleCourse
from passline.people.credentials import password_faults
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome, digest_of
from passline.refusal import Refused
from passline.store.log import Secret
from passline.store.timestamps import later
from passline.streams.blocking import BlockingStream
from passline.streams.course import Actor, Answer, Ask
from passline.streams.writer import LogDown
from passline.tables.verify import decision_faults
from tests.people.house import NEW, PASSWORD, PIN, QUICK, Clock, House, who


def test_a_swapped_hash_opens_nothing_and_is_reported(house: House) -> None:
    """Attack: somebody with the database puts the hash of their own password and PIN in the place of the owner's."""
    owner = house.owner().session.account
    for kind, name, mine in (("password", owner.password, NEW), ("pin", owner.pin, "8361")):
        house.log.vault.put(Secret(kind, name, QUICK.hash(mine).encode()))
    assert isinstance(house.desk.log_in(name="Olga", password=NEW), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Refused)
    for pin in ("8361", PIN):
        signed = house.desk.sign_off(name="Olga", pin=pin, may_sign=lambda _one: True, requester="x")
        assert isinstance(signed, Refused)
    house.desk.record_incidents(at_once=True)
    text = b"".join(stored.body for stored in house.log.read()).decode()
    assert '{"what":"vault password","account":"' + owner.id + '","address":"","count":2}' in text
    assert '"what":"vault pin"' in text


def test_a_name_in_the_log_is_the_digest_of_the_hash(house: House) -> None:
    owner = house.owner().session.account
    secret = house.log.vault.get("password", owner.password, now="")
    assert secret is not None
    assert owner.password == f"sha256-{sha256(secret.value).hexdigest()}"


def test_a_hash_with_old_parameters_still_opens_and_is_not_changed_in_place(house: House) -> None:
    owner = house.owner().session.account
    before = house.log.vault.get("password", owner.password, now="")
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    desk = FrontDesk(house.log, house.clock, hasher=stronger)
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert house.log.vault.get("password", owner.password, now="") == before


def older(house: House) -> None:
    """Make the log an older version's: Olga's secrets under random names, and a session without a code."""
    link = house.desk.first_owner()
    assert link is not None
    names = {"password": "70" * 16, "pin": "71" * 16}
    for kind, secret in (("password", PASSWORD), ("pin", PIN)):
        house.log.vault.put(Secret(kind, names[kind], QUICK.hash(secret).encode()))
    command = c.AcceptInvitation(account="o1", invitation=link.invitation, name="Olga", terms=c.TERMS, **names)
    stream = BlockingStream(STREAM, PeopleCourse(), log=house.log, clock=house.clock)
    assert isinstance(stream.ask(Ask("old", command, Actor("visitor", "visitor", "visitor"))), Answer)
    house.log.vault.put(Secret("session", "ab" * 32, b'{"account":"o1","generation":1}', later(house.clock.now, 999)))


def test_the_secrets_of_an_older_log_are_bound_to_it_once(house: House) -> None:
    older(house)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome), "as before"
    session = house.desk.log_in(name="Olga", password=PASSWORD)
    assert isinstance(session, Welcome)
    assert house.desk.bind() == 2
    assert who(house.desk, session) == "Olga", "sessions of this version go on"
    assert [row.kind for row in house.log.vault.all() if row.key == "ab" * 32] == []
    assert house.desk.bind() == 0
    account = house.another_desk().people().accounts["o1"]
    assert account.password.startswith("sha256-")
    assert account.pin.startswith("sha256-")
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)
    house.log.vault.put(Secret("pin", account.pin, QUICK.hash("8361").encode()))
    assert isinstance(house.desk.sign_off(name="Olga", pin="8361", may_sign=lambda _one: True, requester="x"), Refused)
    assert [*decision_faults(house.log.read())] == []


def test_secrets_are_not_forgotten_when_binding_them_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    older(house)
    with monkeypatch.context() as wrong:
        wrong.setattr(Clock, "fault", "the clock of this server is 61 minutes behind", raising=False)
        with pytest.raises(LogDown, match="61 minutes behind"):
            house.desk.bind()
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert house.desk.bind() == 2


def test_a_forged_session_is_nobodys(house: House) -> None:
    """Attack: a session row of the owner under a token of one's own, and a row moved to another key."""
    owner = house.owner()
    pat = house.desk.register(name="Pat", password=PASSWORD)
    assert isinstance(pat, Welcome)
    account = owner.session.account
    kept = json.encode({"account": account.id, "generation": account.generation, "begun": house.clock.now})
    row = next(one for one in house.log.vault.all() if one.key == digest_of(owner.token))
    for value in (kept, b"\x01" + bytes(32) + kept, row.value, b"", b"\x01"):
        house.log.vault.put(Secret("session", digest_of(pat.token), value, pat.session.expires))
        assert who(house.desk, pat) == "nobody"
    house.log.vault.put(Secret("session", digest_of(owner.token), row.value, later(row.expires, 3600)))
    assert who(house.desk, owner) == "nobody", "nor is its end put off"
    house.desk.record_incidents(at_once=True)
    assert b'"what":"vault session"' in b"".join(stored.body for stored in house.log.read())


def test_a_forged_link_invites_nobody(house: House) -> None:
    owner = house.owner().session.account.id
    link = house.desk.invite(by=owner, roles=("owner",))
    assert isinstance(link, Link)
    house.log.vault.put(Secret("invitation", digest_of("mine"), link.invitation.encode(), link.expires))
    assert house.desk.invitation_of("mine") is None
    assert house.desk.invitation_of(link.token) is not None


@pytest.mark.parametrize(
    "password",
    ["Password123!", "P@ssw0rd2026", "qwertyuiop", "1234567890", "iloveyou99", "Casino2026!", "letmein!!!",
     "olga olga1", "Passline-1", "zaq12wsxcde3", "dragonmonkey", "summer2026summer2026", "abcdefghij1"],
)  # fmt: skip
def test_a_password_that_thieves_try_first_is_refused(password: str) -> None:
    assert [one.why.split(";")[0] for one in password_faults(password, name="Olga")] == [
        "this password is among the first that a thief tries"
    ]


@pytest.mark.parametrize("password", [PASSWORD, NEW, "kX9#mQ2vLp", "four wet pigeons", "mein pferd frisst gras"])
def test_a_password_of_ones_own_is_accepted(password: str) -> None:
    assert [*password_faults(password, name="Olga")] == []


def test_a_password_is_the_same_in_every_unicode_form() -> None:
    house = House()
    composed, decomposed = "caf\u00e9 au lait", "cafe\u0301 au lait"
    assert isinstance(house.desk.register(name="Pat", password=composed), Welcome)
    assert isinstance(house.desk.log_in(name="Pat", password=decomposed), Welcome)


def test_a_password_can_be_checked_in_a_thread_of_an_event_loop() -> None:
    house = House()
    house.owner()

    async def log_in() -> object:
        return await asyncio.to_thread(house.desk.log_in, name="Olga", password=PASSWORD)

    assert isinstance(asyncio.run(log_in()), Welcome)

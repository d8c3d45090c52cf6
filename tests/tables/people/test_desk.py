"""The front desk as people meet it, over a log in memory and one in SQLite."""

# ruff: noqa: S106 - passwords of people who do not exist

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest
from argon2 import PasswordHasher
from msgspec import Raw, json

from passline.game.refusal import Refused
from passline.store.entry import Draft
from passline.store.opening import open_log
from passline.tables.people import commands as c
from passline.tables.people.accounts import STREAM, Account
from passline.tables.people.attempts import Wait
from passline.tables.people.desk import FrontDesk, Recorded
from passline.tables.people.events import RolesGranted
from passline.tables.people.invitations import Link
from passline.tables.people.replay import PeopleReplay
from passline.tables.people.sessions import Welcome
from passline.tables.replay import replay_faults
from tests.tables.people.house import PASSWORD, PIN, QUICK, House

NEW = "another long one 42"


@pytest.fixture(params=["memory", "sqlite"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "memory":
        yield House(is_demo=True)
        return
    log = open_log(tmp_path / "house")
    yield House(log, is_demo=True)
    log.close()


def who(desk: FrontDesk, welcome: Welcome) -> str:
    """Who is logged in by a token; nobody if it is dead."""
    session = desk.session_of(welcome.token)
    return session.account.name if session else "nobody"


def test_the_first_start_makes_one_owner_by_a_link_that_works_once(house: House) -> None:
    first, second = house.desk.first_owner(), house.desk.first_owner()  # started twice before anybody came
    assert first is not None
    assert second is not None
    welcome = house.desk.accept_invitation(second.token, name="Olga", password=PASSWORD, pin=PIN)
    assert isinstance(welcome, Welcome)
    assert welcome.session.account.roles == {"owner"}
    for used in (first, second):
        again = house.desk.accept_invitation(used.token, name="Eve", password=PASSWORD, pin=PIN)
        assert isinstance(again, Refused), "a first owner's link must die with its use"
    assert house.desk.first_owner() is None
    assert house.another_desk().first_owner() is None


def test_a_weak_password_does_not_use_the_link_up(house: House) -> None:
    link = house.desk.first_owner()
    assert link is not None
    for name, password, pin in [("Olga", "short", PIN), ("Olga", PASSWORD, "1234"), ("", PASSWORD, PIN)]:
        assert isinstance(house.desk.accept_invitation(link.token, name=name, password=password, pin=pin), Refused)
    assert house.desk.invitation_of(link.token) is not None
    assert isinstance(house.desk.accept_invitation(link.token, name="Olga", password=PASSWORD), Welcome)
    assert house.desk.invitation_of(link.token) is None


def test_a_link_expires_after_a_day(house: House) -> None:
    link = house.desk.first_owner()
    assert link is not None
    house.clock.move(24 * 3600)
    assert house.desk.invitation_of(link.token) is None
    assert isinstance(house.desk.accept_invitation(link.token, name="Olga", password=PASSWORD), Refused)


def test_of_many_who_race_for_a_link_one_gets_in(house: House) -> None:
    owner = house.owner()
    link = house.desk.invite(by=owner.session.account.id, roles=("dealer",))
    assert isinstance(link, Link)
    desks, outcomes, start = [house.another_desk() for _ in range(4)], [], Barrier(4)

    def accept(number: int) -> None:
        start.wait()
        outcomes.append(desks[number].accept_invitation(link.token, name=f"Dan {number}", password=PASSWORD))

    threads = [Thread(target=accept, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(outcome, Welcome) for outcome in outcomes) == 1
    assert len(house.desk.people().accounts) == 2


def test_processes_that_write_at_once_all_get_their_accounts(house: House) -> None:
    start = Barrier(4)

    def register(number: int) -> None:
        desk = house.another_desk()
        start.wait()
        for turn in range(5):
            assert isinstance(desk.register(name=f"P{number}-{turn}", password=PASSWORD), Welcome)

    threads = [Thread(target=register, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(house.desk.people().accounts) == 20


def test_logging_in_and_out(house: House) -> None:
    house.owner()
    first = house.desk.log_in(name="OLGA", password=PASSWORD)
    second = house.another_desk().log_in(name="Olga", password=PASSWORD)
    assert isinstance(first, Welcome)
    assert isinstance(second, Welcome)
    assert first.token != second.token
    assert first.session.csrf != second.session.csrf
    assert first.token not in first.session.csrf
    assert who(house.desk, first) == who(house.desk, second) == "Olga"
    house.another_desk().log_out(first.token)
    assert who(house.desk, first) == "nobody"
    assert who(house.desk, second) == "Olga"
    assert house.desk.session_of("") is None
    assert house.desk.session_of("\ud800") is None


def test_a_session_ends_after_twelve_hours_however_much_it_is_used(house: House) -> None:
    owner = house.owner()
    house.clock.move(12 * 3600 - 1)
    assert who(house.desk, owner) == "Olga"
    house.clock.move(1)
    assert who(house.desk, owner) == "nobody"


def test_the_answer_to_a_wrong_name_and_a_wrong_password_is_the_same(house: House) -> None:
    house.owner()
    wrong = [
        house.desk.log_in(name="Olga", password="no such password"),
        house.desk.log_in(name="Nobody", password=PASSWORD),
        house.desk.log_in(name="\ud800", password="\ud800"),
    ]
    assert {str(one) for one in wrong} == {"the name or the password is wrong [people]"}


def test_changing_the_password_ends_every_session_but_the_new_one(house: House) -> None:
    old = house.owner()
    account = old.session.account.id
    for password, new in [("wrong password!", NEW), (PASSWORD, "short"), (PASSWORD, "Olga"), (PASSWORD, "a" * 12)]:
        assert isinstance(house.desk.set_password(by=account, password=password, new=new), Refused)
    assert who(house.desk, old) == "Olga"
    renewed = house.desk.set_password(by=account, password=PASSWORD, new=NEW)
    assert isinstance(renewed, Welcome)
    assert who(house.another_desk(), old) == "nobody"
    assert who(house.desk, renewed) == "Olga"
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=NEW), Welcome)


def test_disabling_ends_every_session_and_enabling_brings_none_back(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner)
    account = dan.session.account.id
    assert isinstance(house.desk.do(c.DisableAccount(account=account, reason="left"), by=owner), Recorded)
    assert who(house.another_desk(), dan) == "nobody"
    assert str(house.desk.log_in(name="Dan", password=PASSWORD)) == "the name or the password is wrong [people]"
    assert isinstance(house.desk.do(c.EnableAccount(account=account), by=owner), Recorded)
    assert who(house.desk, dan) == "nobody"
    assert isinstance(house.desk.log_in(name="Dan", password=PASSWORD), Welcome)


def test_roles_change_at_once_where_somebody_is_logged_in(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", "stickperson", by=owner)
    done = house.another_desk().do(c.ChangeRoles(account=dan.session.account.id, revoke=("dealer",)), by=owner)
    assert isinstance(done, Recorded)
    session = house.desk.session_of(dan.token)
    assert session is not None
    assert session.account.roles == {"stickperson"}


def test_an_invitation_gives_an_account_a_new_password_and_ends_its_sessions(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner)
    link = house.desk.invite(by=owner, account=dan.session.account.id)
    assert isinstance(link, Link)
    renewed = house.desk.accept_invitation(link.token, name="ignored", password=NEW, pin="8361")
    assert isinstance(renewed, Welcome)
    assert renewed.session.account.id == dan.session.account.id
    assert renewed.session.account.name == "Dan"
    assert who(house.desk, dan) == "nobody"
    assert isinstance(house.desk.log_in(name="Dan", password=PASSWORD), Refused)
    signed = house.desk.sign_off(name="Dan", pin="8361", roles={"dealer"}, requester=owner)
    assert isinstance(signed, Account)


def test_the_same_command_id_acts_once(house: House) -> None:
    owner = house.owner().session.account.id
    command = c.CreateAccount(account="dan", name="Dan", roles=("dealer",))
    first = house.desk.do(command, by=owner, id="one")
    again = house.another_desk().do(command, by=owner, id="one")
    assert isinstance(first, Recorded)
    assert isinstance(again, Recorded)
    assert first.sequence == again.sequence
    assert first.events == again.events
    assert isinstance(house.desk.do(command, by=owner, id="two"), Refused)


def test_nobody_without_an_account_gives_commands(house: House) -> None:
    house.owner()
    for by in ("", "visitor", "house", "no-such"):
        assert isinstance(house.desk.do(c.Invite(invitation="i", roles=("owner",), expires="9"), by=by), Refused)
        assert isinstance(house.desk.set_pin(by=by, password=PASSWORD, pin=PIN), Refused)


def test_sign_off_is_by_another_person_in_the_role_asked(house: House) -> None:
    owner = house.owner().session.account.id
    bob = house.hire("Bob", "boxperson", by=owner).session.account.id
    house.hire("Dan", "dealer", by=owner, pin="")

    def sign(name: str, pin: str, requester: str = owner) -> str:
        signed = house.desk.sign_off(name=name, pin=pin, roles={"boxperson", "floorperson"}, requester=requester)
        return f"by {signed.name}" if isinstance(signed, Account) else str(signed)

    assert sign("bob", PIN) == "by Bob"
    assert sign("Bob", "0000") == "the name or the PIN is wrong, or that account has no PIN [duties]"
    assert sign("Dan", "") == sign("Nobody", PIN) == sign("Bob", "0000")
    assert sign("Bob", PIN, requester=bob) == "nobody signs off their own request; ask somebody else [duties]"
    assert sign("Olga", PIN, requester=bob).startswith(
        "this is for the boxperson or floorperson to sign; Olga is owner"
    )
    assert isinstance(house.desk.do(c.DisableAccount(account=bob, reason="left"), by=owner), Recorded)
    assert sign("Bob", PIN) == sign("Nobody", PIN)


def test_a_pin_changes_with_the_password_only(house: House) -> None:
    owner = house.owner().session.account.id
    assert isinstance(house.desk.set_pin(by=owner, password="wrong password!", pin="8361"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="1111"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="8361"), Recorded)
    assert isinstance(house.desk.sign_off(name="Olga", pin=PIN, roles={"owner"}, requester="x"), Refused)
    assert isinstance(house.desk.sign_off(name="Olga", pin="8361", roles={"owner"}, requester="x"), Account)


def test_five_tries_then_waits_that_grow_over_processes_and_restarts(house: House) -> None:
    house.owner()
    for _ in range(5):
        assert isinstance(house.another_desk().log_in(name="Olga", password="wrong password!"), Refused)
    waits = []
    for _ in range(8):
        wait = house.another_desk().log_in(name="olga", password=PASSWORD)  # even the right one
        assert isinstance(wait, Wait)
        waits.append(wait.seconds)
        house.clock.move(wait.seconds)
        assert isinstance(house.desk.log_in(name="Olga", password="wrong password!"), Refused)
    assert waits == [30, 60, 120, 240, 480, 900, 900, 900]
    assert str(Wait(480)) == "too many tries; wait 8 minutes and try again"
    house.clock.move(900)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert isinstance(house.desk.log_in(name="Olga", password="wrong password!"), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome), "a right one begins the count anew"


def test_one_address_may_not_try_many_names(house: House) -> None:
    house.owner()
    for number in range(30):
        assert isinstance(house.desk.log_in(name=f"N{number}", password="wrong password!", address="a"), Refused)
    wait = house.desk.log_in(name="Olga", password=PASSWORD, address="a")
    assert isinstance(wait, Wait)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="b"), Welcome)
    house.clock.move(wait.seconds)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD, address="a"), Welcome)


def test_an_address_that_is_not_known_never_waits(house: House) -> None:
    house.owner()
    for number in range(40):
        assert isinstance(house.desk.log_in(name=f"N{number}", password="wrong password!"), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)


def test_tries_at_once_do_not_slip_through(house: House) -> None:
    house.owner()
    outcomes: list[object] = []
    start = Barrier(12)

    def attempt() -> None:
        desk = house.another_desk()
        start.wait()
        outcomes.append(desk.log_in(name="Olga", password="wrong password!"))

    threads = [Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 5


def test_pins_are_limited_too_and_apart_from_log_ins(house: House) -> None:
    owner = house.owner().session.account.id
    house.hire("Bob", "boxperson", by=owner)
    for _ in range(5):
        assert isinstance(house.desk.sign_off(name="Bob", pin="9999", roles={"boxperson"}, requester=owner), Refused)
    assert isinstance(house.desk.sign_off(name="Bob", pin=PIN, roles={"boxperson"}, requester=owner), Wait)
    assert isinstance(house.desk.log_in(name="Bob", password=PASSWORD), Welcome)


def test_changing_a_secret_is_limited_like_a_log_in(house: House) -> None:
    owner = house.owner().session.account.id
    for _ in range(5):
        assert isinstance(house.desk.set_pin(by=owner, password="wrong password!", pin="8361"), Refused)
    assert isinstance(house.desk.set_password(by=owner, password=PASSWORD, new=NEW), Wait)


def test_guests_come_to_a_demo_only(house: House) -> None:
    guest, named = house.desk.welcome_guest(), house.desk.welcome_guest("Gus")
    assert isinstance(guest, Welcome)
    assert isinstance(named, Welcome)
    assert guest.session.account.is_guest
    assert guest.session.account.roles == {"player"}
    assert who(house.desk, named) == "Gus"
    assert isinstance(house.desk.log_in(name="Gus", password=""), Refused)
    assert isinstance(House().desk.welcome_guest(), Refused)


def test_a_house_may_open_accounts_itself() -> None:
    assert isinstance(House(can_register=False).desk.register(name="Pat", password=PASSWORD), Refused)
    pat = House().desk.register(name="Pat", password=PASSWORD)
    assert isinstance(pat, Welcome)
    assert pat.session.account.roles == {"player"}


def test_one_address_may_not_open_accounts_without_end() -> None:
    house = House()
    desk = FrontDesk(house.log, house.clock, registrations=3, hasher=QUICK)
    for number in range(3):
        assert isinstance(desk.register(name=f"P{number}", password=PASSWORD, address="a"), Welcome)
    wait = desk.register(name="Pat", password=PASSWORD, address="a")
    assert isinstance(wait, Wait)
    assert isinstance(desk.register(name="Pia", password=PASSWORD, address="b"), Welcome)
    house.clock.move(wait.seconds)
    assert isinstance(desk.register(name="Pat", password=PASSWORD, address="a"), Welcome)


def test_roles_are_given_and_taken_in_one_entry(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    done = house.desk.do(c.ChangeRoles(account=dan, grant=("regulator",), revoke=("dealer",)), by=owner)
    assert isinstance(done, Recorded)
    assert len(done.events) == 2
    assert house.desk.people().accounts[dan].roles == {"regulator"}
    both = house.desk.do(c.ChangeRoles(account=dan, grant=("dealer",), revoke=("dealer",)), by=owner)
    assert isinstance(both, Refused)


def test_no_secret_is_in_the_log(house: House) -> None:
    """Not a password, a PIN, a hash, a token or a link; and what the vault holds gives no token away."""
    link = house.desk.first_owner()
    assert link is not None
    owner = house.desk.accept_invitation(link.token, name="Olga", password=PASSWORD, pin=PIN)
    assert isinstance(owner, Welcome)
    house.desk.log_in(name="Olga", password=PASSWORD)
    house.desk.set_pin(by=owner.session.account.id, password=PASSWORD, pin="8361")
    text = b"".join(stored.body for stored in house.log.read()).decode()
    for secret in (PASSWORD, "argon2", link.token, owner.token, owner.session.csrf, '"7294"', '"8361"'):
        assert secret not in text
    assert "password-set/1" in text


def test_judging_the_log_again_gives_the_same_events(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    house.desk.register(name="Pat", password=PASSWORD)
    house.desk.welcome_guest()
    house.desk.do(c.ChangeRoles(account=dan, grant=("stickperson",)), by=owner)
    house.desk.do(c.DisableAccount(account=dan, reason="left"), by=owner)
    replay = PeopleReplay()
    entries = [stored.entry for stored in house.log.read_stream(STREAM)]
    assert [fault for entry in entries for fault in replay.faults_of(entry)] == []
    assert replay.people == house.desk.people() == house.another_desk().people()
    assert [*replay_faults(house.log.read())] == []


def test_a_forged_decision_is_found(house: House) -> None:
    """By whoever has the log's key: a role not to be given, an event that cannot follow, an account from nowhere."""
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    forged = [
        (dan, "owner", RolesGranted(dan, ("owner",)), "change-roles by"),
        (owner, "stickperson", RolesGranted(dan, ("boxperson",)), "change-roles would have brought about"),
        (owner, "floorperson", RolesGranted("nowhere", ("floorperson",)), "does not follow from what was there"),
    ]
    for actor, role, event, says in forged:
        version = house.log.streams()[STREAM]
        draft = Draft(
            stream=STREAM,
            expected=version,
            at=house.clock.now,
            actor=actor,
            role="owner",
            id=f"forged-{version}",
            command=Raw(json.encode(c.ChangeRoles(account=dan, grant=(role,)))),
            events=Raw(json.encode([event])),
        )
        house.log.append([draft])
        faults = [fault.what for fault in replay_faults(house.log.read())]
        assert any(says in fault for fault in faults), faults


def test_a_hash_made_with_older_parameters_is_made_again_at_log_in() -> None:
    house = House()
    house.owner()
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    desk = FrontDesk(house.log, house.clock, hasher=stronger)
    account = desk.people().named("Olga")
    assert account is not None

    def kept() -> str:
        secret = house.log.vault.get("password", account.password, now=house.clock.now)
        assert secret is not None
        return secret.value.decode()

    assert not QUICK.check_needs_rehash(kept())
    assert isinstance(desk.log_in(name="Olga", password="wrong password!"), Refused)
    assert not QUICK.check_needs_rehash(kept()), "a wrong password changes nothing"
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert not stronger.check_needs_rehash(kept())
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)


def test_the_same_letters_typed_another_way_are_the_same_password() -> None:
    house = House()
    composed, decomposed = "caf\u00e9 au lait", "cafe\u0301 au lait"
    assert isinstance(house.desk.register(name="Pat", password=composed), Welcome)
    assert isinstance(house.desk.log_in(name="Pat", password=decomposed), Welcome)


def test_an_event_loop_runs_on_while_a_password_is_checked() -> None:
    """Slow calls are made in a thread."""
    house = House()
    house.owner()

    async def log_in() -> object:
        return await asyncio.to_thread(house.desk.log_in, name="Olga", password=PASSWORD)

    assert isinstance(asyncio.run(log_in()), Welcome)

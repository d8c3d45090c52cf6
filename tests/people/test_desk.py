"""The front desk: accounts, guests, and commands that act once."""

from threading import Barrier, Thread

from msgspec import json

from passline.people import commands as c
from passline.people.credentials import SignOff
from passline.people.sessions import Welcome
from passline.refusal import Refused
from passline.streams.course import Answer
from tests.people.house import PASSWORD, PIN, House, who


def test_processes_that_register_players_at_once_lose_none(house: House) -> None:
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


def test_the_same_command_id_acts_once(house: House) -> None:
    owner = house.owner().session.account.id
    command = c.CreateAccount(account="dan", name="Dan", roles=("dealer",))
    first = house.desk.do(command, by=owner, id="one")
    again = house.another_desk().do(command, by=owner, id="one")
    assert isinstance(first, Answer)
    assert isinstance(again, Answer)
    assert first.sequence == again.sequence
    assert first.events == again.events
    assert isinstance(house.desk.do(command, by=owner, id="two"), Refused)


def test_a_command_needs_an_account(house: House) -> None:
    house.owner()
    for by in ("", "visitor", "house", "no-such"):
        assert isinstance(house.desk.do(c.Invite(invitation="i", roles=("owner",), expires="9"), by=by), Refused)
        assert isinstance(house.desk.set_pin(by=by, password=PASSWORD, pin=PIN), Refused)


def test_guests_are_welcome_only_in_a_demo(house: House) -> None:
    guest, named = house.desk.welcome_guest(), house.desk.welcome_guest("Gus")
    assert isinstance(guest, Welcome)
    assert isinstance(named, Welcome)
    assert guest.session.account.is_guest
    assert guest.session.account.roles == {"player"}
    assert who(house.desk, named) == "Gus"
    assert isinstance(house.desk.log_in(name="Gus", password=""), Refused)
    assert isinstance(House().desk.welcome_guest(), Refused)


def test_registration_can_be_closed() -> None:
    assert isinstance(House(can_register=False).desk.register(name="Pat", password=PASSWORD), Refused)
    pat = House().desk.register(name="Pat", password=PASSWORD)
    assert isinstance(pat, Welcome)
    assert pat.session.account.roles == {"player"}


def test_roles_are_granted_and_revoked_in_one_entry(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    done = house.desk.do(c.ChangeRoles(account=dan, grant=("regulator",), revoke=("dealer",)), by=owner)
    assert isinstance(done, Answer)
    assert len(json.decode(done.events)) == 2
    assert house.desk.people().accounts[dan].roles == {"regulator"}
    both = house.desk.do(c.ChangeRoles(account=dan, grant=("dealer",), revoke=("dealer",)), by=owner)
    assert isinstance(both, Refused)


def test_nobody_acts_under_the_name_of_the_house_or_of_a_visitor(house: House) -> None:
    for by in ("house", "visitor"):
        refused = house.desk.do(
            c.Invite(invitation="i", roles=("owner",), expires="2099-01-01T00:00:00.000000Z"), by=by
        )
        assert str(refused) == "log in first [duties]"


def test_an_entry_names_the_role_that_the_account_has_when_it_is_decided(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "floorperson", by=owner).session.account.id
    house.desk.do(c.ChangeRoles(account=dan, grant=("owner",)), by=owner)
    house.desk.people()
    olga = SignOff("Olga", PIN)
    assert isinstance(house.another_desk().do(c.ChangeRoles(account=dan, revoke=("owner",)), by=owner), Refused)
    pia = house.hire("Pia", "owner", by=dan, sign_off=olga).session.account.id
    house.another_desk().do(c.ChangeRoles(account=dan, revoke=("owner",)), by=pia, sign_off=olga)
    assert isinstance(house.desk.do(c.CreateAccount(account="p1", name="Pat"), by=dan, id="one"), Answer)
    stored = house.log.find("people", dan, "one")
    assert stored is not None
    assert stored.entry.role == "floorperson"

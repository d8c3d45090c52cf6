"""The front desk as people meet it: accounts, guests, and commands that act once."""

from threading import Barrier, Thread

from msgspec import json

from passline.game.refusal import Refused
from passline.people import commands as c
from passline.people.sessions import Welcome
from passline.streams.course import Answer
from tests.people.house import PASSWORD, PIN, House, who


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


def test_nobody_without_an_account_gives_commands(house: House) -> None:
    house.owner()
    for by in ("", "visitor", "house", "no-such"):
        assert isinstance(house.desk.do(c.Invite(invitation="i", roles=("owner",), expires="9"), by=by), Refused)
        assert isinstance(house.desk.set_pin(by=by, password=PASSWORD, pin=PIN), Refused)


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


def test_roles_are_given_and_taken_in_one_entry(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    done = house.desk.do(c.ChangeRoles(account=dan, grant=("regulator",), revoke=("dealer",)), by=owner)
    assert isinstance(done, Answer)
    assert len(json.decode(done.events)) == 2
    assert house.desk.people().accounts[dan].roles == {"regulator"}
    both = house.desk.do(c.ChangeRoles(account=dan, grant=("dealer",), revoke=("dealer",)), by=owner)
    assert isinstance(both, Refused)

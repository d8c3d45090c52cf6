"""One-time links: who makes them, and how often and how long they work."""

from threading import Barrier, Thread

from passline.people.accounts import Account
from passline.people.sessions import Link, Welcome
from passline.refusal import Refused
from tests.people.house import NEW, PASSWORD, PIN, House, who


def test_the_first_start_makes_one_owner_by_a_link_that_works_once(house: House) -> None:
    first, second = (
        house.desk.first_owner(),
        house.desk.first_owner(),
    )  # two starts before anybody used a link
    assert first is not None
    assert second is not None
    welcome = house.desk.accept_invitation(second.token, name="Olga", password=PASSWORD, pin=PIN)
    assert isinstance(welcome, Welcome)
    assert welcome.session.account.roles == {"owner"}
    for used in (first, second):
        again = house.desk.accept_invitation(used.token, name="Eve", password=PASSWORD, pin=PIN)
        assert isinstance(again, Refused), "once there is an owner, every link to become the first one is void"
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


def test_only_one_of_many_who_race_for_a_link_gets_in(house: House) -> None:
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


def test_a_new_link_resets_the_password_of_an_account_and_ends_its_sessions(house: House) -> None:
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
    signed = house.desk.sign_off(name="Dan", pin="8361", may_sign=lambda _one: True, requester=owner)
    assert isinstance(signed, Account)

"""Logging in and out, and what ends a session."""

from passline.game.refusal import Refused
from passline.people import commands as c
from passline.people.sessions import Welcome
from passline.streams.course import Answer
from tests.people.house import NEW, PASSWORD, WRONG, House, who


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
        house.desk.log_in(name="Olga", password=WRONG),
        house.desk.log_in(name="Nobody", password=PASSWORD),
        house.desk.log_in(name="\ud800", password="\ud800"),  # noqa: S106 - nobody could type it
    ]
    assert {str(one) for one in wrong} == {"the name or the password is wrong [people]"}


def test_changing_the_password_ends_every_session_but_the_new_one(house: House) -> None:
    old = house.owner()
    account = old.session.account.id
    for password, new in [(WRONG, NEW), (PASSWORD, "short"), (PASSWORD, "Olga"), (PASSWORD, "a" * 12)]:
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
    assert isinstance(house.desk.do(c.DisableAccount(account=account, reason="left"), by=owner), Answer)
    assert who(house.another_desk(), dan) == "nobody"
    assert str(house.desk.log_in(name="Dan", password=PASSWORD)) == "the name or the password is wrong [people]"
    assert isinstance(house.desk.do(c.EnableAccount(account=account), by=owner), Answer)
    assert who(house.desk, dan) == "nobody"
    assert isinstance(house.desk.log_in(name="Dan", password=PASSWORD), Welcome)


def test_roles_change_at_once_where_somebody_is_logged_in(house: House) -> None:
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", "stickperson", by=owner)
    done = house.another_desk().do(c.ChangeRoles(account=dan.session.account.id, revoke=("dealer",)), by=owner)
    assert isinstance(done, Answer)
    session = house.desk.session_of(dan.token)
    assert session is not None
    assert session.account.roles == {"stickperson"}

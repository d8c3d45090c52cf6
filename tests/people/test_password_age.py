"""How old a password may be: whoever has an older one chooses another at the log-in, and none that came before."""

from __future__ import annotations

from passline.people import commands as c
from passline.people.credentials import SignOff
from passline.people.password_change import OVER_AGE
from passline.people.sessions import Welcome
from passline.refusal import Refused
from passline.streams.course import Answer
from tests.people.house import PASSWORD, PIN, House

_DAY = 24 * 3600
_NEW, _NEWER = "violet engine harbour", "quiet copper lantern"


def _id_of(house: House, name: str) -> str:
    account = house.desk.people().account_named(name)
    assert account is not None
    return account.id


def _why(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.refusals[0].why


def test_an_old_password_logs_in_with_a_new_one_only_and_none_comes_back(house: House) -> None:
    house.owner()
    desk, olga = house.desk, _id_of(house, "Olga")
    assert isinstance(desk.do(c.ElectPasswordAge(days=90), by=olga), Answer)
    house.clock.move(89 * _DAY)
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)
    house.clock.move(2 * _DAY)
    refused = desk.log_in(name="Olga", password=PASSWORD)
    assert (_why(refused), refused.refusals[0].clause) == (  # type: ignore[union-attr]
        "a password may be 90 days old here, and yours is older: choose a new one",
        OVER_AGE,
    )
    assert "before" in _why(desk.log_in(name="Olga", password=PASSWORD, new=PASSWORD))
    assert "10 to 200" in _why(desk.log_in(name="Olga", password=PASSWORD, new="short"))
    assert "is wrong" in _why(desk.log_in(name="Olga", password=_NEWER, new=_NEW))
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD, new=_NEW), Welcome)
    assert isinstance(desk.log_in(name="Olga", password=_NEW), Welcome)
    assert "before" in _why(desk.set_password(by=olga, password=_NEW, new=PASSWORD))
    assert isinstance(desk.set_password(by=olga, password=_NEW, new=_NEWER), Welcome)


def test_without_an_age_passwords_stay_as_they_are_and_old_ones_are_forgotten(house: House) -> None:
    house.owner()
    house.clock.move(400 * _DAY)
    assert isinstance(house.desk.log_in(name="Olga", password=PASSWORD), Welcome)
    olga = _id_of(house, "Olga")
    assert isinstance(house.desk.set_password(by=olga, password=PASSWORD, new=_NEW), Welcome)
    assert isinstance(house.desk.set_password(by=olga, password=_NEW, new=PASSWORD), Welcome)
    assert "changes nothing" in _why(house.desk.do(c.ElectPasswordAge(days=0), by=olga))


def test_whoever_is_away_by_the_office_is_out_in_the_same_moment_and_an_owner_takes_two(house: House) -> None:
    house.owner()
    olga = _id_of(house, "Olga")
    house.hire("Flo", "floorperson", by=olga)
    flo = _id_of(house, "Flo")
    desk, welcome = house.desk, house.desk.log_in(name="Flo", password=PASSWORD)
    assert isinstance(welcome, Welcome)
    assert desk.session_of(welcome.token) is not None
    before = desk.version
    desk.away = lambda: frozenset({flo, olga})
    assert desk.session_of(welcome.token) is None
    assert desk.version > before, "screens are looked at"
    assert "is wrong" in _why(desk.log_in(name="Flo", password=PASSWORD))
    signed = desk.sign_off(name="Flo", pin=PIN, may_sign=lambda _account: True, requester=olga)
    assert isinstance(signed, Refused)
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome), "only two owners disable an owner"
    desk.away = frozenset
    assert desk.session_of(welcome.token) is not None


def test_two_owners_choose_the_age_together(house: House) -> None:
    house.owner()
    olga = _id_of(house, "Olga")
    house.hire("Oskar", "owner", by=olga)
    assert isinstance(house.desk.do(c.ElectPasswordAge(days=90), by=olga), Refused)
    assert isinstance(house.desk.do(c.ElectPasswordAge(days=90), by=olga, sign_off=SignOff("Oskar", PIN)), Answer)
    assert house.desk.people().safeguards.password_days == 90

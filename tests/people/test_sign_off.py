"""A sign-off needs another person, their PIN, and the right role."""

from passline.people import commands as c
from passline.people.accounts import Account
from passline.people.attempts import Wait
from passline.people.credentials import SIGNATURE_WRONG
from passline.refusal import Refused
from passline.streams.course import Answer
from tests.people.house import PASSWORD, PIN, WRONG, House


def test_another_person_in_the_right_role_signs_off_with_their_pin(house: House) -> None:
    owner = house.owner().session.account.id
    bob = house.hire("Bob", "boxperson", by=owner).session.account.id
    house.hire("Dan", "dealer", by=owner, pin="")

    def sign(name: str, pin: str, requester: str = owner) -> str:
        roles = {"boxperson", "floorperson"}
        signed = house.desk.sign_off(
            name=name, pin=pin, may_sign=lambda one: bool(one.roles & roles), requester=requester
        )
        return f"by {signed.name}" if isinstance(signed, Account) else str(signed)

    assert sign("bob", PIN) == "by Bob"
    assert sign("Bob", "0000") == f"{SIGNATURE_WRONG} [duties]"
    assert sign("Dan", "") == sign("Nobody", PIN) == sign("Bob", "0000")
    assert (
        sign("Bob", PIN, requester=bob) == "this must be signed by somebody other than Bob, who asked for it [duties]"
    )
    assert sign("Olga", PIN, requester=bob) == sign("Nobody", PIN), "her PIN was right, but she may not sign"
    assert isinstance(house.desk.do(c.DisableAccount(account=bob, reason="left"), by=owner), Answer)
    assert sign("Bob", PIN) == sign("Nobody", PIN)


def test_changing_a_pin_needs_the_password(house: House) -> None:
    owner = house.owner().session.account.id
    assert isinstance(house.desk.set_pin(by=owner, password=WRONG, pin="8361"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="1111"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="8361"), Answer)
    assert isinstance(house.desk.sign_off(name="Olga", pin=PIN, may_sign=lambda _one: True, requester="x"), Refused)
    assert isinstance(house.desk.sign_off(name="Olga", pin="8361", may_sign=lambda _one: True, requester="x"), Account)


def test_the_pin_of_somebody_who_may_not_sign_is_never_looked_at(house: House) -> None:
    """Attack: a PIN is tried where its holder could not sign anyway. Right and wrong get one answer."""
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner)
    house.hire("Bea", "boxperson", by=owner)

    def tried(pin: str) -> str:
        answer = house.desk.sign_off(
            name="Bea", pin=pin, may_sign=lambda one: "floorperson" in one.roles, requester=dan.session.account.id
        )
        return str(answer)

    assert tried(PIN) == tried("0000") == f"{SIGNATURE_WRONG} [duties]"


def test_a_colleague_cannot_lock_out_a_signature(house: House) -> None:
    """Attack: somebody spends all tries at a boxperson's PIN, so that nobody gets their signature."""
    owner = house.owner().session.account.id
    dan = house.hire("Dan", "dealer", by=owner).session.account.id
    house.hire("Bea", "boxperson", by=owner)

    def sign(pin: str, requester: str) -> object:
        return house.desk.sign_off(name="Bea", pin=pin, may_sign=lambda _one: True, requester=requester, address="a")

    for _ in range(5):
        assert isinstance(sign("0000", dan), Refused)
    assert isinstance(sign(PIN, dan), Wait)
    assert isinstance(sign(PIN, owner), Account)

"""A sign-off needs another person, their PIN, and the right role."""

from passline.game.refusal import Refused
from passline.people import commands as c
from passline.people.accounts import Account
from passline.streams.course import Answer
from tests.people.house import PASSWORD, PIN, WRONG, House


def test_another_person_in_the_right_role_signs_off_with_their_pin(house: House) -> None:
    owner = house.owner().session.account.id
    bob = house.hire("Bob", "boxperson", by=owner).session.account.id
    house.hire("Dan", "dealer", by=owner, pin="")

    def sign(name: str, pin: str, requester: str = owner) -> str:
        signed = house.desk.sign_off(name=name, pin=pin, roles={"boxperson", "floorperson"}, requester=requester)
        return f"by {signed.name}" if isinstance(signed, Account) else str(signed)

    assert sign("bob", PIN) == "by Bob"
    assert sign("Bob", "0000") == "the name or the PIN is wrong, or that account has no PIN [duties]"
    assert sign("Dan", "") == sign("Nobody", PIN) == sign("Bob", "0000")
    assert sign("Bob", PIN, requester=bob) == "nobody may sign off their own request; ask somebody else [duties]"
    why = "only the boxperson or floorperson may sign this; Olga has the role owner [duties]"
    assert sign("Olga", PIN, requester=bob) == why
    assert isinstance(house.desk.do(c.DisableAccount(account=bob, reason="left"), by=owner), Answer)
    assert sign("Bob", PIN) == sign("Nobody", PIN)


def test_changing_a_pin_needs_the_password(house: House) -> None:
    owner = house.owner().session.account.id
    assert isinstance(house.desk.set_pin(by=owner, password=WRONG, pin="8361"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="1111"), Refused)
    assert isinstance(house.desk.set_pin(by=owner, password=PASSWORD, pin="8361"), Answer)
    assert isinstance(house.desk.sign_off(name="Olga", pin=PIN, roles={"owner"}, requester="x"), Refused)
    assert isinstance(house.desk.sign_off(name="Olga", pin="8361", roles={"owner"}, requester="x"), Account)

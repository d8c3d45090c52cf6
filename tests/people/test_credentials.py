"""How passwords are stored and checked."""

import asyncio

from argon2 import PasswordHasher

from passline.game.refusal import Refused
from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from tests.people.house import PASSWORD, QUICK, WRONG, House


def test_a_hash_with_old_parameters_is_replaced_at_log_in() -> None:
    house = House()
    house.owner()
    stronger = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    desk = FrontDesk(house.log, house.clock, hasher=stronger)
    account = desk.people().named("Olga")
    assert account is not None

    def stored_hash() -> str:
        secret = house.log.vault.get("password", account.password, now=house.clock.now)
        assert secret is not None
        return secret.value.decode()

    assert not QUICK.check_needs_rehash(stored_hash())
    assert isinstance(desk.log_in(name="Olga", password=WRONG), Refused)
    assert not QUICK.check_needs_rehash(stored_hash()), "a wrong password changes nothing"
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)
    assert not stronger.check_needs_rehash(stored_hash())
    assert isinstance(desk.log_in(name="Olga", password=PASSWORD), Welcome)


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

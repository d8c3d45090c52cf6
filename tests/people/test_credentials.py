"""Passwords as they are kept and checked."""

import asyncio

from argon2 import PasswordHasher

from passline.game.refusal import Refused
from passline.people.desk import FrontDesk
from passline.people.sessions import Welcome
from tests.people.house import PASSWORD, QUICK, WRONG, House


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
    assert isinstance(desk.log_in(name="Olga", password=WRONG), Refused)
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

"""A house for the tests of people: a log in memory, a clock that is moved by hand, and quick hashes."""

# ruff: noqa: S105 - passwords of people who do not exist

from argon2 import PasswordHasher

from passline.people.commands import CreateAccount
from passline.people.desk import FrontDesk
from passline.people.invitations import Link
from passline.people.sessions import Welcome
from passline.store.log import Log
from passline.store.memory import MemoryLog
from passline.store.timestamps import later

START = "2026-11-15T08:00:00.000000Z"
PASSWORD = "correct horse battery"
WRONG = "wrong password!"
NEW = "another long one 42"
PIN = "7294"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Clock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> str:
        return self.now

    def move(self, seconds: int) -> None:
        self.now = later(self.now, seconds)


class House:
    """A front desk and who came to it."""

    def __init__(self, log: Log | None = None, *, is_demo: bool = False, can_register: bool = True) -> None:
        self.clock = Clock()
        self.log = log or MemoryLog(at=START)
        self.desk = self.another_desk(is_demo=is_demo, can_register=can_register)

    def another_desk(self, *, is_demo: bool = False, can_register: bool = True) -> FrontDesk:
        """A second process, or the first one started again."""
        return FrontDesk(self.log, self.clock, is_demo=is_demo, can_register=can_register, hasher=QUICK)

    def owner(self, name: str = "Olga") -> Welcome:
        link = self.desk.first_owner()
        assert isinstance(link, Link)
        welcome = self.desk.accept_invitation(link.token, name=name, password=PASSWORD, pin=PIN)
        assert isinstance(welcome, Welcome), welcome
        return welcome

    def hire(self, name: str, *roles: str, by: str, pin: str = PIN) -> Welcome:
        """Somebody new by invitation."""
        link = self.desk.invite(by=by, roles=roles)
        assert isinstance(link, Link), link
        welcome = self.desk.accept_invitation(link.token, name=name, password=PASSWORD, pin=pin)
        assert isinstance(welcome, Welcome), welcome
        return welcome

    def open_account(self, name: str, *roles: str, by: str) -> str:
        """An account whose person has not come yet."""
        account = f"id-{name}"
        done = self.desk.do(CreateAccount(account=account, name=name, roles=roles), by=by)
        assert not hasattr(done, "refusals"), done
        return account


def who(desk: FrontDesk, welcome: Welcome) -> str:
    """Who is logged in by a token; nobody if it is dead."""
    session = desk.session_of(welcome.token)
    return session.account.name if session else "nobody"

"""A house for the tests of people: a log in memory, a clock that tests move, and quick hashes."""

# ruff: noqa: S105 - passwords of people who do not exist

from argon2 import PasswordHasher

from passline.people.commands import CreateAccount
from passline.people.credentials import SignOff
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog
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
    """A front desk, and shorthands to bring people to it."""

    def __init__(self, log: Log | None = None, *, is_demo: bool = False, can_register: bool = True) -> None:
        self.clock = Clock()
        self.log = log or MemoryLog(at=START)
        self.desk = self.another_desk(is_demo=is_demo, can_register=can_register)

    def another_desk(self, *, is_demo: bool = False, can_register: bool = True) -> FrontDesk:
        """Return the desk of a second process, or of the first one after a restart."""
        return FrontDesk(self.log, self.clock, is_demo=is_demo, can_register=can_register, hasher=QUICK)

    def owner(self, name: str = "Olga") -> Welcome:
        """Make the first owner."""
        link = self.desk.first_owner()
        assert isinstance(link, Link)
        welcome = self.desk.accept_invitation(link.token, name=name, password=PASSWORD, pin=PIN)
        assert isinstance(welcome, Welcome), welcome
        return welcome

    def hire(self, name: str, *roles: str, by: str, pin: str = PIN, sign_off: SignOff | None = None) -> Welcome:
        """Bring in somebody new by invitation."""
        link = self.desk.invite(by=by, roles=roles, sign_off=sign_off)
        assert isinstance(link, Link), link
        welcome = self.desk.accept_invitation(link.token, name=name, password=PASSWORD, pin=pin)
        assert isinstance(welcome, Welcome), welcome
        return welcome

    def open_account(self, name: str, *roles: str, by: str) -> str:
        """Open an account whose person has not used the link yet."""
        account = f"id-{name}"
        done = self.desk.do(CreateAccount(account=account, name=name, roles=roles), by=by)
        assert not hasattr(done, "refusals"), done
        return account


def who(desk: FrontDesk, welcome: Welcome) -> str:
    """Return the name that a token is logged in as; "nobody" if its session has ended."""
    session = desk.session_of(welcome.token)
    return session.account.name if session else "nobody"


def forget_counters(house: House) -> None:
    """Delete every counter of the vault, as somebody with the database can."""
    if isinstance(house.log, SqliteLog):
        with house.log.transaction() as connection:
            connection.execute("DELETE FROM counters")
    else:
        house.log.vault._counts.clear()  # type: ignore[attr-defined]

"""Who works and plays in the demo's casino, and how they came to be on record."""

from __future__ import annotations

from collections.abc import Callable

from argon2 import PasswordHasher
from msgspec import Struct

from passline.authority.roles import OWNER, VISITOR
from passline.errors import CrapsError
from passline.people import commands as c
from passline.people.accounts import STREAM
from passline.people.course import PeopleCourse
from passline.people.credentials import Credentials
from passline.refusal import Refused
from passline.store.sealed import Log
from passline.store.timestamps import later
from passline.streams.blocking import BlockingStream
from passline.streams.course import THE_HOUSE, Actor, Ask

DEMO_PASSWORD = "passline demo"  # noqa: S105 - of everybody in the demo, and said so on its first page
"""The password of everybody who works in the demo's casino."""
DEMO_PIN = "7294"
"""The PIN with which each of them signs."""
STAFF = {
    "olga": "owner", "cora": "compliance",
    "sam": "supervisor", "flo": "floorperson", "bob": "boxperson", "bea": "boxperson",
    "stu": "stickperson", "sal": "stickperson", "dan": "dealer", "dora": "dealer", "dev": "dealer", "dina": "dealer",
    "sia": "supervisor", "fay": "floorperson", "ben": "boxperson", "bix": "boxperson",
    "sky": "stickperson", "syd": "stickperson", "dag": "dealer", "dee": "dealer", "dirk": "dealer", "dot": "dealer",
    "cass": "cashier", "carl": "cashier", "ned": "counter", "nia": "counter", "noor": "counter",
    "abe": "accountant", "cus": "custodian", "ada": "auditor", "sid": "surveillance",
    "tom": "regulator", "sue": "regulator",
}  # fmt: skip
"""Everybody who works there or watches over it, by account, with their role."""


class Patron(Struct, frozen=True):
    """Somebody who plays: the strategy, and for how much cash they buy in each time."""

    account: str
    name: str
    strategy: str
    buy_in_cents: int
    tips: bool = False  # whether they wager for the crew too


PATRONS = (
    Patron("patron-kit", "Kit Moreno", "molly:unit=1000", 500_00),
    Patron("patron-liv", "Liv Ostrom", "pass:unit=1500 + hardways:unit=500", 400_00, tips=True),
    Patron("patron-max", "Max Ortega", "dont_pass_345:unit=1000", 600_00),
    Patron("patron-nell", "Nell Baca", "six_eight:unit=1200", 300_00),
    Patron("patron-otis", "Otis Yazzie", "pass_345:unit=2500", 1_000_00, tips=True),
    Patron("patron-pam", "Pam Quist", "iron_cross:unit=1000", 500_00),
    Patron("patron-rex", "Rex Tully", "pass_345:unit=10000", 6_000_00, tips=True),
    Patron("patron-tia", "Tia Begay", "field:unit=1000", 300_00),
    Patron("patron-ugo", "Ugo Salas", "come:unit=1500", 500_00),
    Patron("patron-val", "Val Whitman", "dont_pass:unit=2500 + field:unit=500", 700_00),
    Patron("patron-wyn", "Wyn Castillo", "across:unit=500", 400_00, tips=True),
    Patron("patron-zoe", "Zoe Harker", "pass_345:unit=5000", 2_000_00),
)
"""Everybody who plays there, each with a way of their own."""
_HOURS = 3600


def actor_of(account: str) -> Actor:
    """Return somebody of the staff as they act.

    >>> actor_of("dan")
    Actor(account='dan', name='Dan', role='dealer', is_employee=True)
    """
    return Actor(account, account.capitalize(), STAFF[account], is_employee=True)


def hire(log: Log, clock: Callable[[], str]) -> None:
    """Put everybody on record: the owner by a link, everybody else through her; players have accounts without one.

    The passwords are public, so nothing is gained by hashing them slowly.
    """
    desk = _Desk(log, clock)
    owner = next(account for account, role in STAFF.items() if role == OWNER)
    desk.say(c.Invite(invitation="owner", roles=(OWNER,), expires=later(clock(), _HOURS)), THE_HOUSE)
    desk.accept(owner, "owner", name=owner.capitalize())
    by = actor_of(owner)
    for account, role in STAFF.items():
        if account != owner:
            desk.say(c.CreateAccount(account=account, name=account.capitalize(), roles=(role,)), by)
            link = f"link-{account}"
            desk.say(c.Invite(account=account, invitation=link, expires=later(clock(), _HOURS)), by)
            desk.accept(account, link)
    for patron in PATRONS:
        desk.say(c.CreateAccount(account=patron.account, name=patron.name), by)


class _Desk:
    """The stream of people, and the secrets beside it."""

    def __init__(self, log: Log, clock: Callable[[], str]) -> None:
        self._stream = BlockingStream(STREAM, PeopleCourse(), log=log, clock=clock)
        self._secrets = Credentials(log.vault, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self._count = 0

    def say(self, command: c.PeopleCommand, by: Actor) -> None:
        self._count += 1
        answer = self._stream.ask(Ask(f"hire-{self._count}", command, by))
        if isinstance(answer, Refused):
            raise CrapsError(f"the demo's people: {answer}")

    def accept(self, account: str, link: str, name: str = "") -> None:
        password, pin = self._secrets.keep("password", DEMO_PASSWORD), self._secrets.keep("pin", DEMO_PIN)
        command = c.AcceptInvitation(account=account, invitation=link, name=name, password=password, pin=pin)
        self.say(command, Actor(VISITOR, VISITOR, VISITOR))

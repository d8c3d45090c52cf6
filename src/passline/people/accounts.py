"""Who has an account, and in which roles: folded from the stream `people`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from passline.people import events as e
from passline.tables.duties import ROLES

__all__ = [
    "HOUSE",
    "NAME_MAX",
    "SOLE_ROLES",
    "STREAM",
    "Account",
    "Invitation",
    "People",
    "evolve",
    "in_order",
    "name_fault",
    "name_key",
]

STREAM = "people"
"""The stream of the log in which people are."""
HOUSE = "house"
"""Who stands in the log for the server itself, as a visitor does for somebody who has no account yet."""
SOLE_ROLES = frozenset({"surveillance", "regulator"})
"""Roles of people who look on: an account that has one of them has no other."""
NAME_MAX = 40
"""Characters of a name."""
_NO_EMPLOYMENT = frozenset({"player", "regulator"})


class Account(Struct, frozen=True):
    """A person as the house knows them. What their password and PIN are called in the vault is no secret."""

    id: str
    name: str
    roles: frozenset[str]
    is_disabled: bool = False
    is_guest: bool = False
    password: str = ""  # empty: none yet
    pin: str = ""
    generation: int = 0  # how often all its sessions were made void; one begun in another generation is dead

    @property
    def is_employee(self) -> bool:
        """Whether the house employs them.

        >>> Account("a1", "Ann", frozenset({"player"})).is_employee
        False
        """
        return not self.roles <= _NO_EMPLOYMENT


class Invitation(Struct, frozen=True):
    """A one-time link that nobody has used."""

    account: str  # empty: for somebody new
    roles: tuple[str, ...]
    by: str
    expires: str


class People(Struct, frozen=True):
    """Every account of a house, by id and by the key of its name, and the links that are out."""

    accounts: dict[str, Account] = {}
    names: dict[str, str] = {}
    invitations: dict[str, Invitation] = {}

    def named(self, name: str) -> Account | None:
        """Find an account by its name, however it is written."""
        return self.accounts.get(self.names.get(name_key(name), ""))

    def owners(self) -> list[Account]:
        """Give the owners who can act: not disabled, and with a password."""
        return [one for one in self.accounts.values() if "owner" in one.roles and not one.is_disabled and one.password]


def name_key(name: str) -> str:
    """Give what two names have in common when people would take them for one.

    >>> name_key(" ANN  Smith") == name_key("\uff21nn smith")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def name_fault(name: str) -> str:
    """Say why nobody could be called so, or nothing.

    >>> name_fault("Ann "), name_fault("Ann")
    ('a name has 1 to 40 characters and no space at its ends', '')
    """
    plain = unicodedata.normalize("NFKC", name)
    if not 1 <= len(plain) <= NAME_MAX or plain != plain.strip():
        return f"a name has 1 to {NAME_MAX} characters and no space at its ends"
    if any(unicodedata.category(character)[0] == "C" or character in "\u2028\u2029" for character in plain):
        return "a name has no control characters and none that cannot be seen"
    return ""


def in_order(roles: Iterable[str]) -> tuple[str, ...]:
    """Give roles as events list them.

    >>> in_order({"owner", "player"})
    ('player', 'owner')
    """
    return tuple(role for role in ROLES if role in set(roles))


def evolve(people: People, events: Iterable[e.PeopleEvent]) -> People:
    """Fold events; all of them over one copy, so that a long stream is read in linear time."""
    accounts, names, invitations = dict(people.accounts), dict(people.names), dict(people.invitations)
    for event in events:
        match event:
            case e.AccountCreated():
                roles = frozenset(event.roles)
                accounts[event.account] = Account(event.account, event.name, roles, is_guest=event.is_guest)
                names[name_key(event.name)] = event.account
            case e.InvitationMade():
                made = Invitation(event.account, event.roles, by=event.by, expires=event.expires)
                invitations[event.invitation] = made
            case e.InvitationAccepted():
                del invitations[event.invitation]
            case e.LoggedIn():
                pass
            case _:
                accounts[event.account] = _changed(accounts[event.account], event)
    return People(accounts, names, invitations)


def _changed(account: Account, event: e.PeopleEvent) -> Account:
    match event:
        case e.RolesGranted():
            return replace(account, roles=account.roles | set(event.roles))
        case e.RolesRevoked():
            return replace(account, roles=account.roles - set(event.roles))
        case e.AccountDisabled():
            return replace(account, is_disabled=True, generation=account.generation + 1)
        case e.AccountEnabled():
            return replace(account, is_disabled=False)
        case e.PasswordSet():
            return replace(account, password=event.password, generation=account.generation + 1)
        case e.PinSet():
            return replace(account, pin=event.pin)
    raise AssertionError(event)

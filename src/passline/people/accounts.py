"""Accounts, their roles and open invitations, folded from the stream `people`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from passline.people import events as e

__all__ = ["NAME_MAX", "STREAM", "Account", "Invitation", "People", "fold", "name_fault", "name_key"]

STREAM = "people"
"""The name of the stream about people."""
NAME_MAX = 40
"""The most characters in a name."""
_NO_EMPLOYMENT = frozenset({"player", "regulator"})


class Account(Struct, frozen=True):
    """A person as the house knows them. `password` and `pin` are names in the vault, not secrets."""

    id: str
    name: str
    roles: frozenset[str]
    is_disabled: bool = False
    is_guest: bool = False
    password: str = ""  # empty: none yet
    pin: str = ""
    generation: int = 0  # counts up whenever all its sessions end; a session of another generation is void

    @property
    def is_employee(self) -> bool:
        """Whether the house employs this person.

        >>> Account("a1", "Ann", frozenset({"player"})).is_employee
        False
        """
        return not self.roles <= _NO_EMPLOYMENT


class Invitation(Struct, frozen=True):
    """A one-time link that nobody has used yet."""

    account: str  # empty: for somebody new
    roles: tuple[str, ...]
    by: str
    expires: str


class People(Struct, frozen=True):
    """Every account of a house by id and by name key, and the unused invitations."""

    accounts: dict[str, Account] = {}
    names: dict[str, str] = {}
    invitations: dict[str, Invitation] = {}

    def named(self, name: str) -> Account | None:
        """Return the account of a name, regardless of case, spacing and width; None if there is none."""
        return self.accounts.get(self.names.get(name_key(name), ""))

    def owners(self) -> list[Account]:
        """Return the owners who can act: enabled, and with a password."""
        return [one for one in self.accounts.values() if "owner" in one.roles and not one.is_disabled and one.password]


def name_key(name: str) -> str:
    """Return a key that is equal for names that people would take for the same.

    >>> name_key(" ANN  Smith") == name_key("\uff21nn smith")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def name_fault(name: str) -> str:
    """Return why a name is not acceptable, or an empty string.

    >>> name_fault("Ann "), name_fault("Ann")
    ('a name has 1 to 40 characters and no spaces at its ends', '')
    """
    plain = unicodedata.normalize("NFKC", name)
    if not 1 <= len(plain) <= NAME_MAX or plain != plain.strip():
        return f"a name has 1 to {NAME_MAX} characters and no spaces at its ends"
    if any(unicodedata.category(character)[0] == "C" or character in "\u2028\u2029" for character in plain):
        return "a name has no control characters and no invisible ones"
    return ""


def fold(people: People, events: Iterable[e.PeopleEvent]) -> People:
    """Return the people after some events: all on one copy, so that a long stream is read in linear time."""
    after = People(dict(people.accounts), dict(people.names), dict(people.invitations))
    for event in events:
        _apply(after, event)
    return after


def _apply(people: People, event: e.PeopleEvent) -> None:
    accounts = people.accounts
    match event:
        case e.AccountCreated():
            roles = frozenset(event.roles)
            accounts[event.account] = Account(event.account, event.name, roles, is_guest=event.is_guest)
            people.names[name_key(event.name)] = event.account
        case e.InvitationMade():
            made = Invitation(event.account, event.roles, by=event.by, expires=event.expires)
            people.invitations[event.invitation] = made
        case e.InvitationAccepted():
            del people.invitations[event.invitation]
        case e.LoggedIn():
            pass
        case _:
            accounts[event.account] = _changed(accounts[event.account], event)


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

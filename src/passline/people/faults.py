"""What commands about people are judged by, and the checks that several of them share."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct

from passline.authority.roles import GIVEN_BY, MADE_BY, ROLES, SOLE_ROLES, in_order, in_words
from passline.people import commands as c
from passline.people import events as e
from passline.people.accounts import Account, People, name_fault, name_key
from passline.refusal import Refusal

_duties, _people = partial(Refusal, "duties"), partial(Refusal, "people")


class Asked(Struct, frozen=True):
    """What a command about people is judged by."""

    people: People
    by: Account | None  # None: a visitor, or the house itself
    at: str
    signed_by: str = ""  # the second owner, where one is needed
    terms: int = 0  # of the command

    @property
    def roles_to_give(self) -> frozenset[str]:
        """The roles that the actor may give to others and take from them."""
        return can_give(self.by, self.terms) if self.by else frozenset()


def can_give(actor: Account, terms: int = c.TERMS) -> frozenset[str]:
    """Return the roles that this person may give to others and take from them, by the terms of today or older ones.

    >>> flo = Account("f1", "Flo", frozenset({"floorperson"}))
    >>> sorted(can_give(flo)), sorted(can_give(flo, terms=0))
    (['player'], ['dealer', 'player', 'stickperson'])
    """
    given = MADE_BY if terms else GIVEN_BY
    return frozenset().union(*(given.get(role, frozenset()) for role in actor.roles))


def new_faults(people: People, account: str, name: str) -> Iterator[Refusal]:
    """Refuse a new account whose id or name is taken, or whose name is not acceptable."""
    if not account:
        yield _people("an account needs an id")
    elif account in people.accounts:
        yield _people(f"there is already an account {account}")
    if fault := name_fault(name):
        yield _people(fault)
    elif name_key(name) in people.names:
        yield _people(f"there is already somebody named {unicodedata.normalize('NFKC', name)}; choose another")


def role_faults(roles: Iterable[str], given: frozenset[str]) -> Iterator[Refusal]:
    """Refuse roles that do not exist or that this person may not give."""
    if unknown := sorted(set(roles) - set(ROLES)):
        yield _people(f"there is no role {', '.join(unknown)}; the roles are {', '.join(ROLES)}")
    elif missing := set(roles) - given:
        yield _duties(f"you may not give or take {in_words(missing)}; ask an owner")
    elif not roles:
        yield _people("name at least one role")


def sole_faults(roles: Iterable[str]) -> Iterator[Refusal]:
    """Refuse an observer's role beside another."""
    if len(set(roles)) > 1 and (sole := SOLE_ROLES & set(roles)):
        yield _people(f"an observer takes no part in play: {in_words(sole)} cannot be combined with another")


def other_faults(case: Asked, account: str) -> Iterator[Refusal]:
    """Refuse to act on an account that does not exist, on one's own, or on one of a higher rank."""
    other = case.people.accounts.get(account)
    assert case.by is not None
    if other is None:
        yield _people(f"there is no account {account}")
    elif other.id == case.by.id:
        yield _duties("nobody may change the roles or the state of their own account; ask an owner")
    elif above := other.roles - case.roles_to_give:
        yield _duties(f"{other.name} has {in_words(above)}: only an owner may change that account")
    elif other.is_guest:
        yield _people(f"{other.name} is a guest of the demo, whose account cannot be changed")


def own_faults(case: Asked, account: str) -> list[Refusal]:
    """Refuse to set a password or PIN of somebody else."""
    assert case.by is not None
    if case.by.id != account:
        return [_duties("only the person themselves sets their password or PIN; send them an invitation instead")]
    return [_people("a guest of the demo has no password and no PIN")] if case.by.is_guest else []


def new_account(account: str, name: str, roles: Iterable[str], *, is_guest: bool = False) -> e.AccountCreated:
    """Return that an account was opened, under its name as it is stored."""
    return e.AccountCreated(account, unicodedata.normalize("NFKC", name), in_order(roles), is_guest=is_guest)


Verdict = tuple[e.PeopleEvent, ...] | list[Refusal]

"""Dual control: which acts take a second owner, so that no owner alone can make, or become, somebody who signs."""

from __future__ import annotations

from passline.people import commands as c
from passline.people.accounts import Account, People
from passline.people.roles import SIGNING_ROLES, in_words
from passline.store.timestamps import CLOCK_SECONDS_MAX, later

__all__ = ["ALONE_SECONDS", "OWNERS_MIN", "is_dual", "second_owner_fault", "why_second_owner"]

OWNERS_MIN = 2
"""How many owners a house has before two of them must agree."""
ALONE_SECONDS = 3600
"""For how long one owner may act alone after the glass was broken."""


def is_dual(people: People, at: str) -> bool:
    """Return whether two owners must agree at this moment."""
    guards = people.safeguards
    is_enough = guards.dual_control == "on" and len(people.owners()) >= OWNERS_MIN
    hour_ends = guards.alone_until  # one that ends later was begun by a clock that was set forward, and is not yet
    is_alone = at < hour_ends <= later(at, ALONE_SECONDS + CLOCK_SECONDS_MAX)
    return is_enough and not is_alone


def why_second_owner(people: People, command: c.PeopleCommand, at: str) -> str:
    """Return what a command does that takes a second owner at this moment, or an empty string.

    Making somebody who can sign; a new password for somebody who can; and taking away an owner, since the house would
    then be left with one who needs nobody.
    """
    if isinstance(command, c.ElectDualControl):
        return "changing dual control"
    why = _why(people, command)
    return why if why and is_dual(people, at) else ""


def _why(people: People, command: c.PeopleCommand) -> str:
    known = people.accounts.get(command.account)
    signs = known.roles & SIGNING_ROLES if known else frozenset[str]()
    match command:
        case c.CreateAccount() if given := SIGNING_ROLES & {*command.roles}:
            return f"an account with {in_words(given)}"
        case c.ChangeRoles() if given := SIGNING_ROLES & {*command.grant}:
            return f"giving {in_words(given)}"
        case c.ChangeRoles() if "owner" in command.revoke:
            return "taking away the role owner"
        case c.Invite() if given := (signs if command.account else SIGNING_ROLES & {*command.roles}):
            return f"a link for somebody with {in_words(given)}"
        case c.EnableAccount() if signs:
            return f"enabling an account with {in_words(signs)}"
        case c.DisableAccount() if "owner" in signs:
            return "disabling an owner"
    return ""


def second_owner_fault(people: People, command: c.PeopleCommand, *, by: Account | None, signed_by: str, at: str) -> str:
    """Return why a command lacks a second owner's signature, or an empty string if it has it or needs none."""
    if by is None or not (why := why_second_owner(people, command, at)):
        return ""
    others = {one.id for one in people.owners()} - {by.id}
    if not others:
        return f"{why} takes two owners, and this house has no other one: make another owner first"
    if not signed_by:
        return f"{why} takes a second owner: send the name and PIN of another owner as sign_off"
    if signed_by not in others:
        return f"{why} must be signed by another owner, who can log in"
    return ""

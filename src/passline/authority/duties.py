"""Duties: the rows in which each part says who may give a command, what decides by them, and the sentence that refuses.

The rows of the game are in `game/duties.py`, of tables and the house in `tables/duties.py`, of people in
`people/duties.py`, of tournaments and offices beside their judges in `decide.py`, of requests in `web/duties.py`; the
acts of an office are on its pages. `passline duties` prints them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from passline.authority.roles import ROLES, in_words

_ROLE_SHOWN = 40  # characters of a role that somebody sent


class Duty(Struct, frozen=True):
    """Who may give a command, who signs it off, and by which clause.

    Nobody signs their own request, and who plays at a table does nothing else there: that holds for every row.
    """

    by: tuple[str, ...]
    signed_by: tuple[str, ...] = ()
    keyed_by: tuple[str, ...] = ()  # with physical dice, for players who have no page open
    whose: tuple[str, ...] = ()  # whose act it is, where others in `by` or `keyed_by` enter it for them
    is_servers: bool = False  # only the server itself gives it
    named: Callable[[Any], tuple[str, ...]] | None = None  # who of `by`, where the rulebook names them
    cite: Callable[[Any], Any] | None = None  # what the rules cite for it; None: our own `duties`
    two_owners: Callable[[Any, Any], str] | None = None  # what it does that takes a second owner, or an empty string
    when: str = ""  # when it is signed, if not always
    instead: str = ""  # what to send instead, where nobody may give it


EVERY_ROLE = Duty(ROLES)
"""The duty of what every role does: each for their own account, or as an office's pages say, act by act."""
NOBODY = Duty(())
"""The duty of a command that nobody may give."""
SERVER = Duty((), is_servers=True, instead="the server does it by itself")
"""The duty of what only the server itself does."""


def unfit_role(
    duty: Duty, command: object, role: str, *, is_physical: bool = False, is_server: bool = False, words: str = ""
) -> str:
    """Return why this role may not give a command, or an empty string; `words` say what it does, else its name does.

    >>> class Register(Struct, tag="register"): ...
    >>> unfit_role(Duty(("visitor",)), Register(), "owner"), unfit_role(Duty(("visitor",)), Register(), "visitor")
    ('the owner may not give register; the visitor may', '')
    >>> unfit_role(SERVER, Register(), "owner"), unfit_role(SERVER, Register(), "owner", is_server=True)
    ('nobody may give register: the server does it by itself', '')
    """
    if role in duty.by or (is_physical and role in duty.keyed_by) or (is_server and duty.is_servers):
        return ""
    return may_not(role, words or f"give {name_of(command)}", duty.by) + (f": {duty.instead}" if duty.instead else "")


def allowed_roles(duty: Duty, rules: object) -> tuple[str, ...]:
    """Return whose act a command of the game is: those whom the rulebook names, if it names them."""
    return duty.named(rules) if duty.named else duty.whose or duty.by


def name_of(command: object) -> str:
    """Return the name under which a command is sent."""
    kind = type(command)
    if (name := _NAMES.get(kind)) is None:
        name = _NAMES[kind] = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct
    return name


_NAMES: dict[type, str] = {}  # of commands that were asked for yet


def role_list(roles: Sequence[str]) -> str:
    """Return roles as a sentence lists them.

    >>> role_list(("dealer", "stickperson", "boxperson"))
    'dealer, stickperson or boxperson'
    """
    return " or ".join(filter(None, (", ".join(roles[:-1]), *roles[-1:])))


def may_not(role: str, what: str, allowed: Sequence[str]) -> str:
    """Return the sentence that refuses what somebody's role may not do.

    >>> may_not("owner", "give settle", ("dealer", "boxperson")), may_not("dealer", "give land-dice", ())
    ('the owner may not give settle; the dealer or boxperson may', 'nobody may give land-dice')
    >>> may_not("player", "see the office", tuple(role for role in ROLES if role != "player")), may_not("", "deal", ())
    ('the player may not see the office; every other role may', 'nobody may deal')
    """
    if not allowed:
        return f"nobody may {what}"
    others = "every other role" if {role, *allowed} == {*ROLES} else f"the {role_list(allowed)}"
    return f"{f'the {role}' if role else 'somebody without a role'} may not {what}; {others} may"


def not_designated(name: str, group: str) -> str:
    """Return the sentence that refuses somebody whose office has not designated them, though they have the role.

    >>> not_designated("Bea", "key holder")
    'Bea has not been designated as key holder yet'
    """
    return f"{name} has not been designated as {group} yet"


def may_not_act_as(name: str, role: str, roles: Sequence[str]) -> str:
    """Return the sentence that refuses somebody a role that they do not have.

    >>> may_not_act_as("Dan", "owner", ("player", "dealer"))
    'Dan may not act as owner, with the roles player, dealer'
    """
    return f"{name} may not act as {role[:_ROLE_SHOWN]}, with {in_words(roles)}"

"""The roles people act in, and the house itself, which acts without being a person."""

from __future__ import annotations

from collections.abc import Iterable

from passline.streams.course import Actor

__all__ = [
    "CLERKS",
    "CREW",
    "LOG_READERS",
    "RECORD_READERS",
    "ROLES",
    "SIGNING_ROLES",
    "SOLE_ROLES",
    "STAFF",
    "THE_HOUSE",
    "VISITOR",
    "in_order",
    "in_words",
]

CREW = ("dealer", "stickperson", "boxperson", "floorperson")
"""Those who deal and watch over a table."""
STAFF = ("supervisor", "custodian", "cashier", "accountant", "counter", "auditor", "compliance", "director")
"""Those who keep the house around the tables: of the pit, of dice, of the cage, of tournaments."""
CLERKS = ("owner", "compliance")
"""Those who set an office up and record the papers of outside bodies."""
ROLES = ("player", *CREW, *STAFF, "owner", "regulator", "surveillance")
"""Everybody who can act; a spectator only looks."""
VISITOR = "visitor"
"""Somebody who is not logged in."""
LOG_READERS = ("owner", "regulator", "surveillance")
"""Who reads the whole log."""
RECORD_READERS = ("floorperson", *LOG_READERS)
"""Who reads records and who has an account: nobody who deals or plays."""
SIGNING_ROLES = frozenset({"boxperson", "floorperson", *STAFF, "owner"})
"""Roles that sign off what others ask for; `tables/duties.py` and the pages of an office say what."""
SOLE_ROLES = frozenset({"surveillance", "regulator"})
"""Roles of observers: an account with one of them has no other role."""
THE_HOUSE = Actor("house", "The house", "owner", is_employee=True)
"""The server itself, which opens a first table before anybody has an account. No person has its account."""


def in_order(roles: Iterable[str]) -> tuple[str, ...]:
    """Return roles in the order of `ROLES`, as events list them.

    >>> in_order({"owner", "player"})
    ('player', 'owner')
    """
    return tuple(role for role in ROLES if role in set(roles))


def in_words(roles: Iterable[str]) -> str:
    """Return roles as a sentence names them.

    >>> in_words({"owner", "player"}), in_words({"owner"}), in_words(())
    ('the roles player, owner', 'the role owner', 'no role')
    """
    ordered = in_order(roles)
    return f"the role{'s' * (len(ordered) > 1)} {', '.join(ordered)}" if ordered else "no role"

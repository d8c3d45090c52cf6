"""The roles people act in. A new role is a line of `_KNOWN`; its duties are rows of the parts that it works in.

A role of the group `crew` is also in every row that names `CREW`. `Role` and `TABLE_ROLES` list those of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

PLAYER: Final = "player"  # each role by its name in the log
SHOOTER: Final = "shooter"  # the player who has the dice: a role of the game, which no account has
DEALER: Final = "dealer"
STICKPERSON: Final = "stickperson"
BOXPERSON: Final = "boxperson"
FLOORPERSON: Final = "floorperson"
SUPERVISOR: Final = "supervisor"
CUSTODIAN: Final = "custodian"
SECURITY: Final = "security"
CASHIER: Final = "cashier"
ACCOUNTANT: Final = "accountant"
COUNTER: Final = "counter"
AUDITOR: Final = "auditor"
COMPLIANCE: Final = "compliance"
DIRECTOR: Final = "director"
OWNER: Final = "owner"
REGULATOR: Final = "regulator"
SURVEILLANCE: Final = "surveillance"
VISITOR: Final = "visitor"
"""Somebody who is not logged in."""

Role = Literal["player", "shooter", "dealer", "stickperson", "boxperson", "floorperson"]
"""The roles that rulebooks name and in which commands of the game are given."""
TABLE_ROLES: tuple[Role, ...] = (PLAYER, SHOOTER, DEALER, STICKPERSON, BOXPERSON, FLOORPERSON)
"""Every `Role`, in the order of the type."""


class _Known(Struct, frozen=True):
    """A role that an account can have."""

    name: str
    group: Literal["", "crew", "staff"] = ""
    signs: bool = False  # whether it signs off what others ask for
    is_employed: bool = True  # by the house
    is_sole: bool = False  # an observer's: an account with it has no other role
    gives: tuple[str, ...] = ()  # the roles that it may give to others and take from them; an owner gives every role


_KNOWN = (
    _Known(PLAYER, is_employed=False),
    _Known(DEALER, "crew"),
    _Known(STICKPERSON, "crew"),
    _Known(BOXPERSON, "crew", signs=True),
    _Known(FLOORPERSON, "crew", signs=True, gives=(PLAYER, DEALER, STICKPERSON)),
    _Known(SUPERVISOR, "staff", signs=True),
    _Known(CUSTODIAN, "staff", signs=True),
    _Known(SECURITY, "staff", signs=True),
    _Known(CASHIER, "staff", signs=True),
    _Known(ACCOUNTANT, "staff", signs=True),
    _Known(COUNTER, "staff", signs=True),
    _Known(AUDITOR, "staff", signs=True),
    _Known(COMPLIANCE, "staff", signs=True),
    _Known(DIRECTOR, "staff", signs=True),
    _Known(OWNER, signs=True),
    _Known(REGULATOR, is_employed=False, is_sole=True),
    _Known(SURVEILLANCE, is_sole=True),
)
ROLES = tuple(role.name for role in _KNOWN)
"""Everybody who can act, from the lowest to the highest; a spectator only looks."""
CREW = tuple(role.name for role in _KNOWN if role.group == "crew")
"""Those who deal and watch over a table."""
STAFF = tuple(role.name for role in _KNOWN if role.group == "staff")
"""Those who keep the house around the tables: of the pit, of dice, of the cage, of tournaments."""
SIGNING_ROLES = frozenset(role.name for role in _KNOWN if role.signs)
"""Roles that sign off what others ask for; the duties of each part and the pages of an office say what."""
VOUCHING_ROLES = frozenset(ROLES) - {PLAYER}
"""Roles whose word others rely on: they sign, witness, accept what is carried to a table, or speak for a body."""
SOLE_ROLES = frozenset(role.name for role in _KNOWN if role.is_sole)
"""Roles of observers: an account with one of them has no other role."""
EMPLOYED_ROLES = frozenset(role.name for role in _KNOWN if role.is_employed)
"""Roles of those whom the house employs."""
GIVEN_BY = {role.name: frozenset(role.gives) for role in _KNOWN} | {OWNER: frozenset(ROLES)}
"""The roles that somebody in each role may give to others and take from them."""
MADE_BY = GIVEN_BY | {FLOORPERSON: frozenset({PLAYER})}
"""The same since the desk writes `TERMS` into what it records: a floorperson makes nobody who vouches."""
BOX_AND_FLOOR = (BOXPERSON, FLOORPERSON)
"""Those who watch over a table and answer for its chips."""
FLOOR_AND_OWNER = (FLOORPERSON, OWNER)
"""Those who open and close tables, and accounts."""
KEEPERS = (OWNER, COMPLIANCE)
"""Those who set an office up and record the papers of outside bodies."""
DIRECTORS = (DIRECTOR, OWNER)
"""Those who run a tournament."""
LOG_READERS = (OWNER, REGULATOR, SURVEILLANCE)
"""Who reads the whole log."""
TABLE_READERS = (*CREW, *LOG_READERS)
"""Who sees all of a table: racks, the bank, its ledger and hands."""
RECORD_READERS = (FLOORPERSON, *LOG_READERS)
"""Who reads records and who has an account: nobody who deals or plays."""


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

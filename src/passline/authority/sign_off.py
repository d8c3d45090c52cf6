"""Sign-off: who signs a command for somebody else, and what takes a second owner. Nobody signs their own request.

Under dual control no owner alone can make, or become, somebody who signs; what a command does that takes two owners is
in its row, `Duty.two_owners`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from passline.authority.duties import role_list
from passline.authority.roles import FLOORPERSON, OWNER, SIGNING_ROLES, in_words

OWNERS_MIN = 2
"""How many owners a house has before two of them must agree."""
ALONE_SECONDS = 3600
"""For how long one owner may act alone after the glass was broken."""


class _Person(Protocol):
    @property
    def account(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...


def asked_to_sign(roles: tuple[str, ...], role: str) -> tuple[str, ...]:
    """Return who is asked to sign for somebody in a role: a floorperson too, where they would sign for themselves.

    >>> asked_to_sign(("boxperson",), "dealer"), asked_to_sign(("boxperson",), "boxperson")
    (('boxperson',), ('boxperson', 'floorperson'))
    """
    return (*roles, FLOORPERSON) if role in roles and FLOORPERSON not in roles else roles


def signature_fault(what: str, roles: Sequence[str], *, by: _Person, signer: _Person | None, alone: str = "") -> str:
    """Return why a command is not signed: by nobody, by its sender, in the wrong role; or an empty string.

    `alone` says what somebody sends who has nobody to sign.
    """
    somebody = f"{'an' if roles[0] == OWNER else 'a'} {role_list(roles)}"
    if signer is None:
        return f"{what} needs the signature of {somebody}{alone}"
    if signer.account == by.account:
        return f"{what} must be signed by somebody other than {by.name}, who asked for it"
    if signer.role not in roles:
        return f"{what} must be signed by {somebody}, not by the {signer.role}"
    return ""


def with_signing(what: str, roles: Iterable[str], among: frozenset[str] = SIGNING_ROLES) -> str:
    """Return what is done with those of these roles that sign, or are `among` others; an empty string if none is.

    >>> with_signing("giving", ("dealer", "boxperson")), with_signing("giving", ("dealer",))
    ('giving the role boxperson', '')
    """
    signing = among.intersection(roles)
    return f"{what} {in_words(signing)}" if signing else ""


def second_owner_fault(what: str, *, others: Collection[str], signed_by: str) -> str:
    """Return why something that takes two owners lacks the second's signature, or an empty string if it has it.

    `others` are the accounts of the owners besides the one who asks.

    >>> second_owner_fault("disabling an owner", others={"o2"}, signed_by="f1")
    'disabling an owner must be signed by another owner, who can log in'
    """
    if not others:
        return f"{what} takes two owners, and this house has no other one: make another owner first"
    if not signed_by:
        return f"{what} takes a second owner: another owner signs it with name and PIN"
    if signed_by not in others:
        return f"{what} must be signed by another owner, who can log in"
    return ""

"""Sign-off: who signs a command for somebody else, and what takes a second owner. Nobody signs their own request.

Under dual control no owner alone can make, or become, somebody who signs; what a command does that takes two owners is
in its row, `Duty.two_owners`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from passline.authority.duties import role_list
from passline.authority.roles import FLOORPERSON, SIGNING_ROLES, in_words

OWNERS_MIN = 2
"""How many owners a house has before two of them must agree."""
ALONE_SECONDS = 3600
"""For how long one owner may act alone after the glass was broken."""
_VOWELS = "aeiou"


class _Person(Protocol):
    @property
    def account(self) -> str: ...
    @property
    def name(self) -> str: ...


def asked_to_sign(roles: tuple[str, ...], role: str) -> tuple[str, ...]:
    """Return who is asked to sign for somebody in a role: a floorperson too, where they would sign for themselves.

    >>> asked_to_sign(("boxperson",), "dealer"), asked_to_sign(("boxperson",), "boxperson")
    (('boxperson',), ('boxperson', 'floorperson'))
    """
    return (*roles, FLOORPERSON) if role in roles and FLOORPERSON not in roles else roles


def signature_fault(
    what: str,
    who: Sequence[str],
    *,
    by: str,
    signer: _Person | None,
    is_fit: bool,
    signed: Collection[str] = (),
    alone: str = "",
) -> str:
    """Return why something is not signed: by nobody, by its sender, twice, by somebody unfit; or an empty string.

    `who` are those who sign it, in words, `by` is the account that sends it and `signed` are those that have signed it
    already; `alone` says what somebody sends who has nobody to sign.

    >>> from passline.streams.course import Actor
    >>> ann, two = Actor("a1", "Ann", "dealer"), ("boxperson", "floorperson")
    >>> signature_fault("fill", two, by="b1", signer=None, is_fit=False)
    'fill needs the signature of a boxperson or floorperson, with name and PIN'
    >>> signature_fault("fill", two, by="b1", signer=ann, is_fit=False)
    'fill must be signed by a boxperson or floorperson, not by Ann'
    >>> signature_fault("fill", two, by="b1", signer=ann, is_fit=True)
    ''
    """
    somebody = f"{'an' if who[0][0].lower() in _VOWELS else 'a'} {role_list(who)}"
    if signer is None:
        return f"{what} needs the signature of {somebody}, with name and PIN{alone}"
    if signer.account == by:
        return own_signature_fault(what, signer.name)
    if signer.account in signed:
        return f"{what} must be signed by somebody other than {signer.name}, who has signed already"
    return "" if is_fit else f"{what} must be signed by {somebody}, not by {signer.name}"


def own_signature_fault(what: str, name: str) -> str:
    """Return why its sender does not sign something.

    >>> own_signature_fault("fill", "Ann")
    'fill must be signed by somebody other than Ann, who asked for it'
    """
    return f"{what} must be signed by somebody other than {name}, who asked for it"


def with_signing(what: str, roles: Iterable[str], among: frozenset[str] = SIGNING_ROLES) -> str:
    """Return what is done with those of these roles that sign, or are `among` others; an empty string if none is.

    >>> with_signing("giving", ("dealer", "boxperson")), with_signing("giving", ("dealer",))
    ('giving the role boxperson', '')
    """
    signing = among.intersection(roles)
    return f"{what} {in_words(signing)}" if signing else ""


def second_owner_fault(what: str, *, others: Collection[str], signed_by: str, is_by_owner: bool = True) -> str:
    """Return why something that takes two owners lacks one or the other's signature, or an empty string if it has both.

    `others` are the accounts of the owners besides the one who asks; `is_by_owner` is false where nobody else may ask.

    >>> second_owner_fault("disabling an owner", others={"o2"}, signed_by="f1")
    'disabling an owner must be signed by another owner, who can log in'
    """
    if not is_by_owner:
        return f"{what} takes two owners: one of them sends it, the other signs"
    if not others:
        return f"{what} takes two owners, and this house has no other one: make another owner first"
    if not signed_by:
        return f"{what} takes a second owner: another owner signs it with name and PIN"
    if signed_by not in others:
        return f"{what} must be signed by another owner, who can log in"
    return ""

"""The bodies of requests about accounts."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from passline.authority.roles import PLAYER, ROLES
from passline.people.accounts import NAME_MAX
from passline.people.credentials import PASSWORD_MAX, PIN_MAX, SignOff
from passline.people.decide import REASON_MAX

__all__ = [
    "AcceptBody",
    "CreateBody",
    "DisableBody",
    "DualControlBody",
    "NameAndPassword",
    "PasswordBody",
    "PinBody",
    "RolesBody",
    "SignedBody",
]

Name = Annotated[str, Meta(min_length=1, max_length=2 * NAME_MAX, examples=["Ann"])]
Password = Annotated[str, Meta(min_length=1, max_length=PASSWORD_MAX, examples=["correct horse battery"])]
Pin = Annotated[str, Meta(max_length=PIN_MAX, examples=["7294"])]
Roles = Annotated[list[Annotated[str, Meta(examples=list(ROLES), max_length=20)]], Meta(max_length=len(ROLES))]


class NameAndPassword(Struct, forbid_unknown_fields=True):
    """A name and password: of somebody who logs in, or those a new player chooses."""

    name: Name
    password: Password


class AcceptBody(Struct, forbid_unknown_fields=True):
    """What the holder of a one-time link chooses; the name only if the link is for a new account."""

    password: Password
    name: Annotated[str, Meta(max_length=2 * NAME_MAX, examples=["Ann"])] = ""
    pin: Pin = ""


class SignedBody(Struct, forbid_unknown_fields=True):
    """The second owner who signs, where two must agree."""

    sign_off: SignOff | None = None


class CreateBody(Struct, forbid_unknown_fields=True):
    """A new account. Its holder gets a one-time link to choose a password and PIN."""

    name: Name
    roles: Roles = msgspec.field(default_factory=lambda: [PLAYER])
    sign_off: SignOff | None = None


class RolesBody(Struct, forbid_unknown_fields=True):
    """All the roles that the account will have."""

    roles: Roles
    sign_off: SignOff | None = None


class DualControlBody(Struct, forbid_unknown_fields=True):
    """Whether two owners must agree, and the second owner who signs this change."""

    is_on: bool
    sign_off: SignOff | None = None


class PasswordBody(Struct, forbid_unknown_fields=True):
    """The present password and the new one."""

    password: Password
    new: Password


class PinBody(Struct, forbid_unknown_fields=True):
    """The password and the new PIN."""

    password: Password
    pin: Pin


class DisableBody(Struct, forbid_unknown_fields=True):
    """Why an account is disabled."""

    reason: Annotated[str, Meta(min_length=1, max_length=REASON_MAX, examples=["left the house"])]
    sign_off: SignOff | None = None

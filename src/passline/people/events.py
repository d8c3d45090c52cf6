"""What happened to people; names are stable and versioned. A secret is only named here: it lies in the vault."""

from __future__ import annotations

from msgspec import Struct, json

from passline.store.entry import Entry
from passline.store.upcast import upcast

__all__ = [
    "AccountCreated",
    "AccountDisabled",
    "AccountEnabled",
    "InvitationAccepted",
    "InvitationMade",
    "LoggedIn",
    "PasswordSet",
    "PeopleEvent",
    "PinSet",
    "RolesGranted",
    "RolesRevoked",
    "people_events",
]


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    account: str


class AccountCreated(_Event, frozen=True, tag="account-created/1"):
    """There is an account of this name."""

    name: str
    roles: tuple[str, ...]  # in the order of duties.ROLES
    is_guest: bool


class RolesGranted(_Event, frozen=True, tag="roles-granted/1"):
    """An account has further roles."""

    roles: tuple[str, ...]


class RolesRevoked(_Event, frozen=True, tag="roles-revoked/1"):
    """An account has these roles no longer."""

    roles: tuple[str, ...]


class AccountDisabled(_Event, frozen=True, tag="account-disabled/1"):
    """An account can do nothing, its sessions and the invitations it made are void."""

    reason: str


class AccountEnabled(_Event, frozen=True, tag="account-enabled/1"):
    """An account can log in again."""


class PasswordSet(_Event, frozen=True, tag="password-set/1"):
    """From here on this secret of the vault is the password, and sessions begun before it are void."""

    password: str


class PinSet(_Event, frozen=True, tag="pin-set/1"):
    """From here on this secret of the vault is the PIN."""

    pin: str


class InvitationMade(_Event, frozen=True, tag="invitation-made/1"):
    """There is a one-time link, for an account or, where it is empty, for somebody new."""

    invitation: str
    roles: tuple[str, ...]
    by: str  # the account that answers for it; empty: the first owner's, made by the house itself
    expires: str


class InvitationAccepted(_Event, frozen=True, tag="invitation-accepted/1"):
    """The one-time link was used, by this account."""

    invitation: str


class LoggedIn(_Event, frozen=True, tag="logged-in/1"):
    """An account logged in with its password."""


PeopleEvent = (
    AccountCreated | RolesGranted | RolesRevoked | AccountDisabled | AccountEnabled | PasswordSet | PinSet
    | InvitationMade | InvitationAccepted | LoggedIn
)  # fmt: skip
"""Everything that can stand in the stream `people`."""
_decoder = json.Decoder(tuple[PeopleEvent, ...])


def people_events(entry: Entry) -> tuple[PeopleEvent, ...]:
    """Give what happened to people by one decision."""
    return _decoder.decode(upcast(entry.events))

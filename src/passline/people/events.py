"""Events about people; their names are stable and versioned. Secrets lie in the vault and are only named here."""

from __future__ import annotations

from msgspec import Struct


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    account: str


class AccountCreated(_Event, frozen=True, tag="account-created/1"):
    """An account was opened."""

    name: str
    roles: tuple[str, ...]  # in the order of roles.ROLES
    is_guest: bool


class RolesGranted(_Event, frozen=True, tag="roles-granted/1"):
    """An account got further roles."""

    roles: tuple[str, ...]


class RolesRevoked(_Event, frozen=True, tag="roles-revoked/1"):
    """An account lost these roles."""

    roles: tuple[str, ...]


class AccountDisabled(_Event, frozen=True, tag="account-disabled/1"):
    """An account was disabled; its sessions and the invitations it made are void."""

    reason: str


class AccountEnabled(_Event, frozen=True, tag="account-enabled/1"):
    """A disabled account was enabled again."""


class PasswordSet(_Event, frozen=True, tag="password-set/1"):
    """A secret of the vault became the password; earlier sessions are void."""

    password: str


class PinSet(_Event, frozen=True, tag="pin-set/1"):
    """A secret of the vault became the PIN."""

    pin: str


class InvitationMade(_Event, frozen=True, tag="invitation-made/1"):
    """A one-time link was made: for an account, or for somebody new if `account` is empty."""

    invitation: str
    roles: tuple[str, ...]
    by: str  # the account that made it; empty for the first owner's, which the house itself makes
    expires: str


class InvitationAccepted(_Event, frozen=True, tag="invitation-accepted/1"):
    """An account used a one-time link."""

    invitation: str


class LoggedIn(_Event, frozen=True, tag="logged-in/1"):
    """An account logged in with its password."""


class InvitationSigned(_Event, frozen=True, tag="invitation-signed/1"):
    """A second owner signed a one-time link that was just made."""

    invitation: str
    by: str


class DualControlElected(_Event, frozen=True, tag="dual-control-elected/1"):
    """From here on, giving a role that can sign takes two owners, or no longer does."""

    is_on: bool


class GlassBroken(_Event, frozen=True, tag="glass-broken/1"):
    """Whoever runs the server let one owner act alone until a moment."""

    reason: str
    until: str


class PasswordAgeElected(_Event, frozen=True, tag="password-age-elected/1"):
    """From here on a password may be at most so old, and nobody may choose an earlier one again."""

    days: int  # 0: as old as it likes


class RetentionElected(_Event, frozen=True, tag="retention-elected/1"):
    """From here on records are kept for so many years; a shorter time than before counts only later."""

    years: int  # 0: for ever


class ProviderElected(_Event, frozen=True, tag="provider-elected/1"):
    """From here on people log in by this identity provider, in the roles of their groups there; empty: by none."""

    issuer: str
    client: str
    claim: str
    roles: tuple[tuple[str, str], ...]  # a group at the provider, and a role here


class ProviderLinked(_Event, frozen=True, tag="provider-linked/1"):
    """An account belongs to somebody at an identity provider, whose groups decide its roles."""

    issuer: str
    subject: str


class AccountLinked(_Event, frozen=True, tag="account-linked/1"):
    """An account that was made here was linked to somebody at the identity provider; its sessions end."""

    issuer: str
    subject: str


class AccountUnlinked(_Event, frozen=True, tag="account-unlinked/1"):
    """An account was unlinked from its identity provider: this house decides its roles again, and its sessions end."""

    issuer: str
    subject: str


class ProviderRefused(_Event, frozen=True, tag="provider-refused/1"):
    """The provider no longer vouches for somebody: their account is disabled until it does; its sessions are void."""

    reason: str


class SecondFactorElected(_Event, frozen=True, tag="second-factor-elected/1"):
    """From here on signatures take an authenticator besides the PIN, at this address of the house; empty: not."""

    origin: str


class AuthenticatorAdded(_Event, frozen=True, tag="authenticator-added/1"):
    """Somebody has an authenticator, by its public key (COSE) for a site, with the count that it begins at."""

    credential: str
    public_key: str
    site: str
    count: int
    label: str


class AuthenticatorRemoved(_Event, frozen=True, tag="authenticator-removed/1"):
    """An authenticator was removed from its account."""

    credential: str


class AssertionGiven(_Event, frozen=True, tag="assertion-given/1"):
    """An authenticator signed an act that somebody else asked for, which follows."""

    credential: str
    count: int
    requester: str
    act: str


class SecretsBound(_Event, frozen=True, tag="secrets-bound/1"):
    """Secrets got names that hold their digest: each old name, and the new one."""

    names: tuple[tuple[str, str], ...]


class Incident(Struct, frozen=True, forbid_unknown_fields=True):
    """How often something was refused to one account from one address."""

    what: str  # log-in, log-in-wait, sign-off, sign-off-wait, vault, or the name of a refused command
    account: str  # empty: nobody has the name that was typed, which is not kept
    address: str
    count: int


class IncidentsCounted(_Event, frozen=True, tag="incidents-counted/1"):
    """What was refused since a moment, added up."""

    since: str
    incidents: tuple[Incident, ...]
    others: int


PeopleEvent = (
    AccountCreated | RolesGranted | RolesRevoked | AccountDisabled | AccountEnabled | PasswordSet | PinSet
    | InvitationMade | InvitationAccepted | LoggedIn | RetentionElected
    | InvitationSigned | DualControlElected | PasswordAgeElected | GlassBroken | SecretsBound | IncidentsCounted
    | ProviderElected | ProviderLinked | AccountLinked | AccountUnlinked | ProviderRefused
    | SecondFactorElected | AuthenticatorAdded | AuthenticatorRemoved | AssertionGiven
)  # fmt: skip
"""Every event of the stream `people`."""

"""Commands about people, as they are logged. None holds a secret, only the name it has in the vault."""

from __future__ import annotations

from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from passline.authority.roles import PLAYER
from passline.people.assertions import Assertion
from passline.people.events import Incident

TERMS = 1
"""The terms by which the desk has people made and changed. Entries without terms are older, or of a demo: 0.

1: two owners make and change whoever vouches for something, not only those who sign; a floorperson makes players only.
"""
INCIDENTS_MAX = 60
"""The most pairs of account and address in one entry of incidents."""


class _Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="command"):
    account: str  # whom it is about; for somebody new, a random id


class _Making(_Command, frozen=True, kw_only=True):
    terms: int | UnsetType = UNSET  # see TERMS; the desk writes it


class CreateAccount(_Making, frozen=True, kw_only=True, tag="create-account"):
    """Open an account for somebody else, who then needs an invitation to use it."""

    name: str
    roles: tuple[str, ...] = (PLAYER,)


class ChangeRoles(_Making, frozen=True, kw_only=True, tag="change-roles"):
    """Grant and revoke roles of an account, effective at once even where it is logged in."""

    grant: tuple[str, ...] = ()
    revoke: tuple[str, ...] = ()


class DisableAccount(_Making, frozen=True, kw_only=True, tag="disable-account"):
    """Disable an account and log it out everywhere; nothing is deleted."""

    reason: str


class EnableAccount(_Making, frozen=True, kw_only=True, tag="enable-account"):
    """Let a disabled account log in again."""


class SetPassword(_Command, frozen=True, kw_only=True, tag="set-password"):
    """Change one's own password, which ends the account's other sessions."""

    password: str  # its name in the vault


class SetPin(_Command, frozen=True, kw_only=True, tag="set-pin"):
    """Change one's own PIN."""

    pin: str  # its name in the vault


class Invite(_Making, frozen=True, kw_only=True, tag="invite"):
    """Make a one-time link: for somebody new with these roles, or for an account that needs a new password and PIN."""

    account: str = ""  # empty: for somebody new
    invitation: str  # its name in the log; the link itself is not there
    roles: tuple[str, ...] = ()
    expires: str


class AcceptInvitation(_Making, frozen=True, kw_only=True, tag="accept-invitation"):
    """Use a one-time link."""

    invitation: str
    name: str = ""  # of somebody new
    password: str  # their names in the vault
    pin: str = ""


class Register(_Command, frozen=True, kw_only=True, tag="register"):
    """A visitor opens an account to play."""

    name: str
    password: str  # its name in the vault


class WelcomeGuest(_Command, frozen=True, kw_only=True, tag="welcome-guest"):
    """A visitor of a demo plays without a password."""

    name: str


class LogIn(_Command, frozen=True, kw_only=True, tag="log-in"):
    """Log in with the right password."""


class ElectDualControl(_Command, frozen=True, kw_only=True, tag="elect-dual-control"):
    """Choose whether giving somebody a role that can sign takes two owners. The house itself begins it."""

    account: str = ""  # it is about nobody in particular
    is_on: bool


class ElectPasswordAge(_Command, frozen=True, kw_only=True, tag="elect-password-age"):
    """Choose how old a password may be, in days. Whoever has an older one chooses another before anything else."""

    account: str = ""
    days: int  # 0: as old as it likes


class ElectRetention(_Command, frozen=True, kw_only=True, tag="elect-retention"):
    """Choose for how many years the records of the log are kept at least."""

    account: str = ""
    years: int  # 0: for ever


class ElectProvider(_Command, frozen=True, kw_only=True, tag="elect-provider"):
    """Choose the identity provider by which people log in, and which roles its groups have here."""

    account: str = ""
    issuer: str = ""  # its address, as it calls itself; empty: nobody logs in by one any more
    client: str = ""  # this house's name there
    claim: str = "groups"  # the claim of its id tokens that lists groups
    roles: tuple[tuple[str, str], ...] = ()  # a group, and a role that whoever is in it has here


class LogInByProvider(_Command, frozen=True, kw_only=True, tag="log-in-by-provider"):
    """Log somebody in for whom the identity provider vouches, as the server has checked; an account is made of them."""

    issuer: str
    subject: str
    name: str
    groups: tuple[str, ...]  # of those that have a role here
    is_again: bool = False  # they are in already: only their groups have changed


class LinkAccount(_Command, frozen=True, kw_only=True, tag="link-account"):
    """Link an account that was made here to somebody at the identity provider, which decides its roles from then on."""

    subject: str  # as the provider calls them: `sub` of its id tokens


class UnlinkAccount(_Command, frozen=True, kw_only=True, tag="unlink-account"):
    """Unlink an account from the identity provider."""


class RefuseByProvider(_Command, frozen=True, kw_only=True, tag="refuse-by-provider"):
    """Shut somebody out for whom the identity provider no longer vouches, as the server has asked it."""

    reason: str


class ElectSecondFactor(_Command, frozen=True, kw_only=True, tag="elect-second-factor"):
    """Choose whether signatures take an authenticator besides the PIN, and the address at which this house is open."""

    account: str = ""
    origin: str = ""  # as browsers know it, such as https://craps.example; empty: the PIN alone signs


class AddAuthenticator(_Command, frozen=True, kw_only=True, tag="add-authenticator"):
    """Add an authenticator to one's own account, as the server has checked with its PIN."""

    credential: str
    public_key: str
    site: str
    count: int
    label: str


class RemoveAuthenticator(_Command, frozen=True, kw_only=True, tag="remove-authenticator"):
    """Remove an authenticator from one's own account."""

    credential: str


class GiveAssertion(_Command, frozen=True, kw_only=True, tag="give-assertion"):
    """Record what an authenticator signed: the digest of an act that somebody asks for."""

    requester: str
    act: str  # the name of the command
    nonce: str
    digest: str
    assertion: Assertion


class BreakGlass(_Command, frozen=True, kw_only=True, tag="break-glass"):
    """Let one owner act alone for a while, by whoever runs the server: `passline break-glass`."""

    account: str = ""
    reason: str


class BindSecrets(_Command, frozen=True, kw_only=True, tag="bind-secrets"):
    """Rename secrets whose names do not have their digest: each old name, with its new one."""

    account: str = ""
    names: tuple[tuple[str, str], ...]


class RecordIncidents(_Command, frozen=True, kw_only=True, tag="record-incidents"):
    """Record what was refused since the last time, added up."""

    is_about_clock: ClassVar[bool] = True  # it is recorded also while the clock is wrong
    account: str = ""
    since: str
    incidents: tuple[Incident, ...]
    others: int = 0  # further ones, by pairs of account and address that are too many to list


def is_making(command: object) -> bool:
    """Return whether a command makes or changes somebody, so that it is judged by terms."""
    return isinstance(command, _Making)


def terms_of_command(command: object) -> int:
    """Return the terms by which a command is judged.

    >>> terms_of_command(EnableAccount(account="a1")), terms_of_command(EnableAccount(account="a1", terms=TERMS))
    (0, 1)
    """
    terms = command.terms if isinstance(command, _Making) else UNSET
    return 0 if terms is UNSET else terms


def without_made_up(command: object) -> object:
    """Return a command without what the server makes up for it, so that it is the same each time that it is sent.

    >>> without_made_up(Invite(invitation="9f2c", expires="2026-11-15T08:00:00.000000Z")).invitation
    ''
    """
    if isinstance(command, Invite):
        return replace(command, invitation="", expires="")
    return replace(command, account="") if isinstance(command, CreateAccount) else command


def with_terms(command: PeopleCommand) -> PeopleCommand:
    """Return a command as the desk records it: under the terms of today, where it makes or changes somebody."""
    return replace(command, terms=TERMS) if isinstance(command, _Making) else command


PeopleCommand = (
    CreateAccount | ChangeRoles | DisableAccount | EnableAccount | SetPassword | SetPin
    | Invite | AcceptInvitation | Register | WelcomeGuest | LogIn
    | ElectDualControl | ElectPasswordAge | ElectRetention | BreakGlass | BindSecrets | RecordIncidents
    | ElectProvider | LogInByProvider | RefuseByProvider | LinkAccount | UnlinkAccount
    | ElectSecondFactor | AddAuthenticator | RemoveAuthenticator | GiveAssertion
)  # fmt: skip
"""Everything that can be asked about people."""

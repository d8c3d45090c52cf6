"""Who may give which command about people, and what of it takes a second owner."""

from __future__ import annotations

from passline.authority.duties import EVERY_ROLE, SERVER, Duty
from passline.authority.roles import FLOOR_AND_OWNER, OWNER, SIGNING_ROLES, SOLE_ROLES, VISITOR, VOUCHING_ROLES
from passline.authority.sign_off import ALONE_SECONDS, OWNERS_MIN, with_signing
from passline.people import commands as c
from passline.people.accounts import People
from passline.store.timestamps import CLOCK_SECONDS_MAX, later

_DESK = FLOOR_AND_OWNER  # a floorperson only for the roles that one may give
_VISITOR = Duty((VISITOR,))
_ALWAYS_TWO = (
    c.ElectDualControl,
    c.ElectRetention,
    c.ElectProvider,
    c.ElectSecondFactor,
    c.LinkAccount,
    c.UnlinkAccount,
)


def _roles_of(people: People, account: str) -> frozenset[str]:
    known = people.accounts.get(account)
    return known.roles if known else frozenset()


def _guarded_roles(command: c.PeopleCommand) -> frozenset[str]:
    """Return the roles that only two owners give: those that sign, and since terms 1 all that vouch for something."""
    return VOUCHING_ROLES if c.terms_of_command(command) else SIGNING_ROLES


def _changes_roles(_people: People, command: c.ChangeRoles) -> str:
    taken = "taking away the role owner" if OWNER in command.revoke else ""
    if c.terms_of_command(command):
        taken = with_signing("taking away", command.revoke, VOUCHING_ROLES)
    return with_signing("giving", command.grant, _guarded_roles(command)) or taken


def _invites(people: People, command: c.Invite) -> str:
    roles = _roles_of(people, command.account) if command.account else command.roles
    return with_signing("a link for somebody with", roles, _guarded_roles(command))


def _disables(people: People, command: c.DisableAccount) -> str:
    """Say what disabling takes away: an owner, or somebody who watches the house. All others one owner can stop."""
    roles = _roles_of(people, command.account)
    watches = with_signing("disabling somebody with", roles, SOLE_ROLES) if c.terms_of_command(command) else ""
    return "disabling an owner" if OWNER in roles else watches


PEOPLE_DUTIES: dict[type, Duty] = {
    c.CreateAccount: Duty(
        _DESK,
        two_owners=lambda _people, command: with_signing("an account with", command.roles, _guarded_roles(command)),
        when="if it makes anybody but a player",
    ),
    c.ChangeRoles: Duty(_DESK, two_owners=_changes_roles, when="if it is about another role than player"),
    c.DisableAccount: Duty(_DESK, two_owners=_disables, when="if it is an owner's, a regulator's or surveillance's"),
    c.EnableAccount: Duty(
        _DESK,
        two_owners=lambda people, command: with_signing(
            "enabling an account with", _roles_of(people, command.account), _guarded_roles(command)
        ),
        when="if it is of anybody but a player",
    ),
    c.Invite: Duty(_DESK, two_owners=_invites, when="if it is for anybody but a player"),
    c.SetPassword: EVERY_ROLE,
    c.SetPin: EVERY_ROLE,
    c.LogIn: EVERY_ROLE,
    c.AcceptInvitation: _VISITOR,
    c.Register: _VISITOR,
    c.WelcomeGuest: _VISITOR,
    c.ElectDualControl: Duty((OWNER,), two_owners=lambda _people, _command: "changing dual control"),
    c.ElectPasswordAge: Duty((OWNER,), two_owners=lambda _people, _command: "changing how old a password may be"),
    c.ElectRetention: Duty((OWNER,), two_owners=lambda _people, _command: "changing how long records are kept"),
    c.ElectProvider: Duty(
        (OWNER,), two_owners=lambda _people, _command: "choosing the identity provider and the roles of its groups"
    ),
    c.LinkAccount: Duty(
        (OWNER,), two_owners=lambda _people, _command: "saying who an account is at the identity provider"
    ),
    c.UnlinkAccount: Duty(
        (OWNER,), two_owners=lambda _people, _command: "saying that the identity provider does not know an account"
    ),
    c.ElectSecondFactor: Duty(
        (OWNER,), two_owners=lambda _people, _command: "choosing whether signatures take an authenticator"
    ),
    c.AddAuthenticator: EVERY_ROLE,
    c.RemoveAuthenticator: EVERY_ROLE,
    c.GiveAssertion: SERVER,
    c.LogInByProvider: SERVER,
    c.RefuseByProvider: SERVER,
    c.BreakGlass: SERVER,
    c.BindSecrets: SERVER,
    c.RecordIncidents: SERVER,
}
"""The duty behind every command about people."""


def is_dual(people: People, at: str) -> bool:
    """Return whether two owners must agree at this moment."""
    guards = people.safeguards
    is_enough = guards.dual_control == "on" and len(people.owners()) >= OWNERS_MIN
    hour_ends = guards.alone_until  # one that ends later was begun by a clock that was set forward, and is not yet
    is_alone = at < hour_ends <= later(at, ALONE_SECONDS + CLOCK_SECONDS_MAX)
    return is_enough and not is_alone


def owners_who_agree(people: People, at: str) -> frozenset[str]:
    """Return the owners of whom two must agree at this moment; nobody, where one may act alone."""
    return frozenset(owner.id for owner in people.owners()) if is_dual(people, at) else frozenset()


def why_second_owner(people: People, command: c.PeopleCommand, at: str) -> str:
    """Return what a command does that takes a second owner at this moment, or an empty string.

    Making or changing somebody whose word others rely on; a new password for them; and taking away an owner, since the
    house would then be left with one who needs nobody. Changing dual control itself takes two even while it is off, and
    so does choosing who else says who people are.
    """
    does = PEOPLE_DUTIES[type(command)].two_owners
    what = does(people, command) if does else ""
    return what if what and (isinstance(command, _ALWAYS_TWO) or is_dual(people, at)) else ""

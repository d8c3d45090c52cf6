"""Decides commands about people. Pure: the same log always gives the same decisions.

A refusal cites `duties` if the person may not give the command at all, `people` if the command itself is at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from passline.authority.duties import unfit_role
from passline.authority.roles import OWNER, PLAYER, VISITOR, in_order, in_words
from passline.authority.sign_off import ALONE_SECONDS, second_owner_fault
from passline.people import commands as c
from passline.people import events as e
from passline.people.accounts import Account, People, fold, is_bound_name
from passline.people.duties import PEOPLE_DUTIES, why_second_owner
from passline.people.faults import (
    Asked,
    Verdict,
    new_account,
    new_faults,
    other_faults,
    own_faults,
    role_faults,
    sole_faults,
)
from passline.people.identity import (
    add_authenticator,
    elect_provider,
    elect_second_factor,
    give_assertion,
    link_account,
    log_in_by_provider,
    refuse_by_provider,
    remove_authenticator,
    unlink_account,
)
from passline.refusal import Refusal, Refused
from passline.store.timestamps import later
from passline.store.upkeep.retention import retention_fault
from passline.streams.course import Decision

PASSWORD_DAYS_MAX = 3660
"""The most days that a password may be old, where the house says so at all."""
REASON_MAX = 300
"""The most characters in a reason."""
_duties, _people = partial(Refusal, "duties"), partial(Refusal, "people")
_HOUSE_GIVES = (
    *(c.ElectDualControl, c.BreakGlass, c.BindSecrets, c.RecordIncidents),
    *(c.LogInByProvider, c.RefuseByProvider, c.GiveAssertion),
)


def decide(
    people: People, command: c.PeopleCommand, *, by: str, at: str, signed_by: str = "", is_house: bool = False
) -> Decision | Refused:
    """Decide a command of the account `by`, which is empty for visitors and for the house itself (`is_house`).

    `signed_by` is the second owner's account, for what takes two.

    >>> decide(People(), c.ChangeRoles(account="a1", grant=("owner",)), by="a1", at="2026-11-15T08:00:00.000000Z")
    Refused(refusals=(Refusal(clause='duties', why='log in first', is_money=False),))
    """
    actor = people.accounts.get(by)
    if unfit := _unfit(command, actor, by, is_house=is_house):
        return Refused((unfit,))
    verdict = _JUDGES[type(command)](Asked(people, actor, at, signed_by, c.terms_of_command(command)), command)
    if not isinstance(verdict, list) and (
        why := _second_owner_fault(people, command, actor, signed_by=signed_by, at=at)
    ):
        verdict = [_duties(why)]
    if isinstance(verdict, list):
        return Refused(tuple(verdict))
    return Decision(command, verdict, fold(people, verdict, at))


def _unfit(command: c.PeopleCommand, actor: Account | None, by: str, *, is_house: bool) -> Refusal | None:
    """Refuse a person who may not give this kind of command at all."""
    duty = PEOPLE_DUTIES[type(command)]
    if VISITOR in duty.by:
        return None
    if actor is None:
        may = isinstance(command, c.Invite) or (is_house and isinstance(command, _HOUSE_GIVES))
        return None if may and not by else _duties("log in first")
    if actor.is_disabled:
        return _duties(f"the account of {actor.name} is disabled")
    if any(not unfit_role(duty, command, role) for role in actor.roles):
        return None
    return _duties(unfit_role(duty, command, " and ".join(in_order(actor.roles)) or "person without a role"))


def _second_owner_fault(
    people: People, command: c.PeopleCommand, by: Account | None, *, signed_by: str, at: str
) -> str:
    if by is None or not (what := why_second_owner(people, command, at)):
        return ""
    others = {owner.id for owner in people.owners()} - {by.id}
    return second_owner_fault(what, others=others, signed_by=signed_by)


def _last_owner_faults(people: People, account: str) -> Iterator[Refusal]:
    if [owner.id for owner in people.owners()] == [account]:
        yield _people("this is the last owner; make somebody else an owner first")


def _create_account(case: Asked, command: c.CreateAccount) -> Verdict:
    faults = [
        *role_faults(command.roles, case.roles_to_give),
        *sole_faults(command.roles),
        *new_faults(case.people, command.account, command.name),
    ]
    return faults or (new_account(command.account, command.name, command.roles),)


def _change_roles(case: Asked, command: c.ChangeRoles) -> Verdict:
    named = {*command.grant, *command.revoke}
    faults = [*other_faults(case, command.account), *role_faults(named, case.roles_to_give)]
    if faults:
        return faults
    if case.people.accounts[command.account].subject:
        return [
            _people("the identity provider's groups say the roles of this account: two owners choose what they are")
        ]
    has = case.people.accounts[command.account].roles
    granted = in_order({*command.grant} - has)
    revoked = in_order(has & {*command.revoke})
    if {*command.grant} & {*command.revoke} or not (granted or revoked):
        return [_people(f"that changes nothing: the account has {in_words(has)}")]
    after = (has | {*granted}) - {*revoked}
    if not after:
        faults.append(_people("an account has at least one role; disable it instead"))
    faults += sole_faults(after)
    if OWNER in revoked:
        faults += _last_owner_faults(case.people, command.account)
    events: list[e.PeopleEvent] = [e.RolesRevoked(command.account, revoked)] if revoked else []
    return faults or (*events, *([e.RolesGranted(command.account, granted)] if granted else []))


def _disable_account(case: Asked, command: c.DisableAccount) -> Verdict:
    faults = [*other_faults(case, command.account), *_last_owner_faults(case.people, command.account)]
    known = case.people.accounts.get(command.account)
    if not faults and known and known.is_disabled and not known.is_refused:
        faults = [_people("the account is disabled already")]
    if not 1 <= len(command.reason.strip()) <= REASON_MAX:
        faults.append(_people(f"say why in 1 to {REASON_MAX} characters"))
    return faults or (e.AccountDisabled(command.account, command.reason.strip()),)


def _enable_account(case: Asked, command: c.EnableAccount) -> Verdict:
    faults = [*other_faults(case, command.account)]
    if not faults and not case.people.accounts[command.account].is_disabled:
        faults = [_people("the account is not disabled")]
    return faults or (e.AccountEnabled(command.account),)


def _set_password(case: Asked, command: c.SetPassword) -> Verdict:
    return own_faults(case, command.account) or (e.PasswordSet(command.account, command.password),)


def _set_pin(case: Asked, command: c.SetPin) -> Verdict:
    return own_faults(case, command.account) or (e.PinSet(command.account, command.pin),)


def _invite(case: Asked, command: c.Invite) -> Verdict:
    faults = _invite_faults(case, command.account, command.roles)
    by = case.by.id if case.by else ""
    made = e.InvitationMade(command.account, command.invitation, in_order(command.roles), by, command.expires)
    signed = (e.InvitationSigned(command.account, command.invitation, case.signed_by),) if case.signed_by else ()
    return faults or (made, *signed)


def _invite_faults(case: Asked, account: str, roles: tuple[str, ...]) -> list[Refusal]:
    if case.by is None:  # the house itself, before anybody can log in
        is_first = roles == (OWNER,) and not account and not case.people.owners()
        return [] if is_first else [_duties("log in first")]
    if not account:
        return [*role_faults(roles, case.roles_to_give), *sole_faults(roles)]
    if roles:
        return [_people("an invitation for an existing account cannot change its roles")]
    faults = [*other_faults(case, account)]
    if not faults and case.people.accounts[account].is_disabled:
        faults = [_people("the account is disabled; enable it first")]
    return faults


def _accept_invitation(case: Asked, command: c.AcceptInvitation) -> Verdict:
    """The person who made the link must still be allowed to: it ends with their account or their role."""
    link = case.people.invitations.get(command.invitation)
    if link is None or link.expires <= case.at:
        return [_people("this link was used or has expired; ask for another")]
    maker = case.people.accounts.get(link.by)
    if (maker and maker.is_disabled) or _invite_faults(replace(case, by=maker, signed_by=""), link.account, link.roles):
        return [_people("the person who made this link may no longer invite you; ask for another")]
    asked = c.Invite(account=link.account, invitation=command.invitation, roles=link.roles, expires=link.expires)
    asked = replace(asked, terms=command.terms)
    if _second_owner_fault(case.people, asked, maker, signed_by=link.signed_by, at=case.at):
        return [_people("this link now takes a second owner's signature; ask for another, signed by two owners")]
    accepted: list[e.PeopleEvent] = [e.InvitationAccepted(command.account, command.invitation)]
    if not link.account:
        if faults := [*new_faults(case.people, command.account, command.name)]:
            return faults
        accepted.insert(0, new_account(command.account, command.name, link.roles))
    elif command.account != link.account:
        return [_people("this link is for another account")]
    accepted.append(e.PasswordSet(command.account, command.password))
    if command.pin:
        accepted.append(e.PinSet(command.account, command.pin))
    return tuple(accepted)


def _register(case: Asked, command: c.Register) -> Verdict:
    return list(new_faults(case.people, command.account, command.name)) or (
        new_account(command.account, command.name, (PLAYER,)),
        e.PasswordSet(command.account, command.password),
    )


def _welcome_guest(case: Asked, command: c.WelcomeGuest) -> Verdict:
    return list(new_faults(case.people, command.account, command.name)) or (
        new_account(command.account, command.name, (PLAYER,), is_guest=True),
    )


def _log_in(case: Asked, command: c.LogIn) -> Verdict:
    return own_faults(case, command.account) or (e.LoggedIn(command.account),)


def _elect_dual_control(case: Asked, command: c.ElectDualControl) -> Verdict:
    before = case.people.safeguards.dual_control
    if case.by is None and (before or not command.is_on):
        return [_duties("only two owners together change dual control")]
    if before == ("on" if command.is_on else "off"):
        return [_people(f"dual control is {before} already")]
    return (e.DualControlElected(command.account, command.is_on),)


def _elect_password_age(case: Asked, command: c.ElectPasswordAge) -> Verdict:
    if not 0 <= command.days <= PASSWORD_DAYS_MAX:
        return [_people(f"a password may be 1 to {PASSWORD_DAYS_MAX} days old; 0: as old as it likes")]
    if command.days == case.people.safeguards.password_days:
        return [_people("that changes nothing")]
    return (e.PasswordAgeElected(command.account, command.days),)


def _elect_retention(case: Asked, command: c.ElectRetention) -> Verdict:
    if fault := retention_fault(command.years):
        return [_people(fault)]
    if command.years == (case.people.safeguards.retention or (("", 0),))[-1][1]:
        return [_people("that changes nothing")]
    return (e.RetentionElected(command.account, command.years),)


def _break_glass(case: Asked, command: c.BreakGlass) -> Verdict:
    if not 1 <= len(command.reason.strip()) <= REASON_MAX:
        return [_people(f"say why in 1 to {REASON_MAX} characters")]
    return (e.GlassBroken(command.account, command.reason.strip(), later(case.at, ALONE_SECONDS)),)


def _bind_secrets(case: Asked, command: c.BindSecrets) -> Verdict:
    old, new = [old for old, _ in command.names], [new for _, new in command.names]
    used = {name for account in case.people.accounts.values() for name in (account.password, account.pin) if name}
    if len({*old}) < len(old) or not {*old} <= used or any(map(is_bound_name, old)):
        return [_people("only the name of a present secret that has no digest yet is bound, and once")]
    if not all(map(is_bound_name, new)) or case.people.safeguards.vault == "bound":
        return [_people("a bound name holds a digest, and secrets are bound once")]
    return (e.SecretsBound(command.account, command.names),)


def _record_incidents(_case: Asked, command: c.RecordIncidents) -> Verdict:
    if not command.incidents or len(command.incidents) > c.INCIDENTS_MAX:
        return [_people(f"an entry adds up 1 to {c.INCIDENTS_MAX} incidents")]
    return (e.IncidentsCounted(command.account, command.since, command.incidents, command.others),)


_JUDGES: dict[type, Callable[[Asked, Any], Verdict]] = {
    c.CreateAccount: _create_account,
    c.ChangeRoles: _change_roles,
    c.DisableAccount: _disable_account,
    c.EnableAccount: _enable_account,
    c.SetPassword: _set_password,
    c.SetPin: _set_pin,
    c.Invite: _invite,
    c.AcceptInvitation: _accept_invitation,
    c.Register: _register,
    c.WelcomeGuest: _welcome_guest,
    c.LogIn: _log_in,
    c.ElectDualControl: _elect_dual_control,
    c.ElectPasswordAge: _elect_password_age,
    c.ElectRetention: _elect_retention,
    c.ElectProvider: elect_provider,
    c.ElectSecondFactor: elect_second_factor,
    c.AddAuthenticator: add_authenticator,
    c.RemoveAuthenticator: remove_authenticator,
    c.GiveAssertion: give_assertion,
    c.LogInByProvider: log_in_by_provider,
    c.RefuseByProvider: refuse_by_provider,
    c.LinkAccount: link_account,
    c.UnlinkAccount: unlink_account,
    c.BreakGlass: _break_glass,
    c.BindSecrets: _bind_secrets,
    c.RecordIncidents: _record_incidents,
}

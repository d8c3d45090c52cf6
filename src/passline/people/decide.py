"""Decides commands about people. Pure: the same log always gives the same decisions.

A refusal cites `duties` if the person may not give the command at all, `people` if the command itself is at fault.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.authority.duties import unfit_role
from passline.authority.roles import GIVEN_BY, MADE_BY, OWNER, PLAYER, ROLES, SOLE_ROLES, VISITOR, in_order, in_words
from passline.authority.sign_off import ALONE_SECONDS, second_owner_fault
from passline.people import commands as c
from passline.people import events as e
from passline.people.accounts import NAME_MAX, Account, People, Provider, fold, is_bound_name, name_fault, name_key
from passline.people.duties import PEOPLE_DUTIES, why_second_owner
from passline.people.provider_address import address_fault
from passline.refusal import Refusal, Refused
from passline.store.timestamps import later
from passline.streams.course import Decision

PASSWORD_DAYS_MAX = 3660
"""The most days that a password may be old, where the house says so at all."""
GROUP_MAX = 120
"""The most characters in the name of a group at an identity provider."""
REASON_MAX = 300
"""The most characters in a reason."""
_duties, _people = partial(Refusal, "duties"), partial(Refusal, "people")
_HOUSE_GIVES = (
    *(c.ElectDualControl, c.BreakGlass, c.BindSecrets, c.RecordIncidents),
    *(c.LogInByProvider, c.RefuseByProvider),
)
GROUPS_MAX = 100
"""The most groups of an identity provider that have roles here."""


class _Case(Struct, frozen=True):
    people: People
    by: Account | None  # None: a visitor, or the house itself
    at: str
    signed_by: str = ""  # the second owner, where one is needed
    terms: int = 0  # of the command

    @property
    def roles_to_give(self) -> frozenset[str]:
        """The roles that the actor may give to others and take from them."""
        return can_give(self.by, self.terms) if self.by else frozenset()


Verdict = tuple[e.PeopleEvent, ...] | list[Refusal]


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
    verdict = _JUDGES[type(command)](_Case(people, actor, at, signed_by, c.terms_of_command(command)), command)
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


def can_give(actor: Account, terms: int = c.TERMS) -> frozenset[str]:
    """Return the roles that this person may give to others and take from them, by the terms of today or older ones.

    >>> flo = Account("f1", "Flo", frozenset({"floorperson"}))
    >>> sorted(can_give(flo)), sorted(can_give(flo, terms=0))
    (['player'], ['dealer', 'player', 'stickperson'])
    """
    given = MADE_BY if terms else GIVEN_BY
    return frozenset().union(*(given.get(role, frozenset()) for role in actor.roles))


def _new_faults(people: People, account: str, name: str) -> Iterator[Refusal]:
    """Refuse a new account whose id or name is taken, or whose name is not acceptable."""
    if not account:
        yield _people("an account needs an id")
    elif account in people.accounts:
        yield _people(f"there is already an account {account}")
    if fault := name_fault(name):
        yield _people(fault)
    elif name_key(name) in people.names:
        yield _people(f"there is already somebody named {unicodedata.normalize('NFKC', name)}; choose another")


def _role_faults(roles: Iterable[str], given: frozenset[str]) -> Iterator[Refusal]:
    """Refuse roles that do not exist or that this person may not give."""
    if unknown := sorted(set(roles) - set(ROLES)):
        yield _people(f"there is no role {', '.join(unknown)}; the roles are {', '.join(ROLES)}")
    elif missing := set(roles) - given:
        yield _duties(f"you may not give or take {in_words(missing)}; ask an owner")
    elif not roles:
        yield _people("name at least one role")


def _sole_faults(roles: Iterable[str]) -> Iterator[Refusal]:
    if len(set(roles)) > 1 and (sole := SOLE_ROLES & set(roles)):
        yield _people(f"an observer takes no part in play: {in_words(sole)} cannot be combined with another")


def _other_faults(case: _Case, account: str) -> Iterator[Refusal]:
    """Refuse to act on an account that does not exist, on one's own, or on one of a higher rank."""
    other = case.people.accounts.get(account)
    assert case.by is not None
    if other is None:
        yield _people(f"there is no account {account}")
    elif other.id == case.by.id:
        yield _duties("nobody may change the roles or the state of their own account; ask an owner")
    elif above := other.roles - case.roles_to_give:
        yield _duties(f"{other.name} has {in_words(above)}: only an owner may change that account")
    elif other.is_guest:
        yield _people(f"{other.name} is a guest of the demo, whose account cannot be changed")


def _last_owner_faults(people: People, account: str) -> Iterator[Refusal]:
    if [owner.id for owner in people.owners()] == [account]:
        yield _people("this is the last owner; make somebody else an owner first")


def _create_account(case: _Case, command: c.CreateAccount) -> Verdict:
    faults = [
        *_role_faults(command.roles, case.roles_to_give),
        *_sole_faults(command.roles),
        *_new_faults(case.people, command.account, command.name),
    ]
    return faults or (_new_account(command.account, command.name, command.roles),)


def _new_account(account: str, name: str, roles: Iterable[str], *, is_guest: bool = False) -> e.AccountCreated:
    return e.AccountCreated(account, unicodedata.normalize("NFKC", name), in_order(roles), is_guest=is_guest)


def _change_roles(case: _Case, command: c.ChangeRoles) -> Verdict:
    named = {*command.grant, *command.revoke}
    faults = [*_other_faults(case, command.account), *_role_faults(named, case.roles_to_give)]
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
    faults += _sole_faults(after)
    if OWNER in revoked:
        faults += _last_owner_faults(case.people, command.account)
    events: list[e.PeopleEvent] = [e.RolesRevoked(command.account, revoked)] if revoked else []
    return faults or (*events, *([e.RolesGranted(command.account, granted)] if granted else []))


def _disable_account(case: _Case, command: c.DisableAccount) -> Verdict:
    faults = [*_other_faults(case, command.account), *_last_owner_faults(case.people, command.account)]
    known = case.people.accounts.get(command.account)
    if not faults and known and known.is_disabled and not known.is_refused:
        faults = [_people("the account is disabled already")]
    if not 1 <= len(command.reason.strip()) <= REASON_MAX:
        faults.append(_people(f"say why in 1 to {REASON_MAX} characters"))
    return faults or (e.AccountDisabled(command.account, command.reason.strip()),)


def _enable_account(case: _Case, command: c.EnableAccount) -> Verdict:
    faults = [*_other_faults(case, command.account)]
    if not faults and not case.people.accounts[command.account].is_disabled:
        faults = [_people("the account is not disabled")]
    return faults or (e.AccountEnabled(command.account),)


def _own_faults(case: _Case, account: str) -> list[Refusal]:
    assert case.by is not None
    if case.by.id != account:
        return [_duties("only the person themselves sets their password or PIN; send them an invitation instead")]
    return [_people("a guest of the demo has no password and no PIN")] if case.by.is_guest else []


def _set_password(case: _Case, command: c.SetPassword) -> Verdict:
    return _own_faults(case, command.account) or (e.PasswordSet(command.account, command.password),)


def _set_pin(case: _Case, command: c.SetPin) -> Verdict:
    return _own_faults(case, command.account) or (e.PinSet(command.account, command.pin),)


def _invite(case: _Case, command: c.Invite) -> Verdict:
    faults = _invite_faults(case, command.account, command.roles)
    by = case.by.id if case.by else ""
    made = e.InvitationMade(command.account, command.invitation, in_order(command.roles), by, command.expires)
    signed = (e.InvitationSigned(command.account, command.invitation, case.signed_by),) if case.signed_by else ()
    return faults or (made, *signed)


def _invite_faults(case: _Case, account: str, roles: tuple[str, ...]) -> list[Refusal]:
    if case.by is None:  # the house itself, before anybody can log in
        is_first = roles == (OWNER,) and not account and not case.people.owners()
        return [] if is_first else [_duties("log in first")]
    if not account:
        return [*_role_faults(roles, case.roles_to_give), *_sole_faults(roles)]
    if roles:
        return [_people("an invitation for an existing account cannot change its roles")]
    faults = [*_other_faults(case, account)]
    if not faults and case.people.accounts[account].is_disabled:
        faults = [_people("the account is disabled; enable it first")]
    return faults


def _accept_invitation(case: _Case, command: c.AcceptInvitation) -> Verdict:
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
        if faults := [*_new_faults(case.people, command.account, command.name)]:
            return faults
        accepted.insert(0, _new_account(command.account, command.name, link.roles))
    elif command.account != link.account:
        return [_people("this link is for another account")]
    accepted.append(e.PasswordSet(command.account, command.password))
    if command.pin:
        accepted.append(e.PinSet(command.account, command.pin))
    return tuple(accepted)


def _register(case: _Case, command: c.Register) -> Verdict:
    return list(_new_faults(case.people, command.account, command.name)) or (
        _new_account(command.account, command.name, (PLAYER,)),
        e.PasswordSet(command.account, command.password),
    )


def _welcome_guest(case: _Case, command: c.WelcomeGuest) -> Verdict:
    return list(_new_faults(case.people, command.account, command.name)) or (
        _new_account(command.account, command.name, (PLAYER,), is_guest=True),
    )


def _log_in(case: _Case, command: c.LogIn) -> Verdict:
    return _own_faults(case, command.account) or (e.LoggedIn(command.account),)


def _elect_dual_control(case: _Case, command: c.ElectDualControl) -> Verdict:
    before = case.people.safeguards.dual_control
    if case.by is None and (before or not command.is_on):
        return [_duties("only two owners together change dual control")]
    if before == ("on" if command.is_on else "off"):
        return [_people(f"dual control is {before} already")]
    return (e.DualControlElected(command.account, command.is_on),)


def _elect_password_age(case: _Case, command: c.ElectPasswordAge) -> Verdict:
    if not 0 <= command.days <= PASSWORD_DAYS_MAX:
        return [_people(f"a password may be 1 to {PASSWORD_DAYS_MAX} days old; 0: as old as it likes")]
    if command.days == case.people.safeguards.password_days:
        return [_people("that changes nothing")]
    return (e.PasswordAgeElected(command.account, command.days),)


def _elect_provider(case: _Case, command: c.ElectProvider) -> Verdict:
    chosen = Provider(command.issuer, command.client, command.claim, command.roles) if command.issuer else None
    if chosen == case.people.provider:
        return [_people("that changes nothing")]
    if chosen is None:
        return (e.ProviderElected(command.account, "", "", "", ()),)
    faults = [*_mapping_faults(command.roles)]
    if fault := address_fault(command.issuer):
        faults.append(_people(f"issuer: {fault}"))
    for field, text in (("client", command.client), ("claim", command.claim)):
        if not 1 <= len(text) <= NAME_MAX or not text.isprintable():
            faults.append(_people(f"{field}: has 1 to {NAME_MAX} printable characters"))
    return faults or (e.ProviderElected(command.account, command.issuer, command.client, command.claim, command.roles),)


def _mapping_faults(mapped: tuple[tuple[str, str], ...]) -> Iterator[Refusal]:
    """Refuse roles that a group cannot have: an owner is made here, by two owners, and nobody else makes one."""
    roles = {role for _group, role in mapped}
    if not 1 <= len(mapped) <= GROUPS_MAX or len({*mapped}) < len(mapped):
        yield _people(f"name 1 to {GROUPS_MAX} groups, each with a role, and none twice")
    elif OWNER in roles:
        yield _people("no group makes an owner: whoever runs the identity provider would own this house")
    elif roles:
        yield from _role_faults(roles, frozenset(ROLES))
    if any(not 1 <= len(group) <= GROUP_MAX or not group.isprintable() for group, _role in mapped):
        yield _people(f"a group has 1 to {GROUP_MAX} printable characters")


def _log_in_by_provider(case: _Case, command: c.LogInByProvider) -> Verdict:
    provider = case.people.provider
    if provider is None or provider.issuer != command.issuer or not command.subject:
        return [_people("nobody logs in by that identity provider here")]
    wanted = provider.roles_of(command.groups)
    if not wanted:
        return [_people("none of your groups at the identity provider has a role here: two owners say which have")]
    if faults := [*_sole_faults(wanted)]:
        return faults
    known = case.people.account_at_provider(command.issuer, command.subject)
    if known is None:
        return [*_new_faults(case.people, command.account, command.name)] or (
            _new_account(command.account, command.name, wanted),
            e.ProviderLinked(command.account, command.issuer, command.subject),
            e.LoggedIn(command.account),
        )
    if known.id != command.account:
        return [_people("this person of the identity provider has another account")]
    if known.is_disabled and not known.is_refused:
        return [_duties(f"the account of {known.name} is disabled")]
    granted, revoked = in_order(wanted - known.roles), in_order(known.roles - wanted)
    return (
        *((e.AccountEnabled(known.id),) if known.is_disabled else ()),
        *((e.RolesRevoked(known.id, revoked),) if revoked else ()),
        *((e.RolesGranted(known.id, granted),) if granted else ()),
        *(() if command.is_again else (e.LoggedIn(known.id),)),
    )


def _refuse_by_provider(case: _Case, command: c.RefuseByProvider) -> Verdict:
    known = case.people.accounts.get(command.account)
    if known is None or not known.subject or known.is_disabled:
        return [_people("this is no account of the identity provider that can act")]
    return (e.ProviderRefused(known.id, command.reason[:REASON_MAX]),)


def _break_glass(case: _Case, command: c.BreakGlass) -> Verdict:
    if not 1 <= len(command.reason.strip()) <= REASON_MAX:
        return [_people(f"say why in 1 to {REASON_MAX} characters")]
    return (e.GlassBroken(command.account, command.reason.strip(), later(case.at, ALONE_SECONDS)),)


def _bind_secrets(case: _Case, command: c.BindSecrets) -> Verdict:
    old, new = [old for old, _ in command.names], [new for _, new in command.names]
    used = {name for account in case.people.accounts.values() for name in (account.password, account.pin) if name}
    if len({*old}) < len(old) or not {*old} <= used or any(map(is_bound_name, old)):
        return [_people("only the name of a present secret that has no digest yet is bound, and once")]
    if not all(map(is_bound_name, new)) or case.people.safeguards.vault == "bound":
        return [_people("a bound name holds a digest, and secrets are bound once")]
    return (e.SecretsBound(command.account, command.names),)


def _record_incidents(_case: _Case, command: c.RecordIncidents) -> Verdict:
    if not command.incidents or len(command.incidents) > c.INCIDENTS_MAX:
        return [_people(f"an entry adds up 1 to {c.INCIDENTS_MAX} incidents")]
    return (e.IncidentsCounted(command.account, command.since, command.incidents, command.others),)


_JUDGES: dict[type, Callable[[_Case, Any], Verdict]] = {
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
    c.ElectProvider: _elect_provider,
    c.LogInByProvider: _log_in_by_provider,
    c.RefuseByProvider: _refuse_by_provider,
    c.BreakGlass: _break_glass,
    c.BindSecrets: _bind_secrets,
    c.RecordIncidents: _record_incidents,
}

"""Judges commands about the identity provider and about the authenticators with which people sign."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from passline.authority.roles import OWNER, ROLES, in_order
from passline.authority.sign_off import OWNERS_MIN
from passline.people import commands as c
from passline.people import events as e
from passline.people.accounts import NAME_MAX, Provider
from passline.people.assertions import AUTHENTICATORS_MAX, LABEL_MAX, assertion_count, challenge_of, site_of
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
from passline.people.provider_address import address_fault
from passline.refusal import Refusal

GROUPS_MAX = 100
"""The most groups of an identity provider that have roles here."""
GROUP_MAX = 120
"""The most characters in the name of a group at an identity provider."""
SUBJECT_MAX = 255
"""The most characters by which an identity provider calls somebody, as OpenID Connect has it."""
ROLES_OF_GROUPS = frozenset(ROLES) - {OWNER}
"""The roles that a group of an identity provider may have: an owner is made here, by two owners."""
_REASON_MAX = 300
_duties, _people = partial(Refusal, "duties"), partial(Refusal, "people")


def elect_provider(case: Asked, command: c.ElectProvider) -> Verdict:
    """Judge the choice of an identity provider and of the roles of its groups."""
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
    """Refuse what the groups of a provider cannot have."""
    roles = {role for _group, role in mapped}
    if not 1 <= len(mapped) <= GROUPS_MAX or len({*mapped}) < len(mapped):
        yield _people(f"name 1 to {GROUPS_MAX} groups, each with a role, and none twice")
    elif OWNER in roles:
        yield _people("no group makes an owner: whoever runs the identity provider would own this house")
    elif roles:
        yield from role_faults(roles, frozenset(ROLES))
    if any(not 1 <= len(group) <= GROUP_MAX or not group.isprintable() for group, _role in mapped):
        yield _people(f"a group has 1 to {GROUP_MAX} printable characters")


def log_in_by_provider(case: Asked, command: c.LogInByProvider) -> Verdict:
    """Judge a log-in by the provider: the groups that have roles here say which."""
    provider = case.people.provider
    if provider is None or provider.issuer != command.issuer or not command.subject:
        return [_people("nobody logs in by that identity provider here")]
    wanted = provider.roles_of(command.groups)
    if not wanted:
        return [_people("none of your groups at the identity provider has a role here: two owners say which have")]
    if faults := [*sole_faults(wanted)]:
        return faults
    known = case.people.account_at_provider(command.issuer, command.subject)
    if known is None:
        return [*new_faults(case.people, command.account, command.name)] or (
            new_account(command.account, command.name, wanted),
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


def refuse_by_provider(case: Asked, command: c.RefuseByProvider) -> Verdict:
    """Judge that the provider no longer vouches for somebody."""
    known = case.people.accounts.get(command.account)
    if known is None or not known.subject or known.is_disabled:
        return [_people("this account does not come from the identity provider, or is disabled already")]
    return (e.ProviderRefused(known.id, command.reason[:_REASON_MAX]),)


def link_account(case: Asked, command: c.LinkAccount) -> Verdict:
    """Judge that an account made here is linked to somebody at the identity provider, whose groups decide its roles."""
    provider = case.people.provider
    if faults := [*other_faults(case, command.account)]:
        return faults
    known, subject = case.people.accounts[command.account], command.subject
    if provider is None:
        return [_people("this house has no identity provider: two owners choose one first")]
    if not 1 <= len(subject) <= SUBJECT_MAX or not subject.isprintable():
        return [_people(f"subject: has 1 to {SUBJECT_MAX} printable characters, as the provider calls the person")]
    if known.subject:
        return [_people(f"{known.name} is {known.subject!r} at {known.issuer} already: unlink the account first")]
    if not known.roles <= ROLES_OF_GROUPS:
        return [_people(f"{known.name} is an owner, and no group makes one: the first log-in would take that away")]
    taken = case.people.account_at_provider(provider.issuer, subject)
    if taken is not None:
        return [_people(f"that person of the identity provider is {taken.name} here: one person has one account")]
    return (e.AccountLinked(known.id, provider.issuer, subject),)


def unlink_account(case: Asked, command: c.UnlinkAccount) -> Verdict:
    """Judge that an account is unlinked from the identity provider."""
    if faults := [*other_faults(case, command.account)]:
        return faults
    known = case.people.accounts[command.account]
    if not known.subject:
        return [_people(f"{known.name} is not linked to an identity provider: there is nothing to unlink")]
    return (e.AccountUnlinked(known.id, known.issuer, known.subject),)


def elect_second_factor(case: Asked, command: c.ElectSecondFactor) -> Verdict:
    """Judge the choice of authenticators for signatures: two owners have one first, so that somebody can sign."""
    if command.origin == case.people.safeguards.second_factor:
        return [_people("that changes nothing")]
    if command.origin and (fault := address_fault(command.origin)):
        return [_people(f"origin: {fault}")]
    site = site_of(command.origin)
    ready = [owner for owner in case.people.owners() if any(own.site == site for own in owner.authenticators)]
    if command.origin and len(ready) < OWNERS_MIN:
        return [_people(f"first two owners add an authenticator at {site}, on the page of their account")]
    return (e.SecondFactorElected(command.account, command.origin),)


def add_authenticator(case: Asked, command: c.AddAuthenticator) -> Verdict:
    """Judge a new authenticator of one's own."""
    if faults := own_faults(case, command.account):
        return faults
    assert case.by is not None
    if len(case.by.authenticators) >= AUTHENTICATORS_MAX:
        return [_people(f"an account has at most {AUTHENTICATORS_MAX} authenticators: remove one first")]
    taken = {own.credential for account in case.people.accounts.values() for own in account.authenticators}
    if command.credential in taken or not 1 <= len(command.label) <= LABEL_MAX or not command.label.isprintable():
        return [_people(f"an authenticator is added once, under a name of 1 to {LABEL_MAX} characters")]
    made = (command.credential, command.public_key, command.site, command.count, command.label)
    return (e.AuthenticatorAdded(command.account, *made),)


def remove_authenticator(case: Asked, command: c.RemoveAuthenticator) -> Verdict:
    """Judge the end of an authenticator of one's own."""
    if faults := own_faults(case, command.account):
        return faults
    assert case.by is not None
    if command.credential not in {own.credential for own in case.by.authenticators}:
        return [_people("this account has no such authenticator")]
    return (e.AuthenticatorRemoved(command.account, command.credential),)


def give_assertion(case: Asked, command: c.GiveAssertion) -> Verdict:
    """Check once more what an authenticator signed: `verify` does the same with what is in the log."""
    known, given = case.people.accounts.get(command.account), command.assertion
    held = known.authenticators if known else ()
    by = next((key for key in held if key.credential == given.credential), None)
    if by is None or not case.people.safeguards.second_factor:
        return [_duties("this authenticator signs nothing here")]
    challenge = challenge_of(command.nonce, command.digest)
    count = assertion_count(given, by, origin=case.people.safeguards.second_factor, challenge=challenge)
    if isinstance(count, str):
        return [_duties(f"the authenticator's signature is not good: {count}")]
    return (e.AssertionGiven(command.account, by.credential, count, command.requester, command.act),)

"""Events about people in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from passline.people import events as e
from passline.people.accounts import People
from passline.people.retention import retention_words
from passline.streams.course import THE_HOUSE


def people_lines(happened: Sequence[e.PeopleEvent], people: People, *, actor: str) -> tuple[str, ...]:
    """Return one line per event, with the names of the people it concerns.

    >>> made = e.AccountCreated("d1", "Dan", ("dealer",), is_guest=False)
    >>> people_lines((made, e.PasswordSet("d1", "a-secret")), People(), actor="visitor")
    ('Dan opens an account as dealer', 'Dan sets a password')
    """
    names = {account.id: account.name for account in people.accounts.values()}
    names |= {event.account: event.name for event in happened if isinstance(event, e.AccountCreated)}
    return tuple(_line(event, names, actor) for event in happened)


def _line(event: e.PeopleEvent, names: dict[str, str], actor: str) -> str:
    whom = names.get(event.account, event.account)
    who = "the house" if actor == THE_HOUSE.account else names.get(actor, whom)
    return _SAYS[type(event)](event, who, whom)


def _creation(one: e.AccountCreated, who: str, whom: str) -> str:
    if one.is_guest:
        return f"{whom} comes in as a guest"
    opens = f"{who} opens an account" if who == whom else f"{who} opens an account for {whom}"
    return f"{opens} as {' and '.join(one.roles)}"


def _invitation(one: e.InvitationMade, who: str, whom: str) -> str:
    return (
        f"{who} makes a one-time link for {whom}" if one.account else f"{who} invites a new {' and '.join(one.roles)}"
    )


def _election(one: e.ProviderElected, who: str) -> str:
    given = ", ".join(f"{group}: {role}" for group, role in one.roles)
    return f"{who} has people log in by {one.issuer} ({given})" if one.issuer else f"{who} ends log-in by a provider"


def _incidents(one: e.IncidentsCounted) -> str:
    total = sum(incident.count for incident in one.incidents) + one.others
    kinds = sorted({incident.what for incident in one.incidents})
    return f"refused since {one.since[11:19]}: {total:,} ({', '.join(kinds)})"


_SAYS: dict[type, Callable[[Any, str, str], str]] = {
    e.AccountCreated: _creation,
    e.InvitationMade: _invitation,
    e.InvitationAccepted: lambda _one, _who, whom: f"{whom} uses a one-time link",
    e.RolesGranted: lambda one, who, whom: f"{who} makes {whom} {' and '.join(one.roles)}",
    e.RolesRevoked: lambda one, who, whom: f"{who} takes from {whom} the role of {' and '.join(one.roles)}",
    e.AccountDisabled: lambda one, who, whom: f"{who} disables the account of {whom}: {one.reason}",
    e.AccountEnabled: lambda _one, who, whom: f"{who} enables the account of {whom}",
    e.PasswordSet: lambda _one, _who, whom: f"{whom} sets a password",
    e.PinSet: lambda _one, _who, whom: f"{whom} sets a PIN",
    e.InvitationSigned: lambda _one, _who, _whom: "a second owner signs the link",
    e.DualControlElected: lambda one, who, _whom: f"{who} turns dual control {'on' if one.is_on else 'off'}",
    e.PasswordAgeElected: lambda one, who, _whom: (
        f"{who} has passwords changed every {one.days} days" if one.days else f"{who} lets passwords be of any age"
    ),
    e.RetentionElected: lambda one, who, _whom: f"{who} chooses that {retention_words(one.years)}",
    e.ProviderElected: lambda one, who, _whom: _election(one, who),
    e.ProviderLinked: lambda one, _who, whom: f"{whom} is who {one.issuer} says",
    e.AccountLinked: lambda one, who, whom: f"{who} links {whom} to {one.subject} at {one.issuer}",
    e.AccountUnlinked: lambda one, who, whom: f"{who} unlinks {whom} from {one.issuer}",
    e.ProviderRefused: lambda one, _who, whom: f"{whom} is shut out: {one.reason}",
    e.SecondFactorElected: lambda one, who, _whom: (
        f"{who} has signatures take an authenticator at {one.origin}" if one.origin else f"{who} has PINs alone sign"
    ),
    e.AuthenticatorAdded: lambda one, _who, whom: f"{whom} adds the authenticator {one.label}",
    e.AuthenticatorRemoved: lambda _one, _who, whom: f"{whom} removes an authenticator",
    e.AssertionGiven: lambda one, _who, whom: f"{whom} signs {one.act} with PIN and authenticator",
    e.GlassBroken: lambda one, who, _whom: f"{who} lets one owner act alone until {one.until[:16]}: {one.reason}",
    e.SecretsBound: lambda one, who, _whom: f"{who} binds {len(one.names)} passwords and PINs to the log",
    e.IncidentsCounted: lambda one, _who, _whom: _incidents(one),
    e.LoggedIn: lambda _one, _who, whom: f"{whom} logs in",
}

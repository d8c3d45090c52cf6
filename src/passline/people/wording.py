"""Events about people in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from passline.people import events as e
from passline.people.accounts import People
from passline.store.upkeep.retention import retention_words
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


def _creation(event: e.AccountCreated, who: str, whom: str) -> str:
    if event.is_guest:
        return f"{whom} comes in as a guest"
    opens = f"{who} opens an account" if who == whom else f"{who} opens an account for {whom}"
    return f"{opens} as {' and '.join(event.roles)}"


def _invitation(event: e.InvitationMade, who: str, whom: str) -> str:
    return (
        f"{who} makes a one-time link for {whom}"
        if event.account
        else f"{who} invites a new {' and '.join(event.roles)}"
    )


def _election(event: e.ProviderElected, who: str) -> str:
    given = ", ".join(f"{group}: {role}" for group, role in event.roles)
    return (
        f"{who} has people log in by {event.issuer} ({given})" if event.issuer else f"{who} ends log-in by a provider"
    )


def _incidents(event: e.IncidentsCounted) -> str:
    total = sum(incident.count for incident in event.incidents) + event.others
    kinds = sorted({incident.what for incident in event.incidents})
    return f"refused since {event.since[11:19]}: {total:,} ({', '.join(kinds)})"


_SAYS: dict[type, Callable[[Any, str, str], str]] = {
    e.AccountCreated: _creation,
    e.InvitationMade: _invitation,
    e.InvitationAccepted: lambda _event, _who, whom: f"{whom} uses a one-time link",
    e.RolesGranted: lambda event, who, whom: f"{who} makes {whom} {' and '.join(event.roles)}",
    e.RolesRevoked: lambda event, who, whom: f"{who} takes from {whom} the role of {' and '.join(event.roles)}",
    e.AccountDisabled: lambda event, who, whom: f"{who} disables the account of {whom}: {event.reason}",
    e.AccountEnabled: lambda _event, who, whom: f"{who} enables the account of {whom}",
    e.PasswordSet: lambda _event, _who, whom: f"{whom} sets a password",
    e.PinSet: lambda _event, _who, whom: f"{whom} sets a PIN",
    e.InvitationSigned: lambda _event, _who, _whom: "a second owner signs the link",
    e.DualControlElected: lambda event, who, _whom: f"{who} turns dual control {'on' if event.is_on else 'off'}",
    e.PasswordAgeElected: lambda event, who, _whom: (
        f"{who} has passwords changed every {event.days} days" if event.days else f"{who} lets passwords be of any age"
    ),
    e.RetentionElected: lambda event, who, _whom: f"{who} chooses that {retention_words(event.years)}",
    e.ProviderElected: lambda event, who, _whom: _election(event, who),
    e.ProviderLinked: lambda event, _who, whom: f"{whom} is who {event.issuer} says",
    e.AccountLinked: lambda event, who, whom: f"{who} links {whom} to {event.subject} at {event.issuer}",
    e.AccountUnlinked: lambda event, who, whom: f"{who} unlinks {whom} from {event.issuer}",
    e.ProviderRefused: lambda event, _who, whom: f"{whom} is shut out: {event.reason}",
    e.SecondFactorElected: lambda event, who, _whom: (
        f"{who} has signatures take an authenticator at {event.origin}"
        if event.origin
        else f"{who} has PINs alone sign"
    ),
    e.AuthenticatorAdded: lambda event, _who, whom: f"{whom} adds the authenticator {event.label}",
    e.AuthenticatorRemoved: lambda _event, _who, whom: f"{whom} removes an authenticator",
    e.AssertionGiven: lambda event, _who, whom: f"{whom} signs {event.act} with PIN and authenticator",
    e.GlassBroken: lambda event, who, _whom: f"{who} lets one owner act alone until {event.until[:16]}: {event.reason}",
    e.SecretsBound: lambda event, who, _whom: f"{who} binds {len(event.names)} passwords and PINs to the log",
    e.IncidentsCounted: lambda event, _who, _whom: _incidents(event),
    e.LoggedIn: lambda _event, _who, whom: f"{whom} logs in",
}

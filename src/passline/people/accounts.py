"""Accounts, their roles and open invitations, folded from the stream `people`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.authority.roles import EMPLOYED_ROLES, OWNER
from passline.people import events as e
from passline.people.assertions import Authenticator
from passline.store.timestamps import later

STREAM = "people"
"""The name of the stream about people."""
FORMER_PASSWORDS_MAX = 12
"""So many earlier passwords of an account are looked at, so that none is chosen again."""
NAME_MAX = 40
"""The most characters in a name."""
_DAY_SECONDS = 24 * 3600
_BOUND = "sha256-"
_BOUND_LENGTH = len(_BOUND) + 64
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u2028\u2029"  # no ink, but not of a control category
_UNSEEN_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))  # variation selectors
_ALIKE = ("Latin", "Cyrillic", "Greek", "Cherokee")


class Account(Struct, frozen=True):
    """A person as the house knows them. `password` and `pin` are names in the vault, not secrets."""

    id: str
    name: str
    roles: frozenset[str]
    is_disabled: bool = False
    is_guest: bool = False
    password: str = ""  # empty: none yet
    pin: str = ""
    generation: int = 0  # counts up whenever all its sessions end; a session of another generation is void
    former_roles: frozenset[str] = frozenset()  # in which it could act until it was disabled, or lost some of them
    former_until: str = ""  # when that was last; empty: never
    since: str = ""  # when it was made
    password_since: str = ""  # when its password was chosen
    former_passwords: tuple[str, ...] = ()  # names in the vault of those before, the newest last
    issuer: str = ""  # the identity provider that says who this is and in which roles; empty: this house does
    subject: str = ""  # who it is there
    is_refused: bool = False  # disabled because the provider no longer vouches for them
    authenticators: tuple[Authenticator, ...] = ()  # with which it signs where the house elects that

    @property
    def is_employee(self) -> bool:
        """Whether the house employs this person.

        >>> Account("a1", "Ann", frozenset({"player"})).is_employee
        False
        """
        return not self.roles.isdisjoint(EMPLOYED_ROLES)


class Invitation(Struct, frozen=True):
    """A one-time link that nobody has used yet."""

    account: str  # empty: for somebody new
    roles: tuple[str, ...]
    by: str
    expires: str
    signed_by: str = ""  # the second owner


class Safeguards(Struct, frozen=True):
    """The safeguards against misuse by the house's own people, as elected in the log."""

    dual_control: Literal["", "on", "off"] = ""  # empty: the log is older than dual control, or never had two owners
    alone_until: str = ""  # until when one owner may act alone, since the glass was broken
    broken: tuple[tuple[str, str], ...] = ()  # each time it was: until when, and why
    password_days: int = 0  # how old a password may be, in days; 0: as old as it likes
    retention: tuple[tuple[str, int], ...] = ()  # how long records are kept: when it was chosen, and the years
    second_factor: str = ""  # the address of the house at which signatures take an authenticator; empty: nowhere
    vault: Literal["", "old", "bound"] = ""  # old: some names say nothing of their secret; bound: no longer


class Provider(Struct, frozen=True):
    """The identity provider by which people log in, and the roles that its groups have here.

    >>> Provider("https://id.example", "craps", "groups", (("pit", "dealer"),)).roles_of(("pit", "golf"))
    frozenset({'dealer'})
    """

    issuer: str
    client: str
    claim: str
    roles: tuple[tuple[str, str], ...]

    def roles_of(self, groups: Iterable[str]) -> frozenset[str]:
        """Return the roles of somebody who is in these groups."""
        held = frozenset(groups)
        return frozenset(role for group, role in self.roles if group in held)

    def groups_with_roles(self, groups: Iterable[str]) -> tuple[str, ...]:
        """Return, once each and in order, the groups of somebody that have a role here."""
        known = {group for group, _role in self.roles}
        return tuple(sorted(known.intersection(groups)))


class People(Struct, frozen=True):
    """Every account of a house by id and by name key, and the unused invitations."""

    accounts: dict[str, Account] = {}
    names: dict[str, str] = {}
    invitations: dict[str, Invitation] = {}
    safeguards: Safeguards = Safeguards()
    provider: Provider | None = None
    subjects: dict[str, str] = {}  # accounts of people of the provider, by `subject_key`

    def account_at_provider(self, issuer: str, subject: str) -> Account | None:
        """Return the account of somebody at an identity provider; None if they have none yet."""
        return self.accounts.get(self.subjects.get(subject_key(issuer, subject), ""))

    def is_password_over(self, account: Account, now: str) -> bool:
        """Return whether somebody must choose a new password before anything else."""
        days = self.safeguards.password_days
        return bool(days and account.password_since) and later(account.password_since, days * _DAY_SECONDS) <= now

    def account_named(self, name: str) -> Account | None:
        """Return the account of a name, regardless of case, spacing and width; None if there is none."""
        return self.accounts.get(self.names.get(name_key(name), ""))

    def employee_like(self, name: str) -> Account | None:
        """Return an employee whose name is like this one, the first by name; None if nobody's is."""
        staff = (account for account in self.accounts.values() if account.is_employee and not account.is_disabled)
        alike = [account for account in staff if are_alike(account.name, name)]
        return min(alike, key=lambda account: (account.name, account.id), default=None)

    def owner_of(self, secret: str) -> str:
        """Return the account whose password or PIN has this name in the vault; empty if nobody's has."""
        whose = (account.id for account in self.accounts.values() if secret in {account.password, account.pin})
        return next(whose, "")

    def owners(self) -> list[Account]:
        """Return the owners who can act: enabled, and with a password."""
        return [
            account
            for account in self.accounts.values()
            if OWNER in account.roles and not account.is_disabled and account.password
        ]


def subject_key(issuer: str, subject: str) -> str:
    """Return a key for somebody at an identity provider: neither part can run into the other."""
    return f"{len(issuer)} {issuer} {subject}"


def name_key(name: str) -> str:
    """Return a key that is equal for names that people would take for the same.

    >>> name_key(" ANN  Smith") == name_key("\uff21nn smith")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def are_alike(name: str, other: str) -> bool:
    """Return whether two names may be one person's: each word of the shorter is a word of the longer, or its initial.

    >>> are_alike("Cal", "cal JONES"), are_alike("C. Jones", "Cal Jones"), are_alike("Cal Smith", "Cal Jones")
    (True, True, False)
    >>> are_alike("Player 1", "Player 12")
    False
    """
    shorter, longer = sorted((_words_of(name), _words_of(other)), key=len)
    return bool(shorter) and all(any(word == whole or _is_initial(word, whole) for whole in longer) for word in shorter)


def _is_initial(word: str, other: str) -> bool:
    """Return whether one of two words is the other's first letter."""
    return 1 in (len(word), len(other)) and word[0] == other[0] and word[0].isalpha()


def _words_of(name: str) -> list[str]:
    """Return the words of a name, without accents, dots and hyphens."""
    plain = unicodedata.normalize("NFKD", name_key(name))
    letters = (" " if not sign.isalnum() else sign for sign in plain if not unicodedata.combining(sign))
    return "".join(letters).split()


def name_fault(name: str) -> str:
    """Return why a name is not acceptable, or an empty string.

    >>> name_fault("Ann "), name_fault("Ann")
    ('a name has 1 to 40 characters and no spaces at its ends', '')
    """
    plain = unicodedata.normalize("NFKC", name)
    if not 1 <= len(plain) <= NAME_MAX or plain != plain.strip():
        return f"a name has 1 to {NAME_MAX} characters and no spaces at its ends"
    if any(unicodedata.category(character)[0] == "C" or character in "\u2028\u2029" for character in plain):
        return "a name has no control characters and no invisible ones"
    return ""


def unseen_fault(name: str) -> str:
    """Return why a new name could deceive those who read it, or an empty string. `name_fault` says what is stored.

    A name must look like what it is: nothing that turns the order of writing, nothing that takes no ink, and letters
    of one alphabet where alphabets look alike. It judges only new names: those in the log stay.

    >>> unseen_fault("Ann\u202e"), unseen_fault("Ann\u3164") == unseen_fault("A\u034fnn"), unseen_fault("Jos\u00e9 B.")
    ('a name has no control characters and no invisible ones', True, '')
    >>> unseen_fault("\u041elga")
    'a name has letters of one alphabet, not Latin and Cyrillic'
    """
    plain = unicodedata.normalize("NFKC", name)
    if has_unseen(plain):
        return "a name has no control characters and no invisible ones"
    if plain and unicodedata.category(plain[0])[0] == "M":
        return "a name begins with a letter, a digit or a sign, not with an accent alone"
    scripts = {unicodedata.name(sign, "").partition(" ")[0].capitalize() for sign in plain}
    used = [alphabet for alphabet in _ALIKE if alphabet in scripts]
    return f"a name has letters of one alphabet, not {' and '.join(used)}" if len(used) > 1 else ""


def has_unseen(text: str) -> bool:
    """Return whether a text has invisible characters, or characters that change the direction of writing.

    >>> has_unseen("Ann\u200b"), has_unseen("Ann Smith")
    (True, False)
    """
    return any(
        unicodedata.category(sign)[0] == "C"
        or sign in _UNSEEN
        or _is_odd_space(sign)
        or any(low <= ord(sign) <= high for low, high in _UNSEEN_RANGES)
        for sign in text
    )


def _is_odd_space(character: str) -> bool:
    return character != " " and unicodedata.category(character)[0] == "Z"


def is_bound_name(name: str) -> bool:
    """Return whether a name in the vault holds the digest of what it names; those of older logs do not.

    >>> is_bound_name("sha256-" + "0" * 64), is_bound_name("7f" * 16)
    (True, False)
    """
    return name.startswith(_BOUND) and len(name) == _BOUND_LENGTH


def fold(people: People, events: Iterable[e.PeopleEvent], at: str = "") -> People:
    """Return the people after some events at a moment; without one, nobody knows until when somebody could act."""
    return fold_all(people, ((at, event) for event in events))


def fold_all(people: People, events: Iterable[tuple[str, e.PeopleEvent]]) -> People:
    """Return the people after events with their moments: on one copy, so that a long stream is read in linear time."""
    after = replace(
        people,
        accounts=dict(people.accounts),
        names=dict(people.names),
        invitations=dict(people.invitations),
        subjects=dict(people.subjects),
    )
    for at, event in events:
        _apply(after, event, at)
        after = _with_provider(after, event)
        if (safeguards := _safeguards_after(after.safeguards, event, at)) != after.safeguards:
            after = replace(after, safeguards=safeguards)
    return after


def _authenticators_after(
    account: Account, event: e.AuthenticatorAdded | e.AuthenticatorRemoved | e.AssertionGiven
) -> tuple[Authenticator, ...]:
    others = tuple(own for own in account.authenticators if own.credential != event.credential)
    match event:
        case e.AuthenticatorAdded():
            return (*others, Authenticator(event.credential, event.public_key, event.site, event.count, event.label))
        case e.AuthenticatorRemoved():
            return others
    return tuple(
        replace(own, count=event.count) if own.credential == event.credential else own for own in account.authenticators
    )


def _linked_after(account: Account, event: e.ProviderLinked | e.AccountLinked | e.AccountUnlinked) -> Account:
    """Return an account as who it is at the provider; of one that was there before all sessions end."""
    is_unlinked = isinstance(event, e.AccountUnlinked)
    issuer, subject = ("", "") if is_unlinked else (event.issuer, event.subject)
    generation = account.generation + (not isinstance(event, e.ProviderLinked))
    return replace(account, issuer=issuer, subject=subject, generation=generation)


def _with_provider(people: People, event: e.PeopleEvent) -> People:
    """Return people after what an event says of an identity provider."""
    if isinstance(event, e.ProviderLinked | e.AccountLinked):
        people.subjects[subject_key(event.issuer, event.subject)] = event.account
    elif isinstance(event, e.AccountUnlinked):
        people.subjects.pop(subject_key(event.issuer, event.subject), None)
    elif isinstance(event, e.ProviderElected):
        chosen = Provider(event.issuer, event.client, event.claim, event.roles)
        return replace(people, provider=chosen if event.issuer else None)
    return people


def _safeguards_after(guards: Safeguards, event: e.PeopleEvent, at: str) -> Safeguards:
    match event:
        case e.DualControlElected():
            return replace(guards, dual_control="on" if event.is_on else "off")
        case e.GlassBroken():
            return replace(guards, alone_until=event.until, broken=(*guards.broken, (event.until, event.reason)))
        case e.PasswordAgeElected():
            return replace(guards, password_days=event.days)
        case e.RetentionElected():
            return replace(guards, retention=(*guards.retention, (at, event.years)))
        case e.SecondFactorElected():
            return replace(guards, second_factor=event.origin)
        case e.SecretsBound():
            return replace(guards, vault="bound")
        case e.PasswordSet(password=name) | e.PinSet(pin=name) if not is_bound_name(name):
            return replace(guards, vault="old")
    return guards


def _apply(people: People, event: e.PeopleEvent, at: str) -> None:
    accounts = people.accounts
    match event:
        case e.AccountCreated():
            roles = frozenset(event.roles)
            accounts[event.account] = Account(event.account, event.name, roles, is_guest=event.is_guest, since=at)
            people.names[name_key(event.name)] = event.account
        case e.InvitationMade():
            made = Invitation(event.account, event.roles, by=event.by, expires=event.expires)
            people.invitations[event.invitation] = made
        case e.InvitationAccepted():
            del people.invitations[event.invitation]
        case e.InvitationSigned():
            made = people.invitations[event.invitation]
            people.invitations[event.invitation] = replace(made, signed_by=event.by)
        case e.SecretsBound():
            renamed = dict(event.names)
            for account in list(accounts.values()):
                if account.password in renamed or account.pin in renamed:
                    password, pin = (renamed.get(name, name) for name in (account.password, account.pin))
                    accounts[account.id] = replace(account, password=password, pin=pin)
        case (
            e.LoggedIn()
            | e.DualControlElected()
            | e.PasswordAgeElected()
            | e.RetentionElected()
            | e.GlassBroken()
            | e.IncidentsCounted()
            | e.ProviderElected()
            | e.SecondFactorElected()
        ):
            pass
        case _:
            before = accounts[event.account]
            ends = e.RolesRevoked | e.AccountDisabled | e.ProviderRefused
            if at and isinstance(event, ends) and not before.is_disabled:
                former = before.former_roles | before.roles
                before = replace(before, former_roles=former, former_until=max(at, before.former_until))
            accounts[event.account] = _account_after(before, event, at)


def _account_after(account: Account, event: e.PeopleEvent, at: str) -> Account:
    match event:
        case e.RolesGranted():
            return replace(account, roles=account.roles | set(event.roles))
        case e.RolesRevoked():
            return replace(account, roles=account.roles - set(event.roles))
        case e.AccountDisabled():
            return replace(account, is_disabled=True, is_refused=False, generation=account.generation + 1)
        case e.ProviderRefused():
            return replace(account, is_disabled=True, is_refused=True, generation=account.generation + 1)
        case e.AccountEnabled():
            return replace(account, is_disabled=False, is_refused=False)
        case e.PasswordSet():
            former = (*account.former_passwords, account.password)[-FORMER_PASSWORDS_MAX:] if account.password else ()
            changed = replace(account, password=event.password, generation=account.generation + 1)
            return replace(changed, password_since=at, former_passwords=former)
        case e.PinSet():
            return replace(account, pin=event.pin)
        case e.AuthenticatorAdded() | e.AuthenticatorRemoved() | e.AssertionGiven():
            return replace(account, authenticators=_authenticators_after(account, event))
        case e.ProviderLinked() | e.AccountLinked() | e.AccountUnlinked():
            return _linked_after(account, event)
    raise AssertionError(event)

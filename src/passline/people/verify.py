"""Verifies the stream `people`: every command is decided again and must give the events that are written.

And the vault beside the log: each hash against the digest in the log, every other row by its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from passline.authority.duties import name_of
from passline.people.accounts import STREAM, Account, People, fold, is_bound_name
from passline.people.assertions import digest_of_act
from passline.people.commands import (
    CreateAccount,
    GiveAssertion,
    Invite,
    is_making,
    terms_of_command,
    without_made_up,
)
from passline.people.course import PEOPLE, PeopleCourse
from passline.people.credentials import bound_name, secrets_of
from passline.people.duties import owners_who_agree
from passline.people.events import DualControlElected, GlassBroken, SecondFactorElected
from passline.store.authentic_vault import RESTRICTED_KIND, UNSEALED_KINDS, is_authentic
from passline.store.entry import Entry
from passline.store.log import Secret
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE, Actor
from passline.streams.redecide import Case, StreamCheck

_LAG_SECONDS = 300
_INVITE = str(Invite.__struct_config__.tag)
_LINK = "signed with the account that it is for"  # in place of a digest


def still_known_until(at: str) -> str:
    """Return until when a server may honestly act on the state before a change made at `at`.

    A command is decided by what its server knows and written a little later; another server hears of a change later
    still, and clocks differ. So entries are in order but their times only nearly: five minutes are far more than
    servers in step are ever apart.

    >>> still_known_until("2026-11-15T23:59:00.000000Z")
    '2026-11-16T00:04:00.000000Z'
    """
    return later(at, _LAG_SECONDS)


class PeopleCheck(StreamCheck[People]):
    """Decides the stream `people` again, and tells who could act at a point of the log."""

    course = PeopleCourse()

    def __init__(self) -> None:
        super().__init__(PEOPLE)
        self._replaced: dict[str, list[tuple[str, Account]]] = {}  # earlier states, and until when they count
        self._terms = 0  # by which somebody was made or changed last
        self._assertions: dict[tuple[str, str, str], list[str]] = {}  # digests not used yet, by signer, asker and act
        self._factor_from = ""  # from when every server knows that signatures take an authenticator
        self._alone_until = ""  # until when a server may not know yet that two owners must agree

    @property
    def people(self) -> People | None:
        """The people as far as they were checked; None if that is not known, so that nobody is said to be unfit."""
        return None if self.is_lost(STREAM) else self.state(STREAM) or People()

    def faults_beyond(self, case: Case[People], after: People) -> Iterator[str]:
        """Remember accounts as they were: a server may go by them for a while. Yield what goes back to older terms."""
        before = case.before.accounts if case.before else {}
        if case.entry.signed_by:
            yield from self._lacking_factor(case.entry, case.command, case.before, (without_made_up(case.command),))
        self._note_factor(case)
        if is_making(case.command):
            if terms_of_command(case.command) < self._terms:
                yield f"{name_of(case.command)} is recorded by older terms than what was recorded before it"
            self._terms = max(self._terms, terms_of_command(case.command))
        if self._owners_of(case.before, case.entry.at) != self._owners_of(after, case.entry.at):
            self._alone_until = still_known_until(case.entry.at)
        for account in {event.account for event in case.events} & before.keys():
            if before[account] != after.accounts[account]:
                until = still_known_until(case.entry.at)
                self._replaced.setdefault(account, []).append((until, before[account]))

    @staticmethod
    def _owners_of(people: People | None, at: str) -> frozenset[str]:
        return owners_who_agree(people, at) if people else frozenset()

    def owners_at(self, at: str) -> frozenset[str]:
        """Return the owners of whom two had to agree at this point of the log; nobody, where one could act alone."""
        return frozenset() if at < self._alone_until else self._owners_of(self.people, at)

    def known_actor(self, entry: Entry) -> Actor:
        """Return who gave the command of an entry of any stream: the server itself, or an account in a role."""
        if entry.actor == THE_HOUSE.account:
            return THE_HOUSE
        known = self.people.accounts.get(entry.actor) if self.people else None
        return Actor(entry.actor, known.name if known else entry.actor, entry.role)

    def unfit_people(
        self,
        entry: Entry,
        command: object,
        *,
        is_server: bool,
        may_sign: Callable[[Account], bool] = lambda _: True,
        signed: Sequence[object] = (),
    ) -> Iterator[str]:
        """Yield that the actor or signer of an entry lacked an account or the role for it; the server needs none.

        `signed` has what an authenticator may have signed of it: the command as it was sent. Without any, nobody can
        say, since the server has completed it.
        """
        name = name_of(command)
        if not is_server and (why := self.unfit(entry.actor, entry.at, lambda account: entry.role in account.roles)):
            yield f"{name} is by {entry.actor} as the {entry.role}, who {why}"
        if entry.signed_by and (why := self.unfit(entry.signed_by, entry.at, may_sign)):
            yield f"{name} is signed by {entry.signed_by}, who {why}"
        if entry.signed_by and not is_server:
            yield from self._lacking_factor(entry, command, self.people, signed)

    def _note_factor(self, case: Case[People]) -> None:
        """Note what authenticators signed, and from when signatures take one."""
        if isinstance(case.command, GiveAssertion):
            given = (case.command.account, case.command.requester, case.command.act)
            self._assertions.setdefault(given, []).append(case.command.digest)
        if any(isinstance(event, SecondFactorElected) for event in case.events):
            self._factor_from = still_known_until(case.entry.at)

    def _lacking_factor(
        self, entry: Entry, command: object, people: People | None, signed: Sequence[object]
    ) -> Iterator[str]:
        """Yield that a command is signed without the authenticator that the house elects, or with one for another."""
        if people is None or not people.safeguards.second_factor:
            return
        name, by = name_of(command), entry.signed_by
        given = self._assertions.get((by, entry.actor, name), [])
        digests = {digest_of_act(form, requester=entry.actor, signer=by) for form in signed}
        digest = next((digest for digest in given if not digests or digest in {*digests, _LINK}), None)
        if digest is not None:
            given.remove(digest)
            if isinstance(command, CreateAccount):  # its link is signed with it
                self._assertions.setdefault((by, entry.actor, _INVITE), []).append(_LINK)
        elif given:
            yield f"{name} is signed by {by} with an authenticator that signed another {name}, and not this one"
        elif entry.at >= self._factor_from:
            yield f"{name} is signed by {by} with the PIN alone, where the house elects an authenticator"

    def is_fit_now(self, account: str, role: str) -> bool:
        """Return whether an account exists, may be used and has a role, by all that was checked."""
        known = self.people.accounts.get(account) if self.people else None
        return known is not None and not known.is_disabled and role in known.roles

    def unfit(self, account: str, at: str, is_fit: Callable[[Account], bool]) -> str:
        """Return why an account could not act at this point of the log, or an empty string if it could."""
        if self.people is None:
            return ""
        known = self.people.accounts.get(account)
        if known is None:
            return "has no account here"
        earlier = (old for until, old in self._replaced.get(account, ()) if at < until)
        if any(is_fit(account) and not account.is_disabled for account in (known, *earlier)):
            return ""
        return "is disabled here" if known.is_disabled else f"has only the roles {', '.join(sorted(known.roles))} here"

    def roles_at(self, account: str, at: str) -> frozenset[str]:
        """Return every role in which a server could honestly have let an account act at this point of the log."""
        known = self.people.accounts.get(account) if self.people else None
        earlier = (old.roles for until, old in self._replaced.get(account, ()) if at < until)
        return frozenset().union(known.roles if known else (), *earlier)


class VaultReport(Struct, frozen=True):
    """The result of verifying a vault against its log."""

    rows: int | None = None  # None: an export has none
    unchecked: int = 0  # rows with a code that only the log's key can check, which was not at hand
    unbound: int = 0  # secrets of an older log that the log does not hold the digest of yet
    uncoded: int = 0  # rows of a version that gave them no code: they are void as soon as this one serves the log
    faults: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()  # lawful, but somebody should know


def verify_vault(
    entries: Iterable[Entry], secrets: Iterable[Secret] | None, key: bytes | None, *, is_older: bool = False
) -> VaultReport:
    """Check the rows of a vault against the entries of the stream `people`; `key` is the one of the rows' codes.

    An export has no vault: then `secrets` is None and there are only notices. A log that `is_older` was never served by
    a version that records itself: those before gave rows no code, as the log itself tells once somebody has a password.

    >>> verify_vault((), [Secret("session", "ab", b"forged")], bytes(32)).faults
    ('session ab was not written by this server',)
    """
    people, notices = People(), list[str]()
    for entry in entries:
        events = PEOPLE.events(entry)
        people = fold(people, events)
        notices += (f"entry {entry.sequence} {said}" for event in events if (said := _notice(event)))
    if secrets is None:
        return VaultReport(notices=tuple(notices))
    rows = list(secrets)
    told = [row for row in rows if row.kind != RESTRICTED_KIND]  # how many others there are is nobody's business
    hashes = {(row.kind, row.key): row for row in rows if row.kind in UNSEALED_KINDS}
    coded = [row for row in rows if row.kind not in UNSEALED_KINDS]
    faults, unbound = list[str](), 0
    for account in people.accounts.values():
        for kind, name in secrets_of(account):
            found = hashes.get((kind, name))
            if not is_bound_name(name):
                unbound += 1
            elif found is None:
                faults.append(f"the {kind} of {account.name} ({account.id}) is missing")
            elif bound_name(found.value) != name:
                faults.append(f"the {kind} of {account.name} ({account.id}) is not the one that the log names")
    uncoded = [row for row in coded if not is_authentic(key, row)] if key is not None else []
    has_passwords = any(account.password for account in people.accounts.values())
    if people.safeguards.vault != "old" and (has_passwords or not is_older):
        faults += (f"{_row_name(row)} was not written by this server" for row in uncoded)
        uncoded = []
    unchecked = sum(row.kind not in UNSEALED_KINDS for row in told) if key is None else 0
    return VaultReport(len(told), unchecked, unbound, len(uncoded), tuple(faults), tuple(notices))


def _row_name(row: Secret) -> str:
    return "a row" if row.kind == RESTRICTED_KIND else f"{row.kind} {row.key[:20]}"


def _notice(event: object) -> str:
    match event:
        case GlassBroken():
            return f"BROKEN GLASS: one owner could act alone until {event.until}: {event.reason}"
        case DualControlElected(is_on=False):
            return "turned dual control off: one owner alone can make somebody who signs"
    return ""

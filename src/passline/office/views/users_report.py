"""Users and their rights, as a report that two people go through: who can act, as what, since when, and who has left.

It is read from the log alone, so that whoever has the log prints the same report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from passline.acts.calendar.facility import NO_FACILITY, Facility
from passline.acts.course import OFFICE_STREAM, office_after
from passline.acts.judges.gates import people_away
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.state import OFFICE, ActState, KnownThing
from passline.authority.roles import GIVEN_BY, OWNER, PLAYER, ROLES, SIGNING_ROLES, in_order
from passline.documents.sheet import PrintedSheet, SheetTable, SignatureLine, Styled, Words
from passline.people import accounts
from passline.people import events as p
from passline.people.accounts import Account, People
from passline.people.course import PEOPLE
from passline.people.presence import BY_TWO
from passline.people.wording import people_lines
from passline.store.entry import Entry

KINDS = (accounts.STREAM, OFFICE_STREAM.rstrip("/"))
"""The kinds of streams that the report is made of: accounts, and the employees of each office."""
REVIEW = "review_users"
"""The act by which users and their rights are gone through."""
_CHANGES = (
    p.AccountCreated, p.RolesGranted, p.RolesRevoked, p.AccountDisabled, p.AccountEnabled, p.DualControlElected,
    p.PasswordAgeElected, p.RetentionElected, p.GlassBroken, p.AccountLinked, p.AccountUnlinked,
)  # fmt: skip
_AT_ONCE = (
    "Whoever is away by the office is out of the program in the same moment; an owner, a regulator and surveillance "
    "when two owners disable the account."
)


class _Change(Struct, frozen=True):
    """Something that changed who may do what: when, in words, and who signed it."""

    at: str
    what: str
    signed_by: str
    is_of_staff: bool


class UsersReader:
    """Reads a log entry by entry: accounts, what changed them, and the employees of each office."""

    def __init__(self, offices: Mapping[str, ActState] | None = None) -> None:
        self.people = People()
        self.offices = dict(offices or {})  # as far as they were read
        self._logged_in: dict[str, str] = {}
        self._disabled: dict[str, tuple[str, str]] = {}  # when, and why
        self._changes = list[_Change]()

    def take(self, entry: Entry) -> None:
        """Take in an entry of any stream."""
        if entry.stream == accounts.STREAM:
            self._take_people(entry)
        elif entry.stream.startswith(OFFICE_STREAM):
            name = entry.stream.removeprefix(OFFICE_STREAM)
            self.offices[name] = office_after(self.offices.get(name), entry)

    def _take_people(self, entry: Entry) -> None:
        events = PEOPLE.events(entry)
        self.people = accounts.fold(self.people, events, entry.at)
        for event in events:
            if isinstance(event, p.LoggedIn | p.InvitationAccepted):
                self._logged_in[event.account] = entry.at
            elif isinstance(event, p.AccountDisabled):
                self._disabled[event.account] = (entry.at, event.reason)
        changes = [event for event in events if isinstance(event, _CHANGES)]
        known = self.people.accounts
        signer = known.get(entry.signed_by)
        for event, line in zip(changes, people_lines(changes, self.people, actor=entry.actor), strict=True):
            account = known.get(event.account)
            is_of_staff = account is None or not account.roles <= {PLAYER} or isinstance(event, p.RolesRevoked)
            self._changes.append(_Change(entry.at, line, signer.name if signer else "", is_of_staff))

    def sheet(self, at: str, since: str = "") -> PrintedSheet:
        """Return the report as of a moment, with changes since a moment or else since the last review."""
        found = _Found(self, since or self.last_review())
        return found.sheet(at)

    def last_review(self) -> str:
        """Return when the users were last reviewed in any office; empty: never."""
        return max(filter(None, (_review_time(state) for state in self.offices.values())), default="")

    def disabling_of(self, account: str) -> tuple[str, str]:
        """Return when and why an account was last disabled."""
        return self._disabled.get(account, ("", ""))

    def last_log_in(self, account: str) -> str:
        """Return when somebody last logged in; empty: never."""
        return self._logged_in.get(account, "")

    def changes(self, since: str) -> list[_Change]:
        """Return the changes to what members of the staff may do, since a moment."""
        return [change for change in self._changes if change.at > since and change.is_of_staff]


def users_report(entries: Iterable[Entry], at: str, since: str = "") -> PrintedSheet:
    """Return the report of users and their rights that a log makes."""
    reader = UsersReader()
    for entry in entries:
        reader.take(entry)
    return reader.sheet(at, since)


def _review_time(state: ActState) -> str:
    mark = state.mark(REVIEW, OFFICE)
    return mark.at if mark else ""


class _Found:
    """What was read, as the tables of the report."""

    def __init__(self, reader: UsersReader, since: str) -> None:
        self._read, self._since = reader, since
        self._facility = _first_facility(reader.offices.values())
        self._rules = {
            name: rules for name, state in reader.offices.items() if (rules := OFFICE_RULES.find(state.digest))
        }
        self._away = {
            person for name, rules in self._rules.items() for person in people_away(rules, reader.offices[name])
        }
        everybody = sorted(reader.people.accounts.values(), key=lambda account: (account.name.casefold(), account.id))
        self._staff = [account for account in everybody if self._is_staff(account)]
        self._players = len(everybody) - len(self._staff)

    @staticmethod
    def _is_staff(account: Account) -> bool:
        return not (account.roles | account.former_roles) <= {PLAYER}

    def sheet(self, at: str) -> PrintedSheet:
        """Return the report as of a moment."""
        facility, guards = self._facility, self._read.people.safeguards
        states = Counter(self._state_of(account)[0] for account in self._staff)
        age = f"every {guards.password_days} days" if guards.password_days else "when people like"
        return PrintedSheet(
            title="Users and their rights",
            owner=facility.name,
            dated=f"As of {facility.minute(at)}",
            facts=(
                ("Users", ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "none"),
                ("Players, not listed", str(self._players)),
                (
                    "Two owners",
                    "must agree"
                    if guards.dual_control != "off" and len(self._read.people.owners()) > 1
                    else "one acts alone",
                ),
                ("Passwords are changed", age),
                (
                    "Gone through last",
                    facility.minute(self._read.last_review()) if self._read.last_review() else "never",
                ),
            ),
            tables=(self._users(), self._rights(), self._leavers(), self._changes()),
            signatures=(SignatureLine("who has gone through it"), SignatureLine("who has gone through it too")),
            foot=(facility.name, "Users and their rights"),
            form="landscape",
        )

    def _minute(self, at: str) -> str:
        return self._facility.minute(at) if at else ""

    def _state_of(self, account: Account) -> tuple[str, Words]:
        """Return whether somebody can act, and what is to be looked at."""
        state = "active" if account.password else "without a password"
        if account.is_disabled or account.id in self._away:
            state = "disabled" if account.is_disabled else "away"
        remarks = list(self._remarks(account, state))
        return state, (Styled("; ".join(remarks), "strong"),) if remarks else ""

    def _remarks(self, account: Account, state: str) -> Iterator[str]:
        """Yield what whoever goes through the users should look at."""
        if state == "away" and not account.roles.isdisjoint(BY_TWO):
            yield "is gone, and can still log in: two owners disable the account"
        if state in {"away", "disabled"}:
            return
        if state == "active" and not self._read.last_log_in(account.id):
            yield "has never logged in"
        elif state == "active" and self._since and self._read.last_log_in(account.id) < self._since:
            yield "has not logged in since the last time"
        if self._rules and account.is_employee and not self._posts_of(account):
            yield "no office has entered this employee"

    def _posts_of(self, account: Account) -> list[tuple[str, KnownThing]]:
        found = ((name, state.thing("person", account.id)) for name, state in self._read.offices.items())
        return [(name, known) for name, known in found if known is not None]

    def _users(self) -> SheetTable:
        rows = []
        for account in self._staff:
            state, remark = self._state_of(account)
            posts = (str(known.facts.get("post", "")) for _, known in self._posts_of(account))
            rows.append(
                (
                    account.name,
                    ", ".join(in_order(account.roles)),
                    ", ".join(dict.fromkeys(filter(None, posts))),
                    self._minute(account.since),
                    self._minute(self._read.last_log_in(account.id)),
                    self._minute(account.password_since),
                    state,
                    remark,
                )
            )
        return SheetTable(
            title="Users",
            heads=("name", "roles", "post", "since", "last log-in", "password of", "state", "to look at"),
            widths=(1.6, 2.2, 1.5, 1.1, 1.1, 1.1, 0.9, 2),
            rows=tuple(rows),
            nothing="Nobody but players has an account.",
        )

    def _rights(self) -> SheetTable:
        held = {role: [a.name for a in self._staff if role in a.roles and not a.is_disabled] for role in ROLES}
        rows = [self._right(role, held[role]) for role in ROLES if role != PLAYER and held[role]]
        return SheetTable(
            title="What each role may do",
            heads=("role", "who has it", "signs for others", "gives roles", "acts of the office"),
            widths=(0.9, 1.8, 0.7, 1.3, 6),
            rows=tuple(rows),
            notes=("Every command, request and signature of a role is listed by passline duties.",),
        )

    def _right(self, role: str, names: list[str]) -> tuple[str, str, str, str, str]:
        """Return a line of the rights: who has a role, what it gives, and how many acts it may record by page."""
        gives = "every role" if role == OWNER else ", ".join(in_order(GIVEN_BY.get(role, ())))
        acts = (f"{name}: {', '.join(_acts_of(rules, role)) or 'none'}" for name, rules in self._rules.items())
        return (role, ", ".join(names), "yes" if role in SIGNING_ROLES else "no", gives, "; ".join(acts))

    def _leavers(self) -> SheetTable:
        return SheetTable(
            title="Suspended, gone or disabled",
            heads=("name", "by the office", "since", "account disabled", "why"),
            widths=(1.6, 1.6, 1.2, 1.2, 3),
            rows=tuple(
                self._leaver(account) for account in self._staff if account.is_disabled or account.id in self._away
            ),
            notes=(_AT_ONCE,),
            nothing="Nobody.",
        )

    def _leaver(self, account: Account) -> tuple[str, str, str, str, str]:
        gone = [
            (known.state.replace("_", " "), known.since)
            for _, known in self._posts_of(account)
            if account.id in self._away
        ]
        state, since = max(gone, key=lambda pair: pair[1], default=("", ""))
        at, why = self._read.disabling_of(account.id) if account.is_disabled else ("", "")
        return (account.name, state, self._minute(since), self._minute(at), why)

    def _changes(self) -> SheetTable:
        after = f"since {self._minute(self._since)}" if self._since else "since the beginning"
        return SheetTable(
            title=f"Changes {after}",
            heads=("when", "what", "signed by"),
            widths=(1.2, 6, 1.6),
            rows=tuple(
                (self._minute(change.at), change.what, change.signed_by) for change in self._read.changes(self._since)
            ),
            nothing="None.",
        )


def _acts_of(rules: ActRules, role: str) -> list[str]:
    """Return the names of the acts that a role may record, with how many of each page of the office."""
    pages = Counter(
        act.page for act in rules.pages.acts.values() if any(role in rules.group(by).roles for by in act.by)
    )
    return [f"{page.replace('_', ' ')} {count}" for page, count in pages.items()]


def _first_facility(states: Iterable[ActState]) -> Facility:
    return next((state.facility for state in states if state.facility), NO_FACILITY)

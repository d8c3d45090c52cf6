"""`PeopleCourse`: how the stream `people` is decided and folded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.authority.roles import VISITOR, in_order
from passline.people.accounts import People, fold, fold_all
from passline.people.commands import PeopleCommand
from passline.people.decide import decide
from passline.people.events import PeopleEvent
from passline.refusal import Refused
from passline.store.entry import Entry
from passline.streams.course import THE_HOUSE, Ask, Codec, Course, Decision

PEOPLE: Codec[PeopleCommand, PeopleEvent, People] = Codec(PeopleCommand, PeopleEvent, People)
"""Reads the entries of the stream `people`."""


def account_of(actor: str) -> str:
    """Return the account behind an entry's actor: none for a visitor or for the house itself."""
    return "" if actor in {THE_HOUSE.account, VISITOR} else actor


class PeopleCourse(Course[People]):
    """Accounts, roles and invitations."""

    codec = PEOPLE

    def decide(self, people: People | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command about people."""
        by, is_house = account_of(ask.by.account), ask.by.account == THE_HOUSE.account
        return decide(people or People(), ask.command, by=by, at=at, signed_by=ask.signed_by, is_house=is_house)

    def role_of(self, people: People | None, ask: Ask) -> str:
        """Return the highest role of the account at this moment; a visitor and the house have their own."""
        account = people.accounts.get(ask.by.account) if people else None
        return next(reversed(in_order(account.roles)), "") if account else ask.by.role

    def fold(self, people: People | None, entry: Entry, events: Sequence[PeopleEvent]) -> People:
        """Return the people after one decision."""
        return fold(people or People(), events, entry.at)

    def fold_all(self, people: People | None, entries: Iterable[tuple[Entry, Sequence[PeopleEvent]]]) -> People:
        """Return the people after many decisions, in linear time."""
        return fold_all(people or People(), ((entry.at, event) for entry, events in entries for event in events))

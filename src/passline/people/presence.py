"""Who is away: suspended or gone by the office's record. From that moment on their account cannot log in or act."""

from __future__ import annotations

from msgspec.structs import replace

from passline.authority.roles import OWNER, SOLE_ROLES
from passline.people.accounts import People

BY_TWO = frozenset({OWNER, *SOLE_ROLES})
"""Whom only two owners disable: an owner, and whoever watches the house. The office's word alone does not."""


class Presence:
    """People as they are in force: whoever is away is disabled, as long as the office says so.

    >>> from passline.people.accounts import Account
    >>> people = People({"d1": Account("d1", "Dan", frozenset({"dealer"}))}, {"dan": "d1"})
    >>> Presence().without_away(people, frozenset({"d1"})).accounts["d1"].is_disabled
    True
    """

    def __init__(self) -> None:
        self.changes = 0  # how often somebody went away or came back, or people changed meanwhile
        self._seen: tuple[People, frozenset[str]] | None = None
        self._shown = People()

    def without_away(self, people: People, away: frozenset[str]) -> People:
        """Return people with whoever is away disabled."""
        if not away and (self._seen is None or not self._seen[1]):
            return people
        if self._seen is None or self._seen[0] is not people or self._seen[1] != away:
            self.changes += self._seen is None or self._seen[1] != away
            gone = {
                id_: replace(account, is_disabled=True)
                for id_ in away
                if (account := people.accounts.get(id_)) and account.roles.isdisjoint(BY_TWO)
            }
            self._seen, self._shown = (people, away), replace(people, accounts={**people.accounts, **gone})
        return self._shown

"""Verifies the stream `people`: every command is decided again and must give the events that are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import json

from passline.game.refusal import Refused
from passline.people.accounts import Account, People, fold
from passline.people.course import PEOPLE, account_of
from passline.people.decide import decide
from passline.people.duties import name_of
from passline.store.entry import Entry
from passline.store.timestamps import later

__all__ = ["PeopleCheck", "still_known_until"]

_LAG_SECONDS = 300


def still_known_until(at: str) -> str:
    """Return until when a server may honestly act on the state before a change made at `at`.

    A command is decided by what its server knows and written a little later; another server hears of a change later
    still, and clocks differ. So entries are in order but their times only nearly: five minutes are far more than
    servers in step are ever apart.

    >>> still_known_until("2026-11-15T23:59:00.000000Z")
    '2026-11-16T00:04:00.000000Z'
    """
    return later(at, _LAG_SECONDS)


class PeopleCheck:
    """Decides the stream `people` again, entry by entry."""

    def __init__(self) -> None:
        self.people: People | None = People()  # None: an entry could not be folded, so nothing after it can be checked
        self._replaced: dict[str, list[tuple[str, Account]]] = {}  # earlier states, and until when they count

    def faults_of(self, entry: Entry) -> Iterator[str]:
        """Yield what is wrong with an entry."""
        if self.people is None:
            return
        command, events = PEOPLE.command(entry), PEOPLE.events(entry)
        decision = decide(self.people, command, by=account_of(entry.actor), at=entry.at)
        name = name_of(command)
        if isinstance(decision, Refused):
            yield f"{name} by {entry.actor} would be refused: {decision}"
        elif decision.events != events:
            yield f"{name} would have brought about {json.encode(decision.events).decode()}"
        before = self.people.accounts
        try:
            self.people = fold(self.people, events)
        except KeyError as error:
            self.people = None
            yield f"{name}: these events are impossible in the state before them: no {error}"
            return
        for account in {event.account for event in events} & before.keys():
            if before[account] != self.people.accounts[account]:
                until = still_known_until(entry.at)
                self._replaced.setdefault(account, []).append((until, before[account]))

    def unfit(self, account: str, at: str, is_fit: Callable[[Account], bool]) -> str:
        """Return why an account could not act at this point of the log, or an empty string if it could."""
        if self.people is None:
            return ""
        known = self.people.accounts.get(account)
        if known is None:
            return "has no account here"
        earlier = (old for until, old in self._replaced.get(account, ()) if at < until)
        if any(is_fit(one) and not one.is_disabled for one in (known, *earlier)):
            return ""
        return "is disabled here" if known.is_disabled else f"has only the roles {', '.join(sorted(known.roles))} here"

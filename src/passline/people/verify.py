"""Verifying the people of a log: every decision about them is judged again, and must come out the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import json

from passline.game.refusal import Refused
from passline.people.accounts import HOUSE, Account, People, evolve
from passline.people.commands import PeopleCommand
from passline.people.decide import judge
from passline.people.events import people_events
from passline.store.entry import Entry
from passline.store.timestamps import later
from passline.tables.duties import VISITOR

__all__ = ["PeopleReplay", "still_known_until"]

_LAG_SECONDS = 300
_commands: json.Decoder[PeopleCommand] = json.Decoder(PeopleCommand)


def still_known_until(at: str) -> str:
    """Give until when somebody may honestly go by what was changed at a time.

    A command is judged by what its server knows, and written a little later; another server hears of the change later
    still, and neither its clock nor this one's is exact. Entries of one log are therefore in order, and their times
    nearly so: five minutes are far more than servers in step are ever apart.

    >>> still_known_until("2026-11-15T23:59:00.000000Z")
    '2026-11-16T00:04:00.000000Z'
    """
    return later(at, _LAG_SECONDS)


class PeopleReplay:
    """The stream of people, folded along."""

    def __init__(self) -> None:
        self.people: People | None = People()  # None: an entry could not be folded, nothing after it can be checked
        self._replaced: dict[str, list[tuple[str, Account]]] = {}  # accounts as they were, and until when that counts

    def faults_of(self, entry: Entry) -> Iterator[str]:
        """Give what could not have been decided as the log says."""
        if self.people is None:
            return
        command, events = _commands.decode(entry.command), people_events(entry)
        by = "" if entry.actor in {HOUSE, VISITOR} else entry.actor
        verdict = judge(self.people, command, by=by, at=entry.at)
        name = command.__struct_config__.tag
        if isinstance(verdict, Refused):
            yield f"{name} by {entry.actor} would be refused: {verdict}"
        elif verdict != events:
            yield f"{name} would have brought about {json.encode(verdict).decode()}"
        before = self.people.accounts
        try:
            self.people = evolve(self.people, events)
        except KeyError as error:
            self.people = None
            yield f"{name}: what happened does not follow from what was there: no {error}"
            return
        for account in {event.account for event in events} & before.keys():
            if before[account] != self.people.accounts[account]:
                until = still_known_until(entry.at)
                self._replaced.setdefault(account, []).append((until, before[account]))

    def unfit(self, account: str, at: str, is_fit: Callable[[Account], bool]) -> str:
        """Say why an account could not act here in the log, or nothing where it could."""
        if self.people is None:
            return ""
        known = self.people.accounts.get(account)
        if known is None:
            return "has no account here"
        earlier = (old for until, old in self._replaced.get(account, ()) if at < until)
        if any(is_fit(one) and not one.is_disabled for one in (known, *earlier)):
            return ""
        return "is disabled here" if known.is_disabled else f"has only the roles {', '.join(sorted(known.roles))} here"

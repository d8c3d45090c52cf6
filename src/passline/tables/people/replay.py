"""Verifying the people of a log: every decision about them is judged again, and must come out the same."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import json

from passline.game.refusal import Refused
from passline.store.entry import Entry
from passline.tables.duties import VISITOR
from passline.tables.people.accounts import HOUSE, People, evolve
from passline.tables.people.commands import PeopleCommand
from passline.tables.people.events import people_events
from passline.tables.people.judge import judge

__all__ = ["PeopleReplay"]

_commands: json.Decoder[PeopleCommand] = json.Decoder(PeopleCommand)


class PeopleReplay:
    """The stream of people, folded along."""

    def __init__(self) -> None:
        self.people: People | None = People()  # None: an entry could not be folded, nothing after it can be checked

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
        try:
            self.people = evolve(self.people, events)
        except KeyError as error:
            self.people = None
            yield f"{name}: what happened does not follow from what was there: no {error}"

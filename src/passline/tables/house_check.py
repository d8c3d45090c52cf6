"""`HouseCheck`: the base of what verifies the streams of a part above the tables: offices and tournaments."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, ClassVar, Protocol, TypeVar

from passline.people.verify import PeopleCheck
from passline.store.entry import Entry
from passline.streams.course import THE_HOUSE, Actor, Codec
from passline.streams.redecide import Case, StreamCheck
from passline.tables.events import TableEvent
from passline.tables.house import HouseState
from passline.tables.views.dealt_by import DealtBy

State = TypeVar("State")


class WholeLog(Protocol):
    """What the checks of a log's parts have in common."""

    people: PeopleCheck
    dealt_by: DealtBy
    also: list[HouseCheck[Any]]

    @property
    def house(self) -> HouseState | None:
        """The house as far as it was checked."""


class HouseCheck(StreamCheck[State]):
    """Checks the streams of a part above the tables, whose names begin with `prefix`, and what tables say of it."""

    prefix: ClassVar[str]

    def __init__(self, codec: Codec[Any, Any, State], log: WholeLog) -> None:
        super().__init__(codec)
        self.log = log

    def actor_of(self, entry: Entry) -> Actor:
        """Return who gave the command of an entry, by the name of their account."""
        return self.log.people.known_actor(entry)

    def faults_of_people(self, case: Case[State]) -> Iterator[str]:
        """Yield who could not have given or signed the command."""
        is_server = case.entry.actor == THE_HOUSE.account
        signed = (self.course.as_sent(case.command),)
        return self.log.people.unfit_people(case.entry, case.command, is_server=is_server, signed=signed)

    def day_of(self, name: str, at: str) -> date | None:  # noqa: ARG002 - of the parts that know it
        """Return the calendar day of a regulation's house at a moment, if that part knows it."""
        return None

    is_waiting = False
    """Whether something is kept back until a moment, which any entry may bring."""

    def pass_by_wager(self, entry: Entry) -> Iterable[str]:  # noqa: ARG002 - for those that wait
        """Return what is wrong at the moment of a plain wager at a table, by a part that is waiting."""
        return ()

    def note_moment(self, at: str) -> None:
        """Note the moment of the newest of some plain wagers."""

    @abstractmethod
    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield what is wrong with an entry of a table, by what that part says."""

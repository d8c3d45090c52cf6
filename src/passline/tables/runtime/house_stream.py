"""`HouseCourse`: how the stream of the house is decided and folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from passline.people.accounts import People
from passline.refusal import Refused
from passline.rules.pages.texts import RulebookError, unpacked_pages
from passline.store.entry import Entry, Head
from passline.store.sealed import Log
from passline.streams.course import Ask, Course, Decision, Happened
from passline.tables import house
from passline.tables.commands import KeepRulebook
from passline.tables.duties import owners_who_sign
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import HouseState
from passline.tables.house_events import HouseEvent, RulebookKept
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.views.wording import house_lines


def learn_kept(entry: Entry, events: Sequence[HouseEvent]) -> None:
    """Learn the rulebook that an entry keeps, if any; one that is unsound here can be neither shown nor dealt."""
    if any(isinstance(event, RulebookKept) for event in events):
        command = HOUSE_CODEC.command(entry)
        with suppress(RulebookError):
            assert isinstance(command, KeepRulebook)
            learn_rulebook(unpacked_pages(command.name, command.pages), is_kept=True)


class HouseCourse(Course[HouseState]):
    """Approvals, reports and shifts.

    `tables` lists the tables; `changed` is called after every commit; `people` returns everybody as read last.
    """

    codec = HOUSE_CODEC

    def __init__(
        self,
        log: Log,
        tables: Callable[[], Iterable[LiveTable]],
        changed: Callable[[], None],
        people: Callable[[], People | None],
    ) -> None:
        self._log = log
        self._tables = tables
        self._changed = changed
        self._people = people

    def decide(self, state: HouseState | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command; a checkpoint covers the log and the tables as they are now."""
        assert state is not None, "a log begins with the house"
        return house.decide(
            state,
            ask.command,
            by=ask.by,
            at=at,
            head=self._log.head(),
            tables=self._tables(),
            sign=self._log.sign,
            signed_by=ask.signed_by,
            owners=owners_who_sign(self._people() or People(), ask.command, at),
        )

    def fold(self, state: HouseState | None, entry: Entry, events: Sequence[HouseEvent]) -> HouseState:
        """Return the house after an entry; a rulebook that another process keeps is known from here on."""
        learn_kept(entry, events)
        return house.fold(state, events)

    def lines(
        self, _before: HouseState | None, _after: HouseState | None, events: Sequence[HouseEvent]
    ) -> tuple[str, ...]:
        """Return the events in words."""
        return house_lines(events)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:  # noqa: ARG002 - as Course has it
        """Refresh the tables, which show what approvals allow; pages ask for the rest."""
        self._changed()

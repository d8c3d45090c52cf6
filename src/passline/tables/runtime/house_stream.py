"""`HouseCourse`: how the stream of the house is decided and folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from passline.game.refusal import Refused
from passline.store.entry import Entry, Head
from passline.store.log import Log
from passline.streams.course import Ask, Course, Decision, Happened
from passline.tables import house
from passline.tables.entries import HOUSE_CODEC
from passline.tables.events import HouseEvent
from passline.tables.house import HouseState
from passline.tables.live import LiveTable
from passline.tables.views.wording import house_lines

__all__ = ["HouseCourse"]


class HouseCourse(Course[HouseState]):
    """Approvals, reports and shifts. `tables` lists the tables; `changed` is called after every commit."""

    codec = HOUSE_CODEC

    def __init__(self, log: Log, tables: Callable[[], Iterable[LiveTable]], changed: Callable[[], None]) -> None:
        self._log = log
        self._tables = tables
        self._changed = changed

    def decide(self, state: HouseState | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command; a checkpoint covers the log and the tables as they are now."""
        assert state is not None, "a log begins with the house"
        head, sign = self._log.head(), self._log.sign
        return house.decide(state, ask.command, by=ask.by, at=at, head=head, tables=self._tables(), sign=sign)

    def fold(self, state: HouseState | None, _entry: Entry, events: Sequence[HouseEvent]) -> HouseState:
        """Return the house after an entry."""
        return house.fold(state, events)

    def lines(
        self, _before: HouseState | None, _after: HouseState | None, events: Sequence[HouseEvent]
    ) -> tuple[str, ...]:
        """Return the events in words."""
        return house_lines(events)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:  # noqa: ARG002 - as Course has it
        """Refresh the tables, which show what approvals allow; pages ask for the rest."""
        self._changed()

"""How the stream of the house runs: approvals, reports, and shifts closed with a signed checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from passline.game.refusal import Refused
from passline.store.entry import Head, Stored
from passline.store.log import Log
from passline.streams.stream import Ask, Happened, Ruling
from passline.tables import events as t
from passline.tables.duties import Actor
from passline.tables.entries import house_command, house_events
from passline.tables.events import HouseEvent
from passline.tables.house import HouseState, fold_house, judge_house
from passline.tables.live import LiveTable

__all__ = ["HouseCourse", "house_lines"]

_states = msgspec.json.Decoder(HouseState)


class HouseCourse:
    """What is asked of the whole house."""

    def __init__(self, log: Log, tables: Callable[[], Iterable[LiveTable]], changed: Callable[[], None]) -> None:
        self._log = log
        self._tables = tables
        self._changed = changed

    def judge(self, state: HouseState | None, ask: Ask, at: str) -> Ruling | Refused:
        """Judge a command; a checkpoint is of the log and the tables as they are now."""
        assert state is not None, "a log begins with the house"
        verdict = judge_house(
            state, ask.command, by=ask.by, at=at, head=self._log.head(), tables=self._tables(), sign=self._log.sign
        )
        if isinstance(verdict, Refused):
            return verdict
        return Ruling(verdict.command, verdict.events, verdict.after)

    def written(self, judged: int) -> None:
        """Nothing is kept between judging and writing."""

    def is_same(self, stored: Stored, ask: Ask) -> bool:
        """Whether an entry is what came of this ask; nothing is completed in it."""
        return bool(house_command(stored.entry) == ask.command)

    def read(self, stored: Stored) -> Sequence[HouseEvent]:
        """Give the events of an entry."""
        return house_events(stored.entry)

    def fold(self, state: HouseState | None, _stored: Stored, events: Sequence[HouseEvent]) -> HouseState:
        """Give the house after an entry."""
        return fold_house(state, events)

    def lines(
        self, _before: HouseState | None, _after: HouseState | None, events: Sequence[HouseEvent]
    ) -> tuple[str, ...]:
        """Say what happened in words."""
        return house_lines(events)

    def lines_to(self, _by: Actor, happened: Happened) -> tuple[str, ...]:
        """Say it to whoever asked for it: nothing of the house is told to one alone."""
        return happened.lines

    def encode(self, state: HouseState) -> bytes:
        """Write the house for a snapshot."""
        return msgspec.json.encode(state)

    def decode(self, state: bytes) -> HouseState:
        """Read the house of a snapshot."""
        return _states.decode(state)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:  # noqa: ARG002 - a Course's
        """Tables show what approvals allow; all else of the house pages ask for."""
        self._changed()


def house_lines(events: Iterable[HouseEvent]) -> tuple[str, ...]:
    """Say what happened to the house."""
    return tuple(_line(event) for event in events)


def _line(event: HouseEvent) -> str:
    match event:
        case t.ApprovalFiled():
            return f"{event.kind.replace('_', ' ')} by {event.authority} is on file: {event.reference}"
        case t.ApprovalWithdrawn():
            return (
                f"{event.kind.replace('_', ' ')} by {event.authority} is withdrawn: {event.reference}, {event.reason}"
            )
        case t.ReportFiled():
            return f"report {event.number} is filed: {event.record_class.replace('_', ' ')}"
        case t.ShiftClosed():
            return f"shift {event.shift} is closed at entry {event.sequence}"
        case _:
            return "the log is begun"

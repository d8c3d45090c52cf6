"""Decides plain wagers again: nine entries in ten, many of them the same bytes as one before."""

from __future__ import annotations

from typing import TypeVar

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.store.entry import Entry
from passline.streams.course import Decision
from passline.streams.redecide import is_as_written
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import TableEvent
from passline.tables.known_wager import decide_known_wager
from passline.tables.live import LiveTable

Value = TypeVar("Value")
_MAKES_WAGER = b'{"command":"make-wager"'
_KEPT = 20_000  # commands and events in memory, by their bytes


class WagerCheck:
    """Decides entries that make a plain wager, and keeps what it has decoded for entries with the same bytes."""

    not_in_image = ("_commands", "_events")

    def __init__(self) -> None:
        self._commands: dict[bytes, c.MakeWager] = {}
        self._events: dict[bytes, tuple[TableEvent, ...]] = {}

    def decide_again(self, before: LiveTable | None, entry: Entry) -> tuple[c.MakeWager, Decision] | None:
        """Return the command and its decision if an entry has the events of a plain wager; None if `decide` must say.

        What cannot be decoded raises as it does there.
        """
        if before is None or entry.role != PLAYER or entry.signed_by:
            return None
        raw = bytes(entry.command)
        if not raw.startswith(_MAKES_WAGER):
            return None
        if (command := self._commands.get(raw)) is None:
            decoded = TABLE_CODEC.command(entry)
            if type(decoded) is not c.MakeWager:
                return None
            command = _keep(self._commands, raw, decoded)
        decision = decide_known_wager(before, command, entry.actor)
        if decision is None:
            return None
        raw = bytes(entry.events)
        if (events := self._events.get(raw)) is None:
            events = _keep(self._events, raw, TABLE_CODEC.events(entry))
        return (command, decision) if is_as_written(decision, command, events) else None


def _keep(kept: dict[bytes, Value], raw: bytes, value: Value) -> Value:
    if len(kept) >= _KEPT:
        kept.clear()
    kept[raw] = value
    return value

"""Decides plain wagers again: nine entries in ten, one after another at the same table.

What a wager changes is noted; the table after all of them is made when somebody asks for it.
"""

from __future__ import annotations

from typing import TypeVar

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game.events import WagerIncreased, WagerMade
from passline.game.judges.fast_path import Judgement, WagersInARow
from passline.store.entry import Entry
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.events import TableEvent
from passline.tables.known_wager import CHIPS, takes_wagers
from passline.tables.live import LiveTable, fold_wagers
from passline.tables.rules_in_force import rules_of

Value = TypeVar("Value")
_MAKES_WAGER = b'{"command":"make-wager"'
_KEPT = 20_000  # commands and events in memory, by their bytes


class WagerCheck:
    """Reads entries that make a plain wager, and keeps what it has read for entries with the same bytes."""

    def __init__(self) -> None:
        self._commands: dict[bytes, c.MakeWager] = {}
        self._events: dict[bytes, tuple[TableEvent, ...]] = {}

    def command_of(self, entry: Entry) -> c.MakeWager | None:
        """Return a wager that a player makes with chips; None if it is something else.

        What cannot be decoded raises as it does elsewhere.
        """
        if entry.role != PLAYER or entry.signed_by:
            return None
        raw = bytes(entry.command)
        if (command := self._commands.get(raw)) is None:
            decoded = TABLE_CODEC.command(entry) if raw.startswith(_MAKES_WAGER) else None
            if type(decoded) is not c.MakeWager or decoded.by != PLAYER or decoded.media != CHIPS:
                return None
            command = _keep(self._commands, raw, decoded)
        return command

    def is_as_judged(self, entry: Entry, judgement: Judgement) -> bool:
        """Return whether an entry has exactly the events of a judgement."""
        raw = bytes(entry.events)
        if (events := self._events.get(raw)) is None:
            events = _keep(self._events, raw, TABLE_CODEC.events(entry))
        return events == judgement.events


class WagerRun:
    """The plain wagers at a table since its last other entry."""

    def __init__(self, live: LiveTable) -> None:
        self.before = live
        self.wagers: list[tuple[c.MakeWager, WagerMade | WagerIncreased]] = []
        self.first: Entry
        self.last: Entry
        self._stream = f"{TABLE}{live.id}"
        self._accounts = {seat: player.account for seat, player in live.players.items()}
        is_solvent = not live.owes and live.game.money.bank >= 0
        self._game = WagersInARow(rules_of(live), live.game) if takes_wagers(live) and is_solvent else None

    def judgement_of(self, entry: Entry, command: c.MakeWager) -> Judgement | None:
        """Return the judgement of a wager with nothing special about it; None if all judges must look at it."""
        live = self.before
        if self._game is None or self._accounts.get(command.seat) != entry.actor:
            return None
        if entry.hand != live.track.hand or entry.rules != live.rules or entry.stream != self._stream:
            return None
        judgement = self._game.judgement_of(command)
        return judgement if judgement is not None and len(judgement.events) == 1 else None

    def make(self, entry: Entry, command: c.MakeWager, judgement: Judgement) -> None:
        """Make a wager that was judged."""
        self._game.make(judgement.plain)  # type: ignore[union-attr, arg-type]  # it was judged, and is plain
        if not self.wagers:
            self.first = entry
        self.wagers.append((command, judgement.events[0]))  # type: ignore[arg-type]  # that is its one event
        self.last = entry

    def table(self) -> LiveTable:
        """Return the table after them."""
        return fold_wagers(self.before, self.wagers, self._game.table()) if self._game else self.before


def _keep(kept: dict[bytes, Value], raw: bytes, value: Value) -> Value:
    if len(kept) >= _KEPT:
        kept.clear()
    kept[raw] = value
    return value

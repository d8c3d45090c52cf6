"""Reads entries of the log back into the commands and events of tables and of the house."""

from __future__ import annotations

from msgspec import Struct

from passline.game.events import WagerMade
from passline.store.entry import Entry
from passline.store.genesis import HOUSE
from passline.streams.course import Codec
from passline.tables.commands import HouseCommand, TableCommand
from passline.tables.events import TableEvent
from passline.tables.house import HouseState
from passline.tables.house_events import HouseEvent
from passline.tables.live import LiveTable, fold

TABLE = "table/"
"""The prefix of the streams of tables; the table's id follows."""
TABLE_CODEC: Codec[TableCommand, TableEvent, LiveTable] = Codec(TableCommand, TableEvent, LiveTable)
"""Reads the entries and snapshots of tables."""
HOUSE_CODEC: Codec[HouseCommand, HouseEvent, HouseState] = Codec(HouseCommand, HouseEvent, HouseState)
"""Reads the entries and snapshots of the house."""


def is_table(entry: Entry) -> bool:
    """Return whether an entry belongs to a table."""
    return entry.stream.startswith(TABLE)


def is_house(entry: Entry) -> bool:
    """Return whether an entry belongs to the house."""
    return entry.stream == HOUSE


def awaits_roll(entry: Entry) -> bool:
    """Return whether an entry of a table closes wagers or records the shooter's nonce: a roll must follow."""
    events = bytes(entry.events)
    return is_table(entry) and (b'"wagers-closed/1"' in events or b'"nonce-taken/1"' in events)


class TableEntry(Struct, frozen=True):
    """An entry of a table's stream, decoded, with the table before and after it."""

    entry: Entry
    command: TableCommand
    events: tuple[TableEvent, ...]
    before: LiveTable | None
    after: LiveTable

    @property
    def is_wager(self) -> bool:
        """Whether it made a wager and did nothing else, as nine in ten."""
        return len(self.events) == 1 and type(self.events[0]) is WagerMade


def table_entry(before: LiveTable | None, entry: Entry) -> TableEntry:
    """Return an entry of a table, decoded, with the table before and after it."""
    command, events = TABLE_CODEC.command(entry), TABLE_CODEC.events(entry)
    return TableEntry(entry, command, events, before, fold(before, command, events))

"""Reading entries of the log back into commands and events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, json

from passline.store.entry import Entry, Stored
from passline.store.genesis import HOUSE
from passline.store.upcast import upcast
from passline.tables.commands import HouseCommand, TableCommand
from passline.tables.events import HouseEvent, TableEvent
from passline.tables.live import LiveTable, fold

__all__ = [
    "TABLE",
    "Decision",
    "decisions_of",
    "house_command",
    "house_events",
    "is_house",
    "is_table",
    "table_command",
    "table_events",
]

TABLE = "table/"
"""What the streams of tables begin with; their id follows."""
_table_commands: json.Decoder[TableCommand] = json.Decoder(TableCommand)
_table_events = json.Decoder(tuple[TableEvent, ...])
_house_commands: json.Decoder[HouseCommand] = json.Decoder(HouseCommand)
_house_events = json.Decoder(tuple[HouseEvent, ...])


def is_table(entry: Entry) -> bool:
    """Whether an entry belongs to a table."""
    return entry.stream.startswith(TABLE)


def is_house(entry: Entry) -> bool:
    """Whether an entry belongs to the house."""
    return entry.stream == HOUSE


def table_command(entry: Entry) -> TableCommand:
    """Give what was asked of a table."""
    return _table_commands.decode(entry.command)


def table_events(entry: Entry) -> tuple[TableEvent, ...]:
    """Give what happened at a table."""
    return _table_events.decode(upcast(entry.events))


def house_command(entry: Entry) -> HouseCommand:
    """Give what was asked of the house."""
    return _house_commands.decode(entry.command)


def house_events(entry: Entry) -> tuple[HouseEvent, ...]:
    """Give what happened to the house."""
    return _house_events.decode(upcast(entry.events))


class Decision(Struct, frozen=True):
    """One entry of a table's stream, read, between the table before and after it."""

    entry: Entry
    command: TableCommand
    events: tuple[TableEvent, ...]
    before: LiveTable | None
    after: LiveTable


def decisions_of(entries: Iterable[Stored]) -> Iterator[Decision]:
    """Read the entries of tables, in their order, and fold each table along; other streams are passed over."""
    tables: dict[str, LiveTable] = {}
    for stored in entries:
        entry = stored.entry
        if is_table(entry):
            command, events, before = table_command(entry), table_events(entry), tables.get(entry.stream)
            after = tables[entry.stream] = fold(before, command, events)
            yield Decision(entry, command, events, before, after)

"""The entries of tables in a log, decoded and folded, for tests that compare views with the log itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from passline.store.entry import Stored
from passline.tables.entries import TABLE_CODEC, TableEntry, is_table
from passline.tables.live import LiveTable, fold


def table_entries(entries: Iterable[Stored]) -> Iterator[TableEntry]:
    """Yield the entries of tables, each with its table folded up to there; skip other streams."""
    tables: dict[str, LiveTable] = {}
    for stored in entries:
        entry = stored.entry
        if is_table(entry):
            command, events, before = TABLE_CODEC.command(entry), TABLE_CODEC.events(entry), tables.get(entry.stream)
            after = tables[entry.stream] = fold(before, command, events)
            yield TableEntry(entry, command, events, before, after)

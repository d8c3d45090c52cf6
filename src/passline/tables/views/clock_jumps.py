"""The jumps of the server's clock that a log has on record."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import MsgspecError

from passline.store.entry import LogRow
from passline.store.sealed import stored_of
from passline.store.verify import Fault
from passline.tables.entries import HOUSE_CODEC, is_house
from passline.tables.house_events import ClockJumped
from passline.tables.views.wording import house_lines

__all__ = ["clock_jumps"]

_TAG = b'"clock-jumped/'  # most entries are not decoded at all


def clock_jumps(rows: Iterable[LogRow]) -> list[Fault]:
    """Return each jump with its entry, in words. The rows must be those of an intact log."""
    found = []
    for row in rows:
        if _TAG not in row.body or not is_house(entry := stored_of(row).entry):
            continue
        try:
            events = [event for event in HOUSE_CODEC.events(entry) if isinstance(event, ClockJumped)]
        except MsgspecError:  # a report may quote the tag
            continue
        found += [Fault(entry.sequence, line) for line in house_lines(events)]
    return found

"""Converts events of old versions to present ones when they are read. The log itself stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, json

from passline.store.entry import Entry

__all__ = ["UPCASTERS", "Upcaster", "events_of", "upcast"]

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts an event to its next version, including its name under "event"."""
UPCASTERS: dict[str, Upcaster] = {}
"""By the old name. An event whose fields change gets the next number in its name, and a converter here."""


def upcast(events: Raw, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> Raw:
    """Return an entry's events converted to their present versions, ready to be decoded.

    >>> def with_tip(event):
    ...     return event | {"event": "wager-made/2", "tip": 0}
    >>> bytes(upcast(Raw(b'[{"event":"wager-made/1","cents":500}]'), {"wager-made/1": with_tip}))
    b'[{"event":"wager-made/2","cents":500,"tip":0}]'
    """
    if not any(b'"%b"' % name.encode() in bytes(events) for name in upcasters):
        return events  # the common case
    return Raw(json.encode([_newest(event, upcasters) for event in json.decode(events)]))


def events_of(entry: Entry, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> list[dict[str, Any]]:
    """Return an entry's events as dictionaries, in their present versions."""
    decoded: list[dict[str, Any]] = json.decode(upcast(entry.events, upcasters))
    return decoded


def _newest(event: dict[str, Any], upcasters: Mapping[str, Upcaster]) -> dict[str, Any]:
    seen = set()
    while (upcaster := upcasters.get(event["event"])) is not None:
        assert event["event"] not in seen, f"the upcasters of {event['event']} form a circle"
        seen.add(event["event"])
        event = upcaster(event)
    return event

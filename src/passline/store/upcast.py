"""Events of an old version, made into those of today before anybody reads them. What is in the log stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, json

from passline.store.entry import Entry

__all__ = ["UPCASTERS", "Upcaster", "events_of", "upcast"]

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes an event of one version into one of the next, its name under "event" included."""
UPCASTERS: dict[str, Upcaster] = {}
"""By the old name. An event whose fields change gets the next number in its name, and a function here from the old."""


def upcast(events: Raw, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> Raw:
    """Give an entry's events in today's versions, ready to be decoded as today's records.

    >>> def with_tip(event):
    ...     return event | {"event": "wager-made/2", "tip": 0}
    >>> bytes(upcast(Raw(b'[{"event":"wager-made/1","cents":500}]'), {"wager-made/1": with_tip}))
    b'[{"event":"wager-made/2","cents":500,"tip":0}]'
    """
    if not any(b'"%b"' % name.encode() in bytes(events) for name in upcasters):
        return events  # as nearly all are: today's
    return Raw(json.encode([_newest(event, upcasters) for event in json.decode(events)]))


def events_of(entry: Entry, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> list[dict[str, Any]]:
    """Give the events of an entry as plain objects, in today's versions."""
    decoded: list[dict[str, Any]] = json.decode(upcast(entry.events, upcasters))
    return decoded


def _newest(event: dict[str, Any], upcasters: Mapping[str, Upcaster]) -> dict[str, Any]:
    seen = set()
    while (upcaster := upcasters.get(event["event"])) is not None:
        assert event["event"] not in seen, f"the upcasters of {event['event']} go round in a circle"
        seen.add(event["event"])
        event = upcaster(event)
    return event

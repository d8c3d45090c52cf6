"""An event of an old version is read as its present version; the log is unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw, Struct, json

from passline.store.entry import entry_of, events_of, upcast
from tests.store.drafts import draft


class WagerMade(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="wager-made/3"):
    """A future version of an event: dollars became cents, and a coupon was added."""

    seat: int
    cents: int
    coupon: int


class Untouched(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="seat-taken/1"):
    """An event that never changed."""

    seat: int


def cents(event: dict[str, Any]) -> dict[str, Any]:
    return {"event": "wager-made/2", "seat": event["seat"], "cents": event["dollars"] * 100}


def coupon(event: dict[str, Any]) -> dict[str, Any]:
    return event | {"event": "wager-made/3", "coupon": 0}


OLD = {"wager-made/1": cents, "wager-made/2": coupon}
EVENTS = Raw(
    b'[{"event":"wager-made/1","seat":1,"dollars":5},{"event":"seat-taken/1","seat":2},'
    b'{"event":"wager-made/2","seat":3,"cents":700},{"event":"wager-made/3","seat":4,"cents":900,"coupon":100}]'
)


def test_each_version_is_converted_step_by_step() -> None:
    decoded = json.decode(upcast(EVENTS, OLD), type=list[WagerMade | Untouched])
    assert decoded == [
        *(WagerMade(1, 500, 0), Untouched(2), WagerMade(3, 700, 0), WagerMade(4, 900, 100)),
    ]


def test_events_of_the_present_version_stay_byte_for_byte() -> None:
    plain = Raw(b'[{"event":"seat-taken/1", "seat":2}]')
    assert upcast(plain, OLD) is plain
    assert upcast(EVENTS, {}) is EVENTS


def test_the_entry_keeps_its_bytes() -> None:
    entry = entry_of(draft(0), 1)
    before = bytes(entry.events)
    (event,) = events_of(entry, {"wager-made/1": lambda event: event | {"event": "wager-made/2"}})
    assert event["event"] == "wager-made/2"
    assert bytes(entry.events) == before


def test_upcasters_in_a_circle_are_a_bug() -> None:
    with pytest.raises(AssertionError, match="form a circle"):
        upcast(EVENTS, {"wager-made/1": lambda event: event})

"""The first entry of a log: what it is called, and the key by which it is checked."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from passline.store.entry import Draft, Entry

__all__ = ["HOUSE", "LogBegun", "beginning", "begun_in", "utc_now"]

HOUSE = "house"
"""The stream of what concerns the whole house; a log begins with it."""


class LogBegun(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag="log-begun/1"):
    """The log was begun."""

    log_id: str
    public_key: str  # hex
    is_demo: bool = False  # of play money and guests: it is never served as a house's, nor a house's as a demo


def utc_now() -> str:
    """Give the time as entries have it: UTC, to the microsecond, so that texts sort as times do."""
    return f"{datetime.now(UTC).isoformat(timespec='microseconds')[: -len('+00:00')]}Z"


def beginning(public_key: bytes, *, log_id: str = "", at: str = "", is_demo: bool = False) -> Draft:
    """Give the first draft of a log; its name is made at random, unless it is given."""
    log_id = log_id or str(uuid4())
    return Draft(
        stream=HOUSE,
        expected=0,
        at=at or utc_now(),
        actor="passline",
        role="owner",
        id=log_id,
        command=Raw(b'{"command":"begin-log"}'),
        events=Raw(json.encode([LogBegun(log_id=log_id, public_key=public_key.hex(), is_demo=is_demo)])),
    )


def begun_in(entry: Entry) -> LogBegun | None:
    """Give the event that begins a log, if this is the entry that does.

    >>> from passline.store.entry import entry_of
    >>> begun_in(entry_of(beginning(bytes(32), log_id="a-log"), 1)).log_id
    'a-log'
    """
    if entry.stream != HOUSE:
        return None
    try:
        (begun,) = json.decode(entry.events, type=tuple[LogBegun])
        bytes.fromhex(begun.public_key)
    except (DecodeError, ValidationError, ValueError):
        return None
    return begun

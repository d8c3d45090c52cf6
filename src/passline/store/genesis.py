"""The first entry of a log: the log's id and public key."""

from __future__ import annotations

from uuid import uuid4

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from passline.store.entry import Draft, Entry
from passline.store.timestamps import utc_now

__all__ = ["HOUSE", "LogBegun", "begun_in", "genesis_draft"]

HOUSE = "house"
"""The stream of the whole house, which the first entry of a log is in."""


class LogBegun(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag="log-begun/1"):
    """The log was created."""

    log_id: str
    public_key: str  # hex
    is_demo: bool = False  # for guests and play money; never served as a house, nor a house as a demo


def genesis_draft(public_key: bytes, *, log_id: str = "", at: str = "", is_demo: bool = False) -> Draft:
    """Return the first draft of a log, with a random id unless one is given."""
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
    """Return the event that begins a log, if this is its entry.

    >>> from passline.store.entry import entry_of
    >>> begun_in(entry_of(genesis_draft(bytes(32), log_id="a-log"), 1)).log_id
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

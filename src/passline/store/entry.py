"""One entry of the log: a command, who gave it, and every event that it caused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Annotated, Any

from msgspec import DecodeError, Meta, Raw, Struct, json

from passline.errors import CrapsError

FORMAT = 1
"""The format of entries that this program writes, and the only one that it reads."""
ZERO_HASH = bytes(32)
"""The hash to which the first entry is chained."""
_TEXT_MAX = 200  # characters: a row of a PostgreSQL index takes at most 2,704 bytes


class Draft(Struct, frozen=True, kw_only=True):
    """A decision to be appended: the stream it belongs to, and the version of that stream when it was made.

    It is checked on creation, so that a draft that cannot be stored does not spoil the commit it is in.

    >>> Draft(stream="house", expected=0, at="", actor="Ann", role="-", id="1", command=Raw(b"{"), events=Raw(b"[]"))
    Traceback (most recent call last):
    passline.errors.CrapsError: the command of 1 is not JSON on one line
    """

    stream: str  # house, people, or table/NAME
    expected: int  # the stream's version when it was decided; 0 for a new stream
    at: str  # UTC, to the microsecond: 2026-11-15T08:00:00.000000Z
    actor: str  # the account that gave the command
    role: str  # of the actor
    signed_by: str = ""  # the account that signed it off, where needed
    id: str  # chosen by the caller: each id acts once per actor and stream
    hand: int = 0  # at a table: the number of the hand
    rules: str = ""  # at a table: the version of the rules in force
    command: Raw  # as JSON
    events: Raw  # as a JSON array of objects, each with its versioned name under "event"
    in_order: bool = False  # it is not written if the log has a newer entry: see `is_out_of_order` in commit.py

    def __post_init__(self) -> None:
        for name, text in (("stream", self.stream), ("actor", self.actor), ("id", self.id)):
            if not text or len(text) > _TEXT_MAX or not text.isprintable():
                raise CrapsError(f"{name} {text[:_TEXT_MAX]!r}: must be 1 to {_TEXT_MAX} printable characters")
        for name, raw in (("command", self.command), ("events", self.events)):
            if not _is_one_line(raw):
                raise CrapsError(f"the {name} of {self.id} is not JSON on one line")


Number = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""The number of an entry; no other can be hashed or stored."""


class Entry(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A decision in the log. Its JSON is hashed byte for byte.

    An entry that does not name its format has format 1: so have all entries of earlier programs, and an auditor's
    earlier program reads those of this one. A later format is named in each of its entries, also in archives.
    """

    sequence: Number  # in the whole log, from 1, without a gap
    stream: str
    version: Number  # in its stream, from 1, without a gap
    at: str
    actor: str
    role: str
    signed_by: str
    id: str
    hand: int
    rules: str
    command: Raw
    events: Raw
    format: int = 1


class Stored(Struct, frozen=True, gc=False):
    """An entry with its bytes, the hash that chains it, and the seal if it ends a commit."""

    entry: Entry
    body: bytes
    hash: bytes
    seal: bytes  # Ed25519 over the head of the log up to here; empty inside a commit


class LogRow(Struct, frozen=True, gc=False):
    """An entry as it was read from a store or file, unverified."""

    body: bytes
    hash: bytes
    seal: bytes
    columns: tuple[int, bytes, int, bytes, bytes, int] | None = None  # sequence, stream, version, actor, id, hand
    fault: str = ""  # why it could not be read


class Head(Struct, frozen=True):
    """The end of the log at some time. Whoever keeps it can tell later whether the log was cut or rewritten."""

    sequence: int
    hash: str  # hex
    seal: str  # hex


def entry_of(draft: Draft, sequence: int) -> Entry:
    """Return the entry that a draft becomes at this sequence number."""
    return Entry(
        sequence=sequence,
        stream=draft.stream,
        version=draft.expected + 1,
        at=draft.at,
        actor=draft.actor,
        role=draft.role,
        signed_by=draft.signed_by,
        id=draft.id,
        hand=draft.hand,
        rules=draft.rules,
        command=draft.command,
        events=draft.events,
    )


class _Formatted(Struct):
    """The part of an entry that is the same in every format."""

    format: int = 1


def unknown_format(body: bytes) -> str:
    """Return why this program cannot read an entry's bytes if they are of a format that it does not know.

    >>> unknown_format(b'{"sequence":1,"format":2}')
    'has format 2, and this passline knows only format 1: use a newer passline'
    >>> unknown_format(b'{"sequence":1}'), unknown_format(b"not an entry")
    ('', '')
    """
    try:
        found = json.decode(body, type=_Formatted).format
    except (DecodeError, UnicodeDecodeError):
        return ""
    return (
        ""
        if found == FORMAT
        else f"has format {found}, and this passline knows only format {FORMAT}: use a newer passline"
    )


def columns_of(entry: Entry) -> tuple[int, bytes, int, bytes, bytes, int]:
    """Return the columns that a database stores beside the entry's bytes, to find it by."""
    return entry.sequence, entry.stream.encode(), entry.version, entry.actor.encode(), entry.id.encode(), entry.hand


def chain_hash(before: bytes, seal: bytes, body: bytes) -> bytes:
    """Return an entry's hash: over the hash and seal of the entry before it, and its own bytes.

    >>> chain_hash(ZERO_HASH, b"", b"{}").hex()[:8]
    '3779846b'
    """
    return sha256(before + len(seal).to_bytes(2) + seal + body).digest()


def head_message(log_id: str, sequence: int, hash_: bytes) -> bytes:
    r"""Return the message that a seal signs: the log's id, the sequence number and the hash up to it.

    >>> head_message("a-log", 7, ZERO_HASH)[:30]
    b'passline head/1\x00a-log\x00\x00\x00\x00\x00\x00\x00\x00\x07'
    """
    return b"passline head/1\0" + log_id.encode() + b"\0" + sequence.to_bytes(8) + hash_


def _is_one_line(raw: Raw) -> bool:
    try:
        json.decode(raw, type=Raw)
    except DecodeError:
        return False
    return b"\n" not in bytes(raw)


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
    if not upcasters or not any(b'"%b"' % name.encode() in bytes(events) for name in upcasters):
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

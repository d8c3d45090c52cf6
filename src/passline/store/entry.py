"""One line of the log: a decision, who took it, and everything it brought about."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Raw, Struct, json

__all__ = ["FIRST", "Draft", "Entry", "Head", "Stored", "body_of", "chained"]

FIRST = bytes(32)
"""What the first entry is chained to."""


class Draft(Struct, frozen=True, kw_only=True):
    """A decision on its way to the log: which stream it belongs to, and how long the stream was when it was taken."""

    stream: str  # house, people, or table/NAME
    expected: int  # the version of the stream on which it was decided; 0 for one that does not exist yet
    at: str  # UTC, to the microsecond: 2026-11-15T08:00:00.000000Z
    actor: str  # the account that asked for it
    role: str  # in which role
    signed_by: str = ""  # the account that signed it off, where it needs that
    id: str  # made by the caller: the same id of the same actor in the same stream acts once
    hand: int = 0  # of a table: which hand it belongs to
    rules: str = ""  # of a table: the version of the rules in force
    command: Raw  # what was asked, as JSON
    events: Raw  # what happened, as a JSON array of objects with their versioned names under "event"


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision in its place. Its JSON is what is hashed, byte for byte."""

    sequence: int  # in the whole log, from 1, without a gap
    stream: str
    version: int  # in its stream, from 1, without a gap
    at: str
    actor: str
    role: str
    signed_by: str
    id: str
    hand: int
    rules: str
    command: Raw
    events: Raw


class Stored(Struct, frozen=True):
    """An entry as it lies in the log: its bytes, the hash that chains it, and the seal where a commit ended."""

    entry: Entry
    body: bytes
    hash: bytes
    seal: bytes  # Ed25519 over the head that this entry is; empty inside a commit


class Head(Struct, frozen=True):
    """The newest line known: whoever keeps it can tell later whether the log was cut or rewritten."""

    sequence: int
    hash: str  # hex
    seal: str  # hex


def body_of(draft: Draft, sequence: int) -> bytes:
    """Give the bytes of a draft that becomes the entry of this sequence.

    >>> draft = Draft(stream="house", expected=0, at="2026-11-15T08:00:00.000000Z", actor="owner", role="owner", id="1",
    ...     command=Raw(b"{}"), events=Raw(b"[]"))
    >>> body_of(draft, 7)[:37]
    b'{"sequence":7,"stream":"house","versi'
    """
    return json.encode(
        Entry(
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
    )


def chained(before: bytes, seal: bytes, body: bytes) -> bytes:
    """Give the hash of an entry: over the hash and the seal of the one before it, and its own bytes.

    >>> chained(FIRST, b"", b"{}").hex()[:8]
    '3779846b'
    """
    return sha256(before + len(seal).to_bytes(2) + seal + body).digest()

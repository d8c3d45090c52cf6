"""One line of the log: a decision, who took it, and everything it brought about."""

from __future__ import annotations

from hashlib import sha256

from msgspec import DecodeError, Raw, Struct, json

from passline.errors import CrapsError

__all__ = [
    "FIRST",
    "Draft",
    "Entry",
    "Head",
    "Line",
    "Stored",
    "body_of",
    "chained",
    "columns_of",
    "entry_of",
    "head_message",
]

FIRST = bytes(32)
"""What the first entry is chained to."""
_TEXT_MAX = 200  # of a name that is looked up: an index of PostgreSQL takes 2,704 bytes


class Draft(Struct, frozen=True, kw_only=True):
    """A decision on its way to the log: which stream it belongs to, and how long the stream was when it was taken.

    It is checked when it is made, so that one that no store could keep spoils nobody else's commit.

    >>> Draft(stream="house", expected=0, at="", actor="Ann", role="-", id="1", command=Raw(b"{"), events=Raw(b"[]"))
    Traceback (most recent call last):
    passline.errors.CrapsError: the command of 1 is not JSON on one line
    """

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

    def __post_init__(self) -> None:
        for name, text in (("stream", self.stream), ("actor", self.actor), ("id", self.id)):
            if not text or len(text) > _TEXT_MAX or not text.isprintable():
                raise CrapsError(f"{name} {text[:_TEXT_MAX]!r}: 1 to {_TEXT_MAX} printable characters are kept")
        for name, raw in (("command", self.command), ("events", self.events)):
            if not _is_one_line(raw):
                raise CrapsError(f"the {name} of {self.id} is not JSON on one line")


class Entry(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
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


class Stored(Struct, frozen=True, gc=False):
    """An entry as it lies in the log: its bytes, the hash that chains it, and the seal where a commit ended."""

    entry: Entry
    body: bytes
    hash: bytes
    seal: bytes  # Ed25519 over the head that this entry is; empty inside a commit


class Line(Struct, frozen=True, gc=False):
    """An entry as it was found, nothing believed: `passline verify` reads these."""

    body: bytes
    hash: bytes
    seal: bytes
    columns: tuple[int, bytes, int, bytes, bytes, int] | None = None  # sequence, stream, version, actor, id, hand
    fault: str = ""  # what is wrong with how it was written down, found by whoever read it


class Head(Struct, frozen=True):
    """The newest line known: whoever keeps it can tell later whether the log was cut or rewritten."""

    sequence: int
    hash: str  # hex
    seal: str  # hex


def entry_of(draft: Draft, sequence: int) -> Entry:
    """Give the entry of this sequence that a draft becomes."""
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


def body_of(draft: Draft, sequence: int) -> bytes:
    """Give the bytes of a draft that becomes the entry of this sequence.

    >>> draft = Draft(stream="house", expected=0, at="2026-11-15T08:00:00.000000Z", actor="owner", role="owner", id="1",
    ...     command=Raw(b"{}"), events=Raw(b"[]"))
    >>> body_of(draft, 7)[:37]
    b'{"sequence":7,"stream":"house","versi'
    """
    return json.encode(entry_of(draft, sequence))


def columns_of(entry: Entry) -> tuple[int, bytes, int, bytes, bytes, int]:
    """Give what a database keeps beside an entry's bytes, to find it by."""
    return entry.sequence, entry.stream.encode(), entry.version, entry.actor.encode(), entry.id.encode(), entry.hand


def chained(before: bytes, seal: bytes, body: bytes) -> bytes:
    """Give the hash of an entry: over the hash and the seal of the one before it, and its own bytes.

    >>> chained(FIRST, b"", b"{}").hex()[:8]
    '3779846b'
    """
    return sha256(before + len(seal).to_bytes(2) + seal + body).digest()


def head_message(log_id: str, sequence: int, hash_: bytes) -> bytes:
    r"""Give what a seal signs: which log, how far, and the hash of all of it.

    >>> head_message("a-log", 7, FIRST)[:30]
    b'passline head/1\x00a-log\x00\x00\x00\x00\x00\x00\x00\x00\x07'
    """
    return b"passline head/1\0" + log_id.encode() + b"\0" + sequence.to_bytes(8) + hash_


def _is_one_line(raw: Raw) -> bool:
    try:
        json.decode(raw, type=Raw)
    except DecodeError:
        return False
    return b"\n" not in bytes(raw)

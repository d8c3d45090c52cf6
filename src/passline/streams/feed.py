"""A feed: the log, entry by entry, for another system that keeps its own place in it.

It is delivered at least once: whoever asks names the last entry that they have kept, and gets the same lines again as
often as they ask after the same one. The id of a line is the entry's number and hash: it is the same in every answer,
and shows whether a place is one of this log at all, or of a log that was restored or replaced since.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct

from passline.errors import CrapsError
from passline.store.entry import Head, Stored
from passline.store.sealed import Log

PAGE_MAX = 1000
"""The most entries in one answer."""
PAGE_BYTES = 2 * 2**20
"""About so many bytes of entries are in one answer, at most; an entry that is longer comes alone."""
LOOKS_MAX = 5000
"""So many entries of the log are looked at for one answer, at most, whether or not the feed has them."""
_AT_ONCE = 250
_SEPARATOR = ":"


class UnknownPlace(CrapsError):
    """A feed was asked for after an entry that this log does not have."""


class Feed(Struct, frozen=True):
    """What one kind of system receives: the whole log, or some kinds of events in some streams, without who did it."""

    says: str
    streams: str = ""  # how their names begin
    events: frozenset[str] = frozenset()  # as they are stored; empty: all of them, each entry whole

    def line(self, stored: Stored) -> dict[str, Any] | None:
        """Return what this feed tells of an entry, or None."""
        entry = stored.entry
        told = {"id": entry_place(stored), "at": entry.at, "stream": entry.stream, "hand": entry.hand}
        if not self.events:
            who = {"actor": entry.actor, "role": entry.role, "signed_by": entry.signed_by, "rules": entry.rules}
            return {**told, **who, "command": entry.command, "events": entry.events}
        if not entry.stream.startswith(self.streams):
            return None
        events = [event for event in msgspec.json.decode(entry.events, type=list[Raw]) if _kind(event) in self.events]
        return {**told, "events": events} if events else None


class FeedPage(Struct, frozen=True):
    """Lines of a feed as JSON, the place after which to ask next, and how many entries the log has beyond it."""

    lines: tuple[bytes, ...]
    after: str
    behind: int

    def ndjson(self) -> bytes:
        """Return the lines, and a last one that says where to go on: it moves also where nothing is for this feed."""
        end = msgspec.json.encode({"after": self.after, "behind": self.behind})
        return b"".join(line + b"\n" for line in (*self.lines, end))


class _Named(Struct):
    event: str


def _kind(event: Raw) -> str:
    return _NAMES.decode(event).event


_NAMES = msgspec.json.Decoder(_Named)


def entry_place(stored: Stored | Head) -> str:
    """Return the id of an entry, which is also the place after it.

    >>> entry_place(Head(7, hash="ab12", seal=""))
    '7:ab12'
    """
    if isinstance(stored, Head):
        return f"{stored.sequence}{_SEPARATOR}{stored.hash}"
    return f"{stored.entry.sequence}{_SEPARATOR}{stored.hash.hex()}"


def read_feed(log: Log, feed: Feed, *, after: str = "", limit: int = PAGE_MAX) -> FeedPage:
    """Return what a feed has after a place (empty: from the beginning); raise UnknownPlace if the log has no such."""
    begins, head = _sequence_of(log, after), log.head()
    newest = head.sequence if head else 0
    lines, size, reached, place = list[bytes](), 0, begins, after
    until = min(newest, begins + LOOKS_MAX)
    while reached < until and len(lines) < limit:
        for stored in log.read(after=reached, until=min(until, reached + _AT_ONCE)):
            told = feed.line(stored)
            line = msgspec.json.encode(told) if told else b""
            size += len(line)
            if len(lines) >= limit or (lines and line and size > PAGE_BYTES):
                return FeedPage(tuple(lines), place, newest - reached)
            lines += [line] if line else []
            reached, place = stored.entry.sequence, entry_place(stored)
    return FeedPage(tuple(lines), place, newest - reached)


def _sequence_of(log: Log, after: str) -> int:
    """Return the number of the entry at a place of this log."""
    if not after:
        return 0
    number, _, hash_ = after.partition(_SEPARATOR)
    if not (number.isascii() and number.isdecimal() and len(number) < 16 and int(number)):  # noqa: PLR2004
        raise UnknownPlace(f"after: {after[:80]!r} is not the id of a line of this feed; leave it out to begin")
    sequence = int(number)
    row = next(log.rows(after=sequence - 1, until=sequence), None)
    if row is None or row.hash.hex() != hash_:
        head = log.head()
        ends = f"its newest is {head.sequence}" if head else "it is empty"
        raise UnknownPlace(
            f"after: entry {sequence} with the hash {hash_[:16]}... is not in this log ({ends}): it was restored from "
            "an older backup, or is another house's; ask whoever runs it, then begin again at an entry that it has"
        )
    return sequence

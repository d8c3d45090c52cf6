"""The chain of a log as far as it was read, to hold what the log says of itself against."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from passline.authority.roles import OWNER
from passline.store.entry import Entry
from passline.store.genesis import THE_LOG, EntriesArchived, KeyRotated, LogRestored
from passline.store.named_segments import Segment

_HASH = 32


class CheckedChain:
    """The hashes of the entries that were read, and the segments that they name.

    Where only a part of the log is read, `look_up` returns the hash of one of the `before` entries before it.
    """

    not_in_image = ("_hashes", "_before", "_look_up")

    def __init__(self, before: int = 0, look_up: Callable[[int], bytes] = lambda _sequence: b"") -> None:
        self._hashes, self._before, self._look_up = bytearray(), before, look_up
        self._segments: dict[int, Segment] = {}  # by number

    def add(self, hash_: bytes) -> None:
        """Add the hash of the next entry."""
        self._hashes += hash_

    def hash_of(self, sequence: int) -> str:
        """Return the hash of an entry that was read, in hexadecimal digits.

        >>> chain = CheckedChain()
        >>> chain.add(bytes(32))
        >>> chain.hash_of(1) == "00" * 32, chain.hash_of(2), chain.hash_of(0)
        (True, '', '')
        """
        if 0 < sequence <= self._before:
            return self._look_up(sequence).hex()
        place = sequence - self._before
        return self._hashes[(place - 1) * _HASH : place * _HASH].hex() if place > 0 else ""

    def faults_of(self, entry: Entry, own: KeyRotated | LogRestored | EntriesArchived) -> Iterator[str]:
        """Yield what is wrong with an entry in which the log says something of itself."""
        if isinstance(own, EntriesArchived):
            yield from self._segment_faults(own.segment, entry.sequence)
        if (entry.actor, entry.role) != (THE_LOG, OWNER):
            yield f"{entry.actor} cannot do this as {entry.role}: it is the owner's at the command line"

    def _segment_faults(self, segment: Segment, named_in: int) -> Iterator[str]:
        """Yield where a segment does not go on where the one before it ended, or is not of this log."""
        known, before = self._segments.get(segment.number), self._segments.get(segment.number - 1)
        self._segments[segment.number] = segment
        if known is not None and known.contents != segment.contents:  # it was packed anew
            yield f"the segment {segment.name} has other entries than before"
        if not (before.is_continued_by(segment) if before is not None else segment.first == 1):
            yield f"the segment {segment.name} does not go on where the one before it ended"
        if segment.last >= named_in or self.hash_of(segment.last) != segment.after:
            yield f"the segment {segment.name} does not end with the hash of entry {segment.last}"

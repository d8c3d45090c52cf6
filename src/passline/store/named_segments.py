"""What the log says of an archived segment: by it the file is known, byte by byte, and the chain goes on."""

from __future__ import annotations

from msgspec import Struct


class Segment(Struct, frozen=True, kw_only=True):
    """What the log says of an archived segment. The entry that says it is sealed by the log's key as all are."""

    number: int  # from 1, without a gap
    first: int  # the sequence of its first entry
    last: int
    before: str  # hex: the hash of the entry before the first
    before_seal: str  # hex
    after: str  # hex: the hash of its last entry
    after_seal: str  # hex
    digest: str  # hex: SHA-256 of the file
    size: int  # of the file
    directory: int  # where in the file the directory begins

    @property
    def name(self) -> str:
        """The name of its file."""
        return segment_name(self.number)

    @property
    def contents(self) -> tuple[int, int, int, str, str, str, str]:
        """What it holds, however it was packed: its number, its entries and the chain at both ends."""
        ends = self.before, self.before_seal, self.after, self.after_seal
        return self.number, self.first, self.last, *ends

    def is_continued_by(self, later: Segment) -> bool:
        """Return whether another segment begins where this one ends, byte by byte."""
        ends = self.number + 1, self.last + 1, self.after, self.after_seal
        return ends == (later.number, later.first, later.before, later.before_seal)


def segment_name(number: int) -> str:
    """Return the name of a segment's file.

    >>> segment_name(7)
    '000007.gz'
    """
    return f"{number:06}.gz"

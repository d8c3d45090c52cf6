"""A head as an anchor keeps it, and which of them counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import DecodeError, Struct, ValidationError, json

from passline.store.entry import Head

__all__ = ["Anchor", "Mark", "mark_from_line", "newest_mark"]


class Mark(Struct, frozen=True, omit_defaults=True):
    """The head of a log at some time."""

    log_id: str
    sequence: int
    hash: str  # hex
    seal: str  # hex
    at: str  # when it was kept
    lost: str = ""  # after a restoration: the newest head that the anchor held, which the log no longer reaches

    @property
    def head(self) -> Head:
        """The head itself."""
        return Head(self.sequence, self.hash, self.seal)

    @property
    def name(self) -> str:
        """The head in short, as SEQUENCE:HASH."""
        return f"{self.sequence}:{self.hash}"


class Anchor(Protocol):
    """A place that keeps heads and never forgets the newest one."""

    name: str  # for people; without a password
    is_readable: bool  # whether it can tell what it holds
    pace: float  # seconds between heads that nobody waits for

    def keep(self, mark: Mark) -> None:
        """Keep a head durably; raise LogError if that is not certain."""

    def newest(self, log_id: str) -> Mark | None:
        """Return the newest head of a log; raise LogError if that cannot be told."""

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the marks of restorations of a log, as far as it can tell, in the order they were kept."""

    def close(self) -> None:
        """Close files and connections."""


def mark_from_line(line: bytes) -> Mark | None:
    """Parse a line of a file.

    >>> mark_from_line(b'{"log_id":"a-log","sequence":7,"hash":"00","seal":"","at":"2026-11-15"}').name
    '7:00'
    >>> mark_from_line(b'{"log_id":"a-log"')
    """
    try:
        return json.decode(line, type=Mark)
    except (DecodeError, ValidationError, UnicodeDecodeError):
        return None


def newest_mark(marks: Iterable[Mark], log_id: str) -> Mark | None:
    """Return the newest head of a log, of marks in the order they were kept: the longest since its last restoration.

    Of two different heads at one entry the first counts: whoever brought the second one is another log. A restoration
    that is told again, whatever head it is said to give up, changes nothing: it would take back what was kept since.
    """
    newest: Mark | None = None
    told = set[str]()  # the restorations, by the head of the entry that records each
    for mark in marks:
        if mark.log_id != log_id:
            continue
        is_restored = bool(mark.lost) and mark.name not in told
        if newest is None or is_restored or mark.sequence > newest.sequence:
            newest = mark
        if mark.lost:
            told.add(mark.name)
    return newest

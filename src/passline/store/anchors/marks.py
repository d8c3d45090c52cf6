"""A head as an anchor keeps it, which of them counts, and the restorations that anchors were told of.

An anchor is told of a restoration by a mark at the very entry that records it, with the head that it gives up: whoever
cuts a log may lie. If a restoration is cut short after that, or done once more from a backup, its entry is in no log
that is served; the next one then names it in its own entry. So each mark must be recorded, or be replaced by a later
one that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import DecodeError, Struct, ValidationError, json

from passline.store.entry import Head
from passline.store.genesis import LogRestored, ReplacedRestoration


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


_SEQUENCE_MAX = 2**63 - 1  # of a database's integers


class MissingFromLog(Struct, frozen=True):
    """What anchors hold and a log that is being restored does not have."""

    heads: tuple[Head, ...] = ()  # the longest first
    restorations: tuple[Mark, ...] = ()  # that an anchor was told of

    def replacements(self) -> tuple[ReplacedRestoration, ...]:
        """Return the restorations in the form in which the next restoration records them."""
        return tuple(ReplacedRestoration(mark.name, mark.lost, mark.at) for mark in self.restorations)


class ToldRestoration(Struct, frozen=True):
    """A restoration that an anchor was told of, and where the log answers for it."""

    mark: Mark
    entry: Head | None = None  # which records it, or the one that replaced it; None: no entry does
    record: LogRestored | None = None
    is_replaced: bool = False  # by the one in that entry


def told_restorations(
    declared: Iterable[Mark], recorded: Sequence[tuple[Head, LogRestored]]
) -> tuple[ToldRestoration, ...]:
    """Compare the marks of restorations in one anchor, in their order, with what the log records.

    `recorded` has the head at each entry that records one. Only a restoration that the anchor was told of later can
    replace one: else a mark of an old restoration, told again, would take back what was kept since.

    >>> lost = {"lost_sequence": 9, "lost_hash": "09", "lost_seal": ""}
    >>> first, second = Mark("a-log", 5, "05", "", "", lost="12:12"), Mark("a-log", 5, "55", "", "", lost="9:09")
    >>> replaced = (ReplacedRestoration("5:05", "12:12", ""),)
    >>> told = {"sequence": 4, "hash": "04", "seal": "", "backed_up": "", "by": "", "reason": "", **lost}
    >>> recorded = [(Head(5, "55", ""), LogRestored(**told, replaced=replaced))]
    >>> [restoration.is_replaced for restoration in told_restorations([first, second], recorded)]
    [True, False]
    >>> [restoration.entry for restoration in told_restorations([second, first], recorded)][1:]
    [None]
    """
    own = {f"{head.sequence}:{head.hash}": (head, record) for head, record in recorded}
    replaced = dict[tuple[str, str], tuple[Head, LogRestored]]()
    given_up = dict[str, tuple[Head, LogRestored]]()  # as programs recorded it that did not name restorations
    found, firsts = list[ToldRestoration](), dict[tuple[str, str], Mark]()
    for mark in declared:
        firsts.setdefault((mark.name, mark.lost), mark)
    for mark in reversed(firsts.values()):
        answer = own.get(mark.name)
        if answer is not None and mark.lost in answer[1].accounted_heads:
            found.append(ToldRestoration(mark, *answer))
            replaced |= {(restoration.head, restoration.lost): answer for restoration in answer[1].replaced}
            given_up |= dict.fromkeys(answer[1].given_up, answer)
        elif later := replaced.get((mark.name, mark.lost)) or given_up.get(mark.name):
            found.append(ToldRestoration(mark, *later, is_replaced=True))
            given_up[mark.lost] = later
        else:
            found.append(ToldRestoration(mark))
    return tuple(reversed(found))


def unrecorded_restorations(declared: Iterable[Mark], recorded: Sequence[tuple[Head, LogRestored]]) -> list[Mark]:
    """Return the marks of restorations in one anchor that no entry of the log answers for."""
    return [restoration.mark for restoration in told_restorations(declared, recorded) if restoration.entry is None]


def head_named(name: str) -> Head | None:
    """Return the head that SEQUENCE:HASH names, without its seal; None if it names none.

    >>> head_named("9:09").sequence, head_named("x:y"), head_named("0:00")
    (9, None, None)
    """
    sequence, _, hash_ = name.partition(":")
    is_number = sequence.isascii() and sequence.isdecimal() and len(sequence) <= len(str(_SEQUENCE_MAX))
    return Head(int(sequence), hash_, "") if is_number and 1 <= int(sequence) <= _SEQUENCE_MAX and hash_ else None


def unrecorded_words(mark: Mark) -> str:
    """Return what is wrong with a mark that no entry of the log answers for."""
    return (
        f"is where an anchor was told at {mark.at} that the log was restored and that the head {mark.lost} was given "
        "up, but no entry of the log records this restoration: the log was cut, and the anchor told to accept it"
    )


def recorded_words(told: ToldRestoration) -> str:
    """Return what an anchor was told of a restoration that the log answers for."""
    at, lost, record = told.mark.at, head_named(told.mark.lost), told.record
    if told.is_replaced or record is None:
        return (
            f"replaces a restoration that an anchor was told of at {at}, at entry {told.mark.sequence:,}, which was "
            f"cut short or done again; that one gave up the head {told.mark.lost}"
        )
    if lost is None or lost.sequence <= record.sequence:
        return f"is the restoration that an anchor was told of at {at}; it gave up the head {told.mark.lost}"
    gone = f"entries {record.sequence + 1:,} to {lost.sequence:,}, which it had vouched for, are gone"
    return f"is the restoration that an anchor was told of at {at}: {gone}"

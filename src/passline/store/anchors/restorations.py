"""Restorations that anchors were told of, compared with those that the log records: whoever cuts a log may lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.store.anchors.mark import Mark
from passline.store.genesis import LogRestored

__all__ = ["unrecorded_restorations", "unrecorded_words"]

_ENTRIES_MAX = 1_000  # that a restoration writes after its own: it voids open throws and renews each table's dice


def unrecorded_restorations(declared: Iterable[Mark], recorded: Sequence[tuple[int, LogRestored]]) -> list[Mark]:
    """Return the marks of restorations that no entry of the log records; `recorded` has entries with their sequence.

    A restoration that was interrupted and done again is recorded once, and gives up the head that the first one told.

    >>> lost = {"lost_sequence": 9, "lost_hash": "09", "lost_seal": ""}
    >>> restored = LogRestored(sequence=4, hash="04", seal="", backed_up="", by="", reason="", **lost)
    >>> declared = [Mark("a-log", 6, "06", "", "", lost="9:09"), Mark("a-log", 7, "07", "", "", lost="12:12")]
    >>> [mark.lost for mark in unrecorded_restorations(declared, [(5, restored)])]
    ['12:12']
    >>> [mark.lost for mark in unrecorded_restorations(declared, [])]
    ['9:09', '12:12']
    """
    marks = list(declared)
    known = {mark.name for mark in marks if _is_recorded(mark, recorded)}  # heads of which the log tells
    given_up = {mark.lost for mark in marks if mark.name in known}
    while more := {mark.name for mark in marks if mark.name in given_up} - known:
        known |= more
        given_up |= {mark.lost for mark in marks if mark.name in more}
    return [mark for mark in marks if mark.name not in known]


def _is_recorded(mark: Mark, recorded: Sequence[tuple[int, LogRestored]]) -> bool:
    """Return whether an entry names the head that was given up; or, right before, a longer one in another anchor."""
    given_up = mark.lost.partition(":")[0]
    return given_up.isdecimal() and any(
        mark.lost == f"{restored.lost_sequence}:{restored.lost_hash}"
        or (0 <= mark.sequence - sequence <= _ENTRIES_MAX and restored.lost_sequence >= int(given_up))
        for sequence, restored in recorded
        if sequence <= mark.sequence
    )


def unrecorded_words(mark: Mark) -> str:
    """Return what is wrong with such a mark."""
    return (
        f"is where an anchor was told at {mark.at} that the log was restored and that the head {mark.lost} was given "
        "up, but no entry of the log records a restoration: the log was cut, and the anchor told to accept it"
    )

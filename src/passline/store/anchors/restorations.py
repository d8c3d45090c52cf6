"""Restorations that anchors were told of, compared with those that the log records: whoever cuts a log may lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from passline.store.anchors.mark import Mark
from passline.store.entry import Head
from passline.store.genesis import LogRestored

__all__ = ["unrecorded_restorations", "unrecorded_words"]


def unrecorded_restorations(declared: Iterable[Mark], recorded: Sequence[tuple[Head, LogRestored]]) -> list[Mark]:
    """Return the marks of restorations that no entry of the log records; `recorded` has the head at each such entry.

    A mark must name the very entry, and a head that this entry gives up. A restoration that was interrupted and done
    again is recorded once, and gives up the head that the first one told.

    >>> lost = {"lost_sequence": 9, "lost_hash": "09", "lost_seal": ""}
    >>> restored = LogRestored(sequence=4, hash="04", seal="", backed_up="", by="", reason="", **lost)
    >>> declared = [Mark("a-log", 5, "05", "", "", lost="9:09"), Mark("a-log", 5, "05", "", "", lost="12:12")]
    >>> [mark.lost for mark in unrecorded_restorations(declared, [(Head(5, "05", ""), restored)])]
    ['12:12']
    >>> [mark.lost for mark in unrecorded_restorations(declared, [])]
    ['9:09', '12:12']
    """
    marks = list(declared)
    told = {(f"{head.sequence}:{head.hash}", lost) for head, one in recorded for lost in one.given_up}
    believed = {mark for mark in marks if (mark.name, mark.lost) in told}
    while more := {mark for mark in marks if mark.name in {one.lost for one in believed}} - believed:
        believed |= more
    return [mark for mark in marks if mark not in believed]


def unrecorded_words(mark: Mark) -> str:
    """Return what is wrong with such a mark."""
    return (
        f"is where an anchor was told at {mark.at} that the log was restored and that the head {mark.lost} was given "
        "up, but no entry of the log records this restoration: the log was cut, and the anchor told to accept it"
    )

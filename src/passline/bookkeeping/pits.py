"""In which pit each table stands: an area of the facility, by what acts say of the table."""

from __future__ import annotations

from collections.abc import Mapping

from passline.acts import events as e

TABLE_KIND, AREA = "table", "area"
"""The kind of thing that stands in a pit, and the fact that says in which."""
NO_PIT = "no pit on record"
"""What is said of a table of which no act has told the area."""


def pits_after(pits: Mapping[str, str], completed: e.ActCompleted) -> dict[str, str]:
    """Return the pit of each table after an act has taken effect, which may have moved or corrected some.

    >>> moved = e.ActCompleted(7, (e.Change("table", "T1", "ordered", {"area": "pit-2"}),))
    >>> pits_after({"T1": "pit-1", "T2": "pit-1"}, moved)
    {'T1': 'pit-2', 'T2': 'pit-1'}
    """
    told = {
        change.id: str(change.facts[AREA] or "")
        for change in completed.changes
        if change.kind == TABLE_KIND and AREA in change.facts
    }
    return {**pits, **told} if told else dict(pits)

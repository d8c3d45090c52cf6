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


def placed_after(placed: Mapping[str, int], completed: e.ActCompleted) -> dict[str, int]:
    """Return which act said where each table stands, after one more; a correction of it is no other act.

    >>> placed_after({"T1": 3}, e.ActCompleted(7, (e.Change("table", "T1", "ordered", {"area": "pit-2"}),)))
    {'T1': 7}
    """
    if completed.corrects is not None:
        return dict(placed)
    said = (change for change in completed.changes if change.kind == TABLE_KIND)
    return {
        **placed,
        **{change.id: completed.number for change in said if AREA in change.facts or change.id not in placed},
    }

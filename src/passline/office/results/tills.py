"""Which tables are open for which shift, and which boxes are dropped and not counted yet: what a result waits for."""

from __future__ import annotations

from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from passline.office import events as e
from passline.office.calendar.facility import Facility
from passline.office.calendar.shifts import day_of_shift, following_shift

__all__ = ["DROPS", "INVENTORIES", "ShiftKey", "Tills", "shift_key", "tills_after"]

INVENTORIES = frozenset({"count_opener", "count_shift", "count_closer"})
"""The acts that count the tray of a table."""
DROPS = frozenset({"drop_table", "emergency_drop"})
"""The acts that take a box off a table."""
ShiftKey = tuple[str, date, str]
"""The table, the gaming day and the shift."""


class Tills(Struct, frozen=True):
    """The shifts that are not closed, by table, and the boxes that are not counted."""

    open: dict[str, ShiftKey] = {}  # the shift that the next count closes, if it is counted at its end
    boxes: dict[str, ShiftKey] = {}  # dropped and not counted yet


def shift_key(done: e.ActDone, facility: Facility) -> ShiftKey | None:
    """Return the shift that a count or a drop is of; None: its pages do not ask for it."""
    shift, day = done.fields.get("shift"), done.fields.get("gaming_day")
    if not shift or not done.things:
        return None
    meant = date.fromisoformat(day) if day else day_of_shift(done.occurred, shift, facility)
    return done.things[0], meant, shift


def tills_after(tills: Tills, done: e.ActDone, facility: Facility) -> Tills:
    """Return what is open after an act took effect."""
    if done.act == "count_box":
        left = {box: key for box, key in tills.boxes.items() if box not in done.things}
        return replace(tills, boxes=left) if len(left) < len(tills.boxes) else tills
    if done.act not in INVENTORIES | DROPS or (key := shift_key(done, facility)) is None:
        return tills
    if done.act in DROPS:
        return replace(tills, boxes={**tills.boxes, str(done.fields["dropped"]): key})
    closed = {table: one for table, one in tills.open.items() if table != key[0]}
    if done.act == "count_closer":
        return replace(tills, open=closed)
    if done.act == "count_shift":
        key = (key[0], *following_shift(key[1], key[2], facility))
    return replace(tills, open={**closed, key[0]: key})

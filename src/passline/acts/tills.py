"""Tills: which shift is open at each table, which boxes are not counted, and to which shift a count or drop belongs."""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.acts.calendar.shifts import day_of_shift, following_shift
from passline.acts.figures import INSTEAD
from passline.acts.marks import DoneMark

INVENTORIES = frozenset({"count_opener", "count_shift", "count_closer"})
"""The acts that count the tray of a table."""
DROPS = frozenset({"drop_table", "emergency_drop"})
"""The acts that take a box off a table."""
ShiftKey = tuple[str, date, str]
"""The table, the gaming day and the shift."""


class BeforeCount(Struct, frozen=True):
    """A table before its tray was counted last, to restore it if that count turns out to be of another table."""

    number: int  # the count
    mark: DoneMark | None  # when the same had been counted before
    facts: dict[str, Any]  # what was known by the fields of the count
    open: ShiftKey | None  # the shift that was open
    units: dict[str, dict[str, int]]  # what was on record there, by stock


class Tills(Struct, frozen=True):
    """The shifts that are not closed, by table, and the boxes that are not counted."""

    open: dict[str, ShiftKey] = {}  # the shift that the next count closes, if it is counted at its end
    boxes: dict[str, ShiftKey] = {}  # dropped and not counted yet


WHERE_COUNTED = frozenset({"shift", "gaming_day", INSTEAD})
"""What a correction of such a count says of where it stands in the books."""


def shift_key(done: Any, facility: Facility) -> ShiftKey | None:  # noqa: ANN401 - an act, or what is kept of one
    """Return the shift that a count or a drop belongs to; None: its pages do not ask for it."""
    shift, day = done.fields.get("shift"), done.fields.get("gaming_day")
    if not shift or not done.things:
        return None
    meant = date.fromisoformat(day) if day else day_of_shift(done.occurred, shift, facility)
    return done.things[0], meant, shift


def tills_after(tills: Tills, done: Any, facility: Facility) -> Tills:  # noqa: ANN401 - an act
    """Return the tills after an act took effect."""
    if done.act == "count_box":
        left = {box: key for box, key in tills.boxes.items() if box not in done.things}
        return replace(tills, boxes=left) if len(left) < len(tills.boxes) else tills
    if (done.act not in INVENTORIES and done.act not in DROPS) or (key := shift_key(done, facility)) is None:
        return tills
    if done.act in DROPS:
        return replace(tills, boxes={**tills.boxes, str(done.fields["dropped"]): key})
    return with_open(tills, key[0], opened_shift(done.act, key, facility))


def with_open(tills: Tills, table: str, key: ShiftKey | None) -> Tills:
    """Return the tills with this shift open at a table, or with none if `key` is None."""
    others = {name: shift for name, shift in tills.open.items() if name != table}
    return replace(tills, open={**others, table: key} if key else others)


def opened_shift(act: str, key: ShiftKey, facility: Facility) -> ShiftKey | None:
    """Return the shift that is open at a table after a count for a shift; None: the table is closed."""
    if act == "count_closer":
        return None
    return (key[0], *following_shift(key[1], key[2], facility)) if act == "count_shift" else key

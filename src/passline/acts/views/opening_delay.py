"""When a first table may open after a notice, shown before somebody sets how long the notice must be."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.calendar.deadlines import Length, earliest_after
from passline.acts.clocks import length_of
from passline.acts.judges.gates import OPENING
from passline.acts.judges.scene import Scene


class OpeningDay(Struct, frozen=True):
    """The day from which a table may open, if a notice must be given some time before."""

    told: str  # the day on which it is given, local; today, if it was not given yet
    opens: str  # local, with the time where it is no whole day
    to: tuple[str, ...]  # who is told
    is_told: bool


def delaying_values(scene: Scene) -> dict[str, str]:
    """Return the values that say how long before its opening a table's notice is given, each with its clock."""
    pages = scene.rules.pages
    items = pages.gates[OPENING].items.values() if OPENING in pages.gates else ()
    return {pages.clocks[item.ahead].value: item.ahead for item in items if item.ahead and not item.planned}


def opening_day(scene: Scene, clock: str, length: Length) -> OpeningDay | None:
    """Return when the first table may open with a notice of this length; None, if the office is not set up."""
    rule, facility = scene.rules.pages.clocks[clock], scene.state.facility
    if facility is None:
        return None
    marks = [mark.frees for act in rule.met for mark in scene.state.marks.get(act, {}).values() if mark is not None]
    told = max(marks, default=scene.at)
    opens = facility.local(earliest_after(told, length, facility))
    is_day = (opens.hour, opens.minute) == (0, 0)
    to = tuple(scene.rules.group(group).body or group for group in rule.to)
    return OpeningDay(
        f"{facility.local(told):%Y-%m-%d}",
        f"{opens:%Y-%m-%d}" if is_day else f"{opens:%Y-%m-%d %H:%M}",
        to,
        bool(marks),
    )


def notice_over(scene: Scene, clock: str) -> str:
    """Return from when the first table may open after the notice that was given; empty, if no length is set."""
    length = length_of(scene.rules, scene.rules.pages.clocks[clock], scene.state)
    day = opening_day(scene, clock, length) if length else None
    return day.opens if day else ""

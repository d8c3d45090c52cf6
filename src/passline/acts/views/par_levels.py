"""Trays below their par level: what is missing by denomination, so that somebody requests a fill.

The content of a tray is its last count, what the cage has sent or taken since, and what is under way. Between a closer
and the next opener only those who counted are told, since whoever counts next must not know the figure.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.state import ActState, KnownThing, thing_key
from passline.acts.stocks import units_sum

_TABLE, _STOCK, _PAR, _SLIP = "table", "chips", "par", "fill_slip"
_COUNTS = ("count_opener", "count_shift", "count_closer")
_UNDER_WAY = ("requested", "prepared", "carried")
ORDER = "request_fill"
"""The act that orders what is missing."""


class BelowPar(Struct, frozen=True):
    """A tray in which there is less than its par level says: how many of each denomination, and what they come to."""

    table: str
    short: dict[str, int]
    cents: int
    counted: str  # local time of its last count
    act: str  # that orders it


def below_par(scene: Scene, reader: Person) -> tuple[BelowPar, ...]:
    """Return the trays of installed tables that are below par, as far as somebody may know what they hold."""
    order = scene.rules.pages.acts.get(ORDER)
    if order is None or not any(scene.rules.is_of(group, reader, scene.state) for group in order.by):
        return ()
    return tuple(_trays_below(scene, reader))


def _trays_below(scene: Scene, reader: Person) -> Iterator[BelowPar]:
    state, facility = scene.state, scene.state.facility
    assert facility is not None
    for table in state.of_kind(_TABLE, ("installed",)):
        subject = thing_key(_TABLE, table.id)
        marks = {act: mark for act in _COUNTS if (mark := state.mark(act, subject))}
        if not (par := table.facts.get(_PAR)) or not marks:
            continue
        act, last = max(marks.items(), key=lambda found: found[1].number)
        if act == "count_closer" and reader.account not in {last.by, *last.signed}:
            continue
        if short := _units_short(state, table, par):
            cents = sum(int(unit) * count for unit, count in short.items())
            yield BelowPar(table.id, short, cents, facility.minute(last.occurred), ORDER)


def _units_short(state: ActState, table: KnownThing, par: dict[str, int]) -> dict[str, int]:
    """Return by denomination what a tray lacks of its par level, counting what is under way to it."""
    there = state.stocks.get(_STOCK, {}).get(thing_key(_TABLE, table.id), {})
    for slip in state.of_kind(_SLIP, _UNDER_WAY):
        if slip.facts.get(_TABLE) == table.id:
            there = units_sum(there, slip.facts.get("units", {}))
    return {unit: count - there.get(unit, 0) for unit, count in par.items() if count > there.get(unit, 0)}

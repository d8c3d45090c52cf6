"""The rota of a shift: the road map of each table, printed, and where the crew that is recorded is another.

Dealers go round the places of a table and their breaks in the order in which they are planned: at each change everybody
moves on by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.state import ActState, KnownThing, thing_key
from passline.acts.views.wording import NOBODY, Names
from passline.documents.sheet import PrintedSheet, SheetTable, SignatureLine
from passline.store.timestamps import later

_PLACES = {1: ("dealer",), 2: ("base", "stick"), 3: ("base 1", "stick", "base 2")}
_TIME = slice(11, 16)  # of the minute
_CREW = ("boxperson", "stickperson", "dealers", "crew")


class RotaGap(Struct, frozen=True):
    """A table at which others work than its rota says, by account."""

    table: str
    rota: str  # empty: nothing is planned for it
    unplanned: tuple[str, ...]  # in the crew that is recorded, and not in the plan
    absent: tuple[str, ...]  # in the plan, and not in that crew


def planned_rotas(state: ActState, day: date, shift: str) -> list[KnownThing]:
    """Return the rotas that are planned for a shift, by table; of several for one table the newest."""
    rotas = [
        rota
        for rota in state.of_kind("rota", ("planned",))
        if (rota.facts.get("rota_day"), rota.facts.get("rota_shift")) == (day.isoformat(), shift)
    ]
    newest = {str(rota.facts["table"]): rota for rota in sorted(rotas, key=lambda rota: rota.since)}
    return [newest[table] for table in sorted(newest)]


def rota_gaps(state: ActState, at: str) -> tuple[RotaGap, ...]:
    """Return the tables whose crew was recorded in this shift and is not the planned one, if the shift has a rota."""
    facility = state.facility
    assert facility is not None
    day, shift = facility.gaming_day(at), facility.shift_of(at).name
    planned = {str(rota.facts["table"]): rota for rota in planned_rotas(state, day, shift)}
    return tuple(_gaps(state, planned, _bounds(facility, day, shift)[0])) if planned else ()


def _gaps(state: ActState, planned: dict[str, KnownThing], begun: str) -> Iterator[RotaGap]:
    for table in state.of_kind("table", ("installed",)):
        mark = state.mark("set_crew", thing_key("table", table.id))
        if mark is None or mark.occurred < begun:
            continue
        rota, crew = planned.get(table.id), recorded_crew(table)
        meant = {*rota.facts["rota_box"], *rota.facts["rota_dealers"]} if rota else set()
        on_break = {*rota.facts["rota_dealers"]} if rota else set()
        needed = len(meant) - max(0, len(on_break) - int(rota.facts["rota_places"])) if rota else 0
        absent = sorted(meant - crew) if len(meant & crew) < needed else []
        if crew - meant or absent:
            yield RotaGap(table.id, rota.id if rota else "", tuple(sorted(crew - meant)), tuple(absent))


def recorded_crew(table: KnownThing) -> set[str]:
    """Return the accounts of the crew that is recorded of a table."""
    said = (table.facts.get(part) for part in (_CREW[-1:] if table.facts.get("other_crew") else _CREW[:-1]))
    return {account for part in said if part for account in ([part] if isinstance(part, str) else part)}


def road_map(rota: KnownThing, facility: Facility) -> list[tuple[str, tuple[str, ...]]]:
    """Return each change of a shift: the moment, and who is then at each place and on a break, by account."""
    dealers, minutes = list(rota.facts["rota_dealers"]), int(rota.facts["rota_minutes"])
    at, ends = _bounds(facility, date.fromisoformat(rota.facts["rota_day"]), rota.facts["rota_shift"])
    found = []
    while at < ends:
        found.append((at, tuple(dealers)))
        dealers.insert(0, dealers.pop())
        at = later(at, minutes * 60)
    return found


def _bounds(facility: Facility, day: date, shift: str) -> tuple[str, str]:
    """Return the moments at which a shift of a gaming day begins and ends."""
    begins = next(known.begins for known in facility.shifts if known.name == shift)
    begun = facility.moment(day if begins >= facility.day_begins else date.fromordinal(day.toordinal() + 1), begins)
    return begun, facility.shift_end(begun)


def rota_sheet(state: ActState, day: date, shift: str, names: Names = NOBODY) -> PrintedSheet:
    """Return the rota of a shift as it is hung up: a road map for each table."""
    facility = state.facility
    assert facility is not None
    rotas = planned_rotas(state, day, shift)
    planned = Counter(person for rota in rotas for person in (*rota.facts["rota_box"], *rota.facts["rota_dealers"]))
    twice = [names.get(person, person) for person, count in planned.items() if count > 1]
    away = [
        f"{names.get(person, person)} ({known.state.replace('_', ' ')})"
        for person in planned
        if (known := state.thing("person", person)) and known.state in {"suspended", "left"}
    ]
    return PrintedSheet(
        title="Rota",
        owner=facility.name,
        about=f"gaming day {day}, {shift} shift",
        facts=(("At two tables", ", ".join(twice) or "nobody"), ("Planned and away", ", ".join(away) or "nobody")),
        tables=tuple(_road_table(rota, facility, names) for rota in rotas) or (_NOTHING,),
        signatures=(SignatureLine("who has planned it"),),
        foot=(facility.name, f"Rota, {day}, {shift}"),
    )


_NOTHING = SheetTable(title="Tables", heads=("table",), nothing="Nothing is planned for this shift.")


def _road_table(rota: KnownThing, facility: Facility, names: Names) -> SheetTable:
    dealers, standing = rota.facts["rota_dealers"], int(rota.facts["rota_places"])
    places = _PLACES.get(standing, tuple(f"dealer {number}" for number in range(1, standing + 1)))
    breaks = len(dealers) - standing
    heads = [*places, *(["break"] if breaks == 1 else [f"break {number}" for number in range(1, breaks + 1)])]
    box = ", ".join(names.get(person, person) for person in rota.facts["rota_box"])
    return SheetTable(
        title=str(rota.facts["table"]),
        about=(f"Box: {box}. Everybody moves on every {rota.facts['rota_minutes']} minutes.",),
        heads=("from", *heads[: len(dealers)]),
        rows=tuple(
            (facility.minute(at)[_TIME], *(names.get(person, person) for person in order))
            for at, order in road_map(rota, facility)
        ),
        notes=() if breaks > 0 else ("Nobody has a break: plan more dealers than places.",),
    )

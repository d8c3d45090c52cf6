"""What an act leads to once everybody has signed: changes, movements, variances and incidents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from passline.office import events as e
from passline.office.judges.counting import moves_of, variances_of
from passline.office.judges.scene import ActFault, Scene
from passline.office.rules.schema import Act
from passline.office.state import OfficeState, thing_key

__all__ = ["effects_of", "incidents_of"]


def effects_of(scene: Scene, act: Act, done: e.ActDone) -> list[e.ActCompleted]:
    """Return that an act took effect, with all that it changes."""
    changes = []
    for name in done.things:
        known = scene.state.thing(done.kind, name)
        after = act.to or (known.state if known else scene.rules.pages.things[done.kind].states[0])
        changes.append(e.Change(done.kind, name, after, _facts(act, done.fields, name)))
    return [e.ActCompleted(done.number, tuple(changes), moves_of(act, done, scene), variances_of(act, done, scene))]


def _facts(act: Act, fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what becomes known of a thing by the fields of an act."""
    return {
        key: value[name] if act.fields[key].type == "per_thing" else value
        for key, value in fields.items()
        if act.fields[key].type != "per_thing" or name in value
    }


def incidents_of(
    state: OfficeState, done: e.ActDone, faults: Iterable[ActFault], completed: Sequence[e.ActCompleted]
) -> list[e.IncidentOpened]:
    """Return an incident for each clause that an act broke, and for each count that differs from the record."""
    about = thing_key(done.kind, done.things[0]) if done.things else ""
    found = [(one.clause, one.why, about) for one in faults]
    for event in completed:
        for one in event.variances:
            why = f"{one.what}: counted {_units(one.counted)}; on record {_units(one.expected)}"
            found.append((one.clause, why, one.about))
    return [
        e.IncidentOpened(f"I-{state.incidents + number}", clause, why, thing, done.number)
        for number, (clause, why, thing) in enumerate(found, start=1)
    ]


def _units(units: dict[str, int]) -> str:
    return ", ".join(f"{count} of {one}" for one, count in units.items()) or "nothing"

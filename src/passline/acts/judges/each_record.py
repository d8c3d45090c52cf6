"""Things with several separate records, such as bars by different agencies: conditions on them, changes to them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.judges.scene import Scene
from passline.acts.patrons import same_patrons
from passline.acts.records_apart import Records, record_key, records_of, standing_records
from passline.acts.schema import Condition
from passline.acts.state import KnownThing, thing_key


def record_fault(
    condition: Condition, thing: KnownThing | None, _subject: KnownThing | None, scene: Scene
) -> str | None:
    """Return what a condition finds wrong with a thing's records: one is missing, or one stands that must not."""
    if condition.done:
        there = _records(condition.done, thing, scene)
        asked = _records_meant(condition.done, there, scene)
        return None if asked else f"on record: {'; '.join(there)}" if there else ""
    names = same_patrons(scene.state, thing.id) if condition.linked and thing else ()
    same = [scene.state.thing(thing.kind, name) for name in names] if thing and names else [thing]
    found = [known for known in same if known and _is_standing(condition, known, scene)]
    return ", ".join(known.id for known in found if thing and known.id != thing.id) if found else None


def _is_standing(condition: Condition, known: KnownThing, scene: Scene) -> bool:
    """Return whether a record of an act that must never have been is there, and not over."""
    records = _records_meant(condition.never, _records(condition.never, known, scene), scene)
    return bool(standing_records(records, condition.lapses, scene.today))


def _records_meant(name: str, records: Records, scene: Scene) -> Records:
    """Return the one of the records of an act that the fields name, or all where they name none."""
    apart = scene.rules.pages.acts[name].apart
    if apart is None or apart.by[0] not in scene.fields:
        return records
    key = record_key(apart.by, scene.fields)
    return {key: records[key]} if key in records else {}


def facts_apart(scene: Scene, done: e.ActDone, facts: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the facts of a thing after an act added or ended one of its records: those of the strongest record."""
    acts = scene.rules.pages.acts
    act = acts[done.act]
    assert act.apart is not None, "only acts that keep records apart are asked"
    first = acts[act.apart.ends] if act.apart.ends else act
    records = _records(act.apart.ends or done.act, scene.state.thing(done.kind, name), scene)
    key = record_key(act.apart.by, done.fields)
    if first is not act:
        records.pop(key, None)
    else:
        said = {field: facts.get(field) or "" for field in act.fields}
        records[key] = {**said, "at": scene.at, "act": done.number}
    choice = act.apart.by[0]
    order = first.fields[choice].of
    strongest = max(records.values(), key=lambda record: order.index(record[choice]), default={})
    shown = {field: strongest.get(field) or "" for field in first.fields} if strongest else {}
    return {**facts, **dict.fromkeys(act.clears, ""), **shown, act.apart.kept_in: records}


def record_before(scene: Scene, done: e.ActDone, known: KnownThing | None) -> KnownThing | None:
    """Return a thing with only the facts of the record that an act changes; None: there is no such record yet."""
    apart = scene.rules.pages.acts[done.act].apart
    if apart is None or known is None:
        return known
    record = _records(apart.ends or done.act, known, scene).get(record_key(apart.by, done.fields))
    return replace(known, facts=record) if record is not None else None


def _records(name: str, thing: KnownThing | None, scene: Scene) -> Records:
    """Return what an act keeps apart of a thing."""
    acts = scene.rules.pages.acts
    if (apart := acts[name].apart) is None or thing is None:
        return {}
    ending = next((other for other, act in acts.items() if act.apart and act.apart.ends == name), "")
    done, undone = (scene.state.mark(act, thing_key(thing.kind, thing.id)) for act in (name, ending))
    return records_of(apart, acts[name].fields, thing, done, undone)

"""Reads fields that hold or name a record: a checklist, a house file, a paper, an earlier act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from passline.acts.judges.recalling import find_figure
from passline.acts.judges.scene import ActFault, Scene, field_fault, form_fault
from passline.acts.papers.from_rules import has_offer
from passline.acts.papers.houses import complete_file
from passline.acts.printed_schema import Checklist
from passline.acts.schema import Field
from passline.acts.state import KnownThing, thing_key
from passline.errors import CrapsError
from passline.rules.elections import HouseBreaches
from passline.rules.schema import clause_text

_Read = tuple[Any, list[ActFault]]


def is_asked(unless: str, fields: dict[str, Any], subjects: Sequence[KnownThing]) -> bool:
    """Return whether something is required: not if the field or fact `unless` is true.

    A field of the act goes before a fact on record.
    """
    if unless in fields:
        return not fields[unless]
    return not unless or not any(subject.facts.get(unless) for subject in subjects)


def read_checklist(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read a filled-in checklist; each required item that is not ticked is a fault with its clause."""
    if not isinstance(value, dict) or not all(isinstance(item, bool) for item in value.values()):
        return {}, form_fault("must say true or false of each item")
    checklist = scene.rules.pages.checklists[field.of[0]]
    faults = [ActFault("form", f"{item} is not on the list") for item in value if item not in checklist.items]
    faults += _open_items(checklist, value, scene, subjects)
    return dict(sorted(value.items())), faults


def _open_items(
    checklist: Checklist, value: dict[str, bool], scene: Scene, subjects: Sequence[KnownThing]
) -> Iterator[ActFault]:
    for key, item in checklist.items.items():
        is_asked_for = is_asked(item.unless, {}, subjects) and not (item.only and is_asked(item.only, {}, subjects))
        if item.offered and not any(has_offer(scene.dealt_by(subject), item.offered) for subject in subjects):
            continue
        if not value.get(key) and is_asked_for:
            yield ActFault(clause_text(item.cite), f"{key}: {item.says}: that is not so", is_fact=True)


def read_house_file(_field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read a house file: every election that its regulation does not allow is a fault with its clause."""
    if not isinstance(value, dict):
        return {}, form_fault("must be a house file")
    if value.get("rules") != scene.rules.name:
        return {}, form_fault(f"is a house of {value.get('rules', 'no regulation')}, not of {scene.rules.name}")
    try:
        return complete_file(scene.around.house_rules(value)), []
    except HouseBreaches as error:
        return {}, [ActFault(breach.clause, f"{breach.key}: {breach.problem}") for breach in error.breaches]
    except CrapsError as error:
        return {}, form_fault(str(error))


def read_sheet(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read the digest of a paper that hangs or was filed: it must be the one that would be printed now."""
    sheet = scene.sheet(field.of[0], subjects[0] if subjects else None)
    if sheet.missing:
        return "", [
            ActFault(part.clause, f"{sheet.title} cannot be printed: {part.name} is missing") for part in sheet.missing
        ]
    if value != sheet.digest:
        return "", field_fault(field, f"it is not {sheet.title} as the rules in force have it: print it again")
    return value, []


def read_act(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read the number of an act: the last of its kind that was done to the same thing."""
    if type(value) is not int:
        return 0, form_fault("must be the number of an act")
    if field.earlier:
        return value, _figure_faults(field, value, scene)
    faults = list[ActFault]()
    for subject in subjects:
        marks = [scene.state.mark(act, thing_key(subject.kind, subject.id)) for act in field.of]
        last = max((mark.number for mark in marks if mark), default=0)
        if value != last:
            names = " or ".join(scene.rules.pages.acts[act].name.lower() for act in field.of)
            said = f"the last one is act {last}" if last else "there was none"
            faults += field_fault(
                field, f"act {value} is not the last of {scene.name_of(subject.kind, subject.id)} ({names}): {said}"
            )
    return value, faults


def _figure_faults(field: Field, number: int, scene: Scene) -> list[ActFault]:
    """Return why an act cannot be corrected: it is of another kind, not at hand, or was corrected already."""
    found = find_figure(scene, number)
    names = scene.rules.pages.acts[field.of[0]].name.lower()
    if found is None or found[1].act not in field.of:
        why = (
            f"act {number} cannot be corrected by this: it is not on record as done, or not at hand any more ({names})"
        )
        return field_fault(field, why)
    if number != found[1].last:
        return field_fault(field, f"act {number} was corrected by act {found[1].last}: correct that one")
    return []

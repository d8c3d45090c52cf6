"""What must hold before an act: its own needs, those of similar acts, and at an open table those of its opening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from passline.acts.judges.conditions import unmet_conditions
from passline.acts.judges.gates import OPENING, gate_path
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.page_memo import kept_with_page
from passline.acts.rules import ActRules, is_need_of_field
from passline.acts.schema import Act, Condition
from passline.acts.state import KnownThing

_THE_OFFICE = (None,)


def needs_of(rules: ActRules, act: Act) -> dict[str, Condition]:
    """Return the needs of an act, and of acts that it is `like` those needs that are about one of its own fields."""
    if not act.like:
        return act.needs
    needs = dict(act.needs)
    for other in act.like:
        for key, need in rules.pages.acts[other].needs.items():
            if is_need_of_field(need, act.fields):
                needs.setdefault(f"{other}.{key}", need)
    return needs


def needs_faults(scene: Scene, act: Act, subjects: Sequence[KnownThing]) -> list[ActFault]:
    """Return every need of an act that is not met; at an open table also the opening items that must stay met."""
    if _has_own_needs_only(act):
        return unmet_conditions(act.needs, subjects or _THE_OFFICE, scene)
    if act.renews:  # what is on record of its fields does not count any more
        subjects = [replace(subject, facts=_without(subject.facts, act)) for subject in subjects]
    faults = _unmet(scene, act, subjects or _THE_OFFICE)
    if act.keeps and OPENING in scene.rules.pages.gates:
        items = scene.rules.pages.gates[OPENING].items
        kept = {key: items[key] for key in act.keeps if gate_path(OPENING, key) not in scene.state.left_out}
        faults += unmet_conditions(kept, [known for known in subjects if scene.state.is_open(known.id)], scene)
    return list(dict.fromkeys(faults)) if faults else faults


@kept_with_page
def _has_own_needs_only(act: Act) -> bool:
    return not (act.renews or act.keeps or act.like or act.corrects)


def _unmet(scene: Scene, act: Act, subjects: Sequence[KnownThing | None]) -> list[ActFault]:
    """Return every need that is not met; of a correction, what its first act needs of people and others is refused."""
    needs = needs_of(scene.rules, act)
    if not act.corrects:
        return unmet_conditions(needs, subjects, scene)
    of_fields = {part: need for part, need in needs.items() if is_need_of_field(need, act.fields)}
    kept = {part: need for part, need in needs.items() if part not in of_fields}
    refused = (replace(fault, is_fact=False) for fault in unmet_conditions(kept, subjects, scene))
    return [*unmet_conditions(of_fields, subjects, scene), *refused]


def _without(facts: dict[str, Any], act: Act) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key not in act.fields}

"""Whoever does an act: in which role, and whether they did nothing before it, are of a crew, or have a part in it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from passline.acts.judges.scene import Scene, listed_names
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Condition
from passline.acts.state import ActState, KnownThing
from passline.authority.roles import in_order

_Subject = KnownThing | None


def roles_of(rules: ActRules, groups: Iterable[str], person: Person, state: ActState) -> list[str]:
    """Return the roles in which somebody belongs to these groups now, those of the first group first."""
    each = [(role, replace(person, roles=frozenset({role}))) for role in in_order(person.roles)]
    return [role for group in groups for role, alone in each if rules.is_of(group, alone, state)]


def apart_fault(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    """Return which of the acts that somebody else must have done whoever does this one did."""
    return acts_done_by(condition.apart, scene.by, thing, scene) or None


def acts_done_by(acts: Iterable[str], account: str, thing: KnownThing | None, scene: Scene) -> str:
    """Return which of some acts somebody has done or signed, the last time that each was done to a thing."""
    marks = ((act, scene.last_done(act, thing)) for act in acts)
    done = (act for act, mark in marks if mark is not None and account in {mark.by, *mark.signed})
    return ", ".join(scene.rules.pages.acts[act].name.lower() for act in done)


def crew_fault(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    """Return that whoever does it is not one of a crew that is on record, or that too few or too many would be left."""
    if thing is None or condition.among not in thing.facts:  # nobody has said who there is
        return None
    there, is_of_number = listed_names(thing.facts[condition.among]), condition.most is not None or condition.least > 1
    if scene.by not in there:
        who = scene.who(scene.by)
        return None if is_of_number else who.name if who else scene.by
    if condition.most is not None:
        return None if len(there) <= condition.most else f"{len(there)}, at most {condition.most}"
    is_last = len(there) == 1  # nobody is left
    return None if is_last or len(there) >= condition.least else f"{len(there)} of {condition.least}"


def holder_fault(condition: Condition, _thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    """Return that whoever does it holds no key of a kind."""
    out = (key for key in scene.state.of_kind("key", ["out"]) if key.facts.get("kind") == condition.carries)
    who = scene.who(scene.by)
    return None if any(scene.by in (key.facts.get("holders") or ()) for key in out) else who.name if who else ""


def involved_fault(_condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    """Return that whoever does it has a part in what it is about."""
    involved = {*thing.facts.get("people", ()), str(thing.facts.get("about", ""))} if thing else set()
    who = scene.who(scene.by)
    return (who.name if who else scene.by) if involved & {scene.by, f"person/{scene.by}"} else None


def other_person_fault(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    """Return the person whom a thing is about, if whoever does it is somebody else."""
    named = str(thing.facts.get(condition.own, "")) if thing else ""
    who = scene.who(named) if named else None
    return None if named and scene.by == named else (who.name if who else named)

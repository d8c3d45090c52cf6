"""Conditions: whether what must hold before an act, in a gate or while something goes on does hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from passline.office.clocks import has_lapsed, notice_fault, running_clock
from passline.office.judges.fields import is_asked
from passline.office.judges.scene import ActFault, Scene
from passline.office.rules.schema import Condition
from passline.office.state import OFFICE, DoneMark, KnownThing, thing_key
from passline.rules.schema import clause_text

__all__ = ["TESTS", "unmet_conditions"]


def unmet_conditions(
    conditions: Mapping[str, Condition], subjects: Sequence[KnownThing | None], scene: Scene
) -> list[ActFault]:
    """Return every condition that does not hold for one of the subjects; None stands for the office itself."""
    faults: list[ActFault] = []
    for condition in conditions.values():
        for subject in subjects:
            if not _is_needed(condition, subject, scene):
                continue
            faults += (
                ActFault(clause_text(condition.cite), _said(condition, one, wrong), is_fact=True)
                for one in _about(condition, subject, scene)
                if (wrong := _wrong(condition, one, subject, scene)) is not None
            )
    return list(dict.fromkeys(faults))


def _said(condition: Condition, subject: KnownThing | None, detail: str) -> str:
    about = f"{subject.kind.replace('_', ' ')} {subject.id}: " if subject else ""
    return f"{about}{condition.says}{f' ({detail})' if detail else ''}"


def _is_needed(condition: Condition, subject: KnownThing | None, scene: Scene) -> bool:
    if not is_asked(condition.unless, dict(scene.fields), [subject] if subject else []):
        return False
    return not condition.unless or scene.state.mark(condition.unless, _key(subject)) is None


def _key(subject: KnownThing | None) -> str:
    return thing_key(subject.kind, subject.id) if subject else OFFICE


def _about(condition: Condition, subject: KnownThing | None, scene: Scene) -> Iterable[KnownThing | None]:
    """Return the things or people that a condition is about; an unknown one has no facts."""
    if not condition.of:
        return [subject]
    named: Any = scene.fields.get(condition.of) or (subject.facts.get(condition.of) if subject else None)
    names = [named] if isinstance(named, str) else list(named or ())
    unknown = [KnownThing(condition.kind, "?", "unknown", {}, "")]
    found = [
        scene.state.thing(condition.kind, one) or KnownThing(condition.kind, one, "unknown", {}, "") for one in names
    ]
    return found or unknown


def _wrong(condition: Condition, one: KnownThing | None, subject: KnownThing | None, scene: Scene) -> str | None:
    """Return details of what is wrong, or None if the condition holds."""
    for name, test in TESTS.items():
        if getattr(condition, name):
            return test(condition, one, subject, scene)
    return None


def _mark(act: str, one: KnownThing | None, scene: Scene) -> DoneMark | None:
    """Return when an act was done last to a thing; one that is about the whole office, when it was done at all."""
    rule = scene.rules.act(act)
    return scene.state.mark(act, _key(one) if rule is None or rule.thing else OFFICE) if act else None


def _done(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    state, key = scene.state, _key(one)
    mark = _mark(condition.done, one, scene)
    if condition.lapsed and has_lapsed(scene.rules, state, condition.lapsed, key, scene.at):
        return None
    if mark is None:
        return ""
    for later in (condition.undone, condition.since):
        after = _mark(later, one, scene)
        if after is not None and after.number > mark.number:
            return ""
    return None


def _never(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    mark, since = _mark(condition.never, one, scene), _mark(condition.undone, one, scene)
    is_undone = mark is None or (since is not None and since.number > mark.number)
    return None if is_undone else ""


def _ahead(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    return notice_fault(scene.rules, scene.state, condition.ahead, _key(one), scene.occurred) or None


def _clock(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    running = running_clock(scene.rules, scene.state, condition.clock, _key(one), scene.at)
    facility = scene.state.facility
    if running is None or running.status not in {"overdue", "late"} or facility is None:
        return None
    return f"since {facility.local(running.due):%Y-%m-%d %H:%M}"


def _fewer(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    limit = scene.state.values.get(condition.fewer)
    kind = condition.kind or (one.kind if one else "")
    here = [known for known in scene.state.of_kind(kind, condition.state) if one is None or known.id != one.id]
    if limit is None:
        return f"{condition.fewer.replace('_', ' ')} is not set"
    return None if len(here) < limit else f"{len(here)} of {limit}"


def _has(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    here = scene.state.of_kind(condition.kind, condition.state)
    count = sum(one is not None and known.facts.get(condition.has) == one.id for known in here)
    return None if count >= condition.least else f"{count} of {condition.least}"


def _state(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, _scene: Scene) -> str | None:
    if one is not None and one.state in condition.state:
        return None
    return f"is {one.state.replace('_', ' ')}" if one else "unknown"


def _fact(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, _scene: Scene) -> str | None:
    return None if one is not None and one.facts.get(condition.fact) else ""


def _same(condition: Condition, one: KnownThing | None, subject: KnownThing | None, scene: Scene) -> str | None:
    theirs, ours = condition.same[0], condition.same[-1]
    wanted = scene.fields.get(ours) or (
        subject.facts.get(ours) or (subject.id if ours == "id" else None) if subject else None
    )
    found = one.facts.get(theirs) if one else None
    return None if found is not None and found == wanted else ""


def _value(condition: Condition, _one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    return None if condition.value in scene.state.values else ""


def _on_duty(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    area = one.facts.get("area") if one else None
    for person in scene.state.of_kind("person", ["on_duty"]):
        known = scene.who(person.id)
        is_there = area is None or person.facts.get("area") == area
        if is_there and known and scene.rules.is_of(condition.on_duty, known, scene.state):
            return None
    return ""


def _valid(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    return "" if scene.is_over(one, condition.valid) else None


def _held(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    waiting = (pending.done for pending in scene.state.pending.values())
    is_waiting = any(done.act == condition.held and one and one.id in done.things for done in waiting)
    return "" if is_waiting else None


def _paper(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    missing = scene.around.papers(scene.state, condition.paper, one.id if one else "")
    return f"missing: {', '.join(missing)}" if missing else None


def _approval(condition: Condition, _one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    return None if scene.around.approvals(condition.approval) else ""


TESTS: dict[str, Callable[[Condition, KnownThing | None, KnownThing | None, Scene], str | None]] = {
    "done": _done,
    "never": _never,
    "ahead": _ahead,
    "clock": _clock,
    "fewer": _fewer,
    "has": _has,
    "state": _state,
    "fact": _fact,
    "same": _same,
    "value": _value,
    "on_duty": _on_duty,
    "valid": _valid,
    "held": _held,
    "paper": _paper,
    "approval": _approval,
}
"""The tests that a condition can be; the first key that it has decides, so `fewer` and `has` may name states."""

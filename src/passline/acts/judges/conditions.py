"""Conditions: whether what must hold before an act, in a gate or while something goes on does hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from passline.acts.calendar.shifts import is_scheduled
from passline.acts.clocks import has_lapsed, notice_fault, running_clock, told_late
from passline.acts.judges.fields import is_asked
from passline.acts.judges.gaming_days import unsettled_of_day
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.papers.from_rules import has_offer
from passline.acts.schema import Condition
from passline.acts.state import OFFICE, DoneMark, KnownThing, thing_key
from passline.rules.schema import clause_text

__all__ = ["TESTS", "unmet_conditions"]


_NONE = "?"  # in place of what a thing should name, and names none


def unmet_conditions(
    conditions: Mapping[str, Condition], subjects: Sequence[KnownThing | None], scene: Scene
) -> list[ActFault]:
    """Return every condition that does not hold for one of the subjects; None stands for the office itself."""
    faults: list[ActFault] = []
    for condition in conditions.values():
        for subject in subjects:
            faults += (
                ActFault(clause_text(condition.cite), _said(condition, one, wrong, scene), is_fact=True)
                for one in _about(condition, subject, scene)
                if _is_needed(condition, one, subject, scene)
                and (wrong := _wrong(condition, one, subject, scene)) is not None
            )
    return list(dict.fromkeys(faults))


def _said(condition: Condition, subject: KnownThing | None, detail: str, scene: Scene) -> str:
    if subject is not None and subject.id == _NONE:
        return condition.says
    about = f"{scene.called(subject.kind, subject.id)}: " if subject else ""
    return f"{about}{condition.says}{f' ({detail})' if detail else ''}"


def _is_needed(condition: Condition, one: KnownThing | None, subject: KnownThing | None, scene: Scene) -> bool:
    if one is not None and one.id in condition.but_for:
        return False
    if condition.offered and not has_offer(scene.dealt_by(subject), condition.offered):
        return False
    if condition.when and not _is_so(condition.when, one, subject, scene):
        return False
    return not condition.unless or not _is_so(condition.unless, one, subject, scene)


def _is_so(word: str, one: KnownThing | None, subject: KnownThing | None, scene: Scene) -> bool:
    """Return whether a field or fact of this name is true, or an act of this name was done."""
    known = [each for each in (one, subject) if each is not None]
    if not is_asked(word, dict(scene.fields), known):
        return True
    about: list[KnownThing | None] = [*known] or [None]
    return any(_mark(word, each, scene) is not None for each in about)


def _mark(act: str, subject: KnownThing | None, scene: Scene) -> DoneMark | None:
    """Return when an act was done last to something; one that is about the whole office counts for everything."""
    rule = scene.rules.act(act)
    return scene.state.mark(act, OFFICE if rule is not None and not rule.thing else _key(subject)) if act else None


def _key(subject: KnownThing | None) -> str:
    return thing_key(subject.kind, subject.id) if subject else OFFICE


def _about(condition: Condition, subject: KnownThing | None, scene: Scene) -> Iterable[KnownThing | None]:
    """Return the things or people that a condition is about; an unknown one has no facts."""
    if not condition.of:
        return [subject]
    names: list[str] = []
    for word in (condition.of,) if isinstance(condition.of, str) else condition.of:
        named: Any = scene.fields.get(word) or (subject.facts.get(word) if subject else None)
        names += [named] if isinstance(named, str) else list(named or ())
    unknown = [KnownThing(condition.kind, _NONE, "unknown", {}, "")]
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
    rules, state, clock = scene.rules, scene.state, condition.ahead
    if not condition.planned:
        return notice_fault(rules, state, clock, _key(one), scene.occurred) or None
    day = scene.fields.get(condition.planned) or (one.facts.get(condition.planned) if one else None)
    if not day or state.facility is None:
        return ""
    planned = state.facility.moment(date.fromisoformat(day), "00:00")
    return told_late(rules, state, clock, scene.occurred, planned) or None


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


def _sole(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    mine = scene.fields.get(condition.sole) or (one.facts.get(condition.sole) if one else None)
    others = [] if one is None or mine is None else scene.state.of_kind(one.kind, condition.state)
    found = [other.id for other in others if one and other.id != one.id and other.facts.get(condition.sole) == mine]
    return ", ".join(found) or None


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
    held = (condition.held,) if isinstance(condition.held, str) else condition.held
    is_waiting = any(done.act in held and one and one.id in done.things for done in waiting)
    return "" if is_waiting else None


def _paper(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    missing = scene.sheet(condition.paper, one).missing
    return f"missing: {', '.join(f'{part.name} [{part.clause}]' for part in missing)}" if missing else None


def _printed(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    shown = one.facts.get(condition.printed) if one else None
    if shown is None:
        return ""
    return None if shown == scene.sheet(condition.printed, one).digest else "it shows other rules than those in force"


def _approval(condition: Condition, _one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    return None if scene.around.approvals(condition.approval) else ""


def _apart(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    marks = {act: mark for act in condition.apart if (mark := _mark(act, one, scene))}
    done = [act for act, mark in marks.items() if scene.by in {mark.by, *mark.signed}]
    return ", ".join(scene.rules.pages.acts[act].name.lower() for act in done) or None


def _scheduled(condition: Condition, _one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    times, facility = scene.state.values.get(condition.scheduled), scene.state.facility
    if not times or facility is None:
        return f"{condition.scheduled.replace('_', ' ')} are not set"
    if is_scheduled(scene.occurred, times, facility):
        return None
    return f"{facility.local(scene.occurred):%H:%M}, not {', '.join(times)}"


def _bars(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    person = scene.who(one.id) if one else None
    return "" if person and scene.rules.has_role(condition.bars, person, scene.state) else None


def _settled(condition: Condition, one: KnownThing | None, _subject: KnownThing | None, scene: Scene) -> str | None:
    facility = scene.state.facility
    try:
        day = date.fromisoformat(one.id) if one else None
    except ValueError:
        day = None
    is_written = day is not None and one is not None and day.isoformat() == one.id and day < date.max
    if day is None or facility is None or not is_written:
        return "" if condition.settled == "over" else None
    found = unsettled_of_day(condition.settled, day, scene.state, facility, scene.at)
    return ", ".join(found[:_NAMED] + ["..."] * (len(found) > _NAMED)) or None


_NAMED = 12

TESTS: dict[str, Callable[[Condition, KnownThing | None, KnownThing | None, Scene], str | None]] = {
    "done": _done,
    "never": _never,
    "ahead": _ahead,
    "clock": _clock,
    "fewer": _fewer,
    "sole": _sole,
    "has": _has,
    "state": _state,
    "fact": _fact,
    "same": _same,
    "value": _value,
    "on_duty": _on_duty,
    "valid": _valid,
    "held": _held,
    "paper": _paper,
    "printed": _printed,
    "approval": _approval,
    "apart": _apart,
    "scheduled": _scheduled,
    "bars": _bars,
    "settled": _settled,
}
"""The tests that a condition can be; the first key that it has decides, so `fewer` and `has` may name states."""

"""Conditions: whether what must hold before an act, in a gate or while something goes on does hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from passline.acts.calendar.shifts import is_scheduled
from passline.acts.clocks import has_lapsed, notice_fault, running_clock, told_late
from passline.acts.judges.cash import open_cash_fault
from passline.acts.judges.doers import apart_fault, crew_fault, holder_fault, involved_fault, other_person_fault
from passline.acts.judges.each_record import record_fault
from passline.acts.judges.gaming_days import unsettled_of_day
from passline.acts.judges.record_fields import is_asked
from passline.acts.judges.scene import ActFault, Scene, listed_names
from passline.acts.judges.writing import facts_alike, read_alike
from passline.acts.marks import DoneMark
from passline.acts.page_memo import kept_with_page
from passline.acts.papers.from_rules import has_offer
from passline.acts.papers.houses import HOUSE
from passline.acts.patrons import exclusions, same_patrons
from passline.acts.schema import Condition
from passline.acts.state import OFFICE, KnownThing, thing_key
from passline.people.accounts import are_alike
from passline.rules.schema import clause_text

_Subject = KnownThing | None  # None: the office itself
_Test = Callable[[Condition, KnownThing | None, KnownThing | None, Scene], str | None]
_NONE = "?"  # in place of what a thing should name, and names none


def unmet_conditions(
    conditions: Mapping[str, Condition], subjects: Sequence[KnownThing | None], scene: Scene
) -> list[ActFault]:
    """Return every condition that does not hold for one of the subjects; None stands for the office itself."""
    faults: list[ActFault] = []
    for condition in conditions.values():
        for subject in subjects:
            for thing, wrong in _unmet(condition, subject, scene):
                words = _words(condition, thing, wrong, scene)
                clause = clause_text(condition.cite)
                faults.append(ActFault(clause, words, is_fact=True, is_noted=condition.is_noted))
    return list(dict.fromkeys(faults)) if faults else faults


def is_met(condition: Condition, subject: KnownThing, scene: Scene) -> bool:
    """Return whether a condition holds for a thing: `unmet_conditions` without its words, for many things at once."""
    return next(_unmet(condition, subject, scene), None) is None


def _unmet(condition: Condition, subject: _Subject, scene: Scene) -> Iterator[tuple[_Subject, str]]:
    """Yield what a condition does not hold for, with details of what is wrong."""
    is_always_asked, test = _test_of(condition)
    if test is None:
        return
    for thing in _about(condition, subject, scene) if condition.of else (subject,):
        if not is_always_asked and not _is_needed(condition, thing, subject, scene):
            continue
        if (wrong := test(condition, thing, subject, scene)) is not None:
            yield thing, wrong


def _words(condition: Condition, subject: _Subject, detail: str, scene: Scene) -> str:
    if subject is not None and subject.id == _NONE:
        return condition.says
    about = f"{scene.name_of(subject.kind, subject.id)}: " if subject else ""
    return f"{about}{condition.says}{f' ({detail})' if detail else ''}"


def _is_needed(condition: Condition, thing: _Subject, subject: _Subject, scene: Scene) -> bool:
    if thing is not None and (thing.id in condition.but_for or thing.id not in (condition.only_for or (thing.id,))):
        return False
    if condition.offered and not has_offer(scene.dealt_by(subject), condition.offered):
        return False
    if condition.when and not _is_so(condition.when, thing, subject, scene, ended=condition.ended):
        return False
    return not condition.unless or not _is_so(condition.unless, thing, subject, scene, ended=condition.ended)


def _is_so(word: str, thing: _Subject, subject: _Subject, scene: Scene, *, ended: str = "") -> bool:
    """Return whether a field or fact of this name is true, or an act of this name was done.

    FIELD.CHOICE asks whether that choice was made, THING.FACT for a fact of the thing that is named so.
    """
    field, _, choice = word.partition(".")
    if choice:
        named = _names_of(field, subject, scene)
        things = [thing for name in named if (thing := scene.state.thing(field, str(name)))]
        return choice in named or any(thing.facts.get(choice) for thing in things)
    known = [each for each in (thing, subject) if each is not None]
    if not is_asked(word, dict(scene.fields), known):
        return True
    about: list[KnownThing | None] = [*known] or [None]
    marks = ((scene.last_done(word, each), scene.last_done(ended, each)) for each in about)
    return any(mark is not None and (end is None or end.number < mark.number) for mark, end in marks)


def _key(subject: _Subject) -> str:
    return thing_key(subject.kind, subject.id) if subject else OFFICE


def _about(condition: Condition, subject: _Subject, scene: Scene) -> Iterable[KnownThing | None]:
    """Return the things or people that a condition names by its `of`; an unknown thing has no facts."""
    words = (condition.of,) if isinstance(condition.of, str) else condition.of
    names = [str(name) for word in words for name in _names_of(word, subject, scene)]
    unknown = [KnownThing(condition.kind, _NONE, "unknown", {}, "")]
    found = [
        scene.state.thing(condition.kind, name) or KnownThing(condition.kind, name, "unknown", {}, "") for name in names
    ]
    return found or unknown


@kept_with_page
def _test_of(condition: Condition) -> tuple[bool, _Test | None]:
    """Return whether a condition is asked for whatever the thing, the act and the house are, and the test it is.

    A test returns details of what is wrong, or None if the condition holds.
    """
    said = (condition.but_for, condition.only_for, condition.offered, condition.when, condition.unless)
    if condition.each:
        return not any(said), record_fault
    return not any(said), next((test for name, test in TESTS.items() if getattr(condition, name)), None)


def _test_done(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    state, key = scene.state, _key(thing)
    mark = scene.last_done(condition.done, thing)
    since = scene.last_done(condition.since, thing)
    if condition.lapsed and has_lapsed(scene.rules, state, condition.lapsed, key, scene.at, since=since):
        return None
    if mark is None:
        return ""
    for later in (condition.undone, condition.since, condition.again):
        after = scene.last_done(later, thing)
        if after is not None and after.number > mark.number:
            return ""
    return _not_before(condition, mark, scene)


def _not_before(condition: Condition, mark: DoneMark, scene: Scene) -> str | None:
    """Return that an act was done only after the moment that a field says, by the minute; None if it was not."""
    said, facility = str(scene.fields.get(condition.before) or ""), scene.state.facility
    if not said or facility is None or facility.minute(mark.occurred) <= facility.minute(said):
        return None
    return f"only {facility.minute(mark.occurred)}, after {facility.minute(said)}"


def _never(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    if condition.linked and thing is not None and scene.state.marks.get(condition.never):
        others = (scene.state.thing(thing.kind, name) for name in same_patrons(scene.state, thing.id))
        found = [known for known in others if known and _is_done_of(condition, known, scene)]
        return None if not found else ", ".join(known.id for known in found if known.id != thing.id)
    return "" if _is_done_of(condition, thing, scene) else None


def _is_done_of(condition: Condition, thing: _Subject, scene: Scene) -> bool:
    """Return whether an act that must never have been was done to a thing, and neither undone nor over since."""
    mark, since = scene.last_done(condition.never, thing), scene.last_done(condition.undone, thing)
    if mark is None or (since is not None and since.number > mark.number):
        return False
    last_day = str(thing.facts.get(condition.lapses) or "") if thing and condition.lapses else ""
    return not last_day or date.fromisoformat(last_day) >= scene.today


def _ahead(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    rules, state, clock = scene.rules, scene.state, condition.ahead
    if not condition.planned:
        since = scene.last_done(condition.undone, thing)
        return notice_fault(rules, state, clock, _key(thing), scene.first or scene.occurred, since=since) or None
    day = scene.fields.get(condition.planned) or (thing.facts.get(condition.planned) if thing else None)
    if not day or state.facility is None:
        return ""
    planned = state.facility.moment(date.fromisoformat(day), "00:00")
    return told_late(rules, state, clock, scene.occurred, planned) or None


def _clock(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    running = running_clock(scene.rules, scene.state, condition.clock, _key(thing), scene.in_time or scene.at)
    facility = scene.state.facility
    if running is None or running.status not in {"overdue", "late"} or facility is None:
        return None
    return f"since {facility.local(running.due):%Y-%m-%d %H:%M}"


def _fewer(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    limit = scene.state.values.get(condition.fewer)
    kind = condition.kind or (thing.kind if thing else "")
    here = [known for known in _of_kind(kind, condition, scene) if thing is None or known.id != thing.id]
    if limit is None:
        return f"{condition.fewer.replace('_', ' ')} is not set"
    return None if len(here) < limit else f"{len(here)} of {limit}"


def _of_kind(kind: str, condition: Condition, scene: Scene) -> list[KnownThing]:
    """Return the things of a kind that a condition is compared with: those in its states, or those that are open."""
    here = scene.state.of_kind(kind, condition.state)
    return [known for known in here if scene.state.is_open(known.id)] if condition.is_open else here


def _sole(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    words = (condition.sole,) if isinstance(condition.sole, str) else condition.sole
    alike = {word for word in words if thing and facts_alike(scene.rules, thing.kind, word)}

    def read(word: str, names: Iterable[Any]) -> set[Any]:
        return {read_alike(name) for name in names} if word in alike else {*names}

    mine = {name for word in words for name in read(word, _names_of(word, thing, scene))}
    mine |= {same for name in mine for same in same_patrons(scene.state, str(name))} if condition.linked else set()
    others = [] if thing is None or not mine else _of_kind(thing.kind, condition, scene)
    found = [
        other.id
        for other in others
        if thing and other.id != thing.id
        if any(not mine.isdisjoint(read(word, listed_names(other.facts.get(word)))) for word in words)
    ]
    return ", ".join(found) or None


def _names_of(word: str, thing: _Subject, scene: Scene) -> list[Any]:
    """Return what a field, or else a fact of a thing, names: one or several; THING.FACT asks the thing named so."""
    kind, _, fact = word.partition(".")
    if fact:
        named = [scene.state.thing(kind, str(name)) for name in _names_of(kind, thing, scene)]
        return [name for known in named if known for name in listed_names(known.facts.get(fact))]
    return listed_names(scene.fields.get(word) or (thing.facts.get(word) if thing else None))


def _has(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    here = scene.state.of_kind(condition.kind, condition.state)
    count = sum(thing is not None and thing.id in listed_names(known.facts.get(condition.has)) for known in here)
    if condition.most is not None:
        return None if count <= condition.most else f"{count}, at most {condition.most}"
    return None if count >= condition.least else f"{count} of {condition.least}"


def _state(condition: Condition, thing: _Subject, _subject: _Subject, _scene: Scene) -> str | None:
    if thing is not None and thing.state in condition.state:
        return None
    return f"is {thing.state.replace('_', ' ')}" if thing else "unknown"


def _fact(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    known = thing.facts.get(condition.fact) if thing is not None else None
    if condition.word:
        known = scene.fields.get(condition.fact, known)
        return None if str(known).strip().casefold() == condition.word else f"not {known}"
    return None if known else ""


def _test_cleared(condition: Condition, thing: _Subject, _subject: _Subject, _scene: Scene) -> str | None:
    left = thing.facts.get(condition.cleared) if thing is not None else None
    return ", ".join(map(str, left)) if left else None


def _same(condition: Condition, thing: _Subject, subject: _Subject, scene: Scene) -> str | None:
    theirs, ours = condition.same[0], condition.same[-1]
    if len(condition.same) > _PAIR:
        listed = listed_names(thing.facts.get(theirs) if thing else None)
        named = {name for word in condition.same[1:] for name in _names_of(word, subject, scene)}
        return None if listed and {*listed} == named else ""
    wanted = scene.fields.get(ours) or (
        subject.facts.get(ours) or (subject.id if ours == "id" else None) if subject else None
    )
    found = thing.facts.get(theirs) if thing else None
    return None if found is not None and found == wanted else ""


def _value(condition: Condition, _thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    return None if condition.value in scene.state.values else ""


def _on_duty(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    area = thing.facts.get("area") if thing else None
    for person in scene.state.of_kind("person", ["on_duty"]):
        known = scene.who(person.id)
        is_there = area is None or person.facts.get("area") == area
        if is_there and known and scene.rules.is_of(condition.on_duty, known, scene.state):
            return None
    return ""


def _valid(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    return "" if scene.is_over(thing, condition.valid) else None


def _test_held(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    if not scene.state.pending:
        return None
    waiting = (pending.done for pending in scene.state.pending.values())
    held = (condition.held,) if isinstance(condition.held, str) else condition.held
    others = (done for done in waiting if done.act in held and done.fields is not scene.fields)  # not that being signed
    is_waiting = any(thing.id in done.things if thing else not done.things for done in others)
    return "" if is_waiting else None


def _paper(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    missing = scene.sheet(condition.paper, thing).missing
    return f"missing: {', '.join(f'{part.name} [{part.clause}]' for part in missing)}" if missing else None


def _test_printed(condition: Condition, thing: _Subject, subject: _Subject, scene: Scene) -> str | None:
    shown = thing.facts.get(condition.printed) if thing else None
    if not shown:
        return ""
    if condition.state and thing is not None and thing.state not in condition.state:
        return f"is {thing.state.replace('_', ' ')}"
    house = _house_of(subject, scene) if condition.as_dealt else ""
    if condition.as_dealt and not house:
        return ""
    is_same = shown == scene.sheet(condition.printed, thing, house=house).digest
    return None if is_same else "it shows other rules than those in force"


def _house_of(subject: _Subject, scene: Scene) -> str:
    """Return the house that the thing of an act or gate is dealt by."""
    return str(scene.fields.get(HOUSE) or (subject.facts.get(HOUSE, "") if subject else ""))


def _test_listed(condition: Condition, thing: _Subject, subject: _Subject, scene: Scene) -> str | None:
    kind, _, fact = condition.listed.partition(".")
    named = scene.fields.get(kind) or (subject.facts.get(kind) if subject else None)
    lister = scene.state.thing(kind, str(named)) if named else None
    return None if lister and thing and thing.id in listed_names(lister.facts.get(fact)) else ""


def _test_stocked(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    held = scene.state.stocks.get(condition.stocked, {}).get(_key(thing), {})
    wanted = condition.most is None  # or there must be none
    return None if any(count > 0 for count in held.values()) == wanted else ""


def _approval(condition: Condition, _thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    return None if scene.around.approvals(condition.approval) else ""


def _test_unlike(condition: Condition, _thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    name = str(scene.fields.get(condition.unlike) or "")
    alike = (out for out in exclusions(scene.state, scene.today) if name and are_alike(out.name, name))
    return ", ".join(dict.fromkeys(f"{out.name}, patron {out.patron}" for out in alike)) or None


def _test_scheduled(condition: Condition, _thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    times, facility = scene.state.values.get(condition.scheduled), scene.state.facility
    if not times or facility is None:
        return f"{condition.scheduled.replace('_', ' ')} are not set"
    at = scene.slip.occurred if scene.slip and not scene.slip.is_disputed else scene.occurred
    if is_scheduled(at, times, facility):
        return None
    return f"{facility.local(at):%H:%M}, not {', '.join(times)}"


def _bars(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    person = scene.who(thing.id) if thing else None
    return "" if person and scene.rules.has_role(condition.bars, person, scene.state) else None


def _test_settled(condition: Condition, thing: _Subject, _subject: _Subject, scene: Scene) -> str | None:
    facility = scene.state.facility
    try:
        day = date.fromisoformat(thing.id) if thing else None
    except ValueError:
        day = None
    is_written = day is not None and thing is not None and day.isoformat() == thing.id and day < date.max
    if day is None or facility is None or not is_written:
        return "" if condition.settled == "over" else None
    found = unsettled_of_day(condition.settled, day, scene.state, facility, scene.at)
    return ", ".join(found[:_LISTED_MAX] + ["..."] * (len(found) > _LISTED_MAX)) or None


_LISTED_MAX = 12
_PAIR = 2

TESTS: dict[str, _Test] = {
    "done": _test_done,
    "never": _never,
    "ahead": _ahead,
    "clock": _clock,
    "fewer": _fewer,
    "sole": _sole,
    "has": _has,
    "printed": _test_printed,
    "state": _state,
    "fact": _fact,
    "same": _same,
    "value": _value,
    "on_duty": _on_duty,
    "valid": _valid,
    "held": _test_held,
    "paper": _paper,
    "listed": _test_listed,
    "stocked": _test_stocked,
    "approval": _approval,
    "apart": apart_fault,
    "among": crew_fault,
    "cashless": open_cash_fault,
    "unlike": _test_unlike,
    "carries": holder_fault,
    "uninvolved": involved_fault,
    "own": other_person_fault,
    "scheduled": _test_scheduled,
    "bars": _bars,
    "settled": _test_settled,
    "cleared": _test_cleared,
}
"""The tests that a condition can be; the first key that it has decides, so those before `state` may name states."""

"""From when an act counts that is recorded later than it happened.

What the house itself does or permits counts from its entry in the log. What happened outside counts from the date of
its document, if it is recorded within the time that its page allows. Even then it cannot count from before the thing
that it is about was on record, nor from before the act that it answers. Recorded later, it is marked as late and a
second person signs it. Whatever the house owes because of it runs from the earliest moment that anybody recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.deadlines import deadline
from passline.acts.calendar.facility import Facility, minute_of
from passline.acts.clocks import clocks_going_on, running_clock
from passline.acts.judges.act_plans import ActPlan
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.marks import ActMoments, DoneMark
from passline.acts.rules import TOLD_LATE, ActRules
from passline.acts.schema import Act, Telling
from passline.acts.state import CASH_REACHED, INCIDENT_OPENED, OFFICE, ActState, thing_key
from passline.rules.schema import clause_text

_FORM = "form"
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_MOMENTS_MAX = 1_024  # that are known to be some or none: many acts of a minute are told as of now
_FIRST_YEAR = 1900  # nobody remembers more, and calendars of zones end


class TellingVerdict(Struct, frozen=True):
    """The verdict on recording an act as of an earlier moment: from when it counts, and what is wrong with it."""

    moments: ActMoments | None = None  # None: from its entry, or as it was said where no page asks
    faults: tuple[ActFault, ...] = ()
    incidents: tuple[ActFault, ...] = ()  # what it is recorded with, being late
    waits: tuple[str, ...] = ()  # who signs it besides


_AS_SAID = TellingVerdict()


class _Earlier(Struct, frozen=True):
    """Something that was there before an act can have happened."""

    mark: DoneMark
    words: str
    clause: str


def judge_telling(
    scene: Scene, command: c.DoAct, plan: ActPlan, things: Sequence[str], occurred: str
) -> TellingVerdict:
    """Judge an act's stated moment, `occurred`, and the day on which its paper came."""
    act, telling, facility = plan.act, plan.telling, scene.state.facility
    if telling is None or facility is None or (plan.is_prompt and occurred == scene.at and _is_moment(occurred)):
        return _AS_SAID
    came, faults = _day_of_paper(command, scene.at, facility) if act.on_paper else (None, ())
    if not _is_moment(occurred):
        faults = (*faults, ActFault(_FORM, f"occurred: {occurred!r} is not a moment such as {scene.at}"))
    if faults:
        return TellingVerdict(faults=faults)
    subjects = [thing_key(act.thing, thing) for thing in things] or [OFFICE]
    first = min(occurred, facility.moment(came, "00:00")) if came and came < facility.today(scene.at) else occurred
    if act.unlogged and first == scene.at:
        return TellingVerdict(faults=(ActFault(_FORM, f"occurred: is missing: say when it began: {act.name}"),))
    if first == scene.at:
        return _at_once(scene, command.act, subjects)
    earlier = list(_earlier_acts(scene, command.act, act, subjects))
    faults = (
        *_chosen_faults(scene, act, telling, occurred),
        *_floor_faults(scene, act, earlier, occurred, came),
    )
    is_late = telling.within is None or scene.at >= deadline(first, telling.within, facility)
    is_late = is_late or (act.unlogged and is_before_newest(scene.state, first))
    is_on_paper = telling.counts == "document" and _has_document(command, act)
    frees, meets = scene.at, scene.at
    if is_on_paper and not is_late and _has_answered(scene, act, subjects):
        frees = min(scene.at, max(occurred, *(before.mark.frees for before in earlier), scene.state.begun))
    if is_on_paper and (not is_late or telling.second):
        meets = occurred
    owed = _owed_before(scene, command.act, subjects, first)
    moments = ActMoments(_first_owed(scene, command.act, subjects, first), meets, frees, is_late, owed)
    if scene.slip is not None:  # two people sign all that is told after an outage, and one incident is about it
        return TellingVerdict(moments, faults)
    return TellingVerdict(
        moments,
        faults,
        tuple(_late_incidents(act, telling, facility, first, scene.at)) if is_late else (),
        (TOLD_LATE,) if is_late and telling.second else (),
    )


def is_before_newest(state: ActState, moment: str) -> bool:
    """Return whether something was recorded in a later minute than that of a moment."""
    return minute_of(moment) < minute_of(state.newest)


def scene_at(  # noqa: PLR0917 - each of it
    scene: Scene, telling: Telling | None, moments: ActMoments | None, occurred: str, fields: Mapping[str, Any], by: str
) -> Scene:
    """Return the scene with the moments from which an act counts, its fields and who does it."""
    if moments is None:
        return replace(scene, occurred=occurred, fields=fields, by=by)
    in_time = moments.first if telling is not None and telling.counts == "document" else ""
    return replace(scene, occurred=moments.frees, first=moments.first, in_time=in_time, fields=fields, by=by)


def _at_once(scene: Scene, act: str, subjects: Sequence[str]) -> TellingVerdict:
    """Return from when an act counts that is recorded as it happens: what has been owed since before stays so."""
    if not scene.rules.begins_clocks(act) or _begins_first(scene, act, subjects):
        return _AS_SAID
    first, owed = _first_owed(scene, act, subjects, scene.at), _owed_before(scene, act, subjects, scene.at)
    if first == scene.at and not owed:
        return _AS_SAID
    return TellingVerdict(ActMoments(first, scene.at, scene.at, owed=owed))


def _begins_first(scene: Scene, act: str, subjects: Sequence[str]) -> bool:
    """Return whether an act begins clocks for the first time that run only for what it was done to."""
    marks = scene.state.marks.get(act, {})
    return scene.rules.has_own_clocks(act) and not any(subject in marks for subject in subjects)


@lru_cache(_MOMENTS_MAX)
def _is_moment(text: str) -> bool:
    """Return whether a text is a moment as entries write it: others are not compared with them rightly."""
    try:
        return _MOMENT.fullmatch(text) is not None and datetime.fromisoformat(text).year >= _FIRST_YEAR
    except ValueError:
        return False


def _day_of_paper(command: c.DoAct, at: str, facility: Facility) -> tuple[date | None, tuple[ActFault, ...]]:
    """Return the day on which the paper of an act came, and what is wrong with it."""
    if not (came := command.paper.get("received", "").strip()):
        return None, ()
    try:
        day = date.fromisoformat(came)
    except ValueError:
        return None, (ActFault(_FORM, f"received: {came[:40]!r} is not a day such as {facility.today(at)}"),)
    if day > facility.today(at):
        return None, (ActFault(_FORM, f"received: {day} is still to come: it is {facility.today(at)}"),)
    return day, ()


def _chosen_faults(scene: Scene, act: Act, telling: Telling, occurred: str) -> Iterator[ActFault]:
    """Yield that a moment was chosen for what counts from its own entry, and is no fact that has happened."""
    if occurred < scene.at and telling.counts == "entry" and telling.within is None and not act.is_fact:
        why = f"{act.name} counts from its own entry, now: leave out when it occurred"
        yield ActFault(clause_text(act.cite), why)


def _floor_faults(
    scene: Scene, act: Act, earlier: Sequence[_Earlier], occurred: str, came: date | None
) -> Iterator[ActFault]:
    """Yield what was not there yet at the moment as of which an act is told."""
    facility = scene.state.facility
    assert facility is not None
    for before in earlier:
        moment = facility.local(before.mark.first)
        if occurred < before.mark.first:
            told = f"{facility.local(occurred):%Y-%m-%d %H:%M}"
        elif came and came < moment.date():
            told = f"{came}"
        else:
            continue
        why = f"{act.name}: told as of {told}, before {before.words} ({moment:%Y-%m-%d %H:%M})"
        yield ActFault(before.clause, why)


def _earlier_acts(scene: Scene, name: str, act: Act, subjects: Sequence[str]) -> Iterator[_Earlier]:
    """Yield what made the things of an act and what it answers: it cannot have happened before them."""
    pages, state = scene.rules.pages, scene.state
    clause = clause_text(act.cite)
    for subject in subjects:
        making = [key for key, other in pages.acts.items() if other.new and other.thing == act.thing and act.thing]
        for key in (*making, INCIDENT_OPENED, CASH_REACHED):
            if mark := state.mark(key, subject):
                yield _Earlier(mark, f"{_thing_words(scene, subject)} was on record", clause)
        for clock in pages.clocks.values():
            if clock.runs == "after" and name in clock.met and (mark := state.mark(clock.starts, subject)):
                yield _Earlier(mark, _done_words(scene.rules, clock.starts), clause_text(clock.cite))
        answered = [*act.answers, *(need.done for need in act.needs.values() if need.done and not need.of)]
        answered.append(_entered_by(state, scene.rules, act, subject))
        for key in answered:
            if mark := state.mark(key, subject):
                yield _Earlier(mark, _done_words(scene.rules, key), clause)


def _entered_by(state: ActState, rules: ActRules, act: Act, subject: str) -> str:
    """Return the act that brought a thing into the one state in which an act is done to it."""
    if len(act.states) != 1:
        return ""
    leading = [key for key, other in rules.pages.acts.items() if other.to in act.states and other.thing == act.thing]
    marks = {key: mark for key in leading if (mark := state.mark(key, subject))}
    return max(marks, key=lambda key: marks[key].number, default="")


def _has_answered(scene: Scene, act: Act, subjects: Sequence[str]) -> bool:
    """Return whether everything that an act answers is on record."""
    return all(scene.state.mark(key, subject) for key in act.answers for subject in subjects)


def _first_owed(scene: Scene, name: str, subjects: Sequence[str], first: str) -> str:
    """Return the earliest moment that was told of something owed: doing again what began it gives no more time."""
    if not (clocks := scene.rules.clocks_begun(name)):
        return first
    running = (
        running_clock(scene.rules, scene.state, key, subject, scene.at) for key in clocks for subject in subjects
    )
    return min([first, *(clock.begun for clock in running if clock and clock.status in {"due", "overdue"})])


def _owed_before(scene: Scene, name: str, subjects: Sequence[str], first: str) -> dict[str, str]:
    """Return which clocks of which things count from an earlier moment than an act that begins them again."""
    if not scene.rules.clocks_going_on(name):
        return {}
    return {
        f"{clock}|{subject}": since
        for subject in subjects
        for clock, since in clocks_going_on(scene.rules, scene.state, name, subject, scene.at).items()
        if since < first
    }


def _has_document(command: c.DoAct, act: Act) -> bool:
    """Return whether an act names the document that says when it happened."""
    fields = (key for key, field in act.fields.items() if field.type == "document")
    return bool(command.paper.get("document", "").strip()) or any(command.fields.get(key) for key in fields)


def _late_incidents(act: Act, telling: Telling, facility: Facility, first: str, at: str) -> Iterator[ActFault]:
    """Yield the incident that telling an act late is, where its page says so."""
    if telling.incident:
        told = f"of {facility.local(first):%Y-%m-%d %H:%M} told {facility.local(at):%Y-%m-%d %H:%M}"
        yield ActFault(clause_text(telling.cite), f"{telling.incident}: {act.name}, {told}", is_fact=True)


def _thing_words(scene: Scene, subject: str) -> str:
    kind, _, name = subject.partition("/")
    return scene.name_of(kind, name)


def _done_words(rules: ActRules, act: str) -> str:
    rule = rules.act(act)
    return f"what it answers: {rule.name if rule else act.replace('_', ' ')}"

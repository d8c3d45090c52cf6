"""The clocks of an office at a moment: what is due, what is overdue, what was met and when.

A clock that frees the house (silence counts as approval, notice was given) runs from the entry in the log, or from a
dated document that was recorded in time. A clock by which the house owes something runs from the earliest moment that
anybody recorded for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.calendar.deadlines import Length, deadline, latest_notice
from passline.acts.calendar.shifts import scheduled_end, shift_served
from passline.acts.marks import DoneMark
from passline.acts.page_memo import kept_with_state
from passline.acts.rules import ActRules
from passline.acts.schema import Clock
from passline.acts.state import OFFICE, ActState, thing_key
from passline.rules.schema import clause_text


class Running(Struct, frozen=True):
    """A clock that runs, or has been met."""

    clock: str
    subject: str  # as kind/id; empty: the office
    begun: str
    counts_from: str  # the moment that its length counts from: `begun`, or the end of the shift that was served then
    due: str  # empty: nobody has said yet how long it runs
    met: str  # when; empty: not yet
    status: Literal["due", "overdue", "met", "late"]


class _Look(Struct, frozen=True):
    """A look at clocks: under which pages, at what and when, and which of them are left out."""

    rules: ActRules
    state: ActState
    at: str
    only: str | None = None  # the thing whose clocks are looked at; None: all
    is_owed: bool = False  # without those that were answered and do not come back


def length_of(rules: ActRules, clock: Clock, state: ActState) -> Length | None:
    """Return how long a clock runs: as set in the office, else as its text says, else by default; None: unknown."""
    value = state.values.get(clock.value) if clock.value else None
    if value:
        return Length(value["count"], value["unit"])
    known = rules.pages.values.get(clock.value)
    return clock.length or (known.default if known else None)


def clocks_at(rules: ActRules, state: ActState, at: str, *, is_owed: bool = False) -> list[Running]:
    """Return every clock at a moment, or only the unanswered ones: first those of unknown length, then the soonest."""
    if not is_owed:
        return _runs_in_order(_Look(rules, state, at))
    return [
        replace(run, status="overdue") if run.due and at >= run.due else run for run in _unanswered_clocks(rules, state)
    ]


@kept_with_state
def _unanswered_clocks(rules: ActRules, state: ActState) -> list[Running]:
    """Return the clocks that nobody has answered, before any is overdue.

    Found once for a state: hundreds of answered ones are passed over for each that is owed, and pages ask often.
    """
    return _runs_in_order(_Look(rules, state, at="", is_owed=True))


def _runs_in_order(look: _Look) -> list[Running]:
    clocks = look.rules.pages.clocks.items()
    found = [run for name, clock in clocks for run in _runs_of(look, name, clock)]
    return sorted(found, key=lambda run: (run.due, run.clock, run.subject))


def running_clock(rules: ActRules, state: ActState, name: str, subject: str, at: str) -> Running | None:
    """Return one clock of one thing, or None if it does not run."""
    return next(_runs_of(_Look(rules, state, at, subject), name, rules.pages.clocks[name]), None)


def clocks_going_on(rules: ActRules, state: ActState, act: str, subject: str, at: str) -> dict[str, str]:
    """Return the clocks of a thing that an act does not restart, each with the moment from which it counts.

    They are those whose page says that what is owed stays owed. A clock that is suspended by another act
    (`owed = "with_start"`) counts from where it first began.
    """
    look, found = _Look(rules, state, at, subject), {}
    for name in rules.clocks_going_on(act):
        clock = rules.pages.clocks[name]
        as_ever = replace(clock, unless="") if clock.owed == "with_start" else clock
        running = next(_runs_of(look, name, as_ever), None)
        if running is not None and running.status in {"due", "overdue"}:
            found[name] = running.counts_from
    return found


def has_lapsed(
    rules: ActRules, state: ActState, name: str, subject: str, at: str, *, since: DoneMark | None = None
) -> bool:
    """Return whether a clock has run out without an answer; one that began before `since` does not count."""
    running = running_clock(rules, state, name, subject, at)
    began = state.mark(rules.pages.clocks[name].starts, subject)
    is_older = since is not None and began is not None and began.number < since.number
    return running is not None and running.status == "overdue" and not is_older


def _runs_of(look: _Look, name: str, clock: Clock) -> Iterator[Running]:
    """Yield a clock of everything that it runs for, as far as it is looked at: where it is the office's, that."""
    rules, state = look.rules, look.state
    if clock.runs == "before" or state.facility is None:
        return
    if clock.elected and length_of(rules, clock, state) is None:
        return
    is_met_once = look.is_owed and clock.runs == "after"
    answers = [marks for act in clock.met if (marks := state.marks.get(act))] if is_met_once else []
    for subject, mark in _starts(clock, rules, state, look.only, answers).items():
        met = _answer_of(clock, state, subject, mark)
        if _has_ended(clock, state, subject, mark):
            continue
        if clock.already and _was_done_already(clock, state, subject, mark):
            continue
        begun = mark.frees if clock.ends == "deemed" else mark.owed_since(name, subject)
        last = _last(clock, state, subject, mark) if clock.runs == "every" else None
        if last is not None:
            begun, met = last.first, None
        if look.is_owed and met is not None:
            continue
        counts_from = _end_of_shift_served(clock, state, begun) if last is not None else begun
        due = _due(rules, clock, state, counts_from)
        yield Running(name, subject, begun, counts_from, due, met.meets if met else "", _status(due, met, look.at))


def _has_ended(clock: Clock, state: ActState, subject: str, begun: DoneMark) -> bool:
    """Return whether something was done with which a clock does not run any more, and nothing stays owed."""
    ended = state.mark(clock.unless, subject) if clock.unless else None
    if ended is None or ended.number <= begun.number:
        return False
    if clock.owed != "until_met":
        return True
    since = begun if clock.runs == "after" else ended  # what comes back is owed once more
    answers = (state.mark(act, subject) for act in clock.met)
    return any(mark is not None and mark.number > since.number for mark in answers)


def _end_of_shift_served(clock: Clock, state: ActState, met: str) -> str:
    """Return from when the length of a clock counts that comes back and was met at a moment."""
    times, facility = state.values.get(clock.times) if clock.times else None, state.facility
    return shift_served(met, times, facility) if times and facility else met


def _due(rules: ActRules, clock: Clock, state: ActState, counts_from: str) -> str:
    """Return when a clock ends whose length counts from a moment; empty: nobody has said yet."""
    length, facility = length_of(rules, clock, state), state.facility
    if length is None or facility is None:
        return ""
    if not clock.times:
        return deadline(counts_from, length, facility)
    times = state.values.get(clock.times)
    return scheduled_end(deadline(counts_from, length, facility), times, facility) if times else ""


def _status(due: str, met: DoneMark | None, at: str) -> Literal["due", "overdue", "met", "late"]:
    if met is not None:
        return "late" if due and met.meets >= due else "met"
    return "overdue" if due and at >= due else "due"


def _starts(
    clock: Clock, rules: ActRules, state: ActState, only: str | None, answers: Sequence[Mapping[str, DoneMark]]
) -> dict[str, DoneMark]:
    """Return by subject when a clock began that was not answered since; one that comes back ends with its thing."""
    marks = state.marks.get(clock.starts, {})
    act = rules.act(clock.starts)
    if clock.while_in:
        begun = _named_starts(clock, act.thing if act else "", state, only)
        return {subject: mark for subject, mark in begun.items() if not _is_answered(answers, subject, mark)}
    if clock.of == "office" or (act and not act.thing):
        kept = DoneMark(0, state.kept_at, state.kept_at, "") if clock.from_kept and state.kept_at else None
        mark = marks.get(OFFICE) or kept
        return {OFFICE: mark} if mark and not _is_answered(answers, OFFICE, mark) else {}
    found = {}
    for subject in marks if only is None else {only} & marks.keys():
        mark = marks[subject]
        if _is_answered(answers, subject, mark) or (known := state.things.get(subject)) is None:
            continue
        is_over = known.state in rules.pages.things[known.kind].final
        is_meant = not clock.breaks or clock.breaks in str(known.facts.get("clause")).split(", ")
        if is_meant and not (clock.runs == "every" and is_over):
            found[subject] = mark
    return found


def _is_answered(answers: Sequence[Mapping[str, DoneMark]], subject: str, begun: DoneMark) -> bool:
    """Return whether one of the acts that meet a clock was done to a thing since the clock began."""
    for marks in answers:  # hundreds of things are asked for: `any` would take twice as long
        mark = marks.get(subject)
        if mark is not None and mark.number > begun.number:
            return True
    return False


def _named_starts(clock: Clock, kind: str, state: ActState, only: str | None) -> dict[str, DoneMark]:
    """Return by subject when things came into the states in which a clock runs, by an act that another kind is of."""
    begun = state.marks.get(clock.starts, {})
    found = {}
    for known in state.of_kind(clock.of, clock.while_in) if begun else ():
        subject, mark = thing_key(known.kind, known.id), begun.get(thing_key(kind, str(known.facts.get(kind, ""))))
        number = int(known.facts.get("act") or 0)
        if only in {None, subject}:
            is_same = mark is not None and mark.number == number
            found[subject] = mark if mark is not None and is_same else DoneMark(number, known.since, known.since, "")
    return found


def _last(clock: Clock, state: ActState, subject: str, begun: DoneMark) -> DoneMark | None:
    """Return when a clock that comes back was met last: since it began, if it can end; else at any time."""
    marks = [mark for act in clock.met if (mark := state.mark(act, subject))]
    since = [mark for mark in marks if not clock.unless or mark.number > begun.number]
    return max(since, key=lambda mark: mark.number, default=None)


def _answer_of(clock: Clock, state: ActState, subject: str, begun: DoneMark) -> DoneMark | None:
    """Return the first of the acts that meet a clock which was done since it began."""
    marks = [mark for act in clock.met if (mark := state.mark(act, subject)) and mark.number > begun.number]
    return min(marks, key=lambda mark: mark.number, default=None)


def _was_done_already(clock: Clock, state: ActState, subject: str, begun: DoneMark) -> bool:
    """Return whether what a clock is about was done before it began, and nothing has undone it in between."""
    done, *undoing = (state.mark(act, subject) for act in clock.already)
    if done is None or done.number > begun.number:
        return False
    return not any(mark and done.number < mark.number < begun.number for mark in undoing)


def notice_fault(
    rules: ActRules, state: ActState, name: str, subject: str, planned: str, *, since: DoneMark | None = None
) -> str:
    """Return what is wrong with the notice that a clock asks for before something is done; empty: nothing.

    A notice that was given before `since` was for something earlier, and does not count.
    """
    marks = [mark for act in rules.pages.clocks[name].met if (mark := state.mark(act, subject))]
    marks = [mark for mark in marks if since is None or mark.number > since.number]
    return told_late(rules, state, name, max((mark.frees for mark in marks), default=""), planned)


def told_late(rules: ActRules, state: ActState, name: str, told: str, planned: str) -> str:
    """Return what is wrong with telling at a moment, or never, of what is done at another; empty: nothing."""
    clock = rules.pages.clocks[name]
    length, facility = length_of(rules, clock, state), state.facility
    to, clause = " and ".join(rules.group(group).body or group for group in clock.to), clause_text(clock.cite)
    if not told:
        return f"{to} was not told: {clause}"
    if length is None or facility is None:
        return "" if length is None and not clock.value else f"how long before is not set, {clock.value}: {clause}"
    latest = latest_notice(planned, length, facility)
    if told < latest:
        return ""
    return f"{to} was told {facility.local(told):%Y-%m-%d %H:%M}, less than {length} before: {clause}"

"""Random office histories with late and false telling, held against entry times and the bounds of the pages alone.

What frees somebody never ends earlier than by entries and bounds; what is owed never ends later than by the earliest
moment that was told; and an act told late meets a duty only if it is marked and two people signed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import count, islice, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.deadlines import latest_notice
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import Running, clocks_at, length_of, notice_fault
from passline.acts.rules import ActRules, office_of
from passline.acts.schema import Clock
from passline.acts.state import ActState, fold
from passline.store.timestamps import later
from tests.cases import budget
from tests.office.bookkeeping import KeptOffice
from tests.office.random_acts import random_history

_ACTS = 300
_OFFSETS = (5 * 60, 50 * 60, 5 * 3600, 30 * 3600, 3 * 86_400, 9 * 86_400, 40 * 86_400)
_DOCUMENT, _FIELD_DOCUMENT = "d" * 64, "b" * 64
_MINUTE = len("2026-03-02T09:00")
_KINDS = {
    "arizona": (("house",), ("table", ""), ("tournament",), ("die", "store_visit", "vendor", "person"), ()),
    "colorado": (("house", "variation", "sign"), ("tournament",), ("table",), ()),
    "maryland": (("house", "layout", "measure"), ("table",), ()),
    "section2": (("house",), ("table",), ()),
}


@dataclass
class _Told:
    """An act as it was told: by its entry, what was said of it, and who signed."""

    act: str
    number: int
    subjects: tuple[str, ...]
    entry: str
    occurred: str
    came: str
    has_document: bool
    is_marked: bool
    hands: set[str] = field(default_factory=set)
    is_done: bool = False
    newest: str = ""  # when the entry before it was written

    def first(self, facility: Facility) -> str:
        """The earliest moment that was told of it."""
        is_earlier = self.came and date.fromisoformat(self.came) < facility.today(self.entry)
        came = facility.moment(date.fromisoformat(self.came), "00:00") if is_earlier else self.entry
        return min(self.entry, self.occurred, came)

    def frees(self, rules: ActRules, facility: Facility) -> str:
        """From when it may free somebody at the earliest: its dated document in time, or its entry."""
        return self.occurred if self.has_document and not self.is_late(rules, facility) else self.entry

    def is_late(self, rules: ActRules, facility: Facility) -> bool:
        """Whether it was told after its bound, reckoned without the program's calendar."""
        told = rules.telling_of(rules.pages.acts[self.act])
        first = self.first(facility)
        if first == self.entry:
            return False
        if told is None or told.within is None:
            return True
        if rules.pages.acts[self.act].unlogged and first[:_MINUTE] < self.newest[:_MINUTE]:
            return True
        if told.within.unit == "hours":
            waited = datetime.fromisoformat(self.entry) - datetime.fromisoformat(first)
            return waited >= timedelta(hours=told.within.count)
        days = (facility.today(first) + timedelta(days=number) for number in count(1))
        worked = islice((day for day in days if facility.is_business_day(day)), told.within.count)
        return facility.today(self.entry) > max(worked)


def _tell(kept: KeptOffice, random: Random) -> tuple[str, dict[str, str]]:
    """Tell as it happens, or late, or falsely: any moment, any day of a paper, with a document or without."""
    occurred = "" if random.random() < 0.4 else later(kept.at, -random.choice(_OFFSETS))
    came = kept.at if random.random() < 0.6 else later(kept.at, -random.choice(_OFFSETS))
    document = f"{random.getrandbits(256):064x}" if random.random() < 0.9 else ""
    day = kept.facility.today(came).isoformat()
    return occurred, {"document": document, "reference": "letter 7", "received": day}


def _begin(kept: KeptOffice) -> None:
    """Have houses and things that clocks run for, and say how long what is done at once may take."""
    for key, value in kept.rules.pages.values.items():
        if value.type == "length":
            kept.send(c.SetValue(key=key, value={"count": 30, "unit": "hours"}, document=_DOCUMENT, reference="1",
                                 received="2026-01-01"), "owner1")  # fmt: skip
    flags = dict.fromkeys(("no_progressive", "no_betting_among_players", "no_call_bets"), True)
    for number in range(3):
        name, file = f"N{number}", {"rules": kept.rules.name}
        kept.send(c.DoAct(act="draft_house", things=(name,), fields={"file": file}), "compliance1")
        if "add_to_package" in kept.rules.pages.acts:
            papers = {
                key: _DOCUMENT
                for key, one in kept.rules.pages.acts["add_to_package"].fields.items()
                if one.type == "document" and key != "progressive_described"
            }
            package: dict[str, Any] = {**papers, **flags, "other_equipment": "none"}
            kept.does("compliance1", "add_to_package", name, **package)
        if "submit_house" in kept.rules.pages.acts:
            wanted = kept.rules.pages.acts["submit_house"].fields.items()
            sheets: dict[str, Any] = {
                key: kept.sheet(field.of[0], name).digest for key, field in wanted if field.type == "sheet"
            }
            kept.does("compliance1", "submit_house", name, **sheets)
        if "copy_house_to_sga" in kept.rules.pages.acts:
            kept.does("compliance1", "copy_house_to_sga", name)
        fields = {"area": "pit-1"} if "area" in kept.rules.pages.acts["register_table"].fields else {}
        kept.send(c.DoAct(act="register_table", things=(name,), fields=fields), "owner1")


def _holds(kept: KeptOffice) -> Counter[str]:
    """Hold what clocks say after every act against what was told and entered; return how often each was held."""
    seen, acts, state, newest = Counter[str](), dict[int, _Told](), ActState(), ""
    for done in kept.done:
        state = fold(state, done.at, done.events)
        for event in done.events:
            match event:
                case e.ActDone():
                    assert isinstance(done.ask.command, c.DoAct)
                    acts[event.number] = _act_as_told(kept.rules, event, done.ask.command, done.at, newest)
                    late = acts[event.number].is_late(kept.rules, kept.facility)
                    assert event.is_late == late, f"act {event.number} is not marked as it was told"
                    seen["late"] += late
                case e.ActSigned():
                    acts[event.number].hands.add(event.by)
                case e.ActCompleted():
                    acts[event.number].is_done = True
                case _:
                    pass
        newest = done.at
        if state.facility is not None and any(isinstance(event, e.ActCompleted) for event in done.events):
            seen.update(_Held(kept.rules, state, done.at, [act for act in acts.values() if act.is_done]).hold())
    return seen


def _act_as_told(rules: ActRules, done: e.ActDone, command: c.DoAct, at: str, newest: str) -> _Told:
    is_on_paper = rules.pages.acts[done.act].on_paper
    documents = {_DOCUMENT, _FIELD_DOCUMENT} & {value for value in done.fields.values() if isinstance(value, str)}
    return _Told(
        act=done.act,
        number=done.number,
        subjects=tuple(f"{done.kind}/{thing}" for thing in done.things) or ("",),
        entry=at,
        occurred=command.occurred or at,
        came=command.paper.get("received", "") if is_on_paper else "",
        has_document=is_on_paper and bool(command.paper.get("document") or documents),
        is_marked=done.is_late,
        hands={done.by},
        newest=newest,
    )


class _Held:
    """The clocks of an office at a moment, held against the acts that were done."""

    def __init__(self, rules: ActRules, state: ActState, at: str, acts: list[_Told]) -> None:
        assert state.facility is not None
        self.rules, self.state, self.at, self.acts, self.facility = rules, state, at, acts, state.facility

    def hold(self) -> Iterator[str]:
        """Hold every clock; yield in a word what each was held to."""
        for running in clocks_at(self.rules, self.state, self.at):
            clock = self.rules.pages.clocks[running.clock]
            if not self.rules.act(clock.starts):
                continue  # an incident or much cash begins it: by the server's own entry
            yield from self._frees(clock, running) if clock.ends == "deemed" else self._owes(clock, running)
            if running.status == "met" and running.due:
                yield self._is_met(clock, running)
        for name, clock in self.rules.pages.clocks.items():
            if clock.runs == "before":
                yield from self._gives_notice(name, clock)

    def _frees(self, clock: Clock, running: Running) -> Iterator[str]:
        made = [act.entry for act in self._of(("draft_house",), running.subject)]
        starts = [
            max([act.frees(self.rules, self.facility), *(min(first, act.entry) for first in made)])  # a clock set back
            for act in self._of((clock.starts,), running.subject)
        ]
        assert running.begun >= min(starts), f"{running} frees too early"
        yield "frees"

    def _owes(self, clock: Clock, running: Running) -> Iterator[str]:
        starts = list(self._of((clock.starts,), running.subject))
        if clock.runs == "after" and running.status in {"due", "overdue"}:
            kept = [] if clock.anew else starts
            owed = [act.first(self.facility) for act in kept if not self._is_over(clock, act, running.subject)]
            assert running.begun <= min(owed, default=running.begun), f"{running} is owed from too late on"
            yield "owes"
        elif clock.runs == "every" and starts:  # one that runs from the office's first day is held by nothing told
            met = [
                act
                for act in self._of(clock.met, running.subject)
                if not clock.unless or act.number > starts[-1].number
            ]
            last = max(met, key=lambda act: act.number, default=starts[-1])
            assert running.begun <= last.first(self.facility), f"{running} comes back too late"
            yield "comes back"

    def _is_met(self, clock: Clock, running: Running) -> str:
        acts = self._of(clock.met, running.subject)
        in_time = [
            act
            for act in acts
            if act.entry < running.due
            or (
                act.has_document
                and act.occurred < running.due
                and (not act.is_late(self.rules, self.facility) or (act.is_marked and len(act.hands) > 1))
            )
        ]
        assert in_time, f"{running} was met by nothing in time, or not by two"
        return "met"

    def _gives_notice(self, name: str, clock: Clock) -> Iterator[str]:
        length = length_of(self.rules, clock, self.state)
        for subject in {subject for act in self._of(clock.met, "") for subject in act.subjects} if length else ():
            if length and not notice_fault(self.rules, self.state, name, subject, self.at):
                given = [act.frees(self.rules, self.facility) for act in self._of(clock.met, subject)]
                assert min(given) < latest_notice(self.at, length, self.facility), f"{name}: {subject}: no notice"
                yield "notice"

    def _of(self, names: tuple[str, ...], subject: str) -> list[_Told]:
        return [act for act in self.acts if act.act in names and (not subject or subject in act.subjects)]

    def _is_over(self, clock: Clock, start: _Told, subject: str) -> bool:
        """Whether what began a clock was answered since, or made needless."""
        return any(act.number > start.number for act in self._of((*clock.met, clock.unless), subject))


@settings(max_examples=budget(2, in_sweep=6), deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize(
    "office", [pytest.param(name, marks=[pytest.mark.whole] * (name == "arizona")) for name in _KINDS]
)
def test_time_cannot_be_chosen(office: str, seed: int) -> None:
    random = Random(seed)
    kinds = random.choice(_KINDS[office])
    kept = random_history(office_of(office), random, _ACTS, kinds, begin=_begin, tell=_tell)
    _holds(kept)


@pytest.mark.whole
def test_random_telling_reaches_what_it_is_held_against() -> None:
    """The walks tell late, free, owe, give notice and meet duties: the property above is of something."""
    seen = Counter[str]()
    for seed, kinds in product(range(3), _KINDS["arizona"]):
        seen += _holds(random_history(office_of("arizona"), Random(seed), _ACTS, kinds, begin=_begin, tell=_tell))
    assert {"late", "frees", "owes", "comes back", "notice", "met"} <= {*seen}, seen

"""Every clock of every office, with what begins it told at once, late or falsely early, and then told again.

What is owed runs from the earliest moment that was told; what frees the house never from before its entry, but for a
dated document that was told in time; and telling again gives nobody more time.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.deadlines import deadline
from passline.acts.clocks import Running, running_clock
from passline.acts.rules import office_of
from passline.acts.schema import Clock
from passline.acts.state import KnownThing, thing_key
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bare import THING, BareOffice

_MINUTES, _HOURS, _DAYS, _MONTH = 1_800, 5 * 3_600, 4 * 86_400, 30 * 86_400
_AGO = (0, _MINUTES, _HOURS, _DAYS, _MONTH)
_CLOCKS = [
    (name, key)
    for name in ("arizona", "colorado", "maryland", "section2")
    for key, clock in office_of(name).pages.clocks.items()
    if clock.runs != "before"
    and (act := office_of(name).pages.acts.get(clock.starts))  # the others the server begins by itself
    and act.page != "outage"  # tests/office/test_outage.py
]


class _Case:
    """A clock of an office, and what begins and meets it."""

    def __init__(self, name: str, key: str) -> None:
        self.office = BareOffice(name)
        self.key = key
        self.clock: Clock = self.office.rules.pages.clocks[key]
        self.things = self.office.put(self.clock.starts)
        self.subject = ""

    def begin(self, ago: int) -> e.ActDone | None:
        """Tell what begins it; None: no other moment than now can be chosen for it."""
        answer = self.office.tells(self.clock.starts, self.things, ago=ago)
        if isinstance(answer, Refused):
            assert ago, answer
            assert "counts from its own entry" in str(answer), answer
            return None
        (done,) = [event for event in answer if isinstance(event, e.ActDone)]
        self.things = done.things
        is_of_office = self.clock.of == "office" or not done.things
        self.subject = "" if is_of_office else f"{done.kind}/{done.things[0]}"
        self.office.sign_all()
        if self.clock.while_in:
            self.subject = self._named(done)
        return done

    def _named(self, done: e.ActDone) -> str:
        """Have the thing in the state in which the clock runs: the fields of a bare office name none."""
        key = thing_key(self.clock.of, THING)
        facts = {done.kind: done.things[0], "act": done.number}
        named = KnownThing(self.clock.of, THING, self.clock.while_in[0], facts, done.occurred)
        self.office.state = replace(self.office.state, things={key: named} | dict(self.office.state.things))
        return key

    def running(self) -> Running:
        found = running_clock(self.office.rules, self.office.state, self.key, self.subject, self.office.at)
        assert found is not None
        return found


@pytest.mark.parametrize("ago", _AGO)
@pytest.mark.parametrize(("name", "key"), _CLOCKS, ids=[f"{name}-{key}" for name, key in _CLOCKS])
def test_a_clock_begins_no_later_than_was_told_and_frees_no_earlier_than_proven(name: str, key: str, ago: int) -> None:
    case = _Case(name, key)
    entry, told = case.office.at, later(case.office.at, -ago)
    done = case.begin(ago)
    if done is None:
        return
    begun = case.running().begun
    if case.clock.ends == "deemed":
        telling = case.office.rules.telling_of(case.office.rules.pages.acts[case.clock.starts])
        assert telling is not None
        assert telling.within is not None
        in_time = entry < deadline(told, telling.within, case.office.facility)
        assert begun == entry or (in_time and begun == told), "what it answers is not even on record"
        assert done.is_late == (not in_time)
        return
    assert begun <= told
    if ago >= _HOURS:
        assert done.moments is not None
        assert done.moments.is_late or case.office.rules.pages.acts[case.clock.starts].on_paper


@pytest.mark.parametrize(("name", "key"), _CLOCKS, ids=[f"{name}-{key}" for name, key in _CLOCKS])
def test_telling_again_gives_no_more_time(name: str, key: str) -> None:
    """Not told as of now, and not as of any moment since; and what is then told to have begun earlier, did."""
    case = _Case(name, key)
    case.begin(0)
    first = case.running()
    case.office.wait(_HOURS)
    if case.clock.anew or case.clock.starts in case.clock.met:
        return  # doing it again is what is owed, or begins something else
    if case.office.rules.pages.acts[case.clock.starts].new:
        case.things = first.subject.split("/")[1:2]  # type: ignore[assignment]
        return  # it is made once
    for ago in (0, _MINUTES):
        if case.begin(ago) is None:
            continue
        again = case.running()
        if case.clock.ends != "deemed":
            assert again.begun <= first.begun, "what was owed is owed from the first time on"
            assert again.due <= first.due


@pytest.mark.parametrize(("name", "key"), _CLOCKS, ids=[f"{name}-{key}" for name, key in _CLOCKS])
def test_a_duty_is_not_met_in_time_by_one_person_who_says_so_later(name: str, key: str) -> None:
    """What is told after the last day as of before it is late, unless two people and a document say so, marked."""
    case = _Case(name, key)
    if case.clock.runs == "every" or case.clock.ends == "deemed":
        return  # due again anyway; the answer to silence is the body's own
    case.begin(0)
    running = case.running()
    assert running.due
    case.office.at = later(running.due, 20 * 86_400)
    ago = 20 * 86_400 + 60
    acts = case.office.rules.pages.acts
    act = next((name for name in case.clock.met if acts[name].thing == case.clock.of), case.clock.met[0])
    things = (THING,) if case.clock.while_in else case.things if acts[act].thing else ()
    answer = case.office.tells(act, things, ago=ago)
    if isinstance(answer, Refused):
        assert "counts from its own entry" in str(answer)
        return
    (done,) = [event for event in answer if isinstance(event, e.ActDone)]
    assert done.is_late
    if case.office.state.pending:
        assert case.running().status == "overdue", "one person has said so"
    case.office.sign_all()
    telling = case.office.rules.telling_of(case.office.rules.pages.acts[act])
    assert telling is not None
    assert case.running().status == ("met" if telling.counts == "document" and telling.second else "late")


_IN_CIRCLES = [(name, key) for name, key in _CLOCKS if office_of(name).pages.clocks[key].unless]


@pytest.mark.parametrize(("name", "key"), _IN_CIRCLES, ids=[f"{name}-{key}" for name, key in _IN_CIRCLES])
def test_going_round_in_a_circle_gives_no_more_time(name: str, key: str) -> None:
    """What ends a clock and then what begins it: it goes on from where it began, or is still owed."""
    case = _Case(name, key)
    if not case.clock.owed:
        assert (name, key) in _BEGUN_ANEW, "closing and opening again, or the like, begins it anew: say why it may"
        return
    case.begin(0)
    first = case.running()
    for wait in (_MINUTES, _HOURS, _DAYS):
        case.office.wait(wait)
        case.office.tells(case.clock.unless, case.things)
        case.office.sign_all()
        case.office.wait(_MINUTES)
        case.begin(0)
        again = case.running()
        assert (again.counts_from, again.due) == (first.counts_from, first.due)
    case.office.tells(case.clock.met[0], case.things)
    case.office.sign_all()
    case.office.tells(case.clock.unless, case.things)
    case.office.tells(case.clock.met[0], case.things)
    case.office.sign_all()
    case.office.wait(_MINUTES)
    at = case.office.at
    case.begin(0)
    assert case.running().counts_from == at, "what was met begins anew"


_BEGUN_ANEW = {
    ("arizona", "supervision_reported"): "the report on a table that was closed stays owed: supervision_closed",
    ("colorado", "dice_age"): "other dice are supplied",
    ("section2", "dice_age"): "other dice are supplied",
    **dict.fromkeys(
        ((name, "counting_machine_tested") for name in ("arizona", "colorado", "maryland", "section2")),
        "no count relies on a machine that failed until it is tested again: acts.count_box.needs.machine_tested",
    ),
}


def test_of_several_dice_put_back_each_is_as_old_as_it_is() -> None:
    """AZ-II.L.2: an old die beside new ones in a cup makes those no older, and is made no younger by them."""
    office = BareOffice("arizona")
    kind = office.rules.pages.things["die"]
    dice = {f"die/{name}": KnownThing("die", name, kind.states[0], {}, office.at) for name in ("A1", "A2")}
    office.state = replace(office.state, things={**office.state.things, **dice})
    begun = office.at
    office.tells("place_dice", ("A1",))
    office.wait(_MINUTES)
    office.tells("return_dice", ("A1",))
    office.wait(_MINUTES)
    office.tells("place_dice", ("A1", "A2"))
    clocks = [
        running_clock(office.rules, office.state, "dice_retirement", f"die/{name}", office.at) for name in ("A1", "A2")
    ]
    assert [clock and clock.begun for clock in clocks] == [begun, office.at]

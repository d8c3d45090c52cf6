"""Clocks at their end: one second before, at it and after it, of every unit and of each kind that runs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from passline.acts.calendar.deadlines import Length, Unit, deadline, latest_notice
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import Running, clocks_at, has_lapsed, notice_fault, running_clock
from passline.acts.marks import DoneMark
from passline.acts.rules import ActRules
from passline.acts.schema import Act, ActPages, Clock, RoleGroup, Thing
from passline.acts.state import ActState, KnownThing

_DENVER = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
_PHOENIX = Facility(name="Desert", zone="America/Phoenix", subdivision="AZ")
_LENGTHS: tuple[tuple[int, Unit], ...] = (
    (90, "minutes"),
    (48, "hours"),
    (7, "days"),
    (5, "business_days"),
    (1, "months"),
    (1, "years"),
)
# The days before the clocks go forward and back, a month's end, a leap day, and the week of Thanksgiving.
_BEGINNINGS = (
    "2026-03-07T20:00:00.000000Z",
    "2026-10-31T20:00:00.000000Z",
    "2026-01-31T20:00:00.000000Z",
    "2028-02-29T20:00:00.000000Z",
    "2026-11-24T20:00:00.000000Z",
)

each_length = pytest.mark.parametrize("length", [Length(*one) for one in _LENGTHS], ids=str)
each_beginning = pytest.mark.parametrize("begun", _BEGINNINGS)
each_facility = pytest.mark.parametrize("facility", [_DENVER, _PHOENIX], ids=lambda one: one.zone)


def _later(at: str, seconds: int) -> str:
    return f"{(datetime.fromisoformat(at) + timedelta(seconds=seconds)).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def _rules(**clock: Any) -> ActRules:  # noqa: ANN401 - of any key
    def act(name: str, thing: str = "") -> Act:
        return Act(name=name, page="p", by=("clerk",), thing=thing, cite="X")

    return ActRules(
        "nowhere",
        "",
        ActPages(
            roles={"clerk": RoleGroup(roles=("owner",), cite="X"), "body": RoleGroup(body="Board", cite="X")},
            things={"case": Thing(name="case", states=("open", "over"), final=("over",), cite="X")},
            acts={
                "begin": act("Begin"),
                "answer": act("Answer"),
                "stop": act("Stop"),
                "take_up": act("Take up", "case"),
            },
            clocks={"c": Clock(name="C", owes="clerk", to=("body",), cite="X-1", **clock)},
        ),
    )


def _state(facility: Facility, *marks: tuple[str, str], subject: str = "") -> ActState:
    """The office after acts at moments, in this order."""
    found: dict[str, dict[str, DoneMark]] = {}
    for number, (act, at) in enumerate(marks, start=1):
        found.setdefault(act, {})[subject] = DoneMark(number, at, at, "olga")
    return ActState(facility=facility, marks=found)


def _only(rules: ActRules, state: ActState, at: str) -> Running:
    (found,) = clocks_at(rules, state, at)
    return found


@each_facility
@each_beginning
@each_length
def test_an_answer_is_due_until_the_last_second_and_overdue_from_the_end_on(
    length: Length, begun: str, facility: Facility
) -> None:
    rules = _rules(runs="after", starts="begin", met=("answer",), length=length)
    due = deadline(begun, length, facility)
    state = _state(facility, ("begin", begun))
    assert [_only(rules, state, _later(due, by)).status for by in (-1, 0, 1)] == ["due", "overdue", "overdue"]
    assert [has_lapsed(rules, state, "c", "", _later(due, by)) for by in (-1, 0, 1)] == [False, True, True]
    answered = [_state(facility, ("begin", begun), ("answer", _later(due, by))) for by in (-1, 0, 1)]
    assert [_only(rules, one, _later(due, 9)).status for one in answered] == ["met", "late", "late"]


@each_facility
@each_beginning
@each_length
def test_what_comes_back_is_due_so_long_after_the_last_time(length: Length, begun: str, facility: Facility) -> None:
    rules = _rules(runs="every", starts="begin", met=("answer",), length=length)
    due = deadline(begun, length, facility)
    for marks in [
        (("begin", begun),),
        (("begin", _later(begun, -99)), ("answer", begun)),
        (("answer", begun), ("begin", _later(begun, 99))),  # what begins again does not put it off
    ]:
        state = _state(facility, *marks)
        found = [_only(rules, state, _later(due, by)) for by in (-1, 0, 1)]
        assert [one.status for one in found] == ["due", "overdue", "overdue"]
        assert {one.due for one in found} == {due}


@each_facility
@each_beginning
@each_length
def test_notice_is_given_before_it_is_too_late(length: Length, begun: str, facility: Facility) -> None:
    rules = _rules(runs="before", starts="begin", met=("answer",), length=length)
    latest = latest_notice(begun, length, facility)
    told = [_state(facility, ("answer", _later(latest, by))) for by in (-1, 0, 1)]
    faults = [notice_fault(rules, state, "c", "", begun) for state in told]
    assert [bool(one) for one in faults] == [False, True, True]
    assert f"less than {length} before: X-1" in faults[1]
    assert notice_fault(rules, _state(facility), "c", "", begun) == "Board was not told: X-1"
    assert not clocks_at(rules, told[0], begun)


def test_a_clock_stays_without_a_date_until_somebody_says_how_long() -> None:
    rules = _rules(runs="after", starts="begin", met=("answer",), value="promptly")
    state = _state(_DENVER, ("begin", _BEGINNINGS[0]))
    found = _only(rules, state, "2099-01-01T00:00:00.000000Z")
    assert (found.due, found.status) == ("", "due")
    told = ActState(facility=_DENVER, marks=state.marks, values={"promptly": {"count": 2, "unit": "hours"}})
    assert _only(rules, told, _BEGINNINGS[0]).due == _later(_BEGINNINGS[0], 7200)


def test_a_clock_begins_anew_and_ends_with_what_makes_it_needless() -> None:
    rules = _rules(runs="after", starts="begin", met=("answer",), length=Length(1, "hours"), unless="stop")
    first, second = _BEGINNINGS[0], _later(_BEGINNINGS[0], 3600)
    answered = _state(_DENVER, ("answer", first), ("begin", second))
    assert _only(rules, answered, second).status == "due"
    assert not clocks_at(rules, _state(_DENVER, ("begin", first), ("stop", second)), second)
    assert _only(rules, _state(_DENVER, ("stop", first), ("begin", second)), second).status == "due"


def test_a_clock_runs_for_each_thing_until_the_thing_has_ended() -> None:
    rules = _rules(runs="every", starts="take_up", met=("answer",), length=Length(1, "days"))
    at = _BEGINNINGS[0]
    marks = {"take_up": {f"case/{one}": DoneMark(1, at, at, "olga") for one in "AB"}}
    things = {
        f"case/{one}": KnownThing("case", one, state, {"clause": clause}, at)
        for one, state, clause in (("A", "open", "X-1, X-2"), ("B", "over", "X-3"))
    }
    state = ActState(facility=_DENVER, marks=marks, things=things)
    assert [one.subject for one in clocks_at(rules, state, at)] == ["case/A"]
    assert running_clock(rules, state, "c", "case/B", at) is None
    for clause, subjects in (("X-2", ["case/A"]), ("X-3", ["case/B"]), ("X", [])):
        meant = _rules(runs="after", starts="take_up", met=("answer",), length=Length(1, "days"), breaks=clause)
        assert [one.subject for one in clocks_at(meant, state, at)] == subjects

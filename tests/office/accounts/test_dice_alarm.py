"""Alarms about dice: kept roll by roll, noted once by the office, and proved from the log by verify."""

from __future__ import annotations

import pytest

from passline.dice import OUTCOMES
from passline.exact.dice_evidence import DiceEvidence
from passline.game.events import RollSettled
from passline.office.accounts.dice_sets import DiceSet, find_alarmed, find_dice_sets
from passline.office.accounts.dice_watch import DiceWatch, tables_with_new_dice
from passline.office.events import ActCompleted, Change
from passline.office.verify import house_faults
from passline.tables import commands as k
from passline.tables.events import TableEvent, TableOpened
from tests.office.accounts.watched import WatchedTable
from tests.tables.sitting import BOX, OWNER, STICK


def _roll(watched: WatchedTable, times: int, *, first: int = 6, second: int = 6, minutes: int = 0) -> None:
    for _ in range(times):
        watched.sitting.do(k.KeyDice(first=first, second=second), STICK)
        watched.sitting.wait(minutes)
    watched.write()


def _faults(watched: WatchedTable) -> list[str]:
    """What verify has to say of dice; who signed what is not the point here."""
    return [fault.what for fault in house_faults(watched.log.read()) if "dice set" in fault.what]


def _set(watched: WatchedTable) -> DiceSet:
    (one,) = find_dice_sets(watched.views(), watched.office.rules.name)
    return one


def test_evidence_is_kept_after_every_roll_and_a_correction_takes_the_place_of_one() -> None:
    watched = WatchedTable(is_keyed=False)
    _roll(watched, 5)
    _roll(watched, 1, first=1, second=2)
    watched.sitting.do(k.CorrectRoll(first=2, second=5, reason="misread"), BOX)
    _roll(watched, 1, first=3, second=3)
    known = _set(watched)
    expected = DiceEvidence()
    for first, second in [(6, 6)] * 5 + [(2, 5), (3, 3)]:
        expected = expected.after(first, second)
    assert known.evidence.counts == expected.counts
    assert known.evidence.logs == pytest.approx(expected.logs)
    assert [point.rolls for point in known.curve] == [1, 2, 3, 4, 5, 6, 7]
    assert known.curve[-1].log == pytest.approx(expected.log_value, abs=1e-6)
    assert (known.number, known.is_in_use, known.alarm) == (1, True, None)
    again = find_dice_sets(watched.views(batch=3), "section2")
    assert again == [known]


def test_a_set_alarms_when_it_comes_to_the_bound_and_another_set_begins_anew() -> None:
    watched = WatchedTable(is_keyed=False, one_in=50)
    _roll(watched, 40)
    (one,) = find_alarmed(watched.views(), "section2")
    alarm = one.alarm
    assert alarm is not None
    evidence = DiceEvidence()
    while evidence.rolls < alarm.rolls:
        assert evidence.value < 50
        evidence = evidence.after(6, 6)
    assert alarm.evidence == int(evidence.value) >= 50
    assert (alarm.sets, alarm.one_in) == (1, 50)
    watched.sitting.do(k.CloseTable(), OWNER)
    watched.sitting.do(k.OpenTable(name="Craps 1", house={"rules": "section2"}, dice="physical", is_keyed=False), OWNER)
    _roll(watched, 1)
    newest, oldest = find_dice_sets(watched.views(), "section2")
    assert [(newest.number, newest.is_in_use, newest.evidence.rolls, newest.alarm)] == [(2, True, 1, None)]
    assert (oldest.number, oldest.is_in_use, oldest.alarm) == (1, False, alarm)


def test_a_long_curve_is_thinned() -> None:
    watched = WatchedTable(is_keyed=False)
    _roll(watched, 300, first=3, second=4)
    known = _set(watched)
    assert (len(known.curve), known.stride, known.curve[-1].rolls) == (150, 2, 300)


def test_verify_knows_an_alarm_that_was_noted_and_finds_one_that_was_made_up() -> None:
    watched = WatchedTable(is_keyed=False, one_in=50)
    _roll(watched, 40)
    (one,) = find_alarmed(watched.views(), "section2")
    assert one.alarm is not None
    assert watched.note(one.alarm.rolls, one.alarm.evidence) == ""
    assert "nothing has changed" in watched.note(one.alarm.rolls, one.alarm.evidence)
    (incident,) = watched.office.state.of_kind("incident")
    assert incident.facts["clause"] == "practice"
    assert "dice set 1 of table craps-1" in incident.facts["why"]
    _roll(watched, 90, minutes=1)
    assert not _faults(watched)
    assert watched.note(200, 77, number=2) == ""
    (fault,) = _faults(watched)
    assert "notes 200 rolls and 77 to one of dice set 2 of table craps-1; the log has 0 rolls and 1 to one" in fault


def test_verify_finds_an_alarm_that_was_kept_back_but_not_a_killed_server() -> None:
    watched = WatchedTable(is_keyed=False, one_in=50)
    _roll(watched, 40)
    (one,) = find_alarmed(watched.views(), "section2")
    assert one.alarm is not None
    watched.sitting.wait(24 * 60)  # the server was down
    _roll(watched, 50, minutes=1)
    assert not _faults(watched)
    _roll(watched, 30, minutes=1)
    (fault,) = _faults(watched)
    assert f"came to {one.alarm.evidence} to one against fair dice at entry {one.alarm.sequence}" in fault
    assert "no incident was opened since" in fault


def test_an_office_that_is_not_set_up_owes_no_alarm_and_a_correction_takes_one_back() -> None:
    watched = WatchedTable(is_keyed=False, is_set_up=False)
    _roll(watched, 200, minutes=1)
    assert find_alarmed(watched.views(), "section2")
    assert not _faults(watched)
    again = WatchedTable(is_keyed=False, one_in=50)
    while not find_alarmed(again.views(), "section2"):
        _roll(again, 1)
    again.sitting.do(k.CorrectRoll(first=3, second=4, reason="misread"), BOX)
    assert not find_alarmed(again.views(), "section2")
    for roll in OUTCOMES * 3:
        _roll(again, 1, first=roll.first, second=roll.second, minutes=1)
    assert not _faults(again)


def test_dice_that_an_office_puts_into_the_cup_are_a_set_of_their_own() -> None:
    """Where no table records its sets, as in Arizona, the office's act begins one, and the opening goes on with it."""
    watch, place = DiceWatch(), {"rules": "arizona", "table": "craps-1"}
    opened = TableOpened("craps-1", "Craps 1", {"rules": "arizona"}, "physical", (), "", is_demo=False, rulebook="")
    rolled = RollSettled(6, 6, "")

    def take(*events: TableEvent) -> list[tuple[int, int]]:
        changed = watch.take(**place, sequence=1, at="", events=events, one_in=1000, current=lambda: None)
        return [(one.number, one.evidence.rolls) for one in changed]

    def placed(state: str) -> list[str]:
        changes = tuple(Change("die", serial, state, {"table": "craps-1"}) for serial in "ABCDE")
        return tables_with_new_dice([ActCompleted(7, changes)])

    assert take(opened) == [(1, 0)]
    assert watch.renew(**place, at="", current=lambda: None) == [], "they were not thrown yet"
    assert take(rolled) == [(1, 1)]
    assert (placed("in_play"), placed("removed")) == (["craps-1"], [])
    closed, fresh = watch.renew(**place, at="", current=lambda: None)
    assert [(one.number, one.is_in_use, one.evidence.rolls) for one in (closed, fresh)] == [(1, False, 1), (2, True, 0)]
    assert take(opened) == [(2, 0)], "the dice that were placed before the opening are those that it throws"
    assert take(rolled) == [(2, 1)]

"""Alarms about dice: kept roll by roll, noted once by the office, and proved from the log by verify."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest
from msgspec import Raw, json

from passline.acts.commands import NoteDice, NoteUnaccountedDice
from passline.acts.course import OFFICE_STREAM
from passline.acts.events import ActCompleted, ActDone, Change, DiceUnaccounted, IncidentOpened
from passline.acts.rules import OFFICE_RULES
from passline.bookkeeping.dice_check import DiceCheck
from passline.bookkeeping.dice_kept import find_alarmed, find_dice_sets, find_unaccounted
from passline.bookkeeping.dice_sets import DiceSet
from passline.dice import OUTCOMES
from passline.exact.dice_evidence import evidence_of
from passline.game.events import RollSettled
from passline.office.trial import TrialOffice
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.store.entry import Draft, Entry
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables.events import TableOpened
from passline.tables.views.dealt_by import Program
from tests.office.accounts.cups import rolls_until_alarm
from tests.office.accounts.watched import FACILITY, WatchedTable
from tests.tables.sitting import ANN, AT, BOB, BOX, OWNER, STICK


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
    expected = evidence_of([(6, 6)] * 5 + [(2, 5), (3, 3)])
    (line,) = known.lines
    assert line.names == ("set 1", f"craps-1 in {known.at[:7]}")
    assert line.evidence.counts == known.counts == expected.counts
    assert line.evidence.log_value == pytest.approx(expected.log_value)
    assert array("d", line.evidence.wagers) == pytest.approx(array("d", expected.wagers))
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
    assert evidence_of([(6, 6)] * (alarm.rolls - 1)).value < 50
    assert alarm.evidence == int(evidence_of([(6, 6)] * alarm.rolls).value) >= 50
    assert (alarm.sets, alarm.one_in) == (1, 50)
    watched.sitting.do(k.CloseTable(), OWNER)
    watched.sitting.do(k.OpenTable(name="Craps 1", house={"rules": "section2"}, dice="physical", is_keyed=False), OWNER)
    _roll(watched, 1)
    newest, oldest = find_dice_sets(watched.views(), "section2")
    assert [(newest.number, newest.is_in_use, newest.rolls, newest.alarm)] == [(2, True, 1, None)]
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
    fair = list(OUTCOMES * 3)
    Random(4).shuffle(fair)  # one after the other they would look as if a die kept its face
    for roll in fair:
        _roll(again, 1, first=roll.first, second=roll.second, minutes=1)
    assert not _faults(again)


def _entry(stream: str, sequence: int, at: str) -> Entry:
    told: dict[str, Any] = {
        "version": 1,
        "at": at,
        "actor": "",
        "role": "",
        "signed_by": "",
        "id": "",
        "hand": 0,
        "rules": "",
    }
    told |= {"sequence": sequence, "stream": stream, "command": {}, "events": []}
    return json.decode(json.encode(told), type=Entry)


def _noted_under(version: str, note: NoteDice | None) -> list[str]:
    """What verify says of a log that a program has served: 300 rolls that repeat a face, and perhaps an alarm."""
    trial = TrialOffice("section2", FACILITY, {"olga": "owner"})
    OFFICE_RULES.keep(trial.rules)
    check, at = DiceCheck(lambda _name: trial.state, lambda: Program(version)), AT
    opened = TableOpened("T", "T", {"rules": "section2"}, "physical", (), "", is_demo=False, rulebook="")
    chance, faults = Random(2), list(check.table_faults(_entry("table/T", 1, at), (opened,)))
    for sequence in range(2, 302):
        roll = RollSettled(1 + sequence // 6 % 6, chance.randint(1, 6), "")
        faults += check.table_faults(_entry("table/T", sequence, at := later(at, 60)), (roll,))
    if note is not None:
        faults += check.office_faults(_entry("office/section2", 302, at), "section2", note, ())
    return faults


def test_verify_goes_by_pairs_alone_where_an_older_program_has_served() -> None:
    """A die that stays on its face for six rolls is no fault of the pairs: a program until 0.2.0 owed no alarm."""
    for version in ("", "0.3.0"):
        (fault,) = _noted_under(version, None)
        assert "no incident was opened since" in fault
    assert not _noted_under("0.2.0", None)
    made_up = NoteDice(table="T", number=1, rolls=17, evidence=5_000, sets=1)
    (fault,) = _noted_under("0.2.0", made_up)
    assert "notes 17 rolls and 5000 to one" in fault
    assert "by the log it alarms after" in fault


def _thrown_after_taken_away(*, minutes: int, note: NoteUnaccountedDice | None = None) -> list[str]:
    """What verify says of dice that a table threw three times after the papers took them away, and after so long."""
    trial = TrialOffice("arizona", FACILITY, {"olga": "owner"})
    OFFICE_RULES.keep(trial.rules)
    check, faults = DiceCheck(lambda _name: trial.state), list[str]()
    house = {"rules": "arizona"}
    opened = TableOpened("T", "T", house, "physical", (), "", is_demo=False, rulebook="")
    roll, at = RollSettled(6, 5, ""), AT

    def entry(stream: str, sequence: int) -> Entry:
        return _entry(stream, sequence, at)

    def office(sequence: int, command: object, *changes: Change) -> None:
        done = [ActCompleted(7, changes)] if changes else []
        faults.extend(check.office_faults(entry("office/arizona", sequence), "arizona", command, done))

    office(1, None, *(Change("die", one, "in_play", {"table": "T"}) for one in "AB"))
    faults.extend(check.table_faults(entry("table/T", 2), (opened, roll)))
    office(3, None, *(Change("die", one, "in_cabinet", {}) for one in "AB"))
    for sequence in (4, 5, 6):
        faults.extend(check.table_faults(entry("table/T", sequence), (roll,)))
    if note is not None:
        office(7, note)
    for sequence in range(8, 8 + minutes):
        at = later(at, 60)
        office(sequence, None)
    return faults


def test_verify_finds_dice_that_were_thrown_after_they_were_taken_away_and_that_no_incident_names() -> None:
    (fault,) = _thrown_after_taken_away(minutes=100)
    assert fault == (
        "dice set 1 of table T was thrown after it was taken away on paper at entry 4, and no incident was opened since"
    )
    assert not _thrown_after_taken_away(minutes=50), "a server that was killed notes it later"
    note = NoteUnaccountedDice(table="T", number=1, dice=("A", "B"))
    assert not _thrown_after_taken_away(minutes=100, note=note)
    (fault,) = _thrown_after_taken_away(minutes=50, note=NoteUnaccountedDice(table="T", number=2, dice=("A", "B")))
    assert "notes dice set 2 of table T as thrown after it was taken away; the log shows none" in fault


def test_dice_that_are_thrown_after_they_were_taken_away_open_one_incident() -> None:
    watched = WatchedTable("arizona", is_keyed=False)
    note = NoteUnaccountedDice(table="craps-1", number=1, dice=("A", "B"))
    told = watched.office.send(note)
    assert not isinstance(told, Refused), str(told)
    unaccounted, incident = told
    assert unaccounted == DiceUnaccounted("craps-1", 1)
    assert isinstance(incident, IncidentOpened)
    assert "dice set 1 (A, B) were taken away on paper" in incident.why
    assert "nothing has changed" in str(watched.office.send(note))
    assert "nobody may give" in str(watched.office.send(note, "olga"))


def test_dice_without_numbers_are_known_by_their_table_until_an_alarm_was_told() -> None:
    """A table that closes and opens, or records a new set, has the evidence of its month beside that of the new set."""
    needed = rolls_until_alarm(50)
    house = {"rules": "section2"}
    watched = WatchedTable(is_keyed=False, one_in=50)
    _roll(watched, needed - 1)
    watched.sitting.do(k.CloseTable(), OWNER)
    watched.sitting.do(k.OpenTable(name="Craps 1", house=house, dice="physical", is_keyed=False), OWNER)
    newest, oldest = find_dice_sets(watched.views(), "section2")
    past = newest.of(f"craps-1 in {newest.at[:7]}")
    assert past is not None
    assert past.rolls == oldest.rolls == needed - 1
    assert newest.value == pytest.approx((1 + oldest.value) / 2), "of two parts one has no past"
    rolls = needed - 1
    while not find_alarmed(watched.views(), "section2"):
        _roll(watched, 1)
        rolls += 1
    (alarmed,) = find_alarmed(watched.views(batch=3), "section2")
    assert alarmed.number == 2
    assert alarmed.alarm is not None
    assert needed <= alarmed.alarm.rolls == rolls <= needed + 2
    assert watched.note(alarmed.alarm.rolls, alarmed.alarm.evidence, number=2) == ""
    assert not _faults(watched)


def test_maryland_sets_recorded_as_new_do_not_begin_the_evidence_of_a_table_anew() -> None:
    watched = WatchedTable("maryland", is_keyed=False, one_in=50)
    _roll(watched, 4)
    watched.sitting.do(k.PutInDice(), BOX)
    _roll(watched, 1)
    newest, oldest = find_dice_sets(watched.views(), "maryland")
    assert (newest.number, oldest.number) == (2, 1)
    assert [(line.names, line.evidence.rolls) for line in newest.lines] == [
        (("set 2",), 1),
        ((f"craps-1 in {newest.at[:7]}",), 5),
    ]


def test_verify_tells_that_evidence_was_begun_anew() -> None:
    """A server that forgot the first rolls notes an alarm after as many rolls as its own evidence has heard of."""
    watched = WatchedTable(is_keyed=False, one_in=50)
    needed = rolls_until_alarm(50)
    _roll(watched, 2 * needed)
    (one,) = find_alarmed(watched.views(), "section2")
    assert one.alarm is not None
    assert watched.note(needed + 1, one.alarm.evidence) == ""
    (fault,) = _faults(watched)
    assert f"notes {needed + 1} rolls" in fault
    assert f"by the log it alarms after {needed} rolls at {one.alarm.evidence} to one" in fault


def test_verify_compares_evidence_sets_and_serial_numbers_of_a_noted_alarm() -> None:
    wrong: dict[str, dict[str, Any]] = {
        "999 to one of dice set 1 of table craps-1 with 1 sets in use; the log has": {"evidence": 999},
        "with 2 sets in use; the log has": {"evidence": 999, "sets": 2},
        "as of dice A": {"dice": ("A",)},
    }
    for said, changes in wrong.items():
        watched = WatchedTable(is_keyed=False, one_in=50)
        _roll(watched, rolls_until_alarm(50))
        (one,) = find_alarmed(watched.views(), "section2")
        assert one.alarm is not None
        assert watched.note(one.alarm.rolls, **{"evidence": one.alarm.evidence, **changes}) == ""
        (fault,) = _faults(watched)
        assert said in fault


def _move(watched: WatchedTable, number: int, state: str, facts: dict[str, str]) -> None:
    """Have the office of a table write that two dice are somewhere else now."""
    at = watched.sitting.at
    act = ActDone(number + 1, "move", "die", ("A", "B"), {}, at, "sam", "Sam", "supervisor", (), "practice")
    done = ActCompleted(act.number, tuple(Change("die", serial, state, facts) for serial in act.things))
    draft = Draft(
        stream=OFFICE_STREAM + "arizona",
        expected=watched.written + number,
        at=at,
        actor=THE_HOUSE.account,
        role=THE_HOUSE.role,
        id=f"move {number}",
        command=Raw(b"{}"),
        events=Raw(json.encode([act, done])),
    )
    watched.log.append([draft])


def test_views_that_are_read_anew_after_every_entry_know_the_lot_and_the_same_evidence() -> None:
    watched = WatchedTable("arizona", is_keyed=False)
    table = watched.sitting.table.id
    for number, (state, facts) in enumerate((("stored", {}), ("in_play", {"table": table}))):
        _move(watched, number, state, facts)
    _roll(watched, 3)
    _roll(watched, 1, first=2, second=5)
    watched.sitting.do(k.CorrectRoll(first=6, second=5, reason="misread"), BOX)
    (one,) = find_dice_sets(watched.views(), "arizona")
    names = [name for line in (*one.lines, *one.pools) for name in line.names]
    assert names == ["A", "B", f"table {table} in {AT[:7]}", f"lot received {AT[:10]}"]
    expected = evidence_of([(6, 6)] * 3 + [(6, 5)])
    assert [line.evidence.counts for line in (*one.lines, *one.pools)] == [expected.counts] * (1 + len(one.pools))
    assert one.log_value == pytest.approx(expected.log_value)
    for batch in (1, 3):
        assert find_dice_sets(watched.views(batch=batch), "arizona") == [one]


def test_shooters_are_known_where_wagers_are_keyed_in_and_views_that_are_read_anew_know_the_same() -> None:
    watched = WatchedTable("maryland")
    sitting, turn = watched.sitting, ((2, 4), (5, 5), (5, 4), (3, 4))  # a point, and out
    for seat, who in ((1, ANN), (2, BOB)):
        sitting.sit(who, seat)
    for who in (ANN, BOB, ANN):
        sitting.wager(who, "pass", 10_00)
        sitting.shoot(who)
        for faces in turn:
            sitting.roll(*faces)
    sitting.do(k.CorrectRoll(first=3, second=3, reason="misread"), BOX)
    one = _set(watched)
    shooters = one.shooters
    assert (shooters.account, shooters.name, shooters.order, shooters.known) == ("ann", "Ann", 1, 2)
    assert shooters.evidence.counts == evidence_of([*turn, *turn[:3], (3, 3)]).counts
    assert one.rolls == 3 * len(turn)
    (shooter, share), (table, _) = one.shares[-1], one.shares[0]
    assert shooter.names == ("shooter Ann, number 1 at this table",)
    assert share == pytest.approx(1 / 8 / 2)
    assert table.names == ("set 1", f"craps-1 in {AT[:7]}")
    for batch in (1, 3):
        assert find_dice_sets(watched.views(batch=batch), "maryland") == [one]
    assert not _faults(watched)


def test_views_find_dice_that_were_thrown_after_they_were_taken_away() -> None:
    watched = WatchedTable("arizona", is_keyed=False)
    table = watched.sitting.table.id
    for number, (state, facts) in enumerate((("in_play", {"table": table}), ("in_cabinet", {}))):
        _move(watched, number, state, facts)
        assert not find_unaccounted(watched.views(), "arizona")
        _roll(watched, 2)
    (one,) = find_unaccounted(watched.views(), "arizona")
    assert (one.table, one.dice, one.rolls) == (table, ("A", "B"), 4)
    assert one.first_sequence < one.unaccounted < one.last_sequence
    assert find_unaccounted(watched.views(batch=1), "arizona") == [one]

"""Alarms about dice: kept roll by roll, noted once by the office, and proved from the log by verify."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import Raw, json

from passline.dice import OUTCOMES
from passline.exact.dice_evidence import DiceEvidence
from passline.game.events import RollSettled
from passline.game.refusal import Refused
from passline.office.accounts.dice_check import DiceCheck
from passline.office.accounts.dice_sets import DiceSet, find_alarmed, find_dice_sets, find_unaccounted, set_after
from passline.office.accounts.dice_watch import DiceWatch, NoDiceBefore, dice_changes
from passline.office.codec import OFFICE_STREAM
from passline.office.commands import NoteUnaccountedDice
from passline.office.events import ActCompleted, ActDone, Change, DiceUnaccounted, IncidentOpened
from passline.office.rules.office_rules import install_office
from passline.office.trial import TrialOffice
from passline.office.verify import house_faults
from passline.people.roles import THE_HOUSE
from passline.store.entry import Draft, Entry
from passline.store.timestamps import later
from passline.tables import commands as k
from passline.tables.events import DiceSetPutIn, RollCorrected, TableClosed, TableEvent, TableOpened
from tests.office.accounts.watched import FACILITY, WatchedTable
from tests.tables.sitting import AT, BOX, OWNER, STICK, Sitting


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
    (line,) = known.lines
    assert line.names == ("set 1", f"craps-1 in {known.at[:7]}")
    assert line.evidence.counts == known.counts == expected.counts
    assert line.evidence.logs == pytest.approx(expected.logs)
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
    for roll in OUTCOMES * 3:
        _roll(again, 1, first=roll.first, second=roll.second, minutes=1)
    assert not _faults(again)


def _rolls_until_alarm(one_in: int) -> int:
    """How many rolls of 6-6 it takes dice to alarm, if nothing is done with them."""
    evidence = DiceEvidence()
    while evidence.value < one_in:
        evidence = evidence.after(6, 6)
    return evidence.rolls


class _Cups:
    """Tables of a regulation whose dice have serial numbers, followed as the projection and verify follow them."""

    def __init__(self, one_in: int = 50) -> None:
        self.watch, self.one_in = DiceWatch(), one_in
        self.sets: dict[tuple[str, int], DiceSet] = {}
        self.sequence = 0

    def _keep(self, changed: list[DiceSet]) -> None:
        self.sets |= {(one.table, one.number): one for one in changed}

    def take(self, table: str, *events: TableEvent) -> DiceSet:
        self.sequence += 1
        self._keep(
            self.watch.take(
                "arizona",
                table,
                sequence=self.sequence,
                at=AT,
                events=events,
                one_in=self.one_in,
                before=NoDiceBefore(),
            )
        )
        return self.now(table)

    def open(self, table: str) -> DiceSet:
        house = {"rules": "arizona"}
        return self.take(table, TableOpened(table, table, house, "physical", (), "", is_demo=False, rulebook=""))

    def roll(self, table: str, times: int = 1, faces: tuple[int, int] = (6, 6)) -> DiceSet:
        for _ in range(times):
            self.take(table, RollSettled(*faces, ""))
        return self.now(table)

    def correct(self, table: str, *, was: tuple[int, int], right: tuple[int, int]) -> DiceSet:
        redone, game = (RollSettled(*right, ""),), Sitting().table.game
        return self.take(table, RollCorrected(1, *right, *was, "misread", redone, game, (), (), (), ""))

    def place(self, table: str, dice: str) -> None:
        self._move(dice, "in_play", {"table": table})

    def leave(self, dice: str) -> None:
        self._move(dice, "in_cabinet", {})

    def _move(self, dice: str, state: str, facts: dict[str, str]) -> None:
        done = ActCompleted(7, tuple(Change("die", serial, state, facts) for serial in dice))
        self._keep(self.watch.take_office("arizona", dice_changes([done]), at=AT, before=NoDiceBefore()))

    def now(self, table: str) -> DiceSet:
        known = self.watch.of("arizona", table)
        assert known is not None
        assert known == self.sets[table, known.number], "what is kept is what is known"
        return known


def test_dice_with_serial_numbers_take_their_evidence_to_every_cup_and_table_and_over_every_closing() -> None:
    needed = _rolls_until_alarm(50)
    cups = _Cups()
    cups.place("craps-1", "ABCDE")
    assert cups.open("craps-1").dice == tuple("ABCDE")
    assert cups.roll("craps-1", 2).rolls == 2
    cups.take("craps-1", TableClosed(0, 0))
    assert not cups.now("craps-1").is_in_use
    assert (cups.open("craps-1").number, cups.now("craps-1").rolls) == (1, 2), "it goes on after a closing"
    cups.leave("ABCDE")
    cups.place("craps-1", "ABCDE")
    assert (cups.roll("craps-1").number, cups.now("craps-1").rolls) == (2, 3), "it goes on in a new placing"
    cups.leave("ABCDE")
    cups.place("craps-2", "EDCBA")
    cups.take("craps-1", TableClosed(0, 0))
    cups.open("craps-2")
    assert cups.now("craps-2").curve[0].rolls == 3
    assert cups.roll("craps-2", needed - 4).alarm is None
    alarm = cups.roll("craps-2").alarm
    assert alarm is not None
    assert (alarm.rolls, alarm.sets) == (needed, 1), "as if nobody had touched them"
    cups.take("craps-2", TableClosed(0, 0))
    cups.leave("ABCDE")
    cups.place("craps-1", "ABCDE")
    cups.open("craps-1")
    assert cups.roll("craps-1", faces=(1, 2)).alarm is not None, "dice that alarmed alarm again where they come back"


def test_a_die_among_others_brings_its_own_evidence_and_a_set_has_the_mean() -> None:
    cups = _Cups(one_in=1000)
    cups.place("craps-1", "ABCD")
    cups.open("craps-1")
    cups.roll("craps-1", 4)
    cups.place("craps-2", "EFGH")
    cups.open("craps-2")
    alone = DiceEvidence().after(1, 2)
    cups.roll("craps-2", faces=(1, 2))
    suspect = cups.now("craps-1").value
    cups.leave("AB")
    assert cups.now("craps-1").dice == ("C", "D"), "the others stay in the cup, as a set of their own"
    assert cups.now("craps-1").value == pytest.approx(suspect)
    assert cups.now("craps-1").sets == 4, "eight dice were in use together: four sets of two"
    cups.place("craps-2", "AB")
    mixed = cups.now("craps-2")
    assert [line.names for line in mixed.lines] == [tuple("EFGH"), tuple("AB")]
    assert mixed.value == pytest.approx((4 * alone.value + 2 * suspect) / 6)
    cups.roll("craps-2")
    assert cups.now("craps-2").of("E") == alone.after(6, 6), "each goes on from its own past"


def test_dice_that_were_taken_away_while_none_came_are_still_those_that_are_thrown() -> None:
    cups = _Cups()
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    cups.roll("craps-1", 2)
    cups.leave("AB")
    assert not cups.now("craps-1").unaccounted
    assert (cups.roll("craps-1").number, cups.now("craps-1").rolls) == (1, 3)
    assert cups.roll("craps-1", 0).unaccounted == cups.sequence, "and the roll is told of"
    cups.place("craps-1", "CD")
    assert (cups.now("craps-1").number, cups.now("craps-1").rolls) == (2, 0)
    cups.leave("CD")
    cups.place("craps-1", "AB")
    assert cups.now("craps-1").rolls == 3, "and their evidence stays with them"


def _thrown_after_taken_away(*, minutes: int, note: NoteUnaccountedDice | None = None) -> list[str]:
    """What verify says of dice that a table threw three times after the papers took them away, and after so long."""
    trial = TrialOffice("arizona", FACILITY, {"olga": "owner"})
    install_office(trial.rules)
    check, faults = DiceCheck(lambda _name: trial.state), list[str]()
    house = {"rules": "arizona"}
    opened = TableOpened("T", "T", house, "physical", (), "", is_demo=False, rulebook="")
    roll, at = RollSettled(6, 5, ""), AT

    def entry(stream: str, sequence: int) -> Entry:
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


def test_the_level_of_a_set_does_not_fall_when_other_tables_close() -> None:
    cups = _Cups(one_in=50)
    tables = {f"craps-{number}": dice for number, dice in enumerate(("AB", "CD", "EF", "GH"), start=1)}
    for table, dice in tables.items():
        cups.place(table, dice)
        cups.open(table)
    for table in ("craps-2", "craps-3", "craps-4"):
        cups.take(table, TableClosed(0, 0))
    needed = _rolls_until_alarm(50 * len(tables))
    assert cups.roll("craps-1", needed - 1).alarm is None
    alarm = cups.roll("craps-1").alarm
    assert alarm is not None
    assert (alarm.rolls, alarm.sets) == (needed, len(tables))
    cups.place("craps-5", "JK")
    assert cups.open("craps-5").sets == 2, "dice that were not there then begin with those in use now"
    cups.leave("AB")
    cups.place("craps-5", "AB")
    assert cups.now("craps-5").among == 8, "and a die takes the count along"


@pytest.mark.sweep
def test_fair_dice_alarm_as_seldom_as_was_said_when_all_tables_close_but_the_one_with_the_worst() -> None:
    random, one_in, tables, trials = Random(1), 2, [f"craps-{number}" for number in range(6)], 100
    alarms = 0
    for _ in range(trials):
        cups = _Cups(one_in=one_in)
        for table in tables:
            cups.open(table)
        for _ in range(300):
            for table in tables:
                cups.roll(table, faces=(random.randint(1, 6), random.randint(1, 6)))
        worst = max(tables, key=lambda table: cups.now(table).value)
        for table in tables:
            if table != worst:
                cups.take(table, TableClosed(0, 0))
        while cups.now(worst).rolls < 2_000 and cups.now(worst).alarm is None:
            cups.roll(worst, faces=(random.randint(1, 6), random.randint(1, 6)))
        alarms += any(one.alarm for one in cups.sets.values())
    assert alarms <= trials / one_in


def test_papers_that_move_dice_which_are_still_thrown_begin_no_evidence_anew() -> None:
    """Craps 1 throws its dice all the while; by the papers they lie at craps 2 in between."""
    cups = _Cups(one_in=10**6)
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    cups.roll("craps-1", 5)
    cups.leave("AB")
    cups.place("craps-2", "AB")
    cups.roll("craps-1", 8)
    expected = DiceEvidence()
    for _ in range(13):
        expected = expected.after(6, 6)
    cups.open("craps-2")
    cups.roll("craps-2", faces=(1, 2))
    assert cups.now("craps-2").of("A") == expected.after(1, 2), "what both cups threw counts"
    cups.roll("craps-1")
    assert cups.now("craps-1").rolls == 15, "in each of them"
    cups.leave("AB")
    cups.place("craps-1", "AB")
    assert cups.roll("craps-1").of("B") == expected.after(1, 2).after(6, 6).after(6, 6)


def test_a_correction_takes_back_the_last_roll_of_its_table_when_the_dice_were_thrown_elsewhere_since() -> None:
    cups = _Cups(one_in=50)
    cups.place("craps-1", "AB")
    cups.open("craps-1")
    while cups.roll("craps-1").alarm is None:
        pass
    rolls = cups.now("craps-1").rolls
    cups.leave("AB")
    cups.place("craps-2", "AB")
    cups.open("craps-2")
    cups.roll("craps-2", faces=(1, 2))
    known = cups.correct("craps-1", was=(6, 6), right=(3, 4))
    expected = DiceEvidence().after(1, 2).after(3, 4)
    for _ in range(rolls - 1):
        expected = expected.after(6, 6)
    assert known.counts == expected.counts
    assert known.value == pytest.approx(expected.value)
    assert known.alarm is None


def test_fair_dice_gain_nothing_by_being_put_together_and_on_average_nothing_by_a_roll() -> None:
    """So the sum over all dice is a fair wager, whatever somebody does who sees the evidence."""
    cups = _Cups(one_in=10**6)
    for table, dice, faces in (("craps-1", "AB", (6, 6)), ("craps-2", "CD", (1, 2))):
        cups.place(table, dice)
        cups.open(table)
        cups.roll(table, 9, faces)
    before = {
        name: cups.now(table).of(name) for table, name in zip(["craps-1"] * 2 + ["craps-2"] * 2, "ABCD", strict=True)
    }
    cups.leave("ABCD")
    cups.place("craps-1", "AD")
    cups.place("craps-2", "BC")
    mixed = cups.now("craps-1")
    for table, dice in (("craps-1", "AD"), ("craps-2", "BC")):
        assert [cups.now(table).of(name) for name in dice] == [before[name] for name in dice]
    after = [set_after(mixed, 2, (RollSettled(one.first, one.second, ""),)).value for one in OUTCOMES]
    assert sum(after) / len(OUTCOMES) == pytest.approx(mixed.value)


def test_dice_without_numbers_are_known_by_their_table_until_an_alarm_was_told() -> None:
    """A table that closes and opens, or records a new set, has the evidence of its month beside that of the new set."""
    needed = _rolls_until_alarm(50)
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


def test_the_evidence_of_a_table_outlasts_a_set_with_serial_numbers() -> None:
    cups = _Cups(one_in=10**6)
    cups.open("craps-1")
    cups.roll("craps-1", 4)
    month = f"craps-1 in {AT[:7]}"
    cups.place("craps-1", "AB")
    cups.roll("craps-1", 2)
    cups.place("craps-1", "CD")
    cups.take("craps-1", DiceSetPutIn(9, AT, ""))
    table = cups.now("craps-1").of(month)
    assert table is not None
    assert table.rolls == 4, "those with numbers have their own"


def test_a_set_that_a_table_records_never_takes_the_number_of_another() -> None:
    cups = _Cups()
    for dice in ("AB", "CD", "EF"):
        cups.place("craps-1", dice)
        cups.open("craps-1")
        cups.roll("craps-1")
        cups.leave(dice)
    assert cups.now("craps-1").number == 3
    assert cups.take("craps-1", DiceSetPutIn(1, AT, "")).number == 4
    assert sorted(cups.sets) == [("craps-1", number) for number in range(1, 5)]


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
    needed = _rolls_until_alarm(50)
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
        _roll(watched, _rolls_until_alarm(50))
        (one,) = find_alarmed(watched.views(), "section2")
        assert one.alarm is not None
        assert watched.note(one.alarm.rolls, **{"evidence": one.alarm.evidence, **changes}) == ""
        (fault,) = _faults(watched)
        assert said in fault


def test_views_find_dice_that_were_thrown_after_they_were_taken_away() -> None:
    watched = WatchedTable("arizona", is_keyed=False)
    table = watched.sitting.table.id
    for number, (state, facts) in enumerate((("in_play", {"table": table}), ("in_cabinet", {}))):
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
        assert not find_unaccounted(watched.views(), "arizona")
        _roll(watched, 2)
    (one,) = find_unaccounted(watched.views(), "arizona")
    assert (one.table, one.dice, one.rolls) == (table, ("A", "B"), 4)
    assert one.first_sequence < one.unaccounted < one.last_sequence
    assert find_unaccounted(watched.views(batch=1), "arizona") == [one]

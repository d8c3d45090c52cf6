"""Recall: every hand of a table, what was said in it, and what each player saw when a dispute arose."""

from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.duties import THE_HOUSE
from passline.tables.views.recall import disputes_of, hand_told, hands_of, table_at
from tests.tables.sitting import ANN, BOB, CREW, Sitting


def _two_hands() -> Sitting:
    sitting = Sitting()
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.roll(3, 4)
    sitting.wager(BOB, "pass", 10_00)
    sitting.shoot(BOB)
    sitting.roll(6, 5)
    return sitting


def test_hands_are_known_by_number_shooter_rolls_and_place() -> None:
    sitting = _two_hands()
    first, second = hands_of(sitting)
    assert (first.number, first.shooter, first.name, first.rolls) == (1, 1, "Ann", 2)
    assert (second.number, second.shooter, second.name, second.rolls) == (2, 2, "Bob", 1)
    assert first.last + 1 == second.first
    assert second.last == len(sitting.entries)


def test_a_hand_is_told_with_its_calls_arithmetic_and_clauses() -> None:
    sitting = _two_hands()
    told = hand_told(sitting, 1)
    assert [one.call for one in told if one.call] == ["Six, easy six, mark the point", "Seven out, line away"]
    lines = [line for one in told for line in one.lines]
    assert any(line.startswith("Ann Pass Line loses 10.00 [MD-") for line in lines)
    assert told[0].actor == "ann"
    assert hand_told(sitting, 0)[0].lines[0] == "Craps 1 is open: maryland, electronic dice"


def test_a_hand_that_a_correction_took_back_is_played_again() -> None:
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.roll(3, 4)
    sitting.shoot(BOB)
    sitting.do(k.CorrectRoll(first=3, second=5, reason="misread"), CREW["boxperson"])
    assert [(hand.number, hand.name, hand.rolls) for hand in hands_of(sitting)] == [(1, "Ann", 2)]
    sitting.roll(3, 4)
    sitting.wager(BOB, "pass", 10_00)
    sitting.shoot(BOB)
    sitting.roll(6, 5)
    assert [(hand.number, hand.name, hand.rolls) for hand in hands_of(sitting)] == [(1, "Ann", 3), (2, "Bob", 1)]


def test_the_table_at_any_moment() -> None:
    sitting = _two_hands()
    assert table_at(sitting, 0) is None
    live = table_at(sitting, len(sitting.entries))
    assert live == sitting.table
    opened = table_at(sitting, 1)
    assert opened is not None
    assert opened.players == {}


def test_what_each_player_saw_is_kept_with_the_dispute() -> None:
    sitting = _two_hands()
    seen = len(sitting.entries) - 1  # Bob's screen had not shown the last roll
    newest = len(sitting.entries)
    sitting.do(k.FreezeTable(reason="I saw a 6-4", shown={"1": newest, "2": seen}), BOB)
    [dispute] = disputes_of(sitting, Approvals())
    assert (dispute.seat, dispute.reason) == (2, "I saw a 6-4")
    ann, bob = dispute.shown["1"], dispute.shown["2"]
    assert ann is not None
    assert bob is not None
    assert (ann["table"]["roll"], bob["table"]["roll"]) == (3, 2)
    assert (ann["own"]["rack"], bob["own"]["rack"]) == (990_00, 990_00)


def test_what_another_process_reports_stands_with_the_dispute() -> None:
    sitting = _two_hands()
    newest = len(sitting.entries)
    sitting.do(k.FreezeTable(reason="I saw a 6-4", shown={"1": newest, "2": 0}), BOB)
    [before] = disputes_of(sitting, Approvals())
    assert before.shown["2"] is None
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"2": newest - 1}), THE_HOUSE)
    [dispute] = disputes_of(sitting, Approvals())
    assert (dispute.sequence, dispute.shown["1"]) == (before.sequence, before.shown["1"])
    bob = dispute.shown["2"]
    assert bob is not None
    assert (bob["sequence"], bob["table"]["roll"], bob["own"]["rack"]) == (newest - 1, 2, 990_00)

"""Recall: every hand of a table, its lines, and what each player's screen had shown when a dispute arose."""

import msgspec

from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables.live import LiveTable
from passline.tables.views.log_wording import WordedEntry, hand_words
from passline.tables.views.recall import Dispute, HandPlayed, find_hands, table_at
from passline.tables.views.records import find_records
from tests.tables.sitting import ANN, BOB, CREW, Sitting
from tests.tables.views.viewed import projected

STREAM = "table/craps-1"


def _hands(sitting: Sitting) -> list[HandPlayed]:
    return find_hands(projected(sitting)[0], "craps-1")[::-1]


def _hand(sitting: Sitting, number: int) -> list[WordedEntry]:
    return hand_words(*projected(sitting), STREAM, number, after=0, limit=1000)


def _at(sitting: Sitting, sequence: int) -> LiveTable | None:
    store, log = projected(sitting)
    return table_at(store, log, STREAM, sequence)


def _disputes(sitting: Sitting) -> list[Dispute]:
    found = find_records(projected(sitting)[0], "disputes").records
    return msgspec.convert(found, list[Dispute])


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


def test_hands_are_listed_with_number_shooter_rolls_and_entries() -> None:
    sitting = _two_hands()
    first, second = _hands(sitting)
    assert (first.number, first.shooter, first.name, first.rolls) == (1, 1, "Ann", 2)
    assert (second.number, second.shooter, second.name, second.rolls) == (2, 2, "Bob", 1)
    assert first.last + 1 == second.first
    assert second.last == len(sitting.entries)


def test_a_hand_is_recalled_with_calls_amounts_and_clauses() -> None:
    sitting = _two_hands()
    recalled = _hand(sitting, 1)
    assert [one.call for one in recalled if one.call] == ["Six, easy six, mark the point", "Seven out, line away"]
    lines = [line for one in recalled for line in one.lines]
    assert any(line.startswith("Ann Pass Line loses 10.00 [MD-") for line in lines)
    assert recalled[0].actor == "ann"
    assert _hand(sitting, 0)[0].lines[0] == "Craps 1 is open: maryland, electronic dice"


def test_a_hand_that_a_correction_undid_is_not_listed_until_it_is_shot_again() -> None:
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.roll(3, 4)
    sitting.shoot(BOB)
    sitting.do(k.CorrectRoll(first=3, second=5, reason="misread"), CREW["boxperson"])
    assert [(hand.number, hand.name, hand.rolls) for hand in _hands(sitting)] == [(1, "Ann", 2)]
    sitting.roll(3, 4)
    sitting.wager(BOB, "pass", 10_00)
    sitting.shoot(BOB)
    sitting.roll(6, 5)
    assert [(hand.number, hand.name, hand.rolls) for hand in _hands(sitting)] == [(1, "Ann", 3), (2, "Bob", 1)]


def test_the_table_can_be_recalled_after_any_entry() -> None:
    sitting = _two_hands()
    assert _at(sitting, 0) is None
    live = _at(sitting, len(sitting.entries))
    assert live == sitting.table
    opened = _at(sitting, 1)
    assert opened is not None
    assert opened.players == {}


def test_a_dispute_keeps_what_each_players_screen_had_shown() -> None:
    sitting = _two_hands()
    seen = len(sitting.entries) - 1  # Bob's screen had not shown the last roll
    newest = len(sitting.entries)
    sitting.do(k.FreezeTable(reason="I saw a 6-4", shown={"1": newest, "2": seen}), BOB)
    [dispute] = _disputes(sitting)
    assert (dispute.seat, dispute.reason) == (2, "I saw a 6-4")
    ann, bob = dispute.shown["1"], dispute.shown["2"]
    assert ann is not None
    assert bob is not None
    assert (ann["table"]["roll"], bob["table"]["roll"]) == (3, 2)
    assert (ann["own"]["rack"], bob["own"]["rack"]) == (990_00, 990_00)


def test_a_dispute_includes_what_screens_of_another_process_had_shown() -> None:
    sitting = _two_hands()
    newest = len(sitting.entries)
    sitting.do(k.FreezeTable(reason="I saw a 6-4", shown={"1": newest, "2": 0}), BOB)
    [before] = _disputes(sitting)
    assert before.shown["2"] is None
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"2": newest - 1}), THE_HOUSE)
    [dispute] = _disputes(sitting)
    assert (dispute.sequence, dispute.shown["1"]) == (before.sequence, before.shown["1"])
    bob = dispute.shown["2"]
    assert bob is not None
    assert (bob["sequence"], bob["table"]["roll"], bob["own"]["rack"]) == (newest - 1, 2, 990_00)

"""Dice come from the random source or are keyed in by the crew, never from a player's page."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.refusal import Refused
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.duties import duty_of
from passline.tables.verify import decision_faults
from tests.tables.sitting import ALL, ANN, BOB, BOX, DEALER, FLOOR, OWNER, STICK, Sitting, table_for_two


@pytest.mark.parametrize(
    "command",
    [c.ThrowDice(seat=1), c.LandDice(first=6, second=6), c.RollDice(first=6, second=6)],
)
@pytest.mark.parametrize("by", [ANN, DEALER, STICK, OWNER])
def test_dice_never_come_from_a_page(command: TableCommand, by: Actor) -> None:
    assert "nobody may give" in table_for_two().refusal(command, by)


def test_electronic_dice_are_drawn_once_and_only_for_a_lawful_throw() -> None:
    sitting = table_for_two()
    sitting.shoot(ANN)
    assert "before throwing" in sitting.refusal(k.Roll(seat=1), ANN)
    assert "is not Bob's" in sitting.refusal(k.Roll(seat=1), BOB)
    assert "not the shooter" in sitting.refusal(k.Roll(seat=2), BOB)
    assert sitting.drawn == 0
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(5, 6)
    assert sitting.drawn == 1
    assert sitting.rack(ANN) == 1010_00
    assert "this table has electronic dice" in sitting.refusal(k.KeyDice(first=1, second=1), STICK)
    assert "this table has electronic dice" in sitting.refusal(k.DiceOut(), STICK)


@pytest.mark.parametrize("by", [DEALER, STICK, BOX, FLOOR, ANN])
def test_nobody_names_or_voids_the_faces_of_electronic_dice(by: Actor) -> None:
    """Anybody who saw them could otherwise choose the outcome; a dispute freezes the table instead."""
    sitting = Sitting(automate=("offer", "choose", "confirm", "button"))
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    asks: tuple[TableCommand, ...] = (
        k.CorrectRoll(first=1, second=2, reason="misread"),
        c.DisputeFaces(seat=1),
        c.DecideDispute(first=1, second=2),
        c.CallNoRoll(reason="left_table"),
    )
    for command in asks:
        if by.role in duty_of(command).by:
            refused = sitting.refusal(command, by)
            assert "the faces of electronic dice are final" in refused
            assert "MD-9.E" in refused
    sitting.do(k.FreezeTable(reason="the second die turned"), ANN)


@pytest.mark.parametrize("automate", [(), ("call",), ("call", "settle"), ("settle", "pass"), ALL])
def test_a_roll_stops_at_the_step_that_the_crew_does_by_hand(automate: tuple[str, ...]) -> None:
    sitting = Sitting(automate=(*automate, "offer", "choose"))
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    for _ in range(4):
        match sitting.table.game.position.dice:
            case "rest":
                sitting.do(c.CallRoll(total=11), STICK)
            case "called":
                sitting.do(c.Settle(), DEALER)
            case "centre":
                sitting.do(c.PassDice(), STICK)
            case _:
                break
    assert sitting.table.game.position.dice == "held"
    assert sitting.rack(ANN) == 1010_00


def test_physical_dice_are_keyed_in_by_the_stickperson() -> None:
    sitting = Sitting(dice="physical")
    sitting.do(k.SeatPlayer(seat=1, account="ann", name="Ann"), DEALER)
    sitting.do(c.BuyIn(seat=1, cents=100_00), DEALER)
    sitting.do(c.MakeWager(seat=1, wager="pass", cents=10_00), DEALER)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    assert "this table has physical dice" in sitting.refusal(k.Roll(seat=1), ANN)
    assert "the dealer may not give key-dice; the stickperson may" in sitting.refusal(
        k.KeyDice(first=2, second=4), DEALER
    )
    sitting.do(k.DiceOut(), STICK)
    assert sitting.table.game.position.dice == "air"
    assert "is not a face" in sitting.refusal(k.KeyDice(first=2, second=7), STICK)
    sitting.do(k.KeyDice(first=2, second=3, second_lie="cocked"), STICK)
    assert sitting.table.game.position.puck == 6
    sitting.do(k.KeyDice(first=2, second=4), STICK)  # without announcing it first
    assert sitting.table.game.position.puck == 0
    assert "the crew seats players" in sitting.refusal(c.TakeSeat(seat=2), DEALER)


def test_a_void_throw_records_no_faces() -> None:
    """If a die left the table, its faces are not in the log even if they were keyed in."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    for command in (k.KeyDice(first_lie="off_table"), k.KeyDice(first=3, second=4, first_lie="off_table")):
        verdict = sitting.ask(command, STICK)
        assert not isinstance(verdict, Refused)
        assert verdict.command == k.KeyDice(first_lie="off_table")
        assert [type(event) for event in verdict.events] == [e.DiceThrown, e.RollVoided]
    assert "0 is not a face" in sitting.refusal(k.KeyDice(), STICK)
    assert "is not a way a die can land" in sitting.refusal(k.KeyDice(first_lie="asleep"), STICK)
    assert list(decision_faults(sitting)) == []


def test_without_a_stickperson_the_dealer_keys_in_the_dice() -> None:
    sitting = Sitting(dice="physical", house={"game": "mini_craps", "stickperson": False})
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    why = "the stickperson may not give key-dice; the dealer may"
    assert why in sitting.refusal(k.KeyDice(first=2, second=4), STICK)
    sitting.do(k.KeyDice(first=2, second=4), DEALER)

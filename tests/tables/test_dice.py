"""Dice come from chance or from the felt, never from a page."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.refusal import Refused
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.duties import Actor, duty_of
from passline.tables.verify import replay_faults
from tests.tables.sitting import ALL, ANN, BOB, BOX, DEALER, FLOOR, OWNER, STICK, Sitting, two


@pytest.mark.parametrize(
    "command",
    [c.ThrowDice(seat=1), c.LandDice(first=6, second=6), c.RollDice(first=6, second=6)],
)
@pytest.mark.parametrize("by", [ANN, DEALER, STICK, OWNER])
def test_dice_never_come_from_a_page(command: TableCommand, by: Actor) -> None:
    assert "nobody's to give" in two().no(command, by)


def test_electronic_dice_are_drawn_once_and_only_for_a_lawful_throw() -> None:
    sitting = two()
    sitting.shoot(ANN)
    assert "before throwing" in sitting.no(k.Roll(seat=1), ANN)
    assert "is not Bob's" in sitting.no(k.Roll(seat=1), BOB)
    assert "not the shooter" in sitting.no(k.Roll(seat=2), BOB)
    assert sitting.drawn == 0
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(5, 6)
    assert sitting.drawn == 1
    assert sitting.rack(ANN) == 1010_00
    assert "dice are electronic here" in sitting.no(k.KeyDice(first=1, second=1), STICK)
    assert "dice are electronic here" in sitting.no(k.DiceOut(), STICK)


@pytest.mark.parametrize("by", [DEALER, STICK, BOX, FLOOR, ANN])
def test_nobody_names_or_voids_the_faces_of_electronic_dice(by: Actor) -> None:
    """Whoever has seen them could else choose what they decide; a dispute stops the table instead."""
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
            refused = sitting.no(command, by)
            assert "electronic dice are what they are" in refused
            assert "MD-9.E" in refused
    sitting.do(k.FreezeTable(reason="the second die turned"), ANN)


@pytest.mark.parametrize("automate", [(), ("call",), ("call", "settle"), ("settle", "pass"), ALL])
def test_a_roll_stops_where_the_crew_goes_on(automate: tuple[str, ...]) -> None:
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
    assert "dice are physical here" in sitting.no(k.Roll(seat=1), ANN)
    assert "keyed in by the stickperson" in sitting.no(k.KeyDice(first=2, second=4), DEALER)
    sitting.do(k.DiceOut(), STICK)
    assert sitting.table.game.position.dice == "air"
    assert "is not a face" in sitting.no(k.KeyDice(first=2, second=7), STICK)
    sitting.do(k.KeyDice(first=2, second=3, second_lie="cocked"), STICK)
    assert sitting.table.game.position.puck == 6
    sitting.do(k.KeyDice(first=2, second=4), STICK)  # one that nobody announced
    assert sitting.table.game.position.puck == 0
    assert "whoever is seated by the crew" in sitting.no(c.TakeSeat(seat=2), DEALER)


def test_a_void_throw_shows_no_faces() -> None:
    """Whatever is keyed in with a die off the table, the log has no faces of it."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    for command in (k.KeyDice(first_lie="off_table"), k.KeyDice(first=3, second=4, first_lie="off_table")):
        verdict = sitting.ask(command, STICK)
        assert not isinstance(verdict, Refused)
        assert verdict.command == k.KeyDice(first_lie="off_table")
        assert [type(event) for event in verdict.events] == [e.DiceThrown, e.RollVoided]
    assert "0 is not a face" in sitting.no(k.KeyDice(), STICK)
    assert "is not how a die can lie" in sitting.no(k.KeyDice(first_lie="asleep"), STICK)
    assert list(replay_faults(sitting)) == []


def test_without_a_stickperson_the_dealer_keys_in_the_dice() -> None:
    sitting = Sitting(dice="physical", house={"game": "mini_craps", "stickperson": False})
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    assert "by the dealer, for this house has no stickperson" in sitting.no(k.KeyDice(first=2, second=4), STICK)
    sitting.do(k.KeyDice(first=2, second=4), DEALER)

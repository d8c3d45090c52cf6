"""Seats: who may leave and when, and seats that do not exist."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.craps import CrapsGame
from passline.refusal import Refusal
from passline.rules.clauses import REGULATIONS
from passline.rules.schema import clause_text
from tests.clauses.table import ANN, SHOOTER, Play, rules_of


def test_the_next_player_may_leave_until_the_dice_are_offered() -> None:
    """With the dice in the cup it is known where the next offer starts, but nobody has them yet."""
    play = Play(rules_of("maryland", automate=frozenset()))
    play.do(c.OfferDice(by="stickperson", dice=play.rules.house.dice_set))
    play.do(c.AcceptDice(seat=SHOOTER))
    play.do(c.SurrenderDice(seat=SHOOTER))
    assert (play.table.position.dice, play.table.position.offered_to) == ("cup", ANN)
    (left,) = play.fork().do(c.LeaveSeat(seat=ANN))
    assert isinstance(left, e.SeatLeft)
    play.do(c.OfferDice(by="stickperson", dice=play.rules.house.dice_set))
    assert [one.why for one in play.refuse(c.LeaveSeat(seat=ANN))] == [f"seat {ANN} must give up the dice first"]


@pytest.mark.parametrize("name", REGULATIONS)
def test_a_seat_of_the_wrong_type_is_refused_by_the_rule_of_seats(name: str) -> None:
    """Any other field of a wrong type is refused by the closed list of wagers."""
    play = Play(rules_of(name))
    (seat,) = play.refuse(c.TakeSeat(seat="4"))  # type: ignore[arg-type]
    assert seat == Refusal(clause_text(play.rules.game.seats.cite), "seat: '4' is not int")
    (kind,) = play.refuse(c.RemoveWager(seat=ANN, wager=4))  # type: ignore[arg-type]
    assert kind == Refusal(clause_text(play.rules.rulebook.general.closed_list.cite), "wager: 4 is not str")


@pytest.mark.parametrize(
    "command", [c.RemoveWager(seat=4, wager="pass"), c.ReduceWager(seat=4, wager="pass", cents=1_00)]
)
def test_a_wager_at_an_empty_seat_is_refused_by_the_rule_of_seats(command: c.Command) -> None:
    play = Play(rules_of("maryland")).shoots()
    seats = clause_text(play.rules.game.seats.cite)
    assert play.refuse(command) == (Refusal(seats, "nobody is at seat 4"),)


def test_the_last_player_can_leave_while_offered_the_dice() -> None:
    """Automated offers always come back to the last player."""
    game = CrapsGame("maryland")
    ann, bob = game.join(100_00), game.join(100_00)
    assert game.table.position.offered_to == ann
    game.do(c.LeaveSeat(seat=ann))
    assert (game.table.position.dice, game.table.position.offered_to) == ("offered", bob)
    game.do(c.LeaveSeat(seat=bob))
    assert game.table.position.dice == "cup"
    assert game.join(100_00) == ann
    assert game.table.position.offered_to == ann


def test_a_seat_off_either_end_of_the_table_is_refused() -> None:
    play = Play(rules_of("maryland"))
    last = play.rules.house.seats
    play.do(c.TakeSeat(seat=last))
    for seat in (-1, 0, last + 1):
        why = f"there is no seat {seat}; this table has 1 to {last}"
        for command in (c.BuyIn(seat=seat, cents=5_00), c.TakeSeat(seat=seat)):
            assert [one.why for one in play.refuse(command)] == [why]

"""Who is offered the dice, and where they go when players decline, stand up or leave."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED, Rules
from tests.game.played import played, refused
from tests.game.random_houses import GAMES

MINI = [
    pytest.param("section2", "S2-c6.seated", marks=pytest.mark.clause("S2-c6.seated"), id="S2-c6.seated"),
    pytest.param("maryland", "MD-4.F.seat", marks=pytest.mark.clause("MD-4.F.seat"), id="MD-4.F.seat"),
]


@pytest.mark.parametrize(("regulation", "game"), GAMES)
def test_the_dice_go_round_once_even_if_the_first_player_offered_has_left(regulation: str, game: str) -> None:
    """CO-2309-2-clockwise, S2-k3, MD-10.D: the round ends at the first seat offered, occupied or not."""
    rules = Rules.of(regulation, game=game, automate=AUTOMATED - {"offer"})
    by = "dealer" if game == "mini_craps" else "stickperson"
    log, table = played(
        rules,
        *(c.TakeSeat(seat=seat) for seat in (1, 2, 3)),
        c.OfferDice(by=by, dice=5),  # type: ignore[arg-type]
        c.DeclineDice(seat=1),
        c.LeaveSeat(seat=1),
        c.DeclineDice(seat=2),
        c.DeclineDice(seat=3),
    )
    assert log[-1] == e.DiceCupped(1)
    assert table.position.dice == "cup"
    declined = [event for event in log if isinstance(event, e.DiceDeclined)]
    assert [(one.seat, one.offered_to) for one in declined] == [(1, 2), (2, 3), (3, 0)]


@pytest.mark.parametrize("regulation", ["section2", "maryland"])
def test_dice_declined_by_a_standing_player_alone_go_back_to_the_cup(regulation: str) -> None:
    """S2-c6.seated, MD-4.F.seat: nobody may shoot until the player sits down."""
    rules = Rules.of(regulation, game="mini_craps")
    _log, table = played(rules, c.TakeSeat(seat=4), c.StandUp(seat=4), c.DeclineDice(seat=4))
    assert table.position.dice == "cup"
    outcome = act(rules, table, c.SitDown(seat=4))
    assert not isinstance(outcome, Refused)
    assert outcome[1].position.offered_to == 4


@pytest.mark.parametrize(("regulation", "clause"), MINI)
def test_a_mini_craps_shooter_is_seated(regulation: str, clause: str) -> None:
    """S2-c6.seated, MD-4.F.seat: a standing player may not wager and so may not accept the dice."""
    rules = Rules.of(regulation, game="mini_craps")
    _log, table = played(rules, c.TakeSeat(seat=4), c.StandUp(seat=4))
    assert clause in refused(rules, table, c.AcceptDice(seat=4))
    _log, table = played(rules, c.TakeSeat(seat=4), c.StandUp(seat=4), c.SitDown(seat=4), c.AcceptDice(seat=4))
    assert table.position.shooter == 4

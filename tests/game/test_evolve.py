"""What a position forgets: a roll that is over leaves no trace that could tell two equal positions apart."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.rules.clauses import REGULATIONS
from tests.clauses.table import SHOOTER, Play, rules_of


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_faces_are_forgotten_once_the_dice_go_on(name: str) -> None:
    """After a roll, after a loser 7 and after a surrender the position holds no faces."""
    play = Play(rules_of(name)).shoots()
    for roll in ("4-2", "5-3", "4-3"):
        play.roll(roll)
        assert play.table.position.faces == (0, 0)
    play.shoots()
    play.do(c.SurrenderDice(seat=play.table.position.shooter))
    assert play.table.position.faces == (0, 0)
    assert play.table.position.shooter != SHOOTER

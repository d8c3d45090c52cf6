"""Folding events: a finished roll leaves no trace in the position, and a whole log folds like its decisions."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game.evolve import fold
from passline.game.position import open_table
from passline.rules.clauses import REGULATIONS
from passline.rules.rules import Rules
from tests.clauses.table import SHOOTER, Play, rules_of
from tests.game.played import OPENING, played


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_position_holds_no_faces_after_a_roll(name: str) -> None:
    """After a roll, after a loser 7 and after a surrender the position holds no faces."""
    play = Play(rules_of(name)).shoots()
    for roll in ("4-2", "5-3", "4-3"):
        play.roll(roll)
        assert play.table.position.faces == (0, 0)
    play.shoots()
    play.do(c.SurrenderDice(seat=play.table.position.shooter))
    assert play.table.position.faces == (0, 0)
    assert play.table.position.shooter != SHOOTER


def test_a_whole_log_folds_to_the_same_table_as_its_decisions() -> None:
    """The same wager, made and decided several times, is a new wager each time."""
    rules = Rules.of("maryland")
    again = (c.MakeWager(seat=1, wager="pass", cents=10_00), c.RollDice(first=5, second=6))
    log, table = played(rules, *OPENING, *again, *again, *again)
    assert fold(open_table(rules, bank=10_000_00), log) == table
    assert table.money.racks[0] == 530_00

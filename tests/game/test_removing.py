"""Odds behind a wager that is reduced: cut to what still may stand, or brought down."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.table import ANN, BOB, Play, rules_of

ONE_TIMES = dict.fromkeys(("4", "5", "6", "8", "9", "10"), 1)


@pytest.mark.clause("AZ-III.J.2-a")
def test_AZ_III_J_2_a__odds_come_down_where_no_payable_amount_is_left_behind_a_reduced_wager() -> None:
    """AZ-III.J.2-a: on a 6 don't odds come in steps of 6.00: behind 5.00 one step may stand, behind 1.00 none."""
    play = Play(rules_of("arizona", house={"wager_cents_min": 1_00, "odds": ONE_TIMES})).shoots()
    play.make(ANN, "dont_pass", 10_00)
    play.make(BOB, "dont_pass", 5_00)
    play.roll("4-2")
    play.make(ANN, "dont_pass_odds", 12_00, number=6)
    play.make(BOB, "dont_pass_odds", 6_00, number=6)
    (_, cut) = play.do(c.ReduceWager(seat=ANN, wager="dont_pass", cents=5_00))
    assert isinstance(cut, e.WagerReduced)
    assert (cut.after.cents, play.rack(ANN)) == (6_00, 1_000_000_00 - 5_00 - 6_00)
    (_, gone) = play.do(c.ReduceWager(seat=BOB, wager="dont_pass", cents=4_00))
    assert isinstance(gone, e.WagerRemoved)
    assert cut.clause == gone.clause == "AZ-III.J.2-a"
    assert play.find(BOB, "dont_pass_odds", 6) is None
    assert play.rack(BOB) == 1_000_000_00 - 1_00

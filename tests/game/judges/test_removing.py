"""Odds behind a reduced wager: cut to what is still allowed, or taken down."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.position import find
from passline.rules.rules import Rules
from tests.clauses.table import ANN, BOB, Play, rules_of
from tests.game.played import OPENING, played

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


@pytest.mark.clause("CO-2305-1-matchplay")
@pytest.mark.parametrize(("coupon", "stays"), [(18_00, 18_00), (24_00, 24_00), (30_00, 0)])
def test_CO_2305_1_matchplay__odds_cut_under_the_face_of_their_coupon_give_it_back(coupon: int, stays: int) -> None:
    """CO-2305-1-matchplay: a coupon needs chips of at least its face, also when odds are cut with their wager."""
    log, table = played(
        Rules.of("colorado"),
        c.TakeSeat(seat=1),
        c.BuyIn(seat=1, cents=500_00, coupon=50_00),
        c.AcceptDice(seat=1),
        c.MakeWager(seat=1, wager="dont_pass", cents=10_00),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager="dont_pass_odds", number=6, cents=48_00, coupon=coupon),
        c.ReduceWager(seat=1, wager="dont_pass", cents=5_00),
    )
    cut = find(table.position, 1, "dont_pass_odds", 6)
    assert cut is not None
    assert (cut.cents, cut.coupon) == (24_00, stays)
    assert table.money.coupons[0] == 50_00 - stays
    assert isinstance(log[-1], e.WagerReduced)


@pytest.mark.clause("CO-2305-1-coins")
def test_CO_2305_1_coins__odds_cut_behind_a_wager_with_coins_are_still_chips() -> None:
    """CO-2305-1-coins: coins are for the line only, so odds are cut to whole chips."""
    _log, table = played(
        Rules.of("colorado", house={"unpayable": "round_up"}),
        *OPENING,
        c.MakeWager(seat=1, wager="dont_pass", cents=10_50, media=("chips", "coins")),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager="dont_pass_odds", number=6, cents=50_00),
        c.ReduceWager(seat=1, wager="dont_pass", cents=5_00),
    )
    cut = find(table.position, 1, "dont_pass_odds", 6)
    assert cut is not None
    assert cut.cents == 27_00  # five times 5.50 is 27.50


def test_a_removal_that_names_an_amount_takes_down_no_chip_that_was_added_meanwhile() -> None:
    play = Play(rules_of("maryland")).shoots()
    play.make(ANN, "field", 5_00)
    play.make(ANN, "field", 25_00)
    refused = play.refuse(c.RemoveWager(seat=ANN, wager="field", cents=5_00))
    assert [str(one) for one in refused] == ["30.00 is up on the Field, not 5.00: it was changed meanwhile [MD-4.D]"]
    for cents in (0, -5_00):
        [wrong] = play.refuse(c.RemoveWager(seat=ANN, wager="field", cents=cents))
        assert str(wrong) == f"{cents} cents is not an amount to take down [MD-4.D]"
    assert play.find(ANN, "field") is not None
    play.do(c.RemoveWager(seat=ANN, wager="field", cents=30_00))
    assert play.find(ANN, "field") is None

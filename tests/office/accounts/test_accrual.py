"""Theoretical win and luck against random play: they account for every cent, and luck is only in rolls."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from passline.bookkeeping.accrual import house_money, house_value
from passline.game import commands as c
from tests.cases import one_in
from tests.office.accounts.accrued import accrued
from tests.tables.random_commands import play_randomly
from tests.tables.sitting import ANN, LABORATORY, PLAYERS, Sitting


@pytest.mark.parametrize("seed", one_in(2, range(2), others=pytest.mark.whole))
@pytest.mark.parametrize("regulation", ["colorado", "arizona", "maryland", "section2"])
def test_every_cent_is_theoretical_win_or_luck(regulation: str, seed: int) -> None:
    sitting = Sitting(regulation, dice="physical", house={"seats": 4}, approvals=LABORATORY)
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    play_randomly(sitting, Random(seed), 250)
    total, each, live = accrued(sitting)
    assert total.won == house_money(live.balances)
    assert total.won == total.theoretical + total.luck - house_value(live)
    assert all(not one.luck or one.rolls or not one.variance for one in each)


def test_a_line_wager_costs_its_edge_when_it_is_made_and_taking_odds_down_costs_nothing() -> None:
    sitting = Sitting("maryland")
    sitting.sit(ANN, 1, 500_00)
    sitting.shoot(ANN)
    sitting.wager(ANN, "pass", 10_00)
    assert accrued(sitting)[0].theoretical == Fraction(1400, 99)
    sitting.roll(4, 2)
    total, each, _ = accrued(sitting)
    assert total.rolls == 1
    assert each[-1].theoretical == 0
    sitting.wager(ANN, "pass_odds", 20_00, 6)
    sitting.do(c.RemoveWager(seat=1, wager="pass_odds", number=6), ANN)
    assert [one.theoretical for one in accrued(sitting)[1][-2:]] == [0, 0]
    sitting.roll(3, 4)
    total, _, live = accrued(sitting)
    assert total.won == 10_00
    assert total.luck == 10_00 - Fraction(1400, 99)
    assert house_value(live) == 0
    assert total.deviations is not None

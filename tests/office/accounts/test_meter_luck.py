"""Luck at a table with a progressive: what was to be expected has the meter as it stood, and a hit is the rest."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from passline.bookkeeping.accrual import EntryAccrual, entry_accrual, house_money, house_value
from passline.dice import OUTCOMES
from passline.rules.schema import METER_UNIT
from passline.tables import commands as k
from passline.tables.entries import TABLE_CODEC
from tests.game.progressive import BASE, CHANCES, KIND, RATE, STAKE
from tests.office.accounts.accrued import accrued
from tests.tables.metered import meter_of, sitting_with_meter
from tests.tables.random_commands import play_randomly
from tests.tables.sitting import ANN, BOB, BOX, PLAYERS, Sitting

_OWN = Fraction(STAKE * RATE, METER_UNIT)
_CHIP = 1_00


def _last(sitting: Sitting, before: Sitting) -> EntryAccrual:
    return entry_accrual(before.table, sitting.table, TABLE_CODEC.events(sitting.entries[-1].entry))


def _chips(cents: Fraction) -> int:
    return int(cents // _CHIP) * _CHIP


def test_a_wager_costs_what_its_chances_leave_at_the_meter_as_it_stands() -> None:
    sitting = sitting_with_meter()
    for _ in range(3):
        sitting.wager(ANN, KIND, STAKE)
        sitting.wager(BOB, KIND, STAKE)
        sitting.roll(3, 2)
        sitting.roll(3, 2)
    meter = meter_of(sitting) + _OWN
    assert meter == BASE + 7 * _OWN
    before = sitting.fork()
    sitting.wager(BOB, KIND, STAKE)
    paid = CHANCES[1] * (4 * STAKE + _chips(meter / 10)) + CHANCES[2] * _chips(meter)
    assert _last(sitting, before).total.theoretical == STAKE * (1 - CHANCES[1] - CHANCES[2]) - paid


def _with_three_stages() -> Sitting:
    """Ann's wager has had a 12, Bob's was made with hers, and Cat's is new: one roll may pay one, two or none."""
    sitting = sitting_with_meter()
    sitting.wager(ANN, KIND, STAKE)
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(6, 6)
    sitting.wager(PLAYERS[2], KIND, STAKE)
    return sitting


def test_the_luck_of_a_roll_has_mean_zero_and_the_variance_that_is_told_over_all_36_outcomes() -> None:
    before = _with_three_stages()
    rolled = []
    for roll in OUTCOMES:
        after = before.fork()
        after.roll(roll.first, roll.second)
        accrual = _last(after, before)
        total = accrual.total
        assert total.won == total.theoretical + total.luck - total.carried
        assert total.carried == house_value(after.table) - house_value(before.table)
        rolled.append(accrual)
    assert {accrual.total.theoretical for accrual in rolled} == {rolled[0].total.theoretical}
    assert sum(accrual.total.luck for accrual in rolled) == 0
    assert Fraction(sum(accrual.total.luck**2 for accrual in rolled), 36) == rolled[0].total.variance
    for seat in (1, 2, 3):
        lucky = [accrual.seats[seat] for accrual in rolled]
        assert sum(own.luck for own in lucky) == 0
        assert Fraction(sum(own.luck**2 for own in lucky), 36) == lucky[0].variance > 0


def test_a_hit_of_one_wager_is_luck_only_beyond_what_was_to_be_expected() -> None:
    sitting = sitting_with_meter()
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(6, 6)
    before = sitting.fork()
    sitting.roll(6, 6)
    meter = BASE + _OWN
    one, two = 4 * STAKE + _chips(meter / 10), _chips(meter)
    expected = Fraction(35 * one + two, 36)
    assert _last(sitting, before).seats[2].luck == expected - two


def test_a_corrected_roll_has_the_luck_of_the_right_one() -> None:
    before = _with_three_stages()
    right, wrong = before.fork(), before.fork()
    right.roll(2, 3)
    wrong.roll(6, 6)
    then = wrong.fork()
    wrong.do(k.CorrectRoll(first=2, second=3, reason="read wrongly"), BOX)
    assert wrong.table.game.meters == right.table.game.meters
    lucky = _last(then, before).total.luck + _last(wrong, then).total.luck
    assert lucky == _last(right, before).total.luck
    assert _last(then, before).total.luck != lucky


@pytest.mark.parametrize("seed", range(2))
def test_every_cent_is_theoretical_win_or_luck(seed: int) -> None:
    sitting = _with_three_stages()
    play_randomly(sitting, Random(seed), 250)
    total, _, live = accrued(sitting)
    assert total.won == house_money(live.balances) == total.theoretical + total.luck - house_value(live)
    assert live.game.meters

"""Making wagers: amounts that do not divide into parts, and the vigorish of an addition."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.commands import BuyIn
from passline.rules.schema import clause_text
from tests.clauses.table import ANN, Play, make, rules_of


@pytest.mark.parametrize(("wager", "unlawful", "lawful"), [("c_and_e", 10_25, 10_50), ("horn", 10_50, 11_00)])
def test_a_composite_wager_divides_into_whole_cents(wager: str, unlawful: int, lawful: int) -> None:
    """A regulation may name no unit, but a part of a cent cannot be paid."""
    play = Play(rules_of("arizona", house={"smallest_chip_cents": 25}))
    refusals = play.refuse(make(ANN, wager, unlawful))
    assert {one.clause for one in refusals} == {clause_text(play.rules.rulebook.general.unpayable.cite)}
    play.make(ANN, wager, lawful)


@pytest.mark.parametrize(("wager", "cents", "coupon"), [("c_and_e", 10_00, 2_00), ("whirl", 25_00, 5_00)])
def test_a_coupon_on_a_composite_wager_divides_as_its_chips_do(wager: str, cents: int, coupon: int) -> None:
    """A coupon doubles what each part wins, so its face must divide into the parts too."""
    play = Play(rules_of("colorado"))
    play.do(BuyIn(seat=ANN, cents=0, coupon=50_00))
    lawful = replace(make(ANN, wager, cents), coupon=coupon)
    refusals = play.refuse(replace(lawful, coupon=coupon + 1))
    assert [one.clause for one in refusals] == [clause_text(play.rules.rulebook.general.unpayable.cite)]
    play.do(lawful)
    assert sum(wager.coupon for wager in play.table.position.layout) == coupon


def test_an_addition_costs_only_its_own_vigorish() -> None:
    seat = 4
    play = Play(rules_of("colorado"))
    play.do(c.TakeSeat(seat=seat))
    play.do(c.BuyIn(seat=seat, cents=42_00 + 20_00))
    play.make(seat, "buy", 40_00, number=4)
    assert play.rack(seat) == 20_00
    more = make(seat, "buy", 20_00, number=4)
    assert [one.is_money for one in play.refuse(more)] == [True]
    play.do(c.BuyIn(seat=seat, cents=1_00))
    play.do(more)
    assert play.rack(seat) == 0
    buy = play.find(seat, "buy", 4)
    assert buy is not None
    assert (buy.cents, buy.vigorish) == (60_00, 3_00)

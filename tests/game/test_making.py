"""Amounts that do not divide into the parts of a wager."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.game.commands import BuyIn
from passline.rules.rules import clause_text
from tests.clauses.table import ANN, Play, make, rules_of


@pytest.mark.parametrize(("wager", "unlawful", "lawful"), [("c_and_e", 10_25, 10_50), ("horn", 10_50, 11_00)])
def test_a_wager_of_parts_divides_into_whole_cents(wager: str, unlawful: int, lawful: int) -> None:
    """Where the text gives no unit: a part of a cent cannot be paid at all."""
    play = Play(rules_of("arizona", house={"smallest_chip_cents": 25}))
    refusals = play.refuse(make(ANN, wager, unlawful))
    assert {one.clause for one in refusals} == {clause_text(play.rules.rulebook.general.unpayable.cite)}
    play.make(ANN, wager, lawful)


@pytest.mark.parametrize(("wager", "cents", "coupon"), [("c_and_e", 10_00, 2_00), ("whirl", 25_00, 5_00)])
def test_a_coupon_on_a_wager_of_parts_divides_as_its_chips_do(wager: str, cents: int, coupon: int) -> None:
    """A coupon doubles what each part wins, so a face of one cent more lies on no part."""
    play = Play(rules_of("colorado"))
    play.do(BuyIn(seat=ANN, cents=0, coupon=50_00))
    lawful = replace(make(ANN, wager, cents), coupon=coupon)
    refusals = play.refuse(replace(lawful, coupon=coupon + 1))
    assert [one.clause for one in refusals] == [clause_text(play.rules.rulebook.general.unpayable.cite)]
    play.do(lawful)
    assert sum(wager.coupon for wager in play.table.position.layout) == coupon

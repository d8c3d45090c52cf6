"""Amounts that do not divide into the parts of a wager; odds like others that were judged before."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.game.commands import BuyIn, RemoveWager
from passline.game.events import WagerIncreased, WagerMade
from passline.rules.schema import clause_text
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


@pytest.mark.parametrize("number", [0, 6])
def test_odds_like_others_are_judged_by_what_lies_there_now(number: int) -> None:
    """The same command again: made anew, added to what stands, and refused once its line wager is gone."""
    play = Play(rules_of("maryland")).shoots()
    play.make(ANN, "dont_pass", 30_00)
    play.roll("4-2")
    odds, down = make(ANN, "dont_pass_odds", 30_00, number), RemoveWager(seat=ANN, wager="dont_pass_odds", number=6)
    for _ in range(2):
        (made,) = play.do(odds)
        assert type(made) is WagerMade
        assert made.after == play.find(ANN, "dont_pass_odds", 6)
        (added,) = play.fork().do(odds)
        assert type(added) is WagerIncreased
        assert added.wager == made.after
        play.do(down)
    play.do(RemoveWager(seat=ANN, wager="dont_pass"))
    play.refuse(odds)

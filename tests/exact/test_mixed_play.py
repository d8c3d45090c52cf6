"""What a roll of a mix of wagers costs, by separate arithmetic: each share of rolls and each payout written out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.exact.mixed_play import LaidWager, law_of_mix, shares_of_rolls
from passline.exact.par.par import par_of
from passline.rules.rules import Rules

RULES = Rules.of("maryland")
_ROLLS_PER_LINE = Fraction(557, 165)  # until a line wager is decided: the known figure
_WITH_POINT = 1 - 1 / _ROLLS_PER_LINE  # of all rolls


def test_a_line_wager_that_is_always_up_costs_its_edge_for_each_decision() -> None:
    law = law_of_mix(RULES, {LaidWager("pass"): Fraction(1)})
    assert law is not None
    assert law.loss == Fraction(7, 495) / _ROLLS_PER_LINE
    assert law.variance == (1 - Fraction(7, 495) ** 2) / _ROLLS_PER_LINE, "it wins or loses 1, once in so many rolls"


def test_place_wagers_are_off_on_the_come_out_and_odds_cost_nothing() -> None:
    assert dict(shares_of_rolls(RULES))[0] == 1 - _WITH_POINT
    six = law_of_mix(RULES, {LaidWager("place_win", 6): Fraction(1)})
    assert six is not None
    assert six.loss == (Fraction(6, 36) - Fraction(5, 36) * Fraction(7, 6)) * _WITH_POINT
    odds = law_of_mix(RULES, {LaidWager("pass_odds"): Fraction(1)})
    assert odds is not None
    assert odds.loss == 0
    ways = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    pays = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5), 8: Fraction(6, 5), 9: Fraction(3, 2), 10: Fraction(2)}
    often = {point: Fraction(count, count + 6) for point, count in ways.items()}
    by_hand = sum(often[p] * (ways[p] * pays[p] ** 2 + 6) / 36 for p in ways) / (1 + sum(often.values()))
    assert odds.variance == by_hand


def test_the_field_and_a_proposition_share_their_dice_and_the_variance_knows_it() -> None:
    field, seven = (LaidWager("field"), LaidWager("any_seven"))
    apart = [law_of_mix(RULES, {laid: Fraction(1)}) for laid in (field, seven)]
    both = law_of_mix(RULES, {field: Fraction(1), seven: Fraction(1)})
    assert both is not None
    assert [law.loss for law in apart if law] == [
        par_of(RULES, kind=kind, cents=10_00).edge for kind in ("field", "any_seven")
    ]
    assert both.loss == sum(law.loss for law in apart if law) / 2
    gains = {2: 2, 12: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 5: -1, 6: -1, 8: -1, 7: -1}
    together = {total: Fraction(gain + (4 if total == 7 else -1), 2) for total, gain in gains.items()}
    ways = {total: 6 - abs(total - 7) for total in gains}
    mean = sum(Fraction(ways[t], 36) * together[t] for t in gains)
    assert both.variance == sum(Fraction(ways[t], 36) * (together[t] - mean) ** 2 for t in gains)


def test_a_wager_that_is_not_dealt_is_left_out_and_a_mix_of_none_has_no_law() -> None:
    assert law_of_mix(RULES, {LaidWager("put", 6): Fraction(1)}) is None
    assert law_of_mix(RULES, {LaidWager("put", 6): Fraction(1), LaidWager("field"): Fraction(1)}) == law_of_mix(
        RULES, {LaidWager("field"): Fraction(1)}
    )
    assert law_of_mix(RULES, {LaidWager("place_win", 7): Fraction(1)}) is None


@pytest.mark.parametrize("regulation", ["colorado", "section2", "arizona"])
def test_the_dark_side_costs_what_its_edge_says_where_it_is_dealt(regulation: str) -> None:
    rules = Rules.of(regulation)
    law = law_of_mix(rules, {LaidWager("dont_pass"): Fraction(1)})
    assert law is not None
    par = par_of(rules, kind="dont_pass", cents=10_00)
    assert law.loss == par.edge / par.rolls

"""The dice at which a strategy breaks even, against formulas of the wagers and against laws of long sessions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from passline import Rules, Terms, analyze, compile_strategy, par_of, strategy_of
from passline.automaton.terms import SessionError
from passline.dice_weights import dice_named, dice_of_faces, dice_of_rolls_to_seven
from passline.exact.break_even import break_even_dice, gain_per_roll

MARYLAND = Rules.of("maryland")


def test_the_field_breaks_even_where_its_chances_say() -> None:
    """With one seven in x rolls an other outcome comes with (x - 1) / 30x; 16 of them win, 12 once, 2 and 12 more."""
    won = [1] * 14 + [2, 2]
    edge = par_of(MARYLAND, kind="field", cents=5_00).edge
    assert edge == Fraction(20 - sum(won), 36) == Fraction(1, 18)
    # (sum(won) - 14 others that lose) (x - 1) / 30 = 1, so 4 (x - 1) = 30
    (above,) = break_even_dice(MARYLAND, "field")
    assert above.low == 1 + Fraction(30, sum(won) - 14) == Fraction(17, 2)
    assert above.gain_at_low == 0 < above.gain_at_high


@pytest.mark.parametrize("kind", ["pass", "dont_pass"])
def test_a_line_wager_breaks_even_where_its_par_changes_its_sign(kind: str) -> None:
    for found in break_even_dice(MARYLAND, kind):
        assert found.high - found.low == Fraction(1, 1 << 20)
        edges = [
            par_of(MARYLAND, kind=kind, cents=10_00, dice=dice_of_rolls_to_seven(value)).edge
            for value in (found.low, found.high)
        ]
        assert (edges[0] > 0) != (edges[1] > 0)
        assert (edges[0] > 0) == (found.gain_at_low < 0)


def test_a_face_is_found_on_the_side_that_helps() -> None:
    (found,) = break_even_dice(MARYLAND, "pass", face=4)
    edges = [
        par_of(MARYLAND, kind="pass", cents=10_00, dice=dice_of_faces([1, 1, 1, weight, 1, 1])).edge
        for weight in (found.low, found.high)
    ]
    assert edges[0] > 0 > edges[1]
    assert found.varied == "weight of face 4"


@pytest.mark.parametrize("name", ["fair", "biased:srr=7"])
def test_the_gain_per_roll_is_that_of_a_roll_added_to_a_long_session(name: str) -> None:
    dice = dice_named(name)
    whole = compile_strategy(MARYLAND, strategy_of("molly", MARYLAND))
    gain = gain_per_roll(replace(whole, weights=dice.weights))
    means = []
    for rolls in (120, 119):
        law = analyze(MARYLAND, "molly", Terms(bankroll_cents=90_000_00, rolls=rolls), dice=dice).law
        assert law is not None
        means.append(law.mean_cents)
    assert means[0] - means[1] == pytest.approx(float(gain), abs=1e-3)


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(SessionError, match="a die has faces from 1 to 6"):
        break_even_dice(MARYLAND, "pass", face=7)
    with pytest.raises(SessionError, match="raise the budget"):
        break_even_dice(MARYLAND, "molly + hardways + field", budget=10)

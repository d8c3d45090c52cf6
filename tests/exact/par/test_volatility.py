"""Volatility, greatest gains and returns by plays, against the binomial law and against every outcome."""

from fractions import Fraction
from math import comb, sqrt

import pytest

from passline.errors import CrapsError
from passline.exact.par.par import par_of
from passline.exact.par.printed import in_percent, volatility_table
from passline.exact.par.sheet import PLAYS, sheet
from passline.rules.rules import Rules

RULES = Rules.of("maryland")


@pytest.mark.parametrize("plays", [1_000, 10_000])
def test_the_interval_of_the_return_holds_19_of_20_by_the_binomial_law(plays: int) -> None:
    par = par_of(RULES, kind="any_seven", cents=5_00)  # wins 4 to 1 with a chance of 1/6
    low, high = map(Fraction, par.return_interval(plays))
    inside = sum(comb(plays, wins) * 5 ** (plays - wins)
                 for wins in range(plays + 1) if low <= Fraction(5 * wins, plays) <= high)  # fmt: skip
    assert 0.945 < float(Fraction(inside, 6**plays)) < 0.955


def test_a_narrower_interval_takes_a_hundred_times_as_many_plays() -> None:
    par = par_of(RULES, kind="place_win", number=6, cents=12_00)
    (low, high), (lower, higher) = (par.return_interval(plays) for plays in (PLAYS[2], PLAYS[0]))
    assert float(higher - lower) == pytest.approx(10 * float(high - low), rel=1e-4)
    assert float(par.volatility) == pytest.approx(1.6448536 * sqrt(par.variance) / float(par.wagered), rel=1e-6)


def test_the_greatest_gain_is_the_best_of_all_outcomes() -> None:
    field = par_of(RULES, kind="field", cents=5_00)
    assert field.top == max(field.top or 0, 2)
    assert field.top_chance in {Fraction(1, 36), Fraction(1, 18)}
    line = par_of(RULES, kind="pass", cents=10_00, odds="pass_odds")  # 3-4-5x: 1 + 6 on any point
    points = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    assert line.top == 7
    assert line.top_chance == sum(Fraction(ways, 36) * Fraction(ways, ways + 6) for ways in points.values())
    assert par_of(RULES, kind="pass", cents=10_00).top_chance == Fraction(244, 495)


def test_rare_chances_are_not_shown_as_nothing() -> None:
    assert in_percent(Fraction(1, 36**8), 2) == "3.5e-11"
    made = volatility_table(sheet("maryland", game="craps", wager="field"))
    assert all("0.0000%" not in str(cell) for row in made.rows for cell in row)
    assert len(made.heads) == len(made.rows[0]) == len(made.widths)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"kind": "place"}, "maryland has no wager 'place'; did you mean place_win, place_lose"),
        ({"kind": "pas"}, "did you mean pass"),
        ({"kind": "zzz"}, "choose pass"),
        ({"kind": "place_win"}, "place_win on 0: name a number, 4, 5, 6, 8, 9, 10"),
        ({"kind": "pass", "cents": 10.0}, "a wager is a whole number of cents above 0"),
        ({"kind": "pass", "cents": 0}, "a wager is a whole number of cents above 0"),
        ({"kind": "pass", "odds": "odds"}, "has no wager 'odds'"),
    ],
)
def test_a_wager_that_is_none_is_refused_with_the_choices(more: dict[str, object], why: str) -> None:
    with pytest.raises(CrapsError, match=why):
        par_of(RULES, **{"cents": 10_00, **more})  # type: ignore[arg-type]


def test_a_regulations_name_is_no_rules() -> None:
    with pytest.raises(CrapsError, match=r"'maryland' is not Rules: Rules.of"):
        par_of("maryland", kind="pass", cents=10_00)  # type: ignore[arg-type]

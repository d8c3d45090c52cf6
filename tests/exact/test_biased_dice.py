"""Exact answers with dice that are not fair, against chains written here and formulas of the wagers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest

from passline import Rules, Terms, analyze, compile_strategy, hand_length, par_of, strategy_of
from passline.dice import OUTCOMES
from passline.dice_weights import FAIR, DiceWeights, dice_named, weighted_dice
from passline.exact.analysis import Analysis
from passline.exact.backwards import smallest_bankroll

MARYLAND = Rules.of("maryland")
NAMES = ("biased:srr=6.5", "biased:srr=13/3", "biased:1=16,2=17,3=18,4=15,5=17,6=16", "biased:6=1.3:fair")
DICE = [dice_named(name) for name in NAMES]
NEVER_EQUAL = weighted_dice(range(1, 37))  # all outcomes differ, so 3-4 and 4-3 do too
POINTS = (4, 5, 6, 8, 9, 10)


def of_total(dice: DiceWeights, *totals: int) -> Fraction:
    return sum((dice.chance(roll) for roll in OUTCOMES if roll.total in totals), Fraction(0))


def pass_line_wins(dice: DiceWeights) -> Fraction:
    seven = of_total(dice, 7)
    by_points = (of_total(dice, point) ** 2 / (of_total(dice, point) + seven) for point in POINTS)
    return of_total(dice, 7, 11) + sum(by_points, Fraction(0))


@pytest.mark.parametrize("dice", [*DICE, NEVER_EQUAL, FAIR], ids=str)
def test_pars_are_those_of_the_formulas(dice: DiceWeights) -> None:
    def edge(kind: str, number: int = 0) -> Fraction:
        return par_of(MARYLAND, kind=kind, number=number, cents=30_00, dice=dice).edge

    seven, six = of_total(dice, 7), of_total(dice, 6)
    assert edge("pass") == 1 - 2 * pass_line_wins(dice)
    assert edge("any_seven") == 1 - 5 * seven
    assert edge("place_win", 6) == seven / (six + seven) - Fraction(7, 6) * six / (six + seven)
    hard = dice.chance(OUTCOMES[14])
    assert OUTCOMES[14].pair == "3-3"
    assert edge("hardway", 6) == 1 - 10 * hard / (six + seven)
    bars = of_total(dice, 12)
    wins = 1 - pass_line_wins(dice) - bars
    assert edge("dont_pass") == pass_line_wins(dice) - wins


def law_of_the_pass_line(dice: DiceWeights, *, bankroll: int, rolls: int) -> dict[int, Fraction]:
    """The final bankrolls, in wagers, of a player with one wager on the pass line while the bankroll pays for it."""
    states: dict[tuple[int, int], Fraction] = {(0, bankroll): Fraction(1)}
    ended: defaultdict[int, Fraction] = defaultdict(Fraction)
    for _ in range(rolls):
        after: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (point, money), share in states.items():
            if not money:
                ended[money] += share
                continue
            for roll in OUTCOMES:
                total, chance = roll.total, share * dice.chance(roll)
                if point:
                    won = (total == point) - (total == 7)
                    after[0 if won else point, money + won] += chance
                else:
                    won = (total in {7, 11}) - (total in {2, 3, 12})
                    after[total if total in POINTS else 0, money + won] += chance
        states = after
    for (_point, money), share in states.items():
        ended[money] += share
    return dict(ended)


@pytest.mark.parametrize("dice", [*DICE[1:3], NEVER_EQUAL], ids=str)
def test_the_law_of_a_session_is_that_of_a_chain_written_here(dice: DiceWeights) -> None:
    expected = law_of_the_pass_line(dice, bankroll=3, rolls=9)
    terms = Terms(bankroll_cents=30_00, rolls=9)
    law = analyze(MARYLAND, "pass", terms, dice=dice, exact=True).law
    assert law is not None
    assert dict(zip(law.equity_cents, law.chances, strict=True)) == {
        money * 10_00: share for money, share in sorted(expected.items()) if share
    }
    rounded = analyze(MARYLAND, "pass", terms, dice=dice).law
    assert rounded is not None
    assert rounded.mean_cents == pytest.approx(float(law.mean_cents), rel=1e-12)
    assert rounded.action_cents == pytest.approx(float(law.action_cents), rel=1e-12)


def test_a_network_without_a_product_has_the_mean_of_its_product() -> None:
    terms = Terms(bankroll_cents=5_000_00, rolls=40)

    def found(budget: int) -> Analysis:
        return analyze(MARYLAND, "pass + hardways", terms, dice=NEVER_EQUAL, budget=budget)

    apart, together = found(4).moments, found(4096).law
    assert apart is not None
    assert together is not None
    assert terms.bankroll_cents + apart.mean == pytest.approx(together.mean_cents, rel=1e-12)
    assert apart.sd == pytest.approx(together.deviation_cents, rel=1e-9)


def test_a_loss_limit_that_nobody_reaches_changes_nothing() -> None:
    dice = DICE[0]
    terms = {"bankroll_cents": 500_00, "rolls": 30}
    plain = analyze(MARYLAND, "pass", Terms(**terms), short="ride", dice=dice).law
    limited = analyze(MARYLAND, "pass", Terms(**terms, shooter_loss_cents=400_00), short="ride", dice=dice).law
    assert plain is not None
    assert limited is not None
    assert limited.mean_cents == pytest.approx(plain.mean_cents, rel=1e-12)


def test_wagers_that_are_played_out_cost_what_their_pars_say() -> None:
    dice, terms = DICE[1], Terms(bankroll_cents=500_00, rolls=1)
    law = analyze(MARYLAND, "pass", terms, dice=dice, finish=True).law
    assert law is not None
    edge = par_of(MARYLAND, kind="pass", cents=10_00, dice=dice).edge
    assert law.mean_cents == pytest.approx(500_00 - float(10_00 * edge), rel=1e-12)


@pytest.mark.parametrize("dice", DICE, ids=str)
def test_a_hand_is_as_long_as_its_sevens_allow(dice: DiceWeights) -> None:
    compiled = compile_strategy(MARYLAND, strategy_of("pass", MARYLAND))
    assert hand_length(replace(compiled, weights=dice.weights)).mean == _mean_hand(dice)


def _mean_hand(dice: DiceWeights) -> Fraction:
    """With m the mean from a come-out: m = 1 + (1 - sets) m + the sum over points of set(p) (wait(p) + make(p) m)."""
    seven = of_total(dice, 7)
    constant, factor = Fraction(1), 1 - of_total(dice, *POINTS)
    for point in POINTS:
        comes = of_total(dice, point)
        constant += comes / (comes + seven)  # rolls until it is decided: 1 / (comes + seven)
        factor += comes * comes / (comes + seven)
    return constant / (1 - factor)


def test_fair_weights_change_nothing() -> None:
    terms = Terms(bankroll_cents=300_00, rolls=50, goal_cents=400_00)
    fair = dice_named("biased:17,17,17,17,17,17")
    assert analyze(MARYLAND, "molly", terms, dice=fair) == analyze(MARYLAND, "molly", terms)
    assert par_of(MARYLAND, kind="pass", cents=5_00, dice=fair) == par_of(MARYLAND, kind="pass", cents=5_00)


def test_a_question_backwards_is_answered_with_the_dice_that_are_asked() -> None:
    terms = Terms(bankroll_cents=100_00, rolls=50)
    most, dice = Fraction(1, 20), dice_named("biased:srr=5")
    found = smallest_bankroll(MARYLAND, "pass", terms, ruin_at_most=most, dice=dice)
    ruins = [
        analyze(MARYLAND, "pass", Terms(bankroll_cents=cents, rolls=50), dice=dice).law
        for cents in (found.meets.value, found.fails.value if found.fails else 0)
    ]
    assert ruins[0] is not None
    assert ruins[1] is not None
    assert ruins[0].ruin <= most < ruins[1].ruin

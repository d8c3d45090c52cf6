"""How rare luck is at most: never told as rarer than it is, whoever plays and whenever somebody looks, and not far off.

`./x bench luck` does the same with 500 sittings of fixed stakes and 100,000 of players who adapt.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from itertools import islice
from random import Random
from statistics import median

import pytest

from passline.automaton.standing import PAIRS, WEIGHTS, StandingWager, rolls_of_standing
from passline.dice import roll_of
from passline.exact.luck_evidence import (
    NO_PRICES,
    OCTAVES,
    LuckEvidence,
    prices_of_roll,
    prices_on_shared_dice,
    scale_of,
    sum_of_prices,
)
from passline.exact.standing import StandingSteps, StandingValues
from tests.cases import one_in
from tests.exact.luck_sittings import (
    RULES,
    adapted_sitting,
    evidence_after,
    fixed_sittings,
    law_of,
    luck_with,
    steps_of,
    tail_chance,
    wager,
)

pytestmark = pytest.mark.long


def test_the_examples_of_the_guide_to_the_office_are_exact() -> None:
    """docs/office.md: 10.00 on pass and 5.00 on the field, then 1-2; 12 hit once beside a line wager, and 3 in 10."""
    values = StandingValues(RULES)
    first = [wager("pass", 10_00), wager("field", 5_00)]
    luck = {(pair.first, pair.second): -change for pair, change in zip(PAIRS, values.changes(first), strict=True)}
    assert -values.value(first) == Fraction(4150, 99), "42 cents of theoretical win"
    assert -values.value(first) + luck[1, 2] == 5_00
    assert sum(weight * change for weight, change in zip(WEIGHTS, luck.values(), strict=True)) == 0
    twelve = wager("craps_12", 100_00)
    both = [wager("pass", 10_00), twelve]
    steps, hit = values.steps(both), -values.changes(both)[-1]
    assert LuckEvidence(luck=hit, prices=prices_of_roll(steps), scale=scale_of(steps.variance)).one_in() == 5
    steps, changes = values.steps([twelve]), values.changes([twelve])
    ten, luck_of_ten = sum_of_prices({prices_of_roll(steps): 10}), -3 * changes[-1] - 7 * changes[1]
    assert LuckEvidence(luck=luck_of_ten, prices=ten, scale=scale_of(steps.variance)).one_in() == 11


TWELVE = PAIRS.index(roll_of(6, 6))
BILLION = 10**9


def _price(steps: StandingSteps, tilt: Fraction) -> Decimal:
    """The logarithm of the mean of exp(tilt * luck), to fifty digits."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 50, MAX_EMAX, MIN_EMIN
        parts = [
            weight * (Decimal((tilt * luck).numerator) / Decimal((tilt * luck).denominator)).exp()
            for luck, weight in law_of(steps).items()
        ]
        return (sum(parts, Decimal(0)) / 36).ln()


LAYOUTS = (
    (wager("pass", 10_00), wager("craps_12", 100_00)),
    (wager("pass", 1_00), wager("field", 1_00)),
    (wager("field", 5_000_00),),
    (wager("pass", 25_00, puck=6), wager("pass_odds", 250_00, 6, puck=6), wager("hardway", 5_00, 8, puck=6)),
    (wager("any_seven", 1_000_000_00),),
)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_price_of_a_roll_is_never_too_low_and_hardly_too_high(layout: tuple[StandingWager, ...]) -> None:
    steps = steps_of(layout)
    prices = prices_of_roll(steps)
    for sign, found in ((1, prices.above), (-1, prices.below)):
        for octave, price in zip(OCTAVES, found, strict=True):
            exact = _price(steps, Fraction(sign, 1 << octave)) * BILLION
            assert exact <= price <= exact * Decimal("1.002") + 3, (sign, octave)


def test_a_layout_that_no_roll_moves_costs_nothing_and_sums_are_exact() -> None:
    assert prices_of_roll(StandingSteps()) is NO_PRICES
    assert sum_of_prices({}) is NO_PRICES
    one, other = (prices_of_roll(steps_of(layout)) for layout in LAYOUTS[:2])
    assert sum_of_prices({one: 2, other: 1}) == one + other + one == other + NO_PRICES + one + one
    nothing = LuckEvidence(luck=Fraction(0), prices=NO_PRICES, scale=0)
    assert (nothing.one_in(), nothing.band(20)) == (1, (0, 0))


def test_luck_on_the_same_dice_is_priced_as_high_as_it_can_be() -> None:
    """Two seats with the same wager have twice the luck and not two lucks: a product of their evidence would lie."""
    one, both = steps_of((wager("craps_12", 100_00),)), steps_of((wager("craps_12", 100_00), wager("craps_12", 100_00)))
    apart, exact = prices_of_roll(one), prices_of_roll(both)
    shared = prices_on_shared_dice([apart, apart])
    assert all(
        price >= true for price, true in zip(shared.above + shared.below, exact.above + exact.below, strict=True)
    )
    assert any(price < true for price, true in zip((apart + apart).below, exact.below, strict=True))
    luck = luck_with(both, TWELVE)
    told = LuckEvidence(luck=luck, prices=shared, scale=scale_of(one.variance)).one_in()
    assert told <= 36 < LuckEvidence(luck=luck, prices=apart + apart, scale=scale_of(one.variance)).one_in()
    assert prices_on_shared_dice([apart, NO_PRICES]) == apart


def test_one_hit_on_twelve_beside_a_line_wager_is_no_rarer_than_1_in_36() -> None:
    """The normal approximation said 1 in 302,593,569."""
    steps = steps_of((wager("pass", 10_00), wager("craps_12", 100_00)))
    luck = luck_with(steps, TWELVE)
    assert tail_chance([steps], luck) == pytest.approx(1 / 36)
    assert 2 < evidence_after([steps], luck).one_in() <= 36


def test_three_hits_in_ten_rolls_are_no_rarer_than_1_in_450() -> None:
    """The normal approximation said 1 in 6,171,140."""
    steps = steps_of((wager("craps_12", 100_00),))
    luck = 3 * luck_with(steps, TWELVE) + 7 * luck_with(steps, 0)
    exact = tail_chance([steps] * 10, luck)
    assert exact == pytest.approx(1 / 450, rel=0.001)
    assert 5 < evidence_after([steps] * 10, luck).one_in() <= 450


def test_looking_at_many_figures_is_counted_in_and_nothing_is_ever_told_as_impossible() -> None:
    steps = steps_of((wager("craps_12", 100_00),))
    far = evidence_after([steps] * 10, 10 * luck_with(steps, TWELVE))
    assert far.one_in() == far.one_in(2) == BILLION  # 36 to the tenth is beyond what anybody has to say
    some = evidence_after([steps] * 10, 4 * luck_with(steps, TWELVE) + 6 * luck_with(steps, 0))
    assert some.one_in() // 10 - 1 <= some.one_in(10) <= some.one_in() // 10 + 1
    assert some.one_in(10**9) == 1


LINE = wager("pass", 10_00)
SIGNED = tuple[StandingWager, tuple[int, ...], Fraction]  # what stands, how often each state was rolled at, and luck


def _ends_on_the_line(rolls: int) -> tuple[tuple[StandingSteps, ...], dict[SIGNED, int]]:
    """All states of a line wager, that of the come-out first, and in how many ways each end of a sitting comes."""
    states = list(dict.fromkeys((LINE, *(one.after for one in rolls_of_standing(RULES, LINE) if one.after))))
    rolled = [[one.after or LINE for one in rolls_of_standing(RULES, state)] for state in states]
    laws = tuple(steps_of((state,)) for state in states)
    ends: dict[SIGNED, int] = {(LINE, (0,) * len(states), Fraction(0)): 1}
    for _ in range(rolls):
        after: dict[SIGNED, int] = {}
        for (stands, counts, luck), ways in ends.items():
            at = states.index(stands)
            thrown = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
            for place, weight in enumerate(WEIGHTS):
                key = rolled[at][place], thrown, luck + luck_with(laws[at], place)
                after[key] = after.get(key, 0) + weight * ways
        ends = after
    return laws, ends


@pytest.mark.whole
@pytest.mark.parametrize("thrown", [7, pytest.param(9, marks=pytest.mark.sweep)])
def test_every_end_of_some_rolls_on_the_line_is_told_as_no_rarer_than_it_is(thrown: int) -> None:
    """All 36**9 sittings with 10.00 on the pass line: their layouts depend on the dice, and nothing is left out."""
    laws, ends = _ends_on_the_line(thrown)
    every = sum(ends.values())
    assert every == 36**thrown
    by_luck: dict[Fraction, int] = {}
    told: dict[int, int] = {}
    rarest: dict[Fraction, int] = {}
    for (_, counts, luck), ways in ends.items():
        rolls = [law for law, count in zip(laws, counts, strict=True) for _ in range(count)]
        one_in = evidence_after(rolls, luck).one_in()
        by_luck[luck] = by_luck.get(luck, 0) + ways
        told[one_in] = told.get(one_in, 0) + ways
        rarest[luck] = max(rarest.get(luck, 1), one_in)
    lucks = sorted(by_luck)
    for side in (lucks, lucks[::-1]):
        further = 0
        for luck in side:
            further += by_luck[luck]
            if (luck < 0) is (side is lucks):
                assert Fraction(1, rarest[luck]) >= Fraction(further, every), luck
    for bound in (2, 5, 10, 20, 50, 100):
        assert sum(ways for one_in, ways in told.items() if one_in >= bound) * bound <= every
    assert max(told) >= 10


@pytest.mark.parametrize("seed", one_in(2, (1, 0)))
def test_fixed_stakes_are_told_as_no_rarer_than_they_are_and_within_a_factor_of_300(seed: int) -> None:
    factors = []
    for one in islice(fixed_sittings(Random(seed)), 30):
        factor = 1 / evidence_after(one.rolls, one.luck).one_in() / one.chance
        assert factor >= 1, one.plan
        factors.append(factor)
    assert median(factors) <= 300


@pytest.mark.whole
@pytest.mark.parametrize(("sittings", "rarest"), [(300, 10), pytest.param(1_000, 50, marks=pytest.mark.sweep)])
def test_players_who_adapt_and_stop_at_their_best_moment_are_seldom_called_rare(sittings: int, rarest: int) -> None:
    random = Random(30)
    found = [adapted_sitting(random, band=20) for _ in range(sittings)]
    assert sum(one.one_in >= 100 for one in found) <= sittings / 100
    assert sum(one.one_in >= 10 for one in found) <= sittings / 10
    assert sum(one.left_band for one in found) <= sittings / 20
    assert any(one.one_in >= rarest for one in found)

"""Best play: known optima as fractions, a second iteration, brute force, its own bounds, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passline.automaton.decisions.compiler import TooManyDecisions
from passline.automaton.decisions.menu import menu_of
from passline.automaton.terms import SessionError, Terms
from passline.exact.analysis import analyze
from passline.exact.best.best_play import BestPlay, best
from passline.exact.best.purpose import Purpose
from passline.exact.best.unlimited import SCALE, Unlimited
from passline.exact.session.law import SessionLaw
from passline.rules.rules import Rules
from tests.cases import one_in
from tests.exact.best.second_iteration import chance_to_reach

MARYLAND = Rules.of("maryland")
DOUBLE = Purpose.goal(bankroll_cents=500_00, goal_cents=1000_00)
ALL_AT_100 = {"odds": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 100)}


def rules_with(multiple: int) -> Rules:
    """Return Maryland's rules at 3-4-5x, or at another multiple on every point."""
    return Rules.of("maryland", house=ALL_AT_100) if multiple == 100 else MARYLAND


@cache
def doubling(menu: str, unit_cents: int, multiple: int = 345, *, exact: bool = False) -> BestPlay:
    rules = rules_with(multiple)
    return best(rules, menu_of(menu, rules, unit_cents=unit_cents), DOUBLE, exact=exact)


@pytest.mark.whole
@pytest.mark.parametrize("unit_cents", [500_00, 50_00])
@pytest.mark.parametrize(("menu", "chance"), [("pass", Fraction(244, 495)), ("dont_pass", Fraction(949, 1925))])
def test_doubling_without_odds_is_done_best_in_one_bold_wager(menu: str, chance: Fraction, unit_cents: int) -> None:
    found = doubling(menu, unit_cents, exact=True)
    assert found.exact == chance
    assert found.gap == 0
    assert found.table()[-1 if unit_cents == 500_00 else 10][2] == f"{menu} 500.00"


@pytest.mark.whole
def test_odds_beat_bold_play_and_the_fraction_lies_within_the_bounds() -> None:
    rough, found = doubling("line", 50_00), doubling("line", 50_00, exact=True)
    assert found.exact is not None
    assert Fraction(244, 495) < Fraction(949, 1925) < found.exact
    assert rough.gap < 1e-12
    assert Fraction(rough.value) <= found.exact <= Fraction(rough.upper)


@pytest.mark.parametrize(
    ("unit_cents", "multiple"),
    [
        (50_00, 345),
        pytest.param(50_00, 100, marks=pytest.mark.whole),
        pytest.param(5_00, 345, marks=pytest.mark.sweep),
        pytest.param(5_00, 100, marks=pytest.mark.sweep),
    ],
)
def test_a_second_iteration_finds_the_same_chance(unit_cents: int, multiple: int) -> None:
    multiples = {str(point): int(most) for point, most in rules_with(multiple).house.odds.items()}
    second = chance_to_reach(1000_00 // unit_cents, 500_00 // unit_cents, multiples)
    found = doubling("line", unit_cents, multiple)
    assert abs(found.value - second) < 1e-9
    assert found.gap < 1e-9
    if unit_cents == 5_00:
        assert round(found.value, 4) == {345: 0.4975, 100: 0.4996}[multiple]


@pytest.mark.parametrize("unit_cents", [50_00, pytest.param(5_00, marks=pytest.mark.sweep)])
def test_analyze_plays_the_file_to_the_same_chance(unit_cents: int, tmp_path: Path) -> None:
    found = doubling("line", unit_cents)
    file = tmp_path / "double.policy"
    file.write_text(found.policy_text(), encoding="utf-8")
    law = analyze(MARYLAND, str(file), Terms(bankroll_cents=500_00, goal_cents=1000_00, rolls=10**6)).law
    assert law is not None
    assert abs(float(law.goal) - found.value) < 1e-9


def test_bounds_hold_at_every_cell_in_fractions() -> None:
    """No act of any cell exceeds its upper bound, and the act that is played reaches the lower one."""
    found = doubling("line", 100_00)
    automaton, solved = found.automaton, found.solution
    assert isinstance(solved, Unlimited)
    goal = solved.uppers.shape[1]

    def mean(table: np.ndarray, act: int, money: int) -> Fraction:
        layout, total = automaton.act_layout[act], 0
        for arc in range(automaton.arc_first[layout], automaton.arc_first[layout + 1]):
            after = money + int(automaton.arc_cash[arc])
            worth = SCALE if after >= goal else int(table[automaton.arc_next[arc], after])
            total += int(automaton.arc_weight[arc]) * worth
        return Fraction(total, 36)

    for act, position in enumerate(automaton.act_position.tolist()):
        for money in range(int(automaton.act_outlay[act]), goal):
            assert mean(solved.uppers, act, money) <= int(solved.uppers[position, money])
    for position in range(len(automaton)):
        for money in range(goal):
            if (act := int(solved.policy[position, money])) >= 0:
                assert mean(solved.lowers, act, money) >= int(solved.lowers[position, money])
            else:
                assert solved.lowers[position, money] == 0


def _field_by_hand(money: int, rolls: int, target: int) -> Fraction:
    """Return the best chance to have `target` units with field wagers of 1 or 2; 2 and 12 pay double."""
    if not rolls:
        return Fraction(money >= target)
    chances = [_field_by_hand(money, rolls - 1, target)]
    for size in (1, 2):
        if size <= money:
            ways = ((2, 2), (14, 1), (20, -1))
            after = ((n, _field_by_hand(money + size * gain, rolls - 1, target)) for n, gain in ways)
            chances.append(sum((n * chance for n, chance in after), Fraction(0)) / 36)
    return max(chances)


@pytest.mark.parametrize("rolls", [1, 4])
def test_finishing_with_field_wagers_equals_recursion_by_hand(rolls: int) -> None:
    menu = menu_of("field=10/20", MARYLAND, unit_cents=10_00)
    found = best(MARYLAND, menu, Purpose.finish(bankroll_cents=30_00, at_least_cents=60_00, rolls=rolls))
    assert found.exact == _field_by_hand(3, rolls, 6)
    assert found.gap == 0


@pytest.mark.parametrize(
    ("purpose", "options", "read"),
    one_in(
        4,
        [
            (Purpose.goal(bankroll_cents=100_00, goal_cents=200_00, rolls=8), {}, lambda law: law.goal),
            (
                Purpose.finish(bankroll_cents=100_00, at_least_cents=150_00, rolls=7),
                {},
                lambda law: _at_least(law, 150_00),
            ),
            (Purpose.least_loss(bankroll_cents=100_00, rolls=6), {"finish": True}, lambda law: law.mean_cents),
            (Purpose.longest(bankroll_cents=40_00, rolls=25), {}, lambda law: law.mean_rolls),
        ],
        others=pytest.mark.whole,
    ),
)
def test_the_file_of_limited_play_is_worth_what_is_said(
    purpose: Purpose, options: dict[str, Any], read: Callable[[Any], float], tmp_path: Path
) -> None:
    menu = menu_of("line=10/20/50, place_win 6/8=60", MARYLAND, unit_cents=10_00)
    found = best(MARYLAND, menu, purpose)
    file = tmp_path / "play.policy"
    file.write_text(found.policy_text(), encoding="utf-8")
    terms = Terms(
        bankroll_cents=purpose.bankroll_cents,
        goal_cents=purpose.target_cents if purpose.kind == "goal" else None,
        rolls=purpose.rolls,
    )
    law = analyze(MARYLAND, str(file), terms, **options).law
    assert abs(float(read(law)) - found.value) < 1e-9 * max(1, found.value)
    assert found.upper - found.value < 1e-9


def _at_least(law: SessionLaw[float], cents: int) -> float:
    return math.fsum(chance for equity, chance in zip(law.equity_cents, law.chances, strict=True) if equity >= cents)


def test_the_best_play_is_no_worse_than_any_strategy_of_its_wagers() -> None:
    purpose = Purpose.least_loss(bankroll_cents=100_00, rolls=6)
    found = best(MARYLAND, menu_of("line=10/20", MARYLAND, unit_cents=10_00), purpose)
    for strategy in ("pass:unit=1000", "dont_pass:unit=1000", "pass:unit=2000,odds=2"):
        law = analyze(MARYLAND, strategy, Terms(bankroll_cents=100_00, rolls=6), finish=True).law
        assert law is not None
        assert float(law.mean_cents) <= found.upper


@pytest.mark.parametrize("name", ["colorado", "arizona", "section2"])
def test_every_regulation_answers(name: str) -> None:
    rules = Rules.of(name)
    unit = rules.house.wager_cents_min
    found = best(
        rules, menu_of("line", rules, unit_cents=unit), Purpose.goal(bankroll_cents=3 * unit, goal_cents=6 * unit)
    )
    assert 0.4 < found.value <= found.upper < 0.5


def test_pictures_have_what_they_need() -> None:
    found = doubling("line", 100_00)
    assert found.policy.shape == found.values.shape == found.staked_cents.shape
    assert found.policy.shape == (len(found.positions), len(found.money_cents))
    assert (
        found.acts[found.policy[0, 5]]
        == found.table()[[row[0] <= 500_00 <= row[1] for row in found.table()].index(True)][2]
    )
    assert int(found.staked_cents[0, 5]) <= 500_00
    assert dict(found.facts())["positions, acts"].startswith(f"{len(found.positions):,}")


@pytest.mark.whole
def test_what_two_cores_cannot_hold_is_refused_with_what_to_leave_out() -> None:
    with pytest.raises(TooManyDecisions, match="pass_odds with 3,394 sizes"):
        best(MARYLAND, menu_of("line", MARYLAND, unit_cents=1_00), DOUBLE)
    with pytest.raises(TooManyDecisions, match="larger unit or fewer rolls"):
        best(MARYLAND, menu_of("pass", MARYLAND, unit_cents=5_00), Purpose.longest(bankroll_cents=500_00, rolls=10**6))
    with pytest.raises(TooManyDecisions, match="choose fewer rolls"):
        best(MARYLAND, menu_of("line", MARYLAND, unit_cents=5_00), Purpose.longest(bankroll_cents=500_00, rolls=10**6))
    with pytest.raises(SessionError, match="no wager of the menu can be made on a come-out roll"):
        best(MARYLAND, menu_of("come", MARYLAND, unit_cents=5_00), DOUBLE)

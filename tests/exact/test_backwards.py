"""Sessions solved backwards, against a look at every value by every path."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from passline.automaton.terms import SessionError, Terms
from passline.exact.analysis import solvable_automaton
from passline.exact.backwards import Bracket, fewest_rolls, highest_goal, smallest_bankroll
from passline.rules.rules import Rules
from tests.cases import one_in
from tests.exact.session.every_path import play

RULES = Rules.of("maryland")
TERMS = Terms(bankroll_cents=30_00, rolls=12)
LINE = solvable_automaton(RULES, "pass", TERMS).automaton  # in units of 10.00


def ruin(bankroll: int, rolls: int = 12) -> Fraction:
    return sum(play(LINE, Terms(bankroll_cents=bankroll, rolls=rolls), rolls_max=rolls).ruin.values(), Fraction(0))


def reached(goal: int, rolls: int = 12) -> Fraction:
    terms = Terms(bankroll_cents=30_00, rolls=rolls, goal_cents=goal)
    return sum(play(LINE, terms, rolls_max=rolls).goal.values(), Fraction(0))


def _agrees(found: Bracket, chances: dict[int, Fraction], is_met: Callable[[Fraction], bool]) -> None:
    assert found.fails is not None
    assert is_met(chances[found.meets.value])
    assert not is_met(chances[found.fails.value])
    for side in (found.meets, found.fails):
        assert float(side.chance) == pytest.approx(float(chances[side.value]), abs=1e-12)
    assert all(is_met(chance) == (abs(value - found.meets.value) < abs(value - found.fails.value))
               for value, chance in chances.items())  # fmt: skip


@pytest.mark.parametrize(
    "asked", one_in(3, [Fraction(1, 100), Fraction(1, 20), Fraction(1, 5)], others=pytest.mark.whole)
)
def test_the_smallest_bankroll_is_the_first_of_all_that_meets_the_chance(asked: Fraction) -> None:
    chances = {units * 10_00: ruin(units * 10_00) for units in range(1, 10)}
    found = smallest_bankroll(RULES, "pass", TERMS, ruin_at_most=asked)
    _agrees(found, chances, lambda chance: chance <= asked)


@pytest.mark.parametrize("asked", [Fraction(1, 100), Fraction(1, 4), Fraction(1, 2)])
def test_the_highest_goal_is_the_last_of_all_that_meets_the_chance(asked: Fraction) -> None:
    chances = {units * 10_00: reached(units * 10_00) for units in range(4, 13)}
    found = highest_goal(RULES, "pass", TERMS, goal_at_least=asked)
    _agrees(found, chances, lambda chance: chance >= asked)


@pytest.mark.parametrize("goal_cents", [50_00, None])
def test_the_fewest_rolls_are_the_first_of_all_that_meet_the_chance(goal_cents: int | None) -> None:
    asked = Fraction(1, 5) if goal_cents else Fraction(1, 20)
    chances = {rolls: reached(50_00, rolls) if goal_cents else ruin(30_00, rolls) for rolls in range(1, 16)}
    found = fewest_rolls(RULES, "pass", Terms(bankroll_cents=30_00, rolls=1, goal_cents=goal_cents), chance=asked)
    _agrees(found, chances, lambda chance: chance >= asked)


def test_a_chance_that_float64_cannot_tell_apart_is_decided_by_the_fraction() -> None:
    for exactly in (ruin(30_00), ruin(30_00) - Fraction(1, 10**40)):
        found = smallest_bankroll(RULES, "pass", TERMS, ruin_at_most=exactly)
        assert found.meets.value == (30_00 if exactly == ruin(30_00) else 40_00)
        sides = {side.value: side.chance for side in (found.meets, found.fails) if side}
        assert sides[30_00] == ruin(30_00)
        assert isinstance(sides[30_00], Fraction)


def test_where_the_first_wagers_need_more_nothing_fails() -> None:
    assert smallest_bankroll(RULES, "pass", TERMS, ruin_at_most=Fraction(1)).fails is None


@pytest.mark.parametrize(
    ("ask", "terms", "more", "why"),
    [
        (smallest_bankroll, TERMS, {"ruin_at_most": Fraction(1, 20), "short": "ride"}, "ruin need not fall with it"),
        (smallest_bankroll, Terms(bankroll_cents=30_00, decisions=9), {"ruin_at_most": Fraction(0)}, "no bankroll is"),
        (smallest_bankroll, Terms(bankroll_cents=30_00, rolls=99, goal_cents=40_00), {"ruin_at_most": Fraction(1, 99)},
         "even with 30.00 it is"),
        (highest_goal, TERMS, {"goal_at_least": Fraction(99, 100)}, "even 40.00 is reached with only"),
        (highest_goal, TERMS, {"goal_at_least": Fraction(0)}, "ask for more"),
        (fewest_rolls, Terms(bankroll_cents=30_00, hands=1), {"chance": Fraction(1, 2)}, "no limit of line decisions"),
        (fewest_rolls, Terms(bankroll_cents=30_00, rolls=1, goal_cents=100_00), {"chance": Fraction(1, 2)},
         "never of 50.000000%"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_refused_with_the_reason(
    ask: Callable[..., Bracket], terms: Terms, more: dict[str, Any], why: str
) -> None:
    with pytest.raises(SessionError, match=why):
        ask(RULES, "pass", terms, **more)

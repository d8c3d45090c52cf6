"""Exact session laws, against the enumeration of every path and against the float64 law."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings

from passline.automaton.arrays import Automaton
from passline.automaton.terms import SessionError, Terms
from passline.exact.session.float_law import session_law
from passline.exact.session.rational_law import _is_prime, rational_law
from tests.cases import one_in
from tests.exact.automata import coin, pass_line
from tests.exact.session.every_path import play
from tests.exact.session.random_sessions import sessions


def test_a_fair_coin_is_exactly_binomial() -> None:
    law = rational_law(coin(), Terms(bankroll_cents=100_00, rolls=60))
    assert law.chances == tuple(Fraction(math.comb(60, k), 2**60) for k in range(61))
    assert [law.mean_cents, law.variance_cents] == [100_00, 60 * 100**2]
    assert law.error == 0


def test_many_rolls_need_many_primes() -> None:
    law = rational_law(coin(), Terms(bankroll_cents=3_00, rolls=201))
    assert law.ruin_by_roll[151] == Fraction(3 * math.comb(151, 74), 151 * 2**151)
    assert sum(law.chances) == 1
    assert law.mean_cents == 3_00, "a fair coin stays fair, ruin or not"


@pytest.mark.parametrize(
    "terms",
    one_in(
        6,
        [
            Terms(bankroll_cents=45_07, rolls=12, goal_cents=70_07),
            Terms(bankroll_cents=31_99, rolls=12, decisions=3),
            Terms(bankroll_cents=31_99, rolls=12, hands=2, goal_cents=100_00),
            Terms(bankroll_cents=45_07, rolls=12, stop_loss_cents=20_00),
            Terms(bankroll_cents=45_07, rolls=12, goal_cents=70_07, trailing_stop_cents=25_00),
            Terms(bankroll_cents=45_07, rolls=12, decisions=4, line_losses=2, line_wins=3, stop_loss_cents=30_00),
        ],
        others=pytest.mark.whole,
    ),
    ids=str,
)
def test_a_line_with_odds_equals_every_path(terms: Terms) -> None:
    line = pass_line(odds=2, unit=50)
    law, played = rational_law(line, terms), play(line, terms, rolls_max=12)
    assert dict(zip(law.equity_cents, law.chances, strict=True)) == played.law
    assert law.ruin == sum(played.ruin.values())
    assert law.goal == sum(played.goal.values())
    assert {n: p for n, p in enumerate(law.ruin_by_roll) if p} == dict(played.ruin_by_roll)
    assert {n: p for n, p in enumerate(law.stop_by_roll) if p} == dict(played.stop_by_roll)
    assert sum((*law.ruin_by_roll, *law.goal_by_roll, *law.limit_by_roll, *law.stop_by_roll)) == 1


def test_the_float_law_is_within_its_bound_after_a_hundred_rolls() -> None:
    line = pass_line(odds=2)
    terms = Terms(bankroll_cents=300_00, rolls=100, goal_cents=800_00)
    exact, law = rational_law(line, terms), session_law(line, terms)
    found = dict(zip(law.equity_cents, map(Fraction, law.chances), strict=True))
    off = [found.get(x, Fraction(0)) - p for x, p in zip(exact.equity_cents, exact.chances, strict=True)]
    assert sum(map(abs, off)) <= 2 * Fraction(law.error)
    assert law.mean_error_cents is not None
    assert abs(Fraction(law.mean_cents) - exact.mean_cents) <= Fraction(law.mean_error_cents)
    assert abs(law.mean_rolls - exact.mean_rolls) < 1e-9
    assert law.deviation_cents == pytest.approx(exact.deviation_cents)
    assert [law.quantile_cents(q) for q in (0.1, 0.5, 0.9)] == [exact.quantile_cents(q) for q in (0.1, 0.5, 0.9)]


def test_sessions_without_an_exact_law_are_refused() -> None:
    with pytest.raises(SessionError, match="needs a limit of rolls"):
        rational_law(coin(), Terms(bankroll_cents=3_00, decisions=5))
    with pytest.raises(SessionError, match="only the law in float64"):
        rational_law(coin(), Terms(bankroll_cents=3_00, rolls=5, shooter_loss_cents=1_00))


def test_primes() -> None:
    numbers = range(39, 20_001, 2)
    assert [n for n in numbers if _is_prime(n)] == [n for n in numbers if all(n % k for k in range(3, 142, 2) if k < n)]
    assert not _is_prime(3215031751), "a strong pseudoprime to 2, 3, 5 and 7"


@settings(max_examples=40)
@given(sessions())
def test_any_automaton_equals_every_path(session: tuple[Automaton, Terms]) -> None:
    machine, terms = session
    law, played = rational_law(machine, terms), play(machine, terms, rolls_max=terms.rolls or 0)
    assert dict(zip(law.equity_cents, law.chances, strict=True)) == played.law
    assert law.ruin == sum(played.ruin.values())
    assert law.goal == sum(played.goal.values())

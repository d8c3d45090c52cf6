"""Session laws in float64, against the enumeration of every path and against closed forms."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings

from passline.automaton.arrays import Automaton
from passline.automaton.terms import SessionError, Terms
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw
from tests.cases import one_in
from tests.exact.automata import automaton, coin, pass_line
from tests.exact.session.every_path import Played, play
from tests.exact.session.random_sessions import sessions


def agree(law: SessionLaw[float], played: Played) -> None:
    """Check that the sum of all cells that are too high, and of all that are too low, is within the bound."""
    bound = Fraction(law.error) + played.left
    kinds = ((law.ruin_chances, played.ruin), (law.goal_chances, played.goal), (law.stop_chances, played.stop))
    for chances, truth in ((law.chances, played.law), *kinds):
        found = dict(zip(law.equity_cents, map(Fraction, chances), strict=True))
        off = [found.get(x, Fraction(0)) - truth.get(x, Fraction(0)) for x in {*found, *truth}]
        assert sum((d for d in off if d > 0), Fraction(0)) <= bound
        assert -sum((d for d in off if d < 0), Fraction(0)) <= bound
    assert abs(Fraction(law.ruin) - sum(played.ruin.values())) <= bound
    assert abs(Fraction(law.goal) - sum(played.goal.values())) <= bound
    assert abs(Fraction(law.stop) - sum(played.stop.values())) <= bound
    for by_roll, truth in ((law.ruin_by_roll, played.ruin_by_roll), (law.stop_by_roll, played.stop_by_roll)):
        for n, chance in enumerate(by_roll):
            assert abs(Fraction(chance) - truth.get(n, Fraction(0))) <= bound
    if law.mean_error_cents is not None:
        mean = sum((x * p for x, p in played.law.items()), Fraction(0))
        assert abs(Fraction(law.mean_cents) - mean) <= Fraction(law.mean_error_cents)
    assert law.error < 1e-9


def test_a_fair_coin_without_ruin_is_binomial() -> None:
    law = session_law(coin(), Terms(bankroll_cents=100_00, rolls=60))
    assert law.equity_cents == tuple(range(40_00, 160_01, 2_00))
    for k, chance in enumerate(law.chances):
        assert chance == pytest.approx(math.comb(60, k) / 2**60, abs=law.error)
    assert (law.ruin, law.goal, law.policy) == (0, 0, "stop")
    assert law.mean_cents == pytest.approx(100_00)
    assert law.deviation_cents == pytest.approx(100 * math.sqrt(60))
    assert [law.quantile_cents(q) for q in (0, 0.5, 0.95)] == [40_00, 100_00, 112_00]
    assert law.mean_rolls == pytest.approx(60)
    assert law.mean_rolls_to_ruin is None


@pytest.mark.parametrize("wins", [16, 18, 20])
def test_the_gamblers_ruin(wins: int) -> None:
    """With 10 units and a goal of 25 the chance to reach it is (1 - r^10) / (1 - r^25), or 10 / 25 if fair."""
    law = session_law(coin(wins), Terms(bankroll_cents=10_00, rolls=5_000, goal_cents=25_00))
    r = Fraction(36 - wins, wins)
    reached = Fraction(10, 25) if r == 1 else (1 - r**10) / (1 - r**25)
    assert law.goal == pytest.approx(float(reached), abs=1e-12)
    assert law.ruin == pytest.approx(1 - float(reached), abs=1e-12)
    assert law.equity_cents == (0, 25_00)
    rolls = Fraction(10 * 15) if r == 1 else (10 - 25 * reached) / (1 - 2 * Fraction(wins, 36))
    assert law.mean_rolls == pytest.approx(float(rolls), rel=1e-9)


def test_ruin_after_exactly_n_rolls_follows_the_ballot_theorem() -> None:
    """From k units a fair coin is ruined by roll n with probability k/n C(n, (n - k) / 2) / 2^n."""
    law = session_law(coin(), Terms(bankroll_cents=3_00, rolls=41))
    for n in range(3, 41, 2):
        assert law.ruin_by_roll[n] == pytest.approx(3 / n * math.comb(n, (n - 3) // 2) / 2**n, abs=law.error)
    assert law.ruin_by_roll[41] == 0, "after the last roll nobody acts, so nobody is short"
    assert law.mean_rolls_to_ruin == pytest.approx(
        sum(n * p for n, p in enumerate(law.ruin_by_roll)) / sum(law.ruin_by_roll)
    )


def test_one_decision_of_the_pass_line() -> None:
    law = session_law(pass_line(), Terms(bankroll_cents=10_00, decisions=1))
    assert law.equity_cents == (9_00, 11_00)
    assert law.chances == pytest.approx((251 / 495, 244 / 495), abs=law.error)
    assert law.mean_rolls == pytest.approx(557 / 165, abs=1e-12)
    assert law.mean_error_cents is None


def test_one_hand_lasts_1671_in_196_rolls() -> None:
    law = session_law(pass_line(), Terms(bankroll_cents=1_000_00, hands=1))
    assert law.mean_rolls == pytest.approx(1671 / 196, abs=1e-9)
    two = session_law(pass_line(), Terms(bankroll_cents=1_000_00, hands=2))
    assert two.mean_rolls == pytest.approx(2 * 1671 / 196, abs=1e-9)


def test_decisions_are_binomial() -> None:
    law = session_law(pass_line(), Terms(bankroll_cents=50_00, decisions=20))
    p = 244 / 495
    for equity, chance in zip(law.equity_cents, law.chances, strict=True):
        wins = (equity // 100 - 50 + 20) // 2
        assert chance == pytest.approx(math.comb(20, wins) * p**wins * (1 - p) ** (20 - wins), abs=1e-13)


@pytest.mark.whole
@pytest.mark.parametrize(
    "terms",
    one_in(
        5,
        [
            Terms(bankroll_cents=45_00, rolls=12),
            Terms(bankroll_cents=45_07, rolls=12, goal_cents=70_07),
            Terms(bankroll_cents=45_00, rolls=12, goal_cents=70_01),
            Terms(bankroll_cents=31_99, rolls=12, decisions=3),
            Terms(bankroll_cents=31_99, rolls=12, hands=2, goal_cents=100_00),
        ],
        others=pytest.mark.whole,
    ),
    ids=str,
)
def test_a_line_with_odds_agrees_with_every_path(terms: Terms) -> None:
    line = pass_line(odds=2, unit=50)
    agree(session_law(line, terms), play(line, terms, rolls_max=12))


def test_a_session_limited_by_decisions_alone_agrees() -> None:
    line = pass_line(odds=1, unit=50)
    terms = Terms(bankroll_cents=25_00, decisions=3, goal_cents=60_00)
    played = play(line, terms, rolls_max=60)
    assert played.left < Fraction(1, 10**4)
    agree(session_law(line, terms), played)


def test_players_short_of_odds_play_without_them() -> None:
    """From 20 units the outlay of 15 is not affordable after a loss: state 2 plays on for 5, and below 5 is ruin."""
    machine = automaton(
        {
            0: lambda _d: (0, 1, 0),
            1: lambda d: (15, 0, 1) if d < 15 else (-15, 0, 1),
            2: lambda d: (5, 0, 1) if d < 15 else (-5, 0, 1),
        },
        outlay=[5, 15, 5],
        short=[-1, 2, -1],
        policy="reduce",
    )
    terms = Terms(bankroll_cents=20_00, rolls=9)
    law = session_law(machine, terms)
    agree(law, play(machine, terms, rolls_max=9))
    assert law.policy == "reduce"
    assert 0 < law.ruin < 1


def test_a_goal_already_reached_ends_the_session_at_once() -> None:
    law = session_law(coin(), Terms(bankroll_cents=5_00, rolls=10, goal_cents=5_00))
    assert (law.goal, law.equity_cents, law.mean_rolls) == (1, (5_00,), 0)
    assert law.goal_by_roll == (1,), "nothing is in play after that"


def test_a_goal_is_checked_after_the_last_roll() -> None:
    law = session_law(coin(), Terms(bankroll_cents=5_00, rolls=1, goal_cents=6_00))
    assert (law.goal, law.goal_by_roll) == (0.5, (0.0, 0.5))


def test_a_bankroll_at_the_first_outlay_plays_and_one_below_is_refused() -> None:
    assert session_law(pass_line(unit=500), Terms(bankroll_cents=5_00, rolls=1)).ruin == 0
    with pytest.raises(SessionError, match=r"a bankroll of 4\.99 is below the first outlay of 5\.00"):
        session_law(pass_line(unit=500), Terms(bankroll_cents=4_99, rolls=1))


def test_a_limit_that_is_never_reached_is_refused_unless_rolls_are_limited() -> None:
    never = automaton({0: lambda _d: (0, 0, 0)}, outlay=[0])
    with pytest.raises(SessionError, match="no line decision ever comes from 'state 0'"):
        session_law(never, Terms(bankroll_cents=5_00, decisions=1))
    with pytest.raises(SessionError, match="no end of a hand"):
        session_law(never, Terms(bankroll_cents=5_00, hands=1))
    assert session_law(never, Terms(bankroll_cents=5_00, hands=1, rolls=7)).mean_rolls == 7


def test_the_bound_includes_trimmed_mass() -> None:
    terms = Terms(bankroll_cents=30_00, rolls=12)
    played = play(pass_line(), terms, rolls_max=12)
    law = session_law(pass_line(), terms, trim=1e-3)
    assert 1e-4 < law.error < 0.2
    assert 1 - sum(law.chances) > 1e-4
    off = [abs(p - float(played.law[x])) for x, p in zip(law.equity_cents, law.chances, strict=True)]
    assert max(off) <= law.error


@settings(max_examples=60)
@given(sessions())
def test_any_automaton_agrees_with_every_path(session: tuple[Automaton, Terms]) -> None:
    machine, terms = session
    agree(session_law(machine, terms), play(machine, terms, rolls_max=terms.rolls or 0))

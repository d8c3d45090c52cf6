"""Stops of sessions: closed forms at the limit and one unit beside it, and real strategies against the simulator."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from passline import Rules
from passline.automaton.arrays import STOP, Short
from passline.automaton.terms import SessionError, Terms
from passline.exact.analysis import analyze
from passline.exact.session.float_law import session_law
from passline.exact.session.rational_law import rational_law
from passline.simulation.simulation import simulate
from tests.cases import one_in
from tests.exact.automata import coin, pass_line

RULES = Rules.of("maryland")


def test_a_stop_loss_is_reached_to_the_cent() -> None:
    """Of a fair coin for 1.00, the first three rolls can lose 3.00, which is 2.01 or more but less than 3.01."""
    chances = [
        rational_law(coin(), Terms(bankroll_cents=10_50, rolls=4, stop_loss_cents=cents)).stop_by_roll[3]
        for cents in (2_01, 3_00, 3_01)
    ]
    assert chances == [Fraction(1, 8), Fraction(1, 8), 0]


def test_a_trailing_stop_follows_the_highest() -> None:
    """Two below the highest: by losing twice, or by winning once and then losing twice, and so on."""
    law = rational_law(coin(), Terms(bankroll_cents=50_00, rolls=6, trailing_stop_cents=2_00))
    assert list(law.stop_by_roll[:3]) == [0, 0, Fraction(1, 4)]
    assert law.stop_by_roll[3] == Fraction(1, 8), "won, then lost twice; lost and won is level, and one below since"
    beyond = rational_law(coin(), Terms(bankroll_cents=50_00, rolls=6, trailing_stop_cents=2_01))
    assert list(beyond.stop_by_roll[:4]) == [0, 0, 0, Fraction(1, 8)]


def test_a_fall_as_large_as_all_rolls_can_make_changes_nothing_before_the_last() -> None:
    terms = Terms(bankroll_cents=50_00, rolls=6, trailing_stop_cents=6_00)
    law = rational_law(coin(), terms)
    assert law.stop == 0, "the last roll ends the session at its limit"
    assert law.chances == tuple(Fraction(comb(6, k), 2**6) for k in range(7))


@pytest.mark.parametrize("count", [1, 3, 4])
def test_a_streak_ends_after_so_many_in_a_row(count: int) -> None:
    """The coin decides the line on every roll, never for the pass line; so many wins in as many rolls are naturals."""
    law = rational_law(coin(), Terms(bankroll_cents=50_00, rolls=5, line_losses=count))
    assert law.stop_by_roll[count] == 1
    assert rational_law(coin(), Terms(bankroll_cents=50_00, rolls=5, line_wins=1)).stop == 0
    line = rational_law(pass_line(), Terms(bankroll_cents=50_00, rolls=count + 1, line_wins=count))
    assert list(line.stop_by_roll[: count + 1]) == [*[0] * count, Fraction(8, 36) ** count]


def test_a_session_at_its_limit_is_not_stopped_and_one_at_its_goal_has_reached_it() -> None:
    law = rational_law(
        coin(), Terms(bankroll_cents=5_00, rolls=2, stop_loss_cents=2_00, goal_cents=6_00, line_losses=2)
    )
    assert list(law.goal_by_roll) == [0, Fraction(1, 2), 0]
    assert [law.stop, sum(law.limit_by_roll)] == [0, Fraction(1, 2)]


@pytest.mark.parametrize(
    ("text", "terms", "short"),
    one_in(
        3,
        [
            ("molly", Terms(bankroll_cents=400_00, rolls=60, trailing_stop_cents=150_00), "stop"),
            ("pass:odds=2", Terms(bankroll_cents=300_00, decisions=20, stop_loss_cents=101_00, line_losses=4), "stop"),
            (
                "iron_cross",
                Terms(bankroll_cents=300_00, rolls=60, shooter_loss_cents=80_00, stop_loss_cents=90_00),
                "ride",
            ),
            ("dolly", Terms(bankroll_cents=300_00, rolls=60, line_wins=3, goal_cents=400_00), "stop"),
            ("field", Terms(bankroll_cents=300_00, hands=5, rolls=60, trailing_stop_cents=55_00), "stop"),
        ],
    ),
)
def test_laws_with_stops_are_those_of_the_simulator(text: str, terms: Terms, short: Short) -> None:
    law = analyze(RULES, text, terms, short=short).law
    results = simulate(RULES, text, terms, short=short, sessions=20_000, seed=17).results
    assert law is not None
    assert results.endings[STOP] > 1000
    for ending, chance in enumerate((law.ruin, law.goal, sum(law.limit_by_roll), law.stop)):
        assert results.chance(ending, 0.9999).holds(float(chance))
    assert results.mean_cents("final", 0.9999).holds(float(law.mean_cents))
    assert results.mean_cents("wagered", 0.9999).holds(float(law.action_cents))


def test_wagers_up_at_a_stop_loss_are_played_out() -> None:
    """Of what was wagered the house keeps the edge, wherever the player stops making more."""
    law = analyze(RULES, "pass:odds=2", Terms(bankroll_cents=300_00, rolls=40, stop_loss_cents=70_00), finish=True).law
    assert law is not None
    assert law.stop > 0.1
    assert law.edge_on_initial == pytest.approx(7 / 495, rel=1e-9)
    with pytest.raises(SessionError, match="leave out exact fractions, line decisions, hands"):
        analyze(RULES, "pass", Terms(bankroll_cents=300_00, rolls=40, trailing_stop_cents=70_00), finish=True)
    with pytest.raises(SessionError, match="leave out exact fractions, line decisions, hands"):
        analyze(RULES, "pass", Terms(bankroll_cents=300_00, rolls=40, hands=2), finish=True)


def test_the_size_of_a_trailing_stop_is_known_before_it_is_solved() -> None:
    found = analyze(RULES, "pass", Terms(bankroll_cents=100_00, rolls=10, trailing_stop_cents=30_00))
    assert str(found.fall) == "4 states x 3 falls x 141 equities = 1,692 cells"
    too_large = Terms(bankroll_cents=100_000_00, rolls=100_000, trailing_stop_cents=99_000_00)
    with pytest.raises(SessionError, match=r"more than 250,000,000: stop nearer.*play it with `passline simulate`"):
        analyze(RULES, "molly", too_large)
    law = session_law(coin(), Terms(bankroll_cents=9_00, decisions=4, trailing_stop_cents=2_00))
    assert law.stop + sum(law.limit_by_roll) == pytest.approx(1)

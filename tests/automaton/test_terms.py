"""The terms of a session: which are refused, and how they read in units."""

import pytest

from passline.automaton.terms import NEVER, SessionError, Terms


def test_terms_that_make_no_session_are_refused() -> None:
    with pytest.raises(SessionError, match="needs an end"):
        Terms(bankroll_cents=5_00)
    with pytest.raises(SessionError, match="not by both"):
        Terms(bankroll_cents=5_00, decisions=1, hands=1)
    with pytest.raises(SessionError, match="0 rolls: a session has a whole number of them, at least one"):
        Terms(bankroll_cents=5_00, rolls=0)
    with pytest.raises(SessionError, match=r"per shooter of 0\.00"):
        Terms(bankroll_cents=5_00, rolls=1, shooter_loss_cents=0)


def test_a_goal_between_units_is_reached_at_the_next_one() -> None:
    """From 10.50 in units of 1.00 there are 50 cents left over, which count toward the goal."""
    goals = [Terms(bankroll_cents=10_50, rolls=1, goal_cents=cents).in_units(1_00) for cents in (12_50, 12_51, 12_49)]
    assert goals == [(10, 50, 12), (10, 50, 13), (10, 50, 12)]
    assert Terms(bankroll_cents=10_50, rolls=1).in_units(1_00) == (10, 50, NEVER)

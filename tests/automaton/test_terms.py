"""The terms of a session: which are refused, and how they read in units."""

import pytest

from passline.automaton.arrays import NEVER
from passline.automaton.terms import SessionError, Terms


def test_terms_that_make_no_session_are_refused() -> None:
    with pytest.raises(SessionError, match="needs an end"):
        Terms(bankroll_cents=5_00)
    with pytest.raises(SessionError, match="not by both"):
        Terms(bankroll_cents=5_00, decisions=1, hands=1)
    with pytest.raises(SessionError, match="0 rolls: a session has a whole number of them, at least one"):
        Terms(bankroll_cents=5_00, rolls=0)
    with pytest.raises(SessionError, match="bankroll_cents=True: an amount is a whole number of cents"):
        Terms(bankroll_cents=True, rolls=1)
    with pytest.raises(SessionError, match=r"per shooter of 0\.00"):
        Terms(bankroll_cents=5_00, rolls=1, shooter_loss_cents=0)


def test_stops_are_above_0_and_counts_are_whole() -> None:
    for name in ("stop_loss_cents", "trailing_stop_cents"):
        with pytest.raises(SessionError, match=r"a (stop loss|trailing stop) of 0\.00: it must be above 0"):
            Terms(bankroll_cents=5_00, rolls=1, **{name: 0})
        assert Terms(bankroll_cents=5_00, rolls=1, **{name: 1}).has_stops
    for name in ("line_wins", "line_losses"):
        with pytest.raises(SessionError, match=r"0 line (wins|losses): a session has a whole number of them"):
            Terms(bankroll_cents=5_00, rolls=1, **{name: 0})
        assert Terms(bankroll_cents=5_00, rolls=1, **{name: 1}).has_stops
    assert not Terms(bankroll_cents=5_00, rolls=1, goal_cents=9_00, shooter_loss_cents=1_00).has_stops


def test_stops_between_units_are_reached_at_the_next_one() -> None:
    """From 10.50 in units of 1.00: a loss of 2.00 leaves 8.50, and one of 2.01 is first reached at 7.50."""
    stops = [
        Terms(bankroll_cents=10_50, rolls=1, stop_loss_cents=cents, trailing_stop_cents=cents).stops_in_units(1_00)
        for cents in (1_99, 2_00, 2_01)
    ]
    assert stops == [(8, 2), (8, 2), (7, 3)]
    assert Terms(bankroll_cents=10_50, rolls=1).stops_in_units(1_00) == (-NEVER, NEVER)


def test_minutes_are_rolls_at_a_pace() -> None:
    assert [Terms.rolls_in(minutes=minutes, rolls_per_hour=40) for minutes in (2, 3, 60)] == [1, 2, 40]
    with pytest.raises(SessionError, match="no roll falls into 1 minutes at 40 rolls an hour"):
        Terms.rolls_in(minutes=1, rolls_per_hour=40)


def test_a_goal_between_units_is_reached_at_the_next_one() -> None:
    """From 10.50 in units of 1.00 there are 50 cents left over, which count toward the goal."""
    goals = [Terms(bankroll_cents=10_50, rolls=1, goal_cents=cents).in_units(1_00) for cents in (12_50, 12_51, 12_49)]
    assert goals == [(10, 50, 12), (10, 50, 13), (10, 50, 12)]
    assert Terms(bankroll_cents=10_50, rolls=1).in_units(1_00) == (10, 50, NEVER)

"""Results: exact sums, intervals with the stated coverage, and independence of the order of sessions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.automaton.arrays import RUIN
from passline.automaton.network import Network
from passline.automaton.terms import Terms
from passline.exact.session.float_law import session_law
from passline.simulation.backends.cpu.backend import play_sessions
from passline.simulation.kernel_tables import limits_of, tables_of
from passline.simulation.reference_session import SessionRecord
from passline.simulation.results import Bins, Results, results_of
from passline.simulation.simulation import exact_of, prepare_strategy, simulate
from tests.cases import one_in
from tests.exact.automata import coin, pass_line
from tests.simulation.session_cases import MARYLAND

pytestmark = pytest.mark.long

TABLES = tables_of(Network(("coin",), (coin(),)))
LIMITS = limits_of(TABLES, Terms(bankroll_cents=20_50, rolls=30))

rows = st.builds(
    SessionRecord,
    ending=st.integers(0, 2),
    rolls=st.integers(0, 30),
    final=st.integers(-3, 10**6),
    peak=st.integers(0, 10**6),
    drawdown=st.integers(0, 10**6),
    wagered=st.integers(0, 10**9),
)


def collected(sessions: list[SessionRecord]) -> Results:
    return results_of(TABLES, LIMITS, sessions)


@given(st.lists(rows, max_size=5), st.lists(rows, max_size=5), st.lists(rows, max_size=5))
def test_results_add_up_in_any_order_and_grouping(
    a: list[SessionRecord], b: list[SessionRecord], c: list[SessionRecord]
) -> None:
    one, two, three = map(collected, (a, b, c))
    assert (one + two) + three == one + (two + three) == three + (two + one) == collected([*c, *a, *b])


def test_values_beyond_a_histogram_are_counted_in_its_last_cell() -> None:
    assert [Bins(first=0, width=2, cells=4).cell(value) for value in (-9, 0, 1, 2, 7, 8, 99)] == [0, 0, 0, 1, 3, 3, 3]
    found = collected([SessionRecord(2, 30, 10**6, 10**6, 0, 0), SessionRecord(0, 3, -3, 20, 23, 0)])
    assert int(found.final[2, -1]) == int(found.peak[-1]) == int(found.final[0, 0]) == 1
    assert found.sums["final"].total == 10**6 - 3


def test_cents_beyond_whole_units_are_added_to_every_equity() -> None:
    found = collected([SessionRecord(2, 30, 21, 22, 2, 30)])
    assert (found.mean_cents().value, found.mean_cents("peak").value) == (21_50, 22_50)
    assert (found.mean_cents("drawdown").value, found.mean_cents("wagered").value) == (2_00, 30_00)
    assert found.quantile_cents(0.5) == 21_50


def test_the_mean_of_no_sessions_is_nan() -> None:
    assert math.isnan(collected([]).mean_cents().value)
    assert math.isnan(collected([]).chance(RUIN).low)


def covered(seeds: int, sessions: int) -> dict[str, int]:
    """Count how often the 95 % intervals hold the exact answer."""
    automaton = pass_line(odds=2)
    terms = Terms(bankroll_cents=60_00, rolls=60, goal_cents=90_00)
    law = session_law(automaton, terms)
    tables = tables_of(Network(("pass",), (automaton,)))
    limits = limits_of(tables, terms)
    held = {"mean": 0, "ruin": 0, "goal": 0, "rolls": 0}
    for seed in range(seeds):
        found = play_sessions(tables, limits, seed=seed, sessions=sessions)
        held["mean"] += found.mean_cents().holds(law.mean_cents)
        held["ruin"] += found.chance(0).holds(law.ruin)
        held["goal"] += found.chance(1).holds(law.goal)
        held["rolls"] += found.mean("rolls").holds(law.mean_rolls)
    return held


def test_intervals_have_the_stated_coverage() -> None:
    """Fewer than 88 of 100 intervals at 95 % has a chance of one in a thousand; the seeds are fixed."""
    for quantity, held in covered(100, 20_000).items():
        assert 88 <= held <= 100, quantity
    assert sum(covered(100, 5_000).values()) >= 360, "380 of 400 on average"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", one_in(4, ["pass", "molly", "iron_cross", "dont_pass", "hardways", "martingale", "field"])
)
def test_means_of_100_seeds_agree_with_the_exact_answer(text: str) -> None:
    terms = Terms(bankroll_cents=300_00, rolls=100)
    law = exact_of(MARYLAND, text, terms)
    assert law is not None
    player = prepare_strategy(MARYLAND, text, terms)
    found = [play_sessions(player.tables, player.limits, seed=seed, sessions=20_000) for seed in range(100)]
    held = sum(one.mean_cents().holds(float(law.mean_cents)) for one in found)
    assert 86 <= held <= 100
    whole = sum(found[1:], found[0])
    assert abs(whole.mean_cents(confidence=0.9999).value - float(law.mean_cents)) <= (
        whole.mean_cents(confidence=0.9999).margin
    )
    assert whole.chance(RUIN, confidence=0.9999).holds(float(law.ruin))


def test_sessions_are_added_until_the_precision_is_reached() -> None:
    terms = Terms(bankroll_cents=100_00, rolls=50)
    found = simulate(MARYLAND, "pass", terms, sessions=1000, precision_cents=20.0).results
    assert found.mean_cents().margin <= 20.0
    assert found.sessions > 1000

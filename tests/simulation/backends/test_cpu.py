"""The CPU kernel equals the specification to the unit, session by session."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.automaton.arrays import GOAL, LIMIT, RUIN, STOP
from passline.automaton.network import Network, network
from passline.automaton.terms import SessionError, Terms
from passline.simulation.backends.cpu.backend import play_sessions
from passline.simulation.kernel_tables import limits_of, tables_of
from passline.simulation.results import empty, results_of
from passline.strategy.lookup import strategy_of
from tests.cases import one_in
from tests.exact.automata import coin
from tests.simulation.networks import sessions
from tests.simulation.session_cases import CASES, MARYLAND, SEED, cpu_records, reference_records

pytestmark = pytest.mark.long


def _check_any_network(session: tuple[Network, Terms], seed: int, first: int) -> None:
    machine, terms = session
    tables = tables_of(machine)
    limits = limits_of(tables, terms)
    truth = reference_records(tables, limits, seed=seed, first=first, count=70)
    assert cpu_records(tables, limits, seed=seed, first=first, count=70) == truth
    found = play_sessions(tables, limits, seed=seed, first=first, sessions=70)
    assert found == results_of(tables, limits, truth)


@pytest.mark.whole
@given(sessions(), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
@settings(max_examples=30)
def test_the_cpu_plays_any_network_as_specified(session: tuple[Network, Terms], seed: int, first: int) -> None:
    _check_any_network(session, seed, first)


@pytest.mark.sweep
@given(sessions(), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
@settings(max_examples=400)
def test_the_cpu_plays_a_great_many_networks_as_specified(
    session: tuple[Network, Terms], seed: int, first: int
) -> None:
    _check_any_network(session, seed, first)


@pytest.mark.parametrize(("text", "terms", "short"), one_in(7, CASES, others=pytest.mark.whole))
def test_the_cpu_plays_real_strategies_as_specified(text: str, terms: Terms, short: str) -> None:
    found = network(MARYLAND, strategy_of(text, MARYLAND), short=short)  # type: ignore[arg-type]
    tables = tables_of(found)
    limits = limits_of(tables, terms)
    assert len(tables.packed), "real strategies fit into packed entries"
    truth = reference_records(tables, limits, seed=SEED, first=5, count=200)
    assert cpu_records(tables, limits, seed=SEED, first=5, count=200) == truth


def test_dice_with_rejected_words_and_session_numbers_over_32_bits_are_as_specified() -> None:
    """In 64 x 40 blocks a word is rejected several times; the session after 2^32 - 1 carries into the high word."""
    tables = tables_of(Network(("coin",), (coin(),)))
    limits = limits_of(tables, Terms(bankroll_cents=100_00, rolls=790))
    first = 2**32 - 32
    truth = reference_records(tables, limits, seed=SEED, first=first, count=64)
    assert cpu_records(tables, limits, seed=SEED, first=first, count=64) == truth


def test_amounts_over_32_bits_are_played_as_specified() -> None:
    tables = tables_of(Network(("coin",), (coin(win=2**29, lose=2**28, outlay=2**28),)))
    limits = limits_of(tables, Terms(bankroll_cents=2**33 * 100, rolls=100))
    truth = reference_records(tables, limits, seed=1, first=0, count=50)
    found = play_sessions(tables, limits, seed=1, sessions=50)
    assert found == results_of(tables, limits, truth)
    assert found.sums["final"].total > 2**36


@pytest.mark.parametrize("rolls", one_in(3, [213, 60, 200], others=pytest.mark.whole))
@pytest.mark.parametrize("text", ["pass", "molly", "molly + fire"])
def test_lanes_and_single_sessions_have_equal_results(text: str, rolls: int) -> None:
    """Many sessions, so that each of the four words is rejected somewhere; without packed entries no lanes are used."""
    tables = tables_of(network(MARYLAND, strategy_of(text, MARYLAND), budget=400))
    limits = limits_of(tables, Terms(bankroll_cents=300_00, rolls=rolls, goal_cents=900_00))
    one_by_one = replace(tables, packed=tables.packed[:0])
    found = play_sessions(tables, limits, seed=11, sessions=30_000)
    assert found == play_sessions(one_by_one, limits, seed=11, sessions=30_000)


def test_results_do_not_depend_on_how_sessions_are_split() -> None:
    tables = tables_of(network(MARYLAND, strategy_of("molly", MARYLAND)))
    limits = limits_of(tables, Terms(bankroll_cents=300_00, rolls=100, goal_cents=600_00))
    whole = play_sessions(tables, limits, seed=3, sessions=5000)
    split = empty(tables, limits)
    for first, count in ((4000, 1000), (0, 1), (1, 1023), (1024, 2976)):
        split += play_sessions(tables, limits, seed=3, first=first, sessions=count, cores=2)
    assert split == whole
    assert sum(whole.endings) == whole.sessions == int(whole.final.sum()) == int(whole.by_roll.sum()) == 5000
    assert all(whole.endings[:STOP])


def test_a_session_that_starts_at_its_goal_takes_no_roll() -> None:
    tables = tables_of(Network(("coin",), (coin(),)))
    limits = limits_of(tables, Terms(bankroll_cents=9_00, rolls=5, goal_cents=9_00))
    found = play_sessions(tables, limits, seed=1, sessions=10)
    assert found.endings == (0, 10, 0, 0)
    assert found.rolls == 0


def test_impossible_terms_are_refused() -> None:
    tables = tables_of(Network(("coin",), (coin(),)))
    with pytest.raises(SessionError, match=r"of 0\.99 is below the first outlay of 1\.00"):
        limits_of(tables, Terms(bankroll_cents=99, rolls=5))
    with pytest.raises(SessionError, match='needs the policy "ride" or "reduce"'):
        limits_of(tables, Terms(bankroll_cents=9_00, rolls=5, shooter_loss_cents=3_00))
    assert (RUIN, GOAL, LIMIT) == (0, 1, 2)

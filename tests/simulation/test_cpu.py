"""The CPU kernel equals the specification to the unit, session by session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline import Rules
from passline.automaton.network import Network, network
from passline.automaton.terms import GOAL, LIMIT, RUIN, SessionError, Terms
from passline.dice_sources import seeded_rolls
from passline.simulation.backends.cpu.backend import play_sessions, records_of
from passline.simulation.kernel_tables import Limits, Tables, limits_of, tables_of
from passline.simulation.reference_session import Played, play_session
from passline.simulation.results import empty, results_of
from passline.strategy.lookup import strategy_of
from tests.exact.automata import coin
from tests.simulation.networks import sessions

SIDES = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
MARYLAND = Rules.of("maryland", house={"side_wagers": SIDES})
SEED = 0x1234567890ABCDEF


def dice(seed: int, session: int) -> Iterator[int]:
    return ((roll.first - 1) * 6 + roll.second - 1 for roll in seeded_rolls(seed, session=session))


def specified(tables: Tables, limits: Limits, *, seed: int, first: int, count: int) -> list[Played]:
    return [play_session(tables, limits, dice(seed, first + index)) for index in range(count)]


def recorded(tables: Tables, limits: Limits, *, seed: int, first: int, count: int) -> list[Played]:
    return [
        Played(*map(int, row))
        for _, rows in records_of(tables, limits, seed=seed, first=first, sessions=count)
        for row in rows
    ]


@given(sessions(), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
@settings(max_examples=150)
def test_any_network_walks_as_specified(session: tuple[Network, Terms], seed: int, first: int) -> None:
    machine, terms = session
    tables = tables_of(machine)
    limits = limits_of(tables, terms)
    truth = specified(tables, limits, seed=seed, first=first, count=70)
    assert recorded(tables, limits, seed=seed, first=first, count=70) == truth
    found = play_sessions(tables, limits, seed=seed, first=first, sessions=70)
    assert found == results_of(tables, limits, truth)


STOPS = [
    ("pass", Terms(bankroll_cents=100_00, rolls=200), "stop"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, goal_cents=500_00), "stop"),
    ("molly", Terms(bankroll_cents=300_00, rolls=150), "reduce"),
    ("iron_cross", Terms(bankroll_cents=200_00, rolls=77), "ride"),
    ("dolly", Terms(bankroll_cents=200_00, decisions=30), "stop"),
    ("hammerlock", Terms(bankroll_cents=400_00, hands=6, goal_cents=600_00), "stop"),
    ("press_collect", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=80_00), "ride"),
    ("molly", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=60_00), "reduce"),
    ("field", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=20_00), "ride"),
    ("buy_4_10 + lay_4_10 + hardways + any_seven + hop", Terms(bankroll_cents=500_00, rolls=200), "stop"),
    ("pass + fire + bonus_craps + lucky_shooter", Terms(bankroll_cents=500_00, rolls=200), "stop"),
    ("dont_come + place_lose + field + come", Terms(bankroll_cents=500_00, rolls=200), "stop"),
]


@pytest.mark.parametrize(("text", "terms", "short"), STOPS)
def test_real_strategies_walk_as_specified(text: str, terms: Terms, short: str) -> None:
    found = network(MARYLAND, strategy_of(text, MARYLAND), short=short)  # type: ignore[arg-type]
    tables = tables_of(found)
    limits = limits_of(tables, terms)
    assert len(tables.packed), "real strategies fit"
    truth = specified(tables, limits, seed=SEED, first=5, count=200)
    assert recorded(tables, limits, seed=SEED, first=5, count=200) == truth


def test_a_rejected_word_and_a_session_number_over_32_bits_are_the_same_dice() -> None:
    """In 64 x 40 blocks a word is rejected several times; the session after 2^32 - 1 carries into the high word."""
    tables = tables_of(Network(("coin",), (coin(),)))
    limits = limits_of(tables, Terms(bankroll_cents=100_00, rolls=790))
    first = 2**32 - 32
    truth = specified(tables, limits, seed=SEED, first=first, count=64)
    assert recorded(tables, limits, seed=SEED, first=first, count=64) == truth


def test_amounts_beyond_32_bits_are_right() -> None:
    tables = tables_of(Network(("coin",), (coin(win=2**29, lose=2**28, outlay=2**28),)))
    limits = limits_of(tables, Terms(bankroll_cents=2**33 * 100, rolls=100))
    truth = specified(tables, limits, seed=1, first=0, count=50)
    found = play_sessions(tables, limits, seed=1, sessions=50)
    assert found == results_of(tables, limits, truth)
    assert found.sums["final"].total > 2**36


@pytest.mark.parametrize("rolls", [60, 200, 213])
@pytest.mark.parametrize("text", ["pass", "molly", "molly + fire"])
def test_lanes_play_as_sessions_one_by_one(text: str, rolls: int) -> None:
    """Many sessions, so that a word is rejected in every place: without packed entries nothing goes through lanes."""
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
    assert all(whole.endings)


def test_a_session_that_is_over_before_it_begins_takes_no_roll() -> None:
    tables = tables_of(Network(("coin",), (coin(),)))
    limits = limits_of(tables, Terms(bankroll_cents=9_00, rolls=5, goal_cents=9_00))
    found = play_sessions(tables, limits, seed=1, sessions=10)
    assert found.endings == (0, 10, 0)
    assert found.rolls == 0


def test_what_makes_no_session_is_refused() -> None:
    tables = tables_of(Network(("coin",), (coin(),)))
    with pytest.raises(SessionError, match=r"of 0\.99 is below the first outlay of 1\.00"):
        limits_of(tables, Terms(bankroll_cents=99, rolls=5))
    with pytest.raises(SessionError, match='needs the policy "ride" or "reduce"'):
        limits_of(tables, Terms(bankroll_cents=9_00, rolls=5, shooter_loss_cents=3_00))
    assert (RUIN, GOAL, LIMIT) == (0, 1, 2)
    assert np.uint64(SEED) == SEED

"""Strategies simulated side by side, paths of sessions, and strategies played as the sum of their parts."""

from __future__ import annotations

import numpy as np

from benchmarks._strategies import HardHopPress
from passline import Rules
from passline.automaton.network import network_of_parts
from passline.automaton.seat import StrategySeat
from passline.automaton.terms import Terms
from passline.simulation.backends.cpu.backend import CHUNK, paths_of
from passline.simulation.kernel_tables import Playable, compiled_tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.replay import replay
from passline.simulation.results import Results
from passline.simulation.simulation import PreparedStrategy, prepare_strategy, simulate, simulate_strategies
from tests.simulation.session_cases import MARYLAND, SEED, dice, session_steps

TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)
HOUSE = {"wager_cents_min": 100, "come_odds_on_come_out": "off"}


def prepared(*texts: str) -> list[PreparedStrategy]:
    return [prepare_strategy(MARYLAND, text, TERMS) for text in texts]


def test_strategies_are_played_on_the_same_dice() -> None:
    together = simulate_strategies(prepared("molly", "pass"), sessions=500, seed=3)
    apart = [simulate(MARYLAND, text, TERMS, sessions=500, seed=3).results for text in ("molly", "pass")]
    assert together == apart


def test_an_interrupted_run_returns_the_slices_that_every_strategy_has_finished() -> None:
    sizes: list[int] = []

    def play(tables: Playable, limits: SessionLimits, seed: int, piece: range) -> Results:
        del limits
        if piece.start:
            raise KeyboardInterrupt
        sizes.append(len(piece))
        (found,) = simulate_strategies([one for one in both if one.tables is tables], sessions=100, seed=seed)
        return found

    both = prepared("molly", "pass")
    reported: list[int] = []
    found = simulate_strategies(
        both, sessions=10**9, seed=3, cores=1, play=play, done=lambda done, _rolls: reported.append(done)
    )
    assert [one.sessions for one in found] == [100, 100]
    assert reported == sizes[:1]
    assert sizes[0] % CHUNK == 0


def test_a_path_is_the_equity_before_every_roll() -> None:
    (molly,) = prepared("molly")
    paths = paths_of(molly.tables, molly.limits, seed=SEED, sessions=30, rolls=60)
    for session, path in enumerate(paths.tolist()):
        walked = [
            step.equity for step in session_steps(compiled_tables(molly.tables, ""), molly.limits, dice(SEED, session))
        ]
        assert path == walked + [walked[-1]] * (61 - len(walked))


def test_the_pressed_places_as_parts_play_exactly_as_the_whole() -> None:
    """HardHopPress has 7^6 stages; the sum of its parts has the same outlay, cash and action on any dice."""
    rules = Rules.of("maryland", house=HOUSE)
    whole = HardHopPress(5_00)
    found = network_of_parts(rules, whole.parts, budget=100)
    seat = StrategySeat(rules, whole)
    state, states = seat.start, [0] * len(found.parts)
    for d in np.random.default_rng(5).integers(0, 36, 1500).tolist():
        acts = seat.acts(state)
        assert acts.outlay == sum(int(p.outlay[s]) * p.unit for p, s in zip(found.parts, states, strict=True))
        pair = tuple(sorted((d // 6 + 1, d % 6 + 1)))
        rolled = next(one for roll, one in seat.rolls(state, acts) if (roll.first, roll.second) == pair)
        assert rolled.cash == sum(int(p.cash[s, d]) * p.unit for p, s in zip(found.parts, states, strict=True))
        assert rolled.action == sum(int(p.action[s, d]) * p.unit for p, s in zip(found.parts, states, strict=True))
        state = rolled.after
        states = [int(p.next[s, d]) for p, s in zip(found.parts, states, strict=True)]


def test_the_pressed_places_as_parts_are_dealt_to_the_cent() -> None:
    rules = Rules.of("maryland", house=HOUSE)
    whole = HardHopPress(5_00)
    terms = Terms(bankroll_cents=500_00, rolls=200)
    tables = tables_of(network_of_parts(rules, whole.parts, budget=400))
    limits = limits_of(tables, terms)
    for session in range(4):
        steps = replay(rules, whole, terms, seed=SEED, session=session)
        replayed = [(step.rolls, step.equity_cents, step.ending) for step in steps]
        walked = session_steps(tables, limits, dice(SEED, session))
        assert replayed == [(m.rolls, limits.cents(m.equity, tables.unit), m.ending) for m in walked]

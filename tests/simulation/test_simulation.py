"""Strategies side by side, what is written of them, and the sum of parts that one strategy is."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from benchmarks._strategies import HardHopPress
from passline import Rules
from passline.automaton.network import network_of_parts
from passline.automaton.seat import StrategySeat
from passline.automaton.terms import ENDINGS, Terms
from passline.errors import CrapsError
from passline.simulation.backends.cpu.backend import CHUNK, paths_of, records_of
from passline.simulation.kernel_tables import Limits, Tables, limits_of, tables_of
from passline.simulation.plots import KINDS, draw
from passline.simulation.records import write_records
from passline.simulation.reference_session import moments
from passline.simulation.replay import replay
from passline.simulation.results import Results
from passline.simulation.simulation import Player, Simulation, player_of, simulate, simulate_players
from tests.simulation.test_cpu import MARYLAND, SEED, dice

TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)
HOUSE = {"wager_cents_min": 100, "come_odds_on_come_out": "off"}


def players(*texts: str) -> list[Player]:
    return [player_of(MARYLAND, text, TERMS) for text in texts]


def test_strategies_are_played_on_the_same_dice() -> None:
    together = simulate_players(players("molly", "pass"), sessions=500, seed=3)
    apart = [simulate(MARYLAND, text, TERMS, sessions=500, seed=3).results for text in ("molly", "pass")]
    assert together == apart


def test_an_interrupted_run_gives_the_slices_that_all_have_finished() -> None:
    sizes: list[int] = []

    def play(tables: Tables, limits: Limits, seed: int, piece: range) -> Results:
        del limits
        if piece.start:
            raise KeyboardInterrupt
        sizes.append(len(piece))
        (found,) = simulate_players([one for one in both if one.tables is tables], sessions=100, seed=seed)
        return found

    both = players("molly", "pass")
    told: list[int] = []
    found = simulate_players(
        both, sessions=10**9, seed=3, cores=1, play=play, done=lambda done, _rolls: told.append(done)
    )
    assert [one.sessions for one in found] == [100, 100]
    assert told == sizes[:1]
    assert sizes[0] % CHUNK == 0


def test_records_are_the_sessions_and_a_file_is_whole(tmp_path: Path) -> None:
    (player,) = players("molly")
    path = tmp_path / "sessions.csv"
    write_records(player.tables, player.limits, path, seed=5, sessions=300)
    with path.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    ((_, rows),) = records_of(player.tables, player.limits, seed=5, sessions=300)
    assert [int(row["session"]) for row in read] == list(range(300))
    assert [ENDINGS.index(row["ending"]) for row in read] == rows[:, 0].tolist()
    assert [int(row["final_cents"]) for row in read] == (rows[:, 2] * player.tables.unit).tolist()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(CrapsError, match=r"written as \.csv or \.parquet"):
        write_records(player.tables, player.limits, tmp_path / "sessions.txt", seed=5, sessions=3)


def test_a_record_that_cannot_be_finished_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("passline.simulation.records._write_csv", stopped)
    (player,) = players("pass")
    with pytest.raises(KeyboardInterrupt):
        write_records(player.tables, player.limits, tmp_path / "sessions.csv", seed=5, sessions=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kinds", [[kind] for kind in KINDS] + [list(KINDS)])
def test_charts_come_out_the_same_twice(kinds: list[str], tmp_path: Path) -> None:
    both = players("molly", "pass")
    found = simulate_players(both, sessions=2000, seed=3)
    simulations = [
        Simulation(name=one.name, terms=TERMS, short="stop", seed=3, parts=one.tables.parts, results=results)
        for one, results in zip(both, found, strict=True)
    ]
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    draw(simulations, both, first, kinds=kinds)
    draw(simulations, both, second, kinds=kinds)
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(CrapsError, match="not pie"):
        draw(simulations, both, first, kinds=["pie"])


def test_a_path_is_the_equity_at_every_moment() -> None:
    (player,) = players("molly")
    paths = paths_of(player.tables, player.limits, seed=SEED, sessions=30, rolls=60)
    for session, path in enumerate(paths.tolist()):
        walked = [moment.equity for moment in moments(player.tables, player.limits, dice(SEED, session))]
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
        told = [(step.rolls, step.equity_cents, step.ending) for step in steps]
        walked = moments(tables, limits, dice(SEED, session))
        assert told == [(m.rolls, limits.cents(m.equity, tables.unit), m.ending) for m in walked]

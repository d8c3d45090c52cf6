"""A real Ray on this machine plays what a run without it plays; lost workers and interruptions included."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import ray

from passline import Rules
from passline.automaton.terms import Terms
from passline.cli.main import main
from passline.errors import CrapsError
from passline.simulation.backends import ray as cluster
from passline.simulation.backends.cpu.backend import CHUNK, play_sessions
from passline.simulation.backends.ray import Cluster, cluster_at, ranges_of
from passline.simulation.kernel_tables import Limits, Tables
from passline.simulation.results import Results
from passline.simulation.simulation import Player, player_of, simulate_players

MARYLAND = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)
SESSIONS = 5 * CHUNK + 1234


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))  # otherwise Ray makes one, and leaves it at home
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield from started()


def started() -> Iterator[Cluster]:
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 << 20,
        logging_level=logging.ERROR,
        log_to_driver=False,
    )
    with cluster_at() as found:
        yield found
    ray.shutdown()
    gc.collect()  # what Ray leaves open shows here, and not in whatever test comes next


def here(player: Player, *, sessions: int, seed: int = 7) -> Results:
    return play_sessions(player.tables, player.limits, seed=seed, sessions=sessions)


@pytest.mark.parametrize(("text", "parts"), [("molly", 1), ("molly + fire", 2)])
def test_a_cluster_plays_what_this_machine_plays(workers: Cluster, text: str, parts: int) -> None:
    player = player_of(MARYLAND, text, TERMS, budget=400)
    assert len(player.tables.parts) == parts
    truth = here(player, sessions=SESSIONS)
    found = workers.play(player.tables, player.limits, 7, range(SESSIONS))
    assert found == truth
    assert all(found.endings)


def test_ranges_cover_every_session_once() -> None:
    for piece, cores in ((range(1), 1), (range(3, 3 + 1000 * CHUNK), 7), (range(9 * CHUNK, 20 * CHUNK - 1), 64)):
        tasks = list(ranges_of(piece, cores))
        assert tasks[0].start == piece.start
        assert tasks[-1].stop == piece.stop
        assert all(one.stop == other.start for one, other in pairwise(tasks))
        assert all(len(task) % CHUNK == 0 for task in tasks[:-1])


def test_a_lost_worker_loses_nothing_and_doubles_nothing(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = player_of(MARYLAND, "molly", TERMS)
    marker, play_range = tmp_path / "died", cluster._play_range

    def dies_once(shared: tuple[Tables, Limits], seed: int, sessions: range, wanted: str) -> Results:
        found = play_range(shared, seed, sessions, wanted)
        if 2 * CHUNK in sessions and not marker.exists():
            marker.write_text(str(os.getpid()), encoding="ascii")
            os._exit(1)  # with the work done and nothing told of it
        return found

    monkeypatch.setattr(cluster, "_play_range", dies_once)
    found = workers.play(player.tables, player.limits, 7, range(SESSIONS))
    assert int(marker.read_text(encoding="ascii")) != os.getpid(), "it was a worker that died"
    assert found == here(player, sessions=SESSIONS)


def test_interrupted_it_gives_the_sessions_that_are_done(workers: Cluster) -> None:
    """Interrupted in the middle of a slice, after the first one: a real signal inside Ray once took the tests down."""
    player = player_of(MARYLAND, "molly", TERMS)
    told: list[int] = []

    def done(sessions: int, _rolls: int) -> None:
        told.append(sessions)

    def play(tables: Tables, limits: Limits, seed: int, piece: range) -> Results:
        if told:
            raise KeyboardInterrupt
        return workers.play(tables, limits, seed, piece)

    step = 16 * CHUNK
    (found,) = simulate_players([player], sessions=10**12, seed=7, done=done, play=play, slice_sessions=step)
    assert found.sessions == told[-1] == len(told) * step
    assert found == here(player, sessions=found.sessions)
    again = workers.play(player.tables, player.limits, 7, range(CHUNK))  # the workers are free again
    assert again == here(player, sessions=CHUNK)


def test_a_worker_with_another_passline_is_named(workers: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    player = player_of(MARYLAND, "molly", TERMS)
    monkeypatch.setattr(cluster, "version", lambda _name: "9.9")
    with pytest.raises(CrapsError, match=r"it has Passline \d.*, and 9\.9 asks"):
        workers.play(player.tables, player.limits, 7, range(10))


def test_the_command_says_the_same_wherever_it_plays(workers: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert workers.cores == 2
    said = []
    for on in ("cpu", "ray"):
        assert (
            main(["simulate", "pass", "--rolls", "60", "--sessions", "2e5", "--seed", "7", "--json", "--on", on]) == 0
        )
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "200000" in said[0]


def test_without_ray_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["simulate", "pass", "--on", "ray"]) == 2
    assert "pip install passline[cluster]" in capsys.readouterr().err


def test_a_place_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "pass", "--on", "moon"]) == 2
    assert "--on moon: cpu, gpu, ray or ray://HOST:PORT" in capsys.readouterr().err

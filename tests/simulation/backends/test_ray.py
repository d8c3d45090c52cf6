"""The Ray backend, on a real cluster on this machine, has the results of the CPU, also after lost workers."""

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

from passline import Rules
from passline.automaton.arrays import STOP
from passline.automaton.terms import Terms
from passline.cli.main import main
from passline.errors import CrapsError
from passline.simulation.backends import PlayRange
from passline.simulation.backends import ray as cluster
from passline.simulation.backends.cpu.backend import CHUNK, play_sessions
from passline.simulation.backends.ray import Cluster, cluster_at, ranges_of
from passline.simulation.kernel_tables import Playable, Tables, compiled_tables
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import Results
from passline.simulation.simulation import PreparedStrategy, prepare_strategy, simulate_strategies
from tests.cases import one_in

pytestmark = pytest.mark.long  # and of those with workers one is tried on every run, which starts and imports for them

MARYLAND = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)
SESSIONS = 5 * CHUNK + 1234
ANOTHER_VERSION = r"it has Passline \d.*, but 9\.9 is needed"


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))  # otherwise Ray writes one to the home directory
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_memory_monitor_refresh_ms", "0")  # or it kills workers while other tests fill the machine
        yield from started()


def started() -> Iterator[Cluster]:
    import ray  # noqa: PLC0415 - slow to import, and one worker needs it

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
    gc.collect()  # so that warnings about what Ray leaves open appear here, not in the next test


def on_cpu(strategy: PreparedStrategy, *, sessions: int, seed: int = 7) -> Results:
    return play_sessions(strategy.tables, strategy.limits, seed=seed, sessions=sessions)


@pytest.mark.whole
@pytest.mark.parametrize(("text", "parts"), one_in(2, [("molly", 1), ("molly + fire", 2)]))
def test_a_cluster_has_the_results_of_this_machine(workers: Cluster, text: str, parts: int) -> None:
    strategy = prepare_strategy(MARYLAND, text, TERMS, budget=400)
    assert len(strategy.tables.parts) == parts
    truth = on_cpu(strategy, sessions=SESSIONS)
    play: PlayRange = workers.play
    found = play(strategy.tables, strategy.limits, 7, range(SESSIONS))
    assert found == truth
    assert all(found.endings[:STOP])


def test_ranges_cover_every_session_once() -> None:
    for piece, cores in ((range(1), 1), (range(3, 3 + 1000 * CHUNK), 7), (range(9 * CHUNK, 20 * CHUNK - 1), 64)):
        tasks = list(ranges_of(piece, cores))
        assert tasks[0].start == piece.start
        assert tasks[-1].stop == piece.stop
        assert all(one.stop == other.start for one, other in pairwise(tasks))
        assert all(len(task) % CHUNK == 0 for task in tasks[:-1])


@pytest.mark.sweep
def test_sessions_of_a_lost_worker_are_counted_once(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = prepare_strategy(MARYLAND, "molly", TERMS)
    marker, play_range = tmp_path / "died", cluster._play_range

    def dies_once(shared: tuple[Tables, SessionLimits], seed: int, sessions: range, wanted: str) -> Results:
        found = play_range(shared, seed, sessions, wanted)
        if 2 * CHUNK in sessions and not marker.exists():
            marker.write_text(str(os.getpid()), encoding="ascii")
            os._exit(1)  # after the work is done, before the results are returned
        return found

    monkeypatch.setattr(cluster, "_play_range", dies_once)
    found = workers.play(strategy.tables, strategy.limits, 7, range(SESSIONS))
    assert int(marker.read_text(encoding="ascii")) != os.getpid(), "a worker died, not this process"
    assert found == on_cpu(strategy, sessions=SESSIONS)


@pytest.mark.sweep
def test_an_interrupted_run_returns_the_finished_slices(workers: Cluster) -> None:
    """The interrupt is raised after the first slice; a real signal inside Ray once killed the test run."""
    strategy = prepare_strategy(MARYLAND, "molly", TERMS)
    reported: list[int] = []

    def done(sessions: int, _rolls: int) -> None:
        reported.append(sessions)

    def play(tables: Playable, limits: SessionLimits, seed: int, piece: range) -> Results:
        if reported:
            raise KeyboardInterrupt
        return workers.play(tables, limits, seed, piece)

    step = 16 * CHUNK
    (found,) = simulate_strategies([strategy], sessions=10**12, seed=7, done=done, play=play, slice_sessions=step)
    assert found.sessions == reported[-1] == len(reported) * step
    assert found == on_cpu(strategy, sessions=found.sessions)
    again = workers.play(strategy.tables, strategy.limits, 7, range(CHUNK))  # the workers are free again
    assert again == on_cpu(strategy, sessions=CHUNK)


def test_a_worker_with_another_version_refuses() -> None:
    """What a worker does with a task, without one: the next test has it done by one."""
    strategy = prepare_strategy(MARYLAND, "molly", TERMS)
    with pytest.raises(CrapsError, match=ANOTHER_VERSION):
        cluster._play_range((compiled_tables(strategy.tables, ""), strategy.limits), 7, range(10), "9.9")


@pytest.mark.sweep
def test_a_worker_with_another_version_is_refused(workers: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = prepare_strategy(MARYLAND, "molly", TERMS)
    monkeypatch.setattr(cluster, "version", lambda _name: "9.9")
    with pytest.raises(CrapsError, match=ANOTHER_VERSION):
        workers.play(strategy.tables, strategy.limits, 7, range(10))


@pytest.mark.sweep
def test_the_command_prints_the_same_on_every_backend(workers: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    assert workers.cores == 2
    printed = []
    for on in ("cpu", "ray"):
        assert (
            main(["simulate", "pass", "--rolls", "60", "--sessions", "2e5", "--seed", "7", "--json", "--on", on]) == 0
        )
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "200000" in printed[0]


def test_without_ray_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["simulate", "pass", "--on", "ray"]) == 2
    assert "pip install 'passline[cluster]'" in capsys.readouterr().err


def test_an_unknown_backend_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "pass", "--on", "moon"]) == 2
    assert "--on moon: choose cpu, gpu, ray or ray://HOST:PORT" in capsys.readouterr().err

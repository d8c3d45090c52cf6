"""Sessions on the machines of a Ray cluster, in ranges that any worker can play and, if it is lost, any other again.

What a range comes to depends on nothing but the tables, the seed and the numbers of its sessions, and sums are whole
numbers that may be added in any order. So the results are those of a run on one machine, to the last unit.
"""

from __future__ import annotations

import logging
import math
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from passline.errors import CrapsError
from passline.simulation.backends.cpu.backend import CHUNK, play_sessions
from passline.simulation.kernel_tables import Limits, Tables
from passline.simulation.results import Results, empty

if TYPE_CHECKING:
    import ray

__all__ = ["Cluster", "check_ray", "cluster_at", "ranges_of"]

_TASK_MAX = 16  # chunks of a task: a good part of a second of one core
_SLICE = 64  # chunks per core between two reports
_AHEAD = 2  # tasks per core that are handed out, so that no worker waits for the next
_RETRIES = 10  # of a task whose worker is lost; one that kills every worker it meets must end somewhere


def check_ray() -> None:
    """Refuse where Ray is not installed.

    >>> check_ray()
    """
    try:
        import ray  # noqa: F401, PLC0415 - an extra, imported where it is asked for
    except ImportError as error:
        raise CrapsError("--on ray needs Ray, which is not installed: pip install passline[cluster]") from error


@dataclass(frozen=True)
class Cluster:
    """The workers that Ray is connected to, or as many cores of them as may be used."""

    cores_max: int | None = None

    @property
    def cores(self) -> int:
        """How many cores there are now: workers come and go."""
        import ray  # noqa: PLC0415

        there = max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]
        return min(there, self.cores_max or there)

    @property
    def slice_sessions(self) -> int:
        """How many sessions to ask for at once: a few seconds of all cores."""
        return self.cores * _SLICE * CHUNK

    def play(self, tables: Tables, limits: Limits, seed: int, piece: range) -> Results:
        """Play a range of sessions of a seed: `play` of `simulate_players`.

        A task whose worker dies is played again from its beginning, and counts once: when its results arrive. However
        long the range is, only a few tasks per core wait.
        """
        import ray  # noqa: PLC0415

        task = ray.remote(_play_range).options(num_cpus=1, max_retries=_RETRIES, name="passline")
        shared = ray.put((tables, limits))
        found = empty(tables, limits)
        cores = self.cores
        waiting: list[ray.ObjectRef[Results]] = []
        ahead = self.cores_max or cores * _AHEAD
        try:
            for sessions in ranges_of(piece, cores):
                waiting.append(task.remote(shared, seed, sessions, version("passline")))
                if len(waiting) >= ahead:
                    found += _next(waiting)
            while waiting:
                found += _next(waiting)
        except ray.exceptions.RayTaskError as error:
            raise CrapsError(f"a worker of the cluster failed: {error.cause}") from error
        except ray.exceptions.RayError as error:
            raise CrapsError(f"Ray gave up: {error}") from error
        finally:
            for one in waiting:  # none, unless it was interrupted
                ray.cancel(one)
        assert found.sessions == len(piece), "every session once"
        return found


def ranges_of(piece: range, cores: int) -> Iterator[range]:
    """Split sessions into tasks of whole chunks, large at first and small at the end, so that all cores end together.

    >>> [len(task) // CHUNK for task in ranges_of(range(80 * CHUNK), cores=2)]
    [16, 16, 12, 9, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1]
    >>> [(task.start, task.stop) for task in ranges_of(range(7, 100_007), cores=2)]
    [(7, 65543), (65543, 100007)]
    """
    at = piece.start
    while at < piece.stop:
        chunks = math.ceil((piece.stop - at) / CHUNK)
        size = min(_TASK_MAX, math.ceil(chunks / (2 * cores))) * CHUNK
        yield range(at, min(at + size, piece.stop))
        at += size


def _next(waiting: list[ray.ObjectRef[Results]]) -> Results:
    """Wait for any of the tasks, and take it off the list."""
    import ray  # noqa: PLC0415

    (first,), _ = ray.wait(waiting, num_returns=1)
    results: Results = ray.get(first)
    waiting.remove(first)
    return results


def _play_range(shared: tuple[Tables, Limits], seed: int, sessions: range, wanted: str) -> Results:
    """Play a task. It runs on a worker, which must have the same Passline as whoever asks."""
    if (here := version("passline")) != wanted:
        raise CrapsError(f"it has Passline {here}, and {wanted} asks; install the same on all machines")
    tables, limits = shared
    # Ray's arrays cannot be written to, which is another type to numba, and another half minute of compiling.
    copies: dict[str, Any] = {name: one.copy() for name, one in vars(tables).items() if isinstance(one, np.ndarray)}
    tables = replace(tables, **copies)
    return play_sessions(tables, limits, seed=seed, first=sessions.start, sessions=len(sessions), cores=1)


@contextmanager
def cluster_at(address: str = "ray", *, cores: int | None = None) -> Iterator[Cluster]:
    """Connect to the cluster at ray://host:port; by `ray` alone to that of RAY_ADDRESS or one found or made here.

    A Ray that this process is already connected to is used as it is, and stays.
    """
    check_ray()
    import ray  # noqa: PLC0415

    if ray.is_initialized():
        yield Cluster(cores)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a Ray that we start tells nobody
    at = None if address == "ray" else address
    try:
        with warnings.catch_warnings(action="ignore"):  # what they warn of is in the error that follows
            ray.init(at, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        where = at or os.environ.get("RAY_ADDRESS", "this machine")
        raise CrapsError(f"no Ray cluster at {where}: {error}") from error
    try:
        yield Cluster(cores)
    finally:
        ray.shutdown()

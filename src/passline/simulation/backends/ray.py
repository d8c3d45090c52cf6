"""The Ray backend: ranges of sessions, each played by a worker of a cluster with the CPU backend.

The results of a range depend only on the tables, the limits, the seed and the numbers of its sessions, and are whole
numbers that can be added in any order. So a lost range is simply played again, and a cluster has the results of one
machine, to the unit.
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
from passline.extras import extra_for
from passline.simulation.backends.cpu.backend import CHUNK, chunk_of, play_sessions
from passline.simulation.kernel_tables import Playable, Tables, compiled_tables
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import Results, empty

if TYPE_CHECKING:
    import ray

_TASK_MAX = 16  # chunks of a task: a large part of a second on one core
_SLICE = 64  # chunks per core between two reports of progress
_AHEAD = 2  # tasks handed out per core, so that no worker is idle
_RETRIES = 10  # of a task whose worker is lost; a task that kills every worker must stop some time


def check_ray() -> None:
    """Raise MissingExtra if Ray is not installed.

    >>> check_ray()
    """
    with extra_for("--on ray"):
        import ray  # noqa: F401, PLC0415 - an extra, imported only when used


@dataclass(frozen=True)
class Cluster:
    """The cluster that Ray is connected to, of which at most `cores_max` cores are used."""

    cores_max: int | None = None

    @property
    def cores(self) -> int:
        """How many cores can be used now: workers come and go."""
        import ray  # noqa: PLC0415

        there = max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]
        return min(there, self.cores_max or there)

    @property
    def slice_sessions(self) -> int:
        """Sessions that one strategy plays before the next strategy's turn: a few seconds of all cores."""
        return self.cores * _SLICE * CHUNK

    def play(self, tables: Playable, limits: SessionLimits, seed: int, sessions: range) -> Results:
        """Play these sessions of a seed: `PlayRange` on the cluster.

        A task whose worker dies is played again and counted once, when its results arrive. Only a few tasks per core
        are handed out at a time, however long the range is.
        """
        import ray  # noqa: PLC0415

        tables = compiled_tables(tables, "a cluster")
        task = ray.remote(_play_range).options(num_cpus=1, max_retries=_RETRIES, name="passline")
        shared = ray.put((tables, limits))
        found = empty(tables, limits)
        cores = self.cores
        waiting: list[ray.ObjectRef[Results]] = []
        ahead = self.cores_max or cores * _AHEAD
        try:
            for piece in ranges_of(sessions, cores, chunk_of(limits)):
                waiting.append(task.remote(shared, seed, piece, version("passline")))
                if len(waiting) >= ahead:
                    found += _take_finished(waiting)
            while waiting:
                found += _take_finished(waiting)
        except ray.exceptions.RayTaskError as error:
            raise CrapsError(f"a worker of the cluster failed: {error.cause}") from error
        except ray.exceptions.RayError as error:
            raise CrapsError(f"Ray failed: {error}") from error
        finally:
            for pending in waiting:  # none, unless this was interrupted
                ray.cancel(pending)
        assert found.sessions == len(sessions), "every session once"
        return found


def ranges_of(sessions: range, cores: int, chunk: int = CHUNK) -> Iterator[range]:
    """Split sessions into tasks of whole chunks, large ones first and small ones last, so that all cores end together.

    >>> [len(task) // CHUNK for task in ranges_of(range(80 * CHUNK), cores=2)]
    [16, 16, 12, 9, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1]
    >>> [(task.start, task.stop) for task in ranges_of(range(7, 100_007), cores=2)]
    [(7, 65543), (65543, 100007)]
    """
    at = sessions.start
    while at < sessions.stop:
        chunks = math.ceil((sessions.stop - at) / chunk)
        size = min(_TASK_MAX, math.ceil(chunks / (2 * cores))) * chunk
        yield range(at, min(at + size, sessions.stop))
        at += size


def _take_finished(waiting: list[ray.ObjectRef[Results]]) -> Results:
    """Wait for any of the tasks, remove it from the list and return its results."""
    import ray  # noqa: PLC0415

    (first,), _ = ray.wait(waiting, num_returns=1)
    results: Results = ray.get(first)
    waiting.remove(first)
    return results


def _play_range(shared: tuple[Tables, SessionLimits], seed: int, sessions: range, wanted: str) -> Results:
    """Play a task. This runs on a worker, which must have the same version of Passline as the caller, `wanted`."""
    if (here := version("passline")) != wanted:
        raise CrapsError(f"it has Passline {here}, but {wanted} is needed; install the same version on all machines")
    tables, limits = shared
    # Ray's arrays are read-only: another type to numba, which would compile the kernels again for half a minute.
    arrays = {name: array for name, array in vars(tables).items() if isinstance(array, np.ndarray)}
    copies: dict[str, Any] = {name: array.copy() for name, array in arrays.items()}
    tables = replace(tables, **copies)
    return play_sessions(tables, limits, seed=seed, first=sessions.start, sessions=len(sessions), cores=1)


@contextmanager
def cluster_at(address: str = "ray", *, cores: int | None = None) -> Iterator[Cluster]:
    """Connect to the cluster at ray://host:port, or, given "ray", to that of RAY_ADDRESS or one found or started here.

    If this process is already connected to a cluster, that one is used and stays connected.
    """
    check_ray()
    import ray  # noqa: PLC0415

    if ray.is_initialized():
        yield Cluster(cores)
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster that we start sends no usage statistics
    at = None if address == "ray" else address
    try:
        with warnings.catch_warnings(action="ignore"):  # the error that follows says the same
            ray.init(at, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        where = at or os.environ.get("RAY_ADDRESS", "this machine")
        raise CrapsError(f"no Ray cluster at {where}: {error}") from error
    try:
        yield Cluster(cores)
    finally:
        ray.shutdown()

"""The one thread that writes: decisions of all tables that wait are one durable commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from time import perf_counter, sleep

from msgspec import Struct

from passline.errors import CrapsError
from passline.store.entry import Draft
from passline.store.log import AppendResult, Log, LogChanged, LogError, Secret, Snapshot

__all__ = ["AGAIN_SECONDS", "LogDown", "ServerFault", "Writer"]

AGAIN_SECONDS = 1.0
"""After how long a log that failed is asked again, where nobody waits for it."""
_log = logging.getLogger(__name__)
_DOWN = "the log takes nothing; the server's own log says why"
_GATHER_SECONDS = 0.002  # where tables are many, a commit waits so long for more of them: fewer and larger cost less
_DRAFTS_MAX = 4_000  # in one commit, so that the first of a flood need not wait for the last


class LogDown(CrapsError):
    """The log took nothing: the disk is full, or the database is gone. Nothing was acknowledged."""


class ServerFault(Exception):
    """The program failed, not the log; what it raised is in the server's own log. Its text is for whoever asked."""


_Told = list[AppendResult] | LogDown | ServerFault


class _Batch(Struct, frozen=True, gc=False):
    """What one table hands over at once, and what is told in its event loop when that is done."""

    drafts: Sequence[Draft]
    tell: Callable[[_Told], None]
    loop: asyncio.AbstractEventLoop


class Writer:
    """Group commit: while one commit is on its way to the disk, everything else that is decided gathers for the next.

    `measured` is told of every commit how many drafts it had and how many seconds it took.
    """

    def __init__(self, log: Log, measured: Callable[[int, float], None] = lambda _drafts, _seconds: None) -> None:
        self.log = log
        self.fault = ""  # why the last commit failed; empty once one has succeeded again
        self.snapshot_faults = 0  # a snapshot that is not kept costs time at the next start, and nothing else
        self._measured = measured
        self._is_crowded = False  # the last commit was of several tables
        self._queue: SimpleQueue[_Batch | Snapshot | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="passline-writer", daemon=True)
        self._thread.start()

    def append(self, drafts: Sequence[Draft], tell: Callable[[_Told], None]) -> None:
        """Write drafts durably, then tell of each what became of it, or why the log took none of them."""
        self._queue.put(_Batch(drafts, tell, asyncio.get_running_loop()))

    def keep(self, snapshot: Snapshot) -> None:
        """Save a snapshot when there is time; it is a cache, so nobody waits and a failure loses nothing."""
        self._queue.put(snapshot)

    def probe(self) -> str:
        """Say why nothing can be written, in words for anybody: no place or user of a database is in them.

        Where the last commit failed, it is tried anew whether anything can be written beside the log.
        """
        try:
            self.log.check()
            if self.fault:
                self.log.vault.put(Secret("probe", "writer", b""))
        except Exception as error:  # noqa: BLE001 - whatever a driver raises
            self._failed(error)
            return str(error) if isinstance(error, LogChanged) else _DOWN
        self.fault = ""
        return ""

    async def close(self) -> None:
        """Write what is queued, then stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        is_open = True
        while is_open:
            batches, snapshots, is_open = self._gather()
            if batches:
                self._commit(batches)
            for snapshot in snapshots:
                try:
                    self.log.save_snapshot(snapshot)
                except Exception:  # noqa: BLE001 - whatever a driver raises, the log is what counts
                    self.snapshot_faults += 1
                    _log.exception("a snapshot of %s was not kept", snapshot.stream)

    def _gather(self) -> tuple[list[_Batch], list[Snapshot], bool]:
        """Wait for something to do and take along everything else that waits."""
        batches: list[_Batch] = []
        snapshots: list[Snapshot] = []
        drafts = 0
        item = self._queue.get()
        if self._is_crowded:
            sleep(_GATHER_SECONDS)
        while item is not None:
            if isinstance(item, Snapshot):
                snapshots.append(item)
            else:
                batches.append(item)
                drafts += len(item.drafts)
            if self._queue.empty() or drafts >= _DRAFTS_MAX:
                return batches, snapshots, True
            item = self._queue.get()
        return batches, snapshots, False

    def _commit(self, batches: list[_Batch]) -> None:
        begun, self._is_crowded = perf_counter(), len(batches) > 1
        drafts = [draft for batch in batches for draft in batch.drafts]
        try:
            outcomes = self.log.append(drafts)
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, nothing was acknowledged
            answers: list[_Told] = [self._failed(error)] * len(batches)
        else:
            self.fault = ""
            parts = iter(outcomes)
            answers = [[next(parts) for _ in batch.drafts] for batch in batches]
        self._measured(len(drafts), perf_counter() - begun)
        for loop in {batch.loop for batch in batches}:
            told = [(batch, answer) for batch, answer in zip(batches, answers, strict=True) if batch.loop is loop]
            loop.call_soon_threadsafe(_tell, told)

    def _failed(self, error: Exception) -> LogDown | ServerFault:
        """Note why the log takes nothing, and say it once; what is no fault of the log is said with where it arose."""
        if not isinstance(error, LogError | OSError):
            _log.error("a commit failed by a fault of the server", exc_info=error)
            return ServerFault("the server has a fault; nothing was done")
        fault = f"{type(error).__name__}: {error}"
        if fault != self.fault:
            _log.error("the log takes nothing: %s", fault)
        self.fault = fault
        return LogDown(fault)


def _tell(told: list[tuple[_Batch, _Told]]) -> None:
    for batch, answer in told:
        batch.tell(answer)

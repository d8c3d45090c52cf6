"""Writers: what streams hand their decisions to, and what every way of committing them has in common.

`ThreadWriter` commits in this process, with a thread for the disk; `commit_process.RemoteWriter` has another commit, by
`serve_commits`. Either way decisions of all streams that are waiting go into one durable commit.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import exp
from queue import SimpleQueue
from threading import Thread
from time import monotonic, perf_counter, sleep
from typing import Any

from msgspec import Struct, json

from passline.errors import CrapsError
from passline.store.entry import Draft, Head, entry_of
from passline.store.log import (
    Appended,
    AppendResult,
    BegunAppend,
    CommitInDoubt,
    Conflict,
    Known,
    LogChanged,
    LogError,
    Secret,
    Snapshot,
)
from passline.store.sealed import Log

AGAIN_SECONDS = 1.0
"""How long to wait before retrying a log that failed, where nobody is waiting for the answer."""
IN_DOUBT = (
    "the log did not answer, so it is not known yet whether this was done; ask again with the same id, "
    "or look whether it was done before you repeat it"
)
"""The answer to a command in doubt."""
_log = logging.getLogger(__name__)
_SETTLE_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5)  # the waits before a commit in doubt is tried again
_SETTLE_SECONDS_MAX = 6.0  # after which no further try is begun
_DOWN = "the log cannot be written; the server's own log says why"
_PROBE_SECONDS = 5.0  # for which a commit that succeeded is proof enough that the log can be written
_APART_SECONDS = 0.004  # from the beginning of one commit to that of the next, while streams are busy: see `CommitPace`
_BUSY_RATE = 400.0  # rounds a second from which on they are
_RATE_SECONDS = 0.5  # over which the rate is averaged
_ROUNDS_ENOUGH = 8  # that wait, after which a commit begins at once: waiting for more would save little
_DRAFTS_MAX = 4_000  # per commit, so that the first command of a flood does not wait for the last


class LogDown(CrapsError):
    """The log cannot be written: the disk is full, or the database is gone. Nothing was done, unless it is InDoubt."""


class InDoubt(LogDown):
    """The log's answer was lost: it is not known whether the command was done. Asking again with its id tells."""

    def __init__(self, why: str = IN_DOUBT) -> None:
        super().__init__(why)


class ServerFault(Exception):
    """The program failed, not the log. The text is for the sender; the traceback is in the server's own log."""

    def __init__(self, why: str = "the server has a fault; ask again with the same id, which acts once") -> None:
        super().__init__(why)


def fault_of(error: Exception, what: str = "a commit") -> LogDown | ServerFault:
    """Return an error as the log's fault or the program's; only the operator sees the latter's details."""
    if isinstance(error, LogDown | ServerFault):
        return error
    if isinstance(error, LogError | OSError):
        return LogDown(f"{type(error).__name__}: {error}")
    _log.error("%s failed by a fault of the server", what, exc_info=error)
    return ServerFault()


def probe_log(log: Log) -> None:
    """Raise whatever keeps a log from being written: it was changed, or its database takes no write beside it."""
    log.check()
    log.vault.put(Secret("probe", "writer", b""))


def public_fault(error: Exception) -> str:
    """Return why nothing can be written, without the name of a database, path or user."""
    return str(error) if isinstance(error, LogChanged) else getattr(error, "public", "") or _DOWN


def append_settled(log: Log, drafts: Sequence[Draft]) -> list[AppendResult]:
    """Append drafts; if the answer of the commit is lost, find out what became of them by appending them again.

    Each try has the log to itself, so when one succeeds, the first commit has ended one way or the other. Raise InDoubt
    if that takes more than a few seconds; any other error means that nothing was written.
    """
    try:
        return log.append(drafts)
    except CommitInDoubt as error:
        return settle_doubt(log, drafts, error)


def settle_doubt(log: Log, drafts: Sequence[Draft], doubt: Exception) -> list[AppendResult]:
    """Find out what became of drafts whose commit is in doubt, as `append_settled` does."""
    end = monotonic() + _SETTLE_SECONDS_MAX
    for seconds in _SETTLE_SECONDS:
        sleep(seconds)
        try:
            results = log.append(drafts)
        except Exception as error:  # noqa: BLE001 - whatever it is, the first commit is still in doubt
            doubt = error
        else:
            return as_written(drafts, results)
        if monotonic() > end:
            break
    _log.error("it is not known whether a commit was written: %s", doubt)
    raise InDoubt from doubt


def as_written(drafts: Sequence[Draft], results: Sequence[AppendResult]) -> list[AppendResult]:
    """Return the results of drafts that were appended again, as if their first commit had been answered."""
    return [_as_written(draft, result) for draft, result in zip(drafts, results, strict=True)]


def _as_written(draft: Draft, result: AppendResult) -> AppendResult:
    """Return Appended for a draft that the commit in doubt wrote itself: the very same entry, to the microsecond."""
    if isinstance(result, Known) and result.stored.body == json.encode(entry_of(draft, result.stored.entry.sequence)):
        return Appended(result.stored, result.head)
    return result


def commit_together(log: Log, rounds: Sequence[Sequence[Draft]]) -> list[list[AppendResult]]:
    """Write the drafts of several rounds in one commit; return the results of each round. Raise as `append_settled`."""
    results = iter(append_settled(log, [draft for drafts in rounds for draft in drafts]))
    return [[next(results) for _ in drafts] for drafts in rounds]


def newest_head(results: Iterable[AppendResult]) -> Head | None:
    """Return the log's head after a commit; None if it wrote nothing."""
    return next((result.head for result in results if not isinstance(result, Conflict)), None)


def save_snapshot(log: Log, snapshot: Snapshot) -> bool:
    """Save a snapshot; return whether that succeeded. It is only a cache: a failure loses nothing."""
    try:
        log.save_snapshot(snapshot)
    except Exception:  # noqa: BLE001 - whatever a driver raises; the log does not need the snapshot
        _log.exception("a snapshot of %s was not kept", snapshot.stream)
        return False
    return True


Reply = list[AppendResult] | LogDown | ServerFault
"""What a stream is told of its drafts: the result of each, or why there is none."""
_Measured = Callable[[int, float], None]
_Committed = Callable[[Head], None]


def _ignore_time(_drafts: int, _seconds: float) -> None:
    pass


def _ignore_head(_head: Head) -> None:
    pass


class Writer(ABC):
    """Takes the decisions of streams, has them written durably, and tells each stream what became of its own.

    `measured` is called after each commit with its number of drafts and the seconds it took, `committed` with the head.
    """

    def __init__(self, log: Log, measured: _Measured = _ignore_time, committed: _Committed = _ignore_head) -> None:
        self.log = log
        self.fault = ""  # why the last commit failed; empty if it succeeded
        self.snapshot_faults = 0  # snapshots that could not be saved: the next start takes longer, nothing is lost
        self.written_at = 0.0  # when the last commit succeeded, by the monotonic clock
        self._measured = measured
        self._committed = committed

    async def start(self) -> None:  # noqa: B027 - a thread needs nothing
        """Connect to wherever commits are made."""

    @abstractmethod
    def append(self, drafts: Sequence[Draft], reply: Callable[[Reply], None]) -> None:
        """Write drafts durably, then call `reply` with the outcome of each, or with the reason why none was written."""

    @abstractmethod
    def keep(self, snapshot: Snapshot) -> None:
        """Save a snapshot in the background. It is only a cache: nobody waits for it, and a failure loses nothing."""

    @abstractmethod
    def probe(self) -> str:
        """Return why nothing can be written, or an empty string; the text names no database, path or user."""

    @property
    @abstractmethod
    def is_alive(self) -> bool:
        """Whether the thread or process that writes runs."""

    @property
    @abstractmethod
    def busy_seconds(self) -> float:
        """How long the oldest decision under way has taken so far; 0 if there is none."""

    @abstractmethod
    async def close(self) -> None:
        """Have everything written that is queued, then stop."""

    def _note_success(self, head: Head | None) -> None:
        """Note that a commit was made, and tell where the log ends now, if it wrote anything."""
        self.fault, self.written_at = "", monotonic()
        if head is not None:
            self._committed(head)

    def _note_failure(self, error: Exception) -> LogDown | ServerFault:
        """Note and log why a commit failed: a fault of the log once, a fault of the program with its traceback."""
        fault = fault_of(error)
        if isinstance(fault, LogDown):
            why = f"{type(error).__name__}: {error}"
            if why != self.fault:
                _log.error("the log cannot be written: %s", why)
            self.fault = why
        return fault


class CommitPace:
    """How far commits are apart: a commit costs about as much as deciding what it holds, so a larger one is cheaper.

    The first commit after a while begins at once, so nobody waits at a quiet table. The busier the streams, the longer
    the next one waits for more: at 400 rounds a second and more, until 4 ms after the one before it has begun.

    >>> pace = CommitPace()
    >>> pace.wait(now=10.0), pace.begin(1, now=10.0), pace.wait(now=10.001) < 0.001
    (0.0, None, True)
    >>> for number in range(1, 2000):
    ...     pace.begin(2, now=10.0 + 0.004 * number)
    >>> round(pace.wait(now=10.0 + 0.004 * 1999 + 0.001), 4)
    0.003
    """

    def __init__(self) -> None:
        self._rate = 0.0  # rounds a second
        self._begun = float("-inf")

    def begin(self, rounds: int, now: float) -> None:
        """Note that a commit with so many rounds begins."""
        passed = now - self._begun
        share = exp(-passed / _RATE_SECONDS)
        self._rate = self._rate * share + rounds / max(passed, rounds / _BUSY_RATE) * (1 - share)
        self._begun = now

    def wait(self, now: float) -> float:
        """Return for how many seconds the next commit is to wait for more."""
        apart = _APART_SECONDS * min(1.0, self._rate / _BUSY_RATE)
        return max(0.0, self._begun + apart - now)


class _Batch(Struct, frozen=True, gc=False):
    """The drafts of one round of a stream, and the function to call in its event loop once they are written."""

    drafts: Sequence[Draft]
    reply: Callable[[Reply], None]


_Outcome = list[AppendResult] | Exception | None
"""What the thread says of a commit: its results, why there are none, or None if the event loop can tell."""


class ThreadWriter(Writer):
    """Group commit: decisions made while one commit is on its way to the disk are written together in the next.

    Where the log can (`Log.begin_append`), the event loop does all of a commit but waiting for the disk. Two threads
    that both want the interpreter hand it to each other at every call of the database, which costs more than the calls.
    """

    def __init__(self, log: Log, measured: _Measured = _ignore_time, committed: _Committed = _ignore_head) -> None:
        super().__init__(log, measured, committed)
        self._begun = 0.0  # when the current commit began; 0: none is under way
        self._pace = CommitPace()
        self._batches: list[_Batch] = []
        self._snapshots: list[Snapshot] = []
        self._beginning: asyncio.Handle | None = None  # the next commit is to begin soon
        self._is_gathering = False  # it waits for more
        self._handed_over = 0  # how much the thread has to do
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._queue: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="passline-writer", daemon=True)
        self._thread.start()

    def append(self, drafts: Sequence[Draft], reply: Callable[[Reply], None]) -> None:
        """Queue drafts for the next commit."""
        self._batches.append(_Batch(drafts, reply))
        self._go_on()

    @property
    def is_alive(self) -> bool:
        """Whether the thread that writes runs."""
        return self._thread.is_alive()

    @property
    def busy_seconds(self) -> float:
        """How long the current commit has taken so far; 0 if none is under way."""
        begun = self._begun
        return perf_counter() - begun if begun else 0.0

    def keep(self, snapshot: Snapshot) -> None:
        """Queue a snapshot; it is saved after the next commit."""
        self._snapshots.append(snapshot)
        self._go_on()

    def probe(self) -> str:
        """Return why nothing can be written, or an empty string.

        Unless a commit succeeded just now, try whether the database takes a write beside the log.
        """
        try:
            if self.fault or monotonic() - self.written_at > _PROBE_SECONDS:
                probe_log(self.log)
                self.written_at = monotonic()
            else:
                self.log.check()
        except Exception as error:  # noqa: BLE001 - whatever a driver raises
            self._note_failure(error)
            return public_fault(error)
        self.fault = ""
        return ""

    async def close(self) -> None:
        """Write everything that is queued, then stop."""
        await self._is_idle.wait()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    # In the event loop.

    def _go_on(self) -> None:
        """Have the next commit begin once whatever came together is decided, and some time after the one before it.

        It begins when the thread has nothing to do: what it does may need the log that a commit has begun to write.
        """
        if self._handed_over:
            return
        if not self._batches and not self._snapshots:
            self._is_idle.set()
            return
        is_enough = not self._batches or len(self._batches) >= _ROUNDS_ENOUGH
        if self._beginning is None:
            self._is_idle.clear()
            loop = asyncio.get_running_loop()
            wait = 0.0 if is_enough else self._pace.wait(perf_counter())
            self._is_gathering = wait > 0
            self._beginning = loop.call_later(wait, self._begin) if wait else loop.call_soon(self._begin)
        elif is_enough and self._is_gathering:
            self._is_gathering = False
            self._beginning.cancel()
            self._beginning = asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        """Begin a commit of what is queued; the thread ends it, and saves snapshots after it."""
        self._beginning = None
        if batches := self._next_batches():
            self._begun = now = perf_counter()
            self._pace.begin(len(batches), now)
            drafts = [draft for batch in batches for draft in batch.drafts]
            try:
                begun = self.log.begin_append(drafts)
            except Exception as error:  # noqa: BLE001 - whatever a driver raises, nobody was answered yet
                self._end(batches, error)
                return
            work = partial(append_settled, self.log, drafts) if begun is None else begun.commit
            self._hand_over(work, partial(self._end_begun, batches, drafts, begun))
        for snapshot in self._snapshots:
            self._hand_over(partial(save_snapshot, self.log, snapshot), self._end_snapshot)
        self._snapshots.clear()

    def _next_batches(self) -> list[_Batch]:
        """Take what one commit writes out of the queue."""
        count = drafts = 0
        while count < len(self._batches) and drafts < _DRAFTS_MAX:
            drafts += len(self._batches[count].drafts)
            count += 1
        batches, self._batches = self._batches[:count], self._batches[count:]
        return batches

    def _end_begun(
        self, batches: list[_Batch], drafts: Sequence[Draft], begun: BegunAppend | None, outcome: _Outcome
    ) -> None:
        """End a commit that the thread has made; if it is in doubt, have the thread find out what became of it."""
        if outcome is None and begun is not None:
            try:
                outcome = begun.results()
            except Exception as error:  # noqa: BLE001 - whatever a driver raises, nobody was answered yet
                outcome = error
        if isinstance(outcome, CommitInDoubt):
            self._hand_over(partial(settle_doubt, self.log, drafts, outcome), partial(self._end, batches))
        else:
            self._end(batches, outcome)

    def _end(self, batches: list[_Batch], outcome: _Outcome) -> None:
        """Tell every stream what became of its drafts; the next commit is on its way meanwhile."""
        assert outcome is not None
        begun, self._begun = self._begun, 0.0
        if isinstance(outcome, Exception):
            replies: Sequence[Reply] = [self._note_failure(outcome)] * len(batches)
        else:
            self._note_success(newest_head(outcome))
            results = iter(outcome)
            replies = [[next(results) for _ in batch.drafts] for batch in batches]
        self._measured(sum(len(batch.drafts) for batch in batches), perf_counter() - begun)
        if self._batches and not self._handed_over and not self._pace.wait(perf_counter()):
            self._begin()
        try:
            for batch, reply in zip(batches, replies, strict=True):
                batch.reply(reply)
        finally:
            self._go_on()

    def _end_snapshot(self, is_saved: object) -> None:
        self.snapshot_faults += not is_saved
        self._go_on()

    def _hand_over(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Have the thread do something, and go on here with what it returns or raises."""
        self._handed_over += 1
        back = asyncio.get_running_loop().call_soon_threadsafe
        self._queue.put(lambda: back(self._take_back, then, _outcome_of(work)))

    def _take_back(self, then: Callable[[Any], None], outcome: object) -> None:
        self._handed_over -= 1
        then(outcome)

    # In the thread.

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            work()


def _outcome_of(work: Callable[[], Any]) -> Any:  # noqa: ANN401 - of any work
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, nobody was answered yet
        return error

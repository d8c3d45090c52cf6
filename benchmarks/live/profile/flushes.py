"""What flushes beside commits would give: `python -m benchmarks.live.profile.flushes`, a prototype.

Entries come by chance, 900 a second from 100 tables, and are committed by one thread as `serve_commits` does it. As it
is, a commit ends with its flush to the disk. Pipelined, it leaves its pages in the write-ahead log; other threads flush
that file while the next commits are being made, and an entry counts as acknowledged once a flush that began after its
commit has ended. The write-ahead log has its full length before, as after some seconds of a busy house.

The pipelined ways are not safe: whoever reads the log sees an entry before it is durable.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from statistics import median
from threading import Thread

from msgspec import Struct

from benchmarks.live.wager_drafts import wager_draft
from benchmarks.processor import processor_name
from passline.store.data_folder import DATABASE_FILE, open_log
from passline.store.log import Secret
from passline.store.sqlite import SqliteLog
from passline.streams.commit_process import gather_seconds

_TABLES, _WAL_BYTES = 100, 85_000_000
_BATCH_MAX = 60  # entries of one commit
_HUNDREDTHS = (0.5, 0.95, 0.98, 0.99, 0.999)


class Way(Struct, frozen=True):
    """A way to make commits durable: how SQLite synchronises its file, and the threads that flush it beside."""

    name: str
    synchronous: str
    flushers: int = 0


_WAYS = (
    Way("as it is", "FULL"),
    Way("pipelined, one flush at a time", "NORMAL", 1),
    Way("pipelined, three at a time", "NORMAL", 3),
    Way("no flush", "OFF"),
)


class Turn(Struct, frozen=True):
    """Milliseconds of one turn at some hundredths: from an entry's coming to its answer, until its commit begins."""

    taken: tuple[float, ...]
    waited: tuple[float, ...]


@contextmanager
def _flushing(wal: Path, threads: int, tell: Callable[[range, float], None]) -> Iterator[Callable[[range], None]]:
    """Have threads flush a file; yield what queues entries, which are told once a flush covers them."""
    queue: SimpleQueue[range | None] = SimpleQueue()
    file = os.open(wal, os.O_RDWR)

    def flush() -> None:
        while (found := queue.get()) is not None:
            covered = [found, *_without_waiting(queue)]
            os.fdatasync(file)
            now = time.perf_counter()
            for entries in covered:
                tell(entries, now)
        queue.put(None)  # the end is for every thread

    flushers = [Thread(target=flush) for _ in range(threads)]
    for thread in flushers:
        thread.start()
    try:
        yield queue.put
    finally:
        queue.put(None)
        for thread in flushers:
            thread.join()
        os.close(file)


def _without_waiting(queue: SimpleQueue[range | None]) -> Iterator[range]:
    """Yield what is in a queue now, up to the end of it."""
    try:
        while (found := queue.get_nowait()) is not None:
            yield found
    except Empty:
        return
    queue.put(None)  # it is the caller's too


def _arrivals(rate: float, seconds: float, chance: Random) -> list[float]:
    moments = [0.0]
    while moments[-1] < seconds:
        moments.append(moments[-1] + chance.expovariate(rate))
    return moments


def play_turn(way: Way, moments: list[float]) -> Turn:
    """Commit entries that come at these moments; return what they took."""
    begun, ended = [0.0] * len(moments), [0.0] * len(moments)

    def tell(entries: range, now: float) -> None:
        for entry in entries:
            ended[entry] = now

    with tempfile.TemporaryDirectory() as folder, closing(open_log(Path(folder))) as log:
        assert isinstance(log, SqliteLog)
        _fill(log)
        log._writer.execute(f"PRAGMA synchronous = {way.synchronous}")  # noqa: SLF001 - no log of the program can be set so
        with _flushing(Path(folder) / f"{DATABASE_FILE}-wal", way.flushers, tell) as flush:
            told = flush if way.flushers else lambda entries: tell(entries, time.perf_counter())
            start = _commit_all(log, moments, begun, told)
    first = len(moments) // 10  # those before find everything cold
    come = [start + moment for moment in moments]
    return Turn(_hundredths(come[first:], ended[first:]), _hundredths(come[first:], begun[first:]))


def _fill(log: SqliteLog) -> None:
    """Begin the streams of a log, and make its write-ahead log as long as in a busy house."""
    log.append([wager_draft(f"table/{table}", 0, table) for table in range(_TABLES)])
    log.vault.put(Secret("bench", "fill", bytes(_WAL_BYTES)))
    log.vault.forget("bench", "fill")
    log.query("PRAGMA wal_checkpoint(PASSIVE)")
    os.sync()


def _commit_all(log: SqliteLog, moments: list[float], begun: list[float], tell: Callable[[range], None]) -> float:
    """Commit each entry as soon as it has come and the commit before it ended; return when the first could come."""
    start = time.perf_counter()
    done, last, size = 0, 0.0, 0
    while done < len(moments):
        now = time.perf_counter() - start
        if (wait := max(moments[done] - now, gather_seconds(size, now - last))) > 0:
            time.sleep(wait)
            continue
        entries = range(done, min(bisect_right(moments, now), done + _BATCH_MAX))
        for entry in entries:
            begun[entry] = start + now
        log.append([wager_draft(f"table/{at % _TABLES}", 1 + at // _TABLES, _TABLES + at) for at in entries])
        tell(entries)
        done, last, size = entries.stop, now, len(entries)
    return start


def _hundredths(come: list[float], gone: list[float]) -> tuple[float, ...]:
    taken = sorted(after - before for before, after in zip(come, gone, strict=True))
    return tuple(round(1000 * taken[int(share * len(taken))], 2) for share in _HUNDREDTHS)


def main() -> None:
    """Play every way in turns; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=900.0, help="entries a second")
    parser.add_argument("--seconds", type=float, default=2.5, help="of a turn")
    parser.add_argument("--rounds", type=int, default=14)
    options = parser.parse_args()
    gc.disable()
    print(
        f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )
    turns: dict[str, list[Turn]] = {way.name: [] for way in _WAYS}
    for number in range(options.rounds):
        moments = _arrivals(options.rate, options.seconds, Random(number))
        for way in _WAYS:
            turns[way.name].append(play_turn(way, moments))
        gc.collect()
    print(f"Milliseconds from coming to the answer, and until the commit begins; medians of {options.rounds} turns")
    print(f"{'':34}{'    p50    p95    p98    p99 99.9th  ' * 2}")
    found = {name: [_middle(some, "taken"), _middle(some, "waited")] for name, some in turns.items()}
    for name, (taken, waited) in found.items():
        print(f"  {name:32} {_row(taken)}   {_row(waited)}")
    print(json.dumps(found))


def _middle(turns: list[Turn], what: str) -> list[float]:
    return [median(figures) for figures in zip(*(getattr(turn, what) for turn in turns), strict=True)]


def _row(figures: list[float]) -> str:
    return " ".join(f"{figure:6.2f}" for figure in figures)


if __name__ == "__main__":
    main()

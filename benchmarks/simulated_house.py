"""Histories of a simulated house, from seeds: thousands of faults in simulated time, and nothing may be lost.

The program's own log, writer, streams, floor and screens run on a disk, clock and network of `tests/simulated`.
People play, keep an office and hold a tournament while processes are killed, power is cut, writes are torn, fail and
stall, disks are full, requests and answers are lost or come twice and clocks are set. After each history: what was
acknowledged is kept and nothing is doubled, every roll follows from its committed key, chips and cents are conserved,
each prize is paid once, everybody was answered and every throw has landed in time, `verify` finds the log intact, and
every page shows the table.

`./x bench simulated-house [--faults 100000]` goes on until so many faults were brought. A seed that fails is printed,
and `--seed N` has the same history again. `--bugs` puts each deliberate bug of `tests/simulated/bugs.py` into the
program instead, and says how soon it is found.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from math import inf
from multiprocessing import get_context
from multiprocessing.pool import Pool

from msgspec import Struct

import passline.web.app  # noqa: F401 - every module is loaded before any of them is simulated
from benchmarks.processor import processor_name
from tests.simulated.bugs import BUGS
from tests.simulated.history import Outcome, Scope, history_of

FAULTS = 100_000
BUG_SECONDS = 180.0
_CORES = len(os.sched_getaffinity(0))
_SHOWN = 100  # characters of how a bug was noticed
_SAID_EVERY = 20  # histories
_HISTORIES_EACH = 40  # of a process, which keeps some 10 MB of each


class _Failed(Struct, frozen=True):
    """A seed whose history went wrong, and how."""

    seed: int
    why: str
    trace: str


def _history(seed: int) -> Outcome | _Failed:
    try:
        return history_of(seed)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told with its seed
        return _Failed(seed, f"{type(error).__name__}: {error}", traceback.format_exc())


def bring_faults(faults: int, first: int, processes: int, within: float = inf) -> dict[str, object]:
    """Have histories happen until so many faults were brought; return what came of them."""
    begun, kinds, failed = time.monotonic(), Counter[str](), list[_Failed]()
    totals = Counter[str]()

    def goes_on() -> bool:
        return kinds.total() < faults and time.monotonic() - begun < within

    with get_context("fork").Pool(processes, gc.freeze, maxtasksperchild=_HISTORIES_EACH) as pool:
        for number, outcome in enumerate(_outcomes(pool, first, processes, goes_on), start=1):
            if isinstance(outcome, _Failed):
                failed.append(outcome)
                print(f"seed {outcome.seed}: {outcome.why}\n{outcome.trace}", flush=True)
                continue
            kinds.update(outcome.faults)
            totals.update(
                histories=1,
                entries=outcome.entries,
                rolls=outcome.rolls,
                acknowledged=outcome.acknowledged,
                refused=outcome.refused,
                seconds=round(outcome.seconds),
            )
            if number % _SAID_EVERY == 0:
                print(f"... {number:,} histories, {kinds.total():,} faults", file=sys.stderr, flush=True)
    for kind, times in kinds.most_common():
        print(f"{kind:<28} {times:>9,}")
    print(f"{'faults':<28} {kinds.total():>9,}")
    for what, times in totals.items():
        print(f"{what:<28} {times:>9,}")
    print(f"seeds {first} to {first + totals['histories'] + len(failed) - 1}, {time.monotonic() - begun:,.0f} s")
    print(f"lost, doubled, repeated or unlike: {', '.join(str(one.seed) for one in failed) or 'nothing'}")
    return {"faults": kinds.total(), "kinds": dict(kinds), **totals, "failed": [one.seed for one in failed]}


def _outcomes(pool: Pool, first: int, processes: int, goes_on: Callable[[], bool]) -> Iterator[Outcome | _Failed]:
    """Yield the outcomes of seeds in order, while more are wanted."""
    seeds = count(first)
    under_way = [pool.apply_async(_history, (seed,)) for seed in islice(seeds, 2 * processes)]
    while under_way:
        yield under_way.pop(0).get()
        if goes_on():
            under_way.append(pool.apply_async(_history, (next(seeds),)))


def _hunt(number: int) -> tuple[int, float, str]:
    """Look for a bug for three minutes; return the seed that finds it, after how many seconds, and how."""
    begun = time.monotonic()
    with BUGS[number].there():
        for seed in count(1):
            outcome = _history(seed)
            seconds = time.monotonic() - begun
            if isinstance(outcome, _Failed):
                return seed, seconds, outcome.why
            if seconds > BUG_SECONDS:
                break
    return 0, seconds, ""


def hunt_bugs(processes: int) -> dict[str, object]:
    """Put each bug into the program, and see how soon it is found."""
    missed, slowest = list[str](), 0.0
    with ProcessPoolExecutor(processes, get_context("fork"), initializer=gc.freeze) as pool:
        for bug, (seed, seconds, why) in zip(BUGS, pool.map(_hunt, range(len(BUGS))), strict=True):
            how = f"seed {seed}, {why.splitlines()[0][:_SHOWN]}" if seed else "not found"
            print(f"{seconds:>6.1f} s  {bug.what}: {how}", flush=True)
            slowest = max(slowest, seconds)
            if not seed:
                missed.append(bug.what)
    print(f"{len(BUGS) - len(missed)} of {len(BUGS)} bugs found, the last of them after {slowest:.0f} s")
    return {"bugs": len(BUGS), "missed": missed, "slowest_s": round(slowest, 1)}


def main(arguments: list[str] | None = None) -> int:
    """Return 1 if a history went wrong, or a bug was not found. The last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="./x bench simulated-house", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--faults", type=int, default=FAULTS, help="to bring, over all histories")
    parser.add_argument("--within", type=float, default=inf, metavar="SECONDS", help="for all of them")
    parser.add_argument("--first", type=int, default=1, metavar="N", help="seed to begin with")
    parser.add_argument("--seed", type=int, help="of the one history to have again")
    parser.add_argument("--bugs", action="store_true", help="hunt the deliberate bugs instead")
    parser.add_argument("--processes", type=int, default=_CORES, help="that run histories at once")
    options = parser.parse_args(arguments)
    if options.seed is not None:
        print(history_of(options.seed, Scope()))
        return 0
    print(f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}", flush=True)
    if options.bugs:
        results = hunt_bugs(options.processes)
        is_wrong = bool(results["missed"])
    else:
        results = bring_faults(options.faults, options.first, options.processes, options.within)
        is_wrong = bool(results["failed"])
    print(json.dumps({"bench": "simulated-house", **results}))
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())

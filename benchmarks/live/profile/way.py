"""Where the milliseconds of a wager go: `python -m benchmarks.live.profile.way --tables 100 --workers 4`.

Every process notes when a wager passes it (`stamped.py`); this adds when it was sent and when the last screen of its
table showed it. Each step is printed for the middle of all wagers and for those around the 99th hundredth, and how many
of these met something else: a checkpoint, a snapshot, a roll or the garbage collector.
"""

from __future__ import annotations

import argparse
import bisect
import gc
import json
import os
import platform
import resource
import sys
import tempfile
from array import array
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import uvloop
from msgspec import Struct

from benchmarks.live import load as loads
from benchmarks.live.house import Guest, made_house, serving
from benchmarks.live.load import FullTable
from benchmarks.live.profile.stamped import BESIDE, POINTS, STAMPS, key_of
from benchmarks.processor import processor_name

_STEPS = (
    "to the server",
    "waits for its table's turn",
    "decided, sent to commits",
    "waits for its commit to begin",
    "stated, signed, inserted",
    "flushed to the disk",
    "replies made",
    "back at the table's process",
    "after other tables there",
    "told to 18 screens",
    "last screen",
)
_MIDDLE, _SLOW = (0.45, 0.55), (0.985, 0.995)
_GLOBAL = {"checkpoint", "snapshot"}  # which hold up every process, the others their own


class _Wager(Struct, frozen=True):
    """One wager: its steps in nanoseconds, when it was sent and shown, and the process of its table."""

    took: int
    steps: tuple[int, ...]
    begin: int
    end: int
    process: str


class Notes(Struct, frozen=True):
    """What the processes noted: by command, the points with the process of its table; and what happened beside."""

    ways: dict[int, dict[int, int]]
    processes: dict[int, str]
    beside: dict[str, list[tuple[int, int, str]]]  # begin, end, process


def read_notes(folder: Path) -> Notes:
    """Read the notes of all processes."""
    ways: dict[int, dict[int, int]] = {}
    processes: dict[int, str] = {}
    beside: dict[str, list[tuple[int, int, str]]] = {name: [] for name in BESIDE}
    for path in sorted(folder.iterdir()):
        notes = array("q", path.read_bytes())
        for point, key, at in zip(notes[::3], notes[1::3], notes[2::3], strict=True):
            if point >= len(POINTS):
                beside[BESIDE[point - len(POINTS)]].append((at, at + key, path.name))
            elif key >= 0:
                ways.setdefault(key, {})[point] = at
                if point == 0:
                    processes[key] = path.name
    for spells in beside.values():
        spells.sort()
    return Notes(ways, processes, beside)


def wagers_of(notes: Notes, shown: dict[int, tuple[int, int]]) -> list[_Wager]:
    """Return the wagers whose every point is known, the quickest first; `shown` has when each was sent and shown."""
    wagers = []
    for key, (asked, last) in shown.items():
        way = notes.ways.get(key, {})
        if len(way) == len(POINTS):
            moments = [asked, *(way[point] for point in range(len(POINTS))), last]
            steps = tuple(after - before for before, after in pairwise(moments))
            wagers.append(_Wager(last - asked, steps, asked, last, notes.processes[key]))
    return sorted(wagers, key=lambda wager: wager.took)


def _between(wagers: Sequence[_Wager], shares: tuple[float, float]) -> Sequence[_Wager]:
    return wagers[int(shares[0] * len(wagers)) : int(shares[1] * len(wagers)) + 1]


def _hundredth(values: list[int], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] / 1e6


def _share_met(wagers: Sequence[_Wager], name: str, spells: list[tuple[int, int, str]]) -> float:
    """Return the share of wagers under way during something else, in their process where it holds up only that."""
    met = 0
    longest = max((end - begin for begin, end, _ in spells), default=0)
    for wager in wagers:
        first = bisect.bisect_left(spells, (wager.begin - longest, 0, ""))
        for begin, end, process in spells[first:]:
            if begin > wager.end:
                break
            if end > wager.begin and (name in _GLOBAL or process == wager.process):
                met += 1
                break
    return met / max(1, len(wagers))


def show(wagers: list[_Wager], notes: Notes) -> dict[str, Any]:
    """Print the steps, and what slow wagers met; return the figures."""
    taken = [wager.took for wager in wagers]
    percents = {f"p{share:g}": round(_hundredth(taken, share / 100), 2) for share in (50, 90, 95, 98, 99, 99.5, 99.9)}
    print(f"  {len(wagers):,} wagers, ms: " + "  ".join(f"{name} {took}" for name, took in percents.items()))
    print(f"  {'ms of each step':<32} {'p50':>6} {'p99':>6} {'middle':>8} {'slow':>6}")
    middle, slow = _between(wagers, _MIDDLE), _between(wagers, _SLOW)
    steps = {}
    for index, name in enumerate(_STEPS):
        every = [wager.steps[index] for wager in wagers]
        means = [sum(wager.steps[index] for wager in some) / len(some) / 1e6 for some in (middle, slow)]
        steps[name] = [round(figure, 3) for figure in (_hundredth(every, 0.5), _hundredth(every, 0.99), *means)]
        print(f"  {name:<32} {steps[name][0]:6.2f} {steps[name][1]:6.2f} {means[0]:8.2f} {means[1]:6.2f}")
    return {"percents": percents, "steps": steps, "beside": _show_beside(wagers, notes)}


def _show_beside(wagers: list[_Wager], notes: Notes) -> dict[str, list[float]]:
    """Print what happened beside the wagers, and how many of all, of the slow and of the slowest met it."""
    print("  beside it           times   p50 ms    worst  met by all  by slow  by slowest")
    slow = _between(wagers, _SLOW)
    first, last = min(wager.begin for wager in wagers), max(wager.end for wager in wagers)
    beside: dict[str, list[float]] = {}
    for name, known in notes.beside.items():
        spells = [spell for spell in known if first <= spell[0] <= last]
        if not spells:
            continue
        lengths = [end - begin for begin, end, _ in spells]
        shares = [_share_met(some, name, spells) for some in (wagers[::10], slow, wagers[int(0.99 * len(wagers)) :])]
        beside[name] = [len(spells), _hundredth(lengths, 0.5), max(lengths) / 1e6, *shares]
        print(
            f"  {name:<16} {len(spells):8,} {beside[name][1]:8.2f} {beside[name][2]:8.1f}"
            f" {shares[0]:11.1%} {shares[1]:8.1%} {shares[2]:11.1%}"
        )
    sys.stdout.flush()
    return beside


_shown: dict[int, tuple[int, int]] = {}


class _Noted(FullTable):
    """A table whose wagers are noted by their id."""

    def latencies(self, *, throws: bool) -> list[tuple[float, float]]:
        """Note when each wager was sent and shown."""
        found = list(self.shown(throws=throws))
        if not throws:
            _shown.update((key_of(id_), (int(asked * 1e9), int((asked + took) * 1e9))) for id_, asked, took in found)
        return [(asked, took) for _, asked, took in found]


def play(data: Path, guests: list[Guest], options: argparse.Namespace, program: Sequence[str]) -> dict[str, Any]:
    """Play once on a house and print where the time of its wagers went."""
    _shown.clear()
    loads.FullTable = _Noted  # type: ignore[misc]
    numbers = {"tables": options.tables, "rolls": options.rolls, "seconds": options.seconds}
    with tempfile.TemporaryDirectory() as folder:
        os.environ[STAMPS] = folder
        with serving(data, "--workers", str(options.workers), program=program) as server:
            load = uvloop.run(loads.play_load(server, guests, **numbers))
        notes = read_notes(Path(folder))
    print(f"{load.row()}   throws {load.throws.p50:.1f} {load.throws.p99:.1f}")
    return {**load.figures(), **show(wagers_of(notes, _shown), notes)}


def main() -> None:
    """Play and show; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rolls", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0, help="between rolls of a table")
    options = parser.parse_args()
    gc.disable()  # a pause of this process would look like one of the server
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    machine = f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, {options.workers} server processes, load {os.getloadavg()[0]:.1f} before")
    with tempfile.TemporaryDirectory() as folder:
        guests = made_house(Path(folder), options.tables)
        found = play(Path(folder), guests, options, ("-m", "benchmarks.live.profile.stamped"))
    print(json.dumps(found))


if __name__ == "__main__":
    main()

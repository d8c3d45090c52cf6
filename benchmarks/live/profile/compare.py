"""Plays the same load on two versions in turns, and shows the processor time of a command by part."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from benchmarks.live.house import PLAYERS
from benchmarks.processor import processor_name

ROOT = Path(__file__).parents[3]
"""The folder of this version."""
HERE = "this version"
"""Its name in what is printed."""


class Turns(Struct, frozen=True):
    """How much is played: tables that each roll so often, so many seconds apart, in so many rounds."""

    tables: int = 10
    rolls: int = 4
    seconds: float = 8.0
    rounds: int = 3
    cores: int = 0  # of each version, where they play at once; 0: they take turns on all


class Cost(Struct, frozen=True):
    """What a command costs, in microseconds of processor time; each figure is the median of the rounds."""

    commands: int
    total: float
    server: float  # the process that serves screens, of which the kernel's part is
    kernel: float
    views: float
    p50: float
    p99: float
    parts: dict[str, float] = {}
    threads: dict[str, float] = {}
    slow: dict[str, float] = {}  # calls of each part in 1,000 commands that took 5 ms or more by the wall


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Unpack another version into a folder, without touching this checkout; a folder that has one is taken as it is."""
    if Path(commit).is_dir():
        yield Path(commit).resolve()
        return
    command = ["git", "-C", str(ROOT), "archive", commit]
    packed = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        yield Path(folder)


def play_turn(tree: Path, turns: Turns, *, is_profiled: bool, cores: Sequence[int] = ()) -> dict[str, Any]:
    """Play one turn on the version in a folder, with the packages of this one; on these cores, if any are named."""
    paths = [str(tree / "src"), str(tree), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    script = str(Path(__file__).with_name("turn.py"))
    numbers = [str(turns.tables), str(turns.rolls), str(turns.seconds)]
    pinned = ["taskset", "--cpu-list", ",".join(map(str, cores))] if cores else []
    command = [*pinned, sys.executable, "-P", script, *numbers, *(["--profile"] if is_profiled else [])]
    played = subprocess.run(command, env=environment, cwd=tree, check=True, stdout=subprocess.PIPE)  # noqa: S603
    found: dict[str, Any] = json.loads(played.stdout.splitlines()[-1])
    return found


def cost_of(played: dict[str, Any]) -> Cost:
    """Return what a command of a turn cost."""
    commands, before, after = played["commands"], played["before"], played["after"]

    def spent(kind: str) -> dict[str, float]:
        was, now = before.get(kind, {}), after.get(kind, {})
        return {name: (value - was.get(name, 0)) / 1000 / commands for name, value in now.items()}

    begun = before["processes"]
    process = {
        name: [(now - was) * 1e6 / commands for was, now in zip(begun.get(name, (0, 0)), spent_, strict=True)]
        for name, spent_ in after["processes"].items()
    }
    server = process.get("server", [0.0, 0.0])
    return Cost(
        commands=commands,
        total=sum(map(sum, process.values())),
        server=sum(server),
        kernel=server[1],
        views=sum(process.get("views", [0.0])),
        p50=played["p50"],
        p99=played["p99"],
        parts=spent("parts"),
        threads=spent("threads"),
        slow={part: 1e6 * calls for part, calls in spent("slow").items()},
    )


def median_of(costs: list[Cost]) -> Cost:
    """Return the middle of several turns, figure by figure."""
    plain = {name: median(getattr(cost, name) for cost in costs) for name in Cost.__struct_fields__[:7]}
    plain["commands"] = int(plain["commands"])
    kinds = {
        kind: {name: median(getattr(cost, kind).get(name, 0.0) for cost in costs) for name in getattr(costs[0], kind)}
        for kind in ("parts", "threads", "slow")
    }
    return Cost(**plain, **kinds)  # type: ignore[arg-type]  # by the names of its fields


def compare(turns: Turns, against: str, *, is_profiled: bool) -> dict[str, Any]:
    """Play rounds on both versions in turns and print what a command costs in each; return the figures."""
    print(
        f"{processor_name()}; {turns.tables} tables of {PLAYERS} screens, a roll every {turns.seconds:g} s, "
        f"{turns.rounds} rounds in turns, load {os.getloadavg()[0]:.1f} before"
    )
    with checkout(against) as other:
        trees = {against[:12]: other, HERE: ROOT}
        costs: dict[str, list[Cost]] = {name: [] for name in trees}
        shares: dict[str, list[Cost]] = {name: [] for name in trees}
        for number in range(turns.rounds):
            for name, tree in [*trees.items()][:: -1 if number % 2 else 1]:
                costs[name].append(cost_of(play_turn(tree, turns, is_profiled=False)))
                print(f"... {name}: {costs[name][-1].total:.0f} us a command", file=sys.stderr, flush=True)
                if is_profiled:
                    shares[name].append(cost_of(play_turn(tree, turns, is_profiled=True)))
    found = {name: median_of(turns_) for name, turns_ in costs.items()}
    old, new = found.values()
    _print_totals(old, new, against[:12])
    if is_profiled:
        _print_parts(*(median_of(turns_) for turns_ in shares.values()))
    return {
        name: {key: getattr(cost, key) for key in Cost.__struct_fields__[:7]} | {"parts": median_of(shares[name]).parts}
        if is_profiled
        else {key: getattr(cost, key) for key in Cost.__struct_fields__[:7]}
        for name, cost in found.items()
    }


def _print_totals(old: Cost, new: Cost, name: str) -> None:
    print(f"\nMicroseconds of processor time a command{'':22}{name:>14}  this version  ratio")
    rows = (
        ("all processes", old.total, new.total),
        ("  a screen of the table", old.total / PLAYERS, new.total / PLAYERS),
        ("  the server process", old.server, new.server),
        ("    of which the kernel (sockets, files)", old.kernel, new.kernel),
        ("  the views process", old.views, new.views),
    )
    for what, was, now in rows:
        ratio = f"{now / was:6.2f}" if was else "     -"
        print(f"  {what:58} {was:14.1f} {now:13.1f} {ratio}")
    what = "p50 and p99 of a wager to the last screen, ms"
    print(f"  {what:58} {old.p50:6.1f} {old.p99:7.1f} {new.p50:6.1f} {new.p99:6.1f}")


def _print_parts(old: Cost, new: Cost) -> None:
    print("\nBy part, as counted by the server itself (counting costs time too: compare parts, not their sum)")
    for part in new.parts:
        was, now = old.parts.get(part, 0.0), new.parts[part]
        print(f"  {part:58} {was:14.1f} {now:13.1f} {f'{now / was:6.2f}' if was else '     -'}")
    print("\nCalls that took 5 ms or more by the wall, waiting included, in 1,000 commands")
    for part in new.slow:
        was, now = old.slow.get(part, 0.0), new.slow[part]
        print(f"  {part:58} {was:14.2f} {now:13.2f}")
    names = sorted({*old.threads, *new.threads})
    print("\nBy thread of the server process")
    for name in names:
        was, now = old.threads.get(name, 0.0), new.threads.get(name, 0.0)
        print(f"  {name:58} {was:14.1f} {now:13.1f}")

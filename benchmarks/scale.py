"""How many tables one machine carries, by servers, processes and databases: a model, and the points that it foretells.

Five deployments give the terms of the model, four more are foretold by it and then played: full tables of 18 players on
the real `passline serve`, its log in a file or in a real PostgreSQL with fsync. What is compared is the processor time
of a command, which a busy machine changes little. `--print FILE` prints the tables of `docs/scale.md` from a result.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import resource
import sys
from pathlib import Path
from statistics import median

import msgspec

from benchmarks.live.house import PLAYERS
from benchmarks.live.sizing.deployments import ROLES, Deployment, Point, play
from benchmarks.live.sizing.model import CALIBRATION, CHECKS, Model, foretold_total
from benchmarks.live.sizing.tables import Figures, figures_in, tables_of
from benchmarks.live.sizing.units import measured_units
from benchmarks.processor import processor_name
from tests.postgres import PostgresServer, postgres_server


def main() -> None:
    """Play every deployment and hold the model against it; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=1, help="rolls that each table plays")
    parser.add_argument("--seconds", type=float, default=36.0, help="between two rolls of a table")
    parser.add_argument("--rounds", type=int, default=1, help="how often every deployment is played")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add each point to a file, and use those in it too")
    parser.add_argument("--print", type=Path, metavar="FILE", help="only print the tables of docs/scale.md")
    options = parser.parse_args()
    if options.print:
        for name, text in tables_of(figures_in(options.print.read_text(encoding="utf-8"))).items():
            print(f"{name}\n\n{text}\n")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    gc.disable()  # a pause of this process would look like one of the server
    print(
        f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f} before; {PLAYERS} screens a table, a roll every {options.seconds:g} s"
    )
    with postgres_server() as postgres:
        points = _measured(postgres, options.keep, options.rounds, options.rolls, options.seconds)
    units = measured_units()
    figures = Figures(processor=processor_name(), points=points, units=units)
    model = Model.of(points, units)
    print("\nMicroseconds of processor time a command, measured and foretold; p99 in ms to the last screen")
    print(f"  {'':40} {'serving':>8} {'log':>8} {'PostgreSQL':>10} {'together':>9} {'foretold':>9}  ratio    p99")
    for point in points:
        told = foretold_total(model, point)
        print(
            f"  {point.deployment.name:40} {point.cpu['tables']:8,.0f} {point.cpu['log']:8,.0f}"
            f" {point.cpu['database']:10,.0f} {point.total:9,.0f} {told:9,.0f} {told / point.total:6.2f}"
            f" {point.p99:6,.0f}"
        )
    print(f"  an entry: {units.log_entry:.0f} us in the log, in a large commit; {units.views:.0f} us in the views")
    print(msgspec.json.encode(figures).decode())


def _measured(postgres: PostgresServer, keep: Path | None, rounds: int, rolls: int, seconds: float) -> list[Point]:
    """Play every deployment in every round, the small ones first; return the medians."""
    deployments = [*CALIBRATION.values(), *CHECKS]
    found: dict[Deployment, list[Point]] = {deployment: [] for deployment in deployments}
    if keep is not None and keep.exists():
        for line in keep.read_text(encoding="utf-8").splitlines():
            point = msgspec.json.decode(line, type=Point)
            found[point.deployment].append(point)
    for number in range(rounds):
        for deployment in sorted(deployments, key=lambda deployment: deployment.tables):
            if len(found[deployment]) > number:
                continue
            point = play(deployment, postgres, rolls=rolls, seconds=seconds)
            gc.collect()
            found[deployment].append(point)
            if keep is not None:
                with keep.open("ab") as file:
                    file.write(msgspec.json.encode(point) + b"\n")
            shares = ", ".join(f"{role} {point.cpu[role]:.0f}" for role in ROLES if point.cpu[role])
            print(f"... {deployment.name}: {shares} us; p99 {point.p99:.0f} ms", file=sys.stderr, flush=True)
    return [_middle(points) for points in found.values()]


def _middle(points: list[Point]) -> Point:
    """Return the middle of several turns, figure by figure."""
    of = {name: median(getattr(point, name) for point in points) for name in ("rate", "p50", "p99", "commands")}
    return msgspec.structs.replace(
        points[0],
        commands=int(of["commands"]),
        rate=of["rate"],
        cpu={role: median(point.cpu[role] for point in points) for role in ROLES},
        resident={role: median(point.resident[role] for point in points) for role in ROLES},
        p50=of["p50"],
        p99=of["p99"],
        refused=sum(point.refused for point in points),
    )


if __name__ == "__main__":
    main()

"""Kills the processes of a house while people play, and cuts the power of its disk: nothing acknowledged may be lost.

`./x bench survive [PART ...]`, of these parts; without one, all of them:

- `processes`: each process of `serve --workers 2`, and the single one of `serve` without it, `--kills` times (100).
  Whoever was answered finds it in the log, once; tables that the killed process does not serve are silent for less than
  a second, the others for less than five; a single process is up within three times what its imports take. `--houses 4`
  divides the kills among four houses at once, each on its own cores; `--within 300` kills for five minutes at most, and
  then reads the logs all the same.
- `servers`: the only process in any moment of its life, `--count` times (1,000); half with PostgreSQL, if it is here.
- `cuts`: `--count` times the power of the disk, which loses, tears and reorders what SQLite had not synced.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from benchmarks.live.house import made_house
from benchmarks.live.killing import IMPORT, KINDS, KilledHouse, Outage, Player, kill_again_and_again, seconds_to_import
from benchmarks.processor import processor_name
from passline.web.startup import Settings
from tests.killed_server import check_acknowledged, killed_again_and_again, seated_house
from tests.store.power import check_survivor, cut_power

PARTS = ("processes", "servers", "cuts")
STORES = ("sqlite", "postgresql")
KILLS = 100
COUNT = 1_000
KILLS_A_HOUSE = 100
FEW = 20  # kills, during which there may be hardly any load by chance
PLAYERS = 4
TABLES, PLAYERS_A_TABLE, WORKERS = 6, 3, 2
ELSEWHERE_SECONDS, ON_IT_SECONDS, IMPORTS = 1.0, 5.0, 3.0  # goals, on an idle machine


class _Killing(Struct, frozen=True):
    """The kills in one house: how many of a kind, for how long at most, where its data are, and on which cores."""

    kind: str
    number: int  # of the house
    times: int
    data: str
    database: str = ""
    cores: tuple[int, ...] = ()  # none: those of this process
    within: float = 0.0  # seconds; 0: as long as it takes


class _Killed(Struct, frozen=True):
    """What the kills in one house did."""

    acknowledged: int
    outages: list[Outage]


def kill_processes(
    kinds: list[str],
    times: int,
    folder: Path,
    *,
    imports: float,
    store: str = "sqlite",
    houses: int = 1,
    within: float = 0.0,
) -> dict[str, dict[str, Any]]:
    """Kill each kind of process; `imports` is what importing the application takes."""
    print(
        f"{'killed':<20} {'times':>6} {'acknowledged':>13} {'lost':>5} {'silent on it':>13} {'elsewhere':>10}", end=""
    )
    print(f" {'answers in':>11} {'imports':>8} {'whole in':>9} {'took':>6} s")
    results = {}
    for kind in kinds:
        name, begun = kind if store == "sqlite" else f"{kind}, {store}", time.monotonic()
        with _databases(store) as database:
            killings = [
                _Killing(kind, number, some, str(folder / f"{kind}-{store}-{number}"), database(), cores, within)
                for number, (some, cores) in enumerate(zip(_shares(times, houses), _core_shares(houses), strict=True))
            ]
            found = _figures(_kill_in_houses(killings))
        results[name] = {**found, "up_in_imports": round(found["up_s"] / imports, 2)}
        silent = f"{found['on_it_s']:>13.2f} {found['elsewhere_s']:>10.2f}"
        back = f"{found['up_s']:>11.2f} {found['up_s'] / imports:>7.1f}x {found['back_s']:>9.2f}"
        row = f"{name:<20} {found['times']:>6,} {found['acknowledged']:>13,} {0:>5} {silent} {back}"
        print(f"{row} {time.monotonic() - begun:>6.0f}", flush=True)
    return results


def _shares(times: int, houses: int) -> list[int]:
    """Divide kills among houses.

    >>> _shares(100, 3)
    [34, 33, 33]
    """
    return [times // houses + (number < times % houses) for number in range(houses)]


def _core_shares(houses: int) -> list[tuple[int, ...]]:
    """Divide the cores of this process among houses; one house has them all, as have all houses where cores are few."""
    cores = sorted(os.sched_getaffinity(0))
    each = len(cores) // houses
    return [tuple(cores[number * each : (number + 1) * each]) if houses > 1 else () for number in range(houses)]


def _kill_in_houses(killings: list[_Killing]) -> list[_Killed]:
    """Kill in several houses at once, each in a process of its own."""
    if len(killings) == 1:
        return [_kill_in_house(killings[0])]
    with ProcessPoolExecutor(len(killings), get_context("spawn")) as processes:
        return list(processes.map(_kill_in_house, killings))


def _kill_in_house(killing: _Killing) -> _Killed:
    """Kill the processes of one house while people play, then check that its log has all that was acknowledged."""
    if killing.cores:
        os.sched_setaffinity(0, killing.cores)  # which its servers inherit
    chance = random.Random(f"kills of {killing.kind}, house {killing.number}")
    data = Path(killing.data)
    guests = [guest for guest in made_house(data, TABLES, killing.database) if guest.seat <= PLAYERS_A_TABLE]
    players = [Player(guest, chance) for guest in guests]
    options = ("--database", killing.database) if killing.database else ()
    house = KilledHouse(data, *options, workers=1 if killing.kind == "single" else WORKERS)
    house.start()
    try:
        outages = asyncio.run(
            kill_again_and_again(house, players, killing.kind, killing.times, chance, within=killing.within)
        )
    finally:
        house.stop()
    acknowledged, times = check_acknowledged(Settings(data=data, database=killing.database), players), len(outages)
    assert times < FEW or acknowledged > times, f"{acknowledged} commands during {times} kills: hardly any load"
    print(f"... house {killing.number}: {acknowledged:,} acknowledged, none lost", file=sys.stderr, flush=True)
    return _Killed(acknowledged, outages)


def _figures(found: list[_Killed]) -> dict[str, Any]:
    outages = [outage for killed in found for outage in killed.outages]
    return {
        "times": len(outages),
        "acknowledged": sum(killed.acknowledged for killed in found),
        "lost": 0,
        "on_it_s": round(max(outage.on_it for outage in outages), 3),
        "elsewhere_s": round(max(outage.elsewhere for outage in outages), 3),
        "up_s": round(median(outage.up for outage in outages), 3),
        "back_s": round(median(outage.back for outage in outages), 3),
    }


def kill_servers(count: int, folder: Path) -> dict[str, dict[str, Any]]:
    """Kill the servers of some houses, half of them with each store."""
    results = {}
    of_sqlite = count - count // 2 if _has_postgres() else count
    for kind, times in zip(STORES, (of_sqlite, count - of_sqlite), strict=True):
        if not times:
            print(f"servers, {kind}: not here, and left out", flush=True)
            continue
        begun, acknowledged = time.monotonic(), 0
        with _databases(kind) as database:
            for first in range(0, times, KILLS_A_HOUSE):
                some = min(KILLS_A_HOUSE, times - first)
                acknowledged += _kill_server(kind, some, database(), folder, seed=first)
                print(f"... {first + some:,} kills with {kind}", file=sys.stderr, flush=True)
        results[f"servers, {kind}"] = _row(f"servers, {kind}", times, acknowledged, time.monotonic() - begun)
    return results


def _has_postgres() -> bool:
    has_server = shutil.which("initdb") is not None or Path("/usr/lib/postgresql").is_dir()
    return has_server and find_spec("psycopg") is not None


@contextmanager
def _databases(kind: str) -> Iterator[Callable[[], str]]:
    """Yield what makes a database for a house; SQLite needs none."""
    if kind == "sqlite":
        yield str
        return
    from tests.postgres import postgres_server  # noqa: PLC0415 - an extra

    with postgres_server() as server:
        yield server.database


def _kill_server(kind: str, times: int, database: str, folder: Path, seed: int) -> int:
    """Kill the server of one house; return how many commands were acknowledged, all of which are there."""
    settings = Settings(data=folder / f"{kind}-{seed}", database=database)
    players = seated_house(settings, PLAYERS)
    killed_again_and_again(settings, players, times=times, seed=seed, is_slow=True)
    acknowledged = check_acknowledged(settings, players)
    assert times < FEW or acknowledged > 2 * times, f"{acknowledged} commands during {times} kills: hardly any load"
    return acknowledged


def cut(count: int, folder: Path) -> dict[str, dict[str, Any]]:
    """Cut the power of a disk again and again."""
    begun, acknowledged, chance = time.monotonic(), 0, random.Random("power")
    for number in range(count):
        place = folder / f"cut-{number}"
        place.mkdir()
        witness = cut_power(place, chance)
        check_survivor(place, witness)
        acknowledged += len(witness.acknowledged)
        shutil.rmtree(place)
    return {"power cuts": _row("power cuts", count, acknowledged, time.monotonic() - begun)}


def _row(name: str, times: int, acknowledged: int, seconds: float) -> dict[str, Any]:
    print(f"{name:<24} {times:>7,} times, {acknowledged:>9,} acknowledged, 0 lost, {seconds:>7,.0f} s", flush=True)
    return {"times": times, "acknowledged": acknowledged, "lost": 0, "seconds": round(seconds)}


def main(arguments: list[str] | None = None) -> int:
    """Kill and cut; return 1 if a goal of time was missed. A loss raises. The last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="./x bench survive", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="processes, servers or cuts; all, if none is named")
    parser.add_argument("--kills", type=int, default=KILLS, help="of each process")
    parser.add_argument("--only", action="append", choices=list(KINDS), help="of these processes; may be repeated")
    parser.add_argument(
        "--store", action="append", choices=STORES, help="of houses whose processes are killed; sqlite if none is named"
    )
    parser.add_argument("--houses", type=int, default=1, help="among which the kills of a process are divided, at once")
    parser.add_argument("--within", type=float, default=0.0, metavar="SECONDS", help="for the kills of each process")
    parser.add_argument("--count", type=int, default=COUNT, help="of servers and power cuts")
    options = parser.parse_args(arguments)
    parts = options.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are: {', '.join(PARTS)}")
    machine = f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f} before", flush=True)
    results: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a process may be about to end
        if "processes" in parts:
            kinds = options.only or list(KINDS)
            imports = seconds_to_import()
            print(f'python -c "{IMPORT}" takes {imports:.2f} s\n')
            for store in options.store or STORES[:1]:
                results |= kill_processes(
                    kinds,
                    options.kills,
                    Path(folder),
                    imports=imports,
                    store=store,
                    houses=options.houses,
                    within=options.within,
                )
        if "servers" in parts:
            results |= kill_servers(options.count, Path(folder))
        if "cuts" in parts:
            results |= cut(options.count, Path(folder))
    missed = [name for name, found in results.items() if _is_missed(name, found)]
    print(f"goals missed (on an idle machine they count): {', '.join(missed) or 'none'}")
    print(json.dumps({"bench": "survive", "lost": 0, "missed": missed, "results": results}))
    return int(bool(missed))


def _is_missed(name: str, found: dict[str, Any]) -> bool:
    if name.startswith("single"):
        return bool(found["up_in_imports"] > IMPORTS)
    return bool(found.get("on_it_s", 0.0) > ON_IT_SECONDS or found.get("elsewhere_s", 0.0) > ELSEWHERE_SECONDS)


if __name__ == "__main__":
    sys.exit(main())

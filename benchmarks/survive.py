"""Kills the processes of a house while people play, and cuts the power of its disk: nothing acknowledged may be lost.

`./x bench survive [PART ...]`, of these parts; without one, all of them:

- `processes`: each process of `serve --workers 2`, and the single one of `serve` without it, `--kills` times (100).
  Whoever was answered finds it in the log, once; tables that the killed process does not serve are silent for less than
  a second, the others for less than five; a single process is up within three times what its imports take.
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
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.live.house import made_house
from benchmarks.live.killing import IMPORT, KINDS, KilledHouse, Player, kill_again_and_again, seconds_to_import
from benchmarks.processor import processor_name
from passline.web.startup import Settings
from tests.killed_server import check_acknowledged, killed_again_and_again, seated_house
from tests.store.power import check_survivor, cut_power

PARTS = ("processes", "servers", "cuts")
KILLS = 100
COUNT = 1_000
KILLS_A_HOUSE = 100
FEW = 20  # kills, during which there may be hardly any load by chance
PLAYERS = 4
TABLES, PLAYERS_A_TABLE, WORKERS = 6, 3, 2
ELSEWHERE_SECONDS, ON_IT_SECONDS, IMPORTS = 1.0, 5.0, 3.0  # goals, on an idle machine


def kill_processes(
    kinds: list[str], times: int, folder: Path, *, imports: float, database: str = ""
) -> dict[str, dict[str, Any]]:
    """Kill each kind of process, in a house of its own; `imports` is what importing the application takes."""
    print(f"{'killed':<8} {'times':>6} {'acknowledged':>13} {'lost':>5} {'silent on it':>13} {'elsewhere':>10}", end="")
    print(f" {'answers in':>11} {'imports':>8} {'whole in':>9} s")
    results = {}
    for kind in kinds:
        data = folder / f"{kind}-{'postgres' if database else 'sqlite'}"
        found = _kill_kind(kind, times, data, database)
        results[f"{kind}, postgresql" if database else kind] = {
            **found,
            "up_in_imports": round(found["up_s"] / imports, 2),
        }
        silent = f"{found['on_it_s']:>13.2f} {found['elsewhere_s']:>10.2f}"
        back = f"{found['up_s']:>11.2f} {found['up_s'] / imports:>7.1f}x {found['back_s']:>9.2f}"
        print(f"{kind:<8} {times:>6,} {found['acknowledged']:>13,} {0:>5} {silent} {back}", flush=True)
    return results


def _kill_kind(kind: str, times: int, data: Path, database: str) -> dict[str, Any]:
    chance = random.Random(f"kills of {kind}")
    guests = [guest for guest in made_house(data, TABLES, database) if guest.seat <= PLAYERS_A_TABLE]
    players = [Player(guest, chance) for guest in guests]
    options = ("--database", database) if database else ()
    house = KilledHouse(data, *options, workers=1 if kind == "single" else WORKERS)
    house.start()
    try:
        outages = asyncio.run(kill_again_and_again(house, players, kind, times, chance))
    finally:
        house.stop()
    acknowledged = check_acknowledged(Settings(data=data, database=database), players)
    assert times < FEW or acknowledged > times, f"{acknowledged} commands during {times} kills: hardly any load"
    return {
        "times": times,
        "acknowledged": acknowledged,
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
    for kind, times in (("sqlite", of_sqlite), ("postgresql", count - of_sqlite)):
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
    parser.add_argument("--postgres", action="store_true", help="kill the processes of a house in PostgreSQL too")
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
            results |= kill_processes(kinds, options.kills, Path(folder), imports=imports)
            if options.postgres:
                with _databases("postgresql") as database:
                    for kind in kinds:
                        results |= kill_processes(
                            [kind], options.kills, Path(folder), imports=imports, database=database()
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

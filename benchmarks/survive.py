"""Kills the server COUNT times (1,000) while people play, and cuts the power of its disk as often; nothing may be lost.

Run it with `./x bench survive [COUNT] [kills] [cuts]`. Half of the kills are with SQLite, half with PostgreSQL; power
cuts lose, tear and reorder what SQLite had not synced (tests/store/disk.py). After every cut, and after every hundred
kills, all that was acknowledged must be there once, and the log must verify.
"""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from passline.web.startup import Settings
from tests.killed_server import check_acknowledged, killed_again_and_again, seated_house
from tests.postgres import postgres_server
from tests.store.power import check_survivor, cut_power

COUNT = 1_000
KILLS_A_HOUSE = 100
PLAYERS = 4


def kill(kind: str, times: int, database: str, folder: Path, seed: int) -> int:
    """Kill the server of one house; return how many commands were acknowledged, all of which are there."""
    settings = Settings(data=folder / f"{kind}-{seed}", database=database)
    players = seated_house(settings, PLAYERS)
    killed_again_and_again(settings, players, times=times, seed=seed, is_slow=True)
    acknowledged = check_acknowledged(settings, players)
    assert acknowledged > 2 * times, f"{acknowledged} commands during {times} kills: there was hardly any load"
    return acknowledged


def kills(count: int, folder: Path) -> dict[str, dict[str, int]]:
    """Kill the servers of some houses, half of them with each store."""
    results = {}
    with postgres_server() as server:
        for kind, times in (("sqlite", count - count // 2), ("postgresql", count // 2)):
            begun, acknowledged = time.monotonic(), 0
            for first in range(0, times, KILLS_A_HOUSE):
                some = min(KILLS_A_HOUSE, times - first)
                database = server.database() if kind == "postgresql" else ""
                acknowledged += kill(kind, some, database, folder, seed=first)
                print(f"... {first + some:,} kills with {kind}", file=sys.stderr, flush=True)
            results[f"kills, {kind}"] = _row(f"kills, {kind}", times, acknowledged, time.monotonic() - begun)
    return results


def cuts(count: int, folder: Path) -> dict[str, dict[str, int]]:
    """Cut the power of a disk again and again."""
    begun, acknowledged, random = time.monotonic(), 0, Random("power")
    for number in range(count):
        place = folder / f"cut-{number}"
        place.mkdir()
        witness = cut_power(place, random)
        check_survivor(place, witness)
        acknowledged += len(witness.acknowledged)
        shutil.rmtree(place)
    return {"power cuts": _row("power cuts", count, acknowledged, time.monotonic() - begun)}


def main(arguments: list[str]) -> int:
    """Kill and cut, or one of them; return 0 if nothing was lost. A loss raises."""
    count = int(arguments[0].replace(",", "")) if arguments else COUNT
    wanted = arguments[1:] or ["kills", "cuts"]
    results: dict[str, dict[str, int]] = {}
    print(f"{'what':<24} {'times':>7} {'acknowledged':>13} {'lost':>5} {'seconds':>8}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            results |= {"kills": kills, "cuts": cuts}[name](count, Path(folder))
    print(json.dumps({"bench": "survive", "count": count, "lost": 0, "results": results}))
    return 0


def _row(name: str, times: int, acknowledged: int, seconds: float) -> dict[str, int]:
    print(f"{name:<24} {times:>7,} {acknowledged:>13,} {0:>5} {seconds:>8,.0f}", flush=True)
    return {"times": times, "acknowledged": acknowledged, "lost": 0, "seconds": round(seconds)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Live tables: from a command to every screen, tables one process holds, appends with fsync, replay, start-up.

The server is the real `passline serve` on a SQLite log in a process of its own; the screens are websockets in this one.
A full table is 18 players who make 10 wagers a roll. The peer of the screens is a server that only tells them, in the
same minutes; that of the appends a plain insert into the same database.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import uvloop

from benchmarks.live.appends import append_rates
from benchmarks.live.house import made_house, serving, serving_bare
from benchmarks.live.load import Load, loaded
from benchmarks.live.long_log import checked, dealt
from tests.postgres import postgres_server

TABLES = (50, 75, 100)
SECONDS = 20.0  # from roll to roll, where many tables play
P99_MS = 50.0


def main() -> None:
    """Measure what was asked for; everything, if nothing was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000, help="of the long log")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES, help="how many at once")
    parser.add_argument("--rolls", type=int, default=2, help="that each of them plays")
    asked = parser.parse_args()
    gc.disable()  # a pause of the measuring process would be taken for one of the server
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    told: dict[str, Any] = {"screens": screens(asked.tables, asked.rolls), "appends": appends()}
    told |= long_log(asked.events)
    print(json.dumps(told))


def screens(tables: tuple[int, ...], rolls: int) -> list[dict[str, Any]]:
    """One table that rolls every 3 seconds, then many that roll every 20."""
    print("From a command to the last of its table's screens, milliseconds (one server process; 18 screens a table)")
    print("  tables  commands  refused      p50      p99    worst  server  p99 at speed   slow  p99 by the peer's")
    measured = []
    for count, seconds, times in ((1, 3.0, 20), *((count, SECONDS, rolls) for count in tables)):
        with tempfile.TemporaryDirectory() as folder:
            guests = made_house(Path(folder), count)

            with serving(Path(folder)) as server:
                load: Load = uvloop.run(loaded(server, guests, tables=count, rolls=times, seconds=seconds))
            with serving_bare() as server:
                peer: Load = uvloop.run(loaded(server, guests, tables=count, rolls=times, seconds=seconds))
        ratio = load.p99 / peer.p99
        print(f"{load.row()}  {ratio:5.1f} x of {peer.p99:.1f} ms", flush=True)
        measured.append({**load.told(), "peer_p99_ms": round(peer.p99, 1), "p99_ratio": round(ratio, 2)})
    for key, when in (("p99_ms", "at any time"), ("p99_ms_at_speed", "while this machine ran at its own speed")):
        within = [one["tables"] for one in measured if one[key] < P99_MS]
        print(f"  the most of these with p99 under {P99_MS:.0f} ms {when}: {max(within, default=0)} tables")
    print('  "slow": a fixed loop took four times its own processor time and more, or had done so just before\n')
    return measured


def appends() -> dict[str, int]:
    """Decisions a second, every commit with its fsync."""
    print("Appends a second with fsync; the ratio is to a plain insert")
    rates = {}
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server:
        for name, rate, ratio in append_rates(Path(folder), server.database()):
            print(f"  {name:32} {rate:9,.0f} {ratio:6.2f} x", flush=True)
            rates[name] = round(rate)
    print()
    return rates


def long_log(events: int) -> dict[str, Any]:
    """Deal a long log and a tenth of it: how the cost grows, and how soon a server is up on it."""
    print("Logs dealt by ten full tables")
    print("      events   entries  dealt/s  chain/s  replayed/s  start-up s  first table s")
    told = {}
    for count in (events // 10, events):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            entries, happened, seconds = dealt(data, count)
            rates = checked(data)
            with serving(data) as server:
                begun = time.perf_counter()
                httpx.get(f"{server.base}/api/tables/long-0", timeout=60).raise_for_status()
                first = time.perf_counter() - begun
            print(
                f"  {happened:10,} {entries:9,} {entries / seconds:8,.0f} {rates.chain:8,.0f} {rates.replay:11,.0f}"
                f" {server.seconds:11.2f} {first:14.2f}",
                flush=True,
            )
            told[f"{happened} events"] = {
                "entries": entries,
                "dealt_per_s": round(entries / seconds),
                "chain_per_s": round(rates.chain),
                "replay_per_s": round(rates.replay),
                "start_up_s": round(server.seconds + first, 2),
            }
    print()
    return told


if __name__ == "__main__":
    main()

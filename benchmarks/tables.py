"""Live tables: time from a wager and a throw to every screen, tables per process, appends, replay, start-up.

The server is the real `passline serve` on a SQLite log in its own process; the screens are websockets in this one. A
full table is 18 players who make 10 wagers a roll. The peer for screens is a server that only forwards messages,
measured in the same minutes; the peer for appends is a plain insert into the same database.

`--against COMMIT` plays the same load on another version in turns and compares the processor time of a command, which
a busy machine changes little; `--profile` also shows where it goes: deciding, wording, encoding, committing and so on.
`--without NAME ...` plays it on copies of this version in which a part is switched off: what that part costs.
`--lab` plays a table with and without a visitor who asks the laboratory for all that one may, in turns.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import resource
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.live.crowd import play_in_processes
from benchmarks.live.house import made_house, serving, serving_bare
from benchmarks.live.lab_visitor import asking
from benchmarks.live.long_log import deal, verify_rates
from benchmarks.live.profile.compare import Turns, compare
from benchmarks.live.profile.switched_off import SWITCHES, compare_without
from benchmarks.processor import processor_name

TABLES = (50, 75, 100)
SECONDS = 20.0  # between rolls when many tables play
P99_MS = 50.0
LAB_P99_RATIO = 1.5  # of a table's p99 beside the heaviest questions to the laboratory to that without them
FIRST = "cdeca4eb"  # version 0.1
WORKERS = max(2, min(4, (os.cpu_count() or 1) // 2))  # the other cores are for the screens, views and commits


def main() -> None:
    """Measure screens, appends and long logs; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000, help="events of the long log")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES, help="how many tables play at once")
    parser.add_argument("--rolls", type=int, default=2, help="rolls that each table plays")
    parser.add_argument("--workers", type=int, default=WORKERS, help="server processes, as serve --workers")
    parser.add_argument("--screen-processes", type=int, default=1, help="processes that the screens are in")
    parser.add_argument("--skip-one", action="store_true", help="leave the row of one table out")
    parser.add_argument("--anchor", action="store_true", help="keep heads in a file, as serve --anchor")
    parser.add_argument("--only-screens", action="store_true", help="leave appends and long logs out")
    parser.add_argument("--profile", action="store_true", help="only show where the processor time of a command goes")
    parser.add_argument("--against", default="", metavar="COMMIT", help=f"only compare with a version; {FIRST} is 0.1")
    parser.add_argument(
        "--seconds", type=float, default=8.0, help="between rolls of a table, where versions take turns"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often versions take turns")
    parser.add_argument(
        "--without", nargs="*", metavar="NAME", help=f"only show what a part costs: {', '.join(SWITCHES)}; all if none"
    )
    parser.add_argument("--lab", action="store_true", help="only compare with and without questions to the laboratory")
    parser.add_argument("--cores", type=int, default=0, help="of each version, at once; otherwise they take turns")
    options = parser.parse_args()
    if options.profile or options.against or options.without is not None:
        tables = options.tables[0] if options.tables is not TABLES else Turns().tables
        turns = Turns(tables, options.rolls, options.seconds, options.rounds, options.cores)
        if options.without is not None:
            if unknown := set(options.without) - set(SWITCHES):
                parser.error(f"there is no part {', '.join(sorted(unknown))}; there are: {', '.join(SWITCHES)}")
            print(json.dumps(compare_without(turns, options.without or list(SWITCHES), options.against)))
            return
        print(json.dumps(compare(turns, options.against or FIRST, is_profiled=options.profile)))
        return
    if options.lab:
        print(json.dumps(beside_the_laboratory(options.rounds, options.rolls * 4, 3.0)))
        return
    gc.disable()  # a pause of this process would look like one of the server
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    rows = [(1, 3.0, 20)] * (not options.skip_one) + [(count, SECONDS, options.rolls) for count in options.tables]
    figures: dict[str, Any] = {
        "screens": screens(rows, options.workers, options.screen_processes, is_anchored=options.anchor)
    }
    if not options.only_screens:
        figures |= {"appends": appends(), **long_log(options.events)}
    print(json.dumps(figures))


def screens(
    rows: Sequence[tuple[int, float, int]], workers: int, screen_processes: int, *, is_anchored: bool
) -> list[dict[str, Any]]:
    """Measure each row: so many tables, the seconds between two rolls, and how many rolls each table plays."""
    processes = "one server process" if workers == 1 else f"{workers} server processes"
    print(f"Milliseconds from a wager to the last screen of its table ({processes}, 18 screens a table)")
    print("  tables  commands  refused      p50      p99    worst  server  p99 at speed   slow  p99 / peer's")
    measured, thrown = [], []
    for count, seconds, times in rows:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
            guests = made_house(Path(folder), count)
            anchor = ("--anchor", f"file:{elsewhere}/heads") if is_anchored else ()
            play = partial(play_in_processes, tables=count, rolls=times, seconds=seconds, processes=screen_processes)
            with serving(Path(folder), "--workers", str(workers), *anchor) as server:
                load = play(server, guests)
            with serving_bare() as server:
                peer = play(server, guests)
        ratio = load.p99 / peer.p99
        print(f"{load.row()}  {ratio:5.1f} x of {peer.p99:.1f} ms", flush=True)
        thrown.append(load.throw_row())
        measured.append({**load.figures(), "peer_p99_ms": round(peer.p99, 1), "p99_ratio": round(ratio, 2)})
    for key, when in (("p99_ms", "at any time"), ("p99_ms_at_speed", "while the machine ran at full speed")):
        within = [row["tables"] for row in measured if row[key] < P99_MS]
        print(f"  most tables with p99 under {P99_MS:.0f} ms {when}: {max(within, default=0)}")
    print('  "slow": a fixed loop took at least four times its usual processor time, now or just before\n')
    print(
        f"Milliseconds from the click on Roll to the dice on the last screen{', heads anchored' if is_anchored else ''}"
    )
    print("  tables    throws      p50      p99  p50 and p99 to a wager's", *thrown, "", sep="\n")
    return measured


def beside_the_laboratory(rounds: int, rolls: int, seconds: float) -> dict[str, Any]:
    """Play one full table with and without a visitor of the laboratory, in turns; return the ratio of the p99."""
    print(f"{processor_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
    print("Milliseconds from a wager to the last screen of a full table, without and with the laboratory asked")
    print("  round   p50 without     with   p99 without     with   ratio   p99 at speed     with   ratio")
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        guests = made_house(Path(folder), 1)
        with serving(Path(folder)) as server:
            play = partial(play_in_processes, server, guests, tables=1, rolls=rolls, seconds=seconds, processes=1)
            for number in range(1, rounds + 1):
                without = play()
                with asking(server.base):
                    beside = play()
                pairs.append((without, beside))
                print(
                    f"  {number:5} {without.p50:13.1f} {beside.p50:8.1f} {without.p99:13.1f} {beside.p99:8.1f}"
                    f" {beside.p99 / without.p99:7.2f} {without.p99_at_speed:14.1f} {beside.p99_at_speed:8.1f}"
                    f" {beside.p99_at_speed / without.p99_at_speed:7.2f}",
                    flush=True,
                )
    whole = median(beside.p99 / without.p99 for without, beside in pairs)
    at_speed = median(beside.p99_at_speed / without.p99_at_speed for without, beside in pairs)
    print(f"  median of the ratios: {whole:.2f}, at speed {at_speed:.2f}; at most {LAB_P99_RATIO} is wanted")
    return {
        "lab_p99_ratio": round(whole, 2),
        "lab_p99_ratio_at_speed": round(at_speed, 2),
        "lab_p99_ms": [round(beside.p99, 1) for _, beside in pairs],
        "without_p99_ms": [round(without.p99, 1) for without, _ in pairs],
    }


def appends() -> dict[str, int]:
    """Measure decisions a second, each commit with its fsync."""
    from benchmarks.live.appends import append_rates  # noqa: PLC0415 - with PostgreSQL, an extra
    from tests.postgres import postgres_server  # noqa: PLC0415

    print("Appends a second with fsync, and the ratio to a plain insert")
    rates = {}
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server:
        for name, rate, ratio in append_rates(Path(folder), server.database()):
            print(f"  {name:32} {rate:9,.0f} {ratio:6.2f} x", flush=True)
            rates[name] = round(rate)
    print()
    return rates


def long_log(events: int) -> dict[str, Any]:
    """Deal a long log and one a tenth as long; measure verification and how soon a server is up on each."""
    print("Logs dealt by ten full tables")
    print("      events   entries  dealt/s  chain/s  replayed/s  start-up s  first table s")
    figures = {}
    for count in (events // 10, events):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder)
            entries, happened, seconds = deal(data, count)
            rates = verify_rates(data)
            with serving(data) as server:
                begun = time.perf_counter()
                httpx.get(f"{server.base}/api/tables/long-0", timeout=60).raise_for_status()
                first = time.perf_counter() - begun
            print(
                f"  {happened:10,} {entries:9,} {entries / seconds:8,.0f} {rates.chain:8,.0f} {rates.replay:11,.0f}"
                f" {server.seconds:11.2f} {first:14.2f}",
                flush=True,
            )
            figures[f"{happened} events"] = {
                "entries": entries,
                "dealt_per_s": round(entries / seconds),
                "chain_per_s": round(rates.chain),
                "replay_per_s": round(rates.replay),
                "start_up_s": round(server.seconds + first, 2),
            }
    print()
    return figures


if __name__ == "__main__":
    main()

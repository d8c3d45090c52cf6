"""A year of one casino against a month: how soon its server is up, and Today, a day's accounts and folder are there.

The log is made in the same run: 10 tables, 3 shifts, 5 sets of dice a day, 200 fills a day, every act decided by the
office's own rules, and light play; both logs are made at once, with their views. The server is the real
`passline serve` on SQLite, started on the one log and on the other in turn; the least of the times is compared.
`--days`, `--fills` and `--play` make it smaller.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, timedelta
from functools import partial
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx

from benchmarks.live.casino import OFFICE, make_casino
from benchmarks.live.house import serving
from benchmarks.live.long_log import regulator
from benchmarks.processor import processor_name
from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore

FOLDER = "a day's folder"
PAGES = {
    "Today": "/api/office/{office}/today",
    "a day's accounts": "/api/office/{office}/results?day={day}",
    "the day's month and year": "/api/office/{office}/results?day={day}&period=year",
    "a day's acts": "/api/office/{office}/acts?day={day}",
    FOLDER: "/api/office/{office}/folders/{day}",
    "a table's history": "/api/office/{office}/things/table/T1",
    "a day's cash": "/api/office/{office}/cash?day={day}",
}
GOAL = 2.0


def main() -> None:
    """Measure a month and a year; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, nargs=2, default=(30, 365), help="of the short and the long log")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--fills", type=int, default=200, help="a day")
    parser.add_argument("--play", type=int, default=4_300, help="entries of play a day")
    parser.add_argument("--times", type=int, default=10, help="how often each page is asked for")
    parser.add_argument("--rounds", type=int, default=3, help="how often each server is started and measured")
    parser.add_argument("--keep", type=Path, help="an existing folder in which the logs stay")
    options = parser.parse_args()
    options.last = (datetime.now(UTC) - timedelta(days=2)).date()
    python, load = platform.python_version(), os.getloadavg()[0]
    print(f"{processor_name()}, {os.cpu_count()} cores, Python {python}, load {load:.1f} before\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        logs = {days: Path(options.keep or folder, str(days)) for days in options.days}
        with ProcessPoolExecutor(len(logs), mp_context=get_context("spawn")) as pool:
            made = dict(zip(logs, pool.map(partial(make_log, options), logs.items()), strict=True))
        short, long = measured(logs, made, options)
    print(f"\n{'':28} {options.days[0]:>5} days {options.days[1]:>7} days     ratio")
    ratios = {}
    for name in short["ms"]:
        ratios[name] = long["ms"][name] / short["ms"][name]
        is_met = "" if ratios[name] <= GOAL else f"  more than {GOAL}"
        print(f"{name:28} {short['ms'][name]:7.1f} ms {long['ms'][name]:9.1f} ms {ratios[name]:9.2f}{is_met}")
    print(json.dumps({"short": short, "long": long, "ratios": {key: round(one, 2) for key, one in ratios.items()}}))


def make_log(options: argparse.Namespace, log: tuple[int, Path]) -> dict[str, Any]:
    """Write a log of so many days in this process, while another one makes its views as a server's does."""
    days, data = log
    data.mkdir()
    open_log(data).close()
    is_written = get_context("spawn").Event()
    views = get_context("spawn").Process(target=follow, args=(data, is_written))
    views.start()
    made = make_casino(
        data, days=days, last=options.last, tables=options.tables, fills=options.fills, play=options.play
    )
    is_written.set()
    begun = time.perf_counter()
    views.join()
    made["views_behind"] = time.perf_counter() - begun
    return made


def follow(data: Path, is_written: Event) -> None:
    """Make the views of a log until it is written and they have all of it."""
    log = open_log(data)
    store = ViewStore(data / VIEWS_FILE, log.derive("views"))
    projector = Projector(log, store, projections_of(log))
    while True:
        is_last = is_written.is_set()
        if not projector.advance(1_000):
            if is_last:
                break
            time.sleep(0.2)
    store.close()
    log.close()


def measured(
    logs: dict[int, Path], made: dict[int, dict[str, Any]], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Start the server of each log in turn and ask for its pages: what else the machine does then slows all alike."""
    tokens = {days: regulator(data) for days, data in logs.items()}  # only now: sessions end when they are idle
    starts: dict[int, list[float]] = {days: [] for days in logs}
    pages: dict[int, dict[str, list[float]]] = {days: {} for days in logs}
    for number in range(options.rounds + 1):
        for days, data in logs.items():
            with serving(data) as server:
                if number:  # the first start also keeps how far papers were delivered
                    starts[days].append(server.seconds)
                    measure_pages(server.base, tokens[days], options.last, options.times, pages[days])
    figures = []
    for days, one in made.items():
        rate = one["entries"] / one["seconds"]
        print(
            f"A casino of {days} days: {one['entries']:,} entries, {one['office']:,} of the office, made at "
            f"{rate:,.0f} entries/s; its views were ready {one['views_behind']:,.0f} s later"
        )
        times = {"start of the server": min(starts[days]), "an act": one["acts"][len(one["acts"]) // 2]}
        times |= {name: min(taken) for name, taken in pages[days].items()}
        figures.append(
            {
                "days": days,
                "entries": one["entries"],
                "office_entries": one["office"],
                "ms": {name: round(seconds * 1e3, 3) for name, seconds in times.items()},
            }
        )
    return figures


def measure_pages(base: str, token: str, day: date, times: int, pages: dict[str, list[float]]) -> None:
    """Ask for each page several times, after once to begin with, which counts apart where papers are set then."""
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as client:
        for name, path in PAGES.items():
            for number in range(times + 1):
                answer, taken = _ask(client, path.format(office=OFFICE, day=day))
                while answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:  # its views are still being made
                    time.sleep(1)
                    answer, taken = _ask(client, path.format(office=OFFICE, day=day))
                answer.raise_for_status()
                if number or name == FOLDER:
                    pages.setdefault(name if number else f"{name}, first", []).append(taken)


def _ask(client: httpx.Client, path: str) -> tuple[httpx.Response, float]:
    begun = time.perf_counter()
    answer = client.get(path)
    return answer, time.perf_counter() - begun


if __name__ == "__main__":
    main()

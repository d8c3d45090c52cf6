"""A year of one casino against a month: how soon its server is up, and Today, a day's accounts and folder are there.

The log is made in the same run: 10 tables, 3 shifts, 5 sets of dice a day, 200 fills a day, every act decided by the
office's own rules, and light play. The server is the real `passline serve` on SQLite. `--days`, `--fills` and `--play`
make it smaller. On a machine that others use too, the least of the times is the one to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from benchmarks.live.casino import OFFICE, make_casino
from benchmarks.live.house import serving
from benchmarks.live.long_log import regulator
from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore

PAGES = {
    "Today": "/api/office/{office}/today",
    "a day's accounts": "/api/office/{office}/results?day={day}",
    "the day's month and year": "/api/office/{office}/results?day={day}&period=year",
    "a day's acts": "/api/office/{office}/acts?day={day}",
    "a day's folder": "/api/office/{office}/folders/{day}",
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
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    figures = []
    for days in options.days:
        with tempfile.TemporaryDirectory() as folder:
            figures.append(measured(Path(folder), days, options))
    short, long = figures
    print(f"\n{'':28} {options.days[0]:>5} days {options.days[1]:>7} days     ratio")
    ratios = {}
    for name in short["ms"]:
        ratios[name] = long["ms"][name] / short["ms"][name]
        is_met = "" if ratios[name] <= GOAL else f"  more than {GOAL}"
        print(f"{name:28} {short['ms'][name]:7.1f} ms {long['ms'][name]:9.1f} ms {ratios[name]:9.2f}{is_met}")
    print(json.dumps({"short": short, "long": long, "ratios": {key: round(one, 2) for key, one in ratios.items()}}))


def measured(data: Path, days: int, options: argparse.Namespace) -> dict[str, Any]:
    """Make a log of so many days, have its views made, and measure its server."""
    last = (datetime.now(UTC) - timedelta(days=2)).date()
    print(f"A casino of {days} days")
    made = make_casino(data, days=days, last=last, tables=options.tables, fills=options.fills, play=options.play)
    rate = made["entries"] / made["seconds"]
    print(f"  {made['entries']:,} entries, {made['office']:,} of the office, made at {rate:,.0f} entries/s", flush=True)
    token = regulator(data)
    begun = time.perf_counter()
    reached = project(data)
    print(f"  views made at {reached / (time.perf_counter() - begun):,.0f} entries/s", flush=True)
    with serving(data):
        pass  # the first start also keeps how far papers were delivered
    starts, pages = [], dict[str, list[float]]()
    for _ in range(3):
        with serving(data) as server:
            starts.append(server.seconds)
            measure_pages(server.base, token, last, options.times, pages)
    times = {"start of the server": min(starts), "an act": made["acts"][len(made["acts"]) // 2]}
    times |= {name: min(taken) for name, taken in pages.items()}
    return {
        "days": days,
        "entries": made["entries"],
        "office_entries": made["office"],
        "ms": {name: round(seconds * 1e3, 3) for name, seconds in times.items()},
    }


def measure_pages(base: str, token: str, day: date, times: int, pages: dict[str, list[float]]) -> None:
    """Ask for each page several times, after once to begin with."""
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as client:
        for name, path in PAGES.items():
            for number in range(times + 1):
                begun = time.perf_counter()
                answer = client.get(path.format(office=OFFICE, day=day))
                taken = time.perf_counter() - begun
                answer.raise_for_status()
                if number:
                    pages.setdefault(name, []).append(taken)


def project(data: Path) -> int:
    """Make the views of a whole log; return its entries."""
    log = open_log(data)
    store = ViewStore(data / VIEWS_FILE, log.derive("views"))
    projector = Projector(log, store, projections_of(log))
    while projector.advance(1_000):
        pass
    reached = projector.reached()
    store.close()
    log.close()
    return reached


if __name__ == "__main__":
    main()

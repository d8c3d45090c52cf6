"""A casino after few days and after many: how soon its server is up, and Today, a day's accounts and folder are there.

Both logs are made in the same run, every act decided by the office's own rules, with their views. The server is the
real `passline serve` on SQLite, started on the one log and on the other in turn; the least of the times is compared,
elapsed and, since other work on the machine slows only that, of the processor.

`--regulation section2`: a year against a month of 10 tables, 3 shifts, 5 sets of dice a day, 200 fills a day and light
play. `--regulation arizona`: 90 days against two of 40 tables, at which each die is a thing from its receipt to its
destruction, with the papers of every shift, the count room, tips, filings and the close of the day; no play.
`--days`, `--tables`, `--fills` and `--play` make it smaller.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
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
from msgspec import Struct

from benchmarks.live import arizona, casino
from benchmarks.live.house import RunningServer, serving
from benchmarks.live.long_log import regulator
from benchmarks.processor import processor_name
from passline.office.kept_folders import FOLDERS
from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore

Times = tuple[float, float]  # elapsed and of the processor, in seconds

FOLDER = "a day's folder"
FOLDER_MADE = f"{FOLDER}, made"  # as it is in the minute after the day was closed
TODAY = "Today"
START = "start of the server"
ACT = "an act"
PAGES = {
    TODAY: "/api/office/{office}/today",
    "a day's accounts": "/api/office/{office}/results?day={day}",
    "the day's month and year": "/api/office/{office}/results?day={day}&period=year",
    "a day's acts": "/api/office/{office}/acts?day={day}",
    FOLDER: "/api/office/{office}/folders/{day}",
    "a table's history": "/api/office/{office}/things/table/{table}",
    "a day's cash": "/api/office/{office}/cash?day={day}",
}
_MADE = "made.json"  # beside a log: what it took to make it
GOAL = 2.0
"""Times what it takes when the log is short."""


class House(Struct, frozen=True):
    """What is made when no option says otherwise."""

    office: str
    table: str
    days: tuple[int, int]
    tables: int
    play: int
    goals: dict[str, float]  # seconds that a part may take in the long log


HOUSES = {
    casino.OFFICE: House(casino.OFFICE, "T1", (30, 365), 10, 4_300, {}),
    arizona.OFFICE: House(arizona.OFFICE, "craps-1", (2, 90), 40, 0, {FOLDER: 5.0, START: 3.0}),
}


def main() -> None:
    """Measure the short log and the long one; the last line is one JSON object."""
    options = _options()
    house = HOUSES[options.regulation]
    options.last = _last_day(options)
    python, load = platform.python_version(), os.getloadavg()[0]
    print(f"{processor_name()}, {os.cpu_count()} cores, Python {python}, load {load:.1f} before\n", flush=True)
    if options.keep:
        options.keep.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        logs = {days: Path(options.keep or folder, str(days)) for days in options.days}
        with ProcessPoolExecutor(options.makers, mp_context=get_context("spawn")) as pool:
            made = dict(zip(logs, pool.map(partial(make_log, options), logs.items()), strict=True))
        short, long = measured(logs, made, house, options)
    print(f"\n{'':28} {options.days[0]:>17} days {options.days[1]:>17} days   ratio")
    print(f"{'':28} {'elapsed':>11} processor {'elapsed':>12} processor")
    ratios = {}
    for name, taken in long["ms"].items():
        before = short["ms"][name]
        ratios[name] = {kind: taken[kind] / max(before[kind], 0.001) for kind in taken}
        times = "".join(f"{one['elapsed']:9,.1f} ms {one['processor']:7,.1f}" for one in (before, taken))
        print(f"{name:28} {times} {ratios[name]['processor']:8.2f}{_remark(name, taken, ratios[name], house)}")
    print(json.dumps({"short": short, "long": long, "ratios": ratios}))


def _last_day(options: argparse.Namespace) -> date:
    """The last gaming day: of the logs that are kept, or two days ago."""
    kept = [Path(options.keep, str(days), _MADE) for days in options.days] if options.keep else []
    last = {json.loads(made.read_text(encoding="utf-8"))["last"] for made in kept if made.exists()}
    if len(last) > 1:
        raise SystemExit(f"--keep: the logs in {options.keep} end on {' and '.join(sorted(last))}: make them anew")
    return date.fromisoformat(*last) if last else (datetime.now(UTC) - timedelta(days=2)).date()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--regulation", choices=HOUSES, default=casino.OFFICE)
    parser.add_argument("--days", type=int, nargs=2, help="of the short and the long log")
    parser.add_argument("--tables", type=int)
    parser.add_argument("--fills", type=int, default=200, help="a day")
    parser.add_argument("--play", type=int, help="entries of play a day")
    parser.add_argument("--times", type=int, default=10, help="how often each page is asked for")
    parser.add_argument("--rounds", type=int, default=3, help="how often each server is started and measured")
    parser.add_argument("--makers", type=int, default=2, help="logs that are made at once")
    parser.add_argument("--keep", type=Path, help="a folder in which the logs stay, and are found again")
    options = parser.parse_args()
    house = HOUSES[options.regulation]
    options.days, options.tables = options.days or house.days, options.tables or house.tables
    options.play = house.play if options.play is None else options.play
    if options.play and not house.play:
        parser.error(f"--play: nobody plays in the hall of {options.regulation}: leave it out")
    return options


def _remark(name: str, taken: dict[str, float], ratio: dict[str, float], house: House) -> str:
    remarks = [] if min(ratio.values()) <= GOAL else [f"more than {GOAL} times"]
    goal = next((seconds for part, seconds in house.goals.items() if name.startswith(part)), None)
    if goal is not None:
        remarks.append(f"{'under' if taken['elapsed'] < goal * 1e3 else 'not under'} {goal:g} s")
    return f"  {', '.join(remarks)}"


def make_log(options: argparse.Namespace, log: tuple[int, Path]) -> dict[str, Any]:
    """Write a log of so many days in this process, while another one makes its views as a server's does."""
    days, data = log
    if (kept := data / _MADE).exists():
        return json.loads(kept.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
    data.mkdir()
    open_log(data).close()
    is_written = get_context("spawn").Event()
    views = get_context("spawn").Process(target=follow, args=(data, is_written))
    views.start()
    size: dict[str, Any] = {"days": days, "last": options.last, "tables": options.tables, "fills": options.fills}
    if options.regulation == arizona.OFFICE:
        made = arizona.make_hall(data, **size)
    else:
        made = casino.make_casino(data, **size, play=options.play)
    is_written.set()
    begun = time.perf_counter()
    views.join()
    made["views_behind"] = time.perf_counter() - begun
    made["last"] = options.last.isoformat()
    kept.write_text(json.dumps(made), encoding="utf-8")
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
    logs: dict[int, Path], made: dict[int, dict[str, Any]], house: House, options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Start the server of each log in turn and ask for its pages: what else the machine does then slows all alike."""
    tokens = {days: regulator(data) for days, data in logs.items()}  # only now: sessions end when they are idle
    paths = {
        name: path.format(office=house.office, day=options.last, table=house.table) for name, path in PAGES.items()
    }
    taken: dict[int, dict[str, list[Times]]] = {days: {} for days in logs}
    for data in logs.values():
        shutil.rmtree(data / FOLDERS, ignore_errors=True)  # of an earlier run on kept logs
    for number in range(options.rounds + 1):
        for days, data in logs.items():
            with serving(data) as server:
                if number:  # the first start also keeps how far papers were delivered
                    taken[days].setdefault(START, []).append((server.seconds, server.cpu_seconds()))
                    measure_pages(server, tokens[days], paths, options.times, taken[days])
    figures = []
    for days, one in made.items():
        rate = one["entries"] / one["seconds"]
        print(
            f"A casino of {days} days: {one['entries']:,} entries, {one['office']:,} of the office, made at "
            f"{rate:,.0f} entries/s; its views were ready {one['views_behind']:,.0f} s later"
        )
        times: dict[str, list[Times]] = {ACT: [(one["act"], one["act"])], **taken[days]}
        least = {
            name: {"elapsed": min(pair[0] for pair in pairs), "processor": min(pair[1] for pair in pairs)}
            for name, pairs in times.items()
        }
        figures.append(
            {
                "days": days,
                "entries": one["entries"],
                "office_entries": one["office"],
                "ms": {
                    name: {kind: round(seconds * 1e3, 3) for kind, seconds in pair.items()}
                    for name, pair in least.items()
                },
            }
        )
    return figures


def measure_pages(
    server: RunningServer, token: str, paths: dict[str, str], times: int, taken: dict[str, list[Times]]
) -> None:
    """Ask for each page several times, after once to begin with; the first time a day's folder is made, which is apart.

    The processor's time is that of the server and all its processes, of several requests together.
    """
    with httpx.Client(base_url=server.base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as client:
        for name, path in paths.items():
            first = _ask(server, client, path, 1)
            if name == FOLDER and FOLDER_MADE not in taken:
                taken[FOLDER_MADE] = [first]
            taken.setdefault(name, []).append(_ask(server, client, path, times))


def _ask(server: RunningServer, client: httpx.Client, path: str, times: int) -> Times:
    """Ask so often; return the least time that it took, and the processor's time of each."""
    used, elapsed = server.cpu_seconds(), list[float]()
    while len(elapsed) < times:
        begun = time.perf_counter()
        answer = client.get(path)
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:  # its views are still being made
            time.sleep(1)
            continue
        answer.raise_for_status()
        elapsed.append(time.perf_counter() - begun)
    return min(elapsed), (server.cpu_seconds() - used) / times


if __name__ == "__main__":
    main()

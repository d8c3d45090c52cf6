"""The log for years: what a roll at a full table leaves in it, archived and not, and how soon a year of it is verified.

A real table for money is dealt to 18 players, each wager with an id as browsers make them. The figures of a year are
extrapolated from what was measured: 181 entries a roll, 100 rolls an hour, 20 hours a day. Time is processor time, so
that a busy machine changes it little; the peer of the archive is the same log as the database has it. What is left in
the database includes snapshots and empty tables, which do not grow: a longer log leaves less a roll.
"""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.live.archived_house import measure_houses
from benchmarks.live.long_log import deal
from benchmarks.processor import processor_name
from passline.store.archived.database_log import DatabaseLog
from passline.store.data_folder import DATABASE_FILE, open_log
from passline.store.log_source import log_place, open_source
from passline.store.once import OnceInPart
from passline.store.upkeep.archiving import archive_entries
from passline.store.verify import verify_log
from passline.tables.verify import decision_faults
from passline.verification.reading import LogReading
from passline.verification.segment_check import seal_states, verify_parts

ENTRIES_A_ROLL = 181
_DAYS = 365
ROLLS_A_YEAR = 100 * 20 * _DAYS
_FOREVER = "9999"
_EVENTS_AN_ENTRY = 2.27
_FEW_ROLLS = 100  # of a log that is verified to know what it takes to begin, and to meet what will come again
_TIMES = 3  # that a log is verified by the clock; the quickest counts, as others on the machine only slow it down
_SEGMENTS = 4  # of a day each, in a real house
_PROCESSORS = 2


def main() -> None:
    """Measure a dealt log and its archive; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=100, help="that are dealt")
    parser.add_argument(
        "--house", type=int, nargs=2, metavar="DAYS", help="measure houses of few and of many days instead"
    )
    options = parser.parse_args()
    print(f"{processor_name()}, Python {platform.python_version()}\n")
    if options.house:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure_houses(Path(folder), tuple(options.house), times=50, rounds=3)))
        return
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        entries, _, _ = deal(data, round(options.rolls * ENTRIES_A_ROLL * _EVENTS_AN_ENTRY), 1)
        figures: dict[str, Any] = {"entries": entries, **contents(data)}
        figures |= {"rows": verify_seconds(data), "live": size(data) / entries * ENTRIES_A_ROLL}
        figures |= archived(data, entries)
        figures |= {"archived": verify_seconds(data), "segments": segment_seconds(data)}
    print_year(figures)
    print(json.dumps(figures | {"hours": hours_a_year(figures)}))


def contents(data: Path) -> dict[str, Any]:
    """Print what fills the database, in bytes an entry; return it by name."""
    with closing(sqlite3.connect(data / DATABASE_FILE)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        [[count, body, events, command, seals]] = file.execute(
            """SELECT COUNT(*), SUM(LENGTH(body)), SUM(LENGTH(json_extract(CAST(body AS TEXT), '$.events'))),
                SUM(LENGTH(json_extract(CAST(body AS TEXT), '$.command'))), SUM(LENGTH(seal)) FROM entries"""
        ).fetchall()
        tables = file.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC LIMIT 5").fetchall()
    found = {"body": body, "of it events": events, "of it the command": command, "hash": 32 * count, "seals": seals}
    print("What an entry takes, in bytes")
    for name, taken in (*found.items(), *tables):
        print(f"  {name:30} {taken / count:8,.1f}")
    print()
    return {"bytes_an_entry": {name: round(taken / count, 1) for name, taken in (*found.items(), *tables)}}


def size(data: Path) -> int:
    """Return the bytes of a log: of its pages that are in use, and of its archive."""
    with closing(sqlite3.connect(data / DATABASE_FILE)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        counts = ("page_count", "freelist_count", "page_size")
        pages, free, page = (file.execute(f"PRAGMA {name}").fetchone()[0] for name in counts)
    files = sum(path.stat().st_size for path in (data / "archive").glob("*"))
    used: int = (pages - free) * page + files
    return used


def archived(data: Path, entries: int) -> dict[str, Any]:
    """Archive everything, and seal the states between segments; return the rates, and the bytes that a roll leaves."""
    log, size_max = open_log(data), entries // _SEGMENTS
    assert isinstance(log, DatabaseLog)
    seconds, made = timed(lambda: archive_entries(log, _FOREVER, by="bench", entries_max=size_max))
    sealing, _ = timed(lambda: seal_states(log_place(data), log, made))
    log.close()
    sealed = f"verified and sealed {entries / sealing:,.0f}"
    print(f"Archived {entries / seconds:,.0f} entries a second of a processor, {sealed}")
    files = sum(segment.size for segment in made) / entries * ENTRIES_A_ROLL
    return {"archive_per_s": round(entries / seconds), "file": files, "left": size(data) / entries * ENTRIES_A_ROLL}


def verify_seconds(data: Path) -> dict[str, float]:
    """Verify a log as `passline verify` does, its chain and every decision; return the processor's seconds an entry."""
    with open_source(str(data)) as source:
        chain, report = timed(lambda: verify_log(source.rows()))
        assert report.is_intact, report.faults[:3]
    log = open_log(data)
    decisions, faults = timed(lambda: list(decision_faults(log.read())))
    log.close()
    assert not faults, faults[:3]
    return {"chain": chain / report.entries, "decisions": decisions / report.entries}


def clock_seconds(data: Path) -> tuple[float, int]:
    """Verify an archived log in two processes; return the least seconds that it takes by the clock, and its entries."""
    place, seconds, entries = log_place(data), list[float](), 0
    for _ in range(_TIMES):
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            found = verify_parts(place, place.segments(), Path(folder), processes=_PROCESSORS)
        seconds.append(time.perf_counter() - begun)
        assert found.report.is_intact, found.report.faults[:3]
        assert not found.faults, found.faults[:3]
        entries = found.report.entries
    return min(seconds), entries


def segment_seconds(data: Path) -> dict[str, float]:
    """Verify an archived log by its segments; return the seconds an entry, and of the states at a segment's ends.

    Those of the processor are of the segments after the first, which opens the table, read for the second time. Those
    by the clock are of two processes, without what a log of a few rolls takes.
    """
    with tempfile.TemporaryDirectory() as folder:
        entries, _, _ = deal(Path(folder), round(_FEW_ROLLS * ENTRIES_A_ROLL * _EVENTS_AN_ENTRY), 1)
        with closing(open_log(Path(folder))) as log:
            assert isinstance(log, DatabaseLog)
            made = archive_entries(log, _FOREVER, by="bench", entries_max=entries // _SEGMENTS)
            seal_states(log_place(Path(folder)), log, made)
        begins, few = clock_seconds(Path(folder))
    (whole, count), place = clock_seconds(data), log_place(data)
    clock = (whole - begins) / (count - few)
    first, *others = place.segments()

    def resume() -> LogReading:
        reading = LogReading(once=OnceInPart(), before=first.last)
        reading.resume(place.read_state(first).read_image())
        return reading

    def read() -> LogReading:
        reading = resume()
        for segment in others:
            reading.read(place.segment_rows(segment), is_hashed=segment is not others[0])
        assert not reading.faults
        assert not reading.chain.has_faults
        return reading

    reading = read()  # what a process sees for the first time is hardly anything in a year
    assert reading.image() == place.read_state(others[-1]).read_image()
    states, _ = timed(lambda: (resume(), reading.image()))
    resuming, _ = timed(resume)
    seconds, _ = timed(read)
    return {
        "entry": (seconds - resuming) / (others[-1].last - first.last),
        "states": states,
        "clock": clock,
        "begins": begins,
    }


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor's seconds that work takes, and its result."""
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def hours_a_year(figures: dict[str, Any]) -> dict[str, float]:
    """Return the hours in which a year is verified: in one piece by one processor, or by its segments by two."""
    yearly = ENTRIES_A_ROLL * ROLLS_A_YEAR
    rows, whole, parts = (figures[kind] for kind in ("rows", "archived", "segments"))
    seconds = {
        "rows": yearly * (rows["chain"] + rows["decisions"]),
        "whole": yearly * (whole["chain"] + whole["decisions"]),
        "parts": (yearly * parts["entry"] + _DAYS * parts["states"]) / _PROCESSORS,
        "clock": yearly * parts["clock"],
    }
    return {way: round(each / 3600, 2) for way, each in seconds.items()}


def print_year(figures: dict[str, Any]) -> None:
    """Print what a year comes to."""
    yearly = ENTRIES_A_ROLL * ROLLS_A_YEAR
    print("\nOf a full table                    in the database    archived    ratio")
    live, left = figures["live"], figures["left"]
    print(f"  kB a roll                        {live / 1e3:15.1f} {left / 1e3:11.1f} {live / left:8.1f}")
    print(f"  GB a year                        {live * ROLLS_A_YEAR / 1e9:15.0f} {left * ROLLS_A_YEAR / 1e9:11.0f}")
    for part in ("chain", "decisions"):
        rows, packed = (figures[kind][part] for kind in ("rows", "archived"))
        print(f"  {part}: entries a second {1 / rows:22,.0f} {1 / packed:11,.0f} {rows / packed:8.2f}")
        print(f"  {part}: hours a year, one core {yearly * rows / 3600:16.1f} {yearly * packed / 3600:11.1f}")
    entry, states, clock, begins = (figures["segments"][kind] for kind in ("entry", "states", "clock", "begins"))
    before = figures["archived"]["chain"] + figures["archived"]["decisions"]
    print("\nBy segments, all of it at once: unpacked, chain, ids, seals, dice and decisions")
    print(f"  entries a second of a processor  {1 / entry:10,.0f}, {before / entry:.2f} of the chain, then decisions")
    print(f"  seconds for the states, a day    {states:10.2f}")
    print(f"  by the clock, in two processes   {1 / clock:10,.0f}, after {begins:.1f} s in which they begin")
    hours = hours_a_year(figures)
    print(f"  a year on two processors         {hours['parts']:10.2f} hours; by the clock {hours['clock']:.2f}")


if __name__ == "__main__":
    main()

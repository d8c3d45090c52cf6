"""Pages that read the log: how soon records, searches and hands come from a server, by the length of its log.

The server is the real `passline serve` on a SQLite log. The peer is what these pages did before there were projections:
a fold of the whole log for each request, measured in the same run, without the server around it. On a machine that
others use too, the least of the times is the one to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.live.house import serving
from benchmarks.live.long_log import PAGES, deal, fold_seconds, page_seconds, project, regulator

ENTRIES = (10_000, 100_000, 1_000_000)
EVENTS_PER_ENTRY = 2.27  # of ten full tables


def main() -> None:
    """Measure pages on logs of several lengths; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, nargs="*", default=ENTRIES, help="lengths of the logs")
    parser.add_argument("--times", type=int, default=20, help="how often each page is asked for")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} before\n")
    figures: dict[str, Any] = {}
    for wanted in options.entries:
        with tempfile.TemporaryDirectory() as folder:
            figures[str(wanted)] = measured(Path(folder), wanted, options.times)
    print(json.dumps(figures))


def measured(data: Path, wanted: int, times: int) -> dict[str, Any]:
    """Deal a log, project it, and ask a server for each page."""
    deal(data, round(wanted * EVENTS_PER_ENTRY))
    token = regulator(data)
    entries, seconds, size = project(data)
    fold = fold_seconds(data)
    print(f"A log of {entries:,} entries")
    print(f"  projected at {entries / seconds:,.0f} entries/s, {size / entries:,.0f} bytes an entry")
    print("  page                         least ms    middle     worst   a fold of the log by the least")
    pages = {}
    with serving(data) as server:
        time.sleep(1)  # the server reads its last entries
        for name, path in PAGES.items():
            taken = page_seconds(server.base, token, path.format(last=entries), times)
            least, middle, worst = min(taken), sorted(taken)[len(taken) // 2], max(taken)
            shown = f"{least * 1e3:8.1f}  {middle * 1e3:8.1f}  {worst * 1e3:8.1f}"
            print(f"  {name:27} {shown} {fold / least:14,.0f} x", flush=True)
            pages[name] = {"least": round(least * 1e3, 2), "middle": round(middle * 1e3, 2)}
    print(f"  a fold of the whole log takes  {fold * 1e3:8,.0f} ms\n", flush=True)
    return {"entries": entries, "per_s": round(entries / seconds), "fold_ms": round(fold * 1e3), "page_ms": pages}


if __name__ == "__main__":
    main()

"""What the views of a log write, table by table: `python -m benchmarks.live.profile.view_writes --tables 40`.

Full tables are dealt without screens, all with the same 18 players, then their log is read as the views' process reads
it. Each page that a batch writes into the write-ahead log of `views.sqlite` counts for the table or index whose page
it is; a checkpoint copies as many into the file.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.live.long_log import deal
from benchmarks.processor import processor_name
from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore

_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24  # of SQLite's write-ahead log and of each page in it
_SHOWN = 12


def pages_written(wal: Path, at: int, page_bytes: int) -> Iterator[int]:
    """Yield the numbers of the pages that a write-ahead log has from a place in it on."""
    with wal.open("rb") as file:
        while file.seek(at) < wal.stat().st_size:
            yield int.from_bytes(file.read(4))
            at += _FRAME_HEADER_BYTES + page_bytes


def bytes_by_table(data: Path, batch: int) -> tuple[Counter[str], int, float]:
    """Project a log in batches; return the bytes each table and index wrote, the entries, and the processor time."""
    log, path = open_log(data), data / VIEWS_FILE
    store = ViewStore(path, log.derive("views"))
    projector = Projector(log, store, projections_of(log))
    wal, written, at, seconds = path.with_name(f"{path.name}-wal"), Counter[str](), _HEADER_BYTES, 0.0
    with store.transaction() as writer:
        [[page_bytes]] = writer.query("PRAGMA page_size")
        writer.query("PRAGMA wal_autocheckpoint = 0")  # so that all pages can be counted
    with closing(sqlite3.connect(path)) as connection:
        while True:
            begun = time.process_time()
            if not projector.advance(batch):
                break
            seconds += time.process_time() - begun
            owners = dict(connection.execute("SELECT pageno, name FROM dbstat").fetchall())
            written.update(owners.get(page, "(freed again)") for page in pages_written(wal, at, page_bytes))
            at = wal.stat().st_size
    entries = projector.last_applied()
    store.close()
    log.close()
    return Counter({name: pages * page_bytes for name, pages in written.items()}), entries, seconds


def main() -> None:
    """Deal, project and print; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--events", type=int, default=54_000)
    parser.add_argument("--batch", type=int, default=6_000, help="entries in a transaction")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        deal(Path(folder), options.events, options.tables)
        written, entries, seconds = bytes_by_table(Path(folder), options.batch)
    print(
        f"{processor_name()}: {entries:,} entries of {options.tables} tables, {seconds / entries * 1e6:.0f} us an entry"
    )
    print("  bytes an entry into the write-ahead log")
    for name, amount in written.most_common(_SHOWN):
        print(f"    {name:<36} {amount / entries:8.0f}")
    print(f"    {'all':<36} {written.total() / entries:8.0f}")
    print(json.dumps({name: round(amount / entries) for name, amount in written.most_common()}))


if __name__ == "__main__":
    main()

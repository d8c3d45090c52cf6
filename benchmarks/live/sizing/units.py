"""What an entry costs the log and the views, apart from any server: processor time that does not wait for anybody."""

from __future__ import annotations

import socket
import tempfile
import time
from pathlib import Path

from msgspec import Struct, json

from benchmarks.live.long_log import deal, project
from benchmarks.live.wager_drafts import wager_draft
from passline.store.data_folder import DATABASE_FILE, open_log
from passline.store.sealed import Log
from passline.streams.commit_process import CommitRequest, Frames, _commit, frame
from passline.streams.projection_store import VIEWS_FILE

_EVENTS, _STREAM = 20_000, "table/units"
_FEW, _MANY = 5, 50  # entries of a commit
_COMMITS, _TURNS = 60, 4


class Units(Struct, frozen=True):
    """Microseconds of processor time for an entry, the least of some turns, and the bytes that it takes."""

    log_entry: float  # in a commit of many
    views: float
    log_bytes: float
    views_bytes: float


def measured_units() -> Units:
    """Deal a log, make the views of it, and append to it in small and in large commits."""
    with tempfile.TemporaryDirectory() as folder:
        deal(Path(folder) / "first", 1)  # everything is imported, and every statement known, before it counts
        project(Path(folder) / "first")
        data = Path(folder) / "log"
        deal(data, _EVENTS)
        log_bytes = (data / DATABASE_FILE).stat().st_size
        views = []
        for _ in range(_TURNS):
            (data / VIEWS_FILE).unlink(missing_ok=True)
            begun = time.process_time()
            entries, _, views_bytes = project(data)
            views.append(time.process_time() - begun)
        log = open_log(data)
        turns = [_entry_seconds(log) for _ in range(_TURNS)]
        log.close()
    return Units(
        log_entry=1e6 * min(turns),
        views=1e6 * min(views) / entries,
        log_bytes=log_bytes / entries,
        views_bytes=views_bytes / entries,
    )


def _entry_seconds(log: Log) -> float:
    """Return what one more entry in a commit costs."""
    few, many = (_commit_seconds(log, entries) for entries in (_FEW, _MANY))
    return (many - few) / (_MANY - _FEW)


def _commit_seconds(log: Log, entries: int) -> float:
    """Return what a commit costs the process that writes the log, from the requests' bytes to those of its replies."""
    first, frames, decoder = log.streams().get(_STREAM, 0), Frames(), json.Decoder(CommitRequest)
    here, there = socket.socketpair()
    here.close()
    with there:
        asked = [
            b"".join(
                frame(CommitRequest(number, [wager_draft(_STREAM, number, number)]))
                for number in range(first + at * entries, first + (at + 1) * entries)
            )
            for at in range(_COMMITS)
        ]
        begun = time.process_time()
        for together in asked:
            replies = _commit(log, [(there, decoder.decode(message)) for message in frames.cut(together)])
            assert sum(len(frame(reply)) for _, reply in replies) > entries
        return (time.process_time() - begun) / _COMMITS

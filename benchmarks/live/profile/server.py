"""A server that counts its processor time by part: `python -P .../server.py SOCKET serve ...`, of any version.

It replaces functions of the program by ones that note the thread's processor time when they begin and end; a part's
time is its own, without that of parts within it; it also counts the calls that took 5 ms or more by the wall. Whoever
connects to SOCKET is sent the counts so far, as JSON. The script imports nothing but the standard library and the
program that Python finds, so that an old version is measured too.
"""

from __future__ import annotations

import functools
import importlib
import json
import runpy
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

_STREAM, _COURSE = "passline.streams.running:RunningStream", "passline.tables.runtime.table_stream:TableCourse"
_NEWS, _SCREEN = "passline.tables.runtime.table_stream", "passline.web.api.websocket"
_OLD_STREAM, _OLD_COURSE = "passline.tables.stream:RunningStream", "passline.tables.course:TableCourse"
PARTS = {
    "reading frames": (
        "passline.web.server.websocket_protocol:DirectProtocol.data_received",
        "passline.web.sockets:ShortProtocol.data_received",
    ),
    "taking commands": (f"{_SCREEN}:_Screen._handle_directly", "passline.web.live:_Screen._hear_at_once"),
    "deciding": (f"{_COURSE}.decide", f"{_OLD_COURSE}.judge"),
    "drafting entries": ("passline.streams.replica:Replica._draft", f"{_OLD_STREAM}._draft"),
    "answering": (
        *(f"{_STREAM}._end", f"{_SCREEN}:_Screen._answer"),
        *(f"{_OLD_STREAM}._end", "passline.web.live:_Screen._answer"),
    ),
    "wording": (
        *(f"{_COURSE}.lines", f"{_COURSE}.lines_to", f"{_NEWS}:_public_words"),
        *(f"{_OLD_COURSE}.lines", f"{_OLD_COURSE}.lines_to", "passline.tables.course:_said"),
    ),
    "finding what changed": (
        *(f"{_NEWS}:news_between", f"{_NEWS}:own_of", f"{_NEWS}:_accounts_touched"),
        *(f"passline.tables.course:{name}" for name in ("news_between", "own_of", "_touched")),
    ),
    "encoding news": (f"{_NEWS}:_encode", f"{_SCREEN}:_encode", "passline.tables.course:_encode"),
    "telling screens": (
        *(f"{_COURSE}.publish", f"{_COURSE}._tell", f"{_NEWS}:_told_to"),
        f"{_OLD_COURSE}.publish",
    ),
    "counting": (
        *("passline.web.server.metrics:Metrics.count_command", "passline.web.server.metrics:Metrics.count_commit"),
        *("passline.web.asking:_count", "passline.web.metrics:Metrics.committed"),
    ),
    "waking the writer": (
        *("passline.streams.writer:ThreadWriter.append", "passline.streams.writer:ThreadWriter._hand_over"),
        "passline.streams.writer:ThreadWriter._gather",
        *("passline.tables.writer:Writer.append", "passline.tables.writer:Writer._gather"),
    ),
    "sealing": ("passline.store.sealed:commit_of",),
    "reading the log's state": (
        "passline.store.sqlite_transaction:SqliteTransaction.state_for",
        "passline.store.sqlite:_Transaction.state_for",
        "passline.store.sqlite:_Writing.standing",
    ),
    "inserting": (
        "passline.store.sqlite_transaction:SqliteTransaction.insert",
        *("passline.store.sqlite:_Transaction.insert", "passline.store.sqlite:_Writing.insert"),
    ),
    "committing": (
        *("passline.streams.writer:ThreadWriter._begin", "passline.store.sqlite:SqliteLog.end_commit"),
        *("passline.streams.writer:ThreadWriter._commit", "passline.tables.writer:Writer._commit"),
    ),
    "checking files": (
        "passline.store.data_folder:FileWatch.check",
        "passline.store.sqlite:SqliteLog._check_room",
    ),
    "checkpoints": ("passline.store.checkpoints:Checkpoints._run",),
    "snapshots": (
        *("passline.store.sealed:Log.save_snapshot", "passline.store.sealed:SealedLog.save_snapshot"),
        *("passline.streams.replica:Replica._snapshot", f"{_OLD_STREAM}._keep"),
    ),
}
"""The functions of each part, in this version and in 0.1; those that a version does not have are left out."""


class _Thread(threading.local):
    """The part that a thread is in, since when, and the parts around it."""

    def __init__(self) -> None:
        self.around: list[str] = []
        self.since = time.thread_time_ns()


_SLOW_NS = 5_000_000  # by the wall, with all that a call waited for
_thread, _spent, _calls, _slow = _Thread(), dict.fromkeys(PARTS, 0), dict.fromkeys(PARTS, 0), dict.fromkeys(PARTS, 0)


def _measured(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def measure(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - of any function
        thread, now, begun = _thread, time.thread_time_ns(), time.perf_counter_ns()
        if thread.around:
            _spent[thread.around[-1]] += now - thread.since
        thread.around.append(part)
        thread.since = time.thread_time_ns()
        try:
            return function(*given, **named)
        finally:
            now = time.thread_time_ns()
            _spent[part] += now - thread.since
            _calls[part] += 1
            if time.perf_counter_ns() - begun >= _SLOW_NS:
                _slow[part] += 1
            thread.around.pop()
            thread.since = time.thread_time_ns()

    return measure


def _replace(part: str, target: str) -> None:
    module_name, _, path = target.partition(":")
    try:
        place = importlib.import_module(module_name)
        *outer, name = path.split(".")
        for attribute in outer:
            place = getattr(place, attribute)
        function = getattr(place, name)
    except (ImportError, AttributeError):
        return  # of another version
    if name == "_encode":
        setattr(place, name, _measured(part, lambda message, encode=function: encode(message)))
    else:
        setattr(place, name, _measured(part, function))


def _threads() -> dict[str, int]:
    """Return the processor time of each thread that lives."""
    spent: dict[str, int] = {}
    for thread in threading.enumerate():
        assert thread.ident is not None
        try:
            clock = time.pthread_getcpuclockid(thread.ident)
            spent[thread.name] = spent.get(thread.name, 0) + time.clock_gettime_ns(clock)
        except OSError:  # it has just ended
            continue
    return spent


def _answer(listening: socket.socket) -> None:
    while True:
        asking, _ = listening.accept()
        with asking:
            asking.sendall(
                json.dumps({"parts": _spent, "calls": _calls, "slow": _slow, "threads": _threads()}).encode()
            )


def main() -> None:
    """Replace the functions, then run the program."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(sys.argv[1])
    listening.listen()
    threading.Thread(target=_answer, args=(listening,), name="profile", daemon=True).start()
    for part, targets in PARTS.items():
        for target in targets:
            _replace(part, target)
    sys.argv = ["passline", *sys.argv[2:]]
    runpy.run_module("passline", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()

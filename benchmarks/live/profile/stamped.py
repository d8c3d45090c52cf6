"""A server of several processes that notes when each command passes each point of its way.

`python -m benchmarks.live.profile.stamped serve --workers 4 ...`: every process that the server starts imports this
module too, and so replaces the same functions. At its end each writes its notes to the folder STAMPS names: three
numbers each, which point, which command (or how long it took, of what only happens beside commands), and when.
"""

from __future__ import annotations

import functools
import gc
import os
import sys
from array import array
from collections.abc import Callable, Iterable
from multiprocessing.util import Finalize
from pathlib import Path
from time import perf_counter_ns as now
from typing import Any

STAMPS = "PASSLINE_BENCH_STAMPS"
"""The variable of the environment that names the folder."""
POINTS = ("heard", "in turn", "sent", "begun", "flushing", "flushed", "committed", "back", "taken", "told")
"""The points that a command passes, in order."""
BESIDE = ("checkpoint", "snapshot", "roll", "garbage", "following", "sessions")
"""What is noted with its duration: it may hold commands up."""
ID_DIGITS = 15
"""How much of a command's id is kept: what fits into a signed number of 64 bits."""
_BEFORE_ID = b'{"id":"'  # what a command of these screens begins with
_notes = array("q")
_note = _notes.extend
_flush = [0, 0]  # of the commit under way: when its flush began and ended


def key_of(id_: str | bytes) -> int:
    """Return a command's id as a number; -1 for those of the house."""
    try:
        return int(id_[:ID_DIGITS], 16)
    except ValueError:
        return -1


def _stamp(point: int, ids: Iterable[str], at: int) -> None:
    for id_ in ids:
        _note((point, key_of(id_), at))


def _wrapped(place: Any, name: str, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:  # noqa: ANN401
    function = getattr(place, name)
    setattr(place, name, functools.wraps(function)(wrap(function)))


def _timed(beside: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    number = len(POINTS) + BESIDE.index(beside)

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:  # noqa: ANN401
            begun = now()
            try:
                return function(*given, **named)
            finally:
                _note((number, now() - begun, begun))

        return timed

    return wrap


_read = [0]  # when the bytes came that are being handled


def _receive(function: Callable[..., Any]) -> Callable[..., Any]:
    def received(self: Any, data: bytes) -> None:  # noqa: ANN401
        _read[0] = now()
        function(self, data)

    return received


def _handle(function: Callable[..., Any]) -> Callable[..., Any]:
    def handled(self: Any, text: bytes) -> Any:  # noqa: ANN401
        begun = len(_BEFORE_ID)
        _note((POINTS.index("heard"), key_of(bytes(text[begun : begun + ID_DIGITS])), _read[0]))
        return function(self, text)

    return handled


def _append(function: Callable[..., Any]) -> Callable[..., Any]:
    def appended(self: Any, drafts: Any, reply: Any) -> None:  # noqa: ANN401
        function(self, drafts, reply)
        _stamp(POINTS.index("sent"), (draft.id for draft in drafts), now())

    return appended


def _take(function: Callable[..., Any]) -> Callable[..., Any]:
    def taken(self: Any, reply: Any) -> None:  # noqa: ANN401
        asked = self._asked.get(reply.number)
        ids = [draft.id for draft in asked.drafts] if asked else []
        _stamp(POINTS.index("back"), ids, _read[0])
        _stamp(POINTS.index("taken"), ids, now())
        function(self, reply)
        _stamp(POINTS.index("told"), ids, now())

    return taken


def _decide(function: Callable[..., Any]) -> Callable[..., Any]:
    def decided(self: Any, round_: Any) -> Any:  # noqa: ANN401
        _stamp(POINTS.index("in turn"), (waiting.ask.id for waiting in round_), now())
        return function(self, round_)

    return decided


def _do_aside(function: Callable[..., Any]) -> Callable[..., Any]:
    def done(self: Any, round_: Any, aside: Any) -> None:  # noqa: ANN401
        function(self, round_, type(aside)(_timed("roll")(aside.work), aside.then, aside.failed))

    return done


def _replace_in_tables() -> None:
    from passline.people.desk import FrontDesk  # noqa: PLC0415 - not before the folder is known
    from passline.streams.commit_process import RemoteWriter  # noqa: PLC0415
    from passline.streams.running import RunningStream  # noqa: PLC0415
    from passline.tables.runtime.other_processes import OtherProcesses  # noqa: PLC0415
    from passline.web.api.websocket import _Screen  # noqa: PLC0415
    from passline.web.server.websocket_protocol import DirectProtocol  # noqa: PLC0415

    _wrapped(DirectProtocol, "data_received", _receive)
    _wrapped(_Screen, "_handle_directly", _handle)
    _wrapped(RemoteWriter, "append", _append)
    _wrapped(RemoteWriter, "data_received", _receive)
    _wrapped(RemoteWriter, "_take", _take)
    _wrapped(RunningStream, "_decide", _decide)
    _wrapped(RunningStream, "_do_aside", _do_aside)
    _wrapped(FrontDesk, "sessions_of", _timed("sessions"))
    _wrapped(OtherProcesses, "_changes_since", _timed("following"))


def _replace_in_commits() -> None:
    from passline.store.checkpoints import Checkpoints  # noqa: PLC0415
    from passline.store.sqlite import SqliteLog  # noqa: PLC0415
    from passline.streams import commit_process  # noqa: PLC0415

    def flush(function: Callable[..., Any]) -> Callable[..., Any]:
        def flushed(self: Any) -> None:  # noqa: ANN401
            _flush[0] = now()
            function(self)
            _flush[1] = now()

        return flushed

    def commit(function: Callable[..., Any]) -> Callable[..., Any]:
        def committed(log: Any, asked: Any) -> Any:  # noqa: ANN401
            begun = now()
            replies = function(log, asked)
            if asked:
                ids = [draft.id for _, request in asked for draft in request.drafts]
                for point, at in enumerate((begun, *_flush, now()), POINTS.index("begun")):
                    _stamp(point, ids, at)
            return replies

        return committed

    def begin(function: Callable[..., Any]) -> Callable[..., Any]:
        def begun(self: Any, checkpoint: Callable[[], object]) -> None:  # noqa: ANN401
            function(self, _timed("checkpoint")(checkpoint))

        return begun

    _wrapped(SqliteLog, "_commit", flush)
    _wrapped(commit_process, "_commit", commit)
    _wrapped(commit_process, "save_snapshot", _timed("snapshot"))
    _wrapped(Checkpoints, "__init__", begin)


def _watch_garbage() -> None:
    begun = [0]

    def watch(phase: str, _what: dict[str, int]) -> None:
        if phase == "start":
            begun[0] = now()
        else:
            _note((len(POINTS) + BESIDE.index("garbage"), now() - begun[0], begun[0]))

    gc.callbacks.append(watch)


def _write(folder: str) -> None:
    if _notes:
        (Path(folder) / str(os.getpid())).write_bytes(_notes.tobytes())


def begin() -> None:
    """Replace the functions, if a folder is named."""
    if folder := os.environ.get(STAMPS):
        _replace_in_tables()
        _replace_in_commits()
        _watch_garbage()
        Finalize(None, _write, (folder,), exitpriority=1)


if __name__ in {"__main__", "__mp_main__"}:
    begin()
if __name__ == "__main__":
    from passline.cli.main import main

    sys.exit(main())

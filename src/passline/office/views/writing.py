"""`python -m passline.office.views.writing`: writes the views of a log, in a process beside the server's.

`passline.streams.projection_runner` starts it and says what it reads and prints.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from msgspec import json

from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.streams.projection import Projector
from passline.streams.projection_runner import LogFollower, ViewsSource
from passline.streams.projection_store import VIEWS_FILE, ViewStore
from passline.streams.writer import AGAIN_SECONDS

_NICE = 19
_IOPRIO_SET = {"x86_64": 251, "aarch64": 30}  # the numbers of this call of Linux, which Python does not have
_WHO_PROCESS, _IDLE_CLASS = 1, 3 << 13


def main() -> None:
    """Follow the log until standard input is closed."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # they are the server's, which then closes standard input
        signal.signal(stop, signal.SIG_IGN)
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        return  # the server was killed before it had said what to write
    _write_last()
    source = json.decode(line, type=ViewsSource)
    stopping, nudged = Event(), Event()
    told: str | None = None  # so that the server hears of the first step too
    Thread(target=_listen, args=(stopping, nudged), daemon=True).start()
    data = Path(source.data)
    log = open_log(data, source.database, expected=source.log_id)
    store = ViewStore(data / VIEWS_FILE, log.derive("views"))
    patient = ThreadPoolExecutor(1, initializer=_give_way)  # a thread has a priority of its own, on Linux at least
    follower = LogFollower(
        Projector(log, store, projections_of(log)),
        log,
        nudged,
        store.lock_path,
        patiently=lambda apply: patient.submit(apply).result(),
    )
    while not stopping.is_set():
        fault = ""
        try:
            follower.step()
        except Exception as error:  # noqa: BLE001 - whatever it is, the server tells
            fault = f"{type(error).__name__}: {error}"
        if fault != told:
            told = fault
            sys.stdout.buffer.write(json.encode(fault) + b"\n")
            sys.stdout.buffer.flush()
        if fault:
            stopping.wait(AGAIN_SECONDS)
    patient.shutdown()
    store.close()
    log.close()


def _write_last() -> None:
    """Write to the disk when nobody else does, as far as the disk's scheduler knows that: commits come first.

    Threads that begin later do so too.
    """
    if sys.platform == "linux" and (number := _IOPRIO_SET.get(platform.machine())):
        ctypes.CDLL(None).syscall(number, _WHO_PROCESS, 0, _IDLE_CLASS)


def _give_way() -> None:
    """Run when nobody else wants the processor: the tables come first."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _listen(stopping: Event, nudged: Event) -> None:
    """Nudge at each byte; stop at the end."""
    while os.read(sys.stdin.fileno(), 4096):
        nudged.set()
    stopping.set()
    nudged.set()


if __name__ == "__main__":
    main()

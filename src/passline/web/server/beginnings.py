"""How a process of a house begins: its name, what keeps it from pausing, and how it ends if it cannot begin.

It imports little, because the process that writes the log is started again while every table waits for it.
"""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from passline.errors import CrapsError

START_FAILED = 3
"""The exit status of a process that could not begin; the same as uvicorn's."""
_log = logging.getLogger(__name__)
_GARBAGE = (2_000, 10, 50)
"""When the collector scans: tables have no reference cycles, so old objects rarely, and newer ones a few at a time."""
_SWITCH_SECONDS = 0.0001  # the longest that a commit's thread waits for the busy event loop; 5 ms by default


def name_process(name: str) -> None:
    """Show a name in ps and top, so that an operator knows which process it is; on Linux, up to 15 characters."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name, encoding="ascii")


@contextmanager
def end_if_it_cannot_begin() -> Iterator[None]:
    """End this process with one line, as uvicorn does, if what the house needs is not there."""
    try:
        yield
    except CrapsError as error:
        _log.error("%s", error)
        sys.exit(START_FAILED)


def avoid_pauses() -> None:
    """Keep the garbage collector and other threads from holding this process up, once all that it needs is loaded."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.collect()
    gc.enable()  # if it was not while all of that was loaded
    gc.freeze()  # keeps the collector from scanning what lives as long as the server
    gc.set_threshold(*_GARBAGE)

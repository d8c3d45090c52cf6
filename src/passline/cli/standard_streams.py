"""The standard streams as a command finds them, which whoever starts it may have closed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_STREAMS = ("stdin", "stdout", "stderr")  # by the number of their file


def open_closed_streams() -> bool:
    """Put the null device in the place of every closed stream; return whether standard output was open.

    Otherwise the next file that is opened would take its number, and what is printed would go into that file; and
    Python prints on standard output what it cannot print on standard error.
    """
    was_open = sys.stdout is not None
    for number, name in enumerate(_STREAMS):
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:  # the lowest number that is free is this one: those below it are open by now
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
        mode = "r" if number == 0 else "w"
        setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - a number
    return was_open


def tolerate_strange_names() -> None:
    """Print names of files that are not text in an escaped form, instead of failing at them."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            with suppress(OSError):  # of a stream that was written to and cannot be: it fails when it is written to
                stream.reconfigure(errors="backslashreplace")


def drop_output(stream: object) -> None:
    """Send what is left for a stream that takes nothing more to the null device: Python would fail at it in the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]
    except (OSError, ValueError):  # a stream without a file has nothing left
        return

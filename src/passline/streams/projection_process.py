"""The process that writes a server's projections, as the server sees it: started, nudged, attended and stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from msgspec import Struct, json

from passline.errors import CrapsError

__all__ = ["ViewsProcess", "ViewsSource", "ViewsStopped"]

_NUDGE = b"\n"


class ViewsStopped(CrapsError):
    """The process that writes the views of the log ended by itself; it is started again."""


class ViewsSource(Struct, frozen=True):
    """What the process needs: its module, and the log that it opens; no other log than the named one."""

    module: str
    data: str  # the folder
    database: str  # the address of a PostgreSQL database; it may hold a password
    log_id: str


class ViewsProcess:
    """One process at a time. It reads its source and then nudges on standard input, and ends when that is closed.

    So it ends with the server, however the server ends. It tells on standard output, one JSON text a line, why it
    stands still, or "" when it goes on.
    """

    def __init__(self, source: ViewsSource) -> None:
        self._source = source
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()  # nobody writes to a pipe that was closed: its number may be another file's
        self._is_stopped = False

    def attend(self, tell: Callable[[str], None]) -> None:
        """Start the process and pass on what it tells, until it ends. Raise ViewsStopped if nobody stopped it."""
        command = [sys.executable, "-P", "-m", self._source.module]  # no module of the working directory's
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.encode(self._source) + b"\n")
            process.stdin.flush()
            os.set_blocking(process.stdin.fileno(), False)  # a process that hangs keeps nobody who nudges it waiting
            self._process = process
            if self._is_stopped:  # meanwhile
                self.stop()
            for line in process.stdout:
                tell(json.decode(line, type=str))
            with self._lock:
                self._process = None
        if not self._is_stopped:
            raise ViewsStopped(f"the process that writes the views ended with {process.returncode}")

    def nudge(self) -> None:
        """Let it look at once for new entries: somebody waits for them."""
        with self._lock, suppress(OSError, ValueError):  # it hangs, or has just ended
            if self._process is not None and self._process.stdin is not None:
                os.write(self._process.stdin.fileno(), _NUDGE)

    def kill(self) -> None:
        """End it, as it does not end by itself; its transaction is undone."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def stop(self) -> None:
        """Let it end."""
        self._is_stopped = True
        with self._lock, suppress(OSError):
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()

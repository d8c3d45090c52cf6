"""Processes that start quickly: forks of one that has imported what servers need."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TextIO

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.preloaded"])


class ForkedCommand:
    """`passline ARGUMENTS` in a process of its own, with what tests use of `subprocess.Popen`.

    It takes everything from the command line on, in the present folder and environment; only the start of Python and
    the imports, which take ten times as long as the rest of a server's start, were done before.
    """

    def __init__(self, arguments: Sequence[str], errors: Path) -> None:
        ours, its = FORKS.Pipe(duplex=False)
        given = (tuple(arguments), its, str(errors.resolve()), str(Path.cwd()), dict(os.environ))
        self._process = FORKS.Process(target=_run, args=given)  # no daemon, which could not start workers
        self._process.start()
        its.close()
        self.stdout: TextIO = os.fdopen(os.dup(ours.fileno()), encoding="utf-8")
        ours.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Wait for the end of the process and return its exit code: of a signal, its number below zero."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(["passline"], timeout)
        return self._process.exitcode


def _run(arguments: tuple[str, ...], out: Connection, errors: str, folder: str, environment: dict[str, str]) -> None:
    from passline.cli.main import main  # noqa: PLC0415 - whoever starts a fork has no need of it

    with Path(errors).open("a", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    os.dup2(out.fileno(), 1)
    out.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["passline", *arguments]
    sys.exit(main(arguments))

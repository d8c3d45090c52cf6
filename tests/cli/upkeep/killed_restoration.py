"""A restoration as people run it, in a process of its own that is killed at any step it takes.

A step is whatever changes a file, an anchor or the database. The process ends there as a kill ends it: nothing is
closed, flushed or cleared away.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from passline.cli.main import main
from passline.store.anchors.places import FileAnchor, PostgresAnchor
from passline.store.postgres import PostgresLog
from tests.forks import FORKS

KILLED = 137
_CHANGES = ("os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate")
_NEVER = 1_000_000


class _Steps:
    """Counts the steps of this process, and ends it before the one that was asked for."""

    def __init__(self, kill_at: int) -> None:
        self.taken, self._kill_at = 0, kill_at

    def step(self) -> None:
        self.taken += 1
        if self.taken == self._kill_at:
            os._exit(KILLED)

    def watch(self, folder: Path) -> None:
        """Count what is done to files directly in a folder, to anchors and to a database's log."""

        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            if event in _CHANGES and any(
                isinstance(path, str | Path) and folder in (Path(path).parent, Path(path).parent.parent)
                for path in arguments
            ):
                self.step()

        sys.addaudithook(hear)
        for kind in (FileAnchor, PostgresAnchor):
            kind.keep = self._around(kind.keep)  # type: ignore[method-assign]
        transaction = PostgresLog.transaction

        @contextmanager
        def counted(log: PostgresLog) -> Iterator[Any]:
            with transaction(log) as connection:
                yield connection
                self.step()
            self.step()

        PostgresLog.transaction = counted  # type: ignore[method-assign,assignment]

    def _around(self, done: Callable[..., None]) -> Callable[..., None]:
        @wraps(done)
        def counted(*arguments: Any, **named: Any) -> None:  # noqa: ANN401 - as the method takes them
            self.step()
            done(*arguments, **named)
            self.step()

        return counted


def run_until(arguments: Sequence[object], folder: Path, kill_at: int = _NEVER) -> int:
    """Run a command that restores into a folder, up to a step; return its exit code."""
    process = FORKS.Process(target=_run, args=([str(one) for one in arguments], folder, kill_at, None))
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def count_steps(arguments: Sequence[object], folder: Path) -> int:
    """Run the command to its end, and return how many steps it took."""
    here, there = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_run, args=([str(one) for one in arguments], folder, _NEVER, there))
    process.start()
    there.close()
    taken: int = here.recv()
    process.join()
    assert process.exitcode == 0
    return taken


def _run(arguments: list[str], folder: Path, kill_at: int, answer: Any) -> None:  # noqa: ANN401 - a pipe
    steps = _Steps(kill_at)
    steps.watch(folder)
    code = main(arguments)
    if answer is not None:
        answer.send(steps.taken)
    os._exit(code)

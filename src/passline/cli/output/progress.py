"""Progress of long work: nothing for a second, then a bar on a terminal, and a line now and then anywhere else.

PASSLINE_PROGRESS=off shows none.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

__all__ = ["ShowProgress", "compiling_bar", "progress_bar"]

ShowProgress = Callable[[int, int | None, str], None]
"""Called with how much is done, of how much (None if that is not known), and what is being done."""

_PATIENCE_S = 1.0  # before anything is shown
_LINES_APART_MAX_S = 60.0  # between two lines where no bar can be drawn; they begin closer
_FRAMES_APART_S = 0.1


class _Watch:
    """A thread that shows the newest progress, also while the work itself does not report any."""

    def __init__(self, first: str) -> None:
        self.told: tuple[int, int | None, str] = (0, None, first)
        self._over = threading.Event()
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def tell(self, done: int, total: int | None, about: str) -> None:
        self.told = (done, total, about)

    def _show(self) -> None:
        if self._over.wait(_PATIENCE_S) or os.environ.get("PASSLINE_PROGRESS") == "off":
            return
        if sys.stderr.isatty():
            self._draw_bar()
        else:
            self._print_lines()

    def _draw_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (BarColumn(), TextColumn("{task.fields[count]}"), TextColumn("{task.description}"))
        with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self.told[2], total=None, count="")
            is_over = False
            while not is_over:
                done, total, about = self.told
                bar.update(task, completed=done, total=total, description=about, count=_count(done, total))
                is_over = self._over.wait(_FRAMES_APART_S)

    def _print_lines(self) -> None:
        apart = _PATIENCE_S
        while True:
            done, total, about = self.told
            seconds = time.monotonic() - self._begun
            print(f"passline: {about}: {_count(done, total) or 'begun'}, {seconds:.0f} s", file=sys.stderr, flush=True)
            apart = min(2 * apart, _LINES_APART_MAX_S)
            if self._over.wait(apart):
                return


def _count(done: int, total: int | None) -> str:
    if not done:
        return ""
    return f"{done:,}" if total is None else f"{done:,} of {total:,}"


@contextmanager
def progress_bar(first: str) -> Iterator[ShowProgress]:
    """Show progress on standard error once a second has passed, with `first` as its first text."""
    with _Watch(first) as watch:
        yield watch.tell


@contextmanager
def compiling_bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of compiling a strategy."""
    with progress_bar(name) as show:
        yield lambda done, known: show(done, known, f"states of {name} compiled")

"""Copies what was committed from SQLite's write-ahead log into its file, beside the commits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from passline.store.log import LogError

_CHECKPOINT_SECONDS = 0.5  # between two of them: a page that was written many times meanwhile is copied once


class Checkpoints:
    """A thread that makes a checkpoint twice a second while commits are made.

    Without it SQLite makes one during every two hundredth commit or so, which then takes ten times as long.
    """

    def __init__(self, checkpoint: Callable[[], object]) -> None:
        self._checkpoint = checkpoint
        self._grown, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def note(self) -> None:
        """Note that something was committed."""
        if self._grown.is_set():
            return
        self._grown.set()
        if self._thread is None:
            self._thread = Thread(target=self._run, name="passline-checkpoints", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop; closing the last connection makes the last checkpoint."""
        self._closing.set()
        self._grown.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(_CHECKPOINT_SECONDS):
            self._grown.wait()
            self._grown.clear()
            with suppress(LogError):  # a disk that is full or gone is told by the next commit
                if not self._closing.is_set():
                    self._checkpoint()

"""Copies what was committed from SQLite's write-ahead log into its file, beside the commits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from passline.store.log import LogError

_COMMITS_ENOUGH = 250  # after which they are copied: a page that was written many times meanwhile is copied once
_SECONDS_MIN, _SECONDS_MAX = 1.0, 5.0  # from one copy to the next, of a busy log and of one that grows slowly


class Checkpoints:
    """A thread that makes a checkpoint every 250 commits.

    Without it SQLite makes one during every two hundredth commit or so, which then takes ten times as long. A commit
    beside a checkpoint waits for the disk with it: twice a second that was one commit in a hundred of a single table.
    """

    def __init__(self, checkpoint: Callable[[], object]) -> None:
        self._checkpoint = checkpoint
        self._commits = 0  # since the last checkpoint
        self._grown, self._enough, self._closing = Event(), Event(), Event()
        self._thread: Thread | None = None

    def note(self) -> None:
        """Note that something was committed."""
        self._commits += 1
        if not self._grown.is_set():
            self._grown.set()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="passline-checkpoints", daemon=True)
                self._thread.start()
        if self._commits >= _COMMITS_ENOUGH and not self._enough.is_set():
            self._enough.set()

    def close(self) -> None:
        """Stop; closing the last connection makes the last checkpoint."""
        for event in (self._closing, self._grown, self._enough):
            event.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(_SECONDS_MIN):
            self._grown.wait()
            self._enough.wait(_SECONDS_MAX - _SECONDS_MIN)
            if self._closing.is_set():
                return
            self._commits = 0
            self._grown.clear()
            self._enough.clear()
            with suppress(LogError):  # a disk that is full or gone is told by the next commit
                self._checkpoint()

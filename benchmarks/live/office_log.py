"""The stream of an office whose acts are written many at a time, chained and sealed."""

from __future__ import annotations

from msgspec import json

from passline.acts.course import OFFICE_STREAM
from passline.acts.state import ActState
from passline.store.entry import Draft
from passline.store.log import Snapshot
from passline.store.sealed import Log

NO_HASH = "0" * 64
"""Of the entry behind a slip's code: nobody looks it up here."""
_BATCH = 1_000


class OfficeLog:
    """An office's stream; what is written goes to the disk when enough of it is there."""

    def __init__(self, log: Log, office: str) -> None:
        self.log, self.stream = log, OFFICE_STREAM + office
        self.count = 0
        self._drafts: list[Draft] = []

    def write(self, draft: Draft) -> None:
        """Write an entry, sooner or later."""
        self._drafts.append(draft)
        self.count += 1
        if len(self._drafts) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write to the disk what is not there yet."""
        if self._drafts:
            self.log.append(self._drafts)
            self._drafts = []

    def keep(self, state: ActState) -> None:
        """Keep a snapshot, as a server does when it stops."""
        self.flush()
        last = list(self.log.read_stream(self.stream, after=self.count - 1))[-1]
        self.log.save_snapshot(Snapshot(self.stream, self.count, last.entry.sequence, last.hash, json.encode(state)))

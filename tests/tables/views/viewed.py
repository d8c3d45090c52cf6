"""Views of a log for tests: the entries of a sitting in a real log in memory, projected as a server does."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from passline.store.entry import Stored
from passline.store.memory import MemoryLog
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from passline.tables.views.projected import TableViews
from passline.tables.views.records import Activity, FoundRecords, Posting, Record, find_records


class KeptLog(MemoryLog):
    """A log in memory with the entries it is given, from the first on."""

    def __init__(self, entries: Iterable[Stored] = ()) -> None:
        super().__init__()
        self.keep(entries)

    def begin(self, *, log_id: str = "", at: str = "", is_demo: bool | None = None, may_begin: bool = True) -> None:  # noqa: ARG002
        """Write no first entry: the given ones begin the log."""
        self.log_id = "a-log"

    def keep(self, entries: Iterable[Stored]) -> None:
        """Append entries as they are."""
        self.insert(list(entries))


def projected(entries: Iterable[Stored]) -> tuple[ViewStore, KeptLog]:
    """Return the views of these entries, and their log."""
    log, store = KeptLog(entries), ViewStore(None, b"a key")
    projector = Projector(log, store, [TableViews(log)])
    while projector.advance(1000):
        pass
    return store, log


def _all(entries: Iterable[Stored], kind: str) -> list[dict[str, Any]]:
    """Return the records of a kind, oldest first, read in pages of three."""
    store, _log = projected(entries)
    found: list[dict[str, Any]] = []
    page = FoundRecords([], "")
    while True:
        page = find_records(store, kind, before=page.further, limit=3)
        found += page.records
        if not page.further:
            return found[::-1]


def records(entries: Iterable[Stored], record_class: str) -> list[Record]:
    return msgspec.convert(_all(entries, record_class), list[Record])


def activity(entries: Iterable[Stored]) -> Sequence[Activity]:
    return msgspec.convert(_all(entries, "activity"), list[Activity])


def postings(entries: Iterable[Stored]) -> list[Posting]:
    return msgspec.convert(_all(entries, "postings"), list[Posting])

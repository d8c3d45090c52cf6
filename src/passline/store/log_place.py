"""A log in a database as it is read by those who verify it: any process may, and nothing is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain, islice
from typing import NamedTuple, Protocol

from passline.store.archived.files import ArchiveFiles
from passline.store.archived.index import Archive, filled_rows
from passline.store.archived.sealed_state import SealedState, read_state
from passline.store.entry import LogRow
from passline.store.log import Secret
from passline.store.named_segments import Segment


class DatabaseRows(Protocol):
    """Reads rows that are in the database itself."""

    def after(self, sequence: int) -> Iterator[LogRow]:
        """Yield the rows after an entry, in order."""

    def at(self, sequence: int) -> LogRow | None:
        """Return the row of an entry."""

    def streams(self) -> list[str]:
        """Return the names of all streams; from here on everything is read as it is now."""

    def of_stream(self, stream: str, after: int) -> Iterator[LogRow]:
        """Yield the rows of a stream after a version, in order."""


class OpenPlace(NamedTuple):
    """A log that is being read."""

    rows: DatabaseRows
    archive: Archive | None  # None where a log has no such tables

    def row_at(self, sequence: int) -> LogRow | None:
        """Return the row of an entry, archived or not."""
        if (row := self.rows.at(sequence)) is not None:
            return row
        file = self.archive.file_with(sequence) if self.archive else None
        return next(file.rows(after=sequence - 1, until=sequence), None) if file else None


class LogPlace(ABC):
    """Where a log is. It can be sent to another process."""

    @abstractmethod
    def open(self) -> AbstractContextManager[OpenPlace]:
        """Begin to read the log."""

    @abstractmethod
    def open_files(self) -> AbstractContextManager[ArchiveFiles]:
        """Begin to read the files of its archive."""

    @abstractmethod
    def damages(self, after: int = 0) -> list[str]:
        """Return what is wrong with the database itself and with archived segments, of those only after a number."""

    @abstractmethod
    def secrets(self) -> Iterator[Secret]:
        """Yield the rows of the vault."""

    def rows(self, after: int = 0) -> Iterator[LogRow]:
        """Yield the rows after an entry, archived or not, for somebody who verifies them."""
        with self.open() as opened:
            yield from filled_rows(opened.rows.after(after), opened.archive, after)

    def rows_of(self, *kinds: str) -> Iterator[LogRow]:
        """Yield the rows of some kinds of streams, archived or not, stream by stream."""
        with self.open() as opened:
            for name in opened.rows.streams():
                if name.partition("/")[0] in kinds:
                    archived = opened.archive.last_version(name) if opened.archive else 0
                    if opened.archive and archived:
                        yield from opened.archive.stream_rows(name, 0, None)
                    yield from opened.rows.of_stream(name, archived)

    def row_at(self, sequence: int) -> LogRow | None:
        """Return the row of an entry, archived or not; raise LogError if it cannot be read."""
        with self.open() as opened:
            return opened.row_at(sequence)

    def segments(self) -> list[Segment]:
        """Return the segments that the database reads from its archive."""
        with self.open() as opened:
            return opened.archive.segments() if opened.archive else []

    def segment_rows(self, segment: Segment) -> Iterator[LogRow]:
        """Yield the rows of a segment as the log reads them, the first of all from the database; without columns."""
        with self.open() as opened:
            if opened.archive is None:
                return
            rows = opened.archive.file_of(segment).unchecked_rows()
            first = opened.rows.at(1) if segment.first == 1 else None
            yield from chain((first,), islice(rows, 1, None)) if first else rows

    def segment_damages(self, segment: Segment, ids: Sequence[int] = ()) -> list[str]:
        """Return what is wrong with the file of an archived segment, and with what the database knows of it.

        `ids` are the keys of the ids of its entries, where somebody has read them.
        """
        with self.open() as opened:
            return list(opened.archive.faults_of(segment, ids)) if opened.archive else []

    def has_file(self, segment: Segment) -> bool:
        """Return whether the file of a segment is there."""
        with self.open_files() as files:
            return files.has(segment.name)

    def read_state(self, segment: Segment) -> SealedState:
        """Return the sealed state after a segment; raise as `sealed_state.read_state` does."""
        with self.open_files() as files:
            return read_state(files, segment)

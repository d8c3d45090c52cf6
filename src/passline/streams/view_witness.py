"""Uses the entries that pages were made from to show that a log was not cut, or replaced by an older copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from passline.store.entry import LogRow
from passline.streams.projection import positions_in
from passline.streams.projection_store import VIEWS_FILE


class PagesRead:
    """Holds a log against the entries that the pages of its house were made from: a witness in the data folder."""

    def __init__(self, data: Path | None) -> None:
        self._positions = positions_in(data / VIEWS_FILE) if data else []
        self._wanted = {position.sequence for position in self._positions}
        self._found: dict[int, str] = {}
        self._last = 0

    def compare(self, rows: Iterable[LogRow]) -> Iterator[LogRow]:
        """Yield rows as they are read, and remember those that pages were made up to."""
        for row in rows:
            self._last = row.columns[0] if row.columns else self._last + 1
            if self._last in self._wanted:
                self._found[self._last] = row.hash.hex()
            yield row

    def look_up(self, find: Callable[[int], LogRow | None], last: int) -> None:
        """Remember the entries that pages were made up to, of a log of which `find` returns an entry's row."""
        self._last = last
        found = {sequence: row for sequence in self._wanted if (row := find(sequence)) is not None}
        self._found = {sequence: row.hash.hex() for sequence, row in found.items()}

    def faults(self, log_id: str) -> Iterator[str]:
        """Yield a fault if the log that was read is not the one that pages were made from."""
        own = {known.sequence: known.hash for known in self._positions if known.log_id == log_id and known.sequence}
        for number, digest in sorted(own.items()):
            if number > self._last:
                yield (
                    f"the log ends with entry {self._last}, and pages of this house were made from it up to entry"
                    f" {number} (views.sqlite): it was cut, or an older one was put in its place"
                )
            elif self._found.get(number) != digest:
                yield (
                    f"entry {number} is not the one that pages of this house were made from (views.sqlite): the log was"
                    " written anew since"
                )

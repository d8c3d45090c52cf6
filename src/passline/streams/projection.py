"""`Projection`: what a page shows of the whole log, kept up with it entry by entry and made again from it at any time.

A page must not cost more as the log grows, so none of them folds the log. Instead a projection reads each entry once,
in order, and keeps rows that a page finds by an index. `projection_runner.LogViews` keeps all projections of a server
up with the log; adding one is a subclass of `Projection` in the list given to it.
"""

from __future__ import annotations

import logging
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

from msgspec import MsgspecError, Struct, json

from passline.store.entry import Stored
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.projection_store import SEAL_BYTES, ViewReader, ViewsNotReady, ViewStore, ViewWriter


class Projection(ABC):
    """One projection: its tables, and what an entry of the log does to them.

    >>> class PerActor(Projection):
    ...     name, version = "per-actor", 1
    ...     tables = {"acts": "CREATE TABLE acts (actor TEXT PRIMARY KEY, number INTEGER NOT NULL)"}
    ...
    ...     def apply(self, writer, entries):
    ...         counted = "INSERT INTO acts VALUES (?, 1) ON CONFLICT (actor) DO UPDATE SET number = number + 1"
    ...         writer.write(counted, [(stored.entry.actor,) for stored in entries])

    Each entry is applied once, whatever happens in between, and a page reads one row:

    >>> from passline.store.memory import MemoryLog
    >>> log, store = MemoryLog(log_id="a-log", at="2026-11-15T08:00:00.000000Z"), ViewStore(None, b"a key")
    >>> projector = Projector(log, store, [PerActor()])
    >>> projector.advance(100), projector.advance(100), projector.last_applied()
    (1, 0, 1)
    >>> store.query("SELECT * FROM acts")
    [('passline', 1)]
    """

    name: ClassVar[str]
    version: ClassVar[int]  # raise it whenever other rows would be stored: it is then made again from the log
    tables: ClassVar[dict[str, str]]  # each table by name, and how it is created
    indexes: ClassVar[tuple[str, ...]] = ()  # how they are created, and what else is set once

    @abstractmethod
    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        """Write what the next entries of the log do. It is one transaction together with the position reached."""

    def forget(self) -> None:  # noqa: B027 - most keep nothing
        """Forget what is in memory: a transaction failed, or another process wrote the last ones."""


class ViewPosition(Struct, frozen=True):
    """How far a projection is: the last entry it has applied, and that entry's hash."""

    name: str
    version: int
    log_id: str
    sequence: int = 0
    hash: str = ""


_log = logging.getLogger(__name__)
_decoder = json.Decoder(ViewPosition)
_POSITIONS = "CREATE TABLE IF NOT EXISTS positions (name TEXT PRIMARY KEY, body BLOB NOT NULL)"


class Projector:
    """Applies entries of a log to projections, and makes those anew that do not belong to this log or program.

    Several processes may share one store: each step is decided inside its transaction, so none is done twice.
    """

    def __init__(self, log: Log, store: ViewStore, projections: Sequence[Projection]) -> None:
        self.store = store
        self._log = log
        self._projections = {projection.name: projection for projection in projections}
        self._own: dict[str, ViewPosition] = {}  # what this process wrote last
        self._generation = 0

    def last_applied(self) -> int:
        """Return the last entry that every projection has applied; 0 while one of them has yet to begin."""
        found = self._positions(self.store)
        return min((position.sequence for position in found.values()), default=0)

    def advance(self, most: int) -> int:
        """Apply at most so many of the next entries; return how many. Those furthest behind come first."""
        if self.store.generation != self._generation:
            self.begin()
        try:
            positions = self._positions(self.store)
        except ViewsNotReady:
            self._generation = 0  # begin again the next time
            raise
        low = min(position.sequence for position in positions.values())
        group = [self._projections[name] for name, position in positions.items() if position.sequence == low]
        ahead = [position.sequence for position in positions.values() if position.sequence > low]
        found = list(self._log.read(after=max(0, low - 1), until=min([low + most, *ahead])))
        if low:
            known = {positions[projection.name].hash for projection in group}
            if not found or found[0].entry.sequence != low or known != {found[0].hash.hex()}:
                _log.warning("the log does not have entry %d as pages were made from it: run passline verify", low)
                with self.store.transaction() as writer:
                    self._make(writer, group)  # the log was restored or rewritten: what was read of it is void
                return 0
            del found[0]
        if not found:
            return 0
        if [stored.entry.sequence for stored in found] != [*range(low + 1, low + 1 + len(found))]:
            raise LogError(f"entries are missing after entry {low}: run passline verify on this log")
        return self._apply(positions, group, found)

    def _apply(self, positions: dict[str, ViewPosition], group: Sequence[Projection], found: Sequence[Stored]) -> int:
        try:
            with self.store.transaction() as writer:
                if self._positions(writer) != positions:
                    return 0  # another process was quicker
                for projection in group:
                    if self._own.get(projection.name) != positions[projection.name]:
                        projection.forget()
                    projection.apply(writer, found)
                last = found[-1]
                reached = [self._position(projection, last.entry.sequence, last.hash.hex()) for projection in group]
                self._keep(writer, reached)
        except BaseException:
            for projection in group:
                self._own.pop(projection.name, None)
            raise
        self._own |= {position.name: position for position in reached}
        return len(found)

    def begin(self) -> None:
        """Create the tables of projections that are new here, or were written by another version or for another log."""
        self._own.clear()
        with self.store.transaction() as writer:
            writer.query(_POSITIONS)
            kept = self._positions(writer)
            self._make(
                writer, [projection for name, projection in self._projections.items() if not kept[name].sequence]
            )
        self._generation = writer.generation

    def _make(self, writer: ViewWriter, group: Sequence[Projection]) -> None:
        for projection in group:
            for table in projection.tables:
                writer.query(f"DROP TABLE IF EXISTS {table}")
            for sql in (*projection.tables.values(), *projection.indexes):
                writer.query(sql)
            self._own.pop(projection.name, None)
        self._keep(writer, [self._position(projection) for projection in group])

    def _position(self, projection: Projection, sequence: int = 0, hash_: str = "") -> ViewPosition:
        return ViewPosition(projection.name, projection.version, self._log.log_id, sequence, hash_)

    def _keep(self, writer: ViewWriter, positions: Sequence[ViewPosition]) -> None:
        rows = [(position.name, writer.seal("position", json.encode(position))) for position in positions]
        writer.write("INSERT OR REPLACE INTO positions VALUES (?, ?)", rows)

    def _positions(self, reader: ViewReader) -> dict[str, ViewPosition]:
        """Return how far each projection is; at 0 if what is stored is not its own."""
        found = {name: self._position(projection) for name, projection in self._projections.items()}
        for [body] in reader.query("SELECT body FROM positions"):
            try:
                kept = _decoder.decode(reader.unseal("position", body))
            except MsgspecError:
                continue
            wanted = found.get(kept.name)
            if wanted and (kept.version, kept.log_id) == (wanted.version, wanted.log_id):
                found[kept.name] = kept
        return found


def positions_in(path: Path) -> list[ViewPosition]:
    """Return up to which entries of its log the views in a file were made, as the file itself says.

    Nothing where there is no such file, or it cannot be read.
    """
    if not path.is_file():
        return []
    mode = "ro" if path.with_name(f"{path.name}-wal").exists() else "ro&immutable=1"  # no file is made beside it
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)) as connection:
            bodies = [bytes(body) for [body] in connection.execute("SELECT body FROM positions")]
        return [_decoder.decode(body[SEAL_BYTES:]) for body in bodies]
    except (sqlite3.Error, MsgspecError, TypeError):
        return []

"""A small projection and a log to project, for tests."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Raw

from passline.store.entry import Draft, Stored
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.projection import Projection
from passline.streams.projection_store import ViewStore, ViewWriter

AT = "2026-11-15T08:00:00.000000Z"


class Tally(Projection):
    """Counts the entries of each actor; if it is `lost`, it dies after writing."""

    name = "tally"
    version = 1
    tables: ClassVar[dict[str, str]] = {
        "tally": "CREATE TABLE tally (actor TEXT PRIMARY KEY, number INTEGER NOT NULL)",
        "actors": "CREATE TABLE actors (sequence INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    }

    def __init__(self) -> None:
        self.lost: BaseException | None = None
        self.forgotten = 0
        self.applied: list[int] = []

    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        counted = "INSERT INTO tally VALUES (?, 1) ON CONFLICT (actor) DO UPDATE SET number = number + 1"
        writer.write(counted, [(stored.entry.actor,) for stored in entries])
        rows = [(one.entry.sequence, writer.seal("actor", one.entry.actor.encode())) for one in entries]
        writer.write("INSERT INTO actors VALUES (?, ?)", rows)
        self.applied += [stored.entry.sequence for stored in entries]
        if self.lost is not None:
            raise self.lost

    def forget(self) -> None:
        self.forgotten += 1


def log_of(entries: int, log_id: str = "a-log", actor: str = "ann") -> MemoryLog:
    """Return a log that begins, and has so many entries after that."""
    log = MemoryLog(SigningKey(bytes(32)), log_id=log_id, at=AT)
    append(log, entries, actor)
    return log


def append(log: Log, entries: int, actor: str = "ann") -> int:
    """Append entries and return the last sequence."""
    begun = log.streams().get("people", 0)
    for number in range(begun, begun + entries):
        draft = Draft(
            stream="people",
            expected=number,
            at=AT,
            actor=actor,
            role="player",
            id=f"{number}",
            command=Raw(b"{}"),
            events=Raw(b"[]"),
        )
        log.append([draft])
    head = log.head()
    return head.sequence if head else 0


def tally_in(store: ViewStore) -> dict[str, int]:
    """Return what was counted."""
    return dict(store.query("SELECT actor, number FROM tally"))

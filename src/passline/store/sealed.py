"""What memory, SQLite and PostgreSQL have in common as a log: its key, its first entry, its commits and snapshots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Protocol

from msgspec import MsgspecError, Struct, json

from passline.store.begun import LogBegun, beginning, begun_in
from passline.store.commit import EMPTY, Standing, Tip, commit_of
from passline.store.entry import Draft, Entry, Head, Line, Stored, head_message
from passline.store.keys import SigningKey, is_signed
from passline.store.log import LogError, Outcome, Snapshot

__all__ = ["PAGE", "Kept", "SealedLog", "Writer", "stored_of"]

PAGE = 1000
"""How many entries are read at once: no reader holds the database up for longer."""
_DECODER = json.Decoder(Entry)


class Kept(Struct, frozen=True):
    """A snapshot as it is kept, with its signature."""

    snapshot: Snapshot
    signature: bytes


class Writer(Protocol):
    """A transaction that nobody else writes beside."""

    def standing(self, drafts: Sequence[Draft]) -> Standing:
        """Give what is in the log that these drafts must be judged by."""

    def insert(self, entries: Sequence[Stored]) -> None:
        """Write entries."""


def stored_of(line: Line) -> Stored:
    """Read a line that nobody has tampered with."""
    try:
        return Stored(_DECODER.decode(line.body), line.body, line.hash, line.seal)
    except MsgspecError as error:
        where = line.columns[0] if line.columns else "?"
        raise LogError(f"entry {where} cannot be read ({error}): run passline verify on this log") from error


def _other_kind(begun: LogBegun) -> str:
    if begun.is_demo:
        return f"log {begun.log_id} is a demo's, of play money and guests: serve it with --demo, or name another --data"
    return f"log {begun.log_id} is a house's, not a demo's: serve it without --demo, or name another --data"


class SealedLog(ABC):
    """A log by what its database can do. See `passline.store.log.Log` for what each call means."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self.log_id = ""
        self.public_key = key.public

    def begin(self, *, log_id: str = "", at: str = "", is_demo: bool | None = None) -> None:
        """Write the first entry if nobody has, and check that the end of the log is ours to continue.

        A log of a demo is not opened as a house's, nor the other way round; None: whichever it is.
        """
        if self._tip().sequence == 0:
            draft = beginning(self.public_key, log_id=log_id, at=at, is_demo=bool(is_demo))
            self.log_id = draft.id  # to be signed over
            self.append([draft])  # of two who begin at once, one conflicts
        first = next(self.lines(until=1), None)
        begun = begun_in(stored_of(first).entry) if first else None
        if begun is None:
            raise LogError("the first entry does not say which log this is: run passline verify on it")
        if begun.public_key != self.public_key.hex():
            raise LogError(
                f"log {begun.log_id} is sealed with the key {begun.public_key}, and the key here is "
                f"{self.public_key.hex()}: put the log's own key file here"
            )
        if is_demo is not None and begun.is_demo != is_demo:
            raise LogError(_other_kind(begun))
        self.log_id = begun.log_id
        tip = self._tip()
        if not is_signed(head_message(self.log_id, tip.sequence, tip.hash), tip.seal, self.public_key):
            raise LogError(
                f"the seal of entry {tip.sequence}, the last, does not hold: run passline verify on this log"
            )

    def append(self, drafts: Sequence[Draft]) -> list[Outcome]:
        """Write what can be written in one durable commit."""
        if not drafts:
            return []
        with self._writing() as writer:
            commit = commit_of(
                drafts,
                writer.standing(drafts),
                seal=lambda sequence, hash_: self.sign(head_message(self.log_id, sequence, hash_)),
            )
            if commit.entries:
                writer.insert(commit.entries)
        return list(commit.outcomes)

    def read(self, *, after: int = 0, until: int = 0) -> Iterator[Stored]:
        """Give entries in order."""
        return map(stored_of, self.lines(after=after, until=until))

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Give entries of a stream in order."""
        return map(stored_of, self._stream_lines(stream, after, hand))

    def find(self, stream: str, actor: str, id: str) -> Stored | None:  # noqa: A002 - the entry's own word
        """Give the entry of a command id."""
        line = self._line_of(stream, actor, id)
        return stored_of(line) if line else None

    def head(self) -> Head | None:
        """Give the newest head."""
        tip = self._tip()
        return None if tip == EMPTY else tip.head()

    def sign(self, message: bytes) -> bytes:
        """Sign with the log's key."""
        return self._key.sign(message)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a signed snapshot."""
        self._keep(Kept(snapshot, self.sign(self._snapshot_message(snapshot))))

    def snapshot(self, stream: str) -> Snapshot | None:
        """Give a snapshot that this log's key signed and whose entry is still the one it was made after."""
        kept = self._kept(stream)
        if kept is None or not is_signed(self._snapshot_message(kept.snapshot), kept.signature, self.public_key):
            return None
        snapshot = kept.snapshot
        line = next(self.lines(after=snapshot.sequence - 1, until=snapshot.sequence), None)
        is_there = line is not None and line.hash == snapshot.hash and snapshot.stream == stream
        return snapshot if is_there else None

    def _snapshot_message(self, snapshot: Snapshot) -> bytes:
        """What is signed of a snapshot, each part with its length: no two snapshots share it."""
        parts = (
            b"passline snapshot/1",
            self.log_id.encode(),
            snapshot.stream.encode(),
            str(snapshot.version).encode(),
            str(snapshot.sequence).encode(),
            snapshot.hash,
            sha256(snapshot.state).digest(),
        )
        return b"".join(len(part).to_bytes(4) + part for part in parts)

    @abstractmethod
    def _tip(self) -> Tip:
        """The end of the log."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Writer]:
        """A transaction that is durable when it is left, and never was when it is left by an error."""

    @abstractmethod
    def lines(self, *, after: int = 0, until: int = 0) -> Iterator[Line]:
        """Give what lies in the log."""

    @abstractmethod
    def _stream_lines(self, stream: str, after: int, hand: int | None) -> Iterator[Line]:
        """The same of one stream."""

    @abstractmethod
    def _line_of(self, stream: str, actor: str, id_: str) -> Line | None:
        """The line of a command id."""

    @abstractmethod
    def _keep(self, kept: Kept) -> None:
        """Keep a snapshot in the place of the one of its stream: an old one, or one that somebody tampered with."""

    @abstractmethod
    def _kept(self, stream: str) -> Kept | None:
        """The snapshot of a stream, unchecked."""

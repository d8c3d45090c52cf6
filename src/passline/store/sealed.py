"""What memory, SQLite and PostgreSQL have in common as a log: its key, its first entry, its commits and snapshots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Protocol

from msgspec import MsgspecError, Struct, json

from passline.store.commit import EMPTY, Standing, Tip, commit_of
from passline.store.entry import Draft, Entry, Head, Line, Stored, chained, head_message
from passline.store.genesis import LogBegun, beginning, begun_in
from passline.store.keys import SigningKey, is_signed
from passline.store.log import LogChanged, LogError, Outcome, Snapshot

__all__ = ["PAGE", "Kept", "SealedLog", "Writer", "paged", "stored_of"]

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


def paged(page: Callable[[int], list[Line]], after: int, column: int) -> Iterator[Line]:
    """Give lines page by page, each from where the one before it ended by the number in this column."""
    while lines := page(after):
        yield from lines
        assert lines[-1].columns
        after = int(lines[-1].columns[column])


def _changed(sequence: int, trusted: Tip, how: str) -> LogChanged:
    head = trusted.head()
    return LogChanged(
        f"the log was changed or cut outside this program at entry {sequence} ({how}): keep it, and run "
        f"passline verify --head {head.sequence}:{head.hash}:{head.seal} on it; nothing is written until it is restored"
    )


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
        self._trusted: Tip | None = None  # what this process last wrote or verified; nothing until the log is begun

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
        if not self._is_sealed(tip):
            raise LogError(
                f"the seal of entry {tip.sequence}, the last, does not hold: run passline verify on this log"
            )
        self._trusted = tip

    def append(self, drafts: Sequence[Draft]) -> list[Outcome]:
        """Write what can be written in one durable commit."""
        if not drafts:
            return []
        with self._writing() as writer:
            trusted, standing = self._trusted, writer.standing(drafts)
            self._follow(trusted, standing.tip)  # whatever is sealed on top of it, this seals too
            commit = commit_of(
                drafts,
                standing,
                seal=lambda sequence, hash_: self.sign(head_message(self.log_id, sequence, hash_)),
            )
            if commit.entries:
                writer.insert(commit.entries)
        if trusted is not None:
            self._trusted = Tip(last.entry.sequence, last.hash, last.seal) if (last := commit.last) else standing.tip
        return list(commit.outcomes)

    def check(self) -> None:
        """Raise LogChanged where the log does not go on from what is known of it."""
        trusted = self._trusted  # before the tip is read, which only grows
        tip = self._tip()
        self._follow(trusted, tip)
        if trusted is not None:
            self._trusted = tip

    def _follow(self, trusted: Tip | None, tip: Tip) -> None:
        """Make sure that the log goes on from a tip that is trusted; what others wrote since is hashed again."""
        if trusted is None or tip == trusted:
            return
        if tip.sequence < trusted.sequence:
            raise _changed(tip.sequence + 1, trusted, f"cut below the acknowledged head {trusted.sequence}")
        reached = trusted
        for line in self.lines(after=trusted.sequence - 1, until=tip.sequence):
            sequence = line.columns[0] if line.columns else 0
            if sequence == trusted.sequence:
                if (line.hash, line.seal) != (trusted.hash, trusted.seal):
                    raise _changed(sequence, trusted, f"changed at or before the acknowledged head {trusted.sequence}")
                continue
            if sequence != reached.sequence + 1 or chained(reached.hash, reached.seal, line.body) != line.hash:
                break
            reached = Tip(sequence, line.hash, line.seal)
        if reached != tip or not self._is_sealed(tip):
            raise _changed(reached.sequence + (reached != tip), trusted, "written by something without its key")

    def _is_sealed(self, tip: Tip) -> bool:
        return is_signed(head_message(self.log_id, tip.sequence, tip.hash), tip.seal, self.public_key)

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

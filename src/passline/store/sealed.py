"""The log: key, first entry, commits and snapshots, on top of what a store can do.

Memory, SQLite and PostgreSQL pass the same tests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from hashlib import sha256
from threading import Lock
from typing import Protocol

from msgspec import MsgspecError, json
from msgspec.structs import replace

from passline.store.authentic_vault import ROWS_PURPOSE, recode
from passline.store.commit import EMPTY, Commit, LogState, Tip, commit_of
from passline.store.entry import FORMAT, Draft, Entry, Head, LogRow, Stored, chain_hash, head_message, unknown_format
from passline.store.genesis import (
    HOUSE,
    THE_LOG,
    KeyRotated,
    LogBegun,
    begun_in,
    event_in,
    genesis_draft,
    is_rotation_proved,
    rotation_id,
)
from passline.store.keys import SigningKey, bytes_of_hex, is_signed, key_in_force
from passline.store.log import AppendResult, BegunAppend, LogChanged, LogError, SignedSnapshot, Snapshot, Vault

GIVEN_UP_SECONDS = 24 * 60 * 60
"""How long a log remembers ids that were given up: far longer than any process has a draft on its way."""
_DECODER = json.Decoder(Entry)
_NEAR = 1000  # how many entries of others are checked while they wait to write
_ROTATED = b'"key-rotated/1"'


class IdTaken(Exception):
    """The log has an entry with the stream, actor and id of a new one."""


class CommitWriter(Protocol):
    """A transaction that is the only writer of the log."""

    def state_for(self, drafts: Sequence[Draft]) -> LogState:
        """Return the state of the log that these drafts are judged by."""

    def recalled_state(self, drafts: Sequence[Draft]) -> LogState | None:
        """Return that state from memory, or None where it must be read. It need not have the entries of known ids."""

    def insert(self, entries: Sequence[Stored]) -> None:
        """Append entries; raise IdTaken, with nothing written, if the log has an id of theirs already."""

    def settle(self) -> None:
        """Write something beside the log where that keeps an earlier commit from coming true after a crash."""

    def give_up(self, stream: str, actor: str, id_: str) -> None:
        """Write durably that a draft with this id is not to be written any more."""


def stored_of(row: LogRow) -> Stored:
    """Decode a row of a log that is trusted to be intact."""
    try:
        entry = _DECODER.decode(row.body)
    except MsgspecError as error:
        where, why = row.columns[0] if row.columns else "?", unknown_format(row.body)
        raise LogError(
            f"entry {where} {why or f'cannot be read ({error}): run passline verify on this log'}"
        ) from error
    if entry.format != FORMAT:
        raise LogError(f"entry {entry.sequence} {unknown_format(row.body)}")
    return Stored(entry, row.body, row.hash, row.seal)


def _log_changed(sequence: int, trusted: Tip, how: str) -> LogChanged:
    head = trusted.head()
    return LogChanged(
        f"the log was changed or cut by something else at entry {sequence} ({how}): keep it, and run passline verify "
        f"--head {head.sequence}:{head.hash}:{head.seal} on it; nothing is written until the log is restored"
    )


def _key_rotated(sequence: int, rotated: KeyRotated) -> LogChanged:
    return LogChanged(
        f"the log has a new key since entry {sequence} (rotated by {rotated.by}: {rotated.reason}), and this process "
        f"has the old one: put the new key file ({rotated.new_key}) here and restart it; nothing is written until then"
    )


def _other_kind(begun: LogBegun) -> str:
    if begun.is_demo:
        return f"log {begun.log_id} is a demo's, with play money: serve it with --demo, or choose another --data"
    return f"log {begun.log_id} is a house's, not a demo's: serve it without --demo, or choose another --data"


class Log(ABC):
    """An append-only, hash-chained log. All methods are thread-safe."""

    vault: Vault
    """Secrets beside the log."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self.log_id = ""
        """The log's random id, part of every signed head and checkpoint."""
        self.public_key = key.public
        """The raw Ed25519 key that verifies its seals."""
        self.rotations = 0  # of the key, in the log's life
        self._trusted: Tip | None = None  # what this process last wrote or verified; None until `begin`
        self._trusting = Lock()
        self._newest = 0, ""  # the newest entry that is known, and its time
        self.is_shared = False  # whether other processes write to it too while this one serves it
        self.guard: Callable[[], None] = lambda: None  # raises LogError if what the log needs is gone; see data_folder

    def begin(self, *, log_id: str = "", at: str = "", is_demo: bool | None = None, may_begin: bool = True) -> None:
        """Write the first entry if there is none, and check that the log is sealed with this key.

        Unless `is_demo` is None, refuse a demo's log as a house's, and the other way round. Without `may_begin`,
        refuse an empty log: its entries were lost.
        """
        if self._tip().sequence == 0:
            if not may_begin:
                raise LogError("the log has no entries: they were lost; restore the log from its backup")
            draft = genesis_draft(self.public_key, log_id=log_id, at=at, is_demo=bool(is_demo))
            self.log_id = draft.id
            self.append([draft])  # if two processes begin at once, one conflicts
        begun = self._read_beginning()
        if is_demo is not None and begun.is_demo != is_demo:
            raise LogError(_other_kind(begun))
        self.log_id = begun.log_id
        tip, keys = self._tip(), self.keys_since()
        rotated_at, newest = list(keys.items())[-1]
        key = self.take_key(newest)
        if key is None:
            raise LogError(
                f"log {begun.log_id} is sealed with the key {newest.hex()}, but the key here is "
                f"{self.public_key.hex()}: put the log's own key file here"
            )
        self._key, self.public_key, self.rotations = key, key.public, len(keys) - 1
        sealing = (
            [*keys.values()][-2] if tip.sequence == rotated_at > 1 else newest
        )  # a rotation ends the old key's part
        if not is_signed(head_message(self.log_id, tip.sequence, tip.hash), tip.seal, sealing):
            raise LogError(f"the seal of the last entry, {tip.sequence}, is not valid: run passline verify on this log")
        self._trusted = tip

    def _read_beginning(self) -> LogBegun:
        first = next(self.rows(until=1), None)
        begun = begun_in(stored_of(first).entry) if first else None
        if begun is None:
            raise LogError("the first entry does not hold the log's id and key: run passline verify on this log")
        return begun

    def take_key(self, public: bytes) -> SigningKey | None:
        """Return the key in force by its public part; if it takes the place of this one, so do the vault's codes."""

        def before(following: SigningKey) -> None:
            recode(self.vault, self._key.derive(ROWS_PURPOSE), following.derive(ROWS_PURPOSE))

        return key_in_force(self._key, public, before)

    @property
    def sequence(self) -> int:
        """The newest sequence number that this process wrote or verified. It takes no time."""
        return self._trusted.sequence if self._trusted else 0

    def keys_since(self) -> dict[int, bytes]:
        """Return the log's public keys, each by the entry that brought it, in order."""
        begun = self._read_beginning()
        old = bytes.fromhex(begun.public_key)
        keys = {1: old}
        while (stored := self.find(HOUSE, THE_LOG, rotation_id(len(keys)))) is not None:
            rotated, sequence = event_in(stored.entry, KeyRotated), stored.entry.sequence
            if rotated is None or not is_rotation_proved(rotated, begun.log_id, number=len(keys), old=old):
                raise LogError(
                    f"entry {sequence} brings a new key without the old one: run passline verify on this log"
                )
            keys[sequence] = old = bytes.fromhex(rotated.new_key)
        return keys

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        """Append drafts in one durable commit and return the result of each.

        A draft that conflicts or is known does not affect the others, except later ones of its stream, which then
        conflict too. After a LogError nothing was written; only after a CommitInDoubt this is not known.
        """
        while drafts:
            results = self._append_near(drafts)
            if results is not None:
                return results
            self.check()
        return []

    def begin_append(self, drafts: Sequence[Draft]) -> BegunAppend | None:  # noqa: ARG002 - where a store can
        """Do all of an append but waiting for the disk, in an event loop; None: `append` must do it, in a thread.

        Nothing is written when it is None, nor after an error.
        """
        return None

    def _append_near(self, drafts: Sequence[Draft]) -> list[AppendResult] | None:
        """Append drafts, unless others wrote so much since that checking it would hold up their writing."""
        with self._commit_writer() as writer:
            if (written := self._insert_as_recalled(writer, drafts)) is None:
                trusted, state = self._trusted, writer.state_for(drafts)
                if trusted is not None and state.tip.sequence - trusted.sequence > _NEAR:
                    return None
                written = state.tip, self._commit_of(drafts, state)
                if written[1].entries:
                    writer.insert(written[1].entries)
            tip, commit = written
        if not commit.entries:
            self._trust(tip)
        return self._note_written(commit)

    def _note_written(self, commit: Commit) -> list[AppendResult]:
        """Note what is in the log now, and return the results of its drafts."""
        if (last := commit.last) is not None:
            if last.entry.sequence > 1:
                dates = (stored.entry.at for stored in commit.entries)
                self._newest = last.entry.sequence, max([self._newest[1], *dates])
            self._trust(Tip(last.entry.sequence, last.hash, last.seal))
        return list(commit.results)

    def _insert_as_recalled(self, writer: CommitWriter, drafts: Sequence[Draft]) -> tuple[Tip, Commit] | None:
        """Write drafts by what is known of the log without reading it; None if it must be read."""
        if (recalled := writer.recalled_state(drafts)) is None:
            return None
        commit = self._commit_of(drafts, recalled)
        if len(commit.entries) < len(drafts):  # why one is not written is told by what is in the log
            return None
        try:
            writer.insert(commit.entries)
        except IdTaken:  # a command that was sent again
            return None
        return recalled.tip, commit

    def _commit_of(self, drafts: Sequence[Draft], state: LogState) -> Commit:
        """Check that the log continues what this process knows of it, and decide what is written."""
        trusted = self._trusted
        self._follow(trusted, state.tip)  # a new seal vouches for everything before it
        if trusted is not None and state.first != 1:
            raise _log_changed(1, trusted, f"it begins with entry {state.first}")
        if any(draft.in_order for draft in drafts):
            state = replace(state, at=self._at_of(state.tip))
        return commit_of(drafts, state, lambda at, hash_: self.sign(head_message(self.log_id, at, hash_)))

    def _at_of(self, tip: Tip) -> str:
        """Return the time of the newest entry; it is read only where another process wrote it.

        The entry that begins the log has none that counts: it may have been made with another clock.
        """
        if tip.sequence <= 1:
            return ""
        known, newest = self._newest
        if known != tip.sequence:
            after = known if 1 < known < tip.sequence else tip.sequence - 1
            dates = [stored_of(row).entry.at for row in self.rows(after=after, until=tip.sequence)]
            self._newest = tip.sequence, max([newest, *dates])
        return self._newest[1]

    def copy_from(self, other: Log) -> None:
        """Append, in one durable commit, what a copy of this log has had appended since: the same key sealed it.

        Raise LogError, and copy nothing, if it does not continue this one.
        """
        with self._commit_writer() as writer:
            begun = reached = writer.state_for(()).tip
            rows = list(other.rows(after=begun.sequence - 1))
            if not rows or (rows[0].hash, rows[0].seal) != (begun.hash, begun.seal):
                raise LogError(f"the other log does not continue entry {begun.sequence} of this one")
            for row in rows[1:]:
                if chain_hash(reached.hash, reached.seal, row.body) != row.hash:
                    raise LogError(f"the other log is broken after entry {reached.sequence}")
                reached = Tip(reached.sequence + 1, row.hash, row.seal)
            if not self._is_sealed(reached):
                raise LogError("the other log is sealed with another key")
            writer.insert([stored_of(row) for row in rows[1:]])
        self._trust(reached)

    def check(self) -> None:
        """Raise LogChanged if the log does not continue what this process last wrote or verified."""
        trusted = self._trusted  # read before the tip, which may advance meanwhile
        tip = self._tip()
        self._follow(trusted, tip)
        first = next(self.rows(until=1), None)
        if trusted is not None and first is None:
            raise _log_changed(1, trusted, "it is missing")
        self._trust(tip)

    def is_own(self, head: Head) -> bool:
        """Return whether the log's key sealed a head and the log, as verified by this process, reaches it.

        Raise LogChanged if the log does not continue what this process last wrote or verified.
        """
        trusted = self._trusted
        if trusted is not None and head == trusted.head():
            return True
        if not self._is_sealed(Tip(head.sequence, bytes_of_hex(head.hash), bytes_of_hex(head.seal))):
            return False
        if head.sequence > self.sequence:  # another process wrote it
            self.check()
        return head.sequence <= self.sequence

    def _trust(self, tip: Tip) -> None:
        """Record what was written or verified last. It never goes back: a check may end after a later commit."""
        with self._trusting:
            if self._trusted is not None and tip.sequence > self._trusted.sequence:
                self._trusted = tip

    def _follow(self, trusted: Tip | None, tip: Tip) -> None:
        """Check that the log continues the trusted tip, hashing again what others wrote since."""
        if trusted is None or tip == trusted:
            return
        if tip.sequence < trusted.sequence:
            raise _log_changed(tip.sequence + 1, trusted, f"cut before acknowledged entry {trusted.sequence}")
        reached = trusted
        for row in self.rows(after=trusted.sequence - 1, until=tip.sequence):
            sequence = row.columns[0] if row.columns else 0
            if sequence == trusted.sequence:
                if (row.hash, row.seal) != (trusted.hash, trusted.seal):
                    raise _log_changed(sequence, trusted, f"changed at or before acknowledged entry {trusted.sequence}")
                continue
            if sequence != reached.sequence + 1 or chain_hash(reached.hash, reached.seal, row.body) != row.hash:
                break
            reached = Tip(sequence, row.hash, row.seal)
            if _ROTATED in row.body and (rotated := event_in(stored_of(row).entry, KeyRotated)) is not None:
                number, old = self.rotations + 1, self.public_key
                if is_rotation_proved(rotated, self.log_id, number=number, old=old):
                    raise _key_rotated(sequence, rotated)
        if reached != tip or not self._is_sealed(tip):
            raise _log_changed(reached.sequence + (reached != tip), trusted, "written without the log's key")

    def _is_sealed(self, tip: Tip) -> bool:
        return is_signed(head_message(self.log_id, tip.sequence, tip.hash), tip.seal, self.public_key)

    def read(self, *, after: int = 0, until: int = 0) -> Iterator[Stored]:
        """Yield the entries after a sequence number, up to another (0: to the end), in order."""
        return map(stored_of, self.rows(after=after, until=until))

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Yield the entries of a stream after a version, or only those of one hand, in order."""
        return map(stored_of, self._stream_rows(stream, after, hand))

    def find(self, stream: str, actor: str, id: str) -> Stored | None:  # noqa: A002 - the name of the entry's field
        """Return the entry with this actor's command id, if any."""
        row = self._row_by_id(stream, actor, id)
        return stored_of(row) if row else None

    def find_decided(self, stream: str, actor: str, id: str, *, gives_up: bool = False) -> Stored | None:  # noqa: A002 - the name of the entry's field
        """Return the entry with this actor's command id; None only if no commit under way can still write it.

        With `gives_up` no process writes it later either: a draft that is still on its way is GivenUp.
        """
        with self._commit_writer() as writer:
            writer.settle()
            found = self.find(stream, actor, id)
            if found is None and gives_up:
                writer.give_up(stream, actor, id)
        return found

    def head(self) -> Head | None:
        """Return the newest head, or None for an empty log."""
        tip = self._tip()
        return None if tip == EMPTY else tip.head()

    def sign(self, message: bytes) -> bytes:
        """Return a signature by the log's key, for checkpoints and snapshots."""
        return self._key.sign(message)

    def derive(self, purpose: str) -> bytes:
        """Return a secret for one purpose, derived from the log's key, which is not in the database."""
        return self._key.derive(purpose)

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Sign and store a snapshot, replacing an older one of its stream."""
        self._write_snapshot(SignedSnapshot(snapshot, self.sign(self._snapshot_message(snapshot))))

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the stream's snapshot if this log's key signed it and its entry is still in the log."""
        kept = self._read_snapshot(stream)
        if kept is None or not is_signed(self._snapshot_message(kept.snapshot), kept.signature, self.public_key):
            return None
        snapshot = kept.snapshot
        row = next(self.rows(after=snapshot.sequence - 1, until=snapshot.sequence), None)
        is_there = row is not None and row.hash == snapshot.hash and snapshot.stream == stream
        return snapshot if is_there else None

    def _snapshot_message(self, snapshot: Snapshot) -> bytes:
        """Return the bytes to sign for a snapshot; each part has its length, so no two snapshots share them."""
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
        """Return the last entry of the log."""

    @abstractmethod
    def _commit_writer(self) -> AbstractContextManager[CommitWriter]:
        """Begin a transaction that is committed durably on leaving, or rolled back on an error."""

    @abstractmethod
    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows after a sequence number, up to another (0: to the end), in order and unverified."""

    @abstractmethod
    def streams(self) -> dict[str, int]:
        """Return the version of every stream."""

    @abstractmethod
    def changes_after(self, after: int) -> tuple[int, dict[str, int]]:
        """Return the newest sequence number, and the version of each stream with an entry after `after`."""

    @abstractmethod
    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait up to `timeout` seconds for an entry after `after`, by any writer; return whether there is one."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections."""

    @abstractmethod
    def _stream_rows(self, stream: str, after: int, hand: int | None) -> Iterator[LogRow]:
        """Yield the rows of a stream."""

    @abstractmethod
    def _row_by_id(self, stream: str, actor: str, id_: str) -> LogRow | None:
        """Return the row of a command id."""

    @abstractmethod
    def _write_snapshot(self, kept: SignedSnapshot) -> None:
        """Store a snapshot, replacing any other of its stream."""

    @abstractmethod
    def _read_snapshot(self, stream: str) -> SignedSnapshot | None:
        """Return the snapshot of a stream, unverified."""

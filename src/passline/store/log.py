"""The interface of every log store. Memory, SQLite and PostgreSQL pass the same tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from passline.errors import CrapsError
from passline.store.entry import Draft, Head, LogRow, Stored

__all__ = [
    "AppendResult",
    "Appended",
    "CommitInDoubt",
    "Conflict",
    "GivenUp",
    "Known",
    "Log",
    "LogChanged",
    "LogError",
    "Secret",
    "Snapshot",
    "TooLate",
    "Vault",
]


class LogError(CrapsError):
    """The log cannot be read or written. Nothing was written; a retry with the same ids acts once.

    `public` says why to anybody, without paths, names of databases or users; empty: only the operator may read why.
    """

    def __init__(self, why: str, *, public: str = "") -> None:
        super().__init__(why)
        self.public = public


class CommitInDoubt(LogError):
    """A commit was sent and its answer was lost: it is not known whether it was written.

    Appending the same drafts again tells: what was written is Known, and what was not is Appended now.
    """


class LogChanged(LogError):
    """The log was rewritten or cut by something else since this process last read it. Nothing more is written to it."""


class Appended(Struct, frozen=True):
    """The draft is durably in the log; `head` is the log's head after its commit."""

    stored: Stored
    head: Head


class Known(Struct, frozen=True):
    """The actor used this id in this stream before: that entry. Nothing was written."""

    stored: Stored
    head: Head


class Conflict(Struct, frozen=True):
    """The stream is not at the version that the draft expected: another writer was first. Nothing was written."""

    stream: str
    version: int  # the stream's present version


class GivenUp(Conflict, frozen=True):
    """Somebody asked about this id before it was written, and was told that it never acts. Nothing was written."""


class TooLate(Conflict, frozen=True):
    """The log has an entry that is so much newer than the draft that it would stand out of order. Nothing was written.

    It is to be decided again, at `at` or later.
    """

    at: str  # of the log's newest entry


AppendResult = Appended | Known | Conflict
"""The result of appending one draft."""


class Snapshot(Struct, frozen=True):
    """A stream's state, so that start-up need not replay the whole stream. A signed cache, never evidence."""

    stream: str
    version: int
    sequence: int
    hash: bytes  # of the entry at that sequence
    state: bytes


class Secret(Struct, frozen=True):
    """Something that must not be in the log, which auditors read: a password's hash, a session, an invitation."""

    kind: str
    key: str
    value: bytes
    expires: str = ""  # a timestamp; empty: never


class Vault(Protocol):
    """Secrets and counters beside the log, which may be changed and deleted."""

    def put(self, secret: Secret) -> None:
        """Store a secret, replacing any of the same kind and key."""

    def get(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired."""
        return self.get_all(kind, (key,), now=now).get(key)

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that exist and have not expired, by key."""

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired, and delete it; of two callers at once, one gets it."""

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret, if it exists."""

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it; a new or expired one starts at 1 and expires at `expires`."""

    def all(self) -> Iterator[Secret]:
        """Yield every secret, also expired ones that are still there."""


class Log(Protocol):
    """An append-only, hash-chained log. All methods are thread-safe."""

    @property
    def log_id(self) -> str:
        """The log's random id, part of every signed head and checkpoint."""

    @property
    def sequence(self) -> int:
        """The newest sequence number that this process wrote or verified. It takes no time."""

    @property
    def public_key(self) -> bytes:
        """The raw Ed25519 key that verifies its seals."""

    @property
    def vault(self) -> Vault:
        """Secrets beside the log."""

    def copy_from(self, other: Log) -> None:
        """Append, in one durable commit, what a copy of this log has had appended since: the same key sealed it.

        Raise LogError, and copy nothing, if it does not continue this one.
        """

    def append(self, drafts: Sequence[Draft]) -> list[AppendResult]:
        """Append drafts in one durable commit and return the result of each.

        A draft that conflicts or is known does not affect the others, except later ones of its stream, which then
        conflict too. After a LogError nothing was written; only after a CommitInDoubt this is not known.
        """

    def check(self) -> None:
        """Raise LogChanged if the log does not continue what this process last wrote or verified."""

    def is_own(self, head: Head) -> bool:
        """Return whether the log's key sealed a head and the log, as verified by this process, reaches it.

        Raise LogChanged if the log does not continue what this process last wrote or verified.
        """

    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows after a sequence number, up to another (0: to the end), in order and unverified."""

    def read(self, *, after: int = 0, until: int = 0) -> Iterator[Stored]:
        """Yield the entries after a sequence number, up to another (0: to the end), in order."""

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Yield the entries of a stream after a version, or only those of one hand, in order."""

    def find(self, stream: str, actor: str, id: str) -> Stored | None:  # noqa: A002 - the name of the entry's field
        """Return the entry with this actor's command id, if any."""

    def find_decided(self, stream: str, actor: str, id: str, *, gives_up: bool = False) -> Stored | None:  # noqa: A002 - the name of the entry's field
        """Return the entry with this actor's command id; None only if no commit under way can still write it.

        With `gives_up` no process writes it later either: a draft that is still on its way is GivenUp.
        """

    def streams(self) -> dict[str, int]:
        """Return the version of every stream."""

    def changes_after(self, after: int) -> tuple[int, dict[str, int]]:
        """Return the newest sequence number, and the version of each stream with an entry after `after`."""

    def head(self) -> Head | None:
        """Return the newest head, or None for an empty log."""

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait up to `timeout` seconds for an entry after `after`, by any writer; return whether there is one."""

    def keys_since(self) -> dict[int, bytes]:
        """Return the log's public keys, each by the entry that brought it, in order."""

    def sign(self, message: bytes) -> bytes:
        """Return a signature by the log's key, for checkpoints and snapshots."""

    def derive(self, purpose: str) -> bytes:
        """Return a secret for one purpose, derived from the log's key, which is not in the database."""

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Store a snapshot, replacing an older one of its stream."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return a stream's snapshot if its signature and hash are valid, else None."""

    def close(self) -> None:
        """Close files and connections."""

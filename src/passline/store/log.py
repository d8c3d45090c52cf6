"""What every log store answers and raises, and the vault of secrets beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from passline.errors import CrapsError
from passline.store.entry import Head, Stored


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


class BegunAppend(ABC):
    """Drafts that are written in a transaction which is still open. Whoever began it must commit it, soon."""

    @abstractmethod
    def commit(self) -> None:
        """Make it durable, in any thread: the only part that waits for the disk. Raise as `Log.append` does."""

    @abstractmethod
    def results(self) -> list[AppendResult]:
        """Return the result of each draft after the commit; raise CommitInDoubt if the log is not there any more."""


class Snapshot(Struct, frozen=True):
    """A stream's state, so that start-up need not replay the whole stream. A signed cache, never evidence."""

    stream: str
    version: int
    sequence: int
    hash: bytes  # of the entry at that sequence
    state: bytes


class SignedSnapshot(Struct, frozen=True):
    """A snapshot as stored, with its signature."""

    snapshot: Snapshot
    signature: bytes


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

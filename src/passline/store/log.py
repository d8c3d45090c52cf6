"""What every store of the log can do; memory, SQLite and PostgreSQL pass one suite of tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from passline.errors import CrapsError
from passline.store.entry import Draft, Head, Line, Stored

__all__ = ["Conflict", "Done", "Known", "Log", "LogChanged", "LogError", "Outcome", "Secret", "Snapshot", "Vault"]


class LogError(CrapsError):
    """The log cannot be read or written. Nothing was acknowledged; ask again with the same ids, and each acts once."""


class LogChanged(LogError):
    """Somebody else rewrote or cut the log since this process last knew it. Nothing is written onto it."""


class Done(Struct, frozen=True):
    """The draft is in the log, durably, and the newest head of its commit."""

    stored: Stored
    head: Head


class Known(Struct, frozen=True):
    """The same actor sent the same id to the same stream before: what that brought about. Nothing was written."""

    stored: Stored
    head: Head


class Conflict(Struct, frozen=True):
    """The stream is not as long as the draft expected: somebody else wrote first. Nothing was written."""

    stream: str
    version: int  # what it is now


Outcome = Done | Known | Conflict
"""What became of one draft."""


class Snapshot(Struct, frozen=True):
    """A stream's state kept so that start-up need not fold it from the beginning; a cache, signed, never evidence."""

    stream: str
    version: int
    sequence: int
    hash: bytes  # of the entry at that sequence
    state: bytes


class Secret(Struct, frozen=True):
    """Something that must not be in a log anybody may read: a password's hash, a session, an invitation."""

    kind: str
    key: str
    value: bytes
    expires: str = ""  # UTC like an entry's; empty: never


class Vault(Protocol):
    """Secrets and counters beside the log, which may change and be forgotten."""

    def put(self, secret: Secret) -> None:
        """Keep a secret, in the place of any of the same kind and key."""

    def get(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret that has not expired."""

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Give those of many secrets that are kept and have not expired, by their keys."""

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret that has not expired and forget it; of two at once, one gets it."""

    def forget(self, kind: str, key: str) -> None:
        """Forget a secret, if it is there."""

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and give it; one that has expired starts over at 1, with the expiry given then."""


class Log(Protocol):
    """An append-only, hash-chained log. Every call may come from any thread."""

    @property
    def log_id(self) -> str:
        """What this log is called, made once at random: heads and checkpoints are signed over it."""

    @property
    def public_key(self) -> bytes:
        """The raw Ed25519 key by which its seals are checked."""

    @property
    def vault(self) -> Vault:
        """Secrets beside the log."""

    def append(self, drafts: Sequence[Draft]) -> list[Outcome]:
        """Write what can be written in one durable commit, and say of each draft what became of it.

        A draft that conflicts or is known leaves the others alone, except later ones of the same stream, which conflict
        too because they expected it. After a LogError nothing is acknowledged.
        """

    def check(self) -> None:
        """Raise LogChanged where the log does not go on from what this process last wrote or verified."""

    def lines(self, *, after: int = 0, until: int = 0) -> Iterator[Line]:
        """Give what lies in the log after a sequence, up to another (0: to the end), in order, unchecked."""

    def read(self, *, after: int = 0, until: int = 0) -> Iterator[Stored]:
        """Give the entries after a sequence, up to another (0: to the end), in order."""

    def read_stream(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[Stored]:
        """Give the entries of a stream after a version, or those of one hand, in order."""

    def find(self, stream: str, actor: str, id: str) -> Stored | None:  # noqa: A002 - the entry's own word
        """Give the entry that an actor's command id brought about, if any."""

    def streams(self) -> dict[str, int]:
        """Give every stream and its version."""

    def head(self) -> Head | None:
        """Give the newest head, or nothing for an empty log."""

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log is longer than a sequence, whoever wrote it; say whether it is after so many seconds."""

    def sign(self, message: bytes) -> bytes:
        """Sign with the log's key: a checkpoint, a snapshot."""

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a snapshot in the place of an older one of its stream."""

    def snapshot(self, stream: str) -> Snapshot | None:
        """Give the newest snapshot of a stream whose signature and hash hold; else nothing."""

    def close(self) -> None:
        """Let go of files and connections."""

"""A log in memory, for tests and demonstrations: everything but durable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Lock

from passline.store.commit import EMPTY, Standing, Tip
from passline.store.entry import Draft, Line, Stored, columns_of
from passline.store.keys import SigningKey
from passline.store.log import Secret
from passline.store.sealed import Kept, SealedLog

__all__ = ["MemoryLog", "MemoryVault"]


class MemoryVault:
    """Secrets in a dictionary."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._secrets: dict[tuple[str, str], Secret] = {}
        self._counts: dict[tuple[str, str], tuple[int, str]] = {}

    def put(self, secret: Secret) -> None:
        """Keep a secret."""
        with self._lock:
            self._secrets[secret.kind, secret.key] = secret

    def get(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret that has not expired."""
        secret = self._secrets.get((kind, key))
        return secret if secret and (not secret.expires or secret.expires > now) else None

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Give those of many that have not expired."""
        return {key: secret for key in keys if (secret := self.get(kind, key, now=now))}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Give a secret and forget it."""
        with self._lock:
            secret = self.get(kind, key, now=now)
            self._secrets.pop((kind, key), None)
            return secret

    def forget(self, kind: str, key: str) -> None:
        """Forget a secret."""
        with self._lock:
            self._secrets.pop((kind, key), None)

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and give it."""
        with self._lock:
            number, until = self._counts.get((kind, key), (0, expires))
            number, until = (number + 1, until) if until > now else (1, expires)
            self._counts[kind, key] = number, until
            return number


class MemoryLog(SealedLog):
    """A log in lists and dictionaries.

    >>> log = MemoryLog(SigningKey(bytes(32)), log_id="a-log", at="2026-11-15T08:00:00.000000Z")
    >>> [stored.entry.stream for stored in log.read()], log.head().hash[:8]
    (['house'], '83c9cb08')
    """

    def __init__(self, key: SigningKey | None = None, *, log_id: str = "", at: str = "") -> None:
        super().__init__(key or SigningKey.new())
        self._changed = Condition()
        self._lines: list[Line] = []
        self._streams: dict[str, list[Line]] = {}
        self._ids: dict[tuple[str, str, str], Stored] = {}
        self._snapshots: dict[str, Kept] = {}
        self.vault = MemoryVault()
        self.begin(log_id=log_id, at=at)

    def lines(self, *, after: int = 0, until: int = 0) -> Iterator[Line]:
        """Give what lies in the log."""
        return iter(self._lines[after : until or None])

    def streams(self) -> dict[str, int]:
        """Give every stream and its version."""
        with self._changed:
            return {stream: len(lines) for stream, lines in self._streams.items()}

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log is longer than a sequence."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._lines) > after, timeout)

    def close(self) -> None:
        """Nothing to let go of."""

    # What a commit needs.

    def standing(self, drafts: Sequence[Draft]) -> Standing:
        """Give what these drafts must be judged by."""
        names = ((draft.stream, draft.actor, draft.id) for draft in drafts)
        return Standing(
            self._tip(),
            {name: self._ids[name] for name in names if name in self._ids},
            {draft.stream: len(self._streams.get(draft.stream, ())) for draft in drafts},
        )

    def insert(self, entries: Sequence[Stored]) -> None:
        """Write entries; a reader sees all of them or none."""
        lines = [Line(one.body, one.hash, one.seal, columns_of(one.entry)) for one in entries]
        for stored, line in zip(entries, lines, strict=True):
            entry = stored.entry
            self._streams.setdefault(entry.stream, []).append(line)
            self._ids[entry.stream, entry.actor, entry.id] = stored
        self._lines.extend(lines)

    @contextmanager
    def _writing(self) -> Iterator[MemoryLog]:
        with self._changed:
            yield self
            self._changed.notify_all()

    def _tip(self) -> Tip:
        if not self._lines:
            return EMPTY
        last = self._lines[-1]
        return Tip(last.columns[0] if last.columns else 0, last.hash, last.seal)

    def _stream_lines(self, stream: str, after: int, hand: int | None) -> Iterator[Line]:
        lines = self._streams.get(stream, [])[after:]
        return (line for line in lines if hand is None or (line.columns and line.columns[-1] == hand))

    def _line_of(self, stream: str, actor: str, id_: str) -> Line | None:
        stored = self._ids.get((stream, actor, id_))
        return Line(stored.body, stored.hash, stored.seal) if stored else None

    def _keep(self, kept: Kept) -> None:
        with self._changed:
            self._snapshots[kept.snapshot.stream] = kept

    def _kept(self, stream: str) -> Kept | None:
        return self._snapshots.get(stream)

"""A log in memory, for tests and demonstrations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Lock

from passline.store.commit import EMPTY, LogState, Tip
from passline.store.entry import Draft, LogRow, Stored, columns_of
from passline.store.keys import SigningKey
from passline.store.log import Secret, SignedSnapshot, Vault
from passline.store.sealed import Log


class MemoryVault(Vault):
    """Secrets in a dictionary."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._secrets: dict[tuple[str, str], Secret] = {}
        self._counts: dict[tuple[str, str], tuple[int, str]] = {}

    def put(self, secret: Secret) -> None:
        """Store a secret."""
        with self._lock:
            self._secrets[secret.kind, secret.key] = secret

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that have not expired."""
        found = {key: secret for key in keys if (secret := self._secrets.get((kind, key)))}
        return {key: secret for key, secret in found.items() if not secret.expires or secret.expires > now}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired, and delete it."""
        with self._lock:
            secret = self.get(kind, key, now=now)
            self._secrets.pop((kind, key), None)
            return secret

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret."""
        with self._lock:
            self._secrets.pop((kind, key), None)

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it."""
        with self._lock:
            number, until = self._counts.get((kind, key), (0, expires))
            number, until = (number + 1, until) if until > now else (1, expires)
            self._counts[kind, key] = number, until
            return number

    def all(self) -> Iterator[Secret]:
        """Yield every secret."""
        return iter(list(self._secrets.values()))


class MemoryLog(Log):
    """A log in lists and dictionaries.

    >>> log = MemoryLog(SigningKey(bytes(32)), log_id="a-log", at="2026-11-15T08:00:00.000000Z")
    >>> [stored.entry.stream for stored in log.read()], log.head().hash[:8]
    (['house'], '83c9cb08')
    """

    def __init__(
        self, key: SigningKey | None = None, *, log_id: str = "", at: str = "", is_demo: bool | None = None
    ) -> None:
        super().__init__(key or SigningKey.new())
        self._changed = Condition()
        self._rows: list[LogRow] = []
        self._streams: dict[str, list[LogRow]] = {}
        self._ids: dict[tuple[str, str, str], Stored] = {}
        self._given_up: set[tuple[str, str, str]] = set()
        self._snapshots: dict[str, SignedSnapshot] = {}
        self.vault = MemoryVault()
        self.begin(log_id=log_id, at=at, is_demo=is_demo)

    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows of the log."""
        return iter(self._rows[after : until or None])

    def streams(self) -> dict[str, int]:
        """Return the version of every stream."""
        with self._changed:
            return {stream: len(rows) for stream, rows in self._streams.items()}

    def changes_after(self, after: int) -> tuple[int, dict[str, int]]:
        """Return the newest sequence number, and the streams with an entry after another."""
        entries = [stored.entry for stored in self.read(after=after)]
        newest = max((entry.sequence for entry in entries), default=after)
        return newest, {entry.stream: entry.version for entry in entries}

    def wait_for(self, after: int, timeout: float) -> bool:
        """Wait until the log has an entry after a sequence number."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._rows) > after, timeout)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def state_for(self, drafts: Sequence[Draft]) -> LogState:
        """Return the state of the log that these drafts are judged by."""
        names = ((draft.stream, draft.actor, draft.id) for draft in drafts)
        return LogState(
            self._tip(),
            {name: self._ids[name] for name in names if name in self._ids},
            {draft.stream: len(self._streams.get(draft.stream, ())) for draft in drafts},
            given_up=self._given_up,
        )

    def recalled_state(self, drafts: Sequence[Draft]) -> LogState | None:
        """Return nothing: all of it is in memory."""

    def insert(self, entries: Sequence[Stored]) -> None:
        """Append entries; a reader sees all of them or none."""
        rows = [LogRow(stored.body, stored.hash, stored.seal, columns_of(stored.entry)) for stored in entries]
        for stored, row in zip(entries, rows, strict=True):
            entry = stored.entry
            self._streams.setdefault(entry.stream, []).append(row)
            self._ids[entry.stream, entry.actor, entry.id] = stored
        self._rows.extend(rows)

    def settle(self) -> None:
        """Do nothing: no commit is ever in doubt."""

    def give_up(self, stream: str, actor: str, id_: str) -> None:
        """Note that a draft with this id is not to be written any more."""
        self._given_up.add((stream, actor, id_))

    @contextmanager
    def _commit_writer(self) -> Iterator[MemoryLog]:
        with self._changed:
            yield self
            self._changed.notify_all()

    def _tip(self) -> Tip:
        if not self._rows:
            return EMPTY
        last = self._rows[-1]
        return Tip(last.columns[0] if last.columns else 0, last.hash, last.seal)

    def _stream_rows(self, stream: str, after: int, hand: int | None) -> Iterator[LogRow]:
        rows = self._streams.get(stream, [])[after:]
        return (row for row in rows if hand is None or (row.columns and row.columns[-1] == hand))

    def _row_by_id(self, stream: str, actor: str, id_: str) -> LogRow | None:
        stored = self._ids.get((stream, actor, id_))
        return LogRow(stored.body, stored.hash, stored.seal) if stored else None

    def _write_snapshot(self, kept: SignedSnapshot) -> None:
        with self._changed:
            self._snapshots[kept.snapshot.stream] = kept

    def _read_snapshot(self, stream: str) -> SignedSnapshot | None:
        return self._snapshots.get(stream)

"""Decides what one commit writes. It is pure, so every store decides the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct, json

from passline.store.entry import ZERO_HASH, Draft, Head, Stored, chain_hash, entry_of
from passline.store.log import Appended, AppendResult, Conflict, GivenUp, Known, TooLate
from passline.store.timestamps import FOLLOWED_SECONDS, later

_ORDER_SECONDS = 2
"""How many seconds an entry may be dated before one of another stream that stands before it in the log.

Several processes decide at once, and a decision takes its date before the commit gives it a place.
"""


class Tip(Struct, frozen=True, gc=False):
    """The last entry of the log, to which the next one is chained."""

    sequence: int
    hash: bytes
    seal: bytes

    def head(self) -> Head:
        """Return the head that this entry makes, in hex."""
        return Head(self.sequence, self.hash.hex(), self.seal.hex())


EMPTY = Tip(0, ZERO_HASH, b"")
"""The tip of a log without entries."""


class LogState(Struct, frozen=True):
    """What must be known of the log to append some drafts to it."""

    tip: Tip
    known: Mapping[tuple[str, str, str], Stored]  # entries with the stream, actor and id of a draft
    versions: Mapping[str, int]  # of each draft's stream; 0, or absent, for a new stream
    first: int = 1  # the lowest sequence in the log; anything but 1 is a log without its start
    given_up: Collection[tuple[str, str, str]] = ()  # drafts that somebody was told will never act
    at: str = ""  # of the newest entry; only needed for drafts that want to be in order


class Commit(Struct, frozen=True):
    """The entries to write, and each draft's result once they are durable."""

    entries: tuple[Stored, ...]
    results: tuple[AppendResult, ...]

    @property
    def last(self) -> Stored | None:
        """The entry that becomes the last of the log."""
        return self.entries[-1] if self.entries else None


def is_out_of_order(at: str, newest: str) -> bool:
    """Return whether an entry of this time may not follow one of a newer time in another stream.

    >>> early, late = "2026-11-15T08:00:00.000000Z", "2026-11-15T08:00:02.000001Z"
    >>> is_out_of_order(early, late), is_out_of_order(early, late[:-2] + "0Z"), is_out_of_order(late, early)
    (True, False, False)
    """
    try:
        return at < newest and later(at, _ORDER_SECONDS) < newest
    except (ValueError, OverflowError):  # a forged entry
        return True


def _is_too_late(draft: Draft, newest: str) -> bool:
    """Return whether a draft must be decided again, at the log's time.

    One that is further behind is not: then a clock is wrong, and no server may move the time of all the others.
    """
    return draft.in_order and is_out_of_order(draft.at, newest) and newest <= later(draft.at, FOLLOWED_SECONDS)


def commit_of(drafts: Sequence[Draft], state: LogState, seal: Callable[[int, bytes], bytes]) -> Commit:
    """Decide which drafts become entries, chain these, and seal the last."""
    tip, seen, lengths = state.tip, dict(state.known), dict(state.versions)
    entries: list[Stored] = []
    skipped: set[str] = set()  # streams with a draft that is not written: later drafts were decided on top of it
    found: list[Stored | None] = []
    before, before_seal = tip.hash, tip.seal
    written: set[int] = set()
    late: dict[int, str] = {}  # the drafts that are dated before an entry, and its time
    newest = state.at
    for index, draft in enumerate(drafts):
        name = (draft.stream, draft.actor, draft.id)
        stored = seen.get(name)
        is_next = draft.expected == lengths.get(draft.stream, 0) and draft.stream not in skipped
        is_free = stored is None and is_next and name not in state.given_up
        if is_free and _is_too_late(draft, newest):
            late[index] = newest
            skipped.add(draft.stream)
        elif is_free:
            entry = entry_of(draft, tip.sequence + len(entries) + 1)
            body = json.encode(entry)
            before, before_seal = chain_hash(before, before_seal, body), b""
            stored = seen[name] = Stored(entry, body, before, b"")
            entries.append(stored)
            lengths[draft.stream] = entry.version
            written.add(index)
            newest = max(newest, entry.at)
        else:
            skipped.add(draft.stream)
        found.append(stored)
    if entries:
        last = entries[-1]
        sealed = Stored(last.entry, last.body, last.hash, seal(last.entry.sequence, last.hash))
        entries[-1] = sealed
        found = [sealed if stored is last else stored for stored in found]
        tip = Tip(sealed.entry.sequence, sealed.hash, sealed.seal)
    head = tip.head()

    def result(index: int, draft: Draft, stored: Stored | None) -> AppendResult:
        version = lengths.get(draft.stream, 0)
        if stored is not None:
            return (Appended if index in written else Known)(stored, head)
        if index in late:
            return TooLate(draft.stream, version, late[index])
        return (GivenUp if (draft.stream, draft.actor, draft.id) in state.given_up else Conflict)(draft.stream, version)

    pairs = zip(drafts, found, strict=True)
    return Commit(tuple(entries), tuple(result(index, draft, stored) for index, (draft, stored) in enumerate(pairs)))

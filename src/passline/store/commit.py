"""What one commit writes: pure, so that every store decides alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, json

from passline.store.entry import FIRST, Draft, Head, Stored, chained, entry_of
from passline.store.log import Conflict, Done, Known, Outcome

__all__ = ["EMPTY", "Commit", "Standing", "Tip", "commit_of"]


class Tip(Struct, frozen=True, gc=False):
    """The end of the log as the next entry is chained to it."""

    sequence: int
    hash: bytes
    seal: bytes

    def head(self) -> Head:
        """Give it as people keep it."""
        return Head(self.sequence, self.hash.hex(), self.seal.hex())


EMPTY = Tip(0, FIRST, b"")
"""The end of a log without entries."""


class Standing(Struct, frozen=True):
    """What is in the log that drafts must be judged by."""

    tip: Tip
    known: Mapping[tuple[str, str, str], Stored]  # the entries that have a draft's stream, actor and id
    versions: Mapping[str, int]  # how long each draft's stream is; 0, or left out, if there is none


class Commit(Struct, frozen=True):
    """The entries to write, and what becomes of each draft once they are durable."""

    entries: tuple[Stored, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def last(self) -> Stored | None:
        """The entry that becomes the end of the log."""
        return self.entries[-1] if self.entries else None


def commit_of(drafts: Sequence[Draft], standing: Standing, seal: Callable[[int, bytes], bytes]) -> Commit:
    """Decide which drafts become entries, chain them, and seal the last."""
    tip, seen, lengths = standing.tip, dict(standing.known), dict(standing.versions)
    entries: list[Stored] = []
    left_out: set[str] = set()  # streams of which a draft was not written: what was decided on top of it is void
    fates: list[Stored | None] = []
    before, before_seal = tip.hash, tip.seal
    fresh: set[int] = set()
    for index, draft in enumerate(drafts):
        name = (draft.stream, draft.actor, draft.id)
        stored = seen.get(name)
        if stored is None and draft.expected == lengths.get(draft.stream, 0) and draft.stream not in left_out:
            entry = entry_of(draft, tip.sequence + len(entries) + 1)
            body = json.encode(entry)
            before, before_seal = chained(before, before_seal, body), b""
            stored = seen[name] = Stored(entry, body, before, b"")
            entries.append(stored)
            lengths[draft.stream] = entry.version
            fresh.add(index)
        else:
            left_out.add(draft.stream)
        fates.append(stored)
    if entries:
        last = entries[-1]
        sealed = Stored(last.entry, last.body, last.hash, seal(last.entry.sequence, last.hash))
        entries[-1] = sealed
        fates = [sealed if fate is last else fate for fate in fates]
        tip = Tip(sealed.entry.sequence, sealed.hash, sealed.seal)
    head = tip.head()
    return Commit(
        tuple(entries),
        tuple(
            Conflict(draft.stream, lengths.get(draft.stream, 0))
            if stored is None
            else (Done if index in fresh else Known)(stored, head)
            for index, (draft, stored) in enumerate(zip(drafts, fates, strict=True))
        ),
    )

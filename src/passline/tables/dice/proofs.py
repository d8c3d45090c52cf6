"""Proves every electronic roll of a log from the log alone, and counts the rolls that cannot be proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from passline.dice import Roll
from passline.game import events as e
from passline.provable_dice import DiceKeys
from passline.store.entry import Entry, Stored
from passline.store.once import Once
from passline.store.verify import Fault
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.events import TableEvent

_OF_PROOFS = frozenset({t.DiceCommitted, t.WagersClosed, t.NonceTaken, t.DiceRevealed, t.DiceRenewed})
_DIGEST_BYTES = 8  # kept of each digest, to find one that was committed twice


class CommittedKey(Struct, frozen=True):
    """The commitment to the next electronic roll of a table, which has not been thrown yet."""

    sequence: int  # of the entry that commits to it
    stream: str
    number: int
    digest: str


class DiceProofs(Struct):
    """How many electronic rolls a log has, and how well they are proved."""

    proved: int = 0  # from a committed key and the entry that closed wagers
    without_nonce: int = 0  # of these: without a nonce of the shooter's
    late_nonces: int = 0  # of those: the shooter had one and it did not come in time
    unprovable: int = 0  # from before the first committed key
    given_up: list[Fault] = []  # keys that were given up without a roll, and why
    unlanded: list[Fault] = []  # throws whose wagers are closed and whose dice have not landed by the log's end
    committed: dict[str, CommittedKey] = {}  # to the next roll of each table: only the server's secret can prove it

    def foreign(self, keys: DiceKeys) -> Iterator[Fault]:
        """Yield the commitments to a next roll that are not of these keys: the log was written anew, or restored."""
        for key in self.committed.values():
            if keys.digest(key.stream, key.number) != key.digest:
                what = f"commits {key.stream} to a next roll that is not of this server's dice secret"
                yield Fault(key.sequence, f"{what}: the entry is forged, or the secret is of another house")


class _Throw(Struct):
    """A throw whose wagers are closed."""

    hash: bytes  # of the entry that closed them
    closed: int  # its sequence
    determined: int  # the entry from which on the roll can be only one
    has_nonce: bool


class ProofCheck:
    """What must hold between the entries of electronic rolls, beyond what each of them says by itself."""

    not_in_image = ("_once",)

    def __init__(self, proofs: DiceProofs, once: Once | None = None) -> None:
        self._proofs = proofs
        self._once = once or Once()  # digests
        self._committed = 0  # keys so far
        self._closings: dict[str, _Throw] = {}  # the open throw of each stream
        self._sealed = 0  # the newest entry so far that ends a commit
        self._restored: set[str] | None = None  # the streams renewed since a backup was restored; None: never was

    def recorded_dice(self, events: Sequence[TableEvent]) -> Callable[[], Roll] | None:
        """Return a function that throws the dice of an old entry; None once a key was committed in this log."""
        if self._committed:
            return None
        landed = [event for event in events if isinstance(event, e.DiceLanded)]

        def throw() -> Roll:
            if not landed or not all(face in range(1, 7) for face in (landed[0].first, landed[0].second)):
                return Roll(1, 1)  # the events will differ, which is reported
            return Roll(landed[0].first, landed[0].second)

        return throw

    def finish(self) -> None:
        """List the throws that are open at the end of the log."""
        open_throws = sorted(throw.closed for throw in self._closings.values())
        self._proofs.unlanded += (
            Fault(sequence, "closed wagers, and the dice have not landed") for sequence in open_throws
        )

    def note_restored(self) -> None:
        """Note that a backup was restored: every table may get a new key once, since the old ones may be known."""
        self._restored = set()

    def note_sealed(self, sequence: int) -> None:
        """Note a checked entry of any stream that is the last one of its commit."""
        self._sealed = sequence

    def faults_of(self, stored: Stored, command: object, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield what is wrong with the proof of a roll, and count it."""
        if isinstance(command, k.Roll) and any(isinstance(event, e.DiceLanded) for event in events):
            self._proofs.unprovable += 1
            if self._committed:
                yield "an electronic roll without an entry that closed wagers before it"
        for event in [event for event in events if type(event) in _OF_PROOFS]:  # of a roll's two hundred only a few
            yield from self._event(stored, event)

    def _event(self, stored: Stored, event: TableEvent) -> Iterator[str]:
        stream, sequence = stored.entry.stream, stored.entry.sequence
        match event:
            case t.DiceCommitted():
                self._committed += 1
                if (
                    self._once.place_of(("dice",), (event.digest[: 2 * _DIGEST_BYTES],), self._committed)
                    != self._committed
                ):
                    yield f"key number {event.number} was committed before, so that it may be known"
                self._proofs.committed[stream] = CommittedKey(sequence, stream, event.number, event.digest)
            case t.WagersClosed():
                self._closings[stream] = _Throw(stored.hash, sequence, sequence, has_nonce=bool(event.nonce_digest))
            case t.NonceTaken() if (throw := self._closings.get(stream)) is not None:
                if self._sealed < throw.determined:
                    yield f"the nonce is in the same commit as entry {throw.determined}, which closed wagers"
                throw.determined = sequence
            case t.DiceRevealed():
                yield from self._roll_faults(stored, event)
            case t.DiceRenewed():
                self._closings.pop(stream, None)
                yield from self._renewed_alone(stored.entry)
                self._proofs.given_up.append(Fault(sequence, f"gives up a key: {event.reason}"))
            case _:
                pass

    def _renewed_alone(self, entry: Entry) -> Iterator[str]:
        """Yield a fault if the house renewed a key by itself without a backup that was restored."""
        if entry.actor == THE_HOUSE.account:
            if self._restored is None or entry.stream in self._restored:
                yield "the house gives up a key by itself, though no backup was restored"
            else:
                self._restored.add(entry.stream)

    def _roll_faults(self, stored: Stored, event: t.DiceRevealed) -> Iterator[str]:
        throw = self._closings.pop(stored.entry.stream, None)
        if throw is None or event.hash != throw.hash.hex():
            yield f"roll number {event.number} names another hash than that of the entry that closed wagers"
        elif self._sealed < throw.determined:
            yield f"roll number {event.number} is in the same commit as entry {throw.determined}, which determines it"
        else:
            self._proofs.proved += 1
            self._proofs.without_nonce += not event.nonce
            self._proofs.late_nonces += not event.nonce and throw.has_nonce

"""Verifies a log: finds every edit, removal and reordering, and where it is.

An entry's hash covers its bytes and the hash and seal of the entry before it, so a change shows at its place unless
everything after it is hashed again; that shows at the next seal, which only the holder of the key can make. A cut at
the end of the log shows against a head that was kept elsewhere. Where the log got a new key, both keys signed it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise

from msgspec import MsgspecError, Struct, json

from passline.store.commit import EMPTY, Tip, is_out_of_order
from passline.store.entry import FORMAT, Entry, Head, LogRow, chain_hash, columns_of, head_message, unknown_format
from passline.store.genesis import (
    HOUSE,
    THE_LOG,
    EntriesArchived,
    KeyRotated,
    LogRestored,
    begun_in,
    event_in,
    is_rotation_proved,
    rotation_id,
)
from passline.store.keys import bytes_of_hex, is_signed
from passline.store.named_segments import Segment
from passline.store.once import Once

_WINDOW = 1024  # entries per checked seal: checking one takes as long as hashing 50 entries
_PROGRESS_EVERY = 10_000
_SEQUENCE_MAX = 2**63 - 1  # of a database's integers
_SEAL_LENGTHS = (0, 64)  # inside a commit, and at its end
_DECODER = json.Decoder(Entry)


class Fault(Struct, frozen=True, order=True):
    """Something that is wrong with an entry. `what` continues the sentence "entry 5 ..."."""

    sequence: int
    what: str


class Report(Struct, frozen=True, kw_only=True):
    """The result of verifying a log."""

    log_id: str
    public_key: str  # hex; the newest, if the log got a new key
    is_key_given: bool  # by the caller; the log's own key would make a log forged as a whole look intact
    is_key_newest: bool = True  # false: the given key was replaced and proves little; the first warning says where
    is_head_given: bool = False  # by the caller; without one a log that was cut at its end looks intact
    entries: int
    seals: int  # how many were checked; later seals cover the others
    head: Head | None  # the newest
    faults: tuple[Fault, ...]  # in order of sequence
    warnings: tuple[Fault, ...]
    notes: tuple[Fault, ...] = ()  # what the log records about itself: new keys, restorations
    restorations: tuple[tuple[Head, LogRestored], ...] = ()  # each with the head at its entry
    segments: tuple[Segment, ...] = ()  # that are archived, as the log names them

    @property
    def is_intact(self) -> bool:
        """Whether no fault was found."""
        return not self.faults


def verify_log(
    rows: Iterable[LogRow],
    public_key: bytes | None = None,
    head: Head | None = None,
    *,
    also: Sequence[Head] = (),
    every_seal: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check the chain, sequence, streams, ids and seals of a whole log, and heads that were kept elsewhere.

    The public key may be the log's first, its newest or any in between; but only the newest shows that nobody who has
    an older one wrote the log anew, so an older one brings a warning.

    >>> from passline.store.memory import MemoryLog
    >>> log = MemoryLog()
    >>> verify_log(log.rows(), log.public_key, log.head()).is_intact
    True
    >>> print(verify_log(log.rows(), head=Head(2, "00" * 32, "")).faults[0].what)
    is missing: the log was cut off before it, but the given head is of entry 2
    """
    check = ChainCheck(public_key, ((head,) if head else ()) + tuple(also), every_seal=every_seal)
    for row, following in pairwise(chain(rows, (None,))):
        assert row is not None
        check.take(row, following)
        if progress and check.count % _PROGRESS_EVERY == 0:
            progress(check.count)
    return check.finish()


class _Stream:
    """A stream as far as it has been read."""

    __slots__ = ("at", "version")

    def __init__(self) -> None:
        self.version = 0
        self.at = ""


class ChainCheck:
    """A log being verified, as far as it has been read."""

    not_in_image = ("_given_key", "_heads", "_every_seal", "_once")

    def __init__(
        self, given_key: bytes | None, heads: tuple[Head, ...], *, every_seal: bool, once: Once | None = None
    ) -> None:
        self.count = 0
        self._once = once or Once()  # ids
        self._given_key, self._heads, self._every_seal = given_key, heads, every_seal
        self._keys: list[tuple[int, bytes]] = []  # the log's keys, each with the first entry that it may seal
        self._restorations: list[tuple[Head, LogRestored]] = []
        self._notes: list[Fault] = []
        self._segments: dict[int, Segment] = {}  # by number, as each was packed last
        self._log_id = ""
        self._faults: list[Fault] = []
        self._warnings: list[Fault] = []
        self._last: Tip | None = EMPTY  # what the next entry is chained to; None if it is unreadable
        self._sequence = 0
        self._at = ""
        self._streams: dict[str, _Stream] = {}
        self._unchecked: list[Tip] = []  # sealed entries after the last checked seal
        self._valid_until = 0  # the newest entry whose seal is valid
        self._seals = 0

    @property
    def has_faults(self) -> bool:
        """Whether a fault was found."""
        return bool(self._faults)

    @property
    def keys(self) -> frozenset[bytes]:
        """The public keys that the log had."""
        return frozenset(key for _, key in self._keys)

    def take(self, row: LogRow, following: LogRow | None, *, is_hashed: bool = False) -> Entry | None:
        """Check the next row and return its entry, if it can be read.

        The row after it helps to tell a changed row from a moved one. A row that is `is_hashed` has the hash that was
        computed from its bytes and the row taken before it.
        """
        self.count += 1
        where, last, seal = self._sequence + 1, self._last, row.seal
        entry = None if row.fault else _entry_in(row.body)
        is_sound = not row.fault and len(seal) in _SEAL_LENGTHS
        is_chained = is_sound and last is not None
        is_chained = is_chained and (is_hashed or chain_hash(last.hash, last.seal, row.body) == row.hash)  # type: ignore[union-attr]
        if (
            entry is None
            or not is_chained
            or entry.sequence != where
            or (row.columns is not None and row.columns != columns_of(entry))
        ):
            expected, where = where, _place_of(row, entry, where, following)
            if where < expected or (where > expected and _claimed_sequence(following) == expected):
                self._fault(where, f"is where entry {expected} should be: it was moved, repeated or inserted")
                return entry  # skip it: the next row is compared with the one before it
            self._report(row, entry, expected, where, is_chained=is_chained)
        if entry is not None:
            self._entry(entry, where)
            if entry.stream == HOUSE:
                self._note_own_events(entry, row, where)
        self._last, self._sequence = Tip(where, row.hash, seal) if is_sound else None, where
        if seal and self._last:
            self._unchecked.append(self._last)
            if self._every_seal or len(self._unchecked) >= _WINDOW or (entry and entry.stream == HOUSE):
                self._check_seals()
        for head in self._heads:
            if where == head.sequence and row.hash.hex() != head.hash.lower():
                what = f"has the hash {row.hash.hex()}, but the given head has {head.hash}"
                self._fault(where, what + self._restored_before(head))
        return entry

    def _report(self, row: LogRow, entry: Entry | None, expected: int, where: int, *, is_chained: bool) -> None:
        """Record what is wrong with a row."""
        if entry is None:
            self._fault(where, row.fault or unknown_format(row.body) or "has bytes that are not an entry")
        elif row.columns is not None and row.columns != columns_of(entry):
            self._fault(where, f"has the columns {row.columns}, but its bytes say {columns_of(entry)}")
        elif where == expected != entry.sequence:
            self._fault(where, f"says in its bytes that it is entry {entry.sequence}")
        if len(row.seal) not in _SEAL_LENGTHS:
            self._fault(where, f"has a seal of {len(row.seal)} bytes, not of {_SEAL_LENGTHS[1]}")
        if where > expected:
            self._fault(expected, "is missing" if where == expected + 1 else f"to {where - 1} are missing")
        elif not is_chained and self._last is not None and not row.fault:
            if self._last.seal and self._keys and not self._is_sealed(self._last):
                self._fault(self._last.sequence, "has a seal or hash that was changed")
            self._fault(where, "has a hash that does not match its bytes and the entry before it")

    def finish(self) -> Report:
        """Check the end of the log and return the report."""
        self._check_seals()
        last = self._last
        if last is not None and last.sequence and not last.seal:
            self._fault(last.sequence, "is the last and has no seal: the log was cut inside a commit")
        if self.count == 0:
            self._fault(1, "is missing: the log is empty")
        self._check_key()
        for head in self._heads:
            self._check_head(head)
        return Report(
            log_id=self._log_id,
            public_key=self._keys[-1][1].hex() if self._keys else (self._given_key or b"").hex(),
            is_key_given=self._given_key is not None,
            is_key_newest=self._given_key not in [key for _, key in self._keys[:-1]],
            is_head_given=bool(self._heads),
            entries=self.count,
            seals=self._seals,
            head=last.head() if last and last.sequence else None,
            faults=tuple(sorted(set(self._faults))),
            warnings=tuple(self._warnings),
            notes=tuple(self._notes),
            restorations=tuple(self._restorations),
            segments=tuple(self._segments.values()),
        )

    def _fault(self, sequence: int, what: str) -> None:
        self._faults.append(Fault(sequence, what))

    def _entry(self, entry: Entry, where: int) -> None:
        """Check an entry against those before it; the first one holds the log's id and key."""
        if not self._log_id:
            self._begin(entry, where)
        stream, at = self._streams.get(entry.stream), entry.at
        if stream is None:
            stream = self._streams[entry.stream] = _Stream()
        if entry.version != stream.version + 1:
            self._fault(where, f"is version {entry.version} of {entry.stream}, after version {stream.version}")
        stream.version = entry.version
        before = self._once.place_of_id(entry.stream, entry.actor, entry.id, where)
        if before != where:
            self._fault(where, f"repeats the id {entry.id} that {entry.actor} used in entry {before}")
        if at >= self._at:  # the newest, also of its stream
            self._at = at
        elif at < stream.at:
            why = f"is dated {at}, before the previous entry of {entry.stream}, {stream.at}"
            self._warnings.append(Fault(where, why))
        elif is_out_of_order(at, self._at):
            self._warnings.append(Fault(where, f"is dated {at}, long before an earlier entry's {self._at}"))
        stream.at = at

    def _begin(self, entry: Entry, where: int) -> None:
        begun = begun_in(entry)
        if begun is None:
            if where == 1:
                self._fault(1, "does not hold the log's id and key, as the first entry must")
            return
        self._log_id = begun.log_id
        self._keys = [(1, bytes.fromhex(begun.public_key))]

    def _note_own_events(self, entry: Entry, row: LogRow, where: int) -> None:
        """Note what the log records about itself: a new key, or its restoration from a backup."""
        if (rotated := event_in(entry, KeyRotated)) is not None:
            self._rotate(rotated, entry, where, is_sealed=bool(row.seal))
        elif (archived := event_in(entry, EntriesArchived)) is not None:
            self._segments[archived.segment.number] = archived.segment
        elif (restored := event_in(entry, LogRestored)) is not None:
            self._restorations.append((Head(where, row.hash.hex(), row.seal.hex()), restored))
            lost = f", after which entries up to {restored.lost_sequence} are lost" if restored.lost_head else ""
            again = f", and that it replaces {len(restored.replaced):,} restorations" if restored.replaced else ""
            what = f"records that the log was restored from a backup of entry {restored.sequence}{lost}{again}"
            self._notes.append(Fault(where, f"{what} ({restored.by}: {restored.reason})"))
            if self._last and (restored.sequence, restored.hash) != (where - 1, self._last.hash.hex()):
                self._fault(
                    where, f"says that the log was restored from entry {restored.sequence}, which it does not follow"
                )

    def _rotate(self, rotated: KeyRotated, entry: Entry, where: int, *, is_sealed: bool) -> None:
        number, old = len(self._keys), self._keys[-1][1] if self._keys else b""
        if not is_rotation_proved(rotated, self._log_id, number=number, old=old):
            self._fault(where, "brings a new key that the old and the new key did not both sign")
            return
        if not is_sealed or (entry.actor, entry.id) != (THE_LOG, rotation_id(number)):
            self._fault(where, f"brings a new key, but not alone in its commit or not as {rotation_id(number)}")
        self._keys.append((where + 1, bytes.fromhex(rotated.new_key)))
        what = f"gives the log the new key {rotated.new_key}, which seals everything after it"
        self._notes.append(Fault(where, f"{what} ({rotated.by}: {rotated.reason})"))

    def _check_seals(self) -> None:
        """Check the newest seal; if it is not valid, find the first invalid one since the last check."""
        unchecked, self._unchecked = self._unchecked, []
        if unchecked and not self._is_sealed(unchecked[-1]):
            valid_until, wrong = self._valid_until, unchecked[-1].sequence
            for tip in unchecked:
                if not self._is_sealed(tip):
                    wrong = tip.sequence
                    break
                valid_until = tip.sequence
            self._fault(wrong, f"has an invalid seal: something after entry {valid_until} was not written by the log")
        elif unchecked:
            self._valid_until = unchecked[-1].sequence

    def _is_sealed(self, tip: Tip) -> bool:
        """Return whether the key in force at an entry sealed it."""
        self._seals += 1
        key = next((key for first, key in reversed(self._keys) if first <= tip.sequence), b"")
        return is_signed(head_message(self._log_id, tip.sequence, tip.hash), tip.seal, key)

    def _check_key(self) -> None:
        """Compare the given key with the log's. An old one vouches only for entries up to the one that replaced it."""
        given, keys = self._given_key, [key for _, key in self._keys]
        if given is None or not keys:
            return
        if given in keys[:-1]:
            replaced, newest = self._keys[keys.index(given) + 1][0] - 1, keys[-1].hex()
            self._warnings.insert(
                0,
                Fault(
                    replaced,
                    "replaces the given key: whoever has the given one could have forged this entry, everything before "
                    f"it and the keys after it; make sure that the newest, {newest}, is the house's, and give it",
                ),
            )
        elif given not in keys:
            held = " and ".join(key.hex() for _, key in self._keys)
            self._fault(1, f"does not hold the given key but {held}: nothing here is sealed by the given one")

    def _restored_before(self, head: Head) -> str:
        """Return the restoration that explains why a head is not in the log, as the end of a sentence."""
        places = [at.sequence for at, restored in self._restorations if restored.sequence < head.sequence]
        return f"; entry {places[0]} records that the log was restored from a backup" if places else ""

    def _check_head(self, head: Head) -> None:
        if not 1 <= head.sequence <= _SEQUENCE_MAX:
            what = f"cannot be compared with the given head: its entry {head.sequence} is not from 1 to {_SEQUENCE_MAX}"
            self._fault(self._sequence or 1, what)
            return
        if head.sequence > self._sequence:
            self._fault(
                self._sequence + 1,
                f"is missing: the log was cut off before it, but the given head is of entry {head.sequence}"
                + self._restored_before(head),
            )
        if head.seal and not self._is_sealed(Tip(head.sequence, bytes_of_hex(head.hash), bytes_of_hex(head.seal))):
            self._fault(head.sequence, "does not match the given head, which is not sealed by this log's key")


def _entry_in(body: bytes) -> Entry | None:
    try:
        entry = _DECODER.decode(body)
    except (MsgspecError, UnicodeDecodeError):
        return None
    return entry if entry.format == FORMAT else None


def _claimed_sequence(row: LogRow | None) -> int | None:
    """Return the sequence number that a row claims, in its column or its bytes."""
    if row is None or row.columns:
        return row.columns[0] if row and row.columns else None
    entry = _entry_in(row.body)
    return entry.sequence if entry else None


def _place_of(row: LogRow, entry: Entry | None, expected: int, following: LogRow | None) -> int:
    """Return which entry a row is: the expected one if anything claims so, else the one in its bytes or column."""
    claimed = entry.sequence if entry else _claimed_sequence(row)
    if claimed is None or expected in {claimed, _claimed_sequence(row)} or _claimed_sequence(following) == expected + 1:
        return expected
    return claimed

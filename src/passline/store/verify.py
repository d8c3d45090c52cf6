"""Whether a log is as it was written: every edit, removal and reorder is found, and where.

The hash of an entry covers its bytes and the hash and seal of the one before it, so that a change shows at its place
unless all that follows is chained anew; and that shows by the next seal, which only the holder of the key can make.
What was cut off at the end shows against a head that somebody outside kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, pairwise

from msgspec import MsgspecError, Struct, json

from passline.store.commit import Tip
from passline.store.entry import FIRST, Entry, Head, Line, chained, columns_of, head_message
from passline.store.genesis import HOUSE, begun_in
from passline.store.keys import is_signed

__all__ = ["Fault", "Report", "verify_log"]

_WINDOW = 1024  # a seal is checked at least every so many entries: one takes as long as 50 links of the chain
_TOLD_EVERY = 10_000
_SEQUENCE_MAX = 2**63 - 1  # what a database numbers
_SEAL_LENGTHS = (0, 64)  # of an entry inside a commit, and at its end
_DECODER = json.Decoder(Entry)


class Fault(Struct, frozen=True, order=True):
    """Something is wrong with an entry."""

    sequence: int
    what: str


class Report(Struct, frozen=True, kw_only=True):
    """What was found."""

    log_id: str
    public_key: str  # hex
    is_key_given: bool  # from outside; otherwise it is the one in the log, and a log forged as a whole looks intact
    entries: int
    seals: int  # how many were checked; the others are covered by them
    head: Head | None  # the newest
    faults: tuple[Fault, ...]  # in order
    warnings: tuple[Fault, ...]

    @property
    def is_intact(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.faults


def verify_log(
    lines: Iterable[Line],
    public_key: bytes | None = None,
    head: Head | None = None,
    *,
    every_seal: bool = False,
    told: Callable[[int], None] | None = None,
) -> Report:
    """Check the chain, sequence, streams, ids and seals of a whole log, and a head known outside it.

    >>> from passline.store.memory import MemoryLog
    >>> log = MemoryLog()
    >>> verify_log(log.lines(), log.public_key, log.head()).is_intact
    True
    >>> print(verify_log(log.lines(), head=Head(2, "00" * 32, "")).faults[0].what)
    is missing: the log was cut off before it, for a head of entry 2 is known outside
    """
    check = _Check(public_key, head, every_seal=every_seal)
    for line, following in pairwise(chain(lines, (None,))):
        assert line is not None
        check.take(line, following)
        if told and check.count % _TOLD_EVERY == 0:
            told(check.count)
    return check.finish()


class _Stream:
    """How far a stream has been read."""

    __slots__ = ("ids", "version")

    def __init__(self) -> None:
        self.version = 0
        self.ids: dict[int, int] = {}  # the hash of actor and id, and where it was: a tenth of keeping the texts


class _Check:
    """A log, read as far as it has been."""

    def __init__(self, public_key: bytes | None, head: Head | None, *, every_seal: bool) -> None:
        self.count = 0
        self._key, self._is_key_given = public_key or b"", public_key is not None
        self._head, self._every_seal = head, every_seal
        self._log_id = ""
        self._faults: list[Fault] = []
        self._warnings: list[Fault] = []
        self._last: Tip | None = Tip(0, FIRST, b"")  # what the next entry is chained to; nothing, if it is not readable
        self._sequence = 0
        self._at = ""
        self._streams: dict[str, _Stream] = {}
        self._unchecked: list[Tip] = []  # sealed entries since the last seal that was checked
        self._holding = 0  # the newest entry whose seal was found to hold
        self._seals = 0

    def take(self, line: Line, following: Line | None) -> None:
        """Check the next line; what follows it says, if it is odd, whether it or its place is."""
        self.count += 1
        where, last, seal = self._sequence + 1, self._last, line.seal
        entry = None if line.fault else _entry_in(line.body)
        is_sound = not line.fault and len(seal) in _SEAL_LENGTHS
        is_chained = is_sound and last is not None and chained(last.hash, last.seal, line.body) == line.hash
        if (
            entry is None
            or not is_chained
            or entry.sequence != where
            or (line.columns is not None and line.columns != columns_of(entry))
        ):
            expected, where = where, _place_of(line, entry, where, following)
            if where < expected or (where > expected and _said(following) == expected):
                self._fault(where, f"stands where entry {expected} should: moved, repeated or inserted")
                return  # it does not belong here; what follows is compared to what was before it
            self._odd(line, entry, expected, where, is_chained=is_chained)
        if entry is not None:
            self._entry(entry, where)
        tip = Tip(where, line.hash, seal)
        self._last, self._sequence = tip if is_sound else None, where
        if seal and is_sound:
            self._unchecked.append(tip)
            if self._every_seal or len(self._unchecked) >= _WINDOW or (entry and entry.stream == HOUSE):
                self._check_seals()
        if self._head and where == self._head.sequence and line.hash.hex() != self._head.hash.lower():
            self._fault(where, f"its hash is {line.hash.hex()}, and the head known outside has {self._head.hash}")

    def _odd(self, line: Line, entry: Entry | None, expected: int, where: int, *, is_chained: bool) -> None:
        """Say what is wrong with a line."""
        if entry is None:
            self._fault(where, line.fault or "its bytes are no entry")
        elif line.columns is not None and line.columns != columns_of(entry):
            self._fault(where, f"its columns {line.columns} disagree with its bytes {columns_of(entry)}")
        elif where == expected != entry.sequence:
            self._fault(where, f"its bytes say that it is entry {entry.sequence}")
        if len(line.seal) not in _SEAL_LENGTHS:
            self._fault(where, f"has a seal of {len(line.seal)} bytes, not of {_SEAL_LENGTHS[1]}")
        if where > expected:
            self._fault(expected, "is missing" if where == expected + 1 else f"to {where - 1} are missing")
        elif not is_chained and self._last is not None and not line.fault:
            if self._last.seal and self._key and not self._is_sealed(self._last):
                self._fault(self._last.sequence, "its seal or its hash was changed")
            self._fault(where, "its hash is not that of its bytes and of the entry before it")

    def finish(self) -> Report:
        """Check how it ends."""
        self._check_seals()
        last = self._last
        if last is not None and last.sequence and not last.seal:
            self._fault(last.sequence, "is the last and has no seal: the log was cut inside a commit")
        if self.count == 0:
            self._fault(1, "is missing: the log is empty")
        self._check_head()
        return Report(
            log_id=self._log_id,
            public_key=self._key.hex(),
            is_key_given=self._is_key_given,
            entries=self.count,
            seals=self._seals,
            head=last.head() if last and last.sequence else None,
            faults=tuple(sorted(set(self._faults))),
            warnings=tuple(self._warnings),
        )

    def _fault(self, sequence: int, what: str) -> None:
        self._faults.append(Fault(sequence, what))

    def _entry(self, entry: Entry, where: int) -> None:
        """Check an entry against those before it; where it is the first, it says which log this is."""
        if not self._log_id:
            self._begin(entry, where)
        stream = self._streams.get(entry.stream)
        if stream is None:
            stream = self._streams[entry.stream] = _Stream()
        if entry.version != stream.version + 1:
            self._fault(where, f"is version {entry.version} of {entry.stream}, after version {stream.version}")
        stream.version = entry.version
        before = stream.ids.setdefault(hash((entry.actor, entry.id)), where)
        if before != where:
            self._fault(where, f"{entry.actor} used the id {entry.id} before, in entry {before}")
        if entry.at < self._at:
            self._warnings.append(Fault(where, f"is of {entry.at}, and the one before it of {self._at}"))
        self._at = entry.at

    def _begin(self, entry: Entry, where: int) -> None:
        begun = begun_in(entry)
        if begun is None:
            if where == 1:
                self._fault(1, "does not begin a log with its name and key")
            return
        self._log_id = begun.log_id
        if not self._is_key_given:
            self._key = bytes.fromhex(begun.public_key)
        elif self._key.hex() != begun.public_key:
            self._fault(1, f"gives the key {begun.public_key}, not the one given to check it by")

    def _check_seals(self) -> None:
        """Check the newest seal; if it does not hold, find the first since the last check that does not."""
        unchecked, self._unchecked = self._unchecked, []
        if unchecked and not self._is_sealed(unchecked[-1]):
            holding, wrong = self._holding, unchecked[-1].sequence
            for tip in unchecked:
                if not self._is_sealed(tip):
                    wrong = tip.sequence
                    break
                holding = tip.sequence
            self._fault(wrong, f"its seal does not hold: something after entry {holding} was not written by the log")
        elif unchecked:
            self._holding = unchecked[-1].sequence

    def _is_sealed(self, tip: Tip) -> bool:
        self._seals += 1
        return is_signed(head_message(self._log_id, tip.sequence, tip.hash), tip.seal, self._key)

    def _check_head(self) -> None:
        head = self._head
        if head is None:
            return
        if not 1 <= head.sequence <= _SEQUENCE_MAX:
            what = f"the head known outside is of entry {head.sequence}, and entries count from 1 to {_SEQUENCE_MAX}"
            self._fault(self._sequence or 1, what)
            return
        if head.sequence > self._sequence:
            self._fault(
                self._sequence + 1,
                f"is missing: the log was cut off before it, for a head of entry {head.sequence} is known outside",
            )
        if head.seal and not self._is_sealed(Tip(head.sequence, _bytes(head.hash), _bytes(head.seal))):
            self._fault(head.sequence, "the head known outside is not sealed by this log's key: it is of another log")


def _entry_in(body: bytes) -> Entry | None:
    try:
        return _DECODER.decode(body)
    except (MsgspecError, UnicodeDecodeError):
        return None


def _said(line: Line | None) -> int | None:
    """Which entry a line says it is: by its column, or by its bytes."""
    if line is None or line.columns:
        return line.columns[0] if line and line.columns else None
    entry = _entry_in(line.body)
    return entry.sequence if entry else None


def _place_of(line: Line, entry: Entry | None, expected: int, following: Line | None) -> int:
    """Which entry a line is: the expected one if anything says so; else what its bytes say, or its column."""
    said = entry.sequence if entry else _said(line)
    if said is None or expected in {said, _said(line)} or _said(following) == expected + 1:
        return expected
    return said


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""

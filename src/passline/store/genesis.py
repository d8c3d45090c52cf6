"""What the log records about itself: its beginning, a new key, its restoration from a backup, archived entries."""

from __future__ import annotations

from typing import TypeVar
from uuid import uuid4

from msgspec import DecodeError, Raw, Struct, ValidationError, json

from passline.authority.roles import OWNER
from passline.store.entry import Draft, Entry, Head
from passline.store.keys import SigningKey, is_signed
from passline.store.named_segments import Segment
from passline.store.timestamps import utc_now

HOUSE = "house"
"""The stream of the whole house, which the first entry of a log is in."""
THE_LOG = "passline"
"""The actor of these entries: the owner at the command line, who has the key and so needs no account."""


class LogBegun(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag="log-begun/1"):
    """The log was created."""

    log_id: str
    public_key: str  # hex
    is_demo: bool = False  # for guests and play money; never served as a house, nor a house as a demo


class _Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event"):
    pass


class KeyRotated(_Event, frozen=True, kw_only=True, tag="key-rotated/1"):
    """The log got a new key. This entry is the last one sealed by the old key; all later seals are by the new one."""

    number: int  # 1 for the first rotation of the log
    old_key: str  # hex, as is the rest
    new_key: str
    old_proof: str  # signatures of the log's id, this number and both keys: by the old key, and by the new one
    new_proof: str
    by: str  # the user of the machine who did it
    reason: str


class ReplacedRestoration(Struct, frozen=True, forbid_unknown_fields=True):
    """A restoration that an anchor was told of, but whose log was given up: it was cut short, or done once more."""

    head: str  # of the entry that recorded it, as SEQUENCE:HASH
    lost: str  # the head that it gave up
    at: str  # when the anchor was told


class LogRestored(_Event, frozen=True, kw_only=True, omit_defaults=True, tag="log-restored/1"):
    """The log was restored from a backup: whatever it held after the backup's head is lost, unless noted elsewhere."""

    sequence: int  # the backup's head
    hash: str
    seal: str
    backed_up: str  # when the backup was made
    lost_sequence: int  # the newest head that an anchor holds; 0 if none was asked
    lost_hash: str
    lost_seal: str
    by: str  # the user of the machine who did it
    reason: str
    also_lost: tuple[str, ...] = ()  # shorter heads in other anchors, as SEQUENCE:HASH
    replaced: tuple[ReplacedRestoration, ...] = ()  # restorations that an anchor was told of, but not this log

    @property
    def given_up(self) -> tuple[str, ...]:
        """The heads that are no longer in the log, as SEQUENCE:HASH."""
        return (*((f"{self.lost_sequence}:{self.lost_hash}",) if self.lost_sequence else ()), *self.also_lost)

    @property
    def accounted_heads(self) -> frozenset[str]:
        """All heads that an anchor may hold as given up: by this restoration, or by those that it replaces."""
        return frozenset((*self.given_up, *(restoration.lost for restoration in self.replaced)))

    @property
    def lost_head(self) -> Head | None:
        """The head that is no longer in the log, if an anchor held one."""
        return Head(self.lost_sequence, self.lost_hash, self.lost_seal) if self.lost_sequence else None


class EntriesArchived(_Event, frozen=True, kw_only=True, tag="entries-archived/1"):
    """Entries were written into a compressed file, from which they are read since; or into one anew."""

    segment: Segment
    by: str  # the user of the machine who did it


OwnEvent = LogBegun | KeyRotated | LogRestored | EntriesArchived
"""What a log records about itself."""
_Own = TypeVar("_Own", LogBegun, KeyRotated, LogRestored, EntriesArchived)


def genesis_draft(public_key: bytes, *, log_id: str = "", at: str = "", is_demo: bool = False) -> Draft:
    """Return the first draft of a log, with a random id unless one is given."""
    log_id = log_id or str(uuid4())
    begun = LogBegun(log_id=log_id, public_key=public_key.hex(), is_demo=is_demo)
    return _draft(begun, {"command": "begin-log"}, 0, log_id, at)


def rotation_id(number: int) -> str:
    """Return the command id of a rotation: the same number cannot be used twice, and is found without a search."""
    return f"rotate-key-{number}"


def rotation_draft(
    log_id: str, *, number: int, old: SigningKey, new: SigningKey, expected: int, by: str, reason: str, at: str = ""
) -> Draft:
    """Return the draft that gives a log a new key; `expected` is the version of the house's stream."""
    message = _rotation_message(log_id, number, old.public, new.public)
    event = KeyRotated(
        number=number,
        old_key=old.public.hex(),
        new_key=new.public.hex(),
        old_proof=old.sign(message).hex(),
        new_proof=new.sign(message).hex(),
        by=by,
        reason=reason,
    )
    command = {"command": "rotate-key", "by": by, "reason": reason}
    return _draft(event, command, expected, rotation_id(number), at)


def is_rotation_proved(rotated: KeyRotated, log_id: str, *, number: int, old: bytes) -> bool:
    """Return whether both keys signed a rotation, and it is the one of this number after this key.

    >>> old, new = SigningKey(bytes(32)), SigningKey(bytes(range(32)))
    >>> draft = rotation_draft("a-log", number=1, old=old, new=new, expected=1, by="ann", reason="yearly")
    >>> [rotated] = json.decode(draft.events, type=list[KeyRotated])
    >>> [is_rotation_proved(rotated, "a-log", number=number, old=old.public) for number in (1, 2)]
    [True, False]
    """
    try:
        new, by_old, by_new = map(bytes.fromhex, (rotated.new_key, rotated.old_proof, rotated.new_proof))
    except ValueError:
        return False
    message = _rotation_message(log_id, number, old, new)
    is_it = (rotated.number, rotated.old_key) == (number, old.hex()) and new != old
    return is_it and is_signed(message, by_old, old) and is_signed(message, by_new, new)


def _rotation_message(log_id: str, number: int, old: bytes, new: bytes) -> bytes:
    return b"passline key/1\0" + log_id.encode() + b"\0" + number.to_bytes(8) + old + new


def restoring_draft(event: LogRestored, *, expected: int, at: str = "") -> Draft:
    """Return the draft that records a restoration."""
    command = {"command": "restore-log", "by": event.by, "reason": event.reason}
    return _draft(event, command, expected, f"restore-log-{uuid4()}", at)


def archive_id(number: int, packed: int = 1) -> str:
    """Return the command id of a segment: no number is used twice, and each is found without a search.

    >>> archive_id(7), archive_id(7, 2)
    ('archive-7', 'archive-7-2')
    """
    return f"archive-{number}" if packed == 1 else f"archive-{number}-{packed}"


def archiving_draft(segment: Segment, packed: int = 1, *, expected: int, by: str, at: str = "") -> Draft:
    """Return the draft that names a segment; `expected` is the version of the house's stream."""
    command = {"command": "archive-entries", "by": by}
    return _draft(EntriesArchived(segment=segment, by=by), command, expected, archive_id(segment.number, packed), at)


def _draft(event: OwnEvent, command: dict[str, str], expected: int, id_: str, at: str) -> Draft:
    return Draft(
        stream=HOUSE,
        expected=expected,
        at=at or utc_now(),
        actor=THE_LOG,
        role=OWNER,
        id=id_,
        command=Raw(json.encode(command)),
        events=Raw(json.encode([event])),
    )


def begun_in(entry: Entry) -> LogBegun | None:
    """Return the event that begins a log, if this is its entry.

    >>> from passline.store.entry import entry_of
    >>> begun_in(entry_of(genesis_draft(bytes(32), log_id="a-log"), 1)).log_id
    'a-log'
    """
    begun = event_in(entry, LogBegun)
    try:
        bytes.fromhex(begun.public_key if begun else "")
    except ValueError:
        return None
    return begun


def event_in(entry: Entry, kind: type[_Own]) -> _Own | None:
    """Return what an entry records about the log itself, if it is of this kind; a rotation is not proved yet."""
    if entry.stream != HOUSE:
        return None
    try:
        (event,) = json.decode(entry.events, type=tuple[kind])  # type: ignore[valid-type]  # a variable by necessity
    except (DecodeError, ValidationError, ValueError):
        return None
    return event

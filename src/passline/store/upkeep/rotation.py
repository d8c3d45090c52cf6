"""Replaces the key of a log: an entry signed by the old and the new key, after which the new one seals."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from passline.store.data_folder import KEY_FILE, open_log
from passline.store.genesis import HOUSE, KeyRotated, event_in, rotation_draft
from passline.store.keys import load_key, next_key
from passline.store.log import Conflict, LogError

_TRIES = 20  # at writing the entry while servers write theirs


class Rotation(Struct, frozen=True):
    """A key that took the place of another."""

    log_id: str
    old_key: str  # hex
    new_key: str
    sequence: int  # of its entry
    is_finished_only: bool  # it was begun earlier and cut short


def rotate_key(data: Path, database: str = "", *, by: str, reason: str) -> Rotation:
    """Replace the key of the log in a data folder or a database.

    The new key is durable before the entry that names it, so a crash at any moment leaves a log whose key is here:
    the next one to open it finishes the rotation. Done again after a crash, this function only finishes it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open_log(Path(folder)).close()
    ...     rotation = rotate_key(Path(folder), by="ann", reason="yearly")
    ...     load_key(Path(folder) / "log.key").public.hex() == rotation.new_key, (Path(folder) / "log.key.1").exists()
    (True, True)
    """
    path = data / KEY_FILE
    old = load_key(path)
    log = open_log(data, database)
    try:
        is_finished_only = log.public_key != old.public  # opening it finished the rotation that was cut short
        if is_finished_only:
            sequence = max(log.keys_since())
        else:
            new = next_key(path)
            for _ in range(_TRIES):
                version = log.streams()[HOUSE]
                draft = rotation_draft(
                    log.log_id, number=log.rotations + 1, old=old, new=new, expected=version, by=by, reason=reason
                )
                (result,) = log.append([draft])
                if not isinstance(result, Conflict):
                    break
            else:
                raise LogError("too many others are writing to the log: try again when the house is quiet")
            rotated = event_in(result.stored.entry, KeyRotated)
            if rotated is None or rotated.new_key != new.public.hex():
                raise LogError(f"another rotation was first, in entry {result.stored.entry.sequence}: use its key")
            log.take_key(new.public)
            sequence = result.stored.entry.sequence
    finally:
        log.close()
    log = open_log(data, database)  # by the new key, or it says why not
    log.close()
    return Rotation(log.log_id, old.public.hex(), log.public_key.hex(), sequence, is_finished_only)

"""`passline rotate-key`: replace the key of a log."""

from __future__ import annotations

from contextlib import nullcontext

from passline.cli.serve import default_folder, locked_folder
from passline.cli.upkeep.places import DatabaseOption, DataOption, ReasonOption, asked_reason, machine_user
from passline.errors import CrapsError

__all__ = ["rotate_key"]


def rotate_key(*, data: DataOption = None, database: DatabaseOption = "", reason: ReasonOption = "") -> None:
    """Replace the key that seals the log. Both keys sign it in an entry; later entries are sealed by the new one.

    Stop the server first. With several servers and PostgreSQL, those still running write nothing more until they
    are started again with the new key file.
    """
    from passline.store.upkeep import rotation

    why, folder = asked_reason(reason), data or default_folder()
    if not folder.is_dir():
        raise CrapsError(f"--data {folder}: no such folder; give the one that passline serve uses")
    with nullcontext() if database else locked_folder(folder):
        done = rotation.rotate_key(folder, database, by=machine_user(), reason=why)
    how = "a rotation that was cut short is finished" if done.is_finished_only else "the key is rotated"
    print(f"log {done.log_id}: {how} at entry {done.sequence:,}")
    print(f"key {done.new_key}")
    print(f"The old key, {done.old_key}, is kept aside in {folder} as log.key.1, log.key.2 and so on:")
    print("keep its public part for audits; destroy the file if anybody may have read it. Everybody logs in again,")
    print("and one-time links that were not used are void: make new ones.")

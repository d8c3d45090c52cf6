"""`passline restore`: restore a house from a backup, or check a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.serve import default_folder
from passline.cli.upkeep.places import (
    DatabaseOption,
    DataOption,
    KeyOption,
    LeaveOutOption,
    PassphraseOption,
    ReasonOption,
    asked_reason,
    document_finder,
    file_key,
    machine_user,
)
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.sealed import Log
    from passline.store.upkeep.documents import DamagedDocument
    from passline.store.upkeep.restore import Restoration

__all__ = ["after_restore", "restore"]


def after_restore(log: Log, folder: Path) -> None:
    """Renew the secret of the dice, which void every open throw, before log and folder are put in place.

    The log ends with the entry that records the restoration; more entries may follow, and files made in the folder
    become files of the data folder.
    """
    import asyncio

    from passline.provable_dice import DiceKeys
    from passline.store.data_folder import dice_secret
    from passline.tables.runtime.floor import Floor
    from passline.web.server.clock_keeper import clock_of

    clock = clock_of(log)
    if clock.fault:
        raise CrapsError(f"{clock.fault}; nothing was restored")

    async def renew() -> None:
        floor = Floor(log, clock=clock, keys=DiceKeys(dice_secret(folder), log.log_id))
        await floor.start()
        await floor.renew_dice("a backup was restored")
        await floor.close()

    asyncio.run(renew())


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup of passline backup.", show_default=False)],
    *,
    data: DataOption = None,
    database: DatabaseOption = "",
    key: KeyOption = None,
    passphrase: PassphraseOption = False,
    reason: ReasonOption = "",
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHERE",
            help="An anchor of the log, as for passline serve: what it holds and the backup does not is recorded as "
            "lost, and the anchor is told. May be repeated.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check that the backup can be restored; put nothing in place.")
    ] = False,
    leave_out_damaged: LeaveOutOption = False,
) -> None:
    """Restore a house into an empty folder or database; everything is verified before anything is put in place.

    The restoration is recorded in the log. Stop the old house for good first: two houses with one log cannot both
    be right.
    """
    from passline.store.upkeep.restore import check_backup, restore_backup

    why = "" if check else asked_reason(reason)
    opener = file_key(key, passphrase=passphrase, is_new=False)
    damaged: list[DamagedDocument] = []
    leave_out = damaged.append if leave_out_damaged else None
    if check:
        backup = check_backup(file, opener, named=document_finder(), leave_out=leave_out)
        documents = f", {backup.documents:,} documents" if backup.documents else ""
        print(
            f"log {backup.log_id}: intact up to entry {backup.head.sequence:,}, {backup.secrets:,} secrets{documents}"
        )
        for document in damaged:
            print(f"DAMAGED: {document}")
        print(f"head {backup.head.sequence}:{backup.head.hash}:{backup.head.seal}, backed up at {backup.at}")
        return
    folder = data or default_folder()
    restored = restore_backup(
        file,
        opener,
        folder,
        database,
        by=machine_user(),
        reason=why,
        anchors=anchor or (),
        after=after_restore,
        named=document_finder(),
        leave_out=leave_out,
    )
    for document in damaged:
        print(f"DAMAGED, and not restored: {document}")
    _tell(restored, is_anchored=bool(anchor))


def _tell(restored: Restoration, *, is_anchored: bool) -> None:
    """Print what was restored, and what was lost."""
    backup, head = restored.backup, restored.head
    print(f"log {backup.log_id}: restored up to entry {backup.head.sequence:,}, as it was at {backup.at}")
    recorded = f"recorded in entry {restored.recorded.sequence:,}"
    if restored.lost:
        print(f"LOST: what the anchor knows up to entry {restored.lost.sequence:,}; {recorded}")
    elif not is_anchored:
        print("what was lost since then is unknown: no --anchor was given")
    if restored.replaced:
        many = "restoration" if restored.replaced == 1 else "restorations"
        print(f"it replaces {restored.replaced:,} {many} that an anchor was told of before; {recorded}")
    print(f"head {head.sequence}:{head.hash}:{head.seal}")

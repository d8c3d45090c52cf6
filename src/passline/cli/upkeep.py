"""`passline archive`, `purge`, `backup`, `restore`, `rotate-key`, `break-glass`: the commands for a log as a whole."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.server import ask_for
from passline.cli.output import check_writable
from passline.cli.serve import default_folder, locked_folder
from passline.errors import CrapsError
from passline.store.address import DATABASE_URL

if TYPE_CHECKING:
    from passline.store.sealed import Log
    from passline.store.upkeep.documents import DamagedDocument, NamedDocuments
    from passline.store.upkeep.encrypted_file import FileKey
    from passline.store.upkeep.restore import Restoration

DataOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the log and its key, as for passline serve.")
]
"""The option that names the data folder."""
DatabaseOption = Annotated[
    str, typer.Option(metavar="URL", help=f"{DATABASE_URL}, if the log is there, as for passline serve.")
]
"""The option that names the database."""
KeyOption = Annotated[
    Path | None, typer.Option(metavar="PATH", help="The key file of the backup; passline backup --new-key makes one.")
]
"""The option that names the key file of a backup."""
PassphraseOption = Annotated[
    bool,
    typer.Option("--passphrase", help="Use a passphrase instead; it is asked for, or taken from PASSLINE_PASSPHRASE."),
]
"""The option that asks for a passphrase."""
LeaveOutOption = Annotated[
    bool,
    typer.Option(
        "--leave-out-damaged",
        help="Leave out documents that are missing or were changed since they were stored, and say which; without it "
        "they stop everything.",
    ),
]
"""The option that goes on without damaged documents."""
_ReasonOption = Annotated[str, typer.Option(help="Why; it is recorded in the log.", show_default=False)]
_REASON_MAX = 200
KEEP_DAYS = 60
"""Days whose entries stay in the database unless told otherwise: all of them are closed by then."""
KEEP_DAYS_MIN, KEEP_DAYS_MAX = 7, 36_500
"""Fewer days may not all be closed; more than a century of them is a mistyped number."""
_PASSPHRASE_MIN = 12


def _check_reason(reason: str) -> str:
    """Return a reason without blanks around it, or refuse it."""
    reason = reason.strip()
    if not 0 < len(reason) <= _REASON_MAX or not reason.isprintable():
        raise CrapsError(f"--reason: must be 1 to {_REASON_MAX} printable characters; it is recorded in the log")
    return reason


def machine_user() -> str:
    """Return the name of this machine's user, who is recorded in the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


@contextmanager
def open_house(data: Path, database: str) -> Iterator[Log]:
    """Open the log of a house; raise CrapsError unless the folder has its key and log."""
    from passline.store.data_folder import DATABASE_FILE, KEY_FILE, open_log

    if not (data / KEY_FILE).exists() or not (database or (data / DATABASE_FILE).exists()):
        raise CrapsError(f"{data}: is not the data folder of a house with its key; give the one that is served")
    log = open_log(data, database)
    try:
        yield log
    finally:
        log.close()


def document_finder() -> NamedDocuments:
    """Return the function that finds the documents named in a row of the log."""
    from passline.acts.documents import LogDocuments

    return LogDocuments()


def file_key(key: Path | None, *, passphrase: bool, is_new: bool) -> FileKey:
    """Return the key of a backup: from its file, or from a passphrase that is asked for, twice if it is new."""
    from passline.store.keys import load_secret
    from passline.store.upkeep.encrypted_file import FileKey

    if (key is None) is not passphrase:
        raise CrapsError("give either --key PATH (passline backup --new-key PATH makes one) or --passphrase")
    if key is not None:
        return FileKey(load_secret(key, "the key of this backup", "without it the backup cannot be read"))
    text = os.environ.get("PASSLINE_PASSPHRASE", "") or ask_for(
        "passphrase of the backup", "set PASSLINE_PASSPHRASE, or give --key PATH", is_new=is_new
    )
    if is_new and len(text) < _PASSPHRASE_MIN:
        raise CrapsError(
            f"a passphrase needs at least {_PASSPHRASE_MIN} characters: whoever has the file may guess for years"
        )
    return FileKey(passphrase=text)


def rotate_key(*, data: DataOption = None, database: DatabaseOption = "", reason: _ReasonOption = "") -> None:
    """Replace the key that seals the log. Both keys sign it in an entry; later entries are sealed by the new one.

    Stop the server first. With several servers and PostgreSQL, those still running write nothing more until they
    are started again with the new key file.
    """
    from passline.store.upkeep import rotation

    why, folder = _check_reason(reason), data or default_folder()
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


def archive(
    *,
    data: DataOption = None,
    database: DatabaseOption = "",
    keep_days: Annotated[
        int,
        typer.Option(
            metavar="DAYS",
            min=KEEP_DAYS_MIN,
            max=KEEP_DAYS_MAX,
            help="Leave entries of so many gaming days as they are.",
        ),
    ] = KEEP_DAYS,
) -> None:
    """Archive old entries of the log, gaming day by gaming day, in compressed files beside it; they are read as before.

    Servers may run meanwhile. Each file is named in the log by its SHA-256; copy the folder with the log, or back up.
    With PostgreSQL the files are kept in the database, where all its servers read them. What is archived is verified
    on the way, and beside each file a sealed state is left, with which passline verify later uses all processors.
    """
    from passline.cli.output import progress_bar
    from passline.cli.verify_parts import seal_archive
    from passline.office.gaming_days import GamingDays, facility_in
    from passline.store.archived.files import ARCHIVE_FOLDER
    from passline.store.log_source import log_place
    from passline.store.timestamps import utc_now
    from passline.store.upkeep.archiving import archive_entries

    folder = data or default_folder()
    with open_house(folder, database) as log:
        days = GamingDays(facility_in(log))
        before = days.begins(utc_now(), days_before=keep_days)
        made = archive_entries(log, before, by=machine_user(), day_of=days.day_of)
        with progress_bar("entries verified") as progress:
            place = log_place(folder, database)
            sealed = seal_archive(place, log, lambda count: progress(count, None, "entries verified"))
    for segment in made:
        count = segment.last - segment.first + 1
        print(f"{segment.name}: entries {segment.first:,} to {segment.last:,}, {segment.size / count:.0f} bytes each")
    where = "the database" if database else folder / ARCHIVE_FOLDER
    print(f"{len(made):,} {'file' if len(made) == 1 else 'files'} in {where}")
    print(sealed)


def purge(
    *,
    data: DataOption = None,
    database: DatabaseOption = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what could go, and what holds the rest; nothing is removed.")
    ] = False,
) -> None:
    """List the archived files whose time is over, and what holds the others. None is removed yet.

    Two owners choose on the page of the accounts for how long records are kept: five years or more, or for ever.
    """
    from passline.office.purging import clock_for_purge, plan_purge

    if not dry_run:
        raise CrapsError(
            "nothing was purged: balances and decisions of a log whose first days are gone could not be proved by this "
            "version; --dry-run lists what could go, and what holds the rest"
        )
    with open_house(data or default_folder(), database) as log:
        plan = plan_purge(log, clock_for_purge(log))
    for line in plan.lines():
        print(line)


def backup(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The backup to write.", show_default=False)
    ] = None,
    *,
    data: DataOption = None,
    database: DatabaseOption = "",
    key: KeyOption = None,
    passphrase: PassphraseOption = False,
    new_key: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Make a key file for backups, and do nothing else.")
    ] = None,
    leave_out_damaged: LeaveOutOption = False,
) -> None:
    """Back up a house while it runs: the log, its key, passwords, PINs, documents; encrypted, and verified on the way.

    No backup is written if the log has a fault, or if a document is missing or was changed since it was stored.
    Sessions, invitations and the secret of the electronic dice are left out.
    """
    from passline.store.keys import load_secret
    from passline.store.upkeep.backup import back_up

    folder = data or default_folder()
    if new_key is not None:
        _check_apart(new_key, folder)
        if new_key.exists():
            raise CrapsError(f"--new-key {new_key}: is there already, and backups may need it; choose another name")
        check_writable(new_key)
        load_secret(new_key, "the key of this backup", "without it the backup cannot be read", make=True)
        print(f"made {new_key}; keep copies of it, apart from the backups: without it they cannot be read")
        return
    if file is None:
        raise CrapsError("name the FILE to write, or make a key with --new-key PATH")
    if file.exists():
        raise CrapsError(f"{file}: is there already; choose another name")
    if key is not None:
        _check_apart(key, folder)
    damaged: list[DamagedDocument] = []
    made, report = back_up(
        file,
        file_key(key, passphrase=passphrase, is_new=True),
        folder,
        database,
        named=document_finder(),
        leave_out=damaged.append if leave_out_damaged else None,
    )
    documents = f", {made.documents:,} documents" if made.documents else ""
    print(f"log {made.log_id}: {report.entries:,} entries and {made.secrets:,} secrets{documents} in {file}")
    print(f"head {made.head.sequence}:{made.head.hash}:{made.head.seal}")
    for document in damaged:
        print(f"DAMAGED, and not in this backup: {document}")
    many = "document" if len(damaged) == 1 else "documents"
    but = f", but for {len(damaged):,} damaged {many}: find out by whom" if damaged else ""
    print(f"verified{but}; check it now and then with passline restore --check, on another machine")


def _check_apart(key: Path, data: Path) -> None:
    """Refuse a key inside the data folder: whoever takes the folder would have it too."""
    if data.resolve() in key.resolve().parents:
        raise CrapsError(f"{key}: is in the data folder {data}: keep the key of backups apart from the house")


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
    reason: _ReasonOption = "",
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

    why = "" if check else _check_reason(reason)
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


def break_glass(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The data folder of the house, with the log's key.")],
    *,
    reason: Annotated[str, typer.Option(help="Why two owners cannot act together; it stays in the log.")],
    database: Annotated[str, typer.Option(metavar="URL", help=f"{DATABASE_URL}, if the log is there.")] = "",
) -> None:
    """Suspend dual control for an hour. It is recorded, and `passline verify` and the owners' page show it for ever."""
    from passline.people.desk import FrontDesk
    from passline.refusal import Refused
    from passline.web.server.clock_keeper import clock_of

    with open_house(data, database) as log:
        clock = clock_of(log)  # an hour by the time of the house, whatever the system's clock was set to
        if clock.fault:
            raise CrapsError(clock.fault)
        desk = FrontDesk(log, clock)
        done = desk.break_glass(reason)
        until = desk.people().safeguards.alone_until
    if isinstance(done, Refused):
        raise CrapsError(f"--reason: {done}")
    print(f"One owner may act alone until {until}. This is entry {done.sequence} of the log.")

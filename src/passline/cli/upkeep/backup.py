"""`passline backup`: back up a house while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.output.files import check_writable
from passline.cli.serve import default_folder
from passline.cli.upkeep.places import (
    DatabaseOption,
    DataOption,
    KeyOption,
    LeaveOutOption,
    PassphraseOption,
    document_finder,
    file_key,
)
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.upkeep.documents import DamagedDocument

__all__ = ["backup"]


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

"""What the commands for a whole log share: where the house is, who asks, and the key of a backup."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.upkeep.documents import NamedDocuments
    from passline.store.upkeep.encrypted_file import FileKey

__all__ = [
    "DataOption",
    "DatabaseOption",
    "KeyOption",
    "LeaveOutOption",
    "PassphraseOption",
    "ReasonOption",
    "asked_reason",
    "document_finder",
    "file_key",
    "machine_user",
]

DataOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the log and its key, as for passline serve.")
]
"""The option that names the data folder."""
DatabaseOption = Annotated[
    str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME, if the log is there, as for passline serve.")
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
ReasonOption = Annotated[str, typer.Option(help="Why; it is recorded in the log.", show_default=False)]
"""The option that says why."""
_REASON_MAX = 200
_PASSPHRASE_MIN = 12


def asked_reason(reason: str) -> str:
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


def document_finder() -> NamedDocuments:
    """Return the function that finds the documents named in a row of the log."""
    from passline.office.documents import LogDocuments

    return LogDocuments()


def file_key(key: Path | None, *, passphrase: bool, is_new: bool) -> FileKey:
    """Return the key of a backup: from its file, or from a passphrase that is asked for, twice if it is new."""
    from passline.store.keys import load_secret
    from passline.store.upkeep.encrypted_file import FileKey

    if (key is None) is not passphrase:
        raise CrapsError("give either --key PATH (passline backup --new-key PATH makes one) or --passphrase")
    if key is not None:
        return FileKey(load_secret(key, "the key of this backup", "without it the backup cannot be read"))
    text = os.environ.get("PASSLINE_PASSPHRASE", "") or typer.prompt(
        "Passphrase of the backup", hide_input=True, confirmation_prompt=is_new
    )
    if is_new and len(text) < _PASSPHRASE_MIN:
        raise CrapsError(
            f"a passphrase needs at least {_PASSPHRASE_MIN} characters: whoever has the file may guess for years"
        )
    return FileKey(passphrase=text)

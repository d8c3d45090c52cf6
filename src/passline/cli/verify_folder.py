"""`passline verify` of the folder of a gaming day, which is proved unaltered without the log."""

from __future__ import annotations

from pathlib import Path

import typer

SHOWN_MAX = 50
"""How many faults are printed."""


def is_folder(name: str) -> bool:
    """Return whether a place is the folder of a gaming day, which has a manifest and no log."""
    from passline.office.folder import MANIFEST
    from passline.store.data_folder import DATABASE_FILE

    return "://" not in name and (Path(name) / MANIFEST).is_file() and not (Path(name) / DATABASE_FILE).exists()


def verify_folder(folder: Path, key: bytes | None, *, as_json: bool) -> None:
    """Check the folder of a gaming day by its manifest, and print what was found."""
    from msgspec import json, to_builtins

    from passline.office.folder import folder_faults, read_manifest

    faults = folder_faults(folder, key)
    if as_json:
        found = {"is_intact": not faults, "faults": faults, "is_key_given": key is not None}
        found["manifest"] = None if faults else to_builtins(read_manifest(folder))
        print(json.format(json.encode(found), indent=1).decode())
    else:
        if not faults:
            made = read_manifest(folder)
            print(f"gaming day {made.day} of {made.facility} ({made.regulation}), log {made.log_id}")
            print(f"entries {made.first:,} to {made.last:,}, {len(made.files):,} files")
            print("warning: it was written before the day was over" if not made.is_over else f"as of {made.as_of}")
            taken = "taken from the folder: use --key to detect one that was forged as a whole"
            print(f"key {made.public_key} ({'given' if key else taken})")
            print(f"head {made.head.sequence}:{made.head.hash}:{made.head.seal}")
        for fault in faults[:SHOWN_MAX]:
            print(fault)
        print(f"NOT INTACT: {len(faults):,} {'fault' if len(faults) == 1 else 'faults'}" if faults else "intact")
    if faults:
        raise typer.Exit(1)

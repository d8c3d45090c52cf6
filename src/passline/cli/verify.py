"""`passline verify`: check that a log was not changed, and that the engine settles everything in it the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.output import progress_bar
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.people.verify import VaultReport
    from passline.store.entry import Head
    from passline.store.log_source import LogSource
    from passline.store.verify import Fault, Report

__all__ = ["LogArgument", "verify"]

LogArgument = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        envvar="PASSLINE_LOG",
        help="A data folder, its SQLite file, JSON lines, postgresql://..., or a server's http(s)://...",
        show_default=False,
    ),
]
"""The argument that names a log."""
_SHOWN_MAX = 50


def verify(
    log: LogArgument,
    *,
    head: Annotated[
        str,
        typer.Option(
            metavar="SEQUENCE:HASH[:SEAL]",
            help="A head kept elsewhere, or a JSON file with one, to find out whether the log was cut off.",
        ),
    ] = "",
    key: Annotated[str, typer.Option(metavar="HEX", help="The log's public key, kept elsewhere.")] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The log's key, to check the vault's rows; in a data folder it is at hand."),
    ] = None,
    every_seal: Annotated[
        bool, typer.Option("--every-seal", help="Check every seal, including those that a later seal covers.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Verify a log: its hash chain, its seals, and every decision in it by the engine.

    The exit code is 0 if the log is intact, 1 if it has faults, 2 if it cannot be read.
    """
    from msgspec import json, to_builtins

    from passline.store.log_source import open_source
    from passline.store.verify import verify_log

    given_head, given_key = _head(head), _key(key)
    with open_source(log) as source, progress_bar("entries checked") as progress:
        report = verify_log(
            source.rows(),
            given_key,
            given_head,
            every_seal=every_seal,
            progress=progress and (lambda count: progress(count, None, "entries checked")),
        )
        damages = source.damages()
        is_replayed = report.is_intact and not damages  # a damaged log is not replayed
        engine = list(_replayed(source)) if is_replayed else []
        vault = _vault(source, key_file) if is_replayed else None
    is_intact = report.is_intact and not damages and not engine and not (vault and vault.faults)
    if as_json:
        found = to_builtins(report) | {
            "damages": damages,
            "replay": to_builtins(engine) if is_replayed else None,
            "vault": to_builtins(vault),
            "is_intact": is_intact,
        }
        print(json.format(json.encode(found), indent=1).decode())
    else:
        _show(report, damages, engine, vault, is_replayed=is_replayed)
    if not is_intact:
        raise typer.Exit(1)


def _replayed(source: LogSource) -> Iterator[Fault]:
    """Yield where the engine, replaying the log, decides differently."""
    from passline.store.sealed import stored_of
    from passline.tables.verify import decision_faults

    return decision_faults(map(stored_of, source.rows()))


def _vault(source: LogSource, key_file: Path | None) -> VaultReport:
    """Check the vault beside the log, if there is one: by the log's key where its file is at hand."""
    from passline.people.accounts import STREAM
    from passline.people.verify import verify_vault
    from passline.store.authentic_vault import ROWS_PURPOSE
    from passline.store.keys import load_key
    from passline.store.sealed import stored_of

    path = key_file or (source.key_file if source.key_file and source.key_file.exists() else None)
    key = load_key(path).derive(ROWS_PURPOSE) if path else None
    mark = f'"stream":"{STREAM}"'.encode()  # few entries have it, and decoding takes long
    entries = (stored_of(row).entry for row in source.rows() if mark in row.body)
    own = (entry for entry in entries if entry.stream == STREAM)
    return verify_vault(own, source.secrets() if source.secrets else None, key)


def _show_vault(vault: VaultReport) -> None:
    if vault.rows is not None:
        unchecked = f", {vault.unchecked:,} not checked: give the log's key as --key-file" if vault.unchecked else ""
        print(f"vault: {vault.rows:,} rows{unchecked}")
    if vault.unbound:
        print(f"warning: {vault.unbound:,} passwords and PINs are not bound to the log yet: serve it once to bind them")
    for notice in vault.notices[-_SHOWN_MAX:]:
        print(f"notice: {notice}")


def _show(
    report: Report, damages: list[str], engine: list[Fault], vault: VaultReport | None, *, is_replayed: bool
) -> None:
    print(f"log {report.log_id or 'without a name'}: {report.entries:,} entries, {report.seals:,} seals checked")
    taken = "taken from the log: use --key to detect a log that was forged as a whole"
    print(f"key {report.public_key or 'unknown'} ({'given' if report.is_key_given else taken})")
    if report.head:
        print(f"head {report.head.sequence}:{report.head.hash}:{report.head.seal}")
    for warning in report.warnings[:_SHOWN_MAX]:
        print(f"warning: entry {warning.sequence} {warning.what}")
    faults = [*(f"entry {fault.sequence} {fault.what}" for fault in (*report.faults, *engine))]
    faults += [f"the file: {damage}" for damage in damages]
    if vault is not None:
        _show_vault(vault)
        faults += [f"the vault: {fault}" for fault in vault.faults]
    for line in faults[:_SHOWN_MAX]:
        print(line)
    if len(faults) > _SHOWN_MAX:
        print(f"... and {len(faults) - _SHOWN_MAX:,} more (--json prints all)")
    if faults:
        print(f"NOT INTACT: {len(faults):,} {'fault' if len(faults) == 1 else 'faults'}")
    elif is_replayed:
        print("intact, and the engine reaches the same decisions")
    else:
        print("intact")


def _key(text: str) -> bytes | None:
    if not text:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:  # noqa: PLR2004 - Ed25519
        raise CrapsError(f"--key {text}: must be 64 hex digits, as on the regulator's page and in the output of verify")
    return key


def _head(text: str) -> Head | None:
    """Parse a head as verify prints it, or read it from a JSON file: the file's object or its key "head"."""
    from msgspec import DecodeError, ValidationError, convert, json

    from passline.store.entry import Head

    if not text:
        return None
    sequence, _, rest = text.partition(":")
    hash_, _, seal = rest.partition(":")
    if re.fullmatch(r"-?[0-9]{1,40}", sequence) and hash_:
        return Head(int(sequence), hash_.lower(), seal.lower())
    try:
        found = json.decode(Path(text).read_bytes())
        return convert(found.get("head", found) if isinstance(found, dict) else found, Head)
    except (OSError, DecodeError, ValidationError) as error:
        raise CrapsError(
            f"--head {text}: must be SEQUENCE:HASH or SEQUENCE:HASH:SEAL, or a JSON file with a head: {error}"
        ) from error

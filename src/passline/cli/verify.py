"""`passline verify`: whether a log is as it was written, and whether the engine still says what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.output import progress_bar
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.entry import Head
    from passline.store.log_source import Source
    from passline.store.verify import Fault, Report

__all__ = ["LogArgument", "verify"]

LogArgument = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        envvar="PASSLINE_LOG",
        help="A data directory, its SQLite file, JSON lines, postgresql://..., or a server's http(s)://...",
        show_default=False,
    ),
]
"""Where a log is, as commands take it."""
_SHOWN_MAX = 50


def verify(
    log: LogArgument,
    *,
    head: Annotated[
        str,
        typer.Option(
            metavar="SEQUENCE:HASH[:SEAL]",
            help="A head known outside the log, or a JSON file with one: what was cut off after it is found.",
        ),
    ] = "",
    key: Annotated[str, typer.Option(metavar="HEX", help="The log's public key, known outside it.")] = "",
    every_seal: Annotated[
        bool, typer.Option("--every-seal", help="Check each seal, also those that later ones cover.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The report, as JSON.")] = False,
) -> None:
    """Verify a log: its chain, its seals, and every settlement by the engine.

    The exit code is 0 if it is intact, 1 if there are faults, 2 if it cannot be read.
    """
    from msgspec import json, to_builtins

    from passline.store.log_source import open_source
    from passline.store.verify import verify_log

    known_head, known_key = _head(head), _key(key)
    with open_source(log) as source, progress_bar("entries checked") as told:
        report = verify_log(
            source.lines(),
            known_key,
            known_head,
            every_seal=every_seal,
            told=told and (lambda count: told(count, None, "entries checked")),
        )
        damages = source.damages()
        is_replayed = report.is_intact and not damages  # what is not even in order is not dealt again
        engine = list(_replayed(source)) if is_replayed else []
    is_intact = report.is_intact and not damages and not engine
    if as_json:
        found = to_builtins(report) | {
            "damages": damages,
            "replay": to_builtins(engine) if is_replayed else None,
            "is_intact": is_intact,
        }
        print(json.format(json.encode(found), indent=1).decode())
    else:
        _show(report, damages, engine, is_replayed=is_replayed)
    if not is_intact:
        raise typer.Exit(1)


def _replayed(source: Source) -> Iterator[Fault]:
    """What the engine says otherwise, played again from the log."""
    from passline.store.sealed import stored_of
    from passline.tables.verify import decision_faults

    return decision_faults(map(stored_of, source.lines()))


def _show(report: Report, damages: list[str], engine: list[Fault], *, is_replayed: bool) -> None:
    print(f"log {report.log_id or 'without a name'}: {report.entries:,} entries, {report.seals:,} seals checked")
    origin = "given" if report.is_key_given else "taken from the log: a log forged as a whole shows only with --key"
    print(f"key {report.public_key or 'unknown'} ({origin})")
    if report.head:
        print(f"head {report.head.sequence}:{report.head.hash}:{report.head.seal}")
    for warning in report.warnings[:_SHOWN_MAX]:
        print(f"warning: entry {warning.sequence} {warning.what}")
    said = [*(f"entry {fault.sequence} {fault.what}" for fault in (*report.faults, *engine))]
    said += [f"the file: {damage}" for damage in damages]
    for line in said[:_SHOWN_MAX]:
        print(line)
    if len(said) > _SHOWN_MAX:
        print(f"... and {len(said) - _SHOWN_MAX:,} more (--json has all)")
    if said:
        print(f"NOT INTACT: {len(said):,} {'fault' if len(said) == 1 else 'faults'}")
    elif is_replayed:
        print("intact, and the engine settles all of it the same way")
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
        raise CrapsError(f"--key {text}: is 64 hex digits, as the regulator's page and the first verify show it")
    return key


def _head(text: str) -> Head | None:
    """Read a head: as verify prints it, or from a file as an acknowledgement has it, by itself or under "head"."""
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
            f"--head {text}: is SEQUENCE:HASH or SEQUENCE:HASH:SEAL, or a file with the JSON of a head: {error}"
        ) from error

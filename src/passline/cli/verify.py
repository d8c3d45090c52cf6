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
    from passline.store.entry import Head
    from passline.store.log_source import LogSource
    from passline.store.verify import Fault, Report
    from passline.tables.electronic.proofs import DiceProofs

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
    from passline.tables.electronic.proofs import DiceProofs

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
        proofs = DiceProofs()
        engine = list(_replayed(source, proofs)) if is_replayed else []
        jumps = _clock_jumps(source) if is_replayed else []
    is_intact = report.is_intact and not damages and not engine
    if as_json:
        found = to_builtins(report) | {
            "damages": damages,
            "replay": to_builtins(engine) if is_replayed else None,
            "dice": to_builtins(proofs) if is_replayed else None,
            "clock_jumps": to_builtins(jumps),
            "is_intact": is_intact,
        }
        print(json.format(json.encode(found), indent=1).decode())
    else:
        for jump in jumps[:_SHOWN_MAX]:
            print(f"note: entry {jump.sequence}: {jump.what}")
        _show(report, damages, engine, proofs, is_replayed=is_replayed)
    if not is_intact:
        raise typer.Exit(1)


def _replayed(source: LogSource, proofs: DiceProofs) -> Iterator[Fault]:
    """Yield where the engine, replaying the log, decides differently; count electronic rolls in `proofs`."""
    from passline.store.sealed import stored_of
    from passline.tables.verify import decision_faults

    return decision_faults(map(stored_of, source.rows()), proofs)


def _clock_jumps(source: LogSource) -> list[Fault]:
    """Return where the log has on record that the server's clock jumped."""
    from passline.tables.views.clock_jumps import clock_jumps

    return clock_jumps(source.rows())


def _show(report: Report, damages: list[str], engine: list[Fault], proofs: DiceProofs, *, is_replayed: bool) -> None:
    print(f"log {report.log_id or 'without a name'}: {report.entries:,} entries, {report.seals:,} seals checked")
    taken = "taken from the log: use --key to detect a log that was forged as a whole"
    print(f"key {report.public_key or 'unknown'} ({'given' if report.is_key_given else taken})")
    if report.head:
        print(f"head {report.head.sequence}:{report.head.hash}:{report.head.seal}")
    for line in _dice_lines(proofs):
        print(line)
    for warning in report.warnings[:_SHOWN_MAX]:
        print(f"warning: entry {warning.sequence} {warning.what}")
    faults = [*(f"entry {fault.sequence} {fault.what}" for fault in (*report.faults, *engine))]
    faults += [f"the file: {damage}" for damage in damages]
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


def _dice_lines(proofs: DiceProofs) -> Iterator[str]:
    """Yield what is known of the electronic rolls."""
    if proofs.proved:
        without = f", {proofs.without_nonce:,} of them without a nonce of the shooter's" * bool(proofs.without_nonce)
        late = f" ({proofs.late_nonces:,} because it came too late)" * bool(proofs.late_nonces)
        yield f"dice: {proofs.proved:,} electronic rolls proved{without}{late}"
    if proofs.unprovable:
        yield f"dice: {proofs.unprovable:,} electronic rolls from before rolls could be proved"
    yield from (f"dice: entry {one.sequence} {one.what}" for one in proofs.given_up[:_SHOWN_MAX])


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

"""`passline verify`: check that a log was not changed, and that the engine settles everything in it the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    from passline.tables.views.dealt_by import DealtBy

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
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHERE", help="An anchor of the log (see passline serve), for its newest head. May be repeated."
        ),
    ] = None,
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
    from passline.tables.views.dealt_by import DealtBy

    given_head, given_key = _head(head), _key(key)
    with open_source(log) as source, progress_bar("entries checked") as progress:
        anchored = _anchored(source, anchor or ())
        report = verify_log(
            source.rows(),
            given_key,
            given_head,
            also=anchored,
            every_seal=every_seal,
            progress=progress and (lambda count: progress(count, None, "entries checked")),
        )
        damages = source.damages()
        is_replayed = report.is_intact and not damages  # a damaged log is not replayed
        proofs = DiceProofs()
        dealt_by = DealtBy()
        engine = list(_replayed(source, proofs, dealt_by)) if is_replayed else []
        jumps = _clock_jumps(source) if is_replayed else []
    is_intact = report.is_intact and not damages and not engine
    if as_json:
        found = to_builtins(report) | {
            "damages": damages,
            "replay": to_builtins(engine) if is_replayed else None,
            "dice": to_builtins(proofs) if is_replayed else None,
            "clock_jumps": to_builtins(jumps),
            "is_intact": is_intact,
            "dealt": {
                "parts": to_builtins(dealt_by.parts),
                "lines": list(dealt_by.lines()),
                "warnings": list(dealt_by.warnings()),
            },
        }
        print(json.format(json.encode(found), indent=1).decode())
    else:
        for jump in jumps[:_SHOWN_MAX]:
            print(f"note: entry {jump.sequence}: {jump.what}")
        _show(report, damages, engine, proofs, dealt_by, is_replayed=is_replayed)
    if not is_intact:
        raise typer.Exit(1)


def _anchored(source: LogSource, places: Sequence[str]) -> list[Head]:
    """Return the newest head of this log in each anchor."""
    from passline.store.anchors.anchors import head_in_anchors
    from passline.store.genesis import begun_in
    from passline.store.sealed import stored_of

    if not places:
        return []
    first = next(source.rows(), None)
    begun = begun_in(stored_of(first).entry) if first else None
    if begun is None:
        raise CrapsError("--anchor: the log does not begin with its id, so no head of it can be found; use --head")
    return head_in_anchors(places, begun.log_id)


def _replayed(source: LogSource, proofs: DiceProofs, dealt_by: DealtBy) -> Iterator[Fault]:
    """Yield where the engine, replaying the log, decides differently; count electronic rolls in `proofs`."""
    from passline.store.sealed import stored_of
    from passline.tables.verify import decision_faults

    return decision_faults(map(stored_of, source.rows()), proofs, dealt_by)


def _clock_jumps(source: LogSource) -> list[Fault]:
    """Return where the log has on record that the server's clock jumped."""
    from passline.tables.views.clock_jumps import clock_jumps

    return clock_jumps(source.rows())


def _show(
    report: Report, damages: list[str], engine: list[Fault], proofs: DiceProofs, dealt_by: DealtBy, *, is_replayed: bool
) -> None:
    for line in (*_log_lines(report), *_dice_lines(proofs), *_dealt_lines(dealt_by)):
        print(line)
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


def _log_lines(report: Report) -> Iterator[str]:
    """Yield what the log is, what it was compared with, and what is odd about it."""
    yield f"log {report.log_id or 'without a name'}: {report.entries:,} entries, {report.seals:,} seals checked"
    taken = "taken from the log: use --key to detect a log that was forged as a whole"
    yield f"key {report.public_key or 'unknown'} ({'given' if report.is_key_given else taken})"
    if report.head:
        yield f"head {report.head.sequence}:{report.head.hash}:{report.head.seal}"
    if not report.is_head_given:
        yield "no head given: use --head or --anchor to detect a log that was cut at its end"
    yield from (f"entry {note.sequence} {note.what}" for note in report.notes)
    yield from (f"warning: entry {one.sequence} {one.what}" for one in report.warnings[:_SHOWN_MAX])


def _dealt_lines(dealt_by: DealtBy) -> list[str]:
    """Return which program and rulebook dealt what."""
    return [*dealt_by.lines(), *(f"warning: {text}" for text in dealt_by.warnings())][:_SHOWN_MAX]


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

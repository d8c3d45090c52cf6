"""`passline verify`: check that a log was not changed, and that the engine settles everything in it the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from passline.cli.output import progress_bar
from passline.cli.verify_folder import SHOWN_MAX, is_folder, verify_folder
from passline.cli.verify_lines import dealt_lines, dice_lines, log_lines, vault_lines
from passline.errors import CrapsError
from passline.store.address import ANY_DATABASE

if TYPE_CHECKING:
    from passline.acts.documents import Documents, FiledDocument
    from passline.office.noted_play import NotedPlay
    from passline.office.views.authority import AuthorityLine
    from passline.people.verify import VaultReport
    from passline.store.anchors.marks import Mark
    from passline.store.entry import Head, LogRow, Stored
    from passline.store.log_source import LogSource
    from passline.store.verify import Fault, Report
    from passline.tables.dice.proofs import DiceProofs
    from passline.tables.views.dealt_by import RecordedJump
    from passline.verification.segment_check import LogInParts

LogArgument = Annotated[
    str,
    typer.Argument(
        metavar="LOG",
        envvar="PASSLINE_LOG",
        help=f"A data folder, its SQLite file, JSON lines, {ANY_DATABASE}, a server's http(s)://..., or the folder "
        "of a gaming day.",
        show_default=False,
    ),
]
"""The argument that names a log."""
_MISDATED = "is dated "  # as the check of a log says it


def verify(
    log: LogArgument,
    *,
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEQUENCE:HASH[:SEAL]",
            help="A head kept elsewhere, or a JSON file with one, to find out whether the log was cut off. "
            "May be repeated.",
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHERE", help="An anchor of the log (see passline serve), for its newest head. May be repeated."
        ),
    ] = None,
    key: Annotated[str, typer.Option(metavar="HEX", help="The log's public key, kept elsewhere.")] = "",
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The log's key, to check the vault's rows; in a data folder it is at hand."),
    ] = None,
    body: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BODY=FINGERPRINT",
            help="The fingerprint of a regulator's key, as it told it elsewhere, such as TGO=66687aad... "
            "May be repeated.",
        ),
    ] = None,
    every_seal: Annotated[
        bool, typer.Option("--every-seal", help="Check every seal, including those that a later seal covers.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Verify a log: its hash chain, its seals, and every decision in it by the engine.

    The exit code is 0 if the log is intact, 1 if it has faults, 2 if it cannot be read.
    """
    from msgspec import json

    if is_folder(log):
        verify_folder(Path(log), _key(key), as_json=as_json)
        return
    heads = tuple(kept for text in head or () if (kept := _head(text)) is not None)
    against = _Kept(heads, tuple(anchor or ()), _key(key), key_file, tuple(body or ()))
    found = _check_log(log, against, every_seal=every_seal)
    if as_json:
        print(json.format(json.encode(found.as_json()), indent=1).decode())
    else:
        for line in found.lines():
            print(line)
    if not found.is_intact:
        raise typer.Exit(1)


class _Kept(NamedTuple):
    """What somebody has kept elsewhere, and a log is held against."""

    heads: tuple[Head, ...]
    anchors: tuple[str, ...]
    key: bytes | None  # public
    key_file: Path | None  # for the rows of the vault
    bodies: tuple[str, ...]  # as BODY=FINGERPRINT


def _check_log(log: str, kept: _Kept, *, every_seal: bool) -> _Findings:
    """Read a log from its beginning to its end, and decide all that is in it again; return what was found."""
    from passline.cli.verify_parts import read_in_parts
    from passline.store.export import rows_in
    from passline.store.log_source import open_source
    from passline.store.verify import verify_log
    from passline.streams.view_witness import PagesRead
    from passline.verification.segment_check import OTHER_ROWS, note_others

    with (
        open_source(log) as source,
        TemporaryDirectory() as made,
        progress_bar("entries checked") as progress,
        (others := Path(made) / OTHER_ROWS).open("wb+") as file,
    ):

        def tell(count: int) -> None:
            progress(count, None, "entries checked")

        anchored, declared = _read_anchors(source, kept.anchors)
        folder, heads = source.key_file.parent if source.key_file else None, (*kept.heads, *anchored)
        pages = PagesRead(folder)  # before the rows: a server that runs goes on meanwhile
        parts, why = read_in_parts(source, Path(made), kept.key, heads, every_seal=every_seal, told=tell)
        if parts is not None and source.place is not None:
            report = parts.report
            pages.look_up(source.place.row_at, report.entries)
        else:
            rows = note_others(pages.compare(source.rows()), file)
            report = verify_log(rows, kept.key, also=heads, every_seal=every_seal, progress=tell)
        damages = [
            *(parts.damages if parts else source.damages()),
            *pages.faults(report.log_id),
            *_foreign_segments(source, report),
        ]
        found = _Findings(_compare_anchors(report, declared), damages, _bodies(kept.bodies), why)
        if found.is_replayed:
            file.flush()
            found.replay(source, kept.key_file, parts, partial(rows_in, others))
    return found


def _foreign_segments(source: LogSource, report: Report) -> Iterator[str]:
    """Yield archived segments that the database reads and the log does not name."""
    for segment in source.segments():
        if segment not in report.segments:
            yield f"the table archives names {segment.name} otherwise than the log does: continue from a backup"


class _Findings:
    """Everything that was found out about a log."""

    def __init__(self, report: Report, damages: list[str], bodies: Mapping[str, str], why: str = "") -> None:
        from passline.tables.dice.proofs import DiceProofs
        from passline.tables.views.dealt_by import DealtBy

        self.report, self.damages, self.bodies, self.why_in_one_piece = report, damages, bodies, why
        self.authority: list[AuthorityLine] = []
        self.owed: list[str] = []  # reports of cash that are due and missing
        self.is_replayed = report.is_intact and not damages  # a damaged log is not replayed
        self.engine: list[Fault] = []
        self.jumps: list[RecordedJump] = []
        self.proofs, self.dealt_by = DiceProofs(), DealtBy()
        self.vault: VaultReport | None = None
        self.unread = 0  # documents that the log names and that are not at hand

    def replay(
        self,
        source: LogSource,
        key_file: Path | None,
        parts: LogInParts | None,
        others: Callable[[], Iterator[LogRow]],
    ) -> None:
        """Have the engine decide everything again, unless it did in parts, and check what lies beside the log.

        `others` yields the rows that are not play at tables.
        """
        from passline.office.noted_play import noted_play_faults
        from passline.store.sealed import stored_of
        from passline.tables.kept_rulebooks import learn_kept_rulebooks
        from passline.tables.views.dealt_by import clock_jumps
        from passline.tournament.verify import log_faults

        def read() -> Iterator[Stored]:
            return map(stored_of, source.rows())

        filed: list[FiledDocument] = []
        noted: list[NotedPlay] = []
        if parts is None:
            learn_kept_rulebooks(others())
            self.engine = list(log_faults(read(), self.proofs, self.dealt_by, filed, owed=self.owed, noted=noted))
        else:
            self.engine, self.owed, reading = parts.faults, parts.owed, parts.reading
            self.proofs, self.dealt_by, filed, noted = reading.proofs, reading.dealt_by, reading.filed, reading.noted
        self.engine += noted_play_faults(noted, read)
        self.engine += _foreign_keys(source, key_file, self.proofs, self.report.log_id)
        self.engine += self._read_authority(others())
        self.jumps = clock_jumps(others())
        self.vault = _vault(source, key_file, others)
        documents = _documents(source, key_file)
        self.damages += _document_faults(documents, filed) if documents else ()
        self.unread = 0 if documents else len({document.digest for document in filed})

    def _read_authority(self, rows: Iterator[LogRow]) -> list[Fault]:
        """Read who gave whom the authority, and compare the keys of bodies with those that are known elsewhere."""
        from passline.office.views.authority import authority_lines, body_key_faults
        from passline.store.sealed import stored_of
        from passline.store.verify import Fault

        self.authority = authority_lines(stored_of(row).entry for row in rows)
        return [Fault(*fault) for fault in body_key_faults(self.authority, self.bodies)]

    @property
    def is_intact(self) -> bool:
        return self.report.is_intact and not (self.damages or self.engine or (self.vault and self.vault.faults))

    def as_json(self) -> dict[str, Any]:
        from msgspec import to_builtins

        dealt_by = self.dealt_by
        found: dict[str, Any] = to_builtins(self.report)
        return found | {
            "damages": self.damages,
            "replay": to_builtins(self.engine) if self.is_replayed else None,
            "dice": to_builtins(self.proofs) if self.is_replayed else None,
            "clock_jumps": to_builtins(self.jumps),
            "vault": to_builtins(self.vault),
            "is_intact": self.is_intact,
            "remarks": list(self.remarks()),
            "authority": [to_builtins(line) | {"is_alone": line.is_alone} for line in self.authority],
            "owed": self.owed,
            "dealt": {
                "parts": to_builtins(dealt_by.parts),
                "lines": list(dealt_by.lines()),
                "notes": list(dealt_by.notes()),
                "warnings": list(dealt_by.warnings()),
            },
        }

    def remarks(self) -> Iterator[str]:
        """Yield what is not a fault but somebody should know, about the log, the clock, the dice and the vault."""
        from passline.tables.views.dealt_by import jump_lines

        if self.why_in_one_piece:
            yield f"note: {self.why_in_one_piece}"
        yield from (f"note: {line}" for line in islice(jump_lines(self.jumps), SHOWN_MAX))
        yield from (f"entry {note.sequence} {note.what}" for note in self.report.notes)
        yield from (f"warning: {line}" for line in islice(_warning_lines(self.report.warnings), SHOWN_MAX))
        yield from dice_lines(self.proofs)
        if self.vault is not None:
            yield from vault_lines(self.vault)
        if self.unread:
            yield f"note: {self.unread:,} documents that the log names are not checked: give its data folder"
        yield from _authority_lines(self.authority)
        yield from (f"warning: {owed}" for owed in self.owed[:SHOWN_MAX])
        if not self.is_replayed:
            yield "warning: what was decided, the dice and the vault are not checked, since the log is damaged"

    def lines(self) -> Iterator[str]:
        yield from (*log_lines(self.report), *self.remarks(), *dealt_lines(self.dealt_by))
        faults = [*(f"entry {fault.sequence} {fault.what}" for fault in (*self.report.faults, *self.engine))]
        faults += [f"the file: {damage}" for damage in self.damages]
        if self.vault is not None:
            faults += [f"the vault: {fault}" for fault in self.vault.faults]
        yield from faults[:SHOWN_MAX]
        if len(faults) > SHOWN_MAX:
            yield f"... and {len(faults) - SHOWN_MAX:,} more (--json prints all)"
        if faults:
            yield f"NOT INTACT: {len(faults):,} {'fault' if len(faults) == 1 else 'faults'}"
        else:
            yield "intact" + ", and the engine reaches the same decisions" * self.is_replayed
        if not self.report.is_key_newest and self.report.warnings:
            yield f"WARNING: checked with an old key only; entry {self.report.warnings[0].sequence} replaced it"


def _warning_lines(warnings: Sequence[Fault]) -> Iterator[str]:
    """Yield what the log is warned of, entries that follow each other with a wrong date in one line."""
    runs: list[list[Fault]] = []
    for fault in warnings:
        is_next = bool(runs) and fault.sequence == runs[-1][-1].sequence + 1
        if is_next and all(_MISDATED in each.what for each in (fault, runs[-1][-1])):
            runs[-1].append(fault)
        else:
            runs.append([fault])
    for first, *others in runs:
        also = f", and so are those after it up to entry {others[-1].sequence}" if others else ""
        yield f"entry {first.sequence} {first.what}{also}"


def _bodies(texts: Sequence[str]) -> dict[str, str]:
    """Return the fingerprints that were given, by the body."""
    given = {}
    for text in texts:
        body, _, fingerprint = text.partition("=")
        if not body or not re.fullmatch("[0-9a-f]{64}", fingerprint.strip().lower()):
            raise CrapsError(f"--body {text}: write BODY=FINGERPRINT, such as TGO= and 64 hexadecimal digits")
        given[body] = fingerprint.strip().lower()
    return given


def _authority_lines(found: Sequence[AuthorityLine]) -> Iterator[str]:
    """Yield who gave whom the authority: bodies, settings, waivers; people by how many one person made."""
    major = [line for line in found if line.is_major]
    yield from (f"authority: {line}" for line in major[-SHOWN_MAX:])
    if len(major) > SHOWN_MAX:
        yield f"authority: ... and {len(major) - SHOWN_MAX:,} earlier ones (--json prints all)"
    alone = sum(line.is_alone for line in found if not line.is_major)
    if alone:
        yield f"authority: {alone:,} times one person gave somebody a role of the crew or the office (--json has them)"


def _read_anchors(source: LogSource, places: Sequence[str]) -> tuple[list[Head], list[list[Mark]]]:
    """Return the newest head of this log in each anchor, and the restorations that it was told of."""
    from passline.store.anchors.anchors import marks_in_anchors
    from passline.store.genesis import begun_in
    from passline.store.sealed import stored_of

    if not places:
        return [], []
    first = next(source.rows(), None)
    begun = begun_in(stored_of(first).entry) if first else None
    if begun is None:
        raise CrapsError("--anchor: the log does not begin with its id, so no head of it can be found; use --head")
    return marks_in_anchors(places, begun.log_id)


def _compare_anchors(report: Report, declared: Sequence[Sequence[Mark]]) -> Report:
    """Return the report with notes on the restorations that anchors know, and faults for those not in the log."""
    from msgspec.structs import replace

    from passline.store.anchors.marks import recorded_words, told_restorations, unrecorded_words
    from passline.store.verify import Fault

    claims = [claim for marks in declared for claim in told_restorations(marks, report.restorations)]
    found = {Fault(claim.mark.sequence, unrecorded_words(claim.mark)) for claim in claims if claim.entry is None}
    notes = dict.fromkeys(Fault(claim.entry.sequence, recorded_words(claim)) for claim in claims if claim.entry)
    return replace(report, faults=tuple(sorted({*report.faults, *found})), notes=(*report.notes, *notes))


def _documents(source: LogSource, key_file: Path | None) -> Documents | None:
    """Return the documents beside the log, where its data folder is at hand: its key, or their own folder."""
    from passline.acts.documents import Documents
    from passline.store.data_folder import DOCUMENTS_FOLDER

    at_hand = key_file or source.key_file
    place = at_hand.parent / DOCUMENTS_FOLDER if at_hand else None
    return Documents(place) if at_hand and place and (at_hand.is_file() or place.is_dir()) else None


def _document_faults(documents: Documents, filed: Sequence[FiledDocument]) -> list[str]:
    """Return what is wrong with the documents: those that an entry names, then those that none does."""
    known = {document.digest for document in filed}
    others = (fault for fault in documents.faults() if fault.split()[1] not in known)
    return [*documents.filed_faults(dict.fromkeys(filed)), *others]


def _vault(source: LogSource, key_file: Path | None, others: Callable[[], Iterator[LogRow]]) -> VaultReport:
    """Check the vault beside the log, if there is one: by the log's key where its file is at hand."""
    from passline.people.accounts import STREAM
    from passline.people.verify import verify_vault
    from passline.store.authentic_vault import ROWS_PURPOSE
    from passline.store.keys import load_key
    from passline.store.sealed import stored_of
    from passline.tables.house_events import SERVER_STARTED

    path = key_file or (source.key_file if source.key_file and source.key_file.exists() else None)
    key = load_key(path).derive(ROWS_PURPOSE) if path else None
    entries = (stored_of(row).entry for row in others())
    own = (entry for entry in entries if entry.stream == STREAM)
    is_older = not any(SERVER_STARTED in row.body for row in others())
    return verify_vault(own, source.secrets() if source.secrets else None, key, is_older=is_older)


def _foreign_keys(source: LogSource, key_file: Path | None, proofs: DiceProofs, log_id: str) -> list[Fault]:
    """Check the commitments to rolls that nobody has thrown yet, where the secret of the dice is at hand."""
    from passline.provable_dice import DiceKeys
    from passline.store.data_folder import DICE_KEY_FILE
    from passline.store.keys import load_secret

    at_hand = key_file or source.key_file
    path = at_hand.parent / DICE_KEY_FILE if at_hand else None
    if path is None or not path.exists():
        return []
    secret = load_secret(path, "the secret of the dice", "without it commitments to coming rolls are not checked")
    return list(proofs.foreign(DiceKeys(secret, log_id)))


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

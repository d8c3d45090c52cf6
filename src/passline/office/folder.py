"""The regulator's folder of a gaming day: entries, reports and papers, each by its digest, signed by the log's key.

`passline verify` proves a folder unaltered without the log: by the manifest's signature, the digest of each file, and
the chain and seals of the entries.
"""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Literal

from msgspec import MsgspecError, Struct, json
from msgspec.structs import replace

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office
from passline.acts.documents import Documents, FiledDocument, filed_documents
from passline.acts.events import ActCompleted, ActDone, ActEvent, OfficeSetUp, ThingsFiled
from passline.acts.history import RecordedAct, recorded_acts
from passline.acts.papers.form_codes import EntryMark, made_subjects
from passline.acts.papers.houses import HouseRules, currency_of, regulation_title
from passline.acts.papers.printed import PrintedPaper, printed_sheet
from passline.acts.papers.sheet import PaperSheet, sheet_of
from passline.acts.papers.signatures import signatures_of
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.state import ActState, KnownThing, fold, thing_key
from passline.bookkeeping.win import CLOSE_DAY, GAMING_DAY
from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf
from passline.documents.as_xlsx import tables_xlsx
from passline.documents.sheet import sheet_in, table_in
from passline.errors import CrapsError
from passline.office.kept import house_of_log, kept_house_rules, names_of_log, stored_until
from passline.office.views.authority import authority_sheet
from passline.office.views.cage import tables_of_day
from passline.office.views.day_forms import file_copies, forms_of_day, forms_table
from passline.office.views.day_report import OfficePast, day_bounds, office_day
from passline.office.views.kept_past import closing_head
from passline.office.views.printed_day import day_report
from passline.office.views.standard_sheet import standards_page
from passline.store.entry import ZERO_HASH, Entry, Head, LogRow, chain_hash, head_message
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import bytes_of_hex, is_signed
from passline.store.log import LogError
from passline.store.sealed import Log, stored_of
from passline.tables.views.dealt_by import this_program

MANIFEST = "manifest.json"
"""The file that names all others of a folder, and is signed."""
_ENTRIES = "entries.jsonl"
_FILED = "documents.json"
_DOCUMENTS, _MESSAGE = "documents/", b"passline folder/1\0"
_SETTERS = 2  # PDFs of a folder that are set at a time
_LEVEL = 3  # of compression: half the time of the usual 6, for a twelfth more bytes


class Manifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a folder holds, as of a head of the log."""

    format: int = 1
    log_id: str
    public_key: str  # hex; the newest
    keys: dict[str, str]  # all of the log, each by the entry that brought it
    regulation: str
    facility: str
    day: str
    begins: str
    ends: str
    as_of: str  # when the head was written
    is_over: bool  # whether the day was then
    first: int  # entry of the day; 0: it has none
    last: int
    head: Head
    program: str
    files: dict[str, str]  # the SHA-256 of each, by name
    signature: str = ""


class _Filed(Struct, frozen=True, forbid_unknown_fields=True):
    """A document that an entry of the day names, and how it lay in the data folder when the folder was written."""

    document: FiledDocument
    status: Literal["stored", "missing", "changed"]


def past_of(log: Log, office: str, day: date, last: int | None = None) -> OfficePast:
    """Read the stream of an office, up to an entry of the log: a gaming day, and the office when it began and ended."""
    events, marks, entries = list[tuple[str, ActEvent]](), dict[str, EntryMark](), list[Entry]()
    for stored in stored_until(log, OFFICE_STREAM + office, last):
        brought = _learnt(stored.entry)
        entries.append(stored.entry)
        events += ((stored.entry.at, event) for event in brought)
        for subject in made_subjects(brought):
            marks.setdefault(subject, EntryMark(stored.entry.sequence, stored.hash))
    facility = next((event.facility for _, event in reversed(events) if isinstance(event, OfficeSetUp)), None)
    if facility is None:
        raise CrapsError(f"the office of {office} is not set up in this log")
    moments, states = day_bounds(facility, day), list[ActState]()
    state, filed = ActState(), dict[str, KnownThing]()
    for entry in entries:
        while len(states) < len(moments) and entry.at >= moments[len(states)]:
            states.append(state)
        brought = OFFICE_CODEC.events(entry)
        for event in brought:
            filed |= {key: state.things[key] for key in event.things} if isinstance(event, ThingsFiled) else {}
        state = fold(state, entry.at, brought)
    before, until = (*states, state, state)[:2]
    rules = OFFICE_RULES.find(state.digest)
    assert rules is not None, "folding an office makes its pages known"
    recorded = recorded_acts(events)
    acts = {number: act for number, act in recorded.items() if number <= until.acts}
    names = {act.done.by: act.done.name for act in recorded.values()} | names_of_log(log, last)
    about = dict[str, list[RecordedAct]]()
    for act in recorded.values():
        for thing in dict.fromkeys(act.done.things):
            about.setdefault(thing_key(act.done.kind, thing), []).append(act)
    past_day = office_day(rules, state, day, events, filed=filed, names=names)
    return OfficePast(
        past_day,
        before,
        until,
        acts_of=lambda _sheet: acts,
        acts_about=lambda subject: about.get(subject, ()),
        entry_of=marks.get,
        authority=lambda: entries,
        closing=_closing_entry(entries, day),
    )


def _learnt(entry: Entry) -> Sequence[ActEvent]:
    events = OFFICE_CODEC.events(entry)
    learn_office(entry, events)
    return events


def _closing_entry(entries: Iterable[Entry], day: date) -> int:
    """Return the entry by which the books of a gaming day were closed; 0: they are open."""
    number = 0
    for entry in entries:
        if number or CLOSE_DAY.encode() in bytes(entry.events):
            for event in OFFICE_CODEC.events(entry):
                if isinstance(event, ActDone) and event.act == CLOSE_DAY and event.things == (day.isoformat(),):
                    number = event.number
                elif isinstance(event, ActCompleted) and event.number == number:
                    return entry.sequence
    return 0


def write_folder(
    log: Log, office: str, day: date, to: Path, documents: Documents | None = None, *, past: OfficePast | None = None
) -> Manifest:
    """Write the folder of a gaming day, all of it or nothing; `to` must not exist yet.

    If `documents` are given, the folder holds those that entries of the day name. If the past is not given, the whole
    stream of the office is read. A day whose books are closed is always written as it was when they were closed: later
    corrections stand in the folder of the day on which they were made.
    """
    if to.exists():
        raise CrapsError(f"{to}: is there already; choose another name")
    past = past or past_of(log, office, day)
    head = closing_head(log, past.closing)
    if head is not None:
        past = past.until_entry(head.sequence) or past_of(log, office, day, head.sequence)
    head = head or log.head()
    facility = past.day.facility
    begins, ends = day_bounds(facility, day)
    assert head is not None
    keys = {since: key.hex() for since, key in log.keys_since().items() if since <= head.sequence}
    as_of = _at(log, head.sequence)
    if begins > as_of:
        raise CrapsError(f"{day}: nothing is in the log since that gaming day began ({begins} UTC)")
    first, after = _first_since(log, begins, head.sequence), _first_since(log, ends, head.sequence)
    manifest = Manifest(
        log_id=log.log_id,
        public_key=log.public_key.hex(),
        keys={str(since): key for since, key in keys.items()},
        regulation=office,
        facility=facility.name,
        day=day.isoformat(),
        begins=begins,
        ends=ends,
        as_of=as_of,
        is_over=as_of >= ends,
        first=first if first < after else 0,
        last=after - 1 if first < after else 0,
        head=head,
        program=this_program().version,
        files={},
    )
    part = Path(tempfile.mkdtemp(prefix=f".{to.name}-", dir=to.parent))
    try:
        with (part / _ENTRIES).open("wb") as file:
            file.writelines(map(row_to_json, log.rows(after=max(first - 2, 0), until=after - 1)))
        filed = _filed_files(log, past, manifest, documents) if documents else ()
        for name, data in (*_files(log, past, day, manifest), *filed):
            path = part / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        files = {name: sha256((part / name).read_bytes()).hexdigest() for name in _names(part)}
        manifest = replace(manifest, files=files)
        manifest = replace(manifest, signature=log.sign(_message(manifest)).hex())
        (part / MANIFEST).write_bytes(_text(manifest))
        part.chmod(0o755)
        part.replace(to)
    except OSError as error:
        raise CrapsError(f"{to}: {error.strerror or error}: nothing was written") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _at(log: Log, sequence: int) -> str:
    row = next(log.rows(after=sequence - 1, until=sequence), None)
    if row is None:
        raise LogError(f"entry {sequence} is missing: run passline verify on this log")
    return stored_of(row).entry.at


def _first_since(log: Log, moment: str, newest: int) -> int:
    """Return the first entry at or after a moment; the one after the newest if there is none."""
    low, high = 1, newest + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _at(log, middle) >= moment else (middle + 1, high)
    return low


def _files(log: Log, past: OfficePast, day: date, manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Yield what is made from the log: the day as a report and a workbook, and the papers that were completed."""
    past_day = past.day
    at = f"{past_day.facility.local(manifest.as_of):%Y-%m-%d %H:%M} ({past_day.facility.zone})"
    regulation, currency = regulation_title(manifest.regulation), currency_of(manifest.regulation)
    foot = f"log {manifest.log_id}, entries {manifest.first} to {manifest.last}, as of entry {manifest.head.sequence}"
    forms = forms_of_day(past_day)
    closing = past.acts_about(thing_key(GAMING_DAY, day.isoformat()))
    listed = forms_table(past_day, forms) if past_day.rules.pages.forms else None
    tables = tables_of_day(past_day)
    made = day_report(past_day, regulation=regulation, at=at, foot=foot, closing=closing, forms=listed, tables=tables)
    report = sheet_in(made, currency)
    with ThreadPoolExecutor(_SETTERS) as setters:  # typst sets each without this thread, which writes the rest
        set_day = setters.submit(as_pdf, report)  # first: it takes longest, and on one core
        sheets = file_copies(past, forms)
        if sheets:  # before the PDF, which wants the codes that are drawn for it
            yield "forms.html", as_html(f"{past_day.facility.name}, forms of gaming day {day}", *sheets).encode()
        set_forms = setters.submit(as_pdf, *sheets) if sheets else None
        authority = authority_sheet(log, past.authority(), past_day.facility, day, regulation=regulation, foot=foot)
        set_authority = setters.submit(as_pdf, sheet_in(authority, currency))
        yield "day.html", as_html(f"{past_day.facility.name}, gaming day {day}", report).encode()
        yield "standards.html", standards_page(past_day.rules, past.until, past_day.names, f"gaming day {day}").encode()
        pages = [table_in(table, currency) for table in tables]
        yield "day.xlsx", tables_xlsx(f"{past_day.facility.name}, {day}", pages)
        if set_forms is not None:
            yield "forms.pdf", set_forms.result()
        yield "day.pdf", set_day.result()
        yield "authority.pdf", set_authority.result()
    named = {digest for act in past_day.own_acts() for digest in act.done.fields.values() if isinstance(digest, str)}
    for sheet in _complete_sheets(past, kept_house_rules(house_of_log(log, manifest.head.sequence)), named):
        paper = printed_paper(past_day.rules, past.until, past.acts_of(sheet), sheet, manifest.day)
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", f"{sheet.paper}-{sheet.thing.rpartition('/')[2]}".strip("-"))
        yield f"papers/{name}.pdf", as_pdf(printed_sheet(paper))


def _filed_files(log: Log, past: OfficePast, manifest: Manifest, documents: Documents) -> Iterator[tuple[str, bytes]]:
    """Yield the documents that entries of the day name, and how each was found."""
    stream = OFFICE_STREAM + manifest.regulation
    entries = (stored_of(row).entry for row in log.rows(after=manifest.first - 1, until=manifest.last))
    named = [
        document
        for entry in (entries if manifest.first else ())
        if entry.stream == stream
        for document in filed_documents(past.day.rules, entry.sequence, OFFICE_CODEC.events(entry))
    ]
    found = [_Filed(document, documents.status(document.digest)) for document in named]
    if found:
        yield _FILED, json.format(json.encode(found), indent=1) + b"\n"
    for digest in {filed.document.digest for filed in found if filed.status == "stored"}:
        data = documents.read(digest)
        assert data is not None
        yield f"{_DOCUMENTS}{digest}", data


def printed_paper(
    rules: ActRules, state: ActState, acts: Mapping[int, RecordedAct], sheet: PaperSheet, at: str
) -> PrintedPaper:
    """Return a paper with its house, its regulation and its signatures, as of a local time."""
    return PrintedPaper(
        sheet,
        state.facility.name if state.facility else "",
        regulation_title(rules.name),
        signatures_of(rules, state, acts, sheet),
        at,
        is_signed=bool(rules.pages.papers[sheet.paper].signed_by),
        currency=currency_of(rules.name),
    )


def _complete_sheets(past: OfficePast, house_rules: HouseRules, named: set[str]) -> Iterator[PaperSheet]:
    """Yield the papers that became complete or other ones in the day, or that an act of the day names."""
    for paper, rule in past.day.rules.pages.papers.items():
        things = [thing.id for thing in past.until.of_kind(rule.thing)] if rule.thing else [""]
        for thing in things:
            sheet = sheet_of(past.day.rules, past.until, paper, thing, house_rules)
            if not sheet.is_complete:
                continue
            if sheet.digest in named or sheet.digest != _digest_before(past, paper, thing, house_rules):
                yield sheet


def _digest_before(past: OfficePast, paper: str, thing: str, house_rules: HouseRules) -> str:
    kind = past.day.rules.pages.papers[paper].thing
    if kind and past.before.thing(kind, thing) is None:
        return ""
    return sheet_of(past.day.rules, past.before, paper, thing, house_rules).digest


# Checking.


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a folder, unchecked; raise CrapsError if it is none."""
    try:
        return json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except OSError as error:
        raise CrapsError(f"{folder / MANIFEST}: {error.strerror or error}") from error
    except MsgspecError as error:
        raise CrapsError(f"{MANIFEST}: was changed: it is not a manifest any more ({error})") from error


def folder_faults(folder: Path, public_key: bytes | None = None) -> list[str]:
    """Return all that is wrong with a folder: nothing if it is as it was written by the holder of the key.

    Without a key its own is used, which shows changes but not a folder that was forged as a whole.
    """
    try:
        manifest = read_manifest(folder)
        text = (folder / MANIFEST).read_bytes()
    except CrapsError as error:
        return [str(error)]
    faults = []
    if public_key is not None and public_key.hex() != manifest.public_key:
        faults.append(f"{MANIFEST}: is signed with the key {manifest.public_key}, not with the given one")
    key = bytes_of_hex(manifest.public_key)
    if text != _text(manifest) or not is_signed(_message(manifest), bytes_of_hex(manifest.signature), key):
        faults.append(f"{MANIFEST}: was changed: its signature does not hold")
    there = {*_names(folder)} - {MANIFEST}
    faults += (f"{name}: is missing" for name in sorted({*manifest.files} - there))
    faults += (f"{name}: does not belong to the folder" for name in sorted(there - {*manifest.files}))
    changed = [
        name
        for name in sorted(there & {*manifest.files})
        if sha256((folder / name).read_bytes()).hexdigest() != manifest.files[name]
    ]
    faults += (f"{name}: was changed: its SHA-256 is not the one in the manifest" for name in changed)
    if _FILED in there and _FILED not in changed:
        faults += (f"{_FILED}: {what}" for what in _filed_faults(folder, there))
    if _ENTRIES in there:
        found = list(_entry_faults(folder / _ENTRIES, manifest))
        if _ENTRIES in changed and not found:  # every other entry hangs on the one before it
            found = ["line 1, the entry before the day, was changed"]
        faults += (f"{_ENTRIES}: {what}" for what in found)
    return faults


def _filed_faults(folder: Path, there: set[str]) -> Iterator[str]:
    """Yield the documents that were not as they had been filed when the folder was written, or are not here."""
    for filed in json.decode((folder / _FILED).read_bytes(), type=list[_Filed]):
        name = f"{_DOCUMENTS}{filed.document.digest}"
        if filed.status == "missing":
            yield f"{filed.document} was missing when the folder was written"
        elif filed.status == "changed":
            yield f"{filed.document} was changed after it was filed"
        elif name not in there or sha256((folder / name).read_bytes()).hexdigest() != filed.document.digest:
            yield f"{filed.document} is not in the folder as it was filed"


def _entry_faults(path: Path, manifest: Manifest) -> Iterator[str]:
    """Yield what is wrong with the entries: each by its place in the chain and by its seal."""
    keys = sorted((int(since), bytes_of_hex(key)) for since, key in manifest.keys.items() if since.isdecimal())

    def is_sealed(sequence: int, hash_: bytes, seal: bytes) -> bool:
        key = next((log_key for since, log_key in reversed(keys) if since < sequence), keys[0][1] if keys else b"")
        return is_signed(head_message(manifest.log_id, sequence, hash_), seal, key)

    head = manifest.head
    if not is_sealed(head.sequence, bytes_of_hex(head.hash), bytes_of_hex(head.seal)):
        yield f"the head of entry {head.sequence} has no valid seal"
    wanted = manifest.first - 1 if manifest.first > 1 else 1 if manifest.first else 0
    before = LogRow(b"", ZERO_HASH, b"") if manifest.first == 1 else None
    with path.open("rb") as file:
        lines = list(file)
    for number, line in enumerate(lines, start=1):
        row = row_from_json(line)
        try:
            sequence = stored_of(row).entry.sequence if not row.fault else 0
        except CrapsError:
            sequence = 0
        if not sequence:
            yield f"line {number} {row.fault or 'has bytes that are not an entry'}"
            before, wanted = None, wanted + bool(wanted)
            continue
        if wanted and sequence != wanted:
            yield f"line {number} is entry {sequence}, not {wanted}"
        elif before is not None and chain_hash(before.hash, before.seal, row.body) != row.hash:
            yield f"entry {sequence} has a hash that does not match its bytes and the entry before it"
        elif row.seal and not is_sealed(sequence, row.hash, row.seal):
            yield f"entry {sequence} has a seal that does not hold"
        before, wanted = row, sequence + 1
    if manifest.last and wanted != manifest.last + 1:
        yield f"it ends with entry {wanted - 1}, not with {manifest.last}"


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _message(manifest: Manifest) -> bytes:
    return _MESSAGE + json.encode(replace(manifest, signature=""), order="deterministic")


def _text(manifest: Manifest) -> bytes:
    """Return the only spelling of a manifest."""
    return json.format(json.encode(manifest), indent=1) + b"\n"


def zipped_folder(folder: Path) -> bytes:
    """Return a folder as a zip; equal folders give equal bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name in _names(folder):
            info, data = zipfile.ZipInfo(f"{folder.name}/{name}"), (folder / name).read_bytes()
            file.writestr(info, data, zipfile.ZIP_DEFLATED, _LEVEL)
    return made.getvalue()

"""Exports of the log: JSON lines, which can be verified, and a spreadsheet for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec import json

from passline.atomic_file import whole_file
from passline.documents.as_xlsx import CELL_TEXT_MAX, stream_xlsx
from passline.store.entry import Entry, LogRow, events_of
from passline.store.sealed import stored_of

LINE_BEGINS = b'{"entry":'
"""How every line of an export begins."""
_JSON_LINE = re.compile(
    rb'\{"entry":(\{.*\}),"hash":"([0-9a-f]{64})","seal":"([0-9a-f]{128}|)"\}\n?', flags=re.DOTALL
)  # exactly as `row_to_json` writes it: a line has only one spelling
_SHEET_ROWS_MAX = 1_048_576  # Excel's limit, heading included
_COLUMNS = (
    *(("Sequence", 9), ("Time (UTC)", 26), ("Stream", 14), ("Version", 8), ("Hand", 6)),
    *(("Actor", 14), ("Role", 12), ("Signed by", 14), ("Command", 18), ("Event", 22), ("Seat", 5)),
    *(("Wager", 14), ("Number", 8), ("Amount", 12), ("Winnings", 12), ("Vigorish", 12), ("Dice", 6)),
    *(("Clause", 24), ("Whole event", 60), ("Id", 38), ("Rules", 16), ("Hash", 66)),
)


def row_to_json(row: LogRow) -> bytes:
    r"""Return a row of the log as a line of JSON: the entry's bytes as they were hashed, its hash and its seal.

    >>> row_to_json(LogRow(b'{"sequence":1}', bytes(32), b""))[:40]
    b'{"entry":{"sequence":1},"hash":"00000000'
    """
    return b'{"entry":%b,"hash":"%b","seal":"%b"}\n' % (row.body, row.hash.hex().encode(), row.seal.hex().encode())


def row_from_json(text: bytes) -> LogRow:
    """Parse a line of JSON; what is wrong with it is in the row's `fault`.

    >>> row_from_json(b'{"entry": {}}').fault
    'is not a line of passline export'
    """
    match = _JSON_LINE.fullmatch(text)
    if match is None:
        return LogRow(b"", b"", b"", fault="is not a line of passline export")
    body, hash_, seal = match.groups()
    fault = "" if text.endswith(b"\n") else "has a line without an end: the file was cut or changed there"
    return LogRow(body, bytes.fromhex(hash_.decode()), bytes.fromhex(seal.decode()), fault=fault)


def rows_in(path: Path) -> Iterator[LogRow]:
    """Yield the rows in a file of such lines."""
    with path.open("rb") as file:
        yield from map(row_from_json, file)


def select_rows(rows: Iterable[LogRow], *, stream: str = "", after: int = 0) -> Iterator[LogRow]:
    """Yield the rows after a sequence number, of one stream if it is named."""
    for row in rows:
        entry = stored_of(row).entry
        if entry.sequence > after and stream in {"", entry.stream}:
            yield row


def streams_of(rows: Iterable[LogRow]) -> tuple[dict[str, int], int]:
    """Return how many entries each stream has, and the number of the newest entry."""
    counts: dict[str, int] = {}
    newest = 0
    for row in rows:
        entry = stored_of(row).entry
        counts[entry.stream] = counts.get(entry.stream, 0) + 1
        newest = max(newest, entry.sequence)
    return counts, newest


def write_jsonl(rows: Iterable[LogRow], path: Path) -> int:
    """Write rows as lines of JSON, all or nothing; return how many."""
    count = 0
    with whole_file(path) as part, part.open("wb") as file:
        for row in rows:
            count += 1
            file.write(row_to_json(row))
    return count


def write_xlsx(rows: Iterable[LogRow], path: Path, *, rows_max: int = _SHEET_ROWS_MAX) -> int:
    """Write a spreadsheet with one row per event, all or nothing; return how many entries it has."""
    count = 0

    def cells() -> Iterator[tuple[Any, ...]]:
        nonlocal count
        for row in rows:
            count += 1
            yield from _event_rows(row)

    with whole_file(path) as part:
        stream_xlsx(part, "Log", _COLUMNS, cells(), rows_max=rows_max)
    return count


def _event_rows(row: LogRow) -> Iterator[tuple[Any, ...]]:
    """Yield the cells of each event of an entry, or of the command alone if it has none."""
    entry = stored_of(row).entry
    events = events_of(entry) or [{}]
    command = json.decode(entry.command)
    name = command.get("command", "") if isinstance(command, dict) else ""
    for event in events:
        yield (
            *(entry.sequence, entry.at, entry.stream, entry.version, entry.hand or None),
            *(entry.actor, entry.role, entry.signed_by, name, *_event_cells(event)),
            *(_text(event, entry), entry.id, entry.rules, row.hash.hex()),
        )


def _event_cells(event: dict[str, Any]) -> tuple[Any, ...]:
    wager = event.get("after") or event.get("wager") or {}
    seen = (wager if isinstance(wager, dict) else {}) | event
    dice = f"{event['first']}-{event['second']}" if {"first", "second"} <= event.keys() else ""
    return (
        *(str(event.get("event", "")), _whole(seen.get("seat")), str(seen.get("kind", "")), _whole(seen.get("number"))),
        *(_dollars(seen.get(name)) for name in ("cents", "winnings", "vigorish")),
        *(dice, str(event.get("clause", ""))),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and value else None


def _dollars(cents: object) -> Decimal | None:
    return Decimal(cents) / 100 if isinstance(cents, int) else None


def _text(event: dict[str, Any], entry: Entry) -> str:
    """Return an event as JSON, or where to find it if it is too long for a cell."""
    text = json.encode(event).decode()
    return text if len(text) <= CELL_TEXT_MAX else f"too long for a cell: see entry {entry.sequence} in the JSON lines"

"""Archives old entries of a log: into a file first, then on record, and only then out of the database.

Each step is durable before the next one, and archiving again goes on where a crash ended it: a file that nothing names
is written anew, a segment on record is taken into the database once its file is found to be what the log names, and
rows are deleted in short transactions, with which a server that runs meanwhile takes turns. How long a house keeps what
was archived is in `retention.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from msgspec import json

from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.index import ArchiveSql
from passline.store.archived.segment import SegmentFile, write_segment
from passline.store.commit import EMPTY, Tip
from passline.store.database import Query, id_key
from passline.store.entry import LogRow
from passline.store.genesis import HOUSE, THE_LOG, EntriesArchived, archive_id, archiving_draft, event_in
from passline.store.log import Conflict, LogError
from passline.store.named_segments import Segment
from passline.store.sealed import Log, stored_of

SEGMENT_ENTRIES = 1 << 18
"""Entries after which a segment ends, if its day has more."""
_PAGE = 500  # rows that are deleted in one transaction: a few milliseconds
_TRIES = 20  # at writing the entry while servers write theirs
_OLD_ROWS = """SELECT sequence, stream, actor, id FROM {0}entries AS entry WHERE sequence > ? AND sequence <= ?
    AND EXISTS (SELECT 1 FROM {0}entries AS later WHERE later.stream = entry.stream AND later.version > entry.version)
    ORDER BY sequence LIMIT ?"""


def day_in_utc(at: str) -> str:
    """Return the day of an entry's time.

    >>> day_in_utc("2026-11-15T08:00:00.000000Z")
    '2026-11-15'
    """
    return at.partition("T")[0]


def archive_entries(
    log: Log,
    before: str,
    *,
    by: str,
    day_of: Callable[[str], str] = day_in_utc,
    entries_max: int = SEGMENT_ENTRIES,
    at: str = "",
) -> list[Segment]:
    """Archive all entries that are dated before a moment, a segment for each day; return the new segments.

    `day_of` tells the day of a moment: a house's gaming day, which is closed as a whole, or else that of UTC.
    What an earlier archiving left unfinished is finished first.
    """
    if not isinstance(log, DatabaseLog):
        raise LogError("a log in memory has no archive: archive one in a data folder or in PostgreSQL")
    with log.archive_alone():
        return _archive_days(log, before, by=by, day_of=day_of, entries_max=entries_max, at=at)


def _archive_days(
    log: DatabaseLog, before: str, *, by: str, day_of: Callable[[str], str], entries_max: int, at: str
) -> list[Segment]:
    known = _finish(log, by, at)
    tip = _tip_of(known[-1]) if known else EMPTY
    cut = _last_before(log, tip.sequence, before)
    made = list[Segment]()
    rows = _Parts(log.rows(after=tip.sequence, until=cut), day_of, entries_max)
    for number in count(len(known) + 1):
        if tip.sequence >= cut:
            return made
        segment = write_segment(rows.part(), tip, log.archived.files, number)
        _record(log, segment, by, at)
        _take(log, segment)
        tip = _tip_of(segment)
        made.append(segment)
    raise AssertionError


def recorded_segments(log: Log) -> list[Segment]:
    """Return the segments that a log names, each as it was packed last."""
    found = list[Segment]()
    while (segment := _find_recorded(log, len(found) + 1)[1]) is not None:
        found.append(segment)
    return found


def _find_recorded(log: Log, number: int) -> tuple[int, Segment | None]:
    """Return how often a segment was packed, and how it was packed last."""
    newest = None
    for packed in count(1):
        stored = log.find(HOUSE, THE_LOG, archive_id(number, packed))
        if stored is None or (archived := event_in(stored.entry, EntriesArchived)) is None:
            return packed - 1, newest
        newest = archived.segment
    raise AssertionError


def finish_archiving(log: DatabaseLog, *, by: str, at: str = "") -> list[Segment]:
    """Finish what was begun, and return the segments that the log names."""
    with log.archive_alone():
        return _finish(log, by, at)


def _finish(log: DatabaseLog, by: str, at: str) -> list[Segment]:
    recorded = recorded_segments(log)
    known = log.archived.segments()
    if known != recorded[: len(known)]:
        raise LogError("the database knows other archived segments than the log names: run passline verify on this log")
    for place, segment in enumerate(recorded[len(known) :], start=len(known)):
        recorded[place] = _found_or_packed(log, segment, by, at)
        _take(log, recorded[place])
    if recorded:
        _delete_rows(log, recorded[-1].last)
    return recorded


def _found_or_packed(log: DatabaseLog, segment: Segment, by: str, at: str) -> Segment:
    """Return a segment that the log names, packed anew if its file is not here: a backup brings its entries as rows."""
    try:
        log.archived.file_of(segment).check_file()
    except LogError:
        rows = log.rows(after=segment.first - 1, until=segment.last)
        before = Tip(segment.first - 1, bytes.fromhex(segment.before), bytes.fromhex(segment.before_seal))
        again = write_segment(rows, before, log.archived.files, segment.number)
        if again.contents != segment.contents:
            raise
        if again != segment:  # another zlib
            _record(log, again, by, at)
        return again
    return segment


def _tip_of(segment: Segment) -> Tip:
    return Tip(segment.last, bytes.fromhex(segment.after), bytes.fromhex(segment.after_seal))


def _row_at(log: Log, sequence: int) -> LogRow:
    row = next(log.rows(after=sequence - 1, until=sequence), None)
    if row is None:
        raise LogError(f"entry {sequence} is missing: run passline verify on this log")
    return row


def _last_before(log: Log, low: int, before: str) -> int:
    """Return the last entry that ends a commit and is dated before a moment; `low` if there is none after that."""
    high = log.sequence
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if stored_of(_row_at(log, middle)).entry.at < before else (low, middle - 1)
    while low > 0 and not _row_at(log, low).seal:
        low -= 1
    return low


class _Parts:
    """Rows in parts, each of which ends with a commit: where the day ends, or it has become long."""

    def __init__(self, rows: Iterator[LogRow], day_of: Callable[[str], str], entries_max: int) -> None:
        self._rows, self._day_of, self._entries_max = rows, day_of, entries_max
        self._next = next(rows, None)

    def part(self) -> Iterator[LogRow]:
        """Yield the rows of the next part."""
        day, number, is_ended = "", 0, True
        while (row := self._next) is not None:
            of = self._day_of(stored_of(row).entry.at)
            if is_ended and number and (number >= self._entries_max or of > day):
                return
            day, number, is_ended = max(day, of), number + 1, bool(row.seal)
            self._next = next(self._rows, None)
            yield row


def _record(log: Log, segment: Segment, by: str, at: str) -> None:
    """Write the entry that names a segment."""
    for _ in range(_TRIES):
        packed = _find_recorded(log, segment.number)[0] + 1
        (result,) = log.append([archiving_draft(segment, packed, expected=log.streams()[HOUSE], by=by, at=at)])
        if not isinstance(result, Conflict):
            break
    else:
        raise LogError("too many others are writing to the log: archive when the house is quiet")
    named = event_in(result.stored.entry, EntriesArchived)
    if named is None or named.segment != segment:
        raise LogError(f"somebody else archived these entries at entry {result.stored.entry.sequence}: archive again")


def _take(log: DatabaseLog, segment: Segment) -> None:
    """Have the entries of a segment read from its file, and delete their rows."""
    file = log.archived.file_of(segment)
    file.check_file()
    with log.begin_archiving() as run:
        _note_segment(run, log.archived.sql, file)
    _delete_rows(log, segment.last)


def _note_segment(run: Query, sql: ArchiveSql, file: SegmentFile) -> None:
    segment = file.segment
    for statement in sql.triggers:
        run(statement, ())
    named = (segment.number, segment.first, segment.last, json.encode(segment))
    run(f"INSERT INTO {sql.schema}archives VALUES (?, ?, ?, ?)", named)  # noqa: S608 - constants only
    for stream, span in file.spans().items():
        values = (stream, segment.number, *span.as_row)
        run(f"INSERT INTO {sql.schema}archived_streams VALUES (?, ?, ?, ?, ?, ?)", values)  # noqa: S608


def _delete_rows(log: DatabaseLog, until: int) -> None:
    """Delete rows of archived entries but for the log's first and each stream's newest, and keep their ids."""
    after, sql = 1, log.archived.sql
    while True:
        with log.begin_archiving() as run:
            found = run(_OLD_ROWS.format(sql.schema), (after, until, _PAGE))
            keys = [(id_key(stream, actor, id_), sequence) for sequence, stream, actor, id_ in found]
            run(sql.keep_ids, (json.encode(keys).decode(),))
            run(sql.delete_rows, (json.encode([sequence for _, sequence in keys]).decode(),))
        if not found:
            return
        after = found[-1][0]

"""What a database knows of archived segments, and how their entries are found.

The rows of archived entries are deleted; a row stays of the log's first entry, and of each stream's newest one, so that
versions, heads and the streams themselves are read where they always were. Ids stay too, as 64 bits of their hash: each
acts once for ever. An entry that is found by them is compared in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import MsgspecError, Struct, json

from passline.store.archived.files import ArchiveFiles
from passline.store.archived.segment import SegmentFile
from passline.store.database import ArchivedRows, Name, Query, id_key
from passline.store.entry import LogRow
from passline.store.log import LogError
from passline.store.named_segments import Segment

_IDS_AT_ONCE = 10_000

ARCHIVE_TABLES = (
    """CREATE TABLE IF NOT EXISTS archives (
        number INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, segment BLOB NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS archived_streams (stream TEXT NOT NULL, number INTEGER NOT NULL,
        first INTEGER NOT NULL, last INTEGER NOT NULL, first_hand INTEGER NOT NULL, last_hand INTEGER NOT NULL,
        PRIMARY KEY (stream, number)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS archived_ids (
        key INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (key, sequence)) WITHOUT ROWID""",
)
"""Makes the tables, in SQLite."""


class ArchiveSql(Struct, frozen=True):
    """What two kinds of databases write differently: the names of tables, and how they read a list in JSON."""

    schema: str
    numbers: str
    pairs: str
    in_a_row: str  # keys as pairs, each with the number of its entry, from a first one on
    triggers: tuple[str, ...] = ()  # made anew with each segment, so that rows of archived entries can be deleted

    @property
    def sequences(self) -> str:
        """Selects the entries that may have ids of these keys."""
        return f"SELECT sequence FROM {self.schema}archived_ids WHERE key IN ({self.numbers}) ORDER BY sequence"  # noqa: S608 - constants only

    @property
    def count_forgotten(self) -> str:
        """Counts the entries, from a first one on by the keys of their ids, that have neither a row nor that key."""
        return f"""SELECT COUNT(*) FROM ({self.in_a_row}) AS named
            WHERE NOT EXISTS (SELECT 1 FROM {self.schema}archived_ids AS kept
                WHERE kept.key = named.key AND kept.sequence = named.sequence)
            AND NOT EXISTS (SELECT 1 FROM {self.schema}entries AS entry WHERE entry.sequence = named.sequence)"""  # noqa: S608

    @property
    def keep_ids(self) -> str:
        """Keeps the ids of entries, each as its key. Without WHERE, SQLite would read ON as that of a join."""
        return f"""INSERT INTO {self.schema}archived_ids (key, sequence)
            SELECT key, sequence FROM ({self.pairs}) AS named WHERE TRUE ON CONFLICT DO NOTHING"""  # noqa: S608

    @property
    def delete_rows(self) -> str:
        """Deletes the rows of entries."""
        return f"DELETE FROM {self.schema}entries WHERE sequence IN ({self.numbers})"  # noqa: S608


SQLITE = ArchiveSql(
    schema="",
    numbers="SELECT value FROM json_each(?)",
    pairs="SELECT json_extract(value, '$[0]') AS key, json_extract(value, '$[1]') AS sequence FROM json_each(?)",
    in_a_row="SELECT value AS key, ? + key AS sequence FROM json_each(?)",
    triggers=(
        "DROP TRIGGER IF EXISTS entries_stay",
        """CREATE TRIGGER entries_stay BEFORE DELETE ON entries
            WHEN OLD.sequence > (SELECT IFNULL(MAX(last), 0) FROM archives)
            BEGIN SELECT RAISE(ABORT, 'the log only grows'); END""",
    ),
)
"""As SQLite reads it."""


class Archive(ArchivedRows):
    """The archived part of a log, as its database knows it."""

    def __init__(self, query: Query, files: ArchiveFiles, sql: ArchiveSql = SQLITE) -> None:
        self._query, self.files, self.sql = query, files, sql

    def segments(self) -> list[Segment]:
        """Return what the database knows of all segments, in order."""
        return [_segment(row) for row in self._query(f"SELECT segment FROM {self._archives} ORDER BY number", ())]  # noqa: S608 - constants only

    @property
    def _archives(self) -> str:
        return f"{self.sql.schema}archives"

    @property
    def _streams(self) -> str:
        return f"{self.sql.schema}archived_streams"

    def file_of(self, segment: Segment) -> SegmentFile:
        """Return the file of a segment."""
        return SegmentFile(self.files, segment)

    def file_with(self, sequence: int) -> SegmentFile | None:
        """Return the file that has an entry, if it is archived."""
        sql = f"SELECT segment FROM {self._archives} WHERE first <= ? AND last >= ?"  # noqa: S608 - constants only
        found = self._query(sql, (sequence, sequence))
        return self.file_of(_segment(found[0])) if found else None

    def part_after(self, after: int, last: int) -> tuple[int, Iterator[LogRow]] | None:
        """Return the rows after an entry in the file that has the next one, up to `last`, and the last of them."""
        if (file := self.file_with(after + 1)) is None:
            return None
        last = min(last, file.segment.last)
        return last, file.rows(after=after, until=last)

    def stream_rows(self, stream: str, after: int, hand: int | None) -> Iterator[LogRow]:
        """Yield the archived rows of a stream after a version, or only those of one hand."""
        hands, numbers = ("", ()) if hand is None else (" AND first_hand <= ? AND last_hand >= ?", (hand, hand))
        sql = f"SELECT segment FROM {self._streams} AS span JOIN {self._archives} USING (number) WHERE stream = ?"  # noqa: S608 - constants only
        for row in self._query(f"{sql} AND span.last > ?{hands} ORDER BY number", (stream, after, *numbers)):
            yield from self.file_of(_segment(row)).stream_rows(stream, after=after, hand=hand)

    def faults(self, after: int = 0) -> Iterator[str]:
        """Yield files that are not what the log names, and what the database says of them otherwise than they do.

        With `after` only those of later segments.
        """
        for segment in self.segments():
            if segment.number > after:
                yield from self.faults_of(segment)

    def faults_of(self, segment: Segment, ids: Sequence[int] = ()) -> Iterator[str]:
        """Yield that the file of a segment is not what the log names, or what the database says of it.

        `ids` are the keys of the ids of its entries, where somebody has read them.
        """
        file = self.file_of(segment)
        try:
            file.check_file()
            spans = {stream: span.as_row for stream, span in file.spans().items()}
        except LogError as error:
            yield str(error)
            return
        sql = f"SELECT stream, first, last, first_hand, last_hand FROM {self._streams} WHERE number = ?"  # noqa: S608 - constants only
        if spans != {row[0]: tuple(row[1:]) for row in self._query(sql, (segment.number,))}:
            yield f"the table archived_streams has other versions or hands of {segment.name} than that file"
        if len(ids) == segment.last - segment.first + 1:
            parts: Iterable[list[int]] = (
                list(ids[begin : begin + _IDS_AT_ONCE]) for begin in range(0, len(ids), _IDS_AT_ONCE)
            )
        else:
            parts = ([id_key(of.stream, of.actor, of.id) for of in part] for part in file.ids())
        yield from self._forgotten_ids(file, parts)

    def _forgotten_ids(self, file: SegmentFile, parts: Iterable[Sequence[int]]) -> Iterator[str]:
        """Yield which entries, by the keys of their ids, have neither a row nor an id. An id too many does no harm."""
        after = file.segment.first
        for part in parts:
            first, after = after, after + len(part)
            [[count]] = self._query(self.sql.count_forgotten, (first, json.encode(part).decode()))
            if count:
                held = f"{file.segment.name}, between {first:,} and {after - 1:,}"
                many = "id of an entry" if count == 1 else "ids of entries"
                yield f"the table archived_ids lacks {count:,} {many} in {held}: a command sent again would act again"

    def last_version(self, stream: str) -> int:
        """Return the newest archived version of a stream, or 0."""
        sql = f"SELECT COALESCE(MAX(last), 0) FROM {self._streams} WHERE stream = ?"  # noqa: S608 - constants only
        newest: int = self._query(sql, (stream,))[0][0]
        return newest

    def rows_by_id(self, names: Iterable[Name]) -> Iterator[LogRow]:
        """Yield the archived rows with the streams, actors and ids of commands."""
        wanted = set(names)
        keys = json.encode([id_key(*name) for name in wanted]).decode()
        for (sequence,) in self._query(self.sql.sequences, (keys,)):
            file = self.file_with(sequence)
            for row in file.rows(after=sequence - 1, until=sequence) if file else ():
                if row.columns is not None and (*map(bytes.decode, _name(row)),) in wanted:
                    yield row

    def may_have(self, names: Iterable[Name], query: Query) -> bool:
        """Return whether any of these ids may be an archived one, by one query and without reading a file."""
        keys = json.encode([id_key(*name) for name in names]).decode()
        return bool(query(f"{self.sql.sequences} LIMIT 1", (keys,)))


def filled_rows(rows: Iterator[LogRow], archive: Archive | None, after: int = 0) -> Iterator[LogRow]:
    """Yield rows of a database for somebody who verifies them, and the archived ones in the gaps between them.

    What cannot be read of the archive is a row with a fault.
    """
    if archive is None:
        yield from rows
        return
    following = after + 1
    for row in rows:
        sequence = row.columns[0] if row.columns else following
        while sequence > following and (file := archive.file_with(following)) is not None:
            for archived in file.checked_rows():
                if archived.columns is None or archived.columns[0] >= following:
                    yield archived
            following = file.segment.last + 1
        if sequence >= following:  # otherwise it was read from the archive already
            yield row
            following = sequence + 1


def _name(row: LogRow) -> tuple[bytes, bytes, bytes]:
    assert row.columns is not None
    _, stream, _, actor, id_, _ = row.columns
    return stream, actor, id_


def _segment(row: Sequence[Any]) -> Segment:
    try:
        return json.decode(row[0], type=Segment)
    except MsgspecError as error:
        raise LogError(f"the table of archived segments was changed ({error}): continue from a backup") from error
